(** What is said of 3R mechanisms: regions of a side of the private record, and that no mechanism
    which follows them and keeps its budgets releases more. Read [Redactions] first. *)
From Coq Require Import Reals List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Redactions.
Import ListNotations.
Open Scope R_scope.

(** How likely a record is hidden, if it is 0 and if it is 1. *)
Definition chance := (R * R)%type.
Definition symbol_by (h : chance) (x : bool) (o : option bool) : R :=
  let star := if x then snd h else fst h in
  match o with None => star | Some z => if eqb x z then 1 - star else 0 end.

(** Records of a side, the nearest first: how many are always hidden, then how many are hidden if
    they have the rare value and with some probability if they have the common one, and then how
    many are always shown. *)
Record side := Side { near : nat; medium : nat; beyond : nat }.
Definition three_r (common : bool) s (qs : list R) : list chance := repeat (1, 1) (near s) ++
  map (fun q => if common then (1, q) else (q, 1)) qs ++ repeat (0, 0) (beyond s).

Section Chain.
Context (c : chain).
(** How likely a side shows y after the value x; a stationary chain of two values is the same in
    both directions. *)
Fixpoint side_shows (x : bool) (hs : list chance) (y : output) : R := match hs, y with
  | [], [] => 1
  | h :: hs, o :: y => step c x true * (symbol_by h true o * side_shows true hs y) +
      step c x false * (symbol_by h false o * side_shows false hs y)
  | _, _ => 0 end.
Definition side_within r hs := forall y b, side_shows b hs y <= r * side_shows (negb b) hs y.

(** How likely the record at distance d is z after the value x, and that to see it is within r. *)
Fixpoint after d (x z : bool) : R := match d with
  | O => if eqb x z then 1 else 0
  | S d => step c x true * after d true z + step c x false * after d false z end.
Definition tells_within r d z := forall b, after d b z <= r * after d (negb b) z.
Definition regions r common s := forall d, (1 <= d <= near s + medium s + beyond s)%nat ->
  ((d <= near s)%nat -> ~ tells_within r d common) /\
  ((near s < d)%nat -> tells_within r d common) /\
  ((near s < d <= near s + medium s)%nat -> ~ tells_within r d (negb common)) /\
  ((near s + medium s < d)%nat -> tells_within r d (negb common)).

(** Each side has half of the level, but all of it if there is no other side. *)
Definition one_sided n := ((private c =? 1) || (private c =? Z.of_nat n))%Z.
Definition budget n e := if one_sided n then ratio e else sqrt (ratio e).
Definition side_released common s (qs : list R) :=
  INR (beyond s) + start c common * sum qs (fun q => 1 - q).
Definition chances s (qs : list R) := length qs = medium s /\ forall q, In q qs -> 0 <= q <= 1.
Definition constant (qs : list R) := forall q q', In q qs -> In q' qs -> q = q'.
(** None of them is better, or none of those with one probability on each side. *)
Definition none_3r_is_better n common (same : bool) left right e u :=
  Z.of_nat (near left + medium left + beyond left) = (private c - 1)%Z /\
  Z.of_nat (near right + medium right + beyond right) = (Z.of_nat n - private c)%Z /\
  regions (budget n e) common left /\ regions (budget n e) common right /\
  forall ql qr, chances left ql -> chances right qr ->
    (same = true -> constant ql /\ constant qr) ->
    side_within (budget n e) (three_r common left ql) ->
    side_within (budget n e) (three_r common right qr) ->
    (side_released common left ql + side_released common right qr) / INR n <= u.
End Chain.
