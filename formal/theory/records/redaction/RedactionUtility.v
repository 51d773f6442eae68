(** How many records of a stationary chain of bits redaction replaces that does not look at values
    (massny2025, theorem 2 as repaired). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage.
Import ListNotations.
Open Scope R_scope.

(** The number of n records that are replaced, on average. *)
Definition redactions (rho : nat -> R) n := sum (seq 1 n) rho.
(** The least distance at which f is at most R0: D* of the print for f = e^i1. *)
Definition first_at_most (f : nat -> R) R0 D :=
  (1 <= D)%nat /\ f D <= R0 /\ forall k, (1 <= k < D)%nat -> R0 < f k.

Lemma redactions_at_least rho n m : shares rho -> (m <= n)%nat ->
  (forall k, (1 <= k <= m)%nat -> rho k = 1) -> INR m <= redactions rho n.
Proof.
  intros s le always. unfold redactions. replace n with (m + (n - m))%nat by lia.
  rewrite seq_app, sum_app.
  assert (rest : 0 <= sum (seq (1 + m) (n - m)) rho) by (apply sum_nonneg; intros; apply s).
  assert (ones : sum (seq 1 m) rho = INR m); [|lra].
  rewrite (sum_ext _ _ (fun _ => 1)) by (intros k i; apply in_seq in i; apply always; lia).
  clear. generalize 1%nat. induction m as [|m IH]; intros k; [easy|].
  cbn [seq sum]. rewrite IH, S_INR. ring.
Qed.

Lemma nearest_exists rho n : shares rho -> exists d, nearest rho n d.
Proof.
  intros s. induction n as [|n [[D|] IH]].
  - exists None. intros k. lia.
  - exists (Some D). destruct IH as [d [less always]]. repeat split; auto; lia.
  - destruct (Rlt_dec (rho (S n)) 1) as [less|].
    + exists (Some (S n)). repeat split; auto; try lia. intros k i. apply IH. lia.
    + exists None. intros k i. destruct (Compare_dec.le_lt_dec k n) as [le|lt]; [apply IH; lia|].
      replace k with (S n) by lia. pose proof (s (S n)). lra.
Qed.

Lemma later rho n d f R0 D : nearest rho n (Some d) -> first_at_most f R0 D -> f d <= R0 ->
  (D <= d)%nat.
Proof.
  intros [near _] [_ [_ before]] le. destruct (Compare_dec.le_lt_dec D d) as [|lt]; [easy|].
  specialize (before d ltac:(lia)). lra.
Qed.

Section Utility.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation i0 := (i0 al be).
Notation i1 := (i1 al be).
Notation lam := (lam al be).
Notation told := (told al be).
Notation T := (constant_steps al be).

(** One value tells e^i1. *)
Lemma i1_told D : (1 <= D)%nat -> exists b, told D b = i1 D /\ told D (negb b) = i0 D.
Proof.
  intros d1. destruct (told_is al be al0 order be1 D d1) as [_ [up down]].
  destruct (Rle_dec 0 (lam ^ D)) as [sign|sign].
  - exists true. simpl. now apply up.
  - exists false. simpl. destruct (down ltac:(lra)). easy.
Qed.

Lemma told_below_i1 D b : (1 <= D)%nat -> told D b <= i1 D.
Proof.
  intros d1. destruct (told_is al be al0 order be1 D d1) as [le _].
  destruct (i1_told D d1) as [z [E F]]. destruct b, z; simpl in *; lra.
Qed.

Lemma i1_decreases D D' : (1 <= D <= D')%nat -> i1 D' <= i1 D.
Proof.
  intros le. destruct (i1_told D' ltac:(lia)) as [b [<- _]].
  apply Rle_trans with (told D b); [now apply told_decreases|apply told_below_i1; lia].
Qed.

(** The record after the next one tells no more than the weaker value of the one before. *)
Lemma next_influence D : (1 <= D)%nat -> lam < 0 -> i1 (S D) <= i0 D.
Proof.
  intros d1 neg. destruct (told_is al be al0 order be1 D d1) as [_ [up down]].
  destruct (told_is al be al0 order be1 (S D) ltac:(lia)) as [_ [up' down']].
  assert (turns : lam ^ S D = lam * lam ^ D) by easy.
  destruct (Rle_dec 0 (lam ^ D)) as [sign|sign].
  - destruct (up sign) as [_ <-]. destruct (down' ltac:(rewrite turns; nra)) as [_ <-].
    now apply told_next.
  - destruct (down ltac:(lra)) as [<- _]. destruct (up' ltac:(rewrite turns; nra)) as [<- _].
    now apply told_next.
Qed.

Lemma i1_above_one D : (1 <= D)%nat -> 1 <= i0 D <= i1 D.
Proof. intros d1. now apply (told_is al be al0 order be1 D d1). Qed.

(** e^i1 as a function of the power u = lam^D where that is not negative, and of v = - lam^D where
    it is not positive. *)
Section Shapes.
Context (c : R).
Hypothesis c1 : 1 <= c.
Definition up u := (1 + c * u) / (1 - u).
Definition down v := (1 + v) / (1 - c * v).

Lemma quotients a b a' b' : 0 <= a <= a' -> 0 < b' <= b -> a / b <= a' / b'.
Proof.
  intros [a0 le] [b0 le']. unfold Rdiv. apply Rmult_le_compat; auto.
  - apply Rlt_le, Rinv_0_lt_compat. lra.
  - now apply Rinv_le_contravar.
Qed.

Lemma squares u s : 0 <= u -> 0 <= s ->
  (1 + u * s) * (1 + u * s) <= (1 + u) * (1 + u * s * s) /\
  (1 - u) * (1 - u * s * s) <= (1 - u * s) * (1 - u * s).
Proof.
  intros u0 s0.
  assert (0 <= u * ((1 - s) * (1 - s))) by (apply Rmult_le_pos; auto; apply Rle_0_sqr).
  split; lra.
Qed.

Lemma product_of_two x y z w : y <> 0 -> w <> 0 -> x / y * (z / w) = x * z / (y * w).
Proof. intros. field. now split. Qed.

Lemma up_balanced u s : 0 <= u -> 0 <= s -> u < 1 -> u * s < 1 -> u * s * s < 1 ->
  up (u * s) * up (u * s) <= up u * up (u * s * s).
Proof.
  intros u0 s0 u1 v1 w1. unfold up. rewrite !product_of_two by lra.
  destruct (squares (c * u) s) as [high _]; auto; [apply Rmult_le_pos; lra|].
  destruct (squares u s) as [_ low]; auto. apply quotients; split.
  - apply Rle_0_sqr.
  - rewrite !Rmult_assoc in *. lra.
  - apply Rmult_lt_0_compat; lra.
  - lra.
Qed.

Lemma down_balanced v s : 0 <= v -> 0 <= s ->
  c * v < 1 -> c * (v * s) < 1 -> c * (v * s * s) < 1 ->
  down (v * s) * down (v * s) <= down v * down (v * s * s).
Proof.
  intros v0 s0 v1 w1 x1. unfold down. rewrite !product_of_two by lra.
  destruct (squares v s) as [high _]; auto.
  destruct (squares (c * v) s) as [_ low]; auto; [apply Rmult_le_pos; lra|].
  apply quotients; split.
  - apply Rle_0_sqr.
  - lra.
  - apply Rmult_lt_0_compat; lra.
  - rewrite !Rmult_assoc in *. lra.
Qed.

Lemma between_balanced v s : 0 <= v -> 0 <= s ->
  c * v < 1 -> c * (v * s) < 1 -> c * (v * s * s) < 1 ->
  up (v * s) * up (v * s) <= down v * down (v * s * s).
Proof.
  intros v0 s0 v1 w1 x1. unfold up, down.
  assert (w0 : 0 <= v * s) by now apply Rmult_le_pos.
  assert (wc : v * s <= c * (v * s)) by nra.
  rewrite !product_of_two by lra.
  destruct (squares v s) as [high _]; auto.
  destruct (squares (c * v) s) as [_ low]; auto; [apply Rmult_le_pos; lra|].
  set (w := v * s) in *.
  (* both are compared with the square of (1 + w)/(1 - c w) *)
  apply Rle_trans with ((1 + w) * (1 + w) / ((1 - c * w) * (1 - c * w))).
  - assert (one : (1 + c * w) * (1 - c * w) <= (1 + w) * (1 - w)) by nra.
    assert (pos : 0 <= (1 + c * w) * (1 - c * w)) by (apply Rmult_le_pos; lra).
    pose proof (Rmult_le_compat _ _ _ _ pos pos one one) as two.
    assert (d : 0 < (1 - w) * (1 - w)) by (apply Rmult_lt_0_compat; lra).
    assert (d' : 0 < (1 - c * w) * (1 - c * w)) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_reg_r ((1 - w) * (1 - w) * ((1 - c * w) * (1 - c * w))));
      [now apply Rmult_lt_0_compat|].
    replace ((1 + c * w) * (1 + c * w) / ((1 - w) * (1 - w)) *
      ((1 - w) * (1 - w) * ((1 - c * w) * (1 - c * w)))) with
      ((1 + c * w) * (1 - c * w) * ((1 + c * w) * (1 - c * w))) by (field; lra).
    replace ((1 + w) * (1 + w) / ((1 - c * w) * (1 - c * w)) *
      ((1 - w) * (1 - w) * ((1 - c * w) * (1 - c * w)))) with
      ((1 + w) * (1 - w) * ((1 + w) * (1 - w))) by (field; lra).
    exact two.
  - apply quotients; split.
    + apply Rle_0_sqr.
    + lra.
    + unfold w in *. apply Rmult_lt_0_compat; lra.
    + unfold w in *. rewrite !Rmult_assoc in *. lra.
Qed.
End Shapes.

Notation ratio := (be / al).
Lemma ratio_above : 1 <= ratio.
Proof. apply (Rmult_le_reg_r al); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma power_bounds D : (1 <= D)%nat -> lam ^ D < 1 /\ ratio * - lam ^ D < 1.
Proof.
  intros d1. destruct (lam_power al be al0 order be1 D d1) as [u1 [ua _]].
  split; [lra|]. apply (Rmult_lt_reg_r al); [easy|].
  replace (ratio * - lam ^ D * al) with (be * - lam ^ D) by (field; lra). lra.
Qed.

Lemma i1_up D : (1 <= D)%nat -> 0 <= lam ^ D -> i1 D = up ratio (lam ^ D).
Proof.
  intros d1 sign. destruct (order_of_c al be al0 order be1 D d1) as [_ [_ [high _]]].
  destruct (high sign). unfold TwoStates.i1. rewrite larger_above by lra. easy.
Qed.

Lemma i1_down D : (1 <= D)%nat -> lam ^ D <= 0 -> i1 D = down ratio (- lam ^ D).
Proof.
  intros d1 sign. destruct (order_of_c al be al0 order be1 D d1) as [_ [p1 [_ low]]].
  destruct (low sign). unfold TwoStates.i1. rewrite larger_below by lra. unfold of_c, down.
  destruct (lam_power al be al0 order be1 D d1) as [u1 [ua _]]. field. repeat split; lra.
Qed.

(** Two distances tell at least as much as their mean twice, where powers are not negative. *)
Lemma balanced l d : 0 <= lam -> (1 <= l)%nat -> i1 (l + d) * i1 (l + d) <= i1 l * i1 (l + d + d).
Proof.
  intros l0 l1. pose proof (pow_le lam l l0). pose proof (pow_le lam d l0).
  rewrite !i1_up by (try lia; now apply pow_le).
  destruct (power_bounds l l1) as [a _]. destruct (power_bounds (l + d) ltac:(lia)) as [b _].
  destruct (power_bounds (l + d + d) ltac:(lia)) as [e _]. rewrite !pow_add in *.
  apply up_balanced; auto. apply ratio_above.
Qed.

(** Where the eigenvalue is negative, that is so if the mean is even, or the distances are odd. *)
Lemma balanced_negative l d : lam < 0 -> (1 <= l)%nat ->
  Nat.odd (l + d) = false \/ Nat.odd l = true ->
  i1 (l + d) * i1 (l + d) <= i1 l * i1 (l + d + d).
Proof.
  intros neg l1 parity.
  assert (signs : forall D, (Nat.odd D = true -> lam ^ D <= 0) /\
    (Nat.odd D = false -> 0 <= lam ^ D)).
  { intros D. destruct (power_sign al be D) as [odd even]. split; auto. }
  assert (s2 : (lam ^ d) * (lam ^ d) = (- lam ^ d) * (- lam ^ d)) by ring.
  destruct (power_bounds l l1) as [a a']. destruct (power_bounds (l + d) ltac:(lia)) as [b b'].
  destruct (power_bounds (l + d + d) ltac:(lia)) as [e e'].
  destruct (signs l) as [lo le]. destruct (signs d) as [dodd deven].
  assert (sum : Nat.odd (l + d) = xorb (Nat.odd l) (Nat.odd d)) by apply Nat.odd_add.
  assert (far : Nat.odd (l + d + d) = Nat.odd l).
  { rewrite Nat.odd_add, sum. destruct (Nat.odd l), (Nat.odd d); easy. }
  destruct (signs (l + d)%nat) as [mo me]. destruct (signs (l + d + d)%nat) as [fo fe].
  rewrite sum in mo, me, parity. rewrite far in fo, fe.
  destruct (Nat.odd l) eqn:El.
  - specialize (lo eq_refl). specialize (fo eq_refl). clear fe le.
    rewrite (i1_down l l1 lo), (i1_down (l + d + d) ltac:(lia) fo).
    destruct (Nat.odd d) eqn:Ed; simpl in mo, me.
    + specialize (me eq_refl). specialize (dodd eq_refl). rewrite (i1_up (l + d) ltac:(lia) me).
      rewrite !pow_add in *.
      replace (- (lam ^ l * lam ^ d * lam ^ d)) with (- lam ^ l * - lam ^ d * - lam ^ d) by ring.
      replace (lam ^ l * lam ^ d) with (- lam ^ l * - lam ^ d) by ring.
      assert (m1 : lam ^ l * lam ^ d < 1) by easy.
      apply between_balanced; try lra; try apply ratio_above.
      * (* the power of an even distance is below that of the eigenvalue itself *)
        destruct (power_bounds 1 ltac:(lia)) as [_ one]. rewrite pow_1 in one.
        assert (bound : lam ^ l * lam ^ d <= - lam).
        { rewrite <- pow_add. destruct (l + d)%nat as [|D] eqn:EE; [lia|]. cbn [pow].
          assert (- lam ^ D <= 1).
          { destruct D as [|D]; [simpl; lra|]. destruct (power_bounds (S D) ltac:(lia)) as [_ h].
            pose proof ratio_above. destruct (Rle_dec 0 (- lam ^ S D)); [nra|lra]. }
          nra. }
        pose proof ratio_above. nra.
    + specialize (mo eq_refl). specialize (deven eq_refl). rewrite (i1_down (l + d) ltac:(lia) mo).
      rewrite !pow_add in *.
      replace (- (lam ^ l * lam ^ d * lam ^ d)) with (- lam ^ l * lam ^ d * lam ^ d) in * by ring.
      replace (- (lam ^ l * lam ^ d)) with (- lam ^ l * lam ^ d) in * by ring.
      apply down_balanced; try lra. apply ratio_above.
  - assert (Ed : Nat.odd d = false)
      by (destruct parity as [h|h]; [now destruct (Nat.odd d)|discriminate]).
    specialize (le eq_refl). specialize (fe eq_refl). rewrite Ed in me. specialize (me eq_refl).
    specialize (deven Ed).
    rewrite (i1_up l l1 le), (i1_up (l + d) ltac:(lia) me), (i1_up (l + d + d) ltac:(lia) fe).
    rewrite !pow_add in *. apply up_balanced; try lra. apply ratio_above.
Qed.

Lemma pair_negative x y k : lam < 0 -> (1 <= x)%nat -> (1 <= y)%nat -> (x + y = 2 * k)%nat ->
  Nat.odd k = false \/ Nat.odd x = true -> i1 k * i1 k <= i1 x * i1 y.
Proof.
  intros neg. revert x y. assert (ordered : forall x y, (1 <= x)%nat -> (x + y = 2 * k)%nat ->
    (x <= y)%nat -> Nat.odd k = false \/ Nat.odd x = true -> i1 k * i1 k <= i1 x * i1 y).
  { intros x y x1 sum le parity. pose proof (balanced_negative x (k - x) neg x1) as b.
    replace (x + (k - x))%nat with k in b by lia. replace (k + (k - x))%nat with y in b by lia.
    now apply b. }
  intros x y x1 y1 sum parity.
  destruct (Compare_dec.le_lt_dec x y) as [le|lt]; [now apply ordered|].
  rewrite (Rmult_comm (i1 x)). apply ordered; try lia. destruct parity as [h|h]; [now left|right].
  assert (E : Nat.odd (x + y) = false) by (rewrite sum, Nat.odd_mul; easy).
  rewrite Nat.odd_add, h in E. now destruct (Nat.odd y).
Qed.

Lemma pair_negative_next x y k : lam < 0 -> (1 <= x)%nat -> (1 <= y)%nat -> (x + y = 2 * k)%nat ->
  i1 (S k) * i1 (S k) <= i1 x * i1 y.
Proof.
  intros neg x1 y1 sum. pose proof (i1_above_one x x1). pose proof (i1_above_one y y1).
  pose proof (i1_above_one k ltac:(lia)). pose proof (i1_above_one (S k) ltac:(lia)).
  destruct (Nat.odd k) eqn:Ek.
  - apply Rle_trans with (i1 x * i1 (y + 2)).
    + apply pair_negative; [easy|lia..|]. left. now rewrite Nat.odd_succ, <- Nat.negb_odd, Ek.
    + apply Rmult_le_compat_l; [lra|]. apply i1_decreases. lia.
  - apply Rle_trans with (i1 k * i1 k).
    + pose proof (i1_decreases k (S k) ltac:(lia)). apply Rmult_le_compat; lra.
    + apply pair_negative; auto.
Qed.

Lemma balanced_at_most l r k : 0 <= lam -> (1 <= l)%nat -> (1 <= r)%nat -> (l + r <= 2 * k)%nat ->
  i1 k * i1 k <= i1 l * i1 r.
Proof.
  intros l0. revert l r. assert (ordered : forall l r, (1 <= l)%nat -> (1 <= r)%nat ->
    (l + r <= 2 * k)%nat -> (l <= r)%nat -> i1 k * i1 k <= i1 l * i1 r).
  { intros l r l1 r1 le lr. assert (lk : (l <= k)%nat) by lia.
    pose proof (balanced l (k - l) l0 l1) as b.
    replace (l + (k - l))%nat with k in b by lia. apply Rle_trans with (1 := b).
    apply Rmult_le_compat_l; [pose proof (i1_above_one l l1); lra|].
    apply i1_decreases. lia. }
  intros l r l1 r1 le. destruct (Compare_dec.le_lt_dec l r) as [lr|rl]; [now apply ordered|].
  rewrite (Rmult_comm (i1 l)). apply ordered; lia.
Qed.

(** Nearest records at d and d' leak more than R0 where the mean distance, rounded up, does. *)
Lemma too_near d d' Dh R0 : lam < 0 ->
  (1 <= d)%nat -> (1 <= d')%nat -> (d + d' + 3 <= 2 * Dh)%nat ->
  (forall k, (1 <= k < Dh)%nat -> R0 < i1 k * i1 k) ->
  (if Nat.odd (d + d') then i1 d * i0 d' <= R0 /\ i0 d * i1 d' <= R0 else i1 d * i1 d' <= R0) ->
  False.
Proof.
  intros neg d1 d1' near before leak.
  pose proof (i1_above_one d d1). pose proof (i1_above_one d' d1').
  destruct (Nat.odd (d + d')) eqn:parity.
  - apply Nat.odd_spec in parity as [k sum]. set (m := S k).
    assert (mean : (d + d' + 1 = 2 * m)%nat) by lia.
    pose proof (next_influence d d1 neg) as nd. pose proof (next_influence d' d1' neg) as nd'.
    specialize (before m ltac:(lia)). destruct leak as [le le'].
    assert (one : i1 d * i1 (S d') <= R0).
    { apply Rle_trans with (2 := le). apply Rmult_le_compat_l; lra. }
    assert (other : i1 (S d) * i1 d' <= R0).
    { apply Rle_trans with (2 := le'). apply Rmult_le_compat_r; lra. }
    destruct (Nat.odd d) eqn:Ed.
    + pose proof (pair_negative d (S d') m neg d1 ltac:(lia) ltac:(lia) (or_intror Ed)). lra.
    + assert (E : Nat.odd (S d) = true) by (rewrite Nat.odd_succ, <- Nat.negb_odd, Ed; easy).
      pose proof (pair_negative (S d) d' m neg ltac:(lia) d1' ltac:(lia) (or_intror E)). lra.
  - assert (even : Nat.even (d + d') = true) by (rewrite <- Nat.negb_odd, parity; easy).
    apply Nat.even_spec in even as [k sum].
    pose proof (pair_negative_next d d' k neg d1 d1' sum) as b.
    specialize (before (S k) ltac:(lia)). lra.
Qed.

Context (a c : nat) (q : bool -> R) (rhoL rhoR : nat -> R) (R0 : R).
Hypotheses (q1 : 0 < q true) (q0 : 0 < q false) (sl : shares rhoL) (sr : shares rhoR).

(** The share of records that are not replaced: of a before the private one, which always is, and c
    after it. *)
Definition utility := 1 - (1 + redactions rhoL a + redactions rhoR c) / INR (a + 1 + c).

Lemma utility_at_most m : INR m <= 1 + redactions rhoL a + redactions rhoR c ->
  utility <= 1 - INR m / INR (a + 1 + c).
Proof.
  intros le. unfold utility. assert (n0 : 0 < INR (a + 1 + c)) by (apply lt_0_INR; lia).
  apply Rplus_le_compat_l, Ropp_le_contravar. unfold Rdiv. apply Rmult_le_compat_r; [|easy].
  now apply Rlt_le, Rinv_0_lt_compat.
Qed.

Hypothesis promise : pufferfish R0 (redacted a c (dim rhoL) (dim rhoR)) (either_order a c)
  (eq (bits_law a c q T T)).

Lemma of_one l r : nearest rhoL a l -> nearest rhoR c r ->
  (forall d, l = Some d -> i1 d <= R0) /\ (forall d, r = Some d -> i1 d <= R0) /\
  forall d d', l = Some d -> r = Some d' -> (0 <= lam -> i1 d * i1 d' <= R0) /\
    (lam < 0 -> if Nat.odd (d + d') then i1 d * i0 d' <= R0 /\ i0 d * i1 d' <= R0
                else i1 d * i1 d' <= R0).
Proof.
  intros nl nr.
  pose proof (proj1 (redaction_leakage al be al0 order be1 a c q q1 q0 rhoL rhoR l r R0 sl sr nl
    nr) promise) as leak.
  pose proof (proj1 (leakage_of_tells al be al0 order be1 a c l r rhoL rhoR R0 nl nr) leak) as each.
  assert (above : forall rho n d b, nearest rho n d -> 1 <= tells al be d b).
  { intros rho n [D|] b near; simpl; [|lra]. apply told_above_one; auto. apply near. }
  split; [|split].
  - intros d ->. destruct (i1_told d ltac:(apply nl)) as [b [E _]]. specialize (each b).
    cbn [tells] in each. rewrite E in each. pose proof (above rhoR c r b nr).
    pose proof (i1_above_one d ltac:(apply nl)). nra.
  - intros d ->. destruct (i1_told d ltac:(apply nr)) as [b [E _]]. specialize (each b).
    cbn [tells] in each. rewrite E in each. pose proof (above rhoL a l b nl).
    pose proof (i1_above_one d ltac:(apply nr)). nra.
  - intros d d' -> ->. simpl in leak. split.
    + intros pos. destruct Rlt_dec; lra.
    + intros neg. destruct Rlt_dec; [|lra]. destruct Nat.odd; [|easy].
      split; eapply Rle_trans; try exact leak; [apply Rmax_l|apply Rmax_r].
Qed.

Lemma counted : forall l r, nearest rhoL a l -> nearest rhoR c r ->
  INR (1 + match l with Some d => d - 1 | None => a end +
       match r with Some d => d - 1 | None => c end) <=
  1 + redactions rhoL a + redactions rhoR c.
Proof.
  assert (one : forall rho n d, shares rho -> nearest rho n d ->
    INR (match d with Some d => d - 1 | None => n end) <= redactions rho n).
  { intros rho n [D|] s near; apply redactions_at_least; auto.
    - destruct near as [d _]. lia.
    - intros k i. apply near. lia. }
  intros l r nl nr. rewrite !plus_INR. pose proof (one _ _ _ sl nl). pose proof (one _ _ _ sr nr).
  simpl (INR 1). lra.
Qed.

(** The utility of redaction that does not look at values (massny2025, theorem 2, repaired), with p
    - 1 = a records before the private one and n - p = c > a after it, for e^eps = R0: none if eps <
    Inf(X_p~>X_n); at most 1 - (D*(eps) + p - 1)/n if eps is at least that, but below Inf(X_p~>X_1)
    + Inf(X_p~>X_n); at most 1 - min{D*(eps) + p - 1, 2D*(eps/2) - 2}/n from there on, with 3
    instead of the last 2 if 1 - a - b < 0.
    Differs: the print has 2D*(eps/2) - 1, which is false; the private bit is always replaced and
    has any weights with the chain's steps away from it; utility is written as the share of records
    that are not replaced. *)
Theorem dim_utility : (a < c)%nat ->
  (R0 < i1 c -> utility <= 0) /\
  (forall De, first_at_most i1 R0 De -> i1 c <= R0 -> a = 0%nat \/ R0 < i1 a * i1 c ->
    utility <= 1 - INR (De + a) / INR (a + 1 + c)) /\
  (forall De Dh, first_at_most i1 R0 De ->
    first_at_most (fun D => i1 D * i1 D) R0 Dh -> i1 c <= R0 ->
    utility <= 1 - INR (Nat.min (De + a) (2 * Dh - (if Rlt_dec lam 0 then 3 else 2))) /
      INR (a + 1 + c)).
Proof.
  intros half.
  destruct (nearest_exists rhoL a sl) as [l nl]. destruct (nearest_exists rhoR c sr) as [r nr].
  destruct (of_one l r nl nr) as [ofl [ofr both]]. pose proof (counted l r nl nr) as count.
  assert (at_least : forall m, (m <= 1 + match l with Some d => d - 1 | None => a end +
    match r with Some d => d - 1 | None => c end)%nat ->
    utility <= 1 - INR m / INR (a + 1 + c)).
  { intros m le. apply utility_at_most. apply Rle_trans with (2 := count). now apply le_INR. }
  assert (one_side : forall De, first_at_most i1 R0 De -> i1 c <= R0 -> l = None \/ r = None ->
    utility <= 1 - INR (De + a) / INR (a + 1 + c)).
  { intros De De_ ic none. apply at_least.
    assert (De <= c)%nat.
    { destruct De_ as [_ [_ before]]. destruct (Compare_dec.le_lt_dec De c) as [|lt]; [easy|].
      specialize (before c ltac:(lia)). lra. }
    destruct l as [d|], r as [d'|]; try (destruct none; discriminate).
    - pose proof (later _ _ _ _ _ _ nl De_ (ofl d eq_refl)). lia.
    - pose proof (later _ _ _ _ _ _ nr De_ (ofr d' eq_refl)). lia.
    - lia. }
  split; [|split].
  - intros small.
    assert (l = None) as ->.
    { destruct l as [d|]; [|easy]. exfalso. specialize (ofl d eq_refl).
      pose proof (i1_decreases d c ltac:(destruct nl; lia)). lra. }
    assert (r = None) as ->.
    { destruct r as [d|]; [|easy]. exfalso. specialize (ofr d eq_refl).
      pose proof (i1_decreases d c ltac:(destruct nr; lia)). lra. }
    apply Rle_trans with (1 := at_least (a + 1 + c)%nat ltac:(lia)).
    right. field. apply not_0_INR. lia.
  - intros De De_ ic middle.
    destruct l as [d|] eqn:El; [|apply one_side; auto].
    destruct r as [d'|] eqn:Er; [|apply one_side; auto].
    destruct (both d d' eq_refl eq_refl) as [pos neg].
    assert (d1 : (1 <= d <= a)%nat) by apply nl. assert (d1' : (1 <= d' <= c)%nat) by apply nr.
    destruct middle as [none|small]; [lia|].
    pose proof (i1_decreases d a d1) as da. pose proof (i1_decreases d' c d1') as dc.
    pose proof (i1_above_one a ltac:(lia)) as a1. pose proof (i1_above_one c ltac:(lia)) as c1.
    assert (large : ~ i1 d * i1 d' <= R0).
    { intros le. assert (i1 a * i1 c <= i1 d * i1 d') by (apply Rmult_le_compat; lra). lra. }
    destruct (Rlt_le_dec lam 0) as [minus|plus]; [|destruct (large (pos plus))].
    specialize (neg minus). destruct Nat.odd; [|destruct (large neg)].
    destruct neg as [le le'].
    pose proof (i1_above_one d ltac:(lia)) as dd. pose proof (i1_above_one d' ltac:(lia)) as dd'.
    assert (d = a).
    { destruct (PeanoNat.Nat.eq_dec d a) as [|ne]; [easy|]. exfalso.
      pose proof (next_influence d ltac:(lia) minus) as next.
      pose proof (i1_decreases (S d) a ltac:(lia)).
      assert (i1 a * i1 c <= i0 d * i1 d') by (apply Rmult_le_compat; lra). lra. }
    assert (d' = c).
    { destruct (PeanoNat.Nat.eq_dec d' c) as [|ne]; [easy|]. exfalso.
      pose proof (next_influence d' ltac:(lia) minus) as next.
      pose proof (i1_decreases (S d') c ltac:(lia)).
      assert (i1 a * i1 c <= i1 d * i0 d') by (apply Rmult_le_compat; lra). lra. }
    apply at_least. pose proof (later _ _ _ _ _ _ nl De_ (ofl d eq_refl)). lia.
  - intros De Dh De_ Dh_ ic. set (fewer := if Rlt_dec lam 0 then 3%nat else 2%nat).
    assert (either : l = None \/ r = None \/
      (2 * Dh - fewer <= match l with Some d => d | None => 0 end +
        match r with Some d => d | None => 0 end - 1)%nat).
    { destruct l as [d|]; [|now left]. destruct r as [d'|]; [|now right; left]. right; right.
      destruct (both d d' eq_refl eq_refl) as [plus minus].
      assert (d1 : (1 <= d <= a)%nat) by apply nl. assert (d1' : (1 <= d' <= c)%nat) by apply nr.
      destruct Dh_ as [_ [_ before]].
      destruct (Compare_dec.le_lt_dec (2 * Dh - fewer) (d + d' - 1)) as [|lt]; [easy|]. exfalso.
      revert lt. unfold fewer. destruct Rlt_dec as [neg|pos]; intros lt.
      - apply (too_near d d' Dh R0 neg); [lia..|exact before|exact (minus neg)].
      - pose proof (balanced_at_most d d' (Dh - 1) ltac:(lra) ltac:(lia) ltac:(lia) ltac:(lia))
          as b.
        specialize (before (Dh - 1)%nat ltac:(lia)). cbv beta in before.
        specialize (plus ltac:(lra)). lra. }
    assert (min : forall m, (Nat.min (De + a) (2 * Dh - fewer) <= m)%nat ->
      utility <= 1 - INR m / INR (a + 1 + c) ->
      utility <= 1 - INR (Nat.min (De + a) (2 * Dh - fewer)) / INR (a + 1 + c)).
    { intros m le u. apply Rle_trans with (1 := u).
      apply Rplus_le_compat_l, Ropp_le_contravar. unfold Rdiv. apply Rmult_le_compat_r.
      - apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. lia.
      - now apply le_INR. }
    destruct either as [none|[none|two]].
    + apply (min (De + a)%nat); [lia|]. now apply one_side; auto.
    + apply (min (De + a)%nat); [lia|]. now apply one_side; auto.
    + apply (min (2 * Dh - fewer)%nat); [lia|]. apply at_least.
      destruct l as [d|], r as [d'|]; lia.
Qed.
End Utility.
