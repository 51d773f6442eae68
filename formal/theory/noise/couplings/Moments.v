(** Moments and excesses of noisy values, averaged over a coupling: both are jointly convex. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Means Slower.
Import ListNotations.
Open Scope R_scope.

(** p^a q^(1 - a) summed over outputs, and the sum of the positive parts of p - K q. *)
Definition moment {W} `{Finite W} a (p q : W -> R) := Σ w, pw (p w) a * pw (q w) (1 - a).
Definition excess {W} `{Finite W} K (p q : W -> R) := Σ w, Rmax 0 (p w - K * q w).
Definition mean {I W} `{Finite I} (g : I -> R) (A : I -> W -> R) (w : W) := Σ i, g i * A i w.

(** A power of a above 1 is above its tangents. *)
Lemma power_tangent a x : 1 < a -> 0 < x -> 1 + a * (x - 1) <= exp (a * ln x).
Proof.
  intros a1 x0. pose proof (below_chord (/ a) (a * ln x)) as c.
  assert (i0 : 0 < / a) by (apply Rinv_0_lt_compat; lra).
  assert (i1 : / a * a = 1) by (field; lra).
  assert (i2 : / a < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  specialize (c ltac:(lra)). rewrite <- Rmult_assoc, i1, Rmult_1_l, exp_ln in c by easy.
  apply (Rmult_le_compat_l a) in c; [|lra].
  replace (a * (1 - / a + / a * exp (a * ln x))) with (a - / a * a + / a * a * exp (a * ln x)) in c
    by ring.
  rewrite i1 in c. lra.
Qed.

Lemma pw_below x a : a <> 0 -> x <= 0 -> pw x a = 0.
Proof. intros n x0. unfold pw. destruct (Req_EM_T a 0); [easy|]. destruct (Rlt_dec 0 x); lra. Qed.
Lemma pw_zero a : a <> 0 -> pw 0 a = 0.
Proof. intros n. apply pw_below; [easy|lra]. Qed.
Lemma pw_exp x a : 0 < x -> pw x a = exp (a * ln x).
Proof.
  intros x0. unfold pw. destruct (Req_EM_T a 0) as [->|_].
  - now rewrite Rmult_0_l, exp_0.
  - destruct (Rlt_dec 0 x); [easy|lra].
Qed.

(** p^a q^(1 - a) is above its tangent at any positive quotient t. *)
Lemma moment_tangent a p q t : 1 < a -> 0 < t -> 0 <= q -> (q = 0 -> p <= 0) ->
  exp (a * ln t) * q + a * exp ((a - 1) * ln t) * (p - t * q) <= pw p a * pw q (1 - a).
Proof.
  intros a1 t0 q0 z. destruct (Req_dec q 0) as [->|qn].
  { specialize (z eq_refl). rewrite (pw_zero (1 - a)) by lra.
    assert (0 <= a * (exp ((a - 1) * ln t) * - p)).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [left; apply exp_pos|lra]. }
    lra. }
  assert (qp : 0 < q) by lra. rewrite (pw_exp q) by easy.
  assert (E : exp (a * ln t) = t * exp ((a - 1) * ln t)).
  { rewrite <- (exp_ln t t0) at 2. rewrite <- exp_plus. f_equal. ring. }
  set (e := exp ((a - 1) * ln t)) in *. assert (e0 : 0 < e) by apply exp_pos. rewrite E.
  destruct (Rle_lt_dec p 0) as [pn|pp].
  { rewrite pw_below by lra. replace (t * e * q + a * e * (p - t * q))
      with (- ((a - 1) * (e * (t * q)) + a * (e * - p))) by ring.
    assert (0 <= (a - 1) * (e * (t * q))).
    { apply Rmult_le_pos; [lra|]. left. apply Rmult_lt_0_compat; [easy|].
      now apply Rmult_lt_0_compat. }
    assert (0 <= a * (e * - p)) by (apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; lra).
    lra. }
  rewrite (pw_exp p) by easy.
  assert (tq : 0 < t * q) by now apply Rmult_lt_0_compat.
  pose proof (power_tangent a (p / (t * q)) a1 ltac:(now apply Rdiv_lt_0_compat)) as tan.
  apply (Rmult_le_compat_l (e * (t * q))) in tan.
  2: { left. now apply Rmult_lt_0_compat. }
  replace (e * (t * q) * (1 + a * (p / (t * q) - 1))) with (t * e * q + a * e * (p - t * q)) in tan
    by (field; lra).
  apply Rle_trans with (1 := tan). right.
  assert (P : e * (t * q) = exp ((a - 1) * ln t + (ln t + ln q)))
    by (unfold e; now rewrite !exp_plus, !exp_ln by easy).
  rewrite P, <- !exp_plus. f_equal. unfold Rdiv.
  rewrite ln_mult, ln_Rinv, ln_mult by (easy || now apply Rinv_0_lt_compat). ring.
Qed.

Section Averages.
Context {I W : Type} `{Finite I} `{Finite W}.
Variables (g : I -> R) (A C : I -> W -> R).
Hypothesis g0 : forall i, 0 <= g i.

(** Moments of averages are at most averages of moments (noise.coupling): g are the masses of a
    coupling of two laws of a query, A i and C i the laws of noise about the two values that it
      pairs.
    Differs: a quotient by 0 is excluded, and not infinite; noise has finitely many outputs; any
      order
    1 + e above 1. *)
Theorem moment_of_means (e : posreal) : (forall i w, 0 <= C i w) ->
  (forall i w, C i w = 0 -> A i w <= 0) ->
  moment (1 + e) (mean g A) (mean g C) <= Σ i, g i * moment (1 + e) (A i) (C i).
Proof.
  assert (a1 : 1 < 1 + e) by (pose proof (cond_pos e); lra). generalize dependent (1 + e).
  intros a a1 C0 z. unfold moment.
  rewrite (sum_ext all (fun i => g i * _) (fun i => Σ w, g i * (pw (A i w) a * pw (C i w) (1 - a))))
    by (intros; now rewrite sum_scale).
  rewrite sum_swap. apply sum_le. intros w _.
  assert (pos : forall B : I -> W -> R, (forall i w, 0 <= B i w) -> forall i, 0 <= g i * B i w)
    by (intros; now apply Rmult_le_pos).
  assert (right0 : 0 <= Σ i, g i * (pw (A i w) a * pw (C i w) (1 - a))).
  { apply sum_nonneg. intros i _. apply Rmult_le_pos; [easy|]. apply Rmult_le_pos; apply
    pw_nonneg. }
  assert (D0 : 0 <= mean g C w) by (apply sum_nonneg; intros; now apply pos).
  destruct (Rle_lt_dec (mean g A w) 0) as [none|N1].
  { rewrite pw_below by lra. lra. }
  assert (D1 : 0 < mean g C w).
  { destruct (Req_dec (mean g C w) 0) as [e0|]; [|lra]. exfalso.
    assert (mean g A w <= 0); [|lra]. unfold mean. apply Rle_trans with (Σ i : I, 0);
      [|right; apply sum_0]. apply sum_le. intros i _.
    assert (gc : g i * C i w = 0).
    { pose proof (sum_member all (fun i => g i * C i w) i (fun j _ => pos C C0 j) (all_here i)).
      pose proof (pos C C0 i). unfold mean in e0. simpl in *. lra. }
    apply Rmult_integral in gc as [-> | c0]; [lra|]. specialize (z i w c0). specialize (g0 i).
    assert (0 <= g i * - A i w) by (apply Rmult_le_pos; lra). lra. }
  set (N := mean g A w) in *. set (M := mean g C w) in *.
  set (t := N / M). assert (t0 : 0 < t) by now apply Rdiv_lt_0_compat.
  apply Rle_trans with (Σ i, g i * (exp (a * ln t) * C i w + a * exp ((a - 1) * ln t) * (A i w - t
    * C i w))).
  - right. transitivity (exp (a * ln t) * M + a * exp ((a - 1) * ln t) * (N - t * M)).
    + replace (N - t * M) with 0 by (unfold t; field; lra). rewrite Rmult_0_r, Rplus_0_r.
      rewrite !pw_exp by easy.
      assert (L : ln t = ln N - ln M).
      { unfold t, Rdiv. rewrite ln_mult, ln_Rinv by (easy || now apply Rinv_0_lt_compat). ring. }
      transitivity (exp (a * ln t) * exp (ln M)); [|now rewrite exp_ln].
      rewrite <- !exp_plus, L. f_equal. ring.
    + unfold N, M, mean.
      rewrite (sum_ext all (fun i => g i * (_ + _)) (fun i => (exp (a * ln t) -
        a * exp ((a - 1) * ln t) * t) * (g i * C i w) + a * exp ((a - 1) * ln t) * (g i * A i w)))
        by (intros; ring).
      rewrite sum_plus, !sum_scale. ring.
  - apply sum_le. intros i _. apply Rmult_le_compat_l; [easy|].
    apply moment_tangent; auto.
Qed.

(** The same of excesses, by which deltas are averages (noise.coupling).
    Differs: noise has finitely many outputs. *)
Theorem excess_of_means K : excess K (mean g A) (mean g C) <= Σ i, g i * excess K (A i) (C i).
Proof.
  unfold excess.
  rewrite (sum_ext all (fun i => g i * _) (fun i => Σ w, g i * Rmax 0 (A i w - K * C i w)))
    by (intros; now rewrite sum_scale).
  rewrite sum_swap. apply sum_le. intros w _. apply Rmax_lub.
  - apply sum_nonneg. intros i _. apply Rmult_le_pos; [easy|apply Rmax_l].
  - unfold mean. apply Rle_trans with (Σ i, g i * (A i w - K * C i w)).
    + right. transitivity (Σ i, (g i * A i w + - (1) * (K * (g i * C i w)))).
      * rewrite sum_plus, !sum_scale. ring.
      * apply sum_ext. intros; ring.
    + apply sum_le. intros i _. apply Rmult_le_compat_l; [easy|apply Rmax_r].
Qed.
End Averages.
