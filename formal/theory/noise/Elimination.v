(** What a bound of the ratios of a function of records becomes as one record is eliminated: the
    mean over its values grows by what an extreme ray of a cone does. A ray is given by equations
    that connect all values. *)
From Coq Require Import Reals Lra Lia List.
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

Lemma spanned_bound p q B G f : spanned G f ->
  (forall g, In g G -> (Σ y, p y * g y) <= B * Σ y, q y * g y) ->
  (Σ y, p y * f y) <= B * Σ y, q y * f y.
Proof.
  intros [c [c0 E]] low.
  assert (turn : forall k, (Σ y, k y * f y) = sum c (fun kr => fst kr * Σ y, k y * snd kr y)).
  { intros k. rewrite (sum_ext all _ (fun y => sum c (fun kr => fst kr * (k y * snd kr y)))).
    - rewrite sum_swap. apply sum_ext. intros kr _. apply sum_scale.
    - intros y _. rewrite E, <- sum_scale. apply sum_ext. intros; ring. }
  rewrite !turn, <- sum_scale. apply sum_le. intros [k g] i. cbn [fst snd].
  destruct (c0 k g i) as [k0 ig]. specialize (low g ig).
  apply Rle_trans with (k * (B * Σ y, q y * g y)); [now apply Rmult_le_compat_l|right; ring].
Qed.

Lemma rays_enough p q B : rays_grow p q B -> forall f, in_cone f ->
  (Σ y, p y * f y) <= B * Σ y, q y * f y.
Proof.
  intros grow f cf. destruct (extreme_rays_span dec forms) as [G [ext span]].
  apply (spanned_bound p q B G); [now apply span, cone_is|].
  intros g i. now apply grow, extreme_is, ext.
Qed.
End Decided.

(** One record is eliminated (classes.elimination-rays): h and g are a function of its values y,
    at two values u and v of another record and given all others, p and q its probabilities given
    these. A ratio h / g of at most R becomes one of at most R B of the means, if B is as large as
    the quotient of the means of every extreme ray of the cone in which g lies.
    Differs: weights need not be laws; one value of the other records. *)
Theorem elimination (p q h g : Y -> R) bound B : (forall y, 0 <= p y) -> (forall y, 0 <= h y) ->
  (forall y, h y <= bound * g y) -> in_cone g -> rays_grow p q B ->
  (Σ y, p y * h y) <= bound * B * Σ y, q y * g y.
Proof.
  intros p0 h0 le cone grow.
  assert (mean : (Σ y, p y * h y) <= bound * Σ y, p y * g y).
  { rewrite <- sum_scale. apply sum_le. intros y _.
    replace (bound * (p y * g y)) with (p y * (bound * g y)) by ring.
    now apply Rmult_le_compat_l. }
  destruct (Rle_lt_dec 0 bound) as [R0|neg].
  - apply (Rle_trans _ _ _ mean). rewrite Rmult_assoc. apply Rmult_le_compat_l; [easy|].
    exact (rays_enough (fun x y => Compactness.decision (x = y)) p q B grow g cone).
  - assert (none : forall y, g y = 0).
    { intros y. destruct (proj1 cone y) as [pos|]; [|easy]. specialize (le y). specialize (h0 y).
      pose proof (Rmult_lt_compat_r (g y) bound 0 pos neg). lra. }
    assert (zero : forall k : Y -> R, (Σ y, k y * g y) = 0).
    { intros k. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
      intros y _. rewrite none. ring. }
    rewrite !zero in *. lra.
Qed.

(** Values are connected: what the two values of each pair have in common, all have. *)
Definition connects (e : Y -> Y -> Prop) := forall T : Y -> bool,
  (forall a b, e a b -> T a = T b) -> forall a b, T a = T b.
Definition equation (f : Y -> R) a b := f a = r a b * f b.
(** Equations f(a) = r(a, b) f(b) with a among the values of S, and b not among them, connect all
    values. *)
Definition from_one_side f := exists S : Y -> bool,
  connects (fun a b => S a = true /\ S b = false /\ equation f a b).

Lemma positive_in_cone f : in_cone f -> (exists y, f y <> 0) -> forall y, 0 < f y.
Proof.
  intros [f0 each] [a some] b. destruct (f0 b) as [pos|z]; [easy|]. destruct some.
  specialize (each a b). rewrite <- z in each. specialize (f0 a). lra.
Qed.

(** A step that is small enough for each of finitely many bounds. *)
Lemma small_step {A} (l : list A) (ok : A -> R -> Prop) :
  (forall z, exists e, 0 < e /\ forall d, 0 < d <= e -> ok z d) ->
  exists e, 0 < e < 1 /\ forall z, In z l -> ok z e.
Proof.
  intros each. assert (far : exists e, 0 < e /\ forall d, 0 < d <= e -> forall z, In z l -> ok z d).
  { induction l as [|z l [e [e0 small]]]; [exists 1; split; [lra|easy]|].
    destruct (each z) as [e' [e0' small']]. exists (Rmin e e'). split; [now apply Rmin_glb_lt|].
    intros d [d0 le] x [<-|i].
    - apply small'. split; [easy|]. eapply Rle_trans; [exact le|apply Rmin_r].
    - apply small; [|easy]. split; [easy|]. eapply Rle_trans; [exact le|apply Rmin_l]. }
  destruct far as [e [e0 small]]. exists (Rmin e (1/2)).
  pose proof (Rmin_l e (1/2)). pose proof (Rmin_r e (1/2)).
  assert (0 < Rmin e (1/2)) by (apply Rmin_glb_lt; lra). split; [lra|]. now apply small.
Qed.

(** A member of the cone is an extreme ray if and only if its equations connect all values
    (classes.elimination-rays).
    Differs: equations that connect all values, instead of a spanning tree of them. *)
Theorem ray_connected f : ray f <-> in_cone f /\ (exists y, f y <> 0) /\ connects (equation f).
Proof.
  split.
  - intros [cone [some split_]]. repeat (split; [easy|]). intros T same a b.
    pose proof (positive_in_cone f cone some) as pos. destruct cone as [f0 each].
    destruct (Bool.bool_dec (T a) (T b)) as [|no]; [easy|exfalso].
    destruct (small_step (list_prod all all) (fun ab e => T (fst ab) <> T (snd ab) ->
      (1 + e) * f (fst ab) <= r (fst ab) (snd ab) * f (snd ab) /\
      f (fst ab) <= (1 - e) * (r (fst ab) (snd ab) * f (snd ab)))) as [e [[e0 e1] small]].
    { intros [x y]; cbn [fst snd]. specialize (each x y). pose proof (pos x) as px.
      destruct (Bool.bool_dec (T x) (T y)) as [E|ne]; [exists 1; split; [lra|easy]|].
      assert (lt : f x < r x y * f y).
      { destruct each as [lt|E]; [easy|]. destruct ne. now apply same. }
      set (m := r x y * f y) in *. exists (1 - f x / m).
      assert (m0 : 0 < m) by lra.
      assert (below : f x / m < 1) by (apply (Rmult_lt_reg_r m); [easy|]; unfold Rdiv;
        rewrite Rmult_assoc, Rinv_l; lra).
      split; [lra|]. intros d [d0 le] _.
      assert (key : f x <= (1 - d) * m).
      { apply Rle_trans with (f x / m * m); [right; field; lra|].
        apply Rmult_le_compat_r; lra. }
      split; [|easy]. assert (d < 1).
      { apply Rle_lt_trans with (1 - f x / m); [easy|].
        assert (0 < f x / m) by (apply Rdiv_lt_0_compat; lra). lra. }
      apply Rle_trans with ((1 + d) * ((1 - d) * m)); [apply Rmult_le_compat_l; lra|].
      assert (0 <= d * d * m) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra. }
    assert (near : forall s, s = e \/ s = - e ->
      in_cone (fun y => (if T y then (1 + s) / 2 else 1 / 2) * f y)).
    { intros s E. split; [intros y; apply Rmult_le_pos; [|easy]; destruct (T y); lra|].
      intros x y. pose proof (small (x, y) (in_prod _ _ _ _ (all_here x) (all_here y))) as sm.
      cbn [fst snd] in sm. specialize (each x y). pose proof (pos x). pose proof (pos y).
      destruct (T x) eqn:Tx, (T y) eqn:Ty.
      - assert (0 <= (1 + s) / 2) by lra.
        apply Rle_trans with ((1 + s) / 2 * (r x y * f y)); [now apply Rmult_le_compat_l|lra].
      - destruct sm as [up down]; [easy|]. destruct E; subst s; [lra|].
        assert (0 <= e * f x) by (apply Rmult_le_pos; lra). lra.
      - destruct sm as [up down]; [easy|]. assert (0 <= e * (r x y * f y)).
        { apply Rmult_le_pos; lra. }
        destruct E; subst s; lra.
      - lra. }
    destruct (split_ _ _ (near e (or_introl eq_refl)) (near (- e) (or_intror eq_refl)))
      as [k [_ E]]; [intros y; destruct (T y); field|].
    pose proof (E a) as Ea. pose proof (E b) as Eb.
    apply Rmult_eq_reg_r in Ea; [|pose proof (pos a); lra].
    apply Rmult_eq_reg_r in Eb; [|pose proof (pos b); lra].
    destruct (T a), (T b); congruence || lra.
  - intros [cone [some con]]. split; [easy|]. split; [easy|]. intros u v cu cv E.
    pose proof (positive_in_cone f cone some) as pos. destruct some as [o _].
    exists (u o / f o). split.
    { apply Rmult_le_pos; [apply cu|]. left. apply Rinv_0_lt_compat, pos. }
    assert (same : forall a b, equation f a b -> u a / f a = u b / f b).
    { unfold equation. intros a b eq. destruct cu as [u0 eu], cv as [v0 ev].
      specialize (eu a b). specialize (ev a b). pose proof (pos a). pose proof (pos b).
      assert (ua : u a = r a b * u b) by (rewrite (E a), (E b) in eq; lra).
      assert (r a b <> 0) by (intros z; rewrite z in eq; lra).
      rewrite ua, eq. field. split; [lra|easy]. }
    intros y. pose proof (con (fun x => if Req_EM_T (u x / f x) (u o / f o) then true else false))
      as all_same.
    specialize (all_same (fun a b e => eq_ind_r (fun z => (if Req_EM_T z _ then true else false) =
      _) eq_refl (same a b e)) y o). cbv beta in all_same.
    destruct (Req_EM_T (u y / f y)) as [<-|no]; [pose proof (pos y); field; lra|].
    destruct (Req_EM_T (u o / f o)); [discriminate|contradiction].
Qed.

Lemma numbered (l : list Y) : exists place : Y -> nat,
  forall a b, In a l -> In b l -> place a = place b -> a = b.
Proof.
  induction l as [|z l [place one]]; [exists (fun _ => 0%nat); intros ? ? []|].
  exists (fun y => if Compactness.decision (y = z) then 0%nat else S (place y)).
  intros a b ia ib. destruct (Compactness.decision (a = z)) as [->|na],
    (Compactness.decision (b = z)) as [->|nb]; try easy.
  intros E. injection E as E. destruct ia as [<-|ia]; [easy|]. destruct ib as [<-|ib]; [easy|].
  now apply one.
Qed.

Lemma least_below (lt : Y -> Y -> Prop) : (forall a, ~ lt a a) ->
  (forall a b c, lt a b -> lt b c -> lt a c) ->
  forall y, exists s, (s = y \/ lt s y) /\ forall z, ~ lt z s.
Proof.
  intros none trans y. assert (found : forall l, exists s, (s = y \/ lt s y) /\
    forall z, In z l -> ~ lt z s).
  { induction l as [|z l [s [le low]]]; [exists y; split; [now left|intros ? []]|].
    destruct (Compactness.decision (lt z s)) as [zs|no].
    - exists z. split; [right; destruct le as [<-|le]; [easy|now apply (trans _ s)]|].
      intros x [<-|i]; [apply none|]. intros xz. apply (low x i). now apply (trans _ z).
    - exists s. split; [easy|]. intros x [<-|i]; [easy|now apply low]. }
  destruct (found all) as [s [le low]]. exists s. split; [easy|]. intros z. apply low, all_here.
Qed.

(** Of what connects all values, and leads from a to c if from a to b and from b to c, enough is
    left if it leads from values of one side only. *)
Lemma one_side (e : Y -> Y -> Prop) : (forall a b c, e a b -> e b c -> e a c) -> connects e ->
  exists S : Y -> bool, connects (fun a b => S a = true /\ S b = false /\ e a b).
Proof.
  intros trans con. destruct (numbered all) as [place one].
  set (lt a b := e a b /\ (e b a -> (place a < place b)%nat)).
  destruct (Compactness.decision (forall y, exists s, (s = y \/ lt s y) /\ forall z, ~ lt z s))
    as [roots|no].
  2: { destruct no. apply least_below.
    - intros a [aa le]. specialize (le aa). lia.
    - intros a b c [ab le] [bc le']. split; [now apply (trans _ b)|]. intros ca.
      assert (e b a) by now apply (trans _ c). assert (e c b) by now apply (trans _ a).
      specialize (le H0). specialize (le' H1). lia. }
  exists (fun a => if Compactness.decision (forall z, ~ lt z a) then true else false).
  intros T same. apply con.
  assert (down : forall s y, (forall z, ~ lt z s) -> e s y -> T s = T y).
  { intros s y top sy. destruct (Compactness.decision (forall z, ~ lt z y)) as [topy|no].
    - f_equal. apply one; try apply all_here. destruct (Nat.lt_trichotomy (place s) (place y))
        as [l|[E|l]]; [|easy|].
      + destruct (topy s). now split.
      + destruct (Compactness.decision (e y s)) as [ys|no]; [|destruct (topy s); now split].
        destruct (top y). now split.
    - apply same. destruct (Compactness.decision (forall z, ~ lt z s)); [|contradiction].
      destruct (Compactness.decision (forall z, ~ lt z y)); [contradiction|]. easy. }
  intros a b ab. destruct (roots a) as [s [[->|[sa _]] top]].
  - now apply down.
  - rewrite <- (down s a top sa). apply down; [easy|]. now apply (trans _ a).
Qed.

(** An extreme ray is given by equations between two sides (classes.elimination-rays): if
    r(a, c) <= r(a, b) r(b, c), its equations f(a) = r(a, b) f(b) with a on one side and b on the
    other connect all values.
    Differs: equations that connect all values, instead of a spanning tree of them. *)
Theorem rays_from_one_side f : (forall a b c, r a c <= r a b * r b c) -> ray f ->
  from_one_side f.
Proof.
  intros triangle rf. apply ray_connected in rf as [[f0 each] [_ con]].
  apply one_side; [|easy]. unfold equation. intros a b c ab bc. apply Rle_antisym; [apply each|].
  rewrite ab, bc, <- Rmult_assoc. apply Rmult_le_compat_r; [apply f0|apply triangle].
Qed.
End Elimination.
