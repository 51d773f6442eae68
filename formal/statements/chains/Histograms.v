(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Histograms.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Histograms Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition histogram_lipschitz : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (x : Chain.vec A n)
      (y : Chain.vec A n),
    Histograms.differ_once x y ->
    Histograms.distance_l1 (Histograms.frequencies (dA) (n := n) x) (Histograms.frequencies (dA)
      (n := n) y) <= 2 / INR n.
