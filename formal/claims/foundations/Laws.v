(** Theorems whose types are statement objects: general laws of the promise. *)
From Coq Require Import Reals.
From Pufferproof Require Laws ZeroLeakage.
From Said Require Laws.

Theorem post_processing : Said.foundations.Laws.post_processing.
Proof. exact @Pufferproof.foundations.Laws.post_processing. Qed.

Theorem published_coin : Said.foundations.Laws.published_coin.
Proof. exact @Pufferproof.foundations.Laws.published_coin. Qed.

Theorem hidden_coin : Said.foundations.Laws.hidden_coin.
Proof.
  intros D W C F G H dW ratio c Ms pairs priors.
  exact (Pufferproof.foundations.Laws.hidden_coin ratio c Ms pairs priors dW).
Qed.

Theorem odds_form : Said.foundations.Laws.odds_form.
Proof.
  intros D W F G ratio M pairs priors.
  exact (Pufferproof.foundations.Laws.odds_form ratio M pairs priors).
Qed.

Theorem odds_stay : Said.foundations.Laws.odds_stay.
Proof. intros D W F G M. exact (Pufferproof.foundations.ZeroLeakage.odds_stay M). Qed.

Theorem odds_in_both_orders : Said.foundations.Laws.odds_in_both_orders.
Proof.
  intros D W F G ratio M pairs priors.
  exact (Pufferproof.foundations.Laws.odds_in_both_orders ratio M pairs priors).
Qed.
