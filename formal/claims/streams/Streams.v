(** Theorems whose types are statement objects: streams of independent blocks. *)
From Coq Require Import Arith.
From Pufferproof Require Streams.
From Said Require Streams.

Theorem product_of_levels : Said.streams.Streams.product_of_levels.
Proof.
  intros Block W F G p B K0 K1 gamma ys z z' laws.
  exact (Pufferproof.streams.Streams.streaming_lemma1 p B laws K0 K1 gamma ys z z').
Qed.

Theorem last_level : Said.streams.Streams.last_level.
Proof.
  intros Block W F G p B K0 K1 gamma eps ys y z laws. pattern (S (length ys)) at 2 3.
  rewrite <- Nat.add_1_r.
  exact (Pufferproof.streams.Streams.streaming_lemma2 p B laws K0 K1 gamma eps ys y z).
Qed.
