(** Theorems whose types are statement objects: the two sides of a record, and 3R mechanisms. *)
From Coq Require Import Reals Lra.
From Pufferproof Require SidesOfRecord.
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
