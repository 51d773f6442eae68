(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/FarSegments.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain GapMechanism GapSegments Laplace Parallel ParallelSegments Pufferfish
  Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition estimated_segments : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (T1 : nat)
      (T2 : nat)
      (T3 : nat)
      (T4 : nat)
      (class : ((A -> R) * ((A -> R) * (A -> A -> R))) -> Prop)
      (low : R)
      (r : R)
      (alice : ((Chain.vec A n -> R) * R) * R)
      (bob : ((Chain.vec A n -> R) * R) * R),
    GapMechanism.gaps class low r ->
    TableQuilts.lipschitz_table (TableQuilts.asked alice) ->
    TableQuilts.lipschitz_table (TableQuilts.asked bob) ->
    Parallel.looks_at (ParallelSegments.segment (A := A) (n := n) T1 T2) (TableQuilts.asked alice)
      ->
    Parallel.looks_at (ParallelSegments.segment (A := A) (n := n) T3 T4) (TableQuilts.asked bob)
      ->
    (T2 < T3)%nat ->
    GapSegments.segment_score low r n (TableQuilts.at_level alice) (TableQuilts.with_noise alice)
      T1 T2 ->
    GapSegments.segment_score low r n (TableQuilts.at_level bob) (TableQuilts.with_noise bob) T3
      T4 ->
    Pufferfish.pufferfish (exp (Rmax (TableQuilts.at_level alice) (TableQuilts.at_level bob)))
      (Pufferfish.both (fun v_ => Laplace.laplace (TableQuilts.with_noise alice)
      (TableQuilts.asked alice v_)) (fun v_ => Laplace.laplace (TableQuilts.with_noise bob)
      (TableQuilts.asked bob v_))) (Parallel.either (ParallelSegments.two_values_in (dA) n T1 T2)
      (ParallelSegments.two_values_in (dA) n T3 T4)) (GapMechanism.laws_at_rest class n).
