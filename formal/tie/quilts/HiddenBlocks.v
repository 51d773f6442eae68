(** How hidden records of a chain are decided: all sets of them are tried, and what the others show
    is that of some table. *)
From Coq Require Import Reals QArith Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables TableQuilts ShownBlocks GapQuilts HiddenBlocks.
From Tied Require Import Decide Entries Chains Segments Tables Powers.
Import ListNotations.
Open Scope R_scope.

Definition hides_of {n} (l : vec bool n) (k : nat) : bool := nth k (list_of l) false.

Lemma hides_all (hidden : nat -> bool) n : exists l : vec bool n, forall k, (k < n)%nat ->
  hides_of l k = hidden k.
Proof.
  revert hidden. induction n as [|n IH]; intros hidden; [exists tt; lia|].
  destruct (IH (next_record hidden)) as [l same]. exists (hidden 0%nat, l).
  intros [|k] small; [easy|]. apply (same k). lia.
Qed.

Lemma shown_ext {A} hidden hidden' n (v : vec A n) :
  (forall k, (k < n)%nat -> hidden k = hidden' k) -> shown hidden v = shown hidden' v.
Proof.
  revert hidden hidden'. induction n as [|n IH]; intros hidden hidden' same; [easy|].
  destruct v as [a v]. simpl. rewrite (same 0%nat) by lia. f_equal. apply IH.
  intros k small. apply (same (S k)). lia.
Qed.

Section Hiding.
Context {m n : nat}.
Notation A := (fin (S m)).
Notation dec := (decide_shown (d A) n).

(** What the records that are not hidden tell in a table. *)
Definition shows (p : vec A n -> R) R i v w (l : vec bool n) (x : vec A n) :=
  p_quilt dec (shown (hides_of l)) p (record_is (d A) i v) (shown (hides_of l) x) *
    P p (record_is (d A) i w) <=
  R * P p (record_is (d A) i v) *
    p_quilt dec (shown (hides_of l)) p (record_is (d A) i w) (shown (hides_of l) x).

(** A class of weights that are listed. *)
Lemma d_listed l (Q : (A -> R) * (nat -> A -> A -> R) -> Prop) c :
  (forall r, decided (Q (loose_chain r)) (c r)) ->
  decided (forall each, loose_read l each -> Q each) (forallb c l).
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h x i. apply in_map_iff in i as [r [<- i]]. now apply each, h.
  - intros h r i. apply each, h. now apply in_map.
Qed.

#[export] Instance d_hiding R l i b v w c :
  (forall r s x, decided (shows (law_of_chain (loose_chain r) n) R i v w s x) (c r s x)) ->
  decided (hiding_within (d A) R (loose_read l) n i b v w)
    (if Nat.ltb i n then existsb (fun s : vec bool n =>
      if hides_of s i && Nat.eqb (number (hides_of s) n) b
      then forallb (fun r => forallb (c r s) all) l else false) all else false) | 0.
Proof.
  intros each. unfold decided, hiding_within. destruct (Nat.ltb i n) eqn:top.
  2: { split; [easy|]. intros [hidden [no _]]. apply Nat.ltb_ge in top. lia. }
  apply Nat.ltb_lt in top. rewrite existsb_exists.
  assert (told_at : forall hidden s r, (forall k, (k < n)%nat -> hides_of s k = hidden k) ->
    decided (influence_of_shown (d A) hidden R (law_of_chain (loose_chain r) n)
      (record_is (d A) i v) (record_is (d A) i w)) (forallb (c r s) all)).
  { intros hidden s r same. unfold decided. rewrite forallb_forall.
    assert (E : forall y : vec A n, shown (hides_of s) y = shown hidden y)
      by (intros y; apply shown_ext; exact same).
    assert (F : forall p u q, p_quilt dec (shown (hides_of s)) p u q =
      p_quilt dec (shown hidden) p u q).
    { intros p u q. unfold p_quilt, Pz. apply sum_ext; intros y _. unfold at_. now rewrite E. }
    split.
    - intros h q. destruct (some_at dec (shown hidden) q) as [[x <-]|no].
      + specialize (h x (all_here x)). apply each in h. unfold shows in h. now rewrite E, !F in h.
      + assert (Z : forall p u, p_quilt dec (shown hidden) p u q = 0)
          by (intros; now apply none_at). rewrite !Z. lra.
    - intros told x _. apply each. unfold shows. rewrite E, !F. apply told. }
  split.
  - intros [s [_ h]]. destruct (hides_of s i && Nat.eqb (number (hides_of s) n) b) eqn:E; [|easy].
    apply andb_prop in E as [here count]. apply Nat.eqb_eq in count.
    exists (hides_of s). repeat split; auto.
    apply (proj1 (d_listed l _ _ (fun r => told_at (hides_of s) s r (fun _ _ => eq_refl))) h).
  - intros [hidden [_ [here [count told]]]]. destruct (hides_all hidden n) as [s same].
    exists s. split; [apply all_here|]. rewrite (same i top), here. cbn [andb].
    assert (number (hides_of s) n = number hidden n) as ->.
    { unfold number. f_equal. apply filter_ext_in. intros k ik. apply same.
      apply in_seq in ik. lia. }
    rewrite count, Nat.eqb_refl.
    apply (proj2 (d_listed l _ _ (fun r => told_at hidden s r same)) told).
Qed.

#[export] Instance d_block R l i b v w c :
  (forall r lo, decided (influence_at_most (decide_pair (d A)) (quilt_around lo (lo + b)) R
    (law_of_chain (loose_chain r) n) (record_is (d A) i v) (record_is (d A) i w)) (c r lo)) ->
  decided (block_within (d A) R (loose_read l) n i b v w)
    (existsb (fun lo => if Nat.ltb i (lo + b) && Nat.leb (lo + b) n
      then forallb (fun r => c r lo) l else false) (seq 0 (S i))) | 0.
Proof.
  intros each. unfold decided, block_within. rewrite existsb_exists. split.
  - intros [lo [il h]]. apply in_seq in il.
    destruct (Nat.ltb i (lo + b) && Nat.leb (lo + b) n) eqn:E; [|easy].
    apply andb_prop in E as [here top]. apply Nat.ltb_lt in here. apply Nat.leb_le in top.
    exists lo. repeat split; try lia.
    apply (proj1 (d_listed l _ _ (fun r => each r lo)) h).
  - intros [lo [le [here [top told]]]]. exists lo. split; [apply in_seq; lia|].
    rewrite (proj2 (Nat.ltb_lt _ _) here), (proj2 (Nat.leb_le _ _) top).
    apply (proj2 (d_listed l _ _ (fun r => each r lo)) told).
Qed.

#[export] Instance r_law_of_weights (r : list Q * list (list (list Q))) v :
  rational (law_of_chain (loose_chain (m := m) r) n v) (match list_of v with [] => 1%Q
    | x :: l => Qred (entry (fst r) (rank x) * qsteps (fun k x y => entry (nth (rank x)
      (nth k (snd r) (last (snd r) [])) []) (rank y)) 0 x l) end).
Proof. unfold law_of_chain, sequence_law. apply r_chain; intros; typeclasses eauto. Qed.
End Hiding.
#[export] Hint Extern 0 (decided (shows _ _ _ _ _ _ _) _) => unfold shows : typeclass_instances.
