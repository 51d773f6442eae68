(** Theorems whose types are statement objects: local redaction of records. *)
From Pufferproof Require Local.
From Said Require Local.

Theorem records_kept : Said.records.Local.records_kept.
Proof.
  intros A F dA n ratio r v pairs priors.
  exact (Pufferproof.records.Local.redaction_keeps_records dA r n ratio v pairs priors).
Qed.
