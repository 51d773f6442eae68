(** Parallel composition of quilts on seven bits: Alice counts the first three, Bob the last
    three. *)
From Coq Require Import Reals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace Chain ChainQuilts.
From Pufferproof Require Import SequentialChains ParallelQuilts.
From Pufferproof.sanity Require Import Bits QuiltsUsed.
Import ListNotations.
Open Scope R_scope.

(** Each bit is the one before it two times in three. *)
Definition seven : vec bool 7 -> R := sequence_law fair stays 7.

(** The same with whole numbers over 2 times 3^6. *)
Fixpoint kept (x : bool) (l : list bool) : Z :=
  match l with [] => 1 | y :: l => (if eqb x y then 2 else 1) * kept y l end%Z.
Definition weight (v : vec bool 7) : Z := match list_of v with [] => 1%Z | x :: l => kept x l end.

Lemma kept_steps x l k : steps stays k x l * 3 ^ length l = IZR (kept x l).
Proof.
  revert k x; induction l as [|y l IH]; intros k x; simpl; [ring|].
  rewrite mult_IZR, <- (IH (S k)). unfold stays. destruct (eqb x y); field.
Qed.

Lemma seven_weight v : seven v = IZR (weight v) / 1458.
Proof.
  unfold seven, sequence_law, weight. pose proof (list_length v) as len.
  destruct (list_of v) as [|x l]; [discriminate|]. injection len as len. simpl.
  rewrite <- (kept_steps x l 0), len. unfold fair. field.
Qed.

Fixpoint total {A} (l : list A) (f : A -> Z) : Z :=
  match l with [] => 0 | x :: l => f x + total l f end%Z.

Lemma sum_total {A} (l : list A) (f : A -> R) (g : A -> Z) d :
  (forall x, f x = IZR (g x) / d) -> sum l f = IZR (total l g) / d.
Proof.
  intros E. induction l as [|x l IH]; simpl; [unfold Rdiv; ring|].
  rewrite IH, E, plus_IZR. unfold Rdiv. ring.
Qed.

Notation is i x := (record_is bool_dec (n := 7) i x).
Definition weight_of (s : vec bool 7 -> bool) : Z :=
  total all (fun v => if s v then weight v else 0%Z).

Lemma seven_secret s : P seven s = IZR (weight_of s) / 1458.
Proof.
  apply sum_total. intros v. unfold inside. rewrite seven_weight. destruct (s v); lra.
Qed.

Lemma seven_quilt {Q} (dq : forall y z : Q, {y = z} + {y <> z}) quilt s y :
  p_quilt dq quilt seven s y =
  IZR (weight_of (fun v => s v && if dq (quilt v) y then true else false)) / 1458.
Proof.
  apply sum_total. intros v. unfold inside, at_. rewrite seven_weight.
  destruct (s v), (dq (quilt v) y); simpl; lra.
Qed.

(** The quilt of the two neighbours tells at most log 4 of a bit. *)
Definition tells_four i (x x' : bool) (y : option bool * option bool) : bool :=
  let near s := weight_of (fun v =>
    s v && if decide_pair bool_dec (borrowed 7 i 1 1 v) y then true else false) in
  (near (is i x) * weight_of (is i x') <=? 4 * weight_of (is i x) * near (is i x'))%Z.

Lemma estimate_four : estimates bool_dec fair stays 7 1 1 (ln 4).
Proof.
  intros i x x' here y. rewrite exp_ln by lra. fold seven. rewrite !seven_quilt, !seven_secret.
  assert (told : tells_four i x x' y = true).
  { destruct i as [|[|[|[|[|[|[|i]]]]]]]; try lia;
      destruct x, x', y as [[[]|] [[]|]]; vm_compute; reflexivity. }
  apply Z.leb_le, IZR_le in told. rewrite !mult_IZR in told. lra.
Qed.

Lemma seven_possible i x : (i < 7)%nat -> 0 < P seven (is i x).
Proof.
  intros here. rewrite seven_secret. assert (0 < weight_of (is i x))%Z as pos.
  { destruct i as [|[|[|[|[|[|[|i]]]]]]]; try lia; destruct x; vm_compute; reflexivity. }
  apply IZR_lt in pos. lra.
Qed.

Lemma count_lipschitz : lipschitz count.
Proof. intros l x y r. apply count_moves. Qed.

(** Alice's noise has the scale 1 for the level 1 + log 4, Bob's 1/2 for the level 2 + log 4. *)
Definition both_counts := both_releases 7 2 4 count count 1 (1/2).

Example parallel_quilts_used i x x' w :
  ((0 <= i <= 2)%nat ->
    Pw seven both_counts (is i x) w * P seven (is i x') <=
    exp (1 + ln 4) * P seven (is i x) * Pw seven both_counts (is i x') w) /\
  ((4 <= i <= 6)%nat ->
    Pw seven both_counts (is i x) w * P seven (is i x') <=
    exp (2 + ln 4) * P seven (is i x) * Pw seven both_counts (is i x') w).
Proof.
  destruct (Compare_dec.le_lt_dec 7 i) as [far|here]; [split; lia|].
  apply (parallel_quilts bool_dec fair stays fair_law stays_law 7 2 4 count count 1 (1/2)
    0 6 1 1 1 5 1 1 (ln 4) (ln 4) (1 + ln 4) (2 + ln 4)); try lia; try lra;
    try apply count_lipschitz; try apply estimate_four; try (now apply seven_possible).
  - replace (1 + ln 4 - ln 4) with 1 by ring. simpl. lra.
  - replace (2 + ln 4 - ln 4) with 2 by ring. simpl. lra.
Qed.

(** Without the estimate it fails: noise of scale 1 does not keep level 1, though Bob is silent. *)
Definition alone := both_releases 7 2 4 count (fun _ => 0) 1 1.
Definition ones (v : vec bool 7) : nat := length (filter (fun b => b) (firstn 3 (list_of v))).

Lemma counted_ones (l : list bool) m : (length l <= m)%nat ->
  count l = INR (length (filter (fun b => b) l)) /\ (length (filter (fun b => b) l) <= m)%nat.
Proof.
  unfold count. revert m; induction l as [|b l IH]; simpl; [split; [easy|lia]|].
  intros [|m] len; [lia|]. destruct (IH m ltac:(lia)) as [-> le].
  destruct b; simpl length; rewrite ?S_INR; split; try lra; lia.
Qed.

Lemma alone_above v : alone v (3, 0) = exp 1 ^ ones v * (exp (-3) / 4).
Proof.
  assert (few : count (firstn 3 (list_of v)) = INR (ones v) /\ (ones v <= 3)%nat).
  { apply counted_ones. rewrite firstn_length. lia. }
  destruct few as [E le]. unfold alone, both_releases. simpl fst. simpl snd.
  change (S 2) with 3%nat. rewrite E. rewrite laplace_below;
    [|apply le_INR in le; simpl in le; lra].
  assert (p : exp (INR (ones v)) = exp 1 ^ ones v).
  { clear. induction (ones v) as [|k IH]; [apply exp_0|].
    rewrite S_INR, exp_plus, IH. simpl. ring. }
  rewrite p. unfold laplace. rewrite Rminus_diag_eq, Rabs_R0 by easy.
  replace (- 0 / 1) with 0 by field. rewrite exp_0. change (-3) with (- (3)). field.
Qed.

Lemma alone_told s : Pw seven alone s (3, 0) =
  (IZR (weight_of (fun v => s v && Nat.eqb (ones v) 0)) +
   IZR (weight_of (fun v => s v && Nat.eqb (ones v) 1)) * exp 1 +
   IZR (weight_of (fun v => s v && Nat.eqb (ones v) 2)) * exp 1 ^ 2 +
   IZR (weight_of (fun v => s v && Nat.eqb (ones v) 3)) * exp 1 ^ 3) / 1458 * (exp (-3) / 4).
Proof.
  unfold Pw. rewrite (sum_ext all _ (fun v => (exp (-3) / 4) *
    (inside seven s v * exp 1 ^ ones v))) by (intros; rewrite alone_above; ring).
  rewrite sum_scale, Rmult_comm. f_equal. unfold weight_of.
  assert (each : forall l : list (vec bool 7), sum l (fun v => inside seven s v * exp 1 ^ ones v) =
    (IZR (total l (fun v => if s v && Nat.eqb (ones v) 0 then weight v else 0%Z)) +
     IZR (total l (fun v => if s v && Nat.eqb (ones v) 1 then weight v else 0%Z)) * exp 1 +
     IZR (total l (fun v => if s v && Nat.eqb (ones v) 2 then weight v else 0%Z)) * exp 1 ^ 2 +
     IZR (total l (fun v => if s v && Nat.eqb (ones v) 3 then weight v else 0%Z)) * exp 1 ^ 3)
    / 1458).
  { induction l as [|v l IH]; [simpl; field|]. cbn [sum total]. rewrite IH, !plus_IZR.
    unfold inside. rewrite seven_weight.
    assert (few : (ones v <= 3)%nat).
    { unfold ones. destruct v as [a [b [c v]]]. simpl. destruct a, b, c; simpl; lia. }
    destruct (ones v) as [|[|[|[|k]]]]; [| | | |lia]; destruct (s v); cbn -[IZR]; field. }
  apply each.
Qed.

Example parallel_quilts_needs_the_estimate :
  ~ Pw seven alone (is 1 true) (3, 0) * P seven (is 1 false) <=
    exp 1 * P seven (is 1 true) * Pw seven alone (is 1 false) (3, 0).
Proof.
  rewrite !alone_told, !seven_secret.
  repeat match goal with |- context [weight_of ?s] =>
    let w := eval vm_compute in (weight_of s) in change (weight_of s) with w end.
  pose proof (exp_increasing 0 1 Rlt_0_1) as big. rewrite exp_0 in big.
  pose proof (exp_pos (-3)) as noise. set (e := exp 1) in *. set (c := exp (-3)) in *.
  clearbody e c. intros promise.
  assert (0 < c * e * (e - 1)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (0 < c * e * (e - 1) * e) by (apply Rmult_lt_0_compat; lra).
  assert (0 < c * e * (e - 1) * (e - 1)) by (apply Rmult_lt_0_compat; lra). nra.
Qed.
