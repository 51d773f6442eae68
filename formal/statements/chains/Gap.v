(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Gap.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Eigenvalues Gap GapQuilts Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition later_record : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (pi : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (t : nat)
      (v : A)
      (w : A)
      (y : A),
    (forall x_, low <= pi x_) ->
    Gap.gap_of_reversible pi P r ->
    pow r t < low ->
    Eigenvalues.steps P t v y <= Gap.over low (pow r t) * Eigenvalues.steps P t w y.

Definition powers_of_reversible : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (pi : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (t : nat),
    0 < low ->
    (forall x_, low <= pi x_) ->
    Gap.gap_of_reversible pi P r ->
    GapQuilts.close (GapQuilts.part low (pow r t)) pi P t.

Definition quilt_by_gap : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (pi : A -> R)
      (m : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (n : nat)
      (lo : nat)
      (hi : nat)
      (i : nat)
      (v : A)
      (w : A),
    (forall x_, low <= pi x_) ->
    Gap.gap_of_both_ways pi P r ->
    Pufferfish.law m ->
    GapQuilts.far low r n lo hi i ->
    GapQuilts.quilt_within (dA) (GapQuilts.told_at_most low r n lo hi i) m P n lo hi i v w.

Definition quilt_by_reversible_gap : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (pi : A -> R)
      (m : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (n : nat)
      (lo : nat)
      (hi : nat)
      (i : nat)
      (v : A)
      (w : A),
    (forall x_, low <= pi x_) ->
    Gap.gap_of_reversible pi P r ->
    Pufferfish.law m ->
    GapQuilts.far low r n lo hi i ->
    GapQuilts.quilt_within (dA) (GapQuilts.told_at_most low r n lo hi i) m P n lo hi i v w.
