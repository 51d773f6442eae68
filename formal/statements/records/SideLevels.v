(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/SideLevels.v. *)
From Coq Require Import Reals List.
From Pufferproof Require BothSides Redaction SideLevels SidesOfRecord Stationary Sums TwoStates.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition both_levels : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (t : nat)
      (p : nat)
      (u : nat)
      (r : nat -> bool -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    a + b < 1 ->
    (t < p)%nat ->
    (p < u)%nat ->
    (u < n)%nat ->
    Redaction.chances r ->
    BothSides.always_replaced p r ->
    SideLevels.first_shown p t r false ->
    SideLevels.first_shown p u r false ->
    Stationary.leaks_at_most ratio a b n p r <-> TwoStates.i0 a b (SidesOfRecord.distance_to p t)
      * TwoStates.i0 a b (SidesOfRecord.distance_to p u) <= ratio /\ SideLevels.divides
      (BothSides.largest_ratio a b n p (SideLevels.side_of p t r) true) (BothSides.largest_ratio a
      b n p (SideLevels.side_of p u r) true) ratio.

Definition first_is_extreme : Prop :=
  forall (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (t : nat)
      (r : nat -> bool -> R)
      (v : bool),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    Redaction.chances r ->
    BothSides.always_replaced p r ->
    (t < n)%nat ->
    SideLevels.first_shown p t r v ->
    BothSides.largest_ratio a b n p (SideLevels.side_of p t r) (SideLevels.towards a b v
      (SidesOfRecord.distance_to p t)) = SideLevels.influence_at a b v (SidesOfRecord.distance_to
      p t).
