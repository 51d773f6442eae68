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
    Differs: one prior and one pair, in both orders; any number of releases; ratios instead of
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
    Differs: one prior and one pair of disjoint secrets; ratios instead of levels. *)
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

(** The databases of a secret that have positive probability. *)
Definition possible {D} `{Finite D} (p : D -> R) (u : @secret D) : list D :=
  filter (fun x => if Rlt_dec 0 (inside p u x) then true else false) all.
(** Exactly one database of a secret has positive probability. *)
Definition single {D} `{Finite D} (p : D -> R) (u : @secret D) := length (possible p u) = 1%nat.
Definition apart {D} (s t : @secret D) := forall x, s x = true -> t x = false.

(** One law that allows two secrets without a common database. *)
Definition one_pair {D} `{Finite D} (p : D -> R) (s t : @secret D) :=
  law p /\ apart s t /\ 0 < P p s /\ 0 < P p t.
(** Some mechanism leaks nothing of s and t, in both orders, and two runs of it keep no level. *)
Definition collapses {D} `{Finite D} (p : D -> R) (s t : @secret D) := one_pair p s t /\
  exists (W : Type) (F : Finite W) (M : D -> W -> R),
    kernel M /\ pufferfish 1 M (both_orders s t) (eq p) /\
    forall r, ~ pufferfish r (both M M) (both_orders s t) (eq p).
Section Pairs.
Context {D : Type} `{Finite D} (dec : forall x y : D, {x = y} + {x <> y}).
Implicit Types (p : D -> R) (s t u : @secret D).

Lemma possible_in p u x : In x (possible p u) <-> 0 < inside p u x.
Proof.
  unfold possible. rewrite filter_In. destruct (Rlt_dec 0 (inside p u x)).
  - split; [easy|]. split; [apply all_here|easy].
  - now split.
Qed.

Lemma some_possible p u : 0 < P p u -> possible p u <> [].
Proof.
  intros Pu none. destruct (sum_pos_exists all (inside p u) Pu) as [x [_ px]].
  apply possible_in in px. now rewrite none in px.
Qed.

Lemma single_only p u : single p u -> exists x, u x = true /\ only_on p u x.
Proof.
  unfold single. intros one. destruct (possible p u) as [|x [|y l]] eqn:E; try discriminate.
  exists x. assert (px : 0 < inside p u x) by (apply possible_in; rewrite E; now left).
  split; [unfold inside in px; destruct (u x); [easy|lra]|].
  intros z pz. apply possible_in in pz. rewrite E in pz. now destruct pz as [|[]].
Qed.

Lemma several_databases p u : 0 < P p u -> ~ single p u ->
  exists x y, x <> y /\ u x = true /\ u y = true /\ 0 < p x /\ 0 < p y.
Proof.
  intros Pu many. unfold single in many. pose proof (some_possible p u Pu) as some.
  destruct (possible p u) as [|x [|y l]] eqn:E; try easy. exists x, y.
  assert (once : NoDup (possible p u)) by (apply NoDup_filter, all_once).
  rewrite E in once. apply NoDup_cons_iff in once as [out _].
  assert (px : 0 < inside p u x) by (apply possible_in; rewrite E; now left).
  assert (py : 0 < inside p u y) by (apply possible_in; rewrite E; right; now left).
  unfold inside in px, py. destruct (u x), (u y); try lra. repeat split; try easy.
  intros ->. apply out. now left.
Qed.

Lemma turned {V} r (M : D -> V -> R) s t p :
  pufferfish r M (both_orders t s) (eq p) <-> pufferfish r M (both_orders s t) (eq p).
Proof. split; intros k q u v w e o; apply k; auto; unfold both_orders in *; tauto. Qed.

Lemma one_of_both {V} r (M : D -> V -> R) s t p :
  pufferfish r M (both_orders s t) (eq p) -> pufferfish r M (one_order s t) (eq p).
Proof. intros k q u v w e o. apply k; auto. now left. Qed.

(** Where two runs or two releases of level 0 keep no level: in one secret two databases are
    possible. *)
Lemma two_columns_collapse p s t : one_pair p s t -> ~ (single p s /\ single p t) ->
  exists M N : D -> bool -> R, kernel M /\ kernel N /\
    pufferfish 1 M (both_orders s t) (eq p) /\ pufferfish 1 N (both_orders s t) (eq p) /\
    forall r, ~ pufferfish r (both M N) (both_orders s t) (eq p).
Proof.
  intros [Lp [ap [Ps Pt]]] many.
  assert (one : forall u, 0 < P p u -> exists x, u x = true /\ 0 < p x).
  { intros u Pu. destruct (sum_pos_exists all (inside p u) Pu) as [x [_ px]]. exists x.
    unfold inside in px. destruct (u x); [easy|lra]. }
  destruct (Nat.eq_dec (length (possible p t)) 1) as [st|mt].
  - assert (ms : ~ single p s) by tauto.
    destruct (several_databases p s Ps ms) as [y [z [ne [sy [sz [py pz]]]]]].
    destruct (one t Pt) as [x [tx px]].
    destruct (two_databases_collapse dec p t s Lp) with (x := x) (y := y) (y' := z)
      as [M [N [kM [kN [keepM [keepN none]]]]]]; auto.
    { intros v tv. destruct (s v) eqn:sv; [|easy]. now rewrite (ap v sv) in tv. }
    exists M, N. rewrite <- !(turned _ _ s t). repeat split; try easy; try apply kM; try apply kN.
    intros r k. apply (none r), one_of_both. now apply turned.
  - destruct (several_databases p t Pt mt) as [y [z [ne [ty [tz [py pz]]]]]].
    destruct (one s Ps) as [x [sx px]].
    destruct (two_databases_collapse dec p s t Lp ap x y z)
      as [M [N [kM [kN [keepM [keepN none]]]]]]; auto.
    exists M, N. repeat split; try easy; try apply kM; try apply kN.
    intros r k. now apply (none r), one_of_both.
Qed.

(** A coin that is published and chooses one of two mechanisms. *)
Definition coin {V} (M N : D -> V -> R) :=
  mixed (fun _ : bool => 1/2) (fun b => if b then M else N).

Lemma coin_told {V} p (M N : D -> V -> R) u v w :
  Pw p (both (coin M N) (coin M N)) u ((true, v), (false, w)) = 1/4 * Pw p (both M N) u (v, w).
Proof.
  unfold Pw. rewrite <- sum_scale. apply sum_ext; intros x _.
  unfold both, coin, mixed; simpl. field.
Qed.

Lemma coin_kernel {V} `{Finite V} (M N : D -> V -> R) : kernel M -> kernel N -> kernel (coin M N).
Proof.
  intros kM kN x. destruct (kM x) as [M0 M1], (kN x) as [N0 N1]. split.
  - intros [[] w]; unfold coin, mixed; simpl; [specialize (M0 w)|specialize (N0 w)]; lra.
  - rewrite Sum_pairs. unfold coin, mixed; cbn -[IZR Rdiv]. rewrite !sum_scale.
    change (1/2 * sum all (M x) + (1/2 * sum all (N x) + 0) = 1). rewrite M1, N1. lra.
Qed.

Lemma kept_together p s t (A B : R) V W (M : D -> V -> R) (N : D -> W -> R) :
  one_pair p s t -> single p s -> single p t -> 0 <= A -> 0 <= B ->
  likelihood M -> likelihood N -> pufferfish A M (both_orders s t) (eq p) ->
  pufferfish B N (both_orders s t) (eq p) -> pufferfish (A * B) (both M N) (both_orders s t) (eq p).
Proof.
  intros [Lp [ap [Ps Pt]]] os ot A0 B0 M0 N0 keepM keepN q u v [m n] <- uv Pu Pv.
  destruct (single_only p s os) as [x [sx ox]], (single_only p t ot) as [y [ty oy]].
  assert (go : forall a b, only_on p u a -> only_on p v b ->
    Pw p (both M N) u (m, n) * P p v <= A * B * P p u * Pw p (both M N) v (m, n)).
  { intros a b ua vb. apply (told_pointwise p Lp (both M N) (A * B) u v a b); auto.
    pose proof (proj2 (told_pointwise p Lp M A u v a b ua vb Pu Pv m)
      (keepM p u v m eq_refl uv Pu Pv)) as mm.
    pose proof (proj2 (told_pointwise p Lp N B u v a b ua vb Pu Pv n)
      (keepN p u v n eq_refl uv Pu Pv)) as nn.
    unfold both; simpl. apply Rle_trans with (A * M b m * (B * N b n)); [|right; ring].
    apply Rmult_le_compat; auto. }
  destruct uv as [[-> ->]|[-> ->]]; [now apply (go x y)|now apply (go y x)].
Qed.

(** Pufferfish does not compose (bai2026, sections 2.2 and 4; worst.dichotomy): some mechanism leaks
    nothing in one run and everything in two, exactly if in one of two secrets two databases are
    possible.
    Differs: one prior and one pair of disjoint secrets, both orders; databases are finite. *)
Theorem collapse_exactly p s t :
  one_pair p s t -> collapses p s t <-> ~ (single p s /\ single p t).
Proof.
  intros pair. split.
  - intros [_ [W [F [M [kM [keep none]]]]]] [os ot]. apply (none (1 * 1)).
    assert (M0 : likelihood M) by (intros x; apply kM). apply kept_together; auto; lra.
  - intros many. split; [easy|].
    destruct (two_columns_collapse p s t pair many) as [M [N [kM [kN [keepM [keepN none]]]]]].
    exists (bool * bool)%type, _, (coin M N). split; [now apply coin_kernel|]. split.
    + apply published_coin; [intros; lra|]. now intros [].
    + intros r k. apply (none r). intros q u v [m n] <- uv Pu Pv.
      specialize (k p u v ((true, m), (false, n)) eq_refl uv Pu Pv).
      rewrite !coin_told in k. lra.
Qed.
End Pairs.
