(** Theorems whose types are statement objects: which records of a chain to hide around one. *)
From Coq Require Import Lia.
From Pufferproof Require HiddenBlocks.
From Said Require chains.HiddenBlocks.

Theorem block_is_best : Said.chains.HiddenBlocks.block_is_best.
Proof.
  intros A F dA ratio class n i b v w.
  exact (Pufferproof.chains.gaps.HiddenBlocks.block_is_best dA ratio class n i b v w).
Qed.

Theorem longer_block : Said.chains.HiddenBlocks.longer_block.
Proof.
  intros A F dA ratio m P n lo hi lo' hi' i v w Lm rows o1 o2 o3 o4 o5 told.
  apply (Pufferproof.chains.gaps.HiddenBlocks.longer_block dA ratio m P n lo hi lo' hi' i v w);
    auto; lia.
Qed.

Theorem sides_reached : Said.chains.HiddenBlocks.sides_reached.
Proof.
  intros A F dA m P n lo hi i v w a c Lm rows o1 o2 o3 a0 c0 both_ left_.
  destruct (Pufferproof.chains.gaps.HiddenBlocks.sides_reached dA m P n lo hi i v w a c)
    as [told|told]; auto; try lia. now destruct left_.
Qed.
