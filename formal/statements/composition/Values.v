(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Values.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Sums Values.
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
