(** The theorem whose type is a statement object: noise on what attracting bits count. *)
From Coq Require Import Reals.
From Pufferproof Require Supermodular.
From Said Require bits.Supermodular.

Theorem extremes : Said.bits.Supermodular.extremes.
Proof.
  intros mu f t n i w order rise t01.
  exact (Pufferproof.chains.bits.Supermodular.extremes f t mu n i w order rise t01).
Qed.
