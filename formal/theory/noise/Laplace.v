(** Laplace noise, in the density form; queries of a list of records that change by at most 1 with
    each. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws.
Import ListNotations.
Open Scope R_scope.

(** Density at w of u plus Laplace noise of scale b. *)
Definition laplace (b u w : R) := exp (- Rabs (w - u) / b) / (2 * b).

Lemma laplace_near b d u v w : 0 < b -> Rabs (u - v) <= d ->
  laplace b u w <= exp (d / b) * laplace b v w.
Proof.
  intros b0 near. unfold laplace, Rdiv. rewrite <- Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  assert (- Rabs (w - u) * / b <= d * / b + - Rabs (w - v) * / b) as [l|e].
  { rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    revert near; unfold Rabs; repeat destruct Rcase_abs; lra. }
  - left; now apply exp_increasing.
  - right; now f_equal.
Qed.

Lemma laplace_nonneg b u w : 0 < b -> 0 <= laplace b u w.
Proof.
  intros b0; unfold laplace, Rdiv; apply Rmult_le_pos; left;
    [apply exp_pos|apply Rinv_0_lt_compat; lra].
Qed.

(** Changing the nearby records one after another moves a 1-Lipschitz query by at most their number.
    *)
Lemma lipschitz_block {A} (f : list A -> R) :
  (forall l a b r, Rabs (f (l ++ a :: r) - f (l ++ b :: r)) <= 1) ->
  forall xs ys l r, length xs = length ys -> Rabs (f (l ++ xs ++ r) - f (l ++ ys ++ r)) <= INR
    (length xs).
Proof.
  intros lip; induction xs as [|x xs IH]; intros [|y ys] l r E; try discriminate E.
  - simpl; rewrite Rminus_diag_eq, Rabs_R0 by easy; lra.
  - injection E as E. change (length (x :: xs)) with (S (length xs)). rewrite S_INR.
    specialize (IH ys (l ++ [y]) r E). rewrite <- !app_assoc in IH; simpl in *.
    specialize (lip l x y (xs ++ r)). revert IH lip. unfold Rabs; repeat destruct Rcase_abs; lra.
Qed.
