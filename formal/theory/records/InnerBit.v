(** A bit of a chain of bits, with what comes before it and what comes after it: the largest ratio
    that levels per bit allow. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts RecordTables Recursion.
Import ListNotations.
Open Scope R_scope.

Section InnerBit.
Context (a c : nat) (q : bool -> R) (TL TR : nat -> bool -> bool -> R) (lev0 : R).
Context (levL levR : nat -> R).
Hypotheses (Lq : law q) (LTL : forall k x, law (TL k x)) (LTR : forall k x, law (TR k x)).
Hypotheses (lev01 : 1 <= lev0) (levL1 : forall k, 1 <= levL k) (levR1 : forall k, 1 <= levR k).

(** The bits before the one at hand, nearest first, this bit, and the bits after it. Given this bit
    the two sides are independent, and TL steps away from it to the left. *)
Definition bits := (vec bool a * (bool * vec bool c))%type.
Definition bits_law (x : bits) := q (fst (snd x)) *
  (steps TL 0 (fst (snd x)) (list_of (fst x)) *
   steps TR 0 (fst (snd x)) (list_of (snd (snd x)))).
Definition bit_is b : @secret bits := fun x => eqb (fst (snd x)) b.

(** M has level lev0 for this bit, levL k for the k-th before and levR k for the k-th after it. *)
Definition bit_levels {W} (M : bits -> W -> R) := likelihood M /\ forall w,
  (forall l b b' r, M (l, (b, r)) w <= lev0 * M (l, (b', r)) w) /\
  (forall j l l' b r, but_for j l l' -> M (l, (b, r)) w <= levL (S j) * M (l', (b, r)) w) /\
  (forall j l b r r', but_for j r r' -> M (l, (b, r)) w <= levR (S j) * M (l, (b, r')) w).

Definition side (b : bool) (m : R * R) := if b then fst m else snd m.
(** The largest ratio of b against the other value. *)
Definition worst b := lev0 * (side b (turn TL levL 0 a) * side b (turn TR levR 0 c)).

Definition two_means {W} (M : bits -> W -> R) w bl b br :=
  Σ l, steps TL 0 bl (list_of l) * Σ r, steps TR 0 br (list_of r) * M (l, (b, r)) w.

Lemma told_means {W} (M : bits -> W -> R) b w :
  Pw bits_law M (bit_is b) w = q b * two_means M w b b b.
Proof.
  unfold Pw, two_means. rewrite <- sum_scale.
  transitivity (Σ l : vec bool a, Σ y : bool * vec bool c,
    inside bits_law (bit_is b) (l, y) * M (l, y) w).
  { apply (@Sum_pairs (vec bool a) (bool * vec bool c) _ _
      (fun x => inside bits_law (bit_is b) x * M x w)). }
  apply sum_ext; intros l _.
  rewrite (@Sum_pairs bool (vec bool c)). simpl. rewrite Rplus_0_r.
  unfold inside, bits_law, bit_is; simpl.
  assert (off : forall (P : vec bool c -> R), (Σ r, 0 * P r) = 0).
  { intros P. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). apply sum_0. }
  destruct b; simpl; rewrite off, ?Rplus_0_r, ?Rplus_0_l, <- !sum_scale;
    apply sum_ext; intros r _; ring.
Qed.

Lemma two_means_one b : two_means (fun _ (_ : unit) => 1) tt b b b = 1.
Proof.
  unfold two_means. rewrite (sum_ext all _ (fun l => steps TL 0 b (list_of l))).
  - apply (steps_total TL LTL).
  - intros l _. rewrite (sum_ext all _ (fun r => steps TR 0 b (list_of r))) by (intros; ring).
    rewrite (steps_total TR LTR). ring.
Qed.

Lemma P_bit b : P bits_law (bit_is b) = q b.
Proof.
  pose proof (told_means (fun _ (_ : unit) => 1) b tt) as E. rewrite two_means_one in E.
  unfold Pw in E. rewrite (sum_ext all _ (inside bits_law (bit_is b))) in E by (intros; ring).
  unfold P. rewrite (sum_ext all _ (inside bits_law (bit_is b))) by easy. lra.
Qed.

Lemma bits_law_is_law : law bits_law.
Proof.
  split.
  - intros x. repeat apply Rmult_le_pos; [apply Lq|now apply steps_nonneg..].
  - assert (split_ : (Σ x, bits_law x) = P bits_law (bit_is true) + P bits_law (bit_is false)).
    { unfold P. rewrite <- sum_plus. apply sum_ext; intros x _. unfold inside, bit_is.
      destruct (fst (snd x)); simpl; ring. }
    refine (eq_trans split_ _). rewrite !P_bit. destruct Lq as [_ one]. cbn -[IZR] in one. lra.
Qed.

Lemma turn_side (T : nat -> bool -> bool -> R) lev (LT : forall k x, law (T k x))
  (l1 : forall k, 1 <= lev k) k n b (u : vec bool n -> R) : column lev (S k) u ->
  mean T k u b <= side b (turn T lev k n) * mean T k u (negb b).
Proof. intros col. destruct b; now apply turn_bounds. Qed.

(** The recursion bounds (worst.record-levels, worst.chain-interior): levels per bit leak at most
    [worst] of an inner bit of a chain of bits, in either order.
    Differs: the chain is given by its steps away from the bit, those to the left reversed; steps
    may depend on time; density form. *)
Theorem recursion_bounds {W} (M : bits -> W -> R) b w : bit_levels M ->
  Pw bits_law M (bit_is b) w * P bits_law (bit_is (negb b)) <=
  worst b * P bits_law (bit_is b) * Pw bits_law M (bit_is (negb b)) w.
Proof.
  intros [M0 lv]. destruct (lv w) as [l0 [lL lR]]. rewrite !told_means, !P_bit.
  set (o := negb b). pose proof (proj1 Lq b) as qb. pose proof (proj1 Lq o) as qo.
  assert (inL : forall x l, 0 <= steps TL 0 x l) by (intros; now apply steps_nonneg).
  assert (inR : forall x l, 0 <= steps TR 0 x l) by (intros; now apply steps_nonneg).
  assert (pos : forall (T : nat -> bool -> bool -> R) lev k n x,
    (forall j y, law (T j y)) -> (forall j, 1 <= lev j) ->
    0 <= side x (turn T lev k n)).
  { intros T lev k n x LT l1. destruct (turn_pos T lev LT l1 k n). destruct x; simpl; lra. }
  assert (A : two_means M w b b b <= lev0 * two_means M w b o b).
  { unfold two_means. rewrite <- sum_scale. apply sum_le; intros l _.
    replace (lev0 * (steps TL 0 b (list_of l) * _)) with (steps TL 0 b (list_of l) *
      (lev0 * Σ r, steps TR 0 b (list_of r) * M (l, (o, r)) w)) by ring.
    apply Rmult_le_compat_l; [easy|]. rewrite <- sum_scale. apply sum_le; intros r _.
    specialize (l0 l b o r). apply (Rmult_le_compat_l _ _ _ (inR b (list_of r))) in l0. lra. }
  assert (B : two_means M w b o b <= side b (turn TR levR 0 c) * two_means M w b o o).
  { unfold two_means. rewrite <- sum_scale. apply sum_le; intros l _.
    pose proof (turn_side TR levR LTR levR1 0 c b (fun r => M (l, (o, r)) w)) as step.
    unfold mean in step. fold o in step.
    replace (side b (turn TR levR 0 c) * (steps TL 0 b (list_of l) * _)) with
      (steps TL 0 b (list_of l) * (side b (turn TR levR 0 c) *
      Σ r, steps TR 0 o (list_of r) * M (l, (o, r)) w)) by ring.
    apply Rmult_le_compat_l; [easy|]. apply step. split; [intros; apply M0|].
    intros j x y diff. rewrite Nat.add_1_r. now apply lR. }
  assert (C : two_means M w b o o <= side b (turn TL levL 0 a) * two_means M w o o o).
  { pose proof (turn_side TL levL LTL levL1 0 a b
      (fun l => Σ r, steps TR 0 o (list_of r) * M (l, (o, r)) w)) as step.
    unfold mean in step. apply step. split.
    - intros l. apply sum_nonneg; intros r _. apply Rmult_le_pos; [easy|apply M0].
    - intros j x y diff. rewrite Nat.add_1_r, <- sum_scale. apply sum_le; intros r _.
      specialize (lL j x y o r diff). apply (Rmult_le_compat_l _ _ _ (inR o (list_of r))) in lL.
      lra. }
  pose proof (pos TR levR 0%nat c b LTR levR1) as sR.
  pose proof (pos TL levL 0%nat a b LTL levL1) as sL.
  assert (all_ : two_means M w b b b <= worst b * two_means M w o o o).
  { unfold worst. apply Rle_trans with (1 := A). rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with (1 := B). rewrite (Rmult_comm (side b (turn TL _ _ _))), Rmult_assoc.
    now apply Rmult_le_compat_l. }
  apply (Rmult_le_compat_l (q b * q o)) in all_; [|now apply Rmult_le_pos]. lra.
Qed.

(** It is attained: some column of these levels leaks exactly [worst]. *)
Lemma turn_side_attained (T : nat -> bool -> bool -> R) lev (LT : forall k x, law (T k x))
  (l1 : forall k, 1 <= lev k) k n b :
  exists u : vec bool n -> R, column lev (S k) u /\ 0 < mean T k u (negb b) /\
    mean T k u b = side b (turn T lev k n) * mean T k u (negb b).
Proof. destruct b; now apply turn_attained. Qed.

(** The recursion is exact (worst.record-levels, worst.chain-interior): for each order some weights
    of an output, with these levels, leak [worst].
    Differs: as [recursion_bounds]; one output, which a mechanism of these levels can have
    (worst.lemma0) but which is not completed to one here. *)
Theorem recursion_is_attained b : 0 < q true -> 0 < q false ->
  exists M : bits -> unit -> R, bit_levels M /\
    0 < Pw bits_law M (bit_is (negb b)) tt /\
    Pw bits_law M (bit_is b) tt * P bits_law (bit_is (negb b)) =
    worst b * P bits_law (bit_is b) * Pw bits_law M (bit_is (negb b)) tt.
Proof.
  intros q1 q0. set (o := negb b).
  destruct (turn_side_attained TL levL LTL levL1 0 a b) as [u [[u0 lu] [upos eu]]].
  destruct (turn_side_attained TR levR LTR levR1 0 c b) as [v [[v0 lv] [vpos ev]]].
  fold o in upos, eu, vpos, ev.
  set (h := fun z => if eqb z b then lev0 else 1).
  assert (sq : lev0 <= lev0 * lev0).
  { rewrite <- (Rmult_1_l lev0) at 1. apply Rmult_le_compat_r; lra. }
  assert (hh : forall z z', 0 <= h z <= lev0 * h z').
  { intros z z'. unfold h. destruct (eqb z b), (eqb z' b); split; lra. }
  exists (fun x _ => h (fst (snd x)) * (u (fst x) * v (snd (snd x)))).
  assert (E : forall z y, two_means (fun (x : bits) (_ : unit) => h (fst (snd x)) *
    (u (fst x) * v (snd (snd x)))) y z z z = h z * (mean TL 0 u z * mean TR 0 v z)).
  { intros z y. unfold two_means, mean. rewrite sum_product, <- sum_scale.
    apply sum_ext; intros l _. rewrite <- !sum_scale. apply sum_ext; intros r _. simpl. ring. }
  assert (hb : h b = lev0) by (unfold h; now rewrite eqb_reflx).
  assert (ho : h o = 1) by (unfold h, o; now destruct b).
  assert (qq : forall z, 0 < q z) by (intros []; easy).
  split; [|rewrite !told_means, !P_bit, !E, ho, hb; fold o; split].
  - split.
    + intros x _. repeat apply Rmult_le_pos; auto. apply (hh _ true).
    + intros _. split; [|split]; simpl.
      * intros l z z' r.
        replace (lev0 * (h z' * (u l * v r))) with (lev0 * h z' * (u l * v r)) by ring.
        apply Rmult_le_compat_r; [now apply Rmult_le_pos|apply hh].
      * intros j l l' z r diff. specialize (lu j l l' diff). rewrite Nat.add_1_r in lu.
        apply (Rmult_le_compat_l (h z * v r)) in lu; [lra|].
        apply Rmult_le_pos; [apply (hh _ true)|easy].
      * intros j l z r r' diff. specialize (lv j r r' diff). rewrite Nat.add_1_r in lv.
        apply (Rmult_le_compat_l (h z * u l)) in lv; [lra|].
        apply Rmult_le_pos; [apply (hh _ true)|easy].
  - rewrite Rmult_1_l. repeat apply Rmult_lt_0_compat; auto.
  - rewrite eu, ev. unfold worst. ring.
Qed.
End InnerBit.
