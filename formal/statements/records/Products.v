(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/Products.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain ProductClasses ProductPriors Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition against_others_is_dp : Prop :=
  forall (A W : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (ratio : R)
      (M : Chain.vec A n -> W -> R),
    1 <= ratio ->
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish ratio M (ProductClasses.against_others dA (n := n))
      (ProductPriors.product_laws (A := A)) <-> ProductPriors.dp_for_records (A := A) (n := n)
      ratio M.

Definition full_support_is_dp : Prop :=
  forall (A W : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (ratio : R)
      (M : Chain.vec A n -> W -> R),
    1 <= ratio ->
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish ratio M (ProductPriors.values_of_records dA (n := n))
      (ProductClasses.full_products (A := A)) <-> ProductPriors.dp_for_records (A := A) (n := n)
      ratio M.

Definition product_is_dp : Prop :=
  forall (A W : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (ratio : R)
      (M : Chain.vec A n -> W -> R),
    1 <= ratio ->
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish ratio M (ProductPriors.values_of_records dA (n := n))
      (ProductPriors.product_laws (A := A)) <-> ProductPriors.dp_for_records (A := A) (n := n)
      ratio M.
