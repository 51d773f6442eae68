(** The theorem whose type is a statement object: events, and partitions into finitely many. *)
From Pufferproof Require Partitions.
From Said Require Partitions.

Theorem finite_partitions : Said.foundations.Partitions.finite_partitions.
Proof.
  intros D Omega W F G ratio M events pairs priors two [none others].
  exact (Pufferproof.foundations.Partitions.partitions_suffice ratio M events pairs priors two none
    others).
Qed.
