(** Histograms of the records of a table, and how much one record changes them. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Quilt Chain RecordTables.
Import ListNotations.
Open Scope R_scope.

(** Two tables differ in at most one record. *)
Definition differ_once {A n} (x y : vec A n) := exists j, but_for j x y.

Section Histograms.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The share of the n records that have the value a. *)
Definition frequencies {n} (x : vec A n) (a : A) : R := INR (count_occ dA (list_of x) a) / INR n.
(** The distance in the norm of absolute values. *)
Definition distance_l1 (f g : A -> R) : R := Σ a, Rabs (f a - g a).

Lemma same_records {n} (x y : vec A n) :
  (forall k, nth_error (list_of x) k = nth_error (list_of y) k) -> list_of x = list_of y.
Proof.
  revert x y; induction n as [|n IH]; intros x y same; simpl in *; [easy|].
  f_equal; [specialize (same O); simpl in same; congruence|].
  apply IH. intros k. exact (same (S k)).
Qed.

(** One record that changes moves at most one entry from a value to another. *)
Lemma counts_move {n} (x y : vec A n) : differ_once x y ->
  (Σ a, Rabs (INR (count_occ dA (list_of x) a) - INR (count_occ dA (list_of y) a))) <= 2.
Proof.
  revert x y; induction n as [|n IH]; intros x y [j but].
  - simpl. rewrite (sum_ext all _ (fun _ => 0)), sum_0; [lra|].
    intros a _. rewrite Rminus_0_r. apply Rabs_R0.
  - destruct x as [a u], y as [b v]. destruct j as [|j].
    + assert (E : list_of u = list_of v).
      { apply same_records. intros k. apply (but (S k)). discriminate. }
      cbn [list_of fst snd]. rewrite E.
      apply Rle_trans with (Σ c, ((if dA c a then 1 else 0) + (if dA c b then 1 else 0))).
      * apply sum_le; intros c _. set (rest := list_of v). cbn [count_occ].
        destruct (dA a c), (dA b c), (dA c a), (dA c b); try congruence; rewrite ?S_INR;
          apply Rabs_le; lra.
      * rewrite sum_plus.
        assert (one : forall z, (Σ c, (if dA c z then 1 else 0)) = 1).
        { intros z. etransitivity; [|apply (pick dA (fun _ => 1) z)]. apply sum_ext; intros c _.
          now rewrite Rmult_1_l. }
        rewrite !one. lra.
    + assert (E : a = b) by (specialize (but O ltac:(discriminate)); simpl in but; congruence).
      subst b. rewrite (sum_ext all _ (fun c =>
        Rabs (INR (count_occ dA (list_of u) c) - INR (count_occ dA (list_of v) c)))).
      * apply IH. exists j. intros k ne. apply (but (S k)). congruence.
      * intros c _. cbn [list_of fst snd count_occ]. destruct (dA a c); [|easy].
        rewrite !S_INR. f_equal. ring.
Qed.

(** The histogram of frequencies is 2/T-Lipschitz in L1 (wang2016, section 5).
    Differs: no chain is needed; T = n, and 2/0 is 0 where there is no record. *)
Theorem histogram_lipschitz n (x y : vec A n) : differ_once x y ->
  distance_l1 (frequencies x) (frequencies y) <= 2 / INR n.
Proof.
  intros once. unfold distance_l1, frequencies. destruct n as [|n].
  - rewrite (sum_ext all _ (fun _ => 0)), sum_0; [simpl; unfold Rdiv; rewrite Rinv_0; lra|].
    intros a _. destruct x, y. rewrite Rminus_diag_eq by easy. apply Rabs_R0.
  - assert (pos : 0 < / INR (S n)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
    rewrite (sum_ext all _ (fun a => / INR (S n) *
      Rabs (INR (count_occ dA (list_of x) a) - INR (count_occ dA (list_of y) a)))).
    + rewrite sum_scale. unfold Rdiv. rewrite Rmult_comm. apply Rmult_le_compat_r; [lra|].
      now apply counts_move.
    + intros a _. unfold Rdiv. rewrite <- Rmult_minus_distr_r, Rabs_mult, Rmult_comm.
      now rewrite (Rabs_right (/ _)) by lra.
Qed.
End Histograms.
