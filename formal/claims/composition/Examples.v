(** Theorems whose types are statement objects: the mechanisms of bai2026 that collapse. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require Decoys FairBits FiniteLevel FourOutputs MatchingBits.
From Said Require composition.Examples.
Open Scope R_scope.

Theorem decoys_hide : Said.composition.Examples.decoys_hide.
Proof. intros D F dD p s. exact (Decoys.decoy_tells_nothing dD p s). Qed.

Theorem decoy_runs : Said.composition.Examples.decoy_runs.
Proof. intros D F dD p s x m two below. exact (Decoys.decoy_bound dD p s x two m below). Qed.

Theorem decoy_law : Said.composition.Examples.decoy_law.
Proof.
  intros D F dD p s x k two. split; [|now apply (Decoys.told_law_pos dD)].
  apply Decoys.decoy_law; [easy|lia].
Qed.

Theorem four_keeps : Said.composition.Examples.four_keeps.
Proof. intros D F r s U LT UT LF UF T. exact (FourOutputs.four_keeps s U r LT UT LF UF T). Qed.

Theorem four_keeps_one_order : Said.composition.Examples.four_keeps_one_order.
Proof.
  intros D F r s U LT UT LF UF T. exact (FourOutputs.four_keeps_one_order s U r LT UT LF UF T).
Qed.

Theorem four_attained : Said.composition.Examples.four_attained.
Proof. intros D F r s U LT UT LF UF T. exact (FourOutputs.four_attained s U r LT UT LF UF T). Qed.

Theorem four_ratios : Said.composition.Examples.four_ratios.
Proof. intros D F s U LT UT LF UF T. exact (FourOutputs.four_ratios s U LT UT LF UF T). Qed.

Theorem four_runs : Said.composition.Examples.four_runs.
Proof. intros D F p s U x. exact (FourOutputs.four_tells s U p x). Qed.

Theorem fair_bits_hide : Said.composition.Examples.fair_bits_hide.
Proof. intros n p. exact (FairBits.fair_bits_hide p). Qed.

Theorem both_types_tell : Said.composition.Examples.both_types_tell.
Proof. intros n x. exact (MatchingBits.both_types_tell x). Qed.

Theorem fair_bits_given : Said.composition.Examples.fair_bits_given.
Proof. intros n p. exact (MatchingBits.fair_bits_given p). Qed.

Theorem fair_bits_runs : Said.composition.Examples.fair_bits_runs.
Proof. intros n p x many even. exact (FairBits.fair_bits_tell p many even x). Qed.

Theorem four_finite : Said.composition.Examples.four_finite.
Proof. intros D F s U LT UT LF UF T. exact (FiniteLevel.four_finite s U LT UT LF UF T). Qed.
