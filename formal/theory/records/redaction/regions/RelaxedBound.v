(** 3R mechanisms on one side of a record: the bounds by products of the q_k of M, and what they say
    of the leakage of the side (massny2025, equation 4 and appendix A). *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Means Chain Redaction TwoStates RedactionLeakage.
From Pufferproof Require Import RedactionUtility Local Stationary SidesOfRecord BothSides.
From Pufferproof Require Import SideLevels MediumRecords.
Import ListNotations.
Open Scope R_scope.

(** The record at distance k from record p, on the side of record t; the number of records of this
    side, and its budget. *)
Definition at_distance p t k := if Nat.ltb p t then (p + k)%nat else (p - k)%nat.
Definition size_of_side n p t := if Nat.ltb p t then (n - S p)%nat else p.
Definition side_budget (El Er : R) p t := if Nat.ltb p t then Er else El.
Definition side_chances (q : nat -> R) p t k := q (at_distance p t k).

(** P(X_(t+) = z | X_p = x) G(x) of condition (5), where t+ is next to t, and G(x) of condition
    (6). *)
Definition medium_before al be El Er q p t z x :=
  mean_before al be (medium_weight al be (side_budget El Er p t) (side_chances q p t))
    (distance_to p t) 0 z x.
Definition medium_mean al be El Er q p t x :=
  mean_weight al be (medium_weight al be (side_budget El Er p t) (side_chances q p t))
    (distance_to p t) 0 x.

(** The q_k of M, and 1 otherwise; the product of them up to distance D; the products over all
    subsets of the records, and the least and the largest one. *)
Definition medium_chance al be B (q : nat -> R) k := if_medium al be B k (q k).
Definition product_to al be B q D := prod (seq 1 D) (medium_chance al be B q).
Fixpoint subset_products (l : list R) : list R := match l with [] => [1]
  | u :: l => map (Rmult u) (subset_products l) ++ subset_products l end.
Definition products_to al be B q D :=
  subset_products (map (medium_chance al be B q) (seq 1 D)).
Definition medium_product al be El Er q p t :=
  product_to al be (side_budget El Er p t) (side_chances q p t) (distance_to p t).
Definition least_product al be El Er q p t := fold_right Rmin 1
  (products_to al be (side_budget El Er p t) (side_chances q p t) (distance_to p t)).
Definition largest_product al be El Er q p t := fold_right Rmax 1
  (products_to al be (side_budget El Er p t) (side_chances q p t) (distance_to p t)).

(** e^delta of the record at distance D, on a side of c records. *)
Definition delta_of al be B c D := if Nat.ltb D c
  then if Rlt_dec B (i1 al be (S D)) then i0 al be (S D) else i1 al be (S D) else 1.
(** The largest e^delta_t / prod q over the records t of M, or 1. *)
Definition relaxed_of al be B q c := Rmax 1 (largest (seq 1 c) (fun D =>
  if_medium al be B D (delta_of al be B c D / product_to al be B q D))).
(** e^i of the first of m records, from distance k on, that is not in L, or 1. *)
Fixpoint first_from al be B k m := match m with O => 1
  | S m => if Rlt_dec B (i0 al be k) then first_from al be B (S k) m
           else if Rlt_dec B (i1 al be k) then i0 al be k else i1 al be k end.
(** e^delta of record t, or 1 where it is not in M. *)
Definition delta_at al be El Er n p t := let B := side_budget El Er p t in
  if_medium al be B (distance_to p t)
    (delta_of al be B (size_of_side n p t) (distance_to p t)).
Definition relaxed_bound al be El Er q n p t := relaxed_of al be (side_budget El Er p t)
  (side_chances q p t) (size_of_side n p t).
Definition first_influence al be El Er n p t :=
  first_from al be (side_budget El Er p t) 1 (size_of_side n p t).
(** Conditions (5) and (6) for the side of record t. *)
Definition side_conditions R0 al be El Er q n p t := conditions al be (side_budget El Er p t)
  (side_chances q p t) (size_of_side n p t) R0.
Definition unredacted (q : nat -> R) := forall k, q k = 1.
Definition usable (q : nat -> R) := forall k, 0 < q k <= 1.

Section Products.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).

Lemma medium_chance_bounds B q k : usable q -> 0 < medium_chance al be B q k <= 1.
Proof.
  intros u. specialize (u k). unfold medium_chance, if_medium. destruct Rlt_dec; [lra|].
  destruct Rlt_dec; lra.
Qed.

Lemma medium_weight_bounds B q k x : usable q ->
  medium_chance al be B q k <= medium_weight al be B q k x <= 1.
Proof.
  intros u. specialize (u k). unfold medium_chance, medium_weight, if_medium.
  destruct Rlt_dec; [lra|]. destruct Rlt_dec, x; lra.
Qed.

Lemma subset_products_bounds (l : list nat) f : (forall k, 0 < f k <= 1) ->
  In 1 (subset_products (map f l)) /\ In (prod l f) (subset_products (map f l)) /\
  forall y, In y (subset_products (map f l)) -> prod l f <= y <= 1.
Proof.
  intros f01. induction l as [|k l [one [all_ each]]]; cbn [map subset_products prod].
  - repeat split; try (now left); intros; destruct H as [<-|[]]; lra.
  - assert (p0 : 0 < prod l f) by (apply prod_positive; intros; apply f01).
    specialize (f01 k). repeat split.
    + apply in_or_app. now right.
    + apply in_or_app. left. apply in_map. exact all_.
    + apply in_app_or in H as [i|i].
      * apply in_map_iff in i as [z [<- i]]. specialize (each z i).
        apply Rmult_le_compat_l; lra.
      * specialize (each y i). rewrite <- (Rmult_1_l y). apply Rmult_le_compat; lra.
    + apply in_app_or in H as [i|i].
      * apply in_map_iff in i as [z [<- i]]. specialize (each z i).
        rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
      * now apply each.
Qed.

Lemma least_is (l : list R) m : In m l -> m <= 1 -> (forall y, In y l -> m <= y) ->
  fold_right Rmin 1 l = m.
Proof.
  intros i m1 each. apply Rle_antisym.
  - clear each. induction l as [|y l IH]; [easy|]. simpl. destruct i as [->|i].
    + apply Rmin_l.
    + apply Rle_trans with (2 := IH i). apply Rmin_r.
  - clear i. induction l as [|y l IH]; simpl; [easy|].
    apply Rmin_glb; [apply each; now left|apply IH; intros; apply each; now right].
Qed.

Lemma largest_is (l : list R) : (forall y, In y l -> y <= 1) -> fold_right Rmax 1 l = 1.
Proof.
  induction l as [|y l IH]; simpl; intros each; [easy|].
  rewrite IH by (intros; apply each; now right). apply Rmax_right. apply each. now left.
Qed.

(** Whatever the records are: a product of chances is the price of their means. *)
Lemma price m w w' k : 0 < m -> 0 <= k -> m * w <= w' -> k * w <= k * (1 / m) * w'.
Proof.
  intros m0 k0 le. replace (k * (1 / m) * w') with (k * (w' / m)) by (field; lra).
  apply Rmult_le_compat_l; [easy|]. apply (Rmult_le_reg_l m); [easy|].
  replace (m * (w' / m)) with w' by (field; lra). exact le.
Qed.

Lemma before_bounded B q D z x y : usable q ->
  mean_before al be (medium_weight al be B q) D 0 z x <=
  influence_at al be z (S D) * (1 / product_to al be B q D) *
  mean_before al be (medium_weight al be B q) D 0 z y.
Proof.
  intros u. pose proof (mean_before_bounds al be al0 be0 al1 be1 (medium_weight al be B q)
    (medium_chance al be B q) ltac:(intros; now apply medium_chance_bounds)
    ltac:(intros; now apply medium_weight_bounds) D 0) as bounds.
  destruct (bounds z x) as [_ above], (bounds z y) as [below _].
  destruct (value_ratio al be al0 be0 al1 be1 z (S D) ltac:(lia)) as [one _].
  apply Rle_trans with (1 := above).
  apply Rle_trans with (1 := influence_bounds al be al0 be0 al1 be1 (S D) z x y ltac:(lia)).
  apply price; [|lra|exact below].
  apply prod_positive. intros. now apply medium_chance_bounds.
Qed.

Lemma mean_bounded B q D x y : usable q ->
  mean_weight al be (medium_weight al be B q) D 0 x <=
  1 / product_to al be B q D * mean_weight al be (medium_weight al be B q) D 0 y.
Proof.
  intros u. pose proof (mean_weight_bounds al be al0 be0 al1 be1 (medium_weight al be B q)
    (medium_chance al be B q) ltac:(intros; now apply medium_chance_bounds)
    ltac:(intros; now apply medium_weight_bounds) D 0) as bounds.
  destruct (bounds x) as [_ above], (bounds y) as [below _]. apply Rle_trans with (1 := above).
  assert (m0 : 0 < product_to al be B q D)
    by (apply prod_positive; intros; now apply medium_chance_bounds).
  change (prod (seq 1 D) _) with (product_to al be B q D) in below.
  pose proof (price _ 1 _ 1 m0 ltac:(lra) ltac:(rewrite Rmult_1_r; exact below)). lra.
Qed.

Section Minmax.
Context (El Er : R) (q : nat -> R) (p t : nat).
Hypothesis u : usable q.
Notation m := (medium_product al be El Er q p t).
Notation B := (side_budget El Er p t).
Notation f := (medium_chance al be B (side_chances q p t)).

Lemma side_usable : usable (side_chances q p t).
Proof. intros k. apply u. Qed.

Lemma product_bounds : 0 < m <= 1.
Proof.
  assert (f01 : forall k, 0 < f k <= 1) by (intros; apply medium_chance_bounds, side_usable).
  split; [apply prod_positive; intros; apply f01|].
  destruct (subset_products_bounds (seq 1 (distance_to p t)) f f01) as [one [_ each]].
  apply (each 1 one).
Qed.

Lemma extreme_products : least_product al be El Er q p t = m /\
  largest_product al be El Er q p t = 1.
Proof.
  assert (f01 : forall k, 0 < f k <= 1) by (intros; apply medium_chance_bounds, side_usable).
  destruct (subset_products_bounds (seq 1 (distance_to p t)) f f01) as [one [all_ each]]. split.
  - apply least_is; [exact all_|apply product_bounds|intros; now apply each].
  - apply largest_is. intros y i. now apply each.
Qed.

(** The bounds of conditions (5) and (6) (massny2025, appendix A, repaired): of (5).
    Differs: ratios instead of levels; t is any record, not only one of M; the largest product is
    divided by the least one, where the print has the opposite. *)
Theorem bound_of_5 z x y :
  medium_before al be El Er q p t z x <=
    influence_at al be z (S (distance_to p t)) *
      (largest_product al be El Er q p t / least_product al be El Er q p t) *
      medium_before al be El Er q p t z y /\
  largest_product al be El Er q p t / least_product al be El Er q p t = 1 / m /\
  influence_at al be z (S (distance_to p t)) <=
    Rmax (i0 al be (S (distance_to p t))) (i1 al be (S (distance_to p t))).
Proof.
  destruct extreme_products as [-> ->]. split; [|split; [easy|]].
  - apply before_bounded, side_usable.
  - unfold influence_at. destruct z; [apply Rmax_r|apply Rmax_l].
Qed.

(** The same of condition (6).
    Differs: as above. *)
Theorem bound_of_6 x y :
  medium_mean al be El Er q p t x <=
    largest_product al be El Er q p t / least_product al be El Er q p t *
      medium_mean al be El Er q p t y /\
  largest_product al be El Er q p t / least_product al be El Er q p t = 1 / m.
Proof.
  destruct extreme_products as [-> ->]. split; [|easy]. apply mean_bounded, side_usable.
Qed.
End Minmax.
End Products.

Section Kept.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation T := (constant_steps al be).
Notation i0 := (i0 al be).
Notation i1 := (i1 al be).

Lemma i0_decreases j D : (1 <= j <= D)%nat -> i0 D <= i0 j.
Proof.
  intros le. destruct (i1_told al be al0 order be1 D ltac:(lia)) as [b [e1 e0]].
  destruct (i1_told al be al0 order be1 j ltac:(lia)) as [b' [f1 f0]].
  pose proof (i1_above_one al be al0 order be1 D ltac:(lia)) as above.
  pose proof (told_decreases al be al0 order be1 j D (negb b') le) as less.
  rewrite f0 in less. apply Rle_trans with (2 := less).
  destruct b, b'; simpl in *; lra.
Qed.

Lemma shows_alike r r' n : forall k b y, (forall j x, (k < j <= k + n)%nat -> r j x = r' j x) ->
  shows T r k n b y = shows T r' k n b y.
Proof.
  induction n as [|n IH]; intros k b y alike; [easy|]. destruct y as [|o y]; [easy|].
  rewrite !(shows_step al be), !(IH (S k)) by (intros; apply alike; lia).
  assert (e : forall x, symbol r (S k) x o = symbol r' (S k) x o).
  { intros x. unfold symbol. now rewrite alike by lia. }
  now rewrite !e.
Qed.

Section Mechanism.
Context (El Er : R) (q : nat -> R) (n p t : nat).
Hypothesis pn : (p < n)%nat.
Notation B := (side_budget El Er p t).
Notation c := (size_of_side n p t).
Notation qs := (side_chances q p t).
Notation r := (three_r al be El Er q p).
Notation three := (three_chances al be B qs).

Lemma three_r_at k x : (1 <= k <= c)%nat -> r (at_distance p t k) x = three k x.
Proof.
  intros i. unfold three_r, three_chances, side_chances, side_budget, at_distance, budget_at in *.
  unfold size_of_side, distance_to in *. destruct (Nat.ltb p t).
  - replace (Nat.eqb (p + k) p) with false by (symmetry; apply Nat.eqb_neq; lia).
    replace (Nat.ltb (p + k) p) with false by (symmetry; apply Nat.ltb_ge; lia).
    now replace (p + k - p + (p - (p + k)))%nat with k by lia.
  - replace (Nat.eqb (p - k) p) with false by (symmetry; apply Nat.eqb_neq; lia).
    replace (Nat.ltb (p - k) p) with true by (symmetry; apply Nat.ltb_lt; lia).
    now replace (p - k - p + (p - (p - k)))%nat with k by lia.
Qed.

Lemma leaks_of_side R0 : (forall k, 0 <= q k <= 1) ->
  leaks_at_most R0 al be n p (side_of p t r) <->
  forall b y, length y = c -> shows T three 0 c b y <= R0 * shows T three 0 c (negb b) y.
Proof.
  intros q01. assert (be0 : 0 < be) by lra. assert (al1 : al < 1) by lra.
  pose proof (three_r_chances al be El Er q p q01) as r01.
  assert (hidden : always_replaced p r).
  { intros x. unfold three_r. now rewrite Nat.eqb_refl. }
  destruct (up_to_chances p r r01) as [u01 o01], (up_to_replaced p r hidden) as [uh oh].
  assert (each : forall P : bool -> Prop, (forall b, P b) <-> P false /\ P true)
    by (intros P; split; [auto|intros [] []; auto]).
  assert (lub : forall x y, Rmax x y <= R0 <-> x <= R0 /\ y <= R0).
  { intros x y. split; [|intros []; now apply Rmax_lub].
    intros le. split; (eapply Rle_trans; [|exact le]); [apply Rmax_l|apply Rmax_r]. }
  pose proof three_r_at as at_. unfold at_distance in at_.
  unfold side_of. destruct (Nat.le_exists_sub (S p) n pn) as [e [en _]].
  destruct (Nat.ltb p t) eqn:side.
  - assert (size : c = e) by (unfold size_of_side; rewrite side; lia). rewrite size in *.
    rewrite (leakage_is_least al be al0 be0 al1 be1) by easy. unfold leakage_of_record.
    assert (n = p + S e)%nat as -> by lia.
    rewrite lub, !(ratio_of_right al be al0 be0 al1 be1 p e r _ R0 r01 hidden).
    rewrite <- (each (fun b => forall y, length y = e -> shows T (to_right r p) 0 e b y <=
      R0 * shows T (to_right r p) 0 e (negb b) y)).
    assert (same : forall b y, shows T (to_right r p) 0 e b y = shows T three 0 e b y)
      by (intros b y; apply shows_alike; intros j x i; apply at_; lia).
    split; intros k b y len; specialize (k b y len); rewrite ?same in *; exact k.
  - assert (size : c = p) by (unfold size_of_side; now rewrite side). rewrite size in *.
    rewrite (leakage_is_least al be al0 be0 al1 be1) by easy. unfold leakage_of_record.
    assert (n = p + S e)%nat as -> by lia.
    rewrite lub, !(ratio_of_left al be al0 be0 al1 be1 p e r _ R0 r01 hidden).
    rewrite <- (each (fun b => forall y, length y = p -> shows T (to_left r p) 0 p b (rev y) <=
      R0 * shows T (to_left r p) 0 p (negb b) (rev y))).
    assert (same : forall b y, shows T (to_left r p) 0 p b y = shows T three 0 p b y)
      by (intros b y; apply shows_alike; intros j x i; apply at_; lia).
    split; intros k b y len.
    + specialize (k b (rev y) ltac:(now rewrite rev_length)). rewrite rev_involutive, !same in k.
      exact k.
    + rewrite !same. apply k. now rewrite rev_length.
Qed.

Lemma shown_influence D z : three (S D) z < 1 -> influence_at al be z (S D) <=
  (if Rlt_dec B (i1 (S D)) then i0 (S D) else i1 (S D)) /\ i0 (S D) <= B.
Proof.
  pose proof (i1_above_one al be al0 order be1 (S D) ltac:(lia)) as above.
  unfold three_chances, influence_at. destruct Rlt_dec; [lra|]. destruct Rlt_dec, z; lra.
Qed.

(** Conditions (5) and (6) of massny2025, appendix A: a side of a 3R mechanism keeps its budget if
    they hold.
    Differs: ratios instead of levels; either side of the record. *)
Theorem conditions_suffice : (forall k, 0 <= q k <= 1) -> 1 <= B ->
  side_conditions B al be El Er q n p t -> leaks_at_most B al be n p (side_of p t r).
Proof.
  intros q01 B1 met. apply leaks_of_side; [easy|].
  apply (conditions_sufficient al be al0 ltac:(lra) ltac:(lra) be1); auto.
  - intros k. apply q01.
  - exact i0_decreases.
  - intros j D i. now apply i1_decreases.
  - intros D z _ _ shown. destruct (shown_influence D z shown) as [le i0B].
    destruct Rlt_dec; lra.
Qed.

(** The converse of conditions (5) and (6) of massny2025, appendix A: they hold at every level that
    the side keeps.
    Differs: the print says only that they suffice. *)
Theorem conditions_needed R0 : (forall k, 0 <= q k <= 1) ->
  leaks_at_most R0 al be n p (side_of p t r) -> side_conditions R0 al be El Er q n p t.
Proof.
  intros q01 kept. rewrite leaks_of_side in kept by easy.
  apply (conditions_necessary al be al0 ltac:(lra) ltac:(lra) be1); auto.
  - intros k. apply q01.
  - intros j D i. now apply i1_decreases.
Qed.

Lemma relaxed_meets R0 : usable q -> relaxed_bound al be El Er q n p t <= R0 ->
  side_conditions R0 al be El Er q n p t.
Proof.
  intros u le. assert (be0 : 0 < be) by lra. assert (al1 : al < 1) by lra.
  assert (us : usable qs) by (intros k; apply u).
  unfold relaxed_bound, relaxed_of in le.
  assert (most : forall D, (1 <= D <= c)%nat -> i0 D <= B < i1 D ->
    delta_of al be B c D / product_to al be B qs D <= R0).
  { intros D i m. apply Rle_trans with (2 := le). apply Rle_trans with (2 := Rmax_r _ _).
    pose proof (largest_above (seq 1 c) (fun D => if_medium al be B D (delta_of al be B c D /
      product_to al be B qs D)) D ltac:(apply in_seq; lia)) as at_. simpl in at_.
    unfold if_medium in at_ at 1. destruct Rlt_dec in at_; [lra|]. now destruct Rlt_dec in at_. }
  assert (pos : forall D z x, 0 <= mean_before al be (medium_weight al be B qs) D 0 z x /\
    0 <= mean_weight al be (medium_weight al be B qs) D 0 x).
  { intros D z x. assert (m0 : 0 < prod (seq 1 D) (medium_chance al be B qs))
      by (apply prod_positive; intros; now apply medium_chance_bounds).
    destruct (mean_before_bounds al be al0 be0 al1 be1 (medium_weight al be B qs)
      (medium_chance al be B qs) ltac:(intros; now apply medium_chance_bounds)
      ltac:(intros; now apply medium_weight_bounds) D 0 z x) as [low _].
    destruct (mean_weight_bounds al be al0 be0 al1 be1 (medium_weight al be B qs)
      (medium_chance al be B qs) ltac:(intros; now apply medium_chance_bounds)
      ltac:(intros; now apply medium_weight_bounds) D 0 x) as [low' _].
    pose proof (power_nonneg al be al0 be0 al1 be1 (S D) x z) as p0.
    pose proof (Rmult_le_pos _ _ (Rlt_le _ _ m0) p0). split; lra. }
  intros D i m x. specialize (most D i m).
  assert (m0 : 0 < product_to al be B qs D)
    by (apply prod_positive; intros; now apply medium_chance_bounds).
  assert (inverse : 0 <= 1 / product_to al be B qs D) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  unfold delta_of in most. split.
  - intros less z shown. destruct (shown_influence D z shown) as [le' _].
    replace (Nat.ltb D c) with true in most by (symmetry; now apply Nat.ltb_lt).
    apply Rle_trans with (1 := before_bounded al be al0 be0 al1 be1 B qs D z x (negb x) us).
    apply Rmult_le_compat_r; [apply pos|]. apply Rle_trans with (2 := most).
    unfold Rdiv at 2. rewrite <- (Rmult_1_l (/ _)). now apply Rmult_le_compat_r.
  - intros last. replace (Nat.ltb D c) with false in most by (symmetry; apply Nat.ltb_ge; lia).
    apply Rle_trans with (1 := mean_bounded al be al0 be0 al1 be1 B qs D x (negb x) us).
    apply Rmult_le_compat_r; [now apply pos|easy].
Qed.

Lemma first_from_at m : forall k D, (D < m)%nat -> (forall j, (k <= j < k + D)%nat -> B < i0 j) ->
  i0 (k + D)%nat <= B -> first_from al be B k m =
  if Rlt_dec B (i1 (k + D)%nat) then i0 (k + D)%nat else i1 (k + D)%nat.
Proof.
  induction m as [|m IH]; intros k D less large here; [lia|]. cbn [first_from].
  destruct D as [|D].
  - rewrite Nat.add_0_r in *. destruct Rlt_dec; [lra|easy].
  - destruct Rlt_dec as [_|no]; [|destruct no; apply large; lia].
    replace (k + S D)%nat with (S k + D)%nat in * by lia.
    apply IH; [lia| |easy]. intros j i. apply large. lia.
Qed.

Lemma first_bounds m : forall k, (1 <= k)%nat -> 1 <= first_from al be B k m /\
  (1 <= B -> first_from al be B k m <= B).
Proof.
  induction m as [|m IH]; intros k k1; cbn [first_from]; [lra|].
  pose proof (i1_above_one al be al0 order be1 k k1).
  destruct Rlt_dec; [apply IH; lia|]. destruct Rlt_dec; lra.
Qed.

(** Equation (4) of massny2025, repaired: whatever the q_k > 0, a side of a 3R mechanism leaks no
    more than the larger of i* and the right side of (4), and i* is at most its budget.
    Differs: ratios instead of levels; either side of the record; the print leaves out i*, the
    influence of the first record that is not in L, and is false without it. *)
Theorem relaxed_keeps : usable q -> 1 <= B ->
  leaks_at_most (Rmax (first_influence al be El Er n p t) (relaxed_bound al be El Er q n p t))
    al be n p (side_of p t r) /\ first_influence al be El Er n p t <= B.
Proof.
  intros u B1. destruct (first_bounds c 1 ltac:(lia)) as [one most].
  split; [|now apply most].
  assert (q01 : forall k, 0 <= q k <= 1) by (intros k; specialize (u k); lra).
  apply leaks_of_side; [easy|].
  apply (conditions_sufficient al be al0 ltac:(lra) ltac:(lra) be1); auto.
  - intros k. apply q01.
  - apply Rle_trans with (1 := one). apply Rmax_l.
  - exact i0_decreases.
  - intros j D i. now apply i1_decreases.
  - intros D z less large shown. destruct (shown_influence D z shown) as [le i0B].
    apply Rle_trans with (1 := le). apply Rle_trans with (2 := Rmax_l _ _).
    unfold first_influence. rewrite (first_from_at c 1 D); [cbn [Nat.add]; lra|easy| |exact i0B].
    intros j i. apply large. lia.
  - apply relaxed_meets; [easy|]. apply Rmax_r.
Qed.

(** What (4) is for (massny2025, section IV-B): a side keeps its budget if the right side of (4) is
    at most that.
    Differs: ratios instead of levels; either side of the record. *)
Theorem relaxed_suffices : usable q -> relaxed_bound al be El Er q n p t <= B ->
  leaks_at_most B al be n p (side_of p t r).
Proof.
  intros u le. assert (q01 : forall k, 0 <= q k <= 1) by (intros k; specialize (u k); lra).
  apply conditions_suffice; [easy| |now apply relaxed_meets].
  apply Rle_trans with (2 := le). apply Rmax_l.
Qed.

Lemma delta_of_medium D : 1 <= B -> if_medium al be B D (delta_of al be B c D) <= B.
Proof.
  clear pn. intros B1. unfold if_medium, delta_of.
  destruct Rlt_dec as [|m0]; [easy|]. destruct (Rlt_dec B (i1 D)) as [m1|]; [|easy].
  destruct Nat.ltb; [|easy]. destruct Rlt_dec; [|lra]. destruct D as [|D].
  - exfalso. unfold TwoStates.i1, larger, of_c in m1. simpl in m1.
    replace (1 - 1) with 0 in m1 by lra. unfold Rdiv in m1.
    rewrite Rinv_0, Rmult_0_r, Rinv_0, Rmax_left in m1; lra.
  - apply Rle_trans with (i0 (S D)); [|lra]. apply i0_decreases. lia.
Qed.

(** A feasible point of the relaxed program (massny2025, section IV-B): no delta_t is more than the
    budget of its side, and with q_k = 1 for all k the right side of (4) is at most that.
    Differs: ratios instead of levels; either side of the record. *)
Theorem delta_at_most : unredacted q -> 1 <= B ->
  delta_at al be El Er n p t <= B /\ relaxed_bound al be El Er q n p t <= B.
Proof.
  clear pn. intros ones B1. split; [now apply delta_of_medium|].
  unfold relaxed_bound, relaxed_of. apply Rmax_lub; [easy|].
  apply largest_below; [lra|]. intros D _.
  replace (product_to al be B qs D) with 1.
  { unfold Rdiv. rewrite Rinv_1, Rmult_1_r. now apply delta_of_medium. }
  unfold product_to. symmetry. generalize (seq 1 D) as l.
  induction l as [|k l IH]; cbn [prod]; [easy|]. rewrite IH.
  unfold medium_chance, if_medium, side_chances. rewrite ones.
  destruct Rlt_dec; [lra|]. destruct Rlt_dec; lra.
Qed.
End Mechanism.
End Kept.
