(** Theorems whose types are statement objects: releases with levels for hidden records. *)
From Coq Require Import Reals List.
From Coq Require Lra PeanoNat.
From Pufferproof Require Import Sums Pufferfish Chain.
From Pufferproof Require RecordTables.
From Said Require records.Accounts.
Open Scope R_scope.

Theorem quilt_account : Said.records.Accounts.quilt_account.
Proof.
  intros A W F dA n hidden Ms factor budget pairs priors laws good within tell p s t ws Hp st Ps Pt.
  destruct (PeanoNat.Nat.eq_dec (length ws) (length Ms)) as [e|ne].
  - apply (RecordTables.quilt_account dA hidden factor budget p s t Ms ws (laws p Hp) good).
    + now apply within.
    + now apply tell.
  - assert (none : forall u, Pw p (RecordTables.adaptive (map fst Ms) List.nil) u ws = 0).
    { intros u. unfold Pw. rewrite <- (sum_0 (@all (vec A n) _)). apply sum_ext; intros x _.
      rewrite RecordTables.adaptive_of_length by (now rewrite map_length). ring. }
    rewrite !none. Lra.lra.
Qed.
