(** Theorems whose types are statement objects: what one record of a chain or two tell
    of another. *)
From Pufferproof Require ChainInfluence.
From Said Require chains.Influences.

Theorem given_law : Said.chains.Influences.given_law.
Proof.
  intros A F dA ratio m P k a b c v w. exact (ChainInfluence.given_law dA ratio m P k a b c v w).
Qed.

Theorem any_law : Said.chains.Influences.any_law.
Proof.
  intros A F dA ratio P k a b c v w. exact (ChainInfluence.any_law dA ratio P k a b c v w).
Qed.

Theorem no_rise : Said.chains.Influences.no_rise.
Proof.
  intros A F dA ratio P k a b c v w. exact (ChainInfluence.no_rise dA ratio P k a b c v w).
Qed.
