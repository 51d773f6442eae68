(** The theorem whose type is a statement object: columns of levels on attracting bits. *)
From Coq Require Import Reals.
From Pufferproof Require LevelColumns.
From Said Require bits.LevelColumns.

Theorem columns : Said.bits.LevelColumns.columns.
Proof.
  intros some mu w u n i order col.
  exact (Pufferproof.chains.bits.LevelColumns.columns some mu w u n i order col).
Qed.
