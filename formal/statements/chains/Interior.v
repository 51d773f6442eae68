(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Interior.v. *)
From Coq Require Import Reals List.
From Pufferproof Require InnerBit Interior Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition levels : Prop :=
  forall (W : Type) `{Sums.Finite W}
      (i : nat)
      (m : nat)
      (p : bool -> R)
      (T : nat -> bool -> bool -> R)
      (B : nat -> bool -> bool -> R)
      (lev : nat -> R)
      (M : InnerBit.bits i m -> W -> R)
      (v : bool)
      (w : W),
    Pufferfish.law p ->
    Interior.steps_laws T ->
    Interior.steps_laws B ->
    Interior.backwards i p T B ->
    Interior.both_possible i p T ->
    Interior.levels_above_one lev ->
    Pufferfish.likelihood M ->
    Interior.levelled i m lev M ->
    Interior.told i m p T M v w <= Interior.worst_of i m T B lev v * Interior.told i m p T M (negb
      v) w /\ Interior.reached i m p T lev v (Interior.worst_of i m T B lev v).
