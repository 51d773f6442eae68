(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Mechanisms.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain GapMechanism Laplace Pufferfish Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition estimated_quilt : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (class : ((A -> R) * ((A -> R) * (A -> A -> R))) -> Prop)
      (low : R)
      (r : R)
      (run : ((Chain.vec A n -> R) * R) * R),
    GapMechanism.gaps class low r ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    (forall i_ : nat, (i_ < n)%nat -> GapMechanism.estimated_score low r n (TableQuilts.at_level
      run) (TableQuilts.with_noise run) i_) ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (fun v_ => Laplace.laplace
      (TableQuilts.with_noise run) (TableQuilts.asked run v_)) (TableQuilts.two_values (dA) n)
      (GapMechanism.laws_at_rest class n).

Definition estimated_quilts : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (class : ((A -> R) * ((A -> R) * (A -> A -> R))) -> Prop)
      (low : R)
      (r : R)
      (runs : list (((Chain.vec A n -> R) * R) * R)),
    GapMechanism.gaps class low r ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> TableQuilts.lipschitz_table
      (TableQuilts.asked one)) ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> forall i_ : nat, (i_ <
      n)%nat -> GapMechanism.estimated_score low r n (TableQuilts.at_level one)
      (TableQuilts.with_noise one) i_) ->
    Pufferfish.pufferfish (exp (Sums.sum runs TableQuilts.at_level)) (TableQuilts.noisy_releases
      runs) (TableQuilts.two_values (dA) n) (GapMechanism.laws_at_rest class n).

Definition two_sided_alone : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (n : nat)
      (i : nat)
      (low : R)
      (r : R)
      (run : ((Chain.vec A n -> R) * R) * R),
    (i < n)%nat ->
    ~ (forall i_ : nat, (i_ < n)%nat -> GapMechanism.two_sided_score low r n (TableQuilts.at_level
      run) (TableQuilts.with_noise run) i_).
