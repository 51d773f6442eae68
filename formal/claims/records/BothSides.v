(** Theorems whose types are statement objects: what both sides of a record leak together. *)
From Coq Require Import Reals Lra.
From Pufferproof Require BothSides.
From Said Require BothSides.
Open Scope R_scope.

Theorem exactly : Said.records.BothSides.exactly.
Proof.
  intros a b n p r [[a0 a1] [b0 b1]] pn r01 hidden.
  now apply redaction.BothSides.joint_leakage.
Qed.

Theorem between : Said.records.BothSides.between.
Proof.
  intros a b n p r [[a0 a1] [b0 b1]] pn r01 hidden.
  now apply redaction.BothSides.joint_bounds.
Qed.

Theorem all_of_it : Said.records.BothSides.all_of_it.
Proof.
  intros a b n p r [[a0 a1] [b0 b1]] pn r01 hidden.
  now apply redaction.BothSides.joint_equality.
Qed.

Theorem more_than_half : Said.records.BothSides.more_than_half.
Proof.
  intros a b n p r [[a0 a1] [b0 b1]] pn r01 hidden some.
  destruct (redaction.BothSides.joint_half a b a0 b0 a1 b1 n p r pn r01 hidden) as [more|[l r1]];
    [exact more|]. rewrite l, r1 in some. lra.
Qed.
