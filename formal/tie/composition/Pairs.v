(** What mechanisms can leak together of one pair of secrets is decided by how many databases of
    each secret are possible, and how probable they are. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Determined Metric OnePair.
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

#[export] Instance d_at_least_one l :
  decided (at_least_one (map Q2R l)) (forallb (Qle_bool 1) l) | 0.
Proof.
  unfold decided, at_least_one. rewrite forallb_forall. split.
  - intros each A i. apply in_map_iff in i as [q [<- i]].
    rewrite <- one_q. now apply Qle_Rle, Qle_bool_iff, each.
  - intros each q i. apply Qle_bool_iff, Rle_Qle. rewrite one_q. apply each.
    now apply in_map.
Qed.
#[export] Instance d_several (l : list Q) :
  decided (several (map Q2R l)) (Nat.ltb 1 (length l)) | 0.
Proof. unfold decided, several. rewrite map_length. apply Nat.ltb_lt. Qed.

(** The least share of the databases of positive weight. *)
Definition qleast (l : list Q) := fold_right (fun q m => if Qle_bool q m then q else m) 1%Q l.
Lemma qleast_r l : Q2R (qleast l) = fold_right Rmin 1 (map Q2R l).
Proof.
  induction l as [|q l IH]; [exact one_q|]. simpl. rewrite <- IH. unfold Rmin.
  destruct (Qle_bool q (qleast l)) eqn:e, Rle_dec as [le|gt]; try easy.
  - destruct gt. now apply Qle_Rle, Qle_bool_iff.
  - apply Rle_Qle, Qle_bool_iff in le. congruence.
Qed.
#[export] Instance r_lightest {D} `{Finite D} (p : D -> R) u g P' :
  (forall x, rational (inside p u x) (g x)) -> rational (P p u) P' ->
  rational (lightest p u) (qleast (map (fun x => Qred (g x * Qred (/ P')))
    (filter (fun x => negb (Qle_bool (g x) 0)) all))) | 0.
Proof.
  intros e eP. unfold rational, lightest in *. rewrite qleast_r, map_map.
  rewrite (possible_filtered p u g e). f_equal. apply map_ext. intros x.
  apply r_div; [apply e|easy].
Qed.
#[export] Instance r_one_way {D} `{Finite D} (p : D -> R) u Rs m q :
  rational (lightest p u) m -> rational (product_of (map Q2R Rs)) q ->
  rational (one_way_ratio p u (map Q2R Rs)) (Qred (q * Qred (/ qpow m (pred (length Rs))))) | 0.
Proof.
  intros em eq_. unfold one_way_ratio. rewrite map_length.
  apply r_div; [easy|now apply r_pow].
Qed.

#[export] Instance d_unbounded n (p : fin n -> R) s t Rs a b c k v :
  decided (one_pair p s t) a -> decided (single p s) b -> decided (single p t) c ->
  decided (at_least_one Rs) k -> decided (several Rs) v ->
  decided (unbounded p s t Rs) (a && k && (v && negb (b && c))) | 0.
Proof.
  intros da db dc dk dv. pose proof (d_not _ _ (d_and _ _ _ _ db dc)) as two. unfold decided in *.
  rewrite !andb_true_iff, two, da, dk, dv. split.
  - intros [[pair r1] many]. now apply (unbounded_exactly (fin_dec n)).
  - intros found. pose proof found as [pair [r1 _]]. split; [easy|].
    now apply (unbounded_exactly (fin_dec n) p s t Rs pair).
Qed.
#[export] Instance d_unbounded_one_way n (p : fin n -> R) s t Rs a c k v :
  decided (one_pair p s t) a -> decided (single p t) c ->
  decided (at_least_one Rs) k -> decided (several Rs) v ->
  decided (unbounded_one_way p s t Rs) (a && k && (v && negb c)) | 0.
Proof.
  intros da dc dk dv. pose proof (d_not _ _ dc) as two. unfold decided in *.
  rewrite !andb_true_iff, two, da, dk, dv. split.
  - intros [[pair r1] many]. now apply (unbounded_one_way_exactly (fin_dec n)).
  - intros found. pose proof found as [pair [r1 _]]. split; [easy|].
    now apply (unbounded_one_way_exactly (fin_dec n) p s t Rs pair).
Qed.

#[export] Instance d_largest n (p : fin n -> R) s t Rs L a b c k v e :
  decided (one_pair p s t) a -> decided (single p s) b -> decided (single p t) c ->
  decided (at_least_one Rs) k -> decided (several Rs) v -> decided (L = product_of Rs) e ->
  decided (largest p s t Rs L) (a && k && ((negb v || b && c) && e)) | 0.
Proof.
  intros da db dc dk dv de. pose proof (d_imp _ _ _ _ dv (d_and _ _ _ _ db dc)) as each.
  unfold decided in *. rewrite !andb_true_iff, each, da, dk, de. split.
  - intros [[pair r1] ones]. now apply (largest_exactly (fin_dec n)).
  - intros found. pose proof found as [pair [r1 _]]. split; [easy|].
    now apply (largest_exactly (fin_dec n) p s t Rs L pair).
Qed.
#[export] Instance d_largest_one_way n (p : fin n -> R) s t Rs L a c k v e :
  decided (one_pair p s t) a -> decided (single p t) c ->
  decided (at_least_one Rs) k -> decided (several Rs) v -> decided (L = one_way_ratio p s Rs) e ->
  decided (largest_one_way p s t Rs L) (a && k && ((negb v || c) && e)) | 0.
Proof.
  intros da dc dk dv de. pose proof (d_imp _ _ _ _ dv dc) as each.
  unfold decided in *. rewrite !andb_true_iff, each, da, dk, de. split.
  - intros [[pair r1] one]. now apply (largest_one_way_exactly (fin_dec n)).
  - intros found. pose proof found as [pair [r1 _]]. split; [easy|].
    now apply (largest_one_way_exactly (fin_dec n) p s t Rs L pair).
Qed.
