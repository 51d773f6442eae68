(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/foundations/Neighbours.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Differential Means Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition chosen : Prop :=
  forall (D W V : Type) `{Sums.Finite D} `{Sums.Finite W} `{Sums.Finite V}
      (ratio : R)
      (second : R)
      (M : D -> W -> R)
      (Ns : W -> D -> V -> R)
      (neighbours : D -> D -> Prop),
    Pufferfish.likelihood M ->
    (forall w : W, Pufferfish.likelihood (Ns w)) ->
    Differential.close ratio M neighbours ->
    (forall w : W, Differential.close second (Ns w) neighbours) ->
    Differential.close (ratio * second) (Differential.chosen M Ns) neighbours.

Definition processed : Prop :=
  forall (D W V : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> W -> R)
      (K : W -> V -> R)
      (neighbours : D -> D -> Prop),
    (forall u_ v_, 0 <= K u_ v_) ->
    Differential.close ratio M neighbours ->
    Differential.close ratio (Pufferfish.process M K) neighbours.

Definition together : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (Es : list ((D -> W -> R) * R))
      (neighbours : D -> D -> Prop),
    (forall i : (D -> W -> R) * R, List.In i Es -> Pufferfish.likelihood (fst i)) ->
    (forall i : (D -> W -> R) * R, List.In i Es -> Differential.close (snd i) (fst i) neighbours)
      ->
    Differential.close (Means.prod (List.map snd Es) (fun E_ => E_)) (Means.releases (List.map fst
      Es)) neighbours.
