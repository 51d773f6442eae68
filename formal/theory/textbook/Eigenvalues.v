(** What the spectral theorem says of symmetric matrices and of Markov chains: powers of reversible
    chains, and how fast a chain forgets. *)
From Coq Require Import Reals Lra Lia List Classical.
From Pufferproof Require Import Sums Compactness Spectrum.
Import ListNotations.
Open Scope R_scope.

Section Eigenvalues.
Context {A : Type} `{Finite A}.

(** A real symmetric matrix is V Lam V^T: there is an orthonormal basis of eigenvectors, as many as
    there are rows, with real eigenvalues, and entries are sums over it.
    Differs: textbook. *)
Theorem symmetric_matrix (K : A -> A -> R) : (forall x y, K x y = K y x) ->
  exists basis, orthonormal (fun _ => 1) (map snd basis) /\ eigenpairs K basis /\
    length basis = length (@all A _) /\
    forall x y, K x y = sum basis (fun e => fst e * snd e x * snd e y).
Proof.
  intros symmetric.
  destruct (spectral_theorem (fun _ => 1) ltac:(intros; lra) K []) as [basis h].
  - intros x y. now rewrite symmetric.
  - intros lam u [].
  - easy.
  - simpl. lia.
  - rewrite app_nil_r in h. destruct h as [eig [on [len total]]].
    exists basis. repeat split; auto. intros x y. rewrite (total (K x) y).
    apply sum_ext. intros [lam u] here. simpl. rewrite <- (eig lam u here x).
    f_equal. apply sum_ext. intros; ring.
Qed.

(** Probabilities after a number of steps. *)
Fixpoint steps (P : A -> A -> R) (t : nat) (x y : A) : R :=
  match t with O => point x y | S t => Σ z, P x z * steps P t z y end.
(** Every value leads to every other one; nothing but 1 divides all times of return. *)
Definition irreducible (P : A -> A -> R) := forall x y, exists t, 0 < steps P t x y.
Definition aperiodic (P : A -> A -> R) :=
  forall x d, (forall t, 0 < steps P t x x -> Nat.divide d t) -> d = 1%nat.

Context (pi : A -> R) (P : A -> A -> R).
Hypotheses (pi0 : forall x, 0 < pi x) (pi1 : (Σ x, pi x) = 1).
Hypotheses (P0 : forall x y, 0 <= P x y) (P1 : forall x, (Σ y, P x y) = 1).

Lemma sum_point_left x (f : A -> R) : (Σ y, point x y * f y) = f x.
Proof.
  rewrite <- (sum_point all x f (all_once) (all_here x)). apply sum_ext. intros; ring.
Qed.

Lemma sum_point_right (f : A -> R) y : (Σ z, f z * point z y) = f y.
Proof.
  rewrite <- (sum_point all y f (all_once) (all_here y)). apply sum_ext. intros z _.
  unfold point. destruct (decision (y = z)), (decision (z = y)); congruence || ring.
Qed.

Lemma steps_right t x y : steps P (S t) x y = Σ z, steps P t x z * P z y.
Proof.
  revert x. induction t as [|t IH]; intros x.
  - simpl. now rewrite sum_point_right, sum_point_left.
  - transitivity (Σ z, P x z * Σ v, steps P t z v * P v y).
    { apply sum_ext. intros z _. now rewrite <- IH. }
    transitivity (Σ z, Σ v, P x z * (steps P t z v * P v y)).
    { apply sum_ext. intros z _. now rewrite sum_scale. }
    rewrite sum_swap. apply sum_ext. intros v _. simpl.
    rewrite (Rmult_comm (sum _ _)), <- sum_scale. apply sum_ext. intros; ring.
Qed.

Lemma steps_nonneg t x y : 0 <= steps P t x y.
Proof.
  revert x. induction t as [|t IH]; intros x; simpl.
  - unfold point. destruct (decision _); lra.
  - apply sum_nonneg. intros z _. now apply Rmult_le_pos.
Qed.

Lemma steps_sum t x : (Σ y, steps P t x y) = 1.
Proof.
  revert x. induction t as [|t IH]; intros x.
  - transitivity (Σ y, point x y * 1); [apply sum_ext; intros; simpl; ring|].
    apply (sum_point_left x (fun _ => 1)).
  - simpl. rewrite sum_swap. rewrite <- (P1 x). apply sum_ext. intros z _.
    rewrite sum_scale, IH. ring.
Qed.

Lemma steps_eigen lam u : (forall x, image P u x = lam * u x) ->
  forall t x, image (steps P t) u x = lam ^ t * u x.
Proof.
  intros eig t. induction t as [|t IH]; intros x.
  - simpl. unfold image. rewrite sum_point_left. ring.
  - transitivity (image P (image (steps P t) u) x).
    + unfold image. simpl.
      transitivity (Σ y, Σ z, P x z * (steps P t z y * u y)).
      { apply sum_ext. intros y _. rewrite (Rmult_comm (sum _ _)), <- sum_scale.
        apply sum_ext. intros; ring. }
      rewrite sum_swap. apply sum_ext. intros z _. now rewrite sum_scale.
    + transitivity (lam ^ t * image P u x); [|rewrite eig; simpl; ring].
      unfold image at 1 3. rewrite <- sum_scale. apply sum_ext. intros z _. rewrite IH. ring.
Qed.

Lemma largest_entry (u : A -> R) : inner pi u u = 1 -> exists x, 0 < u x * u x /\
  forall y, u y * u y <= u x * u x.
Proof.
  intros one.
  destruct (sum_pos_exists all (fun x => pi x * (u x * u x))) as [x [here _]].
  { fold (inner pi u u). lra. }
  destruct (minimum all (fun _ => true) (fun x => - (u x * u x)) x here eq_refl)
    as [m [_ [_ most]]].
  assert (top : forall y, u y * u y <= u m * u m).
  { intros y. specialize (most y (all_here y) eq_refl). lra. }
  exists m. split; [|easy]. apply Rnot_le_lt. intros small.
  assert (inner pi u u <= 0); [|lra].
  rewrite <- (sum_0 all). apply sum_le. intros y _. specialize (top y). specialize (pi0 y).
  pose proof (Rmult_le_compat_l (pi y) (u y * u y) 0). lra.
Qed.

(** Where the square is largest, an eigenvalue of absolute value 1 says what a value is that can
    be reached. *)
Lemma reached lam u x : (forall x, image P u x = lam * u x) ->
  (forall y, u y * u y <= u x * u x) -> lam * lam = 1 ->
  forall t y, 0 < steps P t x y -> lam ^ t * u x * u y = u x * u x.
Proof.
  intros eig top unit t y pos. set (c := lam ^ t * u x).
  assert (c2 : c * c = u x * u x).
  { unfold c. replace (lam ^ t * u x * (lam ^ t * u x)) with (lam ^ t * lam ^ t * (u x * u x))
      by ring. rewrite <- Rpow_mult_distr, unit, pow1. ring. }
  assert (below : forall z, 0 <= u x * u x - c * u z).
  { intros z. specialize (top z). pose proof (Rle_0_sqr (c - u z)). unfold Rsqr in *. lra. }
  assert (none : (Σ z, steps P t x z * (u x * u x - c * u z)) = 0).
  { transitivity (Σ z, u x * u x * steps P t x z + - c * (steps P t x z * u z)).
    { apply sum_ext. intros; ring. }
    rewrite sum_plus, !sum_scale, steps_sum. fold (image (steps P t) u x).
    rewrite (steps_eigen lam u eig). fold c. lra. }
  pose proof (sum_member all (fun z => steps P t x z * (u x * u x - c * u z)) y) as le.
  simpl in le. rewrite none in le.
  specialize (le ltac:(intros; apply Rmult_le_pos; [apply steps_nonneg|apply below]) (all_here y)).
  specialize (below y). apply Rle_antisym; [lra|].
  apply Rnot_lt_le. intros more. assert (diff : 0 < u x * u x - c * u y) by lra.
  pose proof (Rmult_lt_0_compat _ _ pos diff). lra.
Qed.

Lemma eigenvalue_at_most_1 lam u : (forall x, image P u x = lam * u x) -> inner pi u u = 1 ->
  lam * lam <= 1.
Proof.
  intros eig one. destruct (largest_entry u one) as [x [pos top]].
  assert (le : lam * u x * (lam * u x) <= (lam * u x * (lam * u x) + u x * u x) / 2).
  { set (b := (lam * u x * (lam * u x) + u x * u x) / 2).
    apply Rle_trans with (lam * u x * image P u x); [rewrite eig; lra|]. unfold image.
    apply Rle_trans with (b * Σ y, P x y); [|rewrite P1; lra].
    rewrite <- !sum_scale. apply sum_le. intros y _. unfold b.
    specialize (top y). specialize (P0 x y).
    replace (lam * u x * (P x y * u y)) with (lam * u x * u y * P x y) by ring.
    apply Rmult_le_compat_r; [easy|]. pose proof (Rle_0_sqr (lam * u x - u y)).
    unfold Rsqr in *. lra. }
  apply (Rmult_le_reg_r (u x * u x)); [easy|]. lra.
Qed.

Lemma constant_pair : inner pi (fun _ => 1) (fun _ => 1) = 1 /\
  eigenpairs P [(1, fun _ => 1)].
Proof.
  split.
  - transitivity (Σ x, pi x); [apply sum_ext; intros; ring|easy].
  - intros lam u [E|[]] x. injection E as <- <-. unfold image.
    transitivity (Σ y, P x y); [apply sum_ext; intros; cbv beta; ring|rewrite P1; ring].
Qed.

Lemma before_constant more lam u : orthonormal pi (map snd (more ++ [(1, fun _ => 1)])) ->
  In (lam, u) more -> inner pi u u = 1 /\ inner pi u (fun _ => 1) = 0.
Proof.
  induction more as [|[lam' v] more IH]; simpl; [easy|]. intros [one [apart on]] [E|here]; auto.
  injection E as -> ->. split; [easy|]. apply apart. apply in_map_iff.
  exists (1, fun _ => 1). split; [easy|]. apply in_app_iff. right. now left.
Qed.

Lemma not_constant (u : A -> R) c : inner pi u u = 1 -> inner pi u (fun _ => 1) = 0 ->
  (forall x, u x = c) -> False.
Proof.
  intros one apart same.
  assert (c0 : c = 0).
  { transitivity (c * Σ x, pi x); [rewrite pi1; ring|]. rewrite <- apart, <- sum_scale.
    apply sum_ext. intros x _. rewrite same. ring. }
  assert (inner pi u u = 0); [|lra].
  rewrite <- (sum_0 all). apply sum_ext. intros x _. rewrite same, c0. ring.
Qed.

(** Powers of a reversible, irreducible and aperiodic chain (Appendix A.5 of wang2016, repaired):
    P^t(x, y) = pi(y) (1 + the sum of lam^t u(x) u(y) over the other eigenvectors), which are
    orthonormal with the constant 1 and have eigenvalues smaller than 1 in absolute value.
    Differs: nothing. *)
Theorem reversible_powers : balanced pi P -> irreducible P -> aperiodic P ->
  exists others, orthonormal pi (map snd (others ++ [(1, fun _ => 1)])) /\
    eigenpairs P others /\ S (length others) = length (@all A _) /\
    (forall lam u, In (lam, u) others -> Rabs lam < 1) /\
    forall t x y, steps P t x y =
      pi y * (1 + sum others (fun e => fst e ^ t * snd e x * snd e y)).
Proof.
  intros bal irr aper. destruct constant_pair as [one1 eig1].
  assert (some : (1 <= length (@all A _))%nat).
  { destruct (@all A _) eqn:E; [|simpl; lia]. simpl in pi1. lra. }
  destruct (spectral_theorem pi pi0 P [(1, fun _ => 1)] bal eig1) as [more h].
  { simpl. repeat split; [easy|intros v []]. }
  { easy. }
  destruct h as [eig [on [len total]]]. exists more.
  split; [easy|]. split; [intros lam u here; apply eig, in_app_iff; now left|].
  split; [rewrite app_length in len; simpl in len; lia|]. split.
  - intros lam u here. destruct (before_constant more lam u on here) as [one apart].
    assert (Eu : forall x, image P u x = lam * u x) by (apply eig, in_app_iff; now left).
    pose proof (eigenvalue_at_most_1 lam u Eu one) as small.
    destruct (Rle_lt_or_eq_dec _ _ small) as [lt|unit].
    { rewrite <- (Rabs_right 1) by lra. apply Rsqr_lt_abs_0. unfold Rsqr. lra. }
    exfalso. destruct (largest_entry u one) as [x [pos top]].
    pose proof (reached lam u x Eu top unit) as at_.
    assert (sign : lam = 1 \/ lam = -1).
    { assert (Z : (lam - 1) * (lam + 1) = 0) by lra. apply Rmult_integral in Z. lra. }
    destruct sign as [->| ->].
    + apply (not_constant u (u x) one apart). intros y. destruct (irr x y) as [t ty].
      specialize (at_ t y ty). rewrite pow1 in at_.
      apply (Rmult_eq_reg_l (u x)); [lra|]. intros Z. rewrite Z in pos. lra.
    + specialize (aper x 2%nat). assert (2 = 1)%nat; [|easy]. apply aper. intros t back.
      specialize (at_ t x back). destruct (Nat.Even_or_Odd t) as [[k ->]|[k ->]].
      { now exists k; rewrite Nat.mul_comm. }
      rewrite Nat.add_1_r in at_. rewrite pow_1_odd in at_. lra.
  - assert (bal_t : forall t x y, pi x * steps P t x y = pi y * steps P t y x).
    { intros t. induction t as [|t IH]; intros x y.
      - simpl. unfold point.
        destruct (decision (y = x)), (decision (x = y)); subst; congruence || ring.
      - rewrite steps_right. simpl. rewrite <- !sum_scale. apply sum_ext. intros z _.
        replace (pi x * (steps P t x z * P z y)) with (pi x * steps P t x z * P z y) by ring.
        rewrite IH. replace (pi z * steps P t z x * P z y) with (pi z * P z y * steps P t z x)
          by ring. rewrite bal. ring. }
    intros t x y. rewrite (total (fun z => steps P t z y) x).
    assert (E : forall lam u, In (lam, u) (more ++ [(1, fun _ => 1)]) ->
      inner pi (fun z => steps P t z y) u = pi y * (lam ^ t * u y)).
    { intros lam u here. rewrite <- (steps_eigen lam u (eig lam u here) t y).
      unfold inner, image. rewrite <- sum_scale. apply sum_ext. intros z _.
      rewrite <- Rmult_assoc, bal_t. ring. }
    rewrite (sum_ext _ _ (fun e => pi y * (fst e ^ t * snd e x * snd e y))).
    2: { intros [lam u] here. simpl. rewrite (E lam u here). ring. }
    rewrite sum_scale, sum_app. simpl. rewrite pow1. f_equal. ring.
Qed.

(** The chain backwards, and a step forwards after one backwards. *)
Definition backwards (x y : A) := pi y * P y x / pi x.
Definition both_ways (x y : A) := Σ z, P x z * backwards z y.

Fixpoint iterated (K : A -> A -> R) t (f : A -> R) : A -> R :=
  match t with O => f | S t => image K (iterated K t f) end.

Lemma backwards_adjoint f h : inner pi (image backwards f) h = inner pi f (image P h).
Proof.
  unfold inner, image, backwards.
  transitivity (Σ x, Σ y, pi y * P y x * (f y * h x)).
  { apply sum_ext. intros x _. rewrite (Rmult_comm (sum _ _)), <- !sum_scale.
    apply sum_ext. intros y _. specialize (pi0 x). field. lra. }
  rewrite sum_swap. apply sum_ext. intros y _. rewrite <- !sum_scale.
  apply sum_ext. intros; ring.
Qed.

Lemma both_ways_image f x : image both_ways f x = image P (image backwards f) x.
Proof.
  unfold image, both_ways.
  transitivity (Σ y, Σ z, P x z * (backwards z y * f y)).
  { apply sum_ext. intros y _. rewrite (Rmult_comm (sum _ _)), <- sum_scale.
    apply sum_ext. intros; ring. }
  rewrite sum_swap. apply sum_ext. intros z _. now rewrite sum_scale.
Qed.

(** A chain forgets at the rate of its gap (the estimate behind Lemma II.3 of song2017, repaired):
    if 1 is a simple eigenvalue of P P*, and the others are at most s, then t steps of P* shrink
    the squared norm of what has the mean 0 to at most s^t of it.
    Differs: nothing. *)
Theorem contraction s : (forall x, (Σ y, pi y * P y x) = pi x) -> 0 <= s ->
  (forall f, (forall x, image both_ways f x = f x) -> forall x y, f x = f y) ->
  (forall lam f, lam <> 1 -> (exists x, f x <> 0) ->
    (forall x, image both_ways f x = lam * f x) -> lam <= s) ->
  forall f, inner pi f (fun _ => 1) = 0 -> forall t, let after := iterated backwards t f in
    inner pi after (fun _ => 1) = 0 /\ inner pi after after <= s ^ t * inner pi f f.
Proof.
  intros stationary s0 simple gap.
  assert (bal : balanced pi both_ways).
  { intros x y. unfold both_ways, backwards. rewrite <- !sum_scale. apply sum_ext. intros z _.
    pose proof (pi0 z). field. lra. }
  assert (back1 : forall x, image backwards (fun _ => 1) x = 1).
  { intros x. unfold image, backwards. transitivity (Σ y, / pi x * (pi y * P y x)).
    - apply sum_ext. intros y _. pose proof (pi0 x). field. lra.
    - rewrite sum_scale, stationary. pose proof (pi0 x). field. lra. }
  destruct constant_pair as [one1 eigP].
  assert (eig1 : eigenpairs both_ways [(1, fun _ => 1)]).
  { intros lam u [E|[]] x. injection E as <- <-. rewrite both_ways_image. unfold image at 1.
    transitivity (Σ y, P x y); [|rewrite P1; ring].
    apply sum_ext. intros z _. rewrite back1. ring. }
  assert (some : (1 <= length (@all A _))%nat).
  { destruct (@all A _) eqn:E; [|simpl; lia]. simpl in pi1. lra. }
  destruct (spectral_theorem pi pi0 both_ways [(1, fun _ => 1)] bal eig1) as [more h].
  { simpl. repeat split; [easy|intros v []]. }
  { easy. }
  destruct h as [eig [on [len total]]].
  assert (low : forall lam u, In (lam, u) more -> lam <= s).
  { intros lam u here. destruct (before_constant more lam u on here) as [one apart].
    assert (Eu : forall x, image both_ways u x = lam * u x)
      by (apply eig, in_app_iff; now left).
    destruct (largest_entry u one) as [x [pos _]].
    apply (gap lam u); [|exists x; intros Z; rewrite Z in pos; lra|easy].
    intros ->. apply (not_constant u (u x) one apart). intros y. apply simple.
    intros z. rewrite Eu. ring. }
  assert (step : forall f, inner pi f (fun _ => 1) = 0 ->
    inner pi (image backwards f) (fun _ => 1) = 0 /\
    inner pi (image backwards f) (image backwards f) <= s * inner pi f f).
  { intros f mean. split.
    - rewrite backwards_adjoint, inner_sym, (inner_ext _ _ (fun _ => 1)), inner_sym; [easy|].
      intros x. rewrite (eigP 1 (fun _ => 1) (or_introl eq_refl)). ring.
    - assert (spread : forall h, inner pi f h =
        sum (more ++ [(1, fun _ => 1)]) (fun e => inner pi f (snd e) * inner pi (snd e) h)).
      { intros h. rewrite (inner_ext pi f _ h (total f)).
        exact (inner_sum pi (more ++ [(1, fun _ => 1)]) (fun e : R * (A -> R) => inner pi f (snd e))
          (fun e => snd e) h). }
      rewrite backwards_adjoint, inner_sym.
      rewrite (inner_ext _ _ (image both_ways f)) by (intros; now rewrite both_ways_image).
      rewrite inner_sym, (spread (image both_ways f)), (spread f).
      rewrite !sum_app. simpl. rewrite mean, !Rmult_0_l, !Rplus_0_r, <- sum_scale.
      apply sum_le. intros [lam u] here. simpl.
      rewrite <- (self_adjoint pi both_ways u f bal).
      rewrite (inner_ext pi _ (fun x => 0 + lam * u x) f).
      2: { intros x. rewrite (eig lam u); [ring|]. apply in_app_iff. now left. }
      rewrite inner_scale, (inner_sym pi u f). specialize (low lam u here).
      replace (inner pi f u * (lam * inner pi f u)) with (lam * (inner pi f u * inner pi f u))
        by ring.
      apply Rmult_le_compat_r; [apply Rle_0_sqr|easy]. }
  intros f mean t. induction t as [|t [mean_t le]]; simpl; [split; [easy|lra]|].
  destruct (step _ mean_t) as [mean_s le_s]. split; [easy|].
  apply Rle_trans with (1 := le_s). rewrite Rmult_assoc. now apply Rmult_le_compat_l.
Qed.
End Eigenvalues.
