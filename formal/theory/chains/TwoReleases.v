(** Two releases about a Markov chain that tell more than twice what one of them tells. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laplace Chain ChainQuilts RedactionLeakage.
From Pufferproof Require Import Stationary.
From Pufferproof Require TwoStates.
Import ListNotations.
Open Scope R_scope.

(** How many of two bits are 1. *)
Definition ones (x : vec bool 2) : R := (if fst x then 1 else 0) + (if fst (snd x) then 1 else 0).
(** Some chain of two bits at rest has positive steps, and some scale of Laplace noise is such that
    the number of ones with noise keeps e^eps for both values of every record, and two independent
    releases of it do not keep e^(2 eps), not even for the first record. *)
Definition tells_more_than_twice (eps : R) := exists (al be : R) (b : posreal),
  0 < al < 1 /\ 0 < be < 1 /\
  (forall p, pufferfish (exp eps) (fun x => laplace b (ones x)) (either_value p)
    (eq (stationary_chain al be 2))) /\
  ~ pufferfish (exp (2 * eps)) (both (fun x => laplace b (ones x)) (fun x => laplace b (ones x)))
    (either_value 0) (eq (stationary_chain al be 2)).

Section Chain.
Context (al be : R) (a0 : 0 < al < 1) (b0 : 0 < be < 1).

Lemma at_record (f : vec bool 2 -> R) p z : (p < 2)%nat ->
  (forall x y, f (x, (y, tt)) = f (y, (x, tt))) ->
  (al + be) * (Σ x, inside (stationary_chain al be 2) (record_is p z) x * f x) =
  if z then al * ((1 - be) * f (true, (true, tt)) + be * f (true, (false, tt)))
  else be * (al * f (true, (false, tt)) + (1 - al) * f (false, (false, tt))).
Proof.
  intros p2 same. pose proof (same false true) as E.
  destruct p as [|[|p]]; [| |lia]; destruct z; cbn; unfold inside; cbn; rewrite E;
    unfold stationary, TwoStates.constant_steps, TwoStates.flip; field; lra.
Qed.

Lemma weight_at p z : (p < 2)%nat ->
  (al + be) * P (stationary_chain al be 2) (record_is p z) = if z then al else be.
Proof.
  intros p2. transitivity ((al + be) *
    (Σ x, inside (stationary_chain al be 2) (record_is p z) x * 1)).
  - f_equal. apply sum_ext. intros. ring.
  - rewrite at_record by easy. destruct z; ring.
Qed.

(** A promise for either value of a record, with the weights of two bits put in. *)
Lemma promise_at p R0 {W} (M : vec bool 2 -> W -> R) : (p < 2)%nat ->
  (forall x y w, M (x, (y, tt)) w = M (y, (x, tt)) w) ->
  pufferfish R0 M (either_value p) (eq (stationary_chain al be 2)) <-> forall w,
  (1 - be) * M (true, (true, tt)) w + be * M (true, (false, tt)) w <=
    R0 * (al * M (true, (false, tt)) w + (1 - al) * M (false, (false, tt)) w) /\
  al * M (true, (false, tt)) w + (1 - al) * M (false, (false, tt)) w <=
    R0 * ((1 - be) * M (true, (true, tt)) w + be * M (true, (false, tt)) w).
Proof.
  intros p2 same. set (law := stationary_chain al be 2).
  assert (sides : forall z w, (Pw law M (record_is p z) w * P law (record_is p (negb z)) <=
    R0 * P law (record_is p z) * Pw law M (record_is p (negb z)) w) <->
    (al + be) * Pw law M (record_is p z) w * ((al + be) * P law (record_is p (negb z))) <=
    R0 * ((al + be) * P law (record_is p z)) * ((al + be) * Pw law M (record_is p (negb z)) w)).
  { intros z w. split; intros h.
    - apply (Rmult_le_compat_l ((al + be) * (al + be))) in h; nra.
    - apply (Rmult_le_reg_l ((al + be) * (al + be))); nra. }
  assert (possible : forall z, 0 < P law (record_is p z)).
  { intros z. apply (Rmult_lt_reg_l (al + be)); [lra|]. unfold law. rewrite weight_at by easy.
    destruct z; lra. }
  assert (product : forall x y, x * (al * be) <= y * (al * be) <-> x <= y).
  { intros x y. split; [apply Rmult_le_reg_r; nra|apply Rmult_le_compat_r; nra]. }
  unfold pufferfish. split.
  - intros keeps w.
    pose proof (fun z => proj1 (sides z w) (keeps law _ _ w eq_refl
      (ex_intro _ z (conj eq_refl eq_refl)) (possible z) (possible (negb z)))) as h.
    unfold Pw, law in h.
    split; [specialize (h true)|specialize (h false)]; cbn [negb] in h;
      rewrite !weight_at, !at_record in h by easy; apply product; nra.
  - intros h q s t w <- [z [-> ->]] _ _. apply sides. destruct (h w) as [h1 h2].
    apply product in h1, h2. unfold Pw, law. rewrite !weight_at, !at_record by easy.
    destruct z; cbn [negb]; nra.
Qed.
End Chain.

Lemma no_such_record al be p R0 {W} (M : vec bool 2 -> W -> R) : (2 <= p)%nat ->
  pufferfish R0 M (either_value p) (eq (stationary_chain al be 2)).
Proof.
  intros p2 q s t w <- [z [-> _]] pos. exfalso. revert pos. apply Rle_not_lt. right.
  destruct p as [|[|p]]; [lia|lia|]. unfold P. cbn. unfold inside. cbn.
  destruct p; cbn; ring.
Qed.

(** Laplace noise of scale b at the three sums: c = e^(1/b). *)
Section Noise.
Context (b : posreal).

Lemma noise_near u v w : Rabs (u - v) <= 1 -> laplace b u w <= exp (1 / b) * laplace b v w.
Proof. intros near. now apply laplace_near; [apply cond_pos|]. Qed.

Lemma noise_at_two k : 0 <= k <= 2 ->
  laplace b k 2 = exp (- (2 - k) / b) * laplace b 2 2.
Proof.
  intros k2. pose proof (cond_pos b). unfold laplace.
  rewrite !Rabs_right by lra. replace (- (2 - 2) / b) with 0 by (field; lra). rewrite exp_0.
  field. lra.
Qed.
End Noise.

(** The chain that starts with chance q and stops with chance 1/2. *)
Section Levels.
Context (c q E : R) (c1 : 1 < c) (q0 : 0 < q < 1).
Hypothesis level : E * (2 * (1 + (c - 1) * q)) = c * (c + 1).

Lemma level_positive : 0 < E.
Proof. apply (Rmult_lt_reg_r (2 * (1 + (c - 1) * q))); nra. Qed.

Lemma one_release a0 a1 a2 : 0 <= a0 -> 0 <= a1 -> a1 <= c * a0 -> a0 <= c * a1 ->
  a2 <= c * a1 -> a1 <= c * a2 ->
  (1 - 1/2) * a2 + 1/2 * a1 <= E * (q * a1 + (1 - q) * a0) /\
  q * a1 + (1 - q) * a0 <= E * ((1 - 1/2) * a2 + 1/2 * a1).
Proof.
  intros p0 p1 h10 h01 h21 h12. pose proof level_positive as E0.
  assert (K0 : 0 < 1 + (c - 1) * q) by nra. split.
  - assert (low : (1 + (c - 1) * q) * a1 <= c * (q * a1 + (1 - q) * a0)) by nra.
    apply (Rmult_le_reg_l (2 * c)); [lra|].
    apply Rle_trans with (E * (2 * (1 + (c - 1) * q)) * a1); [rewrite level; nra|].
    apply Rle_trans with (E * 2 * (c * (q * a1 + (1 - q) * a0))); [|right; ring].
    rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra|]. nra.
  - assert (high : q * a1 + (1 - q) * a0 <= (q + (1 - q) * c) * a1) by nra.
    assert (means : 4 * ((q + (1 - q) * c) * (1 + (c - 1) * q)) <= (c + 1) * (c + 1)).
    { pose proof (Rle_0_sqr ((q + (1 - q) * c) - (1 + (c - 1) * q))). unfold Rsqr in *. nra. }
    assert (back : (1 + c) * a1 <= c * (a2 + a1)) by nra.
    apply (Rmult_le_reg_l (4 * (1 + (c - 1) * q))); [lra|].
    apply Rle_trans with ((c + 1) * (c + 1) * a1).
    + apply Rle_trans with (4 * ((q + (1 - q) * c) * (1 + (c - 1) * q)) * a1); [|nra].
      apply Rle_trans with (4 * (1 + (c - 1) * q) * ((q + (1 - q) * c) * a1)); [|right; ring].
      apply Rmult_le_compat_l; [|exact high]. lra.
    + apply Rle_trans with (E * (2 * (1 + (c - 1) * q)) * (a2 + a1)); [|right; field].
      rewrite level. nra.
Qed.

Lemma two_releases : q * ((c + 1) * ((c + 1) * (c + 1))) = c - 1 ->
  E * E * (q * (c * c) + (1 - q)) < (c * c) * ((1 - 1/2) * (c * c) + 1/2).
Proof.
  intros Q. assert (K0 : 0 < 1 + (c - 1) * q) by nra.
  apply (Rmult_lt_reg_l ((2 * (1 + (c - 1) * q)) * (2 * (1 + (c - 1) * q)))); [nra|].
  apply Rle_lt_trans with ((c * (c + 1)) * (c * (c + 1)) * (q * (c * c) + (1 - q))).
  { rewrite <- level. right. ring. }
  set (dq := (c - 1) * q) in *.
  assert (gap : 2 * (c * c + 1) * ((1 + dq) * (1 + dq)) - (c + 1) * (c + 1) * (1 + (c + 1) * dq) =
    (c - 1) * (c - 1) - (c - 1) * (q * ((c + 1) * ((c + 1) * (c + 1)))) +
    4 * (c * c + 1) * dq + 2 * (c * c + 1) * (dq * dq)) by (unfold dq; ring).
  rewrite Q in gap. assert (dq0 : 0 < dq) by (unfold dq; nra).
  assert (more : 0 < 2 * (c * c + 1) * ((1 + dq) * (1 + dq)) -
    (c + 1) * (c + 1) * (1 + (c + 1) * dq)).
  { rewrite gap. assert (0 < (c * c + 1) * dq) by nra.
    assert (0 < (c * c + 1) * (dq * dq)) by nra. lra. }
  apply (Rmult_lt_compat_l (c * c)) in more; [|nra].
  replace (q * (c * c) + (1 - q)) with (1 + (c + 1) * dq) by (unfold dq; ring). lra.
Qed.
End Levels.

Lemma some_rise E : 1 < E -> exists c q, 1 < c /\ 0 < q < 1 /\
  E * (2 * (1 + (c - 1) * q)) = c * (c + 1) /\ q * ((c + 1) * ((c + 1) * (c + 1))) = c - 1.
Proof.
  intros E1. set (cube c := (c + 1) * ((c + 1) * (c + 1))).
  set (g c := c * ((c + 1) * cube c) - 2 * E * (cube c + (c - 1) * (c - 1))).
  assert (cont : continuity g) by (unfold g, cube; reg).
  destruct (IVT g 1 (2 * E) cont) as [c [[low high] zero]];
    [lra|unfold g, cube; lra| |].
  { replace (g (2 * E)) with (2 * E * (2 * E * cube (2 * E) - (2 * E - 1) * (2 * E - 1)))
      by (unfold g; ring).
    assert (big : 27 <= cube (2 * E)).
    { unfold cube. assert (9 <= (2 * E + 1) * (2 * E + 1)) by nra. nra. }
    assert ((2 * E - 1) * (2 * E - 1) < 2 * E * cube (2 * E)).
    { unfold cube. assert (1 <= (2 * E + 1) * (2 * E + 1)) by nra.
      assert ((2 * E + 1) * 1 <= (2 * E + 1) * ((2 * E + 1) * (2 * E + 1))) by nra. nra. }
    apply Rmult_lt_0_compat; lra. }
  assert (c1 : 1 < c).
  { destruct low as [l|<-]; [easy|]. exfalso. revert zero. unfold g, cube. lra. }
  assert (cube0 : c - 1 < cube c).
  { unfold cube. assert (1 <= (c + 1) * (c + 1)) by nra. nra. }
  exists c, ((c - 1) / cube c). split; [easy|]. split; [split|split].
  - apply Rdiv_lt_0_compat; lra.
  - apply (Rmult_lt_reg_r (cube c)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply (Rmult_eq_reg_r (cube c)); [|lra].
    transitivity (2 * E * (cube c + (c - 1) * (c - 1))); [field; lra|].
    unfold g in zero. unfold cube in *. nra.
  - unfold Rdiv. fold (cube c). rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** Two releases can tell more than twice (song2017, theorem III.4): exactly for the levels above 0
    there is a chain at rest, of two bits with positive steps, of whose sum a release with Laplace
    noise keeps the level for every record and two independent releases do not keep twice the level,
    not even for the first record.
    Differs: the chain and the noise depend on the level, where the print has one example for the
    scale 1 and leaves the law of the first record open; q = (c-1)/(c+1)^3 and p = 1/2 instead of
    1/100 and 9/10, with c = e^(1/scale); density form. *)
Theorem two_releases_tell_more eps : tells_more_than_twice eps <-> 0 < eps.
Proof.
  split.
  - intros [al [be [b [al01 [be01 [keeps _]]]]]]. apply Rnot_le_lt. intros low.
    specialize (keeps 0%nat). rewrite (promise_at al be al01 be01) in keeps;
      [|lia|intros x y w; unfold ones; cbn; now rewrite Rplus_comm].
    destruct (keeps 2) as [h _]. unfold ones in h; cbn [fst snd] in h.
    replace (1 + 1) with 2 in h by ring. replace (1 + 0) with 1 in h by ring.
    replace (0 + 0) with 0 in h by ring. rewrite (noise_at_two b 1), (noise_at_two b 0) in h by lra.
    pose proof (cond_pos b) as b0. assert (top : 0 < laplace b 2 2).
    { unfold laplace, Rdiv. apply Rmult_lt_0_compat; [apply exp_pos|].
      apply Rinv_0_lt_compat. lra. }
    assert (fewer : forall k, 0 < k -> exp (- k / b) < 1).
    { intros k k0. rewrite <- exp_0. apply exp_increasing. unfold Rdiv.
      rewrite Ropp_mult_distr_l_reverse. apply Ropp_lt_gt_0_contravar, Rmult_lt_0_compat; [easy|].
      now apply Rinv_0_lt_compat. }
    assert (u1 : exp (- (2 - 0) / b) <= exp (- (2 - 1) / b)).
    { left. apply exp_increasing. unfold Rdiv. apply Rmult_lt_compat_r; [|lra].
      now apply Rinv_0_lt_compat. }
    pose proof (fewer (2 - 1) ltac:(lra)) as u2. pose proof (exp_pos (- (2 - 1) / b)).
    pose proof (exp_pos (- (2 - 0) / b)).
    assert (exp eps <= 1) by (rewrite <- exp_0; destruct low as [l|<-];
      [left; now apply exp_increasing|now right]).
    set (x := exp (- (2 - 1) / b)) in *. set (y := exp (- (2 - 0) / b)) in *.
    set (z := laplace b 2 2) in *.
    assert (yx : y * z <= x * z) by (apply Rmult_le_compat_r; lra).
    assert (right : al * (x * z) + (1 - al) * (y * z) <= x * z) by nra.
    assert (exp eps * (al * (x * z) + (1 - al) * (y * z)) <= x * z).
    { apply Rle_trans with (1 * (al * (x * z) + (1 - al) * (y * z))); [|lra].
      apply Rmult_le_compat_r; [|easy].
      assert (0 <= x * z) by nra. assert (0 <= y * z) by nra. nra. }
    assert (xz : x * z < 1 * z) by (apply Rmult_lt_compat_r; lra).
    apply (Rmult_lt_compat_l (1 - be)) in xz; [|lra].
    rewrite Rmult_1_l in xz. lra.
  - intros eps0. assert (E1 : 1 < exp eps) by (rewrite <- exp_0; now apply exp_increasing).
    destruct (some_rise _ E1) as [c [q [c1 [q01 [level far]]]]].
    assert (l0 : 0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (s0 : 0 < / ln c) by now apply Rinv_0_lt_compat.
    set (b := mkposreal _ s0).
    assert (is_c : exp (1 / b) = c).
    { unfold b, Rdiv; cbn [pos]. rewrite Rinv_inv, Rmult_1_l. apply exp_ln. lra. }
    assert (swap : forall x y w, laplace b (ones (x, (y, tt))) w =
      laplace b (ones (y, (x, tt))) w)
      by (intros x y w; unfold ones; cbn; now rewrite Rplus_comm).
    exists q, (1/2), b. split; [easy|]. split; [lra|]. split.
    + intros p. destruct (Nat.le_gt_cases 2 p) as [far_off|p2]; [now apply no_such_record|].
      apply promise_at; [easy|lra|easy|easy|]. intros w. unfold ones; cbn [fst snd].
      apply (one_release c q _ c1 q01 level);
        try (apply laplace_nonneg; apply cond_pos); rewrite <- is_c; apply noise_near;
        unfold Rabs; destruct Rcase_abs; lra.
    + intros keeps. rewrite (promise_at q (1/2) q01) in keeps; [|lra|lia|].
      2: { intros x y w. unfold both. now rewrite !(swap x y). }
      destruct (keeps (2, 2)) as [h _]. unfold both, ones in h; cbn [fst snd] in h.
      replace (1 + 1) with 2 in h by ring. replace (1 + 0) with 1 in h by ring.
      replace (0 + 0) with 0 in h by ring. rewrite (noise_at_two b 1), (noise_at_two b 0) in h
        by lra.
      replace (2 * eps) with (eps + eps) in h by ring. rewrite exp_plus in h.
      replace (- (2 - 1) / b) with (- (1 / b)) in h by (unfold Rdiv; ring).
      replace (- (2 - 0) / b) with (- (1 / b) + - (1 / b)) in h by (unfold Rdiv; ring).
      rewrite exp_plus, !exp_Ropp, is_c in h.
      pose proof (two_releases c q _ c1 q01 level far) as less. set (z := laplace b 2 2) in *.
      assert (top : 0 < z).
      { unfold z, laplace, Rdiv. apply Rmult_lt_0_compat; [apply exp_pos|].
        apply Rinv_0_lt_compat. pose proof (cond_pos b). lra. }
      revert h. apply Rlt_not_le. assert (cc : 0 < c * c) by nra. assert (zz : 0 < z * z) by nra.
      apply (Rmult_lt_reg_l ((c * c) * (c * c))); [now apply Rmult_lt_0_compat|].
      apply (Rmult_lt_compat_r (z * z)) in less; [|easy].
      match goal with |- ?a < ?d =>
        replace a with (exp eps * exp eps * (q * (c * c) + (1 - q)) * (z * z)) by (field; lra);
        replace d with ((c * c) * ((1 - 1/2) * (c * c) + 1/2) * (z * z)) by (field; lra) end.
      exact less.
Qed.
