(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Dominated.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition dominated : Prop :=
  forall (I J : Type) `{Sums.Finite I} `{Sums.Finite J}
      (v0 : I -> R)
      (w0 : I -> R)
      (a : I -> R)
      (v1 : J -> R)
      (w1 : J -> R)
      (b : J -> R)
      (c : R),
    (forall u_, 0 <= w0 u_) ->
    (forall u_, 0 <= a u_) ->
    (forall u_, 0 <= w1 u_) ->
    (forall u_, 0 <= b u_) ->
    (forall i : I, v0 i <= c * w0 i) ->
    (forall j : J, c * w1 j <= v1 j) ->
    (Σ i, v0 i * a i) * (Σ j, w1 j * b j) <= (Σ i, w0 i * a i) * (Σ j, v1 j * b j).
