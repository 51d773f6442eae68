(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/Accounts.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Pufferfish RecordTables Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition quilt_account : Prop :=
  forall (A W : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (n : nat)
      (hidden : nat -> bool)
      (Ms : list ((list W -> Chain.vec A n -> W -> R) * (list W -> nat -> R)))
      (factor : R)
      (budget : R)
      (pairs : @Pufferfish.secret (Chain.vec A n) -> @Pufferfish.secret (Chain.vec A n) -> Prop)
      (priors : (Chain.vec A n -> R) -> Prop),
    Pufferfish.laws_only priors ->
    (forall Mr_, List.In Mr_ Ms -> RecordTables.good (A := A) (n := n) hidden Mr_) ->
    (forall ws_, List.length ws_ = List.length Ms -> RecordTables.of_hidden hidden
      (RecordTables.spent (List.map snd Ms) [] ws_) n <= budget) ->
    (forall p_, priors p_ -> forall s_ t_, pairs s_ t_ -> 0 < Pufferfish.P p_ s_ -> 0 <
      Pufferfish.P p_ t_ -> RecordTables.influence_of_shown dA (n := n) hidden factor p_ s_ t_) ->
    Pufferfish.pufferfish (factor * budget) (RecordTables.adaptive (List.map fst Ms) []) pairs
      priors.
