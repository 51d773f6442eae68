(** Theorems whose types are statement objects: what releases can leak of one pair. *)
From Pufferproof Require Determined Existence OnePair.
From Said Require Collapses.

Theorem two_runs : Said.composition.Collapses.two_runs.
Proof. intros D F dD p s t pair. exact (proj2 (Determined.collapse_exactly dD p s t pair)). Qed.

Theorem determined : Said.composition.Collapses.determined.
Proof.
  intros D F dD p s t Rs pair r1 each. now apply (OnePair.largest_exactly dD p s t Rs).
Qed.

Theorem otherwise : Said.composition.Collapses.otherwise.
Proof.
  intros D F dD p s t Rs pair r1 many no. now apply (OnePair.unbounded_exactly dD p s t Rs).
Qed.

Theorem one_way : Said.composition.Collapses.one_way.
Proof.
  intros D F dD p s t Rs pair r1 one. now apply (OnePair.largest_one_way_exactly dD p s t Rs).
Qed.

Theorem otherwise_one_way : Said.composition.Collapses.otherwise_one_way.
Proof.
  intros D F dD p s t Rs pair r1 many no.
  now apply (OnePair.unbounded_one_way_exactly dD p s t Rs).
Qed.

Theorem there_are : Said.composition.Collapses.there_are.
Proof.
  intros D F dD x y many ne. now apply (Existence.some_mechanism_collapses dD).
Qed.
