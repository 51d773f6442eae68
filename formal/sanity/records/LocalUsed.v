(** What local redaction keeps of records, and influences at a distance; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Local Influences.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** Two bits, equal three times in four; the first is private and replaced, the second shown half of
    the time. *)
Definition two_bits (x : vec bool 2) : R := if eqb (fst x) (fst (snd x)) then 3/8 else 1/8.
Definition first_is b : @secret (vec bool 2) := fun x => eqb (fst x) b.
Definition of_first s t := exists b, s = first_is b /\ t = first_is (negb b).
Definition chance (k : nat) : R := match k with O => 1 | _ => 1/2 end.

Lemma second_half_shown :
  pufferfish 3 (local bool_dec (fun k _ => chance k) (n := 2)) of_first (eq two_bits).
Proof.
  intros p s t [y1 [y2 []]] <- [b [-> ->]] _ _.
  destruct b, y1 as [[]|], y2 as [[]|]; by_cases.
Qed.

Example redaction_keeps_records_used : pufferfish 3
  (fun x (_ : unit) => has bool_dec ((None, (Some true, tt)) : vec (option bool) 2) x)
  of_first (eq two_bits).
Proof.
  apply (redaction_keeps_records bool_dec (fun k _ => chance k) 2 3); [exact second_half_shown|].
  by_cases.
Qed.

Example redaction_keeps_released_used :
  pufferfish 3 (part bool_dec (fun k => Nat.eqb k 1) (n := 2)) of_first (eq two_bits).
Proof.
  apply (redaction_keeps_released bool_dec chance 2); [|exact second_half_shown].
  intros [|[|j]]; try discriminate. unfold chance. lra.
Qed.

(** Of a record that is never shown nothing is kept. *)
Example replaced_records_are_not_kept : ~ pufferfish 3
  (fun x (_ : unit) => has bool_dec ((Some true, (None, tt)) : vec (option bool) 2) x)
  of_first (eq two_bits).
Proof.
  intros promise. specialize (promise two_bits (first_is true) (first_is false) tt eq_refl
    (ex_intro _ true (conj eq_refl eq_refl))). revert promise. by_cases.
Qed.

(** For a = 1/4 and b = 1/2 a neighbour's 1 tells 2, and its 0 tells 3/2. *)
Example influences_closed_used :
  influence_of (1/4) (1/2) 1 false = i0 (1/4) (1/2) 1 /\ i0 (1/4) (1/2) 1 = 3/2 /\
  influence_of (1/4) (1/2) 1 true = i1 (1/4) (1/2) 1 /\ i1 (1/4) (1/2) 1 = 2.
Proof.
  destruct (influences_closed (1/4) (1/2) ltac:(lra) ltac:(lra) ltac:(lra) 1 ltac:(lia))
    as [-> [-> _]].
  assert (C : of_c (1/4) (1/2) (1/4 / (1/2)) 1 = 3/2) by (unfold of_c, lam; simpl; lra).
  assert (E : of_c (1/4) (1/2) (1/2 / (1/4)) 1 = 2) by (unfold of_c, lam; simpl; lra).
  unfold i0, i1. rewrite C, E, !larger_above by lra. easy.
Qed.

(** Where a > b it is the 0 that tells more. *)
Example order_is_needed :
  i1 (1/2) (1/4) 1 < i0 (1/2) (1/4) 1.
Proof.
  assert (C : of_c (1/2) (1/4) (1/2 / (1/4)) 1 = 2) by (unfold of_c, lam; simpl; lra).
  assert (E : of_c (1/2) (1/4) (1/4 / (1/2)) 1 = 3/2) by (unfold of_c, lam; simpl; lra).
  unfold i0, i1. rewrite C, E, !larger_above by lra. lra.
Qed.

(** Both neighbours are shown, at distances 1 and 1. *)
Definition none_replaced (k : nat) : R := 0.
Lemma none_shares : shares none_replaced.
Proof. intros k. unfold none_replaced. lra. Qed.
Lemma nearest_neighbour : nearest none_replaced 1 (Some 1%nat).
Proof. repeat split; unfold none_replaced; try lia; lra. Qed.
Definition three_bits R0 := pufferfish R0 (redacted 1 1 (dim none_replaced) (dim none_replaced))
  (either_order 1 1) (eq (bits_law 1 1 fair (constant_steps (1/4) (1/2))
    (constant_steps (1/4) (1/2)))).

Example radius_of_redaction_used R0 : three_bits R0 <-> 2 * 2 <= R0.
Proof.
  destruct influences_closed_used as [_ [_ [_ E]]]. rewrite <- E.
  apply (radius_of_redaction (1/4) (1/2) ltac:(lra) ltac:(lra) ltac:(lra) 1 1 fair none_replaced
    none_replaced (Some 1%nat) (Some 1%nat)); try apply none_shares; try apply nearest_neighbour;
    unfold fair; try lra; easy.
Qed.

Example radius_is_enough_used : three_bits 4.
Proof.
  destruct influences_closed_used as [_ [_ [_ E]]].
  apply (radius_is_enough (1/4) (1/2) ltac:(lra) ltac:(lra) ltac:(lra) 1 1 fair none_replaced
    none_replaced (Some 1%nat) (Some 1%nat)); try apply none_shares; try apply nearest_neighbour;
    unfold fair; try lra.
  simpl. rewrite E. lra.
Qed.

(** One of the two influences is not enough. *)
Example one_side_is_not_enough : ~ three_bits 2.
Proof. intros promise. apply radius_of_redaction_used in promise. lra. Qed.
