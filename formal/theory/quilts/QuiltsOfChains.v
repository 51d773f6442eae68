(** The quilts of a Markov chain: one record on either side, or on one side. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts RecordTables Networks.
Import ListNotations.
Open Scope R_scope.

Section Quilts.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** Each record of a chain has the one before it as its parent. *)
Definition chain_parents i : list nat := match i with O => [] | S k => [k] end.

(** Nearby are the records lo .. hi - 1; the quilt is the record before them and the one after them,
    as far as there are such; the others are remote. *)
Definition around lo hi k : role :=
  if Nat.leb lo k then if Nat.ltb k hi then near else if Nat.eqb k hi then quilt else remote
  else if Nat.eqb (S k) lo then quilt else remote.

Lemma around_near lo hi k : around lo hi k = near <-> (lo <= k < hi)%nat.
Proof.
  unfold around. destruct (Nat.leb_spec lo k), (Nat.ltb_spec k hi), (Nat.eqb_spec k hi),
    (Nat.eqb_spec (S k) lo); split; try easy; lia.
Qed.

Lemma around_remote lo hi k : around lo hi k = remote <-> (S k < lo \/ (lo <= k /\ hi < k))%nat.
Proof.
  unfold around. destruct (Nat.leb_spec lo k), (Nat.ltb_spec k hi), (Nat.eqb_spec k hi),
    (Nat.eqb_spec (S k) lo); split; try easy; lia.
Qed.

Lemma chain_is_network n p : chain_of n p -> network_of chain_parents n p.
Proof.
  intros [initial [T [Li [LT same]]]].
  set (K i x past := match i with O => initial x
    | S k => match nth_error past k with Some y => T k y x | None => initial x end end).
  exists K. repeat split.
  - unfold K. destruct i as [|k]; [apply Li|]. destruct (nth_error past k); [apply LT|apply Li].
  - unfold K. destruct i as [|k]; [apply Li|]. destruct (nth_error past k); [apply LT|apply Li].
  - intros i x past past' E. unfold K. destruct i as [|k]; [easy|]. rewrite (E k); [easy|now left].
  - intros v. rewrite same. unfold sequence_law.
    assert (from_ : forall l past y, network_weight K (past ++ [y]) l = steps T (length past) y l).
    { induction l as [|z l IH]; intros past y; [easy|]. simpl. rewrite IH, !app_length. simpl.
      rewrite Nat.add_1_r. unfold K at 1. rewrite nth_error_app2, Nat.sub_diag by lia. easy. }
    destruct (list_of v) as [|x l]; [easy|]. simpl. unfold K at 1. f_equal. symmetry. exact (from_
      l [] x).
Qed.

(** Where the quilt of a chain stands between, what is remote is independent of the value of X_i
    given the quilt (wang2016, lemma 4.5; song2017, after lemma II.5): two-sided quilts, one-sided
    ones and the empty one.
    Differs: steps may depend on time; records are counted from 0, and nearby ones are lo .. hi - 1,
    with the ends of the chain where a side has no quilt record. *)
Theorem quilts_of_chains n p lo hi i (s : @secret (vec A n)) : chain_of n p ->
  (lo <= i < hi)%nat -> about i s ->
  quilt_separates chain_parents n (around lo hi) /\
  independent_given_quilt (decide_shown dA n) (decide_shown dA n) (of_quilt n (around lo hi))
    (of_remote n (around lo hi)) p s.
Proof.
  intros chain here about_i.
  assert (sep : quilt_separates chain_parents n (around lo hi)).
  { intros k j m _ ij im [nj rm]. apply around_near in nj. apply around_remote in rm.
    destruct k as [|k]; simpl in ij, im; lia. }
  split; [exact sep|].
  apply (network_separates dA chain_parents n (around lo hi) sep p i s); auto.
  - now apply chain_is_network.
  - now apply around_near.
Qed.
End Quilts.
