(** Weighted means of logarithms of likelihoods, and the linear programs that compare them. *)
From Coq Require Import Reals Lra List Classical.
From Pufferproof Require Import Sums Alternatives Pufferfish Compactness Spectrum Chain Means.
From Pufferproof Require Import Necessary Weights Worst Values.
Import ListNotations.
Open Scope R_scope.

Section Programs.
Context {D W : Type} `{Finite D} `{Finite W}.
Implicit Types (M : D -> W -> R) (s t : @secret D) (alpha : W -> R) (beta : D -> R).

(** The database l gives every output that has weight: then its mean logarithm is a number. *)
Definition gives M alpha l := forall w, 0 < alpha w -> 0 < M l w.
Definition mean_log M alpha l := Σ w, alpha w * ln (M l w).
(** Condition (2): the largest mean over s is at most eps and the largest over t, where a mean that
    is no number is minus infinity. *)
Definition means_close eps M s t := forall alpha, law alpha -> forall x, s x = true ->
  gives M alpha x ->
  exists l, t l = true /\ gives M alpha l /\ mean_log M alpha x <= eps + mean_log M alpha l.
(** The program of x: to make e as large as possible. *)
Definition feasible M t x e := exists alpha, law alpha /\ gives M alpha x /\
  forall l, t l = true -> gives M alpha l -> e <= Σ w, alpha w * ln (M x w / M l w).
(** Its dual: to make y as small as possible. Outputs that x never gives ask for nothing. *)
Definition dual_feasible M t x y := exists beta, law beta /\
  (forall l, 0 < beta l -> t l = true) /\ forall w, 0 < M x w ->
    (forall l, 0 < beta l -> 0 < M l w) /\ ln (M x w) <= y + Σ l, beta l * ln (M l w).

Definition programs_below eps M s t :=
  forall x, s x = true -> forall e, feasible M t x e -> e <= eps.
Definition duals_below eps M s t :=
  forall x, s x = true -> exists y, y <= eps /\ dual_feasible M t x y.
(** V is reached by the program and by its dual, and no e is larger and no y smaller. *)
Definition is_optimum M t x V :=
  (feasible M t x V /\ forall e, feasible M t x e -> e <= V) /\
  (dual_feasible M t x V /\ forall y, dual_feasible M t x y -> V <= y).
Definition optima_below eps M s t := (forall l w, 0 < M l w) /\
  forall x, s x = true -> exists V, V <= eps /\ is_optimum M t x V.
Definition some_database t := exists l : D, t l = true.

Lemma ratio_means M alpha x l : gives M alpha x -> gives M alpha l -> law alpha ->
  (Σ w, alpha w * ln (M x w / M l w)) = mean_log M alpha x - mean_log M alpha l.
Proof.
  intros gx gl [a0 _]. unfold mean_log, Rminus.
  replace (- (Σ w, alpha w * ln (M l w))) with (-1 * (Σ w, alpha w * ln (M l w))) by ring.
  rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros w _.
  destruct (a0 w) as [pos|<-]; [|ring]. unfold Rdiv.
  rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; auto). ring.
Qed.

(** Weights of outputs that put x above all databases of t by more than eps. *)
Definition above eps M t x := exists alpha, law alpha /\ gives M alpha x /\
  forall l, t l = true -> gives M alpha l -> eps < mean_log M alpha x - mean_log M alpha l.

Lemma close_unless_above eps M s t : means_close eps M s t <->
  forall x, s x = true -> ~ above eps M t x.
Proof.
  split.
  - intros close x sx [alpha [La [gx up]]]. destruct (close alpha La x sx gx) as [l [tl [gl le]]].
    specialize (up l tl gl). lra.
  - intros none alpha La x sx gx. apply NNPP. intros no. apply (none x sx). exists alpha.
    split; [easy|]. split; [easy|]. intros l tl gl. apply Rnot_le_lt. intros le. apply no.
    exists l. repeat split; auto. lra.
Qed.

(** Weak duality. *)
Lemma mean_at_most M t x y beta alpha : law beta -> (forall l, 0 < beta l -> t l = true) ->
  (forall w, 0 < M x w -> (forall l, 0 < beta l -> 0 < M l w) /\
    ln (M x w) <= y + Σ l, beta l * ln (M l w)) -> law alpha -> gives M alpha x ->
  (forall l, 0 < beta l -> gives M alpha l) /\
  mean_log M alpha x <= y + Σ l, beta l * mean_log M alpha l.
Proof.
  intros [b0 b1] here each [a0 a1] gx. split.
  - intros l bl w aw. now apply (each w (gx w aw)).
  - apply Rle_trans with (Σ w, alpha w * (y + Σ l, beta l * ln (M l w))).
    + apply sum_le. intros w _. destruct (a0 w) as [pos|<-]; [|lra].
      apply Rmult_le_compat_l; [auto|]. now apply each, gx.
    + rewrite (sum_ext all _ (fun w => y * alpha w + alpha w * Σ l, beta l * ln (M l w)))
        by (intros; ring). rewrite sum_plus, sum_scale, a1. apply Req_le. f_equal; [ring|].
      unfold mean_log. rewrite (sum_ext all _ (fun w => Σ l, beta l * (alpha w * ln (M l w)))).
      * rewrite sum_swap. apply sum_ext. intros l _. now rewrite sum_scale.
      * intros w _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma never_above M t x y : dual_feasible M t x y -> ~ above y M t x.
Proof.
  intros [beta [Lb [here each]]] [alpha [La [gx up]]].
  destruct (mean_at_most M t x y beta alpha Lb here each La gx) as [gl le].
  destruct Lb as [b0 b1]. set (m := mean_log M alpha) in *.
  destruct (sum_pos_exists all beta) as [l [il pos]]; [lra|].
  assert (nn : forall l, 0 <= beta l * (m x - y - m l)).
  { intros k. destruct (b0 k) as [bk|<-]; [|lra]. specialize (up k (here k bk) (gl k bk)).
    apply Rmult_le_pos; lra. }
  pose proof (sum_member all _ l (fun k _ => nn k) il) as one. simpl in one.
  specialize (up l (here l pos) (gl l pos)).
  assert (0 < beta l * (m x - y - m l)) by (apply Rmult_lt_0_compat; lra).
  rewrite (sum_ext all _ (fun k => (m x - y) * beta k + -1 * (beta k * m k))) in one
    by (intros; ring). rewrite sum_plus, !sum_scale, b1 in one. lra.
Qed.

Lemma feasible_at_most M t x y e : dual_feasible M t x y -> feasible M t x e -> e <= y.
Proof.
  intros dual [alpha [La [gx each]]]. apply Rnot_lt_le. intros lt.
  apply (never_above M t x y dual). exists alpha. split; [easy|]. split; [easy|].
  intros l tl gl. specialize (each l tl gl). rewrite ratio_means in each by easy. lra.
Qed.

(** Positive numbers for some outputs as weights. *)
Lemma spread (os : list (unit * W)) (y : list R) : length y = length os -> NoDup os ->
  (forall a, In a y -> 0 < a) -> exists lam : W -> R, (forall w, 0 <= lam w) /\
    (forall w, 0 < lam w <-> In (tt, w) os) /\
    forall g, dot os g y = Σ w, lam w * g (tt, w).
Proof.
  revert y. induction os as [|[[] v] os IH]; intros [|a y] len once pos; try discriminate.
  - exists (fun _ => 0). split; [intros; lra|]. split; [intros w; split; [lra|intros []]|].
    intros g. simpl. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). now rewrite sum_0.
  - inversion once as [|o l out once']; subst. injection len as len.
    destruct (IH y len once' (fun b i => pos b (or_intror i))) as [lam [l0 [lp E]]].
    assert (lv : lam v = 0).
    { destruct (l0 v) as [up|]; [|easy]. destruct out. now apply lp. }
    specialize (pos a (or_introl eq_refl)).
    exists (fun w => lam w + a * point v w). split; [|split].
    + intros w. specialize (l0 w). unfold point. destruct decision; lra.
    + intros w. simpl. specialize (lp w). specialize (l0 w). unfold point.
      destruct decision as [<-|ne].
      * split; [now left|]. rewrite lv. lra.
      * rewrite <- lp. split; [right; lra|]. intros [q|]; [|lra]. congruence.
    + intros g. cbn [dot]. rewrite E. symmetry.
      rewrite (sum_ext all _ (fun w => lam w * g (tt, w) + a * (g (tt, w) * point v w)))
        by (intros; ring).
      rewrite sum_plus, sum_scale, (sum_point all v (fun w => g (tt, w)) all_once (all_here v)).
      ring.
Qed.

Lemma below_unless_above eps M t x : (forall e, feasible M t x e -> e <= eps) <->
  ~ above eps M t x.
Proof.
  split.
  - intros below [alpha [La [gx up]]].
    assert (more : exists e, eps < e /\ forall l, In l all -> t l = true -> gives M alpha l ->
      e <= mean_log M alpha x - mean_log M alpha l).
    { induction (@all D _) as [|l m [e [e0 IH]]]; [exists (eps + 1); split; [lra|intros l []]|].
      set (h := mean_log M alpha x - mean_log M alpha l). specialize (up l). fold h in up.
      destruct (Rlt_dec eps h) as [ok|no].
      - exists (Rmin e h). split; [now apply Rmin_glb_lt|].
        pose proof (Rmin_l e h). pose proof (Rmin_r e h).
        intros k [<-|i] tk gk; [easy|]. specialize (IH k i tk gk). lra.
      - exists e. split; [easy|]. intros k [<-|i] tk gk; [destruct (no (up tk gk))|auto]. }
    destruct more as [e [e0 more]]. assert (e <= eps); [|lra]. apply below. exists alpha.
    split; [easy|]. split; [easy|]. intros l tl gl. rewrite ratio_means by easy.
    apply more; auto. apply all_here.
  - intros none e [alpha [La [gx each]]]. apply Rnot_lt_le. intros lt. apply none. exists alpha.
    split; [easy|]. split; [easy|]. intros l tl gl. specialize (each l tl gl).
    rewrite ratio_means in each by easy. lra.
Qed.

Lemma dual_more M t x y z : dual_feasible M t x y -> y <= z -> dual_feasible M t x z.
Proof.
  intros [beta [Lb [here each]]] le. exists beta. split; [easy|]. split; [easy|].
  intros w pos. destruct (each w pos) as [ok at_]. split; [easy|]. lra.
Qed.

Lemma close_iff_below eps M s t : means_close eps M s t <-> programs_below eps M s t.
Proof.
  rewrite close_unless_above. unfold programs_below.
  split; intros each x sx; specialize (each x sx); now apply below_unless_above.
Qed.

Section Zeros.
Context (dec : forall x y : D, {x = y} + {x <> y}).

(** Weights for x, with every database possible. *)
Definition weighed_by eps M t x beta := weighed (fun _ => 1) t (fun _ : unit => M) eps x beta.

Lemma one_inside t (l : D) : 0 < inside (fun _ => 1) t l <-> t l = true.
Proof. unfold inside. destruct (t l); split; try easy; lra. Qed.

Lemma weighed_dual eps M t x beta : weighed_by eps M t x beta -> dual_feasible M t x eps.
Proof.
  intros wb. exists beta. pose proof wb as [Lb [here _]]. split; [easy|].
  split; [intros l bl; now apply one_inside, here|]. intros w Mw.
  assert (io : In (tt, w) (seen (fun _ => M) x)) by now apply seen_positive.
  split.
  - intros l bl. apply (weighed_possible _ t _ eps x beta l wb) in bl.
    apply left_over_spec in bl as [_ ok]. rewrite always_positive in ok. exact (ok _ io).
  - pose proof (weighed_gaps _ t _ eps x beta _ wb io) as le.
    unfold gap, likelihood_of in le. cbn [fst snd] in le. destruct Lb as [_ b1].
    rewrite (sum_ext all _ (fun l => (ln (M x w) - eps) * beta l + -1 *
      (beta l * ln (M l w)))) in le by (intros; ring).
    rewrite sum_plus, !sum_scale, b1 in le. lra.
Qed.

Lemma above_or_weighed eps M t x : likelihood M -> some_database t ->
  above eps M t x \/ exists beta, weighed_by eps M t x beta.
Proof.
  intros M0 [l0 tl0]. set (p := fun _ : D => 1). set (Ms := fun _ : unit => M).
  assert (Ms0 : forall i, likelihood (Ms i)) by easy.
  destruct (classic (exists beta, weighed p t Ms eps x beta)) as [|none]; [now right|left].
  rewrite (weights_or_apart dec p t Ms eps x Ms0) in none.
  apply NNPP in none as [y [len [pos up]]].
  destruct (spread (seen Ms x) y len) as [lam [lam0 [lam_seen E]]]; [|easy|].
  { apply NoDup_filter, all_once. }
  assert (some : forall l, t l = true -> (forall w, 0 < lam w -> 0 < M l w) ->
    0 < Σ w, lam w * gap Ms eps x l (tt, w)).
  { intros l tl ok. rewrite <- E. apply up, left_over_spec. split; [now apply one_inside|].
    apply always_positive. intros [[] w] io. now apply ok, lam_seen. }
  set (T := sum all lam).
  assert (T0 : 0 < T).
  { destruct (sum_nonneg all lam (fun w _ => lam0 w)) as [lt|zero]; [easy|]. exfalso.
    assert (zeros : forall w, lam w = 0).
    { intros w. pose proof (sum_member all lam w (fun v _ => lam0 v) (all_here w)).
      specialize (lam0 w). lra. }
    specialize (some l0 tl0). rewrite (sum_ext all _ (fun _ => 0)), sum_0 in some
      by (intros; rewrite zeros; ring).
    assert (0 < 0); [|lra]. apply some. intros w. rewrite zeros. lra. }
  assert (inv : 0 < / T) by now apply Rinv_0_lt_compat.
  assert (weight : forall w, 0 < / T * lam w <-> 0 < lam w).
  { intros w. split; [|intros; now apply Rmult_lt_0_compat]. intros up_.
    destruct (lam0 w) as [|z]; [easy|]. rewrite <- z in up_. lra. }
  exists (fun w => / T * lam w). split; [split|split].
  + intros w. apply Rmult_le_pos; [lra|auto].
  + rewrite sum_scale. fold T. field. lra.
  + intros w aw. apply weight, lam_seen, seen_positive in aw. exact aw.
  + intros l tl gl. specialize (some l tl (fun w lw => gl w (proj2 (weight w) lw))).
    unfold gap, likelihood_of, Ms in some. cbn [fst snd] in some. unfold mean_log.
    rewrite (sum_ext all _ (fun w => lam w * ln (M x w) + - eps * lam w + -1 *
      (lam w * ln (M l w)))) in some by (intros; ring).
    rewrite !sum_plus, !sum_scale in some. fold T in some.
    assert (out : forall f : W -> R, (Σ w, / T * lam w * f w) = / T * Σ w, lam w * f w).
    { intros f. rewrite <- sum_scale. apply sum_ext; intros; ring. }
    rewrite !out. apply (Rmult_lt_reg_l T); [easy|].
    rewrite Rmult_minus_distr_l, <- !Rmult_assoc, Rinv_r, !Rmult_1_l by lra. lra.
Qed.

(** Condition (2), the programs and their duals say the same at every level, also where likelihoods
    are 0: so the programs have the least upper bounds that the duals attain (bai2026.nfc-lp; the
    proof of theorem 5.1 of bai2026).
    Differs: where likelihoods are 0 the print says nothing: a mean that is no number is minus
    infinity, and outputs that x never gives ask for nothing; levels are real numbers, so that an
    optimum is infinite if no level is enough. *)
Theorem programs_exactly eps M s t : likelihood M -> some_database t ->
  (means_close eps M s t <-> programs_below eps M s t) /\
  (programs_below eps M s t <-> duals_below eps M s t).
Proof.
  intros M0 some. split; [apply close_iff_below|]. split; intros each x sx.
  - exists eps. split; [lra|]. destruct (above_or_weighed eps M t x M0 some) as [up|[beta wb]].
    + exfalso. revert up. now apply below_unless_above, each.
    + now apply (weighed_dual eps M t x beta).
  - destruct (each x sx) as [y [le dual]]. intros e ok.
    apply Rle_trans with (2 := le). now apply (feasible_at_most M t x).
Qed.
End Zeros.

(** Where all likelihoods are positive, the programs are games. *)
Section Positive.
Context (M : D -> W -> R) (t : @secret D) (x l0 : D) (w0 : W).
Hypotheses (pos : forall l w, 0 < M l w) (tl0 : t l0 = true).

(** Columns outside t repeat one inside. *)
Definition back l := if t l then l else l0.
Definition gains w l := ln (M x w) - ln (M (back l) w).
Definition folded beta l := Σ m, beta m * point (back m) l.

Lemma back_in l : t (back l) = true.
Proof. unfold back. now destruct (t l) eqn:e. Qed.

Lemma folded_sum beta (f : D -> R) : (Σ l, folded beta l * f l) = Σ m, beta m * f (back m).
Proof.
  unfold folded. rewrite (sum_ext all _ (fun l => Σ m, beta m * (f l * point (back m) l))).
  - rewrite sum_swap. apply sum_ext. intros m _.
    now rewrite sum_scale, (sum_point all (back m) f all_once (all_here _)).
  - intros l _. rewrite (Rmult_comm _ (f l)), <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma keep_dual V : columns_keep gains V -> dual_feasible M t x V.
Proof.
  intros [beta [[b0 b1] keep]]. exists (folded beta). split; [split|split].
  - intros l. apply sum_nonneg. intros m _. apply Rmult_le_pos; [auto|].
    unfold point. destruct decision; lra.
  - rewrite <- b1, (sum_ext all (folded beta) (fun l => folded beta l * 1)) by (intros; ring).
    rewrite folded_sum. apply sum_ext; intros; ring.
  - intros l up. destruct (sum_pos_exists all _ up) as [m [_ one]]. unfold point in one.
    destruct decision as [->|]; [apply back_in|lra].
  - intros w _. split; [auto|]. rewrite folded_sum. specialize (keep w). unfold gains in keep.
    rewrite (sum_ext all _ (fun l => ln (M x w) * beta l + -1 * (beta l * ln (M (back l) w))))
      in keep by (intros; ring). rewrite sum_plus, !sum_scale, b1 in keep. lra.
Qed.

Lemma exceed_above V : rows_exceed gains V -> above V M t x.
Proof.
  intros [alpha [La up]]. exists alpha. split; [easy|]. split; [intros w _; apply pos|].
  intros l tl gl. specialize (up l). unfold gains, back in up. rewrite tl in up.
  rewrite (sum_ext all _ (fun w => alpha w * ln (M x w) + -1 * (alpha w * ln (M l w)))) in up
    by (intros; ring). rewrite sum_plus, sum_scale in up. unfold mean_log. lra.
Qed.

Lemma some_optimum : exists V, is_optimum M t x V /\ forall eps, ~ above eps M t x -> V <= eps.
Proof.
  destruct (some_entries gains) as [A [B [low high]]].
  destruct (game_value gains A B w0 l0 low high) as [V [_ [keep exceed]]].
  pose proof (keep_dual V keep) as dual. exists V. split; [split; split|].
  - destruct (keep_or_exceed (fun l w => - gains w l) (- V) w0) as [[alpha [La reach]]|over].
    + exists alpha. split; [easy|]. split; [intros w _; apply pos|]. intros l tl gl.
      rewrite ratio_means by (easy || (intros w _; apply pos)). specialize (reach l).
      unfold gains, back in reach. rewrite tl in reach.
      rewrite (sum_ext all _ (fun w => -1 * (alpha w * ln (M x w)) + alpha w * ln (M l w)))
        in reach by (intros; ring). rewrite sum_plus, sum_scale in reach. unfold mean_log. lra.
    + destruct (exceed_more _ _ over) as [e [e0 [beta [Lb more]]]]. exfalso.
      apply (never_above M t x (V - e)); [apply keep_dual|apply exceed_above, exceed; lra].
      exists beta. split; [easy|]. intros w. specialize (more w). cbv beta in more.
      rewrite (sum_ext all _ (fun l => -1 * (beta l * gains w l))), sum_scale in more
        by (intros; ring). lra.
  - intros e. now apply feasible_at_most.
  - easy.
  - intros y least. apply Rnot_lt_le. intros lt. apply (never_above M t x y least).
    now apply exceed_above, exceed.
  - intros eps none. apply Rnot_lt_le. intros lt. now apply none, exceed_above, exceed.
Qed.
End Positive.

(** Condition (2) holds if and only if the program of every x in s has an optimum of at most eps,
    which its dual has too; both are reached (bai2026.nfc-lp; the proof of theorem 5.1 of bai2026).
    Differs: all likelihoods are positive; one mechanism, whose outputs are those of all mechanisms
    of the print; the first program is said with an optimum, whose existence the print supposes. *)
Theorem optima_exactly (w0 : W) eps M s t : (forall l w, 0 < M l w) ->
  means_close eps M s t <-> optima_below eps M s t.
Proof.
  intros pos. rewrite close_unless_above. split.
  - intros none. split; [easy|]. intros x sx.
    destruct (classic (exists l, t l = true)) as [some|no].
    + destruct some as [l0 tl0].
      destruct (some_optimum M t x l0 w0 pos tl0) as [V [optimal least]]. exists V. auto.
    + exfalso. apply (none x sx). exists (point w0). split; [split|split].
      * intros w. unfold point. destruct decision; lra.
      * rewrite <- (sum_point all w0 (fun _ => 1) all_once (all_here w0)).
        apply sum_ext; intros; ring.
      * intros w _. apply pos.
      * intros l tl. destruct no. now exists l.
  - intros [_ each] x sx up. destruct (each x sx) as [V [le [_ [dual _]]]].
    apply (never_above M t x eps); [now apply (dual_more M t x V)|easy].
Qed.
End Programs.
