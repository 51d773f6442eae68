(** Theorems whose types are statement objects: queries with Laplace and geometric noise. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums.
From Pufferproof Require Attained Slower Geometric.
From Said Require Queries.
Open Scope R_scope.

Theorem largest_at_values : Said.noise.Queries.largest_at_values.
Proof. intros D d F p s t p0 t0. exact (Attained.largest_at_values p s t F p0 t0). Qed.

Theorem larger_scales : Said.noise.Queries.larger_scales.
Proof. exact @Slower.larger_scales. Qed.

Theorem parallel_releases : Said.noise.Queries.parallel_releases.
Proof. exact @Slower.parallel_releases. Qed.

Theorem geometric_as_laplace : Said.noise.Queries.geometric_as_laplace.
Proof. exact @Geometric.geometric_as_laplace. Qed.

Theorem any_noise : Said.noise.Queries.any_noise.
Proof.
  intros V W fV ratio p q K K0 le w. rewrite <- sum_scale. apply sum_le. intros v _.
  rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto.
Qed.
