(** Releases that the outputs before choose, with a point of the influence curve. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws RecordTables Curves Points.
Import ListNotations.
Open Scope R_scope.

Section Chosen.
Context {I D V K W : Type} `{Finite I} `{Finite D} `{Finite K}.
Context (dI : forall i j : I, {i = j} + {i <> j}) (dV : forall u v : V, {u = v} + {u <> v}).
Context (dD : forall x y : D, {x = y} + {x <> y}) (cell : I -> D -> V).
Context (Ms : K -> list W -> D -> W -> R) (delta : K -> R).

(** Whatever the outputs before were, release k has the level delta k for one cell. *)
Definition private_whatever := forall k past, likelihood (Ms k past) /\
  per_entry dV cell (exp (delta k)) (Ms k past).

Lemma chosen_likelihood l : private_whatever -> forall past, likelihood (adaptive (map Ms l) past).
Proof.
  intros each. induction l as [|k l IH]; intros past x [|w ws]; cbn [map adaptive]; try lra.
  apply Rmult_le_pos; [apply each|apply IH].
Qed.

Lemma chosen_per_entry l : private_whatever -> forall past,
  per_entry dV cell (exp (sum l delta)) (adaptive (map Ms l) past).
Proof.
  intros each past x y ws one. revert past ws.
  induction l as [|k l IH]; intros past [|w ws]; cbn [map adaptive sum]; try lra.
  - rewrite exp_0. lra.
  - destruct (each k past) as [M0 dp]. specialize (dp x y w one).
    specialize (IH (past ++ [w]) ws). rewrite exp_plus.
    set (N := adaptive (map Ms l) (past ++ [w])) in *.
    replace (exp (delta k) * exp (sum l delta) * (Ms k past y w * N y ws))
      with (exp (delta k) * Ms k past y w * (exp (sum l delta) * N y ws)) by ring.
    apply Rmult_le_compat; try easy. now apply chosen_likelihood.
Qed.

(** Levels of releases that are chosen by the outputs before add up, and pay the influence of one
    point, any of the curve (bai2026.compose-repaired).
    Differs: as [composed]; releases may be chosen; one point serves all. *)
Theorem chosen_at_point c e pairs priors : laws_only priors -> (forall k, 0 <= delta k) ->
  private_whatever -> product_of_values dV cell -> on_curve dI dV cell c (exp e) pairs priors ->
  pufferfish (exp (INR c * (Σ k, delta k) + e)) (adaptive (map Ms all) []) pairs priors.
Proof.
  intros L d0 each every curve.
  assert (d_sum : 0 <= Σ k, delta k) by (apply sum_nonneg; auto).
  apply (translate_in_tables dI dV cell dD); auto.
  - now apply chosen_likelihood.
  - rewrite <- exp_0. destruct d_sum as [pos|<-]; [left; now apply exp_increasing|lra].
  - now apply chosen_per_entry.
  - now apply product_joined.
Qed.
End Chosen.
