(** What certificates of redaction on a chain of bits state. Read [Tables] first, for levels; the
    pages beside this one are proofs. *)
From Coq Require Import Reals List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables.
Import ListNotations.
Open Scope R_scope.

(** Databases are sequences of n records, each 0 (false) or 1 (true): a finite type. *)
Fixpoint word n : Type := match n with O => unit | S n => (bool * word n)%type end.
#[export] Instance finite_word n : Finite (word n).
Proof.
  induction n; [|apply finite_pair]. exists [tt]; [repeat constructor; easy|intros []; simpl; auto].
Defined.
Fixpoint values {n} : word n -> list bool :=
  match n with O => fun _ => [] | S n => fun v => fst v :: values (snd v) end.

(** A chain, and the record whose value is private, counted from 1. *)
Record chain := Chain {
  step_unit : Z;
  leave : Z;                       (* step_unit times P(1 after 0) *)
  back : Z;                        (* step_unit times P(0 after 1) *)
  first_zero : Z; first_one : Z;   (* the law of the first record, over their sum *)
  private : Z }.

Definition step c (x y : bool) : R :=
  let moves := IZR (if x then back c else leave c) / IZR (step_unit c) in
  if eqb x y then 1 - moves else moves.
Definition start c (x : bool) : R :=
  IZR (if x then first_one c else first_zero c) / IZR (first_zero c + first_one c).
(** The probability of further values after x, and that of a sequence. *)
Fixpoint onward c x (l : list bool) : R := match l with
  | [] => 1 | y :: l => step c x y * onward c y l end.
Definition begun c (f : bool -> R) (l : list bool) : R := match l with
  | [] => 1 | x :: l => f x * onward c x l end.
Definition chain_law c {n} (v : word n) : R := begun c (start c) (values v).

(** A record is replaced by a star, None, with probability if_zero / whole if it is 0, and with
    probability if_one / whole if it is 1; otherwise it is shown. Each by its own coin. *)
Record row := Row { whole : Z; if_zero : Z; if_one : Z }.
Definition hides r (x : bool) : R := IZR (if x then if_one r else if_zero r) / IZR (whole r).
Definition symbol r (x : bool) (o : option bool) : R := match o with
  | None => hides r x | Some z => if eqb x z then 1 - hides r x else 0 end.
Fixpoint redacts (rs : list row) (l : list bool) (y : list (option bool)) : R :=
  match rs, l, y with
  | [], [], [] => 1
  | r :: rs, x :: l, o :: y => symbol r x o * redacts rs l y
  | _, _, _ => 0 end.

(** So many equal entries each. *)
Definition spread {A} (l : list (Z * A)) : list A :=
  flat_map (fun ka => repeat (snd ka) (Z.to_nat (fst ka))) l.
Definition runs := list (Z * row).
Definition count_of (l : runs) := length (spread l).

(** The probability of an output; or, where one is named, of that one only. *)
Definition output := list (option bool).
Definition shows (l : runs) (named : option output) (v : word (count_of l)) (y : output) :=
  redacts (spread l) (values v) match named with None => y | Some z => z end.

Section Statements.
Context (c : chain) (l : runs).

Definition place := Z.to_nat (private c - 1).
Definition value_is b : @secret (word (count_of l)) :=
  fun v => eqb (nth place (values v) false) b.
Definition either_value s t := exists b, s = value_is b /\ t = value_is (negb b).

(** The chain is a law, the private record one of its records, and probabilities are some. *)
Definition well_formed_redaction := law (chain_law c (n := count_of l)) /\
  (1 <= private c <= Z.of_nat (count_of l))%Z /\
  forall r x, In r (spread l) -> 0 <= hides r x <= 1.

(** The ratio of all outputs, or of the one that is named, given one value of the private record and
    given the other, is at most r, either way round. *)
Definition keeps named r := pufferfish r (shows l named) either_value (eq (chain_law c)).
Definition leaks_at_most e := keeps None (ratio e).
Definition leaks_at_least named e := forall r, keeps named r -> ratio e <= r.
Definition leaks_more named e := ~ keeps named (ratio e).
Definition leaks_everything named := forall r, ~ keeps named r.
End Statements.
