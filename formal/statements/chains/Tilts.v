(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Tilts.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Sums Tilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition walk : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (P : nat -> A -> A -> R)
      (r : nat -> A -> R)
      (n : nat)
      (u : Chain.vec A n -> R)
      (v : A)
      (w : A)
      (b : R),
    Tilts.steps_nonneg P ->
    Tilts.at_least_one r ->
    Tilts.tilted r O n u ->
    (Tilts.walk_end P r O n (Tilts.start dA v w b) <= 0 <-> Tilts.products_told P r n v w b) /\
      (Tilts.walk_end P r O n (Tilts.start dA v w b) <= 0 -> Tilts.mean P O n u v <= b *
      Tilts.mean P O n u w).
