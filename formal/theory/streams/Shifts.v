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
Context {Block W : Type} `{Finite Block} `{Finite W} (p : nat -> Block -> R) (B : nat).
Hypothesis Lp : forall j, law (p j).

(** The probability that the outputs of n windows lie in S, given that the stream ends with z; and
    that the output of step k lies in T. *)
Definition set_given K n (S : list W -> bool) z :=
  Σ v : vec W n, indicator (S (list_of v)) * given p B K n (list_of v) z.
Definition set_step K k (T : W -> bool) z := Σ y, indicator (T y) * one_step p B K k y z.
Definition after (S : list W -> bool) y : list W -> bool := fun ys => S (ys ++ [y]).

Lemma set_given_snoc K n S z : set_given K (n + 1) S z =
  Σ y, Σ b, p n b * K n (firstn B (b :: z)) y * set_given K n (after S y) (earlier B b z).
Proof.
  unfold set_given. rewrite (Sum_join n 1).
  transitivity (Σ u : vec W n, Σ y, Σ b, p n b * K n (firstn B (b :: z)) y *
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
  intros LK. unfold one_step. rewrite sum_swap. destruct (Lp k) as [_ <-].
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

Section Directions.
Context (K0 K1 : nat -> list Block -> W -> R).
Hypotheses (L0 : forall k l, law (K0 k l)) (L1 : forall k l, law (K1 k l)).

(** The least value at possible blocks j, or 1. *)
Definition least j (f : Block -> R) : R :=
  fold_right (fun b low => if Rlt_dec 0 (p j b) then Rmin (f b) low else low) 1 all.

Lemma least_below j f b : 0 < p j b -> least j f <= f b.
Proof.
  intros pos. unfold least. generalize (@all_here Block _ b).
  induction all as [|a l IH]; simpl; [easy|]. intros [->|i].
  - destruct Rlt_dec; [apply Rmin_l|easy].
  - destruct Rlt_dec; [|auto]. eapply Rle_trans; [apply Rmin_r|auto].
Qed.

Lemma least_holds (Q : R -> Prop) j f : Q 1 -> (forall b, 0 < p j b -> Q (f b)) -> Q (least j f).
Proof.
  intros one each. unfold least. induction all as [|a l IH]; simpl; [easy|].
  destruct Rlt_dec; [|easy]. unfold Rmin. destruct Rle_dec; auto.
Qed.

Lemma one_more_set G L r delta n S z z' : 1 <= G -> 0 <= L -> 0 <= r ->
  (forall S b b', 0 < p n b -> 0 < p n b' -> set_given K0 n S (earlier B b z) <=
    G * set_given K1 n S (earlier B b' z') + L) ->
  (forall T, set_step K0 n T z <= r * set_step K1 n T z' + delta) ->
  set_given K0 (n + 1) S z <= G * r * set_given K1 (n + 1) S z' + (L + delta).
Proof.
  intros G1 L00 r0 past now_. rewrite !set_given_snoc.
  set (f := fun y b => set_given K1 n (after S y) (earlier B b z')).
  set (m := fun y => Rmin 1 (G * least n (f y))).
  assert (c0 : forall y, 0 <= least n (f y)).
  { intros y. apply (least_holds (fun c => 0 <= c)); [lra|]. intros b _. now apply set_given_01. }
  assert (m01 : forall y, 0 <= m y <= 1).
  { intros y. unfold m. split; [|apply Rmin_l].
    apply Rmin_glb; [lra|]. apply Rmult_le_pos; [lra|apply c0]. }
  assert (capped : forall y b, 0 < p n b ->
    set_given K0 n (after S y) (earlier B b z) <= m y + L).
  { intros y b pos. destruct (set_given_01 K0 n (after S y) (earlier B b z) L0) as [_ x1].
    assert (set_given K0 n (after S y) (earlier B b z) <= G * least n (f y) + L).
    { apply (least_holds (fun c => set_given K0 n (after S y) (earlier B b z) <= G * c + L));
        [lra|]. intros b' pos'. now apply past. }
    unfold m, Rmin. destruct Rle_dec; lra. }
  assert (weigh : forall (K : nat -> list Block -> W -> R) b w y u v, (forall k l, law (K k l)) ->
    (0 < p n b -> u <= v) ->
    p n b * K n w y * u <= p n b * K n w y * v).
  { intros K b w y u v LK le. destruct (Lp n) as [p0 _]. specialize (p0 b).
    destruct (Rle_lt_or_eq_dec 0 (p n b) p0) as [pos|<-]; [|lra].
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [easy|apply LK]|auto]. }
  apply Rle_trans with ((Σ y, m y * one_step p B K0 n y z) + L).
  { rewrite <- (Rmult_1_r L), <- (one_step_total K0 n z L0), <- sum_scale, <- sum_plus.
    apply sum_le; intros y _. unfold one_step. rewrite <- !sum_scale, <- sum_plus.
    apply sum_le; intros b _.
    rewrite <- Rmult_plus_distr_r, (Rmult_comm (m y + L)). apply weigh; [easy|]. apply capped. }
  pose proof (weights_for_sets (fun y => one_step p B K0 n y z) (fun y => one_step p B K1 n y z')
    r delta now_ m m01) as step.
  enough ((Σ y, m y * one_step p B K1 n y z') <=
    G * Σ y, Σ b, p n b * K1 n (firstn B (b :: z')) y * f y b) as back.
  { apply (Rmult_le_compat_l r) in back; [|easy]. unfold f in back. lra. }
  rewrite <- sum_scale. apply sum_le; intros y _. unfold one_step. rewrite <- !sum_scale.
  apply sum_le; intros b _.
  rewrite (Rmult_comm (m y)).
  replace (G * (p n b * K1 n (firstn B (b :: z')) y * f y b))
    with (p n b * K1 n (firstn B (b :: z')) y * (G * f y b)) by ring.
  apply weigh; [easy|]. intros pos. eapply Rle_trans; [apply Rmin_r|].
  apply Rmult_le_compat_l; [lra|now apply least_below].
Qed.

(** One step keeps r and delta for all sets of outputs, whatever the known blocks are, or where they
    are the same on both sides. *)
Definition step_keeps r delta (same : bool) := forall k T z z', known p B (S k) z ->
  known p B (S k) z' -> (same = true -> z = z') ->
  set_step K0 k T z <= r * set_step K1 k T z' + delta.

Lemma all_steps gamma delta n : 0 <= gamma -> 0 <= delta -> step_keeps (exp gamma) delta false ->
  forall S z z', known p B n z -> known p B n z' ->
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
    + intros T b b' pos pos'. apply IH; now apply earlier_known.
    + intros T. apply near; easy.
Qed.

(** The empty set of outputs says that a shift is not negative. *)
Lemma shift_nonneg r delta same n z : step_keeps r delta same -> known p B (S n) z -> 0 <= delta.
Proof.
  intros keeps kz. specialize (keeps n (fun _ => false) z z kz kz (fun _ => eq_refl)).
  assert (none : forall K, set_step K n (fun _ => false) z = 0).
  { intros K. unfold set_step, indicator. rewrite (sum_ext all _ (fun _ => 0)), sum_0; [easy|].
    intros; ring. }
  rewrite !none in keeps. lra.
Qed.

Lemma one_direction gamma eps delta n S z : 0 <= gamma ->
  step_keeps (exp gamma) delta false -> step_keeps (exp eps) delta true ->
  known p B (n + 1) z -> set_given K0 (n + 1) S z <=
  exp (eps + INR n * gamma) * set_given K1 (n + 1) S z + INR (n + 1) * delta.
Proof.
  intros g0 near same kz. rewrite Nat.add_1_r in kz.
  pose proof (shift_nonneg _ _ _ _ _ same kz) as d0.
  rewrite plus_INR, Rmult_plus_distr_r, (Rplus_comm eps), exp_plus.
  simpl (INR 1). rewrite Rmult_1_l.
  assert (0 <= INR n * gamma) by (apply Rmult_le_pos; [apply pos_INR|easy]).
  apply one_more_set.
  - rewrite <- exp_0. destruct H1 as [pos|<-]; [left; now apply exp_increasing|lra].
  - apply Rmult_le_pos; [apply pos_INR|easy].
  - left; apply exp_pos.
  - intros T b b' pos pos'. apply all_steps; auto; now apply earlier_known.
  - intros T. apply same; easy.
Qed.
End Directions.

(** The rows of windows are laws. *)
Definition laws_at_windows (K : nat -> list Block -> W -> R) :=
  forall k l, length l = B -> law (K k l).

Lemma set_given_at_windows b K n S z : length z = (B - 1)%nat ->
  set_given (at_windows B b K) n S z = set_given K n S z.
Proof.
  intros len. apply sum_ext; intros v _.
  now rewrite given_at_windows by (easy || apply list_length).
Qed.

Lemma set_step_at_windows b K k T z : length z = (B - 1)%nat ->
  set_step (at_windows B b K) k T z = set_step K k T z.
Proof. intros len. apply sum_ext; intros y _. now rewrite one_step_at_windows. Qed.

Lemma step_keeps_at_windows b K0 K1 r delta same : step_keeps K0 K1 r delta same ->
  step_keeps (at_windows B b K0) (at_windows B b K1) r delta same.
Proof.
  intros keeps k T z z' kz kz' eq. specialize (keeps k T z z' kz kz' eq).
  now rewrite !set_step_at_windows by (apply kz || apply kz').
Qed.

(** Theorem 4 of streaming_cw, repaired (streaming_cw.thm4-repaired): if every step keeps (gamma,
    delta) for all pairs of possible known blocks, and (eps, delta) where they are the same, in both
    directions, then n + 1 outputs keep (eps + n gamma, (n + 1) delta) in both directions.
    Differs: repaired: the print takes delta at one slope only; alternatives are drawn for each
    window on its own, and the mechanism may be another at each step; blocks and outputs are finite;
    priv is left out. *)
Theorem streaming_theorem4 K0 K1 gamma eps delta n S z :
  laws_at_windows K0 -> laws_at_windows K1 -> 0 <= gamma ->
  step_keeps K0 K1 (exp gamma) delta false -> step_keeps K1 K0 (exp gamma) delta false ->
  step_keeps K0 K1 (exp eps) delta true -> step_keeps K1 K0 (exp eps) delta true ->
  known p B (n + 1) z ->
  set_given K0 (n + 1) S z <=
    exp (eps + INR n * gamma) * set_given K1 (n + 1) S z + INR (n + 1) * delta /\
  set_given K1 (n + 1) S z <=
    exp (eps + INR n * gamma) * set_given K0 (n + 1) S z + INR (n + 1) * delta.
Proof.
  intros L0 L1 g0 near near' same same' kz. destruct (some_block p Lp 0) as [b _].
  rewrite <- (set_given_at_windows b K0), <- (set_given_at_windows b K1) by apply kz.
  split; apply one_direction; try easy; try (apply at_windows_all; assumption);
    now apply step_keeps_at_windows.
Qed.
End Shifts.
