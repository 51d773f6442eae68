(** Chains of bits of which each attracts the next: their laws attract. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Supermodular.
Import ListNotations.
Open Scope R_scope.

Section Bits.
Context (initial : bool -> R) (T : nat -> bool -> bool -> R).

(** A chain whose every bit is likelier to be 1 after a 1 than after a 0. *)
Definition attracting := law initial /\ forall k, (forall x, law (T k x)) /\
  T k false true <= T k true true.
Hypothesis attract : attracting.

Lemma bits_total (p : bool -> R) : law p -> p true + p false = 1.
Proof. intros [_ one]. cbn in one. lra. Qed.

Lemma step_order k x y x' y' :
  T k x x' * T k y y' <= T k (x || y) (x' || y') * T k (x && y) (x' && y').
Proof.
  destruct attract as [_ each]. destruct (each k) as [laws le].
  pose proof (bits_total _ (laws true)) as E1. pose proof (bits_total _ (laws false)) as E0.
  assert (cross : T k true false * T k false true <= T k true true * T k false false).
  { replace (T k true false) with (1 - T k true true) by lra.
    replace (T k false false) with (1 - T k false true) by lra. lra. }
  destruct x, y, x', y'; simpl; lra.
Qed.

Lemma steps_pos k x l : 0 <= steps T k x l.
Proof.
  destruct attract as [_ each]. apply steps_nonneg. intros j y. apply (each j).
Qed.

Lemma steps_order k x y l m : length l = length m ->
  steps T k x l * steps T k y m <= steps T k (x || y) (join l m) * steps T k (x && y) (meet l m).
Proof.
  revert k x y m.
  induction l as [|x' l IH]; intros k x y [|y' m] E; try discriminate; simpl; [lra|].
  injection E as E.
  replace (T k x x' * steps T (S k) x' l * (T k y y' * steps T (S k) y' m)) with
    (T k x x' * T k y y' * (steps T (S k) x' l * steps T (S k) y' m)) by ring.
  replace (T k (x || y) (x' || y') * _ * _) with (T k (x || y) (x' || y') *
    T k (x && y) (x' && y') * (steps T (S k) (x' || y') (join l m) *
    steps T (S k) (x' && y') (meet l m))) by ring.
  assert (T0 : forall j z z', 0 <= T j z z').
  { intros j z z'. destruct attract as [_ each]. apply (each j). }
  apply Rmult_le_compat; [apply Rmult_le_pos; apply T0|apply Rmult_le_pos; apply steps_pos| |].
  - apply step_order.
  - now apply IH.
Qed.

Lemma weight_pos l : 0 <= chain_weight initial T l.
Proof.
  destruct l as [|x l]; simpl; [lra|]. apply Rmult_le_pos; [apply attract|apply steps_pos].
Qed.

Lemma weight_order l m : length l = length m -> chain_weight initial T l * chain_weight initial T m
  <= chain_weight initial T (join l m) * chain_weight initial T (meet l m).
Proof.
  destruct l as [|x l], m as [|y m]; try discriminate; simpl; [lra|]. intros E. injection E as E.
  replace (initial x * steps T 0 x l * (initial y * steps T 0 y m)) with
    (initial x * initial y * (steps T 0 x l * steps T 0 y m)) by ring.
  replace (initial (x || y) * _ * _) with (initial x * initial y *
    (steps T 0 (x || y) (join l m) * steps T 0 (x && y) (meet l m)))
    by (destruct x, y; simpl; ring).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; apply attract|]. now apply steps_order.
Qed.

(** A chain attracts (classes.extremes): its law does, whatever the number of records.
    Differs: steps may depend on time. *)
Theorem chain_attracts n : Supermodular.attract (chain_weight initial T) n.
Proof.
  split; [intros; apply weight_pos|]. intros v v'. apply weight_order. now rewrite !list_length.
Qed.
End Bits.
