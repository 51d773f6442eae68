(** The Markov quilt mechanism as redaction of a stationary chain of bits: it is private, and shows
    as many records as the bounds of the print say, up to two (massny2025, algorithm 1). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary DataIndependent SidesOfRecord.
Import ListNotations.
Open Scope R_scope.

(** Algorithm 1 for record p of n, both counted from 0, with De = D*(eps), Dh = D*(eps/2) and
    R0 = e^eps: whether one side is replaced as a whole, the radii, and the chances. *)
Definition one_sided_quilt al be R0 De Dh n p : bool :=
  Nat.eqb p 0 || (if Rlt_dec R0 (i1 al be p * i1 al be (n - p)) then true else false) ||
  Nat.ltb (S p + De) (2 * Dh).
Definition quilt_left al be R0 De Dh n p : nat :=
  if one_sided_quilt al be R0 De Dh n p then p else Dh.
Definition quilt_right al be R0 De Dh n p : nat :=
  if one_sided_quilt al be R0 De Dh n p then Nat.min De (n - S p) else Dh.
Definition window lo hi k : R := if Nat.leb lo k && Nat.leb k hi then 1 else 0.
Definition quilt_chances al be R0 De Dh n p : nat -> R :=
  window (p - quilt_left al be R0 De Dh n p) (p + quilt_right al be R0 De Dh n p).

(** 0 if eps < Inf(X_p~>X_(n-1)), else 1 - (R1 + one)/n if eps < Inf(X_p~>X_0) +
    Inf(X_p~>X_(n-1)), else 1 - (min{R1, R2} + two)/n, with R1 = De + p and R2 = 2 Dh - 1; the
    influence of a record on itself is infinite. *)
Definition by_cases_bound one two al be R0 De Dh n p : R :=
  if Nat.eqb (n - S p) 0 || (if Rlt_dec R0 (i1 al be (n - S p)) then true else false) then 0
  else if Nat.eqb p 0 || (if Rlt_dec R0 (i1 al be p * i1 al be (n - S p)) then true else false)
  then 1 - INR (De + p + one) / INR n
  else 1 - INR (Nat.min (De + p) (2 * Dh - 1) + two) / INR n.
(** The bound that the print proves for the Markov quilt mechanism, and that of theorem 2. *)
Definition quilt_bound := by_cases_bound 1 2.
Definition printed_bound := by_cases_bound 0 0.
(** A share exceeds another one by 0, 1 or 2 of n records. *)
Definition up_to_two (x y : R) n := x = y \/ x = y + 1 / INR n \/ x = y + (1 + 1) / INR n.

Lemma window_shares lo hi : shares (window lo hi).
Proof. intros k. unfold window. destruct (_ && _); lra. Qed.

Lemma window_inside lo hi k : (lo <= k <= hi)%nat -> window lo hi k = 1.
Proof.
  intros i. unfold window. replace (Nat.leb lo k) with true by (symmetry; apply Nat.leb_le; lia).
  now replace (Nat.leb k hi) with true by (symmetry; apply Nat.leb_le; lia).
Qed.

Lemma window_outside lo hi k : (k < lo \/ hi < k)%nat -> window lo hi k = 0.
Proof.
  intros i. unfold window. destruct (Nat.leb lo k) eqn:e; [|easy].
  apply Nat.leb_le in e. now replace (Nat.leb k hi) with false by (symmetry; apply Nat.leb_gt; lia).
Qed.

Lemma window_size lo hi n : (lo <= hi < n)%nat ->
  sum (seq 0 n) (window lo hi) = INR (S hi - lo).
Proof.
  intros i. replace n with (lo + ((S hi - lo) + (n - S hi)))%nat by lia.
  rewrite !seq_app, !sum_app.
  rewrite (sum_ext (seq 0 lo) _ (fun _ => 0)), sum_0.
  2: { intros k j. apply in_seq in j. apply window_outside. lia. }
  rewrite (sum_ext (seq _ (n - S hi)) _ (fun _ => 0)), sum_0.
  2: { intros k j. apply in_seq in j. apply window_outside. lia. }
  rewrite (sum_ext (seq (0 + lo) _) _ (fun _ => 1)).
  2: { intros k j. apply in_seq in j. apply window_inside. lia. }
  assert (ones : forall m k, sum (seq k m) (fun _ => 1) = INR m).
  { induction m as [|m IH]; intros k; [easy|]. cbn [seq sum]. rewrite IH, S_INR. ring. }
  rewrite ones. ring.
Qed.

Section Budgets.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Let be0 : 0 < be. Proof. lra. Qed.

(** Records that are shown at times tell at most El before record p and Er after it: that is enough
    for the product. *)
Lemma private_by_budgets n p rho El Er : shares rho -> (p < n)%nat -> rho p = 1 ->
  1 <= El -> 1 <= Er ->
  (forall d, (1 <= d <= p)%nat -> rho (p - d)%nat < 1 -> i1 al be d <= El) ->
  (forall d, (1 <= d)%nat -> (p + d < n)%nat -> rho (p + d)%nat < 1 -> i1 al be d <= Er) ->
  leaks_at_most (El * Er) al be n p (dim rho).
Proof.
  intros s pn hidden l1 r1 before after. destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  assert (n = p + S c)%nat as -> by lia. clear en pn. unfold leaks_at_most, redacted_bits.
  rewrite (seen_dim al be al0 order be1) by easy.
  destruct (nearest_exists (fun k => rho (p - k)%nat) p (fun k => s (p - k)%nat)) as [l nl].
  destruct (nearest_exists (fun k => rho (p + k)%nat) c (fun k => s (p + k)%nat)) as [r nr].
  apply (radius_is_enough al be al0 order be1 p c (stationary al be) _ _ l r
    (stationary_pos al be al0 be0 true) (stationary_pos al be al0 be0 false)
    (fun k => s (p - k)%nat) (fun k => s (p + k)%nat) nl nr).
  assert (L : 0 <= of_side al be l <= El).
  { destruct l as [d|]; simpl; [|lra]. destruct nl as [dp [less _]].
    pose proof (i1_above_one al be al0 order be1 d ltac:(lia)).
    specialize (before d ltac:(lia) less). lra. }
  assert (Rr : 0 <= of_side al be r <= Er).
  { destruct r as [d|]; simpl; [|lra]. destruct nr as [dp [less _]].
    pose proof (i1_above_one al be al0 order be1 d ltac:(lia)).
    specialize (after d ltac:(lia) ltac:(lia) less). lra. }
  apply Rmult_le_compat; lra.
Qed.
End Budgets.

Section QuiltRedaction.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Context (R0 : R) (De Dh n p : nat).
Hypotheses (De_ : first_at_most (i1 al be) R0 De)
  (Dh_ : first_at_most (fun D => i1 al be D * i1 al be D) R0 Dh) (pn : (p < n)%nat).
Notation i1 := (i1 al be).
Notation one_sided := (one_sided_quilt al be R0 De Dh n p).
Notation left_ := (quilt_left al be R0 De Dh n p).
Notation right_ := (quilt_right al be R0 De Dh n p).
Notation chances_ := (quilt_chances al be R0 De Dh n p).

Lemma above_one D : (1 <= D)%nat -> 1 <= i1 D.
Proof. intros d1. pose proof (i1_above_one al be al0 order be1 D d1). lra. Qed.

Lemma from_first D : (De <= D)%nat -> i1 D <= R0.
Proof.
  intros le. destruct De_ as [d1 [fits _]].
  pose proof (i1_decreases al be al0 order be1 De D ltac:(lia)). lra.
Qed.

Lemma not_before D : (1 <= D)%nat -> i1 D <= R0 -> (De <= D)%nat.
Proof.
  intros d1 fits. destruct De_ as [_ [_ before]].
  destruct (Compare_dec.le_lt_dec De D) as [|lt]; [easy|]. specialize (before D ltac:(lia)). lra.
Qed.

Lemma level_above_one : 1 <= R0.
Proof. destruct De_ as [d1 [fits _]]. pose proof (above_one De d1). lra. Qed.

Lemma one_sided_is : one_sided = true ->
  p = 0%nat \/ R0 < i1 p * i1 (n - p) \/ (S p + De < 2 * Dh)%nat.
Proof.
  unfold one_sided_quilt. rewrite !orb_true_iff, Nat.eqb_eq, Nat.ltb_lt.
  destruct Rlt_dec; intros [[|]|]; auto. discriminate.
Qed.

Lemma two_sided_is : one_sided = false ->
  (1 <= p)%nat /\ i1 p * i1 (n - p) <= R0 /\ (2 * Dh <= S p + De)%nat.
Proof.
  unfold one_sided_quilt. rewrite !orb_false_iff, Nat.eqb_neq, Nat.ltb_ge.
  destruct Rlt_dec; [easy|]. intros [[ne _] le]. repeat split; [lia|lra|easy].
Qed.

(** With two sides both radii are at most p. *)
Lemma two_sided_fits : one_sided = false -> (1 <= p)%nat /\ (De <= p)%nat /\ (1 <= Dh <= p)%nat.
Proof.
  intros e. destruct (two_sided_is e) as [p1 [level near]].
  pose proof (above_one p p1). pose proof (above_one (n - p) ltac:(lia)).
  assert (i1 p <= R0) by nra. pose proof (not_before p p1 ltac:(easy)).
  destruct Dh_ as [h1 _]. lia.
Qed.

(** Appendix C of massny2025: the Markov quilt mechanism is private, for every record p.
    Differs: ratios instead of levels; the window is cut off at both ends of the chain. *)
Theorem quilt_private : leaks_at_most R0 al be n p (dim chances_).
Proof.
  assert (s : shares chances_) by apply window_shares.
  assert (hidden : chances_ p = 1) by (apply window_inside; lia).
  unfold leaks_at_most, redacted_bits. pose proof level_above_one as level.
  destruct one_sided eqn:e.
  - apply (keeps_more al be al0 ltac:(lra) ltac:(lra) be1 (1 * R0)); auto; try lra.
    { now apply dim_chances. }
    apply private_by_budgets; auto; try lra.
    + intros d i less. unfold quilt_chances, quilt_left in less. rewrite e in less.
      rewrite window_inside in less by lia. lra.
    + intros d d1 there less. apply from_first.
      destruct (Compare_dec.le_lt_dec De d) as [|lt]; [easy|]. exfalso.
      unfold quilt_chances, quilt_right in less. rewrite e, window_inside in less by lia. lra.
  - destruct (two_sided_fits e) as [_ [_ h1]]. destruct Dh_ as [_ [fits _]]. cbv beta in fits.
    pose proof (above_one Dh ltac:(lia)) as above.
    apply (keeps_more al be al0 ltac:(lra) ltac:(lra) be1 (i1 Dh * i1 Dh)); auto.
    + now apply dim_chances.
    + apply private_by_budgets; auto.
      * intros d i less. apply i1_decreases; auto. split; [lia|].
        destruct (Compare_dec.le_lt_dec Dh d) as [|lt]; [easy|]. exfalso.
        unfold quilt_chances, quilt_left in less. rewrite e, window_inside in less by lia. lra.
      * intros d d1 there less. apply i1_decreases; auto. split; [lia|].
        destruct (Compare_dec.le_lt_dec Dh d) as [|lt]; [easy|]. exfalso.
        unfold quilt_chances, quilt_right in less. rewrite e, window_inside in less by lia. lra.
Qed.

(** ** How many records it shows, for p in the first half or in the middle *)

Hypothesis half : (p + p < n)%nat.

Lemma quilt_inside : (left_ <= p)%nat /\ (p + right_ < n)%nat.
Proof.
  unfold quilt_left, quilt_right. destruct one_sided eqn:e; [lia|].
  destruct (two_sided_fits e) as [_ [_ h1]]. lia.
Qed.

(** Appendix C of massny2025: the utility is 1 - (Dl + Dr + 1)/n.
    Differs: none. *)
Lemma quilt_share : shown_share al be (dim chances_) n = 1 - INR (left_ + right_ + 1) / INR n.
Proof.
  destruct quilt_inside as [l r].
  rewrite (shown_share_of_dim al be al0 order), share_of_dim by lia.
  unfold quilt_chances. rewrite window_size by lia. do 3 f_equal. lia.
Qed.

(** The mechanism replaces what theorem 2 says as printed, or one or two records more. *)
Lemma quilt_against_bound : exists more, (more <= 2)%nat /\
  shown_share al be (dim chances_) n + INR more / INR n = printed_bound al be R0 De Dh n p /\
  quilt_bound al be R0 De Dh n p <= shown_share al be (dim chances_) n.
Proof.
  rewrite quilt_share. pose proof level_above_one as level.
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (add : forall m k more, (m = k + more)%nat ->
    1 - INR m / INR n + INR more / INR n = 1 - INR k / INR n).
  { intros m k more ->. rewrite plus_INR. field. lra. }
  assert (most : forall m k, (m <= k)%nat -> 1 - INR k / INR n <= 1 - INR m / INR n).
  { intros m k le. apply Rplus_le_compat_l, Ropp_le_contravar. unfold Rdiv.
    apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|now apply le_INR]. }
  unfold printed_bound, quilt_bound, by_cases_bound, quilt_left, quilt_right.
  destruct (Nat.eqb (n - S p) 0) eqn:last.
  { apply Nat.eqb_eq in last. assert (p = 0%nat /\ n = 1%nat) as [-> ->] by lia. cbn [orb].
    unfold one_sided_quilt. cbn [Nat.eqb orb]. exists 0%nat.
    replace (Nat.min De (1 - 1)) with 0%nat by lia. simpl. split; [lia|]. split; lra. }
  apply Nat.eqb_neq in last. cbn [orb].
  assert (farther : (1 <= p)%nat -> i1 (n - S p) <= i1 p).
  { intros p1. apply i1_decreases; auto. lia. }
  pose proof (above_one (n - S p) ltac:(lia)) as end_.
  destruct (Rlt_dec R0 (i1 (n - S p))) as [small|far].
  - exists 0%nat. split; [lia|].
    assert (late : (n - S p < De)%nat).
    { destruct (Compare_dec.le_lt_dec De (n - S p)) as [le|]; [|easy].
      pose proof (from_first _ le). lra. }
    destruct one_sided eqn:e.
    + rewrite Nat.min_r by lia. replace (p + (n - S p) + 1)%nat with n by lia.
      replace (INR n / INR n) with 1 by (field; lra). simpl. split; lra.
    + destruct (two_sided_fits e) as [_ [le _]]. lia.
  - pose proof (not_before (n - S p) ltac:(lia) ltac:(lra)) as there.
    destruct (Nat.eqb p 0) eqn:first; cbn [orb].
    { unfold one_sided_quilt. rewrite first. cbn [orb]. apply Nat.eqb_eq in first. subst p.
      rewrite Nat.min_l by lia. exists 1%nat. split; [lia|].
      split; [apply add|apply most]; lia. }
    apply Nat.eqb_neq in first. specialize (farther ltac:(lia)).
    pose proof (above_one p ltac:(lia)) as p1.
    destruct (Rlt_dec R0 (i1 p * i1 (n - S p))) as [below|both_].
    + assert (one_sided = true) as ->.
      { destruct one_sided eqn:e; [easy|]. exfalso. destruct (two_sided_fits e) as [_ [_ h1]].
        destruct Dh_ as [_ [fits _]]. cbv beta in fits.
        pose proof (i1_decreases al be al0 order be1 Dh p ltac:(lia)). nra. }
      rewrite Nat.min_l by lia. exists 1%nat. split; [lia|].
      split; [apply add|apply most]; lia.
    + destruct one_sided eqn:e.
      * assert (2 * Dh > S p + De)%nat.
        { destruct (one_sided_is e) as [|[less|]]; [lia| |lia]. exfalso.
          assert (i1 (n - p) <= i1 (n - S p)) by (apply i1_decreases; auto; lia). nra. }
        rewrite (Nat.min_l De) by lia. exists 1%nat. split; [lia|].
        split; [apply add|apply most]; lia.
      * destruct (two_sided_is e) as [_ [_ near]]. destruct (two_sided_fits e) as [_ [_ h1]].
        exists 2%nat. split; [lia|]. split; [apply add|apply most]; lia.
Qed.

(** Appendix C of massny2025: the lower bound on the utility of the Markov quilt mechanism.
    Differs: ratios instead of levels; p may be in the middle too. *)
Theorem quilt_at_least : quilt_bound al be R0 De Dh n p <= shown_share al be (dim chances_) n.
Proof. now destruct quilt_against_bound as [more [_ [_ le]]]. Qed.

(** Section III of massny2025: the mechanism attains the bound of theorem 2 asymptotically in n, up
    to two of n records.
    Differs: the bound is the printed one, which is not a bound; up to 2/n for every n; p may be in
    the middle too. *)
Theorem quilt_near_bound : up_to_two (printed_bound al be R0 De Dh n p)
  (shown_share al be (dim chances_) n) n.
Proof.
  destruct quilt_against_bound as [more [m2 [<- _]]]. unfold up_to_two.
  destruct more as [|[|[|more]]]; [left|right; left|right; right|lia]; simpl; unfold Rdiv; ring.
Qed.
End QuiltRedaction.
