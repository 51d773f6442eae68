(** Theorems whose types are statement objects: the region of two rows, and the recipe of slopes and
    shifts. *)
From Pufferproof Require Intersections.
From Said Require Intersections.

Theorem region_is_intersection : Said.streams.Intersections.region_is_intersection.
Proof.
  intros D W F M x y a b rows likely.
  exact (Pufferproof.streams.Intersections.region_is_intersection M rows likely x y a b).
Qed.

Theorem same_region : Said.streams.Intersections.same_region.
Proof.
  intros D W E V F G M x y N u v a b rows likely rows' likely' own other.
  exact (Pufferproof.streams.Intersections.lists_determine_regions M N rows likely rows' likely' x y
    u v own other a b).
Qed.

Theorem same_shifts : Said.streams.Intersections.same_shifts.
Proof.
  intros D W E V F G M x y N u v ratio delta rows likely rows' likely' own other.
  exact (Pufferproof.streams.Intersections.lists_determine_shifts M N rows likely rows' likely' x y
    u v own other ratio delta).
Qed.
