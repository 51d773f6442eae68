(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Exponential.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Curves Differential Exponential Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition private : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (eps : R)
      (u : D -> W -> R)
      (neighbours : D -> D -> Prop),
    Exponential.sensitive eps u neighbours ->
    Differential.close (exp eps) (Exponential.exponential u) neighbours.

Definition translated : Prop :=
  forall (I D V W : Type) `{Sums.Finite I} `{Sums.Finite D} `{Sums.Finite W}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (b : nat)
      (eps : R)
      (a : R)
      (u : D -> W -> R)
      (neighbours : D -> D -> Prop)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    1 <= exp eps ->
    Exponential.sensitive eps u neighbours ->
    Exponential.one_cell dV X neighbours ->
    Curves.product_of_values dV X ->
    Curves.on_curve dI dV X b (exp a) pairs priors ->
    Pufferfish.pufferfish (exp (INR (b) * eps + a)) (Exponential.exponential u) pairs priors.
