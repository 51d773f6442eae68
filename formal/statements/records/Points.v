(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/Points.v. *)
From Coq Require Import Reals List.
From Pufferproof Require ChosenReleases Curves Means Pufferfish RecordTables Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition chosen : Prop :=
  forall (I D V K W : Type) `{Sums.Finite I} `{Sums.Finite D} `{Sums.Finite K} `{Sums.Finite W}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (Ms : K -> list W -> D -> W -> R)
      (b : nat)
      (delta : K -> R)
      (a : R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    (forall k : K, 1 <= exp (delta k)) ->
    ChosenReleases.private_whatever dV X Ms delta ->
    Curves.product_of_values dV X ->
    Curves.on_curve dI dV X b (exp a) pairs priors ->
    Pufferfish.pufferfish (exp (INR (b) * (Σ k_, delta k_) + a)) (RecordTables.adaptive (List.map
      Ms Sums.all) nil) pairs priors.

Definition composed : Prop :=
  forall (I D V K W : Type) `{Sums.Finite I} `{Sums.Finite D} `{Sums.Finite K} `{Sums.Finite W}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (Ms : K -> D -> W -> R)
      (b : K -> nat)
      (delta : K -> R)
      (a : K -> R)
      (eps : K -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop)
      (k : K),
    Pufferfish.laws_only priors ->
    (forall k : K, Pufferfish.likelihood (Ms k)) ->
    (forall k : K, 1 <= exp (delta k)) ->
    (forall k : K, Curves.per_entry dV X (exp (delta k)) (Ms k)) ->
    Curves.product_of_values dV X ->
    (forall k : K, Curves.on_curve dI dV X (b k) (exp (a k)) pairs priors) ->
    (forall k : K, INR (b k) * delta k + a k <= eps k) ->
    (forall j : K, a j <= a k) ->
    Pufferfish.pufferfish (exp (a k + (Σ k_, eps k_) - (Σ k_, a k_))) (Means.releases (List.map Ms
      Sums.all)) pairs priors.

Definition sufficient : Prop :=
  forall (I D V K W : Type) `{Sums.Finite I} `{Sums.Finite D} `{Sums.Finite K} `{Sums.Finite W}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (Ms : K -> D -> W -> R)
      (b : K -> nat)
      (delta : K -> R)
      (a : K -> R)
      (eps : K -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    (forall k : K, Pufferfish.likelihood (Ms k)) ->
    (forall k : K, 1 <= exp (delta k)) ->
    (forall k : K, Curves.per_entry dV X (exp (delta k)) (Ms k)) ->
    Curves.product_of_values dV X ->
    (forall k : K, Curves.on_curve dI dV X (b k) (exp (a k)) pairs priors) ->
    (forall k : K, INR (b k) * delta k + a k <= eps k) ->
    Pufferfish.pufferfish (exp (Σ k_, eps k_)) (Means.releases (List.map Ms Sums.all)) pairs
      priors.
