(** Bounds of what 3R mechanisms release, by computation: below some probability in the medium
    region a side tells too much. [Sides] has what is stated. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Levels Released Redactions Cones
  Redacted Sides Designs Priced.
Import ListNotations.
Open Scope Z_scope.

(** Two numbers, for the values 0 and 1, and what they were one record nearer, times a unit. *)
Definition two := (Z * Z)%type.
Definition at_value (v : two) (z : bool) : Z := if z then snd v else fst v.
Definition nearer c (v : two) : two :=
  (steps c false true * snd v + steps c false false * fst v,
   steps c true true * snd v + steps c true false * fst v).
Definition only (z : bool) : two := if z then (0, 1) else (1, 0).

(** Both bounds of a budget; for half of a level, their squares are compared with it. *)
Definition squared (b : bound) : bound := Bound (num b * num b) (den b * den b)
  (part b) (parts b) (halvings b) (bits b).
Definition check_budget c n e low high : bool :=
  if one_sided c n then is_below e low && is_reached e high
  else (0 <=? num low) && (0 <=? num high) && is_below e (squared low) &&
    is_reached e (squared high).

Definition within (low : bound) (v : two) (b : bool) : bool :=
  at_value v b * Zpos (den low) <=? num low * at_value v (negb b).
Definition exceeds_at (high : bound) (v : two) (b : bool) : bool :=
  num high * at_value v (negb b) <? at_value v b * Zpos (den high).
Definition is_within low v := within low v true && within low v false.
Definition is_above_it high v := exceeds_at high v true || exceeds_at high v false.
Definition in_region low high s d common rare : bool :=
  if Nat.leb d (near s) then is_above_it high common
  else is_within low common &&
    if Nat.leb d (near s + medium s) then is_above_it high rare else is_within low rare.
Fixpoint check_regions c low high s k d common rare : bool := match k with
  | O => true
  | S k => let common := nearer c common in let rare := nearer c rare in
    in_region low high s (S d) common rare && check_regions c low high s k (S d) common rare end.

(** What is shown beyond the medium region, of the rare value; and stars in it. *)
Definition shown_beyond c (common : bool) s : two := match beyond s with
  | O => (1, 1) | S _ => (steps c false (negb common), steps c true (negb common)) end.
Definition starred (common : bool) (y : Z * positive) (v : two) : two :=
  if common then (Zpos (snd y) * fst v, fst y * snd v) else (fst y * fst v, Zpos (snd y) * snd v).
Fixpoint all_stars c common y k (v : two) : two := match k with
  | O => starred common y v
  | S k => starred common y (nearer c (all_stars c common y k v)) end.
Definition rises c : bool := leave c + back c <=? step_unit c.

(** A number that the probability of a side is at least: below it, its stars tell too much of b. *)
Record least := Least { least_q : Z * positive; told_of : bool }.
Definition carried_to c s (v : two) : two := Nat.iter (S (near s)) (nearer c) v.
Definition check_side c common high s (same : bool) (k : least) : bool :=
  let y := least_q k in let b := told_of k in
  match medium s with
  | O => true
  | S N => (fst y <=? 0) ||
    let v := carried_to c s (only common) in
    let w := carried_to c s (all_stars c common y N (shown_beyond c common s)) in
    (Nat.eqb N 0 || rises c && same) && (0 <=? num high) &&
    (at_value v b * Zpos (den high) <? num high * at_value v (negb b)) &&
    (num high * at_value w (negb b) <=? at_value w b * Zpos (den high)) end.
(** What is released if each side has its least probability. *)
Definition hidden_less s (k : least) (other : positive) : Z :=
  Z.of_nat (medium s) * (Zpos (snd (least_q k)) - Z.max 0 (fst (least_q k))) * Zpos other.
Definition check_3r c n e common same left right low high (kl kr : least) (u : Z * positive) :=
  let D := Zpos (snd (least_q kl)) * Zpos (snd (least_q kr)) in
  let S := first_zero c + first_one c in
  let check s := check_regions c low high s (near s + medium s + beyond s) 0 (only common)
    (only (negb common)) in
  check_place c n && check_budget c n e low high && check left && check right &&
  check_side c common high left same kl && check_side c common high right same kr &&
  (Z.of_nat (near left + medium left + beyond left) =? private c - 1) &&
  (Z.of_nat (near right + medium right + beyond right) =? Z.of_nat n - private c) &&
  ((Z.of_nat (beyond left + beyond right) * S * D + starts c common *
    (hidden_less left kl (snd (least_q kr)) + hidden_less right kr (snd (least_q kl)))) *
    Zpos (snd u) <=? fst u * (Z.of_nat n * S * D)).
Open Scope R_scope.

Definition scaled (v : two) (t : bool -> R) := exists m, 0 < m /\
  forall z, IZR (at_value v z) = m * t z.

Section Chain.
Context (c : chain) (chain_ok : check_chain c = true).
Notation U := (IZR (step_unit c)).

Lemma steps_read x z : IZR (steps c x z) = U * step c x z /\ 0 < step c x z.
Proof.
  pose proof chain_ok as H. unfold check_chain in H.
  rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in H.
  destruct H as [[[[[[l0 l1] b0] b1] _] _] _]. apply IZR_lt in l0, l1, b0, b1.
  assert (U0 : 0 < U) by lra.
  assert (part : forall m, m < U -> 0 < 1 - m / U).
  { intros m small. apply (Rmult_lt_reg_r U); [easy|]. unfold Rdiv.
    rewrite Rmult_minus_distr_r, Rmult_assoc, Rinv_l by lra. lra. }
  unfold steps, step. destruct x, z; cbn [eqb]; rewrite ?minus_IZR; split;
    try (now apply part); try (now apply Rdiv_lt_0_compat); field; lra.
Qed.
Lemma unit_pos : 0 < U.
Proof. now destruct (chain_reads c chain_ok). Qed.

(** What is carried from a distance towards the private record. *)
Definition moved_by (t : bool -> R) x := step c x true * t true + step c x false * t false.
Definition carried m t := Nat.iter m moved_by t.
Lemma nearer_scaled v t : scaled v t -> scaled (nearer c v) (moved_by t).
Proof.
  intros [m [m0 E]]. exists (U * m). split; [apply Rmult_lt_0_compat; [apply unit_pos|easy]|].
  intros z. pose proof (E true) as Et. pose proof (E false) as Ef. unfold at_value in Et, Ef.
  unfold nearer, at_value, moved_by. destruct z; cbn [fst snd]; rewrite plus_IZR, !mult_IZR, Et, Ef;
    rewrite !(fun x z => proj1 (steps_read x z)); ring.
Qed.
Lemma carried_scaled m v t : scaled v t -> scaled (Nat.iter m (nearer c) v) (carried m t).
Proof.
  intros H. unfold carried. induction m as [|m IH]; [easy|]. now apply nearer_scaled.
Qed.
Definition one_at (x z : bool) : R := if eqb z x then 1 else 0.
Lemma only_scaled x : scaled (only x) (one_at x).
Proof. exists 1. split; [lra|]. intros z. destruct x, z; unfold one_at; simpl; ring. Qed.
Lemma carried_linear m t x common : carried m t x =
  t common * carried m (one_at common) x + t (negb common) * carried m (one_at (negb common)) x.
Proof.
  revert x; induction m as [|m IH]; intros x.
  - unfold carried, one_at. simpl. destruct x, common; simpl; ring.
  - change (moved_by (carried m t) x = t common * moved_by (carried m (one_at common)) x +
      t (negb common) * moved_by (carried m (one_at (negb common))) x).
    unfold moved_by. rewrite !IH. ring.
Qed.
Lemma after_carried d z x : after c d x z = carried d (one_at z) x.
Proof.
  revert x; induction d as [|d IH]; intros x; [easy|]. cbn [after]. rewrite !IH. reflexivity.
Qed.

(** Distances are in their regions. *)
Definition of_bound (b : bound) := IZR (num b) / IZR (Zpos (den b)).
Lemma carried_nonneg m t : (forall x, 0 <= t x) -> forall x, 0 <= carried m t x.
Proof.
  intros t0. induction m as [|m IH]; [easy|]. intros x. change (0 <= moved_by (carried m t) x).
  unfold moved_by. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply IH; left;
    apply steps_read.
Qed.
Lemma within_reads low r v t b : scaled v t -> (forall x, 0 <= t x) -> of_bound low <= r ->
  within low v b = true -> t b <= r * t (negb b).
Proof.
  intros [m [m0 E]] t0 le H. apply Z.leb_le, IZR_le in H. rewrite !mult_IZR, !E in H.
  apply Rle_trans with (of_bound low * t (negb b)); [|now apply Rmult_le_compat_r].
  assert (d0 : 0 < IZR (Zpos (den low))) by now apply IZR_lt. unfold of_bound.
  apply (Rmult_le_reg_r (m * IZR (Zpos (den low)))); [now apply Rmult_lt_0_compat|].
  replace (IZR (num low) / IZR (Zpos (den low)) * t (negb b) * (m * IZR (Zpos (den low)))) with
    (IZR (num low) * (m * t (negb b))) by (field; lra). lra.
Qed.
Lemma exceeds_reads high r v t b : scaled v t -> (forall x, 0 <= t x) -> r <= of_bound high ->
  exceeds_at high v b = true -> r * t (negb b) < t b.
Proof.
  intros [m [m0 E]] t0 le H. apply Z.ltb_lt, IZR_lt in H. rewrite !mult_IZR, !E in H.
  apply Rle_lt_trans with (of_bound high * t (negb b)); [now apply Rmult_le_compat_r|].
  assert (d0 : 0 < IZR (Zpos (den high))) by now apply IZR_lt. unfold of_bound.
  apply (Rmult_lt_reg_r (m * IZR (Zpos (den high)))); [now apply Rmult_lt_0_compat|].
  replace (IZR (num high) / IZR (Zpos (den high)) * t (negb b) * (m * IZR (Zpos (den high)))) with
    (IZR (num high) * (m * t (negb b))) by (field; lra). lra.
Qed.

Section Regions.
Context (low high : bound) (r : R) (s : side) (common : bool).
Context (above_low : of_bound low <= r) (below_high : r <= of_bound high).
Lemma is_within_reads d v z : scaled v (carried d (one_at z)) -> is_within low v = true ->
  tells_within c r d z.
Proof.
  intros sc H b. rewrite !after_carried. apply andb_prop in H as [ht hf].
  assert (t0 : forall x, 0 <= carried d (one_at z) x).
  { apply carried_nonneg. intros x. unfold one_at. destruct eqb; lra. }
  destruct b; eapply within_reads; eauto.
Qed.
Lemma is_above_reads d v z : scaled v (carried d (one_at z)) -> is_above_it high v = true ->
  ~ tells_within c r d z.
Proof.
  intros sc H W.
  assert (t0 : forall x, 0 <= carried d (one_at z) x).
  { apply carried_nonneg. intros x. unfold one_at. destruct eqb; lra. }
  assert (more : exists b, exceeds_at high v b = true) by (apply orb_prop in H as [H|H]; eauto).
  destruct more as [b more]. specialize (W b). rewrite !after_carried in W.
  pose proof (exceeds_reads high r v _ b sc t0 below_high more). lra.
Qed.
Lemma regions_read k : forall d v w, scaled v (carried d (one_at common)) ->
  scaled w (carried d (one_at (negb common))) -> check_regions c low high s k d v w = true ->
  forall i, (d < i <= d + k)%nat ->
  ((i <= near s)%nat -> ~ tells_within c r i common) /\
  ((near s < i)%nat -> tells_within c r i common) /\
  ((near s < i <= near s + medium s)%nat -> ~ tells_within c r i (negb common)) /\
  ((near s + medium s < i)%nat -> tells_within c r i (negb common)).
Proof.
  induction k as [|k IH]; intros d v w sv sw H i small; [lia|]. cbn [check_regions] in H.
  cbv zeta in H. apply andb_prop in H as [here H]. apply nearer_scaled in sv, sw.
  change (scaled (nearer c v) (carried (S d) (one_at common))) in sv.
  change (scaled (nearer c w) (carried (S d) (one_at (negb common)))) in sw.
  destruct (Nat.eq_dec i (S d)) as [->|other]; [|apply (IH _ _ _ sv sw H); lia].
  unfold in_region in here. destruct (Nat.leb_spec (S d) (near s)) as [le|gt].
  - repeat split; try lia. intros _. now apply (is_above_reads _ _ _ sv).
  - apply andb_prop in here as [win here]. pose proof (is_within_reads _ _ _ sv win).
    destruct (Nat.leb_spec (S d) (near s + medium s)) as [le'|gt']; repeat split; try lia; try easy.
    + intros _. now apply (is_above_reads _ _ _ sw).
    + intros _. now apply (is_within_reads _ _ _ sw).
Qed.
End Regions.

Section Side.
Context (common : bool) (s : side).
Notation rare := (negb common).
Definition star (q : R) z : R := if eqb z common then q else 1.
Definition beyond_at z : R :=
  side_shows c z (repeat (0, 0) (beyond s)) (repeat (Some rare) (beyond s)).
Fixpoint starry q k z : R := match k with
  | O => star q z * beyond_at z
  | S k => star q z * moved_by (starry q k) z end.

Lemma carried_ext m t t' x : (forall z, t z = t' z) -> carried m t x = carried m t' x.
Proof.
  intros E. revert x; induction m as [|m IH]; intros x; [apply E|].
  change (moved_by (carried m t) x = moved_by (carried m t') x). unfold moved_by. now rewrite !IH.
Qed.
Lemma hidden_shows m hs y x : side_shows c x (repeat (1, 1) m ++ hs) (repeat None m ++ y) =
  carried m (fun z => side_shows c z hs y) x.
Proof.
  revert x; induction m as [|m IH]; intros x; [easy|]. cbn [repeat app side_shows].
  rewrite !IH. unfold symbol_by. cbn [fst snd]. rewrite !Rmult_1_l. reflexivity.
Qed.
Lemma medium_shows q N x : side_shows c x
  (map (fun q => if common then (1, q) else (q, 1)) (repeat q (S N)) ++
    repeat (0, 0) (beyond s)) (repeat None (S N) ++ repeat (Some rare) (beyond s)) =
  moved_by (starry q N) x.
Proof.
  assert (stars : forall z, symbol_by (if common then (1, q) else (q, 1)) z None = star q z)
    by (unfold symbol_by, star; now destruct common, z).
  revert x; induction N as [|N IH]; intros x.
  - cbn [repeat map app side_shows]. now rewrite !stars.
  - change (repeat q (S (S N))) with (q :: repeat q (S N)).
    change (repeat (@None bool) (S (S N))) with (@None bool :: repeat None (S N)).
    cbn [map app side_shows]. rewrite !stars. cbn [map] in IH. now rewrite !IH.
Qed.
Lemma side_is q N x : side_shows c x (three_r common s (repeat q (S N)))
  (repeat None (near s) ++ repeat None (S N) ++ repeat (Some rare) (beyond s)) =
  carried (S (near s)) (starry q N) x.
Proof.
  assert (outer : forall m t, carried (S m) t = carried m (moved_by t)).
  { intros m t. induction m as [|m IH]; [easy|].
    change (moved_by (carried (S m) t) = moved_by (carried m (moved_by t))). now rewrite IH. }
  rewrite outer. unfold three_r. rewrite hidden_shows.
  apply carried_ext. intros z. apply medium_shows.
Qed.

Lemma all_shown_pos k x : 0 < side_shows c x (repeat (0, 0) k) (repeat (Some rare) k).
Proof.
  revert x; induction k as [|k IH]; intros x; cbn [repeat side_shows]; [lra|].
  pose proof (proj2 (steps_read x rare)) as p. pose proof (IH rare) as h.
  pose proof (Rmult_lt_0_compat _ _ p h). unfold symbol_by.
  destruct common; cbn [negb eqb fst snd] in *; lra.
Qed.
Lemma shown_beyond_scaled : scaled (shown_beyond c common s) beyond_at.
Proof.
  unfold shown_beyond, beyond_at. destruct (beyond s) as [|k].
  - exists 1. split; [lra|]. intros []; simpl; ring.
  - pose proof (all_shown_pos k rare) as p. pose proof unit_pos as U0.
    set (kept := side_shows c rare (repeat (0, 0) k) (repeat (Some rare) k)) in *.
    exists (U / kept). split; [now apply Rdiv_lt_0_compat|]. intros z.
    transitivity (U * step c z rare).
    + destruct z; cbn [at_value fst snd]; apply steps_read.
    + cbn [repeat side_shows]. transitivity (U / kept * (step c z rare * kept)); [field; lra|].
      f_equal. unfold symbol_by, kept. destruct common; cbn [negb eqb fst snd]; ring.
Qed.
Lemma starred_scaled y v t : scaled v t ->
  scaled (starred common y v) (fun z => star (of_pair y) z * t z).
Proof.
  intros [m [m0 E]]. assert (d0 : 0 < IZR (Zpos (snd y))) by now apply IZR_lt.
  exists (IZR (Zpos (snd y)) * m). split; [now apply Rmult_lt_0_compat|]. intros z.
  pose proof (E true) as Et. pose proof (E false) as Ef. unfold at_value in Et, Ef.
  unfold starred, star, of_pair. destruct common, z; cbn [at_value fst snd eqb];
    rewrite mult_IZR, ?Et, ?Ef; field; lra.
Qed.
Lemma stars_scaled y N : scaled (all_stars c common y N (shown_beyond c common s))
  (starry (of_pair y) N).
Proof.
  induction N as [|N IH]; cbn [all_stars starry].
  - apply starred_scaled, shown_beyond_scaled.
  - now apply starred_scaled, nearer_scaled.
Qed.

Lemma star_at q : star q common = q /\ star q rare = 1.
Proof. unfold star. destruct common; now cbn [negb eqb]. Qed.
Lemma starry_pos q N : 0 <= q -> 0 <= starry q N common /\ 0 < starry q N rare.
Proof.
  intros q0. destruct (star_at q) as [ec er].
  assert (more : forall u : bool -> R, (forall z, 0 < u z) ->
    0 <= star q common * u common /\ 0 < star q rare * u rare).
  { intros u u0. rewrite ec, er. pose proof (u0 common). pose proof (u0 rare). split; [|lra].
    apply Rmult_le_pos; lra. }
  induction N as [|N [c0 r0]]; cbn [starry]; apply more; intros z; [apply all_shown_pos|].
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ (proj2 (steps_read z common))) c0).
  pose proof (Rmult_lt_0_compat _ _ (proj2 (steps_read z rare)) r0).
  unfold moved_by. destruct common; cbn [negb] in *; lra.
Qed.
Lemma moved_pos q N z : 0 <= q -> 0 < moved_by (starry q N) z.
Proof.
  intros q0. destruct (starry_pos q N q0) as [c0 r0].
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ (proj2 (steps_read z common))) c0).
  pose proof (Rmult_lt_0_compat _ _ (proj2 (steps_read z rare)) r0).
  unfold moved_by. destruct common; cbn [negb] in *; lra.
Qed.
Lemma rises_reads : rises c = true ->
  0 <= step c false false * step c true true - step c false true * step c true false.
Proof.
  intros H. apply Z.leb_le, IZR_le in H. rewrite plus_IZR in H. pose proof unit_pos as U0.
  unfold step. cbn [eqb].
  replace ((1 - IZR (leave c) / U) * (1 - IZR (back c) / U) -
    IZR (leave c) / U * (IZR (back c) / U)) with ((U - (IZR (leave c) + IZR (back c))) / U)
    by (field; lra).
  apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat].
Qed.

(** More stars of the common value make them tell more of it. *)
Lemma starry_rises q y N : 0 <= q -> q < y -> N = O \/ rises c = true ->
  0 < starry y N common * starry q N rare - starry q N common * starry y N rare.
Proof.
  intros q0 less ok. destruct (star_at q) as [qc qr]. destruct (star_at y) as [yc yr].
  assert (more : forall u w : bool -> R, (forall z, 0 < u z) -> (forall z, 0 < w z) ->
    0 <= w common * u rare - u common * w rare ->
    0 < star y common * w common * (star q rare * u rare) -
      star q common * u common * (star y rare * w rare)).
  { intros u w u0 w0 cross. rewrite qc, qr, yc, yr.
    pose proof (Rmult_lt_0_compat _ _ (u0 common) (w0 rare)) as uw.
    assert (y0 : 0 <= y) by lra. pose proof (Rmult_le_pos _ _ y0 cross).
    assert (yq : 0 < y - q) by lra. pose proof (Rmult_lt_0_compat _ _ yq uw). lra. }
  induction N as [|N IH]; cbn [starry]; apply more; try (intros; apply all_shown_pos);
    try (intros; apply moved_pos; lra); [lra|].
  destruct ok as [|ok]; [easy|]. specialize (IH (or_intror ok)).
  assert (E : moved_by (starry y N) common * moved_by (starry q N) rare -
    moved_by (starry q N) common * moved_by (starry y N) rare =
    (step c false false * step c true true - step c false true * step c true false) *
    (starry y N common * starry q N rare - starry q N common * starry y N rare)).
  { unfold moved_by. destruct common; cbn [negb]; ring. }
  rewrite E. apply Rmult_le_pos; [now apply rises_reads|lra].
Qed.

Lemma side_least high r same k q N : check_side c common high s same k = true ->
  medium s = S N -> 0 <= q -> r <= of_bound high ->
  side_within c r (three_r common s (repeat q (S N))) -> of_pair (least_q k) <= q.
Proof.
  unfold check_side. cbv zeta. intros H med q0 below_high W. rewrite med in H.
  apply orb_prop in H as [H|H].
  { apply Z.leb_le, IZR_le in H. apply Rle_trans with 0; [|easy]. unfold of_pair.
    assert (d0 : 0 < IZR (Zpos (snd (least_q k)))) by now apply IZR_lt.
    apply (Rmult_le_reg_r (IZR (Zpos (snd (least_q k))))); [easy|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  apply andb_prop in H as [H at_y]. apply andb_prop in H as [H tells].
  apply andb_prop in H as [ok h0]. apply Z.leb_le, IZR_le in h0.
  set (b := told_of k) in *. set (y := of_pair (least_q k)).
  destruct (Rle_lt_dec y q) as [|less]; [easy|exfalso].
  assert (d0 : 0 < IZR (Zpos (den high))) by now apply IZR_lt.
  set (h := of_bound high) in *.
  assert (hd : h * IZR (Zpos (den high)) = IZR (num high)) by (unfold h, of_bound; field; lra).
  set (m := S (near s)) in *.
  assert (one : carried m (one_at common) b < h * carried m (one_at common) (negb b)).
  { destruct (carried_scaled m _ _ (only_scaled common)) as [f [f0 E]].
    apply Z.ltb_lt, IZR_lt in tells. unfold carried_to in tells. fold m in tells.
    rewrite !mult_IZR, !E, <- hd in tells.
    apply (Rmult_lt_reg_r (f * IZR (Zpos (den high)))); [now apply Rmult_lt_0_compat|]. lra. }
  assert (two : h * carried m (starry y N) (negb b) <= carried m (starry y N) b).
  { destruct (carried_scaled m _ _ (stars_scaled (least_q k) N)) as [f [f0 E]].
    apply Z.leb_le, IZR_le in at_y. unfold carried_to in at_y. fold m in at_y.
    rewrite !mult_IZR, !E, <- hd in at_y. fold y in at_y.
    apply (Rmult_le_reg_r (f * IZR (Zpos (den high)))); [now apply Rmult_lt_0_compat|]. lra. }
  assert (three : carried m (starry q N) b <= h * carried m (starry q N) (negb b)).
  { specialize (W (repeat None (near s) ++ repeat None (S N) ++ repeat (Some rare) (beyond s)) b).
    rewrite !side_is in W. fold m in W. apply Rle_trans with (1 := W).
    apply Rmult_le_compat_r; [|easy]. apply carried_nonneg. intros z.
    destruct (starry_pos q N q0) as [c0 r0].
    destruct (Bool.bool_dec z common) as [->|other]; [easy|].
    assert (z = rare) as -> by (now destruct z, common). lra. }
  assert (rise := starry_rises q y N q0 less).
  assert (ok' : N = O \/ rises c = true).
  { apply orb_prop in ok as [ok|ok]; [left; now apply Nat.eqb_eq|right].
    now apply andb_prop in ok as [ok _]. }
  specialize (rise ok'). rewrite !(carried_linear m (starry y N) _ common) in two.
  rewrite !(carried_linear m (starry q N) _ common) in three.
  set (A := carried m (one_at common) b - h * carried m (one_at common) (negb b)).
  set (B := carried m (one_at rare) b - h * carried m (one_at rare) (negb b)).
  assert (A0 : 0 < - A) by (unfold A; lra).
  destruct (starry_pos q N q0) as [_ qr].
  destruct (starry_pos y N ltac:(lra)) as [_ yr].
  set (yc := starry y N common) in *. set (qc := starry q N common) in *.
  set (tyr := starry y N rare) in *. set (tqr := starry q N rare) in *.
  assert (first : 0 <= yc * A + tyr * B) by (unfold A, B; lra).
  assert (second : 0 <= - (qc * A + tqr * B)) by (unfold A, B; lra).
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ qr) first).
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ yr) second).
  pose proof (Rmult_lt_0_compat _ _ A0 rise). lra.
Qed.
End Side.
End Chain.

Lemma budget_sound c n e low high : check_budget c n e low high = true ->
  of_bound low <= budget c n e /\ budget c n e <= of_bound high.
Proof.
  unfold check_budget, budget. destruct (one_sided c n).
  - intros H. apply andb_prop in H as [l h]. apply reached_sound in h.
    split; [exact (below_sound _ _ _ _ _ _ _ l)|exact h].
  - intros H. apply andb_prop in H as [H h]. apply andb_prop in H as [H l].
    apply andb_prop in H as [l0 h0]. apply reached_sound in h.
    apply Z.leb_le, IZR_le in l0, h0. apply below_sound in l. unfold squared in l, h.
    cbn [num den] in l, h.
    change (Zpos (den low * den low)) with (Zpos (den low) * Zpos (den low))%Z in l.
    change (Zpos (den high * den high)) with (Zpos (den high) * Zpos (den high))%Z in h.
    rewrite !mult_IZR in l, h.
    assert (dl : 0 < IZR (Zpos (den low))) by now apply IZR_lt.
    assert (dh : 0 < IZR (Zpos (den high))) by now apply IZR_lt.
    assert (nonneg : forall b : bound, 0 <= IZR (num b) -> 0 <= of_bound b).
    { intros b b0. apply Rmult_le_pos; [easy|]. left. apply Rinv_0_lt_compat. now apply IZR_lt. }
    assert (sq : forall b : bound, IZR (num b) * IZR (num b) /
      (IZR (Zpos (den b)) * IZR (Zpos (den b))) = Rsqr (of_bound b)).
    { intros b. unfold of_bound, Rsqr. assert (0 < IZR (Zpos (den b))) by now apply IZR_lt.
      field. lra. }
    rewrite sq in l, h.
    rewrite <- (sqrt_Rsqr (of_bound low)), <- (sqrt_Rsqr (of_bound high)) by auto.
    split; now apply sqrt_le_1_alt.
Qed.

Section All.
Context (c : chain) (chain_ok : check_chain c = true) (common : bool) (high : bound) (r : R).
Context (below_high : r <= of_bound high).
Definition floor_of (k : least) : R := of_pair (Z.max 0 (fst (least_q k)), snd (least_q k)).
Lemma side_bound same s k qs : check_side c common high s same k = true -> chances s qs ->
  (same = true -> constant qs) -> side_within c r (three_r common s qs) ->
  sum qs (fun q => 1 - q) <= INR (medium s) * (1 - floor_of k).
Proof.
  intros H [len small] equal W.
  assert (d0 : 0 < IZR (Zpos (snd (least_q k)))) by now apply IZR_lt.
  enough (each : forall q, In q qs -> floor_of k <= q).
  { rewrite <- len. clear - each. induction qs as [|q l IH]; [simpl; lra|].
    cbn [sum]. change (length (q :: l)) with (S (length l)). rewrite S_INR.
    specialize (IH (fun x i => each x (or_intror i))).
    specialize (each q (or_introl eq_refl)). lra. }
  intros q i. pose proof (small q i) as [q0 q1]. unfold floor_of, of_pair. cbn [fst snd].
  destruct (Z.max_spec 0 (fst (least_q k))) as [[pos ->]|[_ ->]];
    [|unfold Rdiv; rewrite Rmult_0_l; exact q0].
  destruct (medium s) as [|N] eqn:med; [destruct qs; easy|].
  assert (equal_all : constant qs).
  { pose proof H as H'. unfold check_side in H'. cbv zeta in H'. rewrite med in H'.
    apply orb_prop in H' as [neg|H']; [apply Z.leb_le in neg; lia|].
    rewrite !andb_true_iff in H'. destruct H' as [[[ok _] _] _].
    apply orb_prop in ok as [ok|ok]; [|apply andb_prop in ok as [_ ok]; now apply equal].
    apply Nat.eqb_eq in ok as ->. destruct qs as [|a [|b l]]; try easy.
    intros x x' [<-|[]] [<-|[]]. easy. }
  assert (rep : qs = repeat q (S N)).
  { rewrite <- len. apply Forall_eq_repeat. apply Forall_forall. intros x ix.
    now apply equal_all. }
  rewrite rep in W. exact (side_least c chain_ok common s high r same k q N H med q0 below_high W).
Qed.
End All.

Lemma three_r_sound c n e common same left right low high kl kr u :
  check_3r c n e common same left right low high kl kr u = true ->
  none_3r_is_better c n common same left right e (of_pair u).
Proof.
  unfold check_3r. cbv zeta. intros H. apply andb_prop in H as [H total].
  apply andb_prop in H as [H lr]. apply andb_prop in H as [H ll].
  apply andb_prop in H as [H sr]. apply andb_prop in H as [H sl].
  apply andb_prop in H as [H rr]. apply andb_prop in H as [H rl].
  apply andb_prop in H as [ok bud]. apply Z.eqb_eq in ll, lr.
  destruct (place_reads c n ok) as [chain_ok [_ [z0 [o0 [pr small]]]]].
  destruct (budget_sound c n e low high bud) as [above_low below_high].
  assert (reg : forall s, check_regions c low high s (near s + medium s + beyond s) 0 (only common)
    (only (negb common)) = true -> regions c (budget c n e) common s).
  { intros s hs d sd. refine (regions_read c chain_ok low high _ s common above_low below_high
      _ 0 _ _ (only_scaled _) (only_scaled _) hs d _). lia. }
  repeat (split; [auto|]). intros ql qr hl hr same_on wl wr.
  pose proof (side_bound c chain_ok common high _ below_high same left kl ql sl hl
    (fun h => proj1 (same_on h)) wl) as bl.
  pose proof (side_bound c chain_ok common high _ below_high same right kr qr sr hr
    (fun h => proj2 (same_on h)) wr) as br.
  pose proof (start_pos c n common ok) as s0. unfold side_released.
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ s0)) in bl, br.
  apply (Rmult_le_reg_r (INR n)); [easy|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r
    by lra.
  apply Z.leb_le, IZR_le in total. unfold hidden_less in total.
  rewrite !mult_IZR, !plus_IZR, !mult_IZR, !plus_IZR, !mult_IZR, !minus_IZR, <- !INR_IZR_INZ,
    plus_INR in total.
  assert (st : start c common = IZR (starts c common) / (IZR (first_zero c) + IZR (first_one c)))
    by (unfold start, starts; rewrite plus_IZR; now destruct common).
  unfold floor_of, of_pair in *. cbn [fst snd] in bl, br.
  set (yl := IZR (Z.max 0 (fst (least_q kl)))) in *.
  set (yr := IZR (Z.max 0 (fst (least_q kr)))) in *.
  set (a := IZR (Zpos (snd (least_q kl)))) in *. set (b := IZR (Zpos (snd (least_q kr)))) in *.
  assert (a0 : 0 < a) by now apply IZR_lt. assert (b0 : 0 < b) by now apply IZR_lt.
  assert (u0 : 0 < IZR (Zpos (snd u))) by now apply IZR_lt.
  set (s := IZR (first_zero c) + IZR (first_one c)) in *.
  assert (sp : 0 < s) by (unfold s; lra).
  apply Rle_trans with (INR (beyond left) + INR (beyond right) +
    start c common * (INR (medium left) * (1 - yl / a) + INR (medium right) * (1 - yr / b)));
    [lra|].
  rewrite st. apply (Rmult_le_reg_r (s * (a * b) * IZR (Zpos (snd u))));
    [repeat apply Rmult_lt_0_compat; easy|].
  match type of total with ?x <= ?y => apply Rle_trans with x; [|apply Rle_trans with y] end;
    try easy; right; field; lra.
Qed.
