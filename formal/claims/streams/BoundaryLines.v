(** Theorems whose types are statement objects: regions are convex, and their lines. *)
From Pufferproof Require BoundaryLines.
From Said Require BoundaryLines.

Theorem convex : Said.streams.BoundaryLines.convex.
Proof.
  intros D W F M x y a b c d s t s0 t0 one.
  exact (Pufferproof.streams.BoundaryLines.region_is_convex M x y s t a b c d s0 t0 one).
Qed.

Theorem own_order : Said.streams.BoundaryLines.own_order.
Proof.
  intros D W F M x y ratio delta a b rows.
  exact (Pufferproof.streams.BoundaryLines.recipe_line M x y ratio delta a b (rows x)).
Qed.

Theorem other_order : Said.streams.BoundaryLines.other_order.
Proof.
  intros D W F M x y ratio inverse delta a b rows.
  exact (Pufferproof.streams.BoundaryLines.recipe_line_exchanged M x y ratio inverse delta a b
    (rows y)).
Qed.
