(** The mechanism on a chain of three bits, each of them secret: quilts on both sides, on one side,
    and none. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace QuiltMechanism Chain ChainQuilts.
From Pufferproof Require Import SequentialQuilts Parallel ParallelChains SequentialChains.
From Pufferproof.sanity Require Import Bits QuiltsUsed.
Import ListNotations.
Open Scope R_scope.

Notation bits n := (vec bool n).
Definition law_of_bits : bits 3 -> R := sequence_law fair stays 3.
Definition bit i x : @secret (bits 3) := fun v =>
  match nth_error (list_of v) i with Some y => eqb y x | None => false end.
(** X_i = 0 against X_i = 1, in both orders, for each of the three records. *)
Definition each_bit (s t : @secret (bits 3)) :=
  exists i x, (i < 3)%nat /\ s = bit i x /\ t = bit i (negb x).

Lemma bits_are_a_chain p : law_of_bits = p -> chain_of 3 p.
Proof.
  intros <-. exists fair, stays. repeat split; try apply fair_law; apply stays_law.
Qed.

Lemma bit_is_about_its_record i x : about i (bit i x).
Proof. intros v w E. unfold bit. now rewrite E. Qed.

Ltac counts := intros [[[]|] [[]|]]; by_cases.

(** The record before and the one after: together they tell log 4, one alone log 2. *)
Lemma influences i x : (i < 3)%nat ->
  influence_at_most (decide_pair bool_dec) (quilt_around i (S i)) 4 law_of_bits
    (bit i x) (bit i (negb x)).
Proof.
  intros here. destruct i as [|[|[|i]]]; [| | |lia]; destruct x; counts.
Qed.

Example quilt_mechanism_on_chains_used :
  pufferfish (exp (ln 4 + 1)) (fun v => laplace 1 (count (list_of v))) each_bit (eq law_of_bits).
Proof.
  apply (quilt_mechanism_on_chains bool_dec).
  - apply bits_are_a_chain.
  - apply count_moves.
  - intros p s t <- [i [x [here [-> ->]]]] _ _. exists i, i, (S i), (ln 4).
    repeat split; try lia; try apply bit_is_about_its_record; try lra.
    + rewrite exp_ln by lra. now apply influences.
    + replace (S i - i)%nat with 1%nat by lia. replace (ln 4 + 1 - ln 4) with 1 by ring. simpl. lra.
Qed.

(** The empty quilt: noise of scale 3 at level 1. *)
Example empty_quilt_used :
  pufferfish (exp 1) (fun v => laplace 3 (count (list_of v))) each_bit (eq law_of_bits).
Proof.
  apply (quilt_mechanism_on_chains bool_dec).
  - apply bits_are_a_chain.
  - apply count_moves.
  - intros p s t <- [i [x [here [-> ->]]]] _ _. exists i, 0%nat, 3%nat, 0.
    repeat split; try lia; try apply bit_is_about_its_record; try apply empty_quilt; simpl; lra.
Qed.

(** Without conditional independence a quilt of nothing would do: remote is the secret itself. *)
Example quilt_mechanism_needs_independence :
  let quilt (x : bool) := tt in let remote (x : bool) := x in
  let dq (y z : unit) : {y = z} + {y <> z} := match y, z with tt, tt => left eq_refl end in
  influence_at_most dq quilt 1 fair yes no /\
  (forall x y w, quilt x = quilt y -> remote x = remote y -> identity x w <= 1 * identity y w) /\
  ~ Pw fair identity yes true * P fair no <= 1 * 1 * P fair yes * Pw fair identity no true.
Proof.
  repeat split; [intros []|intros x y w _ <-; lra|]; by_cases.
Qed.

Example quilt_mechanism_in_a_framework_used :
  pufferfish (exp (ln 4 + 1)) (fun x => laplace 1 (count (records 0 1 0 x)))
    (fun s t => s = one /\ t = zero) (eq prior).
Proof.
  apply quilt_mechanism_in_a_framework; [intros p <-; apply chain_is_law_used|].
  intros p s t <- [-> ->] _ _.
  exists (bool * bool)%type, (far_t (A := bool) 0 0), _, _, (dquilt bool_dec), (dfar bool_dec 0 0),
    quilt_of, remote_of, 1, (ln 4).
  repeat split; try lra.
  - now apply nothing_remote with middle.
  - now apply nothing_remote with (fun n => negb (middle n)).
  - rewrite exp_ln by lra. apply influence_four.
  - apply count_near.
  - replace (ln 4 + 1 - ln 4) with 1 by ring. lra.
Qed.

(** ** Two runs with quilts of their own: the records beside X_1, and none *)
Definition two_sided := {| asks := count; first_near := 1; first_after := 2; estimate := ln 4;
  allowed := ln 4 + 1; noise := 1 |}.
Definition empty_run := {| asks := count; first_near := 0; first_after := 3; estimate := 0;
  allowed := 1; noise := 3 |}.

Lemma one_record_is i x v : @record_is bool bool_dec 3 i x v = bit i x v.
Proof.
  unfold record_is, value, record, bit. destruct (nth_error (list_of v) i) as [y|].
  - destruct decide_option as [E|E]; [injection E as ->; symmetry; apply eqb_reflx|].
    destruct y, x; try easy; congruence.
  - now destruct decide_option.
Qed.

Lemma estimate_is_enough : influence_at_most (decide_pair bool_dec) (quilt_around 1 2) 4
  law_of_bits (record_is bool_dec 1 true) (record_is bool_dec 1 false).
Proof.
  intros q. pose proof (influences 1 true ltac:(lia) q) as infl. simpl negb in infl.
  assert (same : forall x, P law_of_bits (record_is bool_dec 1 x) = P law_of_bits (bit 1 x) /\
    p_quilt (decide_pair bool_dec) (quilt_around 1 2) law_of_bits (record_is bool_dec 1 x) q =
    p_quilt (decide_pair bool_dec) (quilt_around 1 2) law_of_bits (bit 1 x) q).
  { intros x. unfold P, p_quilt, Pz, inside.
    split; apply sum_ext; intros v _; now rewrite one_record_is. }
  destruct (same true) as [-> ->], (same false) as [-> ->]. exact infl.
Qed.

Example sequential_on_chains_used ws :
  let joint := joint_density (map (as_run 3) [two_sided; empty_run]) in
  Pw law_of_bits joint (record_is bool_dec 1 true) ws *
    P law_of_bits (record_is bool_dec 1 false) <=
  exp (ln 4 + 1 + (1 + 0)) * P law_of_bits (record_is bool_dec 1 true) *
    Pw law_of_bits joint (record_is bool_dec 1 false) ws.
Proof.
  apply (sequential_on_chains bool_dec fair stays fair_law stays_law 3 1 true false
    [two_sided; empty_run] ws); try easy.
  assert (l4 : 0 <= ln 4) by (rewrite <- ln_1; apply Rlt_le, ln_increasing; lra).
  intros r [<-|[<-|[]]]; unfold good_chain_run, near_i; cbn [asks first_near first_after estimate
    allowed noise two_sided empty_run].
  - repeat split; try lia; try apply count_moves; try lra.
    + rewrite exp_ln by lra. apply estimate_is_enough.
    + replace (ln 4 + 1 - ln 4) with 1 by ring. simpl. lra.
  - repeat split; try lia; try apply count_moves; try lra.
    + apply empty_quilt.
    + simpl. lra.
Qed.

(** An estimate below the influence is none: the records beside X_1 at estimate 0. *)
Example estimates_are_upper_bounds :
  ~ influence_at_most (decide_pair bool_dec) (quilt_around 1 2) (exp 0) law_of_bits
    (bit 1 true) (bit 1 false).
Proof.
  intros infl. rewrite exp_0 in infl. specialize (infl (Some true, Some true)).
  revert infl. by_cases.
Qed.
