(** Theorems whose types are statement objects: the walk by signs over tilts of records. *)
From Coq Require Import Reals.
From Pufferproof Require Tilts.
From Said Require Tilts.
Open Scope R_scope.

Theorem walk : Said.chains.Tilts.walk.
Proof.
  intros A FA dA P r n u v w b P0 r1 t.
  destruct (Pufferproof.chains.levels.Tilts.walk_is_exact dA P r n v w b P0 r1) as [exact_ bounds].
  split; [exact exact_|exact (bounds u t)].
Qed.
