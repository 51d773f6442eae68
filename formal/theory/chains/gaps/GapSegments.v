(** Two queries on disjoint segments of chains with a gap, by the estimates of one quilt (song2017,
    theorem III.3 as repaired). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts Parallel
  ParallelChains SequentialQuilts SequentialChains RecordTables TableQuilts ParallelQuilts
  ParallelSegments ChainMoments Gap GapQuilts GapMechanism.
Import ListNotations.
Open Scope R_scope.

Section Tables.
Context {A : Type}.

Lemma list_ext (a b : list A) : (forall k, nth_error a k = nth_error b k) -> a = b.
Proof.
  revert b; induction a as [|x a IH]; intros [|y b] same; try easy;
    try (specialize (same O); discriminate).
  pose proof (same O) as first. injection first as <-. f_equal. apply IH. intros k. apply (same (S
    k)).
Qed.
Lemma vec_ext n (v w : vec A n) :
  (forall k, nth_error (list_of v) k = nth_error (list_of w) k) -> v = w.
Proof.
  induction n as [|n IH]; [now destruct v, w|]. destruct v as [x v], w as [y w]. intros same.
  pose proof (same O) as first. injection first as <-. f_equal. apply IH. intros k. apply (same (S
    k)).
Qed.

(** The first k records of w, the others of v. *)
Fixpoint mixed k {n} : vec A n -> vec A n -> vec A n := match n with
  | O => fun v _ => v
  | S n => fun v w => match k with O => v | S k => (fst w, mixed k (snd v) (snd w)) end end.
Lemma mixed_entry k n (v w : vec A n) j : nth_error (list_of (mixed k v w)) j =
  if Nat.ltb j k then nth_error (list_of w) j else nth_error (list_of v) j.
Proof.
  revert k j. induction n as [|n IH]; intros k j.
  { destruct v, w; simpl. destruct (Nat.ltb j k), j; easy. }
  destruct v as [x v], w as [y w], k as [|k]; [easy|]. destruct j as [|j]; [easy|].
  exact (IH v w k j).
Qed.

(** A query moves by at most the number of records that count, from one table to another that
    differs in a range. *)
Lemma path_moves n (h : vec A n -> R) (counts : nat -> bool) v w lo m : lipschitz_table h ->
  (forall k, counts k = false -> forall x y, but_for k x y -> h x = h y) ->
  Rabs (h (mixed lo v w) - h (mixed (lo + m) v w)) <= INR (length (filter counts (seq lo m))).
Proof.
  intros lip still. induction m as [|m IH].
  - rewrite Nat.add_0_r, Rminus_diag_eq, Rabs_R0 by easy. simpl; lra.
  - rewrite seq_S, filter_app, app_length, plus_INR.
    assert (next : but_for (lo + m) (mixed (lo + m) v w) (mixed (lo + S m) v w)).
    { intros k ne. rewrite !mixed_entry.
      destruct (Nat.ltb_spec k (lo + m)), (Nat.ltb_spec k (lo + S m)); easy || lia. }
    assert (one : Rabs (h (mixed (lo + m) v w) - h (mixed (lo + S m) v w)) <=
      INR (length (filter counts [(lo + m)%nat]))).
    { simpl. destruct (counts (lo + m)%nat) eqn:E; simpl; [now apply (lip (lo + m)%nat)|].
      rewrite (still _ E _ _ next), Rminus_diag_eq, Rabs_R0 by easy. lra. }
    replace (h (mixed lo v w) - h (mixed (lo + S m) v w)) with
      ((h (mixed lo v w) - h (mixed (lo + m) v w)) +
       (h (mixed (lo + m) v w) - h (mixed (lo + S m) v w))) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Definition within first last k : bool := Nat.leb first k && Nat.leb k last.
Lemma segment_still n first last k (x y : vec A n) : within first last k = false ->
  but_for k x y -> segment first last x = segment first last y.
Proof.
  intros out same. apply list_ext. intros j. unfold segment.
  destruct (Nat.le_gt_cases first last) as [le|gt];
    [|now replace (S last - first)%nat with 0%nat by lia].
  replace (S last - first)%nat with (S (last - first)) by lia.
  destruct (Nat.le_gt_cases j (last - first)) as [here|far].
  - rewrite !nth_first, !nth_skip by easy. apply same. intros <-. unfold within in out.
    destruct (Nat.leb_spec first (first + j)), (Nat.leb_spec (first + j) last);
      try discriminate; lia.
  - rewrite !(proj2 (nth_error_None _ j)); [easy| |];
      eapply Nat.le_trans; [apply firstn_le_length|lia|apply firstn_le_length|lia].
Qed.

Lemma segment_moves n first last (h : vec A n -> R) lo hi v w : lipschitz_table h ->
  looks_at (segment first last) h -> (lo <= hi)%nat -> agree_but lo hi v w ->
  Rabs (h v - h w) <= INR (length (filter (within first last) (seq lo (hi - lo)))).
Proof.
  intros lip seen order [l [u [u' [r [ll [lu [lu' [Ev Ew]]]]]]]].
  assert (same : forall k, (k < lo \/ hi <= k)%nat ->
    nth_error (list_of v) k = nth_error (list_of w) k).
  { intros k out. rewrite Ev, Ew. destruct out as [before|after].
    - now rewrite !nth_error_app1 by lia.
    - rewrite !(nth_error_app2 l), !nth_error_app2 by lia. now rewrite lu'. }
  replace v with (mixed lo v w) at 1.
  2: { apply vec_ext. intros k. rewrite mixed_entry. destruct (Nat.ltb_spec k lo); [|easy].
       symmetry. apply same. lia. }
  replace w with (mixed (lo + (hi - lo)) v w) at 2.
  2: { apply vec_ext. intros k. rewrite mixed_entry. destruct (Nat.ltb_spec k (lo + (hi - lo)));
       [easy|]. apply same. lia. }
  apply path_moves; [easy|]. intros k out x y one. apply seen. now apply (segment_still n _ _ k).
Qed.

Lemma disjoint_counts T1 T2 T3 T4 lo m : (T2 < T3)%nat ->
  (length (filter (within T1 T2) (seq lo m)) + length (filter (within T3 T4) (seq lo m)) <= m)%nat.
Proof.
  intros apart. revert lo. induction m as [|m IH]; intros lo; [easy|]. simpl.
  specialize (IH (S lo)). unfold within in *.
  destruct (Nat.leb_spec T1 lo), (Nat.leb_spec lo T2), (Nat.leb_spec T3 lo), (Nat.leb_spec lo T4);
    simpl; lia.
Qed.
End Tables.

Section Segments.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

Lemma told_fewer low r n lo hi i j : 0 <= r -> far low r n lo hi j ->
  (0 < lo <= j)%nat -> (j < hi < n)%nat -> (i < n)%nat ->
  let lo' := (S i - (S j - lo))%nat in let hi' := Nat.min n (i + (hi - j)) in
  far low r n lo' hi' i /\ told_at_most low r n lo' hi' i <= told_at_most low r n lo hi j.
Proof.
  intros r0 [left_ right_] l0 h0 top lo' hi'.
  destruct left_ as [no|fl]; [lia|]. destruct right_ as [no|fr]; [lia|].
  assert (far low r n lo' hi' i) as apart.
  { split.
    - destruct (Nat.eq_dec lo' 0) as [|some]; [now left|right].
      now replace (S i - lo')%nat with (S j - lo)%nat by (unfold lo' in *; lia).
    - destruct (Nat.le_gt_cases n hi') as [|less]; [now left|right].
      now replace (hi' - i)%nat with (hi - j)%nat by (unfold hi' in *; lia). }
  split; [easy|]. unfold told_at_most.
  assert (G1 : 1 <= over low (r ^ (S j - lo))) by (apply over_1; split; [now apply pow_le|easy]).
  assert (G2 : 1 <= over low (r ^ (hi - j))) by (apply over_1; split; [now apply pow_le|easy]).
  assert (L : match lo' with O => 1 | S _ => over low (r ^ (S i - lo')) * over low (r ^ (S i - lo'))
    end <= over low (r ^ (S j - lo)) * over low (r ^ (S j - lo)) /\ 0 <= match lo' with O => 1 |
    S _ => over low (r ^ (S i - lo')) * over low (r ^ (S i - lo')) end).
  { destruct lo' as [|k] eqn:E; [split; nra|].
    replace (S i - S k)%nat with (S j - lo)%nat by (unfold lo' in E; lia). split; nra. }
  assert (R_ : (if Nat.ltb hi' n then over low (r ^ (hi' - i)) else 1) <= over low (r ^ (hi - j)) /\
    0 <= if Nat.ltb hi' n then over low (r ^ (hi' - i)) else 1).
  { destruct (Nat.ltb_spec hi' n) as [less|]; [|split; lra].
    replace (hi' - i)%nat with (hi - j)%nat by (unfold hi' in *; lia). split; lra. }
  destruct lo as [|lo0]; [lia|]. destruct (Nat.ltb_spec hi n); [|lia].
  apply Rmult_le_compat; tauto.
Qed.

(** Parallel composition of MQMApprox (song2017, theorem III.3, asked beyond it): queries on two
    disjoint segments, with noise of at least the scale b, and a quilt of two records whose score by
    the estimates is at most b. Then both releases keep its level for the values of every record,
    as each borrows the quilt, and has no more records near it, of both segments together.
    Differs: any gap between the segments, and the quilt of one of them only; else as
    [estimated_quilts]. *)
Lemma segments_by_one_quilt n class low r T1 T2 T3 T4 (ra rb : release_data n) eps b j lo hi :
  gaps class low r -> lipschitz_table (asked ra) -> lipschitz_table (asked rb) ->
  looks_at (segment T1 T2) (asked ra) -> looks_at (segment T3 T4) (asked rb) -> (T2 < T3)%nat ->
  (0 < lo <= j)%nat -> (j < hi < n)%nat -> quilt_scores low r n eps b j lo hi ->
  b <= with_noise ra -> b <= with_noise rb ->
  pufferfish (exp eps) (both (fun v => laplace (with_noise ra) (asked ra v))
    (fun v => laplace (with_noise rb) (asked rb v))) (two_values dA n) (laws_at_rest class n).
Proof.
  intros all_gaps lipa lipb seea seeb apart l0 h0 [far_ [e [told [e1 sc]]]] ba bb p s t [w w'] Hp
    [i [x [y [-> ->]]]] Ps Pt.
  destruct Hp as [c [[[pi [m P]] [here ->]] Ep]]. cbn [fst snd] in Ep. subst p.
  destruct (all_gaps pi m P here) as [Lm [least gap]]. pose proof gap as [[_ [_ [rows _]]] [[r0 _]
    _]].
  assert (top : (i < n)%nat).
  { destruct (Nat.lt_ge_cases i n) as [|ge]; [easy|exfalso].
    destruct (sum_pos_exists _ _ Ps) as [v [_ pos]]. revert pos.
    unfold inside, record_is, value, record.
    rewrite (proj2 (nth_error_None (list_of v) i)) by (now rewrite list_length).
    destruct (decide_option dA None (Some x)); [congruence|lra]. }
  destruct (told_fewer low r n lo hi i j r0 far_ l0 h0 top) as [far' le].
  set (lo' := (S i - (S j - lo))%nat) in *. set (hi' := Nat.min n (i + (hi - j))) in *.
  assert (near : 0 < INR (hi - lo)) by (apply lt_0_INR; lia).
  assert (b0 : 0 < b).
  { apply Rlt_le_trans with (2 := sc). apply Rdiv_lt_0_compat; lra. }
  assert (room : INR (hi - lo) / b <= eps - e).
  { apply (Rmult_le_reg_r b); [easy|]. unfold Rdiv in *. rewrite Rmult_assoc, Rinv_l, Rmult_1_r
      by lra. apply (Rmult_le_compat_r (eps - e)) in sc; [|lra].
    rewrite Rmult_assoc, Rinv_l in sc by lra. lra. }
  replace eps with (e + (eps - e)) by ring. rewrite exp_plus.
  apply (any_at dA m (fun _ => P) Lm (fun _ => rows) n lo' hi' _ i);
    [|left; apply exp_pos|unfold lo', hi'; lia|unfold hi'; lia|apply record_is_about|
     apply record_is_about| |].
  - intros v [z z']. apply Rmult_le_pos; apply laplace_nonneg; lra.
  - apply (estimate_is_bound dA pi m P low r n lo' hi' i e Lm least gap far'). lra.
  - intros v v' agreed. unfold both; cbn [fst snd].
    assert (order : (lo' <= hi')%nat) by (unfold lo', hi'; lia).
    pose proof (segment_moves n T1 T2 _ lo' hi' v v' lipa seea order agreed) as ma.
    pose proof (segment_moves n T3 T4 _ lo' hi' v v' lipb seeb order agreed) as mb.
    pose proof (disjoint_counts T1 T2 T3 T4 lo' (hi' - lo') apart) as sum_.
    set (ca := length (filter (within T1 T2) (seq lo' (hi' - lo')))) in *.
    set (cb := length (filter (within T3 T4) (seq lo' (hi' - lo')))) in *.
    assert (few : INR ca + INR cb <= INR (hi - lo)).
    { rewrite <- plus_INR. apply le_INR. unfold lo', hi' in *. lia. }
    assert (share : forall k s0, b <= s0 -> INR k / s0 <= INR k / b).
    { intros k s0 le0. unfold Rdiv. apply Rmult_le_compat_l; [apply pos_INR|].
      apply Rinv_le_contravar; lra. }
    pose proof (laplace_near (with_noise ra) (INR ca) _ _ w ltac:(lra) ma) as na.
    pose proof (laplace_near (with_noise rb) (INR cb) _ _ w' ltac:(lra) mb) as nb.
    eapply Rle_trans; [apply Rmult_le_compat; [apply laplace_nonneg; lra|apply laplace_nonneg;
      lra|exact na|exact nb]|].
    replace (exp (INR ca / with_noise ra) * laplace (with_noise ra) (asked ra v') w *
      (exp (INR cb / with_noise rb) * laplace (with_noise rb) (asked rb v') w')) with
      (exp (INR ca / with_noise ra + INR cb / with_noise rb) *
       (laplace (with_noise ra) (asked ra v') w * laplace (with_noise rb) (asked rb v') w'))
      by (rewrite exp_plus; ring).
    apply Rmult_le_compat_r; [apply Rmult_le_pos; apply laplace_nonneg; lra|].
    assert (total : INR ca / with_noise ra + INR cb / with_noise rb <= eps - e).
    { pose proof (share ca _ ba). pose proof (share cb _ bb).
      assert (INR ca / b + INR cb / b <= INR (hi - lo) / b); [|lra].
      replace (INR ca / b + INR cb / b) with ((INR ca + INR cb) / b) by (field; lra).
      unfold Rdiv. apply Rmult_le_compat_r; [|easy]. left. now apply Rinv_0_lt_compat. }
    destruct total as [less|E]; [left; now apply exp_increasing|rewrite E; lra].
Qed.

(** Some record of a segment has a quilt of two of its records that scores. *)
Definition segment_score low r n eps b first last := exists j lo hi,
  ((first < lo <= j)%nat /\ (j < hi <= last)%nat /\ (hi < n)%nat) /\
    quilt_scores low r n eps b j lo hi.

(** Parallel composition of MQMApprox on far segments (song2017, theorem III.3 as repaired): each of
    two mechanisms has a quilt of two records inside its own segment whose score by the estimates is
    at most its scale, as it has if that quilt is active. Then both keep the larger level.
    Differs: the segments need no gap between them, which the print asks for; else as
    [estimated_quilts]. *)
Theorem estimated_segments n class low r T1 T2 T3 T4 (ra rb : release_data n) :
  gaps class low r -> lipschitz_table (asked ra) -> lipschitz_table (asked rb) ->
  looks_at (segment T1 T2) (asked ra) -> looks_at (segment T3 T4) (asked rb) ->
  (T2 < T3)%nat ->
  segment_score low r n (at_level ra) (with_noise ra) T1 T2 ->
  segment_score low r n (at_level rb) (with_noise rb) T3 T4 ->
  pufferfish (exp (Rmax (at_level ra) (at_level rb)))
    (both (fun v => laplace (with_noise ra) (asked ra v))
      (fun v => laplace (with_noise rb) (asked rb v)))
    (either (two_values_in dA n T1 T2) (two_values_in dA n T3 T4)) (laws_at_rest class n).
Proof.
  intros all_gaps lipa lipb seea seeb apart [j [lo [hi [[l0 [h0 n0]] sa]]]]
    [k [lo' [hi' [[l1 [h1 n1]] sb]]]] p s t w Hp st Ps Pt.
  assert (values_ : two_values dA n s t).
  { destruct st as [[i [x [y [_ [-> ->]]]]]|[i [x [y [_ [-> ->]]]]]]; now exists i, x, y. }
  assert (pos : forall b eps e m, 0 < INR m -> e < eps -> INR m / (eps - e) <= b -> 0 < b).
  { intros b eps e m near less sc. apply Rlt_le_trans with (2 := sc).
    apply Rdiv_lt_0_compat; lra. }
  assert (a0 : 0 < with_noise ra).
  { destruct sa as [_ [e [_ [less sc]]]]. apply (pos _ _ _ (hi - lo)%nat) in sc; try easy.
    apply lt_0_INR. lia. }
  assert (b0 : 0 < with_noise rb).
  { destruct sb as [_ [e [_ [less sc]]]]. apply (pos _ _ _ (hi' - lo')%nat) in sc; try easy.
    apply lt_0_INR. lia. }
  assert (Lp : law p).
  { destruct Hp as [c [[[pi [m P]] [here ->]] ->]]. destruct (all_gaps pi m P here) as [Lm [_ gap]].
    apply sequence_is_law; [exact Lm|]. intros i u. apply gap. }
  set (M := both _ _) in *.
  assert (M0 : likelihood M) by (intros v [z z']; apply Rmult_le_pos; apply laplace_nonneg; lra).
  assert (larger : forall eps, eps <= Rmax (at_level ra) (at_level rb) ->
    pufferfish (exp eps) M (two_values dA n) (laws_at_rest class n) ->
    Pw p M s w * P p t <= exp (Rmax (at_level ra) (at_level rb)) * P p s * Pw p M t w).
  { intros eps le promise. eapply Rle_trans; [now apply promise|].
    apply Rmult_le_compat_r; [now apply Pw_nonneg|]. apply Rmult_le_compat_r; [lra|].
    destruct le as [less| ->]; [left; now apply exp_increasing|lra]. }
  destruct (Rle_lt_dec (with_noise ra) (with_noise rb)) as [less|less].
  - apply (larger (at_level ra)); [apply Rmax_l|].
    apply (segments_by_one_quilt n class low r T1 T2 T3 T4 ra rb _ (with_noise ra) j lo hi); auto;
      lia || lra.
  - apply (larger (at_level rb)); [apply Rmax_r|].
    apply (segments_by_one_quilt n class low r T1 T2 T3 T4 ra rb _ (with_noise rb) k lo' hi'); auto;
      lia || lra.
Qed.
End Segments.
