(** Theorems whose types are statement objects: the worst case at extreme rays. *)
From Pufferproof Require Vertices.
From Said Require Vertices.

Theorem decided_at_rays : Said.composition.Vertices.decided_at_rays.
Proof.
  intros D F T Rs L laws r1. split.
  - exact (Pufferproof.composition.worst.Vertices.attained_at_rays T Rs L laws r1).
  - exact (Pufferproof.composition.worst.Vertices.infinite_at_rays T Rs laws r1).
Qed.
