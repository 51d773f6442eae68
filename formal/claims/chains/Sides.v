(** The theorem whose type is a statement object: what two records around one tell. *)
From Coq Require Import Lia.
From Pufferproof Require TwoSides.
From Said Require chains.Sides.

Theorem sides_multiply : Said.chains.Sides.sides_multiply.
Proof.
  intros A F dA m P n lo hi i v w a b Lm rows o1 o2 o3 left_ right_.
  apply (TwoSides.sides_multiply dA m P n lo hi i v w a b); auto; lia.
Qed.
