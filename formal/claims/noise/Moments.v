(** Theorems whose types are statement objects: moments of noisy values. *)
From Pufferproof Require Moments.
From Said Require Moments.

Theorem coupled_moments : Said.noise.Moments.coupled_moments.
Proof.
  intros I W FI FW e K g A C g0 C0 z.
  split; [now apply Moments.moment_of_means|now apply Moments.excess_of_means].
Qed.
