(** Prices of the sequences of a chain: by computation, none of the mechanisms that see all records
    releases more. [Prices] has why, [Designs] what is stated. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Indices Tables Levels Released Redactions Cones
  Redacted Designs Prices.
Import ListNotations.
Open Scope Z_scope.

(** The law of a record stays that of the first one. *)
Definition check_stationary c : bool := first_zero c * leave c =? first_one c * back c.

(** All sequences, and how likely each is, times a unit. *)
Fixpoint words n : list (list bool) := match n with
  | O => [[]] | S n => map (cons true) (words n) ++ map (cons false) (words n) end.
Definition steps c (x y : bool) : Z :=
  let moves := if x then back c else leave c in
  if eqb x y then step_unit c - moves else moves.
Fixpoint goes_on c x (l : list bool) : Z := match l with
  | [] => 1 | y :: l => steps c x y * goes_on c y l end.
Definition starts c (x : bool) : Z := if x then first_one c else first_zero c.
Definition weigh c (l : list bool) : Z := match l with
  | [] => 1 | x :: l => starts c x * goes_on c x l end.
Definition weights_unit c n : Z :=
  (first_zero c + first_one c) * step_unit c ^ Z.of_nat (Nat.pred n).

(** Numbers of sequences; and what is known of prices: a fraction above e^level, a unit. *)
Inductive tree := Leaf (z : Z) | Fork (zero one : tree).
Fixpoint at_end t (l : list bool) : Z := match t, l with
  | Leaf z, [] => z
  | Fork a b, x :: l => at_end (if x then b else a) l
  | _, _ => 0 end.
Record priced := Priced { most_ratio : bound; price_unit : Z; price_of : tree }.
Fixpoint agreeing (l m : list bool) : Z := match l, m with
  | x :: l, y :: m => (if eqb x y then 1 else 0) + agreeing l m
  | _, _ => 0 end.
Fixpoint added {A} (l : list A) (f : A -> Z) : Z := match l with
  | [] => 0 | x :: l => f x + added l f end.

Definition check_place c n : bool := check_chain c && check_stationary c && (0 <? first_zero c) &&
  (0 <? first_one c) && (1 <=? private c) && (private c <=? Z.of_nat n).
Definition pays low high en ed (x y : list bool * Z) : bool :=
  let d := agreeing (fst x) (fst y) in
  (d * low <=? en * snd x + ed * snd y) && (d * high <=? ed * snd x + en * snd y).
Definition check_prices c n e (k : priced) (u : Z * positive) : bool :=
  let en := num (most_ratio k) in let ed := Zpos (den (most_ratio k)) in
  let zero := first_zero c in let one := first_one c in
  let known := map (fun l => (l, at_end (price_of k) l)) (words n) in
  let part b := filter (fun x => eqb (nth (place c) (fst x) false) b) known in
  let ones := part true in
  let low := price_unit k * (zero * en + one * ed) in
  let high := price_unit k * (zero * ed + one * en) in
  is_reached e (most_ratio k) && check_place c n && (ed <=? en) && (0 <? price_unit k) &&
  forallb (fun x => forallb (pays low high en ed x) ones) (part false) &&
  (added known (fun x => weigh c (fst x) * snd x *
      starts c (negb (nth (place c) (fst x) false))) * Zpos (snd u) <=?
    fst u * (Z.of_nat n * (price_unit k * zero * one * weights_unit c n))).
Open Scope R_scope.

Lemma Sum_words n (f : list bool -> R) : (Σ v : word n, f (values v)) = sum (words n) f.
Proof.
  revert f; induction n as [|n IH]; intros f; [easy|]. rewrite Sum_word. cbn [words values fst snd].
  rewrite sum_app, !sum_map. 
  now rewrite (IH (fun l => f (true :: l))), (IH (fun l => f (false :: l))).
Qed.
Lemma values_in n (v : word n) : In (values v) (words n).
Proof.
  induction n as [|n IH]; [now left|]. destruct v as [[] v]; cbn [words values fst snd];
    apply in_or_app; [left|right]; now apply in_map.
Qed.
Lemma added_reads {A} (l : list A) f : IZR (added l f) = sum l (fun x => IZR (f x)).
Proof. induction l as [|x l IH]; [easy|]. cbn [added sum]. now rewrite plus_IZR, IH. Qed.
Lemma agreeing_reads l m y : truthful l y = true -> truthful m y = true ->
  (revealed y <= agreeing l m)%Z.
Proof.
  revert m y; induction l as [|x l IH]; intros [|x' m] [|o y] H H'; simpl in *; try easy.
  apply andb_prop in H as [h H], H' as [h' H']. specialize (IH _ _ H H').
  destruct o as [z|]; [|destruct eqb; lia].
  apply eqb_prop in h as <-, h' as <-. rewrite eqb_reflx. lia.
Qed.

Section Chain.
Context (c : chain) (chain_ok : check_chain c = true).

Lemma goes_on_reads l x :
  onward c x l = IZR (goes_on c x l) / IZR (step_unit c ^ Z.of_nat (length l)).
Proof.
  destruct (chain_reads c chain_ok) as [U _].
  revert x; induction l as [|y l IH]; intros x; cbn [onward goes_on length]; [simpl; field|].
  rewrite IH, Nat2Z.inj_succ, Z.pow_succ_r, !mult_IZR by lia.
  assert (0 < IZR (step_unit c ^ Z.of_nat (length l))).
  { apply IZR_lt, Z.pow_pos_nonneg; [now apply lt_IZR|lia]. }
  unfold step, steps. destruct x, y; cbn [eqb]; rewrite ?minus_IZR; field; lra.
Qed.
Lemma units_pos n : 0 < IZR (weights_unit c n).
Proof.
  destruct (chain_reads c chain_ok) as [U [_ [_ [_ [_ s0]]]]]. unfold weights_unit.
  rewrite mult_IZR, plus_IZR. apply Rmult_lt_0_compat; [easy|].
  apply IZR_lt, Z.pow_pos_nonneg; [now apply lt_IZR|lia].
Qed.
Lemma weigh_reads l n : length l = n -> (0 < n)%nat ->
  begun c (start c) l = IZR (weigh c l) / IZR (weights_unit c n).
Proof.
  intros <- pos. destruct l as [|x l]; [easy|]. cbn [begun weigh].
  destruct (chain_reads c chain_ok) as [U [_ [_ [_ [_ s0]]]]].
  rewrite goes_on_reads. unfold weights_unit, start, starts. cbn [length Nat.pred].
  assert (0 < IZR (step_unit c ^ Z.of_nat (length l))).
  { apply IZR_lt, Z.pow_pos_nonneg; [now apply lt_IZR|lia]. }
  rewrite !mult_IZR, !plus_IZR. destruct x; field; lra.
Qed.

Context (same : check_stationary c = true).
Lemma stays y : start c true * step c true y + start c false * step c false y = start c y.
Proof.
  destruct (chain_reads c chain_ok) as [U [_ [_ [_ [_ s0]]]]].
  pose proof same as H. apply Z.eqb_eq, (f_equal IZR) in H. rewrite !mult_IZR in H.
  unfold start, step. rewrite plus_IZR.
  assert (u0 : IZR (step_unit c) * (IZR (first_zero c) + IZR (first_one c)) <> 0)
    by (apply Rgt_not_eq, Rmult_lt_0_compat; lra).
  destruct y; cbn [eqb]; revert H U s0 u0; set (z := IZR (first_zero c));
    set (o := IZR (first_one c)); set (a := IZR (leave c)); set (b := IZR (back c));
    set (u := IZR (step_unit c)); intros H U s0 u0; apply (Rmult_eq_reg_r (u * (z + o))); try easy.
  - replace ((o / (z + o) * (1 - b / u) + z / (z + o) * (a / u)) * (u * (z + o)))
      with (o * (u - b) + z * a) by (field; lra).
    replace (o / (z + o) * (u * (z + o))) with (o * u) by (field; lra). lra.
  - replace ((o / (z + o) * (b / u) + z / (z + o) * (1 - a / u)) * (u * (z + o)))
      with (o * b + z * (u - a)) by (field; lra).
    replace (z / (z + o) * (u * (z + o))) with (z * u) by (field; lra). lra.
Qed.

Lemma value_likely p : forall n b, (p < n)%nat ->
  (Σ v : word n, chain_law c v * if eqb (nth p (values v) false) b then 1 else 0) = start c b.
Proof.
  induction p as [|p IH]; intros n b small; (destruct n as [|n]; [easy|]); rewrite Sum_word;
    unfold chain_law; cbn [values fst snd begun nth].
  - rewrite (sum_ext all _ (fun v : word n =>
      (start c true * if eqb true b then 1 else 0) * onward c true (values v))) by (intros; ring).
    rewrite (sum_ext all (fun v : word n => start c false * onward c false (values v) *
      (if eqb false b then 1 else 0)) (fun v : word n =>
      (start c false * if eqb false b then 1 else 0) * onward c false (values v)))
      by (intros; ring).
    rewrite !sum_scale, !onward_total. destruct b; cbn [eqb]; ring.
  - rewrite <- sum_plus, <- (IH n b) by lia. apply sum_ext; intros v _. unfold chain_law.
    destruct n as [|n]; [lia|]. cbn [values begun onward]. rewrite <- (stays (fst v)). ring.
Qed.
End Chain.

Lemma place_reads c n : check_place c n = true -> check_chain c = true /\
  check_stationary c = true /\ 0 < IZR (first_zero c) /\ 0 < IZR (first_one c) /\
  (1 <= private c <= Z.of_nat n)%Z /\ (place c < n)%nat.
Proof.
  unfold check_place, place. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le.
  intros [[[[[? ?] z] o] ?] ?]. apply IZR_lt in z, o. repeat split; auto; lia.
Qed.
Lemma bit_likely c n b : check_place c n = true -> P (chain_law c) (bit_is c n b) = start c b.
Proof.
  intros ok. destruct (place_reads c n ok) as [chain_ok [same [_ [_ [_ small]]]]].
  rewrite <- (value_likely c chain_ok same (place c) n b small). apply sum_ext; intros v _.
  unfold inside, bit_is. destruct eqb; ring.
Qed.
Lemma start_pos c n b : check_place c n = true -> 0 < start c b.
Proof.
  intros ok. destruct (place_reads c n ok) as [_ [_ [z [o _]]]]. unfold start.
  rewrite plus_IZR. destruct b; apply Rdiv_lt_0_compat; lra.
Qed.

Lemma prices_sound c n e k u : check_prices c n e k u = true ->
  none_is_better c n e (of_pair u).
Proof.
  unfold check_prices. cbv zeta. intros H M sees promise.
  apply andb_prop in H as [H total]. apply andb_prop in H as [H all_pay].
  apply andb_prop in H as [H unit0]. apply andb_prop in H as [H E1].
  apply andb_prop in H as [up ok]. apply reached_sound in up.
  destruct (place_reads c n ok) as [chain_ok [same [z0 [o0 [pr small]]]]].
  set (en := num (most_ratio k)) in *. set (ed := Zpos (den (most_ratio k))) in *.
  set (unit := price_unit k) in *. apply Z.ltb_lt, IZR_lt in unit0. apply Z.leb_le, IZR_le in E1.
  assert (d0 : 0 < IZR ed) by now apply IZR_lt.
  set (s := IZR (first_zero c) + IZR (first_one c)).
  assert (s0 : 0 < s) by (unfold s; lra).
  set (price := fun v : word n => IZR (at_end (price_of k) (values v)) / (IZR unit * s)).
  set (z := fun v : word n => nth (place c) (values v) false).
  assert (masses : forall b, mass (chain_law c) z b = start c b)
    by (intros b; exact (bit_likely c n b ok)).
  assert (chain0 : forall v : word n, 0 <= chain_law c v).
  { apply (chain_is_law c chain_ok n). lia. }
  assert (bound := prices_bound (chain_law c) z M (outputs_of n) (fun y => IZR (revealed y)) price
    (IZR en / IZR ed) chain0 (fun x w => proj1 (sees x) w)).
  assert (one : 1 <= IZR en / IZR ed).
  { apply (Rmult_le_reg_r (IZR ed)); [easy|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  specialize (bound one (fun b => eq_ind_r (Rlt 0) (start_pos c n b ok) (masses b))).
  assert (kept_by : forall b w, Pw (chain_law c) M (has z b) w * mass (chain_law c) z (negb b) <=
    IZR en / IZR ed * mass (chain_law c) z b * Pw (chain_law c) M (has z (negb b)) w).
  { intros b w. assert (pos : forall b, 0 < P (chain_law c) (bit_is c n b)).
    { intros b'. rewrite (bit_likely c n b' ok). exact (start_pos c n b' ok). }
    pose proof (promise _ (bit_is c n b) (bit_is c n (negb b)) w eq_refl
      (ex_intro _ b (conj eq_refl eq_refl)) (pos b) (pos (negb b))) as H.
    apply Rle_trans with (1 := H). apply Rmult_le_compat_r.
    - apply sum_nonneg; intros v _. unfold inside. destruct (has z (negb b) v);
        [|rewrite Rmult_0_l; apply Rle_refl].
      apply Rmult_le_pos; [apply chain0|apply sees].
    - apply Rmult_le_compat_r; [left; apply pos|exact up]. }
  specialize (bound kept_by). cbv beta in bound. rewrite !masses in bound.
  assert (paid : forall x y w, In w (outputs_of n) -> z x = false -> z y = true -> 0 < M x w ->
    0 < M y w ->
    IZR (revealed w) * (start c false * (IZR en / IZR ed) + start c true) <=
      IZR en / IZR ed * price x + price y /\
    IZR (revealed w) * (start c false + start c true * (IZR en / IZR ed)) <=
      price x + IZR en / IZR ed * price y).
  { intros x y w _ zx zy mx my.
    assert (tr : forall v, 0 < M v w -> truthful (values v) w = true).
    { intros v m. destruct (truthful (values v) w) eqn:t; [easy|].
      rewrite (proj1 (proj2 (sees v)) w t) in m. lra. }
    pose proof (agreeing_reads _ _ _ (tr x mx) (tr y my)) as d. apply IZR_le in d.
    rewrite forallb_forall in all_pay.
    specialize (all_pay (values x, at_end (price_of k) (values x))).
    rewrite forallb_forall in all_pay.
    specialize (fun i => all_pay i (values y, at_end (price_of k) (values y))).
    assert (here : forall v b, z v = b -> In (values v, at_end (price_of k) (values v))
      (filter (fun x => eqb (nth (place c) (fst x) false) b)
        (map (fun l => (l, at_end (price_of k) l)) (words n)))).
    { intros v b zv. apply filter_In. split.
      - apply in_map_iff. exists (values v). split; [easy|apply values_in].
      - cbn [fst]. fold (z v). rewrite zv. apply eqb_reflx. }
    specialize (all_pay (here x false zx) (here y true zy)). unfold pays in all_pay.
    cbn [fst snd] in all_pay. apply andb_prop in all_pay as [l h].
    apply Z.leb_le, IZR_le in l, h.
    rewrite !mult_IZR, !plus_IZR, !mult_IZR in l, h.
    set (a := IZR (at_end (price_of k) (values x))) in *.
    set (b := IZR (at_end (price_of k) (values y))) in *.
    set (g := IZR (agreeing (values x) (values y))) in *. set (r := IZR (revealed w)) in *.
    unfold price, start. rewrite plus_IZR. fold s. fold a. fold b.
    assert (us : 0 < IZR unit * s * IZR ed) by (repeat apply Rmult_lt_0_compat; easy).
    assert (e0 : 0 < IZR en) by lra. 
    split; apply (Rmult_le_reg_r (IZR unit * s * IZR ed)); try easy.
    - replace (r * (IZR (first_zero c) / s * (IZR en / IZR ed) + IZR (first_one c) / s) *
        (IZR unit * s * IZR ed)) with
        (r * (IZR unit * (IZR (first_zero c) * IZR en + IZR (first_one c) * IZR ed)))
        by (field; lra).
      replace ((IZR en / IZR ed * (a / (IZR unit * s)) + b / (IZR unit * s)) *
        (IZR unit * s * IZR ed)) with (IZR en * a + IZR ed * b) by (field; lra).
      apply Rle_trans with (2 := l). apply Rmult_le_compat_r; [|easy].
      apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
    - replace (r * (IZR (first_zero c) / s + IZR (first_one c) / s * (IZR en / IZR ed)) *
        (IZR unit * s * IZR ed)) with
        (r * (IZR unit * (IZR (first_zero c) * IZR ed + IZR (first_one c) * IZR en)))
        by (field; lra).
      replace ((a / (IZR unit * s) + IZR en / IZR ed * (b / (IZR unit * s))) *
        (IZR unit * s * IZR ed)) with (IZR ed * a + IZR en * b) by (field; lra).
      apply Rle_trans with (2 := h). apply Rmult_le_compat_r; [|easy].
      apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
  specialize (bound paid (fun v => proj2 (proj2 (sees v)))).
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  unfold reveals. apply (Rmult_le_reg_r (INR n)); [easy|]. unfold Rdiv at 1.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply Rle_trans with (1 := bound).
  (* the prices come to no more *)
  apply Z.leb_le, IZR_le in total. rewrite !mult_IZR, added_reads, sum_map in total.
  pose proof (units_pos c chain_ok n) as K.
  set (T := sum (words n) _) in total.
  assert (E : (Σ x : word n, chain_law c x / mass (chain_law c) z (z x) * price x) =
    T / (IZR unit * IZR (first_zero c) * IZR (first_one c) * IZR (weights_unit c n))).
  { transitivity
      (/ (IZR unit * IZR (first_zero c) * IZR (first_one c) * IZR (weights_unit c n)) * T);
      [|apply Rmult_comm]. unfold T. rewrite <- sum_scale, <- Sum_words.
    apply sum_ext; intros v _. rewrite masses. unfold chain_law, price, z. cbn [fst snd].
    rewrite (weigh_reads c chain_ok (values v) n) by (try apply values_length; lia).
    rewrite !mult_IZR. unfold start, starts. rewrite plus_IZR. fold s.
    destruct (nth (place c) (values v) false); cbn [negb]; field; lra. }
  rewrite E. unfold of_pair. rewrite INR_IZR_INZ in *.
  assert (p0 : 0 < IZR (Zpos (snd u))) by now apply IZR_lt.
  set (Q := IZR unit * IZR (first_zero c) * IZR (first_one c) * IZR (weights_unit c n)) in *.
  assert (Q0 : 0 < Q) by (unfold Q; repeat apply Rmult_lt_0_compat; easy).
  apply (Rmult_le_reg_r (Q * IZR (Zpos (snd u)))); [now apply Rmult_lt_0_compat|].
  replace (T / Q * (Q * IZR (Zpos (snd u)))) with (T * IZR (Zpos (snd u))) by (field; lra).
  apply Rle_trans with (1 := total). right. field. lra.
Qed.
