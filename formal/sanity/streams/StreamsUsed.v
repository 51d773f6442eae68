(** Streams of fair bits through windows of two, regions of two databases, and near misses
    refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Streams Shifts Regions Dominated.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** The response to the newest of two bits, and a coin in its place. *)
Definition newest (k : nat) (l : list bool) (y : bool) : R :=
  match l with [_; b] => response b y | _ => 1/2 end.
Definition coins (k : nat) (l : list bool) (y : bool) : R := 1/2.

Lemma newest_law k l : law (newest k l).
Proof.
  assert (half : law (fun _ : bool => 1/2)) by (split; [intros []|]; by_cases).
  destruct l as [|a [|b [|c l]]]; try apply half. apply response_kernel.
Qed.

Lemma coins_law k l : law (coins k l).
Proof. split; [intros []|]; by_cases. Qed.

(** All blocks are fair bits. *)
Definition fairs (j : nat) := fair.
Lemma fairs_law j : law (fairs j).
Proof. apply fair_law. Qed.

Lemma known_bit j (z : list bool) : known fairs 2 j z -> exists b, z = [b].
Proof. intros [len _]. destruct z as [|b [|c z]]; try discriminate. now exists b. Qed.

Lemma bit_known j b : known fairs 2 j [b].
Proof. split; [easy|]. split; [|easy]. unfold fairs, fair. lra. Qed.

Lemma step_near : steps_within fairs 2 newest coins (fun _ _ => ln (3/2)).
Proof.
  intros k y z z' kz kz'. destruct (known_bit _ z kz) as [b ->], (known_bit _ z' kz') as [b' ->].
  rewrite exp_ln by lra. destruct b, y; by_cases.
Qed.

Lemma newest_positive : positive_at_windows 2 newest.
Proof. intros k l y _. apply newest_law. Qed.

Lemma coins_positive : positive_at_windows 2 coins.
Proof. intros k l y _. apply coins_law. Qed.

Example streaming_lemma1_used :
  given fairs 2 newest 2 [true; false] [true] <=
  exp (ln (3/2) + (ln (3/2) + 0)) * given fairs 2 coins 2 [true; false] [false].
Proof.
  apply (streaming_lemma1 fairs 2 fairs_law newest coins (fun _ _ => ln (3/2)) [true; false]);
    try apply bit_known; [exact newest_positive|exact coins_positive|exact step_near].
Qed.

Example streaming_lemma2_used :
  given fairs 2 newest 2 [true; false] [true] <=
  exp (ln (3/2) + 0 + 0) * given fairs 2 coins 2 [true; false] [true].
Proof.
  apply (streaming_lemma2 fairs 2 fairs_law newest coins (fun _ _ => ln (3/2)) 0 [true] false);
    try apply bit_known; [exact newest_positive|exact coins_positive|exact step_near|].
  rewrite exp_0. by_cases.
Qed.

(** Without a level it fails. *)
Example streaming_needs_its_level :
  ~ given fairs 2 newest 1 [true] [true] <= exp 0 * given fairs 2 coins 1 [true] [false].
Proof. rewrite exp_0. by_cases. Qed.

(** Where steps keep level 0 only if the known blocks are the same on both sides, two steps do not:
    the first shows the newest bit, the second the oldest one, which is the same. *)
Definition shown (k : nat) (l : list bool) (y : bool) : R :=
  match k, l with O, [_; b] => identity b y | S _, [b; _] => identity b y | _, _ => 1/2 end.
Definition hidden (k : nat) (l : list bool) (y : bool) : R :=
  match k, l with O, [_; b] => identity b y | _, _ => 1/2 end.

Example streaming_needs_all_pairs :
  (forall k y z, known fairs 2 (S k) z ->
    one_step fairs 2 shown k y z <= exp 0 * one_step fairs 2 hidden k y z) /\
  ~ given fairs 2 shown 2 [true; true] [true] <=
    exp (0 + (0 + 0)) * given fairs 2 hidden 2 [true; true] [true].
Proof.
  split.
  - intros k y z kz. destruct (known_bit _ z kz) as [b ->]. rewrite exp_0.
    destruct k, b, y; by_cases.
  - rewrite !Rplus_0_r, exp_0. by_cases.
Qed.

(** Blocks that never occur are left out: where the newest bit is 1 surely, showing it tells as much
    as always saying 1, though not where it might be 0. *)
Definition ones (j : nat) (b : bool) : R := if b then 1 else 0.
Definition says_newest (k : nat) (l : list bool) (y : bool) : R :=
  match l with [_; b] => identity b y | _ => identity true y end.
Definition says_one (k : nat) (l : list bool) (y : bool) : R := identity true y.

Example impossible_blocks_are_left_out :
  steps_within ones 2 says_newest says_one (fun _ _ => 0) /\
  ~ forall k y z z', length z = 1%nat -> length z' = 1%nat ->
    one_step ones 2 says_newest k y z <= exp 0 * one_step ones 2 says_one k y z'.
Proof.
  split.
  - intros k y z z' [len can] _. destruct z as [|b [|c z]]; try discriminate.
    rewrite exp_0. destruct can as [pos _]. unfold ones in pos. destruct b; [|lra].
    destruct y; by_cases.
  - intros all_z. specialize (all_z 0%nat false [false] [true] eq_refl eq_refl).
    rewrite exp_0 in all_z. revert all_z. by_cases.
Qed.

(** Level 0 with a shift of 1/4 for each output. *)
Lemma step_shift k z z' : known fairs 2 (S k) z -> known fairs 2 (S k) z' ->
  sets_of_step fairs 2 newest coins k (exp 0) (1/4) z z'.
Proof.
  intros kz kz' T. destruct (known_bit _ z kz) as [b ->], (known_bit _ z' kz') as [b' ->].
  rewrite exp_0. unfold weight_in. arithmetic. destruct (T true), (T false), b; lra.
Qed.

Example streaming_theorem4_used b :
  sets_of_outputs fairs 2 newest coins 2 (exp (before (fun _ => 0) 1 + 0)) (1/4 + 1/4) [b].
Proof.
  replace (1/4 + 1/4) with (before (fun _ => 1/4) 2) by (simpl; lra).
  apply streaming_theorem4.
  - apply fairs_law.
  - intros k l _. apply newest_law.
  - intros k l _. apply coins_law.
  - intros k _ z z'. apply step_shift.
  - apply bit_known.
  - apply step_shift; apply bit_known.
Qed.

(** Half that shift is too little, for one output. *)
Example streaming_shift_is_tight :
  ~ sets_of_outputs fairs 2 newest coins 1 (exp (before (fun _ => 0) 0 + 0)) (1/8) [true].
Proof.
  intros promise. specialize (promise (fun v => fst v)). simpl before in promise.
  rewrite Rplus_0_r, exp_0 in promise. revert promise. unfold weight_in. by_cases.
Qed.

(** Regions: with ratio 2 the response needs a shift of 3/4 - 2/4. *)
Lemma response_rows b : (Σ y, response b y) = 1.
Proof. apply response_kernel. Qed.

Example positive_parts_used : near 2 (1/4) (response true) (response false) /\
  ~ near 2 (1/5) (response true) (response false).
Proof.
  rewrite !sets_by_positive_parts. simpl. unfold Rmax, response. simpl.
  destruct (Rle_dec 0), (Rle_dec 0); lra.
Qed.

Example larger_ratio_used : near 3 (1/4) (response true) (response false).
Proof.
  apply (near_at_larger 2); [intros y; apply response_likelihood|lra|apply positive_parts_used].
Qed.

Definition opposite (x y : bool) := y = negb x.
Example inequalities_used : approximate response 2 (1/4) (both_ways opposite).
Proof.
  apply privacy_by_inequalities; [exact response_rows|]. intros x y ->.
  split; intros T; unfold weight_in, others; simpl; destruct x, (T true), (T false); by_cases.
Qed.

Example one_inequality_used x y : both_ways opposite x y ->
  first_inequality 2 (1/4) (response x) (response y).
Proof. apply privacy_by_one_inequality; [exact response_rows|exact inequalities_used]. Qed.

Example both_ways_used : inequalities response 2 (1/4) (both_ways opposite).
Proof. apply privacy_by_inequalities_both_ways; [exact response_rows|exact inequalities_used]. Qed.

Example regions_used a b : regions response opposite a b ->
  allowed 2 (1/4) a b /\ square a b.
Proof.
  apply privacy_in_square; [exact response_rows|apply response_likelihood|].
  exact inequalities_used.
Qed.

Example union_of_regions_used a b : regions response opposite a b -> allowed 2 (1/4) a b.
Proof. apply privacy_by_regions; [exact response_rows|exact inequalities_used]. Qed.

Example hull_used a b : mixture_of (fun z => regions response opposite (fst z) (snd z)) a b ->
  allowed 2 (1/4) a b.
Proof. apply privacy_by_hull; [exact response_rows|exact inequalities_used]. Qed.

(** Mixtures of the corners of the unit square have a sum of at least 0. *)
Example half_plane_used a b : mixture_of (fun z => 0 <= fst z /\ 0 <= snd z) a b ->
  0 <= 1 * a + 1 * b.
Proof. apply half_plane. intros z [low left]. lra. Qed.

(** The points (P(T), Q(T)), without the complement, say nothing of privacy. *)
Example complements_are_needed : near 1 0 fair fair /\
  ~ allowed 1 0 (weight_in fair (fun _ => false)) (weight_in fair (fun _ => false)).
Proof.
  split; [intros T; lra|]. unfold allowed, weight_in. simpl. intros [low _]. lra.
Qed.

(** For one order alone the second inequality asks for more than the promise. *)
Example one_order_is_not_enough : near 2 0 (ones 0) fair /\ ~ second_inequality 2 0 (ones 0) fair.
Proof.
  split.
  - intros T. unfold weight_in. simpl. destruct (T true), (T false); by_cases.
  - intros all_sets. specialize (all_sets (fun y => negb y)). revert all_sets.
    unfold weight_in, others. by_cases.
Qed.

(** Coupled worlds: the private bit is hidden by the alternative that draws a fair bit. *)
Definition redrawn (x u : bool) : R := 1/2.
Definition world p alt (s : @secret bool) := p = fair /\ alt = redrawn /\ s = yes.

Example worlds_used : coupled_worlds response 2 0 world.
Proof.
  apply worlds_by_inequalities.
  - exact response_rows.
  - intros p alt s [-> [-> ->]] x. unfold redrawn. by_cases.
  - intros p alt s [-> [-> ->]] _. split; intros T;
      unfold weight_in, others, row_given, process, Pw, P, inside, redrawn, fair, yes, response;
      simpl; destruct (T true), (T false); simpl; lra.
Qed.

(** Outputs so far that others dominate, on one state: a third and twice of the weights; near miss:
    the other way round. *)
Example dominated_used : (1/3 * 1) * (1 * 1) <= (1 * 1) * (2 * 1) /\
  ~ (2 * 1) * (1 * 1) <= (1 * 1) * (1/3 * 1).
Proof.
  pose proof (@dominated unit unit finite_unit finite_unit (fun _ => 1/3) (fun _ => 1) (fun _ => 1)
    (fun _ => 2) (fun _ => 1) (fun _ => 1) 1) as D.
  simpl in D. split; [|lra]. enough (E : (1/3 * 1 + 0) * (1 * 1 + 0) <= (1 * 1 + 0) * (2 * 1 + 0))
    by lra. apply D; intros; lra.
Qed.
