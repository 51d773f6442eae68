(** Sequences of outputs that others dominate (beside streaming_cw, Section 2). *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums.
Open Scope R_scope.

(** streaming_cw.x-dominated: if the weights of one sequence of outputs are at most c times those of
    another in one world, and at least c times in the other world, then whatever follows, its
    likelihood ratio is at most that of the other, multiplied out.
    Differs: no paper prints it; c may be any number. *)
Theorem dominated {A B} `{Finite A} `{Finite B} (v0 w0 a : A -> R) (v1 w1 b : B -> R) c :
  (forall i, 0 <= w0 i) -> (forall i, 0 <= a i) -> (forall j, 0 <= w1 j) -> (forall j, 0 <= b j) ->
  (forall i, v0 i <= c * w0 i) -> (forall j, c * w1 j <= v1 j) ->
  (Σ i, v0 i * a i) * (Σ j, w1 j * b j) <= (Σ i, w0 i * a i) * (Σ j, v1 j * b j).
Proof.
  intros w0_pos a_pos w1_pos b_pos below above.
  assert (low : 0 <= Σ i, w0 i * a i) by (apply sum_nonneg; intros; now apply Rmult_le_pos).
  assert (low' : 0 <= Σ j, w1 j * b j) by (apply sum_nonneg; intros; now apply Rmult_le_pos).
  assert (up : (Σ i, v0 i * a i) <= c * Σ i, w0 i * a i).
  { rewrite <- sum_scale. apply sum_le; intros i _. rewrite <- Rmult_assoc.
    now apply Rmult_le_compat_r. }
  assert (up' : c * (Σ j, w1 j * b j) <= Σ j, v1 j * b j).
  { rewrite <- sum_scale. apply sum_le; intros j _. rewrite <- Rmult_assoc.
    now apply Rmult_le_compat_r. }
  apply (Rmult_le_compat_r _ _ _ low') in up. apply (Rmult_le_compat_l _ _ _ low) in up'. lra.
Qed.
