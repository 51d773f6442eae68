(** Theorems whose types are statement objects: levels for one cell, and influence curves. *)
From Pufferproof Require Curves.
From Said Require Curves.

Theorem translate : Said.records.Curves.translate.
Proof.
  intros I D V W F G dI dD dV X b eps a level M pairs priors.
  exact (Pufferproof.records.Curves.translate_on_product dI dV X dD b eps a level M pairs priors).
Qed.

Theorem translate_in_tables : Said.records.Curves.translate_in_tables.
Proof.
  intros I D V W F G dI dD dV X b eps a M pairs priors.
  exact (Pufferproof.records.Curves.translate_in_tables dI dV X dD b eps a M pairs priors).
Qed.

Theorem group : Said.records.Curves.group.
Proof.
  intros I D V W F G dI dD dV X eps M x y w.
  exact (Pufferproof.records.Curves.group_on_product dV X eps M x y w).
Qed.

Theorem group_on_paths : Said.records.Curves.group_on_paths.
Proof.
  intros I D V W F G dI dD dV X b eps M x y w.
  exact (Pufferproof.records.Curves.group_on_paths dV X b eps M x y w).
Qed.
