(** How partitions into events are decided: a list of families of members of a finite set. *)
From Coq Require Import Reals QArith Qreals List Bool.
From Pufferproof Require Import Sums Pufferfish.
From Tied Require Import Decide Entries.
Import ListNotations.

Lemma rank_same {n} (x y : fin n) : rank x = rank y -> x = y.
Proof.
  induction n as [|n IH]; [destruct x|]. destruct x as [x|], y as [y|]; simpl; try easy.
  intros e. injection e as e. now rewrite (IH x y e).
Qed.
#[export] Instance d_same_member {n} (x y : fin n) : decided (x = y) (Nat.eqb (rank x) (rank y)).
Proof. unfold decided. rewrite Nat.eqb_eq. split; [apply rank_same|now intros ->]. Qed.

#[export] Instance d_covered {A W E} `{Finite W} `{Finite E} (g : A -> W -> E) (l : list A) c :
  (forall a w e, decided (g a w = e) (c a w e)) ->
  decided (forall e, exists f w, In f (map g l) /\ f w = e)
    (forallb (fun e => existsb (fun a => existsb (fun w => c a w e) all) l) all) | 0.
Proof.
  intros d. unfold decided. rewrite forallb_forall. split.
  - intros every e. specialize (every e (all_here e)). apply existsb_exists in every as [a [i yes]].
    apply existsb_exists in yes as [w [_ yes]]. exists (g a), w.
    split; [now apply in_map|]. now apply d.
  - intros cells e _. destruct (cells e) as [f [w [i same]]]. apply in_map_iff in i as [a [<- i]].
    apply existsb_exists. exists a. split; [easy|]. apply existsb_exists. exists w.
    split; [apply all_here|]. now apply d.
Qed.
