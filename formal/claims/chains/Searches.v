(** Theorems whose types are statement objects: searches for quilts of chains with a gap. *)
From Pufferproof Require Searches.
From Said Require chains.Searches.

Theorem fast_asks_less : Said.chains.Searches.fast_asks_less.
Proof.
  intros A F low r n run find. exact (Pufferproof.chains.Searches.fast_asks_less low r n _ _ find).
Qed.

Theorem two_sided_private : Said.chains.Searches.two_sided_private.
Proof.
  intros A F dA pi m P low r n run i a b.
  exact (Pufferproof.chains.Searches.two_sided_private dA pi m P low r n run i a b).
Qed.

Theorem fast_private : Said.chains.Searches.fast_private.
Proof.
  intros A F dA pi m P low r n run find.
  exact (Pufferproof.chains.Searches.fast_private dA pi m P low r n run find).
Qed.

Theorem basic_private : Said.chains.Searches.basic_private.
Proof.
  intros A F dA pi m P low r n run find.
  exact (Pufferproof.chains.Searches.basic_private dA pi m P low r n run find).
Qed.
