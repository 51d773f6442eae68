(** Theorems whose types are statement objects: redaction that does not look at values. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require DataIndependent RedactionsCompared TwoStates.
From Said Require DataIndependent.
Open Scope R_scope.

Theorem leakage : Said.records.DataIndependent.leakage.
Proof.
  intros ratio a b n p Dl Dr rho [a0 [ab b1]] s rad.
  now apply redaction.DataIndependent.leakage_by_radius.
Qed.

Theorem private_only_if : Said.records.DataIndependent.private_only_if.
Proof.
  intros ratio a b n p Dl Dr rho [a0 [ab b1]].
  now apply redaction.DataIndependent.private_only_if.
Qed.

Theorem private_if : Said.records.DataIndependent.private_if.
Proof.
  intros ratio a b n p Dl Dr rho [a0 [ab b1]].
  now apply redaction.DataIndependent.private_if.
Qed.

Theorem nothing_shown : Said.records.DataIndependent.nothing_shown.
Proof.
  intros ratio a b n p rho [a0 [ab b1]] s half promise.
  now apply (redaction.DataIndependent.utility_of_private a b a0 ab b1 n p rho ratio).
Qed.

Theorem one_side : Said.records.DataIndependent.one_side.
Proof.
  intros ratio a b n p De rho [a0 [ab b1]] s half promise far below first.
  now apply (redaction.DataIndependent.utility_of_private a b a0 ab b1 n p rho ratio).
Qed.

Theorem two_sides : Said.records.DataIndependent.two_sides.
Proof.
  intros ratio a b n p De Dh rho [a0 [ab b1]] s half promise up far first first'.
  destruct (redaction.DataIndependent.utility_of_private a b a0 ab b1 n p rho ratio s
    half promise) as [_ [_ two]]. specialize (two De Dh first first' far).
  destruct Rlt_dec as [neg|]; [unfold TwoStates.lam in neg; lra|exact two].
Qed.

Theorem any_two_sides : Said.records.DataIndependent.any_two_sides.
Proof.
  intros ratio a b n p De Dh rho [a0 [ab b1]] s half promise far first first'.
  destruct (redaction.DataIndependent.utility_of_private a b a0 ab b1 n p rho ratio s
    half promise) as [_ [_ two]]. specialize (two De Dh first first' far).
  apply Rle_trans with (1 := two). apply redaction.DataIndependent.weaker_bound; [lia|].
  destruct Rlt_dec; lia.
Qed.

Theorem as_good_as_dim : Said.records.DataIndependent.as_good_as_dim.
Proof.
  intros ratio a b n p rho ord s pn promise plus. pose proof ord as [a0 [ab b1]].
  rewrite <- (redaction.DataIndependent.shown_share_of_dim a b a0 ab).
  destruct (redaction.RedactionsCompared.as_good_as_dim a b a0 ab b1 ratio n p rho s pn promise)
    as [kind [as_much _]].
  split; [easy|]. split; [easy|]. do 2 eexists. split; [exact kind|auto].
Qed.

Theorem nearly_as_good_as_dim : Said.records.DataIndependent.nearly_as_good_as_dim.
Proof.
  intros ratio a b n p rho ord s pn promise. pose proof ord as [a0 [ab b1]].
  rewrite <- (redaction.DataIndependent.shown_share_of_dim a b a0 ab).
  destruct (redaction.RedactionsCompared.as_good_as_dim a b a0 ab b1 ratio n p rho s pn promise)
    as [kind [_ nearly]].
  split; [easy|]. split; [easy|]. do 2 eexists. split; [exact kind|lra].
Qed.
