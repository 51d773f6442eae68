(** Theorems whose types are statement objects: noise on what attracting bits count. *)
From Coq Require Import Reals.
From Pufferproof Require Attracting.
From Said Require Attracting.
Open Scope R_scope.

Theorem extremes : Said.chains.Attracting.extremes.
Proof.
  intros p T f t n i w attract rise [t0 t1].
  exact (Pufferproof.chains.Attracting.extremes p T f t attract rise t0 t1 n i w).
Qed.
