(** Whether two releases can tell more than twice a level is decided by its sign. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import TwoReleases.
From Tied Require Import Decide Entries.
Open Scope R_scope.

#[export] Instance d_tells_more eps q : level eps q ->
  decided (tells_more_than_twice eps) (negb (Qle_bool q 1)) | 0.
Proof.
  intros [q0 ->]. pose proof (d_lt 1 (Q2R q) 1%Q q r_1 (r_q q)) as more. unfold decided in *.
  rewrite more, two_releases_tell_more. split; intros h.
  - rewrite <- ln_1. apply ln_increasing; lra.
  - apply ln_lt_inv; [lra|easy|]. now rewrite ln_1.
Qed.
