(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Columns.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Columns Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition equations : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (t : R)
      (u : D -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    0 < t ->
    Pufferfish.pufferfish 1 (Columns.two_columns t u) pairs priors <-> Columns.tells_nothing pairs
      priors u.

Definition larger_budget : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (t : R)
      (u : D -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    1 < ratio ->
    0 < t ->
    (forall u_, 0 <= u u_) ->
    t * (ratio * (Σ x, u x)) + 1 <= ratio ->
    Pufferfish.pufferfish ratio (fun x_ (_ : unit) => u x_) pairs priors ->
    Pufferfish.kernel (Columns.two_columns t u) /\ Pufferfish.pufferfish ratio
      (Columns.two_columns t u) pairs priors.

Definition symmetric_pairs : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (t : R)
      (u : D -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    0 < t ->
    (forall u_, 0 <= u u_) ->
    t * (Σ x, u x) <= 1 ->
    Pufferfish.pufferfish 1 (fun x_ (_ : unit) => u x_) pairs priors ->
    Pufferfish.pufferfish 1 (fun x_ (_ : unit) => u x_) (fun s_ t_ => pairs t_ s_) priors ->
    Pufferfish.kernel (Columns.two_columns t u) /\ Pufferfish.pufferfish 1 (Columns.two_columns t
      u) pairs priors.

Definition two_outputs : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> W -> R)
      (w : W)
      (c : R)
      (u : D -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.kernel M ->
    Pufferfish.pufferfish ratio M pairs priors ->
    (forall x : D, (M x) w = c * u x) ->
    Pufferfish.kernel (Columns.two_columns c u) /\ Pufferfish.pufferfish ratio
      (Columns.two_columns c u) pairs priors.
