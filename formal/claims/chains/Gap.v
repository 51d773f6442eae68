(** Theorems whose types are statement objects: what records of a chain with a gap tell. *)
From Pufferproof Require GapQuilts.
From Said Require chains.Gap.

Theorem powers_of_reversible : Said.chains.Gap.powers_of_reversible.
Proof.
  intros A F pi P low r t. exact (GapQuilts.powers_of_reversible pi P low r t).
Qed.

Theorem later_record : Said.chains.Gap.later_record.
Proof. intros A F pi P low r t v w y. exact (GapQuilts.later_record pi P low r t v w y). Qed.

Theorem quilt_by_reversible_gap : Said.chains.Gap.quilt_by_reversible_gap.
Proof.
  intros A F dA pi m P low r n lo hi i v w.
  exact (GapQuilts.quilt_by_reversible_gap dA pi m P low r n lo hi i v w).
Qed.

Theorem quilt_by_gap : Said.chains.Gap.quilt_by_gap.
Proof.
  intros A F dA pi m P low r n lo hi i v w.
  exact (GapQuilts.quilt_by_gap dA pi m P low r n lo hi i v w).
Qed.
