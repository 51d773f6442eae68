(** A chain of two values with the eigenvalue 1/10: it is reversible, its gap bounds its powers and
    what its records tell, and without that bound of eigenvalues nothing does. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Eigenvalues Spectrum
  ChainMoments ChainInfluence Gap GapQuilts.
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
