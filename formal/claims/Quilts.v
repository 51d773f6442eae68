(** Theorems whose types are statement objects: the Markov quilt mechanism on classes of chains. *)
From Pufferproof Require TableQuilts.
From Said Require Quilts.

Theorem one_query : Said.Quilts.one_query.
Proof.
  intros A F dA n class run laws lip score.
  exact (TableQuilts.quilts_of_classes dA n class (TableQuilts.asked run) _ _ laws lip score).
Qed.

Theorem several_queries : Said.Quilts.several_queries.
Proof.
  intros A F dA n class runs laws lip score.
  apply (TableQuilts.sequential_quilts_of_classes dA n class runs laws lip).
  intros r c i here. exact (score r here c i).
Qed.

Theorem queries_at_one_level : Said.Quilts.queries_at_one_level.
Proof.
  intros A F dA n class runs eps laws lip score.
  apply (TableQuilts.sequential_quilts_at_one_level dA n class runs eps laws lip).
  intros r c i here. exact (score r here c i).
Qed.
