(** What an eigenvalue says of the influence between two bits of a chain. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require Import Sums TwoStates.
Open Scope R_scope.

Lemma exp_times g D : exp (- (g * INR D)) = exp (- g) ^ D.
Proof.
  induction D as [|D IH]; [simpl; rewrite Rmult_0_r, Ropp_0; apply exp_0|].
  rewrite S_INR. replace (- (g * (INR D + 1))) with (- g + - (g * INR D)) by ring.
  rewrite exp_plus, IH. easy.
Qed.

Lemma below_exp y : 1 + y <= exp y.
Proof.
  destruct (Req_dec y 0) as [->|ne]; [rewrite exp_0; lra|]. left. now apply exp_ineq1.
Qed.

Section Estimates.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation lam := (lam al be).
Notation power := (power al be).
(** The eigengap of P P*, and the smaller stationary probability. *)
Definition gap := 1 - lam * lam.
Definition rarer := al / (al + be).

Lemma power_estimate D : Rabs (lam ^ D) <= exp (- (gap * INR D / 2)).
Proof.
  set (x := exp (- (gap * INR D / 2))).
  assert (x0 : 0 < x) by apply exp_pos.
  assert (square : Rabs (lam ^ D) * Rabs (lam ^ D) <= x * x).
  { unfold x. rewrite <- exp_plus.
    replace (- (gap * INR D / 2) + - (gap * INR D / 2)) with (- (gap * INR D)) by field.
    rewrite exp_times, <- Rabs_mult, <- Rpow_mult_distr.
    rewrite Rabs_right by (apply Rle_ge, pow_le, Rle_0_sqr).
    apply pow_incr. split; [apply Rle_0_sqr|].
    pose proof (below_exp (- gap)). unfold gap in *. lra. }
  apply Rsqr_incr_0_var; [exact square|lra].
Qed.

(** Lemma II.3 of song2017 for chains of two values, and a quilt of one record at distance D: the
    influence is at most log((pi + x)/(pi - x)) with x = e^(-g D/2), for the eigengap g of P P* and
    the smaller stationary probability pi.
    Differs: two values, for which the print is true; a quilt on one side, where one on both sides
    has the sum; a stationary chain, in which both directions have the same steps. *)
Theorem eigenvalue_estimate D b z : (1 <= D)%nat -> let x := exp (- (gap * INR D / 2)) in
  x < rarer -> power D b z <= (rarer + x) / (rarer - x) * power D (negb b) z.
Proof.
  intros d1 x small. pose proof (power_estimate D) as le. fold x in le.
  assert (x0 : 0 < x) by apply exp_pos.
  apply Rle_trans with (told al be D b * power D (negb b) z); [now apply told_bounds|].
  apply Rmult_le_compat_r; [now apply Rlt_le, power_pos|].
  destruct (told_is al be al0 order be1 D d1) as [ord [up down]].
  assert (most : told al be D b <= i1 al be D).
  { destruct (Rle_dec 0 (lam ^ D)) as [sign|sign].
    - destruct (up sign) as [A B]. destruct b; lra.
    - destruct (down ltac:(lra)) as [A B]. destruct b; lra. }
  apply Rle_trans with (1 := most).
  destruct (order_of_c al be al0 order be1 D d1) as [_ [p1 [high low]]].
  destruct (lam_power al be al0 order be1 D d1) as [u1 [ua _]].
  set (s := al + be). assert (s0 : 0 < s) by (unfold s; lra).
  assert (E : (rarer + x) / (rarer - x) = (al + s * x) / (al - s * x)).
  { unfold rarer in *. fold s in small. fold s.
    assert (s * x < al).
    { apply (Rmult_lt_compat_l s) in small; [|easy].
      replace (s * (al / s)) with al in small by (field; lra). lra. }
    field. repeat split; try lra. }
  assert (den : 0 < al - s * x).
  { unfold rarer in small. fold s in small. apply (Rmult_lt_compat_l s) in small; [|easy].
    replace (s * (al / s)) with al in small by (field; lra). lra. }
  rewrite E. unfold i1. set (u := lam ^ D) in *.
  assert (close : forall v, 0 <= v <= x ->
    al * v <= s * x /\ be * v <= s * x /\ 0 <= al * v /\ 0 <= be * v).
  { intros v [v0 vx]. unfold s in *.
    assert (al * v <= al * x) by (apply Rmult_le_compat_l; lra).
    assert (be * v <= be * x) by (apply Rmult_le_compat_l; lra).
    assert (0 <= al * v) by (apply Rmult_le_pos; lra).
    assert (0 <= be * v) by (apply Rmult_le_pos; lra).
    assert (0 <= al * x) by (apply Rmult_le_pos; lra).
    assert (0 <= be * x) by (apply Rmult_le_pos; lra).
    repeat split; lra. }
  assert (over : forall a b' c d, 0 <= a <= c -> 0 < d <= b' -> a / b' <= c / d).
  { intros a b' c d [a0 ac] [dpos db]. unfold Rdiv. apply Rmult_le_compat; auto.
    - apply Rlt_le, Rinv_0_lt_compat. lra.
    - now apply Rinv_le_contravar. }
  destruct (Rle_dec 0 u) as [sign|sign].
  - destruct (high sign). rewrite larger_above by lra. unfold of_c.
    rewrite Rabs_right in le by lra. destruct (close u ltac:(lra)) as [A [B [C F]]].
    fold lam. fold u.
    replace ((1 + be / al * u) / (1 - u)) with ((al + be * u) / (al - al * u)) by (field; lra).
    apply over; lra.
  - destruct (low ltac:(lra)). rewrite larger_below by lra. unfold of_c. fold lam. fold u.
    rewrite Rabs_left in le by lra. destruct (close (- u) ltac:(lra)) as [A [B [C F]]].
    replace (/ ((1 + be / al * u) / (1 - u))) with ((al + al * - u) / (al - be * - u))
      by (field; repeat split; lra).
    apply over; lra.
Qed.
End Estimates.
