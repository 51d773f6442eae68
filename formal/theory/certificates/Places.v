(** Places where a promise breaks, or where a level is attained; the promise up to delta. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers Leakage.
Import ListNotations.
Open Scope Z_scope.

(** A prior: one of the list, or a mixture with these weights, which sum to the first number. *)
Inductive chosen := Listed (l : nat) | Mixed (unit : Z) (weights : list Z).
Definition chosen_unit f c := match c with
  | Listed _ => prior_unit f | Mixed unit _ => unit * prior_unit f end.
Definition chosen_law f c := match c with
  | Listed l => nth l (priors f) [] | Mixed _ ws => weighed ws (priors f) end.
Definition check_chosen f c : bool := match c with
  | Listed l => negb (convex f) && Nat.ltb l (length (priors f))
  | Mixed unit ws => convex f && (0 <? unit) && law_of unit (length (priors f)) ws end.

Definition check_pair f i j : bool := existsb (fun ij =>
  (Nat.eqb (fst ij) i && Nat.eqb (snd ij) j) || (Nat.eqb (fst ij) j && Nat.eqb (snd ij) i))
  (pairs f).

(** Whether prior and pair are there, both secrets possible, and what a test says of their views. *)
Definition check_spot (test : Z * list Z -> Z * list Z -> bool) f rs c i j : bool :=
  check_chosen f c && check_pair f i j &&
  let s := view rs (chosen_law f c) (nth i (secrets f) []) in
  let t := view rs (chosen_law f c) (nth j (secrets f) []) in
  (0 <? fst s) && (0 <? fst t) && test s t.

Definition exceeds n d w (s t : Z * list Z) : bool :=
  n * fst s * at_place (snd t) w <? at_place (snd s) w * fst t * Zpos d.
Definition attains n d w (s t : Z * list Z) : bool :=
  (0 <? at_place (snd t) w) &&
  (at_place (snd s) w * fst t * Zpos d =? n * fst s * at_place (snd t) w).
Definition certain w (s t : Z * list Z) : bool :=
  (0 <? at_place (snd s) w) && (at_place (snd t) w =? 0).

(** The sum of max(0, u a - v b) over all places. *)
Fixpoint excess u v (a b : list Z) : Z := match a, b with
  | x :: a, y :: b => Z.max 0 (u * x - v * y) + excess u v a b
  | [], _ => fold_right (fun y z => Z.max 0 (- (v * y)) + z) 0 b
  | _, [] => fold_right (fun x z => Z.max 0 (u * x) + z) 0 a end.
Definition small_excess n d dn dd K (s t : Z * list Z) : bool :=
  if fst s <=? 0 then true else if fst t <=? 0 then true else
  excess (fst t * Zpos d) (n * fst s) (snd s) (snd t) * Zpos dd
    <=? dn * fst s * fst t * K * Zpos d.
Definition large_excess n d dn dd K (s t : Z * list Z) : bool :=
  dn * fst s * fst t * K * Zpos d <?
  excess (fst t * Zpos d) (n * fst s) (snd s) (snd t) * Zpos dd.

Definition check_delta n d dn dd K f rs : bool :=
  negb (convex f) && forallb (check_pairs (small_excess n d dn dd K) f rs) (priors f).
Open Scope R_scope.

Lemma max_IZR a : IZR (Z.max 0 a) = Rmax 0 (IZR a).
Proof.
  destruct (Z.le_ge_cases 0 a) as [h|h].
  - rewrite Z.max_r, Rmax_right; auto. now apply IZR_le.
  - rewrite Z.max_l, Rmax_left; auto. now apply IZR_le.
Qed.

Lemma excess_sum u v a b n : (length a <= n)%nat -> (length b <= n)%nat ->
  IZR (excess u v a b) = sum (seq 0 n) (fun i =>
    Rmax 0 (IZR u * IZR (at_place a i) - IZR v * IZR (at_place b i))).
Proof.
  assert (zero : forall k, sum (seq 0 k)
    (fun i => Rmax 0 (IZR u * IZR (at_place [] i) - IZR v * IZR (at_place [] i))) = 0).
  { intros k. rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_0|]. intros i _.
    rewrite !at_nil. rewrite !Rmult_0_r, Rminus_0_r. apply Rmax_left; lra. }
  revert b n; induction a as [|x a IH]; intros b n ha hb.
  - cbn [excess]. revert n ha hb; induction b as [|y b IHb]; intros n ha hb;
      [symmetry; apply zero|].
    destruct n as [|n]; [simpl in hb; lia|]. rewrite sum_seq_S. cbn [fold_right].
    rewrite plus_IZR, (IHb n) by (simpl in *; lia). rewrite max_IZR, opp_IZR, mult_IZR. f_equal.
    + f_equal. unfold at_place; simpl. ring.
    + apply sum_ext; intros i _. now rewrite !at_nil.
  - destruct n as [|n]; [simpl in ha; lia|]. rewrite sum_seq_S. destruct b as [|y b].
    + change (excess u v (x :: a) [])
        with (Z.max 0 (u * x) + fold_right (fun x z => Z.max 0 (u * x) + z) 0 a)%Z.
      rewrite plus_IZR, max_IZR, mult_IZR. f_equal; [f_equal; unfold at_place; simpl; ring|].
      specialize (IH [] n ltac:(simpl in ha; lia) ltac:(simpl; lia)).
      replace (fold_right (fun x z => Z.max 0 (u * x) + z) 0 a)%Z with (excess u v a [])
        by now destruct a.
      rewrite IH. apply sum_ext; intros i _. now rewrite !at_nil.
    + cbn [excess]. rewrite plus_IZR, max_IZR, minus_IZR, !mult_IZR.
      rewrite (IH b n) by (simpl in *; lia). reflexivity.
Qed.

Lemma weighed_length ws rs n : (forall k, (length (nth k rs []) <= n)%nat) ->
  (length (weighed ws rs) <= n)%nat.
Proof.
  assert (lengths : forall a b, (length (add a b) <= Nat.max (length a) (length b))%nat).
  { induction a as [|x a IH]; intros [|y b]; simpl; try lia. specialize (IH b). lia. }
  revert rs; induction ws as [|w ws IH]; intros [|row rs] h; cbn [weighed length]; try lia.
  assert (length (weighed ws rs) <= n)%nat by (apply IH; intros k; exact (h (S k))).
  destruct (w =? 0)%Z; [easy|]. specialize (lengths (map (Z.mul w) row) (weighed ws rs)).
  rewrite map_length in lengths. specialize (h O); simpl in h. lia.
Qed.

Section Described.
Context (f : framework) (framework_ok : check_framework f = true).
Context {W : Type} (M : index (size f) -> W -> R) (K : Z) (rs : list (list Z)) (place : W -> nat).
Context (K0 : 0 < IZR K) (M0 : likelihood M).
Hypothesis describes :
  forall x w, IZR (at_place (nth (number x) rs []) (place w)) = IZR K * M x w.

Lemma chosen_reads c : check_chosen f c = true -> exists pr, priors_of f pr /\
  0 < IZR (chosen_unit f c) /\ (length (chosen_law f c) <= size f)%nat /\
  forall x, IZR (at_place (chosen_law f c) (number x)) = IZR (chosen_unit f c) * pr x.
Proof.
  pose proof (unit_pos f framework_ok) as U0. unfold priors_of.
  destruct c as [l|unit ws]; cbn [check_chosen chosen_unit chosen_law]; intros H;
    rewrite !andb_true_iff in H.
  - destruct H as [c H]. destruct (convex f); [easy|]. apply Nat.ltb_lt in H.
    destruct (listed_reads f framework_ok l H) as [short reads].
    exists (prior_of f l). split; [exists l; auto|]. auto.
  - destruct H as [[c u] H]. rewrite c. apply Z.ltb_lt, IZR_lt in u.
    set (weight := fun l : index (length (priors f)) => IZR (at_place ws (number l)) / IZR unit).
    exists (mixture_of f weight). split; [exists weight; split; [|easy]|].
    { split.
      - intros l. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
        apply IZR_le. now apply law_of_parts in H.
      - unfold weight. rewrite (Sum_index (length (priors f))
          (fun i => IZR (at_place ws i) / IZR unit)).
        rewrite (sum_ext _ _ (fun i => / IZR unit * IZR (at_place ws i)))
          by (intros; unfold Rdiv; ring).
        rewrite sum_scale, (law_of_sum _ _ _ H). field; lra. }
    rewrite mult_IZR. split; [nra|]. split.
    { apply weighed_length. intros k. destruct (nth_in_or_default k (priors f) []) as [I|E].
      - apply andb_prop in framework_ok as [_ h]. rewrite forallb_forall in h.
        apply h, law_of_parts in I as [len _]. lia.
      - rewrite E; simpl; lia. }
    intros x. apply law_of_parts in H as [len _].
    rewrite (weighed_sum _ _ _ (length (priors f))) by lia.
    rewrite <- (Sum_index (length (priors f)) (fun k => IZR (at_place ws k) *
      IZR (at_place (nth k (priors f) []) (number x)))).
    unfold mixture_of. rewrite <- sum_scale. apply sum_ext; intros l _.
    unfold weight, prior_of. field; split; lra.
Qed.

Lemma check_pair_in i j : check_pair f i j = true -> In (i, j) (pairs f) \/ In (j, i) (pairs f).
Proof.
  intros H. apply existsb_exists in H as [[i' j'] [I H]]. simpl in H.
  rewrite orb_true_iff, !andb_true_iff, !Nat.eqb_eq in H. destruct H as [[-> ->]|[-> ->]]; auto.
Qed.

(** What holds at a spot: its prior and pair are meant, and its integers are probabilities. *)
Lemma spot_sound test c i j : check_spot test f rs c i j = true ->
  exists pr U s t, priors_of f pr /\ pairs_of f (secret_of f i) (secret_of f j) /\ 0 < U /\
    0 < P pr (secret_of f i) /\ 0 < P pr (secret_of f j) /\
    s = view rs (chosen_law f c) (nth i (secrets f) []) /\
    t = view rs (chosen_law f c) (nth j (secrets f) []) /\ test s t = true /\
    IZR (fst s) = U * P pr (secret_of f i) /\ IZR (fst t) = U * P pr (secret_of f j) /\
    forall w, IZR (at_place (snd s) (place w)) = U * IZR K * Pw pr M (secret_of f i) w /\
      IZR (at_place (snd t) (place w)) = U * IZR K * Pw pr M (secret_of f j) w.
Proof.
  unfold check_spot. cbv zeta. rewrite !andb_true_iff, !Z.ltb_lt.
  intros [[c_ok pair] [[p0 q0] T]].
  destruct (chosen_reads c c_ok) as [pr [hp [U0 [short reads]]]].
  exists pr, (IZR (chosen_unit f c)), (view rs (chosen_law f c) (nth i (secrets f) [])),
    (view rs (chosen_law f c) (nth j (secrets f) [])).
  pose proof (view_P f rs (chosen_unit f c) _ pr short reads i) as pE.
  pose proof (view_P f rs (chosen_unit f c) _ pr short reads j) as qE.
  apply IZR_lt in p0, q0. rewrite pE in p0. rewrite qE in q0.
  split; [easy|]. split; [exists i, j; split; [now apply check_pair_in|auto]|].
  repeat split; auto; try nra; now apply view_Pw.
Qed.

Lemma within_at test c i j r w : check_spot test f rs c i j = true -> within f M r ->
  let s := view rs (chosen_law f c) (nth i (secrets f) []) in
  let t := view rs (chosen_law f c) (nth j (secrets f) []) in
  test s t = true /\ 0 < IZR (fst s) /\ 0 < IZR (fst t) /\
  IZR (at_place (snd s) (place w)) * IZR (fst t) <=
  r * IZR (fst s) * IZR (at_place (snd t) (place w)).
Proof.
  intros H h; cbv zeta.
  destruct (spot_sound _ _ _ _ H)
    as [pr [U [s' [t' [hp [hst [U0 [Ps [Pt [-> [-> [T [e1 [e2 e]]]]]]]]]]]]]].
  specialize (h pr _ _ w hp hst Ps Pt). destruct (e w) as [e3 e4].
  split; [easy|]. rewrite e1, e2, e3, e4. split; [nra|]. split; [nra|].
  apply (Rmult_le_compat_l (U * U * IZR K)) in h; [lra|].
  assert (0 < U * U) by nra. nra.
Qed.

Lemma exceeds_sound n d c i j w : check_spot (exceeds n d (place w)) f rs c i j = true ->
  ~ within f M (IZR n / IZR (Zpos d)).
Proof.
  intros H h. destruct (within_at _ _ _ _ _ w H h) as [T [p [q le]]].
  unfold exceeds in T. apply Z.ltb_lt, IZR_lt in T. rewrite !mult_IZR in T.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  set (a := IZR (at_place (snd (view rs (chosen_law f c) (nth i (secrets f) []))) (place w))) in *.
  set (b := IZR (at_place (snd (view rs (chosen_law f c) (nth j (secrets f) []))) (place w))) in *.
  apply (Rmult_le_compat_r (IZR (Zpos d))) in le; [|lra].
  replace (IZR n / IZR (Zpos d) * IZR (fst (view rs (chosen_law f c) (nth i (secrets f) []))) * b
    * IZR (Zpos d)) with (IZR n * IZR (fst (view rs (chosen_law f c) (nth i (secrets f) []))) * b)
    in le by (field; lra). lra.
Qed.

Lemma attains_sound n d c i j w : check_spot (attains n d (place w)) f rs c i j = true ->
  forall r, within f M r -> IZR n / IZR (Zpos d) <= r.
Proof.
  intros H r h. destruct (within_at _ _ _ _ _ w H h) as [T [p [q le]]].
  unfold attains in T. apply andb_prop in T as [b0 T]. apply Z.ltb_lt, IZR_lt in b0.
  apply Z.eqb_eq in T. apply (f_equal IZR) in T. rewrite !mult_IZR in T.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  set (a := IZR (at_place (snd (view rs (chosen_law f c) (nth i (secrets f) []))) (place w))) in *.
  set (b := IZR (at_place (snd (view rs (chosen_law f c) (nth j (secrets f) []))) (place w))) in *.
  set (ps := IZR (fst (view rs (chosen_law f c) (nth i (secrets f) [])))) in *.
  assert (pb : 0 < ps * b) by now apply Rmult_lt_0_compat.
  apply (Rmult_le_reg_r (ps * b * IZR (Zpos d))); [now apply Rmult_lt_0_compat|].
  replace (IZR n / IZR (Zpos d) * (ps * b * IZR (Zpos d))) with (IZR n * ps * b) by (field; lra).
  rewrite <- T. apply (Rmult_le_compat_r (IZR (Zpos d))) in le; lra.
Qed.

Lemma certain_sound c i j w : check_spot (certain (place w)) f rs c i j = true ->
  forall r, ~ within f M r.
Proof.
  intros H r h. destruct (within_at _ _ _ _ _ w H h) as [T [p [q le]]].
  unfold certain in T. apply andb_prop in T as [a0 b0]. apply Z.ltb_lt, IZR_lt in a0.
  apply Z.eqb_eq, (f_equal IZR) in b0. rewrite b0 in le. nra.
Qed.
End Described.

(** Up to delta, for one mechanism. *)
Section Delta.
Context (f : framework) (framework_ok : check_framework f = true).
Context (m : mechanism) (ok : check_mechanism f m = true).
Let K := row_unit m.
Let M := channel f m.

Lemma channel_described x (w : index (outputs m)) :
  IZR (at_place (nth (number x) (rows m) []) (number w)) = IZR K * M x w.
Proof. unfold M, channel, K. pose proof (row_unit_pos f m ok). field; lra. Qed.

Lemma view_short p s : (length (snd (view (rows m) p s)) <= outputs m)%nat.
Proof.
  apply weighed_length. intros k. destruct (nth_in_or_default k (rows m) []) as [I|E].
  - unfold check_mechanism in ok. rewrite !andb_true_iff, forallb_forall in ok.
    destruct ok as [_ h]. apply h, law_of_parts in I as [len _]. lia.
  - rewrite E; simpl; lia.
Qed.

(** U^2 K d times the excess over n/d. *)
Lemma excess_reads n d U z pr i j : 0 < U ->
  (forall s, IZR (fst (view (rows m) z (nth s (secrets f) []))) = U * P pr (secret_of f s)) ->
  (forall s w, IZR (at_place (snd (view (rows m) z (nth s (secrets f) []))) (number w)) =
    U * IZR K * Pw pr M (secret_of f s) w) ->
  let s := view (rows m) z (nth i (secrets f) []) in
  let t := view (rows m) z (nth j (secrets f) []) in
  IZR (excess (fst t * Zpos d) (n * fst s) (snd s) (snd t)) =
  U * U * IZR K * IZR (Zpos d) * Σ w, Rmax 0 (Pw pr M (secret_of f i) w * P pr (secret_of f j) -
    IZR n / IZR (Zpos d) * P pr (secret_of f i) * Pw pr M (secret_of f j) w).
Proof.
  intros U0 eP eW s t. rewrite (excess_sum _ _ _ _ (outputs m)) by apply view_short.
  rewrite <- (Sum_index (outputs m) (fun k => Rmax 0 (IZR (fst t * Zpos d) *
    IZR (at_place (snd s) k) - IZR (n * fst s) * IZR (at_place (snd t) k)))).
  rewrite <- sum_scale. apply sum_ext; intros w _. pose proof (row_unit_pos f m ok) as K0.
  fold K in K0. assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  assert (c0 : 0 <= U * U * IZR K * IZR (Zpos d)) by (repeat apply Rmult_le_pos; lra).
  unfold s, t. rewrite !mult_IZR, !eP, !eW, <- RmaxRmult, Rmult_0_r by easy.
  f_equal. field; lra.
Qed.

Lemma delta_sound n d dn dd : check_delta n d dn dd K f (rows m) = true ->
  within_up_to f M (IZR n / IZR (Zpos d)) (IZR dn / IZR (Zpos dd)).
Proof.
  intros H p s t hp hst Ps Pt. apply andb_prop in H as [c H]. rewrite forallb_forall in H.
  unfold priors_of in hp. destruct (convex f); [easy|]. destruct hp as [l [small ->]].
  destruct hst as [i [j [I [-> ->]]]]. specialize (H _ (nth_In _ [] small)).
  destruct (listed_reads f framework_ok l small) as [short reads].
  apply (check_pairs_at _ _ _ _ i j) in H; [|easy].
  pose proof (unit_pos f framework_ok) as U0.
  pose proof (row_unit_pos f m ok) as K0. fold K in K0.
  pose proof (view_P f (rows m) _ _ _ short reads) as eP.
  pose proof (view_Pw f M K (rows m) number channel_described _ _ _ short reads) as eW.
  pose proof (excess_reads n d _ _ _ i j U0 eP eW) as E. cbv zeta in E.
  unfold small_excess in H.
  destruct (Z.leb_spec (fst (view (rows m) (nth l (priors f) []) (nth i (secrets f) []))) 0)
    as [h|_].
  { apply IZR_le in h. rewrite eP in h. nra. }
  destruct (Z.leb_spec (fst (view (rows m) (nth l (priors f) []) (nth j (secrets f) []))) 0)
    as [h|_].
  { apply IZR_le in h. rewrite eP in h. nra. }
  apply Z.leb_le, IZR_le in H. rewrite !mult_IZR, E, !eP in H.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  assert (dd0 : 0 < IZR (Zpos dd)) by now apply IZR_lt.
  set (U := IZR (prior_unit f)) in *.
  apply (Rmult_le_reg_l (U * U * IZR K * IZR (Zpos d) * IZR (Zpos dd)));
    [repeat apply Rmult_lt_0_compat; easy|].
  set (p := P _ (secret_of f i)) in *. set (q := P _ (secret_of f j)) in *.
  replace (U * U * IZR K * IZR (Zpos d) * IZR (Zpos dd) * (IZR dn / IZR (Zpos dd) * p * q))
    with (IZR dn * (U * p) * (U * q) * IZR K * IZR (Zpos d)) by (field; lra). lra.
Qed.

Lemma delta_above_sound n d dn dd c i j :
  check_spot (large_excess n d dn dd K) f (rows m) c i j = true ->
  ~ within_up_to f M (IZR n / IZR (Zpos d)) (IZR dn / IZR (Zpos dd)).
Proof.
  intros H h. unfold check_spot in H. cbv zeta in H. rewrite !andb_true_iff, !Z.ltb_lt in H.
  destruct H as [[c_ok pair] [[p0 q0] T]].
  destruct (chosen_reads f framework_ok c c_ok) as [pr [hp [U0 [short reads]]]].
  pose proof (row_unit_pos f m ok) as K0. fold K in K0.
  pose proof (view_P f (rows m) _ _ _ short reads) as eP.
  pose proof (view_Pw f M K (rows m) number channel_described _ _ _ short reads) as eW.
  pose proof (excess_reads n d _ _ _ i j U0 eP eW) as E. cbv zeta in E.
  apply IZR_lt in p0, q0. rewrite eP in p0, q0.
  unfold large_excess in T. apply Z.ltb_lt, IZR_lt in T. rewrite !mult_IZR, E, !eP in T.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  assert (dd0 : 0 < IZR (Zpos dd)) by now apply IZR_lt.
  set (U := IZR (chosen_unit f c)) in *.
  assert (Ps : 0 < P pr (secret_of f i)) by nra. assert (Pt : 0 < P pr (secret_of f j)) by nra.
  specialize (h pr _ _ hp (ex_intro _ i (ex_intro _ j
    (conj (check_pair_in f i j pair) (conj eq_refl eq_refl)))) Ps Pt).
  apply (Rmult_le_compat_l (U * U * IZR K * IZR (Zpos d) * IZR (Zpos dd))) in h;
    [|repeat apply Rmult_le_pos; lra].
  set (p := P _ (secret_of f i)) in *. set (q := P _ (secret_of f j)) in *.
  replace (U * U * IZR K * IZR (Zpos d) * IZR (Zpos dd) * (IZR dn / IZR (Zpos dd) * p * q))
    with (IZR dn * (U * p) * (U * q) * IZR K * IZR (Zpos d)) in h by (field; lra). lra.
Qed.

(** The promise up to delta is weaker at a larger ratio. *)
Lemma up_to_more r r' delta : r <= r' -> within_up_to f M r delta -> within_up_to f M r' delta.
Proof.
  intros le H p s t hp hst Ps Pt. apply Rle_trans with (2 := H p s t hp hst Ps Pt).
  apply sum_le; intros w _. apply Rle_max_compat_l.
  assert (b0 : 0 <= Pw p M t w).
  { apply sum_nonneg; intros x _. apply Rmult_le_pos; [|now apply kernel_channel].
    unfold inside. destruct (t x); [|lra]. now apply (laws_priors f framework_ok p hp). }
  apply Rplus_le_compat_l, Ropp_le_contravar. repeat apply Rmult_le_compat_r; lra.
Qed.
End Delta.
