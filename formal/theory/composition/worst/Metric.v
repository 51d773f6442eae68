(** Families of columns that are closed under products and powers: levels of metric privacy depend
    on their product only. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Worst Columns Means Rays.
Import ListNotations.
Open Scope R_scope.

Section Powers.
Context {D : Type} `{Finite D} (N : D -> D -> Prop) (d : D -> D -> nat).
Implicit Types (mu nu u : D -> R).

(** Neighbours x and y have entries within the ratio to the power of their distance. *)
Definition close_columns ratio u :=
  (forall x, 0 <= u x) /\ forall x y, N x y -> u x <= ratio ^ d x y * u y.
Definition close_mechanism ratio {W} `{Finite W} (M : D -> W -> R) :=
  kernel M /\ forall w, close_columns ratio (fun x => M x w).
Definition symmetric_distance := forall x y, N x y -> N y x /\ d y x = d x y.
Definition columns_bounded ratio mu nu L :=
  forall u, close_columns ratio u -> inner mu u <= L * inner nu u.
Definition mechanisms_bounded Rs mu nu L := symmetric_distance /\ Rs <> [] /\
  (forall ratio, In ratio Rs -> 1 <= ratio) /\
  forall (W : Type) (F : Finite W) (Ms : list (D -> W -> R)) ws,
    Forall2 (fun ratio M => close_mechanism ratio M) Rs Ms ->
    inner mu (fun x => releases Ms x ws) <= L * inner nu (fun x => releases Ms x ws).
Definition product_of (Rs : list R) := prod Rs (fun ratio => ratio).

Lemma product_1 Rs : (forall ratio, In ratio Rs -> 1 <= ratio) -> 1 <= product_of Rs.
Proof.
  induction Rs as [|ratio Rs IH]; intros r1; unfold product_of in *; simpl; [lra|].
  pose proof (r1 ratio (or_introl eq_refl)). specialize (IH (fun r i => r1 r (or_intror i))).
  rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
Qed.

Lemma products_close Rs {W} `{Finite W} (Ms : list (D -> W -> R)) ws :
  Forall2 (fun ratio M => close_mechanism ratio M) Rs Ms ->
  (forall ratio, In ratio Rs -> 1 <= ratio) ->
  close_columns (product_of Rs) (fun x => releases Ms x ws).
Proof.
  intros kept. revert ws. induction kept as [|ratio M Rs Ms [ker close] _ IH]; intros [|w ws] r1;
    try (split; [intros; simpl; lra|intros; simpl; rewrite ?pow1, ?Rmult_0_r; lra]).
  destruct (IH ws (fun r i => r1 r (or_intror i))) as [pos le]. destruct (close w) as [m0 ml].
  pose proof (r1 ratio (or_introl eq_refl)) as one.
  pose proof (product_1 Rs (fun r i => r1 r (or_intror i))) as P1.
  split; [intros x; now apply Rmult_le_pos|]. intros x y n. unfold product_of; simpl.
  rewrite Rpow_mult_distr.
  replace (ratio ^ d x y * prod Rs (fun r => r) ^ d x y * (M y w * releases Ms y ws)) with
    (ratio ^ d x y * M y w * (product_of Rs ^ d x y * releases Ms y ws))
    by (unfold product_of; ring).
  apply Rmult_le_compat; auto.
Qed.

(** A column of the family is one of a mechanism with two outputs. *)
Lemma close_column ratio u : symmetric_distance -> 1 <= ratio -> close_columns ratio u ->
  exists t, 0 < t /\ close_mechanism ratio (two_columns t u).
Proof.
  intros sym r1 [u0 close].
  destruct (small_multiple u ratio r1 u0) as [t [b [t0 [le [tb small]]]]]. exists t.
  split; [easy|].
  assert (ub : forall x, t * u x <= t * b) by (intros; apply Rmult_le_compat_l; [lra|auto]).
  split.
  - apply two_kernel. intros x. split; [apply Rmult_le_pos; auto; lra|].
    apply Rle_trans with (1 := ub x). easy.
  - intros w. split.
    + intros x. specialize (ub x). unfold two_columns. destruct w; [|lra].
      apply Rmult_le_pos; auto; lra.
    + intros x y n. pose proof (close x y n) as one. destruct (sym x y n) as [n' same].
      pose proof (close y x n') as two. rewrite same in two.
      unfold two_columns. destruct w.
      { apply (Rmult_le_compat_l t) in one; lra. }
      assert (grow : 1 <= ratio ^ d x y) by (now apply pow_R1_Rle).
      pose proof (ub x) as ux. pose proof (ub y) as uy. pose proof (u0 x).
      destruct (Req_dec (ratio ^ d x y) 1) as [E|ne].
      { rewrite E in *. assert (u x = u y) as -> by lra. lra. }
      assert (r2 : 1 < ratio).
      { destruct r1 as [|<-]; [easy|]. destruct ne. apply pow1. }
      specialize (small r2).
      assert (more : ratio <= ratio ^ d x y).
      { destruct (d x y) as [|k]; [now destruct ne|]. simpl.
        rewrite <- (Rmult_1_r ratio) at 1. apply Rmult_le_compat_l; [lra|].
        apply pow_R1_Rle; lra. }
      assert (room : 1 <= ratio * (1 - t * u y)).
      { assert (ratio * (t * u y) <= ratio * (t * b)) by (apply Rmult_le_compat_l; lra). lra. }
      assert (0 <= 1 - t * u y) by lra.
      apply Rle_trans with (ratio * (1 - t * u y)).
      * pose proof (Rmult_le_pos t (u x)). lra.
      * now apply Rmult_le_compat_r.
Qed.

Definition root u t x := if Rlt_dec 0 (u x) then exp (t * ln (u x)) else 0.

Lemma root_close P u t : 1 <= P -> 0 <= t -> close_columns P u ->
  close_columns (exp (t * ln P)) (root u t).
Proof.
  intros P1 t0 [u0 close]. split.
  - intros x. unfold root. destruct Rlt_dec; [left; apply exp_pos|lra].
  - intros x y n. specialize (close x y n). unfold root.
    assert (pows : forall k, exp (t * ln P) ^ k = exp (t * (INR k * ln P))).
    { intros k. rewrite <- (Rpower_pow k) by apply exp_pos. unfold Rpower. rewrite ln_exp.
      f_equal. ring. }
    rewrite pows. destruct (Rlt_dec 0 (u x)) as [ux|]; destruct (Rlt_dec 0 (u y)) as [uy|no].
    + rewrite <- exp_plus, <- Rmult_plus_distr_l.
      assert (le : ln (u x) <= INR (d x y) * ln P + ln (u y)).
      { rewrite <- ln_pow, <- ln_mult by (try apply pow_lt; lra).
        destruct close as [lt|E]; [left; now apply ln_increasing|right; now f_equal]. }
      apply (Rmult_le_compat_l t) in le; [|easy].
      destruct le as [lt|E]; [left; now apply exp_increasing|right; now f_equal].
    + exfalso. pose proof (u0 y). replace (u y) with 0 in close by lra. lra.
    + rewrite Rmult_comm. left. apply Rmult_lt_0_compat; apply exp_pos.
    + lra.
Qed.

Lemma roots_multiply u ts : (forall x, 0 <= u x) -> ts <> [] ->
  forall x, product (map (root u) ts) x =
    if Rlt_dec 0 (u x) then exp (sum ts (fun t => t) * ln (u x)) else 0.
Proof.
  intros u0 some x. induction ts as [|t ts IH]; [easy|]. destruct ts as [|t' ts].
  - simpl. unfold root. destruct Rlt_dec; [|ring]. rewrite Rplus_0_r. ring.
  - cbn [map product] in *. rewrite IH by easy. unfold root at 1.
    destruct Rlt_dec; [|ring]. rewrite <- exp_plus. f_equal. simpl. ring.
Qed.

(** Shares of the levels in their product. *)
Lemma shares Rs : Rs <> [] -> (forall ratio, In ratio Rs -> 1 <= ratio) ->
  exists ts, Forall2 (fun t ratio => 0 <= t /\ ratio = exp (t * ln (product_of Rs))) ts Rs /\
    sum ts (fun t => t) = 1.
Proof.
  intros some r1. set (P := product_of Rs).
  assert (lns : ln P = sum Rs ln).
  { unfold P. clear P some. induction Rs as [|ratio Rs IH]; unfold product_of; simpl; [apply ln_1|].
    pose proof (r1 ratio (or_introl eq_refl)).
    pose proof (product_1 Rs (fun r i => r1 r (or_intror i))). unfold product_of in *.
    rewrite ln_mult, IH by (intros; try apply r1; simpl; auto; lra). easy. }
  assert (l0 : forall ratio, In ratio Rs -> 0 <= ln ratio).
  { intros ratio i. rewrite <- ln_1. destruct (r1 ratio i) as [lt|<-]; [|lra].
    left. now apply ln_increasing; [lra|]. }
  destruct (Req_dec (ln P) 0) as [zero|pos].
  - destruct Rs as [|ratio Rs]; [easy|]. exists (1 :: map (fun _ => 0) Rs). split.
    + assert (ones : forall r, In r (ratio :: Rs) -> r = 1).
      { intros r i. apply ln_inv; [specialize (r1 r i); lra|lra|]. rewrite ln_1.
        pose proof (sum_member (ratio :: Rs) ln r l0 i). specialize (l0 r i). lra. }
      rewrite zero. constructor.
      * rewrite (ones ratio) by (now left). rewrite Rmult_0_r, exp_0. lra.
      * clear -ones. induction Rs as [|r Rs IH]; [constructor|]. constructor.
        -- rewrite (ones r) by (simpl; auto). rewrite Rmult_0_r, exp_0. lra.
        -- apply IH. intros q [->|i]; apply ones; simpl; auto.
    + simpl. rewrite sum_map, sum_0. ring.
  - exists (map (fun ratio => / ln P * ln ratio) Rs). split.
    + assert (P0 : 0 < ln P).
      { pose proof (sum_nonneg Rs ln l0). lra. }
      clear lns some. generalize P pos P0. clear P pos P0. intros P pos P0.
      induction Rs as [|ratio Rs IH]; simpl; constructor.
      * split.
        -- apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|]. apply l0. now left.
        -- replace (/ ln P * ln ratio * ln P) with (ln ratio) by (field; lra).
           rewrite exp_ln; [easy|]. specialize (r1 ratio (or_introl eq_refl)). lra.
      * apply IH; intros; [apply r1|apply l0]; now right.
    + rewrite sum_map, sum_scale. change (sum Rs (fun x => ln x)) with (sum Rs ln).
      rewrite <- lns. field. lra.
Qed.

(** Levels of metric privacy count by their product (worst.power-closed): a number bounds the joint
    ratio of all mechanisms of levels R_1 .. R_K if and only if it bounds the ratio of all columns
    of the level of their product.
    Differs: distances are whole numbers, on the pairs of any symmetric relation; databases and
    outputs are finite; mu and nu are any numbers. *)
Theorem power_closed Rs mu nu L : symmetric_distance -> Rs <> [] ->
  (forall ratio, In ratio Rs -> 1 <= ratio) ->
  mechanisms_bounded Rs mu nu L <-> columns_bounded (product_of Rs) mu nu L.
Proof.
  intros sym some r1. split.
  - intros [_ [_ [_ bound]]] u close. pose proof close as [u0 _].
    destruct (shares Rs some r1) as [ts [shared one]].
    assert (together : exists (Ms : list (D -> bool -> R)) ws c, 0 < c /\
      Forall2 (fun ratio M => close_mechanism ratio M) Rs Ms /\
      forall x, releases Ms x ws = c * product (map (root u) ts) x).
    { pose proof (product_1 Rs r1) as P1. generalize dependent (product_of Rs).
      intros P close shared P1.
      clear some one bound. induction shared as [|t ratio ts Rs [t0 E] _ IH].
      - exists [], [], 1. split; [lra|]. split; [constructor|]. intros x; simpl; ring.
      - destruct IH as [Ms [ws [c [c0 [kept same]]]]]; [intros; apply r1; now right|].
        destruct (close_column ratio (root u t) sym (r1 ratio (or_introl eq_refl)))
          as [s [s0 lev]].
        { rewrite E. now apply root_close. }
        exists (two_columns s (root u t) :: Ms), (true :: ws), (s * c).
        split; [now apply Rmult_lt_0_compat|]. split; [now constructor|].
        intros x. cbn [releases map product]. rewrite same. unfold two_columns. ring. }
    destruct together as [Ms [ws [c [c0 [kept same]]]]].
    assert (whole : forall x, releases Ms x ws = c * u x).
    { intros x. rewrite same, roots_multiply; auto.
      - rewrite one, Rmult_1_l. destruct Rlt_dec as [pos|no]; [now rewrite exp_ln|].
        specialize (u0 x). replace (u x) with 0 by lra. ring.
      - intros ->. simpl in one. lra. }
    specialize (bound bool _ Ms ws kept).
    assert (means : forall m, inner m (fun x => releases Ms x ws) = c * inner m u).
    { intros m. rewrite <- inner_scale. apply sum_ext; intros x _. now rewrite whole. }
    rewrite !means in bound. apply (Rmult_le_reg_l c); lra.
  - intros bound. split; [easy|]. split; [easy|]. split; [easy|]. intros W F Ms ws kept.
    apply bound. now apply (products_close Rs).
Qed.
End Powers.

(** A bound of a cone is decided at what spans it. *)
Lemma generators_bound {D} `{Finite D} dec (forms : list (D -> R)) mu nu L :
  (forall u, within forms u -> inner mu u <= L * inner nu u) <->
  forall g, In g (generators dec forms) -> inner mu g <= L * inner nu g.
Proof.
  split.
  - intros bound g i. now apply bound, (generated dec).
  - intros bound u inside_. destruct (proj2 (generated dec forms) u inside_) as [c [c0 E]].
    assert (means : forall m, inner m u = sum c (fun kr => fst kr * inner m (snd kr))).
    { intros m. unfold inner at 1.
      rewrite (sum_ext all _ (fun x => m x * sum c (fun kr => fst kr * snd kr x)))
        by (intros; now rewrite E).
      change (inner m (fun x => sum c (fun kr => fst kr * snd kr x)) =
        sum c (fun kr => fst kr * inner m (snd kr))).
      rewrite inner_sum. apply sum_ext. intros [k r] _. apply inner_scale. }
    rewrite !means, <- sum_scale. apply sum_le. intros [k r] i. simpl.
    destruct (c0 k r i) as [k0 ir]. specialize (bound r ir).
    apply (Rmult_le_compat_l k) in bound; lra.
Qed.
