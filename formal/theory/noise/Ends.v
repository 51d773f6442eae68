(** Noise that decays exponentially, on increasing sums of bits that attract one another along a
    tree: the outputs beyond all values leak most. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Trees.
Open Scope R_scope.

(** What the bits of a forest count together: the number in the place of the level of a bit is what
    it adds where it is 1. *)
Fixpoint count f : values f -> R := match f with none => fun _ => 0
  | child _ adds below beside => fun v =>
      (if fst v then adds else 0) + (count below (fst (snd v)) + count beside (snd (snd v))) end.

(** Steps have weights >= 0, a bit is likelier to be 1 below a 1 than below a 0, and adds a number
    >= 0. Rows need not sum to 1. *)
Fixpoint attracts f := match f with none => True
  | child P adds below beside =>
      (forall x y, 0 <= P x y) /\ P true false * P false true <= P true true * P false false /\
      0 <= adds /\ attracts below /\ attracts beside end.

Lemma chance_of f b v : attracts f -> 0 <= chance f b v.
Proof.
  revert b v; induction f as [|P adds below IHl beside IHr]; intros b v; simpl; [lra|].
  intros [P0 [_ [_ [sl sr]]]]. repeat apply Rmult_le_pos; auto.
Qed.

Lemma mean_order f u u' b : attracts f -> (forall v, u v <= u' v) -> mean_of f u b <= mean_of f u' b.
Proof.
  intros s le. apply sum_le; intros v _. apply Rmult_le_compat_l; [now apply chance_of|auto].
Qed.

Lemma mean_nonneg_of f u b : attracts f -> (forall v, 0 <= u v) -> 0 <= mean_of f u b.
Proof.
  intros s le. apply sum_nonneg; intros v _. apply Rmult_le_pos; [now apply chance_of|auto].
Qed.

Lemma mean_ext f u u' b : (forall v, u v = u' v) -> mean_of f u b = mean_of f u' b.
Proof. intros e. apply sum_ext; intros v _. now rewrite e. Qed.

Lemma mean_minus f c u u' b :
  mean_of f (fun v => c * u v - u' v) b = c * mean_of f u b - mean_of f u' b.
Proof.
  unfold mean_of. rewrite <- sum_scale.
  assert (e : forall F G : values f -> R, (Σ v, F v) - (Σ v, G v) = Σ v, (F v - G v)).
  { intros F G. assert (E : (Σ v, F v) = (Σ v, (F v - G v)) + (Σ v, G v)).
    { rewrite <- sum_plus. apply sum_ext; intros; ring. } lra. }
  rewrite e. apply sum_ext; intros; ring.
Qed.

Section Ends.
Context (tilt : R -> R).
Hypotheses (tilt0 : forall q, 0 < tilt q) (tilts : forall a b, tilt (a + b) = tilt a * tilt b).

(** The mean of the tilt of the count times a function of it. *)
Definition tilted f (h : R -> R) b := mean_of f (fun v => tilt (count f v) * h (count f v)) b.
Definition falls (h : R -> R) := (forall q, 0 <= h q) /\ forall p q, p <= q -> h q <= h p.

Lemma falls_from h a : falls h -> falls (fun q => h (a + q)).
Proof. intros [h0 fall]. split; [auto|]. intros p q le. apply fall. lra. Qed.

Lemma tilted_order f h h' b : attracts f -> (forall q, h q <= h' q) -> tilted f h b <= tilted f h' b.
Proof.
  intros s le. apply mean_order; [easy|]. intros v.
  apply Rmult_le_compat_l; [left; apply tilt0|apply le].
Qed.

Lemma tilted_nonneg f h b : attracts f -> (forall q, 0 <= h q) -> 0 <= tilted f h b.
Proof.
  intros s le. apply mean_nonneg_of; [easy|]. intros v. apply Rmult_le_pos; [left; apply tilt0|auto].
Qed.

Lemma tilted_times f c h b : tilted f (fun q => c * h q) b = c * tilted f h b.
Proof. unfold tilted. rewrite <- mean_times. apply mean_ext; intros; ring. Qed.

Lemma tilted_ext f h h' b : (forall q, h q = h' q) -> tilted f h b = tilted f h' b.
Proof. intros e. apply mean_ext; intros v. now rewrite e. Qed.

Lemma tilted_minus f c h h' b :
  tilted f (fun q => c * h q - h' q) b = c * tilted f h b - tilted f h' b.
Proof. unfold tilted. rewrite <- mean_minus. apply mean_ext; intros; ring. Qed.

(** The first child, and what is beside it given the same bit above. *)
Lemma tilted_child P adds below beside h b : tilted (child P adds below beside) h b =
  P b true * tilt adds *
    tilted below (fun a => tilted beside (fun c => h (adds + (a + c))) b) true +
  P b false * tilted below (fun a => tilted beside (fun c => h (0 + (a + c))) b) false.
Proof.
  unfold tilted at 1. rewrite mean_child. f_equal.
  - rewrite Rmult_assoc. f_equal. unfold tilted at 1. rewrite <- mean_times. apply mean_ext; intros l.
    unfold tilted. rewrite <- !mean_times. apply mean_ext; intros r. simpl.
    rewrite !tilts. ring.
  - f_equal. unfold tilted at 1. apply mean_ext; intros l.
    unfold tilted. rewrite <- !mean_times. apply mean_ext; intros r. simpl.
    rewrite !Rplus_0_l, !tilts. ring.
Qed.

Lemma one_more p1 p0 q1 q0 N1 N0 W1 W0 : p0 * q1 <= p1 * q0 -> N1 * W0 <= N0 * W1 ->
  (p1 * N1 + p0 * N0) * (q1 * W1 + q0 * W0) <= (q1 * N1 + q0 * N0) * (p1 * W1 + p0 * W0).
Proof. intros. pose proof (Rmult_le_pos (p1 * q0 - p0 * q1) (N0 * W1 - N1 * W0)). nra. Qed.

(** Tilted, a forest counts more below a 1, so that what falls with the count is less. *)
Lemma tilted_falls f : attracts f -> forall h, falls h ->
  tilted f h true * tilted f (fun _ => 1) false <= tilted f h false * tilted f (fun _ => 1) true.
Proof.
  induction f as [|P adds below IHl beside IHr]; intros s h fall.
  { unfold tilted. rewrite !mean_none. lra. }
  destruct s as [P0 [more [adds0 [sl sr]]]]. rewrite !tilted_child.
  set (H := fun b d a => tilted beside (fun c => h (d + (a + c))) b).
  set (B := tilted beside (fun _ => 1)). set (W := tilted below (fun _ => 1)).
  assert (B0 : forall b, 0 <= B b) by (intros; apply tilted_nonneg; [easy|intros; lra]).
  assert (W0 : forall b, 0 <= W b) by (intros; apply tilted_nonneg; [easy|intros; lra]).
  assert (flat : forall b x, tilted below (fun _ => tilted beside (fun _ => 1) b) x = B b * W x).
  { intros b x. unfold W. rewrite <- tilted_times. apply tilted_ext; intros. unfold B; ring. }
  rewrite !flat.
  assert (fallH : forall b d, falls (H b d)).
  { intros b d; split; [intros a; apply tilted_nonneg; [easy|intros; apply fall]|].
    intros a a' le. apply tilted_order; [easy|]. intros c. apply fall. lra. }
  (* what is beside the child: less given 1, at every count *)
  assert (aside : forall d a, H true d a * B false <= H false d a * B true).
  { intros d a. apply (IHr sr (fun c => h (d + (a + c)))).
    split; [intros; apply fall|]. intros p q le. apply fall. lra. }
  assert (side : forall d x, tilted below (H true d) x * B false <= tilted below (H false d) x * B true).
  { intros d x. rewrite (Rmult_comm _ (B false)), (Rmult_comm _ (B true)), <- !tilted_times.
    apply tilted_order; [easy|]. intros a. pose proof (aside d a). lra. }
  set (N := fun d x => tilted below (H false d) x).
  (* the child itself *)
  assert (own : N adds true * W false <= N 0 false * W true).
  { apply Rle_trans with (N 0 true * W false).
    - apply Rmult_le_compat_r; [easy|]. apply tilted_order; [easy|]. intros a.
      apply tilted_order; [easy|]. intros c. apply fall. lra.
    - apply (IHl sl (H false 0)). apply fallH. }
  pose proof (one_more (P true true * tilt adds) (P true false) (P false true * tilt adds)
    (P false false) (N adds true) (N 0 false) (W true) (W false)) as step.
  assert (more' : P true false * (P false true * tilt adds) <= P true true * tilt adds * P false false).
  { pose proof (tilt0 adds). nra. }
  specialize (step more' own).
  change (fun a => tilted beside (fun c => h (adds + (a + c))) true) with (H true adds).
  change (fun a => tilted beside (fun c => h (0 + (a + c))) true) with (H true 0).
  change (fun a => tilted beside (fun c => h (adds + (a + c))) false) with (H false adds).
  change (fun a => tilted beside (fun c => h (0 + (a + c))) false) with (H false 0).
  fold (N adds true) (N 0 false).
  pose proof (side adds true) as s1. pose proof (side 0 false) as s0. fold (N adds true) in s1.
  fold (N 0 false) in s0.
  pose proof (tilt0 adds) as t0.
  set (X1 := tilted below (H true adds) true) in *. set (X0 := tilted below (H true 0) false) in *.
  set (p1 := P true true * tilt adds) in *. set (q1 := P false true * tilt adds) in *.
  assert (p1p : 0 <= p1) by (apply Rmult_le_pos; [auto|lra]).
  assert (q1p : 0 <= q1) by (apply Rmult_le_pos; [auto|lra]).
  pose proof (P0 true false) as p0p. pose proof (P0 false false) as q0p.
  set (p0 := P true false) in *. set (q0 := P false false) in *.
  pose proof (W0 true). pose proof (W0 false).
  assert (D : 0 <= q1 * W true + q0 * W false)
    by (apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto).
  replace (q1 * (B false * W true) + q0 * (B false * W false))
    with (B false * (q1 * W true + q0 * W false)) by ring.
  replace (p1 * (B true * W true) + p0 * (B true * W false))
    with (B true * (p1 * W true + p0 * W false)) by ring.
  apply Rle_trans with
    ((p1 * N adds true + p0 * N 0 false) * (q1 * W true + q0 * W false) * B true).
  - assert (A : (p1 * X1 + p0 * X0) * B false <= (p1 * N adds true + p0 * N 0 false) * B true).
    { pose proof (Rmult_le_compat_l p1 _ _ p1p s1). pose proof (Rmult_le_compat_l p0 _ _ p0p s0).
      lra. }
    pose proof (Rmult_le_compat_r _ _ _ D A). lra.
  - pose proof (Rmult_le_compat_r _ _ _ (B0 true) step). lra.
Qed.

(** What rises with the count, and stays below a constant, is more. *)
Lemma tilted_rises f C h : attracts f -> (forall q, 0 <= h q <= C) ->
  (forall p q, p <= q -> h p <= h q) ->
  tilted f h false * tilted f (fun _ => 1) true <= tilted f h true * tilted f (fun _ => 1) false.
Proof.
  intros s inside rise.
  assert (F : falls (fun q => C * 1 - h q)).
  { split; [intros q; destruct (inside q); lra|]. intros p q le. pose proof (rise _ _ le). lra. }
  pose proof (tilted_falls f s _ F) as A.
  rewrite !(tilted_minus f C (fun _ => 1) h) in A. lra.
Qed.
End Ends.
