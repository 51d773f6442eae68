(** The necessary condition for composition, decided with integers: every game has weights that keep
    all outputs at their levels; and then the levels add up. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Indices Tables Integers Levels Leakage
  Places Released Rates Logarithms.
Import ListNotations.
Open Scope Z_scope.

(** Weights of databases for a database, which sum to a unit: a hint. *)
Record weighing := Weighing { about : nat; whole : positive; weights : list Z }.

(** The outputs of a row in turn, each with its column in other rows. *)
Fixpoint all_columns (check : Z -> list Z -> bool) row (others : list (list Z)) : bool :=
  match row with [] => true | a :: row =>
    if check a (map (hd 0) others) then all_columns check row (map (@tl Z) others) else false end.

(** The weights that are not 0, with their rows. *)
Definition weighty b (rs : list (list Z)) : list (Z * list Z) :=
  filter (fun nr => negb (fst nr =? 0)) (combine (weights b) rs).
Definition keeps_output h e b ns (a : Z) (bs : list Z) : bool :=
  let n := Zpos (whole b) in let c := level_constant e n in
  if a =? 0 then true else forallb (Z.ltb 0) bs &&
  log_sum_at_most h false ((n, a) :: combine (map Z.opp ns) bs ++
    map (fun t => (- fst t, snd t)) (level_terms e n)) (fst c) (snd c).
Definition keeps_level h b (me : mechanism * level) : bool :=
  let parts := weighty b (rows (fst me)) in
  all_columns (keeps_output h (snd me) b (map fst parts)) (nth (about b) (rows (fst me)) [])
    (map snd parts).
Definition check_weighing f h ps b : bool :=
  Nat.ltb (about b) (size f) && law_of (Zpos (whole b)) (size f) (weights b) &&
  forallb (keeps_level h b) ps.

(** Whether weights are on possible databases only. *)
Fixpoint only_on (ws possible : list Z) : bool := match ws, possible with
  | w :: ws, p :: possible => ((w =? 0) || (0 <? p)) && only_on ws possible
  | ws, [] => forallb (Z.eqb 0) ws
  | [], _ => true end.
Definition secret_at f i := nth i (secrets f) [].
Definition prior_at f k := nth k (priors f) [].
Definition check_compared f k l i j : bool := Nat.eqb k l || (convex f &&
  ((total (keep (secret_at f j) (prior_at f k)) =? 0) ||
   (total (keep (secret_at f i) (prior_at f l)) =? 0))).
Definition check_game bs f k l i j : bool :=
  let others := keep (secret_at f j) (prior_at f l) in
  if total others =? 0 then true else if negb (check_compared f k l i j) then true else
  let mine := keep (secret_at f i) (prior_at f k) in
  let fits := filter (fun b => only_on (weights b) others) bs in
  forallb (fun x => (at_place mine x =? 0) || existsb (fun b => Nat.eqb (about b) x) fits)
    (seq 0 (size f)).
Definition check_games f bs : bool :=
  forallb (fun k => forallb (fun l => forallb (fun ij =>
    check_game bs f k l (fst ij) (snd ij) && check_game bs f k l (snd ij) (fst ij)) (pairs f))
    (if convex f then seq 0 (length (priors f)) else [k])) (seq 0 (length (priors f))).

Definition check_parts f h (ps : list (mechanism * level)) : bool :=
  check_all f (map fst ps) && forallb (fun me => check_level (snd me)) ps && check_logarithms h.
Definition check_nfc f h ps bs : bool :=
  check_parts f h ps && forallb (check_weighing f h ps) bs && check_games f bs.

Lemma all_columns_at check row others i : all_columns check row others = true ->
  (i < length row)%nat -> check (at_place row i) (map (fun o => at_place o i) others) = true.
Proof.
  revert others i; induction row as [|a row IH]; intros others i H small; [simpl in small; lia|].
  cbn [all_columns] in H. destruct (check a (map (hd 0) others)) eqn:C; [|easy].
  destruct i as [|i].
  - rewrite <- C. f_equal. apply map_ext. now intros [|].
  - specialize (IH _ i H ltac:(simpl in small; lia)). rewrite map_map in IH.
    rewrite <- IH. f_equal. apply map_ext. intros [|z o]; [now rewrite !at_nil|easy].
Qed.

Lemma only_on_at ws possible i : only_on ws possible = true -> at_place ws i <> 0 ->
  0 < at_place possible i.
Proof.
  revert possible i; induction ws as [|w ws IH]; intros possible i H n; [now rewrite at_nil in n|].
  destruct possible as [|p possible].
  - exfalso. change (forallb (Z.eqb 0) (w :: ws) = true) in H. rewrite forallb_forall in H.
    unfold at_place in n. destruct (nth_in_or_default i (w :: ws) 0) as [j|e]; [|easy].
    apply H in j. apply Z.eqb_eq in j. lia.
  - cbn [only_on] in H. apply andb_prop in H as [h H]. destruct i as [|i]; [|exact (IH _ _ H n)].
    unfold at_place in *. simpl in *. apply orb_prop in h as [h|h]; [|now apply Z.ltb_lt].
    now apply Z.eqb_eq in h.
Qed.
Open Scope R_scope.

Section Framework.
Context (f : framework) (framework_ok : check_framework f = true).
Let U := IZR (prior_unit f).

Lemma inside_reads k i x : (k < length (priors f))%nat ->
  IZR (at_place (keep (secret_at f i) (prior_at f k)) (number x)) =
  U * inside (prior_of f k) (secret_of f i) x.
Proof.
  intros small. destruct (listed_reads f framework_ok k small) as [_ reads].
  rewrite at_keep. unfold inside, secret_of, secret_at.
  destruct (nth (number x) _ false); [apply reads|ring].
Qed.

Lemma P_reads k i : (k < length (priors f))%nat ->
  IZR (total (keep (secret_at f i) (prior_at f k))) = U * P (prior_of f k) (secret_of f i).
Proof.
  intros small. destruct (listed_reads f framework_ok k small) as [short reads].
  exact (view_P f [] (prior_unit f) (prior_at f k) (prior_of f k) short reads i).
Qed.

Lemma unit_one : 1 <= U.
Proof.
  pose proof (unit_pos f framework_ok) as u. apply lt_IZR in u.
  apply (IZR_le 1). lia.
Qed.

Lemma inside_least k i x : (k < length (priors f))%nat ->
  0 < inside (prior_of f k) (secret_of f i) x -> 1 <= U * inside (prior_of f k) (secret_of f i) x.
Proof.
  intros small pos. rewrite <- inside_reads by easy. pose proof unit_one.
  assert (0 < IZR (at_place (keep (secret_at f i) (prior_at f k)) (number x))) as p
    by (rewrite inside_reads by easy; apply Rmult_lt_0_compat; lra).
  apply lt_IZR in p. apply (IZR_le 1). lia.
Qed.

Lemma P_least k i : (k < length (priors f))%nat ->
  0 < P (prior_of f k) (secret_of f i) -> 1 <= U * P (prior_of f k) (secret_of f i).
Proof.
  intros small pos. rewrite <- P_reads by easy. pose proof unit_one.
  assert (0 < IZR (total (keep (secret_at f i) (prior_at f k)))) as p
    by (rewrite P_reads by easy; apply Rmult_lt_0_compat; lra).
  apply lt_IZR in p. apply (IZR_le 1). lia.
Qed.

Lemma P_small (p : index (size f) -> R) s : law p -> P p s <= 1.
Proof.
  intros [pos <-]. unfold P. apply sum_le; intros x _. unfold inside. specialize (pos x).
  destruct (s x); lra.
Qed.

Lemma possible_zero k i : (k < length (priors f))%nat ->
  (total (keep (secret_at f i) (prior_at f k)) =? 0)%Z = true <->
  P (prior_of f k) (secret_of f i) = 0.
Proof.
  intros small. pose proof unit_one. rewrite Z.eqb_eq. split; intros e.
  - apply (f_equal IZR) in e. rewrite P_reads in e by easy. apply Rmult_integral in e as [e|e]; lra.
  - apply eq_IZR. rewrite P_reads, e by easy. ring.
Qed.

Lemma compared_reads k l i j : (k < length (priors f))%nat -> (l < length (priors f))%nat ->
  check_compared f k l i j = true <-> compared f k l i j.
Proof.
  intros ks ls. unfold check_compared, compared.
  rewrite orb_true_iff, andb_true_iff, orb_true_iff, Nat.eqb_eq, !possible_zero by easy. tauto.
Qed.

(** What the checks say of a game. *)
Lemma games_sound bs k l i j x : check_games f bs = true -> game f k l i j x ->
  exists b, In b bs /\ about b = number x /\
    forall y, at_place (weights b) (number y) <> 0%Z ->
      0 < inside (prior_of f l) (secret_of f j) y.
Proof.
  intros H [ks [ls [I [comp [px Pt]]]]]. unfold check_games in H.
  rewrite forallb_forall in H. specialize (H k (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) ks))).
  rewrite forallb_forall in H.
  assert (il : In l (if convex f then seq 0 (length (priors f)) else [k])).
  { destruct (convex f) eqn:c; [apply in_seq; lia|]. destruct comp as [->|[c' _]]; [now left|].
    congruence. }
  specialize (H l il). rewrite forallb_forall in H.
  assert (G : check_game bs f k l i j = true).
  { destruct I as [I|I]; specialize (H _ I); apply andb_prop in H; cbn [fst snd] in H; tauto. }
  clear H I. unfold check_game in G. cbv zeta in G. pose proof unit_one as U1.
  destruct (total (keep (secret_at f j) (prior_at f l)) =? 0)%Z eqn:T.
  { apply possible_zero in T; [lra|easy]. }
  apply compared_reads in comp; [|easy..]. rewrite comp in G. cbn [negb] in G.
  rewrite forallb_forall in G. pose proof (number_lt _ x) as xs.
  specialize (G (number x) (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) xs))).
  apply orb_prop in G as [G|G].
  { apply Z.eqb_eq, (f_equal IZR) in G. rewrite inside_reads in G by easy. nra. }
  apply existsb_exists in G as [b [ib e]]. apply filter_In in ib as [ib on].
  apply Nat.eqb_eq in e. exists b. repeat split; auto.
  intros y n. apply (only_on_at _ _ _ on) in n. apply IZR_lt in n.
  rewrite inside_reads in n by easy. apply (Rmult_lt_reg_l U); lra.
Qed.
End Framework.

(** Weights as real numbers. *)
Definition beta_of f b : index (size f) -> R :=
  fun y => IZR (at_place (weights b) (number y)) / IZR (Zpos (whole b)).

Lemma filter_sum {A} (p : A -> bool) (l : list A) g : (forall x, p x = false -> g x = 0) ->
  sum (filter p l) g = sum l g.
Proof.
  intros zero. induction l as [|x l IH]; [easy|]. cbn [filter sum]. destruct (p x) eqn:E.
  - cbn [sum]. now rewrite IH.
  - now rewrite IH, zero, Rplus_0_l.
Qed.

Lemma combine_sum ws rs n (g : Z -> list Z -> R) : length ws = n -> length rs = n ->
  sum (combine ws rs) (fun wr => g (fst wr) (snd wr)) =
  sum (seq 0 n) (fun i => g (at_place ws i) (nth i rs [])).
Proof.
  revert rs n; induction ws as [|w ws IH]; intros [|r rs] [|n] a b; try easy.
  rewrite sum_seq_S. cbn [combine sum fst snd]. rewrite (IH rs n); auto.
Qed.

Lemma log_sum_app l m : log_sum (l ++ m) = log_sum l + log_sum m.
Proof. unfold log_sum. apply sum_app. Qed.
Lemma log_sum_opp l : log_sum (map (fun t => (- fst t, snd t)%Z) l) = - log_sum l.
Proof.
  unfold log_sum. rewrite sum_map. cbn [fst snd].
  rewrite (sum_ext l _ (fun t => -1 * (IZR (fst t) * ln (IZR (snd t)))))
    by (intros; rewrite opp_IZR; ring).
  rewrite sum_scale. ring.
Qed.

Section Weighed.
Context (f : framework) (h : logarithms) (hok : check_logarithms h = true).
Context (m : mechanism) (mok : check_mechanism f m = true).
Context (e : level) (eok : check_level e = true).
Context (b : weighing) (bok : law_of (Zpos (whole b)) (size f) (weights b) = true).
Let K := IZR (row_unit m).
Let N := IZR (Zpos (whole b)).
Let entry (y : index (size f)) (w : index (outputs m)) :=
  at_place (nth (number y) (rows m) []) (number w).

Lemma whole_pos : 0 < N.
Proof. now apply IZR_lt. Qed.

Lemma beta_law : law (beta_of f b).
Proof.
  pose proof whole_pos as n0. split.
  - intros y. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
    apply IZR_le. now apply law_of_parts in bok.
  - rewrite (sum_ext all _ (fun y => / N * IZR (at_place (weights b) (number y))))
      by (intros; unfold beta_of, Rdiv; apply Rmult_comm).
    rewrite sum_scale, (Sum_index (size f) (fun i => IZR (at_place (weights b) i))).
    rewrite (law_of_sum _ _ _ bok). fold N. field. lra.
Qed.

Lemma rows_length : length (rows m) = size f.
Proof.
  unfold check_mechanism in mok. rewrite !andb_true_iff, Nat.eqb_eq in mok. tauto.
Qed.
Lemma row_length k : (k < size f)%nat -> length (nth k (rows m) []) = outputs m.
Proof.
  intros small. pose proof rows_length as len. unfold check_mechanism in mok.
  rewrite !andb_true_iff, forallb_forall in mok. destruct mok as [_ all_].
  assert (I : In (nth k (rows m) []) (rows m)) by (apply nth_In; lia).
  now apply all_, law_of_parts in I.
Qed.
Lemma entry_channel (y : index (size f)) (w : index (outputs m)) :
  IZR (entry y w) = K * channel f m y w.
Proof. apply channel_described; easy. Qed.

Lemma weighing_keeps x : about b = number x -> keeps_level h b (m, e) = true -> forall w,
  channel f m x w <= ratio e * geo (beta_of f b) (fun y => channel f m y w).
Proof.
  intros ex H w. unfold keeps_level in H. cbn [fst snd] in H. cbv zeta in H. rewrite ex in H.
  pose proof (number_lt _ x) as xs. pose proof (number_lt _ w) as ws.
  apply (all_columns_at _ _ _ (number w)) in H; [|now rewrite row_length].
  fold (entry x w) in H. unfold keeps_output in H. cbv zeta in H.
  pose proof (row_unit_pos f m mok) as k0. fold K in k0.
  pose proof whole_pos as n0. pose proof (ratio_one e eok) as r1.
  assert (g0 : 0 <= geo (beta_of f b) (fun y => channel f m y w))
    by (apply prod_nonneg; intros; apply pw_nonneg).
  destruct (kernel_channel f m mok x) as [c0 _]. specialize (c0 w).
  destruct (Z.eqb_spec (entry x w) 0) as [z|nz].
  { apply (f_equal IZR) in z. rewrite entry_channel in z.
    replace (channel f m x w) with 0 by (apply Rmult_integral in z as [z|z]; lra).
    apply Rmult_le_pos; lra. }
  assert (cx : 0 < channel f m x w).
  { destruct c0 as [c0|c0]; [easy|]. exfalso. apply nz. apply eq_IZR.
    rewrite entry_channel, <- c0. ring. }
  apply andb_prop in H as [pos H]. rewrite forallb_forall in pos.
  apply (log_sum_sound h hok) in H.
  set (parts := weighty b (rows m)) in *.
  assert (len : length (weights b) = size f) by (now apply law_of_parts in bok).
  assert (b0 : forall i, (0 <= at_place (weights b) i)%Z) by (now apply law_of_parts in bok).
  assert (cy : forall y, at_place (weights b) (number y) <> 0%Z -> 0 < channel f m y w).
  { intros y n. pose proof (number_lt _ y) as ys. pose proof rows_length as rl.
    assert (I : In (at_place (weights b) (number y), nth (number y) (rows m) []) parts).
    { unfold parts, weighty. apply filter_In. split; [|cbn [fst]; destruct Z.eqb eqn:E; [|easy];
        now apply Z.eqb_eq in E].
      unfold at_place. rewrite <- combine_nth by lia.
      apply nth_In. rewrite combine_length. lia. }
    apply (in_map snd) in I. apply (in_map (fun o => at_place o (number w))) in I.
    cbn [snd] in I. apply pos in I. apply Z.ltb_lt, IZR_lt in I.
    fold (entry y w) in I. rewrite entry_channel in I. apply (Rmult_lt_reg_l K); lra. }
  unfold geo. rewrite prod_exp.
  2: { intros y _. destruct (Z.eq_dec (at_place (weights b) (number y)) 0) as [z|n].
       - left. unfold beta_of. rewrite z. unfold Rdiv. ring.
       - right. now apply cy. }
  rewrite <- (exp_ln (ratio e)) by lra. rewrite <- exp_plus. rewrite <- (exp_ln _ cx) at 1.
  set (S := Σ y, beta_of f b y * ln (channel f m y w)).
  enough (ln (channel f m x w) <= ln (ratio e) + S) as [l|q];
    [left; now apply exp_increasing|right; now rewrite q|].
  (* both sides times N, with entries for probabilities *)
  change ((Zpos (whole b), entry x w) :: ?l) with ([(Zpos (whole b), entry x w)] ++ l) in H.
  rewrite !log_sum_app, log_sum_opp in H.
  pose proof (level_log e (Zpos (whole b)) eok) as L. fold N in L.
  assert (A : log_sum [(Zpos (whole b), entry x w)] = N * (ln K + ln (channel f m x w))).
  { unfold log_sum. cbn [sum fst snd]. rewrite entry_channel, ln_mult by easy. fold N. ring. }
  assert (B : log_sum (combine (map Z.opp (map fst parts)) (map (fun o => at_place o (number w))
    (map snd parts))) = - (N * (ln K + S))).
  { unfold log_sum.
    rewrite (sum_ext _ _ (fun t => -1 * (IZR (- fst t) * ln (IZR (snd t)))))
      by (intros; rewrite opp_IZR; ring).
    rewrite sum_scale.
    assert (E : forall l : list (Z * list Z), sum (combine (map Z.opp (map fst l))
      (map (fun o => at_place o (number w)) (map snd l)))
      (fun t => IZR (- fst t) * ln (IZR (snd t))) =
      sum l (fun nr => IZR (fst nr) * ln (IZR (at_place (snd nr) (number w))))).
    { induction l as [|[n r] l IH]; [easy|]. cbn [map combine sum fst snd].
      rewrite IH, Z.opp_involutive. easy. }
    rewrite E. unfold parts, weighty. rewrite filter_sum.
    2: { intros [n r] z. cbn [fst] in *. apply negb_false_iff, Z.eqb_eq in z as ->. ring. }
    rewrite (combine_sum _ _ (size f) (fun n r => IZR n * ln (IZR (at_place r (number w)))))
      by (auto using rows_length).
    rewrite <- (Sum_index (size f) (fun i => IZR (at_place (weights b) i) *
      ln (IZR (at_place (nth i (rows m) []) (number w))))).
    rewrite (sum_ext all _ (fun y => N * ln K * beta_of f b y +
      N * (beta_of f b y * ln (channel f m y w)))).
    - rewrite sum_plus, !sum_scale. fold S. destruct beta_law as [_ ->]. ring.
    - intros y _. fold (entry y w).
      assert (BE : IZR (at_place (weights b) (number y)) = N * beta_of f b y)
        by (unfold beta_of; fold N; field; lra).
      destruct (Z.eq_dec (at_place (weights b) (number y)) 0) as [z|n].
      + assert (beta_of f b y = 0) as -> by (unfold beta_of; rewrite z; unfold Rdiv; ring).
        rewrite z. ring.
      + rewrite entry_channel, ln_mult, BE by auto. ring. }
  rewrite A, B in H. apply (Rmult_le_reg_l N); [easy|]. lra.
Qed.
End Weighed.
