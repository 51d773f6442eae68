(** One bit is eliminated, and what is lost if the mean of a ray grows. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Elimination.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** Functions of a bit one of whose values is at most twice the other. *)
Definition twice (a b : bool) : R := if Bool.eqb a b then 1 else 2.
Definition larger (y : bool) : R := if y then 2 else 1.
Lemma larger_in_cone : in_cone twice larger.
Proof. split; [intros []; unfold larger; lra|]. intros [] []; unfold twice, larger; simpl; lra. Qed.

Example elimination_used :
  (Σ y, fair y * larger y) <= 1 * 1 * Σ y, fair y * larger y.
Proof.
  apply (elimination twice); [intros y; unfold fair; lra|lra|intros y; lra|apply larger_in_cone|].
  intros f _. lra.
Qed.

(** If y is true given u and false given v, the mean grows by 2. *)
Definition sure (x y : bool) : R := if Bool.eqb x y then 1 else 0.
Example elimination_needs_rays :
  ~ (Σ y, sure true y * larger y) <= 1 * 1 * Σ y, sure false y * larger y.
Proof. unfold sure, larger; cbn. lra. Qed.
