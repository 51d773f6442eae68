(** Theorems whose types are statement objects: the two sides of a record, and 3R mechanisms. *)
From Coq Require Import Reals Lra.
From Pufferproof Require RelaxedBound SidesOfRecord.
From Said Require SidesOfRecord.
Open Scope R_scope.

Theorem compose : Said.records.SidesOfRecord.compose.
Proof.
  intros El Er a b n p r [[a0 a1] [b0 b1]].
  now apply redaction.SidesOfRecord.sides_add.
Qed.

Theorem three_regions_private : Said.records.SidesOfRecord.three_regions_private.
Proof.
  intros ratio El Er a b n p q [[a0 a1] [b0 b1]] pn q01 left_ right_ budget.
  now apply (redaction.SidesOfRecord.three_r_private a b a0 b0 a1 b1 n p El Er q ratio).
Qed.

Theorem three_regions_utility : Said.records.SidesOfRecord.three_regions_utility.
Proof.
  intros El Er a b n p q [[a0 a1] [b0 b1]].
  now apply redaction.SidesOfRecord.three_r_utility.
Qed.

Theorem three_regions_feasible : Said.records.SidesOfRecord.three_regions_feasible.
Proof.
  intros El Er a b n p [a0 [ab b1]].
  now apply redaction.SidesOfRecord.three_r_feasible.
Qed.

Theorem bound_of_5 : Said.records.SidesOfRecord.bound_of_5.
Proof.
  intros a b El Er q p t x y z [[a0 a1] [b0 b1]] u.
  now apply redaction.regions.RelaxedBound.bound_of_5.
Qed.

Theorem bound_of_6 : Said.records.SidesOfRecord.bound_of_6.
Proof.
  intros a b El Er q p t x y [[a0 a1] [b0 b1]] u.
  now apply redaction.regions.RelaxedBound.bound_of_6.
Qed.

Theorem conditions_suffice : Said.records.SidesOfRecord.conditions_suffice.
Proof.
  intros a b El Er q n p t [a0 [ab b1]] pn q01 B1 met.
  now apply redaction.regions.RelaxedBound.conditions_suffice.
Qed.

Theorem conditions_needed : Said.records.SidesOfRecord.conditions_needed.
Proof.
  intros ratio a b El Er q n p t [a0 [ab b1]] pn q01 kept.
  now apply redaction.regions.RelaxedBound.conditions_needed.
Qed.

Theorem relaxed_keeps : Said.records.SidesOfRecord.relaxed_keeps.
Proof.
  intros a b El Er q n p t [a0 [ab b1]] pn u B1.
  now apply redaction.regions.RelaxedBound.relaxed_keeps.
Qed.

Theorem relaxed_suffices : Said.records.SidesOfRecord.relaxed_suffices.
Proof.
  intros a b El Er q n p t [a0 [ab b1]] pn u le.
  now apply redaction.regions.RelaxedBound.relaxed_suffices.
Qed.

Theorem delta_at_most : Said.records.SidesOfRecord.delta_at_most.
Proof.
  intros a b El Er q n p t [a0 [ab b1]] ones B1.
  now apply redaction.regions.RelaxedBound.delta_at_most.
Qed.
