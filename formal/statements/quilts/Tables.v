(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/quilts/Tables.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Laplace Networks ParallelSegments Pufferfish QuiltsOfChains
  QuiltsOfTables Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition any_quilt : Prop :=
  forall (A V : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (roles : nat -> Networks.role)
      (i : nat)
      (theta : (Chain.vec A n -> R) -> Prop)
      (run : ((Chain.vec A n -> R) * R) * R)
      (e : R)
      (m : nat)
      (N : Chain.vec A n -> V -> R),
    Pufferfish.laws_only theta ->
    Pufferfish.likelihood N ->
    QuiltsOfTables.quilt_of (dA) (n := n) roles i theta ->
    QuiltsOfTables.told_in_class (dA) (n := n) roles i theta e ->
    QuiltsOfTables.moves_near (A := A) (n := n) roles (TableQuilts.asked run) m ->
    QuiltsOfTables.reads_away (A := A) (n := n) roles N ->
    QuiltsOfTables.hides (TableQuilts.at_level run) (TableQuilts.with_noise run) m e ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (Pufferfish.both (fun v_ =>
      Laplace.laplace (TableQuilts.with_noise run) (TableQuilts.asked run v_)) N)
      (ParallelSegments.two_values_in (dA) n i i) theta.

Definition joint_with_quilt : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (roles : nat -> Networks.role)
      (i : nat)
      (theta : (Chain.vec A n -> R) -> Prop)
      (run : ((Chain.vec A n -> R) * R) * R)
      (e : R),
    Pufferfish.laws_only theta ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    QuiltsOfTables.quilt_of (dA) (n := n) roles i theta ->
    QuiltsOfTables.told_in_class (dA) (n := n) roles i theta e ->
    QuiltsOfTables.hides (TableQuilts.at_level run) (TableQuilts.with_noise run)
      ((QuiltsOfTables.nearby (n := n) roles)) e ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (Pufferfish.both (fun v_ =>
      Laplace.laplace (TableQuilts.with_noise run) (TableQuilts.asked run v_))
      (QuiltsOfTables.shows_away (dA) (n := n) roles)) (ParallelSegments.two_values_in (dA) n i i)
      theta.

Definition larger_set : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (large : nat -> bool)
      (small : nat -> bool)
      (i : nat)
      (theta : (Chain.vec A n -> R) -> Prop)
      (e : R),
    QuiltsOfTables.subset small large ->
    QuiltsOfTables.told_in_class (dA) (n := n) ((QuiltsOfTables.set_of_records large)) i theta e
      ->
    QuiltsOfTables.told_in_class (dA) (n := n) ((QuiltsOfTables.set_of_records small)) i theta e.

Definition quilts_around : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (lo : nat)
      (hi : nat)
      (i : nat),
    TableQuilts.chains_only class ->
    (lo < (S i))%nat ->
    (i < hi)%nat ->
    (Networks.quilt_separates QuiltsOfChains.chain_parents n (QuiltsOfChains.around lo hi) /\
      QuiltsOfTables.quilt_of (dA) (n := n) (QuiltsOfChains.around lo hi) i (TableQuilts.laws_of
      class n)).

Definition searched_quilts : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (searched : list (nat * (nat -> Networks.role)))
      (theta : (Chain.vec A n -> R) -> Prop)
      (run : ((Chain.vec A n -> R) * R) * R),
    Pufferfish.laws_only theta ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    QuiltsOfTables.quilts_of (dA) (n := n) searched theta ->
    QuiltsOfTables.quilts_score (dA) (n := n) searched run theta ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (fun v_ => Laplace.laplace
      (TableQuilts.with_noise run) (TableQuilts.asked run v_)) (TableQuilts.two_values (dA) n)
      theta.
