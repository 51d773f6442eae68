(** Conditions that compose: weighted geometric means (bai2026.x-coupling, bai2026.necsuff-repaired,
    sufficiency). *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws.
Import ListNotations.
Open Scope R_scope.

Fixpoint prod {A} (l : list A) (f : A -> R) : R := match l
  with [] => 1 | x :: r => f x * prod r f end.

(** x^b for x >= 0, with x^0 = 1 for every x and 0^b = 0 otherwise. *)
Definition pw (x b : R) : R := if Req_EM_T b 0 then 1 else if Rlt_dec 0 x then exp (b * ln x) else
  0.

Lemma pw_nonneg x b : 0 <= pw x b.
Proof. unfold pw; destruct Req_EM_T; [lra|]; destruct Rlt_dec; [left; apply exp_pos|lra]. Qed.

Lemma pw_mult x y b : 0 <= x -> 0 <= y -> pw (x * y) b = pw x b * pw y b.
Proof.
  intros x0 y0; unfold pw; destruct Req_EM_T; [lra|].
  destruct (Rlt_dec 0 x), (Rlt_dec 0 y), (Rlt_dec 0 (x * y)) as [pos|neg]; try lra.
  - rewrite ln_mult, Rmult_plus_distr_l, exp_plus; lra.
  - destruct neg; now apply Rmult_lt_0_compat.
  - assert (y = 0) as -> by lra; lra.
  - assert (x = 0) as -> by lra; lra.
  - assert (x = 0) as -> by lra; lra.
Qed.

Lemma prod_nonneg {A} (l : list A) f : (forall x, 0 <= f x) -> 0 <= prod l f.
Proof. intros; induction l; simpl; [lra|now apply Rmult_le_pos]. Qed.

Lemma prod_mult {A} (l : list A) f g : prod l (fun x => f x * g x) = prod l f * prod l g.
Proof. induction l; simpl; [lra|rewrite IHl; ring]. Qed.

Lemma prod_ext {A} (l : list A) f g : (forall x, In x l -> f x = g x) -> prod l f = prod l g.
Proof. induction l; simpl; intros H; [easy|]. rewrite H, IHl; auto. Qed.

Lemma prod_exp {A} (l : list A) (b u : A -> R) :
  (forall x, In x l -> b x = 0 \/ 0 < u x) -> prod l (fun x => pw (u x) (b x)) = exp
    (sum l (fun x => b x * ln (u x))).
Proof.
  induction l as [|a l IH]; simpl; intros H; [now rewrite exp_0|]. rewrite exp_plus, IH by auto.
  f_equal.
  unfold pw; destruct (Req_EM_T (b a) 0) as [->|n]; [now rewrite Rmult_0_l, exp_0|].
  destruct (H a (or_introl eq_refl)); [lra|]; destruct Rlt_dec; lra.
Qed.

Lemma prod_zero {A} (l : list A) (b u : A -> R) :
  (forall x, In x l -> b x = 0 \/ 0 < u x) \/ prod l (fun x => pw (u x) (b x)) = 0.
Proof.
  induction l as [|a l IH]; simpl; [left; easy|]. destruct IH as [IH|IH]; [|right; rewrite IH; lra].
  destruct (Req_EM_T (b a) 0); [left; intros x [<-|i]; auto|].
  destruct (Rlt_dec 0 (u a)) as [p|n0]; [left; intros x [<-|i]; auto|].
  right; unfold pw; destruct Req_EM_T; [lra|]; destruct Rlt_dec; lra.
Qed.

Section Geometric.
Context {A : Type} `{Finite A}.
Definition geo (b u : A -> R) := prod all (fun x => pw (u x) (b x)).

Lemma geo_mult b u v : (forall x, 0 <= u x) -> (forall x, 0 <= v x) ->
  geo b (fun x => u x * v x) = geo b u * geo b v.
Proof. intros; unfold geo; rewrite <- prod_mult. apply prod_ext; intros; now apply pw_mult. Qed.

(** Weighted arithmetic and geometric means, with 0^0 = 1.
    Differs: textbook. *)
Theorem am_gm b u : law b -> (forall x, 0 <= u x) -> geo b u <= Σ x, b x * u x.
Proof.
  intros [b0 b1] u0. assert (m0 : 0 <= Σ x, b x * u x) by
    (apply sum_nonneg; intros; now apply Rmult_le_pos).
  destruct (prod_zero all b u) as [ok|E]; [|unfold geo; now rewrite E].
  destruct (sum_pos_exists all b) as [y [iy by_]]; [lra|].
  assert (m1 : 0 < Σ x, b x * u x).
  { apply Rlt_le_trans with (b y * u y).
    - apply Rmult_lt_0_compat; [easy|]. destruct (ok y iy); lra.
    - apply (sum_member all (fun x => b x * u x)); [intros; now apply Rmult_le_pos|easy]. }
  unfold geo. rewrite prod_exp by easy. set (m := Σ x, b x * u x) in *.
  rewrite <- (exp_ln m) by easy.
  enough ((Σ x, b x * ln (u x)) <= ln m) as [l|e]; [left; now apply exp_increasing|right;
    now f_equal|].
  apply Rle_trans with (Σ x, b x * (ln m - 1) + / m * (b x * u x)).
  - apply sum_le; intros x i. specialize (b0 x). destruct (ok x i) as [->|p]; [lra|].
    pose proof (exp_ineq1_le (ln (u x) - ln m)) as X.
    unfold Rminus in X; rewrite exp_plus, exp_Ropp, !exp_ln in X by easy. nra.
  - rewrite sum_plus, sum_scale. rewrite (sum_ext all _ (fun x => (ln m - 1) * b x))
      by (intros; ring).
    rewrite sum_scale, b1. fold m. rewrite Rinv_l; lra.
Qed.
End Geometric.

(** Releases one after another, all with outputs in W. *)
Fixpoint releases {D W} (Ms : list (D -> W -> R)) (x : D) (ws : list W) : R :=
  match Ms, ws with [], [] => 1 | M :: Ms, w :: ws => M x w * releases Ms x ws | _, _ => 0 end.

Section Conditions.
Context {D W : Type} `{Finite D}.
Implicit Types (M : D -> W -> R) (s t : @secret D).

(** M x w <= E prod_l (M l w)^(beta l), for one database x. *)
Definition meets {V} (beta : D -> R) E (M : D -> V -> R) x :=
  forall w, M x w <= E * geo beta (fun l => M l w).
(** The same for the x possible given s, with weights of its own for each. *)
Definition constraint {V} (p : D -> R) s (beta : D -> D -> R) E (M : D -> V -> R) :=
  forall x w, 0 < inside p s x -> M x w <= E * geo (beta x) (fun l => M l w).

Lemma releases_nonneg (Ms : list (D -> W -> R)) x ws : (forall M, In M Ms -> likelihood M) ->
  0 <= releases Ms x ws.
Proof.
  revert ws; induction Ms as [|M Ms IH]; intros [|w ws] M0; simpl; try lra.
  apply Rmult_le_pos; [apply M0; simpl; auto|apply IH; intros; apply M0; simpl; auto].
Qed.

(** Levels multiply. *)
Lemma constraints_multiply p s beta (Ms : list ((D -> W -> R) * R)) :
  (forall M E, In (M, E) Ms -> likelihood M /\ 0 <= E /\ constraint p s beta E M) ->
  constraint p s beta (prod (map snd Ms) (fun E => E)) (releases (map fst Ms)).
Proof.
  intros each x ws px. assert (one : forall b : D -> R, geo b (fun _ => 1) = 1).
  { intros b. unfold geo. induction (@all D _); simpl; [easy|]. rewrite IHl. unfold pw.
    destruct Req_EM_T; [lra|]; destruct Rlt_dec; [|lra]. rewrite ln_1, Rmult_0_r, exp_0; lra. }
  revert ws; induction Ms as [|[M E] Ms IH]; intros ws; simpl.
  - destruct ws; [rewrite one; lra|]. rewrite Rmult_1_l. apply prod_nonneg; intros; apply pw_nonneg.
  - assert (E0 : 0 <= prod (map snd Ms) (fun E => E)).
    { clear IH; assert (forall M E, In (M, E) Ms -> 0 <= E) as pos
      by (intros N F i; apply (each N F); simpl; auto).
      clear each; induction Ms as [|[N F] Ms IH]; simpl; [lra|].
      apply Rmult_le_pos; [apply (pos N); simpl; auto|apply IH; intros N' F' i; apply (pos N');
        simpl; auto]. }
    destruct (each M E (or_introl eq_refl)) as [M0 [E1 c]].
    destruct ws as [|w ws].
    { repeat apply Rmult_le_pos; auto. apply prod_nonneg; intros; apply pw_nonneg. }
    assert (N0 : forall N, In N (map fst Ms) -> likelihood N).
    { intros N i; apply in_map_iff in i as [[N' F] [<- i]]. apply (each N' F); simpl; auto. }
    rewrite geo_mult by (intros; auto; now apply releases_nonneg).
    specialize (IH (fun M E i => each M E (or_intror i)) ws). specialize (c x w px).
    set (G := geo (beta x) (fun l => M l w)) in *. set (g := geo (beta x) (fun l => releases _ l _))
      in *.
    apply Rle_trans with (E * G * (prod (map snd Ms) (fun E => E) * g)); [|right; ring].
    apply Rmult_le_compat; auto; now apply releases_nonneg.
Qed.

(** Weights beta that carry the law given s to the law given t compose exactly (bai2026.x-coupling;
    with [constraints_multiply], k runs at E leak at most E^k).
    Differs: databases are finite; a repair of ours, which is not printed. *)
Theorem coupling p s t beta E M :
  law p -> likelihood M -> 0 <= E -> (forall x, law (beta x)) ->
  (forall l, (Σ x, inside p s x * beta x l) * P p t = P p s * inside p t l) ->
  constraint p s beta E M -> forall w, Pw p M s w * P p t <= E * P p s * Pw p M t w.
Proof.
  intros Lp M0 E0 Lb carry c w. pose proof (P_nonneg p t Lp) as Pt.
  assert (S : Pw p M s w <= E * Σ x, Σ l, inside p s x * beta x l * M l w).
  { unfold Pw; rewrite <- sum_scale; apply sum_le; intros x _.
    destruct (inside_nonneg p s x Lp) as [px|<-].
    - specialize (c x w px). pose proof (am_gm (beta x) (fun l => M l w) (Lb x) (fun l => M0 l w))
        as G.
      rewrite (sum_ext all _ (fun l => inside p s x * (beta x l * M l w))) by (intros; ring).
      rewrite sum_scale.
      apply Rle_trans with (inside p s x * (E * geo (beta x) (fun l => M l w))).
      + apply Rmult_le_compat_l; lra.
      + rewrite <- Rmult_assoc, (Rmult_comm _ E), Rmult_assoc. repeat apply Rmult_le_compat_l; lra.
    - rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). rewrite sum_0; lra. }
  assert (T : (Σ x, Σ l, inside p s x * beta x l * M l w) * P p t = P p s * Pw p M t w).
  { rewrite sum_swap, Rmult_comm, <- sum_scale. unfold Pw; rewrite <- sum_scale.
  apply sum_ext; intros l _.
    rewrite (sum_ext all _ (fun x => M l w * (inside p s x * beta x l))) by (intros; ring).
    rewrite sum_scale.
    specialize (carry l). apply (f_equal (Rmult (M l w))) in carry. lra. }
  apply (Rmult_le_compat_r (P p t)) in S; [|lra]. rewrite Rmult_assoc, T in S. lra.
Qed.

(** NfC suffices up to a constant (bai2026.necsuff-repaired): weights on databases l, and C at least
    1/p(l | t) for all of them, so that they are possible. With [constraints_multiply]: k runs at
    e^eps each leak at most k eps + log C.
    Differs: databases are finite; one prior and one pair; the print has no log C, which fails. *)
Theorem nfc_sufficient p s t beta E M C :
  law p -> likelihood M -> 0 <= E -> (forall x, law (beta x)) ->
  (forall x l, 0 < beta x l -> P p t <= C * inside p t l) ->
  constraint p s beta E M -> forall w, Pw p M s w * P p t <= E * C * P p s * Pw p M t w.
Proof.
  intros Lp M0 E0 Lb supp c w.
  assert (below : forall l, inside p t l <= P p t).
  { intros l. apply (sum_member all (inside p t)); [|apply all_here].
    intros; now apply inside_nonneg. }
  destruct (P_nonneg p t Lp) as [Pt|zero].
  2:{ replace (Pw p M t w) with 0; [rewrite <- zero; lra|]. symmetry. unfold Pw.
    rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros l _.
    specialize (below l). pose proof (inside_nonneg p t l Lp).
    replace (inside p t l) with 0 by lra. ring. }
  clear below.
  assert (above : forall x, geo (beta x) (fun l => M l w) * P p t <= C * Pw p M t w).
  { intros x. pose proof (am_gm (beta x) (fun l => M l w) (Lb x) (fun l => M0 l w)) as G.
    apply (Rmult_le_compat_r (P p t)) in G; [|lra]. apply Rle_trans with (1 := G).
    unfold Pw. rewrite Rmult_comm, <- !sum_scale. apply sum_le; intros l _.
    destruct (Lb x) as [b0 b1]. specialize (M0 l w). pose proof (inside_nonneg p t l Lp).
    assert (beta x l <= 1) by (rewrite <- b1; apply sum_member; [auto|apply all_here]).
    destruct (b0 l) as [pos|<-].
    - pose proof (supp x l pos) as C1.
      apply Rle_trans with (P p t * (1 * M l w)); [|nra].
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra.
    - destruct (sum_pos_exists all (beta x)) as [y [_ iy]]; [lra|].
      pose proof (supp x y iy) as C1. pose proof (inside_nonneg p t y Lp) as i.
      assert (0 <= C).
      { destruct i as [i|i]; [apply (Rmult_le_reg_r (inside p t y)); lra|].
        rewrite <- i in C1. lra. }
      rewrite Rmult_0_l, Rmult_0_r. repeat apply Rmult_le_pos; auto. }
  unfold Pw at 1. rewrite Rmult_comm, <- sum_scale. unfold P at 2.
  rewrite (Rmult_assoc (E * C)), (Rmult_comm (Σ x, _)), <- sum_scale, <- sum_scale.
  apply sum_le; intros x _. destruct (inside_nonneg p s x Lp) as [px|<-]; [|lra].
  specialize (c x w px). specialize (above x).
  apply Rle_trans with (inside p s x * (E * (geo (beta x) (fun l => M l w) * P p t))).
  - apply Rle_trans with (inside p s x * (P p t * M x w)); [right; ring|].
    apply Rmult_le_compat_l; [lra|].
    rewrite Rmult_comm, <- Rmult_assoc. apply Rmult_le_compat_r; lra.
  - apply Rle_trans with (inside p s x * (E * (C * Pw p M t w))); [|right; ring].
    repeat apply Rmult_le_compat_l; lra.
Qed.
End Conditions.
