(** Noise calibrated to the distance of two laws, on one bit. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace ValueLaws Attained Couplings.
From Pufferproof.sanity Require Import Bits QueriesUsed.
Import ListNotations.
Open Scope R_scope.

Lemma bit_distance : distance_at_most bit 1 bit_pairs (eq fair).
Proof.
  intros p s t <- [[-> ->]|[-> ->]] _ _.
  - exists [{| here := 1; there := 0; weight := 1/4 |}]. split; [|split].
    + intros m [<-|[]]. simpl. split; [lra|]. rewrite Rabs_right; lra.
    + intros r. unfold mass, P, inside, fair, yes, no. simpl. lra.
    + intros r. unfold mass, P, inside, fair, yes, no. simpl. lra.
  - exists [{| here := 0; there := 1; weight := 1/4 |}]. split; [|split].
    + intros m [<-|[]]. simpl. split; [lra|]. rewrite Rabs_left; lra.
    + intros r. unfold mass, P, inside, fair, yes, no. simpl. lra.
    + intros r. unfold mass, P, inside, fair, yes, no. simpl. lra.
Qed.

Example wasserstein_scale_used :
  pufferfish (exp (1 / one)) (released [(bit, one)]) bit_pairs (eq fair).
Proof. apply wasserstein_scale, bit_distance. Qed.

(** Half the distance is not enough: the level is that of the whole. *)
Example wasserstein_scale_needs_distance :
  ~ pufferfish (exp (1 / 2 / one)) (released [(bit, one)]) bit_pairs (eq fair).
Proof.
  intros promise. specialize (promise fair yes no [1] eq_refl (or_introl (conj eq_refl eq_refl))
    ltac:(by_cases) ltac:(by_cases)).
  revert promise. unfold Pw, P, inside, fair, yes, no, released; cbn. unfold laplace.
  replace (- Rabs (1 - 1) / 1) with 0 by (rewrite Rminus_diag_eq, Rabs_R0 by easy; field).
  replace (- Rabs (1 - 0) / 1) with (- (1)) by (rewrite Rabs_right by lra; field).
  replace (1 / 2 / 1) with (/ 2) by field. rewrite exp_0. intros promise.
  pose proof (exp_increasing (/ 2 + - (1)) 0 ltac:(lra)) as less. rewrite exp_plus, exp_0 in less.
  lra.
Qed.
