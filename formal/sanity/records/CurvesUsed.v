(** Influence curves, used on one bit that randomised response shows. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Curves.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Definition the_bit (_ : unit) (x : bool) := x.
Definition unit_dec (i j : unit) : {i = j} + {i <> j}. Proof. decide equality. Defined.

Lemma bit_product : product_of_values bool_dec the_bit.
Proof.
  split; [now intros [] []|]. intros x y []. exists y. split; [easy|]. now intros [] ne.
Qed.

Lemma response_per_entry : per_entry bool_dec the_bit 3 response.
Proof. intros [] [] [] e; try discriminate; by_cases. Qed.

(** With the bit hidden the other cells show nothing. *)
Lemma bit_curve : on_curve unit_dec bool_dec the_bit 1 1 bit_pairs (eq fair).
Proof.
  intros s t _. exists [tt]. split; [easy|]. intros p _ _ _ y.
  assert (E : forall u, P p (shown_as unit_dec bool_dec the_bit u [tt] y) = P p u).
  { intros u. apply sum_ext; intros x _. unfold inside, shown_as. cbn. now rewrite andb_true_r. }
  rewrite !E. lra.
Qed.

Lemma response_positive : likelihood response.
Proof. intros [] []; by_cases. Qed.

Example translate_in_tables_used :
  pufferfish (exp (INR 1 * ln 3 + ln 1)) response bit_pairs (eq fair).
Proof.
  apply (translate_in_tables unit_dec bool_dec the_bit bool_dec).
  - apply fair_only.
  - apply response_positive.
  - rewrite exp_ln; lra.
  - rewrite exp_ln by lra. apply response_per_entry.
  - apply product_joined, bit_product.
  - rewrite exp_ln by lra. apply bit_curve.
Qed.

Example translate_on_product_used : pufferfish (exp (ln 4)) response bit_pairs (eq fair).
Proof.
  apply (translate_on_product unit_dec bool_dec the_bit bool_dec 1 (ln 3) (ln 1)).
  - apply fair_only.
  - apply response_positive.
  - rewrite exp_ln; lra.
  - rewrite exp_ln by lra. apply response_per_entry.
  - apply bit_product.
  - rewrite exp_ln by lra. apply bit_curve.
  - rewrite ln_1. simpl. pose proof (ln_increasing 3 4). lra.
Qed.
