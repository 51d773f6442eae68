(** Laws of bits that attract one another, increasing sums of what they count, and noise that decays
    exponentially: the outputs beyond all values leak most. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain.
Import ListNotations.
Open Scope R_scope.

(** The larger and the smaller of two sequences of bits, bit by bit. *)
Fixpoint join l m := match l, m with x :: l, y :: m => (x || y) :: join l m | _, _ => [] end.
Fixpoint meet l m := match l, m with x :: l, y :: m => (x && y) :: meet l m | _, _ => [] end.

(** The same of tables of bits. *)
Fixpoint joined {n} : vec bool n -> vec bool n -> vec bool n := match n with O => fun _ _ => tt
  | S n => fun v v' => (fst v || fst v', joined (snd v) (snd v')) end.
Fixpoint met {n} : vec bool n -> vec bool n -> vec bool n := match n with O => fun _ _ => tt
  | S n => fun v v' => (fst v && fst v', met (snd v) (snd v')) end.
Lemma list_joined n (v v' : vec bool n) : list_of (joined v v') = join (list_of v) (list_of v').
Proof.
  induction n as [|n IH]; [easy|]. destruct v, v'. simpl. now rewrite IH.
Qed.
Lemma list_met n (v v' : vec bool n) : list_of (met v v') = meet (list_of v) (list_of v').
Proof.
  induction n as [|n IH]; [easy|]. destruct v, v'. simpl. now rewrite IH.
Qed.

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
    Differs: textbook. *)
Lemma four_functions n (a b c d : list bool -> R) :
  (forall v : vec bool n, 0 <= a (list_of v)) -> (forall v : vec bool n, 0 <= b (list_of v)) ->
  (forall v : vec bool n, 0 <= c (list_of v)) -> (forall v : vec bool n, 0 <= d (list_of v)) ->
  (forall v v' : vec bool n, a (list_of v) * b (list_of v') <=
    c (join (list_of v) (list_of v')) * d (meet (list_of v) (list_of v'))) ->
  (Σ v : vec bool n, a (list_of v)) * (Σ v : vec bool n, b (list_of v)) <=
  (Σ v : vec bool n, c (list_of v)) * (Σ v : vec bool n, d (list_of v)).
Proof.
  revert a b c d. induction n as [|n IH]; intros a b c d A B C D le.
  - pose proof (le tt tt) as one. simpl in *. rewrite !Rplus_0_r. exact one.
  - assert (next : forall f : list bool -> R, (Σ v : vec bool (S n), f (list_of v)) =
      Σ v : vec bool n, f (true :: list_of v) + f (false :: list_of v)).
    { intros f. rewrite Sum_vec. cbn [all finite_bool sum]. rewrite Rplus_0_r.
      now rewrite sum_plus. }
    assert (both_ : forall f : list bool -> R, (forall v : vec bool (S n), 0 <= f (list_of v)) ->
      forall x (v : vec bool n), 0 <= f (x :: list_of v)) by (intros f f0 x v; apply (f0 (x, v))).
    assert (here : forall u u' : vec bool n, join (list_of u) (list_of u') =
      list_of (joined u u') /\ meet (list_of u) (list_of u') = list_of (met u u'))
      by (intros; now rewrite list_joined, list_met).
    rewrite !next.
    apply (IH (fun l => a (true :: l) + a (false :: l)) (fun l => b (true :: l) + b (false :: l))
      (fun l => c (true :: l) + c (false :: l)) (fun l => d (true :: l) + d (false :: l)));
      try (intros v; apply Rplus_le_le_0_compat; now apply both_).
    intros v v'. destruct (here v v') as [Ej Em].
    apply four_numbers; try (now apply both_); try (rewrite ?Ej, ?Em; now apply both_);
      [apply (le (false, v) (false, v'))|apply (le (false, v) (true, v'))
      |apply (le (true, v) (false, v'))|apply (le (true, v) (true, v'))].
Qed.

Section Laws.
Context (f : nat -> bool -> R) (t : R).

(** What the bits of a sequence count together, the first of which is bit k. *)
Fixpoint counted_from k (l : list bool) : R := match l with [] => 0
  | x :: l => f k x + counted_from (S k) l end.
Definition counted := counted_from 0.
Definition is_at i x (l : list bool) :=
  match nth_error l i with Some y => eqb y x | None => false end.
(** Noise that decays by t around what they count, at w, up to a constant; t^-Q and t^Q of what they
    count. *)
Definition noise w l := Rpower t (Rabs (w - counted l)).
Definition up l := Rpower t (- counted l).
Definition down l := Rpower t (counted l).
(** The mean of u where bit i is x, of n bits with weights c; not divided by their weight. *)
Definition mean (c u : list bool -> R) n i x :=
  Σ v : vec bool n, (if is_at i x (list_of v) then c (list_of v) else 0) * u (list_of v).

(** The larger and the smaller of two sequences weigh at least as much together. *)
Definition attract (c : list bool -> R) n := (forall v : vec bool n, 0 <= c (list_of v)) /\
  forall v v' : vec bool n, c (list_of v) * c (list_of v') <=
    c (join (list_of v) (list_of v')) * c (meet (list_of v) (list_of v')).
Definition rising := forall k, f k false <= f k true.
Definition none_above n w := forall v : vec bool n, counted (list_of v) <= w.
Definition none_below n w := forall v : vec bool n, w <= counted (list_of v).

Lemma counted_both l m : length l = length m ->
  counted l + counted m = counted (join l m) + counted (meet l m).
Proof.
  unfold counted. generalize 0%nat. revert m. induction l as [|x l IH]; intros [|y m] k E;
    try discriminate; simpl; [lra|]. injection E as E. specialize (IH m (S k) E).
  destruct x, y; simpl; lra.
Qed.

Lemma counted_order l m : rising -> length l = length m ->
  counted (meet l m) <= counted l <= counted (join l m).
Proof.
  intros rise. unfold counted. generalize 0%nat. revert m.
  induction l as [|x l IH]; intros [|y m] k E; try discriminate; simpl; [lra|].
  injection E as E. specialize (IH m (S k) E). specialize (rise k). destruct x, y; simpl; lra.
Qed.

Lemma is_at_both i l m x y : length l = length m -> is_at i x l = true -> is_at i y m = true ->
  is_at i (x || y) (join l m) = true /\ is_at i (x && y) (meet l m) = true.
Proof.
  unfold is_at. revert i m. induction l as [|a l IH]; intros i [|b m] E; try discriminate.
  - destruct i; discriminate.
  - injection E as E. destruct i as [|i]; simpl; [|now apply IH].
    rewrite !eqb_true_iff. now intros -> ->.
Qed.

Lemma is_at_met i n (v v' : vec bool n) x y : is_at i x (list_of v) = true ->
  is_at i y (list_of v') = true -> is_at i (x || y) (join (list_of v) (list_of v')) = true /\
  is_at i (x && y) (meet (list_of v) (list_of v')) = true.
Proof. apply is_at_both. now rewrite !list_length. Qed.

(** Sums over sequences with X_i = y and with another X_i, of weights that attract, with a function
    that is larger for smaller sequences if y is 1, for larger ones if it is 0. *)
Lemma ends_order n i (c u : list bool -> R) (y : bool) : attract c n ->
  (forall v : vec bool n, 0 <= u (list_of v)) ->
  (forall v v' : vec bool n, u (list_of v) <=
    u (if y then meet (list_of v) (list_of v') else join (list_of v) (list_of v'))) ->
  mean c u n i y * mean c (fun _ => 1) n i (negb y) <=
  mean c (fun _ => 1) n i y * mean c u n i (negb y).
Proof.
  intros [c0 order] u0 fall. unfold mean.
  set (g (x : bool) (h : list bool -> R) (l : list bool) :=
    (if is_at i x l then c l else 0) * h l).
  assert (pos : forall x h, (forall v : vec bool n, 0 <= h (list_of v)) ->
    forall v : vec bool n, 0 <= g x h (list_of v)).
  { intros x h h0 v. apply Rmult_le_pos; [|easy]. destruct is_at; [apply c0|lra]. }
  assert (one : forall v : vec bool n, 0 <= 1) by (intros; lra).
  assert (room : forall h h', (forall v : vec bool n, 0 <= h (list_of v)) ->
    (forall v : vec bool n, 0 <= h' (list_of v)) -> forall v v' : vec bool n,
    0 <= g true h (join (list_of v) (list_of v')) * g false h' (meet (list_of v) (list_of v'))).
  { intros h h' h0 h0' v v'. rewrite <- list_joined, <- list_met.
    apply Rmult_le_pos; now apply pos. }
  destruct y; cbn [negb].
  - apply (four_functions n (g true u) (g false (fun _ => 1)) (g true (fun _ => 1)) (g false u));
      auto.
    intros v v'. pose proof (room (fun _ => 1) u one u0 v v') as right0.
    specialize (order v v'). specialize (fall v v').
    pose proof (c0 v) as cv. pose proof (c0 v') as cv'. pose proof (u0 v) as uv. unfold g in *.
    set (l := list_of v) in *. set (m := list_of v') in *.
    destruct (is_at i true l) eqn:Hl; [|rewrite !Rmult_0_l; exact right0].
    destruct (is_at i false m) eqn:Hm; [|rewrite !Rmult_0_l, Rmult_0_r; exact right0].
    destruct (is_at_met i n v v' true false Hl Hm) as [top low]. cbn in top, low.
    fold l m in top, low.
    rewrite top, low, !Rmult_1_r.
    replace (c l * u l * c m) with (c l * c m * u l) by ring.
    replace (c (join l m) * (c (meet l m) * u (meet l m))) with
      (c (join l m) * c (meet l m) * u (meet l m)) by ring.
    apply Rmult_le_compat; auto. now apply Rmult_le_pos.
  - rewrite (Rmult_comm (Σ v : vec bool n, (if is_at i false (list_of v) then _ else 0) * 1)).
    apply (four_functions n (g false u) (g true (fun _ => 1)) (g true u) (g false (fun _ => 1)));
      auto.
    intros v v'. pose proof (room u (fun _ => 1) u0 one v v') as right0.
    specialize (order v v'). specialize (fall v v').
    pose proof (c0 v) as cv. pose proof (c0 v') as cv'. pose proof (u0 v) as uv. unfold g in *.
    set (l := list_of v) in *. set (m := list_of v') in *.
    destruct (is_at i false l) eqn:Hl; [|rewrite !Rmult_0_l; exact right0].
    destruct (is_at i true m) eqn:Hm; [|rewrite !Rmult_0_l, Rmult_0_r; exact right0].
    destruct (is_at_met i n v v' false true Hl Hm) as [top low]. cbn in top, low.
    fold l m in top, low.
    rewrite top, low, !Rmult_1_r.
    replace (c l * u l * c m) with (c l * c m * u l) by ring.
    replace (c (join l m) * u (join l m) * c (meet l m)) with
      (c (join l m) * c (meet l m) * u (join l m)) by ring.
    apply Rmult_le_compat; auto. now apply Rmult_le_pos.
Qed.

Lemma power_pos x : 0 < Rpower t x.
Proof. apply exp_pos. Qed.
Lemma power_falls x y : 0 < t < 1 -> x <= y -> Rpower t y <= Rpower t x.
Proof.
  intros [t0 t1] le. assert (ln t < 0) by (rewrite <- ln_1; now apply ln_increasing).
  unfold Rpower. destruct (Req_dec x y) as [->|]; [lra|]. left. apply exp_increasing.
  apply Ropp_lt_cancel. rewrite !Ropp_mult_distr_r. apply Rmult_lt_compat_r; lra.
Qed.

(** Weights that attract, times a power of the count. *)
Lemma attract_tilted c n s : attract c n -> attract (fun l => c l * Rpower t (s * counted l)) n.
Proof.
  intros [c0 order]. split.
  - intros v. apply Rmult_le_pos; [apply c0|left; apply power_pos].
  - intros v v'. specialize (order v v').
    assert (E : counted (list_of v) + counted (list_of v') =
      counted (join (list_of v) (list_of v')) + counted (meet (list_of v) (list_of v')))
      by (apply counted_both; now rewrite !list_length).
    set (l := list_of v) in *. set (m := list_of v') in *.
    replace (_ * _ * (_ * _)) with (c l * c m * (Rpower t (s * counted l) *
      Rpower t (s * counted m))) by ring.
    replace (_ (join l m) * _ * (_ * _)) with (c (join l m) * c (meet l m) *
      (Rpower t (s * counted (join l m)) * Rpower t (s * counted (meet l m)))) by ring.
    rewrite <- !Rpower_plus, <- !Rmult_plus_distr_l, E.
    apply Rmult_le_compat_r; [left; apply power_pos|exact order].
Qed.

(** The outputs beyond all values leak most (classes.network-extremes): of noise that decays by t on
    an increasing sum of bits that attract one another, P(w | X_i = 1)/P(w | X_i = 0) is at most
    E[t^-Q | X_i = 1]/E[t^-Q | X_i = 0], and outputs above all values have this ratio; likewise
    P(w | X_i = 0)/P(w | X_i = 1), t^Q and outputs below all values.
    Differs: any weights that attract, so that networks with such tables are included; multiplied
    out, so that X_i can be certain; density form, for real numbers, which holds for integers
    too. *)
Theorem extremes c n i w : attract c n -> rising -> 0 < t < 1 ->
  mean c (noise w) n i true * mean c up n i false <=
    mean c up n i true * mean c (noise w) n i false /\
  mean c (noise w) n i false * mean c down n i true <=
    mean c down n i false * mean c (noise w) n i true /\
  (none_above n w -> mean c (noise w) n i true * mean c up n i false =
    mean c up n i true * mean c (noise w) n i false) /\
  (none_below n w -> mean c (noise w) n i false * mean c down n i true =
    mean c down n i false * mean c (noise w) n i true).
Proof.
  intros order rise t01.
  set (mu s l := c l * Rpower t (s * counted l)).
  assert (cut : forall s x g, mean (mu s) g n i x =
    mean c (fun l => Rpower t (s * counted l) * g l) n i x).
  { intros s x g. apply sum_ext; intros v _. unfold mu. destruct is_at; ring. }
  assert (at_up : forall x, mean c up n i x = mean (mu (-1)) (fun _ => 1) n i x).
  { intros x. rewrite cut. apply sum_ext; intros v _. unfold up. rewrite Rmult_1_r. do 2 f_equal.
    ring. }
  assert (at_down : forall x, mean c down n i x = mean (mu 1) (fun _ => 1) n i x).
  { intros x. rewrite cut. apply sum_ext; intros v _. unfold down. rewrite Rmult_1_r.
    do 2 f_equal. ring. }
  set (far s l := Rpower t (2 * Rmax 0 (s * (w - counted l)))).
  assert (noisy : forall s x, s = 1 \/ s = -1 ->
    mean c (noise w) n i x = Rpower t (- s * w) * mean (mu s) (far s) n i x).
  { intros s x S. rewrite cut. unfold mean. rewrite <- sum_scale. apply sum_ext; intros v _.
    set (k := if is_at i x (list_of v) then _ else 0).
    transitivity (k * (Rpower t (- s * w) *
      (Rpower t (s * counted (list_of v)) * far s (list_of v)))); [|ring].
    f_equal. unfold far, noise. rewrite <- !Rpower_plus. f_equal.
    unfold Rabs, Rmax. destruct Rcase_abs, Rle_dec, S; subst s; lra. }
  assert (ends : forall s y, s = 1 /\ y = false \/ s = -1 /\ y = true ->
    mean c (noise w) n i y * mean (mu s) (fun _ => 1) n i (negb y) <=
    mean (mu s) (fun _ => 1) n i y * mean c (noise w) n i (negb y)).
  { intros s y S. rewrite !(noisy s) by tauto.
    pose proof (ends_order n i (mu s) (far s) y (attract_tilted c n s order)
      (fun v => Rlt_le _ _ (power_pos _))) as le.
    apply (Rmult_le_compat_l (Rpower t (- s * w))) in le; [lra|left; apply power_pos|].
    intros v v'. apply power_falls; [easy|]. apply Rmult_le_compat_l; [lra|].
    destruct (counted_order (list_of v) (list_of v')) as [lo hi];
      [easy|now rewrite !list_length|].
    apply Rle_max_compat_l. destruct S as [[-> ->]|[-> ->]]; lra. }
  assert (reached : forall s, s = 1 \/ s = -1 ->
    (forall v : vec bool n, s * (w - counted (list_of v)) <= 0) ->
    forall x, mean c (noise w) n i x = Rpower t (- s * w) * mean (mu s) (fun _ => 1) n i x).
  { intros s S flat x. rewrite (noisy s x S). f_equal. apply sum_ext; intros v _. f_equal.
    unfold far. rewrite Rmax_left by apply flat. rewrite Rmult_0_r. apply Rpower_O; lra. }
  rewrite !at_up, !at_down. repeat split.
  - apply (ends (-1) true). tauto.
  - apply (ends 1 false). tauto.
  - intros top. rewrite !(reached (-1)); [ring| | | |]; try tauto;
      intros v; specialize (top v); lra.
  - intros low. rewrite !(reached 1); [ring| | | |]; try tauto; intros v; specialize (low v); lra.
Qed.
End Laws.
