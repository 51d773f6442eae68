(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/BothSides.v. *)
From Coq Require Import Reals List.
From Pufferproof Require BothSides Redaction SidesOfRecord Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition all_of_it : Prop :=
  forall (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (r : nat -> bool -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    Redaction.chances r ->
    BothSides.always_replaced p r ->
    BothSides.leakage_of_record a b n p r = BothSides.leakage_of_record a b n p
      (SidesOfRecord.up_to p r) * BothSides.leakage_of_record a b n p (SidesOfRecord.from_on p r)
      <-> BothSides.largest_ratio a b n p (SidesOfRecord.up_to p r) false =
      BothSides.leakage_of_record a b n p (SidesOfRecord.up_to p r) /\ BothSides.largest_ratio a b
      n p (SidesOfRecord.from_on p r) false = BothSides.leakage_of_record a b n p
      (SidesOfRecord.from_on p r) \/ BothSides.largest_ratio a b n p (SidesOfRecord.up_to p r)
      true = BothSides.leakage_of_record a b n p (SidesOfRecord.up_to p r) /\
      BothSides.largest_ratio a b n p (SidesOfRecord.from_on p r) true =
      BothSides.leakage_of_record a b n p (SidesOfRecord.from_on p r).

Definition between : Prop :=
  forall (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (r : nat -> bool -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    Redaction.chances r ->
    BothSides.always_replaced p r ->
    BothSides.leakage_of_record a b n p (SidesOfRecord.up_to p r) <= BothSides.leakage_of_record a
      b n p r /\ BothSides.leakage_of_record a b n p (SidesOfRecord.from_on p r) <=
      BothSides.leakage_of_record a b n p r /\ BothSides.leakage_of_record a b n p r <=
      BothSides.leakage_of_record a b n p (SidesOfRecord.up_to p r) * BothSides.leakage_of_record
      a b n p (SidesOfRecord.from_on p r).

Definition exactly : Prop :=
  forall (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (r : nat -> bool -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    Redaction.chances r ->
    BothSides.always_replaced p r ->
    BothSides.leakage_of_record a b n p r = Rmax (BothSides.largest_ratio a b n p
      (SidesOfRecord.up_to p r) false * BothSides.largest_ratio a b n p (SidesOfRecord.from_on p
      r) false) (BothSides.largest_ratio a b n p (SidesOfRecord.up_to p r) true *
      BothSides.largest_ratio a b n p (SidesOfRecord.from_on p r) true).

Definition more_than_half : Prop :=
  forall (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (r : nat -> bool -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (p < n)%nat ->
    Redaction.chances r ->
    BothSides.always_replaced p r ->
    1 < BothSides.leakage_of_record a b n p (SidesOfRecord.up_to p r) *
      BothSides.leakage_of_record a b n p (SidesOfRecord.from_on p r) ->
    BothSides.leakage_of_record a b n p (SidesOfRecord.up_to p r) * BothSides.leakage_of_record a
      b n p (SidesOfRecord.from_on p r) < BothSides.leakage_of_record a b n p r *
      BothSides.leakage_of_record a b n p r.
