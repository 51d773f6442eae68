(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Adaptive.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Adaptive Sums Vertices.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition adaptive_at_rays : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (T : list ((D -> R) * (D -> R)))
      (Rs : list R)
      (L : R),
    Vertices.pairs_of_laws T ->
    (forall R : R, List.In R Rs -> 1 <= R) ->
    Adaptive.adaptively_bounded T Rs L <-> Vertices.bounded_at_rays T Rs L.
