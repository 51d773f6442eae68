(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Moments.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Moments Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition coupled_moments : Prop :=
  forall (I W : Type) `{Sums.Finite I} `{Sums.Finite W}
      (e : posreal)
      (K : R)
      (g : I -> R)
      (A : I -> W -> R)
      (C : I -> W -> R),
    (forall u_, 0 <= g u_) ->
    (forall u_ v_, 0 <= C u_ v_) ->
    (forall i : I, forall w : W, (C i) w = 0 -> (A i) w <= 0) ->
    Moments.moment (1 + e) (Moments.mean g A) (Moments.mean g C) <= Σ i, g i * Moments.moment (1 +
      e) (A i) (C i) /\ Moments.excess K (Moments.mean g A) (Moments.mean g C) <= Σ i, g i *
      Moments.excess K (A i) (C i).
