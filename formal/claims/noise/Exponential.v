(** Theorems whose types are statement objects: the exponential mechanism. *)
From Pufferproof Require Exponential.
From Said Require noise.Exponential.

Theorem private : Said.noise.Exponential.private.
Proof. intros D W F G eps u N. exact (noise.Exponential.exponential_close u eps N). Qed.

Theorem translated : Said.noise.Exponential.translated.
Proof.
  intros I D V W FI FD FW dI dD dV X b eps a u N Q T.
  exact (noise.Exponential.exponential_translated dI dD dV X b eps a u N Q T).
Qed.
