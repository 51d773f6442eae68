(** A stationary chain of bits and its redaction on numbers; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain InnerBit Redaction TwoStates.
From Pufferproof Require Import RedactionLeakage Influences RedactionUtility Stationary.
From Pufferproof Require Import DataIndependent SidesOfRecord InfluenceCurves QuiltsOfRecords.
From Pufferproof Require Import Convexity.
Import ListNotations.
Open Scope R_scope.

(** a = b = 1/3: a neighbour tells 2, and the next one 5/4. *)
Lemma i1_third D : i1 (1/3) (1/3) D = larger ((1 + (1/3) ^ D) / (1 - (1/3) ^ D)).
Proof.
  unfold i1, of_c, lam. replace (1 - 1/3 - 1/3) with (1/3) by field.
  now replace (1/3 / (1/3)) with 1 by field; rewrite Rmult_1_l.
Qed.
Lemma first_third : i1 (1/3) (1/3) 1 = 2.
Proof. rewrite i1_third, larger_above; simpl; lra. Qed.
Lemma second_third : i1 (1/3) (1/3) 2 = 5/4.
Proof. rewrite i1_third, larger_above; simpl; lra. Qed.

(** Two records, the first is private and replaced, the second shown half of the time. *)
Definition half (k : nat) : R := match k with O => 1 | _ => 1/2 end.
Lemma half_shares : shares half.
Proof. intros [|k]; simpl; lra. Qed.
Lemma half_radius : radius half 2 0 0 0.
Proof.
  repeat split; try lia; try (intros; simpl; lra). intros j i. now replace j with 0%nat by lia.
Qed.

Example leakage_by_radius_used : leaks_at_most 2 (1/3) (1/3) 2 0 (dim half).
Proof.
  apply (leakage_by_radius (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 0 0 0 half 2
    half_shares half_radius).
  unfold leakage_of_radius. simpl. rewrite first_third. lra.
Qed.

Example less_is_not_enough : ~ leaks_at_most (19/10) (1/3) (1/3) 2 0 (dim half).
Proof.
  intros promise.
  pose proof (private_only_if (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 0 0 0 half (19/10)
    half_shares half_radius (or_introl eq_refl) promise) as least.
  unfold of_radius, of_side in least. simpl in least. rewrite first_third in least. lra.
Qed.

(** At 3/2 nothing is shown. *)
Example utility_of_private_used rho : shares rho ->
  leaks_at_most (3/2) (1/3) (1/3) 2 0 (dim rho) -> dim_share rho 2 <= 0.
Proof.
  intros s promise.
  apply (utility_of_private (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 0 rho (3/2) s
    ltac:(lia) promise).
  simpl. rewrite first_third. lra.
Qed.

(** Three records, the middle one private: both sides tell 2, together 4, and not less. *)
Definition ends (k : nat) : R := match k with 1%nat => 1 | _ => 0 end.
Lemma ends_shares : shares ends.
Proof. intros [|[|k]]; simpl; lra. Qed.

Example three_r_feasible_used :
  leaks_at_most (2 * 2) (1/3) (1/3) 3 1 (three_r (1/3) (1/3) 2 2 (fun _ => 1) 1).
Proof. apply three_r_feasible; (lra || lia). Qed.

Example sides_add_used El Er r : chances r ->
  leaks_at_most El (1/3) (1/3) 3 1 (up_to 1 r) -> leaks_at_most Er (1/3) (1/3) 3 1 (from_on 1 r) ->
  leaks_at_most (El * Er) (1/3) (1/3) 3 1 r.
Proof. intros r01. apply sides_add; auto; (lra || lia). Qed.

Example three_r_private_used q : (forall k, 0 <= q k <= 1) ->
  leaks_at_most 2 (1/3) (1/3) 3 1 (up_to 1 (three_r (1/3) (1/3) 2 2 q 1)) ->
  leaks_at_most 2 (1/3) (1/3) 3 1 (from_on 1 (three_r (1/3) (1/3) 2 2 q 1)) ->
  leaks_at_most 5 (1/3) (1/3) 3 1 (three_r (1/3) (1/3) 2 2 q 1).
Proof. intros q01. apply three_r_private; auto; (lra || lia). Qed.

Example sides_need_their_product : ~ leaks_at_most (39/10) (1/3) (1/3) 3 1 (dim ends).
Proof.
  assert (rad : radius ends 3 1 0 0).
  { repeat split; try lia; try (intros; simpl; lra). intros j i. now replace j with 1%nat by lia. }
  intros promise.
  pose proof (private_only_if (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 3 1 0 0 ends (39/10)
    ends_shares rad (or_introl eq_refl) promise) as least.
  unfold of_radius, of_side in least. simpl in least. rewrite first_third in least. lra.
Qed.

Example influences_of_values_used : influence_on (1/3) (1/3) 0 1 true = 2 /\
  influence_on (1/3) (1/3) 2 0 true = 5/4.
Proof.
  destruct (influences_of_values (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 0 1
    ltac:(lra) ltac:(easy)) as [_ [-> _]].
  destruct (influences_of_values (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 0
    ltac:(lra) ltac:(easy)) as [_ [-> _]].
  split; [exact first_third|exact second_third].
Qed.

Example influences_fall_used : falls (i1 (1/4) (1/2)) 1.
Proof. now apply influences_fall; try lra. Qed.

(** Those of independent records do not. *)
Example dependence_is_needed : ~ falls (i1 (1/2) (1/2)) 1.
Proof.
  intros [above _]. destruct (influences_vanish (1/2) (1/2) 2 ltac:(lra) ltac:(lia)) as [_ e]. lra.
Qed.

Example convex_if_lam_positive_used : convex (i0 (1/4) (1/2)) 1 /\ convex (i1 (1/4) (1/2)) 1.
Proof. apply convex_if_lam_positive; (lra || lia). Qed.

(** For a = 4/5 and b = 14/15, where lam < 0, i1 is not convex at 2. *)
Example sign_is_needed : ~ convex (i1 (4/5) (14/15)) 2.
Proof.
  assert (E : forall D, i1 (4/5) (14/15) D =
    larger ((1 + 7/6 * (-11/15) ^ D) / (1 - (-11/15) ^ D))).
  { intros D. unfold i1, of_c, lam. replace (1 - 4/5 - 14/15) with (-11/15) by field.
    now replace (14/15 / (4/5)) with (7/6) by field. }
  unfold convex. rewrite !E. rewrite (larger_above (_ / (1 - (-11/15) ^ 2))) by (simpl; lra).
  rewrite (larger_above (_ / (1 - (-11/15) ^ 4))) by (simpl; lra).
  rewrite larger_below by (simpl; lra). simpl. lra.
Qed.

(** There i1 at 2 and the condition are negative together; at 1, an odd distance, i1 is convex, and
    the condition is negative. *)
Example convexity_of_i1_used :
  same_sign (bend (i1 (4/5) (14/15)) 2) (condition_at (4/5) (14/15) 2 (14/15) (4/5)).
Proof. apply convexity_of_i1; (lra || lia || easy). Qed.

Example convexity_of_i0_used :
  same_sign (bend (i0 (4/5) (14/15)) 1) (condition_at (4/5) (14/15) 1 (4/5) (14/15)).
Proof. apply convexity_of_i0; (lra || lia || easy). Qed.

Example parity_is_needed :
  ~ same_sign (bend (i1 (4/5) (14/15)) 1) (condition_at (4/5) (14/15) 1 (14/15) (4/5)).
Proof.
  intros [same _].
  assert (convex (i1 (4/5) (14/15)) 1) as up by (apply convex_at_odd; (lra || lia || easy)).
  assert (below : condition_at (4/5) (14/15) 1 (14/15) (4/5) < 0).
  { unfold condition_at, condition, lam. rewrite (Rabs_left (1 - 4/5 - 14/15)) by lra.
    rewrite (Rabs_right (14/15 / (4/5) - 1)) by lra. simpl. lra. }
  apply same in below. unfold bend in below. unfold convex in up. lra.
Qed.

(** Of three records the last one is shown half of the time: it is a quilt for the first one. *)
Definition last_half (k : nat) : R := match k with 2%nat => 1/2 | _ => 1 end.
Definition the_last (k : nat) : bool := Nat.eqb k 2.

Example leaks_released_used : leaks_at_most (5/4) (1/3) (1/3) 3 0 (dim last_half) ->
  influences_at_most (5/4) (1/3) (1/3) 3 0 the_last.
Proof.
  apply leaks_released. intros k e. apply Nat.eqb_eq in e. subst k. unfold last_half. lra.
Qed.

(** With one record there is nothing but X_0, and the empty set is a quilt. *)
Example leaks_its_quilt_used : leaks_at_most 1 (1/3) (1/3) 1 0 (dim (fun _ => 1)) <->
  influences_at_most 1 (1/3) (1/3) 1 0 (fun _ => false).
Proof.
  refine (leaks_its_quilt (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) (fun _ => 1) 1 0
    (fun _ => false) (fun _ => true) 1 _ _ _ _).
  - intros k. lra.
  - easy.
  - easy.
  - intros b y. unfold released_at, agree, off. simpl. ring.
Qed.
