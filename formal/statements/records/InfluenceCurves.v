(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/InfluenceCurves.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Convexity InfluenceCurves SidesOfRecord Sums TwoStates.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition closed : Prop :=
  forall (a : R)
      (b : R)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    ~ (p = t)%nat ->
    InfluenceCurves.influence_on a b p t false = TwoStates.i0 a b (SidesOfRecord.distance_to p t)
      /\ InfluenceCurves.influence_on a b p t true = TwoStates.i1 a b (SidesOfRecord.distance_to p
      t) /\ TwoStates.i0 a b (SidesOfRecord.distance_to p t) <= TwoStates.i1 a b
      (SidesOfRecord.distance_to p t).

Definition convex_at_even : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    0 < a /\ a <= b /\ b < 1 ->
    Nat.odd (S D) = false ->
    InfluenceCurves.convex (TwoStates.i0 a b) (S D).

Definition convex_at_odd : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    0 < a /\ a <= b /\ b < 1 ->
    Nat.odd (S D) = true ->
    InfluenceCurves.convex (TwoStates.i1 a b) (S D).

Definition convex_by_two : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    (0 < a < 1) /\ (0 < b < 1) ->
    InfluenceCurves.convex_by_two (TwoStates.i0 a b) (S D) /\ InfluenceCurves.convex_by_two
      (TwoStates.i1 a b) (S D).

Definition convex_if_equal : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    (0 < a < 1) /\ (0 < b < 1) ->
    a = b ->
    InfluenceCurves.convex (TwoStates.i0 a b) (S D) /\ InfluenceCurves.convex (TwoStates.i1 a b)
      (S D).

Definition convex_up : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    (0 < a < 1) /\ (0 < b < 1) ->
    a + b <= 1 ->
    InfluenceCurves.convex (TwoStates.i0 a b) (S D) /\ InfluenceCurves.convex (TwoStates.i1 a b)
      (S D).

Definition convex_where_0 : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    0 < a /\ a <= b /\ b < 1 ->
    1 < a + b ->
    Nat.odd (S D) = true ->
    Convexity.same_sign (Convexity.bend (TwoStates.i0 a b) (S D)) (Convexity.condition_at a b (S
      D) a b).

Definition convex_where_1 : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    0 < a /\ a <= b /\ b < 1 ->
    1 < a + b ->
    Nat.odd (S D) = false ->
    Convexity.same_sign (Convexity.bend (TwoStates.i1 a b) (S D)) (Convexity.condition_at a b (S
      D) b a).

Definition falling : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    (0 < a < 1) /\ (0 < b < 1) ->
    ~ (a + b = 1) ->
    InfluenceCurves.falls (TwoStates.i0 a b) (S D) /\ InfluenceCurves.falls (TwoStates.i1 a b) (S
      D).

Definition in_order : Prop :=
  forall (a : R)
      (b : R)
      (p : nat)
      (t : nat),
    0 < a /\ a <= b /\ b < 1 ->
    ~ (p = t)%nat ->
    InfluenceCurves.influence_on a b p t false <= InfluenceCurves.influence_on a b p t true.

Definition vanishing : Prop :=
  forall (a : R)
      (b : R)
      (D : nat),
    (0 < a < 1) /\ (0 < b < 1) ->
    a + b = 1 ->
    TwoStates.i0 a b (S D) = 1 /\ TwoStates.i1 a b (S D) = 1.
