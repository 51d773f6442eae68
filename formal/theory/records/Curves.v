(** Influence curves of cells: tables are any finite set, and a mechanism has a level for two tables
    of it that differ in one cell. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt.
Import ListNotations.
Open Scope R_scope.

Lemma exp_times b x : exp (INR b * x) = exp x ^ b.
Proof.
  induction b as [|b IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.

Section Curves.
Context {I D V : Type} `{Finite I} `{Finite D}.
Context (dI : forall i j : I, {i = j} + {i <> j}) (dV : forall u v : V, {u = v} + {u <> v}).
Context (cell : I -> D -> V).

Definition same i x y : bool := if dV (cell i x) (cell i y) then true else false.
(** In how many cells two tables differ. *)
Definition distance x y := length (filter (fun i => negb (same i x y)) all).
(** M x w <= ratio M y w for tables that differ in one cell. *)
Definition per_entry {W} ratio (M : D -> W -> R) :=
  forall x y w, distance x y = 1%nat -> M x w <= ratio * M y w.
(** At most k changes of one cell lead from x to y, and all tables on the way are in D. *)
Fixpoint within k x y := match k with O => x = y
  | S k => x = y \/ exists z, distance x z = 1%nat /\ within k z y end.
Definition joined b := forall x y, (distance x y <= b)%nat -> within b x y.

Definition hidden (h : list I) i : bool := if in_dec dI i h then true else false.
(** Two tables agree in all cells but those of h. *)
Definition agree (h : list I) x y : bool := forallb (fun i => hidden h i || same i x y) all.
Definition shown_as (s : @secret D) h y : @secret D := fun x => s x && agree h x y.
(** For every pair at most b cells can be hidden such that what the others show is at most a factor
    more likely given s than given t: a point of the influence curve. *)
Definition on_curve b factor (pairs : @secret D -> @secret D -> Prop) (priors : (D -> R) -> Prop) :=
  forall s t, pairs s t -> exists h, (length h <= b)%nat /\
    forall p, priors p -> 0 < P p s -> 0 < P p t ->
    forall y, P p (shown_as s h y) * P p t <= factor * P p s * P p (shown_as t h y).

Lemma agree_same h x y : agree h x y = true <-> forall i, hidden h i = false -> cell i x = cell i y.
Proof.
  unfold agree. rewrite forallb_forall. split.
  - intros each i shown. specialize (each i (all_here i)). rewrite shown in each.
    unfold same in each. now destruct (dV (cell i x) (cell i y)).
  - intros each i _. destruct (hidden h i) eqn:shown; [easy|]. unfold same.
    destruct (dV (cell i x) (cell i y)) as [|no]; [easy|]. now rewrite (each i shown) in no.
Qed.

Lemma agree_distance h x y : agree h x y = true -> (distance x y <= length h)%nat.
Proof.
  intros e. apply NoDup_incl_length; [apply NoDup_filter, all_once|]. intros i j.
  apply filter_In in j as [_ differ]. destruct (hidden h i) eqn:shown.
  - unfold hidden in shown. now destruct (in_dec dI i h).
  - rewrite agree_same in e. unfold same in differ. rewrite (e i shown) in differ.
    now destruct (dV (cell i y) (cell i y)).
Qed.

Lemma within_power {W} ratio (M : D -> W -> R) k x y w : 1 <= ratio -> likelihood M ->
  per_entry ratio M -> within k x y -> M x w <= ratio ^ k * M y w.
Proof.
  intros r1 M0 dp. revert x. induction k as [|k IH]; intros x way; cbn [within pow] in *.
  - subst. lra.
  - assert (here : forall z, M z w <= ratio ^ k * M y w -> M z w <= ratio * ratio ^ k * M y w).
    { intros z le. specialize (M0 z w). nra. }
    destruct way as [->|[z [one way]]].
    + apply here. pose proof (pow_R1_Rle ratio k r1). specialize (M0 y w). nra.
    + specialize (IH z way). specialize (dp x z w one). nra.
Qed.

Context (dD : forall x y : D, {x = y} + {x <> y}).

(** Of tables that agree the first one stands for all. *)
Definition first_of h x := hd x (filter (agree h x) all).

Lemma agree_turn h x y z : agree h x y = true -> agree h x z = agree h y z.
Proof.
  rewrite agree_same. intros e. apply eq_true_iff_eq. rewrite !agree_same.
  split; intros f i shown; specialize (e i shown); specialize (f i shown); congruence.
Qed.

Lemma agree_refl h x : agree h x x = true. Proof. now rewrite agree_same. Qed.

Lemma first_agrees h x : agree h x (first_of h x) = true.
Proof.
  unfold first_of. destruct (filter (agree h x) all) as [|y l] eqn:E; [apply agree_refl|].
  assert (i : In y (filter (agree h x) all)) by (rewrite E; now left). now apply filter_In in i.
Qed.

Lemma first_same h x y : first_of h x = first_of h y <-> agree h x y = true.
Proof.
  split.
  - intros e. pose proof (first_agrees h x) as a. pose proof (first_agrees h y) as b.
    rewrite <- e in b. rewrite agree_same in *. intros i shown.
    now rewrite (a i shown), (b i shown).
  - intros e. unfold first_of.
    rewrite (filter_ext (agree h x) (agree h y)) by (intros; now apply agree_turn).
    destruct (filter (agree h y) all) as [|z l] eqn:E; [|easy].
    assert (i : In y (filter (agree h y) all))
      by (apply filter_In; split; [apply all_here|apply agree_refl]).
    now rewrite E in i.
Qed.

(** Translation (bai2026.translate-repaired; bai2026.translate): a level eps for tables that differ
    in one cell and a point (a, b) of the influence curve promise b eps + a, where at most b changes
    inside the set of tables join two tables that differ in at most b cells.
    Differs: tables are finite; priors are laws, mechanisms need not be. *)
Theorem translate_in_tables {W} b eps a (M : D -> W -> R) pairs priors :
  laws_only priors -> likelihood M -> 1 <= exp eps -> per_entry (exp eps) M -> joined b ->
  on_curve b (exp a) pairs priors -> pufferfish (exp (INR b * eps + a)) M pairs priors.
Proof.
  intros L M0 e1 dp ways curve p s t w Hp st Ps Pt.
  destruct (curve s t st) as [h [few tell]]. specialize (tell p Hp Ps Pt).
  rewrite exp_plus, exp_times, (Rmult_comm (exp eps ^ b)).
  apply (coarse_fine dD p M s t (first_of h)); auto.
  - intros v. destruct (filter (fun x => if dD (first_of h x) v then true else false) all)
      as [|y l] eqn:E.
    + assert (none : forall u, Pz dD p (first_of h) u v = 0).
      { intros u. rewrite <- (sum_0 (@all D _)). apply sum_ext. intros x _. unfold at_.
        destruct (dD (first_of h x) v) as [e|]; [|ring].
        assert (i : In x []); [|easy]. rewrite <- E. apply filter_In. split; [apply all_here|].
        now destruct (dD (first_of h x) v). }
      rewrite !none. lra.
    + assert (i : In y (y :: l)) by now left. rewrite <- E in i. apply filter_In in i as [_ i].
      destruct (dD (first_of h y) v) as [e|]; [|easy].
      assert (same_sum : forall u, Pz dD p (first_of h) u v = P p (shown_as u h y)).
      { intros u. apply sum_ext. intros x _. unfold at_, inside, shown_as. subst v.
        destruct (dD (first_of h x) (first_of h y)) as [f|f].
        - apply first_same in f. rewrite f. destruct (u x); simpl; ring.
        - destruct (agree h x y) eqn:g; [destruct f; now apply first_same|].
          destruct (u x); simpl; ring. }
      rewrite !same_sum. apply tell.
  - intros x y e. apply (within_power _ M b x y w e1 M0 dp), ways. apply first_same in e.
    apply agree_distance in e. lia.
Qed.

(** All tables over a product of values: any cell of one can be copied into another, and a table is
    known by its cells. *)
Definition product_of_values := (forall x y, distance x y = 0%nat -> x = y) /\
  forall x y i, exists z, cell i z = cell i y /\ forall j, j <> i -> cell j z = cell j x.

Lemma one_less (f g : I -> bool) i : f i = true -> g i = false ->
  (forall j, j <> i -> g j = f j) -> length (filter f all) = S (length (filter g all)).
Proof.
  intros fi gi others. generalize (@all_once I _) (all_here i). generalize (@all I _).
  induction 1 as [|a l out once IH]; intros here; [easy|]. destruct here as [->|here].
  - cbn [filter]. rewrite fi, gi. simpl. do 2 f_equal. apply filter_ext_in. intros j j_in.
    symmetry. apply others. congruence.
  - assert (ne : a <> i) by congruence. cbn [filter]. rewrite (others a ne).
    destruct (f a); simpl; now rewrite IH.
Qed.

Lemma within_here k x : within k x x. Proof. destruct k; [easy|now left]. Qed.

(** One cell after the other of y is copied into x. *)
Lemma product_step n x y : product_of_values -> distance x y = S n ->
  exists z, distance x z = 1%nat /\ distance z y = n.
Proof.
  intros [_ copy] far.
  destruct (filter (fun i => negb (same i x y)) all) as [|i l] eqn:E.
  { unfold distance in far. now rewrite E in far. }
  assert (here : In i (filter (fun i => negb (same i x y)) all)) by (rewrite E; now left).
  apply filter_In in here as [_ differ]. destruct (copy x y i) as [z [at_i others]].
  assert (zy : same i z y = true) by (unfold same; now destruct (dV (cell i z) (cell i y))).
  assert (xz : same i x z = same i x y) by (unfold same; now rewrite at_i).
  assert (rest : forall j, j <> i -> same j z y = same j x y)
    by (intros j ji; unfold same; now rewrite (others j ji)).
  exists z. split.
  - unfold distance. rewrite (one_less _ (fun _ => false) i); [|now rewrite xz|easy|].
    + f_equal. clear. induction (@all I _); simpl; auto.
    + intros j ji. unfold same. rewrite (others j ji). now destruct (dV (cell j x) (cell j x)).
  - unfold distance in *. rewrite (one_less _ (fun j => negb (same j z y)) i) in far.
    + lia.
    + easy.
    + now rewrite zy.
    + intros j ji. now rewrite rest.
Qed.

Lemma product_joined b : product_of_values -> joined b.
Proof.
  intros every. pose proof every as [known _]. induction b as [|b IH]; intros x y far.
  - apply known. lia.
  - destruct (distance x y) as [|n] eqn:e; [rewrite (known x y e); apply within_here|].
    right. destruct (product_step n x y every e) as [z [one rest]]. exists z.
    split; [easy|]. apply IH. lia.
Qed.

(** Group privacy on all tables over a product (general.group-privacy; bai2026, Section 2.1): the
    level for as many cells as differ.
    Differs: tables are finite; density form. *)
Theorem group_on_product {W} eps (M : D -> W -> R) x y w : per_entry (exp eps) M ->
  product_of_values -> M x w <= exp (INR (distance x y) * eps) * M y w.
Proof.
  intros dp every. rewrite exp_times. remember (distance x y) as n eqn:e. symmetry in e.
  revert x e. induction n as [|n IH]; intros x e; cbn [pow].
  - destruct every as [known _]. rewrite (known x y e). lra.
  - destruct (product_step n x y every e) as [z [one rest]].
    specialize (dp x z w one). specialize (IH z rest).
    apply (Rmult_le_compat_l (exp eps)) in IH; [lra|left; apply exp_pos].
Qed.

(** Group privacy inside any set of tables (general.group-privacy-paths): the level for as many
    changes of one cell as lead from one table to the other.
    Differs: as [group_on_product]. *)
Theorem group_on_paths {W} k eps (M : D -> W -> R) x y w : likelihood M -> 1 <= exp eps ->
  per_entry (exp eps) M -> within k x y -> M x w <= exp (INR k * eps) * M y w.
Proof. intros M0 e1 dp way. rewrite exp_times. now apply (within_power _ M k x y w). Qed.

(** Translation on all tables over a product (bai2026.translate).
    Differs: as [translate_in_tables]. *)
Theorem translate_on_product {W} b eps a level (M : D -> W -> R) pairs priors :
  laws_only priors -> likelihood M -> 1 <= exp eps -> per_entry (exp eps) M ->
  product_of_values -> on_curve b (exp a) pairs priors -> INR b * eps + a <= level ->
  pufferfish (exp level) M pairs priors.
Proof.
  intros L M0 e1 dp every curve le p s t w Hp st Ps Pt.
  pose proof (translate_in_tables b eps a M pairs priors L M0 e1 dp (product_joined b every) curve
    p s t w Hp st Ps Pt) as promise.
  assert (more : exp (INR b * eps + a) <= exp level).
  { destruct le as [less|<-]; [left; now apply exp_increasing|apply Rle_refl]. }
  assert (0 <= P p s * Pw p M t w).
  { apply Rmult_le_pos; [lra|]. apply sum_nonneg. intros x _.
    apply Rmult_le_pos; [now apply inside_nonneg, L|apply M0]. }
  nra.
Qed.
End Curves.
