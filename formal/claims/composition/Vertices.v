(** Theorems whose types are statement objects: the worst case at extreme rays. *)
From Pufferproof Require Vertices.
From Said Require Vertices.

Theorem attained_at_rays : Said.composition.Vertices.attained_at_rays.
Proof.
  intros D F T Rs L. exact (Pufferproof.composition.Vertices.attained_at_rays T Rs L).
Qed.

Theorem infinite_at_rays : Said.composition.Vertices.infinite_at_rays.
Proof. intros D F T Rs. exact (Pufferproof.composition.Vertices.infinite_at_rays T Rs). Qed.
