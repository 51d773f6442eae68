(** The theorems that exported certificates about many runs use, beside [Composing]: violations of
    the necessary condition, and rates. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Indices Tables Integers Levels Leakage
  Released Rates Logarithms Games Composing Apart Separated.
Import ListNotations.
Open Scope R_scope.

(** A certificate of the kind nfc-violation.
    Differs: a database that no prior makes possible has a row, which may be any. What it means,
    that levels do not add up, is stated and proved beside the condition. *)
Theorem violation_of f h ps cs k l i j x : check_violation f h ps cs k l i j x = true ->
  well_formed f (map fst ps) /\ nfc_fails_at f ps k l i j x /\ ~ levels_add_up f ps.
Proof.
  intros H. apply apart_parts in H as [pok [place_ok [counts_ok others]]].
  destruct (parts_ok f h ps pok) as [wf [fok [hok [mok eok]]]]. split; [easy|].
  destruct (place_game f h ps pok k l i j x place_ok) as [here [is_x G]].
  pose proof (os_from ps cs) as from.
  pose proof (value_here f h ps cs pok x counts_ok here is_x) as v0.
  assert (above : forall y, 0 < inside (prior_of f l) (secret_of f j) y ->
    together_ratio (map run_of (flat_map shown_of (combine ps cs))) *
    value f (flat_map shown_of (combine ps cs)) y <
    value f (flat_map shown_of (combine ps cs)) here).
  { intros y pos. pose proof (others_of f h ps pok k l i j x place_ok _ others y pos) as t.
    exact (separates_sound f h ps cs pok x counts_ok here is_x true y t). }
  split.
  - exists here. split; [easy|]. split; [easy|].
    exact (no_weights f ps mok eok l j here _ from v0 above).
  - exact (no_adding_up f ps fok mok eok k l i j here G _ from v0 above).
Qed.

Section Fewer.
Context (f : framework) (m : mechanism) (mok : check_mechanism f m = true).

Lemma fewer ms r : within f (joint f (m :: ms)) r -> within f (joint f ms) r.
Proof.
  intros H p s t w hp hst Ps Pt.
  assert (E : forall u, Pw p (joint f ms) u w =
    Σ v : index (outputs m), Pw p (joint f (m :: ms)) u (v, w)).
  { intros u. unfold Pw. rewrite sum_swap. apply sum_ext; intros x _.
    cbn [joint]. unfold both. cbn [fst snd].
    rewrite (sum_ext all _ (fun v => inside p u x * joint f ms x w * channel f m x v))
      by (intros; ring).
    rewrite sum_scale. destruct (kernel_channel f m mok x) as [_ ->]. ring. }
  rewrite !E, Rmult_comm, <- !sum_scale. apply sum_le; intros v _.
  specialize (H p s t (v, w) hp hst Ps Pt). lra.
Qed.

Lemma fewer_runs a b r : within f (joint f (repeat m (a + b))) r ->
  within f (joint f (repeat m b)) r.
Proof. induction a as [|a IH]; [easy|]. intros H. apply IH. exact (fewer _ _ H). Qed.
End Fewer.

Lemma map_repeated {A B} (h : A -> B) x n : map h (repeat x n) = repeat (h x) n.
Proof. induction n as [|n IH]; [easy|]. cbn [repeat map]. now rewrite IH. Qed.
Lemma prod_repeat {A} (x : A) n g : prod (repeat x n) g = g x ^ n.
Proof. induction n as [|n IH]; [easy|]. cbn [repeat prod pow]. now rewrite IH. Qed.

Lemma all_the_same (m : mechanism) (e : level) runs : all_of [(m, e)] runs ->
  runs = repeat (m, e) (length runs).
Proof.
  induction runs as [|r runs IH]; intros here; [easy|]. cbn [length repeat].
  rewrite <- IH by (intros q i; apply here; now right).
  destruct (here r (or_introl eq_refl)) as [<-|[]]. easy.
Qed.

Lemma again_length (os : list shown) n : length (again os n) = (n * length os)%nat.
Proof.
  unfold again. induction n as [|n IH]; [easy|]. cbn [repeat concat].
  now rewrite app_length, IH.
Qed.

Section Rate.
Context (f : framework) (m : mechanism) (e : level) (fok : check_framework f = true).
Context (mok : check_mechanism f m = true) (eok : check_level e = true).
Context (k l i j : nat) (x : index (size f)) (here : game f k l i j x).
Context (os : list shown) (from : all_of [(m, e)] (map run_of os)).
Context (shows : 0 < value f os x).
Let ms_ok m' e' (I : In (m', e') [(m, e)]) : check_mechanism f m' = true.
Proof. destruct I as [I|[]]. injection I as <- _. exact mok. Qed.
Let es_ok m' e' (I : In (m', e') [(m, e)]) : check_level e' = true.
Proof. destruct I as [I|[]]. injection I as _ <-. exact eok. Qed.
Let s_x := inside (prior_of f k) (secret_of f i) x.

Lemma mechanisms_again n : map fst (map run_of (again os n)) = repeat m (n * length os).
Proof.
  rewrite (all_the_same m e _ (from_again _ os from n)), map_repeated.
  now rewrite map_length, again_length.
Qed.
Lemma ratio_of_all : together_ratio (map run_of os) = ratio e ^ length os.
Proof.
  rewrite (all_the_same m e (map run_of os) from). unfold together_ratio.
  now rewrite prod_repeat, map_length.
Qed.

(** A promise about so many runs, or more of them. *)
Lemma rate_apart n a r : within f (joint f (repeat m (a + n * length os))) r ->
  s_x * value f os x ^ n * P (prior_of f l) (secret_of f j) <=
  2 * Rmax r 0 * Σ y, inside (prior_of f l) (secret_of f j) y * value f os y ^ n.
Proof.
  intros H. apply (fewer_runs f m mok) in H. rewrite <- mechanisms_again in H.
  pose proof (joint_small f _ (runs_ok f _ ms_ok _ (from_again _ os from n))) as small.
  apply (within_more f fok _ (fun y w => proj1 (small y w)) _ (Rmax r 0)) in H; [|apply Rmax_l].
  exact (apart_again f _ fok ms_ok k l i j x here os from n _ (Rmax_r _ _) H).
Qed.

Lemma at_least : (0 < length os)%nat ->
  (forall y, 0 < inside (prior_of f l) (secret_of f j) y ->
    together_ratio (map run_of os) * value f os y <= value f os x) -> rate_at_least f m e.
Proof.
  intros some above. set (N := length os) in *. pose proof (ratio_one e eok) as e1.
  pose proof (inside_x f k l i j x here) as px. fold s_x in px.
  pose proof (P_others f k l i j x here) as Pt.
  assert (E0 : 0 < ratio e ^ N) by (apply pow_lt; lra).
  exists (s_x / (2 * ratio e ^ N)). split.
  { apply Rmult_lt_0_compat; [easy|]. apply Rinv_0_lt_compat. lra. }
  intros n r H. set (q := (n / N)%nat).
  assert (split_ : n = (n mod N + q * N)%nat).
  { pose proof (Nat.div_mod n N ltac:(lia)) as D. unfold q. lia. }
  rewrite split_ in H. apply rate_apart in H.
  rewrite ratio_of_all in above. fold N in above. set (T := ratio e ^ N) in *.
  assert (B : T ^ q * (Σ y, inside (prior_of f l) (secret_of f j) y * value f os y ^ q) <=
    P (prior_of f l) (secret_of f j) * value f os x ^ q).
  { rewrite <- sum_scale.
    rewrite (sum_ext all _ (fun y => inside (prior_of f l) (secret_of f j) y *
      (T * value f os y) ^ q)) by (intros; rewrite Rpow_mult_distr; ring).
    apply inside_sum; auto.
    - apply law_prior; [easy|]. now destruct here as [_ [ls _]].
    - intros y. apply Rmult_le_pos; [lra|]. exact (value_nonneg f _ ms_ok os from y).
    - lra. }
  assert (Vq : 0 < value f os x ^ q) by now apply pow_lt.
  assert (Tq : 0 < T ^ q) by now apply pow_lt.
  pose proof (Rmax_r r 0) as r0.
  assert (C : s_x * T ^ q <= 2 * Rmax r 0).
  { apply (Rmult_le_reg_r (value f os x ^ q * P (prior_of f l) (secret_of f j)));
      [now apply Rmult_lt_0_compat|].
    apply (Rmult_le_compat_l (T ^ q)) in H; [|lra].
    apply (Rmult_le_compat_l (2 * Rmax r 0)) in B; [|lra]. lra. }
  assert (pown : ratio e ^ n <= T ^ q * T).
  { rewrite split_, pow_add, Rmult_comm. rewrite Nat.mul_comm, pow_mult. fold T.
    apply Rmult_le_compat_l; [lra|]. unfold T. apply Rle_pow; [easy|].
    apply Nat.lt_le_incl, Nat.mod_upper_bound. lia. }
  assert (D : s_x / (2 * T) * ratio e ^ n <= Rmax r 0).
  { apply Rle_trans with (s_x / (2 * T) * (T ^ q * T)).
    - apply Rmult_le_compat_l; [|easy]. left. apply Rmult_lt_0_compat; [easy|].
      apply Rinv_0_lt_compat. lra.
    - replace (s_x / (2 * T) * (T ^ q * T)) with (s_x * T ^ q / 2) by (field; lra). lra. }
  assert (pos : 0 < s_x / (2 * T) * ratio e ^ n).
  { apply Rmult_lt_0_compat; [|apply pow_lt; lra].
    apply Rmult_lt_0_compat; [easy|]. apply Rinv_0_lt_compat. lra. }
  destruct (Rle_lt_dec r 0) as [neg|ok]; [rewrite Rmax_right in D; lra|].
  rewrite Rmax_left in D; lra.
Qed.

Lemma is_infinite : (forall y, 0 < inside (prior_of f l) (secret_of f j) y -> value f os y = 0) ->
  rate_infinite f m.
Proof.
  intros none. exists (length os). intros n le r H.
  replace n with ((n - length os) + 1 * length os)%nat in H by lia. apply rate_apart in H.
  pose proof (inside_x f k l i j x here) as px. fold s_x in px.
  pose proof (P_others f k l i j x here) as Pt.
  rewrite (sum_ext all _ (fun _ => 0)) in H.
  - rewrite sum_0, pow_1, Rmult_0_r in H.
    assert (0 < s_x * value f os x) by now apply Rmult_lt_0_compat.
    assert (0 < s_x * value f os x * P (prior_of f l) (secret_of f j))
      by now apply Rmult_lt_0_compat. lra.
  - intros y _. destruct here as [_ [ls _]].
    destruct (inside_nonneg _ (secret_of f j) y (law_prior f fok l ls)) as [pos|<-]; [|ring].
    rewrite (none y pos). ring.
Qed.
End Rate.

Lemma shown_some m e c : (0 < total c)%Z -> length c = outputs m ->
  (forall w, (0 <= at_place c w)%Z) -> (0 < length (flat_map shown_of [((m, e), c)]))%nat.
Proof.
  intros pos len c0.
  assert (0 < sum (flat_map shown_of [((m, e), c)]) (fun _ => 1)) as S.
  { rewrite sum_flat_map. cbn [sum]. unfold shown_of. rewrite sum_flat_map. cbn [fst snd].
    rewrite (sum_ext all _ (fun w : index (outputs m) => IZR (at_place c (number w)))).
    - rewrite (Sum_index (outputs m) (fun w => IZR (at_place c w))).
      rewrite <- total_sum by lia. apply IZR_lt in pos. lra.
    - intros w _. rewrite sum_repeat, INR_IZR_INZ, Z2Nat.id by auto. ring. }
  destruct (flat_map shown_of _); [cbn [sum] in S; lra|cbn [length]; lia].
Qed.

Lemma adding_up_at_most f m e : levels_add_up f [(m, e)] -> rate_at_most f m e.
Proof.
  intros [C each]. exists C. intros n. specialize (each (repeat (m, e) n)).
  rewrite map_repeated, prod_repeat in each. apply each. intros r ir.
  apply repeat_spec in ir. now left.
Qed.

(** A certificate of the kind rate.
    Differs: as for nfc; n runs leak n times the level up to a constant, of which the limit of
    leakage / n is a consequence; which place reaches the lower bound is not stated. *)
Theorem rate_of f h m low high bs c k l i j x :
  check_rate f h m low high bs c k l i j x = true ->
  well_formed f [m] /\ rate_at_least f m low /\ rate_at_most f m high.
Proof.
  unfold check_rate. intros H. rewrite !andb_true_iff in H. destruct H as [[H some] up].
  apply nfc_of in up as [wf [_ up]]. split; [exact wf|].
  split; [|now apply adding_up_at_most].
  apply apart_parts in H as [pok [place_ok [counts_ok others]]].
  destruct (parts_ok f h _ pok) as [_ [fok [_ [mok eok]]]].
  destruct (place_game f h _ pok k l i j x place_ok) as [here [is_x G]].
  destruct (counts_of [(m, low)] [c] x counts_ok ((m, low), c) (or_introl eq_refl))
    as [len [c0 _]].
  apply (at_least f m low fok (mok m low (or_introl eq_refl)) (eok m low (or_introl eq_refl))
    k l i j here G _ (os_from [(m, low)] [c])).
  - exact (value_here f h _ [c] pok x counts_ok here is_x).
  - apply shown_some; auto. now apply Z.ltb_lt.
  - intros y pos. pose proof (others_of f h _ pok k l i j x place_ok _ others y pos) as t.
    exact (separates_sound f h _ [c] pok x counts_ok here is_x false y t).
Qed.

(** A certificate of the kind rate, where the rate is infinite.
    Differs: a database that no prior makes possible has a row, which may be any; which place it is
    is not stated. *)
Theorem rate_infinite_of f m c k l i j x : check_infinite f m c k l i j x = true ->
  well_formed f [m] /\ rate_infinite f m.
Proof.
  unfold check_infinite. intros H. apply apart_parts in H as [pok [place_ok [counts_ok others]]].
  destruct (parts_ok f _ _ pok) as [wf [fok [_ [mok eok]]]]. split; [exact wf|].
  destruct (place_game f _ _ pok k l i j x place_ok) as [here [is_x G]].
  apply (is_infinite f m (Log 1 1) fok (mok m _ (or_introl eq_refl)) k l i j here G _
    (os_from [(m, Log 1 1)] [c])).
  - exact (value_here f _ _ [c] pok x counts_ok here is_x).
  - intros y pos. pose proof (others_of f _ _ pok k l i j x place_ok _ others y pos) as t.
    exact (never_value f _ _ [c] pok x counts_ok y t).
Qed.
