(** What certificates of noise on a sum of the records of Markov chains state. Read [Tables] first,
    for levels, and [Laplace] and [Geometric], for noise; the pages beside this one are proofs. *)
From Coq Require Import Reals List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laplace Chain Indices Tables Geometric.
Import ListNotations.
Open Scope R_scope.

(** A chain: the law of the first record, and the law of the next one by each value. *)
Record walk := Walk {
  start_unit : Z;
  starts : list Z;                 (* start_unit times their probabilities *)
  move_unit : Z;
  moves : list (list Z) }.         (* for every value, move_unit times the probabilities *)

(** The scale of noise: n/d, or (n/d) / log (a/c). *)
Inductive scale := Just (n d : positive) | PerLog (n d a c : positive).

(** Databases are sequences of values, which are counted from 0, as records and priors are. *)
Record model := Model {
  values : nat;                    (* how many values *)
  records : nat;                   (* how many records follow the first *)
  walks : list walk;               (* the priors *)
  pairs_at : list (nat * (nat * nat)); (* a record, and two of its values; both orders are meant *)
  adds : list nat;                 (* for every value, how many steps it adds to the query *)
  first : nat; last : nat;         (* the records that the query adds up *)
  least : Z; step_of : positive; query_unit : positive;
  noise : scale;
  integers : bool }.               (* whether the noise is geometric, on integers *)

Section Statements.
Context (m : model).
Definition database := vec (index (values m)) (S (records m)).

Definition initial_of w (x : index (values m)) :=
  IZR (at_place (starts w) (number x)) / IZR (start_unit w).
Definition move_of w (_ : nat) (x y : index (values m)) :=
  IZR (at_place (nth (number x) (moves w) []) (number y)) / IZR (move_unit w).
Definition law_of_walk w (v : database) := chain_weight (initial_of w) (move_of w) (list_of v).
Definition walks_of p := exists k, (k < length (walks m))%nat /\
  p = law_of_walk (nth k (walks m) (Walk 0 [] 0 [])).

(** The record i, counted from 0, has the value a. *)
Definition value_is i a : @secret database :=
  fun v => Nat.eqb (nth i (map number (list_of v)) (values m)) a.
Definition values_apart s t := exists i a b,
  (In (i, (a, b)) (pairs_at m) \/ In (i, (b, a)) (pairs_at m)) /\
  s = value_is i a /\ t = value_is i b.

(** The number of steps that the records of the segment add, and the query. *)
Definition adds_at t x : nat :=
  if Nat.leb (first m) t && Nat.leb t (last m) then nth x (adds m) 0%nat else 0%nat.
Fixpoint steps_from t (l : list nat) : nat := match l with
  | [] => 0
  | x :: l => adds_at t x + steps_from (S t) l end%nat.
Definition count (v : database) := steps_from 0 (map number (list_of v)).
Definition value_of n := (least m + Zpos (step_of m) * Z.of_nat n)%Z.
Definition query v := IZR (value_of (count v)) / IZR (Zpos (query_unit m)).
Definition scale_of := match noise m with
  | Just n d => IZR (Zpos n) / IZR (Zpos d)
  | PerLog n d a c => IZR (Zpos n) / IZR (Zpos d) / ln (IZR (Zpos a) / IZR (Zpos c)) end.

(** The density of an output, or its probability where outputs are integers. *)
Definition with_laplace (v : database) (w : R) := laplace scale_of (query v) w.
Definition with_geometric (v : database) (w : Z) := geometric scale_of (value_of (count v)) w.

Definition noise_keeps r := if integers m
  then pufferfish r with_geometric values_apart walks_of
  else pufferfish r with_laplace values_apart walks_of.

(** Priors are laws, the noise has a scale, and a query that is released with geometric noise has
    integers as values. *)
Definition noise_well_formed := laws_only walks_of /\ 0 < scale_of /\
  (integers m = true -> query_unit m = 1%positive).
(** The promise is about something. *)
Definition some_pair_possible := exists p s t, walks_of p /\ values_apart s t /\ 0 < P p s /\
  0 < P p t.
Definition noise_at_most e := noise_keeps (ratio e).
(** At the output of n steps, of one prior, and two values of a record. *)
Definition noise_above_at e k i a b n := let p := law_of_walk (nth k (walks m) (Walk 0 [] 0 [])) in
  let s := value_is i a in let t := value_is i b in
  walks_of p /\ values_apart s t /\ 0 < P p s /\ 0 < P p t /\
  if integers m
  then ratio e * P p s * Pw p with_geometric t (value_of n) <
    Pw p with_geometric s (value_of n) * P p t
  else ratio e * P p s * Pw p with_laplace t (IZR (value_of n) / IZR (Zpos (query_unit m))) <
    Pw p with_laplace s (IZR (value_of n) / IZR (Zpos (query_unit m))) * P p t.
End Statements.
