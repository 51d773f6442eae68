(** Integrals keep the order of what they integrate. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

(** A bound of likelihoods at every point is one of their integrals over an interval, with weights
    that are not negative.
    Differs: textbook. *)
Theorem integrals_keep_order (low high m : R) (weight N D : R -> R)
  (mixed_N : Riemann_integrable (fun y => weight y * N y) low high)
  (mixed_D : Riemann_integrable (fun y => weight y * D y) low high) : low <= high ->
  (forall y, low <= y <= high -> 0 <= weight y) ->
  (forall y, low <= y <= high -> N y <= m * D y) ->
  RiemannInt mixed_N <= m * RiemannInt mixed_D.
Proof.
  intros order weights bound.
  pose proof (RiemannInt_P14 low high 0) as constant.
  assert (zero : Riemann_integrable (fct_cte 0) low high) by apply RiemannInt_P14.
  pose proof (RiemannInt_P10 m zero mixed_D) as scaled.
  assert (E : RiemannInt scaled = m * RiemannInt mixed_D).
  { rewrite (RiemannInt_P13 zero mixed_D scaled), (RiemannInt_P15 zero). ring. }
  rewrite <- E. apply RiemannInt_P19; [easy|]. intros y [above below]. unfold fct_cte.
  specialize (weights y ltac:(lra)). specialize (bound y ltac:(lra)).
  pose proof (Rmult_le_compat_l _ _ _ weights bound). lra.
Qed.
