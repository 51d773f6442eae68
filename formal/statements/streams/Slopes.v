(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Slopes.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Slopes Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition last_shift : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (ratio : R),
    (forall u_ v_, 0 <= M u_ v_) ->
    (forall w_, 0 < M y w_ -> M x w_ <= ratio * M y w_) ->
    Slopes.shift ratio (Σ w_, if Req_EM_T (M y w_) 0 then M x w_ else 0) (M x) (M y).

Definition printed_shift : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (w : W)
      (ratio : R),
    (M x) w = ratio * (M y) w ->
    Slopes.shift_at w ratio 0 (M x) (M y).

Definition shift_touches : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (ratio : R)
      (delta : R),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Slopes.shift ratio delta (M x) (M y) <-> Slopes.touches M ratio delta x y.
