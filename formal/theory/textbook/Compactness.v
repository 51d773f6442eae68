(** A cube of finitely many dimensions is compact: sets in it that shrink and are not empty have a
    point in common, or as near as one likes, and sequences have parts that converge. *)
From Coq Require Import Reals Lra Lia List Classical ConstructiveEpsilon PeanoNat.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

(** Whether a statement is true, as a decision: 1 or 0 is the least upper bound of a set. *)
Lemma decision (Q : Prop) : {Q} + {~ Q}.
Proof.
  destruct (completeness (fun r => r = 0 \/ (Q /\ r = 1))) as [m [upper least]].
  - exists 1. intros r [->|[_ ->]]; lra.
  - exists 0. now left.
  - destruct (Rlt_dec 0 m) as [pos|none]; [left|right].
    + apply NNPP. intros no. assert (m <= 0); [|lra]. apply least. intros r [->|[q _]]; [lra|easy].
    + intros q. assert (1 <= m); [|lra]. apply upper. now right.
Qed.

Section Cubes.
Context {A : Type}.

Lemma cluster (F : R -> (A -> R) -> Prop) (M : R) (l : list A) :
  (forall e d f, e <= d -> F e f -> F d f) -> (forall e, 0 < e -> exists f, F e f) ->
  (forall e f x, F e f -> Rabs (f x) <= M) ->
  exists g : A -> R, forall e, 0 < e -> exists f, F e f /\
    forall x, In x l -> Rabs (f x - g x) < e.
Proof.
  intros wider some bounded. induction l as [|x l [g near]].
  { exists (fun _ => 0). intros e e0. destruct (some e e0) as [f h]. exists f. split; [easy|].
    intros x []. }
  set (often r := forall e, 0 < e -> exists f, F e f /\
    (forall y, In y l -> Rabs (f y - g y) < e) /\ r < f x).
  destruct (completeness often) as [c [upper least]].
  { exists M. intros r h. destruct (h 1 ltac:(lra)) as [f [Ff [_ le]]].
    specialize (bounded 1 f x Ff).
    pose proof (Rle_abs (f x)). lra. }
  { exists (- M - 1). intros e e0. destruct (near e e0) as [f [Ff close]]. exists f.
    repeat split; auto. specialize (bounded e f x Ff). pose proof (Rle_abs (- f x)).
    rewrite Rabs_Ropp in *. lra. }
  exists (fun y => if decision (y = x) then c else g y). intros e e0.
  assert (above : exists d, 0 < d /\ forall f, F d f ->
    (forall y, In y l -> Rabs (f y - g y) < d) -> f x <= c + e / 2).
  { apply NNPP. intros none. assert (often (c + e / 2)) as more; [|specialize (upper _ more); lra].
    intros d d0. apply NNPP. intros no. apply none. exists d. split; [easy|].
    intros f Ff close. destruct (Rle_dec (f x) (c + e / 2)) as [le|gt]; [easy|].
    destruct no. exists f. repeat split; auto. lra. }
  destruct above as [d [d0 above]].
  assert (below : exists r, often r /\ c - e < r).
  { apply NNPP. intros none. assert (c <= c - e); [|lra]. apply least. intros r h.
    destruct (Rle_dec r (c - e)) as [le|gt]; [easy|]. destruct none. exists r. split; [easy|lra]. }
  destruct below as [r [h lo]].
  destruct (h (Rmin d e)) as [f [Ff [close le]]]; [now apply Rmin_glb_lt|].
  pose proof (Rmin_l d e). pose proof (Rmin_r d e).
  exists f. split; [now apply (wider (Rmin d e))|]. intros y here.
  assert (f x <= c + e / 2).
  { apply above; [now apply (wider (Rmin d e))|]. intros z iz. specialize (close z iz). lra. }
  destruct (decision (y = x)) as [->|ne]; [apply Rabs_def1; lra|].
  destruct here as [->|here]; [easy|]. specialize (close y here). lra.
Qed.

(** A sequence in a cube of finitely many dimensions has a part that converges in every coordinate,
    to a point of the cube.
    Differs: textbook. *)
Theorem sequences_converge `{Finite A} (low high : R) (u : nat -> A -> R) :
  (forall n x, low <= u n x <= high) ->
  exists (part : nat -> nat) (g : A -> R), (forall n, (part n < part (S n))%nat) /\
    forall x, low <= g x <= high /\ Un_cv (fun n => u (part n) x) (g x).
Proof.
  intros within.
  set (F e f := exists n, / INR (S n) < e /\ forall x, f x = u n x).
  destruct (cluster F (Rmax (Rabs low) (Rabs high)) all) as [g near].
  { intros e d f le [n [small same]]. exists n. split; [lra|easy]. }
  { intros e e0. destruct (archimed_cor1 e e0) as [[|n] [small pos]]; [lia|].
    exists (u n). now exists n. }
  { intros e f x [n [_ same]]. rewrite same. apply RmaxAbs; apply within. }
  assert (far : forall m N, exists n, (N < n)%nat /\
    forall x, In x all -> Rabs (u n x - g x) < / INR (S m)).
  { intros m N. assert (e0 : 0 < Rmin (/ INR (S m)) (/ INR (S (S N)))).
    { apply Rmin_glb_lt; apply Rinv_0_lt_compat, lt_0_INR; lia. }
    destruct (near _ e0) as [f [[n [small same]] close]].
    pose proof (Rmin_l (/ INR (S m)) (/ INR (S (S N)))).
    pose proof (Rmin_r (/ INR (S m)) (/ INR (S (S N)))).
    exists n. split.
    - assert (lt : / INR (S n) < / INR (S (S N))) by lra.
      destruct (le_lt_dec n N) as [le|]; [|easy]. exfalso.
      assert (INR (S n) <= INR (S (S N))) by (apply le_INR; lia).
      apply Rinv_le_contravar in H2; [lra|apply lt_0_INR; lia].
    - intros x here. specialize (close x here). rewrite <- same. lra. }
  assert (next : forall m N, {n | (N < n)%nat /\
    forall x, In x all -> Rabs (u n x - g x) < / INR (S m)}).
  { intros m N. apply constructive_indefinite_ground_description_nat; [|apply far].
    intros n. apply decision. }
  set (part := fix part n := match n with
    | O => proj1_sig (next O O) | S n' => proj1_sig (next n (part n')) end).
  assert (close : forall n x, Rabs (u (part n) x - g x) < / INR (S n)).
  { intros n x. destruct n; [apply (proj2_sig (next O O)), all_here|].
    apply (proj2_sig (next (S n) (part n))), all_here. }
  exists part, g. split; [intros n; apply (proj2_sig (next (S n) (part n)))|].
  intros x.
  assert (conv : Un_cv (fun n => u (part n) x) (g x)).
  { intros e e0. destruct (archimed_cor1 e e0) as [N [small pos]]. exists N. intros n le.
    unfold R_dist. apply Rlt_trans with (1 := close n x). apply Rle_lt_trans with (2 := small).
    apply Rinv_le_contravar; [now apply lt_0_INR|]. apply le_INR. lia. }
  split; [|easy]. split.
  - apply (Rle_cv_lim (Un := fun _ => low) (Vn := fun n => u (part n) x)); auto.
    + intros n. apply within.
    + intros e e0. exists O. intros n _. unfold R_dist. now rewrite Rminus_diag_eq, Rabs_R0.
  - apply (Rle_cv_lim (Un := fun n => u (part n) x) (Vn := fun _ => high)); auto.
    + intros n. apply within.
    + intros e e0. exists O. intros n _. unfold R_dist. now rewrite Rminus_diag_eq, Rabs_R0.
Qed.
End Cubes.
