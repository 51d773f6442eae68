(** What each output of a mechanism on fair bits has given a bit, and the one database behind it
    (bai2026, section 4, example 2). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Determined Revealed Decoys FairBits.
Import ListNotations.
Open Scope R_scope.

(** The one database that has the bit and the differences. *)
Definition matches {n} i a (y : vec bool (pred n)) (x : vec bool n) :=
  forall z, bit i a z = true /\ differences z = y <-> z = x.
(** Given a bit, a value of type B has probability 1/4 and a tuple of type A has 2^-n, half of that
    of its database. *)
Definition bits_given {n} (p : vec bool n -> R) := forall i, (i < n)%nat -> forall a,
  (forall c, Pw p fair_coin (bit i a) (inr c) = /4 * P p (bit i a)) /\
  forall y, Pw p fair_coin (bit i a) (inl y) = (/2) ^ n * P p (bit i a) /\
    exists x, matches i a y x /\ Pw p fair_coin (bit i a) (inl y) = /2 * p x.

Lemma either_value i n (v : vec bool n) : (i < n)%nat -> exists a, bit i a v = true.
Proof.
  revert i. induction n as [|n IH]; [lia|]. intros i less. destruct v as [b v].
  destruct i as [|i]; [exists b; rewrite bit_0; now destruct b|].
  destruct (IH v i ltac:(lia)) as [a e]. now exists a.
Qed.
Lemma one_value i n (v : vec bool n) a b : bit i a v = true -> bit i b v = true -> a = b.
Proof.
  revert i. induction n as [|n IH]; [easy|]. intros i. destruct v as [c v].
  destruct i as [|i]; [|exact (IH v i)]. rewrite !bit_0. now destruct a, b, c.
Qed.

Lemma one_matches n i a (y : vec bool (pred n)) : (i < n)%nat -> exists x, matches i a y x.
Proof.
  destruct n as [|m]; [lia|]. intros less. cbn [pred] in y.
  assert (some : exists c, bit i a (n := S m) (c, differ_from c y) = true).
  { destruct i as [|j]; [exists a; rewrite bit_0; now destruct a|].
    destruct (either_value j m y ltac:(lia)) as [d e]. exists (xorb a d).
    rewrite bit_S, bit_differ. now destruct a, d. }
  destruct some as [c here]. exists (c, differ_from c y). intros [b v].
  unfold differences; cbn [fst snd pred]. split.
  - intros [has same]. assert (ev : v = differ_from b y) by (rewrite <- same, differ_twice; easy).
    subst v. f_equal; [|f_equal]; (destruct i as [|j];
      [rewrite bit_0 in has, here; now destruct a, b, c|
       rewrite bit_S, bit_differ in has, here;
       pose proof (one_value j m y _ _ has here) as e; now destruct a, b, c]).
  - intros e. injection e as -> ->. split; [exact here|]. apply differ_twice.
Qed.

(** Likelihoods given a bit (bai2026.ex2-likelihoods-repaired).
    Differs: as [given_a_bit]. *)
Theorem fair_bits_given {n} (p : vec bool n -> R) : (2 < n)%nat -> fair p -> bits_given p.
Proof.
  intros many even i less a. destruct (given_a_bit p many even i a less) as [A B].
  split; [exact B|]. intros y. split; [apply A|].
  destruct (one_matches n i a y less) as [x one]. exists x. split; [exact one|].
  rewrite A, (half_of_a_bit p even i a less), even. ring.
Qed.

(** The parity that is not published: of all but the first bit if the number of bits is odd. *)
Definition other_bits {n} : vec bool n -> bool := match n with O => fun _ => false
  | S n => fun v => if Nat.odd (S n) then parity_of (snd v)
    else xorb (fst v) (parity_of (snd v)) end.
(** The exclusive or of the differences is this parity, and both types belong to x alone. *)
Definition both_tell {n} (x : vec bool n) := parity_of (differences x) = other_bits x /\
  forall y, differences y = differences x /\ published_parity y = published_parity x -> y = x.

(** What both types give together (bai2026.ex2-mech).
    Differs: any number of bits. *)
Theorem both_types_tell {n} (x : vec bool n) : both_tell x.
Proof.
  split.
  - destruct n as [|m]; [easy|]. destruct x as [a v]. unfold differences, other_bits.
    cbn [fst snd pred]. rewrite parity_differ, Nat.odd_succ, <- Nat.negb_odd.
    now destruct a, (parity_of v), (Nat.odd m).
  - intros y [same parity]. destruct n as [|[|[|m]]].
    + now destruct x, y.
    + destruct x as [a []], y as [b []]. cbn in parity. now destruct a, b.
    + destruct x as [a [b []]], y as [c [d []]]. cbn in same, parity. injection same as same.
      now destruct a, b, c, d.
    + apply types_tell; [lia|easy..].
Qed.
