(** Sequential composition of the Markov quilt mechanism (song2017, theorem III.7 as repaired): runs
    with different quilts. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace.
Import ListNotations.
Open Scope R_scope.

(** Data processing: what is computed from X_Q has at most the max-influence of X_Q. *)
Section DataProcessing.
Context {D Q V : Type} `{Finite D} `{Finite Q}.
Context (dq : forall y z : Q, {y = z} + {y <> z}) (dv : forall y z : V, {y = z} + {y <> z}).
Context (p : D -> R) (s t : @secret D) (q : D -> Q) (g : Q -> V).

Lemma marginal u v : Pz dv p (fun x => g (q x)) u v = Σ a,
  (if dv (g a) v then 1 else 0) * Pz dq p q u a.
Proof.
  unfold Pz. rewrite (sum_fibres dq q (fun x => inside p u x * at_ dv (fun x => g (q x)) v x)).
  apply sum_ext; intros a _. rewrite <- sum_scale. apply sum_ext; intros x _.
  unfold at_. destruct (dq (q x) a) as [<-|]; ring.
Qed.

Lemma influence_processed I : influence_at_most dq q I p s t ->
  influence_at_most dv (fun x => g (q x)) I p s t.
Proof.
  intros infl v. unfold p_quilt. rewrite !marginal, Rmult_comm, <- !sum_scale.
  apply sum_le; intros a _.
  specialize (infl a). unfold p_quilt in infl. destruct (dv (g a) v); lra.
Qed.
End DataProcessing.

Section TwoSides.
Context {D A B : Type} `{Finite D}.
Context (da : forall y z : A, {y = z} + {y <> z}) (db : forall y z : B, {y = z} + {y <> z}).
Context (p : D -> R) (left_ : D -> A) (right_ : D -> B).
Definition dpair (y z : A * B) : {y = z} + {y <> z}. Proof. decide equality. Defined.
Definition sides x := (left_ x, right_ x).

(** The two sides are independent given the secret, as they are on a chain given X_i. *)
Definition sides_independent s := forall a b,
  p_quilt dpair sides p s (a, b) * P p s = p_quilt da left_ p s a * p_quilt db right_ p s b.

Lemma influence_sides s t I J : law p -> 0 <= I -> 0 <= J -> 0 < P p s -> 0 < P p t ->
  sides_independent s -> sides_independent t ->
  influence_at_most da left_ I p s t -> influence_at_most db right_ J p s t ->
  influence_at_most dpair sides (I * J) p s t.
Proof.
  intros Lp I0 J0 Ps Pt cs ct li ri [a b]. specialize (cs a b); specialize (ct a b);
    specialize (li a); specialize (ri b).
  destruct (p_quilt_le da left_ p s a Lp) as [sa _]. destruct (p_quilt_le da left_ p t a Lp) as
    [ta _].
  destruct (p_quilt_le db right_ p s b Lp) as [sb _].
  apply (Rmult_le_reg_r (P p s * P p t)); [now apply Rmult_lt_0_compat|].
  set (S := p_quilt dpair sides p s (a, b)) in *. set (T := p_quilt dpair sides p t (a, b)) in *.
  set (x := p_quilt da left_ p s a) in *. set (y := p_quilt db right_ p s b) in *.
  set (u := p_quilt da left_ p t a) in *. set (v := p_quilt db right_ p t b) in *.
  replace (S * P p t * (P p s * P p t)) with ((x * P p t) * (y * P p t))
    by (transitivity ((S * P p s) * (P p t * P p t)); [rewrite cs|]; ring).
  replace (I * J * P p s * T * (P p s * P p t)) with ((I * P p s * u) * (J * P p s * v))
    by (transitivity (I * J * P p s * P p s * (T * P p t)); [rewrite ct|]; ring).
  apply Rmult_le_compat; auto; apply Rmult_le_pos; lra.
Qed.
End TwoSides.

(** A run: query, upper bound of the influence of its quilt, level, scale. *)
Record run (D : Type) := { query : D -> R; bound : R; level : R; scale : R }.
Arguments query {D}. Arguments bound {D}. Arguments level {D}. Arguments scale {D}.

Fixpoint joint_density {D} (runs : list (run D)) (x : D) (ws : list R) : R :=
  match runs, ws with
  | r :: runs, w :: ws => laplace (scale r) (query r x) w * joint_density runs x ws
  | [], [] => 1 | _, _ => 0 end.

Definition good_run {D} (n : R) (same : D -> D -> Prop) (r : run D) :=
  0 <= bound r < level r /\ n / (level r - bound r) <= scale r /\
  forall x y, same x y -> Rabs (query r x - query r y) <= n.

Lemma good_scale {D} n same (r : run D) : 0 < n -> good_run n same r -> 0 < scale r.
Proof.
  intros n0 [b [sc _]]. apply Rlt_le_trans with (2 := sc). apply Rdiv_lt_0_compat; lra.
Qed.

Lemma joint_nonneg {D} (runs : list (run D)) x ws : (forall r, In r runs -> 0 < scale r) ->
  0 <= joint_density runs x ws.
Proof.
  revert ws; induction runs as [|r runs IH]; intros [|w ws] pos; simpl; try lra.
  apply Rmult_le_pos; [apply laplace_nonneg, pos; simpl; auto|apply IH; intros; apply pos; simpl;
    auto].
Qed.

Lemma joint_varies {D} n (same : D -> D -> Prop) runs x y ws :
  0 < n -> (forall r, In r runs -> good_run n same r) -> same x y ->
  joint_density runs x ws <= exp (sum runs level - sum runs bound) * joint_density runs y ws.
Proof.
  intros n0 good xy; revert ws; induction runs as [|r runs IH]; intros [|w ws]; simpl; try lra.
  { rewrite Rminus_0_r, exp_0; lra. }
  specialize (IH (fun r i => good r (or_intror i)) ws).
  pose proof (good r (or_introl eq_refl)) as g. pose proof (good_scale n same r n0 g) as s0.
  destruct g as [b [sc lip]]. specialize (lip x y xy).
  pose proof (laplace_near (scale r) n _ _ w s0 lip) as N.
  assert (step : exp (n / scale r) <= exp (level r - bound r)).
  { assert (n / scale r <= level r - bound r) as [l|<-]; [|left; now apply exp_increasing|lra].
    apply (Rmult_le_reg_r (scale r)); [easy|]. unfold Rdiv in *.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply (Rmult_le_compat_r (level r - bound r)) in sc; [|lra].
    rewrite Rmult_assoc, Rinv_l in sc; lra. }
  replace (level r + sum runs level - (bound r + sum runs bound))
    with ((level r - bound r) + (sum runs level - sum runs bound)) by ring.
  rewrite exp_plus.
  pose proof (laplace_nonneg (scale r) (query r x) w s0).
  pose proof (laplace_nonneg (scale r) (query r y) w s0).
  assert (0 <= joint_density runs x ws)
    by (apply joint_nonneg; intros r' i; exact (good_scale n same r' n0 (good r' (or_intror i)))).
  apply Rle_trans with (exp (level r - bound r) * laplace (scale r) (query r y) w *
                        (exp (sum runs level - sum runs bound) * joint_density runs y ws));
                          [|right; ring].
  apply Rmult_le_compat; auto. apply Rle_trans with (1 := N). now apply Rmult_le_compat_r.
Qed.

(** Any number of runs. left_ and right_ are the nearest quilt records of all runs;
    together they are a quilt.
    The influence of left_ is at most the bound of one run,
      that of right_ at most the bound of another one
    (by [influence_processed]; if both are of one run its bound serves for both,
      see [sequential_quilts_one_bound]). *)
Section Sequential.
Context {D A B Far : Type} `{Finite D} `{Finite A} `{Finite B} `{Finite Far}.
Context (da : forall y z : A, {y = z} + {y <> z}) (db : forall y z : B, {y = z} + {y <> z}).
Context (df : forall y z : Far, {y = z} + {y <> z}).
Context (p : D -> R) (left_ : D -> A) (right_ : D -> B) (remote : D -> Far) (s t : @secret D).
Context (runs : list (run D)) (n : R).
Let quilt := sides left_ right_.
Let same x y := quilt x = quilt y /\ remote x = remote y.
Hypotheses (Lp : law p) (Ps : 0 < P p s) (Pt : 0 < P p t) (n0 : 0 < n).
Hypothesis s_remote : independent_given_quilt (dpair da db) df quilt remote p s.
Hypothesis t_remote : independent_given_quilt (dpair da db) df quilt remote p t.
Hypothesis good : forall r, In r runs -> good_run n same r.

(** Runs with one common quilt, if the bounds of all runs together cover its influence.
    Differs: song2017, theorem III.7, has it inside its proof; one prior and one pair; density
    form. *)
Theorem sequential_quilts_one_bound ws :
  influence_at_most (dpair da db) quilt (exp (sum runs bound)) p s t ->
  Pw p (joint_density runs) s ws * P p t <= exp (sum runs level) * P p s * Pw p (joint_density runs)
    t ws.
Proof.
  intros infl. replace (sum runs level) with (sum runs bound + (sum runs level - sum runs bound))
    by ring.
  rewrite exp_plus.
  apply (quilt_mechanism (dpair da db) df quilt remote p (joint_density runs) s t); auto.
  - intros x w. apply joint_nonneg. intros r i; apply (good_scale n same); auto.
  - left; apply exp_pos.
  - intros x y Eq Er. apply (joint_varies n same); auto. now split.
Qed.

(** Sequential composition (song2017, theorem III.7, as repaired): K runs leak at most the sum of
    their levels; left_ and right_ are the nearest quilt records of all runs, of runs r1 and r2.
    Differs: one prior and one pair; the common quilt, its conditional independence and the
    influence of its two records are hypotheses; density form. *)
Theorem sequential_quilts before r1 between r2 after ws :
  runs = before ++ r1 :: between ++ r2 :: after ->
  sides_independent da db p left_ right_ s -> sides_independent da db p left_ right_ t ->
  (influence_at_most da left_ (exp (bound r1)) p s t /\ influence_at_most db right_ (exp (bound r2))
    p s t \/
   influence_at_most da left_ (exp (bound r2)) p s t /\ influence_at_most db right_ (exp (bound r1))
     p s t) ->
  Pw p (joint_density runs) s ws * P p t <= exp (sum runs level) * P p s * Pw p (joint_density runs)
    t ws.
Proof.
  intros E cs ct infl. apply sequential_quilts_one_bound.
  assert (total : exp (bound r1) * exp (bound r2) <= exp (sum runs bound)).
  { rewrite <- exp_plus. assert (b0 : forall r, In r runs -> 0 <= bound r)
    by (intros r i; destruct (good r i); lra).
    assert (bound r1 + bound r2 <= sum runs bound) as [l|<-]; [|left; now apply exp_increasing|lra].
    rewrite E in b0. rewrite E, !sum_app; simpl. rewrite sum_app; simpl.
    assert (0 <= sum before bound /\ 0 <= sum between bound /\ 0 <= sum after bound) by
      (repeat split; apply sum_nonneg; intros x i; apply b0; rewrite !in_app_iff; simpl;
        rewrite ?in_app_iff; simpl; tauto).
    lra. }
  assert (I : influence_at_most (dpair da db) quilt (exp (bound r1) * exp (bound r2)) p s t).
  { pose proof (exp_pos (bound r1)); pose proof (exp_pos (bound r2)).
  destruct infl as [[l r]|[l r]].
    - apply (influence_sides da db); auto; lra.
    - rewrite Rmult_comm. apply (influence_sides da db); auto; lra. }
  intros q. specialize (I q). apply Rle_trans with (1 := I).
  destruct (p_quilt_le (dpair da db) quilt p t q Lp) as [q0 _].
  apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; lra.
Qed.
End Sequential.
