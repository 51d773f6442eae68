(** Theorems whose types are statement objects: what extreme rays span. *)
From Coq Require Import Reals.
From Pufferproof Require RaysSpan.
From Said Require RaysSpan.
Open Scope R_scope.

Theorem rays_span : Said.composition.RaysSpan.rays_span.
Proof.
  intros Z D FZ FD A u u0 low. apply Pufferproof.composition.worst.RaysSpan.rays_span.
  now apply Pufferproof.composition.worst.RaysSpan.cone_is.
Qed.
