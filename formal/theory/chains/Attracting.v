(** Chains of bits of which each attracts the next, increasing sums of what they count, and noise
    that decays exponentially: the outputs beyond all values leak most. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain.
Import ListNotations.
Open Scope R_scope.

(** The larger and the smaller of two sequences of bits, bit by bit. *)
Fixpoint join l m := match l, m with x :: l, y :: m => (x || y) :: join l m | _, _ => [] end.
Fixpoint meet l m := match l, m with x :: l, y :: m => (x && y) :: meet l m | _, _ => [] end.

Lemma four_numbers a0 a1 b0 b1 c0 c1 d0 d1 :
  0 <= a0 -> 0 <= a1 -> 0 <= b0 -> 0 <= b1 -> 0 <= c0 -> 0 <= c1 -> 0 <= d0 -> 0 <= d1 ->
  a0 * b0 <= c0 * d0 -> a0 * b1 <= c1 * d0 -> a1 * b0 <= c1 * d0 -> a1 * b1 <= c1 * d1 ->
  (a1 + a0) * (b1 + b0) <= (c1 + c0) * (d1 + d0).
Proof.
  intros A0 A1 B0 B1 C0 C1 D0 D1 zz zo oz oo.
  set (x := a0 * b1) in *. set (y := a1 * b0) in *. set (m := c1 * d0) in *.
  assert (x0 : 0 <= x) by now apply Rmult_le_pos. assert (y0 : 0 <= y) by now apply Rmult_le_pos.
  assert (cd : 0 <= c0 * d1) by now apply Rmult_le_pos.
  assert (both : x + y <= m + c0 * d1).
  { destruct (Rle_lt_or_eq_dec 0 m) as [m0|m0]; [now apply Rmult_le_pos| |lra].
    assert (xy : x * y <= c0 * d1 * m).
    { replace (x * y) with (a0 * b0 * (a1 * b1)) by (unfold x, y; ring).
      replace (c0 * d1 * m) with (c0 * d0 * (c1 * d1)) by (unfold m; ring).
      apply Rmult_le_compat; try easy; now apply Rmult_le_pos. }
    assert (0 <= (m - x) * (m - y)) by (apply Rmult_le_pos; lra).
    apply (Rmult_le_reg_l m); [easy|]. lra. }
  unfold x, y, m in *. lra.
Qed.

(** The four functions theorem of Ahlswede and Daykin, for sequences of bits.
    Differs: textbook; functions are not negative anywhere. *)
Lemma four_functions n (a b c d : list bool -> R) :
  (forall l, 0 <= a l) -> (forall l, 0 <= b l) -> (forall l, 0 <= c l) -> (forall l, 0 <= d l) ->
  (forall l m, length l = n -> length m = n -> a l * b m <= c (join l m) * d (meet l m)) ->
  (Σ v : vec bool n, a (list_of v)) * (Σ v : vec bool n, b (list_of v)) <=
  (Σ v : vec bool n, c (list_of v)) * (Σ v : vec bool n, d (list_of v)).
Proof.
  revert a b c d. induction n as [|n IH]; intros a b c d A B C D le.
  - pose proof (le [] [] eq_refl eq_refl) as one. simpl in *. rewrite !Rplus_0_r. exact one.
  - assert (next : forall f : list bool -> R, (Σ v : vec bool (S n), f (list_of v)) =
      Σ v : vec bool n, f (true :: list_of v) + f (false :: list_of v)).
    { intros f. rewrite Sum_vec. cbn [all finite_bool sum]. rewrite Rplus_0_r.
      now rewrite sum_plus. }
    rewrite !next.
    apply (IH (fun l => a (true :: l) + a (false :: l)) (fun l => b (true :: l) + b (false :: l))
      (fun l => c (true :: l) + c (false :: l)) (fun l => d (true :: l) + d (false :: l)));
      try (intros l; apply Rplus_le_le_0_compat; auto; fail).
    intros l m El Em.
    apply four_numbers; auto;
      [apply (le (false :: l) (false :: m))|apply (le (false :: l) (true :: m))
      |apply (le (true :: l) (false :: m))|apply (le (true :: l) (true :: m))]; simpl; congruence.
Qed.

Section Bits.
Context (initial : bool -> R) (T : nat -> bool -> bool -> R) (f : nat -> bool -> R) (t : R).

(** What the records of a sequence count together, the first of which is record k. *)
Fixpoint counted_from k (l : list bool) : R := match l with [] => 0
  | x :: l => f k x + counted_from (S k) l end.
Definition counted := counted_from 0.
Definition is_at i x (l : list bool) :=
  match nth_error l i with Some y => eqb y x | None => false end.
(** The weight of a sequence with X_i = x. *)
Definition weight_at i x l := if is_at i x l then chain_weight initial T l else 0.
(** Over sequences of n bits with X_i = x: the density of the output w, if noise decays by t, the
    mean of t^-Q, and that of t^Q, Q being what they count; up to the constant of the noise. *)
Definition density n i x w :=
  Σ v : vec bool n, weight_at i x (list_of v) * Rpower t (Rabs (w - counted (list_of v))).
Definition mean_up n i x :=
  Σ v : vec bool n, weight_at i x (list_of v) * Rpower t (- counted (list_of v)).
Definition mean_down n i x :=
  Σ v : vec bool n, weight_at i x (list_of v) * Rpower t (counted (list_of v)).

(** A chain whose every bit is likelier to be 1 after a 1 than after a 0. *)
Definition attracting := law initial /\ forall k, (forall x, law (T k x)) /\
  T k false true <= T k true true.
Definition rising := forall k, f k false <= f k true.
Definition none_above n w := forall v : vec bool n, counted (list_of v) <= w.
Definition none_below n w := forall v : vec bool n, w <= counted (list_of v).

Hypotheses (attract : attracting) (rise : rising) (t0 : 0 < t) (t1 : t < 1).

Lemma bits_total (p : bool -> R) : law p -> p true + p false = 1.
Proof. intros [_ one]. cbn in one. lra. Qed.

Lemma step_order k x y x' y' :
  T k x x' * T k y y' <= T k (x || y) (x' || y') * T k (x && y) (x' && y').
Proof.
  destruct attract as [_ each]. destruct (each k) as [laws le].
  pose proof (bits_total _ (laws true)) as E1. pose proof (bits_total _ (laws false)) as E0.
  assert (cross : T k true false * T k false true <= T k true true * T k false false).
  { replace (T k true false) with (1 - T k true true) by lra.
    replace (T k false false) with (1 - T k false true) by lra. lra. }
  destruct x, y, x', y'; simpl; lra.
Qed.

Lemma steps_pos k x l : 0 <= steps T k x l.
Proof.
  destruct attract as [_ each]. apply steps_nonneg. intros j y. apply (each j).
Qed.

Lemma steps_order k x y l m : length l = length m ->
  steps T k x l * steps T k y m <= steps T k (x || y) (join l m) * steps T k (x && y) (meet l m).
Proof.
  revert k x y m.
  induction l as [|x' l IH]; intros k x y [|y' m] E; try discriminate; simpl; [lra|].
  injection E as E.
  replace (T k x x' * steps T (S k) x' l * (T k y y' * steps T (S k) y' m)) with
    (T k x x' * T k y y' * (steps T (S k) x' l * steps T (S k) y' m)) by ring.
  replace (T k (x || y) (x' || y') * _ * _) with (T k (x || y) (x' || y') *
    T k (x && y) (x' && y') * (steps T (S k) (x' || y') (join l m) *
    steps T (S k) (x' && y') (meet l m))) by ring.
  assert (T0 : forall j z z', 0 <= T j z z').
  { intros j z z'. destruct attract as [_ each]. apply (each j). }
  apply Rmult_le_compat; [apply Rmult_le_pos; apply T0|apply Rmult_le_pos; apply steps_pos| |].
  - apply step_order.
  - now apply IH.
Qed.

Lemma weight_pos l : 0 <= chain_weight initial T l.
Proof.
  destruct l as [|x l]; simpl; [lra|]. apply Rmult_le_pos; [apply attract|apply steps_pos].
Qed.

Lemma weight_order l m : length l = length m -> chain_weight initial T l * chain_weight initial T m
  <= chain_weight initial T (join l m) * chain_weight initial T (meet l m).
Proof.
  destruct l as [|x l], m as [|y m]; try discriminate; simpl; [lra|]. intros E. injection E as E.
  replace (initial x * steps T 0 x l * (initial y * steps T 0 y m)) with
    (initial x * initial y * (steps T 0 x l * steps T 0 y m)) by ring.
  replace (initial (x || y) * _ * _) with (initial x * initial y *
    (steps T 0 (x || y) (join l m) * steps T 0 (x && y) (meet l m)))
    by (destruct x, y; simpl; ring).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; apply attract|]. now apply steps_order.
Qed.

Lemma counted_both l m : length l = length m ->
  counted l + counted m = counted (join l m) + counted (meet l m).
Proof.
  unfold counted. generalize 0%nat. revert m. induction l as [|x l IH]; intros [|y m] k E;
    try discriminate; simpl; [lra|]. injection E as E. specialize (IH m (S k) E).
  destruct x, y; simpl; lra.
Qed.

Lemma counted_order l m : length l = length m ->
  counted (meet l m) <= counted l <= counted (join l m).
Proof.
  unfold counted. generalize 0%nat. revert m. induction l as [|x l IH]; intros [|y m] k E;
    try discriminate; simpl; [lra|]. injection E as E. specialize (IH m (S k) E).
  specialize (rise k). destruct x, y; simpl; lra.
Qed.

Lemma is_at_both i l m x y : length l = length m -> is_at i x l = true -> is_at i y m = true ->
  is_at i (x || y) (join l m) = true /\ is_at i (x && y) (meet l m) = true.
Proof.
  unfold is_at. revert i m. induction l as [|a l IH]; intros i [|b m] E; try discriminate.
  - destruct i; discriminate.
  - injection E as E. destruct i as [|i]; simpl; [|now apply IH].
    rewrite !eqb_true_iff. now intros -> ->.
Qed.

(** Sums over sequences with X_i = y and with another X_i, of weights that attract, with a function
    that is larger for smaller sequences if y is 1, for larger ones if it is 0. *)
Definition part n i (c : list bool -> R) x (g : list bool -> R) :=
  Σ v : vec bool n, (if is_at i x (list_of v) then c (list_of v) else 0) * g (list_of v).
Lemma ends_order n i (c u : list bool -> R) (y : bool) :
  (forall l, 0 <= c l) -> (forall l, 0 <= u l) ->
  (forall l m, length l = n -> length m = n -> c l * c m <= c (join l m) * c (meet l m)) ->
  (forall l m, length l = n -> length m = n -> u l <= u (if y then meet l m else join l m)) ->
  part n i c y u * part n i c (negb y) (fun _ => 1) <=
  part n i c y (fun _ => 1) * part n i c (negb y) u.
Proof.
  intros c0 u0 order fall. unfold part.
  set (g (x : bool) (h : list bool -> R) (l : list bool) :=
    (if is_at i x l then c l else 0) * h l).
  assert (pos : forall x h, (forall l, 0 <= h l) -> forall l, 0 <= g x h l).
  { intros x h h0 l. apply Rmult_le_pos; [|easy]. destruct is_at; [apply c0|lra]. }
  assert (one : forall l : list bool, 0 <= 1) by (intros; lra).
  assert (room : forall h h' l m, (forall l, 0 <= h l) -> (forall l, 0 <= h' l) ->
    0 <= g true h l * g false h' m) by (intros; apply Rmult_le_pos; now apply pos).
  destruct y; cbn [negb].
  - apply (four_functions n (g true u) (g false (fun _ => 1)) (g true (fun _ => 1)) (g false u));
      auto.
    intros l m El Em.
    pose proof (room (fun _ => 1) u (join l m) (meet l m) one u0) as right0. unfold g in *.
    destruct (is_at i true l) eqn:Hl; [|rewrite !Rmult_0_l; exact right0].
    destruct (is_at i false m) eqn:Hm;
      [|rewrite !Rmult_0_l, Rmult_0_r; exact right0].
    destruct (is_at_both i l m true false ltac:(congruence) Hl Hm) as [top low]. cbn in top, low.
    rewrite top, low, !Rmult_1_r.
    replace (c l * u l * c m) with (c l * c m * u l) by ring.
    replace (c (join l m) * (c (meet l m) * u (meet l m))) with
      (c (join l m) * c (meet l m) * u (meet l m)) by ring.
    apply Rmult_le_compat; auto. now apply Rmult_le_pos.
  - rewrite (Rmult_comm (Σ v : vec bool n, (if is_at i false (list_of v) then _ else 0) * 1)).
    apply (four_functions n (g false u) (g true (fun _ => 1)) (g true u) (g false (fun _ => 1)));
      auto.
    intros l m El Em.
    pose proof (room u (fun _ => 1) (join l m) (meet l m) u0 one) as right0. unfold g in *.
    destruct (is_at i false l) eqn:Hl; [|rewrite !Rmult_0_l; exact right0].
    destruct (is_at i true m) eqn:Hm;
      [|rewrite !Rmult_0_l, Rmult_0_r; exact right0].
    destruct (is_at_both i l m false true ltac:(congruence) Hl Hm) as [top low]. cbn in top, low.
    rewrite top, low, !Rmult_1_r.
    replace (c l * u l * c m) with (c l * c m * u l) by ring.
    replace (c (join l m) * u (join l m) * c (meet l m)) with
      (c (join l m) * c (meet l m) * u (join l m)) by ring.
    apply Rmult_le_compat; auto. now apply Rmult_le_pos.
Qed.

Lemma power_pos x : 0 < Rpower t x.
Proof. apply exp_pos. Qed.
Lemma power_falls x y : x <= y -> Rpower t y <= Rpower t x.
Proof.
  intros le. assert (ln t < 0) by (rewrite <- ln_1; now apply ln_increasing).
  unfold Rpower. destruct (Req_dec x y) as [->|]; [lra|]. left. apply exp_increasing.
  apply Ropp_lt_cancel. rewrite !Ropp_mult_distr_r. apply Rmult_lt_compat_r; lra.
Qed.

(** The outputs beyond all values leak most (classes.extremes): of noise that decays by t on an
    increasing sum of a chain of bits, of which each attracts the next, P(w | X_i = 1)/
    P(w | X_i = 0) is at most E[t^-Q | X_i = 1]/E[t^-Q | X_i = 0], and outputs above all values
    have this ratio; likewise P(w | X_i = 0)/P(w | X_i = 1), t^Q and outputs below all values.
    Differs: multiplied out, so that X_i can be certain; density form, for real numbers, which
    holds for integers too. *)
Theorem extremes n i w :
  density n i true w * mean_up n i false <= mean_up n i true * density n i false w /\
  density n i false w * mean_down n i true <= mean_down n i false * density n i true w /\
  (none_above n w ->
    density n i true w * mean_up n i false = mean_up n i true * density n i false w) /\
  (none_below n w ->
    density n i false w * mean_down n i true = mean_down n i false * density n i true w).
Proof.
  set (mu s l := chain_weight initial T l * Rpower t (s * counted l)).
  assert (cut : forall s x g, part n i (mu s) x g = Σ v : vec bool n, weight_at i x (list_of v) *
    (Rpower t (s * counted (list_of v)) * g (list_of v))).
  { intros s x g. apply sum_ext; intros v _. unfold weight_at, mu. destruct is_at; ring. }
  assert (up : forall x, mean_up n i x = part n i (mu (-1)) x (fun _ => 1)).
  { intros x. rewrite cut. apply sum_ext; intros v _. do 2 rewrite <- ?Rmult_assoc.
    rewrite Rmult_1_r. do 2 f_equal. ring. }
  assert (down : forall x, mean_down n i x = part n i (mu 1) x (fun _ => 1)).
  { intros x. rewrite cut. apply sum_ext; intros v _. rewrite Rmult_1_r. do 2 f_equal. ring. }
  set (far s l := Rpower t (2 * Rmax 0 (s * (w - counted l)))).
  assert (noise : forall s x, s = 1 \/ s = -1 ->
    density n i x w = Rpower t (- s * w) * part n i (mu s) x (far s)).
  { intros s x S. rewrite cut, <- sum_scale. apply sum_ext; intros v _.
    transitivity (weight_at i x (list_of v) * (Rpower t (- s * w) *
      (Rpower t (s * counted (list_of v)) * far s (list_of v)))); [|ring].
    f_equal. unfold far. rewrite <- !Rpower_plus. f_equal.
    unfold Rabs, Rmax. destruct Rcase_abs, Rle_dec, S; subst s; lra. }
  assert (order : forall s l m, length l = n -> length m = n ->
    mu s l * mu s m <= mu s (join l m) * mu s (meet l m)).
  { intros s l m El Em. unfold mu.
    replace (_ * _ * (_ * _)) with (chain_weight initial T l * chain_weight initial T m *
      (Rpower t (s * counted l) * Rpower t (s * counted m))) by ring.
    replace (_ (join l m) * _ * (_ * _)) with (chain_weight initial T (join l m) *
      chain_weight initial T (meet l m) * (Rpower t (s * counted (join l m)) *
      Rpower t (s * counted (meet l m)))) by ring.
    rewrite <- !Rpower_plus, <- !Rmult_plus_distr_l, (counted_both l m) by congruence.
    apply Rmult_le_compat_r; [left; apply power_pos|]. apply weight_order. congruence. }
  assert (mu0 : forall s l, 0 <= mu s l).
  { intros s l. apply Rmult_le_pos; [apply weight_pos|left; apply power_pos]. }
  assert (ends : forall s y, s = 1 /\ y = false \/ s = -1 /\ y = true ->
    density n i y w * part n i (mu s) (negb y) (fun _ => 1) <=
    part n i (mu s) y (fun _ => 1) * density n i (negb y) w).
  { intros s y S. rewrite !(noise s) by tauto.
    pose proof (ends_order n i (mu s) (far s) y (mu0 s) (fun l => Rlt_le _ _ (power_pos _))
      (order s)) as le.
    apply (Rmult_le_compat_l (Rpower t (- s * w))) in le; [lra|left; apply power_pos|].
    intros l m El Em. apply power_falls. apply Rmult_le_compat_l; [lra|].
    destruct (counted_order l m) as [lo hi]; [congruence|].
    apply Rle_max_compat_l. destruct S as [[-> ->]|[-> ->]]; lra. }
  assert (reached : forall s, s = 1 \/ s = -1 ->
    (forall v : vec bool n, s * (w - counted (list_of v)) <= 0) ->
    forall x, density n i x w = Rpower t (- s * w) * part n i (mu s) x (fun _ => 1)).
  { intros s S flat x. rewrite (noise s x S). f_equal. apply sum_ext; intros v _. f_equal.
    unfold far. rewrite Rmax_left by apply flat. rewrite Rmult_0_r. apply Rpower_O; lra. }
  rewrite !up, !down. repeat split.
  - apply (ends (-1) true). tauto.
  - apply (ends 1 false). tauto.
  - intros top. rewrite !(reached (-1)); [ring| | | |]; try tauto;
      intros v; specialize (top v); lra.
  - intros low. rewrite !(reached 1); [ring| | | |]; try tauto; intros v; specialize (low v); lra.
Qed.
End Bits.
