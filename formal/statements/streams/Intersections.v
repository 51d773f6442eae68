(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Intersections.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Intersections Regions Slopes Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition region_is_intersection : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (a : R)
      (b : R),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    (forall u_ v_, 0 <= M u_ v_) ->
    Regions.region M x y a b <-> Regions.square a b /\ Intersections.between (M x) (M y) a b /\
      Intersections.between (M y) (M x) b a.

Definition same_region : Prop :=
  forall (D W E V : Type) `{Sums.Finite W} `{Sums.Finite V}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (N : E -> V -> R)
      (u : E)
      (v : E)
      (a : R)
      (b : R),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    (forall u_ v_, 0 <= M u_ v_) ->
    (forall x_, (Σ y_, N x_ y_) = 1) ->
    (forall u_ v_, 0 <= N u_ v_) ->
    Intersections.same_list (M x) (M y) (N u) (N v) ->
    Intersections.same_list (M y) (M x) (N v) (N u) ->
    Regions.region M x y a b <-> Regions.region N u v a b.

Definition same_shifts : Prop :=
  forall (D W E V : Type) `{Sums.Finite W} `{Sums.Finite V}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (N : E -> V -> R)
      (u : E)
      (v : E)
      (ratio : R)
      (delta : R),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    (forall u_ v_, 0 <= M u_ v_) ->
    (forall x_, (Σ y_, N x_ y_) = 1) ->
    (forall u_ v_, 0 <= N u_ v_) ->
    Intersections.same_list (M x) (M y) (N u) (N v) ->
    Intersections.same_list (M y) (M x) (N v) (N u) ->
    Slopes.shift ratio delta (M x) (M y) <-> Slopes.shift ratio delta (N u) (N v).
