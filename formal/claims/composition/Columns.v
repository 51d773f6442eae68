(** Theorems whose types are statement objects: columns of mechanisms. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Columns Pufferfish.
From Said Require Columns.

Theorem two_outputs : Said.composition.Columns.two_outputs.
Proof.
  intros D W F G ratio M w c u pairs priors.
  exact (Pufferproof.composition.Columns.one_output_shown pairs priors ratio M w c u).
Qed.

Theorem larger_budget : Said.composition.Columns.larger_budget.
Proof.
  intros D F ratio t u pairs priors L r1 t0 u0 small.
  apply (Pufferproof.composition.Columns.small_enough pairs priors L ratio t u); auto; lra.
Qed.

Theorem equations : Said.composition.Columns.equations.
Proof.
  intros D F t u pairs priors.
  exact (Pufferproof.composition.Columns.equations_only pairs priors t u).
Qed.

Theorem symmetric_pairs : Said.composition.Columns.symmetric_pairs.
Proof.
  intros D F t u pairs priors t0 u0 small one other.
  split; [now apply Pufferproof.composition.Columns.small_kernel|]. apply equations; auto.
  intros p s s' Hp st Ps Pt. specialize (one p s s' tt Hp st Ps Pt).
  specialize (other p s' s tt Hp st Pt Ps). cbv beta in *. lra.
Qed.
