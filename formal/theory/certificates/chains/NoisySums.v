(** Certificates of noise on a sum of the records of a chain: the law of the sum with a value of a
    record comes from one pass along the chain, with integers, and the decay of the noise from one
    step to the next lies between two fractions. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laplace Breakpoints Chain Indices Tables Integers
  Levels Exponentials Slower Geometric SumsOfChains.
Import ListNotations.
Open Scope Z_scope.

(** Powers of z as places of a list: each record allows values, and each of these adds steps. *)
Definition site := list (option nat).
Definition moved (k : nat) (p : list Z) := repeat 0 k ++ p.
Fixpoint ahead rows (sites : list site) : list (list Z) := match sites with
  | [] => []
  | s :: rest => let next := ahead rows rest in
      map (fun orow => match fst orow with
        | Some k => moved k (match rest with [] => [1] | _ => weighed (snd orow) next end)
        | None => [] end) (combine s rows) end.
Definition site_of m i a t : site := map (fun x =>
  if Nat.eqb t i && negb (Nat.eqb x a) then None else Some (adds_at m t x)) (seq 0 (values m)).
Definition sums m w i a := weighed (starts w)
  (ahead (moves w) (map (site_of m i a) (seq 0 (S (records m))))).

(** The most that the records from t on add. *)
Fixpoint most m t n : nat := match n with
  | O => 0
  | S n => list_max (map (adds_at m t) (seq 0 (values m))) + most m (S t) n end%nat.
Definition top m := most m 0 (S (records m)).

(** x^j y^(n - j) for each j up to n, and sums of them around each output. *)
Fixpoint ladder x c n := match n with O => [c] | S n => c :: ladder x (c * x) n end.
Definition powers x y n :=
  map (fun ab => fst ab * snd ab) (combine (ladder x 1 n) (rev (ladder y 1 n))).
Fixpoint dot (a b : list Z) : Z := match a, b with
  | x :: a, y :: b => x * y + dot a b | _, _ => 0 end.
Fixpoint smoothed law window rest : list Z := dot law window :: match rest with
  | [] => [] | r :: rest => smoothed law (r :: window) rest end.
Definition spread_by x y n law := let p := powers x y n in smoothed law p (tl p).

(** Fractions below and above the decay, with hints of how to see it. *)
Record decay_bounds := Decay { under : Z; above_it : Z; over_both : positive;
  see_under : looked; see_above : looked }.
Definition decay_within m d : bool :=
  (0 <=? under d) && (0 <=? above_it d) && match noise m with
  | Just n k =>
      exp_above (- (Zpos (step_of m) * Zpos k)) (query_unit m * n) (under d) (over_both d)
        (see_under d) &&
      exp_below (- (Zpos (step_of m) * Zpos k)) (query_unit m * n) (above_it d) (over_both d)
        (see_above d)
  | PerLog n k a c =>
      let whole := Zpos (step_of m) * Zpos k in let part := Zpos (query_unit m) * Zpos n in
      let power := whole / part in
      (Zpos c <? Zpos a) && ((whole =? part * power) &&
      (under d * Zpos a ^ power <=? Zpos c ^ power * Zpos (over_both d)) &&
      (Zpos c ^ power * Zpos (over_both d) <=? above_it d * Zpos a ^ power)) end.

Definition good_walk m w : bool := (0 <? start_unit w) && (0 <? move_unit w) &&
  law_of (start_unit w) (values m) (starts w) &&
  Nat.eqb (length (moves w)) (values m) && forallb (law_of (move_unit w) (values m)) (moves w).
Definition good_pair m (p : nat * (nat * nat)) : bool := Nat.leb (fst p) (records m) &&
  Nat.ltb (fst (snd p)) (values m) && Nat.ltb (snd (snd p)) (values m).
Definition good_model m : bool := forallb (good_walk m) (walks m) &&
  forallb (good_pair m) (pairs_at m) && (negb (integers m) || Pos.eqb (query_unit m) 1).

Definition fits m (law : list Z) : bool := Nat.leb (length law) (S (top m)).
(** The ratio of every output is at most num / den, one way round. *)
Definition one_way m (d : decay_bounds) num den a b : bool :=
  (total a <=? 0) || (total b <=? 0) ||
  (fits m a && fits m b && forallb (fun uv =>
    fst uv * total b * Zpos den <=? num * total a * snd uv)
    (combine (spread_by (above_it d) (Zpos (over_both d)) (top m) a)
      (spread_by (under d) (Zpos (over_both d)) (top m) b))).
Definition both_ways m d num den w (p : nat * (nat * nat)) : bool :=
  let a := sums m w (fst p) (fst (snd p)) in let b := sums m w (fst p) (snd (snd p)) in
  one_way m d num den a b && one_way m d num den b a.
Definition check_noise_within m d num den : bool := good_model m && decay_within m d &&
  forallb (fun w => forallb (both_ways m d num den w) (pairs_at m)) (walks m).
Definition speaks_of m : bool := existsb (fun w => existsb (fun p =>
  (0 <? total (sums m w (fst p) (fst (snd p)))) && (0 <? total (sums m w (fst p) (snd (snd p)))))
  (pairs_at m)) (walks m).

(** The ratio of one output is above num / den. *)
Definition check_noise_above m d num den k i a b n : bool := good_model m && decay_within m d &&
  Nat.ltb k (length (walks m)) && Nat.leb n (top m) &&
  existsb (fun p => Nat.eqb (fst p) i && (Nat.eqb (fst (snd p)) a && Nat.eqb (snd (snd p)) b ||
    Nat.eqb (fst (snd p)) b && Nat.eqb (snd (snd p)) a)) (pairs_at m) &&
  let w := nth k (walks m) (Walk 0 [] 0 []) in
  let s := sums m w i a in let t := sums m w i b in
  (0 <? total s) && (0 <? total t) && fits m s && fits m t &&
  (num * total s * at_place (spread_by (above_it d) (Zpos (over_both d)) (top m) t) n <?
    at_place (spread_by (under d) (Zpos (over_both d)) (top m) s) n * total t * Zpos den).

(** * Lists of coefficients as linear functionals *)
Open Scope R_scope.
Fixpoint mean (p : list Z) (f : nat -> R) : R := match p with
  | [] => 0 | a :: p => IZR a * f O + mean p (fun n => f (S n)) end.

Lemma mean_ext p f g : (forall n, (n < length p)%nat -> f n = g n) -> mean p f = mean p g.
Proof.
  revert f g; induction p as [|a p IH]; intros f g H; [easy|]. cbn [mean]. rewrite (H O) by
    (simpl; lia). f_equal. apply IH. intros n h. apply H. simpl; lia.
Qed.
Lemma mean_add p q f : mean (add p q) f = mean p f + mean q f.
Proof.
  revert q f; induction p as [|a p IH]; intros [|b q] f; cbn [add mean]; try lra.
  rewrite IH, plus_IZR. ring.
Qed.
Lemma mean_times w p f : mean (map (Z.mul w) p) f = IZR w * mean p f.
Proof.
  revert f; induction p as [|a p IH]; intros f; cbn [map mean]; [ring|].
  rewrite IH, mult_IZR. ring.
Qed.
Lemma mean_moved k p f : mean (moved k p) f = mean p (fun n => f (k + n)%nat).
Proof.
  revert f; induction k as [|k IH]; intros f; [easy|]. unfold moved in *. cbn [repeat app mean].
  rewrite IH. simpl. ring.
Qed.
Lemma mean_scaled p c f : mean p (fun n => c * f n) = c * mean p f.
Proof. revert f; induction p as [|a p IH]; intros f; cbn [mean]; [ring|]. rewrite IH. ring. Qed.
Lemma mean_total p : mean p (fun _ => 1) = IZR (total p).
Proof.
  induction p as [|a p IH]; cbn [mean total]; [easy|]. rewrite IH, plus_IZR. ring.
Qed.
Lemma mean_weighed ws rows f n : (length ws <= n)%nat -> mean (weighed ws rows) f =
  sum (seq 0 n) (fun k => IZR (at_place ws k) * mean (nth k rows []) f).
Proof.
  revert rows n; induction ws as [|w ws IH]; intros rows n h.
  { rewrite (sum_ext _ _ (fun _ => 0)); [now rewrite sum_0|].
    intros k _. rewrite at_nil. ring. }
  destruct rows as [|row rows].
  { rewrite (sum_ext _ _ (fun _ => 0)); [now rewrite sum_0|].
    intros k _. replace (nth k [] []) with (@nil Z) by now destruct k. cbn [mean]. ring. }
  destruct n as [|n]; [simpl in h; lia|]. rewrite sum_seq_S.
  transitivity (IZR w * mean row f + mean (weighed ws rows) f).
  - cbn [weighed]. destruct (Z.eqb_spec w 0) as [->|n0]; [ring|]. now rewrite mean_add, mean_times.
  - now rewrite (IH rows n) by (simpl in h; lia).
Qed.

(** * The law of the sum *)
Fixpoint worth (sites : list site) (l : list nat) : option nat := match sites, l with
  | [], [] => Some O
  | s :: sites, x :: l => match nth x s None, worth sites l with
      | Some a, Some b => Some (a + b)%nat | _, _ => None end
  | _, _ => None end.
Definition valued (f : nat -> R) o := match o with Some n => f n | None => 0 end.

Section Laws.
Context (m : model) (w : walk).
Hypothesis good : good_walk m w = true.

Lemma walk_parts : (0 < start_unit w)%Z /\ (0 < move_unit w)%Z /\
  law_of (start_unit w) (values m) (starts w) = true /\ length (moves w) = values m /\
  forall x, (x < values m)%nat -> law_of (move_unit w) (values m) (nth x (moves w) []) = true.
Proof.
  unfold good_walk in good. rewrite !andb_true_iff in good.
  destruct good as [[[[u0 b0] s] len] rows]. apply Z.ltb_lt in u0, b0. apply Nat.eqb_eq in len.
  rewrite forallb_forall in rows. repeat split; auto. intros x h. apply rows, nth_In. lia.
Qed.

Lemma nth_ahead s rest x : length s = values m ->
  nth x (ahead (moves w) (s :: rest)) [] = match nth x s None with
    | Some k => moved k (match rest with [] => [1%Z]
        | _ => weighed (nth x (moves w) []) (ahead (moves w) rest) end)
    | None => [] end.
Proof.
  intros len. destruct walk_parts as [_ [_ [_ [rows _]]]]. cbn [ahead].
  set (g := fun orow : option nat * list Z => match fst orow with Some k => moved k _ | None => []
    end).
  change (@nil Z) with (g (None, @nil Z)) at 1. rewrite map_nth.
  rewrite combine_nth by lia. now unfold g.
Qed.

Lemma mean_ahead rest : forall s f t (X : index (values m)), length s = values m ->
  (forall r, In r rest -> length r = values m) ->
  mean (nth (number X) (ahead (moves w) (s :: rest)) []) f =
  IZR (move_unit w) ^ length rest *
    Σ v : vec (index (values m)) (length rest), steps (move_of m w) t X (list_of v) *
      valued f (worth (s :: rest) (number X :: map number (list_of v))).
Proof.
  destruct walk_parts as [_ [b0 [_ [_ rows]]]]. apply IZR_lt in b0.
  induction rest as [|s' rest IH]; intros s f t X len lens; rewrite nth_ahead by easy.
  - cbn [length pow worth]. simpl (Σ v, _). destruct (nth (number X) s None) as [k|].
    + rewrite mean_moved. cbn [mean valued]. rewrite Nat.add_0_r. simpl. ring.
    + cbn [mean valued]. ring.
  - destruct (nth (number X) s None) as [k|] eqn:E.
    + rewrite mean_moved, (mean_weighed _ _ _ (values m)).
      2: { pose proof (rows _ (number_lt _ X)) as R. apply law_of_parts in R as [R _]. lia. }
      cbn [length]. rewrite (Sum_vec (length rest) (fun l => steps (move_of m w) t X l *
        valued f (worth (s :: s' :: rest) (number X :: map number l)))).
      rewrite <- (Sum_index (values m) (fun y => IZR (at_place (nth (number X) (moves w) []) y) *
        mean (nth y (ahead (moves w) (s' :: rest)) []) (fun n => f (k + n)%nat))).
      rewrite <- sum_scale. apply sum_ext. intros Y _.
      rewrite (IH s' _ (S t) Y) by (intros; apply lens; simpl; auto).
      rewrite <- !sum_scale. cbn [pow].
      transitivity (Σ v : vec (index (values m)) (length rest),
        IZR (at_place (nth (number X) (moves w) []) (number Y)) * IZR (move_unit w) ^ length rest *
          (steps (move_of m w) (S t) Y (list_of v) *
            valued (fun n => f (k + n)%nat) (worth (s' :: rest) (number Y :: map number (list_of
              v))))).
      { apply sum_ext; intros; ring. }
      apply sum_ext. intros v _. cbn [steps]. unfold move_of at 2.
      set (q := IZR (at_place _ _)). set (S0 := steps _ _ _ _).
      replace (valued f (worth (s :: s' :: rest) (number X :: map number (Y :: list_of v)))) with
        (valued (fun n => f (k + n)%nat) (worth (s' :: rest) (number Y :: map number (list_of v)))).
      2: { cbn [map]. change (worth (s :: s' :: rest) (number X :: number Y :: map number (list_of
             v)))
             with (match nth (number X) s None, worth (s' :: rest) (number Y :: map number (list_of
               v)) with Some a, Some b => Some (a + b)%nat | _, _ => None end).
           rewrite E. now destruct (worth _ _). }
      field. lra.
    + cbn [mean]. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_0; ring|].
      intros v _. cbn [worth]. rewrite E. simpl. ring.
Qed.

Definition unit_of_law := IZR (start_unit w) * IZR (move_unit w) ^ records m.
Lemma unit_pos : 0 < unit_of_law.
Proof.
  destruct walk_parts as [u0 [b0 _]]. apply IZR_lt in u0, b0.
  apply Rmult_lt_0_compat; [easy|now apply pow_lt].
Qed.

Lemma mean_of_chain s rest f : length rest = records m -> length s = values m ->
  (forall r, In r rest -> length r = values m) ->
  mean (weighed (starts w) (ahead (moves w) (s :: rest))) f =
  unit_of_law * Σ v : database m, law_of_walk m w v *
    valued f (worth (s :: rest) (map number (list_of v))).
Proof.
  intros many len lens. destruct walk_parts as [u0 [_ [st _]]]. apply IZR_lt in u0.
  rewrite (mean_weighed _ _ _ (values m)) by (apply law_of_parts in st as [st _]; lia).
  unfold database, law_of_walk, unit_of_law. rewrite <- many.
  rewrite (Sum_vec (length rest) (fun l => chain_weight (initial_of m w) (move_of m w) l *
    valued f (worth (s :: rest) (map number l)))).
  rewrite <- (Sum_index (values m) (fun y => IZR (at_place (starts w) y) *
    mean (nth y (ahead (moves w) (s :: rest)) []) f)).
  rewrite <- sum_scale. apply sum_ext. intros X _. rewrite (mean_ahead rest s f O X) by easy.
  rewrite <- !sum_scale. apply sum_ext. intros v _. cbn [chain_weight map]. unfold initial_of.
  field. lra.
Qed.

Lemma site_length i a t : length (site_of m i a t) = values m.
Proof. unfold site_of. now rewrite map_length, seq_length. Qed.

Fixpoint allowed i a t (l : list nat) : bool := match l with
  | [] => true | x :: l => (negb (Nat.eqb t i) || Nat.eqb x a) && allowed i a (S t) l end.

Lemma allowed_late i a t l : (i < t)%nat -> allowed i a t l = true.
Proof.
  revert t; induction l as [|x l IH]; intros t h; [easy|]. cbn [allowed].
  destruct (Nat.eqb_spec t i); [lia|]. simpl. apply IH. lia.
Qed.
Lemma allowed_is i a l d : forall t, (t <= i < t + length l)%nat ->
  allowed i a t l = Nat.eqb (nth (i - t) l d) a.
Proof.
  induction l as [|x l IH]; intros t h; [simpl in h; lia|]. cbn [allowed].
  destruct (Nat.eqb_spec t i) as [->|n].
  - rewrite Nat.sub_diag, allowed_late by lia. simpl. now rewrite andb_true_r.
  - rewrite IH by (simpl in h; lia). replace (i - t)%nat with (S (i - S t)) by lia. easy.
Qed.

Lemma worth_sites i a l : forall t, (forall x, In x l -> (x < values m)%nat) ->
  worth (map (site_of m i a) (seq t (length l))) l =
  if allowed i a t l then Some (steps_from m t l) else None.
Proof.
  induction l as [|x l IH]; intros t small; [easy|]. cbn [length seq map worth allowed steps_from].
  rewrite IH by (intros; apply small; now right).
  assert (E : nth x (site_of m i a t) None =
    if Nat.eqb t i && negb (Nat.eqb x a) then None else Some (adds_at m t x)).
  { unfold site_of. set (g := fun x : nat => _). rewrite (nth_indep _ None (g O)).
    - rewrite map_nth, seq_nth; [easy|apply small; now left].
    - rewrite map_length, seq_length. apply small. now left. }
  rewrite E. destruct (Nat.eqb t i), (Nat.eqb x a), (allowed i a (S t) l); easy.
Qed.

(** The coefficients of a value of a record are the law of what the query counts, with it. *)
Lemma mean_sums i a f : (i <= records m)%nat -> mean (sums m w i a) f =
  unit_of_law * Σ v : database m, inside (law_of_walk m w) (value_is m i a) v * f (count m v).
Proof.
  intros h. unfold sums.
  change (seq 0 (S (records m))) with (0%nat :: seq 1 (records m)). cbn [map].
  rewrite mean_of_chain.
  - f_equal. apply sum_ext. intros v _. unfold inside, value_is, count.
    change (site_of m i a 0 :: map (site_of m i a) (seq 1 (records m)))
      with (map (site_of m i a) (seq 0 (S (records m)))).
    assert (L : length (map number (list_of v)) = S (records m))
      by now rewrite map_length, list_length.
    rewrite <- L at 1. rewrite worth_sites.
    + rewrite (allowed_is i a _ (values m)) by lia. rewrite Nat.sub_0_r.
      destruct (Nat.eqb _ a); simpl; ring.
    + intros x H. apply in_map_iff in H as [y [<- _]]. apply number_lt.
  - now rewrite map_length, seq_length.
  - apply site_length.
  - intros r H. apply in_map_iff in H as [t [<- _]]. apply site_length.
Qed.

Lemma mass_sums i a : (i <= records m)%nat ->
  IZR (total (sums m w i a)) = unit_of_law * P (law_of_walk m w) (value_is m i a).
Proof.
  intros h. rewrite <- mean_total, mean_sums by easy. f_equal. unfold P. apply sum_ext.
  intros; ring.
Qed.

Lemma walk_is_law : law (law_of_walk m w).
Proof.
  destruct walk_parts as [u0 [b0 [st [len rows]]]]. apply IZR_lt in u0, b0.
  assert (Li : law (initial_of m w)).
  { split.
    - intros x. apply law_of_parts in st as [_ [pos _]]. unfold initial_of, Rdiv.
      apply Rmult_le_pos; [apply IZR_le, pos|left; now apply Rinv_0_lt_compat].
    - transitivity (Σ x : index (values m), IZR (at_place (starts w) (number x)) /
        IZR (start_unit w)); [easy|].
      rewrite (Sum_index (values m) (fun x => IZR (at_place (starts w) x) / IZR (start_unit w))).
      rewrite (sum_ext _ _ (fun x => / IZR (start_unit w) * IZR (at_place (starts w) x)))
        by (intros; unfold Rdiv; ring).
      rewrite sum_scale, (law_of_sum _ _ _ st). field. lra. }
  assert (LT : forall k x, law (move_of m w k x)).
  { intros k x. pose proof (rows _ (number_lt _ x)) as row. split.
    - intros y. apply law_of_parts in row as [_ [pos _]]. unfold move_of, Rdiv.
      apply Rmult_le_pos; [apply IZR_le, pos|left; now apply Rinv_0_lt_compat].
    - transitivity (Σ y : index (values m), IZR (at_place (nth (number x) (moves w) []) (number
        y)) / IZR (move_unit w)); [easy|].
      rewrite (Sum_index (values m) (fun y => IZR (at_place (nth (number x) (moves w) []) y) /
        IZR (move_unit w))).
      rewrite (sum_ext _ _ (fun y => / IZR (move_unit w) *
        IZR (at_place (nth (number x) (moves w) []) y))) by (intros; unfold Rdiv; ring).
      rewrite sum_scale, (law_of_sum _ _ _ row). field. lra. }
  split; [intros v; now apply chain_weight_nonneg|].
  unfold law_of_walk. rewrite (Sum_vec (records m) (chain_weight (initial_of m w) (move_of m w))).
  rewrite (sum_ext _ _ (initial_of m w)); [apply Li|]. intros x _. cbn [chain_weight].
  rewrite sum_scale. rewrite (steps_total (move_of m w) LT (records m) O x). ring.
Qed.
End Laws.

(** * What noise makes of it *)
Definition distance (n j : nat) : nat := ((n - j) + (j - n))%nat.
Definition decay_of m := exp (- (IZR (Zpos (step_of m)) / IZR (Zpos (query_unit m)) / scale_of m)).

Lemma exp_times k x : exp (INR k * x) = exp x ^ k.
Proof.
  induction k as [|k IH]; [now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.

Lemma distance_abs n j : IZR (Z.abs (Z.of_nat n - Z.of_nat j)) = INR (distance n j).
Proof. rewrite INR_IZR_INZ. f_equal. unfold distance. lia. Qed.

(** Laplace noise around the query, at the output of n steps. *)
Lemma laplace_steps m v n : 0 < scale_of m ->
  laplace (scale_of m) (query m v) (IZR (value_of m n) / IZR (Zpos (query_unit m))) =
  decay_of m ^ distance n (count m v) * / (2 * scale_of m).
Proof.
  intros b0. assert (u0 : 0 < IZR (Zpos (query_unit m))) by now apply IZR_lt.
  assert (s0 : 0 < IZR (Zpos (step_of m))) by now apply IZR_lt.
  unfold laplace, Rdiv at 1. f_equal. unfold decay_of. rewrite <- exp_times. f_equal.
  unfold query, value_of. rewrite !plus_IZR, !mult_IZR.
  replace ((IZR (least m) + IZR (Zpos (step_of m)) * IZR (Z.of_nat n)) / IZR (Zpos (query_unit m)) -
    (IZR (least m) + IZR (Zpos (step_of m)) * IZR (Z.of_nat (count m v))) /
      IZR (Zpos (query_unit m)))
    with (IZR (Z.of_nat n - Z.of_nat (count m v)) *
      (IZR (Zpos (step_of m)) / IZR (Zpos (query_unit m)))) by (rewrite minus_IZR; field; lra).
  rewrite Rabs_mult, <- abs_IZR, distance_abs, (Rabs_right (_ / _)).
  - field. lra.
  - left. now apply Rdiv_lt_0_compat.
Qed.

Lemma positive_fraction n d : 0 < IZR (Zpos n) / IZR (Zpos d).
Proof. apply Rdiv_lt_0_compat; now apply IZR_lt. Qed.

Lemma scale_pos m d : decay_within m d = true -> 0 < scale_of m.
Proof.
  unfold decay_within, scale_of. rewrite !andb_true_iff. intros [_ H].
  destruct (noise m) as [n k|n k a c]; [apply positive_fraction|].
  rewrite !andb_true_iff, Z.ltb_lt in H. destruct H as [ca _].
  apply Rdiv_lt_0_compat; [apply positive_fraction|]. rewrite <- ln_1. apply ln_increasing; [lra|].
  assert (0 < IZR (Zpos c)) by now apply IZR_lt. apply IZR_lt in ca.
  apply (Rmult_lt_reg_r (IZR (Zpos c))); [easy|].
  replace (IZR (Zpos a) / IZR (Zpos c) * IZR (Zpos c)) with (IZR (Zpos a)) by (field; lra). lra.
Qed.

Lemma crossed x y u v : 0 < y -> 0 < v -> x * v <= u * y -> x / y <= u / v.
Proof.
  intros y0 v0 le. apply (Rmult_le_reg_r (y * v)); [now apply Rmult_lt_0_compat|].
  replace (x / y * (y * v)) with (x * v) by (field; lra).
  replace (u / v * (y * v)) with (u * y) by (field; lra). exact le.
Qed.

Lemma decay_between m d : decay_within m d = true ->
  0 <= IZR (under d) / IZR (Zpos (over_both d)) <= decay_of m /\
  decay_of m <= IZR (above_it d) / IZR (Zpos (over_both d)).
Proof.
  intros H. pose proof (scale_pos m d H) as b0. unfold decay_within in H.
  rewrite !andb_true_iff, !Z.leb_le in H. destruct H as [[l0 _] H]. apply IZR_le in l0.
  assert (o0 : 0 < IZR (Zpos (over_both d))) by now apply IZR_lt.
  assert (low : 0 <= IZR (under d) / IZR (Zpos (over_both d))).
  { unfold Rdiv. apply Rmult_le_pos; [easy|]. left. now apply Rinv_0_lt_compat. }
  assert (u0 : 0 < IZR (Zpos (query_unit m))) by now apply IZR_lt.
  unfold decay_of in *. unfold scale_of in *. destruct (noise m) as [n k|n k a c].
  - rewrite andb_true_iff in H. destruct H as [under_ above_].
    apply exp_above_of in under_. apply exp_below_of in above_.
    unfold exp_at_least, exp_at_most in *.
    assert (n0 : 0 < IZR (Zpos n)) by now apply IZR_lt.
    assert (k0 : 0 < IZR (Zpos k)) by now apply IZR_lt.
    replace (IZR (- (Zpos (step_of m) * Zpos k)) / IZR (Zpos (query_unit m * n))) with
      (- (IZR (Zpos (step_of m)) / IZR (Zpos (query_unit m)) / (IZR (Zpos n) / IZR (Zpos k))))
      in under_, above_.
    + tauto.
    + rewrite Pos2Z.inj_mul, opp_IZR, !mult_IZR. field. repeat split; lra.
  - cbv zeta in H. rewrite !andb_true_iff, Z.ltb_lt, Z.eqb_eq, !Z.leb_le in H.
    destruct H as [ca [[whole under_] above_]].
    set (power := ((Zpos (step_of m) * Zpos k) / (Zpos (query_unit m) * Zpos n))%Z) in *.
    assert (p0 : (0 <= power)%Z) by (apply Z.div_pos; lia).
    assert (a0 : 0 < IZR (Zpos a)) by now apply IZR_lt.
    assert (c0 : 0 < IZR (Zpos c)) by now apply IZR_lt.
    assert (n0 : 0 < IZR (Zpos n)) by now apply IZR_lt.
    assert (k0 : 0 < IZR (Zpos k)) by now apply IZR_lt.
    assert (E : exp (- (IZR (Zpos (step_of m)) / IZR (Zpos (query_unit m)) /
      (IZR (Zpos n) / IZR (Zpos k) / ln (IZR (Zpos a) / IZR (Zpos c))))) =
      (IZR (Zpos c) / IZR (Zpos a)) ^ Z.to_nat power).
    { assert (l0' : ln (IZR (Zpos a) / IZR (Zpos c)) <> 0).
      { apply IZR_lt in ca. intros e. assert (1 < IZR (Zpos a) / IZR (Zpos c)).
        { apply (Rmult_lt_reg_r (IZR (Zpos c))); [easy|].
          replace (IZR (Zpos a) / IZR (Zpos c) * IZR (Zpos c)) with (IZR (Zpos a)) by (field; lra).
          lra. }
        assert (ln 1 < ln (IZR (Zpos a) / IZR (Zpos c))) by (apply ln_increasing; lra).
        rewrite ln_1 in *. lra. }
      replace (- (_ / _ / _)) with (INR (Z.to_nat power) * - ln (IZR (Zpos a) / IZR (Zpos c))).
      - rewrite exp_times, exp_Ropp, exp_ln by (apply positive_fraction). f_equal. field. lra.
      - rewrite INR_IZR_INZ, Z2Nat.id by easy. apply (f_equal IZR) in whole.
        rewrite !mult_IZR in whole.
        replace (IZR power) with (IZR (Zpos (step_of m)) * IZR (Zpos k) /
          (IZR (Zpos (query_unit m)) * IZR (Zpos n))) by (rewrite whole; field; lra).
        field. repeat split; lra. }
    rewrite E. apply IZR_le in under_, above_. rewrite !mult_IZR in under_, above_.
    rewrite <- (Z2Nat.id power p0), <- !pow_IZR in under_, above_.
    assert (ap : 0 < IZR (Zpos a) ^ Z.to_nat power) by now apply pow_lt.
    unfold Rdiv at 3 4. rewrite Rpow_mult_distr, pow_inv.
    split; [split; [easy|]|]; now apply crossed.
Qed.

(** * Sums of powers around each output *)
Lemma ladder_at x n : forall c j, (j <= n)%nat ->
  at_place (ladder x c n) j = (c * x ^ Z.of_nat j)%Z.
Proof.
  induction n as [|n IH]; intros c [|j] h; try lia; cbn [ladder];
    try (unfold at_place; simpl; ring).
  change (at_place (c :: ladder x (c * x) n) (S j)) with (at_place (ladder x (c * x) n) j).
  rewrite IH by lia. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.
Lemma ladder_length x n : forall c, length (ladder x c n) = S n.
Proof. induction n as [|n IH]; intros c; [easy|]. cbn [ladder length]. now rewrite IH. Qed.

Lemma powers_length x y n : length (powers x y n) = S n.
Proof. unfold powers. rewrite map_length, combine_length, rev_length, !ladder_length. lia. Qed.
Lemma powers_at x y n j : (j <= n)%nat ->
  at_place (powers x y n) j = (x ^ Z.of_nat j * y ^ Z.of_nat (n - j))%Z.
Proof.
  intros h. unfold at_place, powers.
  rewrite (nth_indep _ 0%Z (0 * 0)%Z) by (fold (powers x y n); rewrite powers_length; lia).
  rewrite (map_nth (fun ab : Z * Z => (fst ab * snd ab)%Z) _ (0, 0)%Z).
  rewrite combine_nth by now rewrite rev_length, !ladder_length. cbn [fst snd].
  rewrite rev_nth by (rewrite ladder_length; lia). rewrite ladder_length.
  replace (S n - S j)%nat with (n - j)%nat by lia.
  fold (at_place (ladder x 1 n) j). fold (at_place (ladder y 1 n) (n - j)).
  rewrite !ladder_at by lia. ring.
Qed.

Lemma dot_mean law l : IZR (dot law l) = mean law (fun j => IZR (at_place l j)).
Proof.
  revert l; induction law as [|a law IH]; intros [|b l]; cbn [dot mean]; try easy.
  - rewrite (mean_ext _ _ (fun _ => 0 * 1)) by (intros; rewrite at_nil; ring).
    rewrite mean_scaled, at_nil. ring.
  - rewrite plus_IZR, mult_IZR, IH. reflexivity.
Qed.

Lemma smoothed_at law : forall rest window n, (n <= length rest)%nat ->
  at_place (smoothed law window rest) n = dot law (rev (firstn n rest) ++ window).
Proof.
  induction rest as [|r rest IH]; intros window [|n] h; try (simpl in h; lia); try easy.
  change (at_place (smoothed law window (r :: rest)) (S n))
    with (at_place (smoothed law (r :: window) rest) n).
  rewrite IH by (simpl in h; lia). cbn [firstn rev]. now rewrite <- app_assoc.
Qed.

Lemma window_at p n j : (n < length p)%nat -> (j < length p)%nat ->
  at_place (rev (firstn n (tl p)) ++ p) j = at_place p (distance n j).
Proof.
  intros hn hj. unfold at_place, distance. destruct p as [|a p]; [simpl in hn; lia|]. cbn [tl].
  simpl in hn, hj.
  assert (L : length (firstn n p) = n) by (rewrite firstn_length; lia).
  destruct (Nat.lt_ge_cases j n) as [h|h].
  - rewrite app_nth1 by (rewrite rev_length; lia). rewrite rev_nth by lia. rewrite L.
    rewrite <- (firstn_skipn n p) at 2. replace ((n - j) + (j - n))%nat with (S (n - S j)) by lia.
    cbn [nth]. rewrite app_nth1 by lia. easy.
  - rewrite app_nth2 by (rewrite rev_length; lia). rewrite rev_length, L. f_equal. lia.
Qed.

Lemma spread_length x y n law : length (spread_by x y n law) = S n.
Proof.
  unfold spread_by. pose proof (powers_length x y n) as L. destruct (powers x y n) as [|p ps];
    [discriminate|]. injection L as L. cbn [tl]. rewrite <- L. clear L.
  generalize (p :: ps) as window. induction ps as [|q ps IH]; intros window; [easy|].
  cbn [smoothed length]. now rewrite IH.
Qed.

Lemma spread_at x y N law n : (0 < y)%Z -> (n <= N)%nat -> (length law <= S N)%nat ->
  IZR (at_place (spread_by x y N law) n) =
  IZR y ^ N * mean law (fun j => (IZR x / IZR y) ^ distance n j).
Proof.
  intros y0 hn hl. unfold spread_by. pose proof (powers_length x y N) as L.
  rewrite smoothed_at by (destruct (powers x y N); simpl in *; lia).
  rewrite dot_mean, <- mean_scaled. apply mean_ext. intros j hj.
  rewrite window_at by lia. assert (d : (distance n j <= N)%nat) by (unfold distance; lia).
  rewrite powers_at by easy. rewrite mult_IZR, <- !pow_IZR. apply IZR_lt in y0.
  unfold Rdiv. rewrite Rpow_mult_distr, pow_inv.
  replace (IZR y ^ N) with (IZR y ^ distance n j * IZR y ^ (N - distance n j))
    by (rewrite <- pow_add; f_equal; lia).
  field. apply pow_nonzero. lra.
Qed.

(** The query adds no more steps than the most. *)
Lemma steps_most m l : forall t, (forall x, In x l -> (x < values m)%nat) ->
  (steps_from m t l <= most m t (length l))%nat.
Proof.
  induction l as [|x l IH]; intros t small; [easy|]. cbn [steps_from length most].
  apply Nat.add_le_mono; [|apply IH; intros; apply small; now right].
  assert (H : In (adds_at m t x) (map (adds_at m t) (seq 0 (values m)))).
  { apply in_map, in_seq. specialize (small x (or_introl eq_refl)). lia. }
  revert H. generalize (map (adds_at m t) (seq 0 (values m))) as ks. clear.
  induction ks as [|k ks IH]; intros []; cbn [list_max fold_right];
    [subst; apply Nat.le_max_l|]. etransitivity; [now apply IH|apply Nat.le_max_r].
Qed.

Lemma count_top m (v : database m) : (count m v <= top m)%nat.
Proof.
  pose proof (steps_most m (map number (list_of v)) 0) as H. rewrite map_length, list_length in H.
  apply H. intros x i. apply in_map_iff in i as [y [<- _]]. apply number_lt.
Qed.

Section Checked.
Context (m : model) (d : decay_bounds).
Hypothesis within_ : decay_within m d = true.

Definition told w i a n := Σ v : database m, inside (law_of_walk m w) (value_is m i a) v *
  decay_of m ^ distance n (count m v).

Lemma told_between w i a n : good_walk m w = true -> (i <= records m)%nat ->
  mean (sums m w i a) (fun j => (IZR (under d) / IZR (Zpos (over_both d))) ^ distance n j) <=
    unit_of_law m w * told w i a n /\
  unit_of_law m w * told w i a n <=
    mean (sums m w i a) (fun j => (IZR (above_it d) / IZR (Zpos (over_both d))) ^ distance n j).
Proof.
  intros good hi. destruct (decay_between m d within_) as [[l0 low] high].
  pose proof (unit_pos m w good) as u0. rewrite !mean_sums by easy. unfold told.
  assert (pos : forall v, 0 <= inside (law_of_walk m w) (value_is m i a) v).
  { intros v. unfold inside. destruct (value_is m i a v); [|lra]. now apply walk_is_law. }
  split; (apply Rmult_le_compat_l; [lra|]); apply sum_le; intros v _;
    (apply Rmult_le_compat_l; [apply pos|]); apply pow_incr; lra.
Qed.

Lemma scaled_told w i a n : Pw (law_of_walk m w) (with_laplace m) (value_is m i a)
  (IZR (value_of m n) / IZR (Zpos (query_unit m))) = / (2 * scale_of m) * told w i a n.
Proof.
  unfold Pw, told. rewrite <- sum_scale. apply sum_ext. intros v _. unfold with_laplace.
  rewrite laplace_steps by now apply (scale_pos m d). ring.
Qed.

Lemma fits_length law : fits m law = true -> (length law <= S (top m))%nat.
Proof. apply Nat.leb_le. Qed.

Lemma one_way_sound num den w i a b n : good_walk m w = true -> (i <= records m)%nat ->
  (0 <= num)%Z -> one_way m d num den (sums m w i a) (sums m w i b) = true ->
  0 < P (law_of_walk m w) (value_is m i a) -> 0 < P (law_of_walk m w) (value_is m i b) ->
  (n <= top m)%nat ->
  told w i a n * P (law_of_walk m w) (value_is m i b) <=
    IZR num / IZR (Zpos den) * P (law_of_walk m w) (value_is m i a) * told w i b n.
Proof.
  intros good hi num0 H Pa Pb hn. pose proof (unit_pos m w good) as u0.
  set (U := unit_of_law m w) in *.
  assert (ma : 0 < IZR (total (sums m w i a)))
    by (rewrite mass_sums by easy; now apply Rmult_lt_0_compat).
  assert (mb : 0 < IZR (total (sums m w i b)))
    by (rewrite mass_sums by easy; now apply Rmult_lt_0_compat).
  unfold one_way in H. rewrite !orb_true_iff, !Z.leb_le in H. apply lt_IZR in ma, mb.
  destruct H as [[H|H]|H]; try lia. rewrite !andb_true_iff in H. destruct H as [[fa fb] H].
  apply fits_length in fa, fb. rewrite forallb_forall in H.
  set (As := spread_by _ _ _ (sums m w i a)) in *. set (Bs := spread_by _ _ _ (sums m w i b)) in *.
  specialize (H (at_place As n, at_place Bs n)). cbn [fst snd] in H.
  assert (i_n : In (at_place As n, at_place Bs n) (combine As Bs)).
  { unfold at_place. rewrite <- combine_nth by (unfold As, Bs; now rewrite !spread_length).
    apply nth_In. rewrite combine_length. unfold As, Bs. rewrite !spread_length. lia. }
  apply H in i_n. apply Z.leb_le, IZR_le in i_n. clear H. rewrite !mult_IZR in i_n.
  unfold As, Bs in i_n. rewrite !spread_at in i_n by (easy || lia).
  rewrite !mass_sums in i_n by easy. fold U in i_n.
  destruct (told_between w i a n good hi) as [_ ha].
  destruct (told_between w i b n good hi) as
    [hb _].
  fold U in ha, hb. set (Y := IZR (Zpos (over_both d)) ^ top m) in *.
  assert (Y0 : 0 < Y) by (apply pow_lt; now apply IZR_lt).
  assert (d0 : 0 < IZR (Zpos den)) by now apply IZR_lt.
  assert (n0 : 0 <= IZR num) by now apply IZR_le.
  set (HA := mean (sums m w i a) _) in *. set (LB := mean (sums m w i b) _) in *.
  set (pa := P _ (value_is m i a)) in *. set (pb := P _ (value_is m i b)) in *.
  clearbody U Y. apply (Rmult_le_reg_r (U * U * Y * IZR (Zpos den)));
    [now repeat apply Rmult_lt_0_compat|].
  apply Rle_trans with (Y * HA * (U * pb) * IZR (Zpos den)).
  - replace (told w i a n * pb * (U * U * Y * IZR (Zpos den)))
      with (Y * (U * told w i a n) * (U * pb) * IZR (Zpos den)) by ring.
    repeat (apply Rmult_le_compat_r; [nra|]). apply Rmult_le_compat_l; [lra|easy].
  - apply Rle_trans with (1 := i_n).
    replace (IZR num / IZR (Zpos den) * pa * told w i b n * (U * U * Y * IZR (Zpos den)))
      with (IZR num * (U * pa) * (Y * (U * told w i b n))) by (field; lra).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [easy|nra]|]. apply Rmult_le_compat_l; lra.
Qed.

Lemma above_sound_at num den w i a b n : good_walk m w = true -> (i <= records m)%nat ->
  (0 <= num)%Z -> fits m (sums m w i a) = true -> fits m (sums m w i b) = true ->
  (0 < total (sums m w i a))%Z -> (0 < total (sums m w i b))%Z -> (n <= top m)%nat ->
  (num * total (sums m w i a) *
    at_place (spread_by (above_it d) (Zpos (over_both d)) (top m) (sums m w i b)) n <
    at_place (spread_by (under d) (Zpos (over_both d)) (top m) (sums m w i a)) n *
      total (sums m w i b) * Zpos den)%Z ->
  0 < P (law_of_walk m w) (value_is m i a) /\ 0 < P (law_of_walk m w) (value_is m i b) /\
  IZR num / IZR (Zpos den) * P (law_of_walk m w) (value_is m i a) * told w i b n <
    told w i a n * P (law_of_walk m w) (value_is m i b).
Proof.
  intros good hi num0 fa fb ma mb hn H. pose proof (unit_pos m w good) as u0.
  set (U := unit_of_law m w) in *. apply fits_length in fa, fb. apply IZR_lt in ma, mb, H.
  rewrite !mult_IZR, !spread_at in H by (easy || lia). rewrite mass_sums in ma, mb by easy.
  rewrite !mass_sums in H by easy. fold U in ma, mb, H.
  destruct (told_between w i a n good hi) as [ha _]. destruct (told_between w i b n good hi) as
    [_ hb].
  fold U in ha, hb. set (Y := IZR (Zpos (over_both d)) ^ top m) in *.
  assert (Y0 : 0 < Y) by (apply pow_lt; now apply IZR_lt).
  assert (d0 : 0 < IZR (Zpos den)) by now apply IZR_lt.
  assert (n0 : 0 <= IZR num) by now apply IZR_le.
  set (LA := mean (sums m w i a) _) in *. set (HB := mean (sums m w i b) _) in *.
  set (pa := P _ (value_is m i a)) in *. set (pb := P _ (value_is m i b)) in *.
  clearbody U Y. assert (pa0 : 0 < pa) by (apply (Rmult_lt_reg_l U); [easy|lra]).
  assert (pb0 : 0 < pb) by (apply (Rmult_lt_reg_l U); [easy|lra]).
  split; [easy|]. split; [easy|].
  apply (Rmult_lt_reg_r (U * U * Y * IZR (Zpos den))); [now repeat apply Rmult_lt_0_compat|].
  apply Rle_lt_trans with (IZR num * (U * pa) * (Y * HB)).
  - replace (IZR num / IZR (Zpos den) * pa * told w i b n * (U * U * Y * IZR (Zpos den)))
      with (IZR num * (U * pa) * (Y * (U * told w i b n))) by (field; lra).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [easy|nra]|]. apply Rmult_le_compat_l; lra.
  - apply Rlt_le_trans with (1 := H).
    replace (told w i a n * pb * (U * U * Y * IZR (Zpos den)))
      with (Y * (U * told w i a n) * (U * pb) * IZR (Zpos den)) by ring.
    repeat (apply Rmult_le_compat_r; [nra|]). apply Rmult_le_compat_l; lra.
Qed.
End Checked.
