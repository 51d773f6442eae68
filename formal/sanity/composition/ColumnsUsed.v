(** Columns of one bit: which are columns of mechanisms. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Columns.
From Pufferproof.sanity Require Import Bits.
Open Scope R_scope.

(** 15 for 1, and 5 for 0. *)
Definition fifteen_five (x : bool) : R := if x then 15 else 5.
(** 1 for 1, and 2 for 0. *)
Definition one_two (x : bool) : R := if x then 1 else 2.
Definition yes_before_no (s t : @secret bool) := s = yes /\ t = no.

Example larger_budgets_used : a_column bit_pairs (eq fair) 3 fifteen_five.
Proof.
  apply larger_budgets.
  - apply fair_only.
  - lra.
  - intros []; simpl; lra.
  - exists true. simpl. lra.
  - intros p s t w <- [[-> ->]|[-> ->]] _ _; by_cases.
Qed.

(** It is 20 times a column of the response. *)
Example two_outputs_are_enough_used : a_column bit_pairs (eq fair) 3 fifteen_five.
Proof.
  apply (two_outputs_are_enough bit_pairs (eq fair) 3 response true (1/20)).
  - lra.
  - apply response_kernel.
  - apply response_leaks.
  - intros []; by_cases.
Qed.

Example zero_budgets_used : a_column bit_pairs (eq fair) 1 (fun _ => 7).
Proof.
  apply zero_budgets; [intros; lra|exists true; lra|].
  intros p s t <- [[-> ->]|[-> ->]] _ _; by_cases.
Qed.

(** At level 0 and for pairs in one order the cone has columns that no mechanism has: the other
    columns would break the promise. *)
Example the_cone_is_larger : keeps yes_before_no (eq fair) 1 one_two /\
  ~ a_column yes_before_no (eq fair) 1 one_two.
Proof.
  split; [intros p s t w <- [-> ->] _ _; by_cases|]. intros column.
  assert (ends : (forall x, 0 <= one_two x) /\ exists x, 0 < one_two x)
    by (split; [intros []; simpl; lra|exists true; simpl; lra]).
  destruct ends as [u0 u1].
  pose proof (proj1 (zero_budgets yes_before_no (eq fair) one_two u0 u1) column fair yes no eq_refl
    (conj eq_refl eq_refl)) as same.
  revert same. by_cases.
Qed.

(** A column that leaks more than the level is none at it. *)
Example too_steep : ~ a_column bit_pairs (eq fair) 2 fifteen_five.
Proof.
  intros [c [c0 [_ promise]]].
  specialize (promise fair yes no true eq_refl (or_introl (conj eq_refl eq_refl))).
  rewrite !two_told in promise. revert promise.
  arithmetic. lra.
Qed.

Example one_output_shown_used : pufferfish 3 (two_columns (1/20) fifteen_five) bit_pairs (eq fair).
Proof.
  apply (one_output_shown bit_pairs (eq fair) 3 response true); try apply response_kernel.
  - apply response_leaks.
  - intros []; by_cases.
Qed.

Example small_enough_used : kernel (two_columns (1/30) fifteen_five).
Proof.
  apply (small_enough bit_pairs (eq fair) fair_only 3).
  - lra.
  - lra.
  - intros []; simpl; lra.
  - arithmetic. lra.
  - intros p s t w <- [[-> ->]|[-> ->]] _ _; by_cases.
Qed.

(** Of t u and 1 - t u neither tells anything at level 0, whatever t. *)
Example equations_only_used : pufferfish 1 (two_columns 2 (fun _ => 7)) bit_pairs (eq fair).
Proof. apply equations_only; [lra|]. intros p s t <- [[-> ->]|[-> ->]] _ _; by_cases. Qed.
