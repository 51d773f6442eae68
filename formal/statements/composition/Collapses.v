(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Collapses.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Determined Existence Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition determined : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (A : R)
      (B : R),
    Determined.one_pair p s t ->
    1 <= A ->
    1 <= B ->
    Determined.single p s /\ Determined.single p t ->
    Determined.largest p s t A B (A * B).

Definition otherwise : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (A : R)
      (B : R),
    Determined.one_pair p s t ->
    1 <= A ->
    1 <= B ->
    ~ (Determined.single p s /\ Determined.single p t) ->
    Determined.unbounded p s t A B.

Definition there_are : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (x : D)
      (y : D),
    @Existence.three_databases D _ ->
    x <> y ->
    @Existence.some_collapse D _ x y.

Definition two_runs : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D),
    Determined.one_pair p s t ->
    ~ (Determined.single p s /\ Determined.single p t) ->
    Determined.collapses p s t.
