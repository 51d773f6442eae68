(** What a data-independent redaction of a stationary chain of bits leaks of record p is the
    influence of a Markov quilt that it shows (massny2025, corollary 3). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts RedactionLeakage Local.
From Pufferproof Require Import TwoStates Stationary.
Import ListNotations.
Open Scope R_scope.

(** Two tables agree at the places of S. *)
Fixpoint agree_from (S_ : nat -> bool) k {n} : vec bool n -> vec bool n -> bool := match n with
  | O => fun _ _ => true
  | S n => fun x y => (negb (S_ k) || eqb (fst x) (fst y)) && agree_from S_ (S k) (snd x) (snd y)
  end.
Definition agree (S_ : nat -> bool) {n} (x y : vec bool n) : bool := agree_from S_ 0 x y.
(** The records of S are released as they are: y stands for its values at S. *)
Definition released_at S_ n (x y : vec bool n) : R := if agree S_ x y then 1 else 0.
(** e^Inf(X_p ~> X_S) <= R0. *)
Definition influences_at_most R0 al be n p S_ :=
  pufferfish R0 (released_at S_ n) (either_value p) (eq (stationary_chain al be n)).
(** Given X_Q, X_p is independent of all records that are not in N. *)
Definition off (N : nat -> bool) k := negb (N k).
Definition quilt_of al be n p (Q N : nat -> bool) := forall b (y : vec bool n),
  Pw (stationary_chain al be n) (released_at (off N) n) (record_is p b) y *
    Pw (stationary_chain al be n) (released_at Q n) (fun _ => true) y =
  Pw (stationary_chain al be n) (released_at Q n) (record_is p b) y *
    Pw (stationary_chain al be n) (released_at (off N) n) (fun _ => true) y.

Lemma agree_refl S_ n (x : vec bool n) : agree S_ x x = true.
Proof.
  unfold agree. generalize 0%nat. induction n as [|n IH]; intros k; simpl; [easy|].
  now rewrite eqb_reflx, orb_true_r, IH.
Qed.

Lemma agree_at S_ n k (x y : vec bool n) : agree_from S_ k x y = true <->
  forall j, S_ (k + j)%nat = true -> nth_error (list_of x) j = nth_error (list_of y) j.
Proof.
  revert k; induction n as [|n IH]; intros k; simpl; [split; auto; intros; now destruct j|].
  rewrite andb_true_iff, IH, orb_true_iff, negb_true_iff. split.
  - intros [one rest] [|j] h; simpl.
    + rewrite Nat.add_0_r in h. destruct one as [no|same]; [congruence|].
      apply eqb_prop in same. now rewrite same.
    + apply rest. now rewrite Nat.add_succ_r in h.
  - intros each. split.
    + destruct (S_ k) eqn:h; [right|now left]. specialize (each 0%nat).
      rewrite Nat.add_0_r in each. specialize (each h). injection each as e. rewrite e.
      apply eqb_reflx.
    + intros j h. apply (each (S j)). now rewrite Nat.add_succ_r.
Qed.

Lemma agree_sym S_ n (x y : vec bool n) : agree S_ x y = agree S_ y x.
Proof.
  apply eq_true_iff_eq. unfold agree. rewrite !agree_at. split; intros h j s; symmetry; auto.
Qed.

Lemma agree_trans S_ n (x y z : vec bool n) : agree S_ x y = true ->
  agree S_ x z = agree S_ y z.
Proof.
  intros xy. apply eq_true_iff_eq. unfold agree in *. rewrite !agree_at in *.
  split; intros h j s; specialize (xy j s); specialize (h j s); congruence.
Qed.

(** Redaction that replaces all records of N says the same where tables agree elsewhere. *)
Lemma local_agrees rho N n (x x' : vec bool n) y : (forall k, N k = true -> rho k = 1) ->
  agree (off N) x x' = true -> local bool_dec (dim rho) x y = local bool_dec (dim rho) x' y.
Proof.
  intros hidden. unfold local, agree. generalize 0%nat. revert x x' y.
  induction n as [|n IH]; intros x x' y k; simpl; [easy|].
  intros same. apply andb_true_iff in same as [one rest].
  rewrite (IH (snd x) (snd x') (snd y) (S k) rest). f_equal. unfold shown_as, dim.
  destruct (fst y) as [z|]; [|easy]. apply orb_true_iff in one as [no|e].
  - unfold off in no. rewrite negb_involutive in no. rewrite (hidden k no).
    destruct (bool_dec (fst x) z), (bool_dec (fst x') z); ring.
  - apply eqb_prop in e. now rewrite e.
Qed.

(** The values of a table at S, as what a local redaction can show. *)
Lemma has_part S_ n k (x y : vec bool n) :
  has bool_dec (part_from S_ k y) x = if agree_from S_ k x y then 1 else 0.
Proof.
  revert k; induction n as [|n IH]; intros k; simpl; [easy|]. rewrite IH.
  destruct (S_ k); simpl; [|ring].
  destruct (bool_dec (fst x) (fst y)) as [->|ne].
  - rewrite eqb_reflx. simpl. ring.
  - destruct (eqb (fst x) (fst y)) eqn:e; [apply eqb_prop in e; contradiction|]. simpl. ring.
Qed.

Section Quilts.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation chain := (stationary_chain al be).

(** Corollary 3 of massny2025, the inequality: a data-independent mechanism leaks at least the
    influence of the records that it does not always replace.
    Differs: ratios instead of levels. *)
Theorem leaks_released rho n p Q R0 : (forall k, Q k = true -> rho k < 1) ->
  leaks_at_most R0 al be n p (dim rho) -> influences_at_most R0 al be n p Q.
Proof.
  intros less promise pr s t y Hp st Ps Pt.
  assert (pos : 0 < Local.released (dim rho) (part_from Q 0 y)).
  { unfold Local.released. generalize 0%nat. clear Hp st Ps Pt promise. revert y.
    clear pr s t. induction n as [|n IH]; intros y k; simpl; [lra|].
    apply Rmult_lt_0_compat; [|apply IH].
    destruct (Q k) eqn:h; [|lra]. unfold dim. specialize (less k h). lra. }
  pose proof (redaction_keeps_records bool_dec (dim rho) n R0 (part_from Q 0 y) _ _ promise pos
    pr s t tt Hp st Ps Pt) as kept.
  assert (E : forall u, Pw pr (fun x (_ : unit) => has bool_dec (part_from Q 0 y) x) u tt =
    Pw pr (released_at Q n) u y).
  { intros u. apply sum_ext; intros x _. f_equal. apply has_part. }
  now rewrite !E in kept.
Qed.

Lemma chain_positive n (x : vec bool n) : 0 < chain n x.
Proof.
  unfold stationary_chain, sequence_law. destruct (list_of x) as [|z l]; simpl; [lra|].
  apply Rmult_lt_0_compat; [now apply stationary_pos|]. generalize 0%nat. revert z.
  induction l as [|c l IH]; intros z k; simpl; [lra|].
  apply Rmult_lt_0_compat; [|apply IH]. unfold constant_steps, flip. destruct z, c; lra.
Qed.

Definition weight_at S_ n (u : @secret (vec bool n)) x := Pw (chain n) (released_at S_ n) u x.
Definition alike S_ n (x : vec bool n) : R := Σ y : vec bool n, released_at S_ n x y.

Lemma alike_positive S_ n x : 0 < alike S_ n x.
Proof.
  apply Rlt_le_trans with (released_at S_ n x x).
  - unfold released_at. rewrite agree_refl. lra.
  - apply (sum_member all (fun y => released_at S_ n x y) x); [|apply all_here].
    intros y _. unfold released_at. destruct agree; lra.
Qed.

Lemma weight_positive S_ n x : 0 < weight_at S_ n (fun _ => true) x.
Proof.
  apply Rlt_le_trans with (chain n x * released_at S_ n x x).
  - unfold released_at. rewrite agree_refl, Rmult_1_r. apply chain_positive.
  - apply (sum_member all (fun y => inside (chain n) (fun _ => true) y * released_at S_ n y x) x);
      [|apply all_here].
    intros y _. unfold inside, released_at. pose proof (chain_positive n y).
    destruct agree; lra.
Qed.

(** A sum over tables, by what they have at S. *)
Lemma by_parts S_ n (M : vec bool n -> R) (u : @secret (vec bool n)) :
  (forall x y, agree S_ x y = true -> M x = M y) ->
  (Σ x, inside (chain n) u x * M x) = Σ y, M y / alike S_ n y * weight_at S_ n u y.
Proof.
  intros same. assert (count : forall x y, agree S_ x y = true -> alike S_ n x = alike S_ n y).
  { intros x y e. apply sum_ext; intros z _. unfold released_at.
    now rewrite (agree_trans S_ n x y z e). }
  transitivity (Σ x, Σ y, inside (chain n) u x * (M x / alike S_ n x) * released_at S_ n x y).
  - apply sum_ext; intros x _.
    rewrite (sum_scale _ all (fun y => released_at S_ n x y)). fold (alike S_ n x).
    pose proof (alike_positive S_ n x). field. lra.
  - rewrite sum_swap. apply sum_ext; intros y _. unfold weight_at, Pw. rewrite <- sum_scale.
    apply sum_ext; intros x _. unfold released_at. destruct (agree S_ x y) eqn:e; [|ring].
    rewrite (same x y e), (count x y e). ring.
Qed.

(** Corollary 3 of massny2025: if the records that are not always replaced have a Markov quilt Q
    among them, with all records of N replaced, the leakage is the influence of Q.
    Differs: given X_Q only X_p is supposed to be independent of the records outside N; ratios
    instead of levels. *)
Theorem leaks_its_quilt rho n p Q N R0 : shares rho -> (forall k, Q k = true -> rho k < 1) ->
  (forall k, N k = true -> rho k = 1) -> quilt_of al be n p Q N ->
  leaks_at_most R0 al be n p (dim rho) <-> influences_at_most R0 al be n p Q.
Proof.
  intros s less hidden quilt. split; [now apply leaks_released|].
  intros told pr u v y <- [b [-> ->]] Ps Pt. unfold redacted_bits, Pw.
  set (M := fun x : vec bool n => local bool_dec (dim rho) x y).
  assert (same : forall x z, agree (off N) x z = true -> M x = M z)
    by (intros x z; now apply local_agrees).
  assert (M0 : forall x, 0 <= M x).
  { intros x. unfold M, local. generalize 0%nat. clear -s.
    induction n as [|n IH]; intros k; simpl; [lra|].
    apply Rmult_le_pos; [|apply IH]. unfold shown_as, dim. pose proof (s k).
    destruct (fst y) as [z|]; [destruct bool_dec; lra|lra]. }
  assert (E : forall u, (Σ x, inside (chain n) u x * local bool_dec (dim rho) x y) =
    Σ z, M z / alike (off N) n z * weight_at (off N) n u z)
    by (intros u; exact (by_parts (off N) n M u same)).
  rewrite !E, (Rmult_comm (Σ y, _)), <- !sum_scale. apply sum_le; intros x _.
  pose proof (quilt b x) as one. pose proof (quilt (negb b) x) as other.
  specialize (told _ (record_is p b) (record_is p (negb b)) x eq_refl
    (ex_intro _ b (conj eq_refl eq_refl)) Ps Pt).
  pose proof (weight_positive Q n x) as V. pose proof (weight_positive (off N) n x) as W.
  unfold weight_at in *.
  set (Vb := Pw (chain n) (released_at Q n) (record_is p b) x) in *.
  set (Vo := Pw (chain n) (released_at Q n) (record_is p (negb b)) x) in *.
  set (Wb := Pw (chain n) (released_at (off N) n) (record_is p b) x) in *.
  set (Wo := Pw (chain n) (released_at (off N) n) (record_is p (negb b)) x) in *.
  set (V1 := Pw (chain n) (released_at Q n) (fun _ => true) x) in *.
  set (W1 := Pw (chain n) (released_at (off N) n) (fun _ => true) x) in *.
  assert (Eb : Wb = Vb * W1 / V1) by (rewrite <- one; field; lra).
  assert (Eo : Wo = Vo * W1 / V1) by (rewrite <- other; field; lra).
  rewrite Eb, Eo. pose proof (alike_positive (off N) n x) as c0.
  assert (k0 : 0 <= M x / alike (off N) n x * (W1 / V1)).
  { apply Rmult_le_pos; [apply Rmult_le_pos|]; [apply M0| |];
      apply Rlt_le; [now apply Rinv_0_lt_compat|now apply Rdiv_lt_0_compat]. }
  apply (Rmult_le_compat_l _ _ _ k0) in told.
  set (PB := P (chain n) (record_is p b)) in *. set (PO := P (chain n) (record_is p (negb b))) in *.
  replace (PO * (M x / alike (off N) n x * (Vb * W1 / V1))) with
    (M x / alike (off N) n x * (W1 / V1) * (Vb * PO)) by (field; lra).
  replace (R0 * PB * (M x / alike (off N) n x * (Vo * W1 / V1))) with
    (M x / alike (off N) n x * (W1 / V1) * (R0 * PB * Vo)) by (field; lra).
  exact told.
Qed.
End Quilts.
