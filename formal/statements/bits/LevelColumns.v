(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/bits/LevelColumns.v. *)
From Coq Require Import Reals List.
From Pufferproof Require LevelColumns Sums Supermodular.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition columns : Prop :=
  forall (some : nat -> bool)
      (mu : list bool -> R)
      (levels : nat -> R)
      (u : list bool -> R)
      (n : nat)
      (i : nat),
    Supermodular.attract (LevelColumns.exchanged some mu) n ->
    LevelColumns.column levels n u ->
    Supermodular.mean (LevelColumns.exchanged some mu) (LevelColumns.exchanged some u) n i true *
      Supermodular.mean (LevelColumns.exchanged some mu) (LevelColumns.favour levels true) n i
      false <= Supermodular.mean (LevelColumns.exchanged some mu) (LevelColumns.favour levels
      true) n i true * Supermodular.mean (LevelColumns.exchanged some mu) (LevelColumns.exchanged
      some u) n i false /\ Supermodular.mean (LevelColumns.exchanged some mu)
      (LevelColumns.exchanged some u) n i false * Supermodular.mean (LevelColumns.exchanged some
      mu) (LevelColumns.favour levels false) n i true <= Supermodular.mean (LevelColumns.exchanged
      some mu) (LevelColumns.favour levels false) n i false * Supermodular.mean
      (LevelColumns.exchanged some mu) (LevelColumns.exchanged some u) n i true.
