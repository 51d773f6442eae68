(** Theorems whose types are statement objects: noise calibrated to the distance of laws. *)
From Pufferproof Require Couplings.
From Said Require Distances.

Theorem wasserstein_mechanism : Said.noise.Distances.wasserstein_mechanism.
Proof. exact @Couplings.wasserstein_scale. Qed.
