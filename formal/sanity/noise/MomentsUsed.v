(** Moments and excesses of two noisy values, and what a mass below 0 does. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Means Slower Moments.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Definition half (i : bool) : R := 1/2.
Lemma half_nonneg i : 0 <= half i.
Proof. unfold half. lra. Qed.

Example excess_of_means_used :
  excess 1 (mean half response) (mean half identity) <= Σ i, half i * excess 1 (response i)
    (identity i).
Proof. apply excess_of_means, half_nonneg. Qed.

(** Masses below 0: the excess of the mean is 1, the average is less. *)
Definition signed (i : bool) : R := if i then 1 else - (1/2).
Example excess_needs_masses : ~ excess 0 (mean signed identity) (mean signed response) <=
  Σ i, signed i * excess 0 (identity i) (response i).
Proof.
  unfold excess, mean, signed, identity, response; cbn. unfold Rmax.
  repeat destruct Rle_dec; lra.
Qed.

Definition one : posreal := mkposreal 1 Rlt_0_1.
Example moment_of_means_used : moment (1 + one) (mean half response) (mean half response) <=
  Σ i, half i * moment (1 + one) (response i) (response i).
Proof.
  apply moment_of_means.
  - apply half_nonneg.
  - intros i w. apply response_likelihood.
  - intros [] []; by_cases.
Qed.

(** Where the second row is 0 and the first is not, averages count nothing, and the mean has a
    moment. *)
Definition swapped (x w : bool) : R := identity x (negb w).
Example moment_needs_quotients : ~ moment (1 + one) (mean half identity) (mean half swapped) <=
  Σ i, half i * moment (1 + one) (identity i) (swapped i).
Proof.
  assert (z : forall a, a <> 0 -> pw 0 a = 0) by (intros; now apply pw_zero).
  assert (above : forall a, 0 < pw (1/2) a) by (intros; rewrite pw_exp by lra; apply exp_pos).
  unfold moment, mean, half, swapped, identity; cbn [negb Bool.eqb pos one].
  cbn. rewrite !(z (1 + 1)), !(z (1 - (1 + 1))) by lra.
  replace (1 / 2 * 1 + (1 / 2 * 0 + 0)) with (1 / 2) by lra.
  replace (1 / 2 * 0 + (1 / 2 * 1 + 0)) with (1 / 2) by lra.
  pose proof (Rmult_lt_0_compat _ _ (above (1 + 1)) (above (1 - (1 + 1)))). lra.
Qed.
