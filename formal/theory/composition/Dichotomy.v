(** worst.dichotomy, the second half: if a secret has two possible databases,
    two mechanisms that leak nothing each leak
    everything together. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt.
Import ListNotations.
Open Scope R_scope.

Section Dichotomy.
Context {D : Type} `{Finite D} (dec : forall x y : D, {x = y} + {x <> y}).
Context (p : D -> R) (s t : @secret D).
Hypotheses (Lp : law p) (apart : forall x, s x = true -> t x = false).

(** The column that is possible for x and y only, weighted so that it says nothing about s against
    t. *)
Definition only x y z := P p s * p y * (if dec z x then 1 else 0) + P p t * p x *
  (if dec z y then 1 else 0).
Definition reveals x y z (w : bool) := if w then only x y z else 1 - only x y z.

Lemma P_le_1 u : 0 <= P p u <= 1.
Proof.
  destruct Lp as [p0 p1]. split; [now apply P_nonneg|]. rewrite <- p1. apply sum_le; intros z _.
  unfold inside; specialize (p0 z); destruct (u z); lra.
Qed.

Lemma p_le_1 z : 0 <= p z <= 1.
Proof. destruct Lp as [p0 p1]; split; auto. rewrite <- p1. apply sum_member; auto. apply all_here.
Qed.

Lemma reveals_kernel x y : x <> y -> kernel (reveals x y).
Proof.
  intros ne z. assert (b : 0 <= only x y z <= 1).
  { pose proof (P_le_1 s); pose proof (P_le_1 t); pose proof (p_le_1 x); pose proof (p_le_1 y).
  unfold only.
    destruct (dec z x), (dec z y); try (subst; contradiction); nra. }
  split; [intros []; simpl; lra|]. unfold reveals; cbn -[IZR]; lra.
Qed.

Lemma only_sums u x y : Pw p (reveals x y) u true = P p s * p y * inside p u x + P p t * p x *
  inside p u y.
Proof.
  unfold Pw, reveals, only.
  rewrite (sum_ext all _ (fun z => P p s * p y * (inside p u z * (if dec z x then 1 else 0)) +
                                   P p t * p x * (inside p u z * (if dec z y then 1 else 0))))
                                     by (intros; ring).
  now rewrite sum_plus, !sum_scale, !pick.
Qed.

Lemma other_column u x y : Pw p (reveals x y) u false = P p u - Pw p (reveals x y) u true.
Proof.
  assert (Pw p (reveals x y) u false + Pw p (reveals x y) u true = P p u); [|lra].
  unfold Pw; rewrite <- sum_plus. apply sum_ext; intros; unfold reveals; ring.
Qed.

Definition both_orders u v := u = s /\ v = t \/ u = t /\ v = s.
Definition one_order (u v : @secret D) := u = s /\ v = t.

Lemma reveals_nothing x y : s x = true -> t y = true ->
  pufferfish 1 (reveals x y) both_orders (eq p).
Proof.
  intros sx ty q u v w <- uv _ _. pose proof (apart x sx) as tx.
  assert (sy : s y = false) by (destruct (s y) eqn:E; [rewrite (apart y E) in ty;
    discriminate|easy]).
  pose proof (only_sums s x y) as S; pose proof (only_sums t x y) as T.
  unfold inside in S, T. rewrite sx, sy in S. rewrite tx, ty in T.
  destruct uv as [[-> ->]|[-> ->]], w; rewrite ?other_column, ?S, ?T; right; ring.
Qed.

(** Half of the dichotomy (worst.dichotomy): if a secret has two possible databases, two mechanisms
    that leak nothing each leak everything together, of the other secret against it.
    Differs: one prior and one pair of disjoint secrets; databases are finite. *)
Theorem two_databases_collapse x y y' :
  s x = true -> t y = true -> t y' = true -> y <> y' -> 0 < p x -> 0 < p y -> 0 < p y' ->
  exists M N : D -> bool -> R,
    kernel M /\ kernel N /\ pufferfish 1 M both_orders (eq p) /\
      pufferfish 1 N both_orders (eq p) /\
    forall r, ~ pufferfish r (both M N) one_order (eq p).
Proof.
  intros sx ty ty' ne px py py'. pose proof (apart x sx) as tx.
  assert (x <> y) by congruence. assert (x <> y') by congruence.
  exists (reveals x y), (reveals x y'). repeat split; try (now apply reveals_kernel);
    try (now apply reveals_nothing).
  intros r promise.
  assert (Ps : 0 < P p s).
  { apply Rlt_le_trans with (1 := px). replace (p x) with (inside p s x)
    by (unfold inside; now rewrite sx).
    apply (sum_member all (inside p s)); [intros; now apply inside_nonneg|apply all_here]. }
  assert (Pt : 0 < P p t).
  { apply Rlt_le_trans with (1 := py). replace (p y) with (inside p t y)
    by (unfold inside; now rewrite ty).
    apply (sum_member all (inside p t)); [intros; now apply inside_nonneg|apply all_here]. }
  specialize (promise p s t (true, true) eq_refl (conj eq_refl eq_refl) Ps Pt).
  assert (meet : forall z, both (reveals x y) (reveals x y') z (true, true) =
                           P p s * p y * (P p s * p y') * (if dec z x then 1 else 0)).
  { intros z. unfold both, reveals, only; simpl. destruct (dec z x), (dec z y), (dec z y'); subst;
    try congruence; ring. }
  assert (E : forall u, Pw p (both (reveals x y) (reveals x y')) u (true, true) = P p s * p y *
    (P p s * p y') * inside p u x).
  { intros u. unfold Pw. rewrite
    (sum_ext all _ (fun z => P p s * p y * (P p s * p y') *
      (inside p u z * (if dec z x then 1 else 0)))).
    - now rewrite sum_scale, pick.
    - intros; rewrite meet; ring. }
  rewrite !E in promise. unfold inside in promise. rewrite sx, tx in promise.
  rewrite !Rmult_0_r in promise.
  assert (0 < P p s * p y * (P p s * p y') * p x * P p t) by (repeat apply Rmult_lt_0_compat; easy).
  lra.
Qed.
End Dichotomy.
