(** Hiding one of three records of a chain, and the block that is no worse. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables TableQuilts GapQuilts ShownBlocks HiddenBlocks.
From Pufferproof.sanity Require Import Bits GapUsed.
Import ListNotations.
Open Scope R_scope.

Lemma about_record i v : @about bool i 3 (record_is bool_dec i v).
Proof. intros x y same. unfold record_is, value, record. now rewrite same. Qed.

Example both_neighbours_shown m : law m ->
  influence_of_shown bool_dec (block 1 2) (27 / 8) (sequence_law m (fun _ => mild) 3)
    (record_is bool_dec 1 true) (record_is bool_dec 1 false).
Proof.
  intros Lm. apply (nearest_tell_all bool_dec m (fun _ => mild) 1 1 1 1); auto using about_record.
  - intros _ x. apply kept.
  - now apply around_one.
Qed.

Example some_block : exists lo hi, (lo <= 1 < hi)%nat /\ (hi <= 3)%nat /\
  number (block lo hi) 3 = 1%nat /\ forall m, law m ->
    influence_of_shown bool_dec (block lo hi) (27 / 8) (sequence_law m (fun _ => mild) 3)
      (record_is bool_dec 1 true) (record_is bool_dec 1 false).
Proof.
  destruct (best_block bool_dec 3 1 (block 1 2)) as [lo [hi [in_ [le [same serves]]]]]; [lia|easy|].
  exists lo, hi. repeat split; try easy. intros m Lm.
  apply serves; auto using about_record; [intros _ x; apply kept|now apply both_neighbours_shown].
Qed.

(** All chains with these steps: the same block serves every first law. The bit in the middle alone,
    or all three. *)
Definition from_all (c : (bool -> R) * (nat -> bool -> bool -> R)) :=
  law (fst c) /\ snd c = (fun _ => mild).
Lemma from_all_chains : chains_only from_all.
Proof. intros [m K] [Lm E]. simpl in *. subst K. split; [easy|]. intros; apply kept. Qed.
Example some_block_of_one : block_within bool_dec (27 / 8) from_all 3 1 1 true false.
Proof.
  apply (block_is_best bool_dec); [exact from_all_chains|]. exists (block 1 2). split; [lia|].
  repeat split. intros [m K] [Lm E]. simpl in *. subst K. now apply both_neighbours_shown.
Qed.
Example nothing_shown : hiding_within bool_dec 1 from_all 3 1 3 true false.
Proof.
  apply (block_is_best bool_dec); [exact from_all_chains|]. exists 0%nat. repeat split; try lia.
  intros [m K] _ [[x|] [y|]]; unfold p_quilt, Pz, at_, P; simpl; lra.
Qed.

(** Near misses. If one bit is hidden, the others tell something. *)
Example one_hidden_tells : ~ hiding_within bool_dec 1 from_all 2 0 1 true false.
Proof.
  intros hid. apply (block_is_best bool_dec) in hid; [|exact from_all_chains].
  destruct hid as [lo [le [here [top told]]]]. assert (lo = 0%nat) as -> by lia.
  specialize (told (even, fun _ => mild) (conj (proj1 kept) eq_refl) (None, Some true)).
  revert told. by_cases.
Qed.
(** Of two chains each has two bits that can be hidden so that the third one tells nothing, but not
    the same two. *)
Definition first_alone : (bool -> R) * (nat -> bool -> bool -> R) :=
  (even, fun k x => match k with O => even | S _ => mild x end).
Definition last_alone : (bool -> R) * (nat -> bool -> bool -> R) :=
  (even, fun k x => match k with O => mild x | S _ => even end).
Example own_bits : block_within bool_dec 1 (fun c => c = first_alone) 3 1 2 true false /\
  block_within bool_dec 1 (fun c => c = last_alone) 3 1 2 true false.
Proof.
  split; [exists 1%nat|exists 0%nat]; repeat split; try lia; intros c -> [[[]|] [[]|]]; by_cases.
Qed.
Example not_the_same_bits : ~ block_within bool_dec 1
  (fun c => c = first_alone \/ c = last_alone) 3 1 2 true false.
Proof.
  intros [lo [le [here [top told]]]]. destruct lo as [|[|lo]]; [| |lia].
  - specialize (told first_alone (or_introl eq_refl) (None, Some true)). revert told. by_cases.
  - specialize (told last_alone (or_intror eq_refl) (Some true, None)). revert told. by_cases.
Qed.

(** Two bits hidden instead of one. *)
Example longer_is_no_worse m : law m -> quilt_within bool_dec (27 / 8) m mild 3 0 2 1 true false.
Proof.
  intros Lm. apply (longer_block bool_dec (27 / 8) m mild 3 1 2 0 2 1); try lia;
    [easy|intros; apply kept|now apply around_one].
Qed.
(** What both neighbours tell is the product: less than 11/9 from the left leaves more for the
    right. *)
Example left_or_right : quilt_within bool_dec (11 / 9) even mild 3 1 3 1 true false \/
  quilt_within bool_dec (11 / 9) even mild 3 0 2 1 true false.
Proof.
  apply (sides_reached bool_dec); try lra; try lia;
    [apply kept|intros; apply kept|exact sides_multiply_used].
Qed.
(** Near miss: neither tells less. *)
Example neither_tells_less : ~ quilt_within bool_dec (10 / 9) even mild 3 1 3 1 true false /\
  ~ quilt_within bool_dec (10 / 9) even mild 3 0 2 1 true false.
Proof.
  split; intros told; [specialize (told (Some true, None))|specialize (told (None, Some true))];
    revert told; by_cases.
Qed.
