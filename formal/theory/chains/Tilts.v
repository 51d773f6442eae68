(** Columns of a chain over any alphabet that change by factors of the values of its records: a walk
    over signs says how far two values of the first record can be apart. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Chain.
Import ListNotations.
Open Scope R_scope.

Section Tilts.
Context {A : Type} `{Finite A} (P : nat -> A -> A -> R) (r : nat -> A -> R).
Hypotheses (P0 : forall k x y, 0 <= P k x y) (r0 : forall k x, 0 < r k x).

(** A column of n records after record k: not negative, and changed by at most r(x) r(x') if one
    record changes from x' to x. *)
Fixpoint tilted k n : (vec A n -> R) -> Prop := match n with
  | O => fun u => 0 <= u tt
  | S n => fun u => (forall x x' l, u (x, l) <= r k x * r k x' * u (x', l)) /\
      forall x, tilted (S k) n (fun l => u (x, l)) end.
(** Its mean given that record k is x. *)
Fixpoint mean k n : (vec A n -> R) -> A -> R := match n with
  | O => fun u _ => u tt
  | S n => fun u x => Σ y, P k x y * mean (S k) n (fun l => u (y, l)) y end.
(** A step of the walk, and the sum in which it ends. *)
Definition factor k (s : R) y := if Rlt_dec 0 s then r k y else / r k y.
Definition arrived k (a : A -> R) y := Σ x, a x * P k x y.
Definition walked k a y := arrived k a y * factor k (arrived k a y) y.
Fixpoint walk_end k n (a : A -> R) := match n with
  | O => Σ x, a x
  | S n => walk_end (S k) n (walked k a) end.

Lemma mean_le k n u v x : (forall l, u l <= v l) -> mean k n u x <= mean k n v x.
Proof.
  revert k u v x. induction n as [|n IH]; intros k u v x le; [apply le|].
  apply sum_le. intros y _. apply Rmult_le_compat_l; [apply P0|]. apply IH. auto.
Qed.
Lemma mean_scale k n c u x : mean k n (fun l => c * u l) x = c * mean k n u x.
Proof.
  revert k u x. induction n as [|n IH]; intros k u x; [easy|]. simpl.
  rewrite <- sum_scale. apply sum_ext. intros y _.
  rewrite (IH (S k) (fun l => u (y, l)) y). ring.
Qed.

(** What is sent along the steps of record k. *)
Lemma sent k n a (u : vec A (S n) -> R) : (Σ x, a x * mean k (S n) u x) =
  Σ y, arrived k a y * mean (S k) n (fun l => u (y, l)) y.
Proof.
  transitivity (Σ x, Σ y, a x * P k x y * mean (S k) n (fun l => u (y, l)) y).
  - apply sum_ext. intros x _. simpl. rewrite <- sum_scale. apply sum_ext. intros; ring.
  - rewrite sum_swap. apply sum_ext. intros y _. unfold arrived.
    rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros; ring.
Qed.

(** The largest u(x, l) / r(x) over the values x of a record is a column of the later ones. *)
Lemma largest_share k n (u : vec A (S n) -> R) : tilted k (S n) u -> inhabited A ->
  exists m, tilted (S k) n m /\ forall x l, / r k x * m l <= u (x, l) <= r k x * m l.
Proof.
  intros [near below] [o].
  set (best l := fold_right Rmax (/ r k o * u (o, l)) (map (fun x => / r k x * u (x, l)) all)).
  assert (reach : forall l, exists x, best l = / r k x * u (x, l)).
  { intros l. unfold best. generalize (@all A _). intros xs. induction xs as [|x xs [y E]];
      [now exists o|]. simpl. rewrite E. unfold Rmax.
    destruct Rle_dec; [now exists y|now exists x]. }
  assert (bound : forall x l, / r k x * u (x, l) <= best l).
  { intros x l. unfold best. generalize (@all_here A _ x). generalize (@all A _). intros xs.
    induction xs as [|z xs IH]; [intros []|]. simpl. intros [->|i]; [apply Rmax_l|].
    apply Rle_trans with (2 := Rmax_r _ _). now apply IH. }
  exists best. split.
  - assert (step : forall j m (w : A -> vec A m -> R) (c : A -> R) (h : vec A m -> R),
      (forall x, 0 <= c x) -> (forall x, tilted j m (w x)) ->
      (forall l, exists x, h l = c x * w x l) -> (forall x l, c x * w x l <= h l) ->
      tilted j m h).
    { intros j m. revert j. induction m as [|m IH]; intros j w c h c0 t some most.
      - simpl. destruct (some tt) as [x ->]. apply Rmult_le_pos; [easy|]. apply (t x).
      - split.
        + intros x x' l. destruct (some (x, l)) as [z ->]. destruct (t z) as [nz _].
          apply Rle_trans with (r j x * r j x' * (c z * w z (x', l))).
          * specialize (nz x x' l). apply (Rmult_le_compat_l (c z)) in nz; [lra|easy].
          * apply Rmult_le_compat_l; [|apply most].
            apply Rmult_le_pos; left; apply r0.
        + intros x. apply (IH (S j) (fun z l => w z (x, l)) c); auto.
          intros z. destruct (t z) as [_ tz]. apply tz. }
    apply (step (S k) n (fun x l => u (x, l)) (fun x => / r k x)); auto.
    intros x. left. apply Rinv_0_lt_compat, r0.
  - intros x l. specialize (r0 k x) as rx. split.
    + destruct (reach l) as [z ->]. specialize (near z x l). specialize (r0 k z) as rz.
      pose (ux := u (x, l)). pose (uz := u (z, l)).
      change (uz <= r k z * r k x * ux) in near. change (/ r k x * (/ r k z * uz) <= ux).
      clearbody ux uz.
      apply (Rmult_le_compat_l (/ r k x * / r k z)) in near.
      * rewrite <- Rmult_assoc. apply (Rle_trans _ _ _ near). right. field. split; lra.
      * apply Rmult_le_pos; left; now apply Rinv_0_lt_compat.
    + specialize (bound x l). apply (Rmult_le_compat_l (r k x)) in bound; [|lra].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in bound by lra. exact bound.
Qed.

(** The walk bounds what columns tell (worst.tilts): if it ends at or below 0 from 1 at v and -b at
    w, then E[u | X_0 = v] <= b E[u | X_0 = w] for every column u. Here from any numbers a(x).
    Differs: steps may depend on time, and their rows need not be laws; columns can be 0. *)
Theorem walk_bounds k n a u : inhabited A -> tilted k n u -> walk_end k n a <= 0 ->
  (Σ x, a x * mean k n u x) <= 0.
Proof.
  intros some. revert k a u. induction n as [|n IH]; intros k a u t ends.
  - simpl in *. rewrite (sum_ext all _ (fun x => u tt * a x)) by (intros; ring).
    rewrite sum_scale. apply (Rmult_le_compat_l (u tt)) in ends; [|exact t].
    rewrite Rmult_0_r in ends. exact ends.
  - destruct (largest_share k n u t some) as [m [tm near]]. rewrite sent.
    apply Rle_trans with (2 := IH (S k) (walked k a) m tm ends).
    apply sum_le. intros y _. unfold walked, factor. set (s := arrived k a y).
    pose proof (mean_le (S k) n (fun l => u (y, l)) (fun l => r k y * m l) y
      (fun l => proj2 (near y l))) as up.
    pose proof (mean_le (S k) n (fun l => / r k y * m l) (fun l => u (y, l)) y
      (fun l => proj1 (near y l))) as down.
    rewrite mean_scale in up, down. destruct (Rlt_dec 0 s) as [pos|neg].
    + apply (Rmult_le_compat_l s) in up; lra.
    + apply Rnot_lt_le in neg. apply (Rmult_le_compat_neg_l s) in down; lra.
Qed.

(** A product of one factor for each record. *)
Fixpoint times_of (m : nat -> A -> R) k n : vec A n -> R := match n with
  | O => fun _ => 1
  | S n => fun l => m k (fst l) * times_of m (S k) n (snd l) end.
Fixpoint signed k n a (m : nat -> A -> R) := match n with
  | O => True
  | S n => (forall y, m k y = factor k (arrived k a y) y) /\ signed (S k) n (walked k a) m end.

(** And some product reaches it (worst.tilts): with the factors r or 1/r that the signs of the walk
    say, all steps are equalities. Differs: as [walk_bounds]. *)
Theorem walk_reached k n a m : signed k n a m ->
  (Σ x, a x * mean k n (times_of m k n) x) = walk_end k n a.
Proof.
  revert k a. induction n as [|n IH]; intros k a s.
  - simpl. apply sum_ext. intros; ring.
  - destruct s as [here next]. rewrite sent. simpl walk_end. rewrite <- (IH (S k) _ next).
    apply sum_ext. intros y _. simpl.
    rewrite (mean_scale (S k) n (m k y) (times_of m (S k) n) y), here. unfold walked. ring.
Qed.
End Tilts.
