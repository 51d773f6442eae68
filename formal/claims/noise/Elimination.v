(** Theorems whose types are statement objects: one record is eliminated. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums.
From Said Require Elimination.
Open Scope R_scope.

Theorem sum_of_rays : Said.noise.Elimination.sum_of_rays.
Proof.
  intros Y Z FY FZ ratio B p q h c r p0 R0 c0 le grow.
  apply Rle_trans with (ratio * Σ y, p y * Σ z, c z * r z y).
  - rewrite <- sum_scale. apply sum_le. intros y _.
    replace (ratio * (p y * Σ z, c z * r z y)) with (p y * (ratio * Σ z, c z * r z y)) by ring.
    now apply Rmult_le_compat_l.
  - apply Rmult_le_compat_l; [easy|].
    assert (turn : forall k : Y -> R, (Σ y, k y * Σ z, c z * r z y) = Σ z, c z * Σ y, k y * r z y).
    { intros k. transitivity (Σ y, Σ z, c z * (k y * r z y)).
      - apply sum_ext. intros y _. rewrite <- sum_scale. apply sum_ext. intros; ring.
      - rewrite sum_swap. apply sum_ext. intros z _. now rewrite sum_scale. }
    rewrite !turn, <- sum_scale. apply sum_le. intros z _.
    replace (B * (c z * Σ y, q y * r z y)) with (c z * (B * Σ y, q y * r z y)) by ring.
    apply Rmult_le_compat_l; auto.
Qed.
