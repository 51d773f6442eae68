(** The theorems that exported certificates of redaction use: slopes of outputs are carried along
    the chain, in cones of integers. [Redactions] has what is stated. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Indices Tables Levels Released Redactions
  Cones.
Import ListNotations.
Open Scope Z_scope.

(** What a symbol multiplies a value 0 and a value 1 with. *)
Definition factors r (o : option bool) : Z * Z := match o with
  | None => (if_zero r, if_one r)
  | Some false => (whole r - if_zero r, 0)
  | Some true => (0, whole r - if_one r) end.
(** One record, and a step behind it, before it, or none. *)
Definition forwards c r o : matrix := let (s, t) := factors r o in
  Matrix (s * (step_unit c - leave c)) (t * back c) (s * leave c) (t * (step_unit c - back c)).
Definition backwards c r o : matrix := let (s, t) := factors r o in
  Matrix (s * (step_unit c - leave c)) (t * leave c) (s * back c) (t * (step_unit c - back c)).
Definition alone r o : matrix := let (s, t) := factors r o in Matrix s 0 0 t.

(** Records and the symbols that each may show. *)
Definition shown := list (row * list (option bool)).
Section Walk.
Context (strict : bool) (bits : Z) (c : chain).
Fixpoint behind (l : shown) : option cone := match l with
  | [] => Some ((1, 1), (1, 1))
  | (r, os) :: l => match behind l with
    | Some k => next strict bits (map (backwards c r) os) k
    | None => None end end.
Definition at_last r os k (l : shown) : option cone := match behind l with
  | Some k' => if proper (product k k') &&
      (negb strict || positive_cone k && positive_cone k')
    then next strict bits (map (alone r) os) (product k k') else None
  | None => None end.
Fixpoint walked p k (l : shown) {struct l} : option cone := match l, p with
  | [], _ => None
  | (r, os) :: l, O => at_last r os k l
  | (r, os) :: l, S p => match next strict bits (map (forwards c r) os) k with
    | Some k => walked p k l
    | None => None end end.
End Walk.

Definition check_chain c : bool := (0 <? leave c) && (leave c <? step_unit c) && (0 <? back c) &&
  (back c <? step_unit c) && (0 <=? first_zero c) && (0 <=? first_one c) &&
  (0 <? first_zero c + first_one c).
Definition check_row r : bool := (0 <? whole r) && (0 <=? if_zero r) && (if_zero r <=? whole r) &&
  (0 <=? if_one r) && (if_one r <=? whole r).
Definition check_input c (rs : list row) : bool := check_chain c && forallb check_row rs &&
  (1 <=? private c) && (private c <=? Z.of_nat (length rs)).
Definition first_cone c : cone :=
  ((first_zero c, first_one c), (first_zero c, first_one c)).
Definition symbols : list (option bool) := [None; Some false; Some true].
Definition always : row := Row 1 1 1.

(** The slopes of all outputs, of one, and of the private value itself. *)
Definition any_cone bits c rs := walked false bits c (place c) (first_cone c)
  (map (fun r => (r, symbols)) rs).
Definition one_cone bits c rs y := walked true bits c (place c) (first_cone c)
  (combine rs (map (fun o => [o]) y)).
Definition prior_cone bits c (rs : list row) := walked true bits c (place c) (first_cone c)
  (map (fun _ => (always, [None])) rs).

Definition slope_within n d (k q : cone) : bool :=
  let (a, b) := fst k in let (e, g) := snd k in
  let (a', b') := fst q in let (e', g') := snd q in
  (0 <? g * a') && (e * b' * Zpos d <=? n * (g * a')) &&
  (0 <? a * g') && (b * e' * Zpos d <=? n * (a * g')).
(** A slope of at least n/d, of more than it, or an infinite one, either way round. *)
Definition compared_with (than : Z -> Z -> bool) (k q : cone) : bool :=
  let (a, b) := fst k in let (e, g) := snd k in
  let (a', b') := fst q in let (e', g') := snd q in
  (0 <? a * g') && than (a * g') (b * e') || (0 <? g * a') && than (g * a') (e * b').
Definition at_least_ratio n d x y := n * y <=? x * Zpos d.
Definition above_ratio n d x y := n * y <? x * Zpos d.
Definition no_ratio (_ y : Z) := y =? 0.

Definition check_most c (l : runs) e r bits : bool :=
  let rs := spread l in
  is_below e r && check_input c rs &&
  match any_cone bits c rs, prior_cone bits c rs with
  | Some k, Some q => slope_within (num r) (den r) k q
  | _, _ => false end.
Definition check_output c (l : runs) (y : list (option bool)) bits than : bool :=
  let rs := spread l in
  check_input c rs && Nat.eqb (length rs) (length y) &&
  match one_cone bits c rs y, prior_cone bits c rs with
  | Some k, Some q => positive_cone q && compared_with than k q
  | _, _ => false end.
Definition is_reached e r : bool := match e with
  | Nats 0 _ => Zpos (den r) <=? num r
  | _ => is_above e r end.
Open Scope R_scope.

Lemma Sum_word n (h : word (S n) -> R) :
  (Σ v, h v) = (Σ v : word n, h (true, v)) + Σ v : word n, h (false, v).
Proof.
  change (sum (list_prod [true; false] all) h = (Σ v, h (true, v)) + Σ v, h (false, v)).
  rewrite sum_pairs. simpl. lra.
Qed.

Section Chain.
Context (c : chain) (chain_ok : check_chain c = true).

Lemma chain_reads : 0 < IZR (step_unit c) /\ 0 <= IZR (leave c) <= IZR (step_unit c) /\
  0 <= IZR (back c) <= IZR (step_unit c) /\ 0 <= IZR (first_zero c) /\ 0 <= IZR (first_one c) /\
  0 < IZR (first_zero c) + IZR (first_one c).
Proof.
  pose proof chain_ok as H. unfold check_chain in H.
  rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in H.
  destruct H as [[[[[[l0 l1] b0] b1] z0] o0] s0]. apply IZR_lt in l0, l1, b0, b1, s0.
  apply IZR_le in z0, o0. rewrite plus_IZR in s0. lra.
Qed.

Lemma step_total x : step c x true + step c x false = 1.
Proof. unfold step. destruct x; simpl; lra. Qed.
Lemma step_nonneg x y : 0 <= step c x y.
Proof.
  destruct chain_reads as [U [l [b _]]]. unfold step.
  assert (part : forall z, 0 <= z <= IZR (step_unit c) -> 0 <= z / IZR (step_unit c) <= 1).
  { intros z [z0 z1]. split; [apply Rmult_le_pos; [easy|left; now apply Rinv_0_lt_compat]|].
    apply (Rmult_le_reg_r (IZR (step_unit c))); [easy|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct x, y; simpl; [specialize (part _ b)|specialize (part _ b)|specialize (part _ l)|
    specialize (part _ l)]; lra.
Qed.
Lemma start_nonneg x : 0 <= start c x.
Proof.
  destruct chain_reads as [_ [_ [_ [z0 [o0 s0]]]]]. unfold start. rewrite plus_IZR.
  apply Rmult_le_pos; [destruct x; easy|]. left. now apply Rinv_0_lt_compat.
Qed.
Lemma start_total : start c true + start c false = 1.
Proof.
  destruct chain_reads as [_ [_ [_ [z0 [o0 s0]]]]]. unfold start. rewrite plus_IZR. field. lra.
Qed.

Lemma onward_total n x : (Σ v : word n, onward c x (values v)) = 1.
Proof.
  revert x; induction n as [|n IH]; intros x; [simpl; lra|]. rewrite Sum_word. simpl.
  rewrite !sum_scale, !IH. pose proof (step_total x). lra.
Qed.
Lemma onward_nonneg l x : 0 <= onward c x l.
Proof.
  revert x; induction l as [|y l IH]; intros x; simpl; [lra|].
  apply Rmult_le_pos; [apply step_nonneg|apply IH].
Qed.

Lemma chain_is_law n : (0 < n)%nat -> law (chain_law c (n := n)).
Proof.
  destruct n as [|n]; [easy|]. intros _. split.
  - intros v. unfold chain_law, begun. simpl.
    apply Rmult_le_pos; [apply start_nonneg|apply onward_nonneg].
  - rewrite Sum_word. unfold chain_law, begun. simpl.
    rewrite !sum_scale, !onward_total. pose proof start_total. lra.
Qed.

(** What a side shows, given the value before it; and what all shows, with the private value b,
    where f has the weights of the first record. *)
Definition side n (rs : list row) y x := Σ v : word n, onward c x (values v) *
  redacts rs (values v) y.
Definition told f p n (rs : list row) y b := Σ v : word n,
  begun c f (values v) * (if eqb (nth p (values v) false) b then 1 else 0) *
  redacts rs (values v) y.

Lemma side_next n r rs o y x : side (S n) (r :: rs) (o :: y) x =
  step c x true * symbol r true o * side n rs y true +
  step c x false * symbol r false o * side n rs y false.
Proof.
  unfold side. rewrite Sum_word. simpl. rewrite <- !sum_scale.
  f_equal; apply sum_ext; intros v _; ring.
Qed.

Lemma told_here f n r rs o y b : told f 0 (S n) (r :: rs) (o :: y) b =
  f b * side n rs y b * symbol r b o.
Proof.
  unfold told, side. rewrite Sum_word. simpl.
  rewrite (Rmult_comm (f b)), Rmult_assoc, Rmult_comm, <- sum_scale.
  rewrite <- sum_plus. apply sum_ext; intros v _. destruct b; simpl; ring.
Qed.

Definition stepped f r o y := f true * symbol r true o * step c true y +
  f false * symbol r false o * step c false y.
Lemma told_further f p n r rs o y b :
  told f (S p) (S (S n)) (r :: rs) (o :: y) b = told (stepped f r o) p (S n) rs y b.
Proof.
  unfold told. rewrite (Sum_word (S n)), <- sum_plus. apply sum_ext; intros v _.
  cbn [values fst snd nth redacts begun onward]. unfold stepped. ring.
Qed.

Lemma rows_read r : check_row r = true -> 0 < IZR (whole r) /\ 0 <= IZR (if_zero r) <= IZR (whole r)
  /\ 0 <= IZR (if_one r) <= IZR (whole r).
Proof.
  unfold check_row. rewrite !andb_true_iff, Z.ltb_lt, !Z.leb_le. intros [[[[w z] z'] o] o'].
  apply IZR_lt in w. apply IZR_le in z, z', o, o'. lra.
Qed.

Lemma factors_read r o : check_row r = true ->
  symbol r false o = IZR (fst (factors r o)) / IZR (whole r) /\
  symbol r true o = IZR (snd (factors r o)) / IZR (whole r) /\
  0 <= IZR (fst (factors r o)) /\ 0 <= IZR (snd (factors r o)).
Proof.
  intros ok. destruct (rows_read r ok) as [w [z t]]. unfold symbol, hides.
  destruct o as [[]|]; cbn [eqb factors fst snd]; rewrite ?minus_IZR; repeat split;
    try field; try lra.
Qed.

Lemma alone_moves r o g : check_row r = true -> nonneg (alone r o) /\
  moved (alone r o) g (fun x => g x * symbol r x o).
Proof.
  intros ok. destruct (factors_read r o ok) as [ef [et [nf nt]]].
  destruct (rows_read r ok) as [w _].
  unfold alone. destruct (factors r o) as [s t]. cbn [fst snd] in *. split.
  - repeat split; cbn [m00 m01 m10 m11]; lra.
  - exists (/ IZR (whole r)). cbn [m00 m01 m10 m11]. rewrite ef, et.
    repeat split; [now apply Rinv_0_lt_compat|field; lra|field; lra].
Qed.

Lemma forwards_moves r o g : check_row r = true -> nonneg (forwards c r o) /\
  moved (forwards c r o) g (stepped g r o).
Proof.
  intros ok. destruct (factors_read r o ok) as [ef [et [nf nt]]].
  destruct (rows_read r ok) as [w _].
  destruct chain_reads as [U [l [b _]]]. unfold stepped. rewrite ef, et.
  unfold forwards. destruct (factors r o) as [s t]. cbn [fst snd] in *. split.
  - repeat split; cbn [m00 m01 m10 m11]; rewrite mult_IZR, ?minus_IZR; apply Rmult_le_pos; lra.
  - exists (/ (IZR (whole r) * IZR (step_unit c))). cbn [m00 m01 m10 m11].
    rewrite !mult_IZR, !minus_IZR. unfold step. cbn [eqb].
    repeat split; [apply Rinv_0_lt_compat; now apply Rmult_lt_0_compat|field; lra|field; lra].
Qed.

Lemma backwards_moves r o n rs y : check_row r = true -> nonneg (backwards c r o) /\
  moved (backwards c r o) (side n rs y) (side (S n) (r :: rs) (o :: y)).
Proof.
  intros ok. destruct (factors_read r o ok) as [ef [et [nf nt]]].
  destruct (rows_read r ok) as [w _].
  destruct chain_reads as [U [l [b _]]]. unfold moved. rewrite !side_next, ef, et.
  unfold backwards. destruct (factors r o) as [s t]. cbn [fst snd] in *. split.
  - repeat split; cbn [m00 m01 m10 m11]; rewrite mult_IZR, ?minus_IZR; apply Rmult_le_pos; lra.
  - exists (/ (IZR (whole r) * IZR (step_unit c))). cbn [m00 m01 m10 m11].
    rewrite !mult_IZR, !minus_IZR. unfold step. cbn [eqb].
    repeat split; [apply Rinv_0_lt_compat; now apply Rmult_lt_0_compat|field; lra|field; lra].
Qed.

(** Symbols that may be shown. *)
Definition fits (y : list (option bool)) (l : shown) := Forall2 (fun o ro => In o (snd ro)) y l.
Definition rows_ok (l : shown) := Forall (fun ro => check_row (fst ro) = true) l.

Lemma behind_sound strict bits l y k : behind strict bits c l = Some k -> fits y l -> rows_ok l ->
  proper k = true /\ holds k (side (length l) (map fst l) y) /\
  (strict = true -> alive (side (length l) (map fst l) y)).
Proof.
  intros H fit. revert k H; induction fit as [|o [r os] y l i fit IH]; intros k H ok.
  - injection H as <-. split; [easy|]. unfold holds, alive, side. simpl. repeat split; lra.
  - cbn [behind] in H. destruct (behind strict bits c l) as [k'|]; [|easy].
    inversion ok as [|? ? okr okl]; subst. destruct (IH k' eq_refl okl) as [pk [hk live]].
    destruct (backwards_moves r o (length l) (map fst l) y okr) as [nn mv].
    destruct (next_sound _ _ _ _ _ _ _ _ H (in_map (backwards c r) _ _ i) pk nn hk mv)
      as [pk' [hk' live']].
    repeat split; auto; apply hk'.
Qed.

Lemma walked_sound strict bits p k l y k' f : walked strict bits c p k l = Some k' ->
  fits y l -> rows_ok l -> proper k = true -> holds k f -> (strict = true -> alive f) ->
  proper k' = true /\ holds k' (told f p (length l) (map fst l) y) /\
  (strict = true -> alive (told f p (length l) (map fst l) y)).
Proof.
  intros H fit. revert p k f k' H; induction fit as [|o [r os] y l i fit IH];
    intros p k f k' H ok pk hk live; [easy|].
  inversion ok as [|? ? okr okl]; subst. cbn [walked] in H. destruct p as [|p].
  - unfold at_last in H. destruct (behind strict bits c l) as [b|] eqn:B; [|easy].
    destruct (proper (product k b)) eqn:P; [|easy]. cbn [andb] in H.
    destruct (negb strict || positive_cone k && positive_cone b) eqn:A; [|easy].
    destruct (behind_sound _ _ _ _ _ B fit okl) as [pb [hb liveb]].
    set (s := side (length l) (map fst l) y) in *.
    pose proof (product_holds _ _ _ _ pk pb hk hb) as both.
    destruct (alone_moves r o (fun x => f x * s x) okr) as [nn mv].
    destruct (next_sound _ _ _ _ _ _ _ _ H (in_map (alone r) _ _ i) P nn both mv)
      as [pk' [hk' live']].
    assert (E : forall x, told f 0 (length ((r, os) :: l)) (map fst ((r, os) :: l)) (o :: y) x =
      f x * s x * symbol r x o) by (intros x; cbn [length map fst]; apply told_here).
    unfold holds, alive in *. rewrite !E. split; [easy|]. split; [apply hk'|].
    intros st. apply live'; [easy|]. rewrite st in A. cbn [negb orb] in A.
    apply andb_prop in A as [Ak Ab].
    destruct (positive_sound k f Ak hk (live st)) as [f0 f1].
    destruct (positive_sound b s Ab hb (liveb st)) as [s0 s1].
    pose proof (Rmult_lt_0_compat _ _ f0 s0). pose proof (Rmult_lt_0_compat _ _ f1 s1). lra.
  - destruct (next strict bits (map (forwards c r) os) k) as [k1|] eqn:N; [|easy].
    destruct (forwards_moves r o f okr) as [nn mv].
    destruct (next_sound _ _ _ _ _ _ _ _ N (in_map (forwards c r) _ _ i) pk nn hk mv)
      as [pk1 [hk1 live1]].
    assert (live1' : strict = true -> alive (stepped f r o)) by (intros st; auto).
    destruct l as [|rl l]; [easy|].
    destruct (IH p k1 (stepped f r o) k' H okl pk1 hk1 live1') as [pk' [hk' live']].
    assert (E : forall x, told f (S p) (length ((r, os) :: rl :: l))
      (map fst ((r, os) :: rl :: l)) (o :: y) x =
      told (stepped f r o) p (length (rl :: l)) (map fst (rl :: l)) y x)
      by (intros x; cbn [length map fst]; apply told_further).
    unfold holds, alive in *. rewrite !E. auto.
Qed.

Lemma first_holds : proper (first_cone c) = true /\ holds (first_cone c) (start c) /\
  alive (start c).
Proof.
  pose proof chain_ok as H. unfold check_chain in H.
  rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in H. destruct H as [[[_ z0] o0] s0].
  split.
  - unfold proper, is_ray, some, ray_le, first_cone. cbn [fst snd].
    rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le. lia.
  - destruct chain_reads as [_ [_ [_ [z [o t]]]]]. unfold alive, holds, first_cone. cbn [fst snd].
    pose proof (start_nonneg false). pose proof (start_nonneg true). pose proof start_total.
    repeat split; try lra; right; unfold start; rewrite plus_IZR; field; lra.
Qed.
End Chain.

Lemma values_length {n} (v : word n) : length (values v) = n.
Proof. induction n; simpl; [easy|]. now rewrite IHn. Qed.
Lemma redacts_nothing rs l y : length y <> length rs -> redacts rs l y = 0.
Proof.
  revert l y; induction rs as [|r rs IH]; intros [|x l] [|o y] H; simpl in *; try easy.
  rewrite IH by lia. ring.
Qed.
Lemma redacts_always rs l : length l = length rs ->
  redacts (map (fun _ : row => always) rs) l (map (fun _ => None) rs) = 1.
Proof.
  revert l; induction rs as [|r rs IH]; intros [|x l] H; simpl in *; try easy.
  rewrite IH by lia. unfold hides. destruct x; simpl; field.
Qed.

Section Statement.
Context (c : chain) (l : runs) (ok : check_input c (spread l) = true).
Notation rs := (spread l).
Notation n := (count_of l).

Lemma input_reads : check_chain c = true /\ (forall r, In r rs -> check_row r = true) /\
  (1 <= private c <= Z.of_nat n)%Z.
Proof.
  pose proof ok as H. unfold check_input in H. rewrite !andb_true_iff, !Z.leb_le in H.
  rewrite forallb_forall in H. unfold count_of. tauto.
Qed.
Let chain_ok := proj1 input_reads.

Lemma input_well_formed : well_formed_redaction c l.
Proof.
  pose proof input_reads as [_ [okr p]]. split; [|split; [easy|]].
  - apply chain_is_law; [easy|]. lia.
  - intros r x i. destruct (rows_read r (okr r i)) as [w [z t]]. unfold hides.
    assert (part : forall a, 0 <= a <= IZR (whole r) -> 0 <= a / IZR (whole r) <= 1).
    { intros a [a0 a1]. split; [apply Rmult_le_pos; [easy|left; now apply Rinv_0_lt_compat]|].
      apply (Rmult_le_reg_r (IZR (whole r))); [easy|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l by lra. lra. }
    destruct x; now apply part.
Qed.

Lemma Pw_told named b y : Pw (chain_law c) (shows l named) (value_is c l b) y =
  told c (start c) (place c) n rs match named with None => y | Some z => z end b.
Proof.
  apply sum_ext; intros v _. unfold inside, value_is, shows, chain_law.
  destruct eqb; ring.
Qed.
Lemma P_told b : P (chain_law c) (value_is c l b) =
  told c (start c) (place c) n (map (fun _ => always) rs) (map (fun _ => None) rs) b.
Proof.
  apply sum_ext; intros v _. rewrite redacts_always by now rewrite values_length.
  unfold inside, value_is, chain_law. destruct eqb; ring.
Qed.

Lemma prior_sound bits q : prior_cone bits c rs = Some q ->
  proper q = true /\ holds q (fun b => P (chain_law c) (value_is c l b)) /\
  alive (fun b => P (chain_law c) (value_is c l b)).
Proof.
  intros H. destruct (first_holds c chain_ok) as [p [h live]].
  assert (fit : fits (map (fun _ : row => None) rs) (map (fun _ => (always, [None])) rs)).
  { clear. generalize rs. intros all_rows. induction all_rows; simpl; constructor; simpl; auto. }
  assert (okr : rows_ok (map (fun _ : row => (always, [@None bool])) rs)).
  { clear. generalize rs. intros all_rows. induction all_rows; simpl; constructor; easy. }
  destruct (walked_sound c chain_ok _ _ _ _ _ _ _ _ H fit okr p h (fun _ => live))
    as [pq [hq lq]].
  rewrite map_length, map_map in hq, lq. cbn [fst] in hq, lq.
  unfold holds, alive in *. rewrite !P_told. auto.
Qed.

Lemma rows_fine (f : row -> row * list (option bool)) : (forall r, fst (f r) = r) ->
  rows_ok (map f rs).
Proof.
  intros E. pose proof input_reads as [_ [okr _]]. apply Forall_forall. intros ro i.
  apply in_map_iff in i as [r [<- i]]. rewrite E. auto.
Qed.

Lemma any_sound bits k y : any_cone bits c rs = Some k -> length y = length rs ->
  proper k = true /\ holds k (told c (start c) (place c) n rs y).
Proof.
  intros H len. destruct (first_holds c chain_ok) as [p [h live]].
  assert (fit : fits y (map (fun r => (r, symbols)) rs)).
  { revert len. clear. generalize rs. intros some_rows. revert y.
    induction some_rows as [|r some_rows IH]; intros [|o y] E; simpl in *; try easy;
      constructor; [|apply IH; lia].
    destruct o as [[]|]; simpl; auto. }
  assert (okr : rows_ok (map (fun r => (r, symbols)) rs)) by now apply rows_fine.
  destruct (walked_sound c chain_ok _ _ _ _ _ _ _ _ H fit okr p h
    (fun _ => live)) as [pk [hk _]].
  rewrite map_length, map_map in hk. cbn [fst] in hk. now rewrite map_id in hk.
Qed.

Lemma one_sound bits k y : one_cone bits c rs y = Some k -> length y = length rs ->
  proper k = true /\ holds k (told c (start c) (place c) n rs y) /\
  alive (told c (start c) (place c) n rs y).
Proof.
  intros H len. destruct (first_holds c chain_ok) as [p [h live]].
  set (both := combine rs (map (fun o => [o]) y)) in *.
  assert (fit : fits y both).
  { subst both. revert len. clear. generalize rs. intros some_rows. revert y.
    induction some_rows as [|r some_rows IH]; intros [|o y] E; simpl in *; try easy;
      constructor; [|apply IH; lia].
    simpl; auto. }
  assert (E : map fst both = rs /\ length both = length rs).
  { subst both. revert len. clear. generalize rs. intros some_rows. revert y.
    induction some_rows as [|r some_rows IH]; intros [|o y] E; simpl in *; try easy.
    destruct (IH y ltac:(lia)) as [-> ->]. auto. }
  destruct E as [E E'].
  assert (okr : rows_ok both).
  { pose proof input_reads as [_ [okr _]]. apply Forall_forall. intros ro i. apply okr.
    rewrite <- E. now apply in_map. }
  destruct (walked_sound c chain_ok _ _ _ _ _ _ _ _ H fit okr p h (fun _ => live))
    as [pk [hk lk]].
  fold both in hk, lk. rewrite E, E' in hk, lk. auto.
Qed.
End Statement.

Lemma cancelled x y K L N D : 0 < D -> 0 < K -> 0 <= y -> x * K <= y * L -> L * D <= N * K ->
  x <= N / D * y.
Proof.
  intros D0 K0 y0 le le'. apply (Rmult_le_reg_r (K * D)); [now apply Rmult_lt_0_compat|].
  apply (Rmult_le_compat_r D) in le; [|lra]. apply (Rmult_le_compat_l y) in le'; [|easy].
  replace (N / D * y * (K * D)) with (y * (N * K)) by (field; lra). lra.
Qed.

(** Slopes that are at most n/d, either way round. *)
Lemma within_sound n d k q t p : slope_within n d k q = true -> proper k = true ->
  proper q = true -> holds k t -> holds q p ->
  t false * p true <= IZR n / IZR (Zpos d) * (p false * t true) /\
  t true * p false <= IZR n / IZR (Zpos d) * (p true * t false).
Proof.
  intros H pk pq. destruct (proper_reads k pk) as [a1 [b1 [e1 [g1 _]]]].
  destruct (proper_reads q pq) as [a2 [b2 [e2 [g2 _]]]]. revert H a1 b1 e1 g1 a2 b2 e2 g2.
  destruct k as [[a b] [e g]], q as [[a' b'] [e' g']].
  unfold slope_within, holds. cbn [fst snd].
  rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le.
  intros [[[g0 le] a0] le'] a1 b1 e1 g1 a2 b2 e2 g2 [t0 [t1 [low high]]] [p0 [p1 [low' high']]].
  apply IZR_lt in g0, a0. apply IZR_le in le, le'. rewrite !mult_IZR in *.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  split.
  - apply (cancelled _ _ (IZR g * IZR a') (IZR e * IZR b')); try easy; [now apply Rmult_le_pos|].
    pose proof (Rmult_le_compat _ _ _ _ (Rmult_le_pos _ _ t0 g1) (Rmult_le_pos _ _ a2 p1)
      high low'). lra.
  - apply (cancelled _ _ (IZR a * IZR g') (IZR b * IZR e')); try easy; [now apply Rmult_le_pos|].
    pose proof (Rmult_le_compat _ _ _ _ (Rmult_le_pos _ _ a1 t1) (Rmult_le_pos _ _ p0 g2)
      low high'). lra.
Qed.

(** What a promise about one output with these slopes needs. *)
Lemma compared_sound than k q t p (Q : R -> Prop) : compared_with than k q = true ->
  proper k = true -> proper q = true -> holds k t -> holds q p -> alive t ->
  0 < p false -> 0 < p true ->
  (forall x y r, than x y = true -> (0 < x)%Z -> 0 <= IZR y -> IZR x <= r * IZR y -> Q r) ->
  forall r, t false * p true <= r * (p false * t true) ->
    t true * p false <= r * (p true * t false) -> Q r.
Proof.
  intros H pk pq. destruct (proper_reads k pk) as [a1 [b1 [e1 [g1 _]]]].
  destruct (proper_reads q pq) as [a2 [b2 [e2 [g2 _]]]]. revert H a1 b1 e1 g1 a2 b2 e2 g2.
  destruct k as [[a b] [e g]], q as [[a' b'] [e' g']].
  unfold compared_with, holds, alive. cbn [fst snd].
  rewrite orb_true_iff, !andb_true_iff, !Z.ltb_lt.
  intros [[pos H]|[pos H]] a1 b1 e1 g1 a2 b2 e2 g2 [t0 [t1 [low high]]] [_ [_ [low' high']]]
    live p0 p1 needs r one other; apply (needs _ _ r H pos); rewrite ?mult_IZR;
    try now apply Rmult_le_pos; apply IZR_lt in pos; rewrite mult_IZR in pos.
  - assert (t1' : 0 < t true).
    { destruct t1 as [|z]; [easy|]. rewrite <- z in *. rewrite !Rmult_0_r in one.
      assert (0 < t false) as t0' by lra. pose proof (Rmult_lt_0_compat _ _ t0' p1). lra. }
    pose proof (Rmult_le_compat _ _ _ _ (Rmult_le_pos _ _ a1 t1)
      (Rmult_le_pos _ _ (Rlt_le _ _ p0) g2) low high') as both.
    apply (Rmult_le_reg_r (p false * t true)); [now apply Rmult_lt_0_compat|].
    pose proof (Rmult_le_pos _ _ b1 e2) as K.
    pose proof (Rmult_le_compat_l _ _ _ K one). lra.
  - assert (t0' : 0 < t false).
    { destruct t0 as [|z]; [easy|]. rewrite <- z in *. rewrite !Rmult_0_r in other.
      assert (0 < t true) as t1' by lra. pose proof (Rmult_lt_0_compat _ _ t1' p0). lra. }
    pose proof (Rmult_le_compat _ _ _ _ (Rmult_le_pos _ _ t0 g1)
      (Rmult_le_pos _ _ a2 (Rlt_le _ _ p1)) high low') as both.
    apply (Rmult_le_reg_r (p true * t false)); [now apply Rmult_lt_0_compat|].
    pose proof (Rmult_le_pos _ _ e1 b2) as K.
    pose proof (Rmult_le_compat_l _ _ _ K other). lra.
Qed.

Lemma told_nothing c f p n rs y b : length y <> length rs -> told c f p n rs y b = 0.
Proof.
  intros H. unfold told. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
  intros v _. rewrite redacts_nothing by easy. ring.
Qed.

(** Of a certificate of the kind redaction-leakage, that a level is not exceeded.
    Differs: nothing. *)
Theorem redaction_most_of c l e r bits : check_most c l e r bits = true ->
  well_formed_redaction c l /\ leaks_at_most c l e.
Proof.
  unfold check_most. cbv zeta. intros H. apply andb_prop in H as [H within].
  apply andb_prop in H as [low ok]. split; [now apply input_well_formed|].
  destruct (any_cone bits c (spread l)) as [k|] eqn:A; [|easy].
  destruct (prior_cone bits c (spread l)) as [q|] eqn:B; [|easy].
  destruct (prior_sound c l ok bits q B) as [pq [hq _]]. apply below_sound in low.
  intros p s t y <- [b [-> ->]] Ps Pt. rewrite !Pw_told by easy.
  destruct (Nat.eq_dec (length y) (length (spread l))) as [len|len];
    [|rewrite !told_nothing by easy; lra].
  destruct (any_sound c l ok bits k y A len) as [pk hk].
  destruct (within_sound _ _ _ _ _ _ within pk pq hk hq) as [one other].
  destruct hk as [t0 [t1 _]].
  assert (more : forall x z, 0 <= x -> 0 <= z ->
    IZR (num r) / IZR (Zpos (den r)) * (x * z) <= ratio e * x * z).
  { intros x z x0 z0. rewrite Rmult_assoc. apply Rmult_le_compat_r; [now apply Rmult_le_pos|easy]. }
  destruct b; cbn [negb] in *; eapply Rle_trans;
    [exact other|apply more; [now left|exact t0]|exact one|apply more; [now left|exact t1]].
Qed.

Definition hinted (named : option output) y := match named with None => y | Some z => z end.
Lemma keeps_hinted c l named y r : keeps c l named r -> keeps c l (Some (hinted named y)) r.
Proof.
  intros H p s t w Hp st Ps Pt. destruct named as [z|]; [exact (H p s t w Hp st Ps Pt)|].
  exact (H p s t y Hp st Ps Pt).
Qed.

Lemma output_sound c l named y bits than (Q : R -> Prop) :
  check_output c l (hinted named y) bits than = true ->
  (forall x y r, than x y = true -> (0 < x)%Z -> 0 <= IZR y -> IZR x <= r * IZR y -> Q r) ->
  well_formed_redaction c l /\ forall r, keeps c l named r -> Q r.
Proof.
  unfold check_output. cbv zeta. set (z := hinted named y). intros H needs.
  apply andb_prop in H as [H compared]. apply andb_prop in H as [ok len].
  apply Nat.eqb_eq in len. split; [now apply input_well_formed|]. intros r keep.
  apply (keeps_hinted c l named y) in keep. fold z in keep.
  destruct (one_cone bits c (spread l) z) as [k|] eqn:A; [|easy].
  destruct (prior_cone bits c (spread l)) as [q|] eqn:B; [|easy].
  apply andb_prop in compared as [pos compared].
  destruct (prior_sound c l ok bits q B) as [pq [hq lq]].
  destruct (positive_sound _ _ pos hq lq) as [p0 p1].
  destruct (one_sound c l ok bits k z A (eq_sym len)) as [pk [hk lk]].
  assert (both : forall b, told c (start c) (place c) (count_of l) (spread l) z b *
    P (chain_law c) (value_is c l (negb b)) <= r * (P (chain_law c) (value_is c l b) *
    told c (start c) (place c) (count_of l) (spread l) z (negb b))).
  { intros b. specialize (keep _ (value_is c l b) (value_is c l (negb b)) z eq_refl
      (ex_intro _ b (conj eq_refl eq_refl))).
    rewrite !Pw_told in keep by easy. rewrite <- Rmult_assoc. apply keep; now destruct b. }
  exact (compared_sound _ _ _ _ _ Q compared pk pq hk hq lk p0 p1 needs r (both false) (both true)).
Qed.

Lemma reached_sound e r : is_reached e r = true -> ratio e <= IZR (num r) / IZR (Zpos (den r)).
Proof.
  destruct e as [a b|a b]; [apply above_sound|]. destruct a; try apply above_sound.
  cbn [is_reached ratio]. intros H. apply Z.leb_le, IZR_le in H.
  assert (d0 : 0 < IZR (Zpos (den r))) by now apply IZR_lt.
  unfold Rdiv at 1. rewrite Rmult_0_l, exp_0.
  apply (Rmult_le_reg_r (IZR (Zpos (den r)))); [easy|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Definition check_least c l named y e r bits : bool :=
  is_reached e r && check_output c l (hinted named y) bits (at_least_ratio (num r) (den r)).

(** That a level is reached, by an output that is named or by some output.
    Differs: nothing. *)
Theorem redaction_least_of c l named y e r bits : check_least c l named y e r bits = true ->
  well_formed_redaction c l /\ leaks_at_least c l named e.
Proof.
  intros H. apply andb_prop in H as [up H]. apply reached_sound in up.
  apply (output_sound c l named y bits _ _ H). clear H. intros x z r' le x0 z0 keep.
  unfold at_least_ratio in le. apply Z.leb_le, IZR_le in le. rewrite !mult_IZR in le.
  apply IZR_lt in x0. assert (d0 : 0 < IZR (Zpos (den r))) by now apply IZR_lt.
  apply Rle_trans with (1 := up). destruct z0 as [z0|z0]; [|rewrite <- z0 in *; lra].
  apply (Rmult_le_reg_r (IZR z * IZR (Zpos (den r)))); [now apply Rmult_lt_0_compat|].
  replace (IZR (num r) / IZR (Zpos (den r)) * (IZR z * IZR (Zpos (den r))))
    with (IZR (num r) * IZR z) by (field; lra).
  apply Rle_trans with (1 := le). apply (Rmult_le_compat_r (IZR (Zpos (den r)))) in keep; lra.
Qed.

(** That the leakage is a level.
    Differs: nothing. *)
Theorem redaction_equals_of c l named y e r bits :
  check_most c l e r bits && check_least c l named y e r bits = true ->
  well_formed_redaction c l /\ leaks_at_most c l e /\ leaks_at_least c l named e.
Proof.
  intros H. apply andb_prop in H as [most least].
  destruct (redaction_most_of c l e r bits most) as [w m].
  destruct (redaction_least_of c l named y e r bits least) as [_ a]. auto.
Qed.

(** That a level is exceeded.
    Differs: nothing. *)
Theorem redaction_more_of c l named y e r bits :
  is_reached e r && check_output c l (hinted named y) bits (above_ratio (num r) (den r)) = true ->
  well_formed_redaction c l /\ leaks_more c l named e.
Proof.
  intros H. apply andb_prop in H as [up H]. apply reached_sound in up.
  destruct (output_sound c l named y bits _ (fun r' => ratio e < r') H) as [w more].
  - clear H. intros x z r' le x0 z0 keep.
    unfold above_ratio in le. apply Z.ltb_lt, IZR_lt in le. rewrite !mult_IZR in le.
    apply IZR_lt in x0. assert (d0 : 0 < IZR (Zpos (den r))) by now apply IZR_lt.
    apply Rle_lt_trans with (1 := up). destruct z0 as [z0|z0]; [|rewrite <- z0 in *; lra].
    apply (Rmult_lt_reg_r (IZR z * IZR (Zpos (den r)))); [now apply Rmult_lt_0_compat|].
    replace (IZR (num r) / IZR (Zpos (den r)) * (IZR z * IZR (Zpos (den r))))
      with (IZR (num r) * IZR z) by (field; lra).
    apply Rlt_le_trans with (1 := le).
    apply (Rmult_le_compat_r (IZR (Zpos (den r)))) in keep; lra.
  - split; [easy|]. intros keep. apply more in keep. lra.
Qed.

(** That the leakage is infinite.
    Differs: nothing. *)
Theorem redaction_everything_of c l named y bits :
  check_output c l (hinted named y) bits no_ratio = true ->
  well_formed_redaction c l /\ leaks_everything c l named.
Proof.
  intros H. apply (output_sound c l named y bits _ _ H). clear H. intros x z r' none x0 _ keep.
  apply Z.eqb_eq in none as ->. apply IZR_lt in x0. lra.
Qed.
