(** A stream of independent blocks, seen through windows that move by one block at each step.

    Block j of the stream has the law p j. The blocks z that are known are the last ones: all but
    the oldest block of the last window. The alternative of each window is drawn for itself, so that
    with it the mechanism is another kernel on windows. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts.
Import ListNotations.
Open Scope R_scope.

Section Streams.
Context {Block W : Type} `{Finite Block} `{Finite W} (p : nat -> Block -> R) (B : nat).

(** What a kernel on windows says of the outputs ys, from the oldest window of a stream on; k counts
    steps. *)
Fixpoint answers (K : nat -> list Block -> W -> R) k (stream : list Block) (ys : list W) : R :=
  match ys with [] => 1
  | y :: ys => K k (firstn B stream) y * answers K (S k) (tl stream) ys end.
(** The probability of the blocks l from block j on, and that each of them is possible. *)
Fixpoint weight j (l : list Block) : R :=
  match l with [] => 1 | b :: l => p j b * weight (S j) l end.
Fixpoint possible j (l : list Block) :=
  match l with [] => True | b :: l => 0 < p j b /\ possible (S j) l end.

(** The probability of the outputs ys of n windows, given that the stream ends with z: the n older
    blocks are drawn each for itself. *)
Definition given (K : nat -> list Block -> W -> R) n (ys : list W) (z : list Block) : R :=
  Σ u : vec Block n, weight 0 (list_of u) * answers K 0 (list_of u ++ z) ys.
(** That of one output of step k. *)
Definition one_step (K : nat -> list Block -> W -> R) k (y : W) (z : list Block) : R :=
  Σ b, p k b * K k (firstn B (b :: z)) y.
(** The known blocks before the last step. *)
Definition earlier b (z : list Block) := firstn (B - 1) (b :: z).

Lemma weight_app j l m : weight j (l ++ m) = weight j l * weight (length l + j) m.
Proof.
  revert j; induction l as [|b l IH]; intros j; simpl; [lra|]. rewrite IH, Nat.add_succ_r. ring.
Qed.

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
  Σ b, p n b * K n (firstn B (b :: z)) y * given K n ys (earlier b z).
Proof.
  intros len. unfold given. rewrite (Sum_join n 1).
  rewrite (sum_ext all _ (fun u : vec Block n => Σ b, p n b * K n (firstn B (b :: z)) y *
    (weight 0 (list_of u) * answers K 0 (list_of u ++ earlier b z) ys))).
  - rewrite sum_swap. apply sum_ext; intros b _. now rewrite sum_scale.
  - intros u _.
    transitivity (Σ b, Σ e : unit, weight 0 (list_of (join u ((b, e) : vec Block 1))) *
      answers K 0 (list_of (join u ((b, e) : vec Block 1)) ++ z) (ys ++ [y])).
    { apply (@Sum_pairs Block unit _ _ (fun v : vec Block 1 => weight 0 (list_of (join u v)) *
        answers K 0 (list_of (join u v) ++ z) (ys ++ [y]))). }
    apply sum_ext; intros b _. simpl. rewrite Rplus_0_r, list_join, <- app_assoc, weight_app. simpl.
    rewrite answers_snoc by (now rewrite list_length).
    rewrite (answers_known K 0 (list_of u) (b :: z)) by (now rewrite list_length).
    rewrite len, list_length, Nat.add_0_r. unfold earlier. ring.
Qed.

(** A kernel that is asked at windows only: at lists of another length it does what it does at some
    window. *)
Definition at_windows (b : Block) (K : nat -> list Block -> W -> R) k l :=
  K k (if Nat.eqb (length l) B then l else repeat b B).

Lemma at_windows_all (Q : (W -> R) -> Prop) b (K : nat -> list Block -> W -> R) :
  (forall k (l : list Block), length l = B -> Q (K k l)) ->
  forall k l, Q (at_windows b K k l).
Proof.
  intros all_windows k l. unfold at_windows. destruct (Nat.eqb_spec (length l) B); auto.
  apply all_windows, repeat_length.
Qed.

Lemma at_windows_same b (K : nat -> list Block -> W -> R) k l : length l = B ->
  at_windows b K k l = K k l.
Proof. intros len. unfold at_windows. now rewrite len, Nat.eqb_refl. Qed.

Lemma window_length (b : Block) z : length z = (B - 1)%nat -> length (firstn B (b :: z)) = B.
Proof. intros len. rewrite firstn_length. simpl. lia. Qed.

Lemma given_at_windows b K n (ys : list W) z : length ys = n -> length z = (B - 1)%nat ->
  given (at_windows b K) n ys z = given K n ys z.
Proof.
  intros len_y len. apply sum_ext; intros u _. f_equal.
  assert (enough : (length ys + B <= S (length (list_of u ++ z)))%nat)
    by (rewrite app_length, list_length; lia).
  revert enough. generalize (list_of u ++ z) 0%nat. clear len_y.
  induction ys as [|y ys IH]; intros s k enough; [easy|]. simpl in *. rewrite IH.
  - rewrite at_windows_same; [easy|]. rewrite firstn_length. lia.
  - destruct s as [|a s]; simpl in *; lia.
Qed.

Lemma one_step_at_windows b K k y z : length z = (B - 1)%nat ->
  one_step (at_windows b K) k y z = one_step K k y z.
Proof.
  intros len. apply sum_ext; intros b' _. f_equal.
  now rewrite at_windows_same by now apply window_length.
Qed.

Hypothesis Lp : forall j, law (p j).

Lemma some_block j : exists b : Block, 0 < p j b.
Proof.
  destruct (Lp j) as [_ one]. destruct (sum_pos_exists all (p j)) as [b []]; [lra|now exists b].
Qed.

Lemma weight_nonneg j l : 0 <= weight j l.
Proof. revert j; induction l; intros j; simpl; [lra|]. apply Rmult_le_pos; auto. apply Lp. Qed.

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

(** The known blocks of a window, from block j on: as many as it has less one, each possible. *)
Definition known j (z : list Block) := length z = (B - 1)%nat /\ possible j z.

Lemma possible_firstn j k l : possible j l -> possible j (firstn k l).
Proof.
  revert j k; induction l as [|b l IH]; intros j [|k]; simpl; try easy. intros [pos rest]. auto.
Qed.

Lemma earlier_known j b z : 0 < p j b -> known (S j) z -> known j (earlier b z).
Proof.
  intros pos [len rest]. split.
  - unfold earlier. rewrite firstn_length. simpl. lia.
  - now apply possible_firstn.
Qed.

Section Steps.
Context (K0 K1 : nat -> list Block -> W -> R).
Hypotheses (K0_pos : forall k l y, 0 <= K0 k l y) (K1_pos : forall k l y, 0 <= K1 k l y).

Lemma one_more G r n ys y z z' : length ys = n -> 0 <= G -> 0 <= r ->
  (forall b b', 0 < p n b -> 0 < p n b' ->
    given K0 n ys (earlier b z) <= G * given K1 n ys (earlier b' z')) ->
  one_step K0 n y z <= r * one_step K1 n y z' ->
  given K0 (n + 1) (ys ++ [y]) z <= G * r * given K1 (n + 1) (ys ++ [y]) z'.
Proof.
  intros len G0 r0 past now_. rewrite !given_snoc by easy.
  destruct (some_block n) as [b0 pos0].
  set (can := fun b => if Rlt_dec 0 (p n b) then true else false).
  assert (can_pos : forall b, can b = true <-> 0 < p n b)
    by (intros b; unfold can; destruct Rlt_dec; now split).
  destruct (minimum all can (fun b => given K1 n ys (earlier b z')) b0)
    as [m [_ [can_m least]]]; [apply all_here|now apply can_pos|].
  set (low := given K1 n ys (earlier m z')) in *.
  assert (low0 : 0 <= low) by (now apply given_nonneg).
  assert (weigh : forall (K : nat -> list Block -> W -> R) b u v w, (forall k l y, 0 <= K k l y) ->
    (0 < p n b -> u <= v) -> p n b * K n w y * u <= p n b * K n w y * v).
  { intros K b u v w K_pos le. destruct (Lp n) as [p0 _]. specialize (p0 b).
    destruct (Rle_lt_or_eq_dec 0 (p n b) p0) as [pos|<-]; [|lra].
    apply Rmult_le_compat_l; [apply Rmult_le_pos; auto|auto]. }
  apply Rle_trans with (G * low * one_step K0 n y z).
  - unfold one_step. rewrite <- sum_scale. apply sum_le; intros b _.
    rewrite (Rmult_comm (G * low)). apply weigh; [easy|]. intros pos. apply past; [easy|].
    now apply can_pos.
  - apply Rle_trans with (G * low * (r * one_step K1 n y z')).
    { apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy]. }
    replace (G * low * (r * one_step K1 n y z')) with (G * r * (low * one_step K1 n y z')) by ring.
    apply Rmult_le_compat_l; [now apply Rmult_le_pos|].
    unfold one_step. rewrite <- sum_scale. apply sum_le; intros b _.
    rewrite (Rmult_comm low). apply weigh; [easy|]. intros pos. apply least; [apply all_here|].
    now apply can_pos.
Qed.

End Steps.

Fixpoint total (gamma : nat -> W -> R) k (ys : list W) : R :=
  match ys with [] => 0 | y :: ys => gamma k y + total gamma (S k) ys end.

Lemma total_snoc gamma k ys y :
  total gamma k (ys ++ [y]) = total gamma k ys + gamma (length ys + k)%nat y.
Proof.
  revert k; induction ys as [|y' ys IH]; intros k; simpl; [ring|].
  rewrite IH, Nat.add_succ_r. ring.
Qed.

(** At every step k and output y the law of the one mechanism given z is at most e^gamma_k(y) times
    that of the other given z', for all possible z and z'. *)
Definition steps_within K0 K1 gamma := forall k y z z', known (S k) z -> known (S k) z' ->
  one_step K0 k y z <= exp (gamma k y) * one_step K1 k y z'.
(** No probability of a window is negative. *)
Definition positive_at_windows (K : nat -> list Block -> W -> R) :=
  forall k l y, length l = B -> 0 <= K k l y.

Lemma product_bound K0 K1 gamma ys z z' : (forall k l y, 0 <= K0 k l y) ->
  (forall k l y, 0 <= K1 k l y) -> steps_within K0 K1 gamma ->
  known (length ys) z -> known (length ys) z' ->
  given K0 (length ys) ys z <= exp (total gamma 0 ys) * given K1 (length ys) ys z'.
Proof.
  intros pos0 pos1 near. revert z z'. induction ys as [|y ys IH] using rev_ind; intros z z' kz kz'.
  - simpl. rewrite !given_none, exp_0. lra.
  - rewrite app_length, total_snoc, exp_plus, Nat.add_0_r in *. simpl length in *.
    rewrite Nat.add_1_r in kz, kz'.
    apply one_more; try easy; try (left; apply exp_pos); [|now apply near].
    intros b b' pos pos'. apply IH; now apply earlier_known.
Qed.

Lemma steps_at_windows b K0 K1 gamma : steps_within K0 K1 gamma ->
  steps_within (at_windows b K0) (at_windows b K1) gamma.
Proof.
  intros near k y z z' kz kz'. rewrite !one_step_at_windows by (apply kz || apply kz').
  now apply near.
Qed.

Lemma positive_everywhere b K : positive_at_windows K -> forall k l y, 0 <= at_windows b K k l y.
Proof.
  intros pos k l. apply (at_windows_all (fun row => forall y, 0 <= row y)). intros; now apply pos.
Qed.

(** Lemma 1 of streaming_cw: if every step keeps its levels gamma, outputs y_1 .. y_t have at most
    e^(sum of gammas) times the probability, whatever possible z and z' are.
    Differs: alternatives are drawn for each window on its own, as the proof needs, and the
    mechanism may be another at each step; blocks and outputs are finite; multiplied out, so that
    probabilities may be 0; priv is left out. *)
Theorem streaming_lemma1 K0 K1 gamma ys z z' :
  positive_at_windows K0 -> positive_at_windows K1 -> steps_within K0 K1 gamma ->
  known (length ys) z -> known (length ys) z' ->
  given K0 (length ys) ys z <= exp (total gamma 0 ys) * given K1 (length ys) ys z'.
Proof.
  intros pos0 pos1 near kz kz'. destruct (some_block 0) as [b _].
  rewrite <- (given_at_windows b K0), <- (given_at_windows b K1) by (easy || apply kz || apply kz').
  apply product_bound; try easy; try now apply positive_everywhere. now apply steps_at_windows.
Qed.

(** Lemma 2 of streaming_cw: where z is the same on both sides, the last step pays its own level at
    this z in the place of gamma.
    Differs: as in Lemma 1; the last line of the print has an equality, which is an inequality. *)
Theorem streaming_lemma2 K0 K1 gamma eps ys y z :
  positive_at_windows K0 -> positive_at_windows K1 -> steps_within K0 K1 gamma ->
  known (S (length ys)) z ->
  one_step K0 (length ys) y z <= exp eps * one_step K1 (length ys) y z ->
  given K0 (length ys + 1) (ys ++ [y]) z <=
  exp (total gamma 0 ys + eps) * given K1 (length ys + 1) (ys ++ [y]) z.
Proof.
  intros pos0 pos1 near kz last. rewrite exp_plus. destruct (some_block 0) as [b _].
  assert (len : length (ys ++ [y]) = (length ys + 1)%nat) by (rewrite app_length; easy).
  rewrite <- (given_at_windows b K0), <- (given_at_windows b K1) by (easy || apply kz).
  apply one_more; try easy.
  - now apply positive_everywhere.
  - now apply positive_everywhere.
  - left; apply exp_pos.
  - left; apply exp_pos.
  - intros a a' pos pos'. apply product_bound; try now apply positive_everywhere.
    + now apply steps_at_windows.
    + now apply earlier_known.
    + now apply earlier_known.
  - rewrite !one_step_at_windows by apply kz. exact last.
Qed.
End Streams.
