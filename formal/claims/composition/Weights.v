(** Theorems whose types are statement objects: weights of mechanisms that compose. *)
From Coq Require Import Reals.
From Pufferproof Require Weights.
From Said Require composition.Weights.

Theorem weights_exactly : Said.composition.Weights.weights_exactly.
Proof.
  intros I D W F G H dec eps Ms pairs priors.
  exact (Pufferproof.composition.joint.Weights.weights_exactly dec eps Ms pairs priors).
Qed.
