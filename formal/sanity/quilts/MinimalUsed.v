(** Separation and minimal quilts, on bits of a chain; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain Networks RecordTables TableQuilts.
From Pufferproof Require Import QuiltsOfTables QuiltsOfChains Separation MinimalQuilts.
From Pufferproof.sanity Require Import Bits QuiltsUsed ClassesUsed.
Import ListNotations.
Open Scope R_scope.

(** Beyond the second bit a record may be called near: the fourth is separated all the same. *)
Definition near_beyond (k : nat) : role := match k with
  | 1%nat => quilt | 3%nat => remote | _ => near end.
Example separated_is_independent_used : quilt_of bool_dec (n := 4) near_beyond 0 (laws_of lazy 4).
Proof.
  apply separated_is_independent; [apply lazy_chains|easy|].
  intros [|[|[|[|r]]]] h e; try discriminate e; try lia. exists 1%nat. split; [easy|lia].
Qed.

Example quilts_of_every_chain_used : quilt_of bool_dec (n := 4) near_beyond 0
  (laws_of homogeneous 4).
Proof.
  apply (quilts_of_every_chain bool_dec 4 near_beyond 0 true false); [easy|lia|]. split; [easy|].
  intros [|[|[|[|r]]]] h e; try discriminate e; try lia. exists 1%nat. split; [easy|lia].
Qed.

(** A bit beside the one that is given is no quilt on every chain. *)
Example a_record_aside_is_no_quilt : ~ quilt_of bool_dec (n := 3)
  (fun k => match k with O => near | 1%nat => remote | _ => quilt end) 0 (laws_of homogeneous 3).
Proof.
  intros h. apply (quilts_of_every_chain bool_dec 3 _ 0 true false) in h; [|easy|lia].
  destruct h as [_ sep]. destruct (sep 1%nat ltac:(lia) eq_refl) as [s [_ between_]]. lia.
Qed.

Definition only_second (k : nat) : bool := Nat.eqb k 1.
Definition after_first (k : nat) : bool := negb (Nat.eqb k 0).

Lemma second_is_a_form n : one_a_side n 0 only_second.
Proof.
  exists 0%nat, 1%nat. split; [lia|]. intros k _. unfold only_second. rewrite PeanoNat.Nat.eqb_eq.
  lia.
Qed.

Lemma two_are_no_form : ~ one_a_side 3 0 after_first.
Proof.
  intros [lo [hi [order h]]]. pose proof (proj1 (h 1%nat ltac:(lia)) eq_refl).
  pose proof (proj1 (h 2%nat ltac:(lia)) eq_refl). lia.
Qed.

Example minimal_on_every_chain_used : minimal_quilt bool_dec 3 0 only_second.
Proof.
  apply minimal_on_every_chain; [now exists true, false|lia|apply second_is_a_form].
Qed.

(** Two bits after the first one are not minimal. *)
Example two_after_are_not_minimal : ~ minimal_quilt bool_dec 3 0 after_first.
Proof.
  intros h. apply two_are_no_form. revert h.
  apply minimal_on_every_chain; [now exists true, false|lia].
Qed.

(** Where there is one value only, no record is needed. *)
Definition unit_dec (x y : unit) : {x = y} + {x <> y}.
Proof. left. now destruct x, y. Defined.
Example one_value_needs_no_quilt : one_a_side 2 0 only_second /\
  ~ minimal_quilt unit_dec 2 0 only_second.
Proof.
  split; [apply second_is_a_form|]. intros [_ [roles [[[ri _] least] same]]].
  assert (second : roles 1%nat = quilt) by (apply same; [lia|easy]).
  set (none k := match k with O => near | _ => remote end : role).
  assert (fewer_ : (size 2 roles <= size 2 none)%nat).
  { apply least.
    - split; [easy|]. intros p [] _ q r.
      replace (SequentialChains.record_is (n := 2) unit_dec 0 tt) with
        (everything (D := vec unit 2)); [ring|].
      apply FunctionalExtensionality.functional_extensionality. intros [[] [[] []]].
      unfold SequentialChains.record_is, Parallel.value. now destruct ParallelChains.decide_option.
    - intros [|[|k]] h; [now rewrite ri|rewrite second; now split|lia]. }
  unfold size in fewer_. simpl in fewer_. rewrite ri, second in fewer_. simpl in fewer_. lia.
Qed.

Example minimal_in_pieces_used : minimal_piece bool_dec 3 0 lazy only_second /\
  ~ minimal_piece bool_dec 3 0 lazy after_first.
Proof.
  split.
  - apply minimal_in_pieces; [apply lazy_chains|lia|apply second_is_a_form].
  - intros h. apply two_are_no_form. revert h. apply minimal_in_pieces; [apply lazy_chains|lia].
Qed.
