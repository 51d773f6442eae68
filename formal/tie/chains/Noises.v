(** How queries with Laplace noise are read from tables and decided: values are integers, a scale
    b is
    given by e^(-1/b), and so densities at values are powers of rational numbers. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Attained Slower Geometric.
From Tied Require Import Decide Entries Chains.
Import ListNotations.
Open Scope R_scope.

Lemma scale_pos q : 0 < - / ln (Q2R (proper q)).
Proof.
  destruct (proper_is q). assert (neg : ln (Q2R (proper q)) < 0) by (rewrite <- ln_1; now apply
    ln_increasing).
  apply Rinv_lt_0_compat in neg. lra.
Qed.
Definition scale q : posreal := mkposreal _ (scale_pos q).
Definition values {n} (l : list Z) : fin (S n) -> R := fun x => IZR (nth (rank x) l 0%Z).
Definition query {n} (r : list Z * Q) : (fin (S n) -> R) * posreal := (values (fst r), scale (snd
  r)).
Definition query_twice {n} (r : list Z * (Q * Q)) : (fin (S n) -> R) * (posreal * posreal) :=
  (values (fst r), (scale (fst (snd r)), scale (snd (snd r)))).

Definition integer_query {n} (r : list Z * Q) : (fin (S n) -> Z) * posreal :=
  (fun x => nth (rank x) (fst r) 0%Z, scale (snd r)).

(** What is known of a scale, of a query and of a list of queries. *)
Class scale_is (b : R) (q : Q) : Prop := is_scale : 0 < Q2R q < 1 /\ b = - / ln (Q2R q).
Class integral {D} (f : D -> R) (z : D -> Z) : Prop := is_integral : forall x, f x = IZR (z x).
Class query_is {D} (fb : (D -> R) * posreal) (zq : (D -> Z) * Q) : Prop :=
  is_query : integral (fst fb) (fst zq) /\ scale_is (snd fb) (snd zq).
Class queries_are {D} (F : list ((D -> R) * posreal)) (L : list ((D -> Z) * Q)) : Prop :=
  are_queries : Forall2 query_is F L.

#[export] Instance scale_read q : scale_is (scale q) (proper q).
Proof. split; [apply proper_is|easy]. Qed.
#[export] Instance integral_read n l : integral (@values n l) (fun x => nth (rank x) l 0%Z).
Proof. easy. Qed.
#[export] Instance integral_affine {D} (c r : Z) (f : D -> R) z : integral f z ->
  integral (fun x => IZR c + IZR r * f x) (fun x => (c + r * z x)%Z).
Proof. intros e x. now rewrite e, plus_IZR, mult_IZR. Qed.
Lemma rate_of q : 0 < Q2R q < 1 -> ln (Q2R q) < 0.
Proof. intros [q0 q1]. rewrite <- ln_1. now apply ln_increasing. Qed.
#[export] Instance scale_merged (b b' : posreal) (r : Z) q q' : scale_is b q -> scale_is b' q' ->
  scale_is (merged b (IZR r) b') (Qred (q * qpow q' (Z.abs_nat r))).
Proof.
  intros [h e] [h' e']. pose proof (rate_of q h) as l. pose proof (rate_of q' h') as l'.
  assert (power : Q2R (Qred (q * qpow q' (Z.abs_nat r))) = Q2R q * Q2R q' ^ Z.abs_nat r).
  { rewrite red, Q2R_mult. f_equal. generalize (Z.abs_nat r) as k.
    induction k as [|k IH]; cbn [qpow pow]; [apply one_q|]. now rewrite red, Q2R_mult, IH. }
  assert (p0 : 0 < Q2R q' ^ Z.abs_nat r) by (apply pow_lt; easy).
  assert (p1 : Q2R q' ^ Z.abs_nat r <= 1).
  { rewrite <- (pow1 (Z.abs_nat r)). apply pow_incr. lra. }
  destruct h as [q0 q1], h' as [q0' q1']. split; rewrite power.
  { split; [now apply Rmult_lt_0_compat|]. apply Rle_lt_trans with (Q2R q * 1); [|lra].
    apply Rmult_le_compat_l; lra. } unfold merged; cbn [pos]. rewrite e, e'.
  rewrite ln_mult by lra. rewrite <- Rpower_pow by lra. unfold Rpower. rewrite ln_exp.
  rewrite INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR.
  assert (turned : forall a, a < 0 -> / - / a = - a) by (intros; field; lra).
  rewrite !turned by easy. pose proof (Rabs_pos (IZR r)) as k0.
  assert (0 <= Rabs (IZR r) * - ln (Q2R q')) by (apply Rmult_le_pos; lra).
  rewrite Ropp_inv_permute by lra. f_equal. ring.
Qed.
#[export] Instance query_pair {D} (f : D -> R) (b : posreal) z q : integral f z -> scale_is b q ->
  query_is (f, b) (z, q).
Proof. now split. Qed.
#[export] Instance queries_none {D} : queries_are (D := D) [] []. Proof. constructor. Qed.
#[export] Instance queries_more {D} fb (F : list ((D -> R) * posreal)) zq L : query_is fb zq ->
  queries_are F L -> queries_are (fb :: F) (zq :: L).
Proof. now constructor. Qed.
#[export] Instance queries_map {D A} (g : A -> (D -> R) * posreal) h (l : list A) :
  (forall a, query_is (g a) (h a)) -> queries_are (map g l) (map h l).
Proof. intros each. induction l; constructor; auto. Qed.
#[export] Instance queries_read n l : queries_are (map (@query n) l)
  (map (fun r => (fun x => nth (rank x) (fst r) 0%Z, proper (snd r))) l).
Proof. apply queries_map. intros [f q]. split; [apply integral_read|apply scale_read]. Qed.
#[export] Instance queries_first n l : queries_are (first_scales (map (@query_twice n) l))
  (map (fun r => (fun x => nth (rank x) (fst r) 0%Z, proper (fst (snd r)))) l).
Proof.
  unfold first_scales. rewrite map_map. apply queries_map. intros [f [q q']].
  split; [apply integral_read|apply scale_read].
Qed.
#[export] Instance queries_second n l : queries_are (second_scales (map (@query_twice n) l))
  (map (fun r => (fun x => nth (rank x) (fst r) 0%Z, proper (snd (snd r)))) l).
Proof.
  unfold second_scales. rewrite map_map. apply queries_map. intros [f [q q']].
  split; [apply integral_read|apply scale_read].
Qed.

#[export] Instance queries_reals n l : queries_are (as_reals (map (@integer_query n) l))
  (map (fun r => (fun x => nth (rank x) (fst r) 0%Z, proper (snd r))) l).
Proof.
  unfold as_reals. rewrite map_map. apply queries_map. intros [f q].
  split; [easy|apply scale_read].
Qed.
#[export] Instance queries_app {D} (F G : list ((D -> R) * posreal)) K L : queries_are F K ->
  queries_are G L -> queries_are (F ++ G) (K ++ L).
Proof. apply Forall2_app. Qed.
#[export] Instance d_geometric {D} `{Finite D} ratio G F (pairs : @secret D -> @secret D -> Prop)
  priors b : decided (pufferfish ratio (released (as_reals G ++ F)) pairs priors) b ->
  decided (pufferfish ratio (both_noises G F) pairs priors) b | 0.
Proof. unfold decided. now rewrite geometric_as_laplace. Qed.

(** Larger scales have larger powers. *)
Lemma scale_order b b' q q' : scale_is b q -> scale_is b' q' -> Qle_bool q q' = true <-> b <= b'.
Proof.
  intros [h ->] [h' ->]. pose proof (rate_of q h) as l. pose proof (rate_of q' h') as l'.
  rewrite Qle_bool_iff, !Ropp_inv_permute by lra. split; intros le.
  - apply Qle_Rle in le. apply Rinv_le_contravar; [lra|].
    destruct le as [less|<-]; [left|lra]. apply Ropp_lt_contravar. now apply ln_increasing.
  - apply Rle_Qle. apply Rnot_lt_le. intros less. apply ln_increasing in less; [|lra].
    assert (/ - ln (Q2R q') < / - ln (Q2R q)); [|lra].
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra|lra].
Qed.
#[export] Instance d_rise n l : decided (scales_rise (map (@query_twice n) l))
  (forallb (fun r => Qle_bool (proper (fst (snd r))) (proper (snd (snd r)))) l) | 0.
Proof.
  unfold decided, scales_rise. rewrite forallb_forall. split.
  - intros h q i. apply in_map_iff in i as [r [<- i]].
    apply (scale_order _ _ _ _ (scale_read _) (scale_read _)). now apply h.
  - intros h r i. apply (scale_order _ _ _ _ (scale_read _) (scale_read _)).
    apply (h (query_twice r)). now apply in_map.
Qed.

Section Powers.
Context {D : Type} `{Finite D}.
Fixpoint powers (L : list ((D -> Z) * Q)) (x : D) (ws : list Z) : R := match L, ws with
  | (z, q) :: L, w :: ws => Q2R q ^ Z.abs_nat (w - z x) * powers L x ws
  | [], [] => 1 | _, _ => 0 end.
Fixpoint qpowers (L : list ((D -> Z) * Q)) (x : D) (ws : list Z) : Q := match L, ws with
  | (z, q) :: L, w :: ws => Qred (qpow q (Z.abs_nat (w - z x)) * qpowers L x ws)
  | [], [] => 1%Q | _, _ => 0%Q end.
#[export] Instance r_powers L x ws : rational (powers L x ws) (qpowers L x ws).
Proof.
  unfold rational. revert ws; induction L as [|[z q] L IH]; intros [|w ws]; cbn [powers qpowers];
    try (unfold Q2R; simpl; lra).
  rewrite red, Q2R_mult, <- IH. f_equal. apply r_pow. easy.
Qed.
Fixpoint integers (l : list D) (L : list ((D -> Z) * Q)) : list (list Z) := match L with [] => [[]]
  | (z, _) :: L => map (fun yw => z (fst yw) :: snd yw) (list_prod l (integers l L)) end.
Fixpoint heights (F : list ((D -> R) * posreal)) : R := match F with [] => 1
  | (_, b) :: F => / (2 * b) * heights F end.

Lemma heights_pos F : 0 < heights F.
Proof.
  induction F as [|[f b] F IH]; cbn [heights]; [lra|]. apply Rmult_lt_0_compat; [|easy].
  apply Rinv_0_lt_compat. pose proof (cond_pos b). lra.
Qed.

Lemma corners_integers F L l : queries_are F L -> corners l (scaled F) = map (map IZR) (integers l
  L).
Proof.
  unfold queries_are. induction 1 as [|[f b] [z q] F L [e _] rest IH]; [easy|].
  cbn [scaled map fst snd corners integers]. fold (scaled F). rewrite IH. rewrite map_map.
  generalize (integers l L) as m. intros m. clear IH. induction l as [|y l IHl]; [easy|].
  cbn [list_prod]. rewrite !map_app, !map_map. f_equal.
  - apply map_ext. intros ws. cbn [map fst snd]. f_equal. apply e.
  - exact IHl.
Qed.

Lemma grid_corners (F : list ((D -> R) * R)) : grid F = corners all F.
Proof. induction F as [|[f b] F IH]; [easy|]. cbn [grid corners]. now rewrite IH. Qed.

Lemma density_power b q u w : scale_is b q -> laplace b (IZR u) (IZR w) =
  / (2 * b) * Q2R q ^ Z.abs_nat (w - u).
Proof.
  intros [h ->]. rewrite laplace_power by easy. pose proof (rate_of q h).
  rewrite Rmult_comm. f_equal. field. lra.
Qed.

Lemma released_powers F L x ws : queries_are F L ->
  released F x (map IZR ws) = heights F * powers L x ws.
Proof.
  unfold queries_are, released. intros r. revert ws.
  induction r as [|[f b] [z q] F L [e s] rest IH]; intros [|w ws]; cbn; try ring.
  fold (scaled F). rewrite IH. cbn [fst snd] in e, s. rewrite e, (density_power _ q _ _ s). ring.
Qed.

Lemma joint_powers p s F L ws : queries_are F L ->
  Pw p (released F) s (map IZR ws) = heights F * Pw p (powers L) s ws.
Proof.
  intros r. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros x _.
  rewrite (released_powers F L) by easy. ring.
Qed.

#[export] Instance d_released {A B} ratio (a b : B -> @secret D) (f : A -> D -> R) F L lq lp c :
  queries_are F L ->
  (forall x y w, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) -> Pw (f x) (powers L) (a y) w * P
    (f x) (b y) <= ratio * P (f x) (a y) * Pw (f x) (powers L) (b y) w) (c x y w)) ->
  decided (pufferfish ratio (released F) (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp)))
    (forallb (fun x => forallb (fun y => forallb (c x y) (integers all L)) lq) lp) | 0.
Proof.
  intros r each. unfold decided, released. rewrite promise_on_grid by apply scaled_pos.
  rewrite grid_corners, (corners_integers F L all r). fold (released F).
  pose proof (heights_pos F) as h0.
  assert (turn : forall x y w, Pw (f x) (released F) (a y) (map IZR w) * P (f x) (b y) <=
      ratio * P (f x) (a y) * Pw (f x) (released F) (b y) (map IZR w) <->
    Pw (f x) (powers L) (a y) w * P (f x) (b y) <= ratio * P (f x) (a y) * Pw (f x) (powers L) (b
      y) w).
  { intros x y w. rewrite !(joint_powers _ _ F L w r).
    replace (heights F * Pw (f x) (powers L) (a y) w * P (f x) (b y))
      with (heights F * (Pw (f x) (powers L) (a y) w * P (f x) (b y))) by ring.
    replace (ratio * P (f x) (a y) * (heights F * Pw (f x) (powers L) (b y) w))
      with (heights F * (ratio * P (f x) (a y) * Pw (f x) (powers L) (b y) w)) by ring.
    split; intros h; [now apply Rmult_le_reg_l in h|]. apply Rmult_le_compat_l; lra. }
  rewrite forallb_forall. split.
  - intros h p s t ws i j k Ps Pt. apply in_map_iff in i as [x [<- i]].
    apply in_map_iff in j as [y [e j]]. injection e as <- <-. apply in_map_iff in k as [w [<- k]].
    specialize (h x i). rewrite forallb_forall in h. specialize (h y j).
    rewrite forallb_forall in h. apply turn. now apply (proj1 (each x y w) (h w k)).
  - intros h x i. apply forallb_forall; intros y j. apply forallb_forall; intros w k. apply each.
    intros Ps Pt. apply turn. apply h; auto.
    + now apply in_map.
    + now apply (in_map (fun y => (a y, b y))).
    + now apply in_map.
Qed.

Lemma d_attained p s t F L q c : queries_are F L -> (forall x, rational (p x) (q x)) ->
  (forall v w, decided (Pw p (powers L) s v * Pw p (powers L) t w <=
    Pw p (powers L) s w * Pw p (powers L) t v) (c v w)) ->
  decided (attained p s t F) (existsb (fun w => forallb (fun v => c v w) (integers all L))
    (integers (filter (fun y => negb (Qle_bool (q y) 0) && (s y || t y)) all) L)).
Proof.
  intros r e each. unfold decided. rewrite attained_on_grid, existsb_exists.
  assert (same : filter (matters p s t) all =
    filter (fun y => negb (Qle_bool (q y) 0) && (s y || t y)) all).
  { apply filter_ext. intros y. unfold matters. rewrite e. destruct (Qle_bool (q y) 0) eqn:z.
    - apply Qle_bool_iff, Qle_Rle in z. rewrite RMicromega.Q2R_0 in z.
      destruct (Rlt_dec 0 (Q2R (q y))); [lra|easy].
    - destruct (Rlt_dec 0 (Q2R (q y))) as [|no]; [easy|]. exfalso. apply no.
      rewrite <- RMicromega.Q2R_0. apply Qlt_Rlt, Qnot_le_lt. rewrite <- Qle_bool_iff. congruence. }
  rewrite same, (corners_integers F L _ r), grid_corners, (corners_integers F L all r).
  pose proof (heights_pos F) as h0. assert (hh : 0 < heights F * heights F) by nra.
  assert (turn : forall v w, Pw p (released F) s (map IZR v) * Pw p (released F) t (map IZR w) <=
      Pw p (released F) s (map IZR w) * Pw p (released F) t (map IZR v) <->
    Pw p (powers L) s v * Pw p (powers L) t w <= Pw p (powers L) s w * Pw p (powers L) t v).
  { intros v w. rewrite !(joint_powers _ _ F L _ r).
    generalize (Pw p (powers L) s v), (Pw p (powers L) t w), (Pw p (powers L) s w),
      (Pw p (powers L) t v). intros A B C E.
    replace (heights F * A * (heights F * B)) with (heights F * heights F * (A * B)) by ring.
    replace (heights F * C * (heights F * E)) with (heights F * heights F * (C * E)) by ring.
    split; intros h; [now apply Rmult_le_reg_l in h|]. apply Rmult_le_compat_l; lra. }
  split.
  - intros [w [i top]]. exists (map IZR w). split; [now apply in_map|]. intros u j.
    apply in_map_iff in j as [v [<- j]]. apply turn, each. rewrite forallb_forall in top. auto.
  - intros [u [i top]]. apply in_map_iff in i as [w [<- i]]. exists w. split; [easy|].
    apply forallb_forall. intros v j. apply each, turn, top. now apply in_map.
Qed.
End Powers.
#[export] Hint Extern 0 (decided (attained _ _ _ _) _) => eapply d_attained : typeclass_instances.
