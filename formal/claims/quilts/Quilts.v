(** Theorems whose types are statement objects: the Markov quilt mechanism on classes of chains. *)
From Coq Require Import Reals.
From Pufferproof Require Dependence TableQuilts.
From Said Require Quilts.
Open Scope R_scope.

Theorem one_query : Said.quilts.Quilts.one_query.
Proof.
  intros A F dA n class run laws lip score.
  exact (TableQuilts.quilts_of_classes dA n class (TableQuilts.asked run) _ _ laws lip score).
Qed.

Theorem several_queries : Said.quilts.Quilts.several_queries.
Proof.
  intros A F dA n class runs laws lip score.
  apply (TableQuilts.sequential_quilts_of_classes dA n class runs laws lip).
  intros r c i here. exact (score r here c i).
Qed.

Theorem queries_at_one_level : Said.quilts.Quilts.queries_at_one_level.
Proof.
  intros A F dA n class runs eps laws lip score.
  apply (TableQuilts.sequential_quilts_at_one_level dA n class runs eps laws lip).
  intros r c i here. exact (score r here c i).
Qed.

Theorem nearly_independent_releases : Said.quilts.Quilts.nearly_independent_releases.
Proof.
  intros D W V F eps1 eps2 E J M N pairs priors laws M0 N0 near keeps_m keeps_n.
  replace (eps1 + eps2 + (E + E)) with (eps1 + eps2 + 2 * E) by ring.
  apply (Dependence.nearly_independent_releases eps1 eps2 E J M N); auto.
Qed.
