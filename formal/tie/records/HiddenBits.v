(** How the influence curve of a stationary chain of bits is decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts TwoStates Stationary ShownBlocks.
From Pufferproof Require Import HiddenBits.
From Tied Require Import Decide Entries Sequences Records Stationary.
Import ListNotations.
Open Scope R_scope.

(** The weights of all tables are computed once. *)
Definition weighed {A} (l : list (A * Q)) (s : A -> bool) : Q :=
  qsum l (fun xw => if s (fst xw) then snd xw else 0%Q).
Lemma r_weighed {A} `{Finite A} (p : A -> R) c s : (forall x, rational (p x) (c x)) ->
  rational (P p s) (weighed (map (fun x => (x, c x)) all) s).
Proof.
  intros e. unfold P, weighed. generalize (@all A _). induction l as [|x l IH]; [apply r_0|].
  cbn [sum map qsum fold_right fst snd]. apply r_plus; [|exact IH]. unfold inside.
  destruct (s x); [apply e|apply r_0].
Qed.

Definition qtells {n} r (l : list (vec bool n * Q)) h i v : bool :=
  let here := weighed l (record_is i v) in let other := weighed l (record_is i (negb v)) in
  forallb (fun y => Qle_bool (Qred (weighed l (shown_with (record_is i v) h y) * other))
    (Qred (Qred (r * here) * weighed l (shown_with (record_is i (negb v)) h y)))) all.
Definition qcurve {n} r b (l : list (vec bool n * Q)) : bool :=
  forallb (fun i => forallb (fun v => existsb (fun h =>
    if Nat.leb (number (marked h) n) b then qtells r l h i v else false) all) all) (seq 0 n).

#[export] Instance d_curve_of_bits R0 p q n b r c : rational R0 r ->
  (forall x, rational (stationary_chain (1 - p) (1 - q) n x) (c x)) ->
  decided (curve_at_most R0 p q n b) (qcurve r b (map (fun x => (x, c x)) all)) | 0.
Proof.
  intros er ec.
  assert (each : forall h i v, decided (tells_at_most R0 (stationary_chain (1 - p) (1 - q) n) h i v)
    (qtells r (map (fun x => (x, c x)) all) h i v)).
  { intros h i v. apply d_all. intros y.
    apply d_le; repeat apply r_mult; try exact er; now apply r_weighed. }
  unfold decided, qcurve, curve_at_most. rewrite forallb_forall. split.
  - intros all_i i v top. specialize (all_i i ltac:(apply in_seq; lia)).
    rewrite forallb_forall in all_i. specialize (all_i v (all_here v)).
    apply existsb_exists in all_i as [h [_ yes]]. exists h.
    destruct (Nat.leb (number (marked h) n) b) eqn:few; [|easy].
    split; [now apply Nat.leb_le|now apply each].
  - intros curve i i_in. apply in_seq in i_in. apply forallb_forall. intros v _.
    apply existsb_exists. destruct (curve i v ltac:(lia)) as [h [few tells]].
    exists h. split; [apply all_here|]. apply Nat.leb_le in few. rewrite few. now apply each.
Qed.

Definition qrarer (p q : Q) : Q := Qred ((if Qle_bool q p then Qred (1 - p) else Qred (1 - q)) *
  Qred (/ Qred (Qred (2 - p) - q))).
Definition qterm_at (z u : Q) : Q :=
  qlarger (Qred (Qred (z + Qred (u * Qred (1 - z))) * Qred (/ Qred (z - Qred (u * z))))).
(** By cases of d, so that nothing is computed where d is no number. *)
Definition qterm (p q : Q) d : Q := match d with
  | O => qterm_at (qrarer p q) 1%Q
  | S k => qterm_at (qrarer p q) (qpow (Qred (Qred (p + q) - 1)) (S k)) end.
Lemma r_term x y p q d : rational x p -> rational y q -> rational (term_at x y d) (qterm p q d).
Proof.
  intros ex ey.
  assert (two : rational 2 2%Q) by (unfold rational, Q2R; simpl; lra).
  assert (ez : rational (rarer x y) (qrarer p q)).
  { apply r_div; [|repeat apply r_minus; easy].
    apply r_if_less; auto; apply r_minus; auto; apply r_1. }
  assert (eu : rational ((x + y - 1) ^ d) (qpow (Qred (Qred (p + q) - 1)) d)).
  { apply r_pow, r_minus; [now apply r_plus|apply r_1]. }
  enough (rational (term_at x y d) (qterm_at (qrarer p q) (qpow (Qred (Qred (p + q) - 1)) d)))
    by now destruct d.
  apply r_larger_of, r_div.
  - apply r_plus; [easy|]. apply r_mult; [easy|]. apply r_minus; [apply r_1|easy].
  - apply r_minus; [easy|]. now apply r_mult.
Qed.
#[export] Instance r_printed x y p q b : rational x p -> rational y q ->
  rational (printed_curve x y b) (Qred (qterm p q (Nat.div2 (S b)) * qterm p q (Nat.div2 (S (S
    b))))) | 0.
Proof. intros ex ey. apply r_mult; now apply r_term. Qed.
