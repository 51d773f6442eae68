(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/QuiltsOfRecords.v. *)
From Coq Require Import Reals List.
From Pufferproof Require QuiltsOfRecords RedactionLeakage Stationary Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition at_least : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (Q : nat -> bool)
      (rho : nat -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    (forall k_, Q k_ = true -> rho k_ < 1) ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    QuiltsOfRecords.influences_at_most ratio a b n p Q.

Definition equal : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (Q : nat -> bool)
      (N : nat -> bool)
      (rho : nat -> R),
    (0 < a < 1) /\ (0 < b < 1) ->
    RedactionLeakage.shares rho ->
    (forall k_, Q k_ = true -> rho k_ < 1) ->
    (forall k_, N k_ = true -> rho k_ = 1) ->
    QuiltsOfRecords.quilt_of a b n p Q N ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) <->
      QuiltsOfRecords.influences_at_most ratio a b n p Q.
