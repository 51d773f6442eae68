(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/DataIndependent.v. *)
From Coq Require Import Reals List.
From Pufferproof Require DataIndependent RedactionLeakage RedactionUtility Stationary Sums
  ThreeRegions TwoStates.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition any_two_sides : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    (2 * S p <= n)%nat ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    TwoStates.i1 a b (n - S p)%nat <= ratio ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    DataIndependent.dim_share rho n <= DataIndependent.two_sided_bound 3%nat De Dh p n.

Definition as_good_as_dim : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    (p < n)%nat ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    a + b <= 1 ->
    ThreeRegions.some_three_r a b ratio n p (DataIndependent.dim_share rho n).

Definition leakage : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (Dl : nat)
      (Dr : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    DataIndependent.radius rho n p Dl Dr ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) <->
      DataIndependent.leakage_of_radius a b n p Dl Dr <= ratio.

Definition nearly_as_good_as_dim : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    (p < n)%nat ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    ThreeRegions.some_three_r a b ratio n p ((DataIndependent.dim_share rho n) - 1 / INR n).

Definition nothing_shown : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    (2 * S p <= n)%nat ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    ratio < TwoStates.i1 a b (n - S p)%nat ->
    DataIndependent.dim_share rho n <= 0.

Definition one_side : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    (2 * S p <= n)%nat ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    TwoStates.i1 a b (n - S p)%nat <= ratio ->
    DataIndependent.below_both a b ratio n p ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    DataIndependent.dim_share rho n <= DataIndependent.one_sided_bound De p n.

Definition private_if : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (Dl : nat)
      (Dr : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    DataIndependent.radius rho n p Dl Dr ->
    DataIndependent.of_radius a b n p Dl Dr <= ratio ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho).

Definition private_only_if : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (Dl : nat)
      (Dr : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    DataIndependent.radius rho n p Dl Dr ->
    DataIndependent.even_or_one_sided p Dl Dr ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    DataIndependent.of_radius a b n p Dl Dr <= ratio.

Definition two_sides : Prop :=
  forall (ratio : R)
      (a : R)
      (b : R)
      (n : nat)
      (p : nat)
      (De : nat)
      (Dh : nat)
      (rho : nat -> R),
    0 < a /\ a <= b /\ b < 1 ->
    RedactionLeakage.shares rho ->
    (2 * S p <= n)%nat ->
    Stationary.leaks_at_most ratio a b n p (RedactionLeakage.dim rho) ->
    a + b <= 1 ->
    TwoStates.i1 a b (n - S p)%nat <= ratio ->
    RedactionUtility.first_at_most (TwoStates.i1 a b) ratio De ->
    RedactionUtility.first_at_most (fun D_ => TwoStates.i1 a b D_ * TwoStates.i1 a b D_) ratio Dh
      ->
    DataIndependent.dim_share rho n <= DataIndependent.two_sided_bound 2%nat De Dh p n.
