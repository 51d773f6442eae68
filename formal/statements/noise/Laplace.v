(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/noise/Laplace.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Attained Curves NoisyTables Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition best_scale : Prop :=
  forall (J : Type) `{Sums.Finite J}
      (L : R)
      (promise : R)
      (a : J -> R)
      (b : J -> nat),
    0 < L ->
    (forall j : J, ((O) < (b j))%nat) ->
    0 < NoisyTables.best_level promise a b ->
    NoisyTables.smallest_scale L promise a b (L / (NoisyTables.best_level promise a b)).

Definition per_entry : Prop :=
  forall (I D V : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (eps : R)
      (F : list ((D -> R) * posreal)),
    NoisyTables.changes_little dV X F eps ->
    Curves.per_entry dV X (exp eps) (Attained.released F).

Definition translated : Prop :=
  forall (I D V : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (b : nat)
      (eps : R)
      (a : R)
      (F : list ((D -> R) * posreal))
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    1 <= exp eps ->
    NoisyTables.changes_little dV X F eps ->
    Curves.product_of_values dV X ->
    Curves.on_curve dI dV X b (exp a) pairs priors ->
    Pufferfish.pufferfish (exp (INR (b) * eps + a)) (Attained.released F) pairs priors.

Definition translated_by_distance : Prop :=
  forall (I D V : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (b : nat)
      (eps : R)
      (a : R)
      (F : list ((D -> R) * posreal))
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    1 <= exp eps ->
    NoisyTables.changes_by_cells dV X F eps ->
    Curves.on_curve dI dV X b (exp a) pairs priors ->
    Pufferfish.pufferfish (exp (INR (b) * eps + a)) (Attained.released F) pairs priors.
