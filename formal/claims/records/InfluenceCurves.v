(** Theorems whose types are statement objects: influences by the distance. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require InfluenceCurves Convexity.
From Said Require InfluenceCurves.
Open Scope R_scope.

Theorem closed : Said.records.InfluenceCurves.closed.
Proof.
  intros a b p t [a0 [ab b1]].
  apply redaction.InfluenceCurves.influences_of_values; lra.
Qed.

Theorem in_order : Said.records.InfluenceCurves.in_order.
Proof.
  intros a b p t steps ne. destruct (closed a b p t steps ne) as [e [f le]]. now rewrite e, f.
Qed.

Theorem falling : Said.records.InfluenceCurves.falling.
Proof.
  intros a b D [[a0 a1] [b0 b1]] ne.
  apply redaction.InfluenceCurves.influences_fall; auto; lia.
Qed.

Theorem vanishing : Said.records.InfluenceCurves.vanishing.
Proof.
  intros a b D inside e. apply redaction.InfluenceCurves.influences_vanish; auto; lia.
Qed.

Theorem convex_up : Said.records.InfluenceCurves.convex_up.
Proof.
  intros a b D [[a0 a1] [b0 b1]] le.
  apply redaction.InfluenceCurves.convex_if_lam_positive; auto; lia.
Qed.

Theorem convex_at_odd : Said.records.InfluenceCurves.convex_at_odd.
Proof.
  intros a b D [a0 [ab b1]] odd.
  apply redaction.InfluenceCurves.convex_at_odd; auto; (lra || lia).
Qed.

Theorem convex_at_even : Said.records.InfluenceCurves.convex_at_even.
Proof.
  intros a b D [a0 [ab b1]] even.
  apply redaction.InfluenceCurves.convex_at_even; auto; (lra || lia).
Qed.

Theorem convex_if_equal : Said.records.InfluenceCurves.convex_if_equal.
Proof.
  intros a b D [[a0 a1] [b0 b1]] e.
  apply redaction.InfluenceCurves.convex_if_equal; auto; lia.
Qed.

Theorem convex_by_two : Said.records.InfluenceCurves.convex_by_two.
Proof.
  intros a b D [[a0 a1] [b0 b1]].
  apply redaction.InfluenceCurves.convex_in_two_steps; auto; lia.
Qed.

Theorem convex_where_0 : Said.records.InfluenceCurves.convex_where_0.
Proof.
  intros a b D [a0 [ab b1]] neg odd.
  apply redaction.regions.Convexity.convexity_of_i0; auto; lia.
Qed.

Theorem convex_where_1 : Said.records.InfluenceCurves.convex_where_1.
Proof.
  intros a b D [a0 [ab b1]] neg even.
  apply redaction.regions.Convexity.convexity_of_i1; auto; lia.
Qed.
