(** Theorems whose types are statement objects: the curve of a stationary chain of bits. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require HiddenBits.
From Said Require HiddenBits.
Open Scope R_scope.

Theorem positive : Said.quilts.HiddenBits.positive.
Proof.
  intros ratio p q T b [p01 q01] some long pos.
  apply Pufferproof.chains.HiddenBits.curve_if_lam_positive; auto; lia.
Qed.

Theorem equal : Said.quilts.HiddenBits.equal.
Proof.
  intros ratio p q T b [p01 q01] some long same.
  apply Pufferproof.chains.HiddenBits.curve_if_equal; auto; lia.
Qed.

Theorem admitted : Said.quilts.HiddenBits.admitted.
Proof.
  intros p q T b [p01 q01] some. now apply Pufferproof.chains.HiddenBits.formula_on_curve.
Qed.
