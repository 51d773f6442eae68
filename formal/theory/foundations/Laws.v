(** General laws of the promise. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish.
Open Scope R_scope.

Section Facts.
Context {D W : Type} `{Finite D}.
Implicit Types (p : D -> R) (s t : @secret D) (M : D -> W -> R).

Lemma inside_nonneg p s x : law p -> 0 <= inside p s x.
Proof. intros [pos _]; unfold inside; destruct (s x); [apply pos|lra]. Qed.

Lemma P_nonneg p s : law p -> 0 <= P p s.
Proof. intros; apply sum_nonneg; intros; now apply inside_nonneg. Qed.

Lemma Pw_nonneg p M s w : law p -> likelihood M -> 0 <= Pw p M s w.
Proof. intros; apply sum_nonneg; intros; apply Rmult_le_pos; [now apply inside_nonneg|auto]. Qed.
End Facts.

(** Post-processing (bai2026, background; kifer2014pufferfish, axiom 5.1), with ratio e^epsilon: K
    may be any weights that are not negative.
    Differs: databases and outputs of M are finite; pairs and priors are any sets; K need not sum to
    1. *)
Theorem post_processing {D W V} `{Finite D} `{Finite W} ratio (M : D -> W -> R) (K : W -> V -> R)
  pairs priors :
  (forall w v, 0 <= K w v) ->
  pufferfish ratio M pairs priors -> pufferfish ratio (process M K) pairs priors.
Proof.
  intros K0 promise p s t v Hp Hst Ps Pt.
  assert (E : forall s, Pw p (process M K) s v = Σ w, K w v * Pw p M s w).
  { intros u. unfold Pw, process.
    rewrite (sum_ext all _ (fun x => Σ w, K w v * (inside p u x * M x w))).
    - rewrite sum_swap. apply sum_ext; intros; now rewrite sum_scale.
    - intros. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  rewrite !E, Rmult_comm, <- !sum_scale. apply sum_le; intros w _.
  specialize (promise p s t w Hp Hst Ps Pt). specialize (K0 w v). nra.
Qed.

(** Convexity with a coin that is published: M i is run where the coin shows i.
    Differs: databases are finite; the coin need not be a law; density form. *)
Theorem published_coin {D W C} `{Finite D} ratio (c : C -> R) (M : C -> D -> W -> R) pairs priors :
  (forall i, 0 <= c i) ->
  (forall i, pufferfish ratio (M i) pairs priors) -> pufferfish ratio (mixed c M) pairs priors.
Proof.
  intros c0 promise p s t [i w] Hp Hst Ps Pt.
  assert (E : forall s, Pw p (mixed c M) s (i, w) = c i * Pw p (M i) s w).
  { intros u. unfold Pw, mixed; simpl. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  rewrite !E. specialize (promise i p s t w Hp Hst Ps Pt). specialize (c0 i). nra.
Qed.

(** Convexity (kifer2014pufferfish, axiom 5.2): a coin that is not shown chooses among mechanisms.
    Differs: databases, outputs and sides of the coin are finite; the weights of the coin need not
    sum to 1. *)
Theorem hidden_coin {D W C} `{Finite D} `{Finite W} `{Finite C} ratio (c : C -> R)
  (M : C -> D -> W -> R) pairs priors :
  (forall w v : W, {w = v} + {w <> v}) -> (forall i, 0 <= c i) ->
  (forall i, pufferfish ratio (M i) pairs priors) ->
  pufferfish ratio (fun x w => Σ i, c i * M i x w) pairs priors.
Proof.
  intros dec c0 promise.
  enough (E : forall x w, (Σ i, c i * M i x w) =
                          process (mixed c M) (fun iw v => if dec (snd iw) v then 1 else 0) x w).
  { intros p s t w Hp Hst Ps Pt. unfold Pw.
    rewrite !(sum_ext _ _ _ (fun x _ => f_equal (Rmult (inside p _ x)) (E x w))).
    refine (post_processing ratio (mixed c M) (fun iw v => if dec (snd iw) v then 1 else 0) pairs
      priors _ _
              p s t w Hp Hst Ps Pt); [intros; destruct dec; lra|now apply published_coin]. }
  intros x w. unfold process, mixed. rewrite Sum_pairs. apply sum_ext; intros i _; simpl.
  generalize (@all_once W _) (@all_here W _ w). generalize (@all W _).
  induction 1 as [|a l na nl IH]; simpl; [easy|]; intros [->|j].
  - destruct (dec w w); [|congruence].
    rewrite (sum_ext l _ (fun _ => 0)), sum_0; [lra|].
    intros y iy; destruct (dec y w); [subst; contradiction|lra].
  - destruct (dec a w) as [->|]; [contradiction|]. rewrite <- IH; auto; lra.
Qed.

(** Bayes: the odds of s against t after the output are at most ratio times the odds before. *)
Section Odds.
Context {D W : Type} `{Finite D}.
Definition evidence p (M : D -> W -> R) w := Σ x, p x * M x w.
Definition posterior p (M : D -> W -> R) (s : secret) w := Pw p M s w / evidence p M w.

(** Bayes (kifer2014pufferfish, equation 2): the odds of s against t after the output are at most
    ratio times the odds before.
    Differs: databases are finite; odds are multiplied out, so that posteriors of 0 are included;
    outputs without evidence are left out on the right-hand side. *)
Theorem odds_form ratio (M : D -> W -> R) pairs priors :
  laws_only priors -> likelihood M ->
  (pufferfish ratio M pairs priors <->
   forall p s t w, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> 0 < evidence p M w ->
     posterior p M s w * P p t <= ratio * P p s * posterior p M t w).
Proof.
  intros L M0; unfold posterior, Rdiv; split; intros promise p s t w Hp Hst Ps Pt; [intros Ev|].
  - specialize (promise p s t w Hp Hst Ps Pt). apply Rinv_0_lt_compat in Ev. nra.
  - assert (below : forall s, Pw p M s w <= evidence p M w).
    { intros u; apply sum_le; intros x _. destruct (L p Hp) as [pos _]. unfold inside.
      specialize (pos x); specialize (M0 x w). destruct (u x); nra. }
    pose proof (Pw_nonneg p M t w (L p Hp) M0).
    destruct (Rlt_le_dec 0 (evidence p M w)) as [Ev|Ev].
    + specialize (promise p s t w Hp Hst Ps Pt Ev).
      apply (Rmult_le_compat_l (evidence p M w)) in promise; [|lra].
      field_simplify in promise; lra.
    + pose proof (Pw_nonneg p M s w (L p Hp) M0). pose proof (below s). specialize (below t).
      replace (Pw p M s w) with 0 by lra. replace (Pw p M t w) with 0 by lra. lra.
Qed.

(** An output excludes both secrets or none, and then the odds change by a factor between 1/ratio
    and ratio. *)
Definition odds_within ratio (M : D -> W -> R) pairs priors :=
  forall p s t w, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> 0 < evidence p M w ->
    (posterior p M s w = 0 <-> posterior p M t w = 0) /\
    (0 < posterior p M t w ->
     / ratio <= posterior p M s w / posterior p M t w / (P p s / P p t) <= ratio).

Lemma odds_both_orders a b f g ratio : 0 <= a -> 0 <= b -> 0 < f -> 0 < g ->
  a * g <= ratio * f * b /\ b * f <= ratio * g * a <->
  (a = 0 <-> b = 0) /\ (0 < b -> / ratio <= a / b / (f / g) <= ratio).
Proof.
  intros a0 b0 f0 g0. destruct (Rle_lt_dec ratio 0) as [none|r0].
  { assert (nothing : forall u v i j, 0 <= u -> 0 < v -> 0 <= i -> 0 < j ->
      u * v <= ratio * j * i -> u = 0).
    { intros u v i j u0 v0 i0 j0 le. apply Rle_antisym; [|easy].
      assert (0 <= - ratio * j * i) by (repeat apply Rmult_le_pos; lra).
      apply (Rmult_le_reg_r v); lra. }
    split.
    - intros [one other]. rewrite (nothing a g b f), (nothing b f a g); auto; lra.
    - intros [zero bounds]. destruct b0 as [pos|<-]; [|rewrite (proj2 zero eq_refl); lra].
      destruct (bounds pos) as [_ high]. assert (0 < a) by (destruct a0 as [|<-]; [easy|lra]).
      assert (0 < a / b / (f / g)) by (repeat apply Rdiv_lt_0_compat; easy). lra. }
  assert (quotient : 0 < b -> 0 < b * f /\ a / b / (f / g) * (b * f) = a * g /\
    / ratio * (ratio * (b * f)) = b * f).
  { intros pos. split; [now apply Rmult_lt_0_compat|]. split; field; lra. }
  split.
  - intros [one other]. split; [split; intros zero; rewrite zero in *|].
    + destruct b0 as [pos|]; [|easy]. pose proof (Rmult_lt_0_compat _ _ pos f0). lra.
    + destruct a0 as [pos|]; [|easy]. pose proof (Rmult_lt_0_compat _ _ pos g0). lra.
    + intros pos. destruct (quotient pos) as [bf [E F]]. split.
      * apply (Rmult_le_reg_r (ratio * (b * f))); [now apply Rmult_lt_0_compat|].
        rewrite F, <- (Rmult_assoc _ ratio), (Rmult_comm _ ratio), Rmult_assoc, E. lra.
      * apply (Rmult_le_reg_r (b * f)); [easy|]. rewrite E. lra.
  - intros [zero bounds]. destruct b0 as [pos|none].
    + destruct (bounds pos) as [low high]. destruct (quotient pos) as [bf [E F]].
      apply (Rmult_le_compat_r (b * f)) in high; [|lra]. rewrite E in high.
      apply (Rmult_le_compat_r (ratio * (b * f))) in low;
        [|left; now apply Rmult_lt_0_compat].
      rewrite F, <- (Rmult_assoc _ ratio), (Rmult_comm _ ratio), Rmult_assoc, E in low. lra.
    + assert (a = 0) as -> by (apply zero; easy). rewrite <- none. lra.
Qed.

(** Bayes, with every pair in both orders (general.bayes-form): the odds of s against t after an
    output are between 1/ratio and ratio times the odds before.
    Differs: databases are finite; outputs without evidence are left out on the right-hand side. *)
Theorem odds_in_both_orders ratio (M : D -> W -> R) pairs priors :
  laws_only priors -> likelihood M ->
  pufferfish ratio M pairs priors /\ pufferfish ratio M (fun s t => pairs t s) priors <->
  odds_within ratio M pairs priors.
Proof.
  intros L M0. rewrite !(odds_form ratio M) by auto.
  assert (pos : forall p s w, priors p -> 0 < evidence p M w -> 0 <= posterior p M s w).
  { intros p s w Hp Ev. unfold posterior. apply Rmult_le_pos; [now apply Pw_nonneg; [apply L|]|].
    left. now apply Rinv_0_lt_compat. }
  split.
  - intros [one other] p s t w Hp st Ps Pt Ev. apply odds_both_orders; auto.
  - intros within. split; intros p s t w Hp st Ps Pt Ev.
    + apply (odds_both_orders _ (posterior p M t w) (P p s) (P p t)); auto.
    + apply (odds_both_orders (posterior p M t w) _ (P p t) (P p s)); auto.
Qed.
End Odds.

(** Composition of M with a mechanism N that varies by at most R2 between databases of the two
    secrets (bai2026, background: adding a differentially private release).
    Differs: databases are finite, randomness is independent, N is not chosen by what M showed. *)
Theorem sequential {D W V} `{Finite D} R1 R2 (M : D -> W -> R) (N : D -> V -> R) pairs priors :
  laws_only priors -> likelihood M -> likelihood N -> 0 <= R1 -> 0 <= R2 ->
  pufferfish R1 M pairs priors ->
  (forall p s t x y v, priors p -> pairs s t -> s x = true -> t y = true -> N x v <= R2 * N y v) ->
  pufferfish (R1 * R2) (both M N) pairs priors.
Proof.
  intros L M0 N0 R10 R20 promise dp p s t [w v] Hp Hst Ps Pt.
  destruct (sum_pos_exists _ _ Pt) as [y [_ iy]].
  assert (ty : t y = true) by (unfold inside in iy; destruct (t y); [easy|lra]).
  destruct (minimum all t (fun x => N x v) y (all_here y) ty) as [m [_ [tm least]]].
  assert (S : Pw p (both M N) s (w, v) <= R2 * N m v * Pw p M s w).
  { unfold Pw, both; rewrite <- sum_scale; apply sum_le; intros x _; simpl. unfold inside.
    destruct (s x) eqn:sx; [|lra]. specialize (dp p s t x m v Hp Hst sx tm).
    destruct (L p Hp) as [pos _]; specialize (pos x); specialize (M0 x w).
    apply Rle_trans with (p x * M x w * N x v); [right; ring|].
    apply Rle_trans with (p x * M x w * (R2 * N m v)); [|right; ring].
    apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy]. }
  assert (T : N m v * Pw p M t w <= Pw p (both M N) t (w, v)).
  { unfold Pw, both; rewrite <- sum_scale; apply sum_le; intros x _; simpl. unfold inside.
    destruct (t x) eqn:tx; [|lra]. specialize (least x (all_here x) tx).
    destruct (L p Hp) as [pos _]; specialize (pos x); specialize (M0 x w).
    apply Rle_trans with (p x * M x w * N m v); [right; ring|].
    apply Rle_trans with (p x * M x w * N x v); [|right; ring].
    apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy]. }
  specialize (promise p s t w Hp Hst Ps Pt). specialize (N0 m v).
  apply Rle_trans with (R2 * N m v * Pw p M s w * P p t); [apply Rmult_le_compat_r; lra|].
  apply Rle_trans with (R2 * N m v * (R1 * P p s * Pw p M t w)).
  - rewrite Rmult_assoc; apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy].
  - apply Rle_trans with (R1 * R2 * P p s * (N m v * Pw p M t w)); [right; ring|].
    apply Rmult_le_compat_l; [|easy]. repeat apply Rmult_le_pos; lra.
Qed.
