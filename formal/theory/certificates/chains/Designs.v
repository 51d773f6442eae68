(** What certificates of redaction designs state: mechanisms within a level, how much they leak, and
    how many records they show. Read [Redactions] and [Sides] first; [Designed] has the
    proofs. *)
From Coq Require Import Reals List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Redactions Sides.
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

(** Mechanisms that may see all records: the probability of every output on every sequence. Each
    record is shown as it is or as a star. *)
Fixpoint outputs_of n : list output := match n with
  | O => [[]]
  | S n => flat_map (fun o => map (cons o) (outputs_of n)) [None; Some false; Some true] end.
Fixpoint truthful (l : list bool) (y : output) : bool := match l, y with
  | [], [] => true
  | x :: l, o :: y => match o with None => true | Some z => eqb x z end && truthful l y
  | _, _ => false end.
Fixpoint revealed (y : output) : Z := match y with
  | [] => 0
  | o :: y => (match o with None => 0 | Some _ => 1 end + revealed y)%Z end.
Definition sees_all {n} (M : word n -> output -> R) := forall v,
  (forall y, 0 <= M v y) /\ (forall y, truthful (values v) y = false -> M v y = 0) /\
  sum (outputs_of n) (M v) = 1.
Definition reveals c {n} (M : word n -> output -> R) :=
  (Σ v, chain_law c v * sum (outputs_of n) (fun y => M v y * IZR (revealed y))) / INR n.
(** The private record of n has the value b; and the promise about it. *)
Definition bit_is c n b : @secret (word n) := fun v => eqb (nth (place c) (values v) false) b.
Definition either_bit c n s t := exists b, s = bit_is c n b /\ t = bit_is c n (negb b).
Definition promises c {n} r (M : word n -> output -> R) :=
  pufferfish r M (either_bit c n) (eq (chain_law c)).
(** None of them is within the level and releases more. *)
Definition none_is_better c n e u := forall M : word n -> output -> R,
  sees_all M -> promises c (ratio e) M -> reveals c M <= u.

(** Mechanisms as they are given: by how likely a record is hidden that is 0, or 1, or by a table,
    for each sequence of n values, of outputs with their probabilities times a unit. *)
Record answers := Answers { answer_unit : Z; answer_rows : list (list bool * list (output * Z)) }.
Inductive mechanism := ByValue (l : runs) | ByAll (n : nat) (t : answers).
Fixpoint same_word (l m : list bool) : bool := match l, m with
  | [], [] => true
  | x :: l, y :: m => eqb x y && same_word l m
  | _, _ => false end.
Definition same_symbol (o o' : option bool) := match o, o' with
  | None, None => true | Some x, Some y => eqb x y | _, _ => false end.
Fixpoint same_output (y w : output) : bool := match y, w with
  | [], [] => true
  | o :: y, o' :: w => same_symbol o o' && same_output y w
  | _, _ => false end.
Definition row_of t l := match find (fun r => same_word l (fst r)) (answer_rows t) with
  | Some r => snd r | None => [] end.
Definition tells t {n} (v : word n) (y : output) : R :=
  sum (row_of t (values v)) (fun e => if same_output y (fst e) then IZR (snd e) else 0) /
  IZR (answer_unit t).

(** A mechanism, what e^leakage is at least and at most, and what it releases: fractions; and what
    no mechanism of a class releases that is within the level, if that is said. *)
Inductive class := Blind | Anything
  | ThreeR (common same : bool) (left right : side).
Record design := Design {
  redacted : mechanism;
  at_least : Z * positive;
  at_most : Z * positive;
  utility : Z * positive;
  no_more : option (class * (Z * positive)) }.

Definition of_pair (x : Z * positive) : R := IZR (fst x) / IZR (Zpos (snd x)).
Definition as_level (x : Z * positive) := Log (fst x) (snd x).
Definition is_best c (l : runs) e (cu : class * (Z * positive)) := match cu with
  | (Blind, u) => none_blind_is_better c l e (of_pair u)
  | (Anything, u) => none_is_better c (count_of l) e (of_pair u)
  | (ThreeR common same s s', u) =>
    none_3r_is_better c (count_of l) common same s s' e (of_pair u) end.
Definition is_local c l e d := well_formed_redaction c l /\
  leaks_at_most c l e /\
  leaks_at_most c l (as_level (at_most d)) /\
  leaks_at_least c l None (as_level (at_least d)) /\
  released c l = of_pair (utility d) /\
  match no_more d with None => True | Some cu => is_best c l e cu end.
Definition is_central c n (t : answers) e d := law (chain_law c (n := n)) /\
  (1 <= private c <= Z.of_nat n)%Z /\ sees_all (tells t (n := n)) /\
  promises c (ratio e) (tells t (n := n)) /\
  promises c (of_pair (at_most d)) (tells t (n := n)) /\
  (forall r, promises c r (tells t (n := n)) -> of_pair (at_least d) <= r) /\
  reveals c (tells t (n := n)) = of_pair (utility d) /\
  match no_more d with
  | None => True
  | Some (Anything, u) => none_is_better c n e (of_pair u)
  | Some _ => False end.
Definition is_design c e d := match redacted d with
  | ByValue l => is_local c l e d
  | ByAll n t => is_central c n t e d end.
Definition are_designs c e ds := forall d, In d ds -> is_design c e d.
