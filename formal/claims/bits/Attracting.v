(** Theorems whose types are statement objects: chains of attracting bits. *)
From Coq Require Import Reals.
From Pufferproof Require Supermodular Attracting.
From Said Require bits.Attracting.
Open Scope R_scope.

Theorem extremes : Said.bits.Attracting.extremes.
Proof.
  intros p T f t n i w attract rise t01. apply Pufferproof.chains.bits.Supermodular.extremes; auto.
  now apply Pufferproof.chains.bits.Attracting.chain_attracts.
Qed.

Theorem chain_attracts : Said.bits.Attracting.chain_attracts.
Proof.
  intros p T n attract. now apply Pufferproof.chains.bits.Attracting.chain_attracts.
Qed.
