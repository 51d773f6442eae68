(** The region of two rows is convex, and the lines that bound it from below are those of the recipe
    of slopes and shifts (streaming_cw, Section 1.1). *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Regions Slopes Zonotopes Intersections.
Open Scope R_scope.

Section Lines.
Context {D W : Type} `{Finite W} (M : D -> W -> R).

(** Convex regions (streaming_cw, Section 1; streaming_cw.regions-convex): a mixture of two points
    of R(M, x, x') is a point of it.
    Differs: databases may be any type; outputs are finite; rows need not be laws. *)
Theorem region_is_convex x y s t a b c d : 0 <= s -> 0 <= t -> s + t = 1 ->
  region M x y a b -> region M x y c d -> region M x y (s * a + t * c) (s * b + t * d).
Proof.
  intros s0 t0 one. replace t with (1 - s) by lra. apply mixtures_mix. unfold share. lra.
Qed.

Lemma shift_is_rest x y ratio delta : (Σ w, M x w) = 1 -> shift ratio delta (M x) (M y) ->
  delta = 1 - lower (M x) (M y) ratio.
Proof.
  intros total sh. exact (shift_unique _ _ _ _ _ sh (lower_is_shift _ _ _ total)).
Qed.

(** The line a + R b = f(R) is the line of the shift at R (streaming_cw.x-recipe-lines).
    Differs: for every R instead of R >= 1. *)
Theorem recipe_line x y ratio delta a b : (Σ w, M x w) = 1 -> shift ratio delta (M x) (M y) ->
  a + ratio * b = lower (M x) (M y) ratio <-> a + ratio * b + delta = 1.
Proof. intros total sh. rewrite (shift_is_rest x y ratio delta total sh). lra. Qed.

(** For 0 < R it is the line of the shift at 1/R in the other order (the same).
    Differs: for every R > 0 instead of R <= 1. *)
Theorem recipe_line_exchanged x y ratio inverse delta a b : (Σ w, M y w) = 1 -> 0 < ratio ->
  inverse * ratio = 1 -> shift inverse delta (M y) (M x) ->
  a + ratio * b = lower (M x) (M y) ratio <-> inverse * a + b + delta = 1.
Proof.
  intros total r0 e sh. rewrite (shift_is_rest y x inverse delta total sh).
  assert (inv : inverse = / ratio) by (apply (Rmult_eq_reg_r ratio); [rewrite e; field|]; lra).
  rewrite (lower_exchanged (M x) (M y)) by easy. rewrite <- inv.
  set (u := lower (M y) (M x) inverse). split; intros line.
  - apply (Rmult_eq_reg_r ratio); [|lra].
    replace ((inverse * a + b + (1 - u)) * ratio) with
      (inverse * ratio * a + ratio * b + ratio - ratio * u) by ring. rewrite e. lra.
  - replace u with (inverse * a + b) by lra.
    replace (ratio * (inverse * a + b)) with (inverse * ratio * a + ratio * b) by ring.
    rewrite e. lra.
Qed.
End Lines.
