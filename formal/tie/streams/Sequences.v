(** How streams of blocks are decided on tables of rationals: a sequence without end is a list of
    which the last entry goes on, so that finitely many steps are all there is. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Streams Shifts.
From Tied Require Import Decide Entries Planes.
Import ListNotations.
Open Scope R_scope.

Definition late {A} (d : A) (l : list A) (k : nat) : A := nth (Nat.min k (pred (length l))) l d.
Fixpoint code_from {n} (c : nat) (l : list (fin n)) : nat :=
  match l with [] => c | b :: l => code_from (c * n + rank b) l end.
Definition code {n} (l : list (fin n)) := code_from 0 l.

(** From N on nothing changes. *)
Class stable {A} (f : nat -> A) (N : nat) : Prop := is_stable : forall k, (N <= k)%nat -> f k = f N.
Lemma late_stable {A} (d : A) l k : (pred (length l) <= k)%nat ->
  late d l k = late d l (pred (length l)).
Proof. intros le. unfold late. rewrite !Nat.min_r; easy. Qed.
#[export] Hint Extern 0 (stable _ _) => match goal with |- stable ?f ?n => match f with
  context [@late ?A ?d ?l] => unify n (pred (length l));
    let k := fresh in let le := fresh in
    intros k le; cbv beta; rewrite (late_stable d l k le); reflexivity end end
  : typeclass_instances.

Lemma stable_after {A} (f : nat -> A) N k m : stable f N -> (N <= m <= k)%nat -> f k = f m.
Proof. intros s [low high]. rewrite (s k), (s m); [easy|lia..]. Qed.

#[export] Instance d_laws_of {B} `{Finite B} (p : nat -> B -> R) N b : stable p N ->
  (forall j, decided (law (p j)) (b j)) -> decided (forall j, law (p j)) (forallb b (seq 0 (S N)))
  | 0.
Proof.
  intros s d. unfold decided. rewrite forallb_forall. split.
  - intros all_j j. destruct (Nat.le_gt_cases j N) as [le|gt].
    + apply d, all_j, in_seq. lia.
    + rewrite (s j) by lia. apply d, all_j, in_seq. lia.
  - intros all_j j _. apply d, all_j.
Qed.

Fixpoint qpossible {B} (q : nat -> B -> Q) j (l : list B) : bool := match l with
  [] => true | b :: l => negb (Qle_bool (q j b) 0) && qpossible q (S j) l end.
#[export] Instance d_possible {B} (p : nat -> B -> R) q j l :
  (forall j b, rational (p j b) (q j b)) -> decided (possible p j l) (qpossible q j l).
Proof.
  intros e. unfold decided. revert j. induction l as [|b l IH]; intros j; simpl; [easy|].
  rewrite andb_true_iff, IH. specialize (e j b).
  pose proof (d_lt 0 (p j b) 0%Q (q j b) r_0 e) as d. unfold decided in d. now rewrite d.
Qed.
#[export] Instance d_known {B} (p : nat -> B -> R) b j l c : decided (possible p j l) c ->
  decided (known p b j l) (Nat.eqb (length l) (b - 1) && c).
Proof. unfold decided, known. intros d. now rewrite andb_true_iff, Nat.eqb_eq, d. Qed.

(** Lists of a length are vectors. *)
Lemma some_vec {A} (l : list A) n : length l = n -> exists v : vec A n, list_of v = l.
Proof.
  revert n; induction l as [|a l IH]; intros [|n] len; try discriminate; [now exists tt|].
  destruct (IH n) as [v <-]; [now injection len|]. now exists (a, v).
Qed.

#[export] Instance r_one_step {B W} `{Finite B}
  (p : nat -> B -> R) q b (K : nat -> list B -> W -> R) Kq k y z :
  (forall j x, rational (p j x) (q j x)) ->
  (forall k l y, rational (K k l y) (Kq k l y)) ->
  rational (one_step p b K k y z) (qsum all (fun x => Qred (q k x * Kq k (firstn b (x :: z)) y))).
Proof. intros ep eK. unfold one_step. apply r_sum. intros x. now apply r_mult. Qed.

Fixpoint qweight {B} (q : nat -> B -> Q) j (l : list B) : Q :=
  match l with [] => 1%Q | b :: l => Qred (q j b * qweight q (S j) l) end.
Fixpoint qanswers {B W} b (Kq : nat -> list B -> W -> Q) k s ys : Q := match ys with [] => 1%Q
  | y :: ys => Qred (Kq k (firstn b s) y * qanswers b Kq (S k) (tl s) ys) end.
#[export] Instance r_weight {B} (p : nat -> B -> R) q j l :
  (forall j x, rational (p j x) (q j x)) -> rational (weight p j l) (qweight q j l).
Proof.
  intros e. revert j. induction l as [|b l IH]; intros j; simpl; [apply r_1|]. now apply r_mult.
Qed.
#[export] Instance r_answers {B W} b (K : nat -> list B -> W -> R) Kq k s ys :
  (forall k l y, rational (K k l y) (Kq k l y)) ->
  rational (answers b K k s ys) (qanswers b Kq k s ys).
Proof.
  intros e. revert k s. induction ys as [|y ys IH]; intros k s; simpl; [apply r_1|].
  now apply r_mult.
Qed.
#[export] Instance r_given {B W} `{Finite B} (p : nat -> B -> R) q b (K : nat -> list B -> W -> R)
  Kq n ys z : (forall j x, rational (p j x) (q j x)) ->
  (forall k l y, rational (K k l y) (Kq k l y)) ->
  rational (given p b K n ys z) (qsum all (fun u : vec B n =>
    Qred (qweight q 0 (list_of u) * qanswers b Kq 0 (list_of u ++ z) ys))).
Proof.
  intros ep eK. unfold given. apply r_sum. intros u.
  apply r_mult; [now apply r_weight|now apply r_answers].
Qed.

Fixpoint qtotal {W} (g : nat -> W -> Q) k (ys : list W) : Q :=
  match ys with [] => 1%Q | y :: ys => Qred (g k y * qtotal g (S k) ys) end.
#[export] Instance l_total {W} (gamma : nat -> W -> R) g k ys :
  (forall k y, level (gamma k y) (g k y)) -> level (total gamma k ys) (qtotal g k ys).
Proof.
  intros e. revert k. induction ys as [|y ys IH]; intros k; simpl.
  - split; [rewrite one_q; lra|]. now rewrite one_q, ln_1.
  - now apply l_plus.
Qed.

#[export] Instance d_positive {B W} `{Finite B} `{Finite W} b (K : nat -> list B -> W -> R) N c :
  stable K N -> (forall k l y, decided (0 <= K k l y) (c k l y)) ->
  decided (positive_at_windows b K) (forallb (fun k => forallb (fun v : vec B b =>
    forallb (fun y => c k (list_of v) y) all) all) (seq 0 (S N))) | 0.
Proof.
  intros s d. unfold decided, positive_at_windows. rewrite forallb_forall. split.
  - intros all_k k l y len. destruct (some_vec l b len) as [v <-].
    assert (here : forall k, (k <= N)%nat -> 0 <= K k (list_of v) y).
    { intros i le. specialize (all_k i). rewrite in_seq, forallb_forall in all_k.
      specialize (all_k ltac:(lia) v (all_here v)). rewrite forallb_forall in all_k.
      apply d, all_k, all_here. }
    destruct (Nat.le_gt_cases k N) as [le|gt]; [now apply here|].
    rewrite (s k) by lia. now apply here.
  - intros pos k _. apply forallb_forall. intros v _. apply forallb_forall. intros y _.
    apply d, pos, list_length.
Qed.

Lemma possible_far {B} (p : nat -> B -> R) N j j' z : stable p N -> (N <= j)%nat -> (N <= j')%nat ->
  possible p j z -> possible p j' z.
Proof.
  intros s. revert j j'. induction z as [|x z IH]; intros j j' lj lj'; simpl; [easy|].
  rewrite (s j), (s j') by lia. intros [pos rest]. split; [easy|]. apply (IH (S j)); auto; lia.
Qed.

Lemma one_step_far {B W} `{Finite B} (p : nat -> B -> R) b (K : nat -> list B -> W -> R) Np Nk k m y
  z : stable p Np -> stable K Nk -> (Np <= m <= k)%nat -> (Nk <= m <= k)%nat ->
  one_step p b K k y z = one_step p b K m y z.
Proof.
  intros sp sk lp lk. unfold one_step.
  now rewrite (stable_after p Np k m sp lp), (stable_after K Nk k m sk lk).
Qed.

#[export] Instance d_within {B W} `{Finite B} `{Finite W} (p : nat -> B -> R) b
  (K0 K1 : nat -> list B -> W -> R) gamma Np N0 N1 Ng c d : stable p Np -> stable K0 N0 ->
  stable K1 N1 -> stable gamma Ng -> (forall j l, decided (possible p j l) (c j l)) ->
  (forall k y z z', decided (one_step p b K0 k y z <= exp (gamma k y) * one_step p b K1 k y z')
    (d k y z z')) ->
  decided (steps_within p b K0 K1 gamma) (forallb (fun k => forallb (fun z : vec B (b - 1) =>
    negb (c (S k) (list_of z)) || forallb (fun z' : vec B (b - 1) =>
      negb (c (S k) (list_of z')) ||
        forallb (fun y => d k y (list_of z) (list_of z')) all) all) all)
    (seq 0 (S (Np + N0 + N1 + Ng)))) | 0.
Proof.
  intros sp s0 s1 sg ec ed. set (N := (Np + N0 + N1 + Ng)%nat). unfold decided.
  rewrite forallb_forall. split.
  - intros all_k.
    assert (early : forall k y z z', (k <= N)%nat -> known p b (S k) z -> known p b (S k) z' ->
      one_step p b K0 k y z <= exp (gamma k y) * one_step p b K1 k y z').
    { intros k y z z' le [len can] [len' can'].
      destruct (some_vec z _ len) as [v <-], (some_vec z' _ len') as [v' <-].
      specialize (all_k k ltac:(apply in_seq; lia)). rewrite forallb_forall in all_k.
      specialize (all_k v (all_here v)). apply (ec (S k) (list_of v)) in can as yes.
      rewrite yes in all_k. simpl in all_k. rewrite forallb_forall in all_k.
      specialize (all_k v' (all_here v')). apply (ec (S k) (list_of v')) in can' as yes'.
      rewrite yes' in all_k. simpl in all_k. rewrite forallb_forall in all_k.
      apply ed, all_k, all_here. }
    intros k y z z' kz kz'. destruct (Nat.le_gt_cases k N) as [le|gt]; [now apply early|].
    rewrite (one_step_far p b K0 Np N0 k N), (one_step_far p b K1 Np N1 k N),
      (stable_after gamma Ng k N) by (easy || unfold N; lia).
    apply early; [lia| |]; (split; [apply kz || apply kz'|]);
      [apply (possible_far p Np (S k)); auto; try (unfold N; lia); apply kz
      |apply (possible_far p Np (S k)); auto; try (unfold N; lia); apply kz'].
  - intros within k _. apply forallb_forall. intros v _. apply orb_true_iff.
    destruct (c (S k) (list_of v)) eqn:e; [right|now left].
    apply forallb_forall. intros v' _. apply orb_true_iff.
    destruct (c (S k) (list_of v')) eqn:e'; [right|now left].
    apply forallb_forall. intros y _. apply ed, within; (split; [apply list_length|]); now apply ec.
Qed.

(** Sets of outputs of steps, and of all of them: Shifts.v. *)
#[export] Instance d_laws_at {B W} `{Finite B} `{Finite W} b (K : nat -> list B -> W -> R) N c :
  stable K N -> (forall k l, decided (law (K k l)) (c k l)) ->
  decided (laws_at_windows b K) (forallb (fun k => forallb (fun v : vec B b =>
    c k (list_of v)) all) (seq 0 (S N))) | 0.
Proof.
  intros s d. unfold decided, laws_at_windows. rewrite forallb_forall. split.
  - intros all_k k l len. destruct (some_vec l b len) as [v <-].
    assert (here : forall k, (k <= N)%nat -> law (K k (list_of v))).
    { intros i le. specialize (all_k i). rewrite in_seq, forallb_forall in all_k.
      specialize (all_k ltac:(lia) v (all_here v)). now apply d. }
    destruct (Nat.le_gt_cases k N) as [le|gt]; [now apply here|].
    rewrite (s k) by lia. now apply here.
  - intros laws k _. apply forallb_forall. intros v _. apply d, laws, list_length.
Qed.

#[export] Instance d_sets_of_steps {B W} `{Finite B} `{Finite W} (p : nat -> B -> R) b
  (K0 K1 : nat -> list B -> W -> R) gamma delta n c d :
  (forall j l, decided (possible p j l) (c j l)) ->
  (forall k z z', decided (sets_of_step p b K0 K1 k (exp (gamma k)) (delta k) z z') (d k z z')) ->
  decided (sets_of_steps p b K0 K1 gamma delta n) (forallb (fun k =>
    forallb (fun z : vec B (b - 1) => negb (c (S k) (list_of z)) ||
      forallb (fun z' : vec B (b - 1) => negb (c (S k) (list_of z')) ||
        d k (list_of z) (list_of z')) all) all) (seq 0 n)) | 0.
Proof.
  intros ec ed. unfold decided. rewrite forallb_forall. split.
  - intros all_k k lt z z' [len can] [len' can'].
    destruct (some_vec z _ len) as [v <-], (some_vec z' _ len') as [v' <-].
    specialize (all_k k ltac:(apply in_seq; lia)). rewrite forallb_forall in all_k.
    specialize (all_k v (all_here v)). apply (ec (S k) (list_of v)) in can as yes.
    rewrite yes in all_k. simpl in all_k. rewrite forallb_forall in all_k.
    specialize (all_k v' (all_here v')). apply (ec (S k) (list_of v')) in can' as yes'.
    rewrite yes' in all_k. now apply ed.
  - intros within k i. apply in_seq in i. apply forallb_forall. intros v _. apply orb_true_iff.
    destruct (c (S k) (list_of v)) eqn:e; [right|now left].
    apply forallb_forall. intros v' _. apply orb_true_iff.
    destruct (c (S k) (list_of v')) eqn:e'; [right|now left].
    apply ed, within; [lia| |]; (split; [apply list_length|]); now apply ec.
Qed.
#[export] Hint Extern 1 (decided (sets_of_step _ _ _ _ _ _ _ _ _) _) =>
  unfold sets_of_step : typeclass_instances.
#[export] Hint Extern 1 (decided (sets_of_outputs _ _ _ _ _ _ _ _) _) =>
  unfold sets_of_outputs : typeclass_instances.

Fixpoint qbefore (f : nat -> Q) n : Q :=
  match n with O => 0%Q | S n => Qred (qbefore f n + f n) end.
Fixpoint qlevels (f : nat -> Q) n : Q :=
  match n with O => 1%Q | S n => Qred (qlevels f n * f n) end.
#[export] Instance r_before f q n : (forall k, rational (f k) (q k)) ->
  rational (before f n) (qbefore q n).
Proof. intros e. induction n as [|n IH]; simpl; [apply r_0|now apply r_plus]. Qed.
#[export] Instance l_before f q n : (forall k, level (f k) (q k)) ->
  level (before f n) (qlevels q n).
Proof.
  intros e. induction n as [|n IH]; simpl; [|now apply l_plus].
  split; [rewrite one_q; lra|]. now rewrite one_q, ln_1.
Qed.
