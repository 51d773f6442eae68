(** Fair bits, all of them secret: a mechanism that tells nothing of a bit in one run, and all bits
    in three on average (bai2026, section 4, example 2). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain RecordTables ProductPriors.
From Pufferproof Require Import Determined Revealed Decoys.
Import ListNotations.
Open Scope R_scope.

#[export] Instance finite_either {A B} `{Finite A} `{Finite B} : Finite (A + B).
Proof.
  exists (map inl all ++ map inr all).
  - apply once_app; try (apply FinFun.Injective_map_NoDup; [congruence|apply all_once]).
    intros x i j. apply in_map_iff in i as [y [<- _]]. apply in_map_iff in j as [z [E _]]. easy.
  - intros [x|x]; apply in_or_app; [left|right]; apply in_map, all_here.
Defined.

Lemma Sum_either {A B} `{Finite A} `{Finite B} (h : A + B -> R) :
  (Σ z, h z) = (Σ x, h (inl x)) + Σ y, h (inr y).
Proof. unfold all; simpl. now rewrite sum_app, !sum_map. Qed.

(** Exclusive or of all bits, and of each bit with a. *)
Fixpoint parity_of {n} : vec bool n -> bool := match n with O => fun _ => false
  | S n => fun v => xorb (fst v) (parity_of (snd v)) end.
Fixpoint differ_from (a : bool) {n} : vec bool n -> vec bool n := match n with O => fun v => v
  | S n => fun v => (xorb (fst v) a, differ_from a (snd v)) end.
(** The first bit with each other one. *)
Definition differences {n} : vec bool n -> vec bool (pred n) := match n with O => fun v => v
  | S n => fun v => differ_from (fst v) (snd v) end.
(** Of all bits if their number is odd, and of all but the first otherwise. *)
Definition published_parity {n} : vec bool n -> bool := match n with O => fun _ => false
  | S n => fun v => if Nat.odd (S n) then xorb (fst v) (parity_of (snd v))
    else parity_of (snd v) end.
(** The differences (type A), or the parity (type B), with probability 1/2 each. *)
Definition fair_coin {n} (x : vec bool n) (w : vec bool (pred n) + bool) : R := match w with
  | inl y => if vec_dec bool_dec (pred n) y (differences x) then /2 else 0
  | inr c => if bool_dec c (published_parity x) then /2 else 0 end.
Definition fair {n} (p : vec bool n -> R) := forall x, p x = (/2) ^ n.
(** Bit i is a. *)
Definition bit (i : nat) (a : bool) {n} : @secret (vec bool n) := has bool_dec i a.
(** No output tells anything of a bit. *)
Definition bits_hide {n} (p : vec bool n -> R) := forall i, (i < n)%nat -> forall a,
  tells_nothing p fair_coin (bit i a).
(** On average E runs on x tell x, of more than two fair bits. *)
Definition bits_runs {n} (p : vec bool n -> R) x E := (2 < n)%nat /\ fair p /\
  expected_runs p fair_coin (is (vec_dec bool_dec n) x) x E.

(** Averages over n fair bits. *)
Definition mean n (f : vec bool n -> R) := Σ v, (/2) ^ n * f v.
Lemma mean_S n f : mean (S n) f = /2 * mean n (fun v => f (true, v)) +
  /2 * mean n (fun v => f (false, v)).
Proof.
  unfold mean. transitivity (Σ z : bool * vec bool n, (/2) ^ S n * f z); [reflexivity|].
  rewrite Sum_pairs. cbn [all finite_bool sum]. rewrite <- !sum_scale, Rplus_0_r.
  f_equal; apply sum_ext; intros v _; simpl; ring.
Qed.
Lemma mean_ext n f g : (forall v, f v = g v) -> mean n f = mean n g.
Proof. intros same. apply sum_ext. intros v _. now rewrite same. Qed.
Lemma mean_const n c : mean n (fun _ => c) = c.
Proof. induction n as [|n IH]; [unfold mean; simpl; ring|]. rewrite mean_S, IH. lra. Qed.
Lemma mean_plus n f g : mean n (fun v => f v + g v) = mean n f + mean n g.
Proof. unfold mean. rewrite <- sum_plus. apply sum_ext. intros; ring. Qed.
Lemma mean_scale n c f : mean n (fun v => c * f v) = c * mean n f.
Proof. unfold mean. rewrite <- sum_scale. apply sum_ext. intros; ring. Qed.

Definition one_if (b : bool) : R := if b then 1 else 0.
Definition alike (a b : bool) : bool := if bool_dec a b then true else false.
Lemma alike_xor a b c : alike c (xorb a b) = alike (xorb a c) b.
Proof. now destruct a, b, c. Qed.

Lemma one_parity n c : mean (S n) (fun v => one_if (alike c (parity_of v))) = /2.
Proof.
  rewrite mean_S, <- Rmult_plus_distr_l, <- mean_plus.
  rewrite (mean_ext n _ (fun _ => 1)); [rewrite mean_const; ring|].
  intros v. cbn [parity_of fst snd]. destruct c, (parity_of v); simpl; unfold one_if; ring.
Qed.

Lemma bit_S i a n x (v : vec bool n) : bit (S i) a (n := S n) (x, v) = bit i a v.
Proof. easy. Qed.
Lemma bit_0 a n x (v : vec bool n) : bit 0 a (n := S n) (x, v) = alike x a.
Proof. easy. Qed.

Lemma one_bit n i a : (i < n)%nat -> mean n (fun v => one_if (bit i a v)) = /2.
Proof.
  revert i. induction n as [|n IH]; [lia|]. intros [|i] less; rewrite mean_S.
  - assert (side : forall x, mean n (fun v => one_if (bit 0 a (n := S n) (x, v))) =
      one_if (alike x a)) by (intros x; exact (mean_const n (one_if (alike x a)))).
    rewrite !side. destruct a; unfold alike, one_if; simpl; lra.
  - assert (side : forall x, mean n (fun v => one_if (bit (S i) a (n := S n) (x, v))) = /2)
      by (intros x; exact (IH i ltac:(lia))).
    rewrite !side. lra.
Qed.

Lemma both_alike n i a c : (i < n)%nat -> (1 < n)%nat ->
  mean n (fun v => one_if (bit i a v) * one_if (alike c (parity_of v))) = /2 * /2.
Proof.
  destruct n as [|n]; [lia|]. intros less two. rewrite mean_S. destruct i as [|i].
  - destruct n as [|n]; [lia|].
    assert (side : forall x, mean (S n) (fun v => one_if (bit 0 a (n := S (S n)) (x, v)) *
      one_if (alike c (parity_of (n := S (S n)) (x, v)))) = one_if (alike x a) * /2).
    { intros x. rewrite <- (one_parity n (xorb x c)), <- mean_scale. apply mean_ext. intros v.
      now rewrite bit_0, <- alike_xor. }
    rewrite !side. destruct a; unfold alike, one_if; simpl; lra.
  - rewrite <- Rmult_plus_distr_l, <- mean_plus.
    rewrite (mean_ext n _ (fun v => one_if (bit i a v))); [rewrite one_bit by lia; ring|].
    intros v. rewrite !bit_S. cbn [parity_of fst snd].
    destruct c, (parity_of v); simpl; unfold one_if; ring.
Qed.

(** Given a bit each parity has probability 1/2. *)
Lemma parity_given n i a c : (i < n)%nat -> (2 < n)%nat ->
  mean n (fun v => one_if (bit i a v) * one_if (alike c (published_parity v))) = /2 * /2.
Proof.
  intros less three. destruct n as [|n]; [lia|]. unfold published_parity.
  destruct (Nat.odd (S n)); [apply (both_alike (S n)); lia|]. rewrite mean_S. cbn [fst snd].
  destruct i as [|i].
  - destruct n as [|n]; [lia|].
    assert (side : forall x, mean (S n) (fun v => one_if (bit 0 a (n := S (S n)) (x, v)) *
      one_if (alike c (parity_of v))) = one_if (alike x a) * /2).
    { intros x. rewrite <- (one_parity n c), <- mean_scale. apply mean_ext. intros v.
      now rewrite bit_0. }
    rewrite !side. destruct a; unfold alike, one_if; simpl; lra.
  - assert (side : forall x, mean n (fun v => one_if (bit (S i) a (n := S n) (x, v)) *
      one_if (alike c (parity_of v))) = /2 * /2)
      by (intros x; exact (both_alike n i a c ltac:(lia) ltac:(lia))).
    rewrite !side. lra.
Qed.

Lemma differ_twice a n (v : vec bool n) : differ_from a (differ_from a v) = v.
Proof.
  induction n as [|n IH]; [easy|]. destruct v as [b v]. cbn [differ_from fst snd].
  rewrite IH. now destruct a, b.
Qed.
Lemma bit_differ i a b n (v : vec bool n) : bit i a (differ_from b v) = bit i (xorb a b) v.
Proof.
  revert i. induction n as [|n IH]; [easy|]. intros i. destruct v as [c v].
  cbn [differ_from fst snd]. destruct i as [|i]; [rewrite !bit_0; now destruct a, b, c|].
  rewrite !bit_S. apply IH.
Qed.
Lemma one_of_two i a n (v : vec bool n) : (i < n)%nat ->
  one_if (bit i a v) + one_if (bit i (negb a) v) = 1.
Proof.
  revert i. induction n as [|n IH]; [lia|]. intros i less. destruct v as [c v].
  destruct i as [|i]; [rewrite !bit_0; destruct a, c; simpl; ring|].
  rewrite !bit_S. apply IH. lia.
Qed.

Lemma at_one n (y : vec bool n) (g : vec bool n -> R) :
  mean n (fun v => g v * one_if (if vec_dec bool_dec n y v then true else false)) =
  (/2) ^ n * g y.
Proof.
  unfold mean. rewrite <- (sum_at (vec_dec bool_dec n) y (fun v => (/2) ^ n * g v)).
  apply sum_ext. intros v _. destruct (vec_dec bool_dec n y v); unfold one_if; ring.
Qed.

(** Given a bit each tuple of differences is one database. *)
Lemma differences_given n i a (y : vec bool n) : (i < S n)%nat -> mean (S n) (fun v =>
  one_if (bit i a v) * one_if (if vec_dec bool_dec n y (differences v) then true else false)) =
  /2 * (/2) ^ n.
Proof.
  intros less. rewrite mean_S. unfold differences; cbn [fst snd pred].
  assert (side : forall x, mean n (fun v => one_if (bit i a (n := S n) (x, v)) *
    one_if (if vec_dec bool_dec n y (differ_from x v) then true else false)) =
    (/2) ^ n * one_if (bit i a (n := S n) (x, differ_from x y))).
  { intros x. rewrite <- (at_one n (differ_from x y) (fun v => one_if (bit i a (n := S n) (x, v)))).
    apply mean_ext. intros v. f_equal. f_equal.
    destruct (vec_dec bool_dec n y (differ_from x v)) as [e|ne];
      destruct (vec_dec bool_dec n (differ_from x y) v) as [e'|ne']; try easy; exfalso.
    - apply ne'. rewrite e. apply differ_twice.
    - apply ne. rewrite <- e'. symmetry. apply differ_twice. }
  rewrite !side. destruct i as [|i].
  - rewrite !bit_0. destruct a; unfold alike, one_if; simpl; ring.
  - rewrite !bit_S, !bit_differ. pose proof (one_of_two i a n y ltac:(lia)) as one.
    rewrite xorb_true_r, xorb_false_r.
    replace (one_if (bit i (negb a) y)) with (1 - one_if (bit i a y)) by lra. ring.
Qed.

Section Fair.
Context {n : nat} (p : vec bool n -> R).
Hypothesis many : (2 < n)%nat.
Hypothesis even : fair p.

Lemma half_of_a_bit i a : (i < n)%nat -> P p (bit i a) = /2.
Proof.
  intros less. rewrite <- (one_bit n i a less). apply sum_ext. intros v _.
  unfold inside. rewrite even. destruct (bit i a v); unfold one_if; ring.
Qed.

(** What each output has given a bit (bai2026.ex2-likelihoods-repaired): 2^-n a tuple of type A,
    and 1/4 a value of type B.
    Differs: conditional probabilities are multiplied out. *)
Theorem given_a_bit i a : (i < n)%nat ->
  (forall y, Pw p fair_coin (bit i a) (inl y) = (/2) ^ n * P p (bit i a)) /\
  forall c, Pw p fair_coin (bit i a) (inr c) = /4 * P p (bit i a).
Proof.
  intros less. rewrite (half_of_a_bit i a less). split.
  - revert p even i a less. clear many. destruct n as [|m]; [lia|]. intros p even i a less y.
    replace ((/2) ^ S m * /2) with (/2 * (/2 * (/2) ^ m)) by (simpl; ring).
    rewrite <- (differences_given m i a y less), <- mean_scale. apply sum_ext. intros v _.
    unfold inside. rewrite even. unfold fair_coin. cbn [pred].
    destruct (bit i a v), (vec_dec bool_dec m y (differences v)); unfold one_if; ring.
  - intros c. replace (/4 * /2) with (/2 * (/2 * /2)) by lra.
    rewrite <- (parity_given n i a c less many), <- mean_scale. apply sum_ext. intros v _.
    unfold inside. rewrite even. unfold fair_coin, alike.
    destruct (bit i a v), (bool_dec c (published_parity v)); unfold one_if; ring.
Qed.

Lemma either_bit i a w : (i < n)%nat ->
  evidence p fair_coin w = Pw p fair_coin (bit i a) w + Pw p fair_coin (bit i (negb a)) w.
Proof.
  intros less. unfold evidence, Pw. rewrite <- sum_plus. apply sum_ext. intros v _.
  pose proof (one_of_two i a n v less) as one. unfold inside, one_if in *.
  destruct (bit i a v), (bit i (negb a) v); lra.
Qed.

(** Example 2 of bai2026 tells nothing of any bit in one run (bai2026.ex2-zero).
    Differs: conditional probabilities are multiplied out. *)
Theorem fair_bits_hide : bits_hide p.
Proof.
  intros i less a w. rewrite (either_bit i a w less).
  destruct (given_a_bit i a less) as [A B], (given_a_bit i (negb a) less) as [A' B'].
  rewrite (half_of_a_bit i a less) in *. rewrite (half_of_a_bit i (negb a) less) in *.
  destruct w as [y|c]; [rewrite A, A'|rewrite B, B']; lra.
Qed.

(** What two runs of different types tell. *)
Lemma fair_coin_positive_A (x : vec bool n) y : 0 < fair_coin x (inl y) <-> y = differences x.
Proof. unfold fair_coin. destruct (vec_dec _ _ _ _); split; intros; easy || lra. Qed.
Lemma fair_coin_positive_B (x : vec bool n) c :
  0 < fair_coin x (inr c) <-> c = published_parity x.
Proof. unfold fair_coin. destruct (bool_dec _ _); split; intros; easy || lra. Qed.

Lemma sum_of_one {A} `{Finite A} (dec : forall a b : A, {a = b} + {a <> b}) a r :
  (Σ z, if dec z a then r else 0) = r.
Proof.
  transitivity (Σ z, if dec a z then r else 0); [|exact (sum_at dec a (fun _ => r))].
  apply sum_ext. intros z _. destruct (dec z a), (dec a z); congruence.
Qed.

Lemma fair_coin_rows (x : vec bool n) : law (fair_coin x).
Proof.
  split.
  - intros [y|c]; unfold fair_coin; [destruct (vec_dec _ _ _ _)|destruct (bool_dec _ _)]; lra.
  - rewrite Sum_either. unfold fair_coin. rewrite !sum_of_one. lra.
Qed.

Lemma parity_differ a k (v : vec bool k) :
  parity_of (differ_from a v) = xorb (parity_of v) (a && Nat.odd k).
Proof.
  induction k as [|k IH]; [now destruct a|]. destruct v as [b v].
  cbn [differ_from parity_of fst snd]. rewrite IH, Nat.odd_succ, <- Nat.negb_odd.
  now destruct a, b, (parity_of v), (Nat.odd k).
Qed.

Lemma types_tell (x y : vec bool n) : differences x = differences y ->
  published_parity x = published_parity y -> x = y.
Proof.
  clear p even. revert x y. destruct n as [|m]; [lia|]. intros [a u] [b v] same parity.
  unfold differences in same; cbn [fst snd pred] in same.
  assert (e : u = differ_from a (differ_from b v)) by (rewrite <- same; now rewrite differ_twice).
  assert (ab : a = b).
  { unfold published_parity in parity; cbn [fst snd] in parity. rewrite e in parity.
    rewrite !parity_differ, Nat.odd_succ, <- Nat.negb_odd in parity.
    now destruct a, b, (parity_of v), (Nat.odd m). }
  subst a. now rewrite e, differ_twice.
Qed.

(** Another database with the same differences, and one with the same parity. *)
Lemma other_differences (x : vec bool n) : exists y, y <> x /\ differences y = differences x.
Proof.
  clear p even. revert x. destruct n as [|m]; [lia|]. intros [a v].
  exists (negb a, differ_from true v). split; [intros e; injection e; now destruct a|].
  unfold differences; cbn [fst snd pred]. clear many.
  induction m as [|m IH]; [easy|]. destruct v as [b v]. cbn [differ_from fst snd].
  rewrite IH. now destruct a, b.
Qed.
Lemma other_parity (x : vec bool n) :
  exists y, y <> x /\ published_parity y = published_parity x.
Proof.
  clear p even. revert x. destruct n as [|[|[|m]]]; [lia..|]. intros [a [b [c v]]].
  exists (a, (negb b, (negb c, v))). split; [intros e; injection e; now destruct b|].
  unfold published_parity. cbn [fst snd parity_of].
  now destruct (Nat.odd _), a, b, c, (parity_of v).
Qed.

Definition is_A (w : vec bool (pred n) + bool) : bool := if w then true else false.
Lemma share_of_type x c : share fair_coin bool_dec is_A x c = /2.
Proof.
  unfold share. rewrite Sum_either. unfold is_A, fair_coin. destruct c; simpl bool_dec; cbn iota.
  - rewrite sum_of_one, sum_0. ring.
  - rewrite sum_of_one, sum_0. ring.
Qed.

Lemma each_possible y : 0 < p y.
Proof. rewrite even. apply pow_lt. lra. Qed.

(** Example 2 of bai2026: all bits are told once both types were seen, after 3 runs on average
    (bai2026.ex2-runs).
    Differs: the expectation is the sum of the probabilities that more than k runs are needed. *)
Theorem fair_bits_tell x : bits_runs p x 3.
Proof.
  split; [exact many|]. split; [exact even|].
  replace 3 with (1 + Σ c, share fair_coin bool_dec is_A x c /
    (1 - share fair_coin bool_dec is_A x c)).
  2: { rewrite (sum_ext _ _ (fun _ => 1)); [simpl; lra|]. intros c _. rewrite share_of_type. lra. }
  apply (two_kinds_tell p fair_coin bool_dec).
  - apply fair_coin_rows.
  - apply not_true_iff_false. rewrite told_is. intros all_told.
    destruct (other_parity x) as [y [ne _]].
    specialize (all_told y (each_possible y) (fun w i => match i with end)). unfold is in all_told.
    now destruct (vec_dec bool_dec n y x).
  - intros w ws can.
    pose proof (chance_positive fair_coin x (w :: ws) (fair_coin_rows x) can) as each. clear can.
    rewrite <- not_true_iff_false, told_is. split.
    + intros hidden v i. destruct (bool_dec (is_A v) (is_A w)) as [|ne]; [easy|]. exfalso.
      apply hidden. intros y _ fits. unfold is.
      destruct (vec_dec bool_dec n y x) as [|other]; [easy|]. exfalso. apply other.
      pose proof (each w (or_introl eq_refl)) as pw. pose proof (each v (or_intror i)) as pv.
      pose proof (fits w (or_introl eq_refl)) as fw. pose proof (fits v (or_intror i)) as fv.
      destruct w as [a|a], v as [b|b]; try (now destruct ne);
        rewrite ?fair_coin_positive_A, ?fair_coin_positive_B in *; apply types_tell; congruence.
    + intros same all_told.
      assert (no : exists y, y <> x /\ forall v, In v (w :: ws) -> 0 < fair_coin y v).
      { pose proof (each w (or_introl eq_refl)) as pw. destruct w as [a|a].
        - destruct (other_differences x) as [y [ne e]]. exists y. split; [easy|]. intros v i.
          assert (isa : is_A v = true) by (destruct i as [<-|i]; [easy|now rewrite (same v i)]).
          specialize (each v i). destruct v as [b|b]; [|easy].
          rewrite fair_coin_positive_A in *. congruence.
        - destruct (other_parity x) as [y [ne e]]. exists y. split; [easy|]. intros v i.
          assert (isa : is_A v = false) by (destruct i as [<-|i]; [easy|now rewrite (same v i)]).
          specialize (each v i). destruct v as [b|b]; [easy|].
          rewrite fair_coin_positive_B in *. congruence. }
      destruct no as [y [ne fits]]. specialize (all_told y (each_possible y) fits).
      unfold is in all_told. now destruct (vec_dec bool_dec n y x).
  - intros c. rewrite share_of_type. lra.
Qed.
End Fair.
