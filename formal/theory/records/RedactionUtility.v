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

(** Where the powers are not negative, two distances tell at least as much as their mean twice. *)
Lemma balanced l d : 0 <= lam -> (1 <= l)%nat -> i1 (l + d) * i1 (l + d) <= i1 l * i1 (l + d + d).
Proof.
  intros l0 l1.
  assert (closed : forall D, (1 <= D)%nat -> i1 D = of_c al be (be / al) D).
  { intros D d1. unfold TwoStates.i1. apply larger_above.
    destruct (order_of_c al be al0 order be1 D d1) as [_ [_ [up _]]].
    destruct (up (pow_le _ D l0)). lra. }
  rewrite !closed by lia. unfold of_c.
  destruct (lam_power al be al0 order be1 l l1) as [u1 _].
  destruct (lam_power al be al0 order be1 (l + d) ltac:(lia)) as [v1 _].
  destruct (lam_power al be al0 order be1 (l + d + d) ltac:(lia)) as [w1 _].
  rewrite !pow_add in *. pose proof (pow_le lam l l0) as u0. pose proof (pow_le lam d l0) as s0.
  set (u := lam ^ l) in *. set (s := lam ^ d) in *.
  assert (c0 : 0 < be / al) by (apply Rdiv_lt_0_compat; lra). set (c := be / al) in *.
  assert (su : 0 <= u * s) by now apply Rmult_le_pos.
  assert (ssu : 0 <= u * s * s) by now apply Rmult_le_pos.
  assert (square : 0 <= u * ((1 - s) * (1 - s))).
  { apply Rmult_le_pos; [easy|apply Rle_0_sqr]. }
  assert (high : (1 + c * (u * s)) * (1 + c * (u * s)) <= (1 + c * u) * (1 + c * (u * s * s))).
  { apply (Rmult_le_compat_l c) in square; [|lra]. lra. }
  assert (low : (1 - u) * (1 - u * s * s) <= (1 - u * s) * (1 - u * s)) by lra.
  assert (den : 0 < (1 - u) * (1 - u * s * s)) by now apply Rmult_lt_0_compat.
  assert (den' : 0 < (1 - u * s) * (1 - u * s)) by now apply Rmult_lt_0_compat.
  assert (num : 0 <= (1 + c * (u * s)) * (1 + c * (u * s))) by apply Rle_0_sqr.
  replace ((1 + c * (u * s)) / (1 - u * s) * ((1 + c * (u * s)) / (1 - u * s))) with
    ((1 + c * (u * s)) * (1 + c * (u * s)) * / ((1 - u * s) * (1 - u * s))) by (field; lra).
  replace ((1 + c * u) / (1 - u) * ((1 + c * (u * s * s)) / (1 - u * s * s))) with
    ((1 + c * u) * (1 + c * (u * s * s)) * / ((1 - u) * (1 - u * s * s))) by (field; lra).
  apply Rmult_le_compat; auto; [now apply Rlt_le, Rinv_0_lt_compat|].
  now apply Rinv_le_contravar.
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
    (lam < 0 -> i1 d * i1 d' <= R0 \/ i1 d * i0 d' <= R0 /\ i0 d * i1 d' <= R0).
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
    + intros neg. destruct Rlt_dec; [|lra]. destruct Nat.odd; [right|left; easy].
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
    + Inf(X_p~>X_n); at most 1 - min{D*(eps) + p - 1, 2D*(eps/2) - 2}/n from there on.
    Differs: the last case is for 1 - a - b >= 0; the print has one record more, which is false; the
    private bit is always replaced and has any weights with the chain's steps away from it; utility
    is written as the share of records that are not replaced. *)
Theorem dim_utility : (a < c)%nat ->
  (R0 < i1 c -> utility <= 0) /\
  (forall De, first_at_most i1 R0 De -> i1 c <= R0 -> a = 0%nat \/ R0 < i1 a * i1 c ->
    utility <= 1 - INR (De + a) / INR (a + 1 + c)) /\
  (forall De Dh, 0 <= lam -> first_at_most i1 R0 De ->
    first_at_most (fun D => i1 D * i1 D) R0 Dh -> i1 c <= R0 ->
    utility <= 1 - INR (Nat.min (De + a) (2 * Dh - 2)) / INR (a + 1 + c)).
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
    destruct (neg minus) as [le|[le le']]; [destruct (large le)|].
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
  - intros De Dh pos De_ Dh_ ic.
    assert (either : l = None \/ r = None \/
      (2 * Dh - 1 <= match l with Some d => d | None => 0 end +
        match r with Some d => d | None => 0 end)%nat).
    { destruct l as [d|]; [|now left]. destruct r as [d'|]; [|now right; left]. right; right.
      destruct (both d d' eq_refl eq_refl) as [le _]. specialize (le pos).
      assert (d1 : (1 <= d <= a)%nat) by apply nl. assert (d1' : (1 <= d' <= c)%nat) by apply nr.
      destruct (Compare_dec.le_lt_dec (2 * Dh - 1) (d + d')) as [|lt]; [easy|]. exfalso.
      pose proof (balanced_at_most d d' (Dh - 1) pos ltac:(lia) ltac:(lia) ltac:(lia)) as b.
      destruct Dh_ as [_ [_ before]]. specialize (before (Dh - 1)%nat ltac:(lia)).
      cbv beta in before. lra. }
    assert (min : forall m, (Nat.min (De + a) (2 * Dh - 2) <= m)%nat ->
      utility <= 1 - INR m / INR (a + 1 + c) ->
      utility <= 1 - INR (Nat.min (De + a) (2 * Dh - 2)) / INR (a + 1 + c)).
    { intros m le u. apply Rle_trans with (1 := u).
      apply Rplus_le_compat_l, Ropp_le_contravar. unfold Rdiv. apply Rmult_le_compat_r.
      - apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. lia.
      - now apply le_INR. }
    destruct either as [none|[none|two]].
    + apply (min (De + a)%nat); [lia|]. now apply one_side; auto.
    + apply (min (De + a)%nat); [lia|]. now apply one_side; auto.
    + apply (min (2 * Dh - 2)%nat); [lia|]. apply at_least.
      destruct l as [d|], r as [d'|]; destruct Dh_; lia.
Qed.
End Utility.
