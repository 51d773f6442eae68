(** How releases one after the other, their levels for records and what other records tell are
    decided on tables of rationals: a release is chosen by the last output before it. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Means Chain ChainQuilts RecordTables.
From Tied Require Import Decide Entries Sequences Records Points.
From Tied Require Chains.
Import ListNotations.
Open Scope R_scope.

Definition raw_chosen : Type := list (list (list Q)) * list (list Q).
(** Which table is used: the first one where there is no output, else that of the last output. *)
Definition key {k} (past : list (fin k)) : nat :=
  match rev past with [] => O | w :: _ => S (rank w) end.
Definition table_at {m n w} (l : list (list (list Q))) (k : nat) : vec (fin m) n -> fin w -> R :=
  fun x y => Q2R (entry (nth (place x) (late [] l k) []) (rank y)).
Definition chosen_read {m n w} (r : raw_chosen) :
  (list (fin w) -> vec (fin m) n -> fin w -> R) * (list (fin w) -> nat -> R) :=
  (fun past => table_at (fst r) (key past),
   fun past j => Q2R (late 0%Q (late [] (snd r) (key past)) j)).
#[export] Instance r_table_at {m n w} l k (x : vec (fin m) n) (y : fin w) :
  rational (table_at l k x y) (entry (nth (place x) (late [] l k) []) (rank y)).
Proof. easy. Qed.

Definition keys w : list nat := O :: map (fun y : fin w => S (rank y)) all.
Lemma keys_all w (past : list (fin w)) : In (key past) (keys w).
Proof.
  unfold key, keys. destruct (rev past) as [|y l]; [now left|]. right.
  apply (in_map (fun y => S (rank y))), all_here.
Qed.
Lemma keys_some w k : In k (keys w) -> exists past : list (fin w), key past = k.
Proof.
  intros [<-|i]; [now exists []|]. apply in_map_iff in i as [y [<- _]]. now exists [y].
Qed.

Section Levels.
Context {m n w : nat}.
Notation T := (vec (fin (S m)) n).
Notation M l k := (@table_at (S m) n w l k).

#[export] Instance d_good (h : list nat) (r : raw_chosen) b c :
  (forall k, decided (likelihood (M (fst r) k)) (b k)) ->
  (forall k j x y z, decided (M (fst r) k x z <=
    Q2R (late 0%Q (late [] (snd r) k) j) * M (fst r) k y z)
    (c k j x y z)) ->
  decided (good (fun j => existsb (Nat.eqb j) h) (@chosen_read (S m) n w r))
    (forallb (fun k => b k && forallb (fun j => forallb (fun x => forallb (fun y =>
      negb (Chains.agree_but_for j x y) || forallb (c k j x y) all) all) all) h) (keys w)) | 0.
Proof.
  intros each one. unfold decided, good, levels. rewrite forallb_forall. split.
  - intros all_ past. specialize (all_ _ (keys_all w past)). apply andb_prop in all_ as [pos lev].
    split; [now apply each|]. intros j x y z hidden diff.
    apply existsb_exists in hidden as [i [ih e]].
    apply Nat.eqb_eq in e. subst i. rewrite forallb_forall in lev. specialize (lev j ih).
    rewrite forallb_forall in lev. specialize (lev x (all_here x)). rewrite forallb_forall in lev.
    specialize (lev y (all_here y)). apply (proj2 (Chains.agree_is j x y)) in diff.
    rewrite diff in lev. simpl in lev. rewrite forallb_forall in lev. apply one, lev, all_here.
  - intros good_ k ik. apply keys_some in ik as [past <-]. destruct (good_ past) as [pos lev].
    apply andb_true_iff. split; [now apply each|]. apply forallb_forall; intros j ij.
    apply forallb_forall; intros x _. apply forallb_forall; intros y _.
    destruct (Chains.agree_but_for j x y) eqn:diff; [|easy]. simpl.
    apply forallb_forall; intros z _.
    apply one. apply (lev j x y z); [|now apply Chains.agree_is].
    apply existsb_exists. exists j. split; [easy|]. apply Nat.eqb_refl.
Qed.

Fixpoint qadaptive (l : list raw_chosen) (past : list (fin w)) (x : T) ws : Q := match l, ws with
  [], [] => 1%Q | r :: l, y :: ws => Qred (entry (nth (place x) (late [] (fst r) (key past)) [])
    (rank y) * qadaptive l (past ++ [y]) x ws) | _, _ => 0%Q end.
Lemma adaptive_q l past (x : T) ws :
  adaptive (map fst (map (@chosen_read (S m) n w) l)) past x ws = Q2R (qadaptive l past x ws).
Proof.
  revert past ws. induction l as [|r l IH]; intros past [|y ws]; cbn [map adaptive qadaptive];
    try (unfold Q2R; simpl; lra).
  now rewrite red, Q2R_mult, <- IH.
Qed.
#[export] Instance r_adaptive l (x : T) ws :
  rational (adaptive (map (fun r => fst (@chosen_read (S m) n w r)) l) [] x ws)
    (qadaptive l [] x ws).
Proof. rewrite <- map_map. apply adaptive_q. Qed.
Fixpoint qspent (l : list raw_chosen) (past ws : list (fin w)) j : Q := match l, ws with
  r :: l, y :: ws => Qred (late 0%Q (late [] (snd r) (key past)) j * qspent l (past ++ [y]) ws j)
  | _, _ => 1%Q end.
Lemma spent_q l past (ws : list (fin w)) j :
  spent (map snd (map (@chosen_read (S m) n w) l)) past ws j = Q2R (qspent l past ws j).
Proof.
  revert past ws. induction l as [|r l IH]; intros past [|y ws]; cbn [map spent qspent];
    try (unfold Q2R; simpl; lra).
  now rewrite red, Q2R_mult, <- IH.
Qed.
#[export] Instance r_spent l (ws : list (fin w)) j :
  rational (spent (map (fun r => snd (@chosen_read (S m) n w r)) l) [] ws j) (qspent l [] ws j).
Proof. rewrite <- map_map. apply spent_q. Qed.
#[export] Instance d_every_outcome {B} (l : list B) (C : list (fin w) -> Prop) b :
  (forall ws, decided (C ws) (b ws)) ->
  decided (forall ws : list (fin w), length ws = length l -> C ws)
    (forallb b (words (length l))) | 5.
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h ws e. apply each, h. rewrite <- e. apply words_all.
  - intros h ws i. apply each, h. now apply words_length.
Qed.
End Levels.

#[export] Instance d_tell {m n B C} (e : forall x y : fin m, {x = y} + {x <> y}) h factor
  (a b : B -> @secret (vec (fin m) n)) (f : C -> vec (fin m) n -> R) lq lp c :
  (forall x y z, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) ->
    p_quilt (decide_shown e n) (shown h) (f x) (a y) z * P (f x) (b y) <=
    factor * P (f x) (a y) * p_quilt (decide_shown e n) (shown h) (f x) (b y) z) (c x y z)) ->
  decided (forall p, In p (map f lp) -> forall s t, In (s, t) (map (fun y => (a y, b y)) lq) ->
    0 < P p s -> 0 < P p t -> influence_of_shown e h factor p s t)
    (forallb (fun x => forallb (fun y => forallb (c x y) all) lq) lp) | 0.
Proof.
  intros each. apply d_in_map; intros x. apply (d_pairs_map (fun y => (a y, b y))); intros y.
  cbn [fst snd]. unfold decided. rewrite forallb_forall. split.
  - intros h' Ps Pt z. apply each; auto. apply h', all_here.
  - intros h' z _. apply each. intros Ps Pt. now apply h'.
Qed.
#[export] Hint Extern 2 (rational (p_quilt _ _ _ _ _) _) => unfold p_quilt, Pz :
  typeclass_instances.
#[export] Hint Extern 2 (rational (at_ _ _ _ _) _) => unfold at_ : typeclass_instances.
