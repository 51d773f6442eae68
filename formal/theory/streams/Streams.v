(** A stream of independent blocks, seen through windows that move by one block at each step.

    The blocks z that are known are the last ones: all but the oldest block of the last window. The
    alternative of each window is drawn for itself, so that with it the mechanism is another kernel
    on windows. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts.
Import ListNotations.
Open Scope R_scope.

Section Streams.
Context {Block W : Type} `{Finite Block} `{Finite W} (p : Block -> R) (B : nat).

(** What a kernel on windows says of the outputs ys, from the oldest window of a stream on; k counts
    steps. *)
Fixpoint answers (K : nat -> list Block -> W -> R) k (stream : list Block) (ys : list W) : R :=
  match ys with [] => 1
  | y :: ys => K k (firstn B stream) y * answers K (S k) (tl stream) ys end.
Fixpoint weight (l : list Block) : R := match l with [] => 1 | b :: l => p b * weight l end.

(** The probability of the outputs ys of n windows, given that the stream ends with z: the n older
    blocks are drawn from p, each for itself. *)
Definition given (K : nat -> list Block -> W -> R) n (ys : list W) (z : list Block) : R :=
  Σ u : vec Block n, weight (list_of u) * answers K 0 (list_of u ++ z) ys.
(** That of one output of step k. *)
Definition one_step (K : nat -> list Block -> W -> R) k (y : W) (z : list Block) : R :=
  Σ b, p b * K k (firstn B (b :: z)) y.
(** The known blocks before the last step. *)
Definition earlier b (z : list Block) := firstn (B - 1) (b :: z).

Lemma weight_app l m : weight (l ++ m) = weight l * weight m.
Proof. induction l; simpl; [lra|rewrite IHl; ring]. Qed.

Lemma firstn_known k (u z : list Block) : firstn k (u ++ z) = firstn k (u ++ firstn k z).
Proof.
  rewrite !firstn_app, firstn_firstn. f_equal. f_equal. lia.
Qed.

Lemma answers_known K k u z ys : length u = length ys ->
  answers K k (u ++ z) ys = answers K k (u ++ firstn (B - 1) z) ys.
Proof.
  revert k u; induction ys as [|y ys IH]; intros k [|b u] len; simpl in *; try easy.
  rewrite <- IH by congruence. f_equal. f_equal. destruct B as [|n]; [easy|].
  simpl. f_equal. rewrite Nat.sub_0_r. apply firstn_known.
Qed.

Lemma answers_snoc K k u z ys y : length u = length ys ->
  answers K k (u ++ z) (ys ++ [y]) = answers K k (u ++ z) ys * K (length ys + k)%nat (firstn B z) y.
Proof.
  revert k u; induction ys as [|y' ys IH]; intros k [|b u] len; simpl in *; try easy; [ring|].
  rewrite IH by congruence. rewrite Nat.add_succ_r. ring.
Qed.

(** The last window is one more step, whatever was before it. *)
Lemma given_snoc K n ys y z : length ys = n ->
  given K (n + 1) (ys ++ [y]) z =
  Σ b, p b * K n (firstn B (b :: z)) y * given K n ys (earlier b z).
Proof.
  intros len. unfold given. rewrite (Sum_join n 1).
  rewrite (sum_ext all _ (fun u : vec Block n => Σ b, p b * K n (firstn B (b :: z)) y *
    (weight (list_of u) * answers K 0 (list_of u ++ earlier b z) ys))).
  - rewrite sum_swap. apply sum_ext; intros b _. now rewrite sum_scale.
  - intros u _.
    transitivity (Σ b, Σ e : unit, weight (list_of (join u ((b, e) : vec Block 1))) *
      answers K 0 (list_of (join u ((b, e) : vec Block 1)) ++ z) (ys ++ [y])).
    { apply (@Sum_pairs Block unit _ _ (fun v : vec Block 1 => weight (list_of (join u v)) *
        answers K 0 (list_of (join u v) ++ z) (ys ++ [y]))). }
    apply sum_ext; intros b _. simpl. rewrite Rplus_0_r, list_join, <- app_assoc, weight_app. simpl.
    rewrite answers_snoc by (now rewrite list_length).
    rewrite (answers_known K 0 (list_of u) (b :: z)) by (now rewrite list_length).
    rewrite len, Nat.add_0_r. unfold earlier. ring.
Qed.

Hypothesis Lp : law p.

Lemma some_block : exists b : Block, True.
Proof. destruct Lp as [_ one]. destruct (sum_pos_exists all p) as [b _]; [lra|now exists b]. Qed.

Lemma weight_nonneg l : 0 <= weight l.
Proof. induction l; simpl; [lra|]. apply Rmult_le_pos; auto. apply Lp. Qed.

Lemma answers_nonneg K k s ys : (forall k l y, 0 <= K k l y) -> 0 <= answers K k s ys.
Proof.
  intros K0. revert k s; induction ys as [|y ys IH]; intros; simpl; [lra|].
  apply Rmult_le_pos; auto.
Qed.

Lemma given_nonneg K n ys z : (forall k l y, 0 <= K k l y) -> 0 <= given K n ys z.
Proof.
  intros K0. apply sum_nonneg; intros; apply Rmult_le_pos; [apply weight_nonneg|].
  now apply answers_nonneg.
Qed.

Lemma given_none K z : given K 0 [] z = 1.
Proof. unfold given; simpl. ring. Qed.

(** The known blocks of a window, as long as a window less one block. *)
Definition known (z : list Block) := length z = (B - 1)%nat.

Lemma earlier_known b z : known z -> known (earlier b z).
Proof. unfold known, earlier. intros len. rewrite firstn_length. simpl. lia. Qed.

Context (K0 K1 : nat -> list Block -> W -> R).
Hypotheses (K0_pos : forall k l y, 0 <= K0 k l y) (K1_pos : forall k l y, 0 <= K1 k l y).

Lemma one_more G r n ys y z z' : length ys = n -> 0 <= G -> 0 <= r ->
  (forall b b', given K0 n ys (earlier b z) <= G * given K1 n ys (earlier b' z')) ->
  one_step K0 n y z <= r * one_step K1 n y z' ->
  given K0 (n + 1) (ys ++ [y]) z <= G * r * given K1 (n + 1) (ys ++ [y]) z'.
Proof.
  intros len G0 r0 past now_. rewrite !given_snoc by easy.
  destruct some_block as [b0 _].
  destruct (minimum all (fun _ => true) (fun b => given K1 n ys (earlier b z')) b0)
    as [m [_ [_ least]]]; [apply all_here|easy|].
  set (low := given K1 n ys (earlier m z')) in *.
  assert (low0 : 0 <= low) by (now apply given_nonneg).
  apply Rle_trans with (G * low * one_step K0 n y z).
  - unfold one_step. rewrite <- sum_scale. apply sum_le; intros b _.
    rewrite (Rmult_comm (G * low)). apply Rmult_le_compat_l; [|apply past].
    apply Rmult_le_pos; auto. apply Lp.
  - apply Rle_trans with (G * low * (r * one_step K1 n y z')).
    { apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy]. }
    replace (G * low * (r * one_step K1 n y z')) with (G * r * (low * one_step K1 n y z')) by ring.
    apply Rmult_le_compat_l; [now apply Rmult_le_pos|].
    unfold one_step. rewrite <- sum_scale. apply sum_le; intros b _.
    rewrite (Rmult_comm low). apply Rmult_le_compat_l; [|apply least; [apply all_here|easy]].
    apply Rmult_le_pos; auto. apply Lp.
Qed.

Fixpoint total (gamma : nat -> W -> R) k (ys : list W) : R :=
  match ys with [] => 0 | y :: ys => gamma k y + total gamma (S k) ys end.

Lemma total_snoc gamma k ys y :
  total gamma k (ys ++ [y]) = total gamma k ys + gamma (length ys + k)%nat y.
Proof.
  revert k; induction ys as [|y' ys IH]; intros k; simpl; [ring|].
  rewrite IH, Nat.add_succ_r. ring.
Qed.

(** Lemma 1 of streaming_cw: at every step k and output y let the law of the mechanism given z be at
    most e^gamma_k(y) times that with the alternative given z', for all z and z'; then outputs
    y_1 .. y_t have at most e^(sum of gammas) times the probability, whatever z and z' are.
    Differs: all blocks have one law; the hypothesis is asked also where z is impossible;
    alternatives are drawn for each window on its own, as the proof needs; blocks and outputs are
    finite; multiplied out, so that probabilities may be 0; priv is left out. *)
Theorem streaming_lemma1 gamma ys z z' :
  (forall k y z z', known z -> known z' ->
    one_step K0 k y z <= exp (gamma k y) * one_step K1 k y z') ->
  known z -> known z' ->
  given K0 (length ys) ys z <= exp (total gamma 0 ys) * given K1 (length ys) ys z'.
Proof.
  intros near. revert z z'. induction ys as [|y ys IH] using rev_ind; intros z z' kz kz'.
  - simpl. rewrite !given_none, exp_0. lra.
  - rewrite app_length, total_snoc, exp_plus, Nat.add_0_r. simpl length.
    apply one_more; try easy; try (left; apply exp_pos); [|now apply near].
    intros b b'. apply IH; now apply earlier_known.
Qed.

(** Lemma 2 of streaming_cw: where z is the same on both sides, the last step pays its own level at
    this z in the place of gamma.
    Differs: as in Lemma 1; the last line of the print has an equality, which is an inequality. *)
Theorem streaming_lemma2 gamma eps ys y z :
  (forall k y z z', known z -> known z' ->
    one_step K0 k y z <= exp (gamma k y) * one_step K1 k y z') ->
  known z -> one_step K0 (length ys) y z <= exp eps * one_step K1 (length ys) y z ->
  given K0 (length ys + 1) (ys ++ [y]) z <=
  exp (total gamma 0 ys + eps) * given K1 (length ys + 1) (ys ++ [y]) z.
Proof.
  intros near kz last. rewrite exp_plus.
  apply one_more; try easy; try (left; apply exp_pos).
  intros b b'. apply streaming_lemma1; auto; now apply earlier_known.
Qed.
End Streams.
