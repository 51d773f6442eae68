(** Promises for events: of the response, of geometric noise and of Laplace noise. *)
From Coq Require Import Reals Lra Lia List Bool Classical.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Events NoiseEvents Partitions.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Example finite_events_used :
  pufferfish 3 (fun x (event : list bool) => sum event (response x)) bit_pairs (eq fair).
Proof. apply (finite_events 3 response), response_leaks. Qed.

Example finite_events_leak_no_less :
  ~ pufferfish 2 (fun x (event : list bool) => sum event (response x)) bit_pairs (eq fair).
Proof.
  intros promise. apply (response_leaks_no_less 2); [lra|]. now apply (finite_events 2 response).
Qed.

(** The number k has the probability 1/2^(k+1) for 1, and 2/3^(k+1) for 0. *)
Definition geometric (x : bool) (k : nat) : R := if x then / 2 * (/ 2) ^ k else 2 / 3 * (/ 3) ^ k.
(** One order alone: the other one has no level. *)
Definition no_before_yes (s t : @secret bool) := s = no /\ t = yes.

Lemma geometric_nonneg x k : 0 <= geometric x k.
Proof.
  pose proof (pow_le (/ 2) k). pose proof (pow_le (/ 3) k). unfold geometric. destruct x; lra.
Qed.

Lemma geometric_below x n : sum (seq 0 n) (geometric x) <= 1.
Proof.
  assert (E : sum (seq 0 n) (geometric x) = 1 - (if x then (/ 2) ^ n else (/ 3) ^ n)).
  { induction n as [|n IH]; [destruct x; simpl; lra|]. rewrite seq_S, sum_app, IH.
    unfold geometric. destruct x; simpl; lra. }
  pose proof (pow_le (/ 2) n). pose proof (pow_le (/ 3) n). rewrite E. destruct x; lra.
Qed.

Lemma geometric_leaks : pufferfish (4/3) geometric no_before_yes (eq fair).
Proof.
  intros p s t k <- [-> ->] _ _. assert (le : 2 / 3 * (/ 3) ^ k <= 4/3 * (/ 2 * (/ 2) ^ k)).
  { assert ((/ 3) ^ k <= (/ 2) ^ k) by (apply pow_incr; lra). lra. }
  unfold Pw, P, inside, fair, yes, no; simpl. unfold geometric. lra.
Qed.

Example countable_events_used : exists chance : bool -> (nat -> bool) -> R,
  (forall x event, adds_up (geometric x) event (chance x event)) /\
  pufferfish (4/3) chance no_before_yes (eq fair).
Proof.
  set (sums x event := event_adds_up (geometric x) event (geometric_nonneg x) (geometric_below x)).
  exists (fun x event => proj1_sig (sums x event)).
  assert (adds : forall x event, adds_up (geometric x) event (proj1_sig (sums x event)))
    by (intros x event; apply (proj2_sig (sums x event))).
  split; [exact adds|].
  apply (countable_events (4/3) geometric); [exact adds|apply geometric_leaks].
Qed.

(** The event that the number is 0. *)
Lemma zero_adds_up M total : adds_up M (Nat.eqb 0) total -> total = M 0%nat.
Proof.
  intros sums. apply (UL_sequence _ _ _ sums). intros e e0. exists 1%nat. intros [|n] n1; [lia|].
  assert (E : sum (filter (Nat.eqb 0) (seq 0 (S n))) M = M 0%nat).
  { clear. simpl. rewrite <- (Rplus_0_r (M 0%nat)) at 2. f_equal.
    induction n as [|n IH]; [easy|]. rewrite seq_S, filter_app, sum_app, IH. simpl. ring. }
  rewrite E. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; lra.
Qed.

Example countable_events_leak_no_less (chance : bool -> (nat -> bool) -> R) :
  (forall x event, adds_up (geometric x) event (chance x event)) ->
  ~ pufferfish (5/4) chance no_before_yes (eq fair).
Proof.
  intros adds promise.
  specialize (promise fair no yes (Nat.eqb 0) eq_refl (conj eq_refl eq_refl)).
  assert (at_zero : forall x, chance x (Nat.eqb 0) = geometric x 0)
    by (intros x; apply zero_adds_up, adds).
  unfold Pw, P, inside, fair, yes, no in promise. simpl in promise. rewrite !at_zero in promise.
  unfold geometric in promise. simpl in promise. lra.
Qed.

(** The bit plus Laplace noise of scale 1, and the chance that it falls between 1 and 2. *)
Definition bit_value (x : bool) : R := if x then 1 else 0.

Lemma noisy_bit : pufferfish (exp 1) (fun x => laplace 1 (bit_value x)) bit_pairs (eq fair).
Proof.
  assert (near : forall x y w, laplace 1 (bit_value x) w <= exp 1 * laplace 1 (bit_value y) w).
  { intros x y w. replace (exp 1) with (exp (1 / 1)) by (f_equal; field).
    apply laplace_near; [lra|].
    unfold Rabs, bit_value; destruct Rcase_abs, x, y; lra. }
  intros p s t w <- st _ _. pose proof (near true false w). pose proof (near false true w).
  destruct st as [[-> ->]|[-> ->]]; unfold Pw, P, inside, fair, yes, no; simpl in *; lra.
Qed.

Example laplace_events_used : pufferfish (exp 1)
  (fun x (event : list (R * R)) => sum event (laplace_between 1 (bit_value x)))
  bit_pairs (eq fair).
Proof. apply laplace_events, noisy_bit. Qed.

Example interval_events_used : pufferfish (exp 1) (fun x (event : list (R * R)) =>
    sum event (over (fun x => laplace 1 (bit_value x))
      (fun x => laplace_integrable 1 (bit_value x)) x)) bit_pairs (eq fair).
Proof. apply interval_events, noisy_bit. Qed.

Lemma between_one_and_two : laplace_between 1 0 (1, 2) < laplace_between 1 1 (1, 2).
Proof.
  unfold laplace_between. set (l := low (1, 2)). set (h := high (1, 2)).
  assert (l = 1) as El by (unfold l, low; simpl; apply Rmin_left; lra).
  assert (h = 2) as Eh by (unfold h, high; simpl; apply Rmax_right; lra).
  clearbody l h. subst l h.
  set (k := (exp 1 - 1) * (exp (-2) / 2)).
  set (more := RiemannInt_P10 1 (laplace_integrable 1 0 1 2) (RiemannInt_P14 1 2 k)).
  assert (k0 : 0 < k).
  { pose proof (exp_increasing 0 1 Rlt_0_1) as e1. rewrite exp_0 in e1.
    pose proof (exp_pos (-2)). apply Rmult_lt_0_compat; lra. }
  assert (le : RiemannInt more <= RiemannInt (laplace_integrable 1 1 1 2)).
  { apply RiemannInt_P19; [lra|]. intros w [w1 w2]. unfold fct_cte, k, laplace.
    rewrite !Rabs_right by lra.
    replace (- (w - 0) / 1) with (- w) by field. replace (- (w - 1) / 1) with (1 + - w) by field.
    rewrite exp_plus. assert (low : exp (-2) <= exp (- w)) by (left; apply exp_increasing; lra).
    pose proof (exp_increasing 0 1 Rlt_0_1) as e1. rewrite exp_0 in e1.
    apply (Rmult_le_compat_l (exp 1 - 1)) in low; lra. }
  unfold more in le. rewrite (RiemannInt_P13 (laplace_integrable 1 0 1 2) (RiemannInt_P14 1 2 k)),
    RiemannInt_P15 in le. lra.
Qed.

(** Some interval tells: level 0 is not kept. *)
Example laplace_events_leak : ~ pufferfish 1
  (fun x (event : list (R * R)) => sum event (laplace_between 1 (bit_value x)))
  bit_pairs (eq fair).
Proof.
  intros promise.
  specialize (promise fair yes no [(1, 2)] eq_refl (or_introl (conj eq_refl eq_refl))).
  pose proof between_one_and_two.
  unfold Pw, P, inside, fair, yes, no in promise. simpl in promise. lra.
Qed.

(** Natural numbers as outputs: 0 or 1, each surely for one database. *)
Definition place (x : bool) : nat := if x then 1 else 0.
Definition shown (x : bool) (e : nat -> bool) : R := if e (place x) then 1 else 0.
Example partitions_used : ~ forall c : bool -> nat -> bool, partition c ->
  (forall w : bool, True) ->
  pufferfish 1 (fun x w => shown x (c w)) bit_pairs (eq fair).
Proof.
  intros all_c.
  pose proof (partitions_suffice (W := bool) 1 shown (fun _ => True) bit_pairs (eq fair)
    ltac:(now exists true, false) I (fun _ _ => I)) as [_ back].
  specialize (back all_c fair yes no (exist _ (Nat.eqb 1) I) eq_refl
    (or_introl (conj eq_refl eq_refl))).
  revert back. by_cases.
Qed.

(** Events without their complements are cells of no partition. *)
Example complements_are_needed : let one := fun e => e = Nat.eqb 1 in
  (forall c : bool -> nat -> bool, partition c -> (forall w, one (c w)) ->
    pufferfish 1 (fun x w => shown x (c w)) bit_pairs (eq fair)) /\
  ~ pufferfish 1 (fun x (e : {e | one e}) => shown x (proj1_sig e)) bit_pairs (eq fair).
Proof.
  split.
  - intros c parts cells. destruct (parts 0%nat) as [w [is_in _]]. now rewrite cells in is_in.
  - intros promise. specialize (promise fair yes no (exist _ (Nat.eqb 1) eq_refl) eq_refl
      (or_introl (conj eq_refl eq_refl))). revert promise. by_cases.
Qed.

(** The number that is 1 if a proposition holds, and 0 if not: a least upper bound. *)
Lemma holds_bound (A : Prop) : {m | is_lub (fun r => r = 0 \/ A /\ r = 1) m}.
Proof. apply completeness; [exists 1; intros r [->|[_ ->]]; lra|exists 0; now left]. Qed.
Definition holds (A : Prop) : R := proj1_sig (holds_bound A).
Lemma holds_one (A : Prop) : A -> holds A = 1.
Proof.
  intros a. unfold holds. destruct (holds_bound A) as [m [upper least]]. simpl.
  apply Rle_antisym; [apply least; intros r [->|[_ ->]]; lra|apply upper; auto].
Qed.
Lemma holds_zero (A : Prop) : ~ A -> holds A = 0.
Proof.
  intros n. unfold holds. destruct (holds_bound A) as [m [upper least]]. simpl.
  apply Rle_antisym; [apply least; intros r [->|[a _]]; [lra|easy]|apply upper; auto].
Qed.
Lemma holds_same (A B : Prop) : (A <-> B) -> holds A = holds B.
Proof.
  intros same. destruct (classic A) as [a|n].
  - rewrite !holds_one; [easy|now apply same|easy].
  - rewrite !holds_zero; [easy|now rewrite <- same|easy].
Qed.

Lemma constant_from (u : nat -> R) N l : (forall n, (N <= n)%nat -> u n = l) -> Un_cv u l.
Proof.
  intros same e e0. exists N. intros n le. unfold R_dist. rewrite same by lia.
  rewrite Rminus_diag_eq, Rabs_R0; lra.
Qed.

(** The output is the bit with probability 3/4, as a number: measures of all sets. *)
Definition measured (x : bool) (e : nat -> Prop) : R :=
  3/4 * holds (e (place x)) + 1/4 * holds (e (place (negb x))).
Definition few (e : nat -> Prop) := forall n m, (2 <= n)%nat -> (2 <= m)%nat -> (e n <-> e m).

Lemma grows_to (es : nat -> nat -> Prop) o : (forall n o, es n o -> es (S n) o) ->
  Un_cv (fun n => holds (es n o)) (holds (exists n, es n o)).
Proof.
  intros up. destruct (classic (exists n, es n o)) as [[N i]|none].
  - apply constant_from with N. intros n le. rewrite !holds_one; [easy|now exists N|].
    induction le; auto.
  - apply constant_from with 0%nat. intros n _. rewrite !holds_zero; [easy|easy|].
    intros i. apply none. now exists n.
Qed.
Lemma shrinks_to (es : nat -> nat -> Prop) o : (forall n o, es (S n) o -> es n o) ->
  Un_cv (fun n => holds (es n o)) (holds (forall n, es n o)).
Proof.
  intros down. destruct (classic (forall n, es n o)) as [each|some].
  - apply constant_from with 0%nat. intros n _. now rewrite !holds_one.
  - destruct (not_all_ex_not _ _ some) as [N not]. apply constant_from with N. intros n le.
    rewrite !holds_zero; [easy|easy|]. intros i. apply not. induction le; auto.
Qed.
Lemma weighted u v l k : Un_cv u l -> Un_cv v k ->
  Un_cv (fun n => 3/4 * u n + 1/4 * v n) (3/4 * l + 1/4 * k).
Proof.
  intros cu cv. apply (CV_plus (fun n => 3/4 * u n) (fun n => 1/4 * v n)).
  - apply (CV_mult (fun _ => 3/4) u); [now apply (constant_from _ 0)|easy].
  - apply (CV_mult (fun _ => 1/4) v); [now apply (constant_from _ 0)|easy].
Qed.

Example generated_events_used : pufferfish 3
  (fun x (e : {e | generated few e}) => measured x (proj1_sig e)) bit_pairs (eq fair).
Proof.
  apply generated_events.
  - intros e few_e n m n2 m2. now rewrite (few_e n m n2 m2).
  - intros e e' few_e few_e' n m n2 m2. now rewrite (few_e n m n2 m2), (few_e' n m n2 m2).
  - intros x e e' same. unfold measured.
    now rewrite (holds_same _ _ (same (place x))), (holds_same _ _ (same (place (negb x)))).
  - intros x es _ up. apply weighted; now apply grows_to.
  - intros x es _ down. apply weighted; now apply shrinks_to.
  - assert (range : forall A, 0 <= holds A <= 1).
    { intros A. destruct (classic A); [rewrite holds_one|rewrite holds_zero]; auto; lra. }
    intros p s t [e i] <- [[-> ->]|[-> ->]] _ _; pose proof (range (e 0%nat));
      pose proof (range (e 1%nat)); unfold Pw, P, inside, yes, no, fair, measured; simpl; lra.
Qed.
