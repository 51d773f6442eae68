(** Theorems whose types are statement objects: values of matrix games. *)
From Pufferproof Require Values.
From Said Require Values.

Theorem game_value : Said.composition.Values.game_value.
Proof.
  intros W Y F G w y g A B. exact (Pufferproof.composition.worst.Values.game_value g A B w y).
Qed.
