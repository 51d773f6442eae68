(** The Markov quilt mechanism at its published scale, for one quilt. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace.
Import ListNotations.
Open Scope R_scope.

(** The Markov quilt mechanism (wang2016, theorem 4.4), for one prior, one pair and the quilt used
    for it: n nearby records, max-influence at most e < eps, noise of scale n / (eps - e).
    Differs: the quilt is given with conditional independence as a hypothesis instead of a Bayesian
    network; density form. *)
Theorem markov_quilt_mechanism {D Q Far} `{Finite D} `{Finite Q} `{Finite Far}
    (dq : forall y z : Q, {y = z} + {y <> z}) (df : forall y z : Far, {y = z} + {y <> z})
    (quilt : D -> Q) (remote : D -> Far) p s t (f : D -> R) n e eps b w :
  law p ->
  independent_given_quilt dq df quilt remote p s ->
  independent_given_quilt dq df quilt remote p t ->
  influence_at_most dq quilt (exp e) p s t ->
  (forall x y, quilt x = quilt y -> remote x = remote y -> Rabs (f x - f y) <= n) ->
  e < eps -> 0 < n -> n / (eps - e) <= b ->
  Pw p (fun x => laplace b (f x)) s w * P p t <= exp eps * P p s * Pw p (fun x => laplace b (f x)) t
    w.
Proof.
  intros Lp cs ct infl lip e1 n0 scale.
  assert (b0 : 0 < b) by (apply Rlt_le_trans with (2 := scale); apply Rdiv_lt_0_compat; lra).
  replace eps with (e + (eps - e)) by ring. rewrite exp_plus.
  apply (quilt_mechanism dq df quilt remote p (fun x => laplace b (f x)) s t); auto.
  - intros x u; now apply laplace_nonneg.
  - left; apply exp_pos.
  - intros x y Eq Er. eapply Rle_trans; [apply (laplace_near b n _ (f y)); auto|].
    apply Rmult_le_compat_r; [now apply laplace_nonneg|].
    assert (n / b <= eps - e) as [l|<-]; [|left; now apply exp_increasing|lra].
    apply (Rmult_le_reg_r b); [easy|]. unfold Rdiv in *. rewrite Rmult_assoc, Rinv_l, Rmult_1_r
      by lra.
    apply (Rmult_le_compat_r (eps - e)) in scale; [|lra]. rewrite Rmult_assoc, Rinv_l in scale; lra.
Qed.
