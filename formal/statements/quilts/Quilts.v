(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/quilts/Quilts.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Dependence Laplace Pufferfish Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition nearly_independent_releases : Prop :=
  forall (D W V : Type) `{Sums.Finite D}
      (eps_A : R)
      (eps_B : R)
      (E : R)
      (J : D -> (W * V) -> R)
      (M : D -> W -> R)
      (N : D -> V -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    Pufferfish.likelihood M ->
    Pufferfish.likelihood N ->
    (forall p_, priors p_ -> forall s_ t_, pairs s_ t_ -> 0 < Pufferfish.P p_ s_ -> 0 <
      Pufferfish.P p_ t_ -> Dependence.nearly_independent (exp E) p_ s_ J M N /\
      Dependence.nearly_independent (exp E) p_ t_ J M N) ->
    Pufferfish.pufferfish (exp eps_A) M pairs priors ->
    Pufferfish.pufferfish (exp eps_B) N pairs priors ->
    Pufferfish.pufferfish (exp (eps_A + eps_B + (E + E))) J pairs priors.

Definition one_query : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (run : ((Chain.vec A n -> R) * R) * R),
    TableQuilts.chains_only class ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    (forall c_ i_, class c_ -> (i_ < n)%nat -> TableQuilts.score_at_most (dA)
      (TableQuilts.at_level run) (TableQuilts.with_noise run) (TableQuilts.law_of_chain c_ n) i_)
      ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (fun v_ => Laplace.laplace
      (TableQuilts.with_noise run) (TableQuilts.asked run v_)) (TableQuilts.two_values (dA) n)
      (TableQuilts.laws_of class n).

Definition queries_at_one_level : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (runs : list (((Chain.vec A n -> R) * R) * R))
      (eps : R),
    TableQuilts.chains_only class ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> TableQuilts.lipschitz_table
      (TableQuilts.asked one)) ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> forall c_ i_, class c_ ->
      (i_ < n)%nat -> TableQuilts.score_at_most (dA) (TableQuilts.at_level one)
      (TableQuilts.with_noise one) (TableQuilts.law_of_chain c_ n) i_) ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> TableQuilts.at_level one <=
      eps) ->
    Pufferfish.pufferfish (exp (INR ((List.length runs)) * eps)) (TableQuilts.noisy_releases runs)
      (TableQuilts.two_values (dA) n) (TableQuilts.laws_of class n).

Definition several_queries : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (class : ((A -> R) * (nat -> A -> A -> R)) -> Prop)
      (runs : list (((Chain.vec A n -> R) * R) * R)),
    TableQuilts.chains_only class ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> TableQuilts.lipschitz_table
      (TableQuilts.asked one)) ->
    (forall one : ((Chain.vec A n -> R) * R) * R, List.In one runs -> forall c_ i_, class c_ ->
      (i_ < n)%nat -> TableQuilts.score_at_most (dA) (TableQuilts.at_level one)
      (TableQuilts.with_noise one) (TableQuilts.law_of_chain c_ n) i_) ->
    Pufferfish.pufferfish (exp (Sums.sum runs TableQuilts.at_level)) (TableQuilts.noisy_releases
      runs) (TableQuilts.two_values (dA) n) (TableQuilts.laws_of class n).
