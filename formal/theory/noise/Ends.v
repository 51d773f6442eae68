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

Lemma mean_order f u u' b : attracts f -> (forall v, u v <= u' v) ->
  mean_of f u b <= mean_of f u' b.
Proof.
  intros s le. apply sum_le; intros v _. apply Rmult_le_compat_l; [now apply chance_of|auto].
Qed.

Lemma mean_nonneg_of f u b : attracts f -> (forall v, 0 <= u v) -> 0 <= mean_of f u b.
Proof.
  intros s le. apply sum_nonneg; intros v _. apply Rmult_le_pos; [now apply chance_of|auto].
Qed.

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

Lemma tilted_order f h h' b : attracts f -> (forall q, h q <= h' q) ->
  tilted f h b <= tilted f h' b.
Proof.
  intros s le. apply mean_order; [easy|]. intros v.
  apply Rmult_le_compat_l; [left; apply tilt0|apply le].
Qed.

Lemma tilted_nonneg f h b : attracts f -> (forall q, 0 <= h q) -> 0 <= tilted f h b.
Proof.
  intros s le. apply mean_nonneg_of; [easy|]. intros v.
  apply Rmult_le_pos; [left; apply tilt0|auto].
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
  - rewrite Rmult_assoc. f_equal. unfold tilted at 1. rewrite <- mean_times.
    apply mean_ext; intros l.
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
  assert (side : forall d x,
    tilted below (H true d) x * B false <= tilted below (H false d) x * B true).
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
  assert (more' :
    P true false * (P false true * tilt adds) <= P true true * tilt adds * P false false).
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

(** ** The bit at the root *)
Section Root.
Context (q : bool -> R) (adds : R) (f : forest) (b : R).
Hypotheses (q0 : forall x, 0 <= q x) (adds0 : 0 <= adds) (sf : attracts f) (b0 : 0 < b).

(** The sum of what all bits add, the root included. *)
Definition counted (x : tree f) := (if fst x then adds else 0) + count f (snd x).
(** Its release with Laplace noise of scale b; e^(-1/b) is the decay t of the noise. *)
Definition noisy (x : tree f) w := laplace b (counted x) w.
(** P(X = x) times the mean of t^-Q, and of t^Q, given the value x of the root. *)
Definition up x := Pw (tree_law q f) (fun v (_ : unit) => exp (counted v / b)) (root_is f x) tt.
Definition down x := Pw (tree_law q f) (fun v (_ : unit) => exp (- counted v / b)) (root_is f x) tt.

Lemma tilt_plus c x y : exp ((x + y) * c) = exp (x * c) * exp (y * c).
Proof. rewrite <- exp_plus. f_equal. ring. Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [l| ->]; [left; now apply exp_increasing|right; reflexivity]. Qed.

(** A release as the tilt of the count times what is left of the noise. *)
Lemma told c (left : R -> R) (M : tree f -> unit -> R) x :
  (forall v, M v tt = exp (counted v * c) * left (counted v)) ->
  Pw (tree_law q f) M (root_is f x) tt = q x * (exp ((if x then adds else 0) * c) *
    tilted (fun u => exp (u * c)) f (fun u => left ((if x then adds else 0) + u)) x).
Proof.
  intros E. rewrite root_told. f_equal. unfold tilted. rewrite <- mean_times.
  apply mean_ext; intros v. rewrite E. unfold counted; simpl. rewrite tilt_plus. ring.
Qed.

Definition root_adds (x : bool) := if x then adds else 0.
Definition part c (h : R -> R) x :=
  tilted (fun u => exp (u * c)) f (fun u => h (root_adds x + u)) x.

(** Both orders at once, by what is left of the noise. *)
Lemma at_the_end c h (C : R) (falling : bool) : (forall u, 0 <= h u <= C) ->
  (forall u v, u <= v -> if falling then h v <= h u else h u <= h v) ->
  part c h falling * part c (fun _ => 1) (negb falling) <=
  part c h (negb falling) * part c (fun _ => 1) falling.
Proof.
  intros inside order. unfold part, root_adds.
  assert (T0 : forall u, 0 < exp (u * c)) by (intros; apply exp_pos).
  assert (TP : forall u v, exp ((u + v) * c) = exp (u * c) * exp (v * c))
    by (intros; apply tilt_plus).
  assert (one : forall x, 0 <= tilted (fun u => exp (u * c)) f (fun _ => 1) x)
    by (intros; apply tilted_nonneg; auto; intros; lra).
  set (h0 := fun u => h (0 + u)).
  destruct falling; simpl negb; cbv iota.
  - apply Rle_trans with
      (tilted (fun u => exp (u * c)) f h0 true *
       tilted (fun u => exp (u * c)) f (fun _ => 1) false).
    + apply Rmult_le_compat_r; [easy|]. apply tilted_order; auto. intros u. apply order. lra.
    + apply (tilted_falls _ T0 TP f sf h0). split; [intros; apply inside|].
      intros u v le. apply (order (0 + u) (0 + v)). lra.
  - apply Rle_trans with
      (tilted (fun u => exp (u * c)) f h0 true *
       tilted (fun u => exp (u * c)) f (fun _ => 1) false).
    + apply (tilted_rises _ T0 TP f C h0 sf); [intros; apply inside|].
      intros u v le. apply (order (0 + u) (0 + v)). lra.
    + apply Rmult_le_compat_r; [easy|]. apply tilted_order; auto. intros u. apply order. lra.
Qed.

Definition left_up w u := exp (- (Rabs (w - u) + u) / b) / (2 * b).
Definition left_down w u := exp (- (Rabs (w - u) - u) / b) / (2 * b).

Lemma half_b : 0 < / (2 * b). Proof. apply Rinv_0_lt_compat; lra. Qed.

Lemma noisy_up w v : noisy v w = exp (counted v * / b) * left_up w (counted v).
Proof.
  unfold noisy, laplace, left_up, Rdiv. rewrite <- Rmult_assoc, <- exp_plus. do 2 f_equal. ring.
Qed.

Lemma noisy_down w v : noisy v w = exp (counted v * - / b) * left_down w (counted v).
Proof.
  unfold noisy, laplace, left_down, Rdiv. rewrite <- Rmult_assoc, <- exp_plus. do 2 f_equal. ring.
Qed.

Lemma by_b x y : x <= y -> exp (x / b) / (2 * b) <= exp (y / b) / (2 * b).
Proof.
  intros le. pose proof half_b. apply Rmult_le_compat_r; [lra|]. apply exp_le.
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|easy].
Qed.

Lemma left_pos x : 0 <= exp (x / b) / (2 * b).
Proof. pose proof half_b. apply Rmult_le_pos; [left; apply exp_pos|lra]. Qed.

Lemma up_part x : up x = q x * (exp (root_adds x * / b) * part (/ b) (fun _ => 1) x).
Proof.
  unfold up. rewrite (told (/ b) (fun _ => 1)); [reflexivity|].
  intros v. rewrite Rmult_1_r. reflexivity.
Qed.

Lemma down_part x : down x = q x * (exp (root_adds x * - / b) * part (- / b) (fun _ => 1) x).
Proof.
  unfold down. rewrite (told (- / b) (fun _ => 1)); [reflexivity|].
  intros v. rewrite Rmult_1_r. unfold Rdiv. f_equal. ring.
Qed.

Lemma noisy_part c h w x : (forall v, noisy v w = exp (counted v * c) * h (counted v)) ->
  Pw (tree_law q f) noisy (root_is f x) w = q x * (exp (root_adds x * c) * part c h x).
Proof.
  intros E. transitivity (Pw (tree_law q f) (fun v (_ : unit) => noisy v w) (root_is f x) tt).
  { reflexivity. }
  apply told. intros v. apply E.
Qed.

Lemma four_factors q1 q0' e1 e0 A B C D : 0 <= q1 -> 0 <= q0' -> 0 < e1 -> 0 < e0 ->
  A * B <= C * D ->
  q1 * (e1 * A) * (q0' * (e0 * B)) <= q1 * (e1 * D) * (q0' * (e0 * C)).
Proof.
  intros l1 l0 p1 p0 le.
  replace (q1 * (e1 * A) * (q0' * (e0 * B))) with (q1 * q0' * (e1 * e0) * (A * B)) by ring.
  replace (q1 * (e1 * D) * (q0' * (e0 * C))) with (q1 * q0' * (e1 * e0) * (C * D)) by ring.
  apply Rmult_le_compat_l; [|easy]. apply Rmult_le_pos; [now apply Rmult_le_pos|].
  left; now apply Rmult_lt_0_compat.
Qed.

(** The outputs beyond all values leak most (classes.extremes): P(w | X = 1) / P(w | X = 0) is at
    most the ratio of the means of t^-Q given 1 and given 0, and the other way that of t^Q.
    Differs: a chain about its record X is a tree with two branches, its past and its future; any
    tree of bits will do. Multiplied out, with P(X = x) on both sides. Laplace noise, in the density
    form. *)
Theorem ends_leak_most w :
  Pw (tree_law q f) noisy (root_is f true) w * up false <=
    up true * Pw (tree_law q f) noisy (root_is f false) w /\
  Pw (tree_law q f) noisy (root_is f false) w * down true <=
    down false * Pw (tree_law q f) noisy (root_is f true) w.
Proof.
  split.
  - rewrite !up_part, !(noisy_part (/ b) (left_up w)) by apply noisy_up.
    apply four_factors; auto using exp_pos.
    apply (at_the_end (/ b) (left_up w) (exp (- w / b) / (2 * b)) true).
    + intros u. split; [apply left_pos|]. apply by_b. unfold Rabs; destruct Rcase_abs; lra.
    + intros u v le. apply by_b. unfold Rabs; repeat destruct Rcase_abs; lra.
  - rewrite !down_part, !(noisy_part (- / b) (left_down w)) by apply noisy_down.
    apply four_factors; auto using exp_pos.
    apply (at_the_end (- / b) (left_down w) (exp (w / b) / (2 * b)) false).
    + intros u. split; [apply left_pos|]. apply by_b. unfold Rabs; destruct Rcase_abs; lra.
    + intros u v le. apply by_b. unfold Rabs; repeat destruct Rcase_abs; lra.
Qed.

(** And they reach it (classes.extremes): an output above all values has the ratio of the means of
    t^-Q, one below all values that of t^Q. Differs: as [ends_leak_most]. *)
Theorem ends_reached w :
  ((forall v, counted v <= w) ->
   Pw (tree_law q f) noisy (root_is f true) w * up false =
     up true * Pw (tree_law q f) noisy (root_is f false) w) /\
  ((forall v, w <= counted v) ->
   Pw (tree_law q f) noisy (root_is f false) w * down true =
     down false * Pw (tree_law q f) noisy (root_is f true) w).
Proof.
  assert (flat : forall c k x, (forall v, noisy v w = exp (counted v * c) * k) ->
    Pw (tree_law q f) noisy (root_is f x) w =
    k * (q x * (exp (root_adds x * c) * part c (fun _ => 1) x))).
  { intros c k x E. rewrite (noisy_part c (fun _ => k) w x E). unfold part.
    rewrite (tilted_ext _ f (fun _ => k) (fun _ => k * 1)) by (intros; ring).
    rewrite tilted_times. ring. }
  split; intros far.
  - rewrite !up_part, !(flat (/ b) (exp (- w / b) / (2 * b))); [ring| |];
      intros v; rewrite noisy_up; unfold left_up; pose proof (far v);
      rewrite Rabs_right by lra;
      replace (w - counted v + counted v) with w by ring; reflexivity.
  - rewrite !down_part, !(flat (- / b) (exp (w / b) / (2 * b))); [ring| |];
      intros v; rewrite noisy_down; unfold left_down; pose proof (far v);
      rewrite Rabs_left1 by lra;
      replace (- (- (w - counted v) - counted v)) with w by ring; reflexivity.
Qed.
End Root.
