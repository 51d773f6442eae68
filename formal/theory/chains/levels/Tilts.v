(** Columns of a chain over any alphabet that change by factors of the values of its records: a walk
    over signs says how far two values of the first record can be apart. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Quilt Chain.
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

(** From two values: the walk ends low for the same b as all products of the ends are told at most
    b. *)
Section TwoValues.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Context (P : nat -> A -> A -> R) (r : nat -> A -> R).

Definition steps_nonneg := forall k x y, 0 <= P k x y.
Definition at_least_one := forall k x, 1 <= r k x.
(** 1 at v, -b at w, and 0 elsewhere. *)
Definition start v w b x := (if dA x v then 1 else 0) - b * (if dA x w then 1 else 0).
Definition ends_low n v w b := walk_end P r 0 n (start v w b) <= 0.
Definition told n (u : vec A n -> R) v w b := mean P 0 n u v <= b * mean P 0 n u w.
(** r(x) or 1/r(x) for every record and value, and what all their products tell. *)
Definition chosen (s : nat -> A -> bool) k x := if s k x then r k x else / r k x.
Definition products_told n v w b :=
  forall s : nat -> A -> bool, told n (times_of (chosen s) 0 n) v w b.

Lemma started v w b f : (Σ x, start v w b x * f x) = f v - b * f w.
Proof.
  rewrite <- (pick dA f v), <- (pick dA f w), <- sum_scale.
  replace (sum all (fun x => f x * (if dA x v then 1 else 0))) with
    (sum all (fun x => start v w b x * f x + b * (f x * (if dA x w then 1 else 0)))).
  - rewrite sum_plus. ring.
  - apply sum_ext. intros x _. unfold start. ring.
Qed.

Lemma told_started n u v w b :
  told n u v w b <-> (Σ x, start v w b x * mean P 0 n u x) <= 0.
Proof. unfold told. rewrite started. lra. Qed.

Lemma tilted_scale k n c u : 0 <= c -> tilted r k n u -> tilted r k n (fun l => c * u l).
Proof.
  intros c0. revert k u. induction n as [|n IH]; intros k u t.
  - now apply Rmult_le_pos.
  - destruct t as [near below]. split.
    + intros x x' l. specialize (near x x' l). apply (Rmult_le_compat_l c) in near; [lra|easy].
    + intros x. apply (IH (S k) (fun l => u (x, l))), below.
Qed.

Lemma products_tilted s k n : at_least_one -> tilted r k n (times_of (chosen s) k n).
Proof.
  intros r1. revert k. induction n as [|n IH]; intros k; [simpl; lra|].
  assert (T0 : forall j m (l : vec A m), 0 <= times_of (chosen s) j m l).
  { intros j m. revert j. induction m as [|m Im]; intros j l; simpl; [lra|].
    apply Rmult_le_pos; [|apply Im]. unfold chosen. specialize (r1 j (fst l)).
    destruct (s j (fst l)); [lra|]. left. apply Rinv_0_lt_compat. lra. }
  assert (c : forall x, / r k x <= chosen s k x <= r k x).
  { intros x. specialize (r1 k x). assert (/ r k x <= 1).
    { rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    unfold chosen. destruct (s k x); lra. }
  split; cbn [times_of fst snd].
  - intros x x' l. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply T0|].
    apply Rle_trans with (r k x * 1); [specialize (c x); lra|]. rewrite Rmult_assoc.
    specialize (c x'). pose proof (r1 k x). pose proof (r1 k x').
    apply Rmult_le_compat_l; [lra|].
    rewrite <- (Rinv_r (r k x')) by lra. apply Rmult_le_compat_l; lra.
  - intros x. apply tilted_scale; [|apply IH]. specialize (c x). specialize (r1 k x).
    apply Rle_trans with (/ r k x); [|easy]. left. apply Rinv_0_lt_compat. lra.
Qed.

(** Where the walk stands after j steps, and the signs that it says. *)
Fixpoint state a j := match j with O => a | S j => walked P r j (state a j) end.
Definition signs a j y := if Rlt_dec 0 (arrived P j (state a j) y) then true else false.
Lemma signed_by_state a k n : signed P r k n (state a k) (chosen (signs a)).
Proof.
  revert k. induction n as [|n IH]; intros k; [easy|]. split; [|apply (IH (S k))].
  intros y. unfold chosen, signs, factor. now destruct (Rlt_dec 0 _).
Qed.

(** Tilts (worst.tilts): for a positive u with u(x) <= r_j(x_j) r_j(x'_j) u(x') where x and x'
    differ in record j alone, E[u | X_0 = v] <= b E[u | X_0 = w] for every b at which the walk ends
    at or below 0; and these are the b for which this holds of all products of r_j(x_j) or
    1/r_j(x_j).
    Differs: r_j >= 1; steps may depend on time, and their rows need not be laws; u can be 0; the
    least b is the largest ratio of the products in that both allow the same b. *)
Theorem walk_is_exact n v w b : steps_nonneg -> at_least_one ->
  (ends_low n v w b <-> products_told n v w b) /\
  forall u, tilted r 0 n u -> ends_low n v w b -> told n u v w b.
Proof.
  intros P0 r1. assert (r0 : forall k x, 0 < r k x) by (intros k x; specialize (r1 k x); lra).
  assert (bounds : forall u, tilted r 0 n u -> ends_low n v w b -> told n u v w b).
  { intros u t low. apply told_started.
    exact (walk_bounds P r P0 r0 0 n _ u (inhabits v) t low). }
  split; [split|exact bounds].
  - intros low s. apply bounds; [now apply products_tilted|easy].
  - intros each. specialize (each (signs (start v w b))). apply told_started in each.
    unfold ends_low. rewrite <- (walk_reached P r 0 n (start v w b) _ (signed_by_state _ 0 n)).
    exact each.
Qed.
End TwoValues.
