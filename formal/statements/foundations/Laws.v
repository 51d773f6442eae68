(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/foundations/Laws.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Laws Pufferfish Sums.
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

Definition odds_form : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish ratio M pairs priors <-> (forall p_ s_ t_ w_, priors p_ -> pairs s_ t_
      -> 0 < Pufferfish.P p_ s_ -> 0 < Pufferfish.P p_ t_ -> 0 < Laws.evidence p_ M w_ ->
      Laws.posterior p_ M s_ w_ * Pufferfish.P p_ t_ <= ratio * Pufferfish.P p_ s_ *
      Laws.posterior p_ M t_ w_).

Definition odds_in_both_orders : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish ratio M pairs priors /\ Pufferfish.pufferfish ratio M (fun s_ t_ =>
      pairs t_ s_) priors <-> Laws.odds_within ratio M pairs priors.

Definition odds_stay : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (M : D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish 1 M pairs priors /\ Pufferfish.pufferfish 1 M (fun s_ t_ => pairs t_ s_)
      priors <-> (forall p_ s_ t_ w_, priors p_ -> pairs s_ t_ -> 0 < Pufferfish.P p_ s_ -> 0 <
      Pufferfish.P p_ t_ -> 0 < Laws.evidence p_ M w_ -> Laws.posterior p_ M s_ w_ * Pufferfish.P
      p_ t_ = Pufferfish.P p_ s_ * Laws.posterior p_ M t_ w_).

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
