(** One secret bit: the smallest framework, on which theorems are tried and near misses refuted. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish.
Open Scope R_scope.

Definition fair (x : bool) : R := 1/2.
Definition yes : @secret bool := fun x => x.
Definition no : @secret bool := negb.
Definition bit_pairs s t := s = yes /\ t = no \/ s = no /\ t = yes.

Definition constant (x w : bool) : R := 1/2.
Definition identity (x w : bool) : R := if eqb x w then 1 else 0.
(** Randomized response that lies one time in four. *)
Definition response (x w : bool) : R := if eqb x w then 3/4 else 1/4.

(** Sums over bits are computed, the rest is linear arithmetic. *)
Ltac arithmetic := cbv -[IZR Rplus Rminus Rmult Rdiv Rinv Ropp Rle Rlt Rabs exp ln not].
Ltac by_cases := arithmetic; lra.

Lemma fair_law : law fair.
Proof. split; [intros []|]; by_cases. Qed.

Lemma fair_only : laws_only (eq fair).
Proof. intros p <-; apply fair_law. Qed.

Lemma response_kernel : kernel response.
Proof. intros []; split; try (intros []); by_cases. Qed.

Lemma response_likelihood : likelihood response.
Proof. intros x w; apply response_kernel. Qed.

(** The constant mechanism leaks nothing. *)
Example constant_leaks_nothing : pufferfish 1 constant bit_pairs (eq fair).
Proof. intros p s t w <- [[-> ->]|[-> ->]] _ _; destruct w; by_cases. Qed.

(** The identity leaks everything. *)
Example identity_leaks_everything : forall ratio, ~ pufferfish ratio identity bit_pairs (eq fair).
Proof.
  intros ratio promise.
  specialize (promise fair yes no true eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise; by_cases.
Qed.

(** The response leaks log 3, and not less. *)
Example response_leaks : pufferfish 3 response bit_pairs (eq fair).
Proof. intros p s t w <- [[-> ->]|[-> ->]] _ _; destruct w; by_cases. Qed.

Example response_leaks_no_less ratio : ratio < 3 -> ~ pufferfish ratio response bit_pairs (eq fair).
Proof.
  intros less promise.
  specialize (promise fair yes no true eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise; by_cases.
Qed.
