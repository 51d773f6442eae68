(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/foundations/Partitions.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Partitions Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition finite_partitions : Prop :=
  forall (D Omega W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> (Omega -> bool) -> R)
      (events : (Omega -> bool) -> Prop)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    (exists x_ y_ : W, x_ <> y_) ->
    (events (fun _ : Omega => false) /\ forall e_, events e_ -> events (fun o_ => negb (e_ o_)))
      ->
    Pufferfish.pufferfish ratio (fun x_ (e_ : {e_ | events e_}) => M x_ (proj1_sig e_)) pairs
      priors <-> (forall c_ : W -> _, Partitions.partition c_ -> (forall w_, events (c_ w_)) ->
      Pufferfish.pufferfish ratio (fun x_ w_ => M x_ (c_ w_)) pairs priors).
