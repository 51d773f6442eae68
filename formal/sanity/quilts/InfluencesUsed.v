(** What two records of a chain of bits tell of one between them: a chain that forgets by half. *)
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

(** X_0, X_1, X_2 from any law: X_0 tells 9, as the worst law is close to a point mass, and X_2
    tells 3. *)
Example from_any_law : pair_within_from_any bool_dec 27 lazy 0 1 1 true false.
Proof.
  apply any_law; [exact lazy_law|]. intros x z y _. simpl (0 + 1)%nat. rewrite !lazy_1.
  destruct x, z, y; unfold lazy; simpl; lra.
Qed.
Example no_less : ~ pair_within_from_any bool_dec 26 lazy 0 1 1 true false.
Proof.
  intros h. rewrite any_law in h by exact lazy_law. specialize (h true false true).
  assert (0 < Σ u, Eigenvalues.steps lazy 0 u true).
  { change all with [true; false]. cbn [sum Eigenvalues.steps]. unfold point.
    destruct (Compactness.decision (true = true)), (Compactness.decision (true = false));
      try congruence; lra. }
  specialize (h ltac:(easy)). simpl (0 + 1)%nat in h. rewrite !lazy_1 in h. unfold lazy in h.
  simpl in h. lra.
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
Example given_the_law : pair_within bool_dec 9 even lazy 0 1 1 true false.
Proof.
  apply given_law; [exact even_law|exact lazy_law|]. intros x y _. simpl (0 + 1)%nat.
  rewrite !even_at_1, !lazy_1.
  destruct x, y; unfold lazy; simpl; lra.
Qed.

(** One record later the worst law is no worse. *)
Example later : pair_within_from_any bool_dec 27 lazy 1 1 1 true false.
Proof. apply no_rise; [exact lazy_law|exact from_any_law]. Qed.
