(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Zonotopes.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Regions Sums Zonotopes.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition zonotope_form : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (a : R)
      (b : R),
    Regions.region M x y a b <-> Zonotopes.choice (M x) (M y) a b.
