(** Certificates of the necessary condition for composition (NfC): where it holds levels add up. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Indices Tables Integers Levels Leakage
  Mixtures Places Released Rates Logarithms Games.
Import ListNotations.
Open Scope R_scope.

Lemma geo_small {A} `{Finite A} (b u : A -> R) : law b -> (forall y, 0 <= u y) ->
  geo b u <= Σ y, b y * u y.
Proof. intros; now apply am_gm. Qed.

Lemma geo_one {A} `{Finite A} (b : A -> R) : geo b (fun _ => 1) = 1.
Proof.
  unfold geo. induction all as [|y l IH]; [easy|]. cbn [prod]. rewrite IH. unfold pw.
  destruct Req_EM_T; [lra|]. destruct Rlt_dec; [|lra]. rewrite ln_1, Rmult_0_r, exp_0. lra.
Qed.

Section Composing.
Context (f : framework) (ps : list (mechanism * level)).
Context (framework_ok : check_framework f = true).
Context (mechanisms_ok : forall m e, In (m, e) ps -> check_mechanism f m = true).
Context (levels_ok : forall m e, In (m, e) ps -> check_level e = true).

Definition all_of runs := forall r : mechanism * level, In r runs -> In r ps.
Definition together_ratio (runs : list (mechanism * level)) := prod runs (fun r => ratio (snd r)).

Lemma runs_ok runs : all_of runs -> forallb (check_mechanism f) (map fst runs) = true.
Proof.
  intros here. apply forallb_forall. intros m i. apply in_map_iff in i as [[m' e] [<- i]].
  exact (mechanisms_ok m' e (here _ i)).
Qed.

Lemma ratios_one runs : all_of runs -> 1 <= together_ratio runs.
Proof.
  unfold together_ratio. induction runs as [|[m e] runs IH]; intros here; cbn [prod snd]; [lra|].
  pose proof (ratio_one e (levels_ok m e (here _ (or_introl eq_refl)))).
  specialize (IH (fun r i => here r (or_intror i))). nra.
Qed.

(** Conditions at one x multiply. *)
Lemma conditions_multiply beta x : law beta ->
  (forall m e w, In (m, e) ps ->
    channel f m x w <= ratio e * geo beta (fun y => channel f m y w)) ->
  forall runs w, all_of runs -> joint f (map fst runs) x w <=
    together_ratio runs * geo beta (fun y => joint f (map fst runs) y w).
Proof.
  intros Lb each. unfold together_ratio. induction runs as [|[m e] runs IH]; intros w here.
  - cbn [prod map joint]. rewrite geo_one. lra.
  - assert (here' : all_of runs) by (intros r i; apply here; now right).
    destruct w as [w ws]. cbn [prod map joint fst snd]. unfold both. cbn [fst snd].
    pose proof (joint_small f (map fst runs) (runs_ok runs here')) as small.
    pose proof (here _ (or_introl eq_refl)) as i.
    pose proof (kernel_channel f m (mechanisms_ok m e i)) as km.
    rewrite geo_mult by (intros y; try apply (km y); apply small).
    specialize (IH ws here'). specialize (each m e w i).
    specialize (km x) as [c0 _]. specialize (c0 w). specialize (small x ws) as [s0 _].
    pose proof (ratio_one e (levels_ok m e i)).
    pose proof (ratios_one runs here') as R1. unfold together_ratio in R1.
    set (G := geo beta (fun y => channel f m y w)) in *.
    set (g := geo beta (fun y => joint f (map fst runs) y ws)) in *.
    set (T := prod runs _) in *.
    apply Rle_trans with (ratio e * G * (T * g)); [|right; ring].
    apply Rmult_le_compat; auto.
Qed.

Section Holds.
Context (holds : nfc_holds f ps).
Let U := IZR (prior_unit f).
Let prior := prior_of f.
Let S := secret_of f.

(** Any runs leak no more at x than the levels allow against what is possible with j under l. *)
Lemma one_database k l i j x runs w : all_of runs -> game f k l i j x ->
  joint f (map fst runs) x w <=
  together_ratio runs * U * Pw (prior l) (joint f (map fst runs)) (S j) w.
Proof.
  intros here G. destruct (holds k l i j x G) as [beta [Lb [on each]]].
  pose proof (joint_small f (map fst runs) (runs_ok runs here)) as small.
  pose proof (ratios_one runs here) as R1. destruct G as [_ [ls _]].
  apply Rle_trans with (1 := conditions_multiply beta x Lb each runs w here).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (1 := geo_small _ _ Lb (fun y => proj1 (small y w))).
  unfold Pw. rewrite <- sum_scale. apply sum_le; intros y _. destruct Lb as [b0 b1].
  assert (beta y <= 1) by (rewrite <- b1; apply sum_member; [auto|apply all_here]).
  pose proof (proj1 (small y w)) as j0. pose proof (unit_one f framework_ok) as U1. fold U in U1.
  destruct (b0 y) as [pos|<-].
  - apply on in pos. apply (inside_least f framework_ok l j y ls) in pos. fold U in pos.
    fold (prior l) (S j) in pos. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
  - rewrite Rmult_0_l. repeat apply Rmult_le_pos; try lra.
    apply inside_nonneg, law_prior; easy.
Qed.

Lemma one_prior k l i j runs w : all_of runs ->
  (k < length (priors f))%nat -> (l < length (priors f))%nat ->
  In (i, j) (pairs f) \/ In (j, i) (pairs f) -> compared f k l i j -> 0 < P (prior l) (S j) ->
  Pw (prior k) (joint f (map fst runs)) (S i) w <=
  together_ratio runs * U * P (prior k) (S i) * Pw (prior l) (joint f (map fst runs)) (S j) w.
Proof.
  intros here ks ls I comp Pt. unfold Pw at 1. unfold P.
  replace (together_ratio runs * U * (Σ x, inside (prior k) (S i) x) *
    Pw (prior l) (joint f (map fst runs)) (S j) w)
    with (together_ratio runs * U * Pw (prior l) (joint f (map fst runs)) (S j) w *
      (Σ x, inside (prior k) (S i) x)) by ring.
  rewrite <- sum_scale. apply sum_le; intros x _.
  destruct (inside_nonneg (prior k) (S i) x (law_prior f framework_ok k ks)) as [px|<-]; [|lra].
  rewrite (Rmult_comm (inside _ _ _)). apply Rmult_le_compat_r; [lra|].
  apply (one_database k l i j x); [easy|]. repeat split; auto.
Qed.

(** Two priors, whether they are compared or not. *)
Lemma two_laws k l i j runs w : all_of runs ->
  (k < length (priors f))%nat -> (l < length (priors f))%nat ->
  In (i, j) (pairs f) \/ In (j, i) (pairs f) -> k = l \/ convex f = true ->
  Pw (prior k) (joint f (map fst runs)) (S i) w * P (prior l) (S j) <=
  together_ratio runs * (U * U) *
    (P (prior k) (S i) * Pw (prior l) (joint f (map fst runs)) (S j) w +
     P (prior l) (S i) * Pw (prior k) (joint f (map fst runs)) (S j) w).
Proof.
  intros here ks ls I same.
  pose proof (joint_small f (map fst runs) (runs_ok runs here)) as small.
  assert (J0 : likelihood (joint f (map fst runs))) by (intros x v; apply small).
  pose proof (ratios_one runs here) as R1. pose proof (unit_one f framework_ok) as U1. fold U in U1.
  pose proof (law_prior f framework_ok k ks) as Lk.
  pose proof (law_prior f framework_ok l ls) as Ll.
  pose proof (P_nonneg _ (S i) Lk) as pk0. pose proof (P_nonneg _ (S i) Ll) as pl0.
  pose proof (P_nonneg _ (S j) Lk) as qk0. pose proof (P_nonneg _ (S j) Ll) as ql0.
  pose proof (P_small f _ (S i) Lk) as pk1. pose proof (P_small f _ (S j) Ll) as ql1.
  pose proof (Pw_nonneg _ _ (S j) w Lk J0) as bk0. pose proof (Pw_nonneg _ _ (S j) w Ll J0) as bl0.
  pose proof (Pw_nonneg _ _ (S i) w Lk J0) as ak0.
  fold (prior k) in *. fold (prior l) in *. set (T := together_ratio runs) in *.
  pose proof (one_prior k l i j runs w here ks ls I) as cross. fold T in cross.
  pose proof (one_prior k k i j runs w here ks ks I (or_introl eq_refl)) as own. fold T in own.
  pose proof (P_least f framework_ok l i ls) as least. fold U in least.
  fold (prior l) (S i) in least.
  set (a := Pw (prior k) (joint f (map fst runs)) (S i) w) in *.
  set (bk := Pw (prior k) (joint f (map fst runs)) (S j) w) in *.
  set (bl := Pw (prior l) (joint f (map fst runs)) (S j) w) in *.
  set (pk := P (prior k) (S i)) in *. set (pl := P (prior l) (S i)) in *.
  set (qk := P (prior k) (S j)) in *. set (ql := P (prior l) (S j)) in *.
  assert (TU : 0 <= T * U) by (apply Rmult_le_pos; lra).
  assert (x0 : 0 <= pk * bl) by now apply Rmult_le_pos.
  assert (y0 : 0 <= pl * bk) by now apply Rmult_le_pos.
  assert (a <= T * (U * U) * (pk * bl + pl * bk) \/ ql = 0) as [le| ->].
  { destruct ql0 as [ql0|]; [|now right]. left.
    assert (one : a <= T * U * pk * bl -> a <= T * (U * U) * (pk * bl + pl * bk)).
    { intros h. apply Rle_trans with (1 := h).
      replace (T * U * pk * bl) with (T * U * (1 * (pk * bl))) by ring.
      replace (T * (U * U) * (pk * bl + pl * bk)) with (T * U * (U * (pk * bl + pl * bk))) by ring.
      apply Rmult_le_compat_l; [easy|]. apply Rmult_le_compat; lra. }
    destruct same as [e|c]; [apply one, cross; [now left|easy]|].
    destruct qk0 as [qk0|z]; [|apply one, cross; [right; now auto|easy]].
    destruct pl0 as [pl0|z]; [|apply one, cross; [right; now auto|easy]].
    specialize (own qk0). specialize (least pl0). apply Rle_trans with (1 := own).
    replace (T * U * pk * bk) with (T * U * (pk * bk)) by ring.
    replace (T * (U * U) * (pk * bl + pl * bk))
      with (T * U * (U * (pk * bl) + U * pl * bk)) by ring.
    apply Rmult_le_compat_l; [easy|].
    assert (pk * bk <= 1 * bk) by now apply Rmult_le_compat_r.
    assert (1 * bk <= U * pl * bk) by now apply Rmult_le_compat_r.
    assert (0 <= U * (pk * bl)) by (apply Rmult_le_pos; lra). lra. }
  - apply Rle_trans with (a * 1); [now apply Rmult_le_compat_l|]. lra.
  - rewrite Rmult_0_r. apply Rmult_le_pos; [apply Rmult_le_pos; [lra|]|lra].
    apply Rmult_le_pos; lra.
Qed.

Lemma holds_adds_up : levels_add_up f ps.
Proof.
  exists (2 * (U * U)). intros runs here p s t w hp [i [j [I [-> ->]]]] _ _.
  fold (together_ratio runs). set (T := together_ratio runs).
  set (M := joint f (map fst runs)). unfold priors_of in hp. destruct (convex f) eqn:c.
  - destruct hp as [x [[x0 _] ->]]. rewrite !mixture_P, !mixture_Pw.
    rewrite Rmult_assoc, sum_product, sum_product, <- sum_scale.
    set (a := fun k : index (length (priors f)) => Pw (prior (number k)) M (S i) w).
    set (b := fun k : index (length (priors f)) => Pw (prior (number k)) M (S j) w).
    set (pi := fun k : index (length (priors f)) => P (prior (number k)) (S i)).
    set (q := fun k : index (length (priors f)) => P (prior (number k)) (S j)).
    set (g := fun k l => x k * pi k * (x l * b l)).
    apply Rle_trans with (Σ k, Σ l, T * (U * U) * (g k l + g l k)).
    + apply sum_le; intros k _. apply sum_le; intros l _.
      pose proof (two_laws (number k) (number l) i j runs w here (number_lt _ k) (number_lt _ l) I
        (or_intror c)) as two. fold T M in two.
      apply (Rmult_le_compat_l (x k * x l)) in two; [|now apply Rmult_le_pos].
      unfold g, pi, b. change (Pw (prior_of f (number k)) M (secret_of f i) w) with (a k).
      change (P (prior_of f (number l)) (secret_of f j)) with (q l).
      unfold a, q. lra.
    + right. rewrite (sum_ext all _ (fun k => T * (U * U) * ((Σ l, g k l) + Σ l, g l k)))
        by (intros; rewrite sum_scale, sum_plus; reflexivity).
      rewrite sum_scale, sum_plus, (sum_swap all all (fun k l => g l k)), sum_scale.
      set (G := Σ k, sum all (g k)). change (T * (U * U) * (G + G) = 2 * (U * U) * T * G). ring.
  - destruct hp as [l [ls ->]].
    pose proof (two_laws l l i j runs w here ls ls I (or_introl eq_refl)) as two.
    fold T M prior S in two. fold prior S. lra.
Qed.
End Holds.
End Composing.

Section Nfc.
Context (f : framework) (h : logarithms) (ps : list (mechanism * level)).

Lemma parts_ok : check_parts f h ps = true -> well_formed f (map fst ps) /\
  check_framework f = true /\ check_logarithms h = true /\
  (forall m e, In (m, e) ps -> check_mechanism f m = true) /\
  (forall m e, In (m, e) ps -> check_level e = true).
Proof.
  unfold check_parts. intros H. rewrite !andb_true_iff in H. destruct H as [[all_ levels] logs].
  split; [now apply all_well_formed|]. unfold check_all in all_.
  apply andb_prop in all_ as [fok mok]. split; [easy|]. split; [easy|]. split.
  - intros m e i. rewrite forallb_forall in mok. apply mok. now apply (in_map fst) in i.
  - intros m e i. rewrite forallb_forall in levels. exact (levels _ i).
Qed.

(** A certificate of the kind nfc.
    Differs: that there is an inequality to check (RC4) and that every beta serves a game (RB5) are
    not asked; a database that no prior makes possible has a row, which may be any. What it means,
    that levels add up, is stated and proved beside the condition. *)
Theorem nfc_of betas : check_nfc f h ps betas = true ->
  well_formed f (map fst ps) /\ nfc_holds f ps /\ levels_add_up f ps.
Proof.
  unfold check_nfc. intros H. rewrite !andb_true_iff in H. destruct H as [[pok weighed_] games].
  destruct (parts_ok pok) as [wf [fok [hok [mok eok]]]]. rewrite forallb_forall in weighed_.
  assert (holds : nfc_holds f ps).
  { intros k l i j x G. destruct (games_sound f fok betas k l i j x games G) as [b [ib [ex on]]].
    specialize (weighed_ b ib). unfold check_weighing in weighed_.
    rewrite !andb_true_iff, forallb_forall in weighed_. destruct weighed_ as [[_ bok] keeps].
    exists (beta_of f b). repeat split.
    - now apply (beta_law f b bok).
    - now apply (beta_law f b bok).
    - intros y pos. apply on. intros z. unfold beta_of in pos. rewrite z in pos.
      unfold Rdiv in pos. lra.
    - intros m e w i0. apply (weighing_keeps f h hok m (mok m e i0) e (eok m e i0) b bok x ex).
      exact (keeps _ i0). }
  split; [easy|]. split; [easy|]. now apply holds_adds_up.
Qed.
End Nfc.
