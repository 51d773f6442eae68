(** The searches for quilts of a chain with a gap (wang2016, appendix B): the one that asks for a
    quilt of every record, and the faster one that walks from the middle. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts RecordTables
  TableQuilts Gap GapQuilts.
Import ListNotations.
Open Scope R_scope.

(** {X_(i-a), X_(i+b)} beside X_i of X_1 .. X_n, where a = i and b = n + 1 - i stand for no record:
    it is far enough, and the bound of what it tells gives a score of at most b. *)
Definition bound_of low r n i a b := ln (told_at_most low r n (i - a) (i + b - 1) (i - 1)).
Definition scored low r n eps scale i a b :=
  (1 <= i <= n /\ 1 <= a <= i /\ 1 <= b /\ i + b <= S n)%nat /\
  far low r n (i - a) (i + b - 1) (i - 1) /\
  bound_of low r n i a b < eps /\ INR (a + b - 1) / (eps - bound_of low r n i a b) <= scale.

(** A search has a quilt of each record, as the distances a and b. The faster one starts at n/2,
    rounded down, steps right where only the left record is missing, left where only the right one
    is, and stops elsewhere, or where it has been before. *)
Definition quilts_found := nat -> nat * nat.
Definition score_found low r n eps scale (find : quilts_found) i :=
  scored low r n eps scale i (fst (find i)) (snd (find i)).
Fixpoint walk n (find : quilts_found) steps seen i : list nat :=
  match steps with O => seen | S steps =>
    if existsb (Nat.eqb i) seen then seen else
    match Nat.eqb (i - fst (find i))%nat 0, Nat.eqb (i + snd (find i))%nat (S n) with
    | true, false => walk n find steps (i :: seen) (S i)
    | false, true => walk n find steps (i :: seen) (i - 1)%nat
    | _, _ => i :: seen
    end
  end.
Definition visited n find := walk n find (S n) [] (Nat.div2 n).
Definition every_score low r n eps scale find :=
  forall i, In i (seq 1 n) -> score_found low r n eps scale find i.
Definition fast_scores low r n eps scale find :=
  forall i, In i (visited n find) -> score_found low r n eps scale find i.

Lemma walk_keeps n find steps seen i k : In k seen -> In k (walk n find steps seen i).
Proof.
  revert seen i; induction steps as [|steps IH]; intros seen i here; [easy|]. simpl.
  destruct existsb; [easy|]. destruct Nat.eqb, Nat.eqb; try (now right); apply IH; now right.
Qed.

(** Claim B.1 of wang2016: the faster search asks for quilts of fewer records, so that the largest
    of their scores is not larger.
    Differs: "at most" of a largest score is that of all scores; quilts are any that are found, of
    least score or not. *)
Theorem fast_asks_less low r n eps scale find : (2 <= n)%nat ->
  every_score low r n eps scale find -> fast_scores low r n eps scale find.
Proof.
  intros n2 every.
  assert (inside_ : forall steps seen i, (1 <= i <= n)%nat ->
    (forall k, In k seen -> (1 <= k <= n)%nat) ->
    forall k, In k (walk n find steps seen i) -> (1 <= k <= n)%nat).
  { induction steps as [|steps IH]; intros seen i here before k; [apply before|]. simpl.
    destruct (every i ltac:(apply in_seq; lia)) as [[_ [[a1 a2] [b1 b2]]] _].
    assert (more : forall k, In k (i :: seen) -> (1 <= k <= n)%nat)
      by (intros j [<-|j_]; auto).
    destruct existsb; [apply before|].
    destruct (Nat.eqb_spec (i - fst (find i)) 0), (Nat.eqb_spec (i + snd (find i)) (S n));
      try apply more; apply IH; try easy; lia. }
  intros i seen. apply every, in_seq.
  pose proof (Nat.div2_div n) as half.
  assert ((1 <= i <= n)%nat); [|lia]. apply (inside_ (S n) [] (Nat.div2 n)); [|easy|exact seen].
  rewrite half. split; [apply (Nat.div_le_mono 2 n 2); lia|apply Nat.div_le_upper_bound; lia].
Qed.

Section Scores.
Context (low r : R) (n : nat) (eps scale : R).
Hypotheses (r0 : 0 <= r).
Notation good := (scored low r n eps scale).
Definition covered j := exists a b, good j a b.

Lemma over_above x : 0 <= x -> x < low -> 1 <= over low x.
Proof.
  intros x0 less. unfold over. destruct Rlt_dec; [|easy].
  apply (Rmult_le_reg_r (low - x)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** What the left and the right record tell. *)
Definition left_bound i a := if Nat.eqb (i - a) 0 then 1 else over low (r ^ a) * over low (r ^ a).
Definition right_bound i b := if Nat.ltb (i + b) (S n) then over low (r ^ b) else 1.
Lemma both_bounds i a b : (1 <= a <= i)%nat -> (1 <= b)%nat ->
  told_at_most low r n (i - a) (i + b - 1) (i - 1) = left_bound i a * right_bound i b.
Proof.
  intros ia b1. unfold told_at_most, left_bound, right_bound. f_equal.
  - destruct (i - a)%nat as [|d] eqn:E; [easy|]. cbn [Nat.eqb].
    now replace (S (i - 1) - S d)%nat with a by lia.
  - replace (i + b - 1 - (i - 1))%nat with b by lia.
    destruct (Nat.ltb_spec (i + b - 1) n), (Nat.ltb_spec (i + b) (S n)); try lia; easy.
Qed.

Lemma far_parts i a b : (1 <= a <= i)%nat -> (1 <= b)%nat ->
  far low r n (i - a) (i + b - 1) (i - 1) <->
  (a = i \/ r ^ a < low) /\ ((n < i + b)%nat \/ r ^ b < low).
Proof.
  intros ia b1. unfold far. replace (S (i - 1) - (i - a))%nat with a by lia.
  replace (i + b - 1 - (i - 1))%nat with b by lia.
  split; intros [[x|x] [y|y]]; split; try (right; exact x); try (right; exact y); left; lia.
Qed.

(** A quilt with fewer nearby records that tells less has no larger score. *)
Lemma less_score m k e c : (m <= k)%nat -> e <= c -> c < eps -> INR k / (eps - c) <= scale ->
  e < eps /\ INR m / (eps - e) <= scale.
Proof.
  intros mk ec less sc. split; [lra|]. apply Rle_trans with (2 := sc). unfold Rdiv.
  apply Rmult_le_compat; [apply pos_INR|left; apply Rinv_0_lt_compat; lra|now apply le_INR|].
  apply Rinv_le_contravar; lra.
Qed.

(** The quilt of X_i, moved to X_j, serves it: where a side has no record, to that side alone. *)
Lemma moved i a b j : good i a b -> (1 <= j <= n)%nat -> (a = i -> (j <= i)%nat) ->
  ((i + b)%nat = S n -> (i <= j)%nat) -> covered j.
Proof.
  intros [[ii [ia [b1 ib]]] [apart [less sc]]] jj on_left on_right.
  apply far_parts in apart as [far_a far_b]; try easy.
  exists (Nat.min a j), (Nat.min b (S n - j)).
  assert (fa : Nat.min a j = j \/ (Nat.min a j = a /\ (a < j)%nat /\ a <> i)) by lia.
  assert (fb : Nat.min b (S n - j) = (S n - j)%nat \/
    (Nat.min b (S n - j) = b /\ (j + b < S n)%nat /\ (i + b < S n)%nat)) by lia.
  set (a' := Nat.min a j) in *. set (b' := Nat.min b (S n - j)) in *.
  assert (ok : (1 <= j <= n /\ 1 <= a' <= j /\ 1 <= b' /\ j + b' <= S n)%nat) by lia.
  split; [exact ok|]. split.
  - apply far_parts; [lia|lia|]. split.
    + destruct fa as [->|[-> [aj ne]]]; [now left|right]. now destruct far_a.
    + destruct fb as [->|[-> [jb ib']]]; [left; lia|right]. destruct far_b; [lia|easy].
  - apply (less_score (a' + b' - 1) (a + b - 1) _ (bound_of low r n i a b)); auto; [lia|].
    unfold bound_of. rewrite !both_bounds by lia.
    assert (la : 1 <= left_bound j a' <= left_bound i a).
    { unfold left_bound. destruct fa as [->|[-> [aj ne]]].
      - rewrite Nat.sub_diag. simpl. destruct (Nat.eqb_spec (i - a) 0); [lra|].
        destruct far_a as [->|less_a]; [lia|].
        pose proof (over_above _ (pow_le r a r0) less_a). split; [lra|]. nra.
      - destruct far_a as [->|less_a]; [lia|]. pose proof (over_above _ (pow_le r a r0) less_a).
        destruct (Nat.eqb_spec (j - a) 0), (Nat.eqb_spec (i - a) 0); try lia. nra. }
    assert (lb : 1 <= right_bound j b' <= right_bound i b).
    { unfold right_bound. destruct fb as [->|[-> [jb ib']]].
      - destruct (Nat.ltb_spec (j + (S n - j)) (S n)); [lia|].
        destruct (Nat.ltb_spec (i + b) (S n)); [|lra]. destruct far_b as [no|less_b]; [lia|].
        pose proof (over_above _ (pow_le r b r0) less_b). lra.
      - destruct far_b as [no|less_b]; [lia|]. pose proof (over_above _ (pow_le r b r0) less_b).
        destruct (Nat.ltb_spec (j + b) (S n)), (Nat.ltb_spec (i + b) (S n)); try lia. lra. }
    assert (0 < left_bound j a' * right_bound j b') by nra.
    assert (left_bound j a' * right_bound j b' <= left_bound i a * right_bound i b)
      as [l|<-] by (apply Rmult_le_compat; lra); [left; now apply ln_increasing|lra].
Qed.

(** The empty quilt serves every record. *)
Lemma nothing_near i j : good i i (S n - i) -> (1 <= j <= n)%nat -> covered j.
Proof.
  intros [[ii _] [_ [less sc]]] jj. exists j, (S n - j)%nat. split; [lia|].
  split; [apply far_parts; [lia|lia|]; split; left; lia|].
  assert (same : forall k, (1 <= k <= n)%nat -> bound_of low r n k k (S n - k) = ln 1).
  { intros k kk. unfold bound_of. rewrite both_bounds by lia. unfold left_bound, right_bound.
    rewrite Nat.sub_diag. simpl Nat.eqb. cbv iota.
    destruct (Nat.ltb_spec (k + (S n - k)) (S n)); [lia|]. f_equal. lra. }
  rewrite !same in * by lia. replace (j + (S n - j) - 1)%nat with (i + (S n - i) - 1)%nat by lia.
  now split.
Qed.

(** Claim B.2: with a record on both sides it serves every record. *)
Lemma two_sided_serves i a b j : good i a b -> (a < i)%nat -> (i + b < S n)%nat ->
  (1 <= j <= n)%nat -> covered j.
Proof. intros g ia ib jj. apply (moved i a b); auto; lia. Qed.

Section Walks.
Context (find : quilts_found).
Notation found := (score_found low r n eps scale find).

Lemma to_the_left steps seen i : (1 <= i <= n)%nat -> (i <= steps)%nat ->
  (forall k, In k seen -> (i < k)%nat) -> In (S i) seen ->
  (forall j, (i < j <= n)%nat -> covered j) ->
  (forall k, In k (walk n find steps seen i) -> found k) ->
  forall j, (1 <= j <= n)%nat -> covered j.
Proof.
  revert seen i; induction steps as [|steps IH]; intros seen i here enough right_ next beyond all_ j
    jj; [lia|].
  simpl in all_. destruct (existsb (Nat.eqb i) seen) eqn:E.
  { apply existsb_exists in E as [k [ik e]]. apply Nat.eqb_eq in e. subst k.
    specialize (right_ i ik). lia. }
  assert (f : found i).
  { apply all_. destruct Nat.eqb, Nat.eqb; try (now left); apply walk_keeps; now left. }
  unfold score_found in f. pose proof f as [[_ [[a1 a2] [b1 b2]]] _].
  destruct (find i) as [a b] eqn:F; cbn [fst snd] in *.
  destruct (Nat.eqb_spec (i - a) 0), (Nat.eqb_spec (i + b) (S n)).
  - apply (nothing_near i); [|easy]. replace a with i in f by lia.
    now replace b with (S n - i)%nat in f by lia.
  - destruct (Nat.le_gt_cases j i); [|apply beyond; lia]. apply (moved i a b); auto; lia.
  - apply (IH (i :: seen) (i - 1)%nat); auto; try lia.
    + intros k [<-|k_]; [lia|]. specialize (right_ k k_). lia.
    + left. lia.
    + intros k kk. destruct (Nat.eq_dec k i) as [->|]; [now exists a, b|apply beyond; lia].
  - apply (two_sided_serves i a b); auto; lia.
Qed.

Lemma to_the_right steps seen i : (1 <= i <= n)%nat -> (S n <= steps + i)%nat ->
  (forall k, In k seen -> (k < i)%nat) -> In (i - 1)%nat seen ->
  (forall j, (1 <= j < i)%nat -> covered j) ->
  (forall k, In k (walk n find steps seen i) -> found k) ->
  forall j, (1 <= j <= n)%nat -> covered j.
Proof.
  revert seen i; induction steps as [|steps IH]; intros seen i here enough left_ next beyond all_ j
    jj; [lia|].
  simpl in all_. destruct (existsb (Nat.eqb i) seen) eqn:E.
  { apply existsb_exists in E as [k [ik e]]. apply Nat.eqb_eq in e. subst k.
    specialize (left_ i ik). lia. }
  assert (f : found i).
  { apply all_. destruct Nat.eqb, Nat.eqb; try (now left); apply walk_keeps; now left. }
  unfold score_found in f. pose proof f as [[_ [[a1 a2] [b1 b2]]] _].
  destruct (find i) as [a b] eqn:F; cbn [fst snd] in *.
  destruct (Nat.eqb_spec (i - a) 0), (Nat.eqb_spec (i + b) (S n)).
  - apply (nothing_near i); [|easy]. replace a with i in f by lia.
    now replace b with (S n - i)%nat in f by lia.
  - apply (IH (i :: seen) (S i)); auto; try lia.
    + intros k [<-|k_]; [lia|]. specialize (left_ k k_). lia.
    + left. lia.
    + intros k kk. destruct (Nat.eq_dec k i) as [->|]; [now exists a, b|apply beyond; lia].
  - destruct (Nat.le_gt_cases i j); [|apply beyond; lia]. apply (moved i a b); auto; lia.
  - apply (two_sided_serves i a b); auto; lia.
Qed.

(** The end of appendix B.2 of wang2016: wherever the walk ends, every record has a quilt whose
    score is at most the largest of those that it met. *)
Lemma walk_serves : fast_scores low r n eps scale find -> forall j, (1 <= j <= n)%nat -> covered j.
Proof.
  intros all_ j jj. unfold fast_scores, visited in all_. set (i := Nat.div2 n) in *.
  assert (f : found i).
  { apply all_. simpl. destruct Nat.eqb, Nat.eqb; try (now left); apply walk_keeps; now left. }
  simpl in all_. unfold score_found in f. pose proof f as [[ii [[a1 a2] [b1 b2]]] _].
  destruct (find i) as [a b] eqn:F; cbn [fst snd] in *.
  destruct (Nat.eqb_spec (i - a) 0), (Nat.eqb_spec (i + b) (S n)).
  - apply (nothing_near i); [|easy]. replace a with i in f by lia.
    now replace b with (S n - i)%nat in f by lia.
  - apply (to_the_right n [i] (S i)); auto; try lia.
    + intros k [<-|[]]; lia.
    + left. lia.
    + intros k kk. apply (moved i a b); auto; lia.
  - apply (to_the_left n [i] (i - 1)%nat); auto; try lia.
    + intros k [<-|[]]; lia.
    + left. lia.
    + intros k kk. apply (moved i a b); auto; lia.
  - apply (two_sided_serves i a b); auto; lia.
Qed.
End Walks.
End Scores.

Section Private.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The law of n records of one chain, as a set of priors. *)
Definition law_from m (K : A -> A -> R) n : (vec A n -> R) -> Prop :=
  eq (law_of_chain (m, fun _ => K) n).

Lemma covered_private pi m K low r n (run : release_data (A := A) n) :
  (forall x, low <= pi x) -> gap_of_reversible pi K r -> law m -> lipschitz_table (asked run) ->
  (forall j, (1 <= j <= n)%nat -> covered low r n (at_level run) (with_noise run) j) ->
  pufferfish (exp (at_level run)) (fun v => laplace (with_noise run) (asked run v))
    (two_values dA n) (law_from m K n).
Proof.
  intros least gap Lm lip every.
  set (one := fun c : chain_data (A := A) => c = (m, fun _ => K)).
  pose proof (quilts_of_classes dA n one (asked run) (at_level run) (with_noise run)) as promise.
  assert (rows : forall x, law (K x)) by apply gap.
  assert (r0 : 0 <= r) by apply gap.
  intros p s t w <- Hst. apply promise; auto.
  - intros c ->. split; [exact Lm|]. intros k x. apply rows.
  - intros c i -> here. destruct (every (S i) ltac:(lia)) as [a [b [[ii [ia [b1 ib]]] [apart [less
      sc]]]]].
    replace (S i - 1)%nat with i in * by lia.
    set (told := told_at_most low r n (S i - a) (S i + b - 1) i).
    assert (pos : 0 < told).
    { unfold told. pose proof (both_bounds low r n (S i) a b ia b1) as E.
      replace (S i - 1)%nat with i in E by lia. rewrite E.
      pose proof (proj1 (far_parts low r n (S i) a b ia b1)) as parts.
      replace (S i - 1)%nat with i in parts by lia. destruct (parts apart) as [fa fb].
      apply Rmult_lt_0_compat.
      - unfold left_bound. destruct (Nat.eqb_spec (S i - a) 0); [lra|].
        destruct fa as [->|l]; [lia|]. pose proof (over_above low _ (pow_le r a r0) l). nra.
      - unfold right_bound. destruct (Nat.ltb_spec (S i + b) (S n)); [|lra].
        destruct fb as [no|l]; [lia|]. pose proof (over_above low _ (pow_le r b r0) l). lra. }
    assert (E : bound_of low r n (S i) a b = ln told)
      by (unfold bound_of, told; now replace (S i - 1)%nat with i by lia).
    rewrite E in less, sc.
    exists (S i - a)%nat, (S i + b - 1)%nat, (ln told). split; [lia|]. split; [lia|].
    split; [|split; [easy|]].
    + intros x y. rewrite exp_ln by easy. apply (quilt_by_reversible_gap dA pi); auto.
    + now replace (S i + b - 1 - (S i - a))%nat with (a + b - 1)%nat by lia.
  - now exists (m, fun _ => K).
Qed.

(** Claim B.2 of wang2016: a score of a quilt with a record on both sides is enough noise for every
    record.
    Differs: the quilt is that of any record, of least score or not, such as that of the record at
    which the faster search ends; the scale is at least its score; one chain, whose gap and
    stationary law have the bounds of the class; density form. *)
Theorem two_sided_private pi m K low r n (run : release_data (A := A) n) i a b :
  (forall x, low <= pi x) -> gap_of_reversible pi K r -> law m -> lipschitz_table (asked run) ->
  scored low r n (at_level run) (with_noise run) i a b -> (a < i)%nat -> (i + b < S n)%nat ->
  pufferfish (exp (at_level run)) (fun v => laplace (with_noise run) (asked run v))
    (two_values dA n) (law_from m K n).
Proof.
  intros least gap Lm lip g ia ib. apply (covered_private pi m K low r); auto.
  intros j jj. apply (two_sided_serves low r n _ _ ltac:(apply gap) i a b); auto.
Qed.

(** The faster search is private (wang2016, end of appendix B.2, and algorithm 3 as repaired).
    Differs: as [two_sided_private]; the scale is at least every score that the walk meets. *)
Theorem fast_private pi m K low r n (run : release_data (A := A) n) find :
  (forall x, low <= pi x) -> gap_of_reversible pi K r -> law m -> lipschitz_table (asked run) ->
  fast_scores low r n (at_level run) (with_noise run) find ->
  pufferfish (exp (at_level run)) (fun v => laplace (with_noise run) (asked run v))
    (two_values dA n) (law_from m K n).
Proof.
  intros least gap Lm lip met. apply (covered_private pi m K low r); auto.
  apply (walk_serves low r n _ _ ltac:(apply gap) find met).
Qed.

(** The search of every record is private (wang2016, algorithm 1).
    Differs: as [fast_private]. *)
Theorem basic_private pi m K low r n (run : release_data (A := A) n) find :
  (forall x, low <= pi x) -> gap_of_reversible pi K r -> law m -> lipschitz_table (asked run) ->
  every_score low r n (at_level run) (with_noise run) find ->
  pufferfish (exp (at_level run)) (fun v => laplace (with_noise run) (asked run v))
    (two_values dA n) (law_from m K n).
Proof.
  intros least gap Lm lip every. apply (covered_private pi m K low r); auto.
  intros j jj. eexists _, _. apply every, in_seq. lia.
Qed.
End Private.
