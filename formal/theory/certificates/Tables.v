(** What a certificate states: finite tables of integers, and the promise about them in the words of
    [Pufferfish]. Read this page before a file that `pufferproof export` wrote; the pages beside it
    are proofs. *)
From Coq Require Import Reals List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices.
Import ListNotations.
Open Scope R_scope.

(** Databases, secrets, priors and outputs are counted from 0. *)
Record framework := {
  size : nat;                      (* how many databases *)
  secrets : list (list bool);      (* for every secret, which databases are in it *)
  pairs : list (nat * nat);        (* two secrets each; both orders are meant *)
  prior_unit : Z;
  priors : list (list Z);          (* for every prior, prior_unit times its probabilities *)
  convex : bool }.                 (* whether all mixtures of the priors are meant *)

Record mechanism := {
  outputs : nat;                   (* how many outputs *)
  row_unit : Z;
  rows : list (list Z) }.          (* for every database, row_unit times its probabilities *)

Definition at_place (l : list Z) i := nth i l 0%Z.

Definition secret_of f i : @secret (index (size f)) :=
  fun x => nth (number x) (nth i (secrets f) []) false.
Definition pairs_of f s t := exists i j,
  (In (i, j) (pairs f) \/ In (j, i) (pairs f)) /\ s = secret_of f i /\ t = secret_of f j.

Definition prior_of f l : index (size f) -> R :=
  fun x => IZR (at_place (nth l (priors f) []) (number x)) / IZR (prior_unit f).
Definition mixture_of f (weight : index (length (priors f)) -> R) : index (size f) -> R :=
  fun x => Σ l, weight l * prior_of f (number l) x.
Definition priors_of f p :=
  if convex f then exists weight, law weight /\ p = mixture_of f weight
  else exists l, (l < length (priors f))%nat /\ p = prior_of f l.

Definition channel f m : index (size f) -> index (outputs m) -> R :=
  fun x w => IZR (at_place (nth (number x) (rows m) []) (number w)) / IZR (row_unit m).

(** Mechanisms released together, with independent randomness; one may occur several times. *)
Fixpoint together (ms : list mechanism) : Type := match ms with
  | [] => unit
  | m :: ms => (index (outputs m) * together ms)%type end.
Fixpoint joint f ms : index (size f) -> together ms -> R := match ms with
  | [] => fun _ _ => 1
  | m :: ms => both (channel f m) (joint f ms) end.

(** Priors are laws, and so is what a mechanism shows of a database. *)
Definition well_formed f ms := laws_only (priors_of f) /\ forall m, In m ms -> kernel (channel f m).

(** A level, log(n/d) or n/d itself, and e^level. *)
Inductive level := Log (n : Z) (d : positive) | Nats (n : Z) (d : positive).
Definition ratio e := match e with
  | Log n d => IZR n / IZR (Zpos d)
  | Nats n d => exp (IZR n / IZR (Zpos d)) end.

Section Statements.
Context (f : framework) {W : Type} (M : index (size f) -> W -> R).

Definition within r := pufferfish r M (pairs_of f) (priors_of f).
Definition leakage_at_most e := within (ratio e).
Definition leakage_equals e := within (ratio e) /\ forall r, within r -> ratio e <= r.
Definition leakage_above e := ~ within (ratio e).
Definition leakage_infinite := forall r, ~ within r.

(** The promise up to delta: what exceeds it, summed over the outputs, is at most delta. *)
Context `{Finite W}.
Definition within_up_to r delta := forall p s t, priors_of f p -> pairs_of f s t ->
  0 < P p s -> 0 < P p t ->
  (Σ w, Rmax 0 (Pw p M s w * P p t - r * P p s * Pw p M t w)) <= delta * P p s * P p t.
Definition delta_at_most e n d := within_up_to (ratio e) (IZR n / IZR (Zpos d)).
Definition delta_above e n d := ~ within_up_to (ratio e) (IZR n / IZR (Zpos d)).
End Statements.
