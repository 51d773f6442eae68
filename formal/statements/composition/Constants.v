(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Constants.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Means Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition constant_levels : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (beta : D -> D -> R)
      (levelled : list ((D -> W -> R) * R))
      (C : R)
      (ws : list W),
    Pufferfish.law p ->
    (forall x : D, Pufferfish.law (beta x)) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> Pufferfish.likelihood (fst ME)) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> 0 <= snd ME) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> forall x : D, 0 < Pufferfish.inside p s
      x -> (forall w : W, ((fst ME) x) w <= snd ME * Means.geo (beta x) (fun l : D => ((fst ME) l)
      w))) ->
    (forall l : D, (Σ x, Pufferfish.inside p s x * (beta x) l) * Pufferfish.P p t <= C *
      Pufferfish.P p s * Pufferfish.inside p t l) ->
    Pufferfish.Pw p (Means.releases (List.map fst levelled)) s ws * Pufferfish.P p t <=
      (Means.prod (List.map snd levelled) (fun E_ => E_) * C) * Pufferfish.P p s * Pufferfish.Pw p
      (Means.releases (List.map fst levelled)) t ws.
