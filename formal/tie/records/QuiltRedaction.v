(** How the Markov quilt mechanism and its bounds are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import TwoStates QuiltRedaction.
From Tied Require Import Decide Entries Sequences Records Stationary.
Import ListNotations.
Open Scope R_scope.

Lemma less_decided x y p q : rational x p -> rational y q ->
  (if Rlt_dec x y then true else false) = negb (Qle_bool q p).
Proof.
  unfold rational; intros -> ->. destruct (Qle_bool q p) eqn:e, Rlt_dec as [l|l]; try easy.
  - apply Qle_bool_iff, Qle_Rle in e. lra.
  - apply Rnot_lt_le, Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
Definition qsided (r x y : Q) De Dh p : bool :=
  Nat.eqb p 0 || negb (Qle_bool (Qred (x * y)) r) || Nat.ltb (S p + De) (2 * Dh).
Lemma sided a b R0 De Dh n p r x y : rational R0 r -> rational (i1 a b p) x ->
  rational (i1 a b (n - p)) y -> one_sided_quilt a b R0 De Dh n p = qsided r x y De Dh p.
Proof.
  intros er ex ey. unfold one_sided_quilt, qsided.
  now rewrite (less_decided _ _ r (Qred (x * y)) er (r_mult _ _ _ _ ex ey)).
Qed.

#[export] Instance r_quilt a b R0 De Dh n p k r x y : rational R0 r -> rational (i1 a b p) x ->
  rational (i1 a b (n - p)) y -> rational (quilt_chances a b R0 De Dh n p k)
    (let s := qsided r x y De Dh p in
     if Nat.leb (p - (if s then p else Dh)) k &&
        Nat.leb k (p + (if s then Nat.min De (n - S p) else Dh)) then 1%Q else 0%Q) | 0.
Proof.
  intros er ex ey. unfold quilt_chances, window, quilt_left, quilt_right.
  rewrite (sided a b R0 De Dh n p r x y er ex ey). apply r_if; [apply r_1|apply r_0].
Qed.
#[export] Instance r_by_cases one two a b R0 De Dh n p r x y : rational R0 r ->
  rational (i1 a b p) x -> rational (i1 a b (n - S p)) y ->
  rational (by_cases_bound one two a b R0 De Dh n p)
    (if Nat.eqb (n - S p) 0 || negb (Qle_bool y r) then 0%Q
     else if Nat.eqb p 0 || negb (Qle_bool (Qred (x * y)) r)
     then Qred (1 - Qred (inject_Z (Z.of_nat (De + p + one)) * Qred (/ inject_Z (Z.of_nat n))))
     else Qred (1 - Qred (inject_Z (Z.of_nat (Nat.min (De + p) (2 * Dh - 1) + two)) *
       Qred (/ inject_Z (Z.of_nat n))))) | 0.
Proof.
  intros er ex ey. unfold by_cases_bound.
  rewrite (less_decided _ _ r y er ey), (less_decided _ _ r (Qred (x * y)) er (r_mult _ _ _ _ ex
    ey)).
  repeat apply r_if; [apply r_0| |]; (apply r_minus; [apply r_1|apply r_div; apply r_count]).
Qed.
#[export] Hint Extern 2 (rational (quilt_bound _ _ _ _ _ _ _) _) => unfold quilt_bound :
  typeclass_instances.
#[export] Hint Extern 2 (rational (printed_bound _ _ _ _ _ _ _) _) => unfold printed_bound :
  typeclass_instances.
#[export] Hint Extern 2 (decided (up_to_two _ _ _) _) => unfold up_to_two : typeclass_instances.
