(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Streams.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Pufferfish Streams Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition last_level : Prop :=
  forall (Block W : Type) `{Sums.Finite Block} `{Sums.Finite W}
      (p : nat -> Block -> R)
      (B : nat)
      (K0 : nat -> list Block -> W -> R)
      (K1 : nat -> list Block -> W -> R)
      (gamma : nat -> W -> R)
      (eps : R)
      (ys : list W)
      (y : W)
      (z : list Block),
    (forall j_, Pufferfish.law (p j_)) ->
    Streams.positive_at_windows B K0 ->
    Streams.positive_at_windows B K1 ->
    Streams.steps_within p B K0 K1 gamma ->
    Streams.known p B (S (List.length ys)) z ->
    Streams.one_step p B K0 (List.length ys) y z <= exp eps * Streams.one_step p B K1 (List.length
      ys) y z ->
    Streams.given p B K0 (S (List.length ys)) (List.app ys [y]) z <= exp (Streams.total gamma 0 ys
      + eps) * Streams.given p B K1 (S (List.length ys)) (List.app ys [y]) z.

Definition product_of_levels : Prop :=
  forall (Block W : Type) `{Sums.Finite Block} `{Sums.Finite W}
      (p : nat -> Block -> R)
      (B : nat)
      (K0 : nat -> list Block -> W -> R)
      (K1 : nat -> list Block -> W -> R)
      (gamma : nat -> W -> R)
      (ys : list W)
      (z : list Block)
      (z' : list Block),
    (forall j_, Pufferfish.law (p j_)) ->
    Streams.positive_at_windows B K0 ->
    Streams.positive_at_windows B K1 ->
    Streams.steps_within p B K0 K1 gamma ->
    Streams.known p B (List.length ys) z ->
    Streams.known p B (List.length ys) z' ->
    Streams.given p B K0 (List.length ys) ys z <= exp (Streams.total gamma 0 ys) * Streams.given p
      B K1 (List.length ys) ys z'.
