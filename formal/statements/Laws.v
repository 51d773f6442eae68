(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/Laws.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition hidden_coin : Prop :=
  forall (D W C : Type) `{Sums.Finite D} `{Sums.Finite W} `{Sums.Finite C}
      (dW : forall x_ y_ : W, {x_ = y_} + {x_ <> y_})
      (ratio : R)
      (c : C -> R)
      (Ms : C -> D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    (forall u_, 0 <= c u_) ->
    (forall i : C, Pufferfish.pufferfish ratio (Ms i) pairs priors) ->
    Pufferfish.pufferfish ratio (fun x_ w_ => Σ i_, c i_ * Ms i_ x_ w_) pairs priors.

Definition post_processing : Prop :=
  forall (D W V : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> W -> R)
      (K : W -> V -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    (forall u_ v_, 0 <= K u_ v_) ->
    Pufferfish.pufferfish ratio M pairs priors ->
    Pufferfish.pufferfish ratio (Pufferfish.process M K) pairs priors.

Definition published_coin : Prop :=
  forall (D W C : Type) `{Sums.Finite D}
      (ratio : R)
      (c : C -> R)
      (Ms : C -> D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    (forall u_, 0 <= c u_) ->
    (forall i : C, Pufferfish.pufferfish ratio (Ms i) pairs priors) ->
    Pufferfish.pufferfish ratio (Pufferfish.mixed c Ms) pairs priors.
