(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/streams/Regions.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Pufferfish Regions Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition by_hull : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Regions.approximate M ratio delta (Regions.both_ways neighbours) <-> (forall a_ b_,
      Regions.mixture_of (fun z_ => Regions.regions M neighbours (fst z_) (snd z_)) a_ b_ ->
      Regions.allowed ratio delta a_ b_).

Definition by_inequalities : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Regions.approximate M ratio delta (Regions.both_ways neighbours) <-> Regions.inequalities M
      ratio delta neighbours.

Definition by_inequalities_both_ways : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Regions.approximate M ratio delta (Regions.both_ways neighbours) <-> Regions.inequalities M
      ratio delta (Regions.both_ways neighbours).

Definition by_one_inequality : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Regions.approximate M ratio delta (Regions.both_ways neighbours) <-> (forall x_ y_,
      (Regions.both_ways neighbours) x_ y_ -> Regions.first_inequality ratio delta (M x_) (M y_)).

Definition by_regions : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    Regions.approximate M ratio delta (Regions.both_ways neighbours) <-> (forall a_ b_,
      Regions.regions M neighbours a_ b_ -> Regions.allowed ratio delta a_ b_).

Definition in_square : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    (forall u_ v_, 0 <= M u_ v_) ->
    Regions.approximate M ratio delta (Regions.both_ways neighbours) <-> (forall a_ b_,
      Regions.regions M neighbours a_ b_ -> Regions.allowed ratio delta a_ b_ /\ Regions.square a_
      b_).

Definition larger_ratio : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (larger : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall u_ v_, 0 <= M u_ v_) ->
    ratio <= larger ->
    Regions.approximate M ratio delta neighbours ->
    Regions.approximate M larger delta neighbours.

Definition parts_within_sets : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    Regions.approximate M ratio delta neighbours ->
    forall x_ y_, neighbours x_ y_ -> (Σ w_, Rmax 0 (M x_ w_ - ratio * M y_ w_)) <= delta.

Definition sets_within_parts : Prop :=
  forall (D W : Type) `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (neighbours : D -> D -> Prop),
    (forall x_ y_, neighbours x_ y_ -> (Σ w_, Rmax 0 (M x_ w_ - ratio * M y_ w_)) <= delta) ->
    Regions.approximate M ratio delta neighbours.

Definition worlds_by_inequalities : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (M : D -> W -> R)
      (ratio : R)
      (delta : R)
      (worlds : (D -> R) -> (D -> D -> R) -> @Pufferfish.secret D -> Prop),
    (forall x_, (Σ y_, M x_ y_) = 1) ->
    (forall p_ a_ s_, worlds p_ a_ s_ -> forall x_, (Σ y_, a_ x_ y_) = 1) ->
    Regions.coupled_worlds M ratio delta worlds <-> Regions.inequalities_given M ratio delta
      worlds.
