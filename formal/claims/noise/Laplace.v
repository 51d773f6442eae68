(** Theorems whose types are statement objects: Laplace noise on tables of cells. *)
From Pufferproof Require NoisyTables.
From Said Require noise.Laplace.

Theorem per_entry : Said.noise.Laplace.per_entry.
Proof. intros I D V FI FD dV X eps F. exact (records.NoisyTables.noise_per_entry dV X F eps). Qed.

Theorem translated : Said.noise.Laplace.translated.
Proof.
  intros I D V FI FD dI dD dV X b eps a F Q T.
  exact (records.NoisyTables.noise_translated dI dV dD X F b eps a Q T).
Qed.

Theorem translated_by_distance : Said.noise.Laplace.translated_by_distance.
Proof.
  intros I D V FI FD dI dD dV X b eps a F Q T.
  exact (records.NoisyTables.noise_by_distance dI dV dD X F b eps a Q T).
Qed.

Theorem best_scale : Said.noise.Laplace.best_scale.
Proof.
  intros J FJ L promise a b. exact (records.NoisyTables.best_scale L promise a b).
Qed.
