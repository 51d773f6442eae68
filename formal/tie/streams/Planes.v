(** How sets of outputs and regions in the plane are decided on tables of rationals: for all sets
    at once, as the worst one is known. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Regions.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

Definition qmin p q := if Qle_bool p q then p else q.
#[export] Instance r_min x y p q : rational x p -> rational y q -> rational (Rmin x y) (qmin p q).
Proof.
  unfold rational, qmin, Rmin; intros -> ->.
  destruct (Qle_bool p q) eqn:e, Rle_dec as [l|l]; try easy.
  - destruct l. now apply Qle_Rle, Qle_bool_iff.
  - apply Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
Definition qmax p q := if Qle_bool p q then q else p.
#[export] Instance r_max x y p q : rational x p -> rational y q -> rational (Rmax x y) (qmax p q).
Proof.
  unfold rational, qmax, Rmax; intros -> ->.
  destruct (Qle_bool p q) eqn:e, Rle_dec as [l|l]; try easy.
  - destruct l. now apply Qle_Rle, Qle_bool_iff.
  - apply Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
Lemma d_as (A B : Prop) b : (A <-> B) -> decided B b -> decided A b.
Proof. unfold decided. tauto. Qed.

Section Sets.
Context {W : Type} `{Finite W} (P Q : W -> R).

Lemma first_by_minima ratio delta : first_inequality ratio delta P Q <->
  1 - delta <= Σ y, Rmin (P y) (ratio * Q y).
Proof.
  rewrite <- cheapest_split. unfold first_inequality.
  split; intros le T; specialize (le T); revert le;
    rewrite <- (Rmult_1_l (weight_in P T)), weights_split; intros le;
    (eapply Rle_trans; [exact le|]); right; apply sum_ext; intros y _; destruct (T y); ring.
Qed.

Lemma second_by_minima ratio delta : second_inequality ratio delta P Q <->
  1 - delta <= Σ y, Rmin (ratio * P y) (Q y).
Proof.
  rewrite <- cheapest_split. unfold second_inequality.
  split; intros le T; specialize (le T); revert le;
    rewrite <- (Rmult_1_l (weight_in Q (others T))), weights_split; intros le;
    (eapply Rle_trans; [exact le|]); right; apply sum_ext; intros y _; destruct (T y); ring.
Qed.

Lemma near_by_minima ratio delta : near ratio delta P Q <->
  - delta <= Σ y, Rmin (ratio * Q y - P y) 0.
Proof.
  rewrite <- cheapest_split. unfold near.
  assert (E : forall T : W -> bool, (Σ y, if T y then ratio * Q y - P y else 0) =
    ratio * weight_in Q T - weight_in P T).
  { intros T. unfold weight_in. rewrite <- sum_scale.
    assert (F : forall f : W -> R, - sum all f = sum all (fun y => -1 * f y))
      by (intros f; rewrite sum_scale; ring).
    unfold Rminus. rewrite F, <- sum_plus. apply sum_ext; intros y _. destruct (T y); ring. }
  split; intros le T; specialize (le T); [rewrite E|rewrite E in le]; lra.
Qed.
End Sets.

#[export] Instance r_opp x p : rational x p -> rational (- x) (Qred (- p)).
Proof. unfold rational; intros ->. now rewrite red, Q2R_opp. Qed.
#[export] Instance d_near {W} `{Finite W} ratio delta (P Q : W -> R) b :
  decided (- delta <= Σ y, Rmin (ratio * Q y - P y) 0) b -> decided (near ratio delta P Q) b.
Proof. apply d_as, near_by_minima. Qed.
#[export] Instance d_first {W} `{Finite W} ratio delta (P Q : W -> R) b :
  decided (1 - delta <= Σ y, Rmin (P y) (ratio * Q y)) b ->
  decided (first_inequality ratio delta P Q) b.
Proof. apply d_as, first_by_minima. Qed.
#[export] Instance d_second {W} `{Finite W} ratio delta (P Q : W -> R) b :
  decided (1 - delta <= Σ y, Rmin (ratio * P y) (Q y)) b ->
  decided (second_inequality ratio delta P Q) b.
Proof. apply d_as, second_by_minima. Qed.

(** For all pairs of a list, in an order or in both. *)
#[export] Instance d_listed {A D} (f g : A -> D) (l : list A) (Q : D -> D -> Prop) b :
  (forall z, decided (Q (f z) (g z)) (b z)) ->
  decided (forall x y, In (x, y) (map (fun z => (f z, g z)) l) -> Q x y) (forallb b l) | 0.
Proof. intros d. now apply (d_pairs_map (fun z => (f z, g z))). Qed.
#[export] Instance d_both_ways {A D} (f g : A -> D) (l : list A) (Q : D -> D -> Prop) b :
  (forall z, decided (Q (f z) (g z) /\ Q (g z) (f z)) (b z)) ->
  decided (forall x y, both_ways (fun x y => In (x, y) (map (fun z => (f z, g z)) l)) x y -> Q x y)
    (forallb b l) | 0.
Proof.
  intros d. unfold decided, both_ways. rewrite forallb_forall. split.
  - intros all_z x y [i|i]; apply in_map_iff in i as [z [e i]]; injection e as <- <-;
      now apply d, all_z.
  - intros all_xy z i. apply d. split; apply all_xy; [left|right];
      now apply (in_map (fun z => (f z, g z))).
Qed.
#[export] Hint Extern 1 (decided (approximate _ _ _ _) _) =>
  unfold approximate : typeclass_instances.
#[export] Hint Extern 1 (decided (inequalities _ _ _ _) _) =>
  unfold inequalities : typeclass_instances.

(** Regions: a half-plane contains them exactly if it contains the points that generate them. *)
Section Planes.
Context {D W : Type} `{Finite W} (M : D -> W -> R) (ratio delta : R).
Implicit Types (neighbours : D -> D -> Prop).

Lemma regions_by_inequalities neighbours :
  (forall a b, regions M neighbours a b -> allowed ratio delta a b) <->
  inequalities M ratio delta neighbours.
Proof.
  split.
  - intros inside x y near_xy. apply region_allowed. intros a b r. apply inside. now exists x, y.
  - intros both a b [x [y [near_xy r]]].
    exact (proj2 (region_allowed M ratio delta x y) (both x y near_xy) a b r).
Qed.

Lemma hull_by_inequalities neighbours :
  (forall a b, mixture_of (fun z => regions M neighbours (fst z) (snd z)) a b ->
    allowed ratio delta a b) <-> inequalities M ratio delta neighbours.
Proof.
  rewrite <- regions_by_inequalities. split; intros inside a b r.
  - apply inside. now apply mixture_one.
  - split.
    + rewrite <- (Rmult_1_l a). refine (half_plane _ _ _ _ _ _ _ r). intros z p.
      destruct (inside _ _ p). lra.
    + rewrite <- (Rmult_1_l b). refine (half_plane _ _ _ _ _ _ _ r). intros z p.
      destruct (inside _ _ p). lra.
Qed.

Definition bounded (f : W -> R) := 0 <= (Σ y, Rmin (f y) 0) /\ -1 <= Σ y, Rmin (- f y) 0.
Lemma bounded_sets f : bounded f <-> forall T, 0 <= weight_in f T <= 1.
Proof.
  unfold bounded. rewrite <- !cheapest_split.
  assert (F : forall T : W -> bool, (Σ y, if T y then - f y else 0) = - weight_in f T).
  { intros T. unfold weight_in.
    replace (- sum all (fun y => if T y then f y else 0)) with
      (-1 * sum all (fun y => if T y then f y else 0)) by ring.
    rewrite <- sum_scale. apply sum_ext; intros y _. destruct (T y); ring. }
  split.
  - intros [low high] T. specialize (low T). specialize (high T). rewrite F in high.
    fold (weight_in f T) in low. lra.
  - intros range. split; intros T; specialize (range T); [apply range|rewrite F; lra].
Qed.

Lemma square_by_bounds neighbours :
  (forall a b, regions M neighbours a b -> allowed ratio delta a b /\ square a b) <->
  (forall x y, neighbours x y -> (first_inequality ratio delta (M x) (M y) /\
    second_inequality ratio delta (M x) (M y)) /\ bounded (M x) /\ bounded (M y)).
Proof.
  split.
  - intros inside x y near_xy.
    assert (at_T : forall T : W -> bool, square (weight_in (M x) T) (weight_in (M y) (others T))).
    { intros T. apply inside. exists x, y. split; [easy|]. apply mixture_one. now exists T. }
    split; [|split; apply bounded_sets; intros T].
    + apply region_allowed. intros a b r. apply inside. now exists x, y.
    + apply at_T.
    + rewrite <- others_twice. apply at_T.
  - intros all_xy a b [x [y [near_xy r]]]. destruct (all_xy x y near_xy) as [both [px py]].
    rewrite bounded_sets in px, py.
    split; [exact (proj2 (region_allowed M ratio delta x y) both a b r)|].
    assert (side : forall u v c, (forall T : W -> bool,
      c <= u * weight_in (M x) T + v * weight_in (M y) (others T)) -> c <= u * a + v * b).
    { intros u v c all_T. refine (half_plane _ _ _ _ _ _ _ r). intros z [T ->]. apply all_T. }
    pose proof (side 1 0 0 ltac:(intros T; pose proof (px T); lra)).
    pose proof (side (-1) 0 (-1) ltac:(intros T; pose proof (px T); lra)).
    pose proof (side 0 1 0 ltac:(intros T; pose proof (py (others T)); lra)).
    pose proof (side 0 (-1) (-1) ltac:(intros T; pose proof (py (others T)); lra)).
    unfold square. lra.
Qed.
End Planes.

#[export] Instance d_regions {D W} `{Finite W} (M : D -> W -> R) ratio delta
  (neighbours : D -> D -> Prop) b :
  decided (inequalities M ratio delta neighbours) b ->
  decided (forall a b, regions M neighbours a b -> allowed ratio delta a b) b | 0.
Proof. apply d_as, regions_by_inequalities. Qed.
#[export] Instance d_hull {D W} `{Finite W} (M : D -> W -> R) ratio delta
  (neighbours : D -> D -> Prop) b :
  decided (inequalities M ratio delta neighbours) b ->
  decided (forall a b, mixture_of (fun z => regions M neighbours (fst z) (snd z)) a b ->
    allowed ratio delta a b) b | 0.
Proof. apply d_as, hull_by_inequalities. Qed.
#[export] Instance d_square {D W} `{Finite W} (M : D -> W -> R) ratio delta
  (neighbours : D -> D -> Prop) b :
  decided (forall x y, neighbours x y -> (first_inequality ratio delta (M x) (M y) /\
    second_inequality ratio delta (M x) (M y)) /\ bounded (M x) /\ bounded (M y)) b ->
  decided (forall a b, regions M neighbours a b -> allowed ratio delta a b /\ square a b) b | 0.
Proof. apply d_as, square_by_bounds. Qed.
#[export] Hint Extern 1 (decided (bounded _) _) => unfold bounded : typeclass_instances.

(** Worlds: laws given an event, multiplied out. *)
Section Worlds.
Context {D W : Type} `{Finite D} `{Finite W} (p : D -> R) (s : @secret D).

Lemma scaled_sum (c : R) (f g : W -> R) : 0 < c -> (forall y, c * f y = g y) ->
  c * (Σ y, f y) = Σ y, g y.
Proof. intros pos e. rewrite <- sum_scale. apply sum_ext; intros y _. apply e. Qed.

Lemma min_scaled c x y : 0 < c -> c * Rmin x y = Rmin (c * x) (c * y).
Proof. intros pos. unfold Rmin. destruct (Rle_dec x y), (Rle_dec (c * x) (c * y)); nra. Qed.

Lemma row_times (K : D -> W -> R) y : 0 < P p s -> P p s * row_given p K s y = Pw p K s y.
Proof. intros pos. unfold row_given. field. lra. Qed.

Definition near_times ratio delta (K L : D -> W -> R) :=
  - delta * P p s <= Σ y, Rmin (ratio * Pw p L s y - Pw p K s y) 0.
Definition first_times ratio delta (K L : D -> W -> R) :=
  (1 - delta) * P p s <= Σ y, Rmin (Pw p K s y) (ratio * Pw p L s y).
Definition second_times ratio delta (K L : D -> W -> R) :=
  (1 - delta) * P p s <= Σ y, Rmin (ratio * Pw p K s y) (Pw p L s y).

Lemma scaled_le c a b : 0 < c -> (a <= b <-> a * c <= c * b).
Proof. intros pos. split; intros le; nra. Qed.

Lemma near_given ratio delta K L : 0 < P p s ->
  near ratio delta (row_given p K s) (row_given p L s) <-> near_times ratio delta K L.
Proof.
  intros pos. rewrite near_by_minima, (scaled_le (P p s)) by easy. unfold near_times.
  rewrite (scaled_sum (P p s) _ (fun y => Rmin (ratio * Pw p L s y - Pw p K s y) 0));
    [reflexivity|easy|]. intros y. simpl. rewrite min_scaled by easy.
  f_equal; [|ring]. rewrite <- !row_times by easy. ring.
Qed.

Lemma first_given ratio delta K L : 0 < P p s ->
  first_inequality ratio delta (row_given p K s) (row_given p L s) <-> first_times ratio delta K L.
Proof.
  intros pos. rewrite first_by_minima, (scaled_le (P p s)) by easy. unfold first_times.
  rewrite (scaled_sum (P p s) _ (fun y => Rmin (Pw p K s y) (ratio * Pw p L s y)));
    [reflexivity|easy|]. intros y. simpl. rewrite min_scaled by easy.
  f_equal; rewrite <- !row_times by easy; ring.
Qed.

Lemma second_given ratio delta K L : 0 < P p s ->
  second_inequality ratio delta (row_given p K s) (row_given p L s) <->
  second_times ratio delta K L.
Proof.
  intros pos. rewrite second_by_minima, (scaled_le (P p s)) by easy. unfold second_times.
  rewrite (scaled_sum (P p s) _ (fun y => Rmin (ratio * Pw p K s y) (Pw p L s y)));
    [reflexivity|easy|]. intros y. simpl. rewrite min_scaled by easy.
  f_equal; rewrite <- !row_times by easy; ring.
Qed.
End Worlds.

(** For all triples of a list. *)
Lemma all_triples {Z A B C} (f : Z -> A) (g : Z -> B) (h : Z -> C) l (Q : A -> B -> C -> Prop) c :
  (forall z, decided (Q (f z) (g z) (h z)) (c z)) ->
  decided (forall x y w, In (x, y, w) (map (fun z => (f z, g z, h z)) l) -> Q x y w) (forallb c l).
Proof.
  intros d. unfold decided. rewrite forallb_forall. split.
  - intros all_z x y w i. apply in_map_iff in i as [z [e i]]. injection e as <- <- <-.
    now apply d, all_z.
  - intros all_xy z i. apply d, all_xy. now apply (in_map (fun z => (f z, g z, h z))).
Qed.
#[export] Instance d_triples {Z A B C} (f : Z -> A) (g : Z -> B) (h : Z -> C) l Q c :
  (forall z, decided (Q (f z) (g z) (h z)) (c z)) ->
  decided (forall x y w, In (x, y, w) (map (fun z => (f z, g z, h z)) l) -> Q x y w) (forallb c l)
  | 0 := all_triples f g h l Q c.
#[export] Instance d_worlds {Z D W} `{Finite D} `{Finite W} (M : D -> W -> R) ratio delta
  (f : Z -> D -> R) (g : Z -> D -> D -> R) (h : Z -> @secret D) l b c :
  (forall z, decided (0 < P (f z) (h z)) (b z)) ->
  (forall z, decided (near_times (f z) (h z) ratio delta M (process (g z) M) /\
    near_times (f z) (h z) ratio delta (process (g z) M) M) (c z)) ->
  decided (coupled_worlds M ratio delta
    (fun p a s => In (p, a, s) (map (fun z => (f z, g z, h z)) l)))
    (forallb (fun z => negb (b z) || c z) l) | 0.
Proof.
  intros e d. apply all_triples. intros z. eapply d_as; [|exact (d_imp _ _ _ _ (e z) (d z))].
  split; intros both pos; specialize (both pos);
    [rewrite <- !near_given by easy|rewrite !near_given by easy]; exact both.
Qed.
#[export] Instance d_given {Z D W} `{Finite D} `{Finite W} (M : D -> W -> R) ratio delta
  (f : Z -> D -> R) (g : Z -> D -> D -> R) (h : Z -> @secret D) l b c :
  (forall z, decided (0 < P (f z) (h z)) (b z)) ->
  (forall z, decided (first_times (f z) (h z) ratio delta M (process (g z) M) /\
    second_times (f z) (h z) ratio delta M (process (g z) M)) (c z)) ->
  decided (inequalities_given M ratio delta
    (fun p a s => In (p, a, s) (map (fun z => (f z, g z, h z)) l)))
    (forallb (fun z => negb (b z) || c z) l) | 0.
Proof.
  intros e d. apply all_triples. intros z. eapply d_as; [|exact (d_imp _ _ _ _ (e z) (d z))].
  split; intros both pos; specialize (both pos).
  - now rewrite <- first_given, <- second_given.
  - now rewrite first_given, second_given.
Qed.
#[export] Hint Extern 0 (decided (near_times _ _ _ _ _ _ /\ _) _) =>
  unfold near_times, P, Pw, process, inside; cbn [fst snd] : typeclass_instances.
#[export] Hint Extern 0 (decided (first_times _ _ _ _ _ _ /\ _) _) =>
  unfold first_times, second_times, P, Pw, process, inside; cbn [fst snd] : typeclass_instances.
