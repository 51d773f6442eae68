(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/foundations/Partitions.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition finite_partitions : Prop :=
  forall (D E W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> E -> R)
      (cells : (W -> E) -> Prop)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    (forall e_ : E, exists c_ w_, cells c_ /\ c_ w_ = e_) ->
    Pufferfish.pufferfish ratio M pairs priors <-> (forall c_, cells c_ -> Pufferfish.pufferfish
      ratio (fun x_ w_ => M x_ (c_ w_)) pairs priors).
