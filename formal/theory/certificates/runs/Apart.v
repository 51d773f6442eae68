(** What is far apart in one game cannot be promised, over mixtures either: the other half of
    certificates about many runs. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Indices Tables Integers Levels Leakage
  Mixtures Places Released Rates Logarithms Games Composing.
Import ListNotations.
Open Scope R_scope.

Lemma one_place n k u (g : nat -> R) : (k < n)%nat ->
  sum (seq 0 n) (fun i => (if Nat.eqb i k then u else 0) * g i) = u * g k.
Proof.
  revert k g; induction n as [|n IH]; intros k g small; [lia|]. rewrite sum_seq_S.
  destruct k as [|k].
  - cbn [Nat.eqb]. rewrite (sum_ext _ _ (fun _ => 0)) by (intros; ring). rewrite sum_0. ring.
  - cbn [Nat.eqb]. rewrite (IH k (fun i => g (S i))) by lia. ring.
Qed.

Section Apart.
Context (f : framework) (framework_ok : check_framework f = true).
Context {W : Type} (M : index (size f) -> W -> R) (M0 : likelihood M).
Let prior := prior_of f.
Let S := secret_of f.

(** A mixture of two priors, which may be one. *)
Lemma mixture_of_two k l u v : (k < length (priors f))%nat -> (l < length (priors f))%nat ->
  convex f = true -> 0 <= u -> 0 <= v -> u + v = 1 -> exists p, priors_of f p /\
  (forall s, P p s = u * P (prior k) s + v * P (prior l) s) /\
  (forall s w, Pw p M s w = u * Pw (prior k) M s w + v * Pw (prior l) M s w).
Proof.
  intros ks ls c u0 v0 one.
  set (weight := fun m : index (length (priors f)) =>
    (if Nat.eqb (number m) k then u else 0) + (if Nat.eqb (number m) l then v else 0)).
  assert (both_ : forall g : nat -> R, (Σ m, weight m * g (number m)) = u * g k + v * g l).
  { intros g. unfold weight.
    rewrite (Sum_index (length (priors f)) (fun i => ((if Nat.eqb i k then u else 0) +
      (if Nat.eqb i l then v else 0)) * g i)).
    rewrite (sum_ext _ _ (fun i => (if Nat.eqb i k then u else 0) * g i +
      (if Nat.eqb i l then v else 0) * g i)) by (intros; ring).
    rewrite sum_plus, !one_place by easy. reflexivity. }
  exists (mixture_of f weight). unfold priors_of. rewrite c. repeat split.
  - exists weight. split; [|easy]. split.
    + intros m. unfold weight. destruct (Nat.eqb _ k), (Nat.eqb _ l); lra.
    + specialize (both_ (fun _ => 1)). rewrite <- one, (sum_ext all _ (fun m => weight m * 1))
        by (intros; ring). rewrite both_. ring.
  - intros s. rewrite mixture_P. apply (both_ (fun m => P (prior m) s)).
  - intros s w. rewrite mixture_Pw. apply (both_ (fun m => Pw (prior m) M s w)).
Qed.

Lemma limit_of_mixtures A B : (forall u, 0 < u <= 1 -> (1 - u) * A + u * B <= 0) -> A <= 0.
Proof.
  intros H. destruct (Rle_lt_dec A 0) as [|pos]; [easy|]. exfalso.
  pose proof (Rabs_pos B). pose proof (Rle_abs (- B)) as n. rewrite Rabs_Ropp in n.
  set (T := A + Rabs B + 1). assert (0 < T) by (unfold T; lra).
  specialize (H (A / T)).
  assert (E : A / T * T = A) by (field; lra).
  assert (0 < A / T) by (apply Rmult_lt_0_compat; [easy|now apply Rinv_0_lt_compat]).
  assert (A / T <= 1) by (apply (Rmult_le_reg_r T); [easy|]; unfold T in *; lra).
  specialize (H ltac:(lra)). apply (Rmult_le_compat_r T) in H; [|lra].
  replace (((1 - A / T) * A + A / T * B) * T) with ((T - A / T * T) * A + A / T * T * B) in H
    by ring.
  rewrite E in H. replace (T - A) with (Rabs B + 1) in H by (unfold T; ring).
  assert (0 < A * (Rabs B + 1 + B)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma game_apart k l i j x w r : game f k l i j x -> 0 <= r -> within f M r ->
  inside (prior k) (S i) x * M x w * P (prior l) (S j) <= 2 * r * Pw (prior l) M (S j) w.
Proof.
  intros [ks [ls [I [comp [px Qpos]]]]] r0 promise. fold prior in comp. fold S in comp.
  fold (prior k) in px. fold (prior l) in Qpos. fold (S i) in px. fold (S j) in Qpos.
  pose proof (law_prior f framework_ok k ks) as Lk.
  pose proof (law_prior f framework_ok l ls) as Ll.
  fold (prior k) in Lk. fold (prior l) in Ll.
  pose proof (P_nonneg _ (S i) Ll) as pl0. pose proof (P_nonneg _ (S j) Lk) as qk0.
  pose proof (P_small f _ (S i) Lk) as pk1. pose proof (P_small f _ (S i) Ll) as pl1.
  pose proof (Pw_nonneg _ _ (S j) w Lk M0) as bk0. pose proof (Pw_nonneg _ _ (S j) w Ll M0) as bl0.
  pose proof (Pw_nonneg _ _ (S i) w Ll M0) as al0.
  assert (in0 : forall q s y, law q -> 0 <= inside q s y * M y w)
    by (intros q s y Lq; apply Rmult_le_pos; [now apply inside_nonneg|apply M0]).
  assert (ak : inside (prior k) (S i) x * M x w <= Pw (prior k) M (S i) w)
    by (apply (sum_member all (fun y => inside (prior k) (S i) y * M y w));
      [intros; now apply in0|apply all_here]).
  assert (pk : inside (prior k) (S i) x <= P (prior k) (S i))
    by (apply (sum_member all (fun y => inside (prior k) (S i) y));
      [intros; now apply inside_nonneg|apply all_here]).
  assert (none : forall q s, law q -> P q s = 0 -> Pw q M s w = 0).
  { intros q s Lq z. unfold Pw. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
    intros y _. assert (inside q s y <= P q s)
      by (apply (sum_member all (fun y => inside q s y)); [intros; now apply inside_nonneg|
        apply all_here]).
    pose proof (inside_nonneg q s y Lq). replace (inside q s y) with 0 by lra. ring. }
  apply Rle_trans with (Pw (prior k) M (S i) w * P (prior l) (S j));
    [apply Rmult_le_compat_r; lra|]. clear ak.
  assert (st : pairs_of f (S i) (S j)) by (exists i, j; auto).
  assert (enough_ : Pw (prior k) M (S i) w * P (prior l) (S j) <=
    r * P (prior k) (S i) * Pw (prior l) M (S j) w ->
    Pw (prior k) M (S i) w * P (prior l) (S j) <= 2 * r * Pw (prior l) M (S j) w).
  { intros h. apply Rle_trans with (1 := h). apply Rmult_le_compat_r; [easy|].
    assert (0 < P (prior k) (S i)) by lra. nra. }
  assert (mixed : convex f = true -> forall u v, 0 <= u -> 0 <= v -> u + v = 1 ->
    0 < u * P (prior k) (S i) + v * P (prior l) (S i) ->
    0 < u * P (prior k) (S j) + v * P (prior l) (S j) ->
    (u * Pw (prior k) M (S i) w + v * Pw (prior l) M (S i) w) *
    (u * P (prior k) (S j) + v * P (prior l) (S j)) <=
    r * (u * P (prior k) (S i) + v * P (prior l) (S i)) *
    (u * Pw (prior k) M (S j) w + v * Pw (prior l) M (S j) w)).
  { intros c u v u0 v0 one. destruct (mixture_of_two k l u v ks ls c u0 v0 one) as [p [hp [E F]]].
    rewrite <- !E, <- !F. intros Pi Pj. exact (promise p (S i) (S j) w hp st Pi Pj). }
  set (a := Pw (prior k) M (S i) w) in *. set (al := Pw (prior l) M (S i) w) in *.
  set (bk := Pw (prior k) M (S j) w) in *. set (bl := Pw (prior l) M (S j) w) in *.
  set (p := P (prior k) (S i)) in *. set (pl := P (prior l) (S i)) in *.
  set (qk := P (prior k) (S j)) in *. set (q := P (prior l) (S j)) in *.
  assert (p0 : 0 < p) by lra.
  destruct comp as [e|[c [z|z]]].
  - subst l. apply enough_. change (a * qk <= r * p * bk). change (0 < qk) in Qpos.
    destruct (convex f) eqn:c.
    + specialize (mixed eq_refl 1 0). rewrite !Rmult_0_l, !Rmult_1_l, !Rplus_0_r in mixed.
      apply mixed; lra.
    + apply (promise (prior k) (S i) (S j) w); auto. unfold priors_of. rewrite c. exists k; auto.
  - change (qk = 0) in z.
    assert (bz : bk = 0) by (apply none; [exact Lk|exact z]).
    specialize (mixed c (/ 2) (/ 2)). rewrite z, bz in mixed.
    assert (H : (/ 2 * a + / 2 * al) * (/ 2 * 0 + / 2 * q) <=
      r * (/ 2 * p + / 2 * pl) * (/ 2 * 0 + / 2 * bl)) by (apply mixed; lra).
    assert (r * bl * (p + pl) <= r * bl * 2)
      by (apply Rmult_le_compat_l; [now apply Rmult_le_pos|lra]).
    assert (0 <= al * q) by (apply Rmult_le_pos; lra). lra.
  - change (pl = 0) in z.
    assert (az : al = 0) by (apply none; [exact Ll|exact z]).
    apply enough_. rewrite z, az in mixed.
    enough (a * q - r * p * bl <= 0) by lra.
    apply (limit_of_mixtures _ (a * qk - r * p * bk)). intros u [u0 u1].
    specialize (mixed c u (1 - u) ltac:(lra) ltac:(lra) ltac:(ring)).
    assert (0 < u * p) by now apply Rmult_lt_0_compat.
    assert (0 <= u * qk) by (apply Rmult_le_pos; lra).
    destruct (Rle_lt_dec (u * qk + (1 - u) * q) 0) as [none_|some].
    + (* only u = 1, and then qk = 0 *)
      assert (0 <= (1 - u) * q) by (apply Rmult_le_pos; lra).
      assert (u = 1) as -> by nra. assert (qz : qk = 0) by lra.
      rewrite (none _ _ Lk qz : bk = 0), qz. lra.
    + specialize (mixed ltac:(lra) some).
      assert (u * ((1 - u) * (a * q - r * p * bl) + u * (a * qk - r * p * bk)) <= 0) by lra.
      apply (Rmult_le_reg_l u); lra.
Qed.
End Apart.

(** Outputs that are shown, each by a mechanism that runs at a level. *)
Definition shown := {r : mechanism * level & index (outputs (fst r))}.
Definition run_of (o : shown) : mechanism * level := projT1 o.
Fixpoint told (os : list shown) : together (map fst (map run_of os)) := match os with
  | [] => tt | o :: os => (projT2 o, told os) end.
Definition value f (os : list shown) (y : index (size f)) : R :=
  prod os (fun o => channel f (fst (run_of o)) y (projT2 o)).
Definition again (os : list shown) n := concat (repeat os n).

Lemma joint_told f os y : joint f (map fst (map run_of os)) y (told os) = value f os y.
Proof.
  unfold value. induction os as [|o os IH]; [easy|].
  cbn [map joint told prod]. unfold both. cbn [fst snd]. now rewrite IH.
Qed.

Lemma prod_app {A} (l m : list A) g : prod (l ++ m) g = prod l g * prod m g.
Proof. induction l as [|x l IH]; cbn [prod app]; [ring|rewrite IH; ring]. Qed.
Lemma prod_map {A B} (h : A -> B) (l : list A) g : prod (map h l) g = prod l (fun x => g (h x)).
Proof. induction l as [|x l IH]; cbn [prod map]; [easy|now rewrite IH]. Qed.

Lemma value_again f os n y : value f (again os n) y = value f os y ^ n.
Proof.
  unfold value, again. induction n as [|n IH]; [easy|].
  cbn [repeat concat pow]. now rewrite prod_app, IH.
Qed.
Lemma ratio_again os n :
  together_ratio (map run_of (again os n)) = together_ratio (map run_of os) ^ n.
Proof.
  unfold together_ratio, again. induction n as [|n IH]; [easy|].
  cbn [repeat concat pow]. now rewrite map_app, prod_app, IH.
Qed.
Lemma again_in os n o : In o (again os n) -> In o os.
Proof.
  unfold again. induction n as [|n IH]; [easy|]. cbn [repeat concat].
  intros i. apply in_app_iff in i as [i|i]; auto.
Qed.

(** A gap between finitely many numbers and a larger one. *)
Lemma gap_of {A} (l : list A) (u g : A -> R) v : 0 < v ->
  (forall y, In y l -> 0 < u y -> g y < v) ->
  exists t, 0 <= t < 1 /\ forall y, In y l -> 0 < u y -> g y <= t * v.
Proof.
  intros v0. induction l as [|a l IH]; intros H; [exists 0; split; [lra|easy]|].
  destruct IH as [t [t01 each]]; [intros y i; apply H; now right|].
  destruct (Rlt_le_dec 0 (u a)) as [pos|neg].
  - specialize (H a (or_introl eq_refl) pos). exists (Rmax t (g a / v)).
    assert (g a / v < 1) by (apply (Rmult_lt_reg_r v); [easy|];
      replace (g a / v * v) with (g a) by (field; lra); lra).
    split; [split; [apply Rle_trans with t; [lra|apply Rmax_l]|apply Rmax_lub_lt; lra]|].
    intros y [<-|i] p.
    + apply Rle_trans with (g a / v * v); [right; field; lra|].
      apply Rmult_le_compat_r; [lra|apply Rmax_r].
    + apply Rle_trans with (1 := each y i p). apply Rmult_le_compat_r; [lra|apply Rmax_l].
  - exists t. split; [easy|]. intros y [<-|i] p; [lra|auto].
Qed.

Section Place.
Context (f : framework) (ps : list (mechanism * level)).
Context (framework_ok : check_framework f = true).
Context (mechanisms_ok : forall m e, In (m, e) ps -> check_mechanism f m = true).
Context (levels_ok : forall m e, In (m, e) ps -> check_level e = true).
Context (k l i j : nat) (x : index (size f)) (here : game f k l i j x).
Context (os : list shown) (from : all_of ps (map run_of os)).
Let prior := prior_of f.
Let S := secret_of f.
Let T := together_ratio (map run_of os).
Let V := value f os.
Context (shows : 0 < V x).

Lemma ratio_at_least_one : 1 <= T.
Proof. exact (ratios_one ps levels_ok (map run_of os) from). Qed.

Lemma from_again n : all_of ps (map run_of (again os n)).
Proof.
  intros r ir. apply in_map_iff in ir as [o [<- io]]. apply again_in in io.
  apply from. now apply in_map.
Qed.

Lemma value_nonneg y : 0 <= V y.
Proof.
  unfold V. rewrite <- joint_told.
  apply (joint_small f _ (runs_ok f ps mechanisms_ok (map run_of os) from)).
Qed.

Lemma apart_again n r : 0 <= r -> within f (joint f (map fst (map run_of (again os n)))) r ->
  inside (prior k) (S i) x * V x ^ n * P (prior l) (S j) <=
  2 * r * Σ y, inside (prior l) (S j) y * V y ^ n.
Proof.
  intros r0 H.
  pose proof (joint_small f _ (runs_ok f ps mechanisms_ok _ (from_again n))) as small.
  pose proof (game_apart f framework_ok _ (fun y w => proj1 (small y w)) k l i j x
    (told (again os n)) r here r0 H) as G.
  rewrite joint_told, value_again in G. unfold Pw in G.
  rewrite (sum_ext all _ (fun y => inside (prior l) (S j) y * V y ^ n)) in G.
  - exact G.
  - intros y _. now rewrite joint_told, value_again.
Qed.

Lemma inside_sum (q : index (size f) -> R) s g c n : law q -> (forall y, 0 <= g y) -> 0 <= c ->
  (forall y, 0 < inside q s y -> g y <= c) -> (Σ y, inside q s y * g y ^ n) <= P q s * c ^ n.
Proof.
  intros Lq g0 c0 le. unfold P. rewrite Rmult_comm, <- sum_scale. apply sum_le; intros y _.
  destruct (inside_nonneg q s y Lq) as [pos|<-]; [|lra].
  rewrite (Rmult_comm (c ^ n)). apply Rmult_le_compat_l; [lra|]. apply pow_incr. auto.
Qed.

Lemma inside_x : 0 < inside (prior k) (S i) x.
Proof. now destruct here as [_ [_ [_ [_ [px _]]]]]. Qed.
Lemma P_others : 0 < P (prior l) (S j).
Proof. now destruct here as [_ [_ [_ [_ [_ Pt]]]]]. Qed.
Let law_k : law (prior k) := law_prior f framework_ok k (proj1 here).
Let law_l : law (prior l) := law_prior f framework_ok l (proj1 (proj2 here)).

Section Above.
Context (above : forall y, 0 < inside (prior l) (S j) y -> T * V y < V x).

Lemma one_gap : exists t, 0 <= t < 1 /\
  forall y, 0 < inside (prior l) (S j) y -> T * V y <= t * V x.
Proof.
  destruct (gap_of all (inside (prior l) (S j)) (fun y => T * V y) (V x) shows) as [t [t1 each]].
  - intros y _. apply above.
  - exists t. split; [easy|]. intros y. apply each, all_here.
Qed.

Lemma no_weights : ~ nfc_at f ps l j x.
Proof.
  intros [beta [Lb [on each]]]. destruct one_gap as [t [t1 gap]].
  pose proof (conditions_multiply f ps mechanisms_ok levels_ok beta x Lb each (map run_of os)
    (told os) from) as H.
  rewrite joint_told in H. fold T in H. fold (V x) in H.
  pose proof ratio_at_least_one as T1.
  assert (G : geo beta (fun y => joint f (map fst (map run_of os)) y (told os)) <=
    Σ y, beta y * V y).
  { apply Rle_trans with (1 := geo_small beta _ Lb
      (fun y => proj1 (joint_small f _ (runs_ok f ps mechanisms_ok _ from) y (told os)))).
    right. apply sum_ext; intros y _. now rewrite joint_told. }
  apply (Rmult_le_compat_l T) in G; [|lra]. rewrite <- sum_scale in G.
  assert (F : (Σ y, T * (beta y * V y)) <= t * V x).
  { destruct Lb as [b0 b1].
    apply Rle_trans with (Σ y, t * V x * beta y); [|rewrite sum_scale, b1; lra].
    apply sum_le; intros y _. destruct (b0 y) as [pos|<-]; [|lra].
    specialize (gap y (on y pos)). apply (Rmult_le_compat_l (beta y)) in gap; lra. }
  assert (t * V x < 1 * V x) by (apply Rmult_lt_compat_r; lra). lra.
Qed.

Lemma no_adding_up : ~ levels_add_up f ps.
Proof.
  intros [C each]. destruct one_gap as [t [t1 gap]].
  pose proof inside_x as px. pose proof P_others as Pt. pose proof ratio_at_least_one as T1.
  set (c := Rabs C). assert (c0 : 0 <= c) by apply Rabs_pos.
  assert (all_n : forall n, inside (prior k) (S i) x <= 2 * c * t ^ n).
  { intros n. assert (Tn : 0 < T ^ n) by (apply pow_lt; lra).
    pose proof (joint_small f _ (runs_ok f ps mechanisms_ok _ (from_again n))) as small.
    specialize (each (map run_of (again os n)) (from_again n)).
    fold (together_ratio (map run_of (again os n))) in each. rewrite ratio_again in each.
    fold T in each.
    apply (within_more f framework_ok _ (fun y w => proj1 (small y w)) _ (c * T ^ n)) in each;
      [|apply Rmult_le_compat_r; [lra|apply Rle_abs]].
    apply apart_again in each; [|apply Rmult_le_pos; lra].
    assert (B : T ^ n * (Σ y, inside (prior l) (S j) y * V y ^ n) <=
      P (prior l) (S j) * (t ^ n * V x ^ n)).
    { rewrite <- sum_scale, <- Rpow_mult_distr.
      rewrite (sum_ext all _ (fun y => inside (prior l) (S j) y * (T * V y) ^ n))
        by (intros; rewrite Rpow_mult_distr; ring).
      apply inside_sum; auto.
      - intros y. apply Rmult_le_pos; [lra|apply value_nonneg].
      - apply Rmult_le_pos; lra. }
    assert (Vn : 0 < V x ^ n) by now apply pow_lt.
    apply (Rmult_le_reg_r (V x ^ n * P (prior l) (S j))); [now apply Rmult_lt_0_compat|].
    apply Rle_trans with (inside (prior k) (S i) x * V x ^ n * P (prior l) (S j)); [right; ring|].
    apply Rle_trans with (1 := each).
    apply (Rmult_le_compat_l (2 * c)) in B; [|lra]. lra. }
  destruct (pow_lt_1_zero t ltac:(rewrite Rabs_right; lra)
    (inside (prior k) (S i) x / (2 * c + 1))) as [n small].
  { apply Rmult_lt_0_compat; [easy|]. apply Rinv_0_lt_compat; lra. }
  specialize (small n (le_n n)). specialize (all_n n).
  pose proof (pow_le t n (proj1 t1)) as tn. rewrite Rabs_right in small by lra.
  apply (Rmult_lt_compat_r (2 * c + 1)) in small; [|lra].
  replace (inside (prior k) (S i) x / (2 * c + 1) * (2 * c + 1)) with (inside (prior k) (S i) x)
    in small by (field; lra). lra.
Qed.
End Above.
End Place.
