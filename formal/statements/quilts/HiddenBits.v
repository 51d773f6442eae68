(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/quilts/HiddenBits.v. *)
From Coq Require Import Reals List.
From Pufferproof Require HiddenBits Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition admitted : Prop :=
  forall (p : R)
      (q1 : R)
      (T : nat)
      (b : nat),
    (0 < p < 1) /\ (0 < q1 < 1) ->
    ((O) < b)%nat ->
    HiddenBits.curve_at_most (HiddenBits.printed_curve p q1 b) p q1 T b.

Definition equal : Prop :=
  forall (ratio : R)
      (p : R)
      (q1 : R)
      (T : nat)
      (b : nat),
    (0 < p < 1) /\ (0 < q1 < 1) ->
    ((O) < b)%nat ->
    (((b + b)%nat) < T)%nat ->
    p = q1 ->
    HiddenBits.curve_at_most ratio p q1 T b <-> HiddenBits.printed_curve p q1 b <= ratio.

Definition positive : Prop :=
  forall (ratio : R)
      (p : R)
      (q1 : R)
      (T : nat)
      (b : nat),
    (0 < p < 1) /\ (0 < q1 < 1) ->
    ((O) < b)%nat ->
    (((b + b)%nat) < T)%nat ->
    1 <= p + q1 ->
    HiddenBits.curve_at_most ratio p q1 T b <-> HiddenBits.printed_curve p q1 b <= ratio.
