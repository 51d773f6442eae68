(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/RaysSpan.v. *)
From Coq Require Import Reals List.
From Pufferproof Require RaysSpan Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition rays_span : Prop :=
  forall (Z D : Type) `{Sums.Finite Z} `{Sums.Finite D}
      (A : Z -> D -> R)
      (u : D -> R),
    (forall u_, 0 <= u u_) ->
    (forall z : Z, Σ x, (A z) x * u x <= 0) ->
    RaysSpan.spanned_by_rays A u.
