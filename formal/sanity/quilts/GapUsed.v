(** A chain of two values with the eigenvalue 1/10: it is reversible, its gap bounds its powers and
    what its records tell, and without that bound of eigenvalues nothing does. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts Parallel
  Eigenvalues Spectrum SequentialChains TableQuilts ParallelSegments ChainMoments ChainInfluence Gap
  GapQuilts GapMechanism GapSegments TwoSides.
From Pufferproof.sanity Require Import Bits QuiltsUsed ClassesUsed.
Import ListNotations.
Open Scope R_scope.

Definition mild (x y : bool) : R := if eqb x y then 11 / 20 else 9 / 20.
Definition even (x : bool) : R := 1 / 2.
Lemma kept : stationary even mild.
Proof.
  unfold stationary, law, even, mild. repeat split.
  - intros; lra.
  - simpl; lra.
  - intros; lra.
  - intros []; destruct x; simpl; lra.
  - destruct x; simpl; lra.
  - intros []; simpl; lra.
Qed.

Lemma mild_gap : gap_of_reversible even mild (1 / 10).
Proof.
  split; [exact kept|]. split; [intros [] []; unfold even, mild; simpl; lra|].
  split; [lra|].
  assert (values : forall lam f, (forall x, image mild f x = lam * f x) ->
    11 / 20 * f true + 9 / 20 * f false = lam * f true /\
    9 / 20 * f true + 11 / 20 * f false = lam * f false).
  { intros lam f eig. pose proof (eig true) as a. pose proof (eig false) as b.
    unfold image, mild in a, b. simpl in a, b. split; lra. }
  split.
  - intros f fixed. destruct (values 1 f) as [a b]; [intros; rewrite fixed; ring|].
    intros [] []; lra.
  - intros lam f ne [x nz] eig. destruct (values lam f eig) as [a b].
    assert (sum_ : (1 - lam) * (f true + f false) = 0) by lra.
    assert (less : (1 / 10 - lam) * (f true - f false) = 0) by lra.
    apply Rmult_integral in sum_. apply Rmult_integral in less.
    destruct less as [e|same].
    + replace lam with (1 / 10) by lra. rewrite Rabs_right; lra.
    + exfalso. apply nz. destruct x; lra.
Qed.

Lemma half_below x : 1 / 2 <= even x. Proof. unfold even; lra. Qed.

(** X_0 and X_2 around X_1, from any law: e to 2 h(1) + h(1) for h(1) = log (3/2). *)
Example around_one m : law m ->
  quilt_within bool_dec (27 / 8) m mild 3 1 2 1 true false.
Proof.
  intros Lm. replace (27 / 8) with (told_at_most (1 / 2) (1 / 10) 3 1 2 1).
  - apply (quilt_by_reversible_gap bool_dec even); [exact half_below|exact mild_gap|exact Lm|].
    split; right; simpl; lra.
  - unfold told_at_most, over. simpl. destruct (Rlt_dec _ _); lra.
Qed.
(** The same of P P*. *)
Example around_one_both_ways m : law m ->
  quilt_within bool_dec (told_at_most (1 / 2) (1 / 10) 3 1 2 1) m mild 3 1 2 1 true false.
Proof.
  intros Lm. apply (quilt_by_gap bool_dec even); [exact half_below| |exact Lm|].
  - apply gap_squared. exact mild_gap.
  - split; right; simpl; lra.
Qed.
Example two_steps : close (1 / 50) even mild 2.
Proof.
  replace (1 / 50) with (part (1 / 2) ((1 / 10) ^ 2)).
  - apply powers_of_reversible; [lra|exact half_below|exact mild_gap].
  - unfold part. destruct (Rlt_dec _ _); lra.
Qed.
Example entries_close : 1 / 2 * Eigenvalues.steps mild 3 true true <=
  (1 / 2 + (1 / 10) ^ 3) * even true.
Proof.
  apply (powers_close even mild (1 / 2) (1 / 10)); [lra|exact half_below|].
  apply gap_squared. exact mild_gap.
Qed.
Example one_later : Eigenvalues.steps mild 1 true true <=
  over (1 / 2) ((1 / 10) ^ 1) * Eigenvalues.steps mild 1 false true.
Proof. apply (later_record even); [exact half_below|exact mild_gap|lra]. Qed.

(** Near miss: with 1/100 for the eigenvalue powers are not that close. *)
Example too_close : ~ close (part (1 / 2) ((1 / 100) ^ 1)) even mild 1.
Proof.
  intros h. destruct (h true true) as [_ up]. unfold part in up. destruct (Rlt_dec _ _); [|lra].
  assert (E : Eigenvalues.steps mild 1 true true = 11 / 20).
  { simpl. unfold point. repeat destruct Compactness.decision; try congruence;
      unfold mild; simpl; lra. }
  rewrite E in up. unfold even in up. lra.
Qed.

(** ** Counts of three bits of the chain, with noise by the estimates *)
Definition mild_chain z := z = (even, (even, mild)).
Lemma mild_gaps : gaps mild_chain (1 / 2) (1 / 10).
Proof.
  intros pi m P E. injection E as -> -> ->. split; [apply kept|]. split; [exact half_below|].
  apply gap_squared. exact mild_gap.
Qed.

Definition level := ln (27 / 8) + 1.
Lemma estimates_score i : (i < 3)%nat -> estimated_score (1 / 2) (1 / 10) 3 level 1 i.
Proof.
  intros here. exists i, (S i). split; [lia|]. split; [lia|]. split.
  - unfold far. replace (S i - i)%nat with 1%nat by lia. split; right; simpl; lra.
  - exists (ln (27 / 8)). rewrite exp_ln by lra. unfold level. split; [|split; [lra|]].
    + unfold told_at_most, over. replace (S i - i)%nat with 1%nat by lia.
      destruct i as [|[|[|i]]]; [| | |lia]; simpl; destruct (Rlt_dec _ _); lra.
    + replace (S i - i)%nat with 1%nat by lia.
      replace (ln (27 / 8) + 1 - ln (27 / 8)) with 1 by ring. simpl. lra.
Qed.

Example estimated_quilt_used : pufferfish (exp level) (fun v => laplace 1 (count_of v))
  (two_values bool_dec 3) (laws_at_rest mild_chain 3).
Proof.
  apply (estimated_quilt bool_dec 3 mild_chain (1 / 2) (1 / 10) (count_of, level, 1)).
  - exact mild_gaps.
  - apply count_of_moves.
  - exact estimates_score.
Qed.
Example estimated_quilts_used :
  pufferfish (exp (sum [(count_of, level, 1); (count_of, level, 1)] at_level))
    (noisy_releases [(count_of, level, 1); (count_of, level, 1)])
    (two_values bool_dec 3) (laws_at_rest mild_chain 3).
Proof.
  apply (estimated_quilts bool_dec 3 mild_chain (1 / 2) (1 / 10)); [exact mild_gaps| |].
  - intros run [<-|[<-|[]]]; apply count_of_moves.
  - intros run [<-|[<-|[]]]; exact estimates_score.
Qed.

(** Near miss: without what its neighbours tell of a bit the level is too small. *)
Example estimates_are_needed : ~ pufferfish (exp 1) (fun v => laplace 1 (count_of v))
  (two_values bool_dec 3) (laws_at_rest mild_chain 3).
Proof.
  intros promise.
  assert (here : laws_at_rest mild_chain 3 (law_of_chain (even, fun _ => mild) 3)).
  { exists (even, fun _ => mild). split; [|easy]. now exists (even, (even, mild)). }
  assert (secrets : two_values bool_dec 3 (record_is bool_dec 1 true) (record_is bool_dec 1 false))
    by now exists 1%nat, true, false.
  specialize (promise _ _ _ 3 here secrets).
  assert (at_ : forall t, t <= 3 -> exp (- Rabs (3 - t) / 1) = exp t * exp (-3)).
  { intros t le. rewrite Rabs_right, <- exp_plus by lra. f_equal. field. }
  pose proof (exp_increasing 0 1 Rlt_0_1) as big. rewrite exp_0 in big.
  pose proof (exp_pos (-3)) as small. revert promise. arithmetic.
  rewrite !Rplus_0_l, !Rplus_0_r, !at_, !exp_plus, exp_0 by lra.
  set (e := exp 1) in *. set (c := exp (-3)) in *. clearbody e c. intros promise.
  specialize (promise ltac:(lra) ltac:(lra)).
  assert (0 < c * e * (e - 1)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (0 < c * e * (e - 1) * e) by (apply Rmult_lt_0_compat; lra). nra.
Qed.

(** The middle bit has a quilt on either side, the first one has none. *)
Example middle_scores : two_sided_score (1 / 2) (1 / 10) 3 level 1 1.
Proof.
  exists 1%nat, 2%nat. split; [lia|]. split; [lia|].
  split; [split; right; simpl; lra|]. exists (ln (27 / 8)). rewrite exp_ln by lra.
  unfold level. split; [|split; [lra|]].
  - unfold told_at_most, over. simpl. destruct (Rlt_dec _ _); lra.
  - replace (ln (27 / 8) + 1 - ln (27 / 8)) with 1 by ring. simpl. lra.
Qed.
Example first_unscored : ~ two_sided_score (1 / 2) (1 / 10) 3 level 1 0.
Proof. apply first_record_unscored. Qed.

(** ** Counts of the first three of six bits and of the last three *)
Lemma count_one l l' j : length l = length l' ->
  (forall k, k <> j -> nth_error l k = nth_error l' k) -> Rabs (count l - count l') <= 1.
Proof.
  revert l' j; induction l as [|x l IH]; intros [|y l'] j len same; try discriminate len.
  - rewrite Rminus_diag_eq, Rabs_R0 by easy. lra.
  - destruct j as [|j].
    + assert (l = l') as <- by (apply list_ext; intros k; apply (same (S k)); easy).
      unfold count; simpl. unfold Rabs; destruct Rcase_abs, x, y; lra.
    + pose proof (same 0%nat ltac:(easy)) as first. injection first as <-.
      assert (le : Rabs (count l - count l') <= 1).
      { apply (IH l' j); [now injection len|]. intros k ne. apply (same (S k)). congruence. }
      unfold count in *; simpl. replace (_ - _) with (sum l (fun x => if x then 1 else 0) -
        sum l' (fun x => if x then 1 else 0)) by ring. exact le.
Qed.
Definition first_three (v : vec bool 6) : R := count (firstn 3 (list_of v)).
Definition last_three (v : vec bool 6) : R := count (skipn 3 (list_of v)).
Lemma first_three_moves : lipschitz_table first_three.
Proof.
  intros j [a [b [c [d [e [f []]]]]]] [a' [b' [c' [d' [e' [f' []]]]]]] one.
  apply (count_one _ _ j); [easy|]. intros k ne.
  destruct k as [|[|[|k]]]; [exact (one 0%nat ne)|exact (one 1%nat ne)|exact (one 2%nat ne)|].
  now destruct k.
Qed.
Lemma last_three_moves : lipschitz_table last_three.
Proof.
  intros j v w one. apply (count_one _ _ (j - 3)).
  - unfold last_three. now rewrite !skipn_length, !list_length.
  - intros k ne. rewrite !nth_skip. destruct (Nat.lt_ge_cases j 3) as [before|].
    + apply one. lia.
    + apply one. lia.
Qed.
Lemma inside_scores j : (1 <= j)%nat -> (S j < 6)%nat ->
  quilt_scores (1 / 2) (1 / 10) 6 level 1 j j (S j).
Proof.
  intros some less. unfold quilt_scores, far, told_at_most.
  replace (S j - j)%nat with 1%nat by lia. split; [split; right; simpl; lra|].
  exists (ln (27 / 8)). rewrite exp_ln by lra. unfold level. split; [|split; [lra|]].
  - destruct (Nat.ltb_spec (S j) 6); [|lia]. destruct j as [|j]; [lia|]. unfold over. simpl.
    destruct (Rlt_dec _ _); lra.
  - replace (ln (27 / 8) + 1 - ln (27 / 8)) with 1 by ring. simpl. lra.
Qed.

Example estimated_segments_used : pufferfish (exp (Rmax level level))
  (both (fun v => laplace 1 (first_three v)) (fun v => laplace 1 (last_three v)))
  (either (two_values_in bool_dec 6 0 2) (two_values_in bool_dec 6 3 5))
  (laws_at_rest mild_chain 6).
Proof.
  apply (estimated_segments bool_dec 6 mild_chain (1 / 2) (1 / 10) 0 2 3 5
    (first_three, level, 1) (last_three, level, 1)).
  - exact mild_gaps.
  - exact first_three_moves.
  - exact last_three_moves.
  - intros v w E. unfold segment in E. simpl in E. unfold asked, first_three; simpl fst.
    now rewrite E.
  - intros v w E. unfold segment in E.
    rewrite !firstn_all2 in E by (rewrite skipn_length, list_length; lia).
    change (count (skipn 3 (list_of v)) = count (skipn 3 (list_of w))). now rewrite E.
  - lia.
  - exists 1%nat, 1%nat, 2%nat. split; [lia|]. apply inside_scores; lia.
  - exists 4%nat, 4%nat, 5%nat. split; [lia|]. apply inside_scores; lia.
Qed.
(** Near miss: a segment of two records has no such quilt. *)
Example two_records_have_none : ~ segment_score (1 / 2) (1 / 10) 6 level 1 0 1.
Proof. intros [j [lo [hi [here _]]]]. lia. Qed.

(** ** The neighbours of a bit, by what each of them tells *)
Lemma left_tells : quilt_within bool_dec (11 / 9) even mild 3 1 3 1 true false.
Proof. intros [[[]|] [[]|]]; by_cases. Qed.
Lemma right_tells : quilt_within bool_dec (11 / 9) even mild 3 0 2 1 true false.
Proof. intros [[[]|] [[]|]]; by_cases. Qed.
Example sides_multiply_used :
  quilt_within bool_dec (11 / 9 * (11 / 9)) even mild 3 1 2 1 true false.
Proof.
  apply sides_multiply; [apply kept|intros; apply kept|lia|lia|exact left_tells|exact right_tells].
Qed.
(** Near miss: both tell more than one of them. *)
Example one_side_is_not_enough : ~ quilt_within bool_dec (11 / 9) even mild 3 1 2 1 true false.
Proof. intros told. specialize (told (Some true, Some true)). revert told. by_cases. Qed.
