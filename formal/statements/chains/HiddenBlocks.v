(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/HiddenBlocks.v. *)
From Coq Require Import Reals List.
From Pufferproof Require GapQuilts HiddenBlocks Pufferfish Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition block_is_best : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (ratio : R)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (n : nat)
      (i : nat)
      (b : nat)
      (v : A)
      (w : A),
    TableQuilts.chains_only class ->
    HiddenBlocks.hiding_within (dA) ratio class n i b v w <-> HiddenBlocks.block_within (dA) ratio
      class n i b v w.

Definition longer_block : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (ratio : R)
      (m : A -> R)
      (P : A -> A -> R)
      (n : nat)
      (lo : nat)
      (hi : nat)
      (wide_lo : nat)
      (wide_hi : nat)
      (i : nat)
      (v : A)
      (w : A),
    Pufferfish.law m ->
    Pufferfish.kernel P ->
    (lo < (S i))%nat ->
    (i < hi)%nat ->
    (hi < (S n))%nat ->
    (wide_lo < (S lo))%nat ->
    (hi < (S wide_hi))%nat ->
    GapQuilts.quilt_within (dA) ratio m P n lo hi i v w ->
    GapQuilts.quilt_within (dA) ratio m P n wide_lo wide_hi i v w.

Definition sides_reached : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (m : A -> R)
      (P : A -> A -> R)
      (n : nat)
      (lo : nat)
      (hi : nat)
      (i : nat)
      (v : A)
      (w : A)
      (a : R)
      (c : R),
    Pufferfish.law m ->
    Pufferfish.kernel P ->
    (lo < (S i))%nat ->
    (i < hi)%nat ->
    (hi < (S n))%nat ->
    0 <= a ->
    0 <= c ->
    GapQuilts.quilt_within (dA) (a * c) m P n lo hi i v w ->
    ~ (GapQuilts.quilt_within (dA) a m P n lo n i v w) ->
    GapQuilts.quilt_within (dA) c m P n O hi i v w.
