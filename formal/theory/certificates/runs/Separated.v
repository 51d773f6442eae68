(** Certificates of violations of the necessary condition for composition, and of rates: outputs in
    certain proportions that are far apart in one game. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Indices Tables Integers Levels Leakage
  Places Released Rates Logarithms Games Composing Apart.
Import ListNotations.
Open Scope Z_scope.

(** Mechanisms and levels, and for each how often which output is shown. *)
Definition counted := ((mechanism * level) * list Z)%type.
Definition row_of (pc : counted) y := nth y (rows (fst (fst pc))) [].
Definition all_shown (c row : list Z) : bool :=
  forallb (fun na => (fst na =? 0) || (0 <? snd na)) (combine c row).
Definition hidden (c row : list Z) : bool :=
  existsb (fun na => (0 <? fst na) && (snd na =? 0)) (combine c row).
Fixpoint ratio_terms (c x y : list Z) : list (Z * Z) := match c, x, y with
  | n :: c, a :: x, b :: y =>
    let rest := ratio_terms c x y in if n =? 0 then rest else (- n, a) :: (n, b) :: rest
  | _, _, _ => [] end.
Definition levels_sum (pcs : list counted) : list (Z * Z) :=
  flat_map (fun pc => level_terms (snd (fst pc)) (total (snd pc))) pcs.
Fixpoint levels_rest (pcs : list counted) : Z * positive := match pcs with
  | [] => (0, 1%positive)
  | pc :: pcs =>
    let c := level_constant (snd (fst pc)) (total (snd pc)) in let r := levels_rest pcs in
    (fst c * Zpos (snd r) + fst r * Zpos (snd c), (snd c * snd r)%positive) end.

Definition never pcs y : bool := existsb (fun pc => hidden (snd pc) (row_of pc y)) pcs.
Definition separates h strict pcs x y : bool := if never pcs y then true else
  log_sum_at_most h strict
    (flat_map (fun pc => ratio_terms (snd pc) (row_of pc x) (row_of pc y)) pcs ++ levels_sum pcs)
    (- fst (levels_rest pcs)) (snd (levels_rest pcs)).

Definition check_place f k l i j x : bool :=
  Nat.ltb x (size f) && Nat.ltb k (length (priors f)) && Nat.ltb l (length (priors f)) &&
  check_pair f i j && check_compared f k l i j &&
  (0 <? at_place (keep (secret_at f i) (prior_at f k)) x) &&
  (0 <? total (keep (secret_at f j) (prior_at f l))).
Definition check_counts (x : nat) (pc : counted) : bool :=
  Nat.eqb (length (snd pc)) (outputs (fst (fst pc))) && forallb (Z.leb 0) (snd pc) &&
  all_shown (snd pc) (row_of pc x).
Definition check_others f l j (test : nat -> bool) : bool :=
  let others := keep (secret_at f j) (prior_at f l) in
  forallb (fun y => (at_place others y =? 0) || test y) (seq 0 (size f)).
Definition check_apart f h ps cs k l i j x (test : list counted -> nat -> bool) : bool :=
  let pcs := combine ps cs in
  check_parts f h ps && check_place f k l i j x && forallb (check_counts x) pcs &&
  check_others f l j (test pcs).
Definition check_violation f h ps cs k l i j x : bool :=
  check_apart f h ps cs k l i j x (fun pcs => separates h true pcs x).
Definition check_rate f h m low high bs c k l i j x : bool :=
  check_apart f h [(m, low)] [c] k l i j x (fun pcs => separates h false pcs x) &&
  (0 <? total c) && check_nfc f h [(m, high)] bs.
Definition no_logarithms := Logarithms 0 1 0 1 [].
Definition check_infinite f m c k l i j x : bool :=
  check_apart f no_logarithms [(m, Log 1 1)] [c] k l i j x never.
Open Scope R_scope.

Lemma sum_flat_map {A B} (h : A -> list B) (l : list A) g :
  sum (flat_map h l) g = sum l (fun x => sum (h x) g).
Proof. induction l as [|x l IH]; [easy|]. cbn [flat_map sum]. now rewrite sum_app, IH. Qed.

Lemma sum_repeat {A} (x : A) n g : sum (repeat x n) g = INR n * g x.
Proof.
  induction n as [|n IH]; [simpl; ring|]. rewrite S_INR. cbn [repeat sum]. rewrite IH. ring.
Qed.

Lemma prod_pos {A} (l : list A) g : (forall x, In x l -> 0 < g x) -> 0 < prod l g.
Proof. induction l; cbn [prod]; intros pos; [lra|]. apply Rmult_lt_0_compat; simpl in *; auto. Qed.

Lemma prod_zero_of {A} (l : list A) g x : In x l -> g x = 0 -> prod l g = 0.
Proof.
  induction l; cbn [prod]; [easy|]. intros [->|i] z; [rewrite z|rewrite IHl by easy]; ring.
Qed.

Lemma prod_log {A} (l : list A) g : (forall x, In x l -> 0 < g x) ->
  ln (prod l g) = sum l (fun x => ln (g x)).
Proof.
  induction l as [|x l IH]; cbn [prod sum]; intros pos; [apply ln_1|].
  rewrite ln_mult, IH; auto; [intros; apply pos; now right|apply pos; now left|].
  apply prod_pos. intros; apply pos; now right.
Qed.

Lemma ratio_terms_sum c x y n : length c = n -> length x = n -> length y = n ->
  log_sum (ratio_terms c x y) = sum (seq 0 n) (fun i =>
    IZR (at_place c i) * (ln (IZR (at_place y i)) - ln (IZR (at_place x i)))).
Proof.
  revert x y n; induction c as [|k c IH]; intros x y n lc lx ly.
  - simpl in lc. subst n. easy.
  - destruct x as [|a x], y as [|b y], n as [|n]; try easy. rewrite sum_seq_S.
    unfold at_place at 1 2 3. cbn [nth ratio_terms]. cbv zeta.
    specialize (IH x y n ltac:(simpl in *; lia) ltac:(simpl in *; lia) ltac:(simpl in *; lia)).
    change (sum (seq 0 n) _) with (sum (seq 0 n) (fun i =>
      IZR (at_place c i) * (ln (IZR (at_place y i)) - ln (IZR (at_place x i))))).
    rewrite <- IH. destruct (Z.eqb_spec k 0) as [->|]; [ring|].
    unfold log_sum. cbn [sum fst snd]. rewrite opp_IZR. ring.
Qed.

Lemma levels_log pcs : (forall pc, In pc pcs -> check_level (snd (fst pc)) = true) ->
  sum pcs (fun pc => IZR (total (snd pc)) * ln (ratio (snd (fst pc)))) =
  log_sum (levels_sum pcs) + IZR (fst (levels_rest pcs)) / IZR (Zpos (snd (levels_rest pcs))).
Proof.
  induction pcs as [|pc pcs IH]; intros ok.
  - cbn. unfold log_sum. cbn [sum]. field.
  - cbn [sum levels_rest]. cbv zeta. cbn [fst snd].
    change (levels_sum (pc :: pcs))
      with (level_terms (snd (fst pc)) (total (snd pc)) ++ levels_sum pcs).
    rewrite log_sum_app, IH by (intros; apply ok; now right).
    rewrite level_log by (apply ok; now left).
    destruct (level_constant _ _) as [a b], (levels_rest pcs) as [c d]. cbn [fst snd].
    rewrite Pos2Z.inj_mul, plus_IZR, !mult_IZR.
    assert (0 < IZR (Zpos b)) by now apply IZR_lt. assert (0 < IZR (Zpos d)) by now apply IZR_lt.
    field. lra.
Qed.

Lemma at_combine (a b : list Z) i : length a = length b -> (i < length a)%nat ->
  In (at_place a i, at_place b i) (combine a b).
Proof.
  intros len small. unfold at_place. rewrite <- combine_nth by easy. apply nth_In.
  rewrite combine_length. lia.
Qed.

(** The outputs in their numbers. *)
Definition shown_of (pc : counted) : list shown :=
  flat_map (fun w : index (outputs (fst (fst pc))) =>
    repeat (existT _ (fst pc) w : shown) (Z.to_nat (at_place (snd pc) (number w)))) all.

Section Place.
Context (f : framework) (h : logarithms) (ps : list (mechanism * level)) (cs : list (list Z)).
Context (pok : check_parts f h ps = true).
Context (k l i j x : nat) (place_ok : check_place f k l i j x = true).
Context (counts_ok : forallb (check_counts x) (combine ps cs) = true).
Let pcs := combine ps cs.
Let os := flat_map shown_of pcs.

Lemma framework_ok : check_framework f = true.
Proof. now apply parts_ok in pok. Qed.

Lemma place_game : exists y : index (size f), number y = x /\ game f k l i j y.
Proof.
  pose proof framework_ok as fok. pose proof (unit_one f fok) as U1.
  unfold check_place in place_ok. rewrite !andb_true_iff, !Nat.ltb_lt in place_ok.
  destruct place_ok as [[[[[[xs ks] ls] pair_] comp] px] Pt].
  apply Nat.ltb_lt in xs. exists (exist _ x xs). split; [easy|].
  apply Z.ltb_lt, IZR_lt in px, Pt. rewrite (P_reads f fok l j ls) in Pt.
  pose proof (inside_reads f fok k i (exist _ x xs) ks) as R. cbn [number proj1_sig] in R.
  unfold number in R. cbn [proj1_sig] in R. rewrite R in px.
  split; [easy|]. split; [easy|]. split.
  { unfold check_pair in pair_. apply existsb_exists in pair_ as [[a b] [I E]]. cbn [fst snd] in E.
    rewrite orb_true_iff, !andb_true_iff, !Nat.eqb_eq in E.
    destruct E as [[-> ->]|[-> ->]]; auto. }
  split; [now apply (compared_reads f fok)|].
  split; apply (Rmult_lt_reg_l (IZR (prior_unit f))); lra.
Qed.

Lemma part_of pc : In pc pcs -> In (fst pc) ps.
Proof. destruct pc as [p c]. intros I. now apply in_combine_l in I. Qed.
Lemma level_of pc : In pc pcs -> check_level (snd (fst pc)) = true.
Proof.
  intros I. apply part_of in I. destruct (fst pc) as [m e].
  destruct (parts_ok f h ps pok) as [_ [_ [_ [_ each]]]]. exact (each m e I).
Qed.
Lemma mechanism_of pc : In pc pcs -> check_mechanism f (fst (fst pc)) = true.
Proof.
  intros I. apply part_of in I. destruct (fst pc) as [m e].
  destruct (parts_ok f h ps pok) as [_ [_ [_ [each _]]]]. exact (each m e I).
Qed.
Lemma counts_of pc : In pc pcs -> length (snd pc) = outputs (fst (fst pc)) /\
  (forall w, (0 <= at_place (snd pc) w)%Z) /\ all_shown (snd pc) (row_of pc x) = true.
Proof.
  intros I. rewrite forallb_forall in counts_ok. specialize (counts_ok pc I).
  unfold check_counts in counts_ok. rewrite !andb_true_iff, Nat.eqb_eq in counts_ok.
  destruct counts_ok as [[len pos] vis]. repeat split; auto. intros w.
  rewrite forallb_forall in pos. unfold at_place.
  destruct (nth_in_or_default w (snd pc) 0%Z) as [i'|e]; [now apply Z.leb_le, pos|lia].
Qed.
Lemma row_length_of pc y : In pc pcs -> (y < size f)%nat ->
  length (row_of pc y) = outputs (fst (fst pc)).
Proof. intros I small. now apply (row_length f _ (mechanism_of pc I)). Qed.
Lemma reads pc (y : index (size f)) (w : index (outputs (fst (fst pc)))) : In pc pcs ->
  IZR (at_place (row_of pc (number y)) (number w)) =
  IZR (row_unit (fst (fst pc))) * channel f (fst (fst pc)) y w.
Proof. intros I. apply (channel_described f _ (mechanism_of pc I)). Qed.

Lemma in_os (o : shown) : In o os -> exists pc w, In pc pcs /\ o = existT _ (fst pc) w /\
  (0 < at_place (snd pc) (number w))%Z.
Proof.
  unfold os. rewrite in_flat_map. intros [pc [I io]]. unfold shown_of in io.
  apply in_flat_map in io as [w [_ io]]. exists pc, w. split; [easy|].
  pose proof (repeat_spec _ _ _ io) as e. split; [easy|].
  destruct (Z.to_nat (at_place (snd pc) (number w))) as [|n] eqn:E; [easy|]. lia.
Qed.
Lemma os_from : all_of ps (map run_of os).
Proof.
  intros r ir. apply in_map_iff in ir as [o [<- io]]. apply in_os in io as [pc [w [I [-> _]]]].
  now apply part_of.
Qed.

Lemma sum_os (g : shown -> R) : sum os g =
  sum pcs (fun pc => Σ w : index (outputs (fst (fst pc))),
    IZR (at_place (snd pc) (number w)) * g (existT _ (fst pc) w : shown)).
Proof.
  unfold os. rewrite sum_flat_map. apply sum_ext; intros pc I. unfold shown_of.
  rewrite sum_flat_map. apply sum_ext; intros w _.
  rewrite sum_repeat, INR_IZR_INZ, Z2Nat.id; [easy|].
  now apply counts_of.
Qed.

(** The output w of a mechanism that the counts name is possible on x. *)
Lemma possible_here (y : index (size f)) pc (w : index (outputs (fst (fst pc)))) : number y = x ->
  In pc pcs -> (0 < at_place (snd pc) (number w))%Z -> 0 < channel f (fst (fst pc)) y w.
Proof.
  intros ey I pos. destruct (counts_of pc I) as [len [_ vis]].
  unfold all_shown in vis. rewrite forallb_forall in vis.
  assert (small : (x < size f)%nat) by (rewrite <- ey; apply number_lt).
  pose proof (row_length_of pc x I small) as rl. pose proof (number_lt _ w) as ws.
  specialize (vis _ (at_combine (snd pc) (row_of pc x) (number w) ltac:(lia) ltac:(lia))).
  cbn [fst snd] in vis. apply orb_prop in vis as [z|p]; [apply Z.eqb_eq in z; lia|].
  apply Z.ltb_lt, IZR_lt in p. rewrite <- ey, reads in p by easy.
  pose proof (row_unit_pos f _ (mechanism_of pc I)).
  apply (Rmult_lt_reg_l (IZR (row_unit (fst (fst pc))))); lra.
Qed.

Lemma possible_there (y : index (size f)) pc (w : index (outputs (fst (fst pc)))) :
  never pcs (number y) = false ->
  In pc pcs -> (0 < at_place (snd pc) (number w))%Z -> 0 < channel f (fst (fst pc)) y w.
Proof.
  intros nev I pos. destruct (counts_of pc I) as [len _].
  destruct (kernel_channel f _ (mechanism_of pc I) y) as [c0 _].
  destruct (c0 w) as [c|z]; [easy|]. exfalso.
  assert (never pcs (number y) = true); [|congruence].
  unfold never. apply existsb_exists. exists pc. split; [easy|]. unfold hidden.
  apply existsb_exists. pose proof (row_length_of pc (number y) I (number_lt _ y)) as rl.
  pose proof (number_lt _ w) as ws.
  exists (at_place (snd pc) (number w), at_place (row_of pc (number y)) (number w)).
  split; [apply at_combine; lia|]. cbn [fst snd]. apply andb_true_intro.
  split; [now apply Z.ltb_lt|]. apply Z.eqb_eq, eq_IZR. rewrite reads, <- z by easy. ring.
Qed.

Lemma never_value (y : index (size f)) : never pcs (number y) = true -> value f os y = 0.
Proof.
  unfold never. intros H. apply existsb_exists in H as [pc [I H]]. unfold hidden in H.
  apply existsb_exists in H as [[n b] [N H]]. cbn [fst snd] in H. apply andb_prop in H as [n0 b0].
  apply Z.ltb_lt in n0. apply Z.eqb_eq in b0 as ->.
  destruct (In_nth _ _ (0, 0)%Z N) as [w [small E]]. destruct (counts_of pc I) as [len _].
  pose proof (row_length_of pc (number y) I (number_lt _ y)) as rl.
  rewrite combine_length in small. rewrite combine_nth in E by lia. injection E as e1 e2.
  assert (ws : Nat.ltb w (outputs (fst (fst pc))) = true) by (apply Nat.ltb_lt; lia).
  set (v := exist _ w ws : index (outputs (fst (fst pc)))).
  apply (prod_zero_of _ _ (existT _ (fst pc) v : shown)).
  - unfold os. apply in_flat_map. exists pc. split; [easy|]. unfold shown_of. apply in_flat_map.
    exists v. split; [apply all_here|].
    change (number v) with w. unfold at_place. rewrite e1.
    destruct (Z.to_nat n) as [|n'] eqn:En; [lia|]. now left.
  - cbn [run_of projT1 projT2]. pose proof (reads pc y v I) as R. change (number v) with w in R.
    unfold at_place in R. rewrite e2 in R. pose proof (row_unit_pos f _ (mechanism_of pc I)).
    symmetry in R. apply Rmult_integral in R as [R|R]; [lra|exact R].
Qed.

Section Here.
Context (here : index (size f)) (is_x : number here = x).

Lemma value_here : 0 < value f os here.
Proof.
  apply prod_pos. intros o io. apply in_os in io as [pc [w [I [-> pos]]]].
  cbn [run_of projT1 projT2]. now apply possible_here.
Qed.

Lemma separates_sound strict (y : index (size f)) : separates h strict pcs x (number y) = true ->
  let T := together_ratio (map run_of os) in
  if strict then T * value f os y < value f os here else T * value f os y <= value f os here.
Proof.
  intros H T. destruct (parts_ok f h ps pok) as [_ [_ [hok _]]].
  pose proof value_here as v0.
  unfold separates in H. destruct (never pcs (number y)) eqn:nev.
  { rewrite (never_value y nev), Rmult_0_r. destruct strict; lra. }
  apply (log_sum_sound h hok) in H. rewrite log_sum_app in H.
  assert (vy : 0 < value f os y).
  { apply prod_pos. intros o io. apply in_os in io as [pc [w [I [-> pos]]]].
    cbn [run_of projT1 projT2]. now apply possible_there. }
  assert (LV : forall z : index (size f), (forall pc w, In pc pcs ->
      (0 < at_place (snd pc) (number w))%Z -> 0 < channel f (fst (fst pc)) z w) ->
    ln (value f os z) = sum pcs (fun pc => Σ w : index (outputs (fst (fst pc))),
      IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) z w))).
  { intros z pos. unfold value. rewrite prod_log, sum_os; [easy|].
    intros o io. apply in_os in io as [pc [w [I [-> p]]]]. cbn [run_of projT1 projT2].
    now apply pos. }
  assert (r0 : forall r, In r (map run_of os) -> 0 < ratio (snd r)).
  { intros [m e] ir. apply os_from in ir. destruct (parts_ok f h ps pok) as [_ [_ [_ [_ lev]]]].
    cbn [snd]. pose proof (ratio_one e (lev m e ir)). lra. }
  assert (T0 : 0 < T) by (now apply prod_pos).
  assert (LT : ln T = sum pcs (fun pc => IZR (total (snd pc)) * ln (ratio (snd (fst pc))))).
  { unfold T, together_ratio. rewrite prod_log by easy. rewrite sum_map, sum_os.
    apply sum_ext; intros pc I. cbn [run_of projT1].
    rewrite (sum_ext all _ (fun w => ln (ratio (snd (fst pc))) *
      IZR (at_place (snd pc) (number w)))) by (intros; apply Rmult_comm).
    rewrite sum_scale, (Sum_index _ (fun w => IZR (at_place (snd pc) w))).
    rewrite <- total_sum by (destruct (counts_of pc I) as [len _]; lia). ring. }
  assert (LR : log_sum (flat_map (fun pc => ratio_terms (snd pc) (row_of pc x)
      (row_of pc (number y))) pcs) = ln (value f os y) - ln (value f os here)).
  { rewrite !LV by (intros; (now apply possible_there) || (now apply possible_here)).
    unfold log_sum. rewrite sum_flat_map.
    replace (sum pcs (fun pc => Σ w : index (outputs (fst (fst pc))),
        IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) y w)) -
      sum pcs (fun pc => Σ w : index (outputs (fst (fst pc))),
        IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) here w)))
      with (sum pcs (fun pc => (Σ w : index (outputs (fst (fst pc))),
        IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) y w)) +
        -1 * (Σ w : index (outputs (fst (fst pc))),
        IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) here w))))
      by (rewrite sum_plus, sum_scale; ring).
    apply sum_ext; intros pc I. destruct (counts_of pc I) as [len [c0 _]].
    assert (small : (x < size f)%nat) by (rewrite <- is_x; apply number_lt).
    change (log_sum (ratio_terms (snd pc) (row_of pc x) (row_of pc (number y))) =
      (Σ w : index (outputs (fst (fst pc))),
        IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) y w)) +
        -1 * (Σ w : index (outputs (fst (fst pc))),
        IZR (at_place (snd pc) (number w)) * ln (channel f (fst (fst pc)) here w))).
    rewrite (ratio_terms_sum _ _ _ (outputs (fst (fst pc)))) by
      (auto using row_length_of, number_lt).
    rewrite <- (Sum_index _ (fun w => IZR (at_place (snd pc) w) *
      (ln (IZR (at_place (row_of pc (number y)) w)) - ln (IZR (at_place (row_of pc x) w))))).
    rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros w _.
    rewrite <- is_x, !reads by easy.
    destruct (Z.le_lteq 0 (at_place (snd pc) (number w))) as [le _].
    destruct (le (c0 _)) as [pos|<-]; [|ring].
    pose proof (row_unit_pos f _ (mechanism_of pc I)).
    rewrite !ln_mult by (auto using possible_there, possible_here). ring. }
  rewrite LR in H. pose proof (levels_log pcs level_of) as LL. rewrite <- LT in LL.
  assert (E : ln (T * value f os y) = ln T + ln (value f os y)) by (now apply ln_mult).
  assert (p : 0 < T * value f os y) by now apply Rmult_lt_0_compat.
  assert (O : IZR (- fst (levels_rest pcs)) / IZR (Zpos (snd (levels_rest pcs))) =
    - (IZR (fst (levels_rest pcs)) / IZR (Zpos (snd (levels_rest pcs)))))
    by (rewrite opp_IZR; unfold Rdiv; ring).
  rewrite O in H. destruct strict.
  - apply ln_lt_inv; auto. rewrite E. lra.
  - destruct (Rle_lt_dec (T * value f os y) (value f os here)) as [|bad]; [easy|].
    apply ln_increasing in bad; [|easy]. rewrite E in bad. lra.
Qed.
End Here.

Lemma others_of test : check_others f l j test = true -> forall y,
  0 < inside (prior_of f l) (secret_of f j) y -> test (number y) = true.
Proof.
  intros H y pos. pose proof framework_ok as fok. pose proof (unit_one f fok) as U1.
  unfold check_others in H. cbv zeta in H. rewrite forallb_forall in H.
  specialize (H (number y) (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) (number_lt _ y)))).
  apply orb_prop in H as [z|t]; [|easy]. apply Z.eqb_eq, (f_equal IZR) in z.
  destruct place_game as [_ [_ [_ [ls _]]]]. rewrite (inside_reads f fok) in z by easy. nra.
Qed.
End Place.

Lemma apart_parts f h ps cs k l i j x test : check_apart f h ps cs k l i j x test = true ->
  check_parts f h ps = true /\ check_place f k l i j x = true /\
  forallb (check_counts x) (combine ps cs) = true /\
  check_others f l j (test (combine ps cs)) = true.
Proof. unfold check_apart. cbv zeta. rewrite !andb_true_iff. tauto. Qed.

