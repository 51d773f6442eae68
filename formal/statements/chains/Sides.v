(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Sides.v. *)
From Coq Require Import Reals List.
From Pufferproof Require GapQuilts Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition sides_multiply : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (m : A -> R)
      (P : A -> A -> R)
      (n : nat)
      (lo : nat)
      (hi : nat)
      (i : nat)
      (v : A)
      (w : A)
      (a : R)
      (b : R),
    Pufferfish.law m ->
    Pufferfish.kernel P ->
    (lo < (S i))%nat ->
    (i < hi)%nat ->
    (hi < (S n))%nat ->
    GapQuilts.quilt_within (dA) a m P n lo n i v w ->
    GapQuilts.quilt_within (dA) b m P n O hi i v w ->
    GapQuilts.quilt_within (dA) (a * b) m P n lo hi i v w.
