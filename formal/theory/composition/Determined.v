(** worst.dichotomy, the first half: where each secret has one possible database, a release is one
    of the secret, and levels multiply. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Means Dichotomy.
Import ListNotations.
Open Scope R_scope.

Section Determined.
Context {D : Type} `{Finite D} (dec : forall x y : D, {x = y} + {x <> y}).
Context (p : D -> R) (s t : @secret D) (x y : D).
Hypotheses (Lp : law p) (sx : s x = true) (ty : t y = true).

(** The secret u is possible on the database a alone. *)
Definition only_on (u : @secret D) a := forall z, 0 < inside p u z -> z = a.

Lemma told_by_one {W} (M : D -> W -> R) u a w : only_on u a -> Pw p M u w = P p u * M a w.
Proof.
  intros one. unfold Pw, P. rewrite (Rmult_comm (Σ z, _)), <- sum_scale.
  apply sum_ext; intros z _. destruct (inside_nonneg p u z Lp) as [pos|<-]; [|ring].
  rewrite (one z pos). ring.
Qed.

Lemma told_pointwise {W} (M : D -> W -> R) E u v a b : only_on u a -> only_on v b ->
  0 < P p u -> 0 < P p v ->
  forall w, M a w <= E * M b w <-> Pw p M u w * P p v <= E * P p u * Pw p M v w.
Proof.
  intros ua vb Pu Pv w. rewrite (told_by_one M u a w ua), (told_by_one M v b w vb).
  replace (P p u * M a w * P p v) with (P p u * P p v * M a w) by ring.
  replace (E * P p u * (P p v * M b w)) with (P p u * P p v * (E * M b w)) by ring.
  pose proof (Rmult_lt_0_compat _ _ Pu Pv) as pos. split; intros le.
  - apply Rmult_le_compat_l; lra.
  - now apply (Rmult_le_reg_l (P p u * P p v)).
Qed.

Lemma releases_vary {W} (Ms : list ((D -> W -> R) * R)) a b ws :
  (forall M E, In (M, E) Ms -> likelihood M /\ 0 <= E /\ forall w, M a w <= E * M b w) ->
  releases (map fst Ms) a ws <= prod (map snd Ms) (fun E => E) * releases (map fst Ms) b ws.
Proof.
  revert ws; induction Ms as [|[M E] Ms IH]; intros [|w ws] each; simpl; try lra.
  destruct (each M E (or_introl eq_refl)) as [M0 [E0 varies]].
  specialize (IH ws (fun N F i => each N F (or_intror i))).
  assert (N0 : forall N, In N (map fst Ms) -> likelihood N).
  { intros N i; apply in_map_iff in i as [[N' F] [<- i]]. apply (each N' F); simpl; auto. }
  set (Q := prod (map snd Ms) (fun E => E)) in *. set (r := releases (map fst Ms)) in *.
  apply Rle_trans with (E * M b w * (Q * r b ws)); [|right; ring].
  apply Rmult_le_compat; [apply M0|now apply releases_nonneg|apply varies|exact IH].
Qed.

(** The other half of the dichotomy (worst.dichotomy): where each of two secrets has one possible
    database, releases with levels E_1 .. E_K keep their product together, whatever they are: what
    is released is processed from the secret.
    Differs: one prior and one pair, in both orders; any number of releases; ratios in place of
    levels; databases are finite. *)
Theorem one_database_each {W} (Ms : list ((D -> W -> R) * R)) :
  only_on s x -> only_on t y -> 0 < P p s -> 0 < P p t ->
  (forall M E, In (M, E) Ms -> likelihood M /\ 0 <= E /\ pufferfish E M (both_orders s t) (eq p)) ->
  pufferfish (prod (map snd Ms) (fun E => E)) (releases (map fst Ms)) (both_orders s t) (eq p).
Proof.
  intros one_s one_t Ps Pt each q u v ws <- uv Pu Pv.
  assert (go : forall a b, only_on u a -> only_on v b -> (both_orders s t) u v ->
    Pw p (releases (map fst Ms)) u ws * P p v <=
    prod (map snd Ms) (fun E => E) * P p u * Pw p (releases (map fst Ms)) v ws).
  { intros a b ua vb o. apply (told_pointwise _ _ u v a b); auto. apply releases_vary.
    intros M E i. destruct (each M E i) as [M0 [E0 promise]]. repeat split; auto.
    intros w. apply (told_pointwise M E u v a b); auto. }
  destruct uv as [[-> ->]|[-> ->]]; [apply (go x y)|apply (go y x)]; auto;
    [left|right]; auto.
Qed.

(** It tells the secret, at the level A. *)
Definition tells A z (w : bool) := if dec z x then if w then A / (A + 1) else 1 / (A + 1)
  else if w then 1 / (A + 1) else A / (A + 1).

Lemma tells_kernel A : 1 <= A -> kernel (tells A).
Proof.
  intros A1 z. assert (0 < / (A + 1)) by (apply Rinv_0_lt_compat; lra).
  split; [intros w|]; unfold tells; [|cbn -[IZR]]; destruct (dec z x); try destruct w;
    unfold Rdiv; try (apply Rmult_le_pos; lra); field; lra.
Qed.

Lemma tells_pointwise A a b w : 1 <= A -> tells A a w <= A * tells A b w.
Proof.
  intros A1. assert (0 < / (A + 1)) by (apply Rinv_0_lt_compat; lra).
  pose proof (Rmult_le_pos (A - 1) (/ (A + 1))) as low.
  pose proof (Rmult_le_pos (A * (A - 1)) (/ (A + 1))) as high.
  assert (0 <= A * (A - 1)) by (apply Rmult_le_pos; lra).
  unfold tells; destruct (dec a x), (dec b x), w; unfold Rdiv; lra.
Qed.

(** It is attained (worst.dichotomy): levels A and B have two releases that leak A B together.
    Differs: one prior and one pair of disjoint secrets; ratios in place of levels. *)
Theorem one_database_attained A B :
  only_on s x -> only_on t y -> x <> y -> 0 < P p s -> 0 < P p t -> 1 <= A -> 1 <= B ->
  exists M N : D -> bool -> R,
    kernel M /\ kernel N /\ pufferfish A M (both_orders s t) (eq p) /\
    pufferfish B N (both_orders s t) (eq p) /\
    forall r, pufferfish r (both M N) (both_orders s t) (eq p) -> A * B <= r.
Proof.
  intros one_s one_t ne Ps Pt A1 B1. exists (tells A), (tells B).
  split; [now apply tells_kernel|]. split; [now apply tells_kernel|].
  assert (keeps : forall E, 1 <= E -> pufferfish E (tells E) (both_orders s t) (eq p)).
  { intros E E1 q u v w <- [[-> ->]|[-> ->]] Pu Pv;
      [apply (told_pointwise _ E s t x y)|apply (told_pointwise _ E t s y x)]; auto;
      now apply tells_pointwise. }
  split; [now apply keeps|]. split; [now apply keeps|]. intros r promise.
  specialize (promise p s t (true, true) eq_refl (or_introl (conj eq_refl eq_refl)) Ps Pt).
  apply (told_pointwise _ r s t x y) in promise; auto.
  unfold both, tells in promise; simpl in promise.
  destruct (dec x x); [|congruence]. destruct (dec y x); [congruence|].
  apply (Rmult_le_compat_l ((A + 1) * (B + 1))) in promise; [|nra].
  replace ((A + 1) * (B + 1) * (A / (A + 1) * (B / (B + 1)))) with (A * B) in promise
    by (field; lra).
  replace ((A + 1) * (B + 1) * (r * (1 / (A + 1) * (1 / (B + 1))))) with r in promise
    by (field; lra).
  exact promise.
Qed.
End Determined.
