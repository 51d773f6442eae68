(** Streams with a positive shift delta: sets of tuples of outputs (streaming_cw, theorem 4 as
    repaired). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts Streams.
Import ListNotations.
Open Scope R_scope.

Definition indicator (b : bool) : R := if b then 1 else 0.

(** What holds for sets holds for weights between 0 and 1. *)
Lemma weights_for_sets {W} `{Finite W} (a b : W -> R) r delta :
  (forall T : W -> bool,
    (Σ y, indicator (T y) * a y) <= r * (Σ y, indicator (T y) * b y) + delta) ->
  forall h : W -> R, (forall y, 0 <= h y <= 1) ->
  (Σ y, h y * a y) <= r * (Σ y, h y * b y) + delta.
Proof.
  intros sets h h01. specialize (sets (fun y => if Rlt_dec (r * b y) (a y) then true else false)).
  set (T := fun y => if Rlt_dec (r * b y) (a y) then true else false) in *.
  assert (diff : forall k : W -> R,
    (Σ y, k y * a y) - r * (Σ y, k y * b y) = Σ y, k y * (a y - r * b y)).
  { intros k. rewrite (sum_ext all (fun y => k y * (a y - r * b y))
      (fun y => k y * a y + - r * (k y * b y))) by (intros; ring).
    rewrite sum_plus, sum_scale. ring. }
  enough ((Σ y, h y * (a y - r * b y)) <= Σ y, indicator (T y) * (a y - r * b y)).
  { rewrite <- !diff in *. lra. }
  apply sum_le; intros y _. specialize (h01 y). unfold T, indicator.
  destruct (Rlt_dec (r * b y) (a y)).
  - apply Rmult_le_compat_r; lra.
  - rewrite Rmult_0_l. replace 0 with (h y * 0) by ring. apply Rmult_le_compat_l; lra.
Qed.

Section Shifts.
Context {Block W : Type} `{Finite Block} `{Finite W} (p : Block -> R) (B : nat).
Hypothesis Lp : law p.

(** The probability that the outputs of n windows lie in S, given that the stream ends with z; and
    that the output of step k lies in T. *)
Definition set_given K n (S : list W -> bool) z :=
  Σ v : vec W n, indicator (S (list_of v)) * given p B K n (list_of v) z.
Definition set_step K k (T : W -> bool) z := Σ y, indicator (T y) * one_step p B K k y z.
Definition after (S : list W -> bool) y : list W -> bool := fun ys => S (ys ++ [y]).

Lemma set_given_snoc K n S z : set_given K (n + 1) S z =
  Σ y, Σ b, p b * K n (firstn B (b :: z)) y * set_given K n (after S y) (earlier B b z).
Proof.
  unfold set_given. rewrite (Sum_join n 1).
  transitivity (Σ u : vec W n, Σ y, Σ b, p b * K n (firstn B (b :: z)) y *
    (indicator (S (list_of u ++ [y])) * given p B K n (list_of u) (earlier B b z))).
  - apply sum_ext; intros u _.
    transitivity (Σ y, Σ e : unit, indicator (S (list_of (join u ((y, e) : vec W 1)))) *
      given p B K (n + 1) (list_of (join u ((y, e) : vec W 1))) z).
    { apply (@Sum_pairs W unit _ _ (fun v : vec W 1 => indicator (S (list_of (join u v))) *
        given p B K (n + 1) (list_of (join u v)) z)). }
    apply sum_ext; intros y _. simpl. rewrite Rplus_0_r, list_join. simpl.
    rewrite (given_snoc p B K n) by apply list_length. rewrite <- sum_scale.
    apply sum_ext; intros b _. ring.
  - rewrite sum_swap. apply sum_ext; intros y _. rewrite sum_swap. apply sum_ext; intros b _.
    rewrite sum_scale. reflexivity.
Qed.

Lemma one_step_total K k z : (forall k l, law (K k l)) -> (Σ y, one_step p B K k y z) = 1.
Proof.
  intros LK. unfold one_step. rewrite sum_swap. destruct Lp as [_ <-].
  apply sum_ext; intros b _. rewrite sum_scale. destruct (LK k (firstn B (b :: z))) as [_ one].
  rewrite one. ring.
Qed.

Lemma one_step_nonneg K k y z : (forall k l, law (K k l)) -> 0 <= one_step p B K k y z.
Proof.
  intros LK. apply sum_nonneg; intros b _. apply Rmult_le_pos; [apply Lp|apply LK].
Qed.

Lemma indicator_01 b : 0 <= indicator b <= 1.
Proof. destruct b; simpl; lra. Qed.

Lemma set_given_01 K n S z : (forall k l, law (K k l)) -> 0 <= set_given K n S z <= 1.
Proof.
  intros LK. revert S z; induction n as [|n IH]; intros S z.
  - unfold set_given; simpl. rewrite given_none. pose proof (indicator_01 (S [])). lra.
  - rewrite <- Nat.add_1_r, set_given_snoc. split.
    + apply sum_nonneg; intros y _. apply sum_nonneg; intros b _.
      apply Rmult_le_pos; [|apply IH]. apply Rmult_le_pos; [apply Lp|apply LK].
    + rewrite <- (one_step_total K n z LK). apply sum_le; intros y _. unfold one_step.
      apply sum_le; intros b _. rewrite <- Rmult_1_r. apply Rmult_le_compat_l; [|apply IH].
      apply Rmult_le_pos; [apply Lp|apply LK].
Qed.

Context (K0 K1 : nat -> list Block -> W -> R).
Hypotheses (L0 : forall k l, law (K0 k l)) (L1 : forall k l, law (K1 k l)).

(** The least value, or 1. *)
Definition least (f : Block -> R) : R := fold_right (fun b => Rmin (f b)) 1 all.

Lemma least_below f b : least f <= f b.
Proof.
  unfold least. generalize (@all_here Block _ b). induction all as [|a l IH]; simpl; [easy|].
  intros [->|i]; [apply Rmin_l|]. eapply Rle_trans; [apply Rmin_r|auto].
Qed.

Lemma least_holds (Q : R -> Prop) f : Q 1 -> (forall b, Q (f b)) -> Q (least f).
Proof.
  intros one each. unfold least. induction all as [|a l IH]; simpl; [easy|].
  unfold Rmin. destruct Rle_dec; auto.
Qed.

Lemma one_more_set G L r delta n S z z' : 1 <= G -> 0 <= L -> 0 <= r ->
  (forall S b b', set_given K0 n S (earlier B b z) <=
    G * set_given K1 n S (earlier B b' z') + L) ->
  (forall T, set_step K0 n T z <= r * set_step K1 n T z' + delta) ->
  set_given K0 (n + 1) S z <= G * r * set_given K1 (n + 1) S z' + (L + delta).
Proof.
  intros G1 L00 r0 past now_. rewrite !set_given_snoc.
  set (f := fun y b => set_given K1 n (after S y) (earlier B b z')).
  set (m := fun y => Rmin 1 (G * least (f y))).
  assert (c0 : forall y, 0 <= least (f y)).
  { intros y. apply (least_holds (fun c => 0 <= c)); [lra|]. intros b. now apply set_given_01. }
  assert (m01 : forall y, 0 <= m y <= 1).
  { intros y. unfold m. split; [|apply Rmin_l].
    apply Rmin_glb; [lra|]. apply Rmult_le_pos; [lra|apply c0]. }
  assert (capped : forall y b, set_given K0 n (after S y) (earlier B b z) <= m y + L).
  { intros y b. destruct (set_given_01 K0 n (after S y) (earlier B b z) L0) as [_ x1].
    assert (set_given K0 n (after S y) (earlier B b z) <= G * least (f y) + L).
    { apply (least_holds (fun c => set_given K0 n (after S y) (earlier B b z) <= G * c + L));
        [lra|]. intros b'. apply past. }
    unfold m, Rmin. destruct Rle_dec; lra. }
  apply Rle_trans with ((Σ y, m y * one_step p B K0 n y z) + L).
  { rewrite <- (Rmult_1_r L), <- (one_step_total K0 n z L0), <- sum_scale, <- sum_plus.
    apply sum_le; intros y _. unfold one_step. rewrite <- !sum_scale, <- sum_plus.
    apply sum_le; intros b _.
    rewrite <- Rmult_plus_distr_r, Rmult_comm. apply Rmult_le_compat_r; [|apply capped].
    apply Rmult_le_pos; [apply Lp|apply L0]. }
  pose proof (weights_for_sets (fun y => one_step p B K0 n y z) (fun y => one_step p B K1 n y z')
    r delta now_ m m01) as step.
  enough ((Σ y, m y * one_step p B K1 n y z') <=
    G * Σ y, Σ b, p b * K1 n (firstn B (b :: z')) y * f y b) as back.
  { apply (Rmult_le_compat_l r) in back; [|easy]. unfold f in back. lra. }
  rewrite <- sum_scale. apply sum_le; intros y _. unfold one_step. rewrite <- !sum_scale.
  apply sum_le; intros b _.
  assert (w0 : 0 <= p b * K1 n (firstn B (b :: z')) y)
    by (apply Rmult_le_pos; [apply Lp|apply L1]).
  replace (G * (p b * K1 n (firstn B (b :: z')) y * f y b))
    with (G * f y b * (p b * K1 n (firstn B (b :: z')) y)) by ring.
  apply Rmult_le_compat_r; [easy|]. eapply Rle_trans; [apply Rmin_r|].
  apply Rmult_le_compat_l; [lra|apply least_below].
Qed.

(** One step keeps r and delta for all sets of outputs, whatever the known blocks are, or where they
    are the same on both sides. *)
Definition step_keeps r delta (same : bool) := forall k T z z', known B z -> known B z' ->
  (same = true -> z = z') -> set_step K0 k T z <= r * set_step K1 k T z' + delta.

Lemma all_steps gamma delta n : 0 <= gamma -> 0 <= delta -> step_keeps (exp gamma) delta false ->
  forall S z z', known B z -> known B z' ->
  set_given K0 n S z <= exp (INR n * gamma) * set_given K1 n S z' + INR n * delta.
Proof.
  intros g0 d0 near. induction n as [|n IH]; intros S z z' kz kz'.
  - unfold set_given; simpl. rewrite !given_none, Rmult_0_l, exp_0. lra.
  - rewrite S_INR, !Rmult_plus_distr_r, !Rmult_1_l, exp_plus, <- Nat.add_1_r.
    assert (0 <= INR n * gamma) by (apply Rmult_le_pos; [apply pos_INR|easy]).
    apply one_more_set.
    + rewrite <- exp_0. destruct H1 as [pos|<-]; [left; now apply exp_increasing|lra].
    + apply Rmult_le_pos; [apply pos_INR|easy].
    + left; apply exp_pos.
    + intros T b b'. apply IH; now apply earlier_known.
    + intros T. apply near; easy.
Qed.

(** Theorem 4 of streaming_cw, repaired (streaming_cw.thm4-repaired): if every step keeps (gamma,
    delta) for all pairs of known blocks, and (eps, delta) where they are the same, then n + 1
    outputs keep (eps + n gamma, (n + 1) delta). The other direction is the same with K0 and K1
    exchanged.
    Differs: repaired: the print takes delta at one slope only; all blocks have one law; the
    hypotheses are asked also where z is impossible; alternatives are drawn for each window on its
    own; blocks and outputs are finite; priv is left out. *)
Theorem streaming_theorem4 gamma eps delta n S z : 0 <= gamma -> 0 <= delta ->
  step_keeps (exp gamma) delta false -> step_keeps (exp eps) delta true -> known B z ->
  set_given K0 (n + 1) S z <=
  exp (eps + INR n * gamma) * set_given K1 (n + 1) S z + INR (n + 1) * delta.
Proof.
  intros g0 d0 near same kz.
  rewrite plus_INR, Rmult_plus_distr_r, (Rplus_comm eps), exp_plus.
  simpl (INR 1). rewrite Rmult_1_l.
  assert (0 <= INR n * gamma) by (apply Rmult_le_pos; [apply pos_INR|easy]).
  apply one_more_set.
  - rewrite <- exp_0. destruct H1 as [pos|<-]; [left; now apply exp_increasing|lra].
  - apply Rmult_le_pos; [apply pos_INR|easy].
  - left; apply exp_pos.
  - intros T b b'. apply all_steps; auto; now apply earlier_known.
  - intros T. apply same; easy.
Qed.
End Shifts.
