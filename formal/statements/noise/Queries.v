(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Queries.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Attained Geometric Pufferfish Slower Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition any_noise : Prop :=
  forall (V W : Type) `{Sums.Finite V}
      (ratio : R)
      (p : V -> R)
      (q : V -> R)
      (K : V -> W -> R),
    (forall u_ v_, 0 <= K u_ v_) ->
    (forall v : V, p v <= ratio * q v) ->
    forall w : W, Σ v, p v * (K v) w <= ratio * (Σ v, q v * (K v) w).

Definition geometric_as_laplace : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (G : list ((D -> Z) * posreal))
      (F : list ((D -> R) * posreal))
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.pufferfish ratio (Geometric.both_noises G F) pairs priors <-> Pufferfish.pufferfish
      ratio (Attained.released ((Geometric.as_reals G) ++ F)) pairs priors.

Definition larger_scales : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (F : list ((D -> R) * (posreal * posreal)))
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Slower.scales_rise F ->
    Pufferfish.pufferfish ratio (Attained.released (Slower.first_scales F)) pairs priors ->
    Pufferfish.pufferfish ratio (Attained.released (Slower.second_scales F)) pairs priors.

Definition largest_at_values : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (F : list ((D -> R) * posreal))
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D),
    (forall u_, 0 <= p u_) ->
    0 < Pufferfish.P p t ->
    Attained.attained p s t F.

Definition parallel_releases : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (f : D -> R)
      (b : posreal)
      (c : R)
      (r : R)
      (b' : posreal)
      (F : list ((D -> R) * posreal))
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.pufferfish ratio (Attained.released ((f, b) :: ((fun x_ => c + r * f x_), b') ::
      F)) pairs priors <-> Pufferfish.pufferfish ratio (Attained.released ((f, (Slower.merged b r
      b')) :: F)) pairs priors.
