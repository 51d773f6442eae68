(** The spectral theorem: a matrix that is symmetric, or reversible for weights, has an orthonormal
    basis of eigenvectors. The next one is where the quadratic form is largest. *)
From Coq Require Import Reals Lra Lia List Classical.
From Pufferproof Require Import Sums Compactness.
Import ListNotations.
Open Scope R_scope.

Section Spectrum.
Context {A : Type} `{Finite A}.
Implicit Types (f g h u : A -> R) (K : A -> A -> R) (us : list (A -> R)) (l : list (R * (A -> R))).

(** The inner product with weights w, what a matrix makes of a vector, and detailed balance: for the
    weight 1 everywhere, the usual product and a symmetric matrix. *)
Definition inner (w : A -> R) f h := Σ x, w x * (f x * h x).
Definition image K f : A -> R := fun x => Σ y, K x y * f y.
Definition balanced (w : A -> R) K := forall x y, w x * K x y = w y * K y x.
(** Vectors of length 1, each of them at right angles to those after it. *)
Fixpoint orthonormal (w : A -> R) us : Prop := match us with
  | [] => True
  | u :: us => inner w u u = 1 /\ (forall v, In v us -> inner w u v = 0) /\ orthonormal w us
  end.
(** Pairs of an eigenvalue and a vector of it. *)
Definition eigenpairs K l := forall lam u, In (lam, u) l -> forall x, image K u x = lam * u x.

Context (w : A -> R).
Hypothesis w0 : forall x, 0 < w x.
Notation "<| f , h |>" := (inner w f h).

Lemma inner_sym f h : <|f, h|> = <|h, f|>.
Proof. apply sum_ext. intros; ring. Qed.

Lemma inner_ext f g h : (forall x, f x = g x) -> <|f, h|> = <|g, h|>.
Proof. intros E. apply sum_ext. intros x _. now rewrite E. Qed.

Lemma inner_plus f g h c : <|fun x => f x + c * g x, h|> = <|f, h|> + c * <|g, h|>.
Proof.
  unfold inner. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros; ring.
Qed.

Lemma inner_square f : 0 <= <|f, f|>.
Proof.
  apply sum_nonneg. intros x _. specialize (w0 x). pose proof (Rle_0_sqr (f x)). unfold Rsqr in *.
  apply Rmult_le_pos; lra.
Qed.

Lemma weight_le f x : w x * (f x * f x) <= <|f, f|>.
Proof.
  apply (sum_member all (fun x => w x * (f x * f x))); [|apply all_here].
  intros y _. specialize (w0 y). pose proof (Rle_0_sqr (f y)). unfold Rsqr in *.
  apply Rmult_le_pos; lra.
Qed.

Lemma inner_0 f : <|f, f|> <= 0 -> forall x, f x = 0.
Proof.
  intros zero x. pose proof (weight_le f x). specialize (w0 x). apply Rsqr_0_uniq.
  pose proof (Rle_0_sqr (f x)) as sq. unfold Rsqr in *. destruct (Rle_lt_or_eq_dec _ _ sq); [|easy].
  pose proof (Rmult_lt_0_compat _ _ w0 r). lra.
Qed.

Lemma inner_sum {I} (is : list I) (c : I -> R) (v : I -> A -> R) h :
  <|fun x => sum is (fun i => c i * v i x), h|> = sum is (fun i => c i * <|v i, h|>).
Proof.
  induction is as [|i is IH]; simpl.
  - unfold inner. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). apply sum_0.
  - rewrite <- IH, Rplus_comm, <- inner_plus. apply inner_ext. intros; ring.
Qed.

Lemma self_adjoint K f h : balanced w K -> <|image K f, h|> = <|f, image K h|>.
Proof.
  intros bal. unfold inner, image.
  transitivity (Σ x, Σ y, w x * K x y * (f y * h x)).
  { apply sum_ext; intros x _. rewrite (Rmult_comm (sum _ _)), <- !sum_scale.
    apply sum_ext; intros; ring. }
  rewrite sum_swap. apply sum_ext; intros y _. rewrite <- !sum_scale.
  apply sum_ext; intros x _. rewrite bal. ring.
Qed.

(** What a vector is along orthonormal ones, and what is left of it. *)
Definition along us f : A -> R := fun x => sum us (fun u => <|f, u|> * u x).
Definition left_over us f : A -> R := fun x => f x + -1 * along us f x.

Lemma inner_along us f h : <|along us f, h|> = sum us (fun u => <|f, u|> * <|u, h|>).
Proof. exact (inner_sum us (fun u => <|f, u|>) (fun u => u) h). Qed.

Lemma picked us (c : (A -> R) -> R) u : orthonormal w us -> In u us ->
  sum us (fun v => c v * <|v, u|>) = c u.
Proof.
  intros on here. induction us as [|v us IH]; [easy|]. destruct on as [one [apart on]]. simpl.
  destruct here as [->|here].
  - rewrite one, (sum_ext us _ (fun _ => 0)), sum_0; [ring|].
    intros v iv. rewrite inner_sym, apart by easy. ring.
  - rewrite IH, apart by easy. ring.
Qed.

Lemma left_over_apart us f u : orthonormal w us -> In u us -> <|left_over us f, u|> = 0.
Proof.
  intros on here. unfold left_over. rewrite inner_plus, inner_along, picked by easy. ring.
Qed.

Lemma pythagoras us f : orthonormal w us ->
  <|left_over us f, left_over us f|> = <|f, f|> - sum us (fun u => <|f, u|> * <|f, u|>).
Proof.
  intros on.
  assert (E : <|along us f, left_over us f|> = 0).
  { rewrite inner_along, (sum_ext us _ (fun _ => 0)), sum_0; [easy|].
    intros u here. rewrite (inner_sym u), left_over_apart by easy. ring. }
  transitivity (<|left_over us f, f|>).
  - unfold left_over at 1. rewrite inner_plus, E, (inner_sym f). ring.
  - unfold left_over. rewrite inner_plus, inner_along.
    rewrite (sum_ext us (fun u => <|f, u|> * <|f, u|>) (fun u => <|f, u|> * <|u, f|>)); [ring|].
    intros u _. now rewrite (inner_sym u f).
Qed.

Definition point (x y : A) : R := if decision (y = x) then 1 else 0.

Lemma sum_point (m : list A) x (f : A -> R) : NoDup m -> In x m ->
  sum m (fun y => f y * point x y) = f x.
Proof.
  intros once here. induction once as [|y m no once IH]; [easy|]. simpl. unfold point at 1.
  destruct here as [->|here].
  - destruct (decision (x = x)); [|easy]. rewrite (sum_ext m _ (fun _ => 0)), sum_0; [ring|].
    intros z iz. unfold point. destruct (decision (z = x)) as [->|]; [easy|ring].
  - destruct (decision (y = x)) as [->|]; [easy|]. rewrite IH by easy. ring.
Qed.

Lemma inner_point x f : <|point x, f|> = w x * f x.
Proof.
  unfold inner. rewrite <- (sum_point all x (fun y => w y * f y)); [|apply all_once|apply all_here].
  apply sum_ext. intros; ring.
Qed.

(** Points in turn are left over by as many as there are vectors too few. *)
Lemma counted us : orthonormal w us ->
  (Σ x, / w x * <|left_over us (point x), left_over us (point x)|>) =
  INR (length (@all A _)) - INR (length us).
Proof.
  intros on.
  transitivity (Σ x, 1 + -1 * sum us (fun u => w x * (u x * u x))).
  { apply sum_ext; intros x _. rewrite pythagoras by easy. rewrite inner_point.
    unfold point at 1. destruct (decision (x = x)); [|easy].
    rewrite (sum_ext us _ (fun u => w x * (w x * (u x * u x)))), sum_scale.
    - specialize (w0 x). field. lra.
    - intros u _. rewrite inner_point. ring. }
  rewrite sum_plus, sum_scale, sum_swap.
  assert (ones : forall (B : Type) (m : list B), sum m (fun _ => 1) = INR (length m)).
  { intros B m. induction m as [|b m IH]; [easy|]. simpl sum. simpl length.
    rewrite S_INR, IH. ring. }
  rewrite ones, <- ones with (m := us). rewrite (sum_ext us _ (fun _ => 1)); [ring|].
  clear -on. intros u here. fold (inner w u u). induction us as [|v us IH]; [easy|].
  destruct on as [one [_ on]], here as [->|here]; auto.
Qed.

Lemma another us : orthonormal w us -> (length us < length (@all A _))%nat ->
  exists f, <|f, f|> = 1 /\ forall u, In u us -> <|f, u|> = 0.
Proof.
  intros on few. apply lt_INR in few. pose proof (counted us on) as E.
  destruct (sum_pos_exists all
    (fun x => / w x * <|left_over us (point x), left_over us (point x)|>)) as [x [_ pos]]; [lra|].
  set (f := left_over us (point x)) in *.
  assert (f0 : 0 < <|f, f|>).
  { destruct (Rle_lt_or_eq_dec _ _ (inner_square f)) as [|Z]; [easy|]. rewrite <- Z in pos. lra. }
  pose proof (sqrt_lt_R0 _ f0) as s0. pose proof (sqrt_sqrt _ (Rlt_le _ _ f0)) as s2.
  assert (scaled : forall c f h, <|fun x => 0 + c * f x, h|> = c * <|f, h|>).
  { intros c f' h. rewrite (inner_plus (fun _ => 0)). unfold inner at 1.
    rewrite (sum_ext all _ (fun _ => 0)), sum_0 by (intros; ring). ring. }
  set (s := sqrt <|f, f|>) in *. exists (fun x => 0 + / s * f x). split.
  - rewrite scaled, (inner_sym f), scaled, <- s2. field. lra.
  - intros u here. rewrite scaled. unfold f. rewrite left_over_apart by easy. ring.
Qed.

Lemma complete us : orthonormal w us -> length us = length (@all A _) ->
  forall f x, f x = along us f x.
Proof.
  intros on enough f x. pose proof (counted us on) as E. rewrite enough in E.
  assert (none : forall y, left_over us (point x) y = 0).
  { apply inner_0.
    pose proof (sum_member all
      (fun x => / w x * <|left_over us (point x), left_over us (point x)|>) x) as le.
    simpl in le. rewrite E in le. pose proof (inner_square (left_over us (point x))).
    assert (v : 0 < / w x) by apply Rinv_0_lt_compat, w0.
    apply (Rmult_le_reg_l (/ w x)); [easy|]. rewrite Rmult_0_r.
    apply Rle_trans with (1 := le ltac:(intros; apply Rmult_le_pos; [apply Rlt_le,
      Rinv_0_lt_compat, w0|apply inner_square]) (all_here x)). lra. }
  apply (Rmult_eq_reg_l (w x)); [|specialize (w0 x); lra]. rewrite <- inner_point.
  rewrite (inner_ext (point x) (along us (point x))).
  2: { intros y. specialize (none y). unfold left_over in none. lra. }
  rewrite inner_along. unfold along. rewrite <- sum_scale. apply sum_ext. intros u _.
  rewrite inner_point, (inner_sym u f). ring.
Qed.

(** Sums of what is close are close. *)
Lemma sums_close {I} (is : list I) (p q a : I -> R) e :
  (forall i, In i is -> Rabs (p i - q i) <= a i * e) ->
  Rabs (sum is p - sum is q) <= sum is a * e.
Proof.
  induction is as [|i is IH]; simpl; intros close.
  - rewrite Rminus_0_r, Rabs_R0. lra.
  - pose proof (close i (or_introl eq_refl)).
    specialize (IH (fun j k => close j (or_intror k))).
    replace (p i + sum is p - (q i + sum is q)) with ((p i - q i) + (sum is p - sum is q)) by ring.
    pose proof (Rabs_triang (p i - q i) (sum is p - sum is q)). lra.
Qed.

Lemma products_close a b c d M e : Rabs a <= M -> Rabs d <= M -> Rabs (a - c) <= e ->
  Rabs (b - d) <= e -> Rabs (a * b - c * d) <= 2 * M * e.
Proof.
  intros. replace (a * b - c * d) with (a * (b - d) + (a - c) * d) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult.
  pose proof (Rabs_pos a). pose proof (Rabs_pos d). pose proof (Rabs_pos (a - c)).
  pose proof (Rabs_pos (b - d)).
  assert (Rabs a * Rabs (b - d) <= M * e) by (apply Rmult_le_compat; lra).
  assert (Rabs (a - c) * Rabs d <= e * M) by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma inner_close f h f' h' M e : (forall x, Rabs (f x) <= M) -> (forall x, Rabs (h' x) <= M) ->
  (forall x, Rabs (f x - f' x) <= e) -> (forall x, Rabs (h x - h' x) <= e) ->
  Rabs (<|f, h|> - <|f', h'|>) <= (Σ x, w x * (2 * M)) * e.
Proof.
  intros. apply sums_close. intros x _. replace (w x * (f x * h x) - w x * (f' x * h' x))
    with (w x * (f x * h x - f' x * h' x)) by ring.
  rewrite Rabs_mult, (Rabs_right (w x)) by (specialize (w0 x); lra). rewrite !Rmult_assoc.
  apply Rmult_le_compat_l; [specialize (w0 x); lra|]. rewrite <- Rmult_assoc.
  now apply products_close.
Qed.

Lemma as_near_as_one_likes a b C : (forall e, 0 < e -> a <= b + C * e) -> a <= b.
Proof.
  intros near. destruct (Rle_dec a b) as [|gt]; [easy|].
  set (D := Rabs C + 1). pose proof (Rabs_pos C). pose proof (Rle_abs C).
  specialize (near ((a - b) / (2 * D)) ltac:(apply Rdiv_lt_0_compat; unfold D; lra)).
  assert (le : C * ((a - b) / (2 * D)) <= D * ((a - b) / (2 * D))).
  { apply Rmult_le_compat_r; [|unfold D; lra]. apply Rlt_le, Rdiv_lt_0_compat; unfold D; lra. }
  replace (D * ((a - b) / (2 * D))) with ((a - b) / 2) in le by (field; unfold D; lra). lra.
Qed.

(** The quadratic form of K is largest at some vector of length 1 at right angles to others. *)
Lemma largest K us : orthonormal w us -> (length us < length (@all A _))%nat ->
  exists g, (<|g, g|> = 1 /\ forall u, In u us -> <|g, u|> = 0) /\
    forall f, <|f, f|> = 1 -> (forall u, In u us -> <|f, u|> = 0) ->
      <|f, image K f|> <= <|g, image K g|>.
Proof.
  intros on few. set (S f := <|f, f|> = 1 /\ forall u, In u us -> <|f, u|> = 0).
  set (M := Σ x, 1 + / w x).
  assert (M1 : forall x, 1 + / w x <= M).
  { intros x. apply (sum_member all (fun x => 1 + / w x)); [|apply all_here].
    intros y _. pose proof (Rinv_0_lt_compat _ (w0 y)). lra. }
  assert (bounded : forall f x, S f -> Rabs (f x) <= M).
  { intros f x [one _]. apply Rle_trans with (2 := M1 x). pose proof (weight_le f x) as le.
    rewrite one in le. pose proof (Rinv_0_lt_compat _ (w0 x)) as v0.
    rewrite <- (Rabs_right (1 + / w x)) by lra. apply Rsqr_le_abs_0. unfold Rsqr.
    apply (Rmult_le_compat_l (/ w x)) in le; [|lra].
    replace (/ w x * (w x * (f x * f x))) with (f x * f x) in le
      by (field; specialize (w0 x); lra).
    assert (0 <= / w x * / w x) by (apply Rmult_le_pos; lra). lra. }
  set (k := Σ x, Σ y, Rabs (K x y)).
  assert (near_image : forall f g e, 0 <= e -> (forall x, Rabs (f x - g x) <= e) ->
    forall x, Rabs (image K f x - image K g x) <= k * e).
  { intros f g e e0 close x. apply Rle_trans with ((Σ y, Rabs (K x y)) * e).
    - apply sums_close. intros y _. replace (K x y * f y - K x y * g y) with
        (K x y * (f y - g y)) by ring.
      rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|apply close].
    - apply Rmult_le_compat_r; [easy|].
      apply (sum_member all (fun x => Σ y, Rabs (K x y))); [|apply all_here].
      intros z _. apply sum_nonneg. intros; apply Rabs_pos. }
  assert (k0 : 0 <= k) by (apply sum_nonneg; intros; apply sum_nonneg; intros; apply Rabs_pos).
  destruct (another us on few) as [f0 Sf0]. fold (S f0) in Sf0.
  assert (M0 : 0 <= M).
  { apply sum_nonneg. intros y _. pose proof (Rinv_0_lt_compat _ (w0 y)). lra. }
  set (M' := M + k * M).
  assert (M'M : M <= M') by (unfold M'; pose proof (Rmult_le_pos _ _ k0 M0); lra).
  assert (image_0 : forall x, image K (fun _ => 0) x = 0).
  { intros x. unfold image. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). apply sum_0. }
  assert (bounded' : forall f x, (forall x, Rabs (f x) <= M) -> Rabs (image K f x) <= M').
  { intros f x le. pose proof (near_image f (fun _ => 0) M M0) as near.
    specialize (near ltac:(intros; rewrite Rminus_0_r; auto) x).
    rewrite image_0, Rminus_0_r in near. unfold M'. lra. }
  set (C := Σ x, w x * (2 * M')).
  assert (form_close : forall f g e, 0 < e -> (forall x, Rabs (f x) <= M) ->
    (forall x, Rabs (g x) <= M) -> (forall x, Rabs (f x - g x) <= e) ->
    Rabs (<|f, image K f|> - <|g, image K g|>) <= C * ((1 + k) * e)).
  { intros f g e e0 bf bg close. apply inner_close; auto.
    - intros x. specialize (bf x). lra.
    - intros x. specialize (close x). pose proof (Rmult_le_pos _ _ k0 (Rlt_le _ _ e0)). lra.
    - intros x. pose proof (near_image f g e (Rlt_le _ _ e0) close x). lra. }
  destruct (completeness (fun r => exists f, S f /\ r = <|f, image K f|>)) as [m [upper least]].
  { exists (C * (1 + k) * (M + 1)). intros r [f [Sf ->]].
    assert (Z : <|fun _ => 0, image K (fun _ => 0)|> = 0).
    { unfold inner. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). apply sum_0. }
    pose proof (form_close f (fun _ => 0) (M + 1)) as le. rewrite Z, Rminus_0_r in le.
    specialize (le ltac:(lra) (fun x => bounded f x Sf)
      ltac:(intros; rewrite Rabs_R0; lra)
      ltac:(intros x; rewrite Rminus_0_r; specialize (bounded f x Sf); lra)).
    pose proof (Rle_abs <|f, image K f|>). lra. }
  { now exists <|f0, image K f0|>, f0. }
  destruct (cluster (fun e f => S f /\ m - e < <|f, image K f|>) M all) as [g near].
  { intros e d f le [Sf lt]. split; [easy|lra]. }
  { intros e e0. apply NNPP. intros none. assert (m <= m - e); [|lra]. apply least.
    intros r [f [Sf ->]]. destruct (Rle_dec <|f, image K f|> (m - e)) as [|gt]; [easy|].
    destruct none. exists f. split; [easy|lra]. }
  { intros e f x [Sf _]. now apply bounded. }
  assert (bg : forall x, Rabs (g x) <= M).
  { intros x. apply (as_near_as_one_likes _ _ 1). intros e e0.
    destruct (near e e0) as [f [[Sf _] close]]. specialize (close x (all_here x)).
    pose proof (bounded f x Sf). pose proof (Rabs_triang (f x) (g x - f x)).
    rewrite Rabs_minus_sym in close. replace (f x + (g x - f x)) with (g x) in * by ring. lra. }
  assert (same : forall a b c, (forall e, 0 < e -> Rabs (a - b) <= c * e) -> a = b).
  { intros a b c le. apply Rle_antisym; apply (as_near_as_one_likes _ _ c); intros e e0;
      specialize (le e e0); pose proof (Rle_abs (a - b)); pose proof (Rle_abs (- (a - b)));
      rewrite Rabs_Ropp in *; lra. }
  assert (Sg : S g).
  { split.
    - apply (same _ _ (Σ x, w x * (2 * M))). intros e e0.
      destruct (near e e0) as [f [[Sf _] close]].
      assert (cl : forall x, Rabs (g x - f x) <= e).
      { intros x. rewrite Rabs_minus_sym. apply Rlt_le, close, all_here. }
      rewrite <- (proj1 Sf). apply inner_close; auto.
    - intros u here. set (U := Σ x, Rabs (u x)).
      assert (bu : forall x, Rabs (u x) <= U).
      { intros x. apply (sum_member all (fun x => Rabs (u x))); [|apply all_here].
        intros; apply Rabs_pos. }
      assert (U0 : 0 <= U) by (apply sum_nonneg; intros; apply Rabs_pos).
      apply (same _ _ (Σ x, w x * (2 * (M + U)))). intros e e0.
      destruct (near e e0) as [f [[Sf _] close]].
      assert (cl : forall x, Rabs (g x - f x) <= e).
      { intros x. rewrite Rabs_minus_sym. apply Rlt_le, close, all_here. }
      rewrite <- (proj2 Sf u here). apply inner_close; auto.
      + intros x. specialize (bg x). lra.
      + intros x. specialize (bu x). lra.
      + intros x. rewrite Rminus_diag_eq, Rabs_R0; lra. }
  exists g. split; [exact Sg|]. intros f one apart.
  apply Rle_trans with m; [apply upper; exists f; now split|].
  apply (as_near_as_one_likes _ _ (1 + C * (1 + k))). intros e e0.
  destruct (near e e0) as [f' [[Sf more] close]].
  pose proof (form_close f' g e e0 (fun x => bounded f' x Sf) bg
    (fun x => Rlt_le _ _ (close x (all_here x)))) as le.
  pose proof (Rle_abs (<|f', image K f'|> - <|g, image K g|>)). lra.
Qed.

Lemma inner_scale f h c : <|fun x => 0 + c * f x, h|> = c * <|f, h|>.
Proof.
  rewrite (inner_plus (fun _ => 0) f). unfold inner at 1.
  rewrite (sum_ext all _ (fun _ => 0)), sum_0 by (intros; ring). ring.
Qed.

Lemma image_plus K f g c x : image K (fun y => f y + c * g y) x = image K f x + c * image K g x.
Proof. unfold image. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros; ring. Qed.

Lemma square_plus f g t : <|fun x => f x + t * g x, fun x => f x + t * g x|> =
  <|f, f|> + 2 * t * <|f, g|> + t * t * <|g, g|>.
Proof.
  rewrite inner_plus, (inner_sym f (fun _ => _)), (inner_sym g (fun _ => _)), !inner_plus.
  rewrite (inner_sym g f). ring.
Qed.

Lemma form_plus K f g t : balanced w K ->
  <|fun x => f x + t * g x, image K (fun x => f x + t * g x)|> =
  <|f, image K f|> + 2 * t * <|image K f, g|> + t * t * <|g, image K g|>.
Proof.
  intros bal. rewrite inner_sym.
  rewrite (inner_ext (image K (fun x => f x + t * g x)) (fun x => image K f x + t * image K g x))
    by (intros; apply image_plus).
  rewrite inner_plus, (inner_sym (image K f)), (inner_sym (image K g)), !inner_plus.
  rewrite <- (self_adjoint K f g bal), (inner_sym g (image K f)). ring.
Qed.

Lemma no_slope a b : (forall t, 2 * t * a + t * t * b <= 0) -> a = 0.
Proof.
  intros le. pose proof (le 1). pose proof (le (-1)).
  set (B := Rabs b + 1). pose proof (Rabs_pos b). pose proof (Rle_abs (- b)).
  rewrite Rabs_Ropp in *. assert (B0 : 0 < B) by (unfold B; lra).
  specialize (le (a / B)).
  assert (E : 2 * (a / B) * a + a / B * (a / B) * b = (a / B) * (a / B) * (2 * B + b))
    by (field; lra).
  rewrite E in le. apply NNPP. intros ne.
  assert (n0 : a / B <> 0) by (unfold Rdiv; apply Rmult_integral_contrapositive_currified;
    [easy|apply Rinv_neq_0_compat; lra]).
  pose proof (Rsqr_pos_lt _ n0). unfold Rsqr in *.
  pose proof (Rmult_lt_0_compat (a / B * (a / B)) (2 * B + b)). unfold B in *. lra.
Qed.

Lemma next_eigenvector K l : balanced w K -> eigenpairs K l -> orthonormal w (map snd l) ->
  (length l < length (@all A _))%nat -> exists lam u,
  eigenpairs K ((lam, u) :: l) /\ orthonormal w (map snd ((lam, u) :: l)).
Proof.
  intros bal eig on few. rewrite <- (map_length snd) in few.
  destruct (largest K (map snd l) on few) as [g [[one apart] most]].
  set (m := <|g, image K g|>) in *.
  assert (scaled : forall h, (forall u, In u (map snd l) -> <|h, u|> = 0) ->
    <|h, image K h|> <= m * <|h, h|>).
  { intros h off. destruct (Rle_lt_or_eq_dec _ _ (inner_square h)) as [pos|zero].
    - pose proof (sqrt_lt_R0 _ pos) as s0. pose proof (sqrt_sqrt _ (Rlt_le _ _ pos)) as s2.
      set (s := sqrt <|h, h|>) in *. specialize (most (fun x => 0 + / s * h x)).
      assert (zero : forall f, <|fun _ => 0, f|> = 0).
      { intros f. unfold inner. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring).
        apply sum_0. }
      assert (zero' : <|image K (fun _ => 0), h|> = 0) by now rewrite self_adjoint, zero.
      rewrite (square_plus (fun _ => 0)), (form_plus K (fun _ => 0) h _ bal) in most.
      rewrite !zero, zero', <- s2 in most. specialize (most ltac:(field; lra)).
      specialize (most ltac:(intros u here; rewrite inner_scale, off by easy; ring)).
      rewrite <- s2. apply (Rmult_le_compat_l (s * s)) in most; [|apply Rle_0_sqr].
      assert (E : s * s * (0 + 2 * / s * 0 + / s * / s * <|h, image K h|>) = <|h, image K h|>)
        by (field; lra).
      rewrite E in most. lra.
    - rewrite <- zero. unfold inner. rewrite (sum_ext all _ (fun _ => 0)), sum_0; [lra|].
      intros x _. rewrite (inner_0 h) by lra. ring. }
  exists m, g. split.
  2: { simpl. repeat split; auto. }
  intros lam u [E|here]; [|now apply eig]. injection E as <- <-.
  set (k := fun x => image K g x + - m * g x).
  assert (off : forall u, In u (map snd l) -> <|k, u|> = 0).
  { intros u here. unfold k. rewrite inner_plus, apart by easy. rewrite self_adjoint by easy.
    apply in_map_iff in here as [[lam v] [E here]]. simpl in E. subst v.
    rewrite inner_sym, (inner_ext _ (fun x => 0 + lam * u x)).
    - rewrite inner_scale, (inner_sym u), apart; [ring|]. apply in_map_iff. now exists (lam, u).
    - intros x. rewrite (eig lam u here). ring. }
  assert (slope : <|k, k|> = 0).
  { apply (no_slope _ (<|k, image K k|> - m * <|k, k|>)). intros t.
    assert (le := scaled (fun x => g x + t * k x)).
    specialize (le ltac:(intros u here; rewrite inner_plus, apart, off by easy; ring)).
    rewrite square_plus, (form_plus K g k t bal), one in le. fold m in le.
    assert (E : <|k, k|> = <|image K g, k|> - m * <|g, k|>).
    { unfold k at 1. rewrite inner_plus. ring. }
    replace (<|image K g, k|>) with (<|k, k|> + m * <|g, k|>) in le by (rewrite E; ring). lra. }
  intros x. pose proof (inner_0 k ltac:(lra) x) as zero. unfold k in zero. lra.
Qed.

(** The spectral theorem: a matrix that is reversible for positive weights has an orthonormal basis
    of eigenvectors, with real eigenvalues; eigenvectors that one has already are extended to it.
    Every vector is the sum of what it is along them. With the weight 1, of a symmetric matrix.
    Differs: textbook. *)
Theorem spectral_theorem K l : balanced w K -> eigenpairs K l -> orthonormal w (map snd l) ->
  (length l <= length (@all A _))%nat ->
  exists more, let basis := more ++ l in eigenpairs K basis /\ orthonormal w (map snd basis) /\
    length basis = length (@all A _) /\
    forall f x, f x = sum basis (fun e => inner w f (snd e) * snd e x).
Proof.
  intros bal. remember (length (@all A _) - length l)%nat as n eqn:En. revert l En.
  induction n as [|n IH]; intros l En eig on few.
  - exists []. simpl. repeat split; auto; [lia|]. intros f x.
    rewrite (complete (map snd l) on ltac:(rewrite map_length; lia) f x) at 1.
    unfold along. now rewrite sum_map.
  - destruct (next_eigenvector K l bal eig on ltac:(lia)) as [lam [u [eig' on']]].
    destruct (IH ((lam, u) :: l) ltac:(simpl; lia) eig' on' ltac:(simpl; lia)) as [more h].
    exists (more ++ [(lam, u)]). now rewrite <- app_assoc.
Qed.
End Spectrum.
