(** Theorems whose types are statement objects: general laws of the promise. *)
From Pufferproof Require Laws.
From Said Require Laws.

Theorem post_processing : Said.Laws.post_processing.
Proof. exact @foundations.Laws.post_processing. Qed.

Theorem published_coin : Said.Laws.published_coin.
Proof. exact @foundations.Laws.published_coin. Qed.

Theorem hidden_coin : Said.Laws.hidden_coin.
Proof.
  intros D W C F G H dW ratio c Ms pairs priors.
  exact (foundations.Laws.hidden_coin ratio c Ms pairs priors dW).
Qed.
