(** Theorems whose types are statement objects: one record is eliminated. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums.
From Pufferproof Require Elimination.
From Said Require Elimination.
Open Scope R_scope.

Theorem one_record : Said.noise.Elimination.one_record.
Proof.
  intros U X Y FU FX FY rj ry B p h p0 h0 le cone grow u v x. rewrite <- Rmult_assoc.
  apply (Pufferproof.noise.Elimination.elimination ry); auto. split; auto.
Qed.

Theorem beside_the_record : Said.noise.Elimination.beside_the_record.
Proof.
  intros U X Y FU FX FY rj p h p0 le u v x. rewrite <- sum_scale. apply sum_le. intros y _.
  rewrite <- Rmult_assoc, (Rmult_comm (rj u v)), Rmult_assoc. now apply Rmult_le_compat_l.
Qed.

Theorem rays_from_one_side : Said.noise.Elimination.rays_from_one_side.
Proof. exact @Pufferproof.noise.Elimination.rays_from_one_side. Qed.
