(** Streams with a positive shift delta: sets of tuples of outputs (streaming_cw, theorem 4 as
    repaired). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts Streams Regions.
Import ListNotations.
Open Scope R_scope.

(** The sum of the first n values. *)
Fixpoint before (f : nat -> R) n : R := match n with O => 0 | S n => before f n + f n end.

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

(** A set of vectors as a set of lists. *)
Fixpoint listed {W} m : (vec W m -> bool) -> list W -> bool := match m with
  O => fun T _ => T tt
  | S m => fun T l => match l with [] => false | y :: l => listed m (fun v => T (y, v)) l end end.
Lemma listed_same {W} m (T : vec W m -> bool) v : listed m T (list_of v) = T v.
Proof.
  induction m as [|m IH]; simpl; [now destruct v|]. now rewrite IH, <- surjective_pairing.
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

Lemma one_more_set G L r delta n S z z' : 0 <= G -> 0 <= L -> 0 <= r ->
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
    apply Rmin_glb; [lra|]. apply Rmult_le_pos; [easy|apply c0]. }
  assert (capped : forall y b, 0 < p n b ->
    set_given K0 n (after S y) (earlier B b z) <= m y + L).
  { intros y b pos. destruct (set_given_01 K0 n (after S y) (earlier B b z) L0) as [_ x1].
    assert (set_given K0 n (after S y) (earlier B b z) <= G * least n (f y) + L).
    { apply (least_holds (fun c => set_given K0 n (after S y) (earlier B b z) <= G * c + L));
        [|intros b' pos'; now apply past].
      eapply Rle_trans; [apply (past (after S y) b b pos pos)|]. apply Rplus_le_compat_r.
      apply Rmult_le_compat_l; [easy|now apply set_given_01]. }
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
  apply Rmult_le_compat_l; [easy|now apply least_below].
Qed.

(** Step k keeps r and delta for all sets of outputs, at z on one side and z' on the other. *)
Definition sets_of_step k r delta z z' :=
  near r delta (fun y => one_step p B K0 k y z) (fun y => one_step p B K1 k y z').
(** The outputs of n windows keep r and delta for all sets of tuples, given z. *)
Definition sets_of_outputs n r delta z := near r delta
  (fun v : vec W n => given p B K0 n (list_of v) z) (fun v => given p B K1 n (list_of v) z).
(** Each of the first n steps keeps its level and its shift, whatever the known blocks are. *)
Definition sets_of_steps (gamma delta : nat -> R) n := forall k, (k < n)%nat -> forall z z',
  known p B (S k) z -> known p B (S k) z' -> sets_of_step k (exp (gamma k)) (delta k) z z'.

Lemma weight_as_set {X} `{Finite X} (f : X -> R) T :
  weight_in f T = Σ x, indicator (T x) * f x.
Proof. apply sum_ext; intros x _. destruct (T x); simpl; ring. Qed.

Lemma sets_by_indicators k r delta z z' : sets_of_step k r delta z z' ->
  forall T, set_step K0 k T z <= r * set_step K1 k T z' + delta.
Proof. intros keeps T. specialize (keeps T). rewrite !weight_as_set in keeps. exact keeps. Qed.

(** The empty set of outputs says that a shift is not negative. *)
Lemma shift_nonneg k r delta z z' : sets_of_step k r delta z z' -> 0 <= delta.
Proof.
  intros keeps. specialize (keeps (fun _ => false)). unfold weight_in in keeps.
  rewrite !sum_0 in keeps. lra.
Qed.

Lemma all_steps gamma delta n : sets_of_steps gamma delta n ->
  forall z, known p B n z -> 0 <= before delta n /\ forall S z', known p B n z' ->
  set_given K0 n S z <= exp (before gamma n) * set_given K1 n S z' + before delta n.
Proof.
  induction n as [|n IH]; intros near_steps z kz.
  - split; [simpl; lra|]. intros S z' _. unfold set_given; simpl.
    rewrite !given_none, exp_0. lra.
  - assert (past := fun z kz => IH (fun k lt => near_steps k (Nat.lt_lt_succ_r _ _ lt)) z kz).
    assert (shift : 0 <= delta n) by (apply (shift_nonneg n (exp (gamma n)) _ z z); auto).
    assert (L : 0 <= before delta n).
    { destruct (some_block p Lp n) as [b pos].
      apply (past (earlier B b z)). now apply earlier_known. }
    split; [simpl; lra|]. intros S z' kz'. simpl. rewrite exp_plus, <- Nat.add_1_r.
    apply one_more_set; [left; apply exp_pos|easy|left; apply exp_pos| |].
    + intros T b b' pos pos'. apply past; now apply earlier_known.
    + apply sets_by_indicators, near_steps; auto.
Qed.

Lemma one_direction gamma eps delta n S z : sets_of_steps gamma delta n ->
  sets_of_step n (exp eps) (delta n) z z -> known p B (n + 1) z -> set_given K0 (n + 1) S z <=
  exp (before gamma n + eps) * set_given K1 (n + 1) S z + before delta (Datatypes.S n).
Proof.
  intros past same kz. rewrite Nat.add_1_r in kz. simpl before. rewrite exp_plus.
  apply one_more_set; [left; apply exp_pos| |left; apply exp_pos| |].
  - destruct (some_block p Lp n) as [b pos].
    apply (all_steps gamma delta n past (earlier B b z)). now apply earlier_known.
  - intros T b b' pos pos'. apply (all_steps gamma delta n past); now apply earlier_known.
  - now apply sets_by_indicators.
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

Lemma step_at_windows b K0 K1 k r delta z z' : known p B (S k) z -> known p B (S k) z' ->
  sets_of_step K0 K1 k r delta z z' ->
  sets_of_step (at_windows B b K0) (at_windows B b K1) k r delta z z'.
Proof.
  intros [len _] [len' _] keeps T. specialize (keeps T). unfold weight_in in *.
  rewrite (sum_ext all _ (fun y => if T y then one_step p B K0 k y z else 0)),
    (sum_ext all (fun y => if T y then one_step p B (at_windows B b K1) k y z' else 0)
      (fun y => if T y then one_step p B K1 k y z' else 0)); [easy|intros y _..];
    now rewrite one_step_at_windows.
Qed.

(** Theorem 4 of streaming_cw, repaired (streaming_cw.thm4-repaired), with a level and a shift for
    each step: if step k < n keeps (gamma k, delta k) for all sets of
    outputs and all pairs of possible known blocks, and step n keeps (eps, delta n) where the known
    blocks are z on both sides, then given z the n + 1 outputs keep the sums of levels and of shifts
    for all sets of tuples. The exchanged inequality is that for K1 and K0.
    Differs: repaired: the print takes delta at one slope only; alternatives are drawn for each
    window on its own; levels, shifts and the mechanism may be others at each step, and levels of
    any sign; blocks and outputs are finite; priv is left out. *)
Theorem streaming_theorem4 K0 K1 gamma eps delta n z : laws_at_windows K0 -> laws_at_windows K1 ->
  sets_of_steps K0 K1 gamma delta n -> known p B (S n) z ->
  sets_of_step K0 K1 n (exp eps) (delta n) z z ->
  sets_of_outputs K0 K1 (S n) (exp (before gamma n + eps)) (before delta (S n)) z.
Proof.
  intros L0 L1 past kz last T. destruct (some_block p Lp 0) as [b _].
  set (S := listed (Datatypes.S n) T).
  assert (as_set : forall K, weight_in (fun v : vec W (Datatypes.S n) =>
    given p B K (Datatypes.S n) (list_of v) z) T = set_given (at_windows B b K) (n + 1) S z).
  { intros K. rewrite set_given_at_windows by apply kz. rewrite Nat.add_1_r, weight_as_set.
    apply sum_ext; intros v _. unfold S. now rewrite listed_same. }
  rewrite !as_set. apply one_direction.
  - now apply at_windows_all.
  - now apply at_windows_all.
  - intros k lt z1 z2 k1 k2. apply step_at_windows; auto.
  - apply step_at_windows; auto.
  - now rewrite Nat.add_1_r.
Qed.
End Shifts.
