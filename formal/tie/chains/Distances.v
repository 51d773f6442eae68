(** How the distance of two laws of a query of integers is decided: by distribution functions at its
    values. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Laws ValueLaws Attained Slower Couplings.
From Tied Require Import Decide Entries Chains Noises.
Import ListNotations.
Open Scope R_scope.

Section Within.
Context {D : Type} `{Finite D}.
Variables (p : D -> R) (q : D -> Q) (f : D -> R) (z : D -> Z) (k : Z).
Hypothesis pq : forall x, rational (p x) (q x).
Hypothesis fz : integral f z.

Definition chance (r : D -> bool) : Q := qsum all (fun x => if r x then q x else 0%Q).
Lemma chance_is r : rational (P p r) (chance r).
Proof.
  apply r_sum. intros x. unfold inside. destruct (r x); [apply pq|apply r_0].
Qed.
Lemma mass_is r y : rational (mass p r f (f y)) (chance (fun x => r x && Z.eqb (z x) (z y))).
Proof.
  apply r_sum. intros x. unfold inside, hits. rewrite !fz.
  destruct (r x); [|destruct Req_EM_T; rewrite Rmult_0_l; apply r_0].
  destruct (Req_EM_T (IZR (z x)) (IZR (z y))) as [e|n]; cbn [andb].
  - apply eq_IZR in e. rewrite e, Z.eqb_refl, Rmult_1_r. apply pq.
  - destruct (Z.eqb_spec (z x) (z y)) as [e|_]; [now rewrite e in n|]. rewrite Rmult_0_r. apply r_0.
Qed.
Lemma up_to_is r u : rational (up_to p f r (IZR u)) (chance (fun x => r x && Z.leb (z x) u)).
Proof.
  apply r_sum. intros x. unfold inside. rewrite fz.
  destruct (r x); [|destruct Rle_dec; rewrite Rmult_0_l; apply r_0].
  destruct (Rle_dec (IZR (z x)) (IZR u)) as [e|n]; cbn [andb].
  - apply le_IZR, Z.leb_le in e. rewrite e, Rmult_1_r. apply pq.
  - destruct (Z.leb_spec (z x) u) as [e|_]; [now apply IZR_le in e|]. rewrite Rmult_0_r. apply r_0.
Qed.

Definition near_at (s t : D -> bool) y : bool :=
  (Qle_bool 0 (Qred (chance t * chance (fun x => s x && Z.eqb (z x) (z y)))) &&
   Qle_bool 0 (Qred (chance s * chance (fun x => t x && Z.eqb (z x) (z y))))) &&
  (Qle_bool (Qred (chance t * chance (fun x => s x && Z.leb (z x) (z y))))
     (Qred (chance s * chance (fun x => t x && Z.leb (z x) (z y + k)))) &&
   Qle_bool (Qred (chance s * chance (fun x => t x && Z.leb (z x) (z y))))
     (Qred (chance t * chance (fun x => s x && Z.leb (z x) (z y + k))))).
Lemma d_within s t : decided (within p s t f (IZR k)) (forallb (near_at s t) all).
Proof.
  unfold decided. rewrite within_by_values, forallb_forall.
  assert (one : forall y, near_at s t y = true <->
    (0 <= P p t * mass p s f (f y) /\ 0 <= P p s * mass p t f (f y)) /\
    (P p t * up_to p f s (f y) <= P p s * up_to p f t (f y + IZR k) /\
     P p s * up_to p f t (f y) <= P p t * up_to p f s (f y + IZR k))).
  { intros y. unfold near_at. rewrite (fz y) at 3 4 5 6. rewrite <- plus_IZR.
    apply d_and; apply d_and; apply d_le; try apply r_0; apply r_mult;
      apply chance_is || apply mass_is || apply up_to_is. }
  split.
  - intros h. split; intros y; apply one, h, all_here.
  - intros [pos h] y _. apply one. now split.
Qed.
End Within.

#[export] Instance d_distance {D A B} `{Finite D} (a b : B -> @secret D) (g : A -> D -> R) gq f z k
  lq lp : integral f z -> (forall x v, rational (g x v) (gq x v)) ->
  decided (distance_at_most f (IZR k) (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map g lp))) (forallb (fun x => forallb (fun y =>
      negb (negb (Qle_bool (chance (gq x) (a y)) 0) && negb (Qle_bool (chance (gq x) (b y)) 0)) ||
      forallb (near_at (gq x) z k (a y) (b y)) all) lq) lp) | 0.
Proof.
  intros fz e. unfold decided, distance_at_most. rewrite forallb_forall.
  assert (pos : forall x r, negb (Qle_bool (chance (gq x) r) 0) = true <-> 0 < P (g x) r).
  { intros x r. apply (d_lt _ _ 0%Q (chance (gq x) r)); [apply r_0|].
    apply chance_is. intros v. apply e. }
  split.
  - intros h p s t i j Ps Pt. apply in_map_iff in i as [x [<- i]].
    apply in_map_iff in j as [y [E j]]. injection E as <- <-. specialize (h x i).
    rewrite forallb_forall in h. specialize (h y j). apply pos in Ps. apply pos in Pt.
    rewrite Ps, Pt in h. cbn [andb negb orb] in h.
    now apply (d_within (g x) (gq x) f z k (e x) fz).
  - intros h x i. apply forallb_forall. intros y j.
    destruct (negb (Qle_bool (chance (gq x) (a y)) 0) && _) eqn:E; [|easy]. cbn [negb orb].
    apply andb_true_iff in E as [Ps Pt]. apply pos in Ps. apply pos in Pt.
    apply (d_within (g x) (gq x) f z k (e x) fz). apply h; auto.
    + now apply in_map.
    + now apply (in_map (fun y => (a y, b y))).
Qed.

(** The level d / b. *)
Definition by_steps (q : Q) (d : Z) : Q := match d with Z0 => 1%Q
  | Zpos n => Qred (/ qpow q (Pos.to_nat n)) | Zneg n => qpow q (Pos.to_nat n) end.
#[export] Instance l_distance (d : Z) (b : posreal) q : scale_is b q ->
  level (IZR d / b) (by_steps q d).
Proof.
  intros [h e]. pose proof (rate_of q h) as l. rewrite e.
  replace (IZR d / - / ln (Q2R q)) with (- IZR d * ln (Q2R q)) by (field; lra).
  assert (pw : forall n, Q2R (qpow q n) = Q2R q ^ n).
  { intros n. induction n as [|n IH]; cbn [qpow pow]; [apply one_q|].
    now rewrite red, Q2R_mult, IH. }
  assert (pp : forall n, 0 < Q2R q ^ n) by (intros n; apply pow_lt; easy).
  assert (ln_pow : forall n, ln (Q2R q ^ n) = INR n * ln (Q2R q)).
  { intros n. rewrite <- Rpower_pow by easy. unfold Rpower. apply ln_exp. }
  destruct d as [|n|n]; cbn [by_steps].
  - split; [rewrite one_q; lra|]. rewrite one_q, ln_1. ring.
  - assert (nz : ~ qpow q (Pos.to_nat n) == 0).
    { intros z. apply Qeq_eqR in z. rewrite pw, RMicromega.Q2R_0 in z.
      specialize (pp (Pos.to_nat n)). lra. }
    split; rewrite red, Q2R_inv, pw by easy; [apply Rinv_0_lt_compat, pp|].
    rewrite ln_Rinv, ln_pow, INR_IPR by apply pp. change (IZR (Z.pos n)) with (IPR n). ring.
  - split; rewrite pw; [apply pp|]. rewrite ln_pow, INR_IPR.
    change (IZR (Z.neg n)) with (- IPR n). ring.
Qed.
#[export] Hint Extern 0 (level (IZR _ / pos _) _) => apply l_distance : typeclass_instances.
