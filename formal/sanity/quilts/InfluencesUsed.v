(** What one record of a chain of bits or two tell of another: a chain that forgets by half. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Eigenvalues Spectrum
  ChainMoments ChainInfluence.
Import ListNotations.
Open Scope R_scope.

Definition lazy (x y : bool) : R := if eqb x y then 3 / 4 else 1 / 4.
Lemma lazy_law x : law (lazy x).
Proof. unfold lazy. split; [intros []; destruct x; simpl; lra|destruct x; simpl; lra]. Qed.

Lemma lazy_1 x y : Eigenvalues.steps lazy 1 x y = lazy x y.
Proof.
  simpl. unfold point. destruct x, y; repeat destruct Compactness.decision; try congruence; simpl;
    lra.
Qed.

Lemma reached_0 x : 0 < Σ u, Eigenvalues.steps lazy 0 u x.
Proof.
  change all with [true; false]. cbn [sum Eigenvalues.steps]. unfold point.
  destruct x; repeat destruct Compactness.decision; try congruence; lra.
Qed.
Lemma reached_1 x : 0 < Σ u, Eigenvalues.steps lazy 1 u x.
Proof.
  change all with [true; false]. cbn [sum]. rewrite !lazy_1. destruct x; unfold lazy; simpl; lra.
Qed.

(** X_1 of four records, from any law: X_0 tells 9, as the worst law is close to a point mass, and
    X_2 tells 3; X_3 follows. *)
Example from_any_law : sides_within_from_any bool_dec 27 lazy 0 1 1 1 true false.
Proof.
  apply any_law; [exact lazy_law|apply reached_1|apply reached_1|]. intros x z y _. cbn [if_shown].
  simpl (0 + 1)%nat. rewrite !lazy_1. destruct x, z, y; unfold lazy; simpl; lra.
Qed.
Example no_less : ~ sides_within_from_any bool_dec 26 lazy 0 1 1 1 true false.
Proof.
  intros h. rewrite any_law in h by (exact lazy_law || apply reached_1).
  specialize (h true false true (reached_0 true)). cbn [if_shown] in h.
  simpl (0 + 1)%nat in h. rewrite !lazy_1 in h. unfold lazy in h. simpl in h. lra.
Qed.
(** The left one alone, and the right one alone. *)
Example left_alone : sides_within_from_any bool_dec 9 lazy 0 1 0 2 true false.
Proof.
  apply any_law; [exact lazy_law|apply reached_1|apply reached_1|]. intros x z y _. cbn [if_shown].
  simpl (0 + 1)%nat. rewrite !lazy_1. destruct x, z; unfold lazy; simpl; lra.
Qed.
Example left_no_less : ~ sides_within_from_any bool_dec 8 lazy 0 1 0 2 true false.
Proof.
  intros h. rewrite any_law in h by (exact lazy_law || apply reached_1).
  specialize (h true false true (reached_0 true)). cbn [if_shown] in h.
  simpl (0 + 1)%nat in h. rewrite !lazy_1 in h. unfold lazy in h. simpl in h. lra.
Qed.
Example right_alone : sides_within_from_any bool_dec 3 lazy 1 0 1 1 true false.
Proof.
  apply any_law; [exact lazy_law|apply reached_1|apply reached_1|]. intros x z y _. cbn [if_shown].
  rewrite !lazy_1. destruct y; unfold lazy; simpl; lra.
Qed.
Example right_no_less : ~ sides_within_from_any bool_dec 2 lazy 1 0 1 1 true false.
Proof.
  intros h. rewrite any_law in h by (exact lazy_law || apply reached_1).
  specialize (h true false true (reached_1 true)). cbn [if_shown] in h.
  rewrite !lazy_1 in h. unfold lazy in h. simpl in h. lra.
Qed.
(** Neither: nothing is told. *)
Example none_tells : sides_within_from_any bool_dec 1 lazy 1 0 0 2 true false.
Proof.
  apply any_law; [exact lazy_law|apply reached_1|apply reached_1|]. intros x z y _. cbn [if_shown].
  lra.
Qed.

(** From the uniform law the start tells nothing of itself: 9 is enough, and 8 is not. *)
Definition even (x : bool) := 1 / 2.
Lemma even_law : law even.
Proof. split; [intros; unfold even; lra|unfold even; simpl; lra]. Qed.
Lemma even_at_0 x : law_at even lazy 0 x = 1 / 2.
Proof.
  unfold law_at, even. simpl. unfold point.
  destruct x; repeat destruct Compactness.decision; try congruence; lra.
Qed.
Lemma even_at_1 x : law_at even lazy 1 x = 1 / 2.
Proof.
  transitivity (Σ z, 1 / 2 * lazy z x).
  - apply sum_ext; intros z _. now rewrite lazy_1.
  - unfold lazy. destruct x; simpl; lra.
Qed.
Example given_the_law : sides_within bool_dec 9 even lazy 0 1 1 0 true false.
Proof.
  apply given_law; [exact even_law|exact lazy_law| | |]; try (simpl (0 + 1)%nat; rewrite even_at_1;
    lra).
  intros x y _. cbn [if_shown]. simpl (0 + 1)%nat. rewrite !even_at_1, !lazy_1.
  destruct x, y; unfold lazy; simpl; lra.
Qed.
Example given_the_law_left : sides_within bool_dec 3 even lazy 0 1 0 1 true false.
Proof.
  apply given_law; [exact even_law|exact lazy_law| | |]; try (simpl (0 + 1)%nat; rewrite even_at_1;
    lra).
  intros x y _. cbn [if_shown]. simpl (0 + 1)%nat. rewrite !even_at_1, !lazy_1.
  destruct x; unfold lazy; simpl; lra.
Qed.

(** One record later the worst law is no worse. *)
Example later : sides_within_from_any bool_dec 27 lazy 1 1 1 0 true false.
Proof. apply no_rise; [exact lazy_law|exact from_any_law]. Qed.
Example left_later : sides_within_from_any bool_dec 9 lazy 1 1 0 1 true false.
Proof. apply no_rise; [exact lazy_law|exact left_alone]. Qed.
