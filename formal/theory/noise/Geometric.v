(** Geometric noise on queries of integers leaks exactly as Laplace noise of the same scale. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Attained Slower.
Import ListNotations.
Open Scope R_scope.

(** The probability of w for u plus geometric noise: proportional to e^(-|w - u| / b). *)
Definition geometric (b : R) (u w : Z) :=
  (1 - exp (- / b)) / (1 + exp (- / b)) * exp (- / b) ^ Z.abs_nat (w - u).

Fixpoint geometrics {D} (G : list ((D -> Z) * posreal)) (x : D) (zs : list Z) : R := match G, zs
  with
  | (f, b) :: G, z :: zs => geometric b (f x) z * geometrics G x zs
  | [], [] => 1 | _, _ => 0 end.
(** Geometric noise on some queries, Laplace noise on others. *)
Definition both_noises {D} (G : list ((D -> Z) * posreal)) (F : list ((D -> R) * posreal)) (x : D)
  (w : list Z * list R) := geometrics G x (fst w) * released F x (snd w).
Definition as_reals {D} (G : list ((D -> Z) * posreal)) : list ((D -> R) * posreal) :=
  map (fun fb => ((fun x => IZR (fst fb x)), snd fb)) G.

Lemma geometric_decay b u w : 0 < b -> geometric b u w =
  (1 - exp (- / b)) / (1 + exp (- / b)) * decay (/ b) (IZR u) (IZR w).
Proof.
  intros b0. unfold geometric, decay. f_equal. rewrite <- minus_IZR, <- abs_IZR.
  rewrite <- Zabs2Nat.id_abs, <- INR_IZR_INZ. induction (Z.abs_nat (w - u)) as [|k IH].
  - cbn [pow INR]. now rewrite Rmult_0_r, exp_0.
  - rewrite S_INR, Rmult_plus_distr_l, Rmult_1_r, exp_plus, <- IH. cbn [pow]. ring.
Qed.

Lemma geometric_constant b : 0 < b -> 0 < (1 - exp (- / b)) / (1 + exp (- / b)).
Proof.
  intros b0. assert (i0 : 0 < / b) by now apply Rinv_0_lt_compat.
  pose proof (exp_pos (- / b)). assert (exp (- / b) < 1).
  { rewrite <- exp_0. apply exp_increasing. lra. }
  apply Rdiv_lt_0_compat; lra.
Qed.

Section Geometric.
Context {D : Type} `{Finite D}.

Lemma no_output (c : D -> R) (e : D -> R) : (forall x, e x = 0) -> (Σ x, c x * e x) <= 0.
Proof.
  intros z. right. transitivity (Σ x : D, 0); [|apply sum_0].
  apply sum_ext; intros. rewrite z. ring.
Qed.

Lemma same_harm G F (c : D -> R) :
  (forall zs ws, (Σ x, c x * (geometrics G x zs * released F x ws)) <= 0) <->
  harmless (scaled (as_reals G ++ F)) c.
Proof.
  revert c. induction G as [|[f b] G IH]; intros c.
  - cbn [as_reals map app]. split.
    + intros low ws. specialize (low [] ws). cbn [geometrics] in low.
      apply Rle_trans with (2 := low). right. apply sum_ext; intros. unfold released. ring.
    + intros low [|z zs] ws; [|apply no_output; intros; cbn [geometrics]; ring].
      apply Rle_trans with (2 := low ws). right. apply sum_ext; intros. unfold released.
      cbn [geometrics]. ring.
  - pose proof (cond_pos b) as b0. pose proof (geometric_constant b b0) as k0.
    change (scaled (as_reals ((f, b) :: G) ++ F))
      with (((fun x => IZR (f x)), pos b) :: scaled (as_reals G ++ F)).
    assert (E : forall z zs ws, (Σ x, c x * (geometrics ((f, b) :: G) x (z :: zs) * released F x
      ws)) <= 0
      <-> (Σ x, c x * decay (/ b) (IZR (f x)) (IZR z) * (geometrics G x zs * released F x ws)) <=
        0).
    { intros z zs ws. rewrite <- (constant_factor ((1 - exp (- / b)) / (1 + exp (- / b)))
        (fun x => c x * decay (/ b) (IZR (f x)) (IZR z))) by easy.
      rewrite (sum_ext all _ (fun x => c x * decay (/ b) (IZR (f x)) (IZR z) *
        ((1 - exp (- / b)) / (1 + exp (- / b)) * (geometrics G x zs * released F x ws)))); [easy|].
      intros x _. cbn [geometrics]. rewrite geometric_decay by easy. ring. }
    rewrite harmless_first by easy. split.
    + intros low ws y. assert (h : harmless (scaled (as_reals G ++ F))
        (fun x => c x * decay (/ b) (IZR (f x)) (IZR (f y)))).
      { apply IH. intros zs us. apply E, low. }
      apply Rle_trans with (2 := h ws). right. apply sum_ext; intros. ring.
    + intros low [|z zs] ws; [apply no_output; intros; cbn [geometrics]; ring|]. apply E.
      apply (IH (fun x => c x * decay (/ b) (IZR (f x)) (IZR z))). intros us.
      rewrite (sum_ext all _ (fun x => c x * noisy (scaled (as_reals G ++ F)) x us *
        exp (- / b * Rabs (IZR z - (0 + 1 * IZR (f x)))))).
      2: { intros x _. unfold decay. rewrite Rplus_0_l, Rmult_1_l. ring. }
      assert (i0 : 0 < / b) by now apply Rinv_0_lt_compat.
      apply (slower_mixture (/ b) i0 (fun u => - / b * Rabs (IZR z - (0 + 1 * u)))).
      * apply concave_distance. lra.
      * apply (steep_more (/ b * Rabs 1)); [rewrite Rabs_R1; lra|]. apply steep_distance. lra.
      * intros y _. apply low.
Qed.

(** Geometric noise, on some queries of integers, beside Laplace noise on other queries keeps
    exactly
    what Laplace noise of the same scales on all of them keeps (noise.discrete).
    Differs: databases are finite; density form. *)
Theorem geometric_as_laplace ratio G F pairs priors :
  pufferfish ratio (both_noises G F) pairs priors <->
  pufferfish ratio (released (as_reals G ++ F)) pairs priors.
Proof.
  split; intros promise p s t w Hp Hst Ps Pt; apply promise_mixture.
  - revert w. apply same_harm. intros zs ws.
    apply (promise_mixture ratio (both_noises G F) p s t (zs, ws)). now apply promise.
  - destruct w as [zs ws]. revert zs ws. unfold both_noises; cbn [fst snd]. apply same_harm.
    intros ws. apply (promise_mixture ratio (released (as_reals G ++ F))). now apply promise.
Qed.
End Geometric.
