(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/chains/Searches.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Chain Gap Laplace Pufferfish Searches Sums TableQuilts.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

#[local] Existing Instances Chain.finite_unit Chain.finite_vec.

Definition basic_private : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (pi : A -> R)
      (m : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (n : nat)
      (run : ((Chain.vec A n -> R) * R) * R)
      (find : nat -> nat * nat),
    (forall x_, low <= pi x_) ->
    Gap.gap_of_reversible pi P r ->
    Pufferfish.law m ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    Searches.every_score low r n (TableQuilts.at_level run) (TableQuilts.with_noise run) find ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (fun v_ => Laplace.laplace
      (TableQuilts.with_noise run) (TableQuilts.asked run v_)) (TableQuilts.two_values (dA) n)
      (Searches.law_from m P n).

Definition fast_asks_less : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (low : R)
      (r : R)
      (n : nat)
      (run : ((Chain.vec A n -> R) * R) * R)
      (find : nat -> nat * nat),
    (2 <= n)%nat ->
    Searches.every_score low r n (TableQuilts.at_level run) (TableQuilts.with_noise run) find ->
    Searches.fast_scores low r n (TableQuilts.at_level run) (TableQuilts.with_noise run) find.

Definition fast_private : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (pi : A -> R)
      (m : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (n : nat)
      (run : ((Chain.vec A n -> R) * R) * R)
      (find : nat -> nat * nat),
    (forall x_, low <= pi x_) ->
    Gap.gap_of_reversible pi P r ->
    Pufferfish.law m ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    Searches.fast_scores low r n (TableQuilts.at_level run) (TableQuilts.with_noise run) find ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (fun v_ => Laplace.laplace
      (TableQuilts.with_noise run) (TableQuilts.asked run v_)) (TableQuilts.two_values (dA) n)
      (Searches.law_from m P n).

Definition two_sided_private : Prop :=
  forall (A : Type) `{Sums.Finite A}
      (dA : forall x_ y_ : A, {x_ = y_} + {x_ <> y_})
      (pi : A -> R)
      (m : A -> R)
      (P : A -> A -> R)
      (low : R)
      (r : R)
      (n : nat)
      (run : ((Chain.vec A n -> R) * R) * R)
      (i : nat)
      (a : nat)
      (b : nat),
    (forall x_, low <= pi x_) ->
    Gap.gap_of_reversible pi P r ->
    Pufferfish.law m ->
    TableQuilts.lipschitz_table (TableQuilts.asked run) ->
    Searches.scored low r n (TableQuilts.at_level run) (TableQuilts.with_noise run) i a b ->
    (a < i)%nat ->
    (((i + b)%nat) < (S n))%nat ->
    Pufferfish.pufferfish (exp (TableQuilts.at_level run)) (fun v_ => Laplace.laplace
      (TableQuilts.with_noise run) (TableQuilts.asked run v_)) (TableQuilts.two_values (dA) n)
      (Searches.law_from m P n).
