(** Hiding one of three records of a chain, and the block that is no worse. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables TableQuilts GapQuilts ShownBlocks.
From Pufferproof.sanity Require Import GapUsed.
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
