(** Prices: what mechanisms within a level show at most, whatever they see. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Cones.
Import ListNotations.
Open Scope R_scope.

Section Prices.
(** One law of databases, two secrets, a mechanism, and what its outputs are worth. *)
Context {D W : Type} `{Finite D} (p : D -> R) (z : D -> bool) (M : D -> W -> R) (ws : list W).
Context (worth : W -> R) (price : D -> R) (E : R).
Definition has b : @secret D := fun x => eqb (z x) b.
Definition mass b := P p (has b).
Context (p0 : forall x, 0 <= p x) (M0 : forall x w, 0 <= M x w) (E1 : 1 <= E).
Context (m0 : forall b, 0 < mass b).
Context (promise : forall b w, Pw p M (has b) w * mass (negb b) <=
  E * mass b * Pw p M (has (negb b)) w).
(** Databases that share an output pay for it, at both ends of what the level leaves open. *)
Context (paid : forall x y w, In w ws -> z x = false -> z y = true -> 0 < M x w -> 0 < M y w ->
  worth w * (mass false * E + mass true) <= E * price x + price y /\
  worth w * (mass false + mass true * E) <= price x + E * price y).

(** An output given one secret, and how much more than its worth is paid. *)
Definition given w b x := if eqb (z x) b then p x / mass b * M x w else 0.
Definition gain w x := price x - worth w * mass (z x).
Definition likely w b := Σ x, given w b x.

Lemma given_nonneg w b x : 0 <= given w b x.
Proof.
  unfold given. destruct eqb; [|lra]. pose proof (m0 b). apply Rmult_le_pos; [|easy].
  apply Rmult_le_pos; [easy|left; now apply Rinv_0_lt_compat].
Qed.
Lemma likely_is w b : likely w b * mass b = Pw p M (has b) w.
Proof.
  unfold likely, Pw. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros x _.
  unfold given, inside, has. pose proof (m0 b). destruct eqb; [field; lra|ring].
Qed.
Lemma likely_within w b : likely w b <= E * likely w (negb b).
Proof.
  pose proof (promise b w) as H'. rewrite <- !likely_is in H'.
  pose proof (Rmult_lt_0_compat _ _ (m0 b) (m0 (negb b))) as mm.
  apply (Rmult_le_reg_r (mass b * mass (negb b))); [easy|]. lra.
Qed.

Lemma pair_pays w x y : In w ws ->
  0 <= given w false x * given w true y * (likely w false * gain w x + likely w true * gain w y).
Proof.
  intros iw. pose proof (given_nonneg w false x) as gx. pose proof (given_nonneg w true y) as gy.
  destruct gx as [gx|<-]; [|lra]. destruct gy as [gy|<-]; [|lra].
  apply Rmult_le_pos; [left; now apply Rmult_lt_0_compat|].
  assert (possible : forall b v, 0 < given w b v -> z v = b /\ 0 < M v w).
  { intros b v. unfold given. destruct (eqb (z v) b) eqn:e; [|lra]. apply eqb_prop in e.
    intros pos. split; [easy|]. destruct (M0 v w) as [|zero]; [easy|].
    rewrite <- zero in pos. lra. }
  destruct (possible _ _ gx) as [zx mx]. destruct (possible _ _ gy) as [zy my].
  destruct (paid x y w iw zx zy mx my) as [one two].
  pose proof (likely_within w false) as low. pose proof (likely_within w true) as high.
  cbn [negb] in *. unfold gain. rewrite zx, zy.
  assert (f0 : 0 <= likely w false) by (apply sum_nonneg; intros; apply given_nonneg).
  assert (t0 : 0 <= likely w true) by (apply sum_nonneg; intros; apply given_nonneg).
  rewrite !(Rmult_comm (likely w _)).
  apply (between 1 E E 1); try lra. nra.
Qed.

Lemma output_pays w : In w ws -> 0 <= Σ x, (given w false x + given w true x) * gain w x.
Proof.
  intros iw.
  assert (parts : (Σ x, (given w false x + given w true x) * gain w x) =
    (Σ x, gain w x * given w false x) + Σ x, gain w x * given w true x).
  { rewrite <- sum_plus. apply sum_ext; intros; ring. }
  assert (f0 : 0 <= likely w false) by (apply sum_nonneg; intros; apply given_nonneg).
  assert (t0 : 0 <= likely w true) by (apply sum_nonneg; intros; apply given_nonneg).
  pose proof (likely_within w false) as low. pose proof (likely_within w true) as high.
  cbn [negb] in *.
  assert (none : forall b, likely w b = 0 -> (Σ x, gain w x * given w b x) = 0).
  { intros b zero. rewrite <- (sum_0 (@all D _)). apply sum_ext; intros x ix.
    pose proof (sum_member all (given w b) x (fun y _ => given_nonneg w b y) ix) as le.
    change (given w b x <= likely w b) in le. pose proof (given_nonneg w b x).
    replace (given w b x) with 0 by lra. ring. }
  rewrite parts. destruct f0 as [f0|zero].
  - assert (t1 : 0 < likely w true).
    { destruct t0 as [|zero]; [easy|]. rewrite <- zero in low. lra. }
    assert (all_pairs : 0 <= likely w false * likely w true *
      ((Σ x, gain w x * given w false x) + Σ x, gain w x * given w true x)).
    { assert (first : likely w false * likely w true * (Σ x, gain w x * given w false x) =
        Σ x, Σ y, given w false x * given w true y * (likely w false * gain w x)).
      { rewrite <- sum_scale. apply sum_ext; intros x _.
        transitivity (likely w false * (gain w x * given w false x) * Σ y, given w true y);
          [unfold likely; ring|]. rewrite <- sum_scale. apply sum_ext; intros; ring. }
      assert (second : likely w false * likely w true * (Σ y, gain w y * given w true y) =
        Σ x, Σ y, given w false x * given w true y * (likely w true * gain w y)).
      { rewrite sum_swap, <- sum_scale. apply sum_ext; intros y _.
        transitivity (likely w true * (gain w y * given w true y) * Σ x, given w false x);
          [unfold likely; ring|]. rewrite <- sum_scale. apply sum_ext; intros; ring. }
      rewrite Rmult_plus_distr_l, first, second, <- sum_plus.
      apply sum_nonneg; intros x _. rewrite <- sum_plus. apply sum_nonneg; intros y _.
      pose proof (pair_pays w x y iw). lra. }
    apply (Rmult_le_reg_l (likely w false * likely w true)); [now apply Rmult_lt_0_compat|]. lra.
  - rewrite !none; try lra. rewrite <- zero in high. lra.
Qed.

(** No mechanism within a level releases more than the prices come to, whatever it sees.
    Differs: the certificate's prices pay for records; these pay for anything of worth. *)
Theorem prices_bound : (forall x, sum ws (M x) = 1) ->
  (Σ x, p x * sum ws (fun w => M x w * worth w)) <= Σ x, p x / mass (z x) * price x.
Proof.
  intros total.
  assert (E2 : (Σ x, p x / mass (z x) * price x) - (Σ x, p x * sum ws (fun w => M x w * worth w)) =
    sum ws (fun w => Σ x, (given w false x + given w true x) * gain w x)).
  { rewrite sum_swap. unfold Rminus.
    replace (- (Σ x, p x * sum ws (fun w => M x w * worth w))) with
      (-1 * (Σ x, p x * sum ws (fun w => M x w * worth w))) by ring.
    rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros x _.
    rewrite <- (Rmult_1_r (p x / mass (z x) * price x)) at 1. rewrite <- (total x).
    rewrite <- !sum_scale, <- sum_plus.
    apply sum_ext; intros w _. unfold given, gain. pose proof (m0 (z x)).
    destruct (z x); cbn [eqb]; field; lra. }
  pose proof (sum_nonneg ws (fun w => Σ x, (given w false x + given w true x) * gain w x)
    (fun w iw => output_pays w iw)). lra.
Qed.
End Prices.
