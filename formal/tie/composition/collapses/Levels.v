(** That some finite level is kept is decided by what is possible. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Decoys FourOutputs FiniteLevel.
From Tied Require Import Decide Entries Examples.
Import ListNotations.
Open Scope R_scope.

Section Some.
Context {D W : Type} `{Finite D} `{Finite W} (M : D -> W -> R).
Context (priors : list (D -> R)) (pairs : list (@secret D * @secret D)).
Hypothesis laws : forall p, In p priors -> law p.
Hypothesis M0 : likelihood M.

Definition ratio_at p (st : @secret D * @secret D) w : R :=
  Pw p M (fst st) w * P p (snd st) * / (P p (fst st) * Pw p M (snd st) w).
Lemma inverse_nonneg x : 0 <= x -> 0 <= / x.
Proof.
  intros [pos|<-]; [left; now apply Rinv_0_lt_compat|]. rewrite Rinv_0. lra.
Qed.
Lemma parts_nonneg p s w : In p priors -> 0 <= P p s /\ 0 <= Pw p M s w.
Proof.
  intros i. destruct (laws p i) as [pos _].
  assert (each : forall x, 0 <= inside p s x).
  { intros x. unfold inside. destruct (s x); auto; lra. }
  split; apply sum_nonneg; intros x _; [easy|]. now apply Rmult_le_pos.
Qed.
Lemma ratio_nonneg p st w : In p priors -> 0 <= ratio_at p st w.
Proof.
  intros i. destruct (parts_nonneg p (fst st) w i), (parts_nonneg p (snd st) w i).
  unfold ratio_at. repeat apply Rmult_le_pos; try easy. apply inverse_nonneg.
  now apply Rmult_le_pos.
Qed.

Lemma some_ratio :
  (exists r, pufferfish r M (fun s t => In (s, t) pairs) (fun p => In p priors)) <->
  (forall p, In p priors -> forall st, In st pairs -> forall w, 0 < P p (fst st) ->
    0 < P p (snd st) -> 0 < Pw p M (fst st) w -> 0 < Pw p M (snd st) w).
Proof.
  split.
  - intros [r keep] p i [s t] j w Ps Pt here. cbn [fst snd] in *.
    specialize (keep p s t w i j Ps Pt).
    destruct (parts_nonneg p t w i) as [_ [more|none]]; [easy|]. rewrite <- none in keep.
    assert (0 < Pw p M s w * P p t) by now apply Rmult_lt_0_compat. lra.
  - intros able. exists (sum priors (fun p => sum pairs (fun st => Σ w, ratio_at p st w))).
    intros p s t w i j Ps Pt. destruct (parts_nonneg p s w i) as [_ [here|none]].
    2: { rewrite <- none. destruct (parts_nonneg p t w i). rewrite Rmult_0_l.
         repeat apply Rmult_le_pos; try lra. apply sum_nonneg; intros q iq.
         apply sum_nonneg; intros st _. apply sum_nonneg; intros v _. now apply ratio_nonneg. }
    pose proof (able p i (s, t) j w Ps Pt here) as there. cbn [fst snd] in there.
    assert (most : ratio_at p (s, t) w <=
      sum priors (fun p => sum pairs (fun st => Σ w, ratio_at p st w))).
    { assert (inner : forall q, In q priors -> forall st, 0 <= Σ w, ratio_at q st w).
      { intros q iq st. apply sum_nonneg; intros v _. now apply ratio_nonneg. }
      apply Rle_trans with (Σ w, ratio_at p (s, t) w).
      { apply (sum_member all (ratio_at p (s, t))); [|apply all_here].
        intros v _. now apply ratio_nonneg. }
      apply Rle_trans with (sum pairs (fun st => Σ w, ratio_at p st w)).
      { apply (sum_member pairs (fun st => Σ w, ratio_at p st w)); [|easy]. intros st _. auto. }
      apply (sum_member priors (fun p => sum pairs (fun st => Σ w, ratio_at p st w)));
        [|easy]. intros q iq. apply sum_nonneg. intros st _. auto. }
    assert (pos : 0 < P p s * Pw p M t w) by now apply Rmult_lt_0_compat.
    apply Rle_trans with (ratio_at p (s, t) w * (P p s * Pw p M t w)).
    + unfold ratio_at; cbn [fst snd]. right. field. lra.
    + rewrite Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.
End Some.

Definition qabove (q : Q) : bool := negb (Qle_bool q 0).
Definition qable {D} `{Finite D} (q : D -> Q) (s U u v : D -> bool) w : bool :=
  let joint a := qsum all (fun x => Qred (qin q a x * qfour s U x w)) in
  negb (qabove (qsum all (qin q u))) || (negb (qabove (qsum all (qin q v))) ||
    (negb (qabove (joint u)) || qabove (joint v))).
#[export] Instance d_some_level {D A} `{Finite D} (s U : D -> bool) (f : A -> D -> R) q lp b :
  (forall a x, rational (f a x) (q a x)) ->
  decided (laws_only (fun p => In p (map f lp))) b ->
  decided (some_level (four s U) (both_ways s) (fun p => In p (map f lp)))
    (b && forallb (fun a => forallb (fun st => forallb (qable (q a) s U (fst st) (snd st)) all)
      [(s, otherwise s); (otherwise s, s)]) lp) | 0.
Proof.
  intros e db. unfold decided in *. rewrite andb_true_iff, db, forallb_forall. unfold some_level.
  assert (each : forall a st w, decided (0 < P (f a) (fst st) -> 0 < P (f a) (snd st) ->
    0 < Pw (f a) (four s U) (fst st) w -> 0 < Pw (f a) (four s U) (snd st) w)
    (qable (q a) s U (fst st) (snd st) w)).
  { intros a st w. unfold qable, qabove. cbv zeta.
    repeat apply d_imp; apply d_lt; try apply r_0; (now apply r_weight) || now apply r_joint. }
  set (two := [(s, otherwise s); (otherwise s, s)]).
  assert (same : laws_only (fun p => In p (map f lp)) ->
    (exists r, pufferfish r (four s U) (both_ways s) (fun p => In p (map f lp))) <->
    forall p, In p (map f lp) -> forall st, In st two -> forall w, 0 < P p (fst st) ->
      0 < P p (snd st) -> 0 < Pw p (four s U) (fst st) w -> 0 < Pw p (four s U) (snd st) w).
  { intros laws. apply (some_ratio (four s U) (map f lp) two laws).
    intros x w. apply (four_rows s U x). }
  split; intros [laws can]; (split; [easy|]).
  - apply same; [easy|]. intros p i st j w. apply in_map_iff in i as [a [<- i]].
    specialize (can a i). rewrite forallb_forall in can. specialize (can st j).
    rewrite forallb_forall in can. apply each, can, all_here.
  - intros a i. apply forallb_forall; intros st j. apply forallb_forall; intros w _. apply each.
    apply (proj1 (same laws) can); [now apply in_map|easy].
Qed.
