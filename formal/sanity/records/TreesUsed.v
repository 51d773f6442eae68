(** A tree of four bits: a root with two children, of which one has a child of its own. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Recursion Trees.
From Pufferproof.sanity Require Import Bits RecordsUsed.
Open Scope R_scope.

(** Children agree with the bit above them three times in four; levels are 2, 2 and 3. *)
Definition agrees : bool -> bool -> R := stay 0.
Definition of_four := child agrees 2 (child agrees 2 none none) (child agrees 3 none none).
Definition four := tree_law fair of_four.

Lemma four_sound : sound of_four.
Proof. simpl. repeat split; try lra; apply (stay_law 0). Qed.

Lemma end_at t : 1 < t ->
  Rmax (quotient (agrees true) (agrees false) t) (quotient (agrees true) (agrees false) (/ t)) =
    (3 * t + 1) / (t + 3) /\
  Rmax (/ quotient (agrees true) (agrees false) t) (/ quotient (agrees true) (agrees false) (/ t)) =
    (3 * t + 1) / (t + 3).
Proof.
  intros t1.
  assert (E : quotient (agrees true) (agrees false) t = (3 * t + 1) / (t + 3)).
  { unfold quotient, agrees, stay; simpl. field. lra. }
  assert (F : quotient (agrees true) (agrees false) (/ t) = / ((3 * t + 1) / (t + 3))).
  { unfold quotient, agrees, stay; simpl. field. lra. }
  assert (above : 1 < (3 * t + 1) / (t + 3)).
  { apply (Rmult_lt_reg_r (t + 3)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (below : / ((3 * t + 1) / (t + 3)) < 1).
  { rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  rewrite E, F, Rinv_inv. split; [apply Rmax_left|apply Rmax_right]; lra.
Qed.

Lemma by_child level s below beside : 1 < level * s -> messages below = (s, s) ->
  messages (child agrees level below beside) =
  ((3 * (level * s) + 1) / (level * s + 3) * fst (messages beside),
   (3 * (level * s) + 1) / (level * s + 3) * snd (messages beside)).
Proof.
  intros t1 E. cbn [messages]. rewrite E. cbn [fst snd]. now destruct (end_at _ t1) as [-> ->].
Qed.

(** 2 of the root, 47/29 by the child with a child, 5/3 by the other one. *)
Example tree_computed b : tree_worst 2 of_four b = 2 * (47/29 * (5/3)).
Proof.
  assert (leaf : messages (child agrees 2 none none) = (7/5, 7/5)).
  { rewrite (by_child 2 1) by (easy || lra). simpl. f_equal; field. }
  assert (other : messages (child agrees 3 none none) = (5/3, 5/3)).
  { rewrite (by_child 3 1) by (easy || lra). simpl. f_equal; field. }
  unfold tree_worst, of_four. rewrite (by_child 2 (7/5)), other by (easy || lra).
  cbn [fst snd]. destruct b; field.
Qed.

Example tree_bounds_used (M : tree of_four -> bool -> R) b w : tree_levels 2 of_four M ->
  Pw four M (root_is of_four b) w * P four (root_is of_four (negb b)) <=
  2 * (47/29 * (5/3)) * P four (root_is of_four b) * Pw four M (root_is of_four (negb b)) w.
Proof.
  intros lv. rewrite <- (tree_computed b).
  apply tree_bounds; auto using fair_law, four_sound. lra.
Qed.

Example tree_bounds_attained_used : exists M : tree of_four -> bool -> R, kernel M /\
  tree_levels 2 of_four M /\ 0 < Pw four M (root_is of_four false) true /\
  Pw four M (root_is of_four true) true * P four (root_is of_four false) =
  2 * (47/29 * (5/3)) * P four (root_is of_four true) * Pw four M (root_is of_four false) true.
Proof.
  rewrite <- (tree_computed true).
  apply (tree_bounds_attained fair 2 of_four fair_law ltac:(lra) four_sound true); unfold fair; lra.
Qed.

(** Without the second child it is too little. *)
Example trees_need_every_child : ~ forall M : tree of_four -> bool -> R, kernel M ->
  tree_levels 2 of_four M ->
  Pw four M (root_is of_four true) true * P four (root_is of_four false) <=
  2 * (47/29) * P four (root_is of_four true) * Pw four M (root_is of_four false) true.
Proof.
  intros bound. destruct tree_bounds_attained_used as [M [ker [lv [pos E]]]].
  specialize (bound M ker lv). rewrite E in bound. unfold four in bound.
  rewrite P_root in bound by apply four_sound.
  fold four in bound. unfold fair in bound. lra.
Qed.
