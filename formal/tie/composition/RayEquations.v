(** How extreme rays of cones are decided on tables of rationals: what they span by inequalities,
    and of a cone of bounded ratios bounds at them at generators, and what they are by their
    equations. *)
From Coq Require Import Reals QArith Qreals Lra List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Worst Rays RaysSpan Elimination.
From Tied Require Import Decide Entries Pairs Vertices.
Import ListNotations.
Open Scope R_scope.

(** All sets of members of fin n, as lists of booleans. *)
Fixpoint subsets n : list (list bool) := match n with
  | O => [[]]
  | S n => flat_map (fun l => [true :: l; false :: l]) (subsets n) end.
Definition subset {n} (l : list bool) (x : fin n) : bool := nth (rank x) l false.

Lemma each_subset n (T : fin n -> bool) : exists l, In l (subsets n) /\ T = subset l.
Proof.
  induction n as [|n IH].
  - exists []. split; [now left|]. apply functional_extensionality. intros [].
  - destruct (IH (fun x => T (Some x))) as [l [i E]]. exists (T None :: l). split.
    + apply in_flat_map. exists l. split; [easy|]. destruct (T None); simpl; auto.
    + apply functional_extensionality. intros [x|]; [|easy].
      apply (f_equal (fun f => f x)) in E. exact E.
Qed.

#[export] Instance d_every_subset n (P : (fin n -> bool) -> Prop) b :
  (forall l, decided (P (subset l)) (b l)) ->
  decided (forall T : fin n -> bool, P T) (forallb b (subsets n)) | 0.
Proof.
  intros d. unfold decided. rewrite forallb_forall. split.
  - intros h T. destruct (each_subset n T) as [l [i ->]]. now apply d, h.
  - intros h l _. now apply d.
Qed.
#[export] Instance d_some_subset n (P : (fin n -> bool) -> Prop) b :
  (forall l, decided (P (subset l)) (b l)) ->
  decided (exists T : fin n -> bool, P T) (existsb b (subsets n)) | 0.
Proof.
  intros d. unfold decided. rewrite existsb_exists. split.
  - intros [l [_ h]]. exists (subset l). now apply d.
  - intros [T h]. destruct (each_subset n T) as [l [i ->]]. exists l. split; [easy|]. now apply d.
Qed.

#[export] Hint Extern 0 (decided (connects _) _) => unfold connects : typeclass_instances.
#[export] Hint Extern 0 (decided (from_one_side _ _) _) => unfold from_one_side, equation :
  typeclass_instances.
#[export] Hint Extern 0 (decided (in_cone _ _) _) => unfold in_cone : typeclass_instances.
#[export] Instance d_some n (P : fin n -> Prop) b : (forall x, decided (P x) (b x)) ->
  decided (exists x, P x) (existsb b all) | 1.
Proof.
  intros d. unfold decided. rewrite existsb_exists. split.
  - intros [x [_ h]]. exists x. now apply d.
  - intros [x h]. exists x. split; [apply all_here|now apply d].
Qed.
#[export] Instance d_ray n (r : fin n -> fin n -> R) f b :
  decided (in_cone r f /\ (exists y, f y <> 0) /\ connects (fun a b => f a = r a b * f b)) b ->
  decided (ray r f) b | 0.
Proof. unfold decided. now rewrite ray_connected. Qed.

(** Generators of a cone, each once and with the sum 1: few where many inequalities cut it. *)
Section Pruned.
Context {n : nat}.
Definition column_dec : forall g h : column, {g = h} + {g <> h}.
Proof. apply list_eq_dec. decide equality; [apply Pos.eq_dec|apply Z.eq_dec]. Defined.
Definition normal (g : column) : column :=
  let s := qsum (all : list (fin n)) (fun x => entry g (rank x)) in
  if Qle_bool s 0 then g else tabled (fun x : fin n => Qred (entry g (rank x) * / s)).
Definition pruned a G := nodup column_dec (map normal (cut_ (n := n) a G)).
Definition few_generators forms := fold_right pruned (units (n := n)) forms.

Lemma normal_scaled g : exists k, 0 < k /\
  (law_of (normal g) : fin n -> R) = fun x => k * law_of g x.
Proof.
  unfold normal. set (s := qsum _ _). destruct (Qle_bool s 0) eqn:e.
  - exists 1. split; [lra|]. apply functional_extensionality. intros x. ring.
  - assert (s0 : (0 < s)%Q) by (apply Qnot_le_lt; rewrite <- Qle_bool_iff; congruence).
    exists (Q2R (/ s)). split.
    + rewrite <- RMicromega.Q2R_0. apply Qlt_Rlt. now apply Qinv_lt_0_compat.
    + rewrite law_tabled. apply functional_extensionality. intros x.
      rewrite red, Q2R_mult, Rmult_comm. easy.
Qed.

Lemma pruned_spans a G u : spanned (cut (law_of a : fin n -> R) (map law_of G)) u ->
  spanned (map law_of (pruned a G)) u.
Proof.
  rewrite cut_tables. apply spanned_trans. intros g i. apply in_map_iff in i as [l [<- i]].
  destruct (normal_scaled l) as [k [k0 E]].
  apply (spanned_ext _ (fun x => / k * law_of (normal l) x)).
  - intros x. rewrite E. field. lra.
  - apply spanned_scale; [left; now apply Rinv_0_lt_compat|]. apply spanned_member, in_map.
    apply nodup_In. now apply in_map.
Qed.

Lemma few_generated forms :
  (forall g, In g (few_generators forms) ->
    within (map law_of forms) (law_of g : fin n -> R)) /\
  forall u : fin n -> R, within (map law_of forms) u ->
    spanned (map law_of (few_generators forms)) u.
Proof.
  induction forms as [|a forms [inside spans]].
  - pose proof (generated (fin_dec n) []) as [ins sp]. cbn [map few_generators fold_right] in *.
    pose proof (generators_tables (n := n) []) as same. cbn [map generators_ fold_right] in same.
    rewrite same in ins, sp. split; [|easy]. intros g i. apply ins. now apply in_map.
  - cbn [map few_generators fold_right] in *. fold (few_generators forms) in *. split.
    + intros g i. apply nodup_In, in_map_iff in i as [l [<- i]].
      destruct (normal_scaled l) as [k [k0 ->]].
      assert (j : In (law_of l : fin n -> R) (cut (law_of a) (map law_of (few_generators forms)))).
      { rewrite cut_tables. now apply in_map. }
      apply cut_within in j as [span low].
      assert (w : within (law_of a :: map law_of forms) (law_of l : fin n -> R)).
      { destruct span as [c [c0 E]]. split.
        - intros x. rewrite E. apply sum_nonneg. intros [m r] j. destruct (c0 m r j) as [m0 ir].
          apply in_map_iff in ir as [t [<- it]]. apply Rmult_le_pos; [easy|]. now apply inside.
        - intros b [<-|ib]; [easy|].
          rewrite (functional_extensionality (law_of l) _ E), inner_sum, <- (sum_0 c).
          apply sum_le. intros [m r] j. destruct (c0 m r j) as [m0 ir].
          apply in_map_iff in ir as [t [<- it]]. cbn [fst snd]. rewrite inner_scale.
          destruct (inside t it) as [_ each]. specialize (each b ib).
          apply (Rmult_le_compat_l m) in each; lra. }
      destruct w as [w0 each]. split.
      * intros x. apply Rmult_le_pos; [lra|apply w0].
      * intros b ib. rewrite inner_scale. specialize (each b ib).
        apply (Rmult_le_compat_l k) in each; lra.
    + intros u [u0 each]. apply pruned_spans, cut_spans; [|apply each; now left].
      apply spans. split; [easy|]. intros b ib; apply each; now right.
Qed.
End Pruned.

Section Generators.
Context {n : nat} (r : fin n -> fin n -> R) (rq : fin n -> fin n -> Q).
Hypothesis same : forall a b, rational (r a b) (rq a b).
Definition one_at (a y : fin n) : Q := if fin_dec n y a then 1%Q else 0%Q.
Definition ratio_forms : list column := map (fun ab => tabled (fun y =>
  Qred (one_at (fst ab) y - rq (fst ab) (snd ab) * one_at (snd ab) y))) (list_prod all all).

Lemma ratio_forms_are : Elimination.forms r (fin_dec n) = map law_of ratio_forms.
Proof.
  unfold Elimination.forms, ratio_forms. rewrite map_map. apply map_ext. intros [a b].
  rewrite law_tabled. apply functional_extensionality. intros y. unfold form; cbn [fst snd].
  rewrite red, Q2R_minus, Q2R_mult, <- (same a b : r a b = _). unfold unit_ray, one_at.
  destruct (fin_dec n y a), (fin_dec n y b); rewrite <- ?(r_0 : 0 = _), <- ?(r_1 : 1 = _);
    easy.
Qed.

Lemma d_grow p q B pq qq Bq : (forall y, rational (p y) (pq y)) ->
  (forall y, rational (q y) (qq y)) -> rational B Bq ->
  decided (rays_grow r p q B) (forallb (fun g =>
    Qle_bool (qsum all (fun y : fin n => Qred (pq y * entry g (rank y))))
      (Qred (Bq * qsum all (fun y : fin n => Qred (qq y * entry g (rank y))))))
    (few_generators (n := n) ratio_forms)).
Proof.
  intros ep eq eB. unfold decided. rewrite forallb_forall.
  destruct (few_generated (n := n) ratio_forms) as [inside spans]. rewrite <- ratio_forms_are in *.
  assert (each : forall g, Qle_bool (qsum all (fun y : fin n => Qred (pq y * entry g (rank y))))
      (Qred (Bq * qsum all (fun y : fin n => Qred (qq y * entry g (rank y))))) = true <->
    (Σ y, p y * (law_of g : fin n -> R) y) <= B * Σ y, q y * (law_of g : fin n -> R) y).
  { intros g. apply d_le; [|apply r_mult; [easy|]]; apply r_sum; intros y; now apply r_mult. }
  split.
  - intros h f [cone _]. apply (cone_is r (fin_dec n)), spans in cone.
    apply (spanned_bound p q B _ f cone). intros g i.
    apply in_map_iff in i as [l [<- i]]. now apply each, h.
  - intros grow g i. apply each. apply (rays_enough r (fin_dec n)); [easy|].
    now apply (cone_is r (fin_dec n)), inside.
Qed.
End Generators.
#[export] Instance d_rays_grow n (r : fin n -> fin n -> R) rq p q B pq qq Bq :
  (forall a b, rational (r a b) (rq a b)) -> (forall y, rational (p y) (pq y)) ->
  (forall y, rational (q y) (qq y)) -> rational B Bq -> decided (rays_grow r p q B) _ | 0 :=
  fun er => d_grow r rq er p q B pq qq Bq.

#[export] Instance d_spanned_by_rays {Z D} `{Finite Z} `{Finite D} (A : Z -> D -> R) u b :
  decided ((forall x, 0 <= u x) /\ forall z, (Σ x, A z x * u x) <= 0) b ->
  decided (spanned_by_rays A u) b | 0.
Proof. unfold decided. now rewrite rays_span, RaysSpan.cone_is. Qed.
