(** The influence of the records at two distances, from a given law of the first record and from any
    (influence.any-start). Records are counted from 0. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains TableQuilts Spectrum Eigenvalues ChainMoments.
Import ListNotations.
Open Scope R_scope.

Section Influence.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Implicit Types (m : A -> R) (K : A -> A -> R).
Notation steps := Eigenvalues.steps.

(** Records k and k + a + b tell at most log R of whether record k + a is v or w; X_0 has the law m,
    and K are the steps. *)
Definition pair_within ratio m K k a b v w :=
  influence_at_most (decide_pair dA) (quilt_around (S k) (k + a + b)) ratio
    (law_of_chain (m, fun _ => K) (S (k + a + b)))
    (record_is dA (k + a) v) (record_is dA (k + a) w).
(** So from every law of X_0 under which both values are possible. *)
Definition pair_within_from_any ratio K k a b v w := forall m, law m ->
  0 < law_at m K (k + a) v -> 0 < law_at m K (k + a) w -> pair_within ratio m K k a b v w.

Lemma law_at_law m K k : law m -> (forall x, law (K x)) -> law (law_at m K k).
Proof.
  intros [m0 m1] rows.
  assert (K0 : forall x y, 0 <= K x y) by (intros; apply rows).
  assert (K1 : forall x, (Σ y, K x y) = 1) by (intros; apply rows). split.
  - intros x. apply sum_nonneg; intros z _. apply Rmult_le_pos; [easy|now apply steps_nonneg].
  - unfold law_at. rewrite sum_swap. rewrite <- m1. apply sum_ext; intros z _.
    rewrite sum_scale, steps_sum by easy. ring.
Qed.

Lemma steps_more K s t x y : steps K (s + t) x y = Σ z, steps K s x z * steps K t z y.
Proof.
  revert x. induction s as [|s IH]; intros x; simpl; [now rewrite sum_point_left|].
  transitivity (Σ u, Σ z, K x u * (steps K s u z * steps K t z y)).
  { apply sum_ext; intros u _. now rewrite IH, sum_scale. }
  rewrite sum_swap. apply sum_ext; intros z _. rewrite (Rmult_comm (sum _ _)), <- sum_scale.
  apply sum_ext; intros; ring.
Qed.

Lemma law_at_more m K s t y : law_at m K (s + t) y = Σ x, law_at m K s x * steps K t x y.
Proof.
  unfold law_at. transitivity (Σ z, Σ x, m z * (steps K s z x * steps K t x y)).
  { apply sum_ext; intros z _. now rewrite steps_more, sum_scale. }
  rewrite sum_swap. apply sum_ext; intros x _. rewrite (Rmult_comm (sum _ _)), <- sum_scale.
  apply sum_ext; intros; ring.
Qed.

Lemma same_order x y x' y' : x <= y -> x = x' -> y = y' -> x' <= y'.
Proof. now intros le <- <-. Qed.

(** From a given law (influence.any-start, first part): the weight of what the left record is
    cancels.
    Differs: bounds instead of largest ratios, multiplied out. *)
Theorem given_law ratio m K k a b v w : law m -> (forall x, law (K x)) ->
  pair_within ratio m K k a b v w <->
  forall x y, 0 < law_at m K k x ->
    steps K a x v * law_at m K (k + a) w * steps K b v y <=
    ratio * (steps K a x w * law_at m K (k + a) v * steps K b w y).
Proof.
  intros Lm rows. unfold pair_within, law_of_chain; cbn [fst snd].
  assert (at_pair : forall u x y, p_quilt (decide_pair dA) (quilt_around (S k) (k + a + b))
      (sequence_law m (fun _ => K) (S (k + a + b))) (record_is dA (k + a) u) (Some x, Some y) =
    law_at m K k x * steps K a x u * steps K b u y).
  { intros u x y. rewrite pair_moments by (easy || lia). now replace (k + a - k)%nat with a by lia;
      replace (k + a + b - (k + a))%nat with b by lia. }
  assert (no_pair : forall u ox oy, ox = None \/ oy = None ->
    p_quilt (decide_pair dA) (quilt_around (S k) (k + a + b))
      (sequence_law m (fun _ => K) (S (k + a + b))) (record_is dA (k + a) u) (ox, oy) = 0).
  { intros u ox oy [->| ->]; apply nothing_missing; [left|right]; split; easy || lia. }
  destruct (law_at_law m K k Lm rows) as [mk0 _].
  split.
  - intros infl x y pos. specialize (infl (Some x, Some y)).
    rewrite !at_pair, !record_moment in infl by (easy || lia).
    apply (Rmult_le_reg_l (law_at m K k x)); [easy|].
    apply (same_order _ _ _ _ infl); ring.
  - intros every [ox oy]. rewrite !record_moment by (easy || lia).
    destruct ox as [x|]; [destruct oy as [y|]|]; try (rewrite !no_pair by tauto; lra).
    rewrite !at_pair. destruct (mk0 x) as [pos|zero]; [|rewrite <- zero; lra].
    specialize (every x y pos). apply (Rmult_le_compat_l (law_at m K k x)) in every; [|lra].
    apply (same_order _ _ _ _ every); ring.
Qed.

Lemma pin_law z : law (pin dA z).
Proof.
  split; [intros x; unfold pin; destruct (dA x z); lra|].
  rewrite <- (sum_pin dA z (fun _ => 1)). apply sum_ext; intros; ring.
Qed.

Lemma law_at_pin K k z x : law_at (pin dA z) K k x = steps K k z x.
Proof.
  unfold law_at. rewrite <- (sum_pin dA z (fun u => steps K k u x)). apply sum_ext; intros; ring.
Qed.

Lemma law_at_mixed m m' K k s t x : law_at (fun z => s * m z + t * m' z) K k x =
  s * law_at m K k x + t * law_at m' K k x.
Proof.
  unfold law_at. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros; ring.
Qed.

Lemma mixed_law m m' s : law m -> law m' -> 0 <= s <= 1 ->
  law (fun z => (1 - s) * m z + s * m' z).
Proof.
  intros [m0 m1] [n0 n1] [s0 s1]. split.
  - intros x. specialize (m0 x). specialize (n0 x).
    pose proof (Rmult_le_pos (1 - s) (m x)). pose proof (Rmult_le_pos s (m' x)). lra.
  - rewrite sum_plus, !sum_scale, m1, n1. ring.
Qed.

(** What holds as near as one likes holds. *)
Lemma near_enough F G : (forall s, 0 < s < 1 -> 0 <= (1 - s) * F + s * G) -> 0 <= F.
Proof.
  intros near. apply Rnot_lt_le. intros neg.
  set (c := - F). assert (c0 : 0 < c) by (unfold c; lra).
  set (g := Rmax G 0). assert (g0 : 0 <= g) by apply Rmax_r. assert (gG : G <= g) by apply Rmax_l.
  set (s := c / (2 * (c + g))).
  assert (E : s * (c + g) = c / 2) by (unfold s; field; lra).
  assert (s0 : 0 < s) by (unfold s; apply Rdiv_lt_0_compat; lra).
  assert (s1 : s <= 1 / 2).
  { apply (Rmult_le_reg_r (c + g)); [lra|]. rewrite E. lra. }
  specialize (near s ltac:(lra)).
  assert (s * G <= s * g) by (apply Rmult_le_compat_l; lra).
  replace F with (- c) in near by (unfold c; ring). lra.
Qed.

(** From every law of the first record (influence.any-start, second part): one that comes near a
    point mass makes the middle ratio that of one start, whatever the left record is.
    Differs: as [given_law]; values that no law makes possible are not excluded. *)
Theorem any_law ratio K k a b v w : (forall x, law (K x)) ->
  pair_within_from_any ratio K k a b v w <->
  forall x z y, 0 < (Σ u, steps K k u x) ->
    steps K a x v * steps K (k + a) z w * steps K b v y <=
    ratio * (steps K a x w * steps K (k + a) z v * steps K b w y).
Proof.
  intros rows.
  assert (K0 : forall x y, 0 <= K x y) by (intros; apply rows).
  assert (P0 : forall t x y, 0 <= steps K t x y) by (intros; now apply steps_nonneg).
  split.
  - intros any x z y reached. destruct (sum_pos_exists _ _ reached) as [u [_ ux]].
    set (gain := steps K a x v * steps K b v y). set (loss := steps K a x w * steps K b w y).
    set (F m := ratio * (loss * law_at m K (k + a) v) - gain * law_at m K (k + a) w).
    enough (0 <= F (pin dA z)) as le.
    { unfold F in le. rewrite !law_at_pin in le. unfold gain, loss in le. lra. }
    (* nobody starts where v, or w, can be reached: nothing is compared *)
    assert (from_u : forall c, steps K k u x * steps K a x c <= steps K (k + a) u c).
    { intros c. rewrite steps_more.
      apply (sum_member all (fun z => steps K k u z * steps K a z c)); [|apply all_here].
      intros; now apply Rmult_le_pos. }
    assert (none_from : forall c, (Σ z, steps K (k + a) z c) <= 0 ->
      (forall z, steps K (k + a) z c = 0) /\ steps K a x c = 0).
    { intros c none. assert (zero : forall z, steps K (k + a) z c = 0).
      { intros z'. apply Rle_antisym; [|apply P0]. apply Rle_trans with (2 := none).
        apply (sum_member all (fun z => steps K (k + a) z c)); [|apply all_here]. intros; apply P0.
          }
      split; [easy|]. specialize (from_u c). rewrite zero in from_u.
      specialize (P0 a x c). apply Rle_antisym; [|easy]. apply (Rmult_le_reg_l _ _ _ ux). lra. }
    destruct (Rlt_le_dec 0 (Σ z, steps K (k + a) z v)) as [some_v|none].
    2: { destruct (none_from v none) as [zero xv]. unfold F, gain. rewrite !law_at_pin, zero, xv.
         lra. }
    destruct (Rlt_le_dec 0 (Σ z, steps K (k + a) z w)) as [some_w|none].
    2: { destruct (none_from w none) as [zero xw]. unfold F, loss. rewrite !law_at_pin, zero, xw.
         lra. }
    destruct (sum_pos_exists _ _ some_v) as [zv [_ pv]].
    destruct (sum_pos_exists _ _ some_w) as [zw [_ pw]].
    set (half c := fun z => (1 - 1 / 2) * pin dA zv z + 1 / 2 * pin dA c z).
    set (wide := fun z => (1 - 1 / 2) * half zw z + 1 / 2 * pin dA u z).
    assert (Lw : law wide) by
      (apply mixed_law; [apply mixed_law; try apply pin_law; lra|apply pin_law|lra]).
    assert (wide_at : forall t c, law_at wide K t c =
      1 / 4 * steps K t zv c + 1 / 4 * steps K t zw c + 1 / 2 * steps K t u c).
    { intros t c. unfold wide, half. rewrite !law_at_mixed, !law_at_pin. lra. }
    apply (near_enough _ (F wide)). intros s s01.
    set (m := fun x => (1 - s) * pin dA z x + s * wide x).
    assert (Lm : law m) by (apply mixed_law; [apply pin_law|easy|lra]).
    assert (m_at : forall t c, law_at m K t c = (1 - s) * steps K t z c + s * law_at wide K t c).
    { intros t c. unfold m. now rewrite law_at_mixed, law_at_pin. }
    assert (m_pos : forall t c, 0 < law_at wide K t c -> 0 < law_at m K t c).
    { intros t c pos. rewrite m_at. specialize (P0 t z c).
      pose proof (Rmult_le_pos (1 - s) (steps K t z c)).
      pose proof (Rmult_lt_0_compat s (law_at wide K t c)). lra. }
    replace ((1 - s) * F (pin dA z) + s * F wide) with (F m)
      by (unfold F; rewrite !m_at, !law_at_pin; ring).
    specialize (any m Lm). rewrite (given_law ratio m K k a b v w Lm rows) in any.
    assert (le : gain * law_at m K (k + a) w <= ratio * (loss * law_at m K (k + a) v)).
    { unfold gain, loss. refine (same_order _ _ _ _ (any _ _ x y _) _ _); try ring;
        apply m_pos; rewrite wide_at;
        pose proof (P0 (k + a)%nat zv w); pose proof (P0 (k + a)%nat zw v);
        pose proof (P0 (k + a)%nat u w); pose proof (P0 (k + a)%nat u v);
        pose proof (P0 k zv x); pose proof (P0 k zw x); lra. }
    unfold F. lra.
  - intros every m Lm _ _. rewrite (given_law ratio m K k a b v w Lm rows). intros x y pos.
    assert (reached : 0 < Σ u, steps K k u x).
    { destruct (sum_pos_exists _ _ pos) as [u [_ pu]]. apply Rlt_le_trans with (steps K k u x).
      - apply Rnot_le_lt. intros le. destruct Lm as [m0 _]. specialize (P0 k u x).
        assert (steps K k u x = 0) as E by lra. rewrite E in pu. lra.
      - apply (sum_member all (fun u => steps K k u x)); [|apply all_here]. intros; apply P0. }
    unfold law_at. destruct Lm as [m0 _].
    apply Rle_trans with (Σ z, m z * (steps K a x v * steps K (k + a) z w * steps K b v y)).
    { right. rewrite (Rmult_comm (steps K a x v)), Rmult_assoc, Rmult_comm, <- sum_scale.
      apply sum_ext; intros; ring. }
    apply Rle_trans with (Σ z, m z * (ratio * (steps K a x w * steps K (k + a) z v * steps K b w
      y))).
    { apply sum_le; intros z _. apply Rmult_le_compat_l; [apply m0|now apply every]. }
    right. rewrite (Rmult_comm (steps K a x w)), (Rmult_assoc (sum _ _)), (Rmult_comm (sum _ _)),
      <- !sum_scale.
    apply sum_ext; intros; ring.
Qed.

(** The worst law of the first record is no worse one record later (influence.any-start, end).
    Differs: as [given_law]. *)
Theorem no_rise ratio K k a b v w : (forall x, law (K x)) ->
  pair_within_from_any ratio K k a b v w -> pair_within_from_any ratio K (S k) a b v w.
Proof.
  intros rows any m Lm pv pw.
  set (next := law_at m K 1).
  assert (later : forall t c, law_at m K (S t) c = law_at next K t c)
    by (intros t c; apply (law_at_more m K 1 t c)).
  assert (Ln : law next) by now apply law_at_law.
  rewrite (given_law ratio m K (S k) a b v w) by easy. intros x y pos.
  simpl Nat.add in *. rewrite !later in *.
  refine (proj1 (given_law ratio next K k a b v w Ln rows) _ x y pos). now apply any.
Qed.
End Influence.
