(** The exponential mechanism, at scores in units of the level. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Differential Curves.
Import ListNotations.
Open Scope R_scope.

(** The probability of w is e^(u x w) over the sum of all of these. *)
Definition exponential {D W} `{Finite W} (u : D -> W -> R) (x : D) (w : W) : R :=
  exp (u x w) / Σ v, exp (u x v).
(** Scores of neighbours differ by at most eps / 2. *)
Definition sensitive {D W} eps (u : D -> W -> R) (neighbours : D -> D -> Prop) :=
  forall x y, neighbours x y -> forall w,
    u x w + u x w <= eps + (u y w + u y w) /\ u y w + u y w <= eps + (u x w + u x w).
Definition one_cell {I D V} `{Finite I} (dV : forall u v : V, {u = v} + {u <> v})
    (cell : I -> D -> V) (neighbours : D -> D -> Prop) :=
  forall x y, distance dV cell x y = 1%nat -> neighbours x y.

Section Exponential.
Context {D W : Type} `{Finite W} (u : D -> W -> R).

Lemma total_pos x (w : W) : 0 < Σ v, exp (u x v).
Proof.
  apply Rlt_le_trans with (exp (u x w)); [apply exp_pos|].
  apply (sum_member all (fun v => exp (u x v))); [intros; left; apply exp_pos|apply all_here].
Qed.

Lemma exponential_likelihood : likelihood (exponential u).
Proof.
  intros x w. unfold exponential, Rdiv. apply Rmult_le_pos; left; [apply exp_pos|].
  apply Rinv_0_lt_compat, (total_pos x w).
Qed.

(** The exponential mechanism is private (bai2026.expmech): u stands for eps_DP u / (2 Delta_u), so
    that scores of neighbours differ by at most eps_DP / 2.
    Differs: outputs are finite; neighbours are any relation. *)
Theorem exponential_close eps neighbours : sensitive eps u neighbours ->
  close (exp eps) (exponential u) neighbours.
Proof.
  intros near x y xy w. unfold exponential.
  assert (half : forall a b, a + a <= eps + (b + b) -> exp a <= exp (eps / 2) * exp b).
  { intros a b le. rewrite <- exp_plus.
    assert (a <= eps / 2 + b) as [less|same] by lra;
      [left; now apply exp_increasing|rewrite same; right; easy]. }
  pose proof (total_pos x w) as tx. pose proof (total_pos y w) as ty.
  assert (sums : (Σ v, exp (u y v)) <= exp (eps / 2) * Σ v, exp (u x v)).
  { rewrite <- sum_scale. apply sum_le. intros v _. apply half. destruct (near x y xy v). lra. }
  assert (here : exp (u x w) <= exp (eps / 2) * exp (u y w))
    by (apply half; destruct (near x y xy w); lra).
  assert (twice : exp eps = exp (eps / 2) * exp (eps / 2)).
  { rewrite <- exp_plus. f_equal. field. }
  set (a := exp (u x w)) in *. set (b := exp (u y w)) in *. set (h := exp (eps / 2)) in *.
  set (A := Σ v, exp (u x v)) in *. set (B := Σ v, exp (u y v)) in *.
  assert (0 < a) by apply exp_pos. assert (0 < h) by apply exp_pos.
  apply (Rmult_le_reg_r (A * B)); [now apply Rmult_lt_0_compat|].
  replace (a / A * (A * B)) with (a * B) by (field; lra).
  replace (exp eps * (b / B) * (A * B)) with ((h * b) * (h * A)) by (rewrite twice; field; lra).
  apply Rmult_le_compat; lra.
Qed.
End Exponential.

(** The exponential mechanism at a translated promise (bai2026.expmech, bai2026.expmech-repaired).
    Differs: as [translate_in_tables] and [exponential_close]; neighbours are any relation that has
    all tables that differ in one cell. *)
Theorem exponential_translated {I D V W} `{Finite I} `{Finite D} `{Finite W}
    (dI : forall i j : I, {i = j} + {i <> j}) (dD : forall x y : D, {x = y} + {x <> y})
    (dV : forall u v : V, {u = v} + {u <> v}) (cell : I -> D -> V) b eps a (u : D -> W -> R)
    neighbours pairs priors :
  laws_only priors -> 1 <= exp eps -> sensitive eps u neighbours -> one_cell dV cell neighbours ->
  product_of_values dV cell -> on_curve dI dV cell b (exp a) pairs priors ->
  pufferfish (exp (INR b * eps + a)) (exponential u) pairs priors.
Proof.
  intros L e1 near cells every curve.
  apply (translate_in_tables dI dV cell dD); auto.
  - apply exponential_likelihood.
  - intros x y w one. now apply (exponential_close u eps neighbours near), cells.
  - now apply product_joined.
Qed.
