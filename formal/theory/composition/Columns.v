(** Which columns a mechanism can have: what it shows of one output, over all databases. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws.
Open Scope R_scope.

Section Columns.
Context {D : Type} `{Finite D} (pairs : @secret D -> @secret D -> Prop) (priors : (D -> R) -> Prop).
Hypothesis L : laws_only priors.

(** The column u keeps the promise, as an output by itself. *)
Definition keeps ratio (u : D -> R) := pufferfish ratio (fun x (_ : unit) => u x) pairs priors.
(** The mechanism with the columns t u and 1 - t u. *)
Definition two_columns t (u : D -> R) x (w : bool) := if w then t * u x else 1 - t * u x.
(** A multiple that is small enough for both columns at a level. *)
Lemma small_multiple (u : D -> R) ratio : 1 <= ratio -> (forall x, 0 <= u x) -> exists t b,
  0 < t /\ (forall x, u x <= b) /\ t * b <= 1 /\ (1 < ratio -> t * (ratio * b) <= ratio - 1).
Proof.
  intros r1 u0. set (b := 1 + sum all u).
  assert (b1 : 1 <= b) by (pose proof (sum_nonneg all u (fun x _ => u0 x)); unfold b; lra).
  assert (le : forall x, u x <= b).
  { intros x. pose proof (sum_member all u x (fun y _ => u0 y) (all_here x)). unfold b. lra. }
  destruct (Rlt_dec 1 ratio) as [lt|ge].
  - assert (rb : 0 < ratio * b) by (apply Rmult_lt_0_compat; lra).
    exists ((ratio - 1) / (ratio * b)), b.
    split; [apply Rdiv_lt_0_compat; lra|]. split; [exact le|]. split.
    + apply (Rmult_le_reg_r ratio); [lra|].
      replace ((ratio - 1) / (ratio * b) * b * ratio) with (ratio - 1) by (field; lra). lra.
    + intros _. right. field. lra.
  - exists (/ b), b. split; [apply Rinv_0_lt_compat; lra|]. split; [exact le|].
    split; [rewrite Rinv_l; lra|easy].
Qed.
Definition a_column ratio (u : D -> R) := exists t, 0 < t /\ kernel (two_columns t u) /\
  pufferfish ratio (two_columns t u) pairs priors.

Notation told p u s := (Pw p (fun x (_ : unit) => u x) s tt).

Lemma two_told p t u s w : Pw p (two_columns t u) s w =
  if w then t * told p u s else P p s - t * told p u s.
Proof.
  unfold Pw, P, two_columns. destruct w; rewrite <- sum_scale.
  - apply sum_ext; intros; ring.
  - rewrite <- (Rplus_0_r (sum all (inside p s))), <- (Rplus_opp_r
      (Σ x, t * (inside p s x * u x))), <- Rplus_assoc.
    enough (E : (Σ x, inside p s x * (1 - t * u x)) + (Σ x, t * (inside p s x * u x)) =
      sum all (inside p s)) by lra.
    rewrite <- sum_plus. apply sum_ext; intros; ring.
Qed.

Lemma two_kernel t u : (forall x, 0 <= t * u x <= 1) -> kernel (two_columns t u).
Proof.
  intros u1 x. specialize (u1 x). split; [|unfold two_columns; cbn -[IZR]; lra].
  intros []; unfold two_columns; lra.
Qed.

(** What shows of one output whether it occurs keeps the promise, too (worst.lemma0).
    Differs: databases and outputs are finite; any pairs and priors. *)
Theorem one_output_shown ratio {W} `{Finite W} (M : D -> W -> R) w c (u : D -> R) :
  kernel M -> pufferfish ratio M pairs priors -> (forall x, M x w = c * u x) ->
  kernel (two_columns c u) /\ pufferfish ratio (two_columns c u) pairs priors.
Proof.
  intros ker promise E.
  assert (u1 : forall x, 0 <= c * u x <= 1).
  { intros x. destruct (ker x) as [pos <-]. rewrite <- E. split; [apply pos|].
    apply (sum_member all (M x)); [auto|apply all_here]. }
  split; [now apply two_kernel|]. intros p s t v Hp st Ps Pt. rewrite !two_told.
  assert (column : forall r, Pw p M r w = c * told p u r).
  { intros r. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros x _. rewrite E. ring. }
  assert (total : forall r, (Σ v, Pw p M r v) = P p r).
  { intros r. unfold Pw, P. rewrite sum_swap. apply sum_ext; intros x _.
    rewrite sum_scale. destruct (ker x) as [_ ->]. ring. }
  destruct v.
  - rewrite <- !column. now apply promise.
  - rewrite <- !column, <- !total.
    set (d v := ratio * P p s * Pw p M t v - Pw p M s v * P p t).
    assert (d0 : forall v, 0 <= d v) by (intros v; specialize (promise p s t v Hp st Ps Pt);
      unfold d; lra).
    pose proof (sum_member all d w (fun y _ => d0 y) (all_here w)) as least.
    assert (sums : sum all d = ratio * P p s * (Σ v, Pw p M t v) - (Σ v, Pw p M s v) * P p t).
    { unfold d. rewrite <- (sum_scale (ratio * P p s)).
      rewrite (Rmult_comm (Σ v, Pw p M s v)), <- (sum_scale (P p t)).
      generalize (@all W _). intros l. induction l as [|a l IH]; simpl; lra. }
    rewrite sums in least. unfold d in least. rewrite !total in *. lra.
Qed.

(** Two outputs are enough (worst.lemma0): what is, up to scale, a column of some mechanism that
    keeps the promise is a column of one with two outputs.
    Differs: databases and outputs are finite; any pairs and priors. *)
Theorem two_outputs_are_enough ratio {W} `{Finite W} (M : D -> W -> R) w c (u : D -> R) : 0 < c ->
  kernel M -> pufferfish ratio M pairs priors -> (forall x, M x w = c * u x) -> a_column ratio u.
Proof.
  intros c0 ker promise E. exists c. split; [easy|]. now apply (one_output_shown ratio M w).
Qed.

Lemma below_total (u : D -> R) x : (forall x, 0 <= u x) -> u x <= Σ y, u y.
Proof. intros u0. apply (sum_member all u); [auto|apply all_here]. Qed.

Lemma told_at_most p u s b : priors p -> (forall x, u x <= b) -> told p u s <= b * P p s.
Proof.
  intros Hp le. unfold Pw, P. rewrite <- sum_scale. apply sum_le; intros x _.
  pose proof (inside_nonneg p s x (L p Hp)). specialize (le x). nra.
Qed.

(** With t small enough, t u and 1 - t u are columns of a mechanism that keeps a level above 0
    (worst.lemma0).
    Differs: databases are finite; any pairs and priors. *)
Theorem small_enough ratio t (u : D -> R) : 1 < ratio -> 0 < t -> (forall x, 0 <= u x) ->
  t * (ratio * Σ x, u x) <= ratio - 1 -> keeps ratio u ->
  kernel (two_columns t u) /\ pufferfish ratio (two_columns t u) pairs priors.
Proof.
  intros r1 t0 u0 small keep. set (b := Σ y, u y) in *.
  assert (le : forall y, u y <= b) by (intros; now apply below_total).
  assert (b0 : 0 <= b) by (now apply sum_nonneg). split.
  - apply two_kernel. intros y. specialize (le y). specialize (u0 y).
    apply (Rmult_le_compat_l t) in le; [|lra]. pose proof (Rmult_le_pos t b).
    pose proof (Rmult_le_pos t (u y)). nra.
  - intros p s s' v Hp st Ps Pt. rewrite !two_told.
    specialize (keep p s s' tt Hp st Ps Pt). destruct v.
    + apply (Rmult_le_compat_l t) in keep; lra.
    + pose proof (told_at_most p u s' b Hp le) as most.
      assert (from0 : 0 <= told p u s)
        by (apply sum_nonneg; intros y _; apply Rmult_le_pos; auto using inside_nonneg).
      assert (ratio * P p s * (t * told p u s') <= (ratio - 1) * P p s * P p s').
      { apply (Rmult_le_compat_r (P p s * P p s')) in small; [|apply Rmult_le_pos; lra].
        apply (Rmult_le_compat_l (ratio * P p s * t)) in most; [lra|].
        repeat apply Rmult_le_pos; lra. }
      assert (0 <= t * told p u s * P p s') by (repeat apply Rmult_le_pos; lra). lra.
Qed.

(** For a level above 0 every column of the cone is one (worst.lemma0).
    Differs: databases are finite; any pairs and priors. *)
Theorem larger_budgets ratio (u : D -> R) : 1 < ratio -> (forall x, 0 <= u x) ->
  (exists x, 0 < u x) -> keeps ratio u -> a_column ratio u.
Proof.
  intros r1 u0 [x ux] keep. set (b := Σ y, u y).
  assert (b0 : 0 < b) by (pose proof (below_total u x u0); unfold b; lra).
  assert (rb : 0 < ratio * b) by (apply Rmult_lt_0_compat; lra).
  exists ((ratio - 1) / (ratio * b)). assert (t0 : 0 < (ratio - 1) / (ratio * b)).
  { apply Rdiv_lt_0_compat; lra. }
  split; [easy|]. apply small_enough; auto. fold b. right. field. split; lra.
Qed.

(** What a column tells is the same given both secrets of every pair. *)
Definition tells_nothing (u : D -> R) := forall p s t, priors p -> pairs s t -> 0 < P p s ->
  0 < P p t -> told p u s * P p t = P p s * told p u t.

(** At level 0, t u and 1 - t u are columns of a mechanism that keeps it exactly if u tells nothing
    (worst.lemma0).
    Differs: databases are finite; any pairs and priors. *)
Theorem equations_only t (u : D -> R) : 0 < t ->
  pufferfish 1 (two_columns t u) pairs priors <-> tells_nothing u.
Proof.
  intros t0. split.
  - intros promise p s s' Hp st Ps Pt.
    pose proof (promise p s s' true Hp st Ps Pt) as one.
    pose proof (promise p s s' false Hp st Ps Pt) as zero. rewrite !two_told in one, zero.
    apply (Rmult_eq_reg_l t); lra.
  - intros same p s s' w Hp st Ps Pt. rewrite !two_told. specialize (same p s s' Hp st Ps Pt).
    apply (f_equal (Rmult t)) in same. destruct w; lra.
Qed.

Lemma small_kernel t (u : D -> R) : 0 < t -> (forall x, 0 <= u x) -> t * (Σ x, u x) <= 1 ->
  kernel (two_columns t u).
Proof.
  intros t0 u0 small. apply two_kernel. intros x. pose proof (Rmult_le_pos t (u x)).
  specialize (u0 x) as ux.
  pose proof (Rmult_le_compat_l t _ _ (Rlt_le _ _ t0) (below_total u x u0)). lra.
Qed.

(** At level 0 a column is one exactly if it tells nothing: for pairs in both orders that is all of
    the cone (worst.lemma0).
    Differs: databases are finite; any pairs and priors. *)
Theorem zero_budgets (u : D -> R) : (forall x, 0 <= u x) -> (exists x, 0 < u x) ->
  a_column 1 u <-> tells_nothing u.
Proof.
  intros u0 [x ux]. split; [intros [c [c0 [_ promise]]]; now apply (equations_only c)|].
  intros same. assert (b0 : 0 < Σ y, u y) by (pose proof (below_total u x u0); lra).
  pose proof (Rinv_0_lt_compat _ b0). exists (/ Σ y, u y). split; [easy|].
  split; [|now apply equations_only]. apply small_kernel; auto. rewrite Rinv_l; lra.
Qed.
End Columns.
