(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/SidesOfRecord.v. *)
From Coq Require Import Reals List.
From Pufferproof Require DataIndependent Redaction RedactionLeakage RelaxedBound SideLevels
  SidesOfRecord Stationary Sums TwoStates.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition bound_of_5 : Prop :=
  forall (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (p : nat)
      (t : nat)
      (x : bool)
      (y : bool)
      (z : bool),
    (0 < a < 1) /\ (0 < b < 1) ->
    RelaxedBound.usable qs ->
    RelaxedBound.medium_before a b El Er qs p t z x <= SideLevels.influence_at a b z (S
      (SidesOfRecord.distance_to p t)) * ((RelaxedBound.largest_product a b El Er qs p t) /
      (RelaxedBound.least_product a b El Er qs p t)) * RelaxedBound.medium_before a b El Er qs p t
      z y /\ (RelaxedBound.largest_product a b El Er qs p t) / (RelaxedBound.least_product a b El
      Er qs p t) = 1 / (RelaxedBound.medium_product a b El Er qs p t) /\ SideLevels.influence_at a
      b z (S (SidesOfRecord.distance_to p t)) <= Rmax (TwoStates.i0 a b (S
      (SidesOfRecord.distance_to p t))) (TwoStates.i1 a b (S (SidesOfRecord.distance_to p t))).

Definition bound_of_6 : Prop :=
  forall (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (p : nat)
      (t : nat)
      (x : bool)
      (y : bool),
    (0 < a < 1) /\ (0 < b < 1) ->
    RelaxedBound.usable qs ->
    RelaxedBound.medium_mean a b El Er qs p t x <= (RelaxedBound.largest_product a b El Er qs p t)
      / (RelaxedBound.least_product a b El Er qs p t) * RelaxedBound.medium_mean a b El Er qs p t
      y /\ (RelaxedBound.largest_product a b El Er qs p t) / (RelaxedBound.least_product a b El Er
      qs p t) = 1 / (RelaxedBound.medium_product a b El Er qs p t).

Definition compose : Prop :=
  forall (El : R)
      (Er : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (r : nat -> bool -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    Redaction.chances r ->
    Stationary.leaks_at_most El a b n p (SidesOfRecord.up_to p r) ->
    Stationary.leaks_at_most Er a b n p (SidesOfRecord.from_on p r) ->
    Stationary.leaks_at_most (El * Er) a b n p r.

Definition conditions_needed : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (n : nat)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    RedactionLeakage.shares qs ->
    Stationary.leaks_at_most ratio a b n p (SideLevels.side_of p t (SidesOfRecord.three_r a b El
      Er qs p)) ->
    RelaxedBound.side_conditions ratio a b El Er qs n p t.

Definition conditions_suffice : Prop :=
  forall (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (n : nat)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    RedactionLeakage.shares qs ->
    1 <= RelaxedBound.side_budget El Er p t ->
    RelaxedBound.side_conditions (RelaxedBound.side_budget El Er p t) a b El Er qs n p t ->
    Stationary.leaks_at_most (RelaxedBound.side_budget El Er p t) a b n p (SideLevels.side_of p t
      (SidesOfRecord.three_r a b El Er qs p)).

Definition delta_at_most : Prop :=
  forall (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (n : nat)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    RelaxedBound.unredacted qs ->
    1 <= RelaxedBound.side_budget El Er p t ->
    RelaxedBound.delta_at a b El Er n p t <= RelaxedBound.side_budget El Er p t /\
      RelaxedBound.relaxed_bound a b El Er qs n p t <= RelaxedBound.side_budget El Er p t.

Definition relaxed_keeps : Prop :=
  forall (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (n : nat)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    RelaxedBound.usable qs ->
    1 <= RelaxedBound.side_budget El Er p t ->
    Stationary.leaks_at_most (Rmax (RelaxedBound.first_influence a b El Er n p t)
      (RelaxedBound.relaxed_bound a b El Er qs n p t)) a b n p (SideLevels.side_of p t
      (SidesOfRecord.three_r a b El Er qs p)) /\ RelaxedBound.first_influence a b El Er n p t <=
      RelaxedBound.side_budget El Er p t.

Definition relaxed_suffices : Prop :=
  forall (a : R)
      (b : R)
      (El : R)
      (Er : R)
      (qs : nat -> R)
      (n : nat)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    RelaxedBound.usable qs ->
    RelaxedBound.relaxed_bound a b El Er qs n p t <= RelaxedBound.side_budget El Er p t ->
    Stationary.leaks_at_most (RelaxedBound.side_budget El Er p t) a b n p (SideLevels.side_of p t
      (SidesOfRecord.three_r a b El Er qs p)).

Definition three_regions_feasible : Prop :=
  forall (El : R)
      (Er : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    1 <= El ->
    1 <= Er ->
    Stationary.leaks_at_most (El * Er) a b n p (SidesOfRecord.three_r a b El Er (fun _ => 1) p).

Definition three_regions_private : Prop :=
  forall (ratio : R)
      (El : R)
      (Er : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (qs : nat -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    RedactionLeakage.shares qs ->
    Stationary.leaks_at_most El a b n p (SidesOfRecord.up_to p (SidesOfRecord.three_r a b El Er qs
      p)) ->
    Stationary.leaks_at_most Er a b n p (SidesOfRecord.from_on p (SidesOfRecord.three_r a b El Er
      qs p)) ->
    El * Er <= ratio ->
    Stationary.leaks_at_most ratio a b n p (SidesOfRecord.three_r a b El Er qs p).

Definition three_regions_utility : Prop :=
  forall (El : R)
      (Er : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (qs : nat -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    DataIndependent.shown_share a b (SidesOfRecord.three_r a b El Er qs p) n =
      SidesOfRecord.three_r_share a b El Er qs n p.
