(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Minimal.v. *)
From Coq Require Import Reals List.
From Pufferproof Require MinimalQuilts Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition minimal_in_pieces : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (i : nat)
      (some : nat -> bool)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop),
    TableQuilts.chains_only class ->
    (i < n)%nat ->
    MinimalQuilts.minimal_piece (dA) n i class some <-> MinimalQuilts.one_a_side n i some.

Definition minimal_on_every_chain : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (i : nat)
      (some : nat -> bool),
    (exists x_ y_ : A, x_ <> y_) ->
    (i < n)%nat ->
    MinimalQuilts.minimal_quilt (dA) n i some <-> MinimalQuilts.one_a_side n i some.
