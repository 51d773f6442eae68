(** Theorems whose types are statement objects: the quilt mechanism for any laws, and the quilts of
    chains. *)
From Coq Require Import Reals Lia.
From Pufferproof Require QuiltsOfTables.
From Said Require quilts.Tables.
Open Scope R_scope.

Theorem any_quilt : Said.quilts.Tables.any_quilt.
Proof.
  intros A V F dA n roles i priors run e m N laws N0 good told moves away room.
  exact (QuiltsOfTables.any_quilt dA roles i priors run e m N laws N0 good told moves away room).
Qed.

Theorem searched_quilts : Said.quilts.Tables.searched_quilts.
Proof.
  intros A F dA n S priors run laws lip good score.
  exact (QuiltsOfTables.searched_quilts dA S run priors laws lip good score).
Qed.

Theorem quilts_around : Said.quilts.Tables.quilts_around.
Proof.
  intros A F dA n class lo hi i laws before after.
  apply (QuiltsOfTables.quilts_around dA n class lo hi i laws). lia.
Qed.

Theorem larger_set : Said.quilts.Tables.larger_set.
Proof.
  intros A F dA n R S i priors e sub told.
  exact (QuiltsOfTables.larger_set dA S R i priors e sub told).
Qed.

Theorem joint_with_quilt : Said.quilts.Tables.joint_with_quilt.
Proof.
  intros A F dA n roles i priors run e laws lip good told room.
  exact (QuiltsOfTables.joint_with_quilt dA roles i priors run e laws lip good told room).
Qed.
