(** The theorem whose type is a statement object: sequences of outputs that others dominate. *)
From Pufferproof Require Dominated.
From Said Require Dominated.

Theorem dominated : Said.streams.Dominated.dominated.
Proof.
  intros I J F G v0 w0 a v1 w1 b c.
  exact (Pufferproof.streams.Dominated.dominated v0 w0 a v1 w1 b c).
Qed.
