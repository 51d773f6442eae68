(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/quilts/Segments.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Parallel ParallelChains ParallelSegments Pufferfish QuiltsOfTables
  SequentialChains Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition parallel_levels : Prop :=
  forall (A W V : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (T1 : nat)
      (T2 : nat)
      (T3 : nat)
      (T4 : nat)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (M : Chain.vec A n -> W -> R)
      (N : Chain.vec A n -> V -> R)
      (eps_A : R)
      (eps_B : R),
    (T1 < (S T2))%nat ->
    (T2 < T3)%nat ->
    (T3 < (S T4))%nat ->
    (T4 < n)%nat ->
    TableQuilts.chains_only class ->
    Pufferfish.likelihood M ->
    Pufferfish.likelihood N ->
    Parallel.looks_at (ParallelSegments.segment (A := A) (n := n) T1 T2) M ->
    Parallel.looks_at (ParallelSegments.segment (A := A) (n := n) T3 T4) N ->
    Pufferfish.pufferfish (exp eps_A) M (ParallelSegments.two_values_in (dA) n T1 T2)
      (TableQuilts.laws_of class n) ->
    Pufferfish.pufferfish (exp eps_B) N (ParallelSegments.two_values_in (dA) n T3 T4)
      (TableQuilts.laws_of class n) ->
    Pufferfish.pufferfish (exp (eps_A + eps_B)) (Pufferfish.both M N) (Parallel.either
      (ParallelSegments.two_values_in (dA) n T1 T2) (ParallelSegments.two_values_in (dA) n T3 T4))
      (TableQuilts.laws_of class n).

Definition parallel_segments : Prop :=
  forall (A W V : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (T1 : nat)
      (T2 : nat)
      (T3 : nat)
      (T4 : nat)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (M : Chain.vec A n -> W -> R)
      (N : Chain.vec A n -> V -> R)
      (eps_A : R)
      (eps_B : R)
      (f : R)
      (g : R),
    (T1 < (S T2))%nat ->
    (T2 < T3)%nat ->
    (T3 < (S T4))%nat ->
    (T4 < n)%nat ->
    TableQuilts.chains_only class ->
    Pufferfish.likelihood M ->
    Pufferfish.likelihood N ->
    Parallel.looks_at (ParallelSegments.segment (A := A) (n := n) T1 T2) M ->
    Parallel.looks_at (ParallelSegments.segment (A := A) (n := n) T3 T4) N ->
    (forall p_ : Chain.vec A n -> R, TableQuilts.laws_of class n p_ ->
      ParallelSegments.told_at_most (dA) p_ T2 T3 (exp f)) ->
    (forall p_ : Chain.vec A n -> R, TableQuilts.laws_of class n p_ ->
      ParallelSegments.told_at_most (dA) p_ T3 T2 (exp g)) ->
    Pufferfish.pufferfish (exp eps_A) M (ParallelSegments.two_values_in (dA) n T1 T2)
      (TableQuilts.laws_of class n) ->
    Pufferfish.pufferfish (exp eps_B) N (ParallelSegments.two_values_in (dA) n T3 T4)
      (TableQuilts.laws_of class n) ->
    Pufferfish.pufferfish (exp (Rmax (Rmin (eps_A + eps_B) (eps_A + f)) (Rmin (eps_B + eps_A)
      (eps_B + g)))) (Pufferfish.both M N) (Parallel.either (ParallelSegments.two_values_in (dA) n
      T1 T2) (ParallelSegments.two_values_in (dA) n T3 T4)) (TableQuilts.laws_of class n).

Definition sides_given_record : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (theta : (A -> R) * (nat -> A -> A -> R))
      (t : nat)
      (v : A)
      (s : @Pufferfish.secret (Chain.vec A n))
      (u : @Pufferfish.secret (Chain.vec A n)),
    Parallel.looks_at (ParallelChains.up_to (A := A) (n := n) t) s ->
    Parallel.looks_at (ParallelChains.from (A := A) (n := n) t) u ->
    Pufferfish.P (TableQuilts.law_of_chain theta n) (QuiltsOfTables.meet s (QuiltsOfTables.meet u
      (SequentialChains.record_is (dA) (n := n) t v))) * Pufferfish.P (TableQuilts.law_of_chain
      theta n) (SequentialChains.record_is (dA) (n := n) t v) = Pufferfish.P
      (TableQuilts.law_of_chain theta n) (QuiltsOfTables.meet s (SequentialChains.record_is (dA)
      (n := n) t v)) * Pufferfish.P (TableQuilts.law_of_chain theta n) (QuiltsOfTables.meet u
      (SequentialChains.record_is (dA) (n := n) t v)).
