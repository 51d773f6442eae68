(** Theorems whose types are statement objects: conditions that compose. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Means Runs Processing OneHot.
From Said Require Conditions.

Theorem am_gm : Said.composition.Conditions.am_gm.
Proof. intros D F b u. exact (Means.am_gm b u). Qed.

Theorem cone : Said.composition.Conditions.cone.
Proof.
  intros D F beta E u v k x Lb E0 u0 v0 cu cv k0. cbv beta in *.
  change (u x <= E * Means.geo beta u)%R in cu. change (v x <= E * Means.geo beta v)%R in cv.
  pose proof (Rmult_le_compat_l E _ _ E0 (Processing.geo_add beta Lb u v u0 v0)).
  split; [lra|].
  pose proof (Rmult_le_compat_l E _ _ E0 (Processing.geo_scale beta Lb k u k0 u0)).
  pose proof (Rmult_le_compat_l k _ _ k0 cu). lra.
Qed.

Theorem one_hot_is_dp : Said.composition.Conditions.one_hot_is_dp.
Proof.
  intros D W F G beta E M x z.
  exact (Pufferproof.composition.joint.OneHot.one_hot_is_dp beta E M x z).
Qed.

Theorem condition_survives : Said.composition.Conditions.condition_survives.
Proof.
  intros D W V F G H beta E M K x. exact (Processing.condition_survives beta E M K x).
Qed.

Theorem one_hot_survives : Said.composition.Conditions.one_hot_survives.
Proof.
  intros I D W V F G H J xs betas Es M K. exact (Processing.one_hot_survives xs betas Es M K).
Qed.

Theorem coupled_levels : Said.composition.Conditions.coupled_levels.
Proof.
  intros D W F G p s t beta Ms ws Lp Lb M0 E0 each carry.
  apply (Runs.coupled_levels p s t beta Lp Lb); auto.
  - intros M E i. exact (conj (M0 (M, E) i) (E0 (M, E) i)).
  - intros M E i x w px. exact (each (M, E) i x px w).
Qed.

Theorem coupling_processed : Said.composition.Conditions.coupling_processed.
Proof.
  intros D W V F G H p s t beta Ms Ks vs Lp Lb M0 E0 each carry K0 len.
  apply (Processing.coupling_processed p s t beta Ms Ks vs Lp Lb); auto.
  - intros M E i. exact (conj (M0 (M, E) i) (E0 (M, E) i)).
  - intros M E i x w px. exact (each (M, E) i x px w).
Qed.

Theorem nfc_runs : Said.composition.Conditions.nfc_runs.
Proof.
  intros D W F G p s t beta eps Ms C ws Lp Lb M0 each heavy.
  apply (Runs.nfc_runs p s t beta Lp Lb eps Ms M0); auto.
  intros M i x w px. exact (each M i x px w).
Qed.
