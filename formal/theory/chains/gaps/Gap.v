(** From the spectrum of a chain to what its records tell: the step from contraction to influence
    (wang2016, lemmas A.1 to A.3 and 4.7; song2017, lemma II.3 as repaired). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains TableQuilts Spectrum Eigenvalues ChainMoments ChainInfluence.
Import ListNotations.
Open Scope R_scope.

Section Gap.
Context {A : Type} `{Finite A}.
Implicit Types (pi : A -> R) (K : A -> A -> R).
Notation steps := Eigenvalues.steps.

(** A law without zeros that the steps keep. *)
Definition stationary pi K := law pi /\ (forall x, 0 < pi x) /\ (forall x, law (K x)) /\
  forall x, (Σ y, pi y * K y x) = pi x.
(** 1 is a simple eigenvalue of P P*, and the others are at most r^2. For r = e^(-g/2) this holds of
    the gap g, as 1 - g <= e^(-g). *)
Definition gap_of_both_ways pi K r := stationary pi K /\ 0 <= r < 1 /\
  (forall f, (forall x, image (both_ways pi K) f x = f x) -> forall x y, f x = f y) /\
  (forall lam f, lam <> 1 -> (exists x, f x <> 0) ->
    (forall x, image (both_ways pi K) f x = lam * f x) -> lam <= r * r).
(** P is reversible, 1 is a simple eigenvalue of it, and the others are at most r in absolute value.
    For r = e^(-g) this holds of the gap g. *)
Definition gap_of_reversible pi K r := stationary pi K /\ balanced pi K /\ 0 <= r < 1 /\
  (forall f, (forall x, image K f x = f x) -> forall x y, f x = f y) /\
  (forall lam f, lam <> 1 -> (exists x, f x <> 0) -> (forall x, image K f x = lam * f x) ->
    Rabs lam <= r).

Lemma image_twice pi K f x : stationary pi K -> balanced pi K ->
  image (both_ways pi K) f x = image K (image K f) x.
Proof.
  intros [_ [pos _]] bal. rewrite both_ways_image. unfold image at 1 3. apply sum_ext; intros y _.
  f_equal. apply sum_ext; intros z _. f_equal. unfold backwards. rewrite <- bal. field.
  specialize (pos y). lra.
Qed.

Lemma image_scaled K f g a b x : image K (fun y => a * f y + b * g y) x =
  a * image K f x + b * image K g x.
Proof. unfold image. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros; ring. Qed.

(** The gap of a reversible chain is one of P P*, which is P^2.
    Differs: a step that wang2016 and song2017 leave out. *)
Theorem gap_squared pi K r : gap_of_reversible pi K r -> gap_of_both_ways pi K r.
Proof.
  intros [st [bal [[r0 r1] [simple others]]]]. split; [easy|]. split; [easy|].
  assert (unless : forall lam f, lam <> 1 -> (forall x, image K f x = lam * f x) ->
    r < Rabs lam -> forall x, f x = 0).
  { intros lam f ne eig large x. destruct (Req_dec (f x) 0) as [|nz]; [easy|].
    specialize (others lam f ne (ex_intro _ x nz) eig). lra. }
  split.
  - intros f fixed. apply simple. intros x.
    (* the part of the eigenvalue -1 is 0 *)
    assert (zero : 1 * image K f x + -1 * f x = 0); [|lra].
    apply (unless (-1) (fun x => 1 * image K f x + -1 * f x)); [lra| |rewrite Rabs_left; lra].
    intros y. rewrite image_scaled. rewrite <- (image_twice pi) by easy. rewrite fixed. ring.
  - intros lam f ne nz eig.
    destruct (Rle_lt_dec lam 0) as [neg|lam0].
    { apply Rle_trans with 0; [lra|]. apply Rmult_le_pos; lra. }
    set (root := sqrt lam). assert (square : root * root = lam) by (apply sqrt_sqrt; lra).
    assert (root0 : 0 < root) by now apply sqrt_lt_R0.
    destruct (Rle_lt_dec root r) as [le|large].
    { rewrite <- square. apply Rmult_le_compat; lra. }
    exfalso. destruct nz as [x nz]. apply nz.
    assert (h0 : forall y, 1 * image K f y + root * f y = 0).
    { apply (unless root (fun y => 1 * image K f y + root * f y)).
      - intros E. rewrite E in square. lra.
      - intros y. rewrite image_scaled, <- (image_twice pi) by easy. rewrite eig, <- square. ring.
      - rewrite Rabs_right; lra. }
    apply (unless (- root) f); [lra| |rewrite Rabs_Ropp, Rabs_right; lra].
    intros y. specialize (h0 y). lra.
Qed.

Context (pi : A -> R) (K : A -> A -> R) (low r : R).
Hypotheses (low0 : 0 < low) (least : forall x, low <= pi x) (gap : gap_of_both_ways pi K r).

Lemma after_steps t x y : iterated (backwards pi K) t (fun z => point x z / pi z + -1) y =
  steps K t x y / pi y + -1.
Proof.
  destruct gap as [[_ [pos [_ st]]] _]. revert y. induction t as [|t IH]; intros y; [easy|].
  simpl iterated. unfold image at 1. rewrite steps_right.
  transitivity (Σ z, (steps K t x z * K z y + -1 * (pi z * K z y)) / pi y).
  - apply sum_ext; intros z _. rewrite IH. unfold backwards. pose proof (pos z). pose proof (pos y).
    field. lra.
  - transitivity (/ pi y * ((Σ z, steps K t x z * K z y) + -1 * Σ z, pi z * K z y)).
    + rewrite <- (sum_scale (-1)), <- sum_plus, <- sum_scale. apply sum_ext; intros z _.
      unfold Rdiv. ring.
    + rewrite st. pose proof (pos y). field. lra.
Qed.

(** Powers of a chain with a gap are close to its stationary law (wang2016, lemma A.1, repaired; the
    estimate behind song2017, lemma II.3).
    Differs: multiplied out, for any r that bounds eigenvalues and any low that bounds pi. *)
Theorem powers_close t x y :
  low * steps K t x y <= (low + r ^ t) * pi y /\ (low - r ^ t) * pi y <= low * steps K t x y.
Proof.
  pose proof gap as [[[_ pi1] [pos [rows st]]] [[r0 r1] [simple others]]].
  assert (K0 : forall x y, 0 <= K x y) by (intros; apply rows).
  assert (K1 : forall x, (Σ y, K x y) = 1) by (intros; apply rows).
  assert (total : (Σ z, pi z) = 1) by exact pi1. set (f z := point x z / pi z + -1).
  assert (mean : inner pi f (fun _ => 1) = 0).
  { unfold inner, f. transitivity ((Σ z, point x z * 1) + -1 * Σ z, pi z).
    - rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros z _. pose proof (pos z). field. lra.
    - rewrite (sum_point_left x (fun _ => 1)), total. ring. }
  assert (size : inner pi f f <= / pi x).
  { assert (E : inner pi f f = / pi x - 1).
    { unfold inner. transitivity ((Σ z, point x z * (point x z / pi z + -2)) + 1 * Σ z, pi z).
      - rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros z _. unfold f. pose proof (pos z).
        field. lra.
      - rewrite (sum_point_left x (fun z => point x z / pi z + -2)), total. unfold point. destruct
        (Compactness.decision (x = x));
          [|congruence]. unfold Rdiv. ring. }
    lra. }
  destruct (contraction pi K pos pi1 K1 (r * r) st ltac:(apply Rmult_le_pos; lra) simple others
    f mean t) as [_ le].
  set (off := steps K t x y / pi y + -1).
  assert (one : pi y * (off * off) <= (r * r) ^ t * / pi x).
  { apply Rle_trans with (inner pi (iterated (backwards pi K) t f) (iterated (backwards pi K) t f)).
    - unfold off. rewrite <- after_steps. apply (weight_le pi pos).
    - apply Rle_trans with (1 := le). apply Rmult_le_compat_l; [|exact size].
      apply pow_le, Rmult_le_pos; lra. }
  pose proof (pos x) as px. pose proof (pos y) as py. pose proof (least x) as lx.
  pose proof (least y) as ly. set (q := r ^ t). assert (q0 : 0 <= q) by (apply pow_le; lra).
  assert (both : low * off * (low * off) <= q * q).
  { replace ((r * r) ^ t) with (q * q) in one by (unfold q; rewrite Rpow_mult_distr; ring).
    assert (cleared : pi x * pi y * (off * off) <= q * q).
    { apply (Rmult_le_compat_l (pi x)) in one; [|lra].
      replace (pi x * (q * q * / pi x)) with (q * q) in one by (field; lra). lra. }
    apply Rle_trans with (2 := cleared).
    replace (low * off * (low * off)) with (low * low * (off * off)) by ring.
    apply Rmult_le_compat_r; [apply Rle_0_sqr|]. apply Rmult_le_compat; lra. }
  assert (bounds : - q <= low * off <= q).
  { assert (abs : Rabs (low * off) <= Rabs q) by (apply Rsqr_le_abs_0; exact both).
    rewrite (Rabs_right q) in abs by lra. unfold Rabs in abs. destruct (Rcase_abs _); lra. }
  assert (E : low * steps K t x y = (low * off + low) * pi y) by (unfold off; field; lra).
  rewrite E. split; [|apply Rmult_le_compat_r; lra]. rewrite Rplus_comm.
  apply Rmult_le_compat_r; lra.
Qed.

(** The larger of two ratios close to 1. *)
Definition over x := if Rlt_dec x low then (low + x) / (low - x) else 0.
Lemma over_is x : x < low -> low + x = over x * (low - x).
Proof. intros less. unfold over. destruct (Rlt_dec x low); [field; lra|easy]. Qed.
Lemma over_1 x : 0 <= x < low -> 1 <= over x.
Proof.
  intros [x0 less]. pose proof (over_is x less). apply (Rmult_le_reg_r (low - x)); [lra|]. lra.
Qed.

(** What a later record tells (wang2016, lemma A.2). *)
Lemma forward t v w y : r ^ t < low -> steps K t v y <= over (r ^ t) * steps K t w y.
Proof.
  intros far. destruct (powers_close t v y) as [up _], (powers_close t w y) as [_ down].
  assert (q0 : 0 <= r ^ t) by (apply pow_le; apply gap).
  apply (Rmult_le_reg_l low); [easy|]. apply Rle_trans with (1 := up). rewrite (over_is _ far).
  pose proof (over_1 _ (conj q0 far)). rewrite Rmult_assoc.
  replace (low * (over (r ^ t) * steps K t w y)) with (over (r ^ t) * (low * steps K t w y)) by
    ring.
  apply Rmult_le_compat_l; lra.
Qed.

Lemma averages m t v : law m -> let at_t := law_at m K t v in
  low * at_t <= (low + r ^ t) * pi v /\ (low - r ^ t) * pi v <= low * at_t.
Proof.
  intros [m0 m1] at_t.
  assert (E : forall c, c = Σ z, m z * c)
    by (intros c; rewrite (sum_ext _ _ (fun z => c * m z)), sum_scale, m1 by (intros; ring); ring).
  assert (F : low * at_t = Σ z, m z * (low * steps K t z v))
    by (unfold at_t, law_at; rewrite <- sum_scale; apply sum_ext; intros; ring).
  rewrite F. split.
  - rewrite (E ((low + r ^ t) * pi v)). apply sum_le; intros z _.
    apply Rmult_le_compat_l; [easy|apply powers_close].
  - rewrite (E ((low - r ^ t) * pi v)). apply sum_le; intros z _.
    apply Rmult_le_compat_l; [easy|apply powers_close].
Qed.

(** What an earlier record tells (wang2016, lemma A.3), by Bayes. *)
Lemma backward m t x v w : law m -> r ^ t < low ->
  steps K t x v * law_at m K t w <= over (r ^ t) * over (r ^ t) * (steps K t x w * law_at m K t v).
Proof.
  intros Lm far. pose proof gap as [[_ [pos _]] [[r0 _] _]].
  destruct (powers_close t x v) as [up _], (powers_close t x w) as [_ down],
    (averages m t w Lm) as [up' _], (averages m t v Lm) as [_ down'].
  set (q := r ^ t) in *. assert (q0 : 0 <= q) by now apply pow_le.
  set (h := over q). assert (h1 : 1 <= h) by now apply over_1.
  pose proof (over_is q far) as E. fold h in E. pose proof (pos v) as pv. pose proof (pos w) as pw.
  assert (below : forall c, 0 < c -> 0 <= (low - q) * c)
    by (intros; apply Rmult_le_pos; lra).
  assert (P0 : 0 <= low * steps K t x v /\ 0 <= low * law_at m K t w).
  { pose proof (below (pi v) pv). pose proof (below (pi w) pw).
    destruct (powers_close t x v) as [_ d1], (averages m t w Lm) as [_ d2]. fold q in d1, d2. lra. }
  destruct P0 as [p0 p1].
  apply (Rmult_le_reg_l (low * low)); [now apply Rmult_lt_0_compat|].
  apply Rle_trans with ((low + q) * pi v * ((low + q) * pi w)).
  { replace (low * low * (steps K t x v * law_at m K t w)) with
      (low * steps K t x v * (low * law_at m K t w)) by ring. now apply Rmult_le_compat. }
  rewrite E. replace (h * (low - q) * pi v * (h * (low - q) * pi w)) with
    (h * h * ((low - q) * pi w * ((low - q) * pi v))) by ring.
  replace (low * low * (h * h * (steps K t x w * law_at m K t v))) with
    (h * h * (low * steps K t x w * (low * law_at m K t v))) by ring.
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
  apply Rmult_le_compat; auto.
Qed.
End Gap.
