(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/bits/Supermodular.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Sums Supermodular.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition extremes : Prop :=
  forall (mu : list bool -> R)
      (f : nat -> bool -> R)
      (t : R)
      (n : nat)
      (i : nat)
      (w : R),
    Supermodular.attract mu n ->
    Supermodular.rising f ->
    0 < t < 1 ->
    Supermodular.mean mu (Supermodular.noise f t w) n i true * Supermodular.mean mu
      (Supermodular.up f t) n i false <= Supermodular.mean mu (Supermodular.up f t) n i true *
      Supermodular.mean mu (Supermodular.noise f t w) n i false /\ Supermodular.mean mu
      (Supermodular.noise f t w) n i false * Supermodular.mean mu (Supermodular.down f t) n i true
      <= Supermodular.mean mu (Supermodular.down f t) n i false * Supermodular.mean mu
      (Supermodular.noise f t w) n i true /\ (Supermodular.none_above f n w -> Supermodular.mean
      mu (Supermodular.noise f t w) n i true * Supermodular.mean mu (Supermodular.up f t) n i
      false = Supermodular.mean mu (Supermodular.up f t) n i true * Supermodular.mean mu
      (Supermodular.noise f t w) n i false) /\ (Supermodular.none_below f n w -> Supermodular.mean
      mu (Supermodular.noise f t w) n i false * Supermodular.mean mu (Supermodular.down f t) n i
      true = Supermodular.mean mu (Supermodular.down f t) n i false * Supermodular.mean mu
      (Supermodular.noise f t w) n i true).
