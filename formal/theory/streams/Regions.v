(** Sets of outputs, and regions in the plane: (epsilon, delta)-privacy of finite tables
    (streaming_cw, theorems 1 to 3). *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws.
Open Scope R_scope.

Section Rows.
Context {W : Type} `{Finite W}.
Implicit Types (P Q : W -> R) (T : W -> bool).

(** The weight of the outputs in T, and the set of all others. *)
Definition weight_in P T := Σ y, if T y then P y else 0.
Definition others T : W -> bool := fun y => negb (T y).

(** P(T) <= ratio Q(T) + delta for all sets T of outputs. *)
Definition near ratio delta P Q := forall T, weight_in P T <= ratio * weight_in Q T + delta.
(** The two inequalities of the print, for the one table or the other in front. *)
Definition first_inequality ratio delta P Q :=
  forall T, 1 - delta <= weight_in P T + ratio * weight_in Q (others T).
Definition second_inequality ratio delta P Q :=
  forall T, 1 - delta <= ratio * weight_in P T + weight_in Q (others T).

(** A sum over two sets that split the outputs is least where each output is in the cheaper one. *)
Lemma cheapest_split (f g : W -> R) c :
  (forall T, c <= Σ y, if T y then f y else g y) <-> c <= Σ y, Rmin (f y) (g y).
Proof.
  split; intros le.
  - specialize (le (fun y => if Rle_dec (f y) (g y) then true else false)).
    rewrite (sum_ext all _ (fun y => Rmin (f y) (g y))) in le; [easy|].
    intros y _. unfold Rmin. now destruct Rle_dec.
  - intros T. apply Rle_trans with (1 := le). apply sum_le; intros y _.
    destruct (T y); [apply Rmin_l|apply Rmin_r].
Qed.

Lemma weights_split P Q T r s : r * weight_in P T + s * weight_in Q (others T) =
  Σ y, if T y then r * P y else s * Q y.
Proof.
  unfold weight_in, others. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros y _.
  destruct (T y); simpl; ring.
Qed.

Lemma weight_split P T : weight_in P T + weight_in P (others T) = Σ y, P y.
Proof.
  pose proof (weights_split P P T 1 1) as E. rewrite !Rmult_1_l in E. rewrite E.
  apply sum_ext; intros y _. destruct (T y); ring.
Qed.

Lemma others_twice P T : weight_in P (others (others T)) = weight_in P T.
Proof. apply sum_ext; intros y _. unfold others. now destruct (T y). Qed.

(** A larger ratio needs no larger shift.
    Differs: textbook; outputs are finite. *)
Theorem near_at_larger ratio larger delta P Q : (forall y, 0 <= Q y) -> ratio <= larger ->
  near ratio delta P Q -> near larger delta P Q.
Proof.
  intros Q0 le keeps T. eapply Rle_trans; [apply keeps|]. apply Rplus_le_compat_r.
  apply Rmult_le_compat_r; [|easy]. apply sum_nonneg; intros y _. destruct (T y); [easy|lra].
Qed.

(** Sets against positive parts: the set of all outputs with P > ratio Q is the worst one.
    Differs: textbook; outputs are finite. *)
Theorem sets_by_positive_parts ratio delta P Q :
  near ratio delta P Q <-> (Σ y, Rmax 0 (P y - ratio * Q y)) <= delta.
Proof.
  assert (E : (Σ y, Rmax 0 (P y - ratio * Q y)) =
    -1 * Σ y, Rmin (- P y + ratio * Q y) 0).
  { rewrite <- sum_scale. apply sum_ext; intros y _.
    unfold Rmax, Rmin. destruct (Rle_dec 0), (Rle_dec (_ + _)); lra. }
  rewrite E. clear E.
  enough (E : near ratio delta P Q <->
    forall T, - delta <= Σ y, if T y then - P y + ratio * Q y else 0).
  { rewrite E, (cheapest_split _ (fun _ => 0)). lra. }
  assert (F : forall T, (Σ y, if T y then - P y + ratio * Q y else 0) =
    -1 * weight_in P T + ratio * weight_in Q T).
  { intros T. unfold weight_in. rewrite <- !sum_scale, <- sum_plus.
    apply sum_ext; intros y _. destruct (T y); ring. }
  split; intros le T; specialize (le T); [rewrite F|rewrite F in le]; lra.
Qed.

Context (P Q : W -> R).
Hypotheses (P1 : (Σ y, P y) = 1) (Q1 : (Σ y, Q y) = 1).

(** The first inequality is the promise at the complement, the second that of the other order. *)
Lemma first_is_near ratio delta : first_inequality ratio delta P Q <-> near ratio delta P Q.
Proof.
  split; intros le T; specialize (le (others T));
    pose proof (weight_split P T); pose proof (weight_split Q T).
  - rewrite others_twice in le. lra.
  - lra.
Qed.

Lemma second_is_near ratio delta : second_inequality ratio delta P Q <-> near ratio delta Q P.
Proof.
  split; intros le T; specialize (le T);
    pose proof (weight_split P T); pose proof (weight_split Q T); lra.
Qed.
End Rows.

Section Tables.
Context {D W : Type} `{Finite W} (M : D -> W -> R) (ratio delta : R).
Implicit Types (neighbours : D -> D -> Prop).
Definition both_ways neighbours x y := neighbours x y \/ neighbours y x.

(** (epsilon, delta)-privacy for neighbours in an order, ratio standing for e^epsilon. *)
Definition approximate neighbours := forall x y, neighbours x y -> near ratio delta (M x) (M y).
Definition inequalities neighbours := forall x y, neighbours x y ->
  first_inequality ratio delta (M x) (M y) /\ second_inequality ratio delta (M x) (M y).

Hypothesis rows : forall x, (Σ y, M x y) = 1.

(** Theorem 1 of streaming_cw: M is (epsilon, delta)-private in both orders exactly if both
    inequalities hold for each pair of neighbours, listed in one order.
    Differs: databases may be any type; outputs are finite; any delta, and any ratio for
    e^epsilon. *)
Theorem privacy_by_inequalities neighbours :
  approximate (both_ways neighbours) <-> inequalities neighbours.
Proof.
  split.
  - intros promise x y near_xy. split.
    + apply first_is_near; auto. apply promise. now left.
    + apply second_is_near; auto. apply promise. now right.
  - intros both x y [near_xy|near_xy]; destruct (both _ _ near_xy) as [one two].
    + now apply first_is_near.
    + now apply second_is_near.
Qed.

(** Theorem 1 of streaming_cw with neighbours listed in both orders, where the first inequality
    says the same.
    Differs: as above. *)
Theorem privacy_by_inequalities_both_ways neighbours :
  approximate (both_ways neighbours) <-> inequalities (both_ways neighbours).
Proof.
  rewrite privacy_by_inequalities. split; intros both x y near_xy; [|now apply both; left].
  destruct near_xy as [near_xy|near_xy]; [now apply both|].
  destruct (both _ _ near_xy) as [one two]. split.
  - now apply first_is_near, second_is_near.
  - now apply second_is_near, first_is_near.
Qed.

(** What streaming_cw.x-one-inequality says: in both orders, the first inequality is enough.
    Differs: as above. *)
Theorem privacy_by_one_inequality neighbours : approximate (both_ways neighbours) <->
  forall x y, both_ways neighbours x y -> first_inequality ratio delta (M x) (M y).
Proof.
  split; intros promise x y near_xy; now apply first_is_near, promise.
Qed.

(** Mixtures: a weighted list of points of the plane, its weights not negative and of sum 1. *)
Definition mixture_of (points : R * R -> Prop) (a b : R) := exists l : list (R * (R * R)),
  (forall w z, In (w, z) l -> 0 <= w /\ points z) /\ sum l fst = 1 /\
  sum l (fun wz => fst wz * fst (snd wz)) = a /\ sum l (fun wz => fst wz * snd (snd wz)) = b.
(** The points (P(T), Q(not T)); the region of two databases, and that of all neighbours. *)
Definition generating x y (z : R * R) :=
  exists T, z = (weight_in (M x) T, weight_in (M y) (others T)).
Definition region x y := mixture_of (generating x y).
Definition regions neighbours a b := exists x y, neighbours x y /\ region x y a b.
(** R(epsilon, delta), and its part in the unit square. *)
Definition allowed a b := 1 - delta <= a + ratio * b /\ 1 - delta <= ratio * a + b.
Definition square a b := 0 <= a <= 1 /\ 0 <= b <= 1.

Lemma mixture_one (points : R * R -> Prop) a b : points (a, b) -> mixture_of points a b.
Proof.
  intros here. exists ((1, (a, b)) :: nil). simpl. repeat split; try lra;
    destruct H0 as [E|[]]; inversion E; subst; [lra|easy].
Qed.

(** A half-plane that contains points contains their mixtures (streaming_cw.x-mixtures).
    Differs: textbook. *)
Theorem half_plane (points : R * R -> Prop) u v c a b :
  (forall z, points z -> c <= u * fst z + v * snd z) -> mixture_of points a b ->
  c <= u * a + v * b.
Proof.
  intros plane [l [good [one [<- <-]]]].
  rewrite <- !sum_scale, <- sum_plus, <- (Rmult_1_r c), <- one, <- sum_scale.
  apply sum_le. intros [w z] i. destruct (good w z i) as [w0 p]. specialize (plane z p). simpl.
  replace (u * (w * fst z) + v * (w * snd z)) with (w * (u * fst z + v * snd z)) by ring.
  rewrite (Rmult_comm c). now apply Rmult_le_compat_l.
Qed.

Lemma region_allowed x y : (forall a b, region x y a b -> allowed a b) <->
  first_inequality ratio delta (M x) (M y) /\ second_inequality ratio delta (M x) (M y).
Proof.
  split.
  - intros inside. split; intros T;
      destruct (inside (weight_in (M x) T) (weight_in (M y) (others T))) as [one two]; try easy;
      apply mixture_one; now exists T.
  - intros [one two] a b r. split.
    + rewrite <- (Rmult_1_l a). apply (half_plane (generating x y)); [|easy].
      intros z [T ->]. specialize (one T). simpl. lra.
    + rewrite <- (Rmult_1_l b). apply (half_plane (generating x y)); [|easy].
      intros z [T ->]. specialize (two T). simpl. lra.
Qed.

(** Theorem 2 of streaming_cw: M is (epsilon, delta)-private in both orders exactly if R(M), the
    union of the regions of neighbours, lies in R(epsilon, delta).
    Differs: as above. *)
Theorem privacy_by_regions neighbours : approximate (both_ways neighbours) <->
  forall a b, regions neighbours a b -> allowed a b.
Proof.
  rewrite privacy_by_inequalities. split.
  - intros both a b [x [y [near_xy r]]].
    exact (proj2 (region_allowed x y) (both x y near_xy) a b r).
  - intros inside x y near_xy. apply region_allowed. intros a b r. apply inside. now exists x, y.
Qed.

(** Theorem 2 with the convex hull of R(M).
    Differs: as above. *)
Theorem privacy_by_hull neighbours : approximate (both_ways neighbours) <->
  forall a b, mixture_of (fun z => regions neighbours (fst z) (snd z)) a b -> allowed a b.
Proof.
  rewrite privacy_by_regions. split; intros inside a b r.
  - split.
    + rewrite <- (Rmult_1_l a). refine (half_plane _ _ _ _ _ _ _ r). intros z p.
      destruct (inside _ _ p). lra.
    + rewrite <- (Rmult_1_l b). refine (half_plane _ _ _ _ _ _ _ r). intros z p.
      destruct (inside _ _ p). lra.
  - apply inside. now apply mixture_one.
Qed.

Hypothesis likely : forall x y, 0 <= M x y.

Lemma region_in_square x y a b : region x y a b -> square a b.
Proof.
  assert (range : forall x T, 0 <= weight_in (M x) T <= 1).
  { intros x' T. assert (pos : forall T, 0 <= weight_in (M x') T).
    { intros S. apply sum_nonneg; intros w _. destruct (S w); [easy|lra]. }
    pose proof (pos T). pose proof (pos (others T)). pose proof (weight_split (M x') T).
    rewrite rows in *. lra. }
  intros r. assert (side : forall u v c, (forall T,
    c <= u * weight_in (M x) T + v * weight_in (M y) (others T)) -> c <= u * a + v * b).
  { intros u v c all_T. refine (half_plane _ _ _ _ _ _ _ r). intros z [T ->]. apply all_T. }
  pose proof (side 1 0 0 ltac:(intros T; pose proof (range x T); lra)).
  pose proof (side (-1) 0 (-1) ltac:(intros T; pose proof (range x T); lra)).
  pose proof (side 0 1 0 ltac:(intros T; pose proof (range y (others T)); lra)).
  pose proof (side 0 (-1) (-1) ltac:(intros T; pose proof (range y (others T)); lra)).
  unfold square. lra.
Qed.

(** Theorem 2 with R(epsilon, delta) in the unit square.
    Differs: as above. *)
Theorem privacy_in_square neighbours : approximate (both_ways neighbours) <->
  forall a b, regions neighbours a b -> allowed a b /\ square a b.
Proof.
  rewrite privacy_by_regions. split; intros inside a b r.
  - split; [now apply inside|]. destruct r as [x [y [_ r]]]. exact (region_in_square x y a b r).
  - now apply inside.
Qed.
End Tables.

(** Coupled worlds: the database x and what is known beside it have the law p, M sees x or, in the
    other world, what alt makes of it; s is that the private value is v and what is known is z. *)
Section Worlds.
Context {D W : Type} `{Finite D} `{Finite W} (M : D -> W -> R) (ratio delta : R).
Implicit Types (worlds : (D -> R) -> (D -> D -> R) -> @secret D -> Prop).

(** The law of the output given s. *)
Definition row_given (p : D -> R) (K : D -> W -> R) (s : @secret D) w := Pw p K s w / P p s.

(** The promise and the inequalities at every law, alternative and event of positive
    probability. *)
Definition coupled_worlds worlds :=
  forall p alt s, worlds p alt s -> 0 < P p s ->
  near ratio delta (row_given p M s) (row_given p (process alt M) s) /\
  near ratio delta (row_given p (process alt M) s) (row_given p M s).
Definition inequalities_given worlds :=
  forall p alt s, worlds p alt s -> 0 < P p s ->
  first_inequality ratio delta (row_given p M s) (row_given p (process alt M) s) /\
  second_inequality ratio delta (row_given p M s) (row_given p (process alt M) s).

Lemma row_given_total p K s : 0 < P p s -> (forall x, (Σ w, K x w) = 1) ->
  (Σ w, row_given p K s w) = 1.
Proof.
  intros pos rows. unfold row_given, Rdiv.
  rewrite (sum_ext all _ (fun w => / P p s * Pw p K s w)) by (intros; ring).
  rewrite sum_scale. unfold Pw. rewrite sum_swap.
  rewrite (sum_ext all (fun x => Σ w, inside p s x * K x w) (inside p s)).
  - change (sum all (inside p s)) with (P p s). field. lra.
  - intros x _. rewrite sum_scale, rows. ring.
Qed.

Lemma process_total (alt : D -> D -> R) : (forall x, (Σ u, alt x u) = 1) ->
  (forall x, (Σ w, M x w) = 1) -> forall x, (Σ w, process alt M x w) = 1.
Proof.
  intros rows' rows x. unfold process. rewrite sum_swap. rewrite <- (rows' x).
  apply sum_ext; intros u _. rewrite sum_scale, rows. ring.
Qed.

(** Theorem 3 of streaming_cw, repaired (streaming_cw.thm3-repaired): with M as the simulator, M is
    CW-private exactly if both inequalities hold for all laws, alternatives and events of positive
    probability that are considered.
    Differs: databases, with what is known beside them, and outputs are finite; any delta, and any
    ratio for e^epsilon. *)
Theorem worlds_by_inequalities worlds : (forall x, (Σ w, M x w) = 1) ->
  (forall p alt s, worlds p alt s -> forall x, (Σ u, alt x u) = 1) ->
  coupled_worlds worlds <-> inequalities_given worlds.
Proof.
  intros rows rows'. split; intros promise p alt s in_worlds pos;
    destruct (promise p alt s in_worlds pos) as [one two];
    pose proof (row_given_total p M s pos rows);
    pose proof (row_given_total p (process alt M) s pos
      (process_total alt (rows' p alt s in_worlds) rows)); split.
  - now apply first_is_near.
  - now apply second_is_near.
  - now apply first_is_near.
  - now apply second_is_near.
Qed.
End Worlds.
