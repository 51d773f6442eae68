(** Queries of tables with Laplace noise: a level for one cell, and the promise at a point of the
    influence curve. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Attained Curves.
Import ListNotations.
Open Scope R_scope.

(** How much queries change between two tables, each in units of its scale. *)
Fixpoint change {D} (F : list ((D -> R) * posreal)) x y : R := match F with [] => 0
  | (f, b) :: F => Rabs (f x - f y) / b + change F x y end.

Lemma released_near {D} (F : list ((D -> R) * posreal)) x y ws :
  released F x ws <= exp (change F x y) * released F y ws.
Proof.
  unfold released. revert ws. induction F as [|[f b] F IH]; intros [|w ws]; cbn; try lra.
  - rewrite exp_0. lra.
  - rewrite exp_plus. fold (scaled F).
    pose proof (noisy_positive (scaled F) x ws (scaled_pos F)) as [n0 _].
    pose proof (cond_pos b) as b0. pose proof (laplace_nonneg b (f x) w b0) as l0.
    pose proof (laplace_near b (Rabs (f x - f y)) (f x) (f y) w b0 (Rle_refl _)) as near.
    replace (exp (Rabs (f x - f y) / b) * exp (change F x y) *
      (laplace b (f y) w * noisy (scaled F) y ws)) with
      (exp (Rabs (f x - f y) / b) * laplace b (f y) w *
        (exp (change F x y) * noisy (scaled F) y ws)) by ring.
    apply Rmult_le_compat; auto.
Qed.

Lemma released_likelihood {D} (F : list ((D -> R) * posreal)) : likelihood (released F).
Proof. intros x ws. apply (noisy_positive (scaled F) x ws (scaled_pos F)). Qed.

Section Tables.
Context {I D V : Type} `{Finite I} `{Finite D}.
Context (dI : forall i j : I, {i = j} + {i <> j}) (dV : forall u v : V, {u = v} + {u <> v}).
Context (dD : forall x y : D, {x = y} + {x <> y}) (cell : I -> D -> V).
Context (F : list ((D -> R) * posreal)).

(** Tables that differ in one cell change the queries by at most eps. *)
Definition changes_little eps := forall x y, distance dV cell x y = 1%nat -> change F x y <= eps.

(** Laplace noise is private for tables that differ in one cell (bai2026.laplace): coordinates of a
    query that changes by at most L in l1 have the scale L / eps_DP.
    Differs: coordinates may have scales of their own; density form. *)
Theorem noise_per_entry eps : changes_little eps -> per_entry dV cell (exp eps) (released F).
Proof.
  intros little x y ws one. specialize (little x y one).
  apply Rle_trans with (exp (change F x y) * released F y ws); [apply released_near|].
  apply Rmult_le_compat_r; [apply released_likelihood|].
  destruct little as [less| ->]; [left; now apply exp_increasing|lra].
Qed.

(** Laplace noise at a translated promise (bai2026.laplace, bai2026.laplace-repaired).
    Differs: as [noise_per_entry] and [translate_in_tables]. *)
Theorem noise_translated b eps a pairs priors : laws_only priors -> 1 <= exp eps ->
  changes_little eps -> product_of_values dV cell -> on_curve dI dV cell b (exp a) pairs priors ->
  pufferfish (exp (INR b * eps + a)) (released F) pairs priors.
Proof.
  intros L e1 little every curve. apply (translate_in_tables dI dV cell dD); auto.
  - apply released_likelihood.
  - now apply noise_per_entry.
  - now apply product_joined.
Qed.
End Tables.
