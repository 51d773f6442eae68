(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/QuiltRedaction.v. *)
From Coq Require Import Reals List.
From Pufferproof Require DataIndependent QuiltRedaction RedactionLeakage RedactionUtility Stationary
  Sums ThreeRegions TwoStates.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition as_good_as_quilt : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    1 < ratio ->
    ThreeRegions.some_positive_three_r a b ratio n p (DataIndependent.dim_share
      (QuiltRedaction.quilt_chances a b ratio De Dh n p) n).

Definition better_than_quilt : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (((p + De)%nat) < n)%nat ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    ThreeRegions.some_three_r a b ratio n p ((DataIndependent.dim_share
      (QuiltRedaction.quilt_chances a b ratio De Dh n p) n) + 1 / INR n).

Definition quilt_at_least : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (((p + p)%nat) < n)%nat ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    QuiltRedaction.quilt_bound a b ratio De Dh n p <= DataIndependent.dim_share
      (QuiltRedaction.quilt_chances a b ratio De Dh n p) n.

Definition quilt_near_bound : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (((p + p)%nat) < n)%nat ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    QuiltRedaction.up_to_two (QuiltRedaction.printed_bound a b ratio De Dh n p)
      (DataIndependent.dim_share (QuiltRedaction.quilt_chances a b ratio De Dh n p) n) n.

Definition quilt_private : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat),
    0 < a /\ a <= b /\ b < 1 ->
    (p < n)%nat ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim (QuiltRedaction.quilt_chances a b
      ratio De Dh n p)).
