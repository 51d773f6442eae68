(** That a mechanism keeps some finite level: four outputs under many priors (bai2026, section 4,
    example 3). *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Decoys FourOutputs.
Import ListNotations.
Open Scope R_scope.

(** Priors are laws, and some number bounds all ratios. *)
Definition some_level {D W} `{Finite D} (M : D -> W -> R) pairs (priors : (D -> R) -> Prop) :=
  laws_only priors /\ exists ratio, pufferfish ratio M pairs priors.

Lemma inverse_bounds a b c : 0 < b -> a <= 1 -> / b <= c -> a <= c * b.
Proof.
  intros b0 a1 le. apply Rle_trans with 1; [easy|]. rewrite <- (Rinv_l b) by lra.
  apply Rmult_le_compat_r; lra.
Qed.

(** One run has a finite level if the bounds are neither 0 nor 1 (bai2026.ex3-runs).
    Differs: as [four_keeps]. *)
Theorem four_finite {D} `{Finite D} (s U : @secret D) LT UT LF UF priors : laws_only priors ->
  fractions s U priors LT UT LF UF -> 0 < LT -> UT < 1 -> 0 < LF -> UF < 1 ->
  some_level (four s U) (both_ways s) priors.
Proof.
  intros L frac t0 t1 f0 f1. split; [exact L|]. exists (/ LT + / (1 - UT) + / LF + / (1 - UF)).
  set (r := / LT + / (1 - UT) + / LF + / (1 - UF)).
  intros p u v w Hp uv Pu Pv.
  assert (both : 0 < P p s /\ 0 < P p (otherwise s)).
  { destruct uv as [uv|[uv|[]]]; injection uv as <- <-; easy. }
  destruct (frac p Hp (proj1 both) (proj2 both)) as [[lowT upT] [lowF upF]].
  assert (LT1 : LT <= UT) by (apply (Rmult_le_reg_r (P p s)); lra).
  assert (LF1 : LF <= UF) by (apply (Rmult_le_reg_r (P p (otherwise s))); lra).
  pose proof (Rinv_0_lt_compat LT t0). pose proof (Rinv_0_lt_compat LF f0).
  pose proof (Rinv_0_lt_compat (1 - UT) ltac:(lra)).
  pose proof (Rinv_0_lt_compat (1 - UF) ltac:(lra)).
  pose proof (Rinv_le_contravar LT UT t0 LT1). pose proof (Rinv_le_contravar LF UF f0 LF1).
  pose proof (Rinv_le_contravar (1 - UT) (1 - LT) ltac:(lra) ltac:(lra)).
  pose proof (Rinv_le_contravar (1 - UF) (1 - LF) ltac:(lra) ltac:(lra)).
  apply (four_keeps s U r LT UT LF UF priors); try easy. unfold eight, either, r.
  repeat split; apply inverse_bounds; lra.
Qed.
