(** What certificates of worst cases state: any two mechanisms within two budgets, released
    together. Read [Tables] first; [WorstCase] has the proofs. *)
From Coq Require Import Reals List ZArith.
From Pufferproof Require Import Sums Pufferfish Indices Tables.
Import ListNotations.
Open Scope R_scope.

(** Databases may be sequences of so many records, each with one of so many values, in their order:
    the number of a database in base alphabet has the values as digits. *)
Record sequences := Sequences { records : nat; alphabet : nat }.
(** All but one digit are the same. *)
Definition one_apart c x y := exists k, (k < records c)%nat /\
  (x / alphabet c ^ S k = y / alphabet c ^ S k)%nat /\
  (x mod alphabet c ^ k = y mod alphabet c ^ k)%nat.

(** What a mechanism promises: a level over the framework, and perhaps one for each record. *)
Record budget := Budget { promised : level; each_record : option (sequences * level) }.

Section Statements.
Context (f : framework).

Definition keeps_budget b {W} (M : index (size f) -> W -> R) :=
  within f M (ratio (promised b)) /\ match each_record b with
  | None => True
  | Some (c, e) => forall x y w, one_apart c (number x) (number y) -> M x w <= ratio e * M y w end.

(** Two mechanisms within their budgets leak at most the level together, also when the second is
    chosen after the output of the first is seen; outputs are of any type. *)
Definition worst_at_most b b' e := forall (V W : Type) (M : index (size f) -> V -> R)
  (N : V -> index (size f) -> W -> R), likelihood M -> (forall v, likelihood (N v)) ->
  keeps_budget b M -> (forall v, keeps_budget b' (N v)) ->
  within f (fun x (vw : V * W) => M x (fst vw) * N (fst vw) x (snd vw)) (ratio e).

(** Two mechanisms leak no less. *)
Definition worst_at_least b b' e := exists m m', kernel (channel f m) /\ kernel (channel f m') /\
  keeps_budget b (channel f m) /\ keeps_budget b' (channel f m') /\
  forall r, within f (joint f [m; m']) r -> ratio e <= r.
End Statements.
