(** How influences of a stationary chain of bits go with the distance: they fall, and where they are
    convex (massny2025, proposition 1 and appendix F). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish TwoStates RedactionUtility Influences.
From Pufferproof Require Import Stationary SidesOfRecord.
Open Scope R_scope.

(** P(X_p = x, X_t = z), and the largest ratio of its conditional probabilities given X_p. *)
Definition two_records al be p t x z : R := if Nat.leb p t
  then stationary al be x * power al be (t - p) x z
  else stationary al be z * power al be (p - t) z x.
Definition record_given al be p t x z := two_records al be p t x z / stationary al be x.
Definition influence_on al be p t z :=
  Rmax (record_given al be p t true z / record_given al be p t false z)
    (record_given al be p t false z / record_given al be p t true z).

(** i falls from D to the next distance, where it still is positive; it is convex at D, by one step
    or by two: of f = e^i. *)
Definition falls (f : nat -> R) D := 1 < f (S D) /\ f (S D) < f D.
Definition convex (f : nat -> R) D := f (S D) * f (S D) <= f D * f (S (S D)).
Definition convex_by_two (f : nat -> R) D :=
  f (S (S D)) * f (S (S D)) <= f D * f (S (S (S (S D)))).

Section Curves.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation i0 := (i0 al be).
Notation i1 := (i1 al be).
Notation lam := (lam al be).

Lemma lam_other x y : TwoStates.lam x y = TwoStates.lam y x.
Proof. unfold TwoStates.lam. ring. Qed.

Lemma positive_sums D : (1 <= D)%nat ->
  0 < 1 - lam ^ D /\ 0 < al + be * lam ^ D /\ 0 < be + al * lam ^ D.
Proof.
  intros d1. destruct (Rle_dec al be) as [le|gt]; [now apply lam_power|].
  destruct (lam_power be al be0 ltac:(lra) al1 D d1) as [A [B C]].
  rewrite (lam_other be al) in *. auto.
Qed.

Lemma small_lam : Rabs lam < 1.
Proof. unfold TwoStates.lam. apply Rabs_def1; lra. Qed.

(** e^i_c at u = lam^D. *)
Definition curve c u := larger ((1 + c * u) / (1 - u)).
Lemma curve_up c u : 0 < c -> 0 <= u < 1 -> curve c u = (1 + c * u) / (1 - u).
Proof.
  intros c0 u01. apply larger_above. apply (Rmult_le_reg_r (1 - u)); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
Lemma curve_down c u : 0 < c -> u <= 0 -> 0 < 1 + c * u -> curve c u = (1 - u) / (1 + c * u).
Proof.
  intros c0 u0 pos. unfold curve. rewrite larger_below.
  - field. lra.
  - split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (1 - u)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

Lemma i1_curve D : i1 D = curve (be / al) (lam ^ D).
Proof. easy. Qed.
Lemma i0_curve D : i0 D = curve (al / be) (lam ^ D).
Proof. easy. Qed.

Lemma above_ c D : c = be / al \/ c = al / be -> (1 <= D)%nat ->
  0 < c /\ lam ^ D < 1 /\ 0 < 1 + c * lam ^ D.
Proof.
  intros of_ d1. destruct (positive_sums D d1) as [A [B C]].
  destruct of_ as [->| ->]; (split; [apply Rdiv_lt_0_compat; lra|split; [lra|]]).
  - replace (1 + be / al * lam ^ D) with ((al + be * lam ^ D) / al) by (field; lra).
    now apply Rdiv_lt_0_compat.
  - replace (1 + al / be * lam ^ D) with ((be + al * lam ^ D) / be) by (field; lra).
    now apply Rdiv_lt_0_compat.
Qed.

(** |lam| lies between c and 1/c where lam is negative. *)
Lemma between_ c : c = be / al \/ c = al / be -> lam < 0 -> c * - lam < 1 /\ - lam < c.
Proof.
  intros of_ neg. unfold TwoStates.lam in *.
  assert (A : be * (al + be - 1) < al) by nra. assert (B : al * (al + be - 1) < be) by nra.
  assert (one : be / al * (al + be - 1) < 1).
  { apply (Rmult_lt_reg_r al); [easy|].
    replace (be / al * (al + be - 1) * al) with (be * (al + be - 1)) by (field; lra). lra. }
  assert (two : al / be * (al + be - 1) < 1).
  { apply (Rmult_lt_reg_r be); [easy|].
    replace (al / be * (al + be - 1) * be) with (al * (al + be - 1)) by (field; lra). lra. }
  assert (three : al + be - 1 < al / be).
  { apply (Rmult_lt_reg_r be); [easy|].
    replace (al / be * be) with al by (field; lra). lra. }
  assert (four : al + be - 1 < be / al).
  { apply (Rmult_lt_reg_r al); [easy|].
    replace (be / al * al) with be by (field; lra). lra. }
  destruct of_ as [->| ->]; split; try lra.
Qed.

Lemma quotient_less a b c d : 0 < b -> 0 < d -> a * d < c * b -> a / b < c / d.
Proof.
  intros b0 d0 lt. apply (Rmult_lt_reg_r (b * d)); [now apply Rmult_lt_0_compat|].
  replace (a / b * (b * d)) with (a * d) by (field; lra).
  replace (c / d * (b * d)) with (c * b) by (field; lra). easy.
Qed.

Lemma power_below D : (1 <= D)%nat -> - - lam ^ D < 1 /\ - lam ^ D < 1.
Proof.
  intros d1. assert (E : Rabs (lam ^ D) < 1).
  { rewrite <- RPow_abs. destruct D as [|D]; [lia|]. cbn [pow].
    pose proof (Rabs_pos lam) as p0. pose proof small_lam as p1.
    assert (0 <= Rabs lam ^ D <= 1).
    { split; [now apply pow_le|]. rewrite <- (pow1 D). apply pow_incr. lra. }
    nra. }
  apply Rabs_def2 in E. lra.
Qed.

Lemma curve_falls c D : c = be / al \/ c = al / be -> lam <> 0 -> (1 <= D)%nat ->
  1 < curve c (lam ^ S D) < curve c (lam ^ D).
Proof.
  intros of_ ne d1. destruct (above_ c D of_ d1) as [c0 [u1 p1]].
  destruct (above_ c (S D) of_ ltac:(lia)) as [_ [v1 q1]].
  destruct (power_below D d1) as [_ low]. pose proof small_lam as small. apply Rabs_def2 in small.
  set (u := lam ^ D) in *. assert (Ev : lam ^ S D = lam * u) by easy. rewrite Ev in *.
  assert (u_ne : u <> 0) by now apply pow_nonzero.
  assert (one : forall a b, 0 < b -> b < a -> 1 < a / b).
  { intros a b b0 lt. apply (Rmult_lt_reg_r b); [easy|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l; lra. }
  destruct (Rtotal_order lam 0) as [neg|[z|pos]]; [|easy|].
  - destruct (between_ c of_ neg) as [cm mc].
    destruct (Rtotal_order u 0) as [un|[z|up]]; [|easy|].
    + assert (v0 : 0 < lam * u) by nra.
      rewrite curve_up, curve_down by (auto; lra). split; [apply one; nra|].
      assert (w01 : 0 < - u < 1) by lra. assert (m01 : 0 < - lam < 1) by lra.
      apply quotient_less; try lra.
      replace (lam * u) with (- lam * - u) by ring. replace u with (- - u) at 2 3 by ring.
      set (m := - lam) in *. set (w := - u) in *.
      assert (key : 0 < (1 - m) + m * w * (c - 1)).
      { destruct (Rle_dec 1 c) as [l|g].
        - assert (0 <= m * w * (c - 1)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra.
        - assert (m * w * (1 - c) < 1 * (1 - m)).
          { apply Rlt_trans with (1 * (1 - c)); [apply Rmult_lt_compat_r; nra|lra]. }
          lra. }
      assert (pos : 0 < w * (1 + c) * ((1 - m) + m * w * (c - 1)))
        by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|easy]).
      replace ((1 - - w) * (1 - m * w)) with ((1 + c * (m * w)) * (1 + c * - w) +
        w * (1 + c) * ((1 - m) + m * w * (c - 1))) by ring. lra.
    + assert (v0 : lam * u < 0) by nra.
      rewrite curve_down, curve_up by (auto; lra). split; [apply one; nra|].
      assert (m01 : 0 < - lam < 1) by lra. apply quotient_less; try lra.
      replace (lam * u) with (- (- lam * u)) by ring. set (m := - lam) in *.
      assert (key : 0 < (1 - m) - m * u * (c - 1)).
      { assert (m * (c - 1) < 1 - m) by nra.
        destruct (Rle_dec 1 c) as [l|g].
        - assert (m * u * (c - 1) <= m * (c - 1)).
          { apply Rmult_le_compat_r; [lra|]. nra. } lra.
        - assert (0 <= m * u * (1 - c)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra. }
      assert (pos : 0 < u * (1 + c) * ((1 - m) - m * u * (c - 1)))
        by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|easy]).
      replace ((1 + c * u) * (1 + c * - (m * u))) with ((1 - - (m * u)) * (1 - u) +
        u * (1 + c) * ((1 - m) - m * u * (c - 1))) by ring. lra.
  - assert (u0 : 0 < u) by now apply pow_lt. assert (v0 : 0 < lam * u) by nra.
    assert (cv : 0 < c * (lam * u)) by now apply Rmult_lt_0_compat.
    rewrite !curve_up by (auto; lra). split; [apply one; lra|].
    apply quotient_less; try lra.
    assert (more : 0 < (1 + c) * (u * (1 - lam))) by (repeat apply Rmult_lt_0_compat; lra).
    replace ((1 + c * u) * (1 - lam * u)) with
      ((1 + c * (lam * u)) * (1 - u) + (1 + c) * (u * (1 - lam))) by ring. lra.
Qed.

(** Influences fall with the distance, and are positive, where records depend on each other (app. C,
    D of massny2025, repaired).
    Differs: ratios instead of levels. *)
Theorem influences_fall D : al + be <> 1 -> (1 <= D)%nat ->
  falls i0 D /\ falls i1 D.
Proof.
  intros ne d1. unfold falls. assert (l0 : lam <> 0) by (unfold TwoStates.lam; lra).
  rewrite !i0_curve, !i1_curve.
  pose proof (curve_falls (al / be) D (or_intror eq_refl) l0 d1).
  pose proof (curve_falls (be / al) D (or_introl eq_refl) l0 d1). lra.
Qed.

(** Of independent records they are 0. *)
Lemma influences_vanish D : al + be = 1 -> (1 <= D)%nat -> i0 D = 1 /\ i1 D = 1.
Proof.
  intros e d1. assert (l0 : lam = 0) by (unfold TwoStates.lam; lra).
  rewrite i0_curve, i1_curve, l0. rewrite pow_i by lia.
  assert (E : forall c, curve c 0 = 1).
  { intros c. unfold curve. replace ((1 + c * 0) / (1 - 0)) with 1 by field.
    apply larger_above. lra. }
  now rewrite !E.
Qed.

(** Convexity, multiplied out: of two quotients with the same or the other sign in the middle. *)
Lemma middle a b x y : 0 <= a -> 0 <= x -> 0 < b -> 0 < y -> a * y <= x * b -> a / b <= x / y.
Proof.
  intros a0 x0 b0 y0 le. apply (Rmult_le_reg_r (b * y)); [now apply Rmult_lt_0_compat|].
  replace (a / b * (b * y)) with (a * y) by (field; lra).
  replace (x / y * (b * y)) with (x * b) by (field; lra). easy.
Qed.
Lemma two_quotients a b x y : b <> 0 -> y <> 0 -> a / b * (x / y) = a * x / (b * y).
Proof. intros. field. now split. Qed.

Lemma same_sign c u s : 0 < c -> 0 <= u -> 0 <= s -> u < 1 -> u * s < 1 -> u * s * s < 1 ->
  (1 + c * (u * s)) / (1 - u * s) * ((1 + c * (u * s)) / (1 - u * s)) <=
  (1 + c * u) / (1 - u) * ((1 + c * (u * s * s)) / (1 - u * s * s)).
Proof.
  intros c0 u0 s0 u1 v1 w1. rewrite !two_quotients by lra.
  assert (v0 : 0 <= u * s) by now apply Rmult_le_pos.
  assert (w0 : 0 <= u * s * s) by now apply Rmult_le_pos.
  assert (cu : 0 <= c * u) by (apply Rmult_le_pos; lra).
  assert (cw : 0 <= c * (u * s * s)) by (apply Rmult_le_pos; lra).
  assert (sq : 0 <= u * ((1 - s) * (1 - s))) by (apply Rmult_le_pos; [easy|apply Rle_0_sqr]).
  assert (N : (1 + c * (u * s)) * (1 + c * (u * s)) <= (1 + c * u) * (1 + c * (u * s * s))) by nra.
  assert (M : (1 - u) * (1 - u * s * s) <= (1 - u * s) * (1 - u * s)) by nra.
  assert (d : 0 < (1 - u) * (1 - u * s * s)) by (apply Rmult_lt_0_compat; lra).
  assert (e : 0 < (1 - u * s) * (1 - u * s)) by (apply Rmult_lt_0_compat; lra).
  apply middle; auto.
  - apply Rle_0_sqr.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_compat; auto; [apply Rle_0_sqr|lra].
Qed.

Lemma other_sign c v s : 0 < c -> 0 <= v -> 0 <= s ->
  c * v < 1 -> c * (v * s) < 1 -> c * (v * s * s) < 1 ->
  (1 + v * s) / (1 - c * (v * s)) * ((1 + v * s) / (1 - c * (v * s))) <=
  (1 + v) / (1 - c * v) * ((1 + v * s * s) / (1 - c * (v * s * s))).
Proof.
  intros c0 v0 s0 v1 w1 x1. rewrite !two_quotients by lra.
  assert (w0 : 0 <= v * s) by now apply Rmult_le_pos.
  assert (x0 : 0 <= v * s * s) by now apply Rmult_le_pos.
  assert (cv : 0 <= c * v) by (apply Rmult_le_pos; lra).
  assert (sq : 0 <= v * ((1 - s) * (1 - s))) by (apply Rmult_le_pos; [easy|apply Rle_0_sqr]).
  assert (N : (1 + v * s) * (1 + v * s) <= (1 + v) * (1 + v * s * s)) by nra.
  assert (M : (1 - c * v) * (1 - c * (v * s * s)) <= (1 - c * (v * s)) * (1 - c * (v * s))) by nra.
  assert (d : 0 < (1 - c * v) * (1 - c * (v * s * s))) by (apply Rmult_lt_0_compat; lra).
  assert (e : 0 < (1 - c * (v * s)) * (1 - c * (v * s))) by (apply Rmult_lt_0_compat; lra).
  apply middle; auto.
  - apply Rle_0_sqr.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_compat; auto; [apply Rle_0_sqr|lra].
Qed.

(** A middle of the other sign: v or c v, whichever is larger, is what the ends have below. *)
Lemma turned k v : 0 <= v -> 1 <= k -> k * v < 1 ->
  (1 + k * v) / (1 - v) * ((1 + k * v) / (1 - v)) <=
  (1 + v) / (1 - k * v) * ((1 + v) / (1 - k * v)).
Proof.
  intros v0 k1 small. assert (vk : v <= k * v) by nra.
  assert (le : (1 + k * v) / (1 - v) <= (1 + v) / (1 - k * v)) by (apply middle; nra).
  assert (0 <= (1 + k * v) / (1 - v)).
  { apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra. }
  now apply Rmult_le_compat.
Qed.

Lemma next_powers D : lam ^ S D = lam * lam ^ D /\ lam ^ S (S D) = lam * (lam * lam ^ D).
Proof. easy. Qed.

Lemma curve_convex_up c D : c = be / al \/ c = al / be -> 0 <= lam -> (1 <= D)%nat ->
  curve c (lam ^ S D) * curve c (lam ^ S D) <= curve c (lam ^ D) * curve c (lam ^ S (S D)).
Proof.
  intros of_ l0 d1. destruct (above_ c D of_ d1) as [c0 [u1 p1]].
  destruct (above_ c (S D) of_ ltac:(lia)) as [_ [v1 q1]].
  destruct (above_ c (S (S D)) of_ ltac:(lia)) as [_ [w1 r1]].
  destruct (next_powers D) as [E F]. rewrite E, F in *.
  pose proof (pow_le lam D l0) as u0. set (u := lam ^ D) in *.
  replace (lam * u) with (u * lam) in * by ring.
  replace (lam * (u * lam)) with (u * lam * lam) in * by ring.
  rewrite !curve_up; auto; [|split; auto..].
  - now apply same_sign.
  - repeat apply Rmult_le_pos; lra.
  - repeat apply Rmult_le_pos; lra.
Qed.

(** Proposition 1 of massny2025, repaired: i0 and i1 are convex if lam >= 0.
    Differs: convexity at each three distances in a row; ratios instead of levels. *)
Theorem convex_if_lam_positive D : al + be <= 1 -> (1 <= D)%nat ->
  convex i0 D /\ convex i1 D.
Proof.
  intros le d1. unfold convex. assert (l0 : 0 <= lam) by (unfold TwoStates.lam; lra).
  rewrite !i0_curve, !i1_curve. split; apply curve_convex_up; auto.
Qed.

(** The ends of one sign, the middle of the other, and lam < 0. *)
Lemma curve_convex_down c D : c = be / al \/ c = al / be -> lam < 0 -> (1 <= D)%nat ->
  (1 <= c /\ lam ^ D <= 0) \/ (c <= 1 /\ 0 <= lam ^ D) ->
  curve c (lam ^ S D) * curve c (lam ^ S D) <= curve c (lam ^ D) * curve c (lam ^ S (S D)).
Proof.
  intros of_ neg d1 side_. destruct (above_ c D of_ d1) as [c0 [u1 p1]].
  destruct (above_ c (S D) of_ ltac:(lia)) as [_ [v1 q1]].
  destruct (above_ c (S (S D)) of_ ltac:(lia)) as [_ [w1 r1]].
  destruct (between_ c of_ neg) as [cm mc]. destruct (power_below D d1) as [_ low].
  destruct (next_powers D) as [E F]. rewrite E, F in *.
  set (u := lam ^ D) in *. assert (m0 : 0 < - lam) by lra.
  pose proof small_lam as small. apply Rabs_def2 in small.
  destruct side_ as [[c1 u0]|[c1 u0]].
  - assert (vs : - u * - lam = lam * u) by ring.
    assert (ws : - u * - lam * - lam = - (lam * (lam * u))) by ring.
    assert (v0 : 0 <= lam * u) by (rewrite <- vs; apply Rmult_le_pos; lra).
    assert (w0 : 0 <= - (lam * (lam * u))) by (rewrite <- ws; repeat apply Rmult_le_pos; lra).
    assert (vm : lam * u <= - lam).
    { rewrite <- vs. apply Rle_trans with (1 * - lam); [apply Rmult_le_compat_r; lra|lra]. }
    assert (cv : c * (lam * u) < 1).
    { apply Rle_lt_trans with (2 := cm). apply Rmult_le_compat_l; lra. }
    rewrite (curve_up c (lam * u)) by (auto; lra). rewrite !curve_down by (auto; lra).
    apply Rle_trans with (1 := turned c (lam * u) v0 c1 cv).
    pose proof (other_sign c (- u) (- lam) c0 ltac:(lra) ltac:(lra)) as conv.
    rewrite vs in conv. rewrite vs in ws. rewrite ws in conv.
    replace (1 - u) with (1 + - u) by ring. replace (1 + c * u) with (1 - c * - u) by ring.
    replace (1 - lam * (lam * u)) with (1 + - (lam * (lam * u))) by ring.
    replace (1 + c * (lam * (lam * u))) with (1 - c * - (lam * (lam * u))) by ring.
    apply conv; lra.
  - assert (vs : u * - lam = - (lam * u)) by ring.
    assert (ws : u * - lam * - lam = lam * (lam * u)) by ring.
    assert (v0 : 0 <= - (lam * u)) by (rewrite <- vs; apply Rmult_le_pos; lra).
    assert (w0 : 0 <= lam * (lam * u)) by (rewrite <- ws; repeat apply Rmult_le_pos; lra).
    assert (small_v : - (lam * u) < 1).
    { replace (- (lam * u)) with (- lam * u) by ring.
      apply Rle_lt_trans with (- lam * 1); [apply Rmult_le_compat_l; lra|lra]. }
    rewrite (curve_down c (lam * u)) by (auto; lra). rewrite !curve_up by (auto; lra).
    pose proof (same_sign c u (- lam) c0 u0 ltac:(lra) u1) as conv.
    rewrite vs in conv. rewrite vs in ws. rewrite ws in conv.
    specialize (conv ltac:(lra) ltac:(lra)). apply Rle_trans with (2 := conv).
    replace (1 - lam * u) with (1 + - (lam * u)) by ring.
    replace (1 + c * (lam * u)) with (1 - c * - (lam * u)) by ring.
    set (v := - (lam * u)) in *. clear conv vs ws.
    assert (cv : c * v <= v) by nra.
    assert (pos : 0 < 1 - c * v) by lra.
    assert (cv0 : 0 <= c * v) by (apply Rmult_le_pos; lra).
    assert (q : (1 + v) / (1 - c * v) <= (1 + c * v) / (1 - v)).
    { apply middle; try lra. set (y := c * v) in *.
      assert (0 <= (v - y) * (v + y)) by (apply Rmult_le_pos; lra). lra. }
    assert (0 <= (1 + v) / (1 - c * v)).
    { apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra. }
    now apply Rmult_le_compat.
Qed.

Lemma sign_of D : lam < 0 -> (Nat.odd D = true -> lam ^ D <= 0) /\
  (Nat.odd D = false -> 0 <= lam ^ D).
Proof. intros neg. destruct (power_sign al be D) as [odd even]. split; auto. Qed.

(** For a <= b and any lam, i1 is convex at odd distances, and i0 at even ones (the same,
    repaired). *)
Lemma convex_at_odd D : al <= be -> (1 <= D)%nat -> Nat.odd D = true -> convex i1 D.
Proof.
  intros order d1 odd.
  destruct (Rle_dec (al + be) 1) as [le|neg]; [now apply convex_if_lam_positive|].
  unfold convex. assert (l0 : lam < 0) by (unfold TwoStates.lam; lra).
  rewrite !i1_curve. apply curve_convex_down; auto. left. split; [|now apply sign_of].
  apply (Rmult_le_reg_r al); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma convex_at_even D : al <= be -> (1 <= D)%nat -> Nat.odd D = false -> convex i0 D.
Proof.
  intros order d1 even.
  destruct (Rle_dec (al + be) 1) as [le|neg]; [now apply convex_if_lam_positive|].
  unfold convex. assert (l0 : lam < 0) by (unfold TwoStates.lam; lra).
  rewrite !i0_curve. apply curve_convex_down; auto. right. split; [|now apply sign_of].
  apply (Rmult_le_reg_r be); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** If a = b, both are convex everywhere. *)
Lemma convex_if_equal D : al = be -> (1 <= D)%nat ->
  convex i0 D /\ convex i1 D.
Proof.
  intros e d1. destruct (Rle_dec (al + be) 1) as [le|gt]; [now apply convex_if_lam_positive|].
  assert (same : forall k, i0 k = i1 k)
    by (intros k; unfold TwoStates.i0, TwoStates.i1; now rewrite e).
  assert (other : convex i0 D <-> convex i1 D) by (unfold convex; now rewrite !same).
  enough (convex i1 D) by (split; [now apply other|easy]).
  destruct (Nat.odd D) eqn:odd; [apply convex_at_odd; auto; lra|].
  apply other, convex_at_even; auto; lra.
Qed.

(** Two steps at a time both are convex, for all chains. *)
Lemma convex_in_two_steps D : (1 <= D)%nat ->
  convex_by_two i0 D /\ convex_by_two i1 D.
Proof.
  intros d1. unfold convex_by_two. rewrite !i0_curve, !i1_curve.
  assert (each : forall c, c = be / al \/ c = al / be ->
    curve c (lam ^ S (S D)) * curve c (lam ^ S (S D)) <=
    curve c (lam ^ D) * curve c (lam ^ S (S (S (S D))))); [|split; apply each; auto].
  intros c of_. destruct (above_ c D of_ d1) as [c0 [u1 p1]].
  destruct (above_ c (S (S D)) of_ ltac:(lia)) as [_ [v1 q1]].
  destruct (above_ c (S (S (S (S D)))) of_ ltac:(lia)) as [_ [w1 r1]].
  set (s := lam * lam). assert (s0 : 0 <= s) by apply Rle_0_sqr.
  assert (E : lam ^ S (S D) = lam ^ D * s) by (unfold s; simpl; ring).
  assert (F : lam ^ S (S (S (S D))) = lam ^ D * s * s) by (unfold s; simpl; ring).
  clearbody s. rewrite E, F in *. clear E F. set (u := lam ^ D) in *.
  destruct (Rle_dec 0 u) as [u0|u0].
  - assert (v0 : 0 <= u * s) by now apply Rmult_le_pos.
    assert (w0 : 0 <= u * s * s) by now apply Rmult_le_pos.
    rewrite !curve_up by (auto; lra). now apply same_sign.
  - assert (n0 : 0 <= - u) by lra.
    assert (vn : 0 <= - u * s) by now apply Rmult_le_pos.
    assert (wn : 0 <= - u * s * s) by now apply Rmult_le_pos.
    rewrite !curve_down by (auto; lra).
    pose proof (other_sign c (- u) s c0 n0 s0 ltac:(lra)) as conv.
    replace (1 - u * s) with (1 + - u * s) by ring.
    replace (1 + c * (u * s)) with (1 - c * (- u * s)) by ring.
    replace (1 - u) with (1 + - u) by ring. replace (1 + c * u) with (1 - c * - u) by ring.
    replace (1 - u * s * s) with (1 + - u * s * s) by ring.
    replace (1 + c * (u * s * s)) with (1 - c * (- u * s * s)) by ring.
    apply conv; [|].
    + replace (c * (- u * s)) with (- (c * (u * s))) by ring. lra.
    + replace (c * (- u * s * s)) with (- (c * (u * s * s))) by ring. lra.
Qed.

(** Proposition 1 of massny2025, closed form: both values of a record on either side.
    Differs: ratios instead of levels. *)
Theorem influences_of_values p t : al <= be -> p <> t ->
  influence_on al be p t false = i0 (distance_to p t) /\
  influence_on al be p t true = i1 (distance_to p t) /\
  i0 (distance_to p t) <= i1 (distance_to p t).
Proof.
  intros order ne. set (D := distance_to p t).
  assert (d1 : (1 <= D)%nat) by (unfold D, distance_to; lia).
  assert (given : forall x z, record_given al be p t x z = power al be D x z).
  { intros x z. pose proof (stationary_pos al be al0 be0 x) as sx.
    unfold record_given, two_records, D, distance_to. destruct (Nat.leb p t) eqn:e.
    - apply Nat.leb_le in e. replace (t - p + (p - t))%nat with (t - p)%nat by lia. field. lra.
    - apply Nat.leb_gt in e. replace (t - p + (p - t))%nat with (p - t)%nat by lia.
      apply (Rmult_eq_reg_l (stationary al be x)); [|lra].
      transitivity (stationary al be z * power al be (p - t) z x); [field; lra|].
      destruct (power_closed al be (p - t)) as [A [B [C F]]].
      assert (s0 : al + be <> 0) by lra.
      apply (Rmult_eq_reg_r ((al + be) * (al + be))); [|now apply Rmult_integral_contrapositive].
      assert (G : forall a b, stationary al be a * power al be (p - t) a b *
        ((al + be) * (al + be)) = (if a then al else be) * (power al be (p - t) a b * (al + be))).
      { intros a b. unfold stationary. destruct a; field; easy. }
      rewrite !G. destruct x, z; rewrite ?A, ?B, ?C, ?F; ring. }
  unfold influence_on. rewrite !given.
  exact (Influences.influences_closed al be al0 order be1 D d1).
Qed.
End Curves.
