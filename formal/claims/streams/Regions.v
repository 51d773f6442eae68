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
