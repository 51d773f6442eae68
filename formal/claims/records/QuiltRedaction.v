(** Theorems whose types are statement objects: the Markov quilt mechanism as redaction. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require QuiltRedaction DataIndependent RedactionsCompared.
From Said Require QuiltRedaction.
Open Scope R_scope.

Theorem quilt_private : Said.records.QuiltRedaction.quilt_private.
Proof.
  intros ratio a b n p De Dh [a0 [ab b1]] pn De_ Dh_.
  now apply redaction.QuiltRedaction.quilt_private.
Qed.

Theorem quilt_at_least : Said.records.QuiltRedaction.quilt_at_least.
Proof.
  intros ratio a b n p De Dh [a0 [ab b1]] half De_ Dh_.
  rewrite <- (redaction.DataIndependent.shown_share_of_dim a b a0 ab).
  apply redaction.QuiltRedaction.quilt_at_least; auto. lia.
Qed.

Theorem quilt_near_bound : Said.records.QuiltRedaction.quilt_near_bound.
Proof.
  intros ratio a b n p De Dh [a0 [ab b1]] half De_ Dh_.
  rewrite <- (redaction.DataIndependent.shown_share_of_dim a b a0 ab).
  apply redaction.QuiltRedaction.quilt_near_bound; auto. lia.
Qed.

Theorem better_than_quilt : Said.records.QuiltRedaction.better_than_quilt.
Proof.
  intros ratio a b n p De Dh ord there De_ Dh_. pose proof ord as [a0 [ab b1]].
  rewrite <- (redaction.DataIndependent.shown_share_of_dim a b a0 ab).
  split; [easy|]. split; [lia|]. do 2 eexists.
  apply redaction.RedactionsCompared.better_than_quilt; auto; lia.
Qed.

Theorem as_good_as_quilt : Said.records.QuiltRedaction.as_good_as_quilt.
Proof.
  intros ratio a b n p De Dh ord pn De_ Dh_ level. pose proof ord as [a0 [ab b1]].
  rewrite <- (redaction.DataIndependent.shown_share_of_dim a b a0 ab).
  split; [easy|]. split; [easy|]. do 2 eexists.
  now apply redaction.RedactionsCompared.as_good_as_quilt.
Qed.
