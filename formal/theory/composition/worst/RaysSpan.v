(** A cone of finitely many inequalities has finitely many extreme rays up to factors, and is what
    they span. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Compactness Worst Rays.
Import ListNotations.
Open Scope R_scope.

Section Span.
Context {Z D : Type} `{Finite Z} `{Finite D} (A : Z -> D -> R).

Definition cone := within (map A all).
Definition cone_ray := extreme (map A all).
(** Finitely many extreme rays, of which each extreme ray is a multiple, have u as a sum with
    weights that are not negative. *)
Definition spanned_by_rays (u : D -> R) := exists G, (forall g, In g G -> cone_ray g) /\
  (forall r, cone_ray r -> exists g k, In g G /\ 0 < k /\ forall x, r x = k * g x) /\ spanned G u.

Lemma cone_is u : cone u <-> (forall x, 0 <= u x) /\ forall z, (Σ x, A z x * u x) <= 0.
Proof.
  unfold cone, within. split; intros [u0 each]; (split; [easy|]).
  - intros z. apply (each (A z)), in_map, all_here.
  - intros a i. apply in_map_iff in i as [z [<- _]]. apply each.
Qed.

Lemma spanned_inside G u : (forall g, In g G -> cone g) -> spanned G u -> cone u.
Proof.
  intros inside [c [c0 E]]. split.
  - intros x. rewrite E. apply sum_nonneg. intros [k r] j. destruct (c0 k r j) as [k0 i].
    apply Rmult_le_pos; [easy|]. now apply inside.
  - intros a ia. assert (same : inner a u = inner a (fun x => sum c (fun kr => fst kr * snd kr x))).
    { unfold inner. apply sum_ext; intros x _. now rewrite E. }
    rewrite same, inner_sum, <- (sum_0 c). apply sum_le. intros [k r] j. cbn [fst snd].
    destruct (c0 k r j) as [k0 i]. rewrite inner_scale. destruct (inside r i) as [_ each].
    specialize (each a ia). apply (Rmult_le_compat_l k) in each; lra.
Qed.

Lemma ray_among G r : (forall g, In g G -> cone_ray g) -> cone_ray r -> spanned G r ->
  exists g k, In g G /\ 0 < k /\ forall x, r x = k * g x.
Proof.
  intros rays [inside [[x0 some] split_]] [c [c0 E]].
  assert (pos : 0 < sum c (fun kr => fst kr * snd kr x0)).
  { rewrite <- E. destruct (proj1 inside x0) as [|no]; [easy|]. now destruct some. }
  apply sum_pos_exists in pos as [[k g] [i pos]]. cbn [fst snd] in pos.
  destruct (c0 k g i) as [k0 ig]. destruct (in_split _ _ i) as [c1 [c2 parts]].
  assert (kpos : 0 < k) by (destruct k0 as [|<-]; [easy|lra]).
  destruct (rays g ig) as [wg _].
  set (rest := fun x => sum (c1 ++ c2) (fun kr => fst kr * snd kr x)).
  destruct (split_ (fun x => k * g x) rest) as [m [m0 F]].
  - apply (spanned_inside [g]); [now intros ? [<-|[]]|].
    apply spanned_scale; [easy|]. apply spanned_member. now left.
  - apply (spanned_inside G); [intros h ih; now apply rays|].
    exists (c1 ++ c2). split; [|easy]. intros l h j. apply c0. rewrite parts.
    apply in_app_iff in j. apply in_app_iff; simpl. tauto.
  - intros x. rewrite E, parts. unfold rest. rewrite !sum_app. simpl. ring.
  - assert (mpos : 0 < m).
    { destruct m0 as [|z]; [easy|]. exfalso. specialize (F x0). rewrite <- z in F. lra. }
    exists g, (k / m). split; [easy|]. split; [now apply Rdiv_lt_0_compat|].
    intros x. specialize (F x). apply (Rmult_eq_reg_l m); [|lra]. rewrite <- F. field. lra.
Qed.

(** Minkowski (worst.rays-span): every vector of a cone {u >= 0 : A u <= 0} is a finite sum of
    extreme rays of it, and there are finitely many extreme rays up to scale. No other vector is.
    Differs: textbook; cones of vectors without negative entries. *)
Theorem rays_span u : spanned_by_rays u <-> cone u.
Proof.
  split.
  - intros [G [rays [_ span]]]. apply (spanned_inside G); [|easy]. intros g i. now apply rays.
  - intros inside. destruct (extreme_rays_span (fun x y => decision (x = y)) (map A all))
      as [G [rays spans]].
    exists G. split; [easy|]. split; [|now apply spans].
    intros r ray. apply (ray_among G r rays ray). apply spans, ray.
Qed.
End Span.
