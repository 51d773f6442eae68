(** What 3R mechanisms can show at a level: the records that two radii leave, if q = 1
    (massny2025, corollary 1). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary DataIndependent SidesOfRecord InfluenceCurves.
From Pufferproof Require Import QuiltRedaction RedactionsCompared.
Import ListNotations.
Open Scope R_scope.

(** Some 3R mechanism with q = 1 for record p of n at the level R0 shows at least the share x; and
    one of those with two budgets above 1. *)
Definition some_three_r al be R0 n p x :=
  (0 < al /\ al <= be /\ be < 1) /\ (p < n)%nat /\ exists El Er,
    in_family al be R0 El Er n p (fun _ => 1) /\
    x <= shown_share al be (three_r al be El Er (fun _ => 1) p) n.
Definition some_positive_three_r al be R0 n p x :=
  (0 < al /\ al <= be /\ be < 1) /\ (p < n)%nat /\ exists El Er, 1 < El /\ 1 < Er /\
    in_family al be R0 El Er n p (fun _ => 1) /\
    x <= shown_share al be (three_r al be El Er (fun _ => 1) p) n.
(** What is shown if the records from p - Dl to p + Dr are replaced. *)
Definition rest_of_radius n Dl Dr : R := 1 - INR (Dl + Dr + 1) / INR n.

Section ThreeRegions.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation i1 := (i1 al be).
Notation medium := (always_medium al be).
Notation left_ p Dl := (of_side al be (next_to p Dl)).
Notation right_ n p Dr := (of_side al be (next_to (n - S p) Dr)).
Notation share El Er n p := (shown_share al be (three_r al be El Er (fun _ => 1) p) n).

Lemma share_of_medium El Er n p : (1 <= n)%nat ->
  share El Er n p = 1 - sum (seq 0 n) (medium El Er p) / INR n.
Proof.
  intros n1. rewrite (three_r_of_ones al be al0 order be1).
  rewrite (shown_share_of_dim al be al0 order). now apply share_of_dim.
Qed.

Lemma rest_of_window n p Dl Dr : (Dl <= p)%nat -> (p + Dr < n)%nat -> rest_of_radius n Dl Dr =
  1 - sum (seq 0 n) (window (p - Dl) (p + Dr)) / INR n.
Proof. intros l r. rewrite window_size by lia. unfold rest_of_radius. do 3 f_equal. lia. Qed.

Lemma fewer_replaced n f g : (1 <= n)%nat -> (forall k, (k < n)%nat -> f k <= g k) ->
  1 - sum (seq 0 n) g / INR n <= 1 - sum (seq 0 n) f / INR n.
Proof.
  intros n1 le. apply Rplus_le_compat_l, Ropp_le_contravar. unfold Rdiv.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, lt_0_INR; lia|].
  apply sum_le. intros k i. apply in_seq in i. apply le. lia.
Qed.

(** Budgets that reach the next records show what the radii leave. *)
Lemma radius_shown El Er n p Dl Dr : (Dl <= p)%nat -> (p + Dr < n)%nat ->
  left_ p Dl <= El -> right_ n p Dr <= Er -> rest_of_radius n Dl Dr <= share El Er n p.
Proof.
  intros dl dr el er. rewrite (rest_of_window n p), share_of_medium by lia.
  apply fewer_replaced; [lia|]. intros k kn.
  pose proof (medium_at_most_one al be El Er p k) as most.
  pose proof (window_shares (p - Dl) (p + Dr) k) as some. unfold next_to in *.
  destruct (Compare_dec.le_lt_dec k (p + Dr)) as [le|gt].
  - destruct (Compare_dec.le_lt_dec (p - Dl) k) as [ge|lt].
    + rewrite window_inside by lia. exact most.
    + enough (medium El Er p k = 0) by lra.
      replace (Nat.ltb Dl p) with true in el by (symmetry; apply Nat.ltb_lt; lia).
      replace k with (p - (p - k))%nat by lia. apply medium_before; [lia|].
      apply Rle_trans with (2 := el). apply i1_decreases; auto. lia.
  - enough (medium El Er p k = 0) by lra.
    replace (Nat.ltb Dr (n - S p)) with true in er by (symmetry; apply Nat.ltb_lt; lia).
    replace k with (p + (k - p))%nat by lia. apply medium_after; [lia|].
    apply Rle_trans with (2 := er). apply i1_decreases; auto. lia.
Qed.

(** The records next to p whose 1 tells more than a budget. *)
Lemma last_above E m : 1 <= E -> exists D, (D <= m)%nat /\
  (forall k, (1 <= k <= D)%nat -> E < i1 k) /\ of_side al be (next_to m D) <= E.
Proof.
  intros e1. unfold next_to.
  assert (H : exists D, (D <= m)%nat /\ (forall k, (1 <= k <= D)%nat -> E < i1 k) /\
    ((D < m)%nat -> i1 (S D) <= E)).
  { induction m as [|m [D [le [above next]]]]; [exists 0%nat; repeat split; lia|].
    destruct (Compare_dec.le_lt_eq_dec D m le) as [lt|eq_].
    - exists D. repeat split; auto.
    - subst D. destruct (Rlt_dec E (i1 (S m))) as [more|no].
      + exists (S m). repeat split; auto; [|lia]. intros k i.
        destruct (PeanoNat.Nat.eq_dec k (S m)) as [->|]; [easy|]. apply above. lia.
      + exists m. repeat split; auto. intros _. lra. }
  destruct H as [D [le [above next]]]. exists D. repeat split; auto.
  destruct (Nat.ltb D m) eqn:lt; simpl; [|easy]. apply next. now apply Nat.ltb_lt.
Qed.

Lemma medium_one El Er p k : k <> p ->
  budget_at El Er p k < i1 (distance_to p k) -> medium El Er p k = 1.
Proof.
  intros ne less. unfold always_medium. apply Nat.eqb_neq in ne. rewrite ne.
  now destruct Rlt_dec.
Qed.

(** Budgets show no more than some radii leave whose next records they reach. *)
Lemma shown_by_radius El Er n p : 1 <= El -> 1 <= Er -> (p < n)%nat -> exists Dl Dr,
  (Dl <= p)%nat /\ (p + Dr < n)%nat /\ left_ p Dl <= El /\ right_ n p Dr <= Er /\
  share El Er n p <= rest_of_radius n Dl Dr.
Proof.
  intros l1 r1 pn. destruct (last_above El p l1) as [Dl [dl [before el]]].
  destruct (last_above Er (n - S p) r1) as [Dr [dr [after er]]].
  exists Dl, Dr. repeat split; auto; [lia|].
  rewrite (rest_of_window n p), share_of_medium by lia. apply fewer_replaced; [lia|].
  intros k kn. pose proof (always_medium_shares al be El Er p k) as some.
  destruct (Compare_dec.le_lt_dec (p - Dl) k) as [ge|lt];
    [|rewrite window_outside by lia; lra].
  destruct (Compare_dec.le_lt_dec k (p + Dr)) as [le|gt];
    [|rewrite window_outside by lia; lra].
  rewrite window_inside by lia. destruct (PeanoNat.Nat.eq_dec k p) as [->|ne].
  - unfold always_medium. rewrite Nat.eqb_refl. lra.
  - rewrite medium_one; auto; [lra|]. unfold budget_at, distance_to.
    destruct (Nat.ltb k p) eqn:side.
    + apply Nat.ltb_lt in side. replace (k - p + (p - k))%nat with (p - k)%nat by lia.
      apply before. lia.
    + apply Nat.ltb_ge in side. replace (k - p + (p - k))%nat with (k - p)%nat by lia.
      apply after. lia.
Qed.

Lemma side_at_least_one m D : 1 <= of_side al be (next_to m D).
Proof.
  unfold next_to. destruct Nat.ltb; simpl; [|lra]. apply (above_one al be al0 order be1). lia.
Qed.

(** Two numbers above 1 that are at least x and y have a product of at most R0. *)
Lemma apart R0 x y : 1 <= x -> 1 <= y -> x * y <= R0 -> x < R0 -> y < R0 ->
  exists E F, 1 < E /\ 1 < F /\ x <= E /\ y <= F /\ E * F <= R0.
Proof.
  intros x1 y1 prod xr yr.
  destruct (Rle_lt_or_eq_dec 1 x x1) as [xs|xe], (Rle_lt_or_eq_dec 1 y y1) as [ys|ye].
  - exists x, y. repeat split; lra.
  - subst y. exists x, (R0 / x).
    assert (1 < R0 / x) by (apply quotient_above; lra).
    repeat split; try lra. right. field. lra.
  - subst x. exists (R0 / y), y.
    assert (1 < R0 / y) by (apply quotient_above; lra).
    repeat split; try lra. right. field. lra.
  - subst x y. set (u := (1 + 1) * R0 / (1 + R0)).
    assert (1 < u) by (unfold u; apply quotient_above; lra).
    assert (u * u <= R0).
    { unfold u. apply Rmult_le_reg_r with ((1 + R0) * (1 + R0)); [nra|].
      replace ((1 + 1) * R0 / (1 + R0) * ((1 + 1) * R0 / (1 + R0)) * ((1 + R0) * (1 + R0)))
        with (4 * R0 * R0) by (field; lra).
      assert (0 <= (R0 - 1) * (R0 - 1) * R0) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]).
      nra. }
    exists u, u. repeat split; lra.
Qed.

(** Corollary 1 of massny2025: what 3R mechanisms with q = 1 show.
    Differs: not in print. *)
Theorem some_three_r_by_radius R0 n p x : (p < n)%nat ->
  some_three_r al be R0 n p x <-> exists Dl Dr, (Dl <= p)%nat /\ (p + Dr < n)%nat /\
    left_ p Dl * right_ n p Dr <= R0 /\ x <= rest_of_radius n Dl Dr.
Proof.
  intros pn. split.
  - intros [_ [_ [El [Er [[l1 [r1 [prod _]]] le]]]]].
    destruct (shown_by_radius El Er n p l1 r1 pn) as [Dl [Dr [dl [dr [el [er more]]]]]].
    exists Dl, Dr. repeat split; auto; [|lra].
    pose proof (side_at_least_one p Dl). pose proof (side_at_least_one (n - S p) Dr).
    apply Rle_trans with (2 := prod). apply Rmult_le_compat; lra.
  - intros [Dl [Dr [dl [dr [prod le]]]]]. repeat split; auto.
    exists (left_ p Dl), (right_ n p Dr). split.
    + apply ones_in_family; auto; apply side_at_least_one.
    + apply Rle_trans with (1 := le). apply radius_shown; auto; lra.
Qed.

(** Corollary 1 of massny2025: the same with two positive budgets.
    Differs: not in print. *)
Theorem some_positive_three_r_by_radius R0 n p x : (p < n)%nat ->
  some_positive_three_r al be R0 n p x <-> exists Dl Dr, (Dl <= p)%nat /\ (p + Dr < n)%nat /\
    (left_ p Dl * right_ n p Dr <= R0 /\ left_ p Dl < R0 /\ right_ n p Dr < R0) /\
    x <= rest_of_radius n Dl Dr.
Proof.
  intros pn. split.
  - intros [_ [_ [El [Er [l1 [r1 [[_ [_ [prod _]]] le]]]]]]].
    destruct (shown_by_radius El Er n p ltac:(lra) ltac:(lra) pn)
      as [Dl [Dr [dl [dr [el [er more]]]]]].
    exists Dl, Dr. pose proof (side_at_least_one p Dl).
    pose proof (side_at_least_one (n - S p) Dr). split; [easy|]. split; [easy|].
    split; [|lra]. split; [|nra]. apply Rle_trans with (2 := prod). apply Rmult_le_compat; lra.
  - intros [Dl [Dr [dl [dr [[prod [lr rr]] le]]]]]. repeat split; auto.
    destruct (apart R0 _ _ (side_at_least_one p Dl) (side_at_least_one (n - S p) Dr) prod lr rr)
      as [El [Er [l1 [r1 [el [er both]]]]]].
    exists El, Er. split; [easy|]. split; [easy|]. split.
    + apply ones_in_family; auto; lra.
    + apply Rle_trans with (1 := le). now apply radius_shown.
Qed.
End ThreeRegions.
