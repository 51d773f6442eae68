(** Parallel composition on a chain of two bits, and runs that meet one condition. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel.
From Pufferproof Require Import ParallelChains Means Runs Laplace SequentialChains ParallelQuilts.
From Pufferproof.sanity Require Import Bits QuiltsUsed CompositionUsed.
Import ListNotations.
Open Scope R_scope.

Notation two_bits := (vec bool 2).
Definition law_of_two : two_bits -> R := sequence_law fair stays 2.
(** The response to record k. *)
Definition answers k (v : two_bits) w :=
  match @record bool k 2 v with Some x => response x w | None => 1/2 end.
Definition at_record k := values (decide_option bool_dec) (@record bool k 2).

Lemma answers_likelihood k : likelihood (answers k).
Proof.
  intros v w. unfold answers. destruct (@record bool k 2 v); [apply response_likelihood|lra].
Qed.

Lemma answers_leak k s t w : (k < 2)%nat -> at_record k s t ->
  Pw law_of_two (answers k) s w * P law_of_two t <=
  3 * P law_of_two s * Pw law_of_two (answers k) t w.
Proof.
  intros here [v [u [-> ->]]].
  destruct k as [|[|k]]; [| |lia]; destruct v as [[]|], u as [[]|], w; by_cases.
Qed.

Lemma sees_first v w : @up_to bool 0 2 v = @up_to bool 0 2 w ->
  @record bool 0 2 v = @record bool 0 2 w.
Proof. destruct v as [[] [[] []]], w as [[] [[] []]]; easy. Qed.

Lemma sees_second v w : @from bool 1 2 v = @from bool 1 2 w ->
  @record bool 1 2 v = @record bool 1 2 w.
Proof. destruct v as [[] [[] []]], w as [[] [[] []]]; easy. Qed.

Example parallel_on_chains_used :
  pufferfish (Rmax (3 * Rmin 3 2) (3 * Rmin 3 2)) (both (answers 0) (answers 1))
    (either (at_record 0) (at_record 1)) (eq law_of_two).
Proof.
  apply (parallel_on_chains bool_dec 2 0 1); try lra; try lia; try apply answers_likelihood.
  - intros p <-. exists fair, stays. repeat split; try apply fair_law; apply stays_law.
  - intros v w E. unfold answers. now rewrite (sees_first v w E).
  - intros v w E. unfold answers. now rewrite (sees_second v w E).
  - intros s t [x [y [-> ->]]]. split; intros v w E; unfold value; now rewrite (sees_first v w E).
  - intros s t [x [y [-> ->]]]. split; intros v w E; unfold value; now rewrite (sees_second v w E).
  - intros p <- [[]|] [[]|] _ _ [[]|]; by_cases.
  - intros p <- [[]|] [[]|] _ _ [[]|]; by_cases.
  - intros p s t w <- [st|st] _ _; apply (answers_leak 0); auto.
  - intros p s t w <- [st|st] _ _; apply (answers_leak 1); auto.
Qed.

Example chain_separates_used :
  separates (decide_option bool_dec) law_of_two (@record bool 0 2)
    (@up_to bool 0 2) (@from bool 0 2).
Proof. apply chain_separates. Qed.

(** ** Two responses to one bit meet one condition at log 3 *)
Lemma each_response M : In M [response; response] -> likelihood M /\
  constraint fair yes (onto false) (exp (ln 3)) M.
Proof.
  intros i. assert (M = response) as -> by (destruct i as [<-|[<-|[]]]; easy).
  rewrite exp_ln by lra. split; [apply response_likelihood|apply onto_constraint].
Qed.

Example nfc_runs_used w v :
  Pw fair (releases [response; response]) yes [w; v] * P fair no <=
  exp (INR 2 * ln 3 + ln 1) * P fair yes * Pw fair (releases [response; response]) no [w; v].
Proof.
  apply (nfc_runs fair yes no (onto false) fair_law (onto_law false) (ln 3) [response; response]).
  - intros M i. now apply each_response.
  - intros M i. now apply each_response.
  - intros x []; try (intros H; exfalso; revert H; by_cases). intros _; by_cases.
Qed.

(** Two releases, each at a level of its own: 3 and 4 make 12. *)
Example coupled_levels_used w v :
  Pw fair (releases [response; response]) yes [w; v] * P fair no <=
  3 * (4 * 1) * P fair yes * Pw fair (releases [response; response]) no [w; v].
Proof.
  apply (coupled_levels fair yes no (onto false) fair_law (onto_law false)
    [(response, 3); (response, 4)]).
  - intros M E [i|[i|[]]]; inversion i; subst; (split; [apply response_likelihood|lra]).
  - intros M E i x u px.
    assert (M = response /\ 3 <= E) as [-> above]
      by (destruct i as [i|[i|[]]]; inversion i; subst; (split; [easy|lra])).
    apply Rle_trans with (3 * geo (onto false x) (fun l => response l u));
      [now apply (onto_constraint yes)|].
    apply Rmult_le_compat_r; [|easy]. apply prod_nonneg; intros; apply pw_nonneg.
  - intros []; by_cases.
Qed.

(** ** Quilts on two segments *)

(** Without a gap parallel composition fails: both see the same bit. *)
Definition value_of (l : list bool) : R := match l with true :: _ => 1 | _ => 0 end.
Definition one_bit : vec bool 1 -> R := sequence_law fair (fun _ _ => fair) 1.

Example parallel_quilts_needs_a_gap : let M := both_releases 1 0 0 value_of value_of 1 1 in
  ~ Pw one_bit M (record_is Bool.bool_dec 0 true) (1, 1) *
      P one_bit (record_is Bool.bool_dec 0 false) <=
    exp 1 * P one_bit (record_is Bool.bool_dec 0 true) *
      Pw one_bit M (record_is Bool.bool_dec 0 false) (1, 1).
Proof.
  intros M promise.
  assert (half : P one_bit (record_is Bool.bool_dec 0 true) = 1/2 /\
    P one_bit (record_is Bool.bool_dec 0 false) = 1/2) by (split; by_cases).
  destruct half as [one zero]. rewrite one, zero in promise.
  assert (at_one : Pw one_bit M (record_is Bool.bool_dec 0 true) (1, 1) = 1/8).
  { unfold Pw, M, both_releases, laplace, one_bit, sequence_law, inside, record_is, value, fair.
    simpl. rewrite Rminus_diag_eq, Rabs_R0 by easy.
    replace (- 0 / 1) with 0 by field. rewrite exp_0. field. }
  assert (at_zero : Pw one_bit M (record_is Bool.bool_dec 0 false) (1, 1) =
    1/8 * (exp (-1) * exp (-1))).
  { unfold Pw, M, both_releases, laplace, one_bit, sequence_law, inside, record_is, value, fair.
    simpl. rewrite Rminus_0_r, Rabs_R1. replace (- (1) / 1) with (-1) by field. field. }
  rewrite at_one, at_zero in promise.
  assert (E : exp 1 * exp (-1) = 1) by (rewrite <- exp_plus; replace (1 + -1) with 0 by ring;
    apply exp_0).
  assert (small : exp (-1) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  assert (exp 1 * (1/2) * (1/8 * (exp (-1) * exp (-1))) = 1/16 * (exp 1 * exp (-1)) * exp (-1))
    as same by field.
  rewrite same, E in promise. lra.
Qed.
