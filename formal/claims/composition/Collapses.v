(** Theorems whose types are statement objects: what two releases can leak of one pair. *)
From Pufferproof Require Determined Existence.
From Said Require Collapses.

Theorem two_runs : Said.composition.Collapses.two_runs.
Proof. intros D F dD p s t pair. exact (proj2 (Determined.collapse_exactly dD p s t pair)). Qed.

Theorem determined : Said.composition.Collapses.determined.
Proof.
  intros D F dD p s t A B pair A1 B1 [os ot].
  now apply (Determined.largest_exactly dD p s t A B).
Qed.

Theorem otherwise : Said.composition.Collapses.otherwise.
Proof.
  intros D F dD p s t A B pair A1 B1.
  exact (proj2 (Determined.unbounded_exactly dD p s t A B pair A1 B1)).
Qed.

Theorem there_are : Said.composition.Collapses.there_are.
Proof.
  intros D F dD x y many ne. now apply (Existence.some_mechanism_collapses dD).
Qed.
