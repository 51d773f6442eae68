(** What one side of a 3R mechanism leaks, on numbers; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Means Redaction TwoStates RedactionLeakage.
From Pufferproof Require Import Stationary SidesOfRecord BothSides SideLevels.
From Pufferproof Require Import MediumRecords RelaxedBound.
Import ListNotations.
Open Scope R_scope.

(** a = 1/4, b = 1/2, two records, the first one private; e^eps_r = 7/4 puts the other one in M. *)
Notation quarter := (1/4).
Notation half := (1/2).
Notation of q := (side_of 0 1 (three_r quarter half 1 (7/4) (fun _ => q) 0)).

Lemma i0_at_1 : i0 quarter half 1 = 3/2.
Proof.
  unfold i0, larger, of_c, lam.
  replace ((1 + quarter / half * (1 - quarter - half) ^ 1) / (1 - (1 - quarter - half) ^ 1))
    with (3/2) by (simpl; field).
  replace (/ (3/2)) with (2/3) by field. apply Rmax_left. lra.
Qed.
Lemma i1_at_1 : i1 quarter half 1 = 2.
Proof.
  unfold i1, larger, of_c, lam.
  replace ((1 + half / quarter * (1 - quarter - half) ^ 1) / (1 - (1 - quarter - half) ^ 1))
    with 2 by (simpl; field).
  apply Rmax_left. lra.
Qed.
Lemma medium_at_1 u : if_medium quarter half (7/4) 1 u = u.
Proof.
  unfold if_medium. rewrite i0_at_1, i1_at_1. destruct Rlt_dec; [lra|]. destruct Rlt_dec; lra.
Qed.
Lemma mean_of q x : mean_weight quarter half (medium_weight quarter half (7/4) (fun _ => q)) 1 0 x =
  if x then half * q + half else 3/4 * q + quarter.
Proof.
  rewrite mean_weight_next, !mean_weight_0. unfold medium_weight. rewrite !medium_at_1.
  destruct x; simpl; lra.
Qed.

(** With q = 4/7 the right side of (4) is 7/4: the side keeps this. *)
Lemma relaxed_of_side : relaxed_bound quarter half 1 (7/4) (fun _ => 4/7) 2 0 1 = 7/4.
Proof.
  unfold relaxed_bound, relaxed_of, side_budget, size_of_side, side_chances, delta_of, product_to,
    medium_chance. cbn -[Rmax Rdiv IZR if_medium i0 i1]. rewrite !medium_at_1.
  replace (1 / (4/7 * 1)) with (7/4) by field. rewrite (Rmax_left (7/4)), Rmax_right; lra.
Qed.
Lemma four_sevenths : usable (fun _ => 4/7).
Proof. intros k. lra. Qed.
Example relaxed_suffices_used : leaks_at_most (7/4) quarter half 2 0 (of (4/7)).
Proof.
  apply (relaxed_suffices quarter half ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4) (fun _ => 4/7) 2 0 1
    ltac:(lia) four_sevenths). rewrite relaxed_of_side. unfold side_budget. simpl. lra.
Qed.
Example relaxed_keeps_used : leaks_at_most (7/4) quarter half 2 0 (of (4/7)).
Proof.
  destruct (relaxed_keeps quarter half ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4) (fun _ => 4/7) 2 0 1
    ltac:(lia) four_sevenths ltac:(unfold side_budget; simpl; lra)) as [kept most].
  rewrite relaxed_of_side, Rmax_right in kept; [exact kept|]. exact most.
Qed.

(** q = 1/2 meets condition (6). *)
Example conditions_suffice_used : leaks_at_most (7/4) quarter half 2 0 (of half).
Proof.
  apply (conditions_suffice quarter half ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4) (fun _ => half)
    2 0 1 ltac:(lia) ltac:(intros; lra) ltac:(unfold side_budget; simpl; lra)).
  intros D i _ x. change (1 <= D <= 1)%nat in i. assert (D = 1%nat) as -> by lia. split.
  - intros less. change (1 < 1)%nat in less. lia.
  - intros _. change (side_budget 1 (7/4) 0 1) with (7/4).
    change (side_chances (fun _ => half) 0 1) with (fun _ : nat => half).
    rewrite !mean_of. destruct x; simpl; lra.
Qed.

(** q = 0 does not: the side leaks 2. *)
Example conditions_needed_used : ~ leaks_at_most (7/4) quarter half 2 0 (of 0).
Proof.
  intros kept. pose proof (conditions_needed quarter half ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4)
    (fun _ => 0) 2 0 1 ltac:(lia) (7/4) ltac:(intros; lra) kept 1%nat) as met.
  change (side_budget 1 (7/4) 0 1) with (7/4) in met.
  change (side_chances (fun _ => 0) 0 1) with (fun _ : nat => 0) in met.
  change (size_of_side 2 0 1) with 1%nat in met.
  rewrite i0_at_1, i1_at_1 in met. destruct (met ltac:(lia) ltac:(lra) true) as [_ last].
  specialize (last eq_refl). rewrite !mean_of in last. simpl in last. lra.
Qed.

(** The bounds by products; they are no equalities. *)
Example bound_of_6_used : half * (4/7) + half <= 7/4 * (3/4 * (4/7) + quarter).
Proof.
  destruct (bound_of_6 quarter half ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4)
    (fun _ => 4/7) 0 1 four_sevenths true false) as [le price_]. rewrite price_ in le.
  unfold medium_mean, medium_product, product_to, medium_chance in le.
  change (side_budget 1 (7/4) 0 1) with (7/4) in le.
  change (distance_to 0 1) with 1%nat in le.
  change (side_chances (fun _ => 4/7) 0 1) with (fun _ : nat => 4/7) in le.
  rewrite !mean_of in le. cbn [seq prod] in le. rewrite medium_at_1 in le.
  replace (1 / (4/7 * 1)) with (7/4) in le by field. exact le.
Qed.
Example bound_of_5_used : largest_product quarter half 1 (7/4) (fun _ => 4/7) 0 1 /
  least_product quarter half 1 (7/4) (fun _ => 4/7) 0 1 = 7/4.
Proof.
  destruct (bound_of_5 quarter half ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4)
    (fun _ => 4/7) 0 1 four_sevenths true true false) as [_ [-> _]].
  unfold medium_product, product_to, medium_chance.
  change (side_budget 1 (7/4) 0 1) with (7/4). change (distance_to 0 1) with 1%nat.
  cbn [seq prod]. rewrite medium_at_1. unfold side_chances. field.
Qed.

(** Without redaction the right side of (4) is at most the budget. *)
Example delta_at_most_used : relaxed_bound quarter half 1 (7/4) (fun _ => 1) 2 0 1 <= 7/4.
Proof.
  pose proof (delta_at_most quarter half ltac:(lra) ltac:(lra) ltac:(lra) 1 (7/4) (fun _ => 1)
    2 0 1) as found.
  change (side_budget 1 (7/4) 0 1) with (7/4) in found. apply found; [easy|lra].
Qed.
