(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Releases.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Sums TwoReleases.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition two_tell_more : Prop :=
  forall (eps : R),
    1 < exp eps ->
    TwoReleases.tells_more_than_twice eps.
