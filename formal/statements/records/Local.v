(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/Local.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Local Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition records_kept : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (ratio : R)
      (r : nat -> A -> R)
      (v : Chain.vec (option A) n)
      (pairs : @Pufferfish.secret (Chain.vec A n) -> @Pufferfish.secret (Chain.vec A n) -> Prop)
      (priors : (Chain.vec A n -> R) -> Prop),
    Pufferfish.pufferfish ratio (Local.local dA r (n := n)) pairs priors ->
    0 < Local.released r v ->
    Pufferfish.pufferfish ratio (fun x_ (_ : unit) => Local.has dA v x_) pairs priors.
