(** Theorems whose types are statement objects: values of matrix games,
    and linear programs over logarithms of likelihoods. *)
From Pufferproof Require Programs Values.
From Said Require Values.

Theorem game_value : Said.composition.Values.game_value.
Proof.
  intros W Y F G w y g A B. exact (Pufferproof.composition.worst.Values.game_value g A B w y).
Qed.

Theorem optima_exactly : Said.composition.Values.optima_exactly.
Proof.
  intros D W FD FW w eps M s t.
  exact (Pufferproof.composition.joint.Programs.optima_exactly w eps M s t).
Qed.

Theorem programs_exactly : Said.composition.Values.programs_exactly.
Proof.
  intros D W FD FW dec eps M s t.
  exact (Pufferproof.composition.joint.Programs.programs_exactly dec eps M s t).
Qed.
