(** The Markov quilt mechanism (wang2016, theorem 4.4; song2017), and the Wasserstein mechanism. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws.
Open Scope R_scope.

(** Sums by the value of a map. *)
Section Fibres.
Context {D Z : Type} `{Finite D} `{Finite Z} (dec : forall y z : Z, {y = z} + {y <> z}).
Definition at_ (z : D -> Z) (v : Z) (x : D) : R := if dec (z x) v then 1 else 0.

Lemma sum_one (v : Z) (c : R) : (Σ z, if dec v z then c else 0) = c.
Proof.
  generalize (@all_once Z _) (@all_here Z _ v). generalize (@all Z _).
  induction 1 as [|a l na nl IH]; simpl; [easy|]; intros [->|j].
  - destruct (dec v v); [|congruence].
    rewrite (sum_ext l _ (fun _ => 0)), sum_0; [lra|].
    intros y iy; destruct (dec v y); [subst; contradiction|lra].
  - destruct (dec v a) as [->|]; [contradiction|]. rewrite (IH j); lra.
Qed.

Lemma pick (f : Z -> R) v : (Σ z, f z * (if dec z v then 1 else 0)) = f v.
Proof.
  rewrite <- (sum_one v (f v)). apply sum_ext; intros z _.
  destruct (dec z v), (dec v z); subst; try lra; congruence.
Qed.

Lemma sum_fibres (z : D -> Z) (f : D -> R) : (Σ x, f x) = Σ v, Σ x, f x * at_ z v x.
Proof.
  rewrite sum_swap. apply sum_ext; intros x _. unfold at_.
  rewrite <- (sum_one (z x) (f x)) at 1. apply sum_ext; intros v _; destruct (dec (z x) v); ring.
Qed.
End Fibres.

(** If the secrets tell little about z, and the mechanism varies little where z is fixed. *)
Section Coarse.
Context {D Z W : Type} `{Finite D} `{Finite Z} (dec : forall y z : Z, {y = z} + {y <> z}).
Context (p : D -> R) (M : D -> W -> R) (s t : @secret D) (z : D -> Z) (R1 R2 : R).
Hypotheses (Lp : law p) (M0 : likelihood M).
Definition Pz s v := Σ x, inside p s x * at_ dec z v x.

Lemma coarse_fine_positive w : 0 <= R1 -> 0 <= R2 -> 0 < P p s -> 0 < P p t ->
  (forall v, Pz s v * P p t <= R1 * P p s * Pz t v) ->
  (forall x y, z x = z y -> M x w <= R2 * M y w) ->
  Pw p M s w * P p t <= R1 * R2 * P p s * Pw p M t w.
Proof.
  intros R10 R20 Ps Pt tell vary. unfold Pw.
  rewrite (sum_fibres dec z (fun x => inside p s x * M x w)),
    (sum_fibres dec z (fun x => inside p t x * M x w)).
  rewrite Rmult_comm, <- !sum_scale. apply sum_le; intros v _.
  set (A := Σ x, inside p s x * M x w * at_ dec z v x). set
    (B := Σ x, inside p t x * M x w * at_ dec z v x).
  assert (at0 : forall x, 0 <= at_ dec z v x) by (intros; unfold at_; destruct dec; lra).
  assert (in0 : forall u x, 0 <= inside p u x) by (intros; now apply inside_nonneg).
  assert (B0 : 0 <= B) by (apply sum_nonneg; intros; repeat apply Rmult_le_pos; auto).
  assert (cross : A * Pz t v <= R2 * (Pz s v * B)).
  { unfold A, B, Pz. rewrite !sum_product, <- sum_scale. apply sum_le; intros x _.
    rewrite <- sum_scale. apply sum_le; intros y _. unfold at_.
    destruct (dec (z x) v) as [ex|]; [|lra]. destruct (dec (z y) v) as [ey|]; [|lra].
    specialize (vary x y (eq_trans ex (eq_sym ey))).
    pose proof (Rmult_le_pos _ _ (in0 s x) (in0 t y)). nra. }
  assert (A_le : A <= R2 * (Pz s v * (Σ x, M x w * at_ dec z v x))).
  { unfold A, Pz. rewrite sum_product, <- sum_scale. apply sum_le; intros x _. rewrite <- sum_scale.
    apply Rle_trans with (R2 * (inside p s x * at_ dec z v x * (M x w * at_ dec z v x))).
    - unfold at_; destruct (dec (z x) v) as [ex|]; [|lra]. specialize (vary x x eq_refl).
      specialize (in0 s x). nra.
    - apply (sum_member all (fun y => R2 * (inside p s x * at_ dec z v x *
        (M y w * at_ dec z v y)))); [|apply all_here].
      intros; repeat apply Rmult_le_pos; auto. }
  assert (Zs0 : 0 <= Pz s v) by (apply sum_nonneg; intros; apply Rmult_le_pos; auto).
  assert (Zt0 : 0 <= Pz t v) by (apply sum_nonneg; intros; apply Rmult_le_pos; auto).
  specialize (tell v). destruct (Rlt_le_dec 0 (Pz t v)) as [pos|none].
  - apply (Rmult_le_reg_r (Pz t v)); [easy|].
    apply Rle_trans with (R2 * (Pz s v * B) * P p t); [nra|].
    apply Rle_trans with (R2 * B * (R1 * P p s * Pz t v)); [|right; ring].
    apply Rle_trans with (R2 * B * (Pz s v * P p t)); [right; ring|].
    apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy].
  - replace (Pz t v) with 0 in * by lra. assert (Pz s v = 0) as Z0 by nra. rewrite Z0 in A_le.
    assert (0 <= R1 * R2 * P p s * B) by (repeat apply Rmult_le_pos; lra). nra.
Qed.

(** A secret that is impossible has no outputs. *)
Lemma nothing_shown u w : P p u = 0 -> Pw p M u w = 0.
Proof.
  intros none. unfold Pw. rewrite <- (sum_0 (@all D _)). apply sum_ext; intros x i.
  assert (E : inside p u x = 0).
  { apply Rle_antisym; [rewrite <- none|now apply inside_nonneg].
    apply (sum_member all (inside p u)); [|easy]. intros; now apply inside_nonneg. }
  rewrite E. ring.
Qed.

Lemma coarse_fine w :
  (forall v, Pz s v * P p t <= R1 * P p s * Pz t v) ->
  (forall x y, z x = z y -> M x w <= R2 * M y w) ->
  Pw p M s w * P p t <= R1 * R2 * P p s * Pw p M t w.
Proof.
  intros tell vary.
  assert (impossible : P p s = 0 \/ P p t = 0 -> Pw p M s w * P p t <= R1 * R2 * P p s * Pw p M t
    w).
  { intros [E|E]; rewrite (nothing_shown _ w E), E; lra. }
  destruct (P_nonneg p s Lp) as [Ps|Ps]; [|now apply impossible; left].
  destruct (P_nonneg p t Lp) as [Pt|Pt]; [|now apply impossible; right].
  destruct (Rle_lt_dec 0 R1) as [R10|neg].
  - destruct (Rle_lt_dec 0 R2) as [R20|neg]; [now apply coarse_fine_positive|].
    assert (none : forall u, Pw p M u w = 0).
    { intros u. unfold Pw. rewrite <- (sum_0 (@all D _)). apply sum_ext; intros x _.
      assert (M x w = 0) as -> by (specialize (vary x x eq_refl); specialize (M0 x w); nra). ring. }
    rewrite !none. lra.
  - exfalso. assert (total : forall u, (Σ v, Pz u v) = P p u).
    { intros u. unfold Pz, P. now rewrite <- (sum_fibres dec z (inside p u)). }
    assert (le : (Σ v, P p t * Pz s v) <= Σ v, R1 * P p s * Pz t v).
    { apply sum_le; intros v _. rewrite Rmult_comm. apply tell. }
    rewrite !sum_scale, !total in le.
    assert (0 < P p t * P p s) by (now apply Rmult_lt_0_compat). nra.
Qed.
End Coarse.

(** X_quilt and X_remote; the secret depends on X_i, which is among the nearby records.
    Conditional independence of X_remote from the secret given X_quilt, multiplied out. *)
Section MarkovQuilt.
Context {D Q Far W : Type} `{Finite D} `{Finite Q} `{Finite Far}.
Context (dq : forall y z : Q, {y = z} + {y <> z}) (df : forall y z : Far, {y = z} + {y <> z}).
Context (quilt : D -> Q) (remote : D -> Far).

Definition dec2 (y z : Q * Far) : {y = z} + {y <> z}.
Proof. decide equality. Defined.

Definition everything : @secret D := fun _ => true.
Definition p_quilt p s q := Pz dq p quilt s q.
Definition p_quilt_remote p s q r := Pz dec2 p (fun x => (quilt x, remote x)) s (q, r).

Definition independent_given_quilt p s := forall q r,
  p_quilt_remote p s q r * p_quilt p everything q = p_quilt p s q * p_quilt_remote p everything q r.
(** max-influence of the quilt at most log I *)
Definition influence_at_most I p s t := forall q, p_quilt p s q * P p t <= I * P p s * p_quilt p t
  q.

Lemma p_quilt_le p s q : law p -> 0 <= p_quilt p s q <= p_quilt p everything q.
Proof.
  intros Lp; pose proof Lp as [p0 _]; split.
  - apply sum_nonneg; intros x _. unfold at_; pose proof (inside_nonneg p s x Lp); destruct dq; lra.
  - apply sum_le; intros x _. unfold inside, everything, at_; specialize (p0 x); destruct (s x), dq;
      lra.
Qed.

Lemma p_quilt_remote_le p s q r : law p -> 0 <= p_quilt_remote p s q r <= p_quilt p s q.
Proof.
  intros Lp; split.
  - apply sum_nonneg; intros x _. unfold at_; pose proof (inside_nonneg p s x Lp); destruct dec2;
      lra.
  - apply sum_le; intros x _. pose proof (inside_nonneg p s x Lp). unfold at_.
    destruct dec2 as [E|], dq; try lra. congruence.
Qed.

(** What the Markov quilt mechanism rests on: a quilt tells at most I of the secret, and the
    mechanism varies by at most R2 where quilt and remote records are fixed.
    Differs: wang2016 has it inside the proof of theorem 4.4; one prior and one pair; conditional
    independence is a hypothesis. *)
Theorem quilt_mechanism p (M : D -> W -> R) s t I R2 w :
  law p -> likelihood M -> 0 <= I ->
  independent_given_quilt p s -> independent_given_quilt p t -> influence_at_most I p s t ->
  (forall x y, quilt x = quilt y -> remote x = remote y -> M x w <= R2 * M y w) ->
  Pw p M s w * P p t <= I * R2 * P p s * Pw p M t w.
Proof.
  intros Lp M0 I0 cs ct infl vary.
  apply (coarse_fine dec2 p M s t (fun x => (quilt x, remote x)) I R2 Lp M0 w).
  - intros [q r]. change (p_quilt_remote p s q r * P p t <= I * P p s * p_quilt_remote p t q r).
    specialize (cs q r); specialize (ct q r); specialize (infl q).
    pose proof (p_quilt_le p s q Lp); pose proof (p_quilt_le p t q Lp).
    pose proof (p_quilt_remote_le p s q r Lp); pose proof (p_quilt_remote_le p t q r Lp).
    pose proof (p_quilt_remote_le p everything q r Lp).
    destruct (Rlt_le_dec 0 (p_quilt p everything q)) as [pos|none].
    + apply (Rmult_le_reg_r (p_quilt p everything q)); [easy|].
      replace (p_quilt_remote p s q r * P p t * p_quilt p everything q)
        with (p_quilt_remote p s q r * p_quilt p everything q * P p t) by ring.
      replace (I * P p s * p_quilt_remote p t q r * p_quilt p everything q)
        with (I * P p s * (p_quilt_remote p t q r * p_quilt p everything q)) by ring.
      rewrite cs, ct. nra.
    + assert (p_quilt_remote p s q r = 0) as -> by lra. pose proof (P_nonneg p s Lp).
      assert (0 <= I * P p s) by (apply Rmult_le_pos; lra). nra.
  - intros x y E; inversion E; auto.
Qed.
End MarkovQuilt.
