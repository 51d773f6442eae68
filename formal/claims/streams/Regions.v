(** Theorems whose types are statement objects: sets of outputs and regions in the plane. *)
From Pufferproof Require Regions.
From Said Require Regions.

Theorem by_inequalities : Said.streams.Regions.by_inequalities.
Proof.
  intros D W F M ratio delta neighbours rows.
  exact (Pufferproof.streams.Regions.privacy_by_inequalities M ratio delta rows neighbours).
Qed.

Theorem by_inequalities_both_ways : Said.streams.Regions.by_inequalities_both_ways.
Proof.
  intros D W F M ratio delta neighbours rows.
  exact (Pufferproof.streams.Regions.privacy_by_inequalities_both_ways M ratio delta rows
    neighbours).
Qed.

Theorem by_one_inequality : Said.streams.Regions.by_one_inequality.
Proof.
  intros D W F M ratio delta neighbours rows.
  exact (Pufferproof.streams.Regions.privacy_by_one_inequality M ratio delta rows neighbours).
Qed.

Theorem by_regions : Said.streams.Regions.by_regions.
Proof.
  intros D W F M ratio delta neighbours rows.
  exact (Pufferproof.streams.Regions.privacy_by_regions M ratio delta rows neighbours).
Qed.

Theorem by_hull : Said.streams.Regions.by_hull.
Proof.
  intros D W F M ratio delta neighbours rows.
  exact (Pufferproof.streams.Regions.privacy_by_hull M ratio delta rows neighbours).
Qed.

Theorem in_square : Said.streams.Regions.in_square.
Proof.
  intros D W F M ratio delta neighbours rows likely.
  exact (Pufferproof.streams.Regions.privacy_in_square M ratio delta rows likely neighbours).
Qed.

Theorem worlds_by_inequalities : Said.streams.Regions.worlds_by_inequalities.
Proof. exact @Pufferproof.streams.Regions.worlds_by_inequalities. Qed.

Theorem sets_within_parts : Said.streams.Regions.sets_within_parts.
Proof.
  intros D W F M ratio delta neighbours within x y n.
  apply Pufferproof.streams.Regions.sets_by_positive_parts, within, n.
Qed.

Theorem parts_within_sets : Said.streams.Regions.parts_within_sets.
Proof.
  intros D W F M ratio delta neighbours near x y n.
  apply Pufferproof.streams.Regions.sets_by_positive_parts, near, n.
Qed.

Theorem larger_ratio : Said.streams.Regions.larger_ratio.
Proof.
  intros D W F M ratio larger delta neighbours likely le near x y n.
  exact (Pufferproof.streams.Regions.near_at_larger ratio larger delta (M x) (M y) (likely y) le
    (near x y n)).
Qed.
