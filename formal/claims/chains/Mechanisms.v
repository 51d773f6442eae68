(** Theorems whose types are statement objects: the Markov quilt mechanism with the estimates of a
    gap. *)
From Coq Require Import Lia.
From Pufferproof Require GapMechanism.
From Said Require chains.Mechanisms.

Theorem estimated_quilt : Said.chains.Mechanisms.estimated_quilt.
Proof.
  intros A F dA n class low r run. exact (GapMechanism.estimated_quilt dA n class low r run).
Qed.

Theorem estimated_quilts : Said.chains.Mechanisms.estimated_quilts.
Proof.
  intros A F dA n class low r runs. exact (GapMechanism.estimated_quilts dA n class low r runs).
Qed.

Theorem two_sided_alone : Said.chains.Mechanisms.two_sided_alone.
Proof.
  intros A F n i low r run here every.
  apply (GapMechanism.first_record_unscored low r n _ _ (every 0%nat (ltac:(lia)))).
Qed.
