(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Values.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Programs Pufferfish Sums Values.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition game_value : Prop :=
  forall (W Y : Type) `{Sums.Finite W} `{Sums.Finite Y}
      (w : W)
      (y : Y)
      (g : W -> Y -> R)
      (A : R)
      (B : R),
    (forall v : W, forall z : Y, A <= (g v) z) ->
    (forall v : W, forall z : Y, (g v) z <= B) ->
    Values.value_between g A B.

Definition optima_exactly : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (w : W)
      (eps : R)
      (M : D -> W -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D),
    (forall x : D, forall v : W, 0 < (M x) v) ->
    Programs.means_close eps M s t <-> Programs.optima_below eps M s t.

Definition programs_exactly : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (eps : R)
      (M : D -> W -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D),
    Pufferfish.likelihood M ->
    Programs.some_database t ->
    (Programs.means_close eps M s t <-> Programs.programs_below eps M s t) /\
      (Programs.programs_below eps M s t <-> Programs.duals_below eps M s t).
