(** What outputs have given a bit is decided at every database. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Determined Decoys FairBits MatchingBits.
From Tied Require Import Decide Entries Examples Bits.
Import ListNotations.
Open Scope R_scope.

Lemma d_some {A} `{Finite A} (S : A -> Prop) b : (forall x, decided (S x) (b x)) ->
  decided (exists x, S x) (existsb b all).
Proof.
  intros each. unfold decided. rewrite existsb_exists. split.
  - intros [x [_ e]]. exists x. now apply each.
  - intros [x e]. exists x. split; [apply all_here|now apply each].
Qed.
Definition same_bits {n} (x y : vec bool n) : bool :=
  if vec_dec bool_dec n x y then true else false.
Lemma d_same_bits n (x y : vec bool n) : decided (x = y) (same_bits x y).
Proof. unfold decided, same_bits. destruct (vec_dec _ _ _ _); split; easy. Qed.
Definition qmatches {n} i a (y : vec bool (pred n)) (x : vec bool n) : bool :=
  forallb (fun z => eqb (eqb (bit i a z) true && same_bits (differences z) y) (same_bits z x)) all.
Lemma d_matches n i a y (x : vec bool n) : decided (matches i a y x) (qmatches i a y x).
Proof.
  apply d_all. intros z. apply d_iff; [|apply d_same_bits].
  apply d_and; [apply d_bool|apply d_same_bits].
Qed.

Definition qgiven {n} (q : vec bool n -> Q) i a : bool :=
  let joint w := qsum all (fun x => Qred (qbit q i a x * qfair_coin x w)) in
  let total := qsum all (qbit q i a) in
  forallb (fun c => Qeq_bool (joint (inr c)) (Qred ((1#4) * total))) all &&
  forallb (fun y => Qeq_bool (joint (inl y)) (Qred (qpow (1#2) n * total)) &&
    existsb (fun x => qmatches i a y x && Qeq_bool (joint (inl y)) (Qred ((1#2) * q x))) all) all.
#[export] Instance d_bits_given {n} (p : vec bool n -> R) q : (forall x, rational (p x) (q x)) ->
  decided (bits_given p) (forallb (fun i => forallb (qgiven q i) all) (seq 0 n)) | 0.
Proof.
  intros e. unfold decided. rewrite forallb_forall. unfold bits_given.
  assert (b : forall i a x, rational (inside p (bit i a) x) (qbit q i a x))
    by (intros i a x; apply r_if; [apply e|apply r_0]).
  assert (j : forall i a w, rational (Pw p fair_coin (bit i a) w)
    (qsum all (fun x => Qred (qbit q i a x * qfair_coin x w))))
    by (intros i a w; apply r_sum; intros x; apply r_mult; [apply b|apply r_fair_coin]).
  assert (t : forall i a, rational (P p (bit i a)) (qsum all (qbit q i a)))
    by (intros i a; apply r_sum; apply b).
  assert (quarter : rational (/ 4) (1#4)) by (unfold rational, Q2R; simpl; lra).
  assert (inner : forall i, decided (forall a,
    (forall c, Pw p fair_coin (bit i a) (inr c) = /4 * P p (bit i a)) /\
    forall y, Pw p fair_coin (bit i a) (inl y) = (/2) ^ n * P p (bit i a) /\
      exists x, matches i a y x /\ Pw p fair_coin (bit i a) (inl y) = /2 * p x)
    (forallb (qgiven q i) all)).
  { intros i. apply d_all. intros a. unfold qgiven. cbv zeta. apply d_and; apply d_all.
    - intros c. apply d_eq; [apply j|apply r_mult; [exact quarter|apply t]].
    - intros y. apply d_and.
      + apply d_eq; [apply j|apply r_mult; [apply r_pow, r_half_inverse|apply t]].
      + apply d_some. intros x. apply d_and; [apply d_matches|].
        apply d_eq; [apply j|apply r_mult; [apply r_half_inverse|apply e]]. }
  split.
  - intros each i less. apply inner, each, in_seq. lia.
  - intros given i i_in. apply inner, given. apply in_seq in i_in. lia.
Qed.

#[export] Instance d_both_tell {n} (x : vec bool n) : decided (both_tell x)
  (eqb (parity_of (differences x)) (other_bits x) && forallb (fun y =>
    negb (same_bits (differences y) (differences x) &&
      eqb (published_parity y) (published_parity x)) || same_bits y x) all) | 0.
Proof.
  apply d_and; [apply d_bool|]. apply d_all. intros y. apply d_imp; [|apply d_same_bits].
  apply d_and; [apply d_same_bits|apply d_bool].
Qed.
