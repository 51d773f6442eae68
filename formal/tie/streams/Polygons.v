(** How regions of two rows, their lines and shifts are decided on tables of rationals: the choices
    form a polygon, whose half-planes are found outcome by outcome. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Regions Slopes Zonotopes Intersections Compactness.
From Tied Require Import Decide Entries Planes.
Import ListNotations.
Open Scope R_scope.

#[export] Instance d_exists {A} `{Finite A} (P : A -> Prop) b : (forall x, decided (P x) (b x)) ->
  decided (exists x, P x) (existsb b all) | 4.
Proof.
  intros d. unfold decided. rewrite existsb_exists. split.
  - intros [x [_ yes]]. exists x. now apply d.
  - intros [x yes]. exists x. split; [apply all_here|now apply d].
Qed.
#[export] Instance r_at_zero x q a b p r : rational x q -> rational a p -> rational b r ->
  rational (if Req_EM_T x 0 then a else b) (if Qeq_bool q 0 then p else r) | 0.
Proof.
  unfold rational. intros -> -> ->. pose proof (d_eq (Q2R q) 0 q 0%Q eq_refl r_0) as d.
  unfold decided in d. destruct Req_EM_T as [e|n], (Qeq_bool q 0); try easy.
  - now apply d in e.
  - now destruct n; apply d.
Qed.

(** Shifts and slopes. *)
#[export] Instance d_shift {W} `{Finite W} ratio delta (P Q : W -> R) b :
  decided ((Σ y, Rmax 0 (P y - ratio * Q y)) = delta) b -> decided (shift ratio delta P Q) b.
Proof. apply d_as, hockey_stick. Qed.
#[export] Hint Extern 1 (decided (shift_at _ _ _ _ _) _) =>
  unfold shift_at : typeclass_instances.

Lemma slopes_listed {W} `{Finite W} (P Q : W -> R) (X : R -> R -> Prop) :
  (forall r d, slope r d P Q -> X r d) <-> forall y, 0 < Q y /\ Q y <= P y ->
    X (P y / Q y) (Σ w, Rmax 0 (P w - P y / Q y * Q w)).
Proof.
  split.
  - intros each y [pos le]. apply each. split; [|split; [exists y|now apply hockey_stick]].
    + apply (Rmult_le_reg_r (Q y)); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
    + split; [easy|]. field. lra.
  - intros each r d [r1 [[y [pos e]] sh]]. apply hockey_stick in sh. subst d.
    replace r with (P y / Q y) by (rewrite e; field; lra). apply each. split; [easy|]. nra.
Qed.

Section Rows.
Context {W : Type} `{Finite W} (p q : W -> Q) (P Q : W -> R).
Context (rp : forall y, rational (P y) (p y)) (rq : forall y, rational (Q y) (q y)).
Definition stick r := qsum all (fun w => qmax 0 (Qred (p w - Qred (r * q w)))).
Definition ratio_of y := Qred (p y * Qred (/ q y)).
Definition at_slope y := (negb (Qle_bool (q y) 0) && Qle_bool (q y) (p y))%bool.
Definition is_slope r d := (Qle_bool 1 r && (existsb (fun y => negb (Qle_bool (q y) 0) &&
  Qeq_bool (p y) (Qred (r * q y))) all && Qeq_bool (stick r) d))%bool.
Definition at_slopes b :=
  forallb (fun y => negb (at_slope y) || b (ratio_of y) (stick (ratio_of y)))%bool all.

Lemma r_stick x r : rational x r -> rational (Σ w, Rmax 0 (P w - x * Q w)) (stick r).
Proof.
  intros e. apply r_sum; intros w. apply r_max; [apply r_0|]. apply r_minus; [apply rp|].
  now apply r_mult.
Qed.
Lemma d_slope ratio r delta d : rational ratio r -> rational delta d ->
  decided (slope ratio delta P Q) (is_slope r d).
Proof.
  intros er ed. unfold slope, is_slope. apply d_and; [now apply d_le; [apply r_1|]|].
  apply d_and; [|apply d_shift, d_eq; [now apply r_stick|easy]].
  apply d_exists; intros y. apply d_and; [apply d_lt; [apply r_0|apply rq]|].
  apply d_eq; [apply rp|now apply r_mult].
Qed.
Lemma d_slopes (X : R -> R -> Prop) b : (forall ratio r delta d, rational ratio r ->
    rational delta d -> decided (X ratio delta) (b r d)) ->
  decided (forall ratio delta, slope ratio delta P Q -> X ratio delta) (at_slopes b).
Proof.
  intros each. apply (d_as _ _ _ (slopes_listed P Q X)), d_all; intros y. apply d_imp.
  - apply d_and; [apply d_lt; [apply r_0|apply rq]|now apply d_le].
  - assert (rational (P y / Q y) (ratio_of y)) by now apply r_div.
    apply each; [easy|now apply r_stick].
Qed.
End Rows.

#[export] Instance d_between {W} `{Finite W} p q (P Q : W -> R) a b qa qb :
  (forall y, rational (P y) (p y)) -> (forall y, rational (Q y) (q y)) -> rational a qa ->
  rational b qb -> decided (between P Q a b) (at_slopes p q (fun r d =>
    Qle_bool (Qred (1 - d)) (Qred (qa + Qred (r * qb))) &&
    Qle_bool (Qred (qa + Qred (r * qb))) (Qred (r + d)))%bool).
Proof.
  intros rp rq ra rb. unfold between. apply d_slopes; try easy. intros ratio r delta d er ed.
  assert (rational (a + ratio * b) (Qred (qa + Qred (r * qb)))).
  { apply r_plus; [easy|now apply r_mult]. }
  apply d_and; apply d_le; try easy; [apply r_minus; [apply r_1|easy]|now apply r_plus].
Qed.
#[export] Instance d_same_list {W V} `{Finite W} `{Finite V} p q p' q' (P Q : W -> R)
  (P' Q' : V -> R) : (forall y, rational (P y) (p y)) -> (forall y, rational (Q y) (q y)) ->
  (forall y, rational (P' y) (p' y)) -> (forall y, rational (Q' y) (q' y)) ->
  decided (same_list P Q P' Q')
    (at_slopes p q (is_slope p' q') && at_slopes p' q' (is_slope p q))%bool.
Proof.
  intros rp rq rp' rq'. apply (d_as _ ((forall r d, slope r d P Q -> slope r d P' Q') /\
    forall r d, slope r d P' Q' -> slope r d P Q)).
  - unfold same_list. split; [intros e; split; intros; now apply e|intros [f g]; split; auto].
  - apply d_and; apply d_slopes; try easy; intros; now apply d_slope.
Qed.

(** The line touches from below exactly if it is the lowest of its direction. *)
Lemma touches_lowest {D W} `{Finite W} (M : D -> W -> R) ratio delta x y :
  touches M ratio delta x y <-> (Σ w, Rmin (M x w) (ratio * M y w)) = 1 - delta.
Proof.
  set (low := Σ w, Rmin (M x w) (ratio * M y w)).
  assert (one : touches M ratio (1 - low) x y).
  { assert (each : forall T, low <= weight_in (M x) T + ratio * weight_in (M y) (others T)).
    { intros T. rewrite <- (Rmult_1_l (weight_in (M x) T)), weights_split.
      eapply Rle_trans; [exact (proj2 (cheapest_split (M x) (fun w => ratio * M y w) low)
        (Rle_refl low) T)|]. right. apply sum_ext; intros w _. destruct (T w); ring. }
    split.
    - intros a b r. rewrite <- (Rmult_1_l a). apply (half_plane (generating M x y)); [|easy].
      intros z [T ->]. specialize (each T). simpl. lra.
    - pose (T w := if Rle_dec (M x w) (ratio * M y w) then true else false).
      exists (weight_in (M x) T), (weight_in (M y) (others T)). split.
      + apply mixture_one. now exists T.
      + replace (1 - (1 - low)) with low by ring. unfold low, weight_in, others, T.
        rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros w _. unfold Rmin.
        destruct Rle_dec; simpl; ring. }
  split.
  - intros t. rewrite (touches_unique M _ _ _ x y t one). ring.
  - intros e. replace delta with (1 - low) by lra. easy.
Qed.
#[export] Instance d_touches {D W} `{Finite W} (M : D -> W -> R) ratio delta x y b :
  decided ((Σ w, Rmin (M x w) (ratio * M y w)) = 1 - delta) b ->
  decided (touches M ratio delta x y) b.
Proof. apply d_as, touches_lowest. Qed.
#[export] Hint Extern 1 (decided (square _ _) _) => unfold square : typeclass_instances.

(** One number t is eliminated from lower and upper bounds f <= t s. *)
Lemma highest (L : list (R * R)) : (exists f s, In (f, s) L /\ 0 < s) -> exists f s,
  In (f, s) L /\ 0 < s /\ forall g r, In (g, r) L -> 0 < r -> g <= f / s * r.
Proof.
  intros [f0 [s0 [i0 p0]]]. revert f0 s0 i0 p0. induction L as [|[g r] L IH]; [easy|].
  intros f0 s0 i0 p0.
  destruct (decision (exists f s, In (f, s) L /\ 0 < s)) as [[f1 [s1 [i1 p1]]]|none].
  - destruct (IH f1 s1 i1 p1) as [f [s [i [p most]]]].
    destruct (Rlt_le_dec 0 r) as [r0|r0]; [destruct (Rle_lt_dec g (f / s * r)) as [le|lt]|].
    + exists f, s. split; [now right|]. split; [easy|]. intros g' r' [e|j] p';
        [injection e as <- <-; exact le|now apply most].
    + exists g, r. split; [now left|]. split; [easy|]. intros g' r' [e|j] p'.
      * injection e as <- <-. right. field. lra.
      * apply Rle_trans with (1 := most g' r' j p'). apply Rmult_le_compat_r; [lra|].
        apply (Rmult_le_reg_r r); [easy|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l; lra.
    + exists f, s. split; [now right|]. split; [easy|]. intros g' r' [e|j] p';
        [injection e as <- <-; lra|now apply most].
  - destruct i0 as [e|i0]; [injection e as -> ->|destruct none; now exists f0, s0].
    exists f0, s0. split; [now left|]. split; [easy|]. intros g' r' [e|j] p'.
    + injection e as <- <-. right. field. lra.
    + destruct none. now exists g', r'.
Qed.

Lemma eliminated (L : list (R * R)) : (exists f s, In (f, s) L /\ 0 < s) ->
  (exists t, forall f s, In (f, s) L -> f <= t * s) <->
  (forall f s, In (f, s) L -> s = 0 -> f <= 0) /\ (forall f s g r, In (f, s) L -> In (g, r) L ->
    0 < s -> r < 0 -> f * - r + g * s <= 0).
Proof.
  intros some. split.
  - intros [t ok]. split.
    + intros f s i ->. specialize (ok f 0 i). lra.
    + intros f s g r i j pos neg. pose proof (ok f s i). pose proof (ok g r j). nra.
  - intros [zero pairs]. destruct (highest L some) as [f [s [i [pos most]]]]. exists (f / s).
    intros g r j. destruct (Rtotal_order r 0) as [neg|[z|p]]; [|pose proof (zero g r j z);
      rewrite z; lra|now apply most].
    specialize (pairs f s g r i j pos neg).
    apply (Rmult_le_reg_r s); [easy|]. replace (f / s * r * s) with (f * r) by (field; lra). lra.
Qed.

(** Half-planes u a + v c <= k as triples (u, v, k), and those of the sums of t (p, q), t in [0, 1],
    and points of a polygon. *)
Definition plane := (Q * Q * Q)%type.
Definition outside (a c : R) (h : plane) : R :=
  Q2R (fst (fst h)) * a + Q2R (snd (fst h)) * c - Q2R (snd h).
Definition within (a c : R) (l : list plane) := forall h, In h l -> outside a c h <= 0.
Definition tilt (p q : Q) (h : plane) : Q := Qred (fst (fst h) * p + snd (fst h) * q).
Definition add_times (s : Q) (h : plane) (r : Q) (g : plane) : plane :=
  (Qred (s * fst (fst h) + r * fst (fst g)), Qred (s * snd (fst h) + r * snd (fst g)),
    Qred (s * snd h + r * snd g)).
Definition bounds (p q : Q) (l : list plane) : list (plane * Q) :=
  ((0, 0, 0), 1)%Q :: ((0, 0, 1), -1)%Q :: map (fun h => (h, tilt p q h)) l.
Definition is_pos (q : Q) := negb (Qle_bool q 0).
Definition is_neg (q : Q) := negb (Qle_bool 0 q).
Definition widened (p q : Q) (l : list plane) : list plane :=
  map fst (filter (fun h => Qeq_bool (snd h) 0) (bounds p q l)) ++
  flat_map (fun h => map (fun g => add_times (- snd g) (fst h) (snd h) (fst g))
    (filter (fun g => is_neg (snd g)) (bounds p q l)))
    (filter (fun h => is_pos (snd h)) (bounds p q l)).
Fixpoint polygon (l : list (Q * Q)) : list plane := match l with
  [] => [(1, 0, 0); (-1, 0, 0); (0, 1, 0); (0, -1, 0)]%Q
  | g :: l => widened (fst g) (snd g) (polygon l) end.

Lemma Q2R_0 : Q2R 0 = 0. Proof. apply RMicromega.Q2R_0. Qed.
Lemma is_pos_R q : is_pos q = true <-> 0 < Q2R q.
Proof. exact (d_lt 0 (Q2R q) 0%Q q r_0 eq_refl). Qed.
Lemma is_neg_R q : is_neg q = true <-> Q2R q < 0.
Proof. exact (d_lt (Q2R q) 0 q 0%Q eq_refl r_0). Qed.
Lemma is_zero_R q : Qeq_bool q 0 = true <-> Q2R q = 0.
Proof. exact (d_eq (Q2R q) 0 q 0%Q eq_refl r_0). Qed.

Lemma outside_added a c s h r g :
  outside a c (add_times s h r g) = Q2R s * outside a c h + Q2R r * outside a c g.
Proof. unfold outside, add_times; cbn [fst snd]. rewrite !red, !Q2R_plus, !Q2R_mult. ring. Qed.

Lemma widened_right p q l a c : within a c (widened p q l) <->
  exists t, 0 <= t <= 1 /\ within (a - t * Q2R p) (c - t * Q2R q) l.
Proof.
  pose (real hs := (outside a c (fst hs), Q2R (snd hs)) : R * R).
  assert (E : (exists t, 0 <= t <= 1 /\ within (a - t * Q2R p) (c - t * Q2R q) l) <->
    exists t, forall f s, In (f, s) (map real (bounds p q l)) -> f <= t * s).
  { assert (moved : forall t h, outside (a - t * Q2R p) (c - t * Q2R q) h =
      outside a c h - t * Q2R (tilt p q h)).
    { intros t h. unfold outside, tilt. rewrite red, Q2R_plus, !Q2R_mult. ring. }
    assert (ends : real ((0, 0, 0), 1)%Q = (0, 1) /\ real ((0, 0, 1), -1)%Q = (-1, -1)).
    { unfold real, outside; cbn [fst snd]. rewrite Q2R_0, one_q.
      replace (Q2R (-1)) with (-1) by (unfold Q2R; simpl; lra). split; f_equal; ring. }
    split; intros [t ok]; exists t.
    - destruct ok as [t01 ok]. intros f s i. unfold bounds in i. cbn [map] in i.
      rewrite (proj1 ends), (proj2 ends), map_map in i.
      destruct i as [e|[e|i]]; [injection e as <- <-; lra|injection e as <- <-; lra|].
      apply in_map_iff in i as [h [e i]]. unfold real in e. injection e as <- <-. cbn [fst snd].
      specialize (ok h i). rewrite moved in ok. lra.
    - unfold bounds in ok. cbn [map] in ok. rewrite (proj1 ends), (proj2 ends), map_map in ok.
      pose proof (ok 0 1 (or_introl eq_refl)).
      pose proof (ok (-1) (-1) (or_intror (or_introl eq_refl))).
      split; [lra|]. intros h i. rewrite moved.
      specialize (ok (outside a c h) (Q2R (tilt p q h))). enough (outside a c h <=
        t * Q2R (tilt p q h)) by lra. apply ok. right; right.
      now apply (in_map (fun h => real (h, tilt p q h))). }
  rewrite E, eliminated; clear E.
  2:{ exists (outside a c (0, 0, 0)%Q), (Q2R 1). split; [now left|]. rewrite one_q. lra. }
  unfold widened. split.
  - intros ok. split.
    + intros f s i z. apply in_map_iff in i as [h [e i]]. injection e as <- <-. apply ok.
      apply in_app_iff; left. apply in_map, filter_In. split; [easy|]. now apply is_zero_R.
    + intros f s g r i j pos neg. apply in_map_iff in i as [h [e i]]. injection e as <- <-.
      apply in_map_iff in j as [k [e j]]. injection e as <- <-.
      specialize (ok (add_times (- snd k) (fst h) (snd h) (fst k))).
      rewrite outside_added, Q2R_opp in ok. enough (- Q2R (snd k) * outside a c (fst h) +
        Q2R (snd h) * outside a c (fst k) <= 0) by lra. apply ok.
      apply in_app_iff; right. apply in_flat_map. exists h. split.
      * apply filter_In. split; [easy|]. now apply is_pos_R.
      * apply in_map_iff. exists k. split; [easy|]. apply filter_In. split; [easy|].
        now apply is_neg_R.
  - intros [zero pairs] h i. apply in_app_iff in i as [i|i].
    + apply in_map_iff in i as [k [<- i]]. apply filter_In in i as [i z]. apply is_zero_R in z.
      apply (zero (outside a c (fst k)) (Q2R (snd k))); [now apply (in_map real)|easy].
    + apply in_flat_map in i as [k [i j]]. apply filter_In in i as [i pos].
      apply in_map_iff in j as [g [<- j]]. apply filter_In in j as [j neg].
      rewrite outside_added, Q2R_opp. apply is_pos_R in pos. apply is_neg_R in neg.
      specialize (pairs _ _ _ _ (in_map real _ _ i) (in_map real _ _ j) pos neg).
      cbn [fst snd] in pairs. lra.
Qed.

(** Choices of weights for the outcomes of a list without repetitions. *)
Lemma polygon_right {W} (p q : W -> Q) (P Q : W -> R) (l : list W) : NoDup l ->
  (forall y, rational (P y) (p y)) -> (forall y, rational (Q y) (q y)) -> forall a c,
  within a c (polygon (map (fun y => (p y, q y)) l)) <-> exists alpha : W -> R,
  (forall y, share (alpha y)) /\ sum l (fun y => P y * alpha y) = a /\
  sum l (fun y => Q y * alpha y) = c.
Proof.
  intros once rp rq. induction once as [|y l new once IH]; intros a c; cbn [map polygon fst snd].
  - transitivity (a = 0 /\ c = 0).
    + unfold within, outside. cbn [In]. rewrite <- Q2R_0.
      assert (m : Q2R (-1) = -1) by (unfold Q2R; simpl; lra). split.
      * intros ok. pose proof (ok _ (or_introl eq_refl)) as e1.
        pose proof (ok _ (or_intror (or_introl eq_refl))) as e2.
        pose proof (ok _ (or_intror (or_intror (or_introl eq_refl)))) as e3.
        pose proof (ok _ (or_intror (or_intror (or_intror (or_introl eq_refl))))) as e4.
        cbn [fst snd] in *. rewrite ?one_q, ?m, ?Q2R_0 in *. lra.
      * rewrite Q2R_0. intros [-> ->] h [<-|[<-|[<-|[<-|[]]]]]; cbn [fst snd];
          rewrite ?one_q, ?m, ?Q2R_0; lra.
    + split; [intros [-> ->]; exists (fun _ => 0); simpl; unfold share; repeat split; lra|].
      now intros [alpha [_ [<- <-]]].
  - rewrite widened_right. rewrite <- (rp y), <- (rq y). split.
    + intros [t [t01 i]]. apply IH in i as [alpha [ok [ea ec]]].
      exists (fun z => if decision (z = y) then t else alpha z).
      assert (same : forall f : W -> R, sum l (fun z => f z * (if decision (z = y) then t
        else alpha z)) = sum l (fun z => f z * alpha z)).
      { intros f. apply sum_ext; intros z i. destruct decision as [->|]; easy. }
      split; [intros z; destruct decision; [easy|apply ok]|]. cbn [sum]. rewrite !same, ea, ec.
      destruct decision; [split; ring|easy].
    + intros [alpha [ok [<- <-]]]. exists (alpha y). split; [apply ok|]. apply IH.
      exists alpha. cbn [sum]. repeat split; try apply ok; ring.
Qed.

Definition inside_all (a c : Q) (l : list plane) : bool := forallb (fun h =>
  Qle_bool (Qred (fst (fst h) * a + snd (fst h) * c)) (snd h)) l.
#[export] Instance d_choice {W} `{Finite W} (P Q : W -> R) p q a b qa qb :
  (forall y, rational (P y) (p y)) -> (forall y, rational (Q y) (q y)) -> rational a qa ->
  rational b qb -> decided (choice P Q a b)
    (inside_all qa (Qred (qsum all q - qb)) (polygon (map (fun y => (p y, q y)) all))).
Proof.
  intros rp rq ra rb. unfold decided, inside_all. rewrite forallb_forall, choice_alone.
  pose proof (r_sum all Q q rq) as rs. unfold rational in *.
  transitivity (within a (sum all Q - b) (polygon (map (fun y => (p y, q y)) all))).
  - unfold within, outside. rewrite ra, rb, rs. split; intros ok h i; specialize (ok h i).
    + apply Qle_bool_iff, Qle_Rle in ok.
      rewrite red, Q2R_plus, !Q2R_mult, red, Q2R_minus in ok. lra.
    + apply Qle_bool_iff, Rle_Qle. rewrite red, Q2R_plus, !Q2R_mult, red, Q2R_minus. lra.
  - rewrite (polygon_right p q P Q all (@all_once W _) rp rq).
    assert (rest : forall alpha, (Σ y, Q y * (1 - alpha y)) = sum all Q - Σ y, Q y * alpha y).
    { intros alpha. rewrite (sum_ext all _ (fun y => Q y + -1 * (Q y * alpha y)))
        by (intros; ring). rewrite sum_plus, sum_scale. ring. }
    split; intros [alpha [ok [ea eb]]]; exists alpha; rewrite ?rest in *; repeat split;
      try apply ok; lra.
Qed.
#[export] Instance d_region {D W} `{Finite W} (M : D -> W -> R) x y a b c :
  decided (choice (M x) (M y) a b) c -> decided (region M x y a b) c.
Proof. apply d_as, zonotope_form. Qed.
