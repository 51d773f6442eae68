(** Theorems whose types are statement objects: mechanisms chosen by earlier outputs. *)
From Pufferproof Require Adaptive.
From Said Require Adaptive.

Theorem adaptive_at_rays : Said.composition.Adaptive.adaptive_at_rays.
Proof.
  intros D F T Rs L.
  exact (Pufferproof.composition.worst.Adaptive.adaptive_at_rays T Rs L).
Qed.
