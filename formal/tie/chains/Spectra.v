(** How the gap of a chain is decided on tables of rationals: by a quadratic form, which is nowhere
    negative if the gap is as large as stated, and squares are completed. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts TableQuilts Spectrum
  Eigenvalues ChainMoments ChainInfluence Gap GapQuilts.
From Tied Require Import Decide Entries Chains Powers.
Import ListNotations.
Open Scope R_scope.

(** A quadratic form over the numbers below m. *)
Definition form {m} (k : fin m -> fin m -> Q) (f : fin m -> R) :=
  Σ x, Σ y, f x * (Q2R (k x y) * f y).
(** A table of it, which is computed once. *)
Definition table {m} (k : fin m -> fin m -> Q) : fin m -> fin m -> Q :=
  let rows := map (fun x => map (k x) all) all in
  fun x y => entry (nth (rank x) rows []) (rank y).
Lemma nth_all {m B} (g : fin m -> B) x e : nth (rank x) (map g all) e = g x.
Proof.
  revert g x. induction m as [|m IH]; intros g x; [destruct x|].
  change (@all (fin (S m)) _) with (None :: map (@Some (fin m)) all). rewrite map_cons, map_map.
  destruct x as [x|]; [|easy]. exact (IH (fun y => g (Some y)) x).
Qed.
Lemma table_is {m} (k : fin m -> fin m -> Q) x y : table k x y = k x y.
Proof. unfold table, entry. rewrite (nth_all (fun x => map (k x) all)). apply nth_all. Qed.
Lemma form_ext {m} (k l : fin m -> fin m -> Q) f : (forall x y, k x y = l x y) ->
  form k f = form l f.
Proof.
  intros E. apply sum_ext; intros x _. apply sum_ext; intros y _. now rewrite E.
Qed.
Fixpoint nowhere_negative {m} : (fin m -> fin m -> Q) -> bool := match m with
  | O => fun _ => true
  | S m => fun k => let a := k None None in
    let b x := Qred (k None (Some x) + k (Some x) None) in
    if Qeq_bool a 0 then forallb (fun x => Qeq_bool (b x) 0) all &&
      nowhere_negative (table (fun x y => k (Some x) (Some y)))
    else Qle_bool 0 a &&
      nowhere_negative (table (fun x y => Qred (k (Some x) (Some y) - b x * b y / (4 * a))))
  end.

Lemma four_q : Q2R 4 = 4. Proof. unfold Q2R; simpl; field. Qed.
Lemma sum_fin {m} (f : fin (S m) -> R) : (Σ x, f x) = f None + Σ x, f (Some x).
Proof.
  change (@all (fin (S m)) _) with (None :: map (@Some (fin m)) all). simpl. now rewrite sum_map.
Qed.
Definition beside {m} (k : fin (S m) -> fin (S m) -> Q) x := Qred (k None (Some x) + k (Some x)
  None).
Lemma form_next {m} (k : fin (S m) -> fin (S m) -> Q) f : form k f =
  Q2R (k None None) * (f None * f None) + f None * (Σ x, Q2R (beside k x) * f (Some x)) +
  form (fun x y => k (Some x) (Some y)) (fun x => f (Some x)).
Proof.
  unfold form. rewrite sum_fin. rewrite sum_fin.
  rewrite (sum_ext all (fun x => Σ y, f (Some x) * (Q2R (k (Some x) y) * f y)) (fun x =>
    f (Some x) * (Q2R (k (Some x) None) * f None) +
    Σ y, f (Some x) * (Q2R (k (Some x) (Some y)) * f (Some y))))
    by (intros x _; exact (sum_fin (fun y => f (Some x) * (Q2R (k (Some x) y) * f y)))).
  rewrite sum_plus. transitivity (Q2R (k None None) * (f None * f None) +
    (Σ x, (f None * (Q2R (k None (Some x)) * f (Some x)) + f (Some x) * (Q2R (k (Some x) None) * f
      None))) + Σ x, Σ y, f (Some x) * (Q2R (k (Some x) (Some y)) * f (Some y))).
  - rewrite sum_plus. ring.
  - f_equal. f_equal. rewrite <- sum_scale. apply sum_ext; intros x _. unfold beside.
    rewrite red, Q2R_plus. ring.
Qed.
Lemma form_less {m} (k : fin m -> fin m -> Q) (b : fin m -> Q) (c : Q) f : ~ (c == 0)%Q ->
  form (fun x y => Qred (k x y - b x * b y / c)) f =
  form k f - (Σ x, Q2R (b x) * f x) * (Σ x, Q2R (b x) * f x) / Q2R c.
Proof.
  intros nz. assert (c0 : Q2R c <> 0) by (intros E; apply nz; apply eqR_Qeq; rewrite E;
    unfold Q2R; simpl; lra).
  unfold form. transitivity ((Σ x, Σ y, f x * (Q2R (k x y) * f y)) + - / Q2R c *
    Σ x, Σ y, Q2R (b x) * f x * (Q2R (b y) * f y)).
  - rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros x _.
    rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros y _.
    rewrite red, Q2R_minus, Q2R_div, Q2R_mult by easy. field. easy.
  - rewrite <- sum_product. field. easy.
Qed.

Lemma nowhere_negative_is m (k : fin m -> fin m -> Q) :
  nowhere_negative k = true <-> forall f, 0 <= form k f.
Proof.
  induction m as [|m IH0]; [split; [intros _ f; unfold form; simpl; lra|easy]|].
  assert (IH : forall k : fin m -> fin m -> Q,
    nowhere_negative (table k) = true <-> forall f, 0 <= form k f).
  { intros l. rewrite IH0. split; intros h f; specialize (h f);
      rewrite (form_ext (table l) l) in *; auto; intros; apply table_is. }
  cbn [nowhere_negative]. set (a := k None None). fold (beside k).
  assert (zero : Q2R 0 = 0) by (unfold Q2R; simpl; lra).
  destruct (Qeq_bool a 0) eqn:E.
  - apply Qeq_bool_iff, Qeq_eqR in E. rewrite zero in E. rewrite andb_true_iff, forallb_forall, IH.
    split.
    + intros [none rest] f. rewrite form_next. fold a. rewrite E.
      rewrite (sum_ext all _ (fun _ => 0)), sum_0; [specialize (rest (fun x => f (Some x))); lra|].
      intros x _. specialize (none x (all_here x)). apply Qeq_bool_iff, Qeq_eqR in none.
      change (Q2R (beside k x) = Q2R 0) in none. rewrite none, zero. ring.
    + intros every. assert (rest : forall c g, 0 <= c * (Σ x, Q2R (beside k x) * g x) +
        form (fun x y => k (Some x) (Some y)) g).
      { intros c g. specialize (every (fun x => match x with None => c | Some y => g y end)).
        rewrite form_next in every. fold a in every. rewrite E in every. cbv beta iota in every.
        change (fun x => g x) with g in every. lra. }
      split; [|intros g; specialize (rest 0 g); lra].
      intros x _. apply Qeq_bool_iff, eqR_Qeq. rewrite zero. change (Q2R (beside k x) = 0).
      set (g y := if d (fin m) y x then 1 else 0).
      assert (at_x : (Σ y, Q2R (beside k y) * g y) = Q2R (beside k x))
        by exact (pick (d (fin m)) (fun y => Q2R (beside k y)) x).
      set (F := form (fun x y => k (Some x) (Some y)) g).
      destruct (Req_dec (Q2R (beside k x)) 0) as [|nz]; [easy|exfalso].
      specialize (rest (- (F + 1) / Q2R (beside k x)) g). rewrite at_x in rest. fold F in rest.
      replace (- (F + 1) / Q2R (beside k x) * Q2R (beside k x)) with (- (F + 1)) in rest
        by (field; easy). lra.
  - assert (nz : ~ (a == 0)%Q) by (intros h; apply Qeq_bool_iff in h; congruence).
    assert (a0 : Q2R a <> 0) by (intros h; apply nz, eqR_Qeq; now rewrite zero).
    assert (nz4 : ~ (4 * a == 0)%Q).
    { intros h. apply Qeq_eqR in h. rewrite Q2R_mult, zero, four_q in h.
      apply a0. apply (Rmult_eq_reg_l 4); lra. }
    assert (four : Q2R (4 * a) = 4 * Q2R a) by now rewrite Q2R_mult, four_q.
    rewrite andb_true_iff, IH, Qle_bool_iff. split.
    + intros [pos rest] f. apply Qle_Rle in pos. rewrite zero in pos. rewrite form_next. fold a.
      specialize (rest (fun x => f (Some x))). rewrite (form_less _ (beside k)) in rest by easy.
      rewrite four in rest. set (B := Σ x, Q2R (beside k x) * f (Some x)).
      change (0 <= form (fun x y => k (Some x) (Some y)) (fun x => f (Some x)) -
        B * B / (4 * Q2R a)) in rest.
      assert (square : 0 <= Q2R a * ((f None + B / (2 * Q2R a)) * (f None + B / (2 * Q2R a))))
        by (apply Rmult_le_pos; [easy|apply Rle_0_sqr]).
      replace (Q2R a * ((f None + B / (2 * Q2R a)) * (f None + B / (2 * Q2R a)))) with
        (Q2R a * (f None * f None) + f None * B + B * B / (4 * Q2R a)) in square by (field; easy).
      lra.
    + intros every. split.
      * apply Rle_Qle. rewrite zero.
        specialize (every (fun x => match x with None => 1 | Some _ => 0 end)).
        rewrite form_next in every. fold a in every. cbv beta iota in every.
        rewrite (sum_ext all _ (fun _ => 0)), sum_0 in every by (intros; ring).
        unfold form in every. rewrite (sum_ext all _ (fun _ => 0)), sum_0 in every; [lra|].
        intros x _. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|intros; ring].
      * intros g. rewrite (form_less _ (beside k)) by easy. rewrite four.
        set (B := Σ x, Q2R (beside k x) * g x).
        change (0 <= form (fun x y => k (Some x) (Some y)) g - B * B / (4 * Q2R a)).
        specialize (every (fun x => match x with None => - B / (2 * Q2R a) | Some y => g y end)).
        rewrite form_next in every.
        change (0 <= Q2R a * (- B / (2 * Q2R a) * (- B / (2 * Q2R a))) + - B / (2 * Q2R a) * B +
          form (fun x y => k (Some x) (Some y)) g) in every.
        replace (Q2R a * (- B / (2 * Q2R a) * (- B / (2 * Q2R a))) + - B / (2 * Q2R a) * B) with
          (- (B * B / (4 * Q2R a))) in every by (field; easy). lra.
Qed.

(** How much a step backwards shrinks what has the mean 0. *)
Section Variance.
Context {m : nat}.
Notation A := (fin (S m)).
Context (pi : A -> R) (K : A -> A -> R) (r : R).
Definition shrinks := forall f : A -> R,
  inner pi (image (backwards pi K) f) (image (backwards pi K) f) -
    inner pi f (fun _ => 1) * inner pi f (fun _ => 1) <=
  r * r * (inner pi f f - inner pi f (fun _ => 1) * inner pi f (fun _ => 1)).

Lemma both_ways_1 : stationary pi K -> forall x, image (both_ways pi K) (fun _ => 1) x = 1.
Proof.
  intros [_ [pos [rows st]]] x. rewrite both_ways_image. unfold image at 1.
  transitivity (Σ y, K x y); [|apply rows]. apply sum_ext; intros y _. unfold image, backwards.
  rewrite (sum_ext all _ (fun z => / pi y * (pi z * K z y))).
  - rewrite sum_scale, st. pose proof (pos y). field. lra.
  - intros z _. pose proof (pos y). field. lra.
Qed.
Lemma back_square f : stationary pi K ->
  inner pi (image (backwards pi K) f) (image (backwards pi K) f) =
  inner pi (image (both_ways pi K) f) f.
Proof.
  intros [_ [pos _]]. rewrite (backwards_adjoint pi K pos), inner_sym. apply inner_ext. intros x.
  now rewrite both_ways_image.
Qed.
Lemma back_mean f : stationary pi K ->
  inner pi (image (backwards pi K) f) (fun _ => 1) = inner pi f (fun _ => 1).
Proof.
  intros [_ [pos [rows _]]]. rewrite (backwards_adjoint pi K pos), inner_sym, (inner_sym pi f).
  apply inner_ext. intros x. unfold image. transitivity (Σ y, K x y); [|apply rows].
  apply sum_ext; intros; ring.
Qed.
Lemma forth_mean g : stationary pi K ->
  inner pi (image K g) (fun _ => 1) = inner pi g (fun _ => 1).
Proof.
  intros [_ [_ [_ st]]]. unfold inner, image.
  transitivity (Σ x, Σ y, pi x * K x y * g y).
  { apply sum_ext; intros x _. rewrite Rmult_1_r, <- sum_scale. apply sum_ext; intros; ring. }
  rewrite sum_swap. apply sum_ext; intros y _. rewrite <- (st y), Rmult_1_r, (Rmult_comm (sum _ _)),
    <- sum_scale. apply sum_ext; intros; ring.
Qed.
Lemma around_mean f : stationary pi K -> let c := inner pi f (fun _ => 1) in
  inner pi (fun x => f x + - c * 1) (fun _ => 1) = 0 /\
  inner pi (fun x => f x + - c * 1) (fun x => f x + - c * 1) = inner pi f f - c * c.
Proof.
  intros [[_ one] _] c. assert (total : inner pi (fun _ => 1) (fun _ => 1) = 1).
  { transitivity (Σ x, pi x); [apply sum_ext; intros; ring|exact one]. }
  assert (mean : inner pi (fun x => f x + - c * 1) (fun _ => 1) = 0)
    by (rewrite inner_plus, total; unfold c; ring).
  split; [easy|]. rewrite inner_plus, (inner_sym pi (fun _ => 1)), mean, inner_sym, inner_plus.
  rewrite (inner_sym pi (fun _ => 1) f). fold c. ring.
Qed.

Lemma gap_shrinks : stationary pi K -> 0 <= r < 1 -> gap_of_both_ways pi K r <-> shrinks.
Proof.
  intros st r01. pose proof st as [[_ one] [pos [rows keep]]]. split.
  - intros [_ [_ [simple others]]] f. set (c := inner pi f (fun _ => 1)).
    destruct (around_mean f st) as [mean size]. fold c in mean, size.
    destruct (contraction pi K pos one (fun x => proj2 (rows x)) (r * r) keep
      ltac:(apply Rmult_le_pos; lra) simple others _ mean 1) as [_ le].
    simpl iterated in le. rewrite size in le.
    destruct (around_mean (image (backwards pi K) f) st) as [_ size']. rewrite back_mean in size'
      by easy. fold c in size'. rewrite <- size'. rewrite pow_1 in le.
    refine (Rle_trans _ _ _ (Req_le _ _ _) le).
    assert (E : forall x, image (backwards pi K) (fun x => f x + - c * 1) x =
      image (backwards pi K) f x + - c * 1).
    { intros x. rewrite (image_plus (backwards pi K) f (fun _ => 1)). f_equal. f_equal.
      unfold image, backwards. rewrite (sum_ext all _ (fun z => / pi x * (pi z * K z x))).
      - rewrite sum_scale, keep. pose proof (pos x). field. lra.
      - intros z _. pose proof (pos x). field. lra. }
    rewrite (inner_ext pi _ _ _ (fun x => eq_sym (E x))), inner_sym.
    rewrite (inner_ext pi _ _ _ (fun x => eq_sym (E x))). apply inner_sym.
  - intros less. split; [easy|]. split; [easy|]. split.
    + intros f fixed x y. specialize (less f). rewrite back_square in less by easy.
      rewrite (inner_ext pi _ f) in less by easy. set (c := inner pi f (fun _ => 1)) in *.
      destruct (around_mean f st) as [_ size]. fold c in size.
      assert (small : inner pi f f - c * c <= 0).
      { assert (r * r < 1) by nra. nra. }
      rewrite <- size in small. pose proof (inner_0 pi pos _ small) as zero.
      pose proof (zero x). pose proof (zero y). cbv beta in *. lra.
    + intros lam f ne [x nz] eig. specialize (less f). rewrite back_square in less by easy.
      rewrite (inner_ext pi _ (fun y => 0 + lam * f y)) in less by (intros; rewrite eig; ring).
      rewrite inner_scale in less.
      assert (mean : inner pi f (fun _ => 1) = 0).
      { assert (E : lam * inner pi f (fun _ => 1) = inner pi f (fun _ => 1)).
        { transitivity (inner pi (image (both_ways pi K) f) (fun _ => 1)).
          - rewrite <- inner_scale. apply inner_ext. intros y. rewrite eig. ring.
          - rewrite (inner_ext pi _ _ _ (both_ways_image pi K f)), forth_mean by easy.
            now apply back_mean. }
        apply (Rmult_eq_reg_l (lam - 1)); lra. }
      rewrite mean in less.
      assert (0 < inner pi f f).
      { apply Rlt_le_trans with (pi x * (f x * f x)); [|apply (weight_le pi pos)].
        apply Rmult_lt_0_compat; [apply pos|]. apply Rsqr_pos_lt in nz. exact nz. }
      apply (Rmult_le_reg_r (inner pi f f)); lra.
Qed.

Lemma reversible_shrinks : stationary pi K -> 0 <= r < 1 -> balanced pi K ->
  gap_of_reversible pi K r <-> shrinks.
Proof.
  intros st r01 bal. rewrite <- gap_shrinks by easy. split; [apply gap_squared|].
  intros [_ [_ [simple others]]]. split; [easy|]. split; [easy|]. split; [easy|].
  assert (twice : forall lam f, (forall x, image K f x = lam * f x) ->
    forall x, image (both_ways pi K) f x = lam * lam * f x).
  { intros lam f eig x. rewrite image_twice by easy. unfold image at 1.
    rewrite (sum_ext all _ (fun y => lam * (K x y * f y))) by (intros; rewrite eig; ring).
    rewrite sum_scale. fold (image K f x). rewrite eig. ring. }
  split.
  - intros f fixed. apply simple. intros x. rewrite (twice 1); [ring|]. intros; rewrite fixed; ring.
  - intros lam f ne [x nz] eig. destruct (Req_dec (lam * lam) 1) as [unit|no].
    + exfalso. assert (lam = -1) as -> by nra. apply nz.
      assert (same : forall y, f y = f x).
      { intros y. apply simple. intros z. rewrite (twice (-1)) by easy. ring. }
      specialize (eig x). unfold image in eig. rewrite (sum_ext all _ (fun y => f x * K x y)) in eig
        by (intros; rewrite same; ring).
      destruct st as [_ [_ [rows _]]]. rewrite sum_scale, (proj2 (rows x)) in eig. lra.
    + pose proof (others _ f no (ex_intro _ x nz) (twice lam f eig)) as le.
      rewrite <- (Rabs_right r) by lra. apply Rsqr_le_abs_0. exact le.
Qed.
End Variance.

Lemma double_plus {B} `{Finite B} c (F G : B -> B -> R) :
  (Σ x, Σ y, F x y + c * G x y) = (Σ x, Σ y, F x y) + c * Σ x, Σ y, G x y.
Proof.
  rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros x _. now rewrite sum_plus, sum_scale.
Qed.

(** The form as a table. *)
Section Tables.
Context {m : nat}.
Notation A := (fin (S m)).
Context (pi : A -> R) (K : A -> A -> R) (r : R) (qpi : A -> Q) (qK : A -> A -> Q) (qr : Q).
Hypotheses (rpi : forall x, rational (pi x) (qpi x)) (rK : forall x y, rational (K x y) (qK x y)).
Hypothesis rr : rational r qr.
Definition qback : A -> A -> Q := table (fun z x => Qred (qpi x * qK x z / qpi z)).
Definition qform : A -> A -> Q := let back := qback in table (fun x y =>
  Qred (Qred (qr * qr) * Qred ((if same x y then qpi x else 0%Q) - qpi x * qpi y) -
  Qred (qsum all (fun z => Qred (qpi z * (back z x * back z y))) - qpi x * qpi y))).

Lemma same_point x y : Q2R (if same x y then qpi x else 0%Q) = pi x * point x y.
Proof.
  unfold same, point. rewrite (rpi x). destruct (d (fin (S m)) x y), (Compactness.decision (y = x));
    try congruence; [ring|]. unfold Q2R; simpl; ring.
Qed.
Lemma qback_is z x : (forall x, 0 < pi x) -> Q2R (qback z x) = backwards pi K z x.
Proof.
  intros pos. unfold qback, backwards. assert (nz : ~ (qpi z == 0)%Q).
  { intros h. apply Qeq_eqR in h. rewrite <- (rpi z) in h. pose proof (pos z).
    unfold Q2R in h; simpl in h. lra. }
  rewrite table_is, red, Q2R_div, Q2R_mult by easy. now rewrite <- (rpi x), <- (rpi z), <- (rK x z).
Qed.
Lemma qform_is x y : (forall x, 0 < pi x) -> Q2R (qform x y) =
  r * r * (pi x * point x y - pi x * pi y) -
  ((Σ z, pi z * (backwards pi K z x * backwards pi K z y)) - pi x * pi y).
Proof.
  intros pos. unfold qform. cbv zeta. rewrite table_is.
  rewrite red, !Q2R_minus, !Q2R_mult, !red, !Q2R_minus, !Q2R_mult, same_point.
  rewrite <- (rr : r = _), <- (rpi x), <- (rpi y). f_equal. f_equal. symmetry.
  apply (r_sum all (fun z => pi z * (backwards pi K z x * backwards pi K z y))
    (fun z => Qred (qpi z * (qback z x * qback z y)))).
  intros z. unfold rational. now rewrite red, !Q2R_mult, !qback_is, <- (rpi z).
Qed.
Lemma shrinks_is : (forall x, 0 < pi x) -> shrinks pi K r <-> nowhere_negative qform = true.
Proof.
  intros pos. rewrite nowhere_negative_is.
  assert (E : forall f : A -> R, form qform f =
    r * r * (inner pi f f - inner pi f (fun _ => 1) * inner pi f (fun _ => 1)) -
    (inner pi (image (backwards pi K) f) (image (backwards pi K) f) -
      inner pi f (fun _ => 1) * inner pi f (fun _ => 1))).
  { intros f.
    assert (one : inner pi f f = Σ x, Σ y, f x * (pi x * point x y * f y)).
    { apply sum_ext; intros x _. rewrite <- (sum_point_left x f) at 2.
      rewrite <- !sum_scale. apply sum_ext; intros; ring. }
    assert (means : inner pi f (fun _ => 1) * inner pi f (fun _ => 1) =
      Σ x, Σ y, f x * (pi x * pi y * f y)).
    { unfold inner. rewrite sum_product. apply sum_ext; intros x _. apply sum_ext; intros; ring. }
    assert (moved : inner pi (image (backwards pi K) f) (image (backwards pi K) f) =
      Σ x, Σ y, f x * ((Σ z, pi z * (backwards pi K z x * backwards pi K z y)) * f y)).
    { unfold inner, image. transitivity (Σ z, Σ x, Σ y,
        f x * (pi z * (backwards pi K z x * backwards pi K z y)) * f y).
      - apply sum_ext; intros z _. rewrite sum_product, <- sum_scale. apply sum_ext; intros x _.
        rewrite <- sum_scale. apply sum_ext; intros; ring.
      - rewrite sum_swap. apply sum_ext; intros x _. rewrite sum_swap. apply sum_ext; intros y _.
        rewrite (Rmult_comm (sum _ _)), <- !sum_scale. apply sum_ext; intros; ring. }
    rewrite one, means, moved.
    set (F1 x y := f x * (pi x * point x y * f y)). set (F2 x y := f x * (pi x * pi y * f y)).
    set (F3 x y := f x * ((Σ z, pi z * (backwards pi K z x * backwards pi K z y)) * f y)).
    change (form qform f = r * r * ((Σ x, Σ y, F1 x y) - (Σ x, Σ y, F2 x y)) -
      ((Σ x, Σ y, F3 x y) - (Σ x, Σ y, F2 x y))).
    transitivity (Σ x, Σ y, F3 x y + -1 * F2 x y + - (r * r) * (F1 x y + -1 * F2 x y) +
      -2 * (F3 x y + -1 * F2 x y + - (r * r) * (F1 x y + -1 * F2 x y))).
    - unfold form. apply sum_ext; intros x _. apply sum_ext; intros y _. unfold F1, F2, F3.
      rewrite qform_is by easy. ring.
    - rewrite (double_plus (-2)), (double_plus (- (r * r))), !(double_plus (-1)). ring. }
  unfold shrinks. split.
  - intros less f. rewrite E. specialize (less f). lra.
  - intros every f. specialize (every f). rewrite E in every. lra.
Qed.
End Tables.

#[export] Hint Extern 2 (decided (stationary _ _) _) => unfold stationary : typeclass_instances.
#[export] Hint Extern 2 (decided (balanced _ _) _) => unfold balanced : typeclass_instances.
#[export] Typeclasses Opaque gap_of_both_ways gap_of_reversible far.
Lemma within_1 r q : rational r q -> (Qle_bool 0 q && negb (Qle_bool 1 q) = true <-> 0 <= r < 1).
Proof.
  intros ->. rewrite andb_true_iff.
  pose proof (d_le 0 (Q2R q) 0%Q q r_0 (r_q q)) as E. pose proof (d_lt (Q2R q) 1 q 1%Q (r_q q) r_1)
    as F. unfold decided in *. rewrite E, F. easy.
Qed.
Definition qgap {m} (b : bool) qpi (qK : fin (S m) -> fin (S m) -> Q) q :=
  b && (Qle_bool 0 q && negb (Qle_bool 1 q)) && nowhere_negative (qform qpi qK q).
#[export] Instance d_gap {m} (pi : fin (S m) -> R) K r qpi qK q b :
  (forall x, rational (pi x) (qpi x)) -> (forall x y, rational (K x y) (qK x y)) -> rational r q ->
  decided (stationary pi K) b -> decided (gap_of_both_ways pi K r) (qgap b qpi qK q) | 0.
Proof.
  intros rpi rK rr st. unfold decided, qgap in *. rewrite !(andb_true_iff (b && _)),
    (andb_true_iff b), (within_1 r q rr), st.
  split.
  - intros [[here r01] form_]. apply gap_shrinks; auto.
    apply (shrinks_is pi K r qpi qK q); auto. apply here.
  - intros gap. pose proof gap as [here [r01 _]]. split; [now split|].
    apply (shrinks_is pi K r qpi qK q); auto; [apply here|]. now apply gap_shrinks.
Qed.
#[export] Instance d_reversible {m} (pi : fin (S m) -> R) K r qpi qK q b c :
  (forall x, rational (pi x) (qpi x)) -> (forall x y, rational (K x y) (qK x y)) -> rational r q ->
  decided (stationary pi K) b -> decided (balanced pi K) c ->
  decided (gap_of_reversible pi K r) (qgap (b && c) qpi qK q) | 0.
Proof.
  intros rpi rK rr st bal. unfold decided, qgap in *. rewrite !(andb_true_iff (b && c && _)),
    (andb_true_iff (b && c)), (andb_true_iff b), (within_1 r q rr), st, bal.
  split.
  - intros [[[here even] r01] form_]. apply reversible_shrinks; auto.
    apply (shrinks_is pi K r qpi qK q); auto. apply here.
  - intros gap. pose proof gap as [here [even [r01 _]]]. split; [now split|].
    apply (shrinks_is pi K r qpi qK q); auto; [apply here|]. now apply reversible_shrinks.
Qed.

Definition qover (low x : Q) : Q := if negb (Qle_bool low x) then Qred ((low + x) / (low - x))
  else 0%Q.
#[export] Instance r_over low x p q : rational low p -> rational x q ->
  rational (over low x) (qover p q).
Proof.
  intros rl rx. unfold over, qover, rational. destruct (Rlt_dec x low) as [less|no].
  - assert (negb (Qle_bool p q) = true) as -> by now apply (d_lt x low q p rx rl).
    unfold rational in rl, rx. rewrite red, Q2R_div, Q2R_plus, Q2R_minus, <- rl, <- rx; [easy|].
    intros h. apply Qeq_eqR in h. rewrite Q2R_minus, <- rl, <- rx in h.
    assert (Q2R 0 = 0) by (unfold Q2R; simpl; lra). lra.
  - destruct (negb (Qle_bool p q)) eqn:E; [|apply r_0]. now apply (d_lt x low q p rx rl) in E.
Qed.
#[export] Instance r_told low r p q n lo hi i : rational low p -> rational r q ->
  rational (told_at_most low r n lo hi i) (Qred (match lo with O => 1%Q
    | S _ => Qred (qover p (qpow q (S i - lo)) * qover p (qpow q (S i - lo))) end *
    (if Nat.ltb hi n then qover p (qpow q (hi - i)) else 1%Q))).
Proof.
  intros rl rr. unfold told_at_most. apply r_mult.
  - destruct lo; [apply r_1|]. apply r_mult; apply r_over; auto; now apply r_pow.
  - destruct (Nat.ltb hi n); [|apply r_1]. apply r_over; auto. now apply r_pow.
Qed.
#[export] Instance d_far low r p q n lo hi i : rational low p -> rational r q ->
  decided (far low r n lo hi i) ((Nat.eqb lo 0 || negb (Qle_bool p (qpow q (S i - lo)))) &&
    (Nat.leb n hi || negb (Qle_bool p (qpow q (hi - i))))) | 0.
Proof.
  intros rl rr. unfold decided, far. rewrite andb_true_iff, !orb_true_iff, Nat.eqb_eq, Nat.leb_le.
  pose proof (d_lt (r ^ (S i - lo)) low _ p (r_pow _ _ (S i - lo) rr) rl) as E.
  pose proof (d_lt (r ^ (hi - i)) low _ p (r_pow _ _ (hi - i) rr) rl) as F.
  unfold decided in *. rewrite E, F. easy.
Qed.
#[export] Hint Extern 2 (decided (quilt_within _ _ _ _ _ _ _ _ _ _) _) =>
  unfold quilt_within, influence_at_most, p_quilt, Pz : typeclass_instances.

#[export] Hint Extern 2 (decided (close _ _ _ _) _) => unfold close : typeclass_instances.
#[export] Instance r_part low x p q : rational low p -> rational x q ->
  rational (part low x) (if negb (Qle_bool p 0) then Qred (q / p) else 0%Q).
Proof.
  intros rl rx. unfold part, rational. destruct (Rlt_dec 0 low) as [less|no].
  - assert (negb (Qle_bool p 0) = true) as -> by now apply (d_lt 0 low 0%Q p r_0 rl).
    unfold rational in rl, rx. rewrite red, Q2R_div, <- rl, <- rx; [easy|].
    intros h. apply Qeq_eqR in h. rewrite <- rl in h.
    assert (Q2R 0 = 0) by (unfold Q2R; simpl; lra). lra.
  - destruct (negb (Qle_bool p 0)) eqn:E; [|apply r_0]. now apply (d_lt 0 low 0%Q p r_0 rl) in E.
Qed.
