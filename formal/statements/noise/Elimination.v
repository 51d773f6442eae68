(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Elimination.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition sum_of_rays : Prop :=
  forall (Y Z : Type) `{Sums.Finite Y} `{Sums.Finite Z}
      (ratio : R)
      (B : R)
      (p : Y -> R)
      (q : Y -> R)
      (h : Y -> R)
      (c : Z -> R)
      (r : Z -> Y -> R),
    (forall u_, 0 <= p u_) ->
    0 <= ratio ->
    (forall u_, 0 <= c u_) ->
    (forall y : Y, h y <= ratio * (Σ z, c z * (r z) y)) ->
    (forall z : Z, Σ y, p y * (r z) y <= B * (Σ y, q y * (r z) y)) ->
    Σ y, p y * h y <= ratio * (B * (Σ y, q y * (Σ z, c z * (r z) y))).
