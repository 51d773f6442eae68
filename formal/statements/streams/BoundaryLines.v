(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/BoundaryLines.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Regions Slopes Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition convex : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (a : R)
      (b : R)
      (c : R)
      (d : R)
      (s : R)
      (t : R),
    0 <= s ->
    0 <= t ->
    s + t = 1 ->
    Regions.region M x y a b ->
    Regions.region M x y c d ->
    Regions.region M x y (s * a + t * c) (s * b + t * d).

Definition other_order : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (ratio : R)
      (inverse : R)
      (delta : R)
      (a : R)
      (b : R),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    0 < ratio ->
    inverse * ratio = 1 ->
    Slopes.shift inverse delta (M y) (M x) ->
    a + ratio * b = (Σ w_, Rmin (M x w_) (ratio * M y w_)) <-> inverse * a + b + delta = 1.

Definition own_order : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (ratio : R)
      (delta : R)
      (a : R)
      (b : R),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Slopes.shift ratio delta (M x) (M y) ->
    a + ratio * b = (Σ w_, Rmin (M x w_) (ratio * M y w_)) <-> a + ratio * b + delta = 1.
