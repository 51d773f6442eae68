(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Examples.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Decoys FairBits FiniteLevel FourOutputs MatchingBits Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition both_types_tell : Prop :=
  forall (n : nat)
      (x : Chain.vec bool n),
    @MatchingBits.both_tell n x.

Definition decoy_law : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (x : D)
      (k : nat),
    Decoys.two_each p s x ->
    Decoys.told_at dD p s x (S (S k)) (Decoys.told_law p s x (S (S k))) /\ 0 < Decoys.told_law p s
      x (S (S k)).

Definition decoy_runs : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (x : D)
      (m : R),
    Decoys.two_each p s x ->
    Decoys.most p s m ->
    m < 1 ->
    Decoys.runs_at_most dD p s x (1 + / (1 - m)).

Definition decoys_hide : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (p : D -> R)
      (s : @Pufferfish.secret D),
    Pufferfish.law p ->
    Decoys.both_possible p s ->
    Decoys.decoys_hide dD p s.

Definition fair_bits_given : Prop :=
  forall (n : nat)
      (p : Chain.vec bool n -> R),
    ((2%nat) < n)%nat ->
    @FairBits.fair n p ->
    @MatchingBits.bits_given n p.

Definition fair_bits_hide : Prop :=
  forall (n : nat)
      (p : Chain.vec bool n -> R),
    ((2%nat) < n)%nat ->
    @FairBits.fair n p ->
    @FairBits.bits_hide n p.

Definition fair_bits_runs : Prop :=
  forall (n : nat)
      (p : Chain.vec bool n -> R)
      (x : Chain.vec bool n),
    ((2%nat) < n)%nat ->
    @FairBits.fair n p ->
    @FairBits.bits_runs n p x 3.

Definition four_attained : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (s : @Pufferfish.secret D)
      (U : @Pufferfish.secret D)
      (LT : R)
      (UT : R)
      (LF : R)
      (UF : R)
      (priors : (D -> R) -> Prop),
    FourOutputs.corners s U priors LT UT LF UF ->
    Pufferfish.pufferfish ratio (@FourOutputs.four D s U) (@FourOutputs.both_ways D s) priors ->
    FourOutputs.eight ratio LT UT LF UF.

Definition four_finite : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (s : @Pufferfish.secret D)
      (U : @Pufferfish.secret D)
      (LT : R)
      (UT : R)
      (LF : R)
      (UF : R)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    FourOutputs.fractions s U priors LT UT LF UF ->
    0 < LT ->
    UT < 1 ->
    0 < LF ->
    UF < 1 ->
    FiniteLevel.some_level (@FourOutputs.four D s U) (@FourOutputs.both_ways D s) priors.

Definition four_keeps : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (s : @Pufferfish.secret D)
      (U : @Pufferfish.secret D)
      (LT : R)
      (UT : R)
      (LF : R)
      (UF : R)
      (priors : (D -> R) -> Prop),
    FourOutputs.fractions s U priors LT UT LF UF ->
    FourOutputs.eight ratio LT UT LF UF ->
    Pufferfish.pufferfish ratio (@FourOutputs.four D s U) (@FourOutputs.both_ways D s) priors.

Definition four_keeps_one_order : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (ratio : R)
      (s : @Pufferfish.secret D)
      (U : @Pufferfish.secret D)
      (LT : R)
      (UT : R)
      (LF : R)
      (UF : R)
      (priors : (D -> R) -> Prop),
    FourOutputs.fractions s U priors LT UT LF UF ->
    FourOutputs.printed ratio LT UT LF UF ->
    Pufferfish.pufferfish ratio (@FourOutputs.four D s U) (@FourOutputs.one_way D s) priors.

Definition four_ratios : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (s : @Pufferfish.secret D)
      (U : @Pufferfish.secret D)
      (LT : R)
      (UT : R)
      (LF : R)
      (UF : R)
      (priors : (D -> R) -> Prop),
    FourOutputs.fractions s U priors LT UT LF UF ->
    0 <= LT ->
    UT <= 1 ->
    0 <= LF ->
    UF <= 1 ->
    FourOutputs.four_intervals s U priors LT UT LF UF.

Definition four_runs : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (U : @Pufferfish.secret D)
      (x : D),
    FourOutputs.four_kinds s U p x ->
    FourOutputs.four_runs s U p x 3.
