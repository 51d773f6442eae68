(** How levels for one cell and influence curves are decided on tables of rationals: sets of hidden
    cells are tried. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Curves.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

(** Equality of cells and values, in the place of the letters of a statement. *)
Definition dI {n} : forall x y : fin n, {x = y} + {x <> y}.
Proof. induction n as [|n IH]; [intros []|]. decide equality. Defined.
Definition dV {n} : forall x y : fin n, {x = y} + {x <> y} := dI.
Definition cells_of {m n k} (l : list (list nat)) (i : fin m) (x : fin n) : fin (S k) :=
  fin_of (nth (rank x) (nth (rank i) l []) O).

Section Decided.
Context {I D V : Type} `{Finite I} `{Finite D}.
Context (eI : forall i j : I, {i = j} + {i <> j}) (eV : forall u v : V, {u = v} + {u <> v}).
Context (cell : I -> D -> V).

Lemma d_per_entry {W} `{Finite W} ratio (M : D -> W -> R) c :
  (forall x y w, decided (M x w <= ratio * M y w) (c x y w)) ->
  decided (per_entry eV cell ratio M) (forallb (fun x => forallb (fun y =>
    if Nat.eqb (distance eV cell x y) 1 then forallb (c x y) all else true) all) all).
Proof.
  intros each. unfold decided, per_entry. rewrite forallb_forall. split.
  - intros h x y w one. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). rewrite one in h. simpl in h. rewrite forallb_forall in h.
    apply each, h, all_here.
  - intros h x _. apply forallb_forall; intros y _.
    destruct (Nat.eqb (distance eV cell x y) 1) eqn:one; [|easy].
    apply Nat.eqb_eq in one. apply forallb_forall; intros w _. now apply each, h.
Qed.

(** Lists of at most b cells. *)
Fixpoint lists (b : nat) : list (list I) := match b with O => [[]]
  | S b => [] :: flat_map (fun i => map (cons i) (lists b)) all end.
Lemma lists_all b h : In h (lists b) <-> (length h <= b)%nat.
Proof.
  revert h. induction b as [|b IH]; intros h; cbn [lists].
  - split; [intros [<-|[]]; simpl; lia|]. destruct h; simpl; [now left|lia].
  - split.
    + intros [<-|i]; [simpl; lia|]. apply in_flat_map in i as [i [_ j]].
      apply in_map_iff in j as [g [<- j]]. apply IH in j. simpl. lia.
    + destruct h as [|i h]; [now left|]. intros few. right. apply in_flat_map. exists i.
      split; [apply all_here|]. apply in_map, IH. simpl in few. lia.
Qed.

Lemma d_on_curve {A B} b factor (s t : B -> @secret D) (f : A -> D -> R) lq lp c :
  (forall x y h z, decided (0 < P (f x) (s y) -> 0 < P (f x) (t y) ->
    P (f x) (shown_as eI eV cell (s y) h z) * P (f x) (t y) <=
    factor * P (f x) (s y) * P (f x) (shown_as eI eV cell (t y) h z)) (c x y h z)) ->
  decided (on_curve eI eV cell b factor (fun u v => In (u, v) (map (fun y => (s y, t y)) lq))
    (fun p => In p (map f lp)))
    (forallb (fun y => existsb (fun h => forallb (fun x => forallb (c x y h) all) lp)
      (lists b)) lq).
Proof.
  intros each. unfold decided, on_curve. rewrite forallb_forall. split.
  - intros k u v i. apply in_map_iff in i as [y [e i]]. injection e as <- <-.
    apply k, existsb_exists in i as [h [j i]]. exists h. split; [now apply lists_all|].
    intros p ip Ps Pt z. apply in_map_iff in ip as [x [<- ip]]. rewrite forallb_forall in i.
    specialize (i x ip). rewrite forallb_forall in i. apply each; auto. apply i, all_here.
  - intros k y i. destruct (k (s y) (t y)) as [h [few tell]].
    { now apply (in_map (fun y => (s y, t y))). }
    apply existsb_exists. exists h. split; [now apply lists_all|].
    apply forallb_forall; intros x ix. apply forallb_forall; intros z _. apply each.
    intros Ps Pt. apply tell; auto. now apply in_map.
Qed.

Context (eD : forall x y : D, {x = y} + {x <> y}).
Fixpoint way k x y : bool := match k with O => if eD x y then true else false
  | S k => (if eD x y then true else false) ||
      existsb (fun z => Nat.eqb (distance eV cell x z) 1 && way k z y) all end.
Lemma way_within k x y : way k x y = true <-> within eV cell k x y.
Proof.
  revert x. induction k as [|k IH]; intros x; cbn [way within]; [now destruct (eD x y)|].
  rewrite orb_true_iff, existsb_exists. split.
  - intros [e|[z [_ i]]]; [left; now destruct (eD x y)|right]. exists z.
    apply andb_true_iff in i as [one i]. apply Nat.eqb_eq in one. now rewrite <- IH.
  - intros [->|[z [one i]]]; [left; now destruct (eD y y)|right]. exists z.
    split; [apply all_here|]. rewrite one. simpl. now apply IH.
Qed.

Lemma d_within k x y : decided (within eV cell k x y) (way k x y).
Proof. apply way_within. Qed.

Lemma d_joined b : decided (joined eV cell b) (forallb (fun x => forallb (fun y =>
  if Nat.leb (distance eV cell x y) b then way b x y else true) all) all).
Proof.
  unfold decided, joined. rewrite forallb_forall. split.
  - intros h x y few. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). apply Nat.leb_le in few. rewrite few in h.
    now apply way_within.
  - intros h x _. apply forallb_forall; intros y _.
    destruct (Nat.leb (distance eV cell x y) b) eqn:few; [|easy].
    apply way_within, h. now apply Nat.leb_le.
Qed.

Lemma d_product : decided (product_of_values eV cell)
  (forallb (fun x => forallb (fun y => (negb (Nat.eqb (distance eV cell x y) 0) ||
     (if eD x y then true else false)) &&
    forallb (fun i => existsb (fun z => same eV cell i z y && forallb (fun j =>
      (if eI j i then true else false) || same eV cell j z x) all) all) all) all) all).
Proof.
  assert (eq : forall j x y, same eV cell j x y = true <-> cell j x = cell j y).
  { intros j x y. unfold same. now destruct (eV (cell j x) (cell j y)). }
  unfold decided, product_of_values. rewrite forallb_forall. split.
  - intros h. assert (each : forall x y, (distance eV cell x y = 0%nat -> x = y) /\
      forall i, exists z, cell i z = cell i y /\ forall j, j <> i -> cell j z = cell j x).
    { intros x y. specialize (h x (all_here x)). rewrite forallb_forall in h.
      specialize (h y (all_here y)). apply andb_true_iff in h as [known copy]. split.
      - intros e. rewrite e in known. simpl in known. now destruct (eD x y).
      - intros i. rewrite forallb_forall in copy. specialize (copy i (all_here i)).
        apply existsb_exists in copy as [z [_ copy]]. apply andb_true_iff in copy as [here rest].
        exists z. split; [now apply eq|]. intros j ji. rewrite forallb_forall in rest.
        specialize (rest j (all_here j)). apply eq. now destruct (eI j i). }
    split; intros x y; apply each.
  - intros [known copy] x _. apply forallb_forall; intros y _. apply andb_true_iff. split.
    + destruct (Nat.eqb (distance eV cell x y) 0) eqn:e; [|easy]. apply Nat.eqb_eq in e. simpl.
      destruct (eD x y) as [|no]; [easy|]. destruct no. now apply known.
    + apply forallb_forall; intros i _. destruct (copy x y i) as [z [here rest]].
      apply existsb_exists. exists z. split; [apply all_here|]. apply andb_true_iff.
      split; [now apply eq|]. apply forallb_forall; intros j _.
      destruct (eI j i) as [|ji]; [easy|]. now apply eq, rest.
Qed.
End Decided.
#[export] Hint Extern 0 (decided (per_entry _ _ _ _) _) => eapply d_per_entry :
  typeclass_instances.
#[export] Hint Extern 0 (decided (on_curve _ _ _ _ _ _ _) _) => eapply d_on_curve :
  typeclass_instances.
#[export] Hint Extern 0 (decided (joined _ _ _) _) => apply (d_joined _ _ dI) :
  typeclass_instances.
#[export] Hint Extern 0 (decided (product_of_values _ _) _) => apply (d_product dI _ _ dI) :
  typeclass_instances.
#[export] Hint Extern 0 (decided (within _ _ _ _ _) _) => apply (d_within _ _ dI) :
  typeclass_instances.
