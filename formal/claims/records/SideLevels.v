(** Theorems whose types are statement objects: the first record of a side that can be shown. *)
From Coq Require Import Reals Lra.
From Pufferproof Require SideLevels TwoStates.
From Said Require SideLevels.
Open Scope R_scope.

Theorem first_is_extreme : Said.records.SideLevels.first_is_extreme.
Proof.
  intros a b n p t r v [[a0 a1] [b0 b1]] pn r01 hidden tn first.
  now apply redaction.SideLevels.first_is_extreme.
Qed.

Theorem both_levels : Said.records.SideLevels.both_levels.
Proof.
  intros ratio a b n t p u r [[a0 a1] [b0 b1]] l0 tp pu un r01 hidden one two.
  apply redaction.SideLevels.both_levels; auto. unfold TwoStates.lam. lra.
Qed.
