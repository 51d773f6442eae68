(** Queries with Laplace noise: where they leak most, two releases of one bit, and less noise. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Attained Slower Geometric.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** The bit as a number, with noise of scale 1. *)
Definition bit (x : bool) : R := if x then 1 else 0.
Definition one : posreal := mkposreal 1 Rlt_0_1.

Lemma bit_density (c : posreal) x y w : released [(bit, c)] x w <= exp (/ c) * released [(bit, c)]
  y w.
Proof.
  pose proof (cond_pos c) as c0. destruct w as [|r [|v l]]; cbn; try lra.
  rewrite !Rmult_1_r. replace (/ c) with (1 / c) by (unfold Rdiv; ring).
  apply laplace_near; [easy|]. unfold bit, Rabs. destruct x, y, Rcase_abs; lra.
Qed.

Lemma bit_keeps (c : posreal) : pufferfish (exp (/ c)) (released [(bit, c)]) bit_pairs (eq fair).
Proof.
  intros p s t w <- st _ _. pose proof (bit_density c true false w). pose proof (bit_density c
    false true w).
  destruct st as [[-> ->]|[-> ->]]; unfold Pw, P, inside, fair, yes, no; simpl; lra.
Qed.

(** The number released twice leaks as once with half the scale: e^2, and not e. *)
Definition again : list ((bool -> R) * posreal) := [(bit, one); (fun x => 0 + 1 * bit x, one)].
Lemma half : / merged one 1 one = 2.
Proof. simpl. rewrite Rabs_R1, Rinv_1, Rinv_involutive; lra. Qed.
Example parallel_releases_used : pufferfish (exp 2) (released again) bit_pairs (eq fair).
Proof. apply parallel_releases. rewrite <- half. apply bit_keeps. Qed.

Lemma half_scale_leaks : ~ pufferfish (exp 1) (released [(bit, merged one 1 one)]) bit_pairs (eq
  fair).
Proof.
  intros promise. specialize (promise fair no yes [0] eq_refl (or_intror (conj eq_refl eq_refl))
    ltac:(by_cases) ltac:(by_cases)).
  revert promise. unfold Pw, P, inside, fair, yes, no, released; cbn. unfold laplace, Rdiv.
  fold (merged one 1 one). change (/ (/ 1 + Rabs 1 * / 1)) with (pos (merged one 1 one)).
  rewrite half. intros promise.
  assert (h : 0 < / (2 * merged one 1 one)).
  { apply Rinv_0_lt_compat. pose proof (cond_pos (merged one 1 one)). lra. }
  assert (E : exp (- Rabs (0 - 0) * 2) = 1).
  { rewrite Rminus_diag_eq, Rabs_R0 by easy. rewrite Ropp_0, Rmult_0_l. apply exp_0. }
  assert (E1 : exp (- Rabs (0 - 1) * 2) * exp 2 = 1).
  { rewrite <- exp_plus, Rabs_left by lra. replace (- - (0 - 1) * 2 + 2) with 0 by ring.
    apply exp_0. }
  assert (E2 : exp 2 = exp 1 * exp 1) by (rewrite <- exp_plus; f_equal; lra).
  rewrite E in promise. pose proof (exp_pos 1).
  pose proof (exp_increasing 0 1 Rlt_0_1) as gt. rewrite exp_0 in gt.
  set (k := / (2 * merged one 1 one)) in *. set (e := exp (- Rabs (0 - 1) * 2)) in *.
  assert (less : exp 1 * e < 1).
  { apply Rnot_le_lt. intros g. assert (exp 1 * 1 <= exp 1 * (exp 1 * e))
      by (apply Rmult_le_compat_l; lra). rewrite E2 in E1. lra. }
  apply (Rmult_lt_compat_l k) in less; [|easy]. lra.
Qed.
Example parallel_releases_add : ~ pufferfish (exp 1) (released again) bit_pairs (eq fair).
Proof. intros promise. apply half_scale_leaks. now apply parallel_releases in promise. Qed.

(** More noise keeps e; less noise does not. *)
Definition more : list ((bool -> R) * (posreal * posreal)) := [(bit, (merged one 1 one, one))].
Example larger_scales_used : pufferfish (exp 2) (released (second_scales more)) bit_pairs (eq fair).
Proof.
  apply larger_scales.
  - intros q [<-|[]]. simpl. rewrite Rabs_R1, Rinv_1.
    replace (/ (1 + 1 * 1)) with (1 / 2) by field. lra.
  - rewrite <- half. apply bit_keeps.
Qed.
Definition less : list ((bool -> R) * (posreal * posreal)) := [(bit, (one, merged one 1 one))].
Example larger_scales_needs_order :
  pufferfish (exp 1) (released (first_scales less)) bit_pairs (eq fair) /\
  ~ pufferfish (exp 1) (released (second_scales less)) bit_pairs (eq fair).
Proof.
  split; [|exact half_scale_leaks]. replace 1 with (/ one) at 1 by (simpl; apply Rinv_1).
  apply bit_keeps.
Qed.

Example largest_at_values_used : attained fair yes no [(bit, one)].
Proof. apply largest_at_values; [intros []; by_cases|by_cases]. Qed.

(** At the value given the second secret alone it is not largest. *)
Example largest_needs_both : ~ exists w, Forall2 (fun fb r => exists y,
  no y = true /\ r = fst fb y) [(bit, one)] w /\ forall v,
  Pw fair (released [(bit, one)]) yes v * Pw fair (released [(bit, one)]) no w <=
  Pw fair (released [(bit, one)]) yes w * Pw fair (released [(bit, one)]) no v.
Proof.
  intros [w [at_no top]]. inversion at_no as [|? r ? l [[] [y e]] rest]; subst; [discriminate y|].
  inversion rest; subst. specialize (top [1]). revert top.
  unfold Pw, inside, fair, yes, no, released; cbn. unfold laplace.
  replace (- Rabs (1 - 1) / 1) with 0 by (rewrite Rminus_diag_eq, Rabs_R0 by easy; field).
  replace (- Rabs (0 - 0) / 1) with 0 by (rewrite Rminus_diag_eq, Rabs_R0 by easy; field).
  replace (- Rabs (0 - 1) / 1) with (- (1)) by (rewrite Rabs_left by lra; field).
  replace (- Rabs (1 - 0) / 1) with (- (1)) by (rewrite Rabs_right by lra; field).
  rewrite exp_0. pose proof (exp_increasing (- (1)) 0 ltac:(lra)) as below. rewrite exp_0 in below.
  pose proof (exp_pos (- (1))). intros top. nra.
Qed.

Example geometric_used :
  pufferfish (exp 1) (both_noises [((fun x : bool => if x then 1 else 0)%Z, one)] []) bit_pairs
    (eq fair).
Proof.
  apply geometric_as_laplace. replace 1 with (/ one) at 1 by (simpl; apply Rinv_1).
  intros p s t w Hp st Ps Pt. apply promise_mixture. pose proof (bit_keeps one p s t) as k.
  assert (E : forall x v, released [(bit, one)] x v = released (as_reals
    [((fun x : bool => if x then 1 else 0)%Z, one)] ++ []) x v).
  { intros x [|u [|u' v]]; destruct x; easy. }
  specialize (k w Hp st Ps Pt). apply promise_mixture in k.
  apply Rle_trans with (2 := k). right. apply sum_ext; intros x _. now rewrite E.
Qed.
