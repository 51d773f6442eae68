(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Elimination.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Elimination Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition beside_the_record : Prop :=
  forall (U X Y : Type) `{Sums.Finite U} `{Sums.Finite X} `{Sums.Finite Y}
      (rj : U -> U -> R)
      (law : X -> Y -> R)
      (h : U -> X -> Y -> R),
    (forall u_ v_, 0 <= law u_ v_) ->
    (forall u : U, forall v : U, forall x : X, forall y : Y, ((h u) x) y <= (rj u) v * ((h v) x)
      y) ->
    forall u : U, forall v : U, forall x : X, Σ y, (law x) y * ((h u) x) y <= (rj u) v * (Σ y,
      (law x) y * ((h v) x) y).

Definition one_record : Prop :=
  forall (U X Y : Type) `{Sums.Finite U} `{Sums.Finite X} `{Sums.Finite Y}
      (rj : U -> U -> R)
      (ry : Y -> Y -> R)
      (B : U -> U -> R)
      (p : U -> X -> Y -> R)
      (h : U -> X -> Y -> R),
    (forall u : U, forall u_ v_, 0 <= (p u) u_ v_) ->
    (forall u : U, forall u_ v_, 0 <= (h u) u_ v_) ->
    (forall u : U, forall v : U, forall x : X, forall y : Y, ((h u) x) y <= (rj u) v * ((h v) x)
      y) ->
    (forall u : U, forall x : X, forall a : Y, forall b : Y, ((h u) x) a <= (ry a) b * ((h u) x)
      b) ->
    (forall u : U, forall v : U, forall x : X, Elimination.rays_grow ry ((p u) x) ((p v) x) ((B u)
      v)) ->
    forall u : U, forall v : U, forall x : X, Σ y, ((p u) x) y * ((h u) x) y <= (rj u) v * ((B u)
      v * (Σ y, ((p v) x) y * ((h v) x) y)).

Definition rays_from_one_side : Prop :=
  forall (Y : Type) `{Sums.Finite Y}
      (ry : Y -> Y -> R)
      (r : Y -> R),
    (forall a : Y, forall b : Y, forall c : Y, (ry a) c <= (ry a) b * (ry b) c) ->
    Elimination.ray ry r ->
    Elimination.from_one_side ry r.
