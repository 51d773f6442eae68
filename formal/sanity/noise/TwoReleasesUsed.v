(** Two releases of a noisy sum of two records of a chain tell more than twice a level above 0. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import TwoReleases.
Open Scope R_scope.

Example at_level_one : tells_more_than_twice 1.
Proof. apply two_releases_tell_more. lra. Qed.
(** No such release keeps the level 0, so that the level cannot be 0, nor below. *)
Example not_at_level_zero : ~ tells_more_than_twice 0.
Proof. rewrite two_releases_tell_more. lra. Qed.
Example not_below_zero : ~ tells_more_than_twice (- (1 / 100)).
Proof. rewrite two_releases_tell_more. lra. Qed.

(** For c = 2 and q = 1/27 one release is at 81/28, and its square is below the ratio of two. *)
Example twice_at_two : 81 / 28 * (81 / 28) * (1 / 27 * (2 * 2) + (1 - 1 / 27)) <
  2 * 2 * ((1 - 1 / 2) * (2 * 2) + 1 / 2).
Proof. apply (two_releases 2 (1 / 27)); lra. Qed.
(** With q = 1/4 the square is above it. *)
Example not_twice_at_a_quarter :
  ~ 12 / 5 * (12 / 5) * (1 / 4 * (2 * 2) + (1 - 1 / 4)) <
  2 * 2 * ((1 - 1 / 2) * (2 * 2) + 1 / 2).
Proof. lra. Qed.
