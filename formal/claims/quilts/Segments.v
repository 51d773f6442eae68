(** Theorems whose types are statement objects: both sides of a record of a chain, and releases on
    two segments. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require ParallelLevels ParallelSegments QuiltsOfTables.
From Said Require quilts.Segments.
Open Scope R_scope.

Theorem sides_given_record : Said.quilts.Segments.sides_given_record.
Proof.
  intros A F dA n theta t v s u left_ right_.
  exact (QuiltsOfTables.sides_given_record dA theta n t v s u left_ right_).
Qed.

Lemma exp_grows x y : x <= y -> exp x <= exp y.
Proof. intros [less|<-]; [left; now apply exp_increasing|lra]. Qed.

Lemma exp_larger x y : exp (Rmax x y) = Rmax (exp x) (exp y).
Proof.
  destruct (Rle_lt_dec x y) as [le|lt].
  - rewrite !Rmax_right; [easy|now apply exp_grows|easy].
  - rewrite !Rmax_left; [easy|apply exp_grows; lra|lra].
Qed.

Lemma exp_smaller x y : exp (Rmin x y) = Rmin (exp x) (exp y).
Proof.
  destruct (Rle_lt_dec x y) as [le|lt].
  - rewrite !Rmin_left; [easy|now apply exp_grows|easy].
  - rewrite !Rmin_right; [easy|apply exp_grows; lra|lra].
Qed.

Lemma exp_sum_smaller a x y : exp (Rmin (a + x) (a + y)) = exp a * Rmin (exp x) (exp y).
Proof.
  rewrite <- exp_smaller, <- exp_plus. f_equal. unfold Rmin.
  destruct (Rle_dec (a + x) (a + y)), (Rle_dec x y); lra.
Qed.

Theorem parallel_segments : Said.quilts.Segments.parallel_segments.
Proof.
  intros A W V F dA n T1 T2 T3 T4 class M N a b f g o1 o2 o3 o4 laws M0 N0 rM rN tf tg ka kb.
  rewrite exp_larger, !exp_sum_smaller.
  apply (ParallelSegments.parallel_segments dA n T1 T2 T3 T4); auto; try lia; left; apply exp_pos.
Qed.

Theorem parallel_levels : Said.quilts.Segments.parallel_levels.
Proof.
  intros A W V F dA n T1 T2 T3 T4 class M N a b o1 o2 o3 o4 laws M0 N0 rM rN ka kb.
  rewrite exp_plus.
  apply (ParallelLevels.parallel_levels dA n T1 T2 T3 T4); auto; try lia; left; apply exp_pos.
Qed.
