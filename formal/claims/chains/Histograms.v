(** Theorems whose types are statement objects: histograms of the records of a table. *)
From Pufferproof Require Histograms.
From Said Require chains.Histograms.

Theorem histogram_lipschitz : Said.chains.Histograms.histogram_lipschitz.
Proof.
  intros A F dA n x y. exact (Pufferproof.chains.Histograms.histogram_lipschitz dA n x y).
Qed.
