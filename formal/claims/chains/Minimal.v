(** Theorems whose types are statement objects: the minimal quilts of a record of a chain. *)
From Pufferproof Require MinimalQuilts.
From Said Require chains.Minimal.

Theorem minimal_on_every_chain : Said.chains.Minimal.minimal_on_every_chain.
Proof.
  intros A F dA n i Q two here. exact (MinimalQuilts.minimal_on_every_chain dA n i Q two here).
Qed.

Theorem minimal_in_pieces : Said.chains.Minimal.minimal_in_pieces.
Proof.
  intros A F dA n i Q class laws here.
  exact (MinimalQuilts.minimal_in_pieces dA n i Q class laws here).
Qed.
