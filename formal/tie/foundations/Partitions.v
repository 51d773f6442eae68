(** How partitions into events are decided: sets of outputs are listed, and a partition is a list of
    the cells of the outputs. *)
From Coq Require Import Reals QArith Qreals List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Chain Partitions.
From Tied Require Import Decide Entries Spectra.
Import ListNotations.

Lemma rank_same {n} (x y : fin n) : rank x = rank y -> x = y.
Proof.
  induction n as [|n IH]; [destruct x|]. destruct x as [x|], y as [y|]; simpl; try easy.
  intros e. injection e as e. now rewrite (IH x y e).
Qed.
#[export] Instance d_same_member {n} (x y : fin n) : decided (x = y) (Nat.eqb (rank x) (rank y)).
Proof. unfold decided. rewrite Nat.eqb_eq. split; [apply rank_same|now intros ->]. Qed.

(** Measures by the weights of outputs, and sets of outputs that are listed. *)
Definition measure_of {n m} (l : list (list Q)) : fin n -> (fin m -> bool) -> R :=
  fun x e => sum all (fun o => if e o then Q2R (entry (nth (rank x) l []) (rank o)) else 0%R).
#[export] Instance r_measure {n m} (l : list (list Q)) (x : fin n) (e : fin m -> bool) :
  rational (measure_of l x e)
    (qsum all (fun o => if e o then entry (nth (rank x) l []) (rank o) else 0%Q)).
Proof. apply r_sum; intros o. apply r_if; [easy|apply r_0]. Qed.
Definition sets_of {m} (l : list (list nat)) (e : fin m -> bool) : Prop := In e (map set_of l).
#[export] Instance d_sets_of {m} l (e : fin m -> bool) : decided (sets_of l e)
  (existsb (fun a => forallb (fun o => eqb (set_of a o) (e o)) all) l).
Proof.
  unfold decided, sets_of. rewrite existsb_exists, in_map_iff. split.
  - intros [a [i same]]. exists a. split; [|easy]. apply functional_extensionality; intros o.
    rewrite forallb_forall in same. now apply eqb_prop, same, all_here.
  - intros [a [<- i]]. exists a. split; [easy|]. apply forallb_forall; intros o _.
    now destruct (set_of a o).
Qed.
#[export] Instance d_each_set {m} l (X : (fin m -> bool) -> Prop) b :
  (forall a, decided (X (set_of a)) (b a)) ->
  decided (forall e, sets_of l e -> X e) (forallb b l) | 0.
Proof. apply d_in_map. Qed.

(** The promise for all events. *)
Lemma d_events {D Omega} `{Finite D} ratio (M : D -> (Omega -> bool) -> R)
    (events : (Omega -> bool) -> Prop) pairs priors b :
  decided (forall e, events e -> pufferfish ratio (fun x (_ : unit) => M x e) pairs priors) b ->
  decided (pufferfish ratio (fun x (e : {e | events e}) => M x (proj1_sig e)) pairs priors) b.
Proof.
  intros same. unfold decided in *. rewrite same. split.
  - intros each p s t [e i] Hp st Ps Pt. exact (each e i p s t tt Hp st Ps Pt).
  - intros all_e e i p s t w Hp st Ps Pt. exact (all_e p s t (exist _ e i) Hp st Ps Pt).
Qed.
#[export] Existing Instance finite_unit.
#[export] Hint Extern 0 (decided (pufferfish _ (fun _ (_ : {_ | _}) => _) _ _) _) =>
  apply d_events : typeclass_instances.

#[export] Instance d_if_events {m n} l (c : fin m -> fin n -> bool) (X : Prop) a b :
  (forall w, decided (sets_of l (c w)) (a w)) -> decided X b ->
  decided ((forall w, sets_of l (c w)) -> X) (negb (forallb a all) || b) | 0.
Proof. intros each d. apply d_imp; [now apply d_all|easy]. Qed.

(** All partitions into cells: to each output its cell. *)
Fixpoint places {A} (cells : list A) n : list (list A) := match n with O => [[]]
  | S n => flat_map (fun a => map (cons a) (places cells n)) cells end.
Lemma places_all {A} (cells : list A) : (forall a, In a cells) -> forall l,
  In l (places cells (length l)).
Proof.
  intros here. induction l as [|a l IH]; simpl; [now left|]. apply in_flat_map.
  exists a. split; [apply here|]. now apply in_map.
Qed.
Definition cells_at {n m} (l : list (fin (S m))) (w : fin (S m)) (o : fin n) : bool :=
  Nat.eqb (rank (nth (rank o) l None)) (rank w).
#[export] Instance d_partitions {n m} (X : (fin (S m) -> fin n -> bool) -> Prop) b :
  (forall l, decided (X (cells_at l)) (b l)) ->
  decided (forall c, partition c -> X c) (forallb b (places all (length (@all (fin n) _)))) | 0.
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros ok c parts.
    pose (f o := match find (fun w => c w o) all with Some w => w | None => None end).
    assert (cell : forall o, c (f o) o = true).
    { intros o. unfold f. destruct (find (fun w => c w o) all) as [w|] eqn:e.
      - now apply find_some in e.
      - destruct (parts o) as [w [yes _]]. now rewrite (find_none _ _ e w (all_here w)) in yes. }
    replace c with (@cells_at n m (map f all)).
    + apply each, ok. rewrite <- (map_length f all). apply places_all, all_here.
    + apply functional_extensionality; intros w. apply functional_extensionality; intros o.
      unfold cells_at. rewrite nth_all. destruct (parts o) as [v [_ only]].
      destruct (Nat.eqb_spec (rank (f o)) (rank w)) as [e|n0].
      * apply rank_same in e. subst w. now rewrite cell.
      * destruct (c w o) eqn:yes; [|easy]. destruct n0. f_equal.
        now rewrite (only w yes), (only (f o) (cell o)).
  - intros every l _. apply each, every. intros o. exists (nth (rank o) l None).
    unfold cells_at. split; [apply Nat.eqb_refl|]. intros v e. symmetry.
    now apply rank_same, Nat.eqb_eq.
Qed.
