(** Bounds of the worst pair of columns by linear programs, and which columns keep a promise. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Spectrum.
Open Scope R_scope.

(** Weighted mediants (lemma.mediant): a bound of all terms bounds the sums.
    Differs: the index set is finite. *)
Theorem mediant {I} `{Finite I} (w a b : I -> R) c :
  (forall i, 0 <= w i) -> (forall i, a i <= c * b i) ->
  (Σ i, w i * a i) <= c * Σ i, w i * b i.
Proof.
  intros w0 le. rewrite <- sum_scale. apply sum_le. intros i _.
  pose proof (Rmult_le_compat_l (w i) _ _ (w0 i) (le i)). lra.
Qed.

(** The same from below (lemma.mediant).
    Differs: the index set is finite. *)
Theorem mediant_below {I} `{Finite I} (w a b : I -> R) c :
  (forall i, 0 <= w i) -> (forall i, c * b i <= a i) ->
  c * (Σ i, w i * b i) <= Σ i, w i * a i.
Proof.
  intros w0 le. rewrite <- sum_scale. apply sum_le. intros i _.
  pose proof (Rmult_le_compat_l (w i) _ _ (w0 i) (le i)). lra.
Qed.

Section Cones.
Context {D : Type} `{Finite D}.
Implicit Types (mu nu u : D -> R) (T : (D -> R) -> (D -> R) -> Prop).

(** The law of the database given a secret. *)
Definition conditional (p : D -> R) (s : @secret D) x := inside p s x / P p s.
(** The pairs of laws given s and given t, for a prior that allows both. *)
Definition laws_of (pairs : @secret D -> @secret D -> Prop) (priors : (D -> R) -> Prop) mu nu :=
  exists p s t, priors p /\ pairs s t /\ 0 < P p s /\ 0 < P p t /\
    mu = conditional p s /\ nu = conditional p t.
(** The cone of columns. *)
Definition in_cone ratio T u :=
  (forall x, 0 <= u x) /\ forall mu nu, T mu nu -> (Σ x, mu x * u x) <= ratio * Σ x, nu x * u x.

Lemma mean_given {W} p (M : D -> W -> R) s w : 0 < P p s ->
  (Σ x, conditional p s x * M x w) = Pw p M s w / P p s.
Proof.
  intros Ps. unfold conditional, Pw, Rdiv. rewrite Rmult_comm, <- sum_scale.
  apply sum_ext. intros x _. ring.
Qed.

Lemma promise_in_cone {W} ratio p (M : D -> W -> R) s t w : 0 < P p s -> 0 < P p t ->
  (Σ x, conditional p s x * M x w) <= ratio * (Σ x, conditional p t x * M x w) <->
  Pw p M s w * P p t <= ratio * P p s * Pw p M t w.
Proof.
  intros Ps Pt. rewrite !mean_given by easy.
  set (a := Pw p M s w). set (b := Pw p M t w). pose proof (Rmult_lt_0_compat _ _ Ps Pt) as pos.
  assert (left_ : a / P p s * (P p s * P p t) = a * P p t) by (field; lra).
  assert (right_ : ratio * (b / P p t) * (P p s * P p t) = ratio * P p s * b) by (field; lra).
  rewrite <- left_, <- right_. split; intros le.
  - apply Rmult_le_compat_r; lra.
  - now apply (Rmult_le_reg_r (P p s * P p t)).
Qed.

(** The promise speaks of one output at a time, and linearly (worst.columns): a mechanism keeps it
    if and only if each of its columns lies in the cone.
    Differs: databases are finite; any pairs and priors. *)
Theorem columns_in_cone {W} ratio (M : D -> W -> R) pairs priors : likelihood M ->
  pufferfish ratio M pairs priors <->
  forall w, in_cone ratio (laws_of pairs priors) (fun x => M x w).
Proof.
  intros M0. split.
  - intros promise w. split; [auto|]. intros mu nu [p [s [t [Hp [st [Ps [Pt [-> ->]]]]]]]].
    apply promise_in_cone; auto.
  - intros cone p s t w Hp st Ps Pt. apply promise_in_cone; auto.
    apply cone. exists p, s, t. auto 7.
Qed.
End Cones.

(** Columns of joint releases are products (worst.columns): the coins of a release are independent
    of those before, whatever chose the mechanism.
    Differs: the coins are finite; f and g may be any numbers, not only 0 and 1. *)
Theorem joint_columns {C E D} `{Finite C} `{Finite E} (p : C -> R) (q : E -> R) (f : C -> D -> R)
  (g : E -> D -> R) x :
  (Σ c, Σ e, p c * q e * (f c x * g e x)) = (Σ c, p c * f c x) * Σ e, q e * g e x.
Proof.
  rewrite sum_product. apply sum_ext; intros c _. apply sum_ext; intros e _. ring.
Qed.

Section Programs.
Context {D : Type} `{Finite D}.
Implicit Types (mu nu u v r : D -> R).

(** The linear-fractional program of one ray (worst.linear-fractional): a column that is scaled so
    that the denominator is 1 lies in the cone, and its numerator is the ratio.
    Differs: the cone is any finite system of inequalities, and mu, nu and r are any numbers. *)
Theorem scaled_column {I} (A : I -> D -> R) u r mu nu t :
  (forall x, 0 <= u x) -> (forall i, (Σ x, A i x * u x) <= 0) ->
  0 < (Σ x, nu x * (r x * u x)) -> t * (Σ x, nu x * (r x * u x)) = 1 ->
  (forall x, 0 <= t * u x) /\ (forall i, (Σ x, A i x * (t * u x)) <= 0) /\
  (Σ x, nu x * (r x * (t * u x))) = 1 /\
  (Σ x, mu x * (r x * (t * u x))) * (Σ x, nu x * (r x * u x)) = Σ x, mu x * (r x * u x).
Proof.
  intros u0 in_ pos one. set (N := Σ x, nu x * (r x * u x)) in *.
  assert (t0 : 0 < t).
  { apply (Rmult_lt_reg_r N); lra. }
  assert (scaled : forall m : D -> R, (Σ x, m x * (r x * (t * u x))) = t * Σ x, m x * (r x * u x)).
  { intros m. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  split; [intros; apply Rmult_le_pos; [lra|auto]|]. split; [|split].
  - intros i. rewrite (sum_ext all _ (fun x => t * (A i x * u x))) by (intros; ring).
    rewrite sum_scale. specialize (in_ i). apply (Rmult_le_compat_l t) in in_; lra.
  - rewrite scaled. fold N. exact one.
  - rewrite scaled. set (m := Σ x, mu x * (r x * u x)).
    replace (t * m * N) with (t * N * m) by ring.
    rewrite one. ring.
Qed.

Lemma sum_diagonal (f : D -> D -> R) : (Σ x, Σ y, point x y * f x y) = Σ x, f x x.
Proof.
  apply sum_ext; intros x _.
  rewrite (sum_ext all _ (fun y => f x y * point x y)) by (intros; ring).
  apply sum_point; [apply all_once|apply all_here].
Qed.

Lemma bilinear {I} `{Finite I} (S : I -> R) (B C : I -> D -> R) u v :
  (Σ x, Σ y, (Σ k, S k * (B k x * C k y)) * (u x * v y)) =
  Σ k, S k * ((Σ x, B k x * u x) * Σ y, C k y * v y).
Proof.
  rewrite (sum_ext all _ (fun x => Σ k, Σ y, S k * (B k x * C k y) * (u x * v y))).
  - rewrite sum_swap. apply sum_ext; intros k _. rewrite sum_product, <- sum_scale.
    apply sum_ext; intros x _. rewrite <- sum_scale. apply sum_ext; intros y _. ring.
  - intros x _. rewrite sum_swap. apply sum_ext; intros y _.
    rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros k _. ring.
Qed.

(** Identities that bound a pair of columns (worst.identities): where products of inequalities, with
    weights that are not negative, are at most L diag(nu) - diag(mu), the ratio is at most L.
    Differs: mu, nu and L are any numbers; each pair of inequalities has its own index. *)
Theorem identities {I} `{Finite I} L mu nu (S : I -> R) (B C : I -> D -> R) u v :
  (forall x, 0 <= u x) -> (forall x, 0 <= v x) -> (forall k, 0 <= S k) ->
  (forall k, 0 <= Σ x, B k x * u x) -> (forall k, 0 <= Σ x, C k x * v x) ->
  (forall x y, (Σ k, S k * (B k x * C k y)) + point x y * mu x <= point x y * (L * nu x)) ->
  (Σ x, mu x * (u x * v x)) <= L * Σ x, nu x * (u x * v x).
Proof.
  intros u0 v0 S0 Bu Cv le.
  assert (diag : forall m : D -> R,
    (Σ x, m x * (u x * v x)) = Σ x, Σ y, point x y * (m x * (u x * v y))).
  { intros m. symmetry. exact (sum_diagonal (fun x y => m x * (u x * v y))). }
  assert (0 <= Σ k, S k * ((Σ x, B k x * u x) * Σ y, C k y * v y)) as pos.
  { apply sum_nonneg; intros k _. apply Rmult_le_pos; [auto|]. now apply Rmult_le_pos. }
  rewrite <- bilinear in pos. rewrite !diag, <- sum_scale.
  apply Rle_trans with ((Σ x, Σ y, (Σ k, S k * (B k x * C k y)) * (u x * v y)) +
    Σ x, Σ y, point x y * (mu x * (u x * v y))); [lra|].
  rewrite <- sum_plus. apply sum_le; intros x _.
  rewrite <- sum_plus, <- sum_scale. apply sum_le; intros y _.
  pose proof (Rmult_le_compat_r (u x * v y) _ _ (Rmult_le_pos _ _ (u0 x) (v0 y)) (le x y)). lra.
Qed.

(** The relaxation is sound (worst.relaxation): the matrix u v' of two columns is feasible, and its
    diagonal has the ratio of their product.
    Differs: mu and nu are any numbers. *)
Theorem relaxation {I J} (A : I -> D -> R) (B : J -> D -> R) mu nu u v (W : D -> D -> R) :
  (forall x, 0 <= u x) -> (forall x, 0 <= v x) ->
  (forall i, (Σ x, A i x * u x) <= 0) -> (forall j, (Σ y, B j y * v y) <= 0) ->
  (forall x y, W x y = u x * v y) ->
  (forall x y, 0 <= W x y) /\ (forall i y, (Σ x, A i x * W x y) <= 0) /\
  (forall j x, (Σ y, B j y * W x y) <= 0) /\
  (forall i j, 0 <= Σ x, A i x * Σ y, B j y * W x y) /\
  (Σ x, mu x * W x x) = (Σ x, mu x * (u x * v x)) /\
  (Σ x, nu x * W x x) = Σ x, nu x * (u x * v x).
Proof.
  intros u0 v0 Au Bv E.
  assert (rows : forall j x, (Σ y, B j y * W x y) = u x * Σ y, B j y * v y).
  { intros j x. rewrite <- sum_scale. apply sum_ext; intros y _. rewrite E. ring. }
  split; [intros x y; rewrite E; now apply Rmult_le_pos|]. split; [|split; [|split]].
  - intros i y. rewrite (sum_ext all _ (fun x => v y * (A i x * u x))), sum_scale.
    + specialize (Au i). apply (Rmult_le_compat_l (v y)) in Au; [lra|auto].
    + intros x _. rewrite E. ring.
  - intros j x. rewrite rows. specialize (Bv j). apply (Rmult_le_compat_l (u x)) in Bv; [lra|auto].
  - intros i j. set (b := Σ y, B j y * v y).
    rewrite (sum_ext all _ (fun x => b * (A i x * u x))), sum_scale.
    + specialize (Au i). specialize (Bv j). fold b in Bv.
      replace (b * Σ x, A i x * u x) with (- b * - (Σ x, A i x * u x)) by ring.
      apply Rmult_le_pos; lra.
    + intros x _. rewrite rows. fold b. ring.
  - split; apply sum_ext; intros x _; now rewrite E.
Qed.

(** Weights that move a law below another one move it to that one (worst.coupling).
    Differs: mu and nu are any numbers, and so are the weights. *)
Theorem only_couplings {E} `{Finite E} mu (nu : E -> R) (beta : D -> E -> R) :
  (forall x, (Σ y, beta x y) = 1) -> (forall y, (Σ x, mu x * beta x y) <= nu y) ->
  (Σ y, nu y) <= (Σ x, mu x) -> forall y, (Σ x, mu x * beta x y) = nu y.
Proof.
  intros one below whole y.
  assert (moved : (Σ y, Σ x, mu x * beta x y) = Σ x, mu x).
  { rewrite <- sum_swap. apply sum_ext; intros x _. rewrite sum_scale, one. ring. }
  pose proof (sum_member all (fun y => nu y + -1 * Σ x, mu x * beta x y) y) as rest.
  rewrite sum_plus, sum_scale, moved in rest. cbv beta in rest. specialize (below y) as le.
  assert (nu y + -1 * (Σ x, mu x * beta x y) <= (Σ y, nu y) + -1 * Σ x, mu x).
  { apply rest; [|apply all_here]. intros z _. specialize (below z). lra. }
  lra.
Qed.
End Programs.
