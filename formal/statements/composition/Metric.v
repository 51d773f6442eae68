(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Metric.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Metric Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition power_closed : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (neighbours : D -> D -> Prop)
      (d : D -> D -> nat)
      (Rs : list R)
      (mu : D -> R)
      (nu : D -> R)
      (L : R),
    Metric.symmetric_distance neighbours d ->
    Rs <> nil ->
    (forall R : R, List.In R Rs -> 1 <= R) ->
    Metric.mechanisms_bounded neighbours d Rs mu nu L <-> Metric.columns_bounded neighbours d
      (Metric.product_of Rs) mu nu L.
