(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Influences.v. *)
From Coq Require Import Reals List.
From Pufferproof Require ChainInfluence ChainMoments Eigenvalues Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition any_law : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (ratio : R)
      (P : A -> A -> R)
      (k : nat)
      (a : nat)
      (b : nat)
      (c : nat)
      (v : A)
      (w : A),
    Pufferfish.kernel P ->
    0 < Σ u, Eigenvalues.steps P (k + a)%nat u v ->
    0 < Σ u, Eigenvalues.steps P (k + a)%nat u w ->
    ChainInfluence.sides_within_from_any (dA) ratio P k a b c v w <-> (forall x : A, forall z : A,
      forall y : A, 0 < Σ u, Eigenvalues.steps P k u x -> ChainInfluence.if_shown a
      (Eigenvalues.steps P a x v * Eigenvalues.steps P (k + a)%nat z w) * ChainInfluence.if_shown
      b (Eigenvalues.steps P b v y) <= ratio * (ChainInfluence.if_shown a (Eigenvalues.steps P a x
      w * Eigenvalues.steps P (k + a)%nat z v) * ChainInfluence.if_shown b (Eigenvalues.steps P b
      w y))).

Definition given_law : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (ratio : R)
      (m : A -> R)
      (P : A -> A -> R)
      (k : nat)
      (a : nat)
      (b : nat)
      (c : nat)
      (v : A)
      (w : A),
    Pufferfish.law m ->
    Pufferfish.kernel P ->
    0 < ChainMoments.law_at m P (k + a)%nat v ->
    0 < ChainMoments.law_at m P (k + a)%nat w ->
    ChainInfluence.sides_within (dA) ratio m P k a b c v w <-> (forall x : A, forall y : A, 0 <
      ChainMoments.law_at m P k x -> ChainInfluence.if_shown a (Eigenvalues.steps P a x v *
      ChainMoments.law_at m P (k + a)%nat w) * ChainInfluence.if_shown b (Eigenvalues.steps P b v
      y) <= ratio * (ChainInfluence.if_shown a (Eigenvalues.steps P a x w * ChainMoments.law_at m
      P (k + a)%nat v) * ChainInfluence.if_shown b (Eigenvalues.steps P b w y))).

Definition no_rise : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (ratio : R)
      (P : A -> A -> R)
      (k : nat)
      (a : nat)
      (b : nat)
      (c : nat)
      (v : A)
      (w : A),
    Pufferfish.kernel P ->
    ChainInfluence.sides_within_from_any (dA) ratio P k a b (S c) v w ->
    ChainInfluence.sides_within_from_any (dA) ratio P (S k) a b c v w.
