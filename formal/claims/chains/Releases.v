(** Theorems whose types are statement objects: what two releases about a chain tell. *)
From Coq Require Import Reals.
From Pufferproof Require TwoReleases.
From Said Require Releases.
Open Scope R_scope.

Theorem two_tell_more : Said.chains.Releases.two_tell_more.
Proof.
  intros eps more. apply Pufferproof.chains.TwoReleases.two_releases_tell_more.
  apply exp_lt_inv. now rewrite exp_0.
Qed.
