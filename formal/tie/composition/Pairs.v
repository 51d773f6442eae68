(** What two mechanisms can leak together of one pair of secrets is decided by how many databases of
    each secret are possible. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Determined.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

Definition fin_dec n : forall x y : fin n, {x = y} + {x <> y}.
Proof. induction n as [|n IH]; [intros []|]. decide equality. Defined.

#[export] Instance d_not P b : decided P b -> decided (~ P) (negb b) | 0.
Proof. unfold decided. destruct b; simpl; intuition discriminate. Qed.

(** The databases of positive weight inside a set are found by its rationals. *)
Lemma possible_filtered {D} `{Finite D} (p : D -> R) u g :
  (forall x, rational (inside p u x) (g x)) ->
  filter (fun x => negb (Qle_bool (g x) 0)) all = possible p u.
Proof.
  intros e. apply filter_ext. intros x.
  pose proof (d_lt 0 (inside p u x) 0%Q (g x) r_0 (e x)) as d. unfold decided in d.
  destruct (Rlt_dec 0 (inside p u x)) as [pos|no], (Qle_bool (g x) 0); simpl in *; try easy.
  - now apply d in pos.
  - destruct no. now apply d.
Qed.
#[export] Instance d_single {D} `{Finite D} (p : D -> R) u g :
  (forall x, rational (inside p u x) (g x)) ->
  decided (single p u) (Nat.eqb (length (filter (fun x => negb (Qle_bool (g x) 0)) all)) 1) | 0.
Proof.
  intros e. unfold decided, single. now rewrite Nat.eqb_eq, (possible_filtered p u g e).
Qed.

#[export] Hint Extern 0 (decided (apart _ _) _) => unfold apart : typeclass_instances.
#[export] Hint Extern 0 (decided (one_pair _ _ _) _) => unfold one_pair : typeclass_instances.

#[export] Instance d_collapses n (p : fin n -> R) s t a b c :
  decided (one_pair p s t) a -> decided (single p s) b -> decided (single p t) c ->
  decided (collapses p s t) (a && negb (b && c)) | 0.
Proof.
  intros da db dc. pose proof (d_not _ _ (d_and _ _ _ _ db dc)) as two. unfold decided in *.
  rewrite andb_true_iff, two, da.
  split.
  - intros [pair many]. now apply (collapse_exactly (fin_dec n)).
  - intros found. pose proof found as [pair _]. split; [easy|].
    now apply (collapse_exactly (fin_dec n) p s t pair).
Qed.

#[export] Instance d_unbounded n (p : fin n -> R) s t A B a b c k :
  decided (one_pair p s t) a -> decided (single p s) b -> decided (single p t) c ->
  decided (1 <= A /\ 1 <= B) k ->
  decided (unbounded p s t A B) (a && k && negb (b && c)) | 0.
Proof.
  intros da db dc dk. pose proof (d_not _ _ (d_and _ _ _ _ db dc)) as two. unfold decided in *.
  rewrite !andb_true_iff, two, da, dk. split.
  - intros [[pair [A1 B1]] many]. now apply (unbounded_exactly (fin_dec n)).
  - intros found. pose proof found as [pair [A1 [B1 _]]]. repeat (split; [easy|]).
    now apply (unbounded_exactly (fin_dec n) p s t A B pair).
Qed.

#[export] Instance d_largest n (p : fin n -> R) s t A B L a b c k e :
  decided (one_pair p s t) a -> decided (single p s) b -> decided (single p t) c ->
  decided (1 <= A /\ 1 <= B) k -> decided (L = A * B) e ->
  decided (largest p s t A B L) (a && k && (b && (c && e))) | 0.
Proof.
  intros da db dc dk de. unfold decided in *. rewrite !andb_true_iff, da, dk, db, dc, de. split.
  - intros [[pair [A1 B1]] ones]. now apply (largest_exactly (fin_dec n)).
  - intros found. pose proof found as [pair [A1 [B1 _]]]. repeat (split; [easy|]).
    now apply (largest_exactly (fin_dec n) p s t A B L pair).
Qed.
