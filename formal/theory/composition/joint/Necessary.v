(** The condition of bai2026 is necessary: releases that compose linearly, however often they are
    repeated, meet conditions with weights. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Pufferproof Require Import Sums Alternatives Pufferfish Laws Means Runs.
Import ListNotations.
Open Scope R_scope.

Lemma prod_app {A} (l m : list A) f : prod (l ++ m) f = prod l f * prod m f.
Proof. induction l; simpl; [lra|rewrite IHl; ring]. Qed.

Lemma prod_pos {A} (l : list A) f : (forall x, In x l -> 0 < f x) -> 0 < prod l f.
Proof. induction l; simpl; intros pos; [lra|]. apply Rmult_lt_0_compat; auto. Qed.

Lemma prod_none {A} (l : list A) f x : In x l -> f x = 0 -> prod l f = 0.
Proof.
  induction l; simpl; [easy|]. intros [->|i] zero; [rewrite zero|rewrite IHl by easy]; ring.
Qed.

(** How often an output is asked for, and the list of all. *)
Definition count (n : nat) (a : R) : nat := Z.to_nat (up (INR n * a)).
Fixpoint runs {O} n (os : list O) (x : list R) : list O := match os, x with
  | o :: os, a :: x => repeat o (count n a) ++ runs n os x | _, _ => [] end.

Lemma count_near n a : 0 < a -> INR n * a < INR (count n a) <= INR n * a + 1.
Proof.
  intros a0. destruct (archimed (INR n * a)) as [above below].
  assert (0 <= INR n * a) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  unfold count. rewrite (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id by (apply le_IZR; lra). lra.
Qed.

Lemma sum_repeat {O} (o : O) k f : sum (repeat o k) f = INR k * f o.
Proof.
  induction k as [|k IH]; [simpl; ring|]. rewrite S_INR. simpl repeat. cbn [sum]. rewrite IH. ring.
Qed.

Lemma runs_within {O} n (os : list O) x o : In o (runs n os x) -> In o os.
Proof.
  revert x; induction os as [|q os IH]; intros [|a x]; simpl; try easy.
  intros i. apply in_app_iff in i as [i|i]; [left; symmetry; now apply repeat_spec in i|eauto].
Qed.

Lemma runs_all {O} n (os : list O) x o : length x = length os -> (forall a, In a x -> 0 < a) ->
  In o os -> In o (runs n os x).
Proof.
  revert x; induction os as [|q os IH]; intros [|a x] len pos i; simpl in *; try easy.
  apply in_app_iff. destruct i as [<-|i]; [left|right; apply IH; auto].
  pose proof (count_near n a (pos a (or_introl eq_refl))) as [above _].
  assert (0 <= INR n * a) by
    (apply Rmult_le_pos; [apply pos_INR|left; apply pos; now left]).
  destruct (count n a) as [|k]; [simpl in above; lra|now left].
Qed.

Lemma runs_sum {O} n (os : list O) x f : (forall a, In a x -> 0 < a) ->
  INR n * dot os f x - sum os (fun o => Rabs (f o)) <= sum (runs n os x) f.
Proof.
  revert x; induction os as [|o os IH]; intros [|a x] pos; simpl; try lra.
  - pose proof (sum_nonneg os (fun o => Rabs (f o)) (fun o _ => Rabs_pos (f o))).
    pose proof (Rabs_pos (f o)). lra.
  - rewrite sum_app, sum_repeat. specialize (IH x (fun b i => pos b (or_intror i))).
    destruct (count_near n a (pos a (or_introl eq_refl))) as [above below].
    enough (INR n * (f o * a) - Rabs (f o) <= INR (count n a) * f o) by lra.
    unfold Rabs. destruct (Rcase_abs (f o)) as [neg|neg].
    + apply (Rmult_le_compat_r (- f o)) in below; lra.
    + apply Rlt_le, (Rmult_le_compat_r (f o)) in above; lra.
Qed.

Section Necessary.
Context {D I W : Type} `{Finite D} `{Finite I} `{Finite W}.
Context (dec : forall x y : D, {x = y} + {x <> y}).
Context (p : D -> R) (s t : @secret D) (M : I -> D -> W -> R) (eps : R).
Hypotheses (Lp : law p) (M0 : forall i, likelihood (M i)) (Pt : 0 < P p t).

Section One.
Context (x : D).
Hypothesis px : 0 < inside p s x.

(** The joint release of a list of mechanisms, outputs included. *)
Definition told (os : list (I * W)) (l : D) := prod os (fun o => M (fst o) l (snd o)).

Lemma releases_told os l : releases (map (fun o => M (fst o)) os) l (map snd os) = told os l.
Proof. unfold told. induction os as [|o os IH]; simpl; [easy|]. now rewrite IH. Qed.

Definition likelihood_of l (o : I * W) := M (fst o) l (snd o).
Definition seen := filter (fun o => if Rlt_dec 0 (likelihood_of x o) then true else false) all.
Definition always l :=
  forallb (fun o => if Rlt_dec 0 (likelihood_of l o) then true else false) seen.
Definition left_over :=
  filter (fun l => (if Rlt_dec 0 (inside p t l) then true else false) && always l)%bool all.
(** How far x is above l in logarithms. *)
Definition gap l (o : I * W) := ln (likelihood_of x o) - eps - ln (likelihood_of l o).

Lemma seen_positive o : In o seen <-> 0 < likelihood_of x o.
Proof.
  unfold seen. rewrite filter_In. pose proof (all_here o). destruct Rlt_dec; intuition discriminate.
Qed.

Lemma always_positive l : always l = true <-> forall o, In o seen -> 0 < likelihood_of l o.
Proof.
  unfold always. rewrite forallb_forall. split; intros each o i; specialize (each o i);
    destruct Rlt_dec; auto; discriminate.
Qed.

Lemma left_over_spec l : In l left_over <-> 0 < inside p t l /\ always l = true.
Proof.
  unfold left_over. rewrite filter_In, Bool.andb_true_iff. pose proof (all_here l).
  destruct Rlt_dec; intuition discriminate.
Qed.

Lemma told_gap os l : (forall o, In o os -> In o seen) -> always l = true ->
  exp (INR (length os) * eps) * told os l = told os x * exp (- sum os (gap l)).
Proof.
  intros within ok. rewrite always_positive in ok. unfold told.
  induction os as [|o os IH]; [simpl; rewrite Rmult_0_l, Ropp_0, exp_0; lra|].
  specialize (IH (fun q i => within q (or_intror i))).
  pose proof (within o (or_introl eq_refl)) as io.
  pose proof (ok o io) as pos. apply seen_positive in io.
  cbn [length prod sum]. rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Ropp_plus_distr, !exp_plus.
  fold (likelihood_of l o) (likelihood_of x o).
  assert (one : likelihood_of x o * exp (- gap l o) = exp eps * likelihood_of l o).
  { unfold gap. replace (- (ln (likelihood_of x o) - eps - ln (likelihood_of l o)))
      with (- ln (likelihood_of x o) + eps + ln (likelihood_of l o)) by ring.
    rewrite !exp_plus, exp_Ropp, !exp_ln by easy. field. lra. }
  transitivity (exp eps * likelihood_of l o * (exp (INR (length os) * eps) *
    prod os (fun o => M (fst o) l (snd o)))); [ring|]. rewrite IH, <- one. ring.
Qed.

(** Many runs are far apart. *)
Lemma far (A : Type) (ls : list A) (delta K : A -> R) B : (forall l, In l ls -> 0 < delta l) ->
  exists n, forall l, In l ls -> B <= INR n * delta l - K l.
Proof.
  induction ls as [|l ls IH]; intros pos; [exists 0%nat; intros ? []|].
  destruct IH as [n each]; [intros; apply pos; now right|].
  specialize (pos l (or_introl eq_refl)) as d0.
  pose proof (Rmax_l 1 ((B + K l) / delta l)); pose proof (Rmax_r 1 ((B + K l) / delta l)).
  destruct (count_near 1 (Rmax 1 ((B + K l) / delta l))) as [big _]; [lra|].
  set (m := count _ _) in big. rewrite Rmult_1_l in big.
  assert (above : (B + K l) / delta l < INR m) by lra. clear big. rename above into big.
  exists (n + m)%nat. rewrite plus_INR. intros k [<-|i].
  - apply (Rmult_lt_compat_r (delta l)) in big; [|easy].
    replace ((B + K l) / delta l * delta l) with (B + K l) in big by (field; lra).
    pose proof (pos_INR n). assert (0 <= INR n * delta l) by (apply Rmult_le_pos; lra). lra.
  - specialize (each k i). specialize (pos k (or_intror i)).
    pose proof (pos_INR m). assert (0 <= INR m * delta k) by (apply Rmult_le_pos; lra). lra.
Qed.

(** Joint releases leak eps for each run, and C. *)
Definition composes_up_to C := forall os : list (I * W),
  Pw p (releases (map (fun o => M (fst o)) os)) s (map snd os) * P p t <=
  exp (INR (length os) * eps + C) * P p s *
  Pw p (releases (map (fun o => M (fst o)) os)) t (map snd os).
Definition composes := composes_up_to 0.

(** Weights of outputs that separate x from all databases of t do not compose. *)
Lemma not_separated C weights : composes_up_to C -> length weights = length seen ->
  (forall a, In a weights -> 0 < a) ->
  ~ forall l, In l left_over -> 0 < dot seen (gap l) weights.
Proof.
  intros linear len pos apart.
  pose proof (exp_pos (- C)) as c0. set (eta := inside p s x / 2 * exp (- C)).
  assert (eta0 : 0 < eta) by (unfold eta; apply Rmult_lt_0_compat; lra).
  destruct (far D left_over (fun l => dot seen (gap l) weights)
    (fun l => sum seen (fun o => Rabs (gap l o))) (- ln eta) apart) as [n big].
  set (os := runs n seen weights). specialize (linear os).
  assert (within : forall o, In o os -> In o seen) by (intros o; apply runs_within).
  assert (V : 0 < told os x).
  { apply prod_pos. intros o i. apply within in i. now apply seen_positive in i. }
  assert (Ps1 : 0 <= P p s <= 1).
  { split; [now apply P_nonneg|]. pose proof Lp as [p0 <-]. apply sum_le; intros z _.
    unfold inside; specialize (p0 z); destruct (s z); lra. }
  assert (up_ : inside p s x * told os x <= Pw p (releases (map (fun o => M (fst o)) os)) s
    (map snd os)).
  { rewrite <- releases_told. unfold Pw.
    apply (sum_member all (fun z => inside p s z * releases _ z _)); [|apply all_here].
    intros z _. apply Rmult_le_pos; [now apply inside_nonneg|].
    rewrite releases_told. apply prod_nonneg; intros; apply M0. }
  assert (down : exp (INR (length os) * eps) * Pw p (releases (map (fun o => M (fst o)) os)) t
    (map snd os) <= P p t * (told os x * eta)).
  { unfold Pw. rewrite <- sum_scale. unfold P. rewrite (Rmult_comm (Σ z, _)), <- sum_scale.
    apply sum_le; intros l _. rewrite releases_told.
    replace (exp (INR (length os) * eps) * (inside p t l * told os l))
      with (exp (INR (length os) * eps) * told os l * inside p t l) by ring.
    destruct (inside_nonneg p t l Lp) as [pl|<-]; [|lra].
    apply Rmult_le_compat_r; [lra|]. destruct (always l) eqn:ok.
    - rewrite told_gap by easy. apply Rmult_le_compat_l; [lra|].
      assert (il : In l left_over) by (now apply left_over_spec).
      specialize (big l il). pose proof (runs_sum n seen weights (gap l) pos) as S. fold os in S.
      rewrite <- (exp_ln eta) by easy.
      assert (- sum os (gap l) <= ln eta) as [less| ->] by lra; [|lra].
      left; now apply exp_increasing.
    - replace (told os l) with 0; [rewrite Rmult_0_r; apply Rmult_le_pos; lra|].
      symmetry. assert (none : exists o, In o seen /\ likelihood_of l o = 0).
      { unfold always in ok. clear -ok M0. induction seen as [|o os IH]; [discriminate|].
        simpl in ok. destruct (Rlt_dec 0 (likelihood_of l o)) as [|no].
        - destruct (IH ok) as [q [iq z]]. exists q; split; [now right|easy].
        - exists o; split; [now left|]. pose proof (M0 (fst o) l (snd o)) as ge.
          fold (likelihood_of l o) in ge. lra. }
      destruct none as [o [io zero]]. apply (prod_none os _ o); [now apply runs_all|exact zero]. }
  assert (inside p s x * told os x * P p t <=
    P p s * (P p t * (told os x * (inside p s x / 2)))).
  { eapply Rle_trans; [apply Rmult_le_compat_r; [lra|exact up_]|].
    eapply Rle_trans; [exact linear|]. apply (Rmult_le_compat_l (exp C)) in down;
      [|left; apply exp_pos].
    rewrite exp_plus, (Rmult_comm _ (exp C)).
    replace (exp C * (P p t * (told os x * eta)))
      with (P p t * (told os x * (inside p s x / 2)) * (exp C * exp (- C))) in down
      by (unfold eta; ring).
    rewrite <- exp_plus, Rplus_opp_r, exp_0, Rmult_1_r in down.
    apply (Rmult_le_compat_l (P p s)) in down; [|lra]. lra. }
  assert (Q : 0 < told os x * P p t) by (now apply Rmult_lt_0_compat).
  set (half := inside p s x / 2) in *. assert (0 < half) by (unfold half; lra).
  assert (P p s * (P p t * (told os x * half)) <= 1 * (told os x * P p t * half)).
  { replace (P p t * (told os x * half)) with (told os x * P p t * half) by ring.
    apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]. }
  assert (inside p s x * (told os x * P p t) <= half * (told os x * P p t)) as no by lra.
  apply Rmult_le_reg_r in no; [|easy]. unfold half in no. lra.
Qed.

(** What the rows of [left_over] add up to has weights. *)
Lemma cone_weights rows u : cone (map gap rows) u -> exists b : D -> R,
  (forall l, 0 <= b l) /\ (forall l, 0 < b l -> In l rows) /\ 0 < (Σ l, b l) /\
  forall o, u o = Σ l, b l * gap l o.
Proof.
  induction 1 as [r i|u v _ [b [b0 [bi [bt E]]]] _ [c [c0 [ci [ct F]]]]
                 |k u k0 _ [b [b0 [bi [bt E]]]]].
  - apply in_map_iff in i as [l [<- i]]. exists (fun z => if dec z l then 1 else 0).
    assert (one : forall f : D -> R, (Σ z, (if dec z l then 1 else 0) * f z) = f l).
    { intros f. generalize (@all_once D _) (@all_here D _ l). generalize (@all D _).
      induction 1 as [|a m na nm IH]; simpl; [easy|]; intros [->|j].
      - destruct (dec l l); [|congruence]. rewrite (sum_ext m _ (fun _ => 0)), sum_0; [ring|].
        intros z iz. destruct (dec z l); [subst; contradiction|ring].
      - destruct (dec a l) as [->|]; [contradiction|]. rewrite IH by easy. ring. }
    repeat split.
    + intros z; destruct (dec z l); lra.
    + intros z; destruct (dec z l) as [->|]; [easy|lra].
    + rewrite (sum_ext all _ (fun z => (if dec z l then 1 else 0) * 1)) by (intros; ring).
      rewrite one. lra.
    + intros o. now rewrite one.
  - exists (fun l => b l + c l). repeat split.
    + intros l. specialize (b0 l); specialize (c0 l). lra.
    + intros l. destruct (b0 l) as [pos|<-]; [auto|]. rewrite Rplus_0_l. auto.
    + rewrite sum_plus. now apply Rplus_lt_0_compat.
    + intros o. rewrite E, F, <- sum_plus. apply sum_ext; intros; ring.
  - exists (fun l => k * b l). repeat split.
    + intros l. apply Rmult_le_pos; auto; lra.
    + intros l pos. apply bi. apply (Rmult_lt_reg_l k); lra.
    + rewrite sum_scale. now apply Rmult_lt_0_compat.
    + intros o. rewrite E, <- sum_scale. apply sum_ext; intros; ring.
Qed.

(** Weights on the databases that t allows, the same for all outputs. *)
Definition weighed beta := law beta /\ (forall l, 0 < beta l -> 0 < inside p t l) /\
  forall i w, M i x w <= exp eps * geo beta (fun l => M i l w).

Lemma cone_weighed u : cone (map gap left_over) u -> (forall o, In o seen -> u o <= 0) ->
  exists beta, weighed beta.
Proof.
  intros cu low. destruct (cone_weights _ _ cu) as [b [b0 [bi [total E]]]].
  set (T := Σ l, b l) in *. exists (fun l => b l / T).
  assert (inv : 0 < / T) by (now apply Rinv_0_lt_compat).
  assert (L : law (fun l => b l / T)).
  { split; [intros l; apply Rmult_le_pos; [auto|lra]|].
    unfold Rdiv. rewrite (sum_ext all _ (fun l => / T * b l)) by (intros; ring).
    rewrite sum_scale. change (/ T * T = 1). field. lra. }
  assert (here : forall l, 0 < b l / T -> In l left_over).
  { intros l pl. apply bi. unfold Rdiv in pl. destruct (b0 l) as [|zero]; [easy|].
    rewrite <- zero in pl. lra. }
  split; [easy|]. split; [intros l pl; now apply here, left_over_spec in pl|].
  intros i w. pose proof (M0 i x w) as [pos|<-];
    [|apply Rmult_le_pos; [left; apply exp_pos|apply prod_nonneg; intros; apply pw_nonneg]].
  set (o := (i, w)). assert (io : In o seen) by (now apply seen_positive).
  assert (ok : forall l, In l all -> b l / T = 0 \/ 0 < M i l w).
  { intros l _. destruct (b0 l) as [pl|<-]; [right|left; unfold Rdiv; ring].
    apply bi, left_over_spec in pl as [_ pl]. rewrite always_positive in pl. exact (pl o io). }
  unfold geo. rewrite prod_exp, <- exp_plus by easy. rewrite <- (exp_ln (M i x w)) by easy.
  enough (ln (M i x w) <= eps + Σ l, b l / T * ln (M i l w)) as [less|same];
    [left; now apply exp_increasing|right; now f_equal|].
  specialize (low o io). rewrite E in low. unfold gap, likelihood_of, o in low; simpl in low.
  rewrite (sum_ext all _ (fun l => (ln (M i x w) - eps) * b l + -1 * (b l * ln (M i l w))))
    in low by (intros; ring).
  rewrite sum_plus, !sum_scale in low. change (sum all b) with T in low.
  unfold Rdiv. rewrite (sum_ext all _ (fun l => / T * (b l * ln (M i l w)))) by (intros; ring).
  rewrite sum_scale. apply (Rmult_le_compat_l (/ T)) in low; [|lra].
  replace (/ T * ((ln (M i x w) - eps) * T + -1 * (Σ l, b l * ln (M i l w))))
    with (ln (M i x w) - eps - / T * (Σ l, b l * ln (M i l w))) in low by (field; lra).
  lra.
Qed.

(** The condition is necessary also where joint releases leak a constant more (bai2026.
    necsuff-repaired): weights exist for every database x that s allows.
    Differs: as [nfc_necessary]. *)
Theorem nfc_necessary_up_to C : composes_up_to C -> exists beta, weighed beta.
Proof.
  intros linear.
  destruct (alternatives seen (map gap left_over)) as [[weights [len [pos sep]]]|bad].
  { exfalso. apply (not_separated C weights linear len pos). intros l i. apply sep, in_map, i. }
  destruct bad as [u [cu low]]. now apply (cone_weighed u).
Qed.

(** The condition is necessary (bai2026, theorem 5.1, repaired): mechanisms of which every joint
    release, repetitions allowed, leaks at most eps for each run, meet for every database x that s
    allows a condition with weights on the databases that t allows, the same for all outputs.
    Differs: runs are repeated and x is possible, without which the print fails; finitely many
    databases, mechanisms and outputs; mechanisms share a type of outputs. *)
Theorem nfc_necessary : composes -> exists beta, weighed beta.
Proof. apply nfc_necessary_up_to. Qed.
End One.

(** One choice for each database. *)
Lemma each_chosen (Q : D -> (D -> R) -> Prop) (l : list D) :
  (forall x, In x l -> exists b, Q x b) -> exists f, forall x, In x l -> Q x (f x).
Proof.
  induction l as [|y l IH]; intros some; [exists (fun _ _ => 0); intros ? []|].
  destruct IH as [f each]; [intros; apply some; now right|].
  destruct (some y (or_introl eq_refl)) as [b by_].
  exists (fun x => if dec x y then b else f x). intros x i.
  destruct (dec x y) as [->|ne]; [easy|]. apply each. destruct i as [->|i]; [contradiction|easy].
Qed.

(** Conditions hold for every database that s allows if and only if joint releases leak at most eps
    for each run and a constant, whatever their length (bai2026.necsuff-repaired, both directions).
    Differs: as [nfc_necessary]; the constant of the print is 0, which fails. *)
Theorem nfc_exactly :
  (forall x, 0 < inside p s x -> exists beta, weighed x beta) <-> exists C, composes_up_to C.
Proof.
  split; [|intros [C linear] x px; now apply (nfc_necessary_up_to x px C)].
  intros some. destruct (sum_pos_exists all (inside p t) Pt) as [z [_ pz]].
  destruct (minimum all (fun l => if Rlt_dec 0 (inside p t l) then true else false)
    (inside p t) z (all_here z)) as [m [_ [pm least]]]; [destruct Rlt_dec; easy|].
  assert (pm' : 0 < inside p t m) by (destruct (Rlt_dec 0 (inside p t m)); [easy|discriminate]).
  destruct (each_chosen (fun x b => if Rlt_dec 0 (inside p s x) then weighed x b else
    law b /\ forall l, 0 < b l -> 0 < inside p t l) all) as [beta each].
  { intros x _. destruct (Rlt_dec 0 (inside p s x)) as [px|no]; [now apply some|].
    exists (fun l => inside p t l / P p t). assert (0 < / P p t) by (now apply Rinv_0_lt_compat).
    split; [split|].
    - intros l. apply Rmult_le_pos; [now apply inside_nonneg|lra].
    - unfold Rdiv. rewrite (sum_ext all _ (fun l => / P p t * inside p t l)) by (intros; ring).
      rewrite sum_scale. change (/ P p t * P p t = 1). field. lra.
    - intros l pl. destruct (inside_nonneg p t l Lp) as [|zero]; [easy|].
      rewrite <- zero in pl. lra. }
  assert (Lb : forall x, law (beta x)).
  { intros x. specialize (each x (all_here x)). destruct (Rlt_dec 0 (inside p s x)); apply each. }
  exists (ln (P p t / inside p t m)). intros os.
  replace (length os) with (length (map (fun o => M (fst o)) os)) by apply map_length.
  apply (nfc_runs p s t beta Lp Lb); auto.
  - intros N i. apply in_map_iff in i as [o [<- _]]. apply M0.
  - intros N i x w px. apply in_map_iff in i as [o [<- _]].
    specialize (each x (all_here x)). destruct (Rlt_dec 0 (inside p s x)); [|easy]. apply each.
  - intros x l bl. assert (pl : 0 < inside p t l).
    { specialize (each x (all_here x)). destruct (Rlt_dec 0 (inside p s x)); now apply each. }
    assert (inside p t m <= inside p t l).
    { apply least; [apply all_here|]. destruct (Rlt_dec 0 (inside p t l)); easy. }
    apply Rle_trans with (P p t / inside p t m * inside p t m); [right; field; lra|].
    apply Rmult_le_compat_l; [|easy]. apply Rmult_le_pos; [lra|].
    left. now apply Rinv_0_lt_compat.
Qed.
End Necessary.
