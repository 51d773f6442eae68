(** The outputs beyond all values leak most of bits that attract one another, not of others, and
    columns that favour one value of all of them have the largest ratios. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Supermodular Attracting LevelColumns.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** A bit that the next one repeats, or turns. *)
Definition repeats (_ : nat) (x y : bool) : R := if eqb x y then 1 else 0.
Definition turns (_ : nat) (x y : bool) : R := if eqb x y then 0 else 1.
Definition second (k : nat) (x : bool) : R := match k with O => 0 | _ => if x then 1 else 0 end.

Lemma second_rises : rising second.
Proof. intros [|k]; simpl; lra. Qed.
Lemma repeats_attracts : attracting fair repeats.
Proof.
  split; [apply fair_law|]. intros k. split.
  - intros x. split; [intros y; unfold repeats; destruct eqb; lra|].
    destruct x; unfold repeats; cbn; lra.
  - unfold repeats; simpl; lra.
Qed.
Definition kept_bits := chain_weight fair repeats.
Definition turned_bits := chain_weight fair turns.
Example extremes_used w :
  mean kept_bits (noise second (1 / 2) w) 2 0 true * mean kept_bits (up second (1 / 2)) 2 0 false <=
  mean kept_bits (up second (1 / 2)) 2 0 true * mean kept_bits (noise second (1 / 2) w) 2 0 false.
Proof.
  refine (proj1 (extremes second (1 / 2) kept_bits 2 0 w _ second_rises _)); [|lra].
  now apply chain_attracts, repeats_attracts.
Qed.

Lemma half_power x k : x = IZR k -> Rpower (1 / 2) x = powerRZ (1 / 2) k.
Proof. intros ->. symmetry. apply powerRZ_Rpower. lra. Qed.
(** Of bits that turn, the output 0 tells more of the first bit than the mean does. *)
Example extremes_need_attraction :
  ~ mean turned_bits (noise second (1 / 2) 0) 2 0 true *
      mean turned_bits (up second (1 / 2)) 2 0 false <=
    mean turned_bits (up second (1 / 2)) 2 0 true *
      mean turned_bits (noise second (1 / 2) 0) 2 0 false.
Proof.
  unfold mean, noise, up, counted, turned_bits, turns, second, fair. simpl.
  rewrite !(half_power (Rabs (0 - (0 + (0 + 0)))) 0), !(half_power (Rabs (0 - (0 + (1 + 0)))) 1),
    !(half_power (- (0 + (0 + 0))) 0), !(half_power (- (0 + (1 + 0))) (-1)).
  2: lra. 2: lra.
  2: replace (0 - (0 + (1 + 0))) with (-1) by ring; rewrite Rabs_left; lra.
  2: replace (0 - (0 + (0 + 0))) with 0 by ring; apply Rabs_R0.
  simpl. lra.
Qed.

(** Bits that turn attract one another once the second one is exchanged, and not before. *)
Definition exchange_second (k : nat) := match k with O => false | _ => true end.
Lemma turned_attract : attract (exchanged exchange_second turned_bits) 2.
Proof.
  split; [intros [[] [[] []]]|intros [[] [[] []]] [[] [[] []]]];
    unfold exchanged, exchange, turned_bits, turns, fair; simpl; lra.
Qed.
Example turned_do_not : ~ attract turned_bits 2.
Proof.
  intros [_ order]. specialize (order (true, (false, tt)) (false, (true, tt))). revert order.
  unfold turned_bits, turns, fair. simpl. lra.
Qed.

(** A column of level 2 for each bit, twice as large where the second bit is 0. *)
Definition second_zero (l : list bool) : R :=
  match l with _ :: x :: _ => if x then 1 else 2 | _ => 1 end.
Definition two (_ : nat) : R := 2.
Lemma second_zero_column : column two 2 second_zero.
Proof.
  intros [[] [[] []]]; (split; [simpl; lra|]);
    intros [|[|j]] small; try (exfalso; lia); unfold two; simpl; lra.
Qed.
Example columns_used :
  mean (exchanged exchange_second turned_bits) (exchanged exchange_second second_zero) 2 0 true *
    mean (exchanged exchange_second turned_bits) (favour two true) 2 0 false <=
  mean (exchanged exchange_second turned_bits) (favour two true) 2 0 true *
    mean (exchanged exchange_second turned_bits) (exchanged exchange_second second_zero) 2 0 false.
Proof.
  exact (proj1 (columns exchange_second turned_bits two second_zero 2 0 turned_attract
    second_zero_column)).
Qed.
(** Near miss: in values that are not exchanged it has a larger ratio. *)
Example columns_need_exchange :
  ~ mean turned_bits second_zero 2 0 true * mean turned_bits (favour two true) 2 0 false <=
    mean turned_bits (favour two true) 2 0 true * mean turned_bits second_zero 2 0 false.
Proof.
  unfold mean, favour, turned_bits, turns, fair, second_zero, two. simpl. lra.
Qed.
