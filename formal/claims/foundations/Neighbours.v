(** Theorems whose types are statement objects: levels between neighbours. *)
From Pufferproof Require Differential.
From Said Require foundations.Neighbours.

Theorem processed : Said.foundations.Neighbours.processed.
Proof.
  intros D W V F G ratio M K N. exact (Differential.close_processed ratio M K N).
Qed.

Theorem together : Said.foundations.Neighbours.together.
Proof.
  intros D W F G Ms N M0 near. apply Differential.close_together.
  - intros M E. exact (M0 (M, E)).
  - intros M E. exact (near (M, E)).
Qed.

Theorem chosen : Said.foundations.Neighbours.chosen.
Proof.
  intros D W V F G H R1 R2 M Ns N. exact (Differential.close_chosen R1 R2 M Ns N).
Qed.
