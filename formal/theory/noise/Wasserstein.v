(** The Wasserstein mechanism (wang2016, theorem 3.2). *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace.
Import ListNotations.
Open Scope R_scope.

Section Wasserstein.
Context {D : Type} `{Finite D}.

(** The laws given s and given t have a coupling that moves the value of f by at most d.
    c x y is its weight, times P p s * P p t, so that its margins need no division. *)
Definition coupled p (s t : @secret D) (f : D -> R) d := exists c : D -> D -> R,
  (forall x y, 0 <= c x y) /\
  (forall x, (Σ y, c x y) = inside p s x * P p t) /\
  (forall y, (Σ x, c x y) = P p s * inside p t y) /\
  (forall x y, 0 < c x y -> Rabs (f x - f y) <= d).

(** The Wasserstein mechanism (wang2016, theorem 3.2): noise of scale d / epsilon.
    Differs: databases are finite; a coupling of the databases that moves f by at most d is given,
    instead of W_infinity of the laws of f; density form. *)
Theorem wasserstein_mechanism (f : D -> R) d eps (pairs : secret -> secret -> Prop)
  (priors : (D -> R) -> Prop) :
  0 < eps -> 0 < d ->
  (forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> coupled p s t f d) ->
  pufferfish (exp eps) (fun x w => laplace (d / eps) (f x) w) pairs priors.
Proof.
  intros e0 d0 close p s t w Hp Hst Ps Pt.
  destruct (close p s t Hp Hst Ps Pt) as [c [c0 [left_ [right_ near]]]].
  assert (b0 : 0 < d / eps) by (apply Rdiv_lt_0_compat; lra).
  set (g x := laplace (d / eps) (f x) w).
  assert (S : Pw p (fun x w => laplace (d / eps) (f x) w) s w * P p t = Σ x, Σ y, c x y * g x).
  { unfold Pw. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros x _.
    rewrite (sum_ext all _ (fun y => g x * c x y)) by (intros; ring).
    rewrite sum_scale, left_. unfold g; ring. }
  assert (T : P p s * Pw p (fun x w => laplace (d / eps) (f x) w) t w = Σ x, Σ y, c x y * g y).
  { unfold Pw. rewrite sum_swap, <- sum_scale. apply sum_ext; intros y _.
    rewrite (sum_ext all _ (fun x => g y * c x y)) by (intros; ring).
    rewrite sum_scale, right_. unfold g; ring. }
  rewrite Rmult_assoc, S, T, <- sum_scale. apply sum_le; intros x _. rewrite <- sum_scale.
  apply sum_le; intros y _.
  destruct (c0 x y) as [pos|<-]; [|lra].
  pose proof (laplace_near (d / eps) d (f x) (f y) w b0 (near x y pos)) as N.
  replace (d / (d / eps)) with eps in N by (field; lra). fold (g x) (g y) in N. nra.
Qed.
End Wasserstein.
