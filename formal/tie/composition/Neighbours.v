(** How levels between neighbours and exponential mechanisms are decided on tables of rationals:
    scores are known by their exponentials. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Means Chain Curves Differential Exponential.
From Pufferproof Require Import Determined Existence.
From Tied Require Import Decide Entries Sequences Curves Pairs.
Import ListNotations.
Open Scope R_scope.

#[export] Existing Instances Chain.finite_unit Chain.finite_vec.

Lemma d_close {D W A} ratio (M : D -> W -> R) (g : A -> D * D) l b :
  (forall a, decided (forall w, M (fst (g a)) w <= ratio * M (snd (g a)) w) (b a)) ->
  decided (close ratio M (fun x y => In (x, y) (map g l))) (forallb b l).
Proof. intros each. unfold close. now apply d_pairs_map. Qed.


Lemma d_all_words {D W} `{Finite W} ratio (Ms : list (D -> W -> R)) x y b :
  (forall ws, decided (releases Ms x ws <= ratio * releases Ms y ws) (b ws)) ->
  decided (forall ws, releases Ms x ws <= ratio * releases Ms y ws)
    (forallb (fun v : vec W (length Ms) => b (list_of v)) all).
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h ws. destruct (Nat.eq_dec (length ws) (length Ms)) as [e|ne].
    + destruct (some_vec ws _ e) as [v <-]. apply each, h, all_here.
    + rewrite !releases_of_length by easy. lra.
  - intros h v _. apply each, h.
Qed.

#[export] Hint Extern 0 (decided (close _ (releases _) _) _) =>
  apply d_close; intros ?; apply d_all_words : typeclass_instances.
#[export] Hint Extern 1 (decided (close _ _ _) _) =>
  apply d_close; intros ?; apply d_all : typeclass_instances.
#[export] Hint Extern 2 (rational (chosen _ _ _ _) _) => unfold chosen; cbn [fst snd] :
  typeclass_instances.

(** Scores. *)
#[export] Instance r_exponential {D W} `{Finite W} (u : D -> W -> R) g x w :
  (forall v, level (u x v) (g v)) ->
  rational (exponential u x w) (Qred (g w / qsum all g)).
Proof.
  intros each. unfold exponential, rational.
  assert (e : forall v, exp (u x v) = Q2R (g v)) by (intros v; now apply r_exp).
  assert (s : (Σ v, exp (u x v)) = Q2R (qsum all g)) by now apply r_sum.
  assert (pos : 0 < Σ v, exp (u x v)) by (apply (total_pos u x w)).
  rewrite e, s, red. unfold Rdiv, Qdiv. rewrite Q2R_mult, Q2R_inv; [easy|].
  intros zero. apply Qeq_eqR in zero. rewrite RMicromega.Q2R_0 in zero. lra.
Qed.

Lemma level_at_most x y p q : level x p -> level y q -> decided (x <= y) (Qle_bool p q).
Proof.
  intros [p0 ->] [q0 ->]. unfold decided. rewrite Qle_bool_iff. split.
  - intros h. apply Qle_Rle in h. destruct h as [less|<-]; [left; now apply ln_increasing|lra].
  - intros h. apply Rle_Qle. apply Rnot_lt_le. intros less. apply (ln_increasing _ _ q0) in less.
    lra.
Qed.

Lemma d_sensitive {D W A} `{Finite W} eps (u : D -> W -> R) (g : A -> D * D) l e q :
  level eps e -> (forall x w, level (u x w) (q x w)) ->
  decided (sensitive eps u (fun x y => In (x, y) (map g l))) (forallb (fun a => forallb (fun w =>
    let x := q (fst (g a)) w in let y := q (snd (g a)) w in
    Qle_bool (Qred (x * x)) (Qred (e * Qred (y * y))) &&
    Qle_bool (Qred (y * y)) (Qred (e * Qred (x * x)))) all) l).
Proof.
  intros le lu. unfold sensitive. apply d_pairs_map. intros a. apply d_all. intros w. cbv zeta.
  apply d_and; apply level_at_most; repeat apply l_plus; auto.
Qed.
#[export] Hint Extern 0 (decided (sensitive _ _ _) _) => eapply d_sensitive :
  typeclass_instances.

Section Cells.
Context {I D V : Type} `{Finite I} `{Finite D} (dV : forall u v : V, {u = v} + {u <> v}).
Lemma d_one_cell {A} (cell : I -> D -> V) (g : A -> D * D) l
  (eD : forall x y : D, {x = y} + {x <> y}) :
  decided (one_cell dV cell (fun x y => In (x, y) (map g l))) (forallb (fun x => forallb (fun y =>
    if Nat.eqb (distance dV cell x y) 1 then existsb (fun a =>
      (if eD (fst (g a)) x then true else false) && (if eD (snd (g a)) y then true else false)) l
    else true) all) all).
Proof.
  unfold decided, one_cell. rewrite forallb_forall. split.
  - intros h x y one. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). rewrite one in h. simpl in h.
    apply existsb_exists in h as [a [i h]]. apply in_map_iff. exists a. split; [|easy].
    destruct (eD (fst (g a)) x), (eD (snd (g a)) y); try easy.
    destruct (g a); simpl in *. congruence.
  - intros h x _. apply forallb_forall; intros y _.
    destruct (Nat.eqb (distance dV cell x y) 1) eqn:one; [|easy]. apply Nat.eqb_eq in one.
    specialize (h x y one). apply in_map_iff in h as [a [e i]]. apply existsb_exists. exists a.
    split; [easy|]. rewrite e. cbn [fst snd].
    destruct (eD x x), (eD y y); easy.
Qed.
End Cells.
#[export] Hint Extern 0 (decided (one_cell _ _ _) _) => apply (fun g l => d_one_cell _ _ g l dI) :
  typeclass_instances.

(** That some mechanism does not compose, by the number of databases. *)
#[export] Instance d_some_collapse n (x y : fin n) : decided (some_collapse x y)
  (Nat.leb 3 (length (@all (fin n) _)) && (if fin_dec n x y then false else true)) | 0.
Proof.
  unfold decided. rewrite andb_true_iff, Nat.leb_le, (some_mechanism_collapses (fin_dec n)).
  destruct (fin_dec n x y); intuition congruence.
Qed.
#[export] Instance d_three n :
  decided (@three_databases (fin n) _) (Nat.leb 3 (length (@all (fin n) _))) | 0.
Proof. unfold decided, three_databases. now rewrite Nat.leb_le. Qed.
#[export] Instance d_differ n (x y : fin n) :
  decided (x <> y) (if fin_dec n x y then false else true) | 0.
Proof. unfold decided. destruct (fin_dec n x y); intuition congruence. Qed.
