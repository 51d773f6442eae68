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

Example some_block m : law m -> exists lo hi, (lo <= 1 < hi)%nat /\ (hi <= 3)%nat /\
  number (block lo hi) 3 = 1%nat /\
  influence_of_shown bool_dec (block lo hi) (27 / 8) (sequence_law m (fun _ => mild) 3)
    (record_is bool_dec 1 true) (record_is bool_dec 1 false).
Proof.
  intros Lm. apply (best_block bool_dec m (fun _ => mild) 3 1 (block 1 2));
    auto using about_record.
  - intros _ x. apply kept.
  - now apply both_neighbours_shown.
Qed.

(** The bit in the middle alone, or all three. *)
Example some_block_of_one m : law m -> block_within bool_dec (27 / 8) m mild 3 1 1 true false.
Proof.
  intros Lm. apply (block_is_best bool_dec); [easy|intros; apply kept|].
  exists (block 1 2). split; [lia|]. repeat split. now apply both_neighbours_shown.
Qed.
Example nothing_shown m : law m -> hiding_within bool_dec 1 m mild 3 1 3 true false.
Proof.
  intros Lm. apply (block_is_best bool_dec); [easy|intros; apply kept|].
  exists 0%nat. repeat split; try lia. intros [[x|] [y|]]; unfold p_quilt, Pz, at_, P;
    simpl; lra.
Qed.
(** Near miss: if one bit is hidden, the others tell something. *)
Example one_hidden_tells : ~ hiding_within bool_dec 1 even mild 2 0 1 true false.
Proof.
  intros hid. apply (block_is_best bool_dec) in hid; [|apply kept|intros; apply kept].
  destruct hid as [lo [le [here [top told]]]]. assert (lo = 0%nat) as -> by lia.
  specialize (told (None, Some true)). revert told. by_cases.
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
