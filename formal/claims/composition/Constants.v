(** Theorems whose types are statement objects: conditions that bound joint releases. *)
From Pufferproof Require Constants.
From Said Require Constants.

Theorem constant_levels : Said.composition.Constants.constant_levels.
Proof.
  intros D W F G p s t beta Ms C ws Lp Lb M0 E0 each carry.
  apply (Pufferproof.composition.worst.Constants.constant_levels p s t beta Lp Lb); auto.
  - intros M E i. exact (conj (M0 (M, E) i) (E0 (M, E) i)).
  - intros M E i x w px. exact (each (M, E) i x px w).
Qed.
