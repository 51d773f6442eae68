(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Weights.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Pufferfish Sums Weights.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition weights_exactly : Prop :=
  forall (I D W : Type) `{Sums.Finite I} `{Sums.Finite D} `{Sums.Finite W}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (eps : R)
      (Ms : I -> D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    (forall i : I, Pufferfish.likelihood (Ms i)) ->
    Weights.composing eps Ms pairs priors <-> Weights.has_weights eps Ms pairs priors.
