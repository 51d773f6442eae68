(** Theorems whose types are statement objects: what a data-independent redaction leaks is the
    influence of a quilt. *)
From Coq Require Import Reals.
From Pufferproof Require QuiltsOfRecords.
From Said Require QuiltsOfRecords.

Theorem at_least : Said.records.QuiltsOfRecords.at_least.
Proof.
  intros ratio a b n p Q rho inside less. now apply redaction.QuiltsOfRecords.leaks_released.
Qed.

Theorem equal : Said.records.QuiltsOfRecords.equal.
Proof.
  intros ratio a b n p Q N rho [[a0 a1] [b0 b1]] s less hidden quilt.
  now apply (redaction.QuiltsOfRecords.leaks_its_quilt a b a0 b0 a1 b1 rho n p Q N).
Qed.
