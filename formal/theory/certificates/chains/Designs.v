(** What certificates of redaction designs state: mechanisms within a level, how much they leak, and
    how many records they show. Read [Redactions] first; [Designed] has the proofs. *)
From Coq Require Import Reals List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Redactions.
Import ListNotations.
Open Scope R_scope.

(** The expected fraction of records that are shown. *)
Fixpoint kept (rs : list row) (l : list bool) : R := match rs, l with
  | r :: rs, x :: l => (1 - hides r x) + kept rs l
  | _, _ => 0 end.
Definition released c (l : runs) : R :=
  (Σ v : word (count_of l), chain_law c v * kept (spread l) (values v)) / INR (count_of l).

(** Mechanisms that hide a record whatever its value, the next one with the first probability of a
    list. *)
Fixpoint hides_blindly (rho : list R) (l : list bool) (y : output) : R := match rho, l, y with
  | [], [], [] => 1
  | h :: rho, x :: l, o :: y =>
    match o with None => h | Some z => if eqb x z then 1 - h else 0 end * hides_blindly rho l y
  | _, _, _ => 0 end.
(** None of them is within the level and releases more; l says of how many records. *)
Definition none_blind_is_better c (l : runs) e u := forall rho : list R,
  length rho = count_of l -> (forall h, In h rho -> 0 <= h <= 1) ->
  pufferfish (ratio e) (fun v : word (count_of l) => hides_blindly rho (values v))
    (either_value c l) (eq (chain_law c)) ->
  sum rho (fun h => 1 - h) / INR (count_of l) <= u.

(** A mechanism, what e^leakage is at least and at most, and what it releases: fractions; and what
    no mechanism releases that hides records whatever their values, if that is said. *)
Record design := Design {
  redacted : runs;
  at_least : Z * positive;
  at_most : Z * positive;
  utility : Z * positive;
  blind_most : option (Z * positive) }.

Definition of_pair (x : Z * positive) : R := IZR (fst x) / IZR (Zpos (snd x)).
Definition as_level (x : Z * positive) := Log (fst x) (snd x).
Definition is_design c e d := well_formed_redaction c (redacted d) /\
  leaks_at_most c (redacted d) e /\
  leaks_at_most c (redacted d) (as_level (at_most d)) /\
  leaks_at_least c (redacted d) None (as_level (at_least d)) /\
  released c (redacted d) = of_pair (utility d) /\
  match blind_most d with
  | None => True
  | Some u => none_blind_is_better c (redacted d) e (of_pair u) end.
Definition are_designs c e ds := forall d, In d ds -> is_design c e d.
