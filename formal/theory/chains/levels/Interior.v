(** A bit of a chain of bits, with its records in their order: its sides are the branches of a tree,
    the left one with the steps backwards. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain RecordTables Recursion InnerBit.
Import ListNotations.
Open Scope R_scope.

(** The law of X_k. *)
Fixpoint law_after (p : bool -> R) (T : nat -> bool -> bool -> R) k : bool -> R := match k with
  | O => p
  | S k => fun y => Σ x, law_after p T k x * T k x y end.
Definition steps_laws (T : nat -> bool -> bool -> R) := forall k x, law (T k x).
Definition levels_above_one (lev : nat -> R) := forall j, 1 <= lev j.

Lemma law_after_law p T k : law p -> steps_laws T -> law (law_after p T k).
Proof.
  intros lp lt. induction k as [|k [pos one]]; [easy|]. split.
  - intros y. apply sum_nonneg. intros x _. apply Rmult_le_pos; [easy|apply lt].
  - cbn [law_after]. rewrite sum_swap, <- one. apply sum_ext. intros x _.
    rewrite sum_scale. destruct (lt k x) as [_ ->]. ring.
Qed.

(** 1 where two records agree, and 1/R_k where they do not. *)
Definition factor (lev : nat -> R) k (x c : bool) := if eqb x c then 1 else / lev k.
Fixpoint agreeing lev k (l c : list bool) := match l, c with
  | x :: l, y :: c => factor lev k x y * agreeing lev (S k) l c
  | _, _ => 1 end.

Lemma steps_shift (F G : nat -> bool -> bool -> R) k j x l :
  (forall a y z, F (k + a)%nat y z = G (j + a)%nat y z) -> steps F k x l = steps G j x l.
Proof.
  revert k j x. induction l as [|y l IH]; intros k j x e; [easy|]. simpl. f_equal.
  - specialize (e 0%nat x y). now rewrite !Nat.add_0_r in e.
  - apply IH. intros a z z'. specialize (e (S a) z z'). now rewrite !Nat.add_succ_r in e.
Qed.
Lemma agreeing_shift f g k j l c : (forall a, f (k + a)%nat = g (j + a)%nat) ->
  agreeing f k l c = agreeing g j l c.
Proof.
  revert k j c. induction l as [|x l IH]; intros k j [|y c] e; try easy. simpl. f_equal.
  - unfold factor. specialize (e 0%nat). rewrite !Nat.add_0_r in e. now rewrite e.
  - apply IH. intros a. specialize (e (S a)). now rewrite !Nat.add_succ_r in e.
Qed.

(** The records before the bit, nearest first. *)
Lemma agreeing_rev lev l c t u : length l = length c ->
  agreeing lev 0 (rev l ++ t) (rev c ++ u) =
  agreeing (fun j => lev (length l - j)%nat) 1 l c * agreeing lev (length l) t u.
Proof.
  revert c t u. induction l as [|x l IH]; intros [|y c] t u len; try discriminate; [simpl; ring|].
  injection len as len. cbn [rev]. rewrite <- !app_assoc. cbn [app]. rewrite IH by easy.
  cbn [agreeing length]. replace (S (length l) - 1)%nat with (length l) by lia.
  rewrite (agreeing_shift (fun j => lev (S (length l) - j)%nat) (fun j => lev (length l - j)%nat) 2
    1) by (intros; f_equal; lia). unfold factor.
  replace (S (length l) - 1)%nat with (length l) by lia. ring.
Qed.

Section Levels.
Context (lev : nat -> R) (lev1 : levels_above_one lev).
Lemma factor_range k x c : 0 < factor lev k x c <= 1.
Proof.
  specialize (lev1 k). unfold factor. destruct (eqb x c); [lra|]. split.
  - apply Rinv_0_lt_compat. lra.
  - rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.
Lemma agreeing_range k l c : 0 < agreeing lev k l c <= 1.
Proof.
  revert k c. induction l as [|x l IH]; intros k [|y c]; simpl; try lra.
  destruct (factor_range k x y) as [f0 f1], (IH (S k) c) as [a0 a1]. split.
  - now apply Rmult_lt_0_compat.
  - rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
Qed.
Lemma same_lists {A} (l l' : list A) : (forall k, nth_error l k = nth_error l' k) -> l = l'.
Proof.
  revert l'. induction l as [|x l IH]; intros [|y l'] e; try easy.
  - now specialize (e 0%nat).
  - now specialize (e 0%nat).
  - pose proof (e 0%nat) as h. injection h as ->. f_equal. apply IH. intros k. apply (e (S k)).
Qed.
Lemma agreeing_levels k j l l' c : length l = length l' ->
  (forall a, a <> j -> nth_error l a = nth_error l' a) ->
  agreeing lev k l c <= lev (k + j)%nat * agreeing lev k l' c.
Proof.
  revert k j l' c. induction l as [|x l IH]; intros k j [|x' l'] c len e; try discriminate.
  - pose proof (lev1 (k + j)%nat). simpl. lra.
  - destruct c as [|y c]; [pose proof (lev1 (k + j)%nat); simpl; lra|]. injection len as len.
    simpl. destruct j as [|j].
    + assert (l = l') as -> by (apply same_lists; intros a; now apply (e (S a))).
      rewrite Nat.add_0_r, <- Rmult_assoc. destruct (agreeing_range (S k) l' c).
      apply Rmult_le_compat_r; [lra|]. pose proof (lev1 k) as l1.
      assert (1 <= lev k * factor lev k x' y).
      { unfold factor. destruct (eqb x' y); [lra|]. rewrite Rinv_r; lra. }
      destruct (factor_range k x y). lra.
    + pose proof (e 0%nat ltac:(lia)) as h. injection h as ->.
      specialize (IH (S k) j l' c len (fun a ne => e (S a) ltac:(lia))).
      destruct (factor_range k x' y). rewrite Nat.add_succ_r.
      apply (Rmult_le_compat_l (factor lev k x' y)) in IH; [simpl in IH; lra|lra].
Qed.

(** The end at which a message lies is attained by a product. *)
Context (T : nat -> bool -> bool -> R) (LT : steps_laws T).
Lemma side_reached k n :
  (exists c : vec bool n, let u (v : vec bool n) := agreeing lev (S k) (list_of v) (list_of c) in
    0 < mean T k u false /\ mean T k u true = fst (turn T lev k n) * mean T k u false) /\
  (exists c : vec bool n, let u (v : vec bool n) := agreeing lev (S k) (list_of v) (list_of c) in
    0 < mean T k u true /\ mean T k u false = snd (turn T lev k n) * mean T k u true).
Proof.
  revert k. induction n as [|n IH]; intros k.
  - split; exists tt; unfold mean; simpl; lra.
  - destruct (IH (S k)) as [[c [c0 ec]] [d [d0 ed]]].
    pose proof (lev1 (S k)) as l1. destruct (turn_pos T lev LT lev1 (S k) n) as [a0 b0].
    cbn [turn fst snd].
    set (up := lev (S k) * fst (turn T lev (S k) n)).
    set (down := lev (S k) * snd (turn T lev (S k) n)).
    set (g := quotient (T k true) (T k false)).
    assert (up0 : 0 < up) by (apply Rmult_lt_0_compat; lra).
    assert (down0 : 0 < down) by (apply Rmult_lt_0_compat; lra).
    assert (g0 : forall t, 0 < t -> 0 < g t).
    { intros t t0. apply Rdiv_lt_0_compat; now apply (denominator T LT). }
    assert (at_end : forall t y (e : vec bool n), 0 < t ->
      let h (v : vec bool n) := agreeing lev (S (S k)) (list_of v) (list_of e) in
      0 < factor lev (S k) false y * mean T (S k) h false ->
      factor lev (S k) true y * mean T (S k) h true =
        t * (factor lev (S k) false y * mean T (S k) h false) ->
      let u (v : vec bool (S n)) := agreeing lev (S k) (list_of v) (list_of (n := S n) (y, e)) in
      0 < mean T k u false /\ 0 < mean T k u true /\ mean T k u true = g t * mean T k u false).
    { intros t y e t0 h z0 E u. unfold u. rewrite !mean_next.
      cbn [list_of agreeing fst snd].
      rewrite !(mean_scale T (S k) n _ (fun v => agreeing lev (S (S k)) (list_of v) (list_of e))).
      fold h. rewrite E. set (z := factor lev (S k) false y * mean T (S k) h false) in *.
      pose proof (denominator T LT k true t t0) as dt.
      pose proof (denominator T LT k false t t0) as df.
      replace (T k true true * (t * z) + T k true false * z)
        with ((T k true true * t + T k true false) * z) by ring.
      replace (T k false true * (t * z) + T k false false * z)
        with ((T k false true * t + T k false false) * z) by ring.
      repeat split; try (now apply Rmult_lt_0_compat). unfold g, quotient. field. lra. }
    destruct (at_end up true c up0) as [u0 [u1 eu]].
    { unfold factor; simpl. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; lra|exact c0]. }
    { unfold factor; simpl. rewrite ec. unfold up. field. lra. }
    destruct (at_end (/ down) false d (Rinv_0_lt_compat _ down0)) as [v0 [v1 ev]].
    { unfold factor; simpl. rewrite ed, Rmult_1_l. now apply Rmult_lt_0_compat. }
    { unfold factor; simpl. rewrite ed. unfold down. field. lra. }
    pose proof (g0 up up0). pose proof (g0 (/ down) (Rinv_0_lt_compat _ down0)).
    split; unfold Rmax; destruct Rle_dec.
    + exists (false, d). now split.
    + exists (true, c). now split.
    + exists (false, d). split; [exact v1|]. rewrite ev. field. lra.
    + exists (true, c). split; [exact u1|]. rewrite eu. field. lra.
Qed.
End Levels.

Section Interior.
Context (i m : nat) (p : bool -> R) (T B : nat -> bool -> bool -> R) (lev : nat -> R).

(** The records X_0 .. X_(i+m) of a table, whose sides are kept apart, and their law. *)
Definition in_order (x : bits i m) : list bool :=
  rev (list_of (fst x)) ++ fst (snd x) :: list_of (snd (snd x)).
Definition chain_bits (x : bits i m) := chain_weight p T (in_order x).
(** P(X_(k+1) = x) B_k(x, y) = P(X_k = y) T_k(y, x). *)
Definition backwards := forall k, (k < i)%nat -> forall x y,
  law_after p T (S k) x * B k x y = law_after p T k y * T k y x.
Definition both_possible := forall v, 0 < law_after p T i v.
(** M(x, w) <= R_j M(x', w) where x and x' differ in X_j at most. *)
Definition levelled {W} (M : bits i m -> W -> R) := forall j x y,
  (forall k, k <> j -> nth_error (in_order x) k = nth_error (in_order y) k) ->
  forall w, M x w <= lev j * M y w.
(** P(M = w | X_i = v). *)
Definition told {W} (M : bits i m -> W -> R) v w :=
  Pw chain_bits M (bit_is i m v) w / P chain_bits (bit_is i m v).

(** Both sides as steps away from the bit, with levels. *)
Definition left_steps j := B (i - 1 - j)%nat.
Definition right_steps j := T (i + j)%nat.
Definition left_levels j := lev (i - j)%nat.
Definition right_levels j := lev (i + j)%nat.
Definition worst_of v := worst i m left_steps right_steps (lev i) left_levels right_levels v.

(** It shows 1 with half the product of 1/R_j over the records in which x and c differ. *)
Definition shows_half (c x : bits i m) (w : bool) :=
  let h := / 2 * agreeing lev 0 (in_order x) (in_order c) in if w then h else 1 - h.
Definition reached v s := exists c : bits i m, (forall x, law (shows_half c x)) /\
  levelled (shows_half c) /\ 0 < told (shows_half c) (negb v) true /\
  told (shows_half c) v true = s * told (shows_half c) (negb v) true.

Lemma before l b : (forall k, (k < length l)%nat -> forall x y,
    law_after p T (S k) x * B k x y = law_after p T k y * T k y x) ->
  chain_weight p T (rev l ++ [b]) =
  law_after p T (length l) b * steps (fun j => B (length l - 1 - j)%nat) 0 b l.
Proof.
  revert b. induction l as [|y l IH]; intros b back; [simpl; ring|].
  cbn [rev]. rewrite <- app_assoc. cbn [app]. rewrite chain_app, IH, rev_length.
  2: { intros k lt. apply back. simpl. lia. }
  cbn [length steps]. pose proof (back (length l) ltac:(simpl; lia) b y) as e.
  replace (S (length l) - 1 - 0)%nat with (length l) by lia.
  rewrite (steps_shift (fun j => B (S (length l) - 1 - j)%nat) (fun j => B (length l - 1 - j)%nat)
    1 0) by (intros; f_equal; lia).
  set (s := steps _ 0 y l).
  transitivity (law_after p T (S (length l)) b * B (length l) b y * s); [rewrite e|]; ring.
Qed.

Lemma in_branches x : backwards ->
  chain_bits x = bits_law i m (law_after p T i) left_steps right_steps x.
Proof.
  intros back. destruct x as [l [b r]]. unfold chain_bits, in_order, bits_law. cbn [fst snd].
  rewrite chain_app, before, rev_length, list_length.
  2: { intros k lt. apply back. now rewrite list_length in lt. }
  rewrite Rmult_assoc. do 2 f_equal.
  apply (steps_shift T right_steps i 0). intros a y z. unfold right_steps. easy.
Qed.

Lemma same_but j l l' (t : list bool) : length l = i -> length l' = i ->
  (forall k, k <> j -> nth_error l k = nth_error l' k) ->
  forall k, k <> (i - S j)%nat -> nth_error (rev l ++ t) k = nth_error (rev l' ++ t) k.
Proof.
  intros len len' e k ne. destruct (Nat.le_gt_cases i k) as [le|lt].
  - rewrite !nth_error_app2 by (rewrite rev_length; lia). now rewrite !rev_length, len, len'.
  - rewrite !nth_error_app1 by (rewrite rev_length; lia).
    rewrite !(nth_error_nth' _ true) by (rewrite rev_length; lia).
    rewrite !rev_nth, len, len' by lia.
    pose proof (e (i - S k)%nat ltac:(lia)) as h.
    rewrite !(nth_error_nth' _ true) in h by lia. exact h.
Qed.

Lemma levelled_bits {W} (M : bits i m -> W -> R) : likelihood M -> levelled M ->
  bit_levels i m (lev i) left_levels right_levels M.
Proof.
  intros M0 lv. split; [exact M0|]. intros w. split; [|split].
  - intros l b b' r. apply lv. intros k ne. unfold in_order; cbn [fst snd].
    destruct (Nat.le_gt_cases i k) as [le|lt].
    + rewrite !nth_error_app2; rewrite rev_length, list_length; try easy.
      destruct (k - i)%nat eqn:d; [lia|easy].
    + rewrite !nth_error_app1; try easy; rewrite rev_length, list_length; lia.
  - intros j l l' b r diff. apply (lv (i - S j)%nat). intros k ne. unfold in_order; cbn [fst snd].
    apply (same_but j); auto using list_length.
  - intros j l b r r' diff. apply (lv (i + S j)%nat). intros k ne. unfold in_order; cbn [fst snd].
    destruct (Nat.le_gt_cases i k) as [le|lt].
    + rewrite !nth_error_app2; rewrite rev_length, list_length; try easy.
      destruct (k - i)%nat as [|a] eqn:d; [easy|]. apply diff. lia.
    + rewrite !nth_error_app1; try easy; rewrite rev_length, list_length; lia.
Qed.

Lemma shows_laws c x : levels_above_one lev -> law (shows_half c x).
Proof.
  intros l1. pose proof (agreeing_range lev l1 0 (in_order x) (in_order c)).
  split; [intros []; unfold shows_half; lra|]. unfold shows_half. simpl. lra.
Qed.

Lemma shows_levels c : levels_above_one lev -> levelled (shows_half c).
Proof.
  intros l1 j x y e w. pose proof (l1 j) as lj.
  assert (len : length (in_order x) = length (in_order y)).
  { unfold in_order. rewrite !app_length, !rev_length. simpl. now rewrite !list_length. }
  pose proof (agreeing_levels lev l1 0 j _ _ (in_order c) len e) as xy.
  pose proof (agreeing_levels lev l1 0 j _ _ (in_order c) (eq_sym len)
    (fun a ne => eq_sym (e a ne))) as yx. simpl in xy, yx.
  pose proof (agreeing_range lev l1 0 (in_order x) (in_order c)) as rx.
  pose proof (agreeing_range lev l1 0 (in_order y) (in_order c)) as ry.
  unfold shows_half. set (a := agreeing lev 0 (in_order x) (in_order c)) in *.
  set (b := agreeing lev 0 (in_order y) (in_order c)) in *. set (L := lev j) in *.
  clearbody a b L. destruct w; [lra|].
  destruct (Rle_dec b a) as [le|gt]; [nra|].
  assert (L * (/ 2 * b) - / 2 * a <= L - 1); [|lra].
  apply (Rmult_le_reg_l L); [lra|].
  assert (b * (L * L - 1) <= 1 * (L * L - 1)) by (apply Rmult_le_compat_r; nra). nra.
Qed.

(** The chain seen from a bit (worst.record-levels-interior, worst.chain-interior): with the level
    R_j for record j the largest ratio of P(w | X_i = v) and P(w | X_i = 1 - v) is R_i times what
    the two branches contribute, the left one with the steps backwards, in either order.
    Differs: records are counted from 0; it is reached by one output of a mechanism with two. *)
Theorem seen_from_bit v : law p -> steps_laws T -> steps_laws B -> backwards -> both_possible ->
  levels_above_one lev ->
  (forall W (M : bits i m -> W -> R) w, likelihood M -> levelled M ->
    told M v w <= worst_of v * told M (negb v) w) /\ reached v (worst_of v).
Proof.
  intros lp lt lb back pos l1. set (q := law_after p T i).
  assert (lq : law q) by now apply law_after_law.
  assert (ll : forall k x, law (left_steps k x)) by (intros; apply lb).
  assert (lr : forall k x, law (right_steps k x)) by (intros; apply lt).
  assert (levl : levels_above_one left_levels) by (intros k; apply l1).
  assert (levr : levels_above_one right_levels) by (intros k; apply l1).
  set (b_law := bits_law i m q left_steps right_steps).
  assert (same : forall x, chain_bits x = b_law x) by (intros; now apply in_branches).
  assert (eP : forall z, P chain_bits (bit_is i m z) = q z).
  { intros z. rewrite <- (P_bit i m q left_steps right_steps ll lr z). apply sum_ext. intros x _.
    unfold inside. now rewrite same. }
  assert (ePw : forall W (M : bits i m -> W -> R) z w, Pw chain_bits M (bit_is i m z) w =
    Pw b_law M (bit_is i m z) w).
  { intros W M z w. apply sum_ext. intros x _. unfold inside. now rewrite same. }
  assert (qpos : forall z, 0 < q z) by exact pos. split.
  - intros W M w M0 lv. unfold told. rewrite !eP, !ePw.
    pose proof (recursion_bounds i m q left_steps right_steps (lev i) left_levels right_levels lq ll
      lr (l1 i) levl levr M v w (levelled_bits M M0 lv)) as bound.
    rewrite !(P_bit i m q left_steps right_steps ll lr) in bound. fold b_law worst_of in bound.
    pose proof (qpos v) as q1. pose proof (qpos (negb v)) as q0.
    apply (Rmult_le_reg_r (q v * q (negb v))); [now apply Rmult_lt_0_compat|].
    replace (Pw b_law M (bit_is i m v) w / q v * (q v * q (negb v))) with
      (Pw b_law M (bit_is i m v) w * q (negb v)) by (field; lra).
    replace (worst_of v * (Pw b_law M (bit_is i m (negb v)) w / q (negb v)) * (q v * q (negb v)))
      with (worst_of v * q v * Pw b_law M (bit_is i m (negb v)) w) by (field; lra).
    exact bound.
  - assert (side_of : forall (F : nat -> bool -> bool -> R) f n, steps_laws F ->
      levels_above_one f -> exists c : vec bool n,
      let u (x : vec bool n) := agreeing f 1 (list_of x) (list_of c) in
      0 < mean F 0 u (negb v) /\ mean F 0 u v = side v (turn F f 0 n) * mean F 0 u (negb v)).
    { intros F f n lF lf. destruct (side_reached f lf F lF 0 n) as [[c C] [d D]].
      destruct v; [now exists c|now exists d]. }
    destruct (side_of left_steps left_levels i ll levl) as [cl [u0 eu]].
    destruct (side_of right_steps right_levels m lr levr) as [cr [v0 ev]].
    set (c := (cl, (v, cr)) : bits i m). exists c.
    split; [intros; now apply shows_laws|]. split; [now apply shows_levels|].
    assert (E : forall z, told (shows_half c) z true = / 2 * (factor lev i z v *
      (mean left_steps 0 (fun x : vec bool i => agreeing left_levels 1 (list_of x) (list_of cl)) z *
       mean right_steps 0 (fun x : vec bool m =>
         agreeing right_levels 1 (list_of x) (list_of cr)) z))).
    { intros z. unfold told. rewrite eP, ePw. unfold b_law. rewrite told_means. unfold Rdiv.
      rewrite Rmult_comm, <- Rmult_assoc, Rinv_l, Rmult_1_l by (specialize (qpos z); lra).
      unfold two_means, mean. rewrite sum_product, <- !sum_scale.
      apply sum_ext; intros l _. rewrite <- !sum_scale. apply sum_ext; intros r _.
      unfold shows_half, in_order, c. cbn [fst snd].
      rewrite agreeing_rev by now rewrite !list_length. rewrite !list_length.
      cbn [agreeing]. unfold left_levels.
      rewrite (agreeing_shift lev right_levels (S i) 1)
        by (intros; unfold right_levels; f_equal; lia). ring. }
    rewrite !E, eu, ev. unfold worst_of, worst, factor. rewrite eqb_reflx.
    replace (eqb (negb v) v) with false by now destruct v.
    pose proof (l1 i) as li. split.
    + repeat apply Rmult_lt_0_compat; try lra; try easy. apply Rinv_0_lt_compat. lra.
    + field. lra.
Qed.
End Interior.
