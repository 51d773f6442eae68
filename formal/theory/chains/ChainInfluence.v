(** The influence of the records at two distances, or of one of them alone, from a given law of the
    first record and from any (influence.any-start). Records are counted from 0. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains TableQuilts Spectrum Eigenvalues ChainMoments.
Import ListNotations.
Open Scope R_scope.

Section Influence.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Implicit Types (m : A -> R) (K : A -> A -> R).
Notation steps := Eigenvalues.steps.

(** Where the records a before another one and b after it are; a distance of 0 stands for no record
    on that side. *)
Definition first_beyond (k a : nat) : nat := match a with O => O | S _ => S k end.
Definition next_shown (i b c : nat) : nat := match b with O => S (i + c) | S _ => i + b end.
(** Of k + a + b + c + 1 records these two tell at most log R of whether record k + a is v or w;
    X_0 has the law m, and K are the steps. *)
Definition sides_within ratio m K k a b c v w :=
  influence_at_most (decide_pair dA) (quilt_around (first_beyond k a) (next_shown (k + a) b c))
    ratio (law_of_chain (m, fun _ => K) (S (k + a + b + c)))
    (record_is dA (k + a) v) (record_is dA (k + a) w).
(** So from every law of X_0 under which both values are possible. *)
Definition sides_within_from_any ratio K k a b c v w := forall m, law m ->
  0 < law_at m K (k + a) v -> 0 < law_at m K (k + a) w -> sides_within ratio m K k a b c v w.
(** The factor of a record at a distance: 1 if there is none on that side. *)
Definition if_shown (distance : nat) (x : R) : R := match distance with O => 1 | S _ => x end.

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

Lemma shown_left m K k a ox u : left_weight m K (first_beyond k a) (k + a) ox u =
  match a, ox with O, None => law_at m K (k + a) u | S _, Some x => law_at m K k x * steps K a x u
    | _, _ => 0 end.
Proof.
  destruct a as [|a], ox as [x|]; simpl; try easy. now replace (k + S a - k)%nat with (S a) by lia.
Qed.
Lemma shown_right K i b c oy u :
  right_weight K (S (i + b + c)) (next_shown i b c) i oy u =
  match b, oy with O, None => 1 | S _, Some y => steps K b u y | _, _ => 0 end.
Proof.
  unfold right_weight, next_shown. destruct b as [|b].
  - rewrite Nat.add_0_r, Nat.ltb_irrefl. now destruct oy.
  - rewrite (proj2 (Nat.ltb_lt _ _)) by lia. replace (i + S b - i)%nat with (S b) by lia.
    now destruct oy.
Qed.

(** From a given law (influence.any-start, first part): the weight of what the left record is
    cancels, and a side without a record has no factor.
    Differs: bounds instead of largest ratios, multiplied out. *)
Theorem given_law ratio m K k a b c v w : law m -> (forall x, law (K x)) ->
  0 < law_at m K (k + a) v -> 0 < law_at m K (k + a) w ->
  sides_within ratio m K k a b c v w <->
  forall x y, 0 < law_at m K k x ->
    if_shown a (steps K a x v * law_at m K (k + a) w) * if_shown b (steps K b v y) <=
    ratio * (if_shown a (steps K a x w * law_at m K (k + a) v) * if_shown b (steps K b w y)).
Proof.
  intros Lm rows pv pw. unfold sides_within, law_of_chain; cbn [fst snd].
  assert (here : (first_beyond k a <= k + a < next_shown (k + a) b c)%nat)
    by (unfold first_beyond, next_shown; destruct a, b; lia).
  assert (at_sides : forall u ox oy, p_quilt (decide_pair dA)
      (quilt_around (first_beyond k a) (next_shown (k + a) b c))
      (sequence_law m (fun _ => K) (S (k + a + b + c))) (record_is dA (k + a) u) (ox, oy) =
    match a, ox with O, None => law_at m K (k + a) u | S _, Some x => law_at m K k x * steps K a x u
      | _, _ => 0 end * match b, oy with O, None => 1 | S _, Some y => steps K b u y | _, _ => 0
      end).
  { intros u ox oy. now rewrite quilt_moments, shown_left, shown_right by (easy || lia). }
  assert (alone : forall u, P (sequence_law m (fun _ => K) (S (k + a + b + c)))
    (record_is dA (k + a) u) = law_at m K (k + a) u) by (intros; apply record_moment; easy || lia).
  assert (start : a = O -> 0 < law_at m K k v) by (intros ->; now rewrite Nat.add_0_r in pv).
  destruct (law_at_law m K k Lm rows) as [mk0 _].
  set (pv_ := law_at m K (k + a) v) in *. set (pw_ := law_at m K (k + a) w) in *.
  assert (both_ : 0 < pv_ * pw_) by now apply Rmult_lt_0_compat.
  split.
  - intros infl x y pos.
    specialize (infl (match a with O => None | S _ => Some x end,
      match b with O => None | S _ => Some y end)).
    rewrite !at_sides, !alone in infl. fold pv_ pw_ in infl.
    destruct a as [|a]; cbn [if_shown].
    + apply (Rmult_le_reg_l (pv_ * pw_)); [easy|]. fold pv_ pw_ in infl.
      destruct b; cbn [if_shown] in *; apply (same_order _ _ _ _ infl); ring.
    + apply (Rmult_le_reg_l (law_at m K k x)); [easy|].
      destruct b; cbn [if_shown] in *; apply (same_order _ _ _ _ infl); ring.
  - intros every [ox oy]. rewrite !at_sides, !alone. fold pv_ pw_.
    destruct a as [|a], ox as [x|]; try lra; destruct b as [|b], oy as [y|]; try lra;
      cbn [if_shown] in every.
    + specialize (every v v (start eq_refl)).
      apply (Rmult_le_compat_l (pv_ * pw_)) in every; [|lra].
      apply (same_order _ _ _ _ every); ring.
    + specialize (every v y (start eq_refl)).
      apply (Rmult_le_compat_l (pv_ * pw_)) in every; [|lra].
      apply (same_order _ _ _ _ every); ring.
    + destruct (mk0 x) as [pos|zero]; [|rewrite <- zero; lra]. specialize (every x x pos).
      apply (Rmult_le_compat_l (law_at m K k x)) in every; [|lra].
      apply (same_order _ _ _ _ every); ring.
    + destruct (mk0 x) as [pos|zero]; [|rewrite <- zero; lra]. specialize (every x y pos).
      apply (Rmult_le_compat_l (law_at m K k x)) in every; [|lra].
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

Lemma if_shown_at m K t d p z : law m ->
  if_shown d (p * law_at m K t z) = Σ u, m u * if_shown d (p * steps K t u z).
Proof.
  intros [_ m1]. destruct d as [|d]; cbn [if_shown].
  - transitivity (Σ u, m u); [easy|]. apply sum_ext; intros; ring.
  - unfold law_at. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

(** What is possible by a law is so from some start. *)
Lemma from_some_start m K t x : law m -> (forall x, law (K x)) -> 0 < law_at m K t x ->
  0 < Σ u, steps K t u x.
Proof.
  intros [m0 _] rows pos. destruct (sum_pos_exists _ _ pos) as [u [_ pu]].
  assert (P0 : forall u, 0 <= steps K t u x) by (intros; apply steps_nonneg; apply rows).
  apply Rlt_le_trans with (steps K t u x).
  - apply Rnot_le_lt. intros le. specialize (P0 u). assert (steps K t u x = 0) as E by lra.
    rewrite E in pu. lra.
  - apply (sum_member all (fun u => steps K t u x)); [|apply all_here]. intros; apply P0.
Qed.

(** Some law makes three values possible, each at its time, if each is by some law. *)
Lemma some_law K s t x v w : (forall x, law (K x)) -> 0 < (Σ u, steps K s u x) ->
  0 < (Σ u, steps K t u v) -> 0 < (Σ u, steps K t u w) -> exists m, law m /\
    0 < law_at m K s x /\ 0 < law_at m K t v /\ 0 < law_at m K t w.
Proof.
  intros rows reached some_v some_w.
  assert (P0 : forall t x y, 0 <= steps K t x y) by (intros; apply steps_nonneg; apply rows).
  destruct (sum_pos_exists _ _ reached) as [zx [_ px]].
  destruct (sum_pos_exists _ _ some_v) as [zv [_ pv]].
  destruct (sum_pos_exists _ _ some_w) as [zw [_ pw]].
  set (half := fun z => (1 - 1 / 2) * pin dA zv z + 1 / 2 * pin dA zw z).
  exists (fun z => (1 - 1 / 2) * half z + 1 / 2 * pin dA zx z). split.
  { apply mixed_law; [apply mixed_law; try apply pin_law; lra|apply pin_law|lra]. }
  unfold half. rewrite !law_at_mixed, !law_at_pin.
  pose proof (P0 s zv x). pose proof (P0 s zw x). pose proof (P0 t zw v). pose proof (P0 t zx v).
  pose proof (P0 t zv w). pose proof (P0 t zx w). repeat split; lra.
Qed.

(** From every law of the first record (influence.any-start, second part): one that comes near a
    point mass makes the middle ratio that of one start, whatever the left record is.
    Differs: as [given_law]. *)
Theorem any_law ratio K k a b c v w : (forall x, law (K x)) ->
  0 < (Σ u, steps K (k + a) u v) -> 0 < (Σ u, steps K (k + a) u w) ->
  sides_within_from_any ratio K k a b c v w <->
  forall x z y, 0 < (Σ u, steps K k u x) ->
    if_shown a (steps K a x v * steps K (k + a) z w) * if_shown b (steps K b v y) <=
    ratio * (if_shown a (steps K a x w * steps K (k + a) z v) * if_shown b (steps K b w y)).
Proof.
  intros rows some_v some_w.
  assert (P0 : forall t x y, 0 <= steps K t x y) by (intros; apply steps_nonneg; apply rows).
  split.
  - intros any x z y reached. set (gain := if_shown b (steps K b v y)).
    set (loss := if_shown b (steps K b w y)).
    set (F m := ratio * (if_shown a (steps K a x w * law_at m K (k + a) v) * loss) -
      if_shown a (steps K a x v * law_at m K (k + a) w) * gain).
    enough (0 <= F (pin dA z)) as le by (unfold F in le; rewrite !law_at_pin in le; lra).
    destruct (some_law K k (k + a) x v w rows reached some_v some_w) as [wide [Lw [wx [wv ww]]]].
    apply (near_enough _ (F wide)). intros s s01.
    set (m := fun x => (1 - s) * pin dA z x + s * wide x).
    assert (Lm : law m) by (apply mixed_law; [apply pin_law|easy|lra]).
    assert (m_at : forall t c, law_at m K t c = (1 - s) * steps K t z c + s * law_at wide K t c).
    { intros t u. unfold m. now rewrite law_at_mixed, law_at_pin. }
    assert (m_pos : forall t c, 0 < law_at wide K t c -> 0 < law_at m K t c).
    { intros t u pos. rewrite m_at. specialize (P0 t z u).
      pose proof (Rmult_le_pos (1 - s) (steps K t z u)).
      pose proof (Rmult_lt_0_compat s (law_at wide K t u)). lra. }
    replace ((1 - s) * F (pin dA z) + s * F wide) with (F m)
      by (unfold F; destruct a; cbn [if_shown]; rewrite ?m_at, ?law_at_pin; ring).
    pose proof (any m Lm (m_pos _ _ wv) (m_pos _ _ ww)) as told.
    rewrite given_law in told by auto. specialize (told x y (m_pos _ _ wx)).
    unfold F, gain, loss. lra.
  - intros every m Lm pv pw. rewrite given_law by easy. intros x y pos.
    pose proof (from_some_start m K k x Lm rows pos) as reached.
    rewrite !if_shown_at by easy. rewrite !(Rmult_comm (sum _ _)), <- !sum_scale.
    apply sum_le; intros z _. specialize (every x z y reached). destruct Lm as [m0 _].
    apply (Rmult_le_compat_l (m z)) in every; [|easy].
    apply (same_order _ _ _ _ every); ring.
Qed.

(** The worst law of the first record is no worse one record later (influence.any-start, end).
    Differs: as [given_law]. *)
Theorem no_rise ratio K k a b c v w : (forall x, law (K x)) ->
  sides_within_from_any ratio K k a b (S c) v w -> sides_within_from_any ratio K (S k) a b c v w.
Proof.
  intros rows any m Lm pv pw.
  set (next := law_at m K 1).
  assert (later : forall t x, law_at m K (S t) x = law_at next K t x)
    by (intros t x; apply (law_at_more m K 1 t x)).
  assert (Ln : law next) by now apply law_at_law.
  rewrite (given_law ratio m K (S k) a b c v w) by easy. intros x y pos.
  simpl Nat.add in *. rewrite !later in *.
  refine (proj1 (given_law ratio next K k a b (S c) v w Ln rows pv pw) _ x y pos). now apply any.
Qed.
End Influence.
