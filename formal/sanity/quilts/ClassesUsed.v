(** Breakpoints, and quilts of classes of chains, on chains of bits; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Dependence.
From Pufferproof Require Import Quilt Chain ChainQuilts Parallel ParallelChains SequentialChains.
From Pufferproof Require Import RecordTables TableQuilts ParallelSegments ParallelLevels Networks
  QuiltsOfChains.
From Pufferproof.sanity Require Import Bits QuiltsUsed ChainQuiltsUsed.
Import ListNotations.
Open Scope R_scope.

(** A bit with noise of scale 1 / ln 3: ratio 3, at the two values and so everywhere. *)
Definition number (x : bool) : Z := if x then 1%Z else 0%Z.
Definition scale_3 := - / ln (1/3).

Lemma scale_3_positive : 0 < scale_3.
Proof.
  unfold scale_3. assert (ln (1/3) < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  pose proof (Rinv_lt_0_compat _ H). lra.
Qed.

Example promise_by_powers_used :
  pufferfish 3 (fun x => laplace scale_3 (IZR (number x))) bit_pairs (eq fair).
Proof.
  apply promise_by_powers; [lra|].
  intros p s t w <- [[-> ->]|[-> ->]] _ _; destruct w; by_cases.
Qed.

(** Outputs that are values of the query: the promise there is the promise. *)
Example promise_at_values_used :
  pufferfish 3 (fun x y => laplace scale_3 (IZR (number x)) (IZR (number y))) bit_pairs (eq fair).
Proof.
  apply (promise_at_values 3 (fun x => IZR (number x)) scale_3 bit_pairs (eq fair)
    scale_3_positive).
  apply promise_by_powers_used.
Qed.

Example promise_at_values_is_tight : ~ pufferfish 2
  (fun x => laplace scale_3 (IZR (number x))) bit_pairs (eq fair).
Proof.
  intros promise. apply promise_by_powers in promise; [|lra].
  specialize (promise fair yes no true eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise. by_cases.
Qed.

(** At one value alone it is no promise: the other one breaks it. *)
Example one_value_is_not_enough :
  let M (x w : bool) := (1/3) ^ Z.abs_nat (number w - number x) in
  Pw fair M no true * P fair yes <= 1 * P fair no * Pw fair M yes true /\
  ~ Pw fair M no false * P fair yes <= 1 * P fair no * Pw fair M yes false.
Proof. split; by_cases. Qed.

Example promise_on_grid_used :
  let queries := [(fun x => IZR (number x), scale_3); (fun x => IZR (number x), scale_3)] in
  pufferfish 9 (noisy queries) bit_pairs (eq fair).
Proof.
  intros queries. assert (b0 : 0 < scale_3) by apply scale_3_positive.
  apply promise_on_grid.
  { intros f b [E|[E|[]]]; injection E as <- <-; exact b0. }
  assert (near : forall x y w, laplace scale_3 (IZR (number x)) w <=
    3 * laplace scale_3 (IZR (number y)) w).
  { intros x y w. eapply Rle_trans; [apply (laplace_near scale_3 1 _ (IZR (number y)) w b0)|].
    - destruct x, y; simpl; unfold Rabs; destruct Rcase_abs; lra.
    - right. f_equal. unfold scale_3. replace (1 / - / ln (1/3)) with (- ln (1/3)).
      + rewrite exp_Ropp, exp_ln by lra. field.
      + field. assert (ln (1/3) < 0) by (rewrite <- ln_1; apply ln_increasing; lra). lra. }
  intros p s t ws <- [[-> ->]|[-> ->]] i Ps Pt;
    (apply in_map_iff in i as [[y us] [<- i]]; apply in_prod_iff in i as [_ i];
     apply in_map_iff in i as [[z vs] [<- i]]; apply in_prod_iff in i as [_ [<-|[]]]);
    cbv -[IZR Rplus Rminus Rmult Rdiv Rinv Ropp Rle Rlt laplace number scale_3].
  - pose proof (near true false (IZR (number y))). pose proof (near true false (IZR (number z))).
    pose proof (laplace_nonneg scale_3 (IZR (number true)) (IZR (number y)) b0).
    pose proof (laplace_nonneg scale_3 (IZR (number true)) (IZR (number z)) b0). nra.
  - pose proof (near false true (IZR (number y))). pose proof (near false true (IZR (number z))).
    pose proof (laplace_nonneg scale_3 (IZR (number false)) (IZR (number y)) b0).
    pose proof (laplace_nonneg scale_3 (IZR (number false)) (IZR (number z)) b0). nra.
Qed.

(** ** Two responses to one bit, with independent randomness *)
Example nearly_independent_releases_used :
  pufferfish (exp (ln 3 + ln 3 + 2 * 0)) (both response response) bit_pairs (eq fair).
Proof.
  apply (nearly_independent_releases (ln 3) (ln 3) 0 (both response response) response response
    bit_pairs (eq fair)); try apply fair_only; try apply response_likelihood.
  - intros p s t <- [[-> ->]|[-> ->]] _ _; rewrite exp_0; split; intros [] []; split; by_cases.
  - rewrite exp_ln by lra. apply response_leaks.
  - rewrite exp_ln by lra. apply response_leaks.
Qed.

(** Outputs that agree: each is a fair coin, and together they tell the bit. *)
Definition told (x : bool) (wv : bool * bool) : R :=
  if eqb (xorb (fst wv) (snd wv)) x then 1/2 else 0.
Example releases_need_independence :
  pufferfish (exp 0) constant bit_pairs (eq fair) /\
  ~ pufferfish (exp (0 + 0 + 2 * 0)) told bit_pairs (eq fair).
Proof.
  replace (0 + 0 + 2 * 0) with 0 by ring. rewrite exp_0.
  split; [apply constant_leaks_nothing|intros promise].
  specialize (promise fair yes no (true, false) eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise. by_cases.
Qed.

(** ** Counts of three bits of a chain, each of them secret *)
Definition lazy (c : @chain_data bool) := c = (fair, stays).
Definition count_of (v : vec bool 3) : R := count (list_of v).

Lemma lazy_chains : chains_only lazy.
Proof. intros c ->. split; [apply fair_law|apply stays_law]. Qed.

Lemma count_of_moves : lipschitz_table count_of.
Proof.
  intros j [x0 [x1 [x2 []]]] [y0 [y1 [y2 []]]] diff.
  pose proof (diff 0%nat) as d0. pose proof (diff 1%nat) as d1. pose proof (diff 2%nat) as d2.
  unfold count_of, count; simpl in *.
  destruct j as [|[|[|j]]].
  1: specialize (d1 ltac:(lia)); specialize (d2 ltac:(lia)); injection d1 as <-; injection d2 as <-.
  2: specialize (d0 ltac:(lia)); specialize (d2 ltac:(lia)); injection d0 as <-; injection d2 as <-.
  3: specialize (d0 ltac:(lia)); specialize (d1 ltac:(lia)); injection d0 as <-; injection d1 as <-.
  4: specialize (d0 ltac:(lia)); specialize (d1 ltac:(lia)); specialize (d2 ltac:(lia));
    injection d0 as <-; injection d1 as <-; injection d2 as <-.
  all: unfold Rabs; destruct Rcase_abs; destruct x0, x1, x2; try destruct y0; try destruct y1;
    try destruct y2; lra.
Qed.

Lemma quilts_tell i x y q : (i < 3)%nat -> let p := law_of_chain (fair, stays) 3 in
  p_quilt (decide_pair bool_dec) (quilt_around i (S i)) p (record_is bool_dec i x) q *
    P p (record_is bool_dec i y) <=
  4 * P p (record_is bool_dec i x) *
    p_quilt (decide_pair bool_dec) (quilt_around i (S i)) p (record_is bool_dec i y) q.
Proof.
  intros here. destruct i as [|[|[|i]]]; [| | |lia]; destruct x, y; revert q; counts.
Qed.

Lemma some_score c i : lazy c -> (i < 3)%nat ->
  score_at_most bool_dec (ln 4 + 1) 1 (law_of_chain c 3) i.
Proof.
  intros -> here. exists i, (S i), (ln 4). repeat split; try lia; try lra.
  - intros x y q. rewrite exp_ln by lra. now apply quilts_tell.
  - replace (S i - i)%nat with 1%nat by lia. replace (ln 4 + 1 - ln 4) with 1 by ring. simpl. lra.
Qed.

Example quilts_of_classes_used : pufferfish (exp (ln 4 + 1)) (fun v => laplace 1 (count_of v))
  (two_values bool_dec 3) (laws_of lazy 3).
Proof.
  apply quilts_of_classes; [apply lazy_chains|apply count_of_moves|apply some_score].
Qed.

Example sequential_quilts_of_classes_used :
  pufferfish (exp (sum [(count_of, ln 4 + 1, 1); (count_of, ln 4 + 1, 1)] at_level))
    (noisy_releases [(count_of, ln 4 + 1, 1); (count_of, ln 4 + 1, 1)])
    (two_values bool_dec 3) (laws_of lazy 3).
Proof.
  apply sequential_quilts_of_classes; [apply lazy_chains| |].
  - intros r [<-|[<-|[]]]; apply count_of_moves.
  - intros r c i [<-|[<-|[]]]; apply some_score.
Qed.

Example sequential_quilts_at_one_level_used :
  pufferfish (exp (INR 2 * (ln 4 + 2)))
    (noisy_releases [(count_of, ln 4 + 1, 1); (count_of, ln 4 + 1, 1)])
    (two_values bool_dec 3) (laws_of lazy 3).
Proof.
  apply (sequential_quilts_at_one_level bool_dec 3 lazy
    [(count_of, ln 4 + 1, 1); (count_of, ln 4 + 1, 1)]); [apply lazy_chains| | |].
  - intros r [<-|[<-|[]]]; apply count_of_moves.
  - intros r c i [<-|[<-|[]]]; apply some_score.
  - intros r [<-|[<-|[]]]; unfold at_level; simpl; lra.
Qed.

(** A score that leaves the influence out is none: no quilt of one nearby record tells less than
    log 2 of the middle bit. *)
Example scores_need_the_influence :
  ~ max_influence_at_most bool_dec (law_of_chain (fair, stays) 3) 1 1 2 (ln 2).
Proof.
  intros infl. specialize (infl true false (Some true, Some true)). revert infl.
  rewrite exp_ln by lra. by_cases.
Qed.

(** ** Two bits, one for Alice and one for Bob *)
Definition bit_of k (v : vec bool 2) w :=
  match nth_error (list_of v) k with Some x => response x w | None => 1/2 end.

Lemma bit_of_likelihood k : likelihood (bit_of k).
Proof.
  intros v w. unfold bit_of. destruct (nth_error (list_of v) k); [apply response_likelihood|lra].
Qed.

Lemma bit_of_leaks k : (k < 2)%nat ->
  pufferfish 3 (bit_of k) (two_values_in bool_dec 2 k k) (laws_of lazy 2).
Proof.
  intros here p s t w [c [-> ->]] [i [x [y [at_k [-> ->]]]]] _ _.
  assert (i = k) as -> by lia. destruct k as [|[|k]]; [| |lia]; destruct x, y, w; by_cases.
Qed.

Lemma told_by_neighbour k j : (k < 2)%nat -> (j < 2)%nat -> k <> j ->
  forall p, laws_of lazy 2 p -> told_at_most bool_dec p k j 2.
Proof.
  intros hk hj ne p [c [-> ->]].
  destruct k as [|[|k]], j as [|[|j]]; try lia; intros [[]|] [[]|] _ _ [[]|]; by_cases.
Qed.

Example parallel_segments_used : pufferfish (Rmax (3 * Rmin 3 2) (3 * Rmin 3 2))
  (both (bit_of 0) (bit_of 1))
  (either (two_values_in bool_dec 2 0 0) (two_values_in bool_dec 2 1 1)) (laws_of lazy 2).
Proof.
  apply (parallel_segments bool_dec 2 0 0 1 1); try lra; try lia; try apply bit_of_likelihood.
  - apply lazy_chains.
  - intros [x [y []]] [x' [y' []]] E. unfold segment in E; simpl in E. injection E as <-. easy.
  - intros [x [y []]] [x' [y' []]] E. unfold segment in E; simpl in E. injection E as <-. easy.
  - apply told_by_neighbour; lia.
  - apply told_by_neighbour; lia.
  - apply bit_of_leaks; lia.
  - apply bit_of_leaks; lia.
Qed.

(** Two equal bits tell all of each other: no influence is finite, and the ratios multiply. *)
Definition copied (_ : nat) (x y : bool) : R := if eqb x y then 1 else 0.
Definition copies (c : chain_data) := c = (fair, copied).

Lemma copies_chains : chains_only copies.
Proof.
  intros c ->. split; [apply fair_law|]. intros k x. split.
  - intros y. unfold copied; simpl. destruct x, y; simpl; lra.
  - destruct x; unfold copied, sum; simpl; lra.
Qed.

Lemma bit_of_copies k : (k < 2)%nat ->
  pufferfish 3 (bit_of k) (two_values_in bool_dec 2 k k) (laws_of copies 2).
Proof.
  intros here p s t w [c [-> ->]] [i [x [y [at_k [-> ->]]]]] _ _.
  assert (i = k) as -> by lia. destruct k as [|[|k]]; [| |lia]; destruct x, y, w; by_cases.
Qed.

Example parallel_levels_used : pufferfish 9 (both (bit_of 0) (bit_of 1))
  (either (two_values_in bool_dec 2 0 0) (two_values_in bool_dec 2 1 1)) (laws_of copies 2).
Proof.
  replace 9 with (3 * 3) by ring.
  apply (parallel_levels bool_dec 2 0 0 1 1); try lra; try lia; try apply bit_of_likelihood.
  - apply copies_chains.
  - intros [x [y []]] [x' [y' []]] E. unfold segment in E; simpl in E. injection E as <-. easy.
  - intros [x [y []]] [x' [y' []]] E. unfold segment in E; simpl in E. injection E as <-. easy.
  - apply bit_of_copies; lia.
  - apply bit_of_copies; lia.
Qed.

Example copies_tell_no_less : ~ pufferfish 8 (both (bit_of 0) (bit_of 1))
  (either (two_values_in bool_dec 2 0 0) (two_values_in bool_dec 2 1 1)) (laws_of copies 2).
Proof.
  intros promise.
  assert (st : two_values_in bool_dec 2 0 0 (record_is bool_dec 0 true) (record_is bool_dec 0
    false)).
  { exists 0%nat, true, false. repeat split; lia. }
  specialize (promise _ _ _ (true, true) (ex_intro _ (fair, copied) (conj eq_refl eq_refl))
    (or_introl st)).
  revert promise. by_cases.
Qed.

(** Each alone keeps 3, both together do not: the other bit tells. *)
Example parallel_needs_the_influence : ~ pufferfish 3 (both (bit_of 0) (bit_of 1))
  (either (two_values_in bool_dec 2 0 0) (two_values_in bool_dec 2 1 1)) (laws_of lazy 2).
Proof.
  intros promise.
  assert (st : two_values_in bool_dec 2 0 0 (record_is bool_dec 0 true) (record_is bool_dec 0
    false)).
  { exists 0%nat, true, false. repeat split; lia. }
  specialize (promise _ _ _ (true, true) (ex_intro _ (fair, stays) (conj eq_refl eq_refl))
    (or_introl st)).
  revert promise. by_cases.
Qed.

(** ** The quilt of the middle bit, and one that misses a side *)
Example quilts_of_chains_used :
  quilt_separates chain_parents 3 (around 1 2) /\
  independent_given_quilt (decide_shown bool_dec 3) (decide_shown bool_dec 3)
    (of_quilt 3 (around 1 2)) (of_remote 3 (around 1 2)) (law_of_chain (fair, stays) 3)
    (record_is bool_dec 1 true).
Proof.
  apply (quilts_of_chains bool_dec 3 _ 1 2 1); [|lia|apply record_is_about].
  exists fair, stays. repeat split; try apply fair_law; apply stays_law.
Qed.

Example a_wider_near_set_has_no_such_quilt :
  ~ quilt_separates chain_parents 3 (fun k => if Nat.eqb k 1 then near else remote).
Proof.
  intros sep. apply (sep 1%nat 1%nat 0%nat ltac:(lia)); simpl; auto.
Qed.
