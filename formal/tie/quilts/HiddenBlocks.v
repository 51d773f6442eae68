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

#[export] Instance d_hiding R first K i b v w c :
  (forall l x, decided (shows (law_of_chain (first, fun _ => K) n) R i v w l x) (c l x)) ->
  decided (hiding_within (d A) R first K n i b v w)
    (if Nat.ltb i n then existsb (fun l : vec bool n =>
      if hides_of l i && Nat.eqb (number (hides_of l) n) b then forallb (c l) all else false) all
    else false) | 0.
Proof.
  intros each. unfold decided, hiding_within. destruct (Nat.ltb i n) eqn:top.
  2: { split; [easy|]. intros [hidden [no _]]. apply Nat.ltb_ge in top. lia. }
  apply Nat.ltb_lt in top. rewrite existsb_exists. split.
  - intros [l [_ h]]. destruct (hides_of l i && Nat.eqb (number (hides_of l) n) b) eqn:E; [|easy].
    apply andb_prop in E as [here count]. apply Nat.eqb_eq in count.
    exists (hides_of l). repeat split; auto. rewrite forallb_forall in h. intros q.
    destruct (some_at dec (shown (hides_of l)) q) as [[x <-]|no]; [apply each, h, all_here|].
    assert (Z : forall p s, p_quilt dec (shown (hides_of l)) p s q = 0)
      by (intros; now apply none_at). rewrite !Z. lra.
  - intros [hidden [_ [here [count told]]]]. destruct (hides_all hidden n) as [l same].
    exists l. split; [apply all_here|]. rewrite (same i top), here. cbn [andb].
    assert (number (hides_of l) n = number hidden n) as ->.
    { unfold number. f_equal. apply filter_ext_in. intros k ik. apply same.
      apply in_seq in ik. lia. }
    rewrite count, Nat.eqb_refl. apply forallb_forall. intros x _. apply each. unfold shows.
    assert (E : forall y : vec A n, shown (hides_of l) y = shown hidden y)
      by (intros y; apply shown_ext; exact same).
    assert (F : forall p s q, p_quilt dec (shown (hides_of l)) p s q =
      p_quilt dec (shown hidden) p s q).
    { intros p s q. unfold p_quilt, Pz. apply sum_ext; intros y _. unfold at_. now rewrite E. }
    rewrite E, !F. apply told.
Qed.

#[export] Instance d_block R first K i b v w c :
  (forall lo, decided (quilt_within (d A) R first K n lo (lo + b) i v w) (c lo)) ->
  decided (block_within (d A) R first K n i b v w)
    (existsb (fun lo => if Nat.ltb i (lo + b) && Nat.leb (lo + b) n then c lo else false)
      (seq 0 (S i))) | 0.
Proof.
  intros each. unfold decided, block_within. rewrite existsb_exists. split.
  - intros [lo [il h]]. apply in_seq in il.
    destruct (Nat.ltb i (lo + b) && Nat.leb (lo + b) n) eqn:E; [|easy].
    apply andb_prop in E as [here top]. apply Nat.ltb_lt in here. apply Nat.leb_le in top.
    exists lo. repeat split; try lia. now apply each.
  - intros [lo [le [here [top told]]]]. exists lo. split; [apply in_seq; lia|].
    rewrite (proj2 (Nat.ltb_lt _ _) here), (proj2 (Nat.leb_le _ _) top). now apply each.
Qed.
End Hiding.
#[export] Hint Extern 0 (decided (shows _ _ _ _ _ _ _) _) => unfold shows : typeclass_instances.
