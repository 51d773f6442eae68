(** Theorems whose types are statement objects: releases with levels for hidden records. *)
From Coq Require Import Reals.
From Pufferproof Require RecordTables.
From Said Require records.Accounts.
Open Scope R_scope.

Theorem quilt_account : Said.records.Accounts.quilt_account.
Proof.
  intros A W F dA n hidden Ms factor pairs priors laws good tell p s t ws Hp st Ps Pt.
  apply (RecordTables.quilt_account dA hidden factor p s t Ms ws (laws p Hp) good).
  now apply tell.
Qed.
