(** Streams of fair bits through windows of two, and near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Streams Shifts.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** The response to the newest of two bits, and a coin in its place. *)
Definition newest (k : nat) (l : list bool) (y : bool) : R :=
  match l with [_; b] => response b y | _ => 1/2 end.
Definition coins (k : nat) (l : list bool) (y : bool) : R := 1/2.

Lemma newest_law k l : law (newest k l).
Proof.
  assert (half : law (fun _ : bool => 1/2)) by (split; [intros []|]; by_cases).
  destruct l as [|a [|b [|c l]]]; try apply half. apply response_kernel.
Qed.

Lemma coins_law k l : law (coins k l).
Proof. split; [intros []|]; by_cases. Qed.

Lemma known_bit (z : list bool) : known 2 z -> exists b, z = [b].
Proof. destruct z as [|b [|c z]]; try discriminate. now exists b. Qed.

Lemma step_near (k : nat) (y : bool) (z z' : list bool) : known 2 z -> known 2 z' ->
  one_step fair 2 newest k y z <= exp (ln (3/2)) * one_step fair 2 coins k y z'.
Proof.
  intros kz kz'. destruct (known_bit z kz) as [b ->], (known_bit z' kz') as [b' ->].
  rewrite exp_ln by lra. destruct b, y; by_cases.
Qed.

Example streaming_lemma1_used :
  given fair 2 newest 2 [true; false] [true] <=
  exp (ln (3/2) + (ln (3/2) + 0)) * given fair 2 coins 2 [true; false] [false].
Proof.
  apply (streaming_lemma1 fair 2 fair_law newest coins (fun k l y => proj1 (newest_law k l) y)
    (fun k l y => proj1 (coins_law k l) y) (fun _ _ => ln (3/2)) [true; false]); try easy.
  exact step_near.
Qed.

Example streaming_lemma2_used :
  given fair 2 newest 2 [true; false] [true] <=
  exp (ln (3/2) + 0 + 0) * given fair 2 coins 2 [true; false] [true].
Proof.
  apply (streaming_lemma2 fair 2 fair_law newest coins (fun k l y => proj1 (newest_law k l) y)
    (fun k l y => proj1 (coins_law k l) y) (fun _ _ => ln (3/2)) 0 [true] false); try easy.
  - exact step_near.
  - rewrite exp_0. by_cases.
Qed.

(** Without a level it fails. *)
Example streaming_needs_its_level :
  ~ given fair 2 newest 1 [true] [true] <= exp 0 * given fair 2 coins 1 [true] [false].
Proof. rewrite exp_0. by_cases. Qed.

(** Where steps keep level 0 only if the known blocks are the same on both sides, two steps do not:
    the first shows the newest bit, the second the oldest one, which is the same. *)
Definition shown (k : nat) (l : list bool) (y : bool) : R :=
  match k, l with O, [_; b] => identity b y | S _, [b; _] => identity b y | _, _ => 1/2 end.
Definition hidden (k : nat) (l : list bool) (y : bool) : R :=
  match k, l with O, [_; b] => identity b y | _, _ => 1/2 end.

Example streaming_needs_all_pairs :
  (forall k y z, known 2 z ->
    one_step fair 2 shown k y z <= exp 0 * one_step fair 2 hidden k y z) /\
  ~ given fair 2 shown 2 [true; true] [true] <=
    exp (0 + (0 + 0)) * given fair 2 hidden 2 [true; true] [true].
Proof.
  split.
  - intros k y z kz. destruct (known_bit z kz) as [b ->]. rewrite exp_0.
    destruct k, b, y; by_cases.
  - rewrite !Rplus_0_r, exp_0. by_cases.
Qed.

(** Level 0 with a shift of 1/4 for each output. *)
Lemma step_shift same : step_keeps fair 2 newest coins (exp 0) (1/4) same.
Proof.
  intros k T z z' kz kz' _. destruct (known_bit z kz) as [b ->], (known_bit z' kz') as [b' ->].
  rewrite exp_0. arithmetic. destruct (T true), (T false), b; lra.
Qed.

Example streaming_theorem4_used S z : known 2 z ->
  set_given fair 2 newest (1 + 1) S z <=
  exp (0 + INR 1 * 0) * set_given fair 2 coins (1 + 1) S z + INR (1 + 1) * (1/4).
Proof.
  intros kz. apply streaming_theorem4; try lra; try easy; try apply step_shift.
  - apply fair_law.
  - apply newest_law.
  - apply coins_law.
Qed.

(** Half that shift is too little, for one output. *)
Example streaming_shift_is_tight : ~ forall S,
  set_given fair 2 newest (0 + 1) S [true] <=
  exp (0 + INR 0 * 0) * set_given fair 2 coins (0 + 1) S [true] + INR (0 + 1) * (1/8).
Proof.
  intros promise. specialize (promise (fun ys => hd false ys)). simpl INR in promise.
  rewrite Rmult_0_l, Rplus_0_r, exp_0 in promise. revert promise. by_cases.
Qed.
