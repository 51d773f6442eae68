(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/SidesOfRecord.v. *)
From Coq Require Import Reals List.
From Pufferproof Require DataIndependent Redaction RedactionLeakage SidesOfRecord Stationary Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

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
