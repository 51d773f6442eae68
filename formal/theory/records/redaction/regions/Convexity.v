(** Where influences of a chain of bits with a negative eigenvalue are convex in the distance: i0 at
    odd distances and i1 at even ones (massny2025, proposition 1, repaired). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish TwoStates Influences Stationary InfluenceCurves.
Open Scope R_scope.

(** Both are negative, 0, or positive. *)
Definition same_sign x y := (x < 0 <-> y < 0) /\ (0 < x <-> 0 < y).
(** By how much i is convex at D: of f = e^i. *)
Definition bend (f : nat -> R) D := f D * f (S (S D)) - f (S D) * f (S D).
(** The difference of the sides of the condition at D for c = x/y, m = |lam| and u = m^D. *)
Definition condition c m u := (1 - m) * (1 - m) * (1 + m * m * (c * c - c + 1) * (u * u)) -
  m * u * Rabs (c - 1) * ((1 + 1) * (m * m - m + 1) - m * m * m * (c * c + 1) * (u * u)).
Definition condition_at al be D x y :=
  condition (x / y) (Rabs (lam al be)) (Rabs (lam al be) ^ D).

Section Convexity.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1) (neg : 1 < al + be).
Notation lam := (lam al be).
Notation m := (Rabs lam).

Lemma same_sign_of_multiple k x y : 0 < k -> x = k * y -> same_sign x y.
Proof.
  intros k0 ->. split; split; intros h.
  - apply (Rmult_lt_reg_l k); [easy|]. now rewrite Rmult_0_r.
  - rewrite <- (Rmult_0_r k). now apply Rmult_lt_compat_l.
  - apply (Rmult_lt_reg_l k); [easy|]. now rewrite Rmult_0_r.
  - now apply Rmult_lt_0_compat.
Qed.

(** The difference of a product of quotients and a square, with a factor of its numerator. *)
Lemma bend_of_quotients x y p q r s u z : 0 < y -> 0 < q -> 0 < s -> 0 < u ->
  p * r * (y * y) - x * x * (q * s) = u * z ->
  same_sign (p / q * (r / s) - x / y * (x / y)) z.
Proof.
  intros y0 q0 s0 u0 e. apply same_sign_of_multiple with (u / (y * y * (q * s))).
  - apply Rdiv_lt_0_compat; [easy|]. repeat apply Rmult_lt_0_compat; easy.
  - apply (Rmult_eq_reg_r (y * y * (q * s))).
    + transitivity (p * r * (y * y) - x * x * (q * s)); [field; lra|].
      rewrite e. field. lra.
    + apply Rgt_not_eq. repeat apply Rmult_lt_0_compat; easy.
Qed.

Lemma size_of_lam : m = - lam /\ 0 < m < 1.
Proof.
  pose proof (small_lam al be al0 ltac:(lra) ltac:(lra) be1) as less.
  unfold TwoStates.lam in *. rewrite Rabs_left in * by lra. lra.
Qed.

Lemma signed_powers D : let u := m ^ D in 0 < u /\
  (Nat.odd D = true -> lam ^ D = - u /\ lam ^ S D = m * u /\ lam ^ S (S D) = - (m * m * u)) /\
  (Nat.odd D = false -> lam ^ D = u /\ lam ^ S D = - (m * u) /\ lam ^ S (S D) = m * m * u).
Proof.
  intros u. destruct size_of_lam as [E [m0 m1]]. assert (u0 : 0 < u) by now apply pow_lt.
  split; [easy|]. assert (sign : lam ^ D = (if Nat.odd D then -1 else 1) * u).
  { unfold u. rewrite E. clear. set (l := TwoStates.lam al be).
    induction D as [|D IH]; [simpl; ring|]. rewrite Nat.odd_succ, <- Nat.negb_odd.
    cbn [pow]. rewrite IH. destruct (Nat.odd D); simpl; ring. }
  assert (S1 : lam ^ S D = - m * lam ^ D) by (rewrite E; simpl; ring).
  assert (S2 : lam ^ S (S D) = m * m * lam ^ D) by (rewrite E; simpl; ring).
  rewrite S1, S2, sign. split; intros ->; repeat split; ring.
Qed.

Lemma quotients c : c = be / al \/ c = al / be -> forall D, (1 <= D)%nat ->
  let u := m ^ D in 0 < c /\ 0 < u /\ 0 < m < 1 /\ m * u < 1 /\ m * m * u < 1 /\
  (Nat.odd D = true -> 0 < 1 - c * u /\ 0 < 1 - c * (m * m * u) /\
    curve c (lam ^ D) = (1 + u) / (1 - c * u) /\
    curve c (lam ^ S D) = (1 + c * (m * u)) / (1 - m * u) /\
    curve c (lam ^ S (S D)) = (1 + m * m * u) / (1 - c * (m * m * u))) /\
  (Nat.odd D = false -> 0 < 1 - u /\ 0 < 1 - c * (m * u) /\
    curve c (lam ^ D) = (1 + c * u) / (1 - u) /\
    curve c (lam ^ S D) = (1 + m * u) / (1 - c * (m * u)) /\
    curve c (lam ^ S (S D)) = (1 + c * (m * m * u)) / (1 - m * m * u)).
Proof.
  intros of_ D d1 u. assert (b0 : 0 < be) by lra. assert (a1 : al < 1) by lra.
  destruct size_of_lam as [_ [m0 m1]]. destruct (signed_powers D) as [u0 [odd even]].
  destruct (above_ al be al0 b0 a1 be1 c D of_ d1) as [c0 [A1 B1]].
  destruct (above_ al be al0 b0 a1 be1 c (S D) of_ ltac:(lia)) as [_ [A2 B2]].
  destruct (above_ al be al0 b0 a1 be1 c (S (S D)) of_ ltac:(lia)) as [_ [A3 B3]].
  assert (small : m ^ D <= 1).
  { rewrite <- (pow1 D). apply pow_incr. lra. }
  fold u in small, odd, even, u0. assert (ku : 0 < m * u) by now apply Rmult_lt_0_compat.
  assert (kku : 0 < m * m * u) by (rewrite Rmult_assoc; now apply Rmult_lt_0_compat).
  assert (k1 : m * u < 1).
  { apply Rle_lt_trans with (m * 1); [apply Rmult_le_compat_l; lra|lra]. }
  assert (kk1 : m * m * u < 1).
  { rewrite Rmult_assoc. apply Rle_lt_trans with (m * 1); [apply Rmult_le_compat_l; lra|lra]. }
  repeat (split; [easy|]). split.
  - intros o. destruct (odd o) as [E1 [E2 E3]]. rewrite E1, E2, E3 in *.
    rewrite (curve_down al al0 a1 c (- u)), (curve_up be b0 be1 c (m * u)),
      (curve_down al al0 a1 c (- (m * m * u))) by lra.
    repeat split; try lra; f_equal; ring.
  - intros o. destruct (even o) as [E1 [E2 E3]]. rewrite E1, E2, E3 in *.
    rewrite (curve_up be b0 be1 c u), (curve_down al al0 a1 c (- (m * u))),
      (curve_up be b0 be1 c (m * m * u)) by lra.
    repeat split; try lra; f_equal; ring.
Qed.

(** Proposition 1 of massny2025, repaired: for lam < 0, when i0 is convex at an odd distance and i1
    at an even one.
    Differs: not in print, which says always. *)
Theorem convexity_of_i0 D : (1 <= D)%nat -> Nat.odd D = true ->
  same_sign (bend (i0 al be) D) (condition_at al be D al be).
Proof.
  intros d1 o. unfold bend, condition_at, condition. rewrite !i0_curve.
  destruct (quotients (al / be) ltac:(now right) D d1) as [c0 [u0 [m01 [k1 [kk1 [odd _]]]]]].
  destruct (odd o) as [p1 [p2 [-> [-> ->]]]]. set (c := al / be) in *.
  assert (c1 : c <= 1).
  { unfold c. apply (Rmult_le_reg_r be); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  rewrite (Rabs_left1 (c - 1)) by lra.
  apply bend_of_quotients with (m ^ D * (1 + c)); [lra|lra|lra| |ring].
  apply Rmult_lt_0_compat; lra.
Qed.

(** The same of i1.
    Differs: as above. *)
Theorem convexity_of_i1 D : (1 <= D)%nat -> Nat.odd D = false ->
  same_sign (bend (i1 al be) D) (condition_at al be D be al).
Proof.
  intros d1 o. unfold bend, condition_at, condition. rewrite !i1_curve.
  destruct (quotients (be / al) ltac:(now left) D d1) as [c0 [u0 [m01 [k1 [kk1 [_ even]]]]]].
  destruct (even o) as [p1 [p2 [-> [-> ->]]]]. set (c := be / al) in *.
  assert (c1 : 1 <= c).
  { unfold c. apply (Rmult_le_reg_r al); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  rewrite (Rabs_right (c - 1)) by lra.
  apply bend_of_quotients with (m ^ D * (1 + c)); [lra|lra|lra| |ring].
  apply Rmult_lt_0_compat; lra.
Qed.
End Convexity.
