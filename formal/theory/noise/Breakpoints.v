(** What Laplace noise promises, it promises where the output is a value of the query: between these
    values, and beyond them, a mixture of densities is no worse. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace.
Import ListNotations.
Open Scope R_scope.

Section Mixtures.
Context (b : R).
Hypothesis b0 : 0 < b.

Lemma scaled_abs u v w : u <= v <= w -> laplace b u w = laplace b u v * exp (- ((w - v) / b)).
Proof.
  intros order. unfold laplace, Rdiv. rewrite !Rabs_right by lra.
  rewrite Rmult_assoc, (Rmult_comm (/ (2 * b))), <- Rmult_assoc, <- exp_plus. do 2 f_equal. ring.
Qed.

Lemma scaled_abs_below u v w : w <= v <= u -> laplace b u w = laplace b u v * exp (- ((v - w) / b)).
Proof.
  intros order. unfold laplace, Rdiv. rewrite !Rabs_left1 by lra.
  rewrite Rmult_assoc, (Rmult_comm (/ (2 * b))), <- Rmult_assoc, <- exp_plus. do 2 f_equal. ring.
Qed.

(** Between two numbers without a centre between them the density is a sum of those at both, with
    weights that do not depend on the centre. *)
Lemma between_two lo hi w : lo <= w <= hi -> exists c d, 0 <= c /\ 0 <= d /\
  forall u, u <= lo \/ hi <= u -> laplace b u w = c * laplace b u lo + d * laplace b u hi.
Proof.
  intros [left_ right_].
  destruct (Req_dec lo hi) as [<-|apart].
  { exists 1, 0. replace w with lo by lra. repeat split; try lra. intros; ring. }
  set (x := exp (- ((w - lo) / b))). set (y := exp (- ((hi - w) / b))).
  assert (x0 : 0 < x) by apply exp_pos. assert (y0 : 0 < y) by apply exp_pos.
  assert (below : forall a, 0 <= a -> exp (- (a / b)) <= 1).
  { intros a [pos|<-]; [|right; replace (- (0 / b)) with 0 by (field; lra); apply exp_0].
    left. rewrite <- exp_0. apply exp_increasing.
    assert (0 < a / b) by (now apply Rdiv_lt_0_compat). lra. }
  assert (x1 : x <= 1) by (apply below; lra). assert (y1 : y <= 1) by (apply below; lra).
  assert (xy : x * y = exp (- ((hi - lo) / b)))
    by (unfold x, y; rewrite <- exp_plus; f_equal; field; lra).
  assert (less : x * y < 1).
  { rewrite xy, <- exp_0. apply exp_increasing.
    assert (0 < (hi - lo) / b) by (apply Rdiv_lt_0_compat; lra). lra. }
  assert (xy0 : 0 < x * y) by now apply Rmult_lt_0_compat.
  assert (den : 0 < 1 - x * y * (x * y)) by (generalize dependent (x * y); intros z _ ? ?; nra).
  assert (xx : 0 <= 1 - x * x) by nra. assert (yy : 0 <= 1 - y * y) by nra.
  exists (x * (1 - y * y) / (1 - x * y * (x * y))), (y * (1 - x * x) / (1 - x * y * (x * y))).
  split; [|split].
  1, 2: unfold Rdiv; repeat apply Rmult_le_pos; try lra; left; now apply Rinv_0_lt_compat.
  intros u [low|high].
  - rewrite (scaled_abs u lo w), (scaled_abs u lo hi) by lra. rewrite <- xy. fold x. field. lra.
  - rewrite (scaled_abs_below u hi w), (scaled_abs_below u hi lo) by lra. rewrite <- xy. fold y.
    field. lra.
Qed.

(** The largest of the centres up to w, and the least of those from w on. *)
Lemma last_up_to (us : list R) w : (forall u, In u us -> w < u) \/
  exists lo, In lo us /\ lo <= w /\ forall u, In u us -> u <= lo \/ w < u.
Proof.
  induction us as [|a us [none|[lo [here [le each]]]]]; [left; intros ? []| |].
  - destruct (Rle_dec a w) as [aw|aw]; [right; exists a|left].
    + split; [now left|]. split; [easy|]. intros u [<-|i]; [left; lra|right; now apply none].
    + intros u [<-|i]; [lra|now apply none].
  - right. destruct (Rle_dec a w) as [aw|aw]; [destruct (Rle_dec a lo)|].
    + exists lo. split; [now right|]. split; [easy|]. intros u [<-|i]; [now left|now apply each].
    + exists a. split; [now left|]. split; [easy|]. intros u [<-|i]; [left; lra|].
      destruct (each u i); [left; lra|now right].
    + exists lo. split; [now right|]. split; [easy|].
      intros u [<-|i]; [right; lra|now apply each].
Qed.

Lemma first_from (us : list R) w : (forall u, In u us -> u < w) \/
  exists hi, In hi us /\ w <= hi /\ forall u, In u us -> hi <= u \/ u < w.
Proof.
  destruct (last_up_to (map Ropp us) (- w)) as [none|[lo [here [le each]]]].
  - left. intros u i. specialize (none (- u) (in_map Ropp us u i)). lra.
  - right. apply in_map_iff in here as [hi [<- here]]. exists hi. split; [easy|]. split; [lra|].
    intros u i. destruct (each (- u) (in_map Ropp us u i)); [left|right]; lra.
Qed.

(** A mixture of Laplace densities, with weights of any sign, that is positive nowhere at its
    centres is positive nowhere. *)
Lemma mixture_at_centres {X} (l : list X) (c f : X -> R) :
  (forall y, In y l -> sum l (fun x => c x * laplace b (f x) (f y)) <= 0) ->
  forall w, sum l (fun x => c x * laplace b (f x) w) <= 0.
Proof.
  intros low w. set (g v := sum l (fun x => c x * laplace b (f x) v)).
  assert (at_centre : forall u, In u (map f l) -> g u <= 0).
  { intros u i. apply in_map_iff in i as [y [<- i]]. now apply low. }
  change (g w <= 0).
  assert (away : forall v k, 0 < k ->
    (forall x, In x l -> laplace b (f x) w = laplace b (f x) v * k) -> g v <= 0 -> g w <= 0).
  { intros v k k0 same le. replace (g w) with (k * g v); [nra|]. unfold g. rewrite <- sum_scale.
    apply sum_ext; intros x i. rewrite (same x i). ring. }
  destruct (last_up_to (map f l) w) as [none|[lo [il [lw eachl]]]];
    destruct (first_from (map f l) w) as [none'|[hi [ih [hw eachh]]]].
  - destruct l as [|x l']; [unfold g; simpl; lra|].
    specialize (none (f x) (or_introl eq_refl)). specialize (none' (f x) (or_introl eq_refl)). lra.
  - apply (away hi (exp (- ((hi - w) / b)))); [apply exp_pos| |now apply at_centre].
    intros x i. apply scaled_abs_below. split; [easy|].
    destruct (eachh _ (in_map f l x i)) as [|le]; [easy|].
    pose proof (none _ (in_map f l x i)). lra.
  - apply (away lo (exp (- ((w - lo) / b)))); [apply exp_pos| |now apply at_centre].
    intros x i. apply scaled_abs. split; [|easy].
    destruct (eachl _ (in_map f l x i)) as [|le]; [easy|].
    pose proof (none' _ (in_map f l x i)). lra.
  - destruct (between_two lo hi w (conj lw hw)) as [a [d [a0 [d0 same]]]].
    replace (g w) with (a * g lo + d * g hi).
    + pose proof (at_centre lo il). pose proof (at_centre hi ih). nra.
    + unfold g. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros x i.
      rewrite same; [ring|].
      destruct (eachl _ (in_map f l x i)) as [|le]; [now left|].
      destruct (eachh _ (in_map f l x i)) as [|le']; [now right|lra].
Qed.
End Mixtures.

(** One coordinate of the output at a time: releases of queries with independent Laplace noise. *)
Fixpoint noisy {D} (queries : list ((D -> R) * R)) (x : D) (ws : list R) : R :=
  match queries, ws with
  | (f, b) :: queries, w :: ws => laplace b (f x) w * noisy queries x ws
  | [], [] => 1 | _, _ => 0 end.
(** The outputs whose coordinates are values of the queries. *)
Fixpoint grid {D} `{Finite D} (queries : list ((D -> R) * R)) : list (list R) :=
  match queries with [] => [[]]
  | (f, _) :: queries => map (fun yw => f (fst yw) :: snd yw) (list_prod all (grid queries)) end.

Section Releases.
Context {D : Type} `{Finite D}.

Lemma mixture_on_grid (queries : list ((D -> R) * R)) (c : D -> R) :
  (forall f b, In (f, b) queries -> 0 < b) ->
  (forall ws, In ws (grid queries) -> (Σ x, c x * noisy queries x ws) <= 0) ->
  forall ws, (Σ x, c x * noisy queries x ws) <= 0.
Proof.
  revert c; induction queries as [|[f b] queries IH]; intros c pos low ws.
  - destruct ws as [|w ws]; [apply (low []); now left|].
    right. rewrite <- (sum_0 (@all D _)). apply sum_ext; intros; simpl; ring.
  - destruct ws as [|w ws].
    { right. rewrite <- (sum_0 (@all D _)). apply sum_ext; intros; simpl; ring. }
    assert (b0 : 0 < b) by (apply (pos f); now left).
    set (d x := c x * noisy queries x ws).
    assert (E : forall v, (Σ x, c x * noisy ((f, b) :: queries) x (v :: ws)) =
      Σ x, d x * laplace b (f x) v) by (intros v; apply sum_ext; intros; unfold d; cbn [noisy];
        ring).
    rewrite E. apply mixture_at_centres; [easy|]. intros y _. rewrite <- E.
    assert (swap : (Σ x, c x * noisy ((f, b) :: queries) x (f y :: ws)) =
      Σ x, (c x * laplace b (f x) (f y)) * noisy queries x ws)
      by (apply sum_ext; intros; cbn [noisy]; ring).
    rewrite swap. apply IH; [intros g e i; apply (pos g); now right|]. intros us i.
    specialize (low (f y :: us)).
    assert (here : In (f y :: us) (grid ((f, b) :: queries))).
    { simpl. apply in_map_iff. exists (y, us). split; [easy|]. apply in_prod; [apply
      all_here|easy]. }
    apply low in here. apply Rle_trans with (2 := here). right.
    apply sum_ext; intros. cbn [noisy]. ring.
Qed.

(** One inequality of the promise is about a mixture with weights of any sign. *)
Lemma promise_mixture {W} ratio (M : D -> W -> R) p s t w :
  Pw p M s w * P p t <= ratio * P p s * Pw p M t w <->
  (Σ x, (inside p s x * P p t - ratio * P p s * inside p t x) * M x w) <= 0.
Proof.
  assert (E : (Σ x, (inside p s x * P p t - ratio * P p s * inside p t x) * M x w) =
    Pw p M s w * P p t - ratio * P p s * Pw p M t w).
  { rewrite (sum_ext all _ (fun x => P p t * (inside p s x * M x w) +
      - (ratio * P p s) * (inside p t x * M x w))) by (intros; ring).
    rewrite sum_plus, !sum_scale. unfold Pw. ring. }
  rewrite E. lra.
Qed.

(** A query with Laplace noise keeps a promise if it keeps it at the outputs that are values of the
    query.
    Differs: a fact about the definitions, in no paper (song2017 uses a case of it in the proof of
    theorem III.4); databases are finite; density form. *)
Theorem promise_at_values ratio (f : D -> R) b pairs priors : 0 < b ->
  (pufferfish ratio (fun x => laplace b (f x)) pairs priors <->
   pufferfish ratio (fun x y => laplace b (f x) (f y)) pairs priors).
Proof.
  intros b0. split; intros promise p s t w Hp Hst Ps Pt.
  - exact (promise p s t (f w) Hp Hst Ps Pt).
  - apply promise_mixture.
    apply (mixture_at_centres b b0 all (fun x => inside p s x * P p t - ratio * P p s * inside p t
      x) f).
    intros y _. apply (promise_mixture ratio (fun x => laplace b (f x)) p s t (f y)).
    exact (promise p s t y Hp Hst Ps Pt).
Qed.

(** Several queries with Laplace noise of their own keep a promise if they keep it at the outputs
    whose coordinates are values of the queries.
    Differs: as [promise_at_values]. *)
Theorem promise_on_grid ratio (queries : list ((D -> R) * R)) pairs priors :
  (forall f b, In (f, b) queries -> 0 < b) ->
  (pufferfish ratio (noisy queries) pairs priors <->
   forall p s t ws, priors p -> pairs s t -> In ws (grid queries) -> 0 < P p s -> 0 < P p t ->
     Pw p (noisy queries) s ws * P p t <= ratio * P p s * Pw p (noisy queries) t ws).
Proof.
  intros pos. split; intros promise.
  - intros p s t ws Hp Hst _ Ps Pt. now apply promise.
  - intros p s t ws Hp Hst Ps Pt. apply promise_mixture.
    apply (mixture_on_grid queries (fun x => inside p s x * P p t - ratio * P p s * inside p t x));
      [exact pos|].
    intros us i. apply promise_mixture. now apply promise.
Qed.
End Releases.

(** Integer queries: densities at integers are powers of rho = e^(-1/b), up to a factor. *)
Lemma laplace_power rho u w : 0 < rho < 1 ->
  laplace (- / ln rho) (IZR u) (IZR w) = rho ^ Z.abs_nat (w - u) * (- ln rho / 2).
Proof.
  intros [r0 r1]. assert (neg : ln rho < 0) by (rewrite <- ln_1; now apply ln_increasing).
  unfold laplace. replace (/ (2 * - / ln rho)) with (- ln rho / 2) by (field; lra).
  unfold Rdiv at 1. replace (/ (2 * - / ln rho)) with (- ln rho / 2) by (field; lra).
  f_equal. rewrite <- minus_IZR, <- abs_IZR.
  replace (- IZR (Z.abs (w - u)) / - / ln rho) with (INR (Z.abs_nat (w - u)) * ln rho).
  - generalize (Z.abs_nat (w - u)) as k. induction k as [|k IH]; [simpl; now rewrite Rmult_0_l,
    exp_0|].
    rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH, exp_ln by lra. simpl. ring.
  - rewrite INR_IZR_INZ, Zabs2Nat.id_abs. field. lra.
Qed.

(** So an integer query with noise of a scale b such that rho = e^(-1/b) is decided by powers.
    Differs: a fact about the definitions, in no paper; databases are finite; density form. *)
Theorem promise_by_powers {D} `{Finite D} ratio (f : D -> Z) rho pairs priors : 0 < rho < 1 ->
  (pufferfish ratio (fun x => laplace (- / ln rho) (IZR (f x))) pairs priors <->
   pufferfish ratio (fun x y => rho ^ Z.abs_nat (f y - f x)) pairs priors).
Proof.
  intros r01. assert (neg : ln rho < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (b0 : 0 < - / ln rho) by (pose proof (Rinv_lt_0_compat _ neg); lra).
  assert (k0 : 0 < - ln rho / 2) by lra.
  rewrite (promise_at_values ratio (fun x => IZR (f x)) _ pairs priors b0).
  assert (E : forall p s y, Pw p (fun x y => laplace (- / ln rho) (IZR (f x)) (IZR (f y))) s y =
    - ln rho / 2 * Pw p (fun x y => rho ^ Z.abs_nat (f y - f x)) s y).
  { intros p s y. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros x _.
    rewrite laplace_power by easy. ring. }
  split; intros promise p s t y Hp Hst Ps Pt; specialize (promise p s t y Hp Hst Ps Pt);
    rewrite !E in *; nra.
Qed.
