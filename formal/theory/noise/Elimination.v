(** What a bound of the ratios of a function of records becomes as one record is eliminated: the
    mean
    over its values grows by what an extreme ray of a cone does. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Compactness Worst Rays.
Import ListNotations.
Open Scope R_scope.

Section Elimination.
Context {Y : Type} `{Finite Y}.
Variable r : Y -> Y -> R.

(** Functions f >= 0 with f(a) <= r(a, b) f(b), and the rays of this cone that are no sums of
    others. *)
Definition in_cone (f : Y -> R) := (forall y, 0 <= f y) /\ forall a b, f a <= r a b * f b.
Definition ray (f : Y -> R) := in_cone f /\ (exists y, f y <> 0) /\
  forall u v, in_cone u -> in_cone v -> (forall y, f y = u y + v y) ->
    exists k, 0 <= k /\ forall y, u y = k * f y.
Definition rays_grow (p q : Y -> R) B := forall f, ray f -> (Σ y, p y * f y) <= B * Σ y, q y * f y.

Section Decided.
Variable dec : forall x y : Y, {x = y} + {x <> y}.
Definition form ab (y : Y) : R := unit_ray dec (fst ab) y - r (fst ab) (snd ab) * unit_ray dec
  (snd ab) y.
Definition forms := map form (list_prod all all).

Lemma unit_sum y (f : Y -> R) : (Σ x, unit_ray dec y x * f x) = f y.
Proof.
  unfold unit_ray. generalize (@all_once Y _) (@all_here Y _ y). generalize (@all Y _).
  induction 1 as [|x l nx nl IH]; simpl; [easy|]. intros [->|i].
  - destruct (dec y y); [|congruence]. rewrite (sum_ext l _ (fun _ => 0)); [rewrite sum_0; ring|].
    intros z iz. destruct (dec z y); [subst; contradiction|ring].
  - destruct (dec x y) as [->|]; [contradiction|]. rewrite IH by easy. ring.
Qed.

Lemma form_is a b f : inner (form (a, b)) f = f a - r a b * f b.
Proof.
  unfold inner, form; cbn [fst snd].
  rewrite (sum_ext all _ (fun x => unit_ray dec a x * f x + - r a b * (unit_ray dec b x * f x)))
    by (intros; ring).
  rewrite sum_plus, sum_scale, !unit_sum. ring.
Qed.

Lemma cone_is f : within forms f <-> in_cone f.
Proof.
  unfold within, in_cone, forms. split; intros [f0 each]; (split; [easy|]).
  - intros a b. specialize (each (form (a, b))). rewrite form_is in each.
    assert (In (form (a, b)) (map form (list_prod all all))) as i
      by (apply in_map, in_prod; apply all_here).
    specialize (each i). lra.
  - intros g i. apply in_map_iff in i as [[a b] [<- _]]. rewrite form_is. specialize (each a b).
    lra.
Qed.

Lemma extreme_is f : extreme forms f <-> ray f.
Proof.
  unfold extreme, ray. rewrite cone_is. split; intros [c [some split_]]; (split; [easy|split;
    [easy|]]);
    intros u v cu cv; apply split_; now apply cone_is.
Qed.

Lemma rays_enough p q B : rays_grow p q B -> forall f, in_cone f ->
  (Σ y, p y * f y) <= B * Σ y, q y * f y.
Proof.
  intros grow f cf. destruct (extreme_rays_span dec forms) as [G [ext span]].
  destruct (span f (proj2 (cone_is f) cf)) as [c [c0 E]].
  set (d y := p y - B * q y).
  assert (low : forall g, ray g -> (Σ y, d y * g y) <= 0).
  { intros g rg. specialize (grow g rg). unfold d.
    rewrite (sum_ext all _ (fun y => p y * g y + - B * (q y * g y))) by (intros; ring).
    rewrite sum_plus, sum_scale. lra. }
  assert (all_ : (Σ y, d y * f y) <= 0).
  { rewrite (sum_ext all _ (fun y => sum c (fun kr => fst kr * (d y * snd kr y)))).
    - rewrite sum_swap. apply Rle_trans with (sum c (fun _ => 0)); [|right; apply sum_0].
      apply sum_le. intros [k g] i. cbn [fst snd]. destruct (c0 k g i) as [k0 ig].
      rewrite sum_scale. pose proof (low g (proj1 (extreme_is g) (ext g ig))).
      assert (0 <= k * - (Σ y, d y * g y)) by (apply Rmult_le_pos; lra). lra.
    - intros y _. rewrite E, <- sum_scale. apply sum_ext. intros; ring. }
  unfold d in all_.
  rewrite (sum_ext all _ (fun y => p y * f y + - B * (q y * f y))) in all_ by (intros; ring).
  rewrite sum_plus, sum_scale in all_. lra.
Qed.
End Decided.

(** One record is eliminated (classes.elimination-rays): h and g are a function of its values y,
    at two
    values
    u and v of another record and given all others, p and q its probabilities given these. A ratio
    h / g of at most R becomes one of at most R B of the means, if B is as large as the quotient
      of the
    means of every extreme ray of the cone in which g lies.
    Differs: weights need not be laws; one value of the other records. *)
Theorem elimination (p q h g : Y -> R) bound B : (forall y, 0 <= p y) -> 0 <= bound ->
  (forall y, h y <= bound * g y) -> in_cone g -> rays_grow p q B ->
  (Σ y, p y * h y) <= bound * B * Σ y, q y * g y.
Proof.
  intros p0 R0 le cone grow.
  pose proof (rays_enough (fun x y => Compactness.decision (x = y)) p q B grow g cone) as mean.
  apply Rle_trans with (bound * Σ y, p y * g y).
  - rewrite <- sum_scale. apply sum_le. intros y _.
    replace (bound * (p y * g y)) with (p y * (bound * g y)) by ring.
    now apply Rmult_le_compat_l.
  - rewrite Rmult_assoc. now apply Rmult_le_compat_l.
Qed.
End Elimination.
