(** A bit between two others: its level is no bound, and what its neighbours tell is reached. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Recursion InnerBit Interior.
From Pufferproof.sanity Require Import Bits RecordsUsed.
Open Scope R_scope.

Lemma fair_always k x : law_after fair stay k x = 1 / 2.
Proof.
  revert x. induction k as [|k IH]; intros x; [reflexivity|].
  cbn [law_after sum all finite_bool]. rewrite !IH. destruct x; unfold stay; simpl; lra.
Qed.
Example seen_reached : reached 1 1 fair stay two true (2 * (7/5 * (7/5))).
Proof.
  rewrite <- recursion_computed. apply (seen_from_bit 1 1 fair stay stay two true).
  - apply fair_law.
  - exact stay_law.
  - exact stay_law.
  - intros k _ x y. rewrite !fair_always. destruct x, y; unfold stay; simpl; lra.
  - intros v. rewrite fair_always. lra.
  - exact two_above.
Qed.
Example level_alone_is_no_bound : ~ forall (M : bits 1 1 -> bool -> R) w, likelihood M ->
  levelled 1 1 two M -> told 1 1 fair stay M true w <= 2 * told 1 1 fair stay M false w.
Proof.
  intros bound. destruct seen_reached as [c [laws [lv [pos e]]]].
  specialize (bound (shows_half 1 1 two c) true (fun x w => proj1 (laws x) w) lv).
  change (negb true) with false in *. lra.
Qed.
