(** Theorems whose types are statement objects: a bit of a chain with its sides as branches. *)
From Coq Require Import Reals.
From Pufferproof Require Interior.
From Said Require Interior.
Open Scope R_scope.

Theorem levels : Said.chains.Interior.levels.
Proof.
  intros W FW i m p T B R M v w lp lt lb back pos l1 M0 lv.
  destruct (Pufferproof.chains.levels.Interior.seen_from_bit i m p T B R v lp lt lb back pos l1)
    as [bound reached_].
  split; [exact (bound W M w M0 lv)|exact reached_].
Qed.
