(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Attracting.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Attracting Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition extremes : Prop :=
  forall (p : bool -> R)
      (T : nat -> bool -> bool -> R)
      (f : nat -> bool -> R)
      (t : R)
      (n : nat)
      (i : nat)
      (w : R),
    Attracting.attracting p T ->
    Attracting.rising f ->
    0 < t < 1 ->
    Attracting.density p T f t n i true w * Attracting.mean_up p T f t n i false <=
      Attracting.mean_up p T f t n i true * Attracting.density p T f t n i false w /\
      Attracting.density p T f t n i false w * Attracting.mean_down p T f t n i true <=
      Attracting.mean_down p T f t n i false * Attracting.density p T f t n i true w /\
      (Attracting.none_above f n w -> Attracting.density p T f t n i true w * Attracting.mean_up p
      T f t n i false = Attracting.mean_up p T f t n i true * Attracting.density p T f t n i false
      w) /\ (Attracting.none_below f n w -> Attracting.density p T f t n i false w *
      Attracting.mean_down p T f t n i true = Attracting.mean_down p T f t n i false *
      Attracting.density p T f t n i true w).
