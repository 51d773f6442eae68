(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Distances.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Attained Couplings Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition wasserstein_mechanism : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (f : D -> R)
      (d : R)
      (b : posreal)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Couplings.distance_at_most f d pairs priors ->
    Pufferfish.pufferfish (exp (d / b)) (Attained.released [(f, b)]) pairs priors.
