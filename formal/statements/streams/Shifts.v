(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Shifts.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Pufferfish Shifts Streams Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition levels_and_shifts : Prop :=
  forall (Block W : Type) `{Sums.Finite Block} `{Sums.Finite W}
      (p : nat -> Block -> R)
      (B : nat)
      (K0 : nat -> list Block -> W -> R)
      (K1 : nat -> list Block -> W -> R)
      (gamma : nat -> R)
      (delta : nat -> R)
      (eps : R)
      (n : nat)
      (z : list Block),
    (forall j_, Pufferfish.law (p j_)) ->
    Shifts.laws_at_windows B K0 ->
    Shifts.laws_at_windows B K1 ->
    Shifts.sets_of_steps p B K0 K1 gamma delta n ->
    Streams.known p B (S n) z ->
    Shifts.sets_of_step p B K0 K1 n (exp eps) (delta n) z z ->
    Shifts.sets_of_outputs p B K0 K1 (S n) (exp (Shifts.before gamma n + eps)) (Shifts.before
      delta (S n)) z.
