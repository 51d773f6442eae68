(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Collapses.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Determined Existence Metric OnePair Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition determined : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (Rs : list R),
    Determined.one_pair p s t ->
    (forall R : R, List.In R Rs -> 1 <= R) ->
    (OnePair.several Rs -> Determined.single p s /\ Determined.single p t) ->
    OnePair.largest p s t Rs (Metric.product_of Rs).

Definition one_way : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (Rs : list R),
    Determined.one_pair p s t ->
    (forall R : R, List.In R Rs -> 1 <= R) ->
    (OnePair.several Rs -> Determined.single p t) ->
    OnePair.largest_one_way p s t Rs (OnePair.one_way_ratio p s Rs).

Definition otherwise : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (Rs : list R),
    Determined.one_pair p s t ->
    (forall R : R, List.In R Rs -> 1 <= R) ->
    OnePair.several Rs ->
    ~ (Determined.single p s /\ Determined.single p t) ->
    OnePair.unbounded p s t Rs.

Definition otherwise_one_way : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (Rs : list R),
    Determined.one_pair p s t ->
    (forall R : R, List.In R Rs -> 1 <= R) ->
    OnePair.several Rs ->
    ~ (Determined.single p t) ->
    OnePair.unbounded_one_way p s t Rs.

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
