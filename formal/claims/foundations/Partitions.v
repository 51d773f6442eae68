(** Theorems whose types are statement objects: events, and partitions into finitely many. *)
From Pufferproof Require Partitions.
From Said Require Partitions.

Theorem finite_partitions : Said.foundations.Partitions.finite_partitions.
Proof.
  intros D E W F G ratio M cells pairs priors.
  exact (Pufferproof.foundations.Partitions.families_suffice ratio M cells pairs priors).
Qed.
