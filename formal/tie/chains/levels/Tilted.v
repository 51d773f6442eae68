(** How walks over tilts of the records of a chain are decided on tables of rationals: all choices
    of signs are tried. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Chain Tilts.
From Tied Require Import Decide Entries Sequences Records Attracted.
Import ListNotations.
Open Scope R_scope.

Section Tilted.
Context {A : Type} `{Finite A}.
Context (P : nat -> A -> A -> R) (r : nat -> A -> R) (Pq : nat -> A -> A -> Q) (rq : nat -> A -> Q).
Hypothesis eP : forall k x y, rational (P k x y) (Pq k x y).
Hypothesis er : forall k x, rational (r k x) (rq k x).

Fixpoint qmean k n : (vec A n -> Q) -> A -> Q := match n with
  | O => fun u _ => u tt
  | S n => fun u x => qsum all (fun y => Qred (Pq k x y * qmean (S k) n (fun l => u (y, l)) y)) end.
Lemma r_mean k n u uq x : (forall l, rational (u l) (uq l)) ->
  rational (mean P k n u x) (qmean k n uq x).
Proof.
  revert k u uq x. induction n as [|n IH]; intros k u uq x e; [apply e|].
  apply r_sum. intros y. apply r_mult; [apply eP|]. now apply IH.
Qed.

Definition qfactor k s y : Q := if Qle_bool s 0 then Qred (/ rq k y) else rq k y.
Definition qarrived k a y := qsum all (fun x => Qred (a x * Pq k x y)).
Definition qwalked k a y := let s := qarrived k a y in Qred (s * qfactor k s y).
Fixpoint qwalk_end k n (a : A -> Q) : Q := match n with
  | O => qsum all a
  | S n => qwalk_end (S k) n (qwalked k a) end.
Lemma r_walk_end k n a aq : (forall x, rational (a x) (aq x)) ->
  rational (walk_end P r k n a) (qwalk_end k n aq).
Proof.
  revert k a aq. induction n as [|n IH]; intros k a aq e; [now apply r_sum|].
  apply IH. intros y. assert (s : rational (arrived P k a y) (qarrived k aq y)).
  { apply r_sum. intros x. now apply r_mult. }
  apply r_mult; [exact s|]. unfold factor, qfactor.
  pose proof (d_lt 0 _ 0%Q _ r_0 s) as d. unfold decided in d.
  destruct (Qle_bool (qarrived k aq y) 0), (Rlt_dec 0 (arrived P k a y)) as [p|p];
    cbn [negb] in d; try apply er; try (apply r_inv, er).
  - apply d in p. discriminate.
  - exfalso. now apply p, d.
Qed.

Fixpoint btilted k n : (vec A n -> Q) -> bool := match n with
  | O => fun u => Qle_bool 0 (u tt)
  | S n => fun u => forallb (fun x => forallb (fun x' => forallb (fun l =>
        Qle_bool (u (x, l)) (Qred (Qred (rq k x * rq k x') * u (x', l)))) all) all) all &&
      forallb (fun x => btilted (S k) n (fun l => u (x, l))) all end.
Lemma d_tilted k n u uq : (forall l, rational (u l) (uq l)) ->
  decided (tilted r k n u) (btilted k n uq).
Proof.
  revert k u uq. induction n as [|n IH]; intros k u uq e.
  - exact (d_le 0 _ 0%Q _ r_0 (e tt)).
  - apply d_and; apply d_all; intros x; [|apply IH; intros l; apply e].
    apply d_all; intros x'. apply d_all; intros l. apply d_le; [apply e|].
    apply r_mult; [now apply r_mult|apply e].
Qed.

(** Functions that are the same at all values up to n are told alike. *)
Lemma times_ext m m' k n l : (forall j, (k <= j < k + n)%nat -> forall x : A, m j x = m' j x) ->
  times_of m k n l = times_of m' k n l.
Proof.
  revert k l. induction n as [|n IH]; intros k l e; [easy|]. simpl.
  rewrite e, (IH (S k)) by (intros; try apply e; lia). easy.
Qed.
Lemma mean_ext k n u u' x : (forall l, u l = u' l) -> mean P k n u x = mean P k n u' x.
Proof.
  revert k u u' x. induction n as [|n IH]; intros k u u' x e; [apply e|].
  apply sum_ext. intros y _. now rewrite (IH (S k) _ (fun l => u' (y, l))).
Qed.

Context (choices : list (A -> bool)).
Hypothesis all_choices : forall s, exists c, In c choices /\ forall x, c x = s x.
Fixpoint several n : list (list (A -> bool)) := match n with O => [[]]
  | S n => flat_map (fun c => map (cons c) (several n)) choices end.
Lemma several_all n (s : nat -> A -> bool) k : exists l, In l (several n) /\
  forall j x, (j < n)%nat -> nth j l (fun _ => true) x = s (k + j)%nat x.
Proof.
  revert k. induction n as [|n IH]; intros k.
  - exists []. split; [now left|lia].
  - destruct (all_choices (s k)) as [c [i e]], (IH (S k)) as [l [j f]].
    exists (c :: l). split; [apply in_flat_map; exists c; split; [easy|now apply in_map]|].
    intros [|p] x lt; simpl.
    + now rewrite Nat.add_0_r.
    + rewrite f by lia. now rewrite <- plus_n_Sm.
Qed.

Fixpoint qtimes (m : nat -> A -> Q) k n : vec A n -> Q := match n with
  | O => fun _ => 1%Q
  | S n => fun l => Qred (m k (fst l) * qtimes m (S k) n (snd l)) end.
Lemma r_times m mq k n l : (forall j x, rational (m j x) (mq j x)) ->
  rational (times_of m k n l) (qtimes mq k n l).
Proof.
  intros e. revert k l. induction n as [|n IH]; intros k l; [apply r_1|]. now apply r_mult.
Qed.

Definition of_list (l : list (A -> bool)) j x := nth j l (fun _ => true) x.
Definition qchosen (s : nat -> A -> bool) j x := if s j x then rq j x else Qred (/ rq j x).
Lemma d_products n v w b bq : rational b bq -> decided (products_told P r n v w b)
  (forallb (fun l => let u := qtimes (qchosen (of_list l)) 0 n in
    Qle_bool (qmean 0 n u v) (Qred (bq * qmean 0 n u w))) (several n)).
Proof.
  intros eb.
  assert (each : forall s, decided (told P n (times_of (chosen r s) 0 n) v w b)
    (let u := qtimes (qchosen s) 0 n in
      Qle_bool (qmean 0 n u v) (Qred (bq * qmean 0 n u w)))).
  { intros s. assert (e : forall l, rational (times_of (chosen r s) 0 n l)
      (qtimes (qchosen s) 0 n l)).
    { intros l. apply r_times. intros j x. unfold chosen, qchosen.
      destruct (s j x); [apply er|apply r_inv, er]. }
    apply d_le; [now apply r_mean|]. apply r_mult; [easy|now apply r_mean]. }
  unfold decided, products_told. rewrite forallb_forall. split.
  - intros tried s. destruct (several_all n s 0) as [l [i e]].
    specialize (tried l i). apply (each (of_list l)) in tried. unfold told in *.
    assert (same : forall x, mean P 0 n (times_of (chosen r (of_list l)) 0 n) x =
      mean P 0 n (times_of (chosen r s) 0 n) x).
    { intros x. apply mean_ext. intros t. apply times_ext. intros j lt y. unfold chosen, of_list.
      now rewrite e by lia. }
    now rewrite !same in tried.
  - intros told_all l _. now apply (each (of_list l)).
Qed.
End Tilted.
#[export] Existing Instances r_mean r_walk_end d_tilted.

(** All functions on numbers below n. *)
Fixpoint functions n : list (fin n -> bool) := match n with
  | O => [fun _ => true]
  | S n => flat_map (fun c => [fun x => match x with None => true | Some y => c y end;
      fun x => match x with None => false | Some y => c y end]) (functions n) end.
Lemma functions_all n (s : fin n -> bool) : exists c, In c (functions n) /\ forall x, c x = s x.
Proof.
  induction n as [|n IH]; [exists (fun _ => true); split; [now left|intros []]|].
  destruct (IH (fun y => s (Some y))) as [c [i e]].
  exists (fun x => match x with None => s None | Some y => c y end). split.
  - apply in_flat_map. exists c. split; [easy|]. destruct (s None); simpl; auto.
  - intros [y|]; [apply e|easy].
Qed.
#[export] Instance d_products_told {n} (P : nat -> fin n -> fin n -> R) r Pq rq N v w b bq :
  (forall k x y, rational (P k x y) (Pq k x y)) -> (forall k x, rational (r k x) (rq k x)) ->
  rational b bq -> decided (products_told P r N v w b)
    (forallb (fun l => let u := qtimes (qchosen rq (of_list l)) 0 N in
      Qle_bool (qmean Pq 0 N u v) (Qred (bq * qmean Pq 0 N u w))) (several (functions n) N)).
Proof. intros eP er eb. apply d_products; auto using functions_all. Qed.
#[export] Hint Extern 0 (rational (start _ _ _ _ _) _) => unfold start : typeclass_instances.

#[export] Instance d_steps_nonneg {A} `{Finite A} (P : nat -> A -> A -> R) N c : stable P N ->
  (forall k, decided (forall x y, 0 <= P k x y) (c k)) ->
  decided (steps_nonneg P) (forallb c (seq 0 (S N))) | 0.
Proof.
  intros s d. apply (d_always P (fun T => forall x y, 0 <= T x y) N c); [easy|exact d].
Qed.
#[export] Instance d_at_least_one {A} `{Finite A} (r : nat -> A -> R) N c : stable r N ->
  (forall k, decided (forall x, 1 <= r k x) (c k)) ->
  decided (at_least_one r) (forallb c (seq 0 (S N))) | 0.
Proof. intros s d. apply (d_always r (fun f => forall x, 1 <= f x) N c); [easy|exact d]. Qed.
