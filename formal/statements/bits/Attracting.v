(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/bits/Attracting.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Attracting Chain Sums Supermodular.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition chain_attracts : Prop :=
  forall (p : bool -> R)
      (T : nat -> bool -> bool -> R)
      (n : nat),
    Attracting.attracting p T ->
    Supermodular.attract (Chain.chain_weight p T) n.

Definition extremes : Prop :=
  forall (p : bool -> R)
      (T : nat -> bool -> bool -> R)
      (f : nat -> bool -> R)
      (t : R)
      (n : nat)
      (i : nat)
      (w : R),
    Attracting.attracting p T ->
    Supermodular.rising f ->
    0 < t < 1 ->
    Supermodular.mean (Chain.chain_weight p T) (Supermodular.noise f t w) n i true *
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.up f t) n i false <=
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.up f t) n i true *
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.noise f t w) n i false /\
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.noise f t w) n i false *
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.down f t) n i true <=
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.down f t) n i false *
      Supermodular.mean (Chain.chain_weight p T) (Supermodular.noise f t w) n i true /\
      (Supermodular.none_above f n w -> Supermodular.mean (Chain.chain_weight p T)
      (Supermodular.noise f t w) n i true * Supermodular.mean (Chain.chain_weight p T)
      (Supermodular.up f t) n i false = Supermodular.mean (Chain.chain_weight p T)
      (Supermodular.up f t) n i true * Supermodular.mean (Chain.chain_weight p T)
      (Supermodular.noise f t w) n i false) /\ (Supermodular.none_below f n w -> Supermodular.mean
      (Chain.chain_weight p T) (Supermodular.noise f t w) n i false * Supermodular.mean
      (Chain.chain_weight p T) (Supermodular.down f t) n i true = Supermodular.mean
      (Chain.chain_weight p T) (Supermodular.down f t) n i false * Supermodular.mean
      (Chain.chain_weight p T) (Supermodular.noise f t w) n i true).
