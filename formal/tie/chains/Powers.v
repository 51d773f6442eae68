(** How powers of the steps of a chain, and what two records tell of one between them, are decided
    on
    tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables TableQuilts Spectrum Eigenvalues ChainMoments ChainInfluence.
From Tied Require Import Decide Entries Chains.
Import ListNotations.
Open Scope R_scope.

Definition steps_read {m} (l : list (list nat)) (x y : fin (S m)) : R :=
  Q2R (share (nth (rank x) l []) y).
Lemma steps_read_law {m} l (x : fin (S m)) : law (steps_read l x).
Proof. apply share_law. Qed.

Definition same {m} (x y : fin m) : bool := if d (fin m) x y then true else false.
Fixpoint qpower {m} (K : fin m -> fin m -> Q) t x y : Q := match t with
  | O => if same x y then 1%Q else 0%Q
  | S t => qsum all (fun z => Qred (K x z * qpower K t z y)) end.
#[export] Instance r_power {m} K q t (x y : fin m) : (forall x y, rational (K x y) (q x y)) ->
  rational (Eigenvalues.steps K t x y) (qpower q t x y).
Proof.
  intros e. revert x. induction t as [|t IH]; intros x; simpl.
  - unfold point, same. destruct (Compactness.decision (y = x)), (d (fin m) x y); try congruence;
      apply r_1 || apply r_0.
  - apply r_sum. intros z. now apply r_mult.
Qed.
#[export] Hint Extern 2 (rational (law_at _ _ _ _) _) => unfold law_at : typeclass_instances.
#[export] Hint Extern 2 (rational (steps_read _ _ _) _) => unfold steps_read : typeclass_instances.

#[export] Instance r_whole_law {m} (first : fin m -> R) K q0 q n v :
  (forall x, rational (first x) (q0 x)) -> (forall x y, rational (K x y) (q x y)) ->
  rational (law_of_chain (first, fun _ => K) n v) (match list_of v with [] => 1%Q
    | x :: l => Qred (q0 x * qsteps (fun _ => q) 0 x l) end).
Proof. intros e0 e. unfold law_of_chain, sequence_law. now apply r_chain. Qed.
#[export] Hint Extern 2 (decided (sides_within _ _ _ _ _ _ _ _ _ _) _) =>
  unfold sides_within, influence_at_most, p_quilt, Pz : typeclass_instances.
#[export] Instance r_if_shown t x q : rational x q ->
  rational (if_shown t x) match t with O => 1%Q | S _ => q end.
Proof. intros e. destruct t; [apply r_1|exact e]. Qed.
#[export] Instance r_at {D Z} (dec : forall y z : Z, {y = z} + {y <> z}) (z : D -> Z) y x :
  rational (at_ dec z y x) (if dec (z x) y then 1%Q else 0%Q).
Proof. unfold at_. destruct dec; apply r_1 || apply r_0. Qed.

#[export] Instance d_from_any {m} ratio l k a b c (v w : fin (S m)) e :
  decided (0 < (Σ u, Eigenvalues.steps (steps_read (m := m) l) (k + a) u v) ->
    0 < (Σ u, Eigenvalues.steps (steps_read l) (k + a) u w) ->
    forall x z y, 0 < (Σ u, Eigenvalues.steps (steps_read l) k u x) ->
      if_shown a (Eigenvalues.steps (steps_read l) a x v *
        Eigenvalues.steps (steps_read l) (k + a) z w) *
        if_shown b (Eigenvalues.steps (steps_read l) b v y) <=
      ratio * (if_shown a (Eigenvalues.steps (steps_read l) a x w *
        Eigenvalues.steps (steps_read l) (k + a) z v) *
        if_shown b (Eigenvalues.steps (steps_read l) b w y))) e ->
  decided (sides_within_from_any (d (fin (S m))) ratio (steps_read l) k a b c v w) e.
Proof.
  unfold decided. intros ->. assert (rows : forall x, law (steps_read (m := m) l x))
    by (intros; apply steps_read_law). split.
  - intros every first Lm pv pw.
    assert (0 < Σ u, Eigenvalues.steps (steps_read l) (k + a) u v)
      by now apply (from_some_start first).
    assert (0 < Σ u, Eigenvalues.steps (steps_read l) (k + a) u w)
      by now apply (from_some_start first).
    now apply (any_law (d (fin (S m))) ratio (steps_read l) k a b c v w); auto.
  - intros any some_v some_w. now apply (any_law (d (fin (S m))) ratio (steps_read l) k a b c v w).
Qed.
