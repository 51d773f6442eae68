(** Slopes and shifts of two rows: the recipe of streaming_cw, Section 1.1, items 1 and 2. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Regions.
Open Scope R_scope.

Section Rows.
Context {W : Type} `{Finite W}.
Implicit Types (P Q : W -> R).

(** delta is the largest of P(T) - ratio Q(T) over all sets T of outputs. *)
Definition shift ratio delta P Q :=
  near ratio delta P Q /\ exists T, weight_in P T = ratio * weight_in Q T + delta.
(** The same with the summands of one output w for all outputs in T. *)
Definition shift_at w ratio delta P Q := shift ratio delta (fun _ => P w) (fun _ => Q w).
(** The recipe lists ratio with delta in the order (P, Q). *)
Definition slope ratio delta P Q :=
  1 <= ratio /\ (exists y, 0 < Q y /\ P y = ratio * Q y) /\ shift ratio delta P Q.

(** The shift is a sum over outputs, the hockey stick.
    Differs: textbook; outputs are finite. *)
Theorem hockey_stick ratio delta P Q :
  shift ratio delta P Q <-> (Σ y, Rmax 0 (P y - ratio * Q y)) = delta.
Proof.
  split.
  - intros [keeps [T e]]. apply Rle_antisym; [now apply sets_by_positive_parts|].
    pose proof (proj2 (sets_by_positive_parts ratio _ P Q) (Rle_refl _) T). lra.
  - intros <-. split; [now apply sets_by_positive_parts; right|].
    exists (fun y => if Rlt_dec (ratio * Q y) (P y) then true else false).
    unfold weight_in. rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros y _.
    unfold Rmax. destruct Rlt_dec, Rle_dec; lra.
Qed.

Lemma shift_unique ratio d e P Q : shift ratio d P Q -> shift ratio e P Q -> d = e.
Proof. rewrite !hockey_stick. now intros -> ->. Qed.

(** streaming_cw.slope-shift-formula: from a ratio on that no outcome with Q > 0 exceeds, the shift
    is the probability under P of the outcomes with Q = 0.
    Differs: the print's largest finite slope is one such ratio; outputs are finite. *)
Theorem last_shift ratio P Q : (forall y, 0 <= P y) -> (forall y, 0 <= Q y) ->
  (forall y, 0 < Q y -> P y <= ratio * Q y) ->
  shift ratio (Σ y, if Req_EM_T (Q y) 0 then P y else 0) P Q.
Proof.
  intros P0 Q0 most. apply hockey_stick, sum_ext; intros y _.
  specialize (P0 y). specialize (most y). pose proof (Q0 y). destruct Req_EM_T as [->|n].
  - rewrite Rmax_right; lra.
  - rewrite Rmax_left; lra.
Qed.

(** streaming_cw.minmax-shift with the summands as printed, those of one output for all outputs:
    every shift is 0, the smallest and the largest.
    Differs: outputs are finite. *)
Theorem printed_shift w ratio P Q : P w = ratio * Q w -> shift_at w ratio 0 P Q.
Proof.
  intros e. apply hockey_stick. rewrite e, (sum_ext all _ (fun _ => 0)); [apply sum_0|].
  intros y _. rewrite Rmax_left; lra.
Qed.
End Rows.

Section Lines.
Context {D W : Type} `{Finite W} (M : D -> W -> R).

(** The line a + ratio b = 1 - delta touches R(M,x,y) from below. *)
Definition touches ratio delta x y :=
  (forall a b, region M x y a b -> 1 - delta <= a + ratio * b) /\
  exists a b, region M x y a b /\ a + ratio * b = 1 - delta.

Lemma touches_unique ratio d e x y : touches ratio d x y -> touches ratio e x y -> d = e.
Proof.
  intros [above [a [b [here on]]]] [above' [a' [b' [here' on']]]].
  specialize (above a' b' here'). specialize (above' a b here). lra.
Qed.

(** streaming_cw.slope-shift-formula: delta is the shift exactly if the line touches the region
    from below.
    Differs: for any ratio, and databases may be any type; outputs are finite. *)
Theorem shift_touches ratio delta x y : (forall x, (Σ w, M x w) = 1) ->
  shift ratio delta (M x) (M y) <-> touches ratio delta x y.
Proof.
  intros rows. assert (one : forall d, shift ratio d (M x) (M y) -> touches ratio d x y).
  { intros d [keeps [T e]]. split.
    - intros a b r. rewrite <- (Rmult_1_l a). apply (half_plane (generating M x y)); [|easy].
      intros z [S ->]. apply first_is_near in keeps; auto. specialize (keeps S). simpl. lra.
    - exists (weight_in (M x) (others T)), (weight_in (M y) (others (others T))). split.
      + apply mixture_one. now exists (others T).
      + rewrite others_twice. pose proof (weight_split (M x) T) as s. rewrite rows in s. lra. }
  split; [apply one|]. intros t. apply hockey_stick.
  apply (touches_unique ratio _ _ x y); [|easy]. now apply one, hockey_stick.
Qed.
End Lines.
