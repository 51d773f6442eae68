(** Several releases with points of the influence curve: the joint release pays the influence of one
    point. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Means Curves.
Import ListNotations.
Open Scope R_scope.

Lemma at_least_1 x : 1 <= exp x -> 0 <= x.
Proof.
  intros le. destruct (Rle_lt_dec 0 x) as [|neg]; [easy|]. apply exp_increasing in neg.
  rewrite exp_0 in neg. lra.
Qed.

Section Points.
Context {I D V K W : Type} `{Finite I} `{Finite D} `{Finite K}.
Context (dI : forall i j : I, {i = j} + {i <> j}) (dV : forall u v : V, {u = v} + {u <> v}).
Context (dD : forall x y : D, {x = y} + {x <> y}).
Context (cell : I -> D -> V) (Ms : K -> D -> W -> R) (b : K -> nat) (delta a eps : K -> R).
Context (pairs : @secret D -> @secret D -> Prop) (priors : (D -> R) -> Prop).

Lemma releases_per_entry (l : list K) : (forall k, likelihood (Ms k)) ->
  (forall k, per_entry dV cell (exp (delta k)) (Ms k)) ->
  per_entry dV cell (exp (sum l delta)) (releases (map Ms l)).
Proof.
  intros M0 dp x y ws one. revert ws.
  induction l as [|k l IH]; intros [|w ws]; cbn [map releases sum].
  - rewrite exp_0. lra.
  - lra.
  - lra.
  - specialize (IH ws). specialize (dp k x y w one). rewrite exp_plus.
    assert (pos : forall z, 0 <= releases (map Ms l) z ws).
    { intros z. apply releases_nonneg. intros M i. apply in_map_iff in i as [j [<- _]]. apply M0. }
    replace (exp (delta k) * exp (sum l delta) * (Ms k y w * releases (map Ms l) y ws))
      with (exp (delta k) * Ms k y w * (exp (sum l delta) * releases (map Ms l) y ws)) by ring.
    apply Rmult_le_compat; auto. apply M0.
Qed.

Lemma releases_likelihood (l : list K) : (forall k, likelihood (Ms k)) ->
  likelihood (releases (map Ms l)).
Proof.
  intros M0 x ws. apply releases_nonneg. intros M i. apply in_map_iff in i as [j [<- _]]. apply M0.
Qed.

Lemma fewest (f : K -> nat) (k : K) : exists m, forall j, (f m <= f j)%nat.
Proof.
  assert (least : forall l : list K, exists m, (f m <= f k)%nat /\
    forall j, In j l -> (f m <= f j)%nat).
  { induction l as [|j l [m [mk each]]]; [exists k; split; [lia|intros ? []]|].
    destruct (Nat.le_gt_cases (f m) (f j)).
    - exists m. split; [easy|]. intros i [<-|i_in]; auto.
    - exists j. split; [lia|]. intros i [<-|i_in]; [lia|]. specialize (each i i_in). lia. }
  destruct (least all) as [m [_ each]]. exists m. intros j. apply each, all_here.
Qed.

Hypotheses (L : laws_only priors) (M0 : forall k, likelihood (Ms k)) (d0 : forall k, 0 <= delta k)
  (dp : forall k, per_entry dV cell (exp (delta k)) (Ms k)) (every : product_of_values dV cell)
  (curve : forall k, on_curve dI dV cell (b k) (exp (a k)) pairs priors)
  (paid : forall k, INR (b k) * delta k + a k <= eps k).

(** The joint release is translated by the point with the smallest b. *)
Lemma some_point (k : K) : exists m,
  pufferfish (exp (a m + (Σ j, eps j) - Σ j, a j)) (releases (map Ms all)) pairs priors.
Proof.
  destruct (fewest b k) as [m least]. exists m.
  assert (d_sum : 0 <= Σ j, delta j) by (apply sum_nonneg; auto).
  apply (translate_on_product dI dV cell dD (b m) (Σ j, delta j) (a m)); auto.
  - now apply releases_likelihood.
  - rewrite <- exp_0. destruct d_sum as [pos|<-]; [left; now apply exp_increasing|lra].
  - now apply releases_per_entry.
  - enough (INR (b m) * (Σ j, delta j) <= (Σ j, eps j) + -1 * Σ j, a j) by lra.
    rewrite <- sum_scale, <- (sum_scale (-1)), <- sum_plus. apply sum_le. intros j _.
    specialize (paid j). specialize (d0 j). specialize (least j). apply le_INR in least. nra.
Qed.

(** Sufficient condition of bai2026 (Section 6.2; bai2026.compose; bai2026.compose-repaired): levels
    for one cell and points of the influence curve promise the largest a, the sum of the promises
    less the sum of the a.
    Differs: tables are all tables over a product, which the print needs; tables are finite; the
    condition is multiplied out; mechanisms share a type of outputs, are not chosen by outputs
    before, and need not be laws. *)
Theorem composed (k : K) : (forall j, a j <= a k) ->
  pufferfish (exp (a k + (Σ j, eps j) - Σ j, a j)) (releases (map Ms all)) pairs priors.
Proof.
  intros top. destruct (some_point k) as [m kept]. intros p s t ws Hp st Ps Pt.
  specialize (kept p s t ws Hp st Ps Pt).
  assert (more : exp (a m + (Σ j, eps j) - Σ j, a j) <= exp (a k + (Σ j, eps j) - Σ j, a j)).
  { destruct (top m) as [less| ->]; [left; apply exp_increasing; lra|lra]. }
  assert (0 <= P p s * Pw p (releases (map Ms all)) t ws).
  { apply Rmult_le_pos; [lra|]. apply Pw_nonneg; [now apply L|now apply releases_likelihood]. }
  nra.
Qed.

(** A point of the curve is not negative where it says something. *)
Lemma point_nonneg k p s t : priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> 0 <= a k.
Proof.
  intros Hp st Ps Pt. destruct (curve k s t st) as [h [_ tell]]. specialize (tell p Hp Ps Pt).
  destruct (Rle_lt_dec 0 (a k)) as [|neg]; [easy|]. exfalso.
  apply exp_increasing in neg. rewrite exp_0 in neg.
  assert (group : forall u : @secret D, (Σ x, inside p u x) = Σ y, sum all (fun x =>
    if dD (first_of dI dV cell h x) y then inside p u x else 0)).
  { intros u. rewrite sum_swap. apply sum_ext. intros x _. symmetry.
    rewrite <- (sum_ext all (fun y => inside p u x *
      (if dD (first_of dI dV cell h x) y then 1 else 0)))
      by (intros y _; destruct dD; ring).
    rewrite sum_scale. enough (E : (Σ y, if dD (first_of dI dV cell h x) y then 1 else 0) = 1)
      by (rewrite E; ring).
    generalize (@all_once D _) (@all_here D _ (first_of dI dV cell h x)). generalize (@all D _).
    induction 1 as [|z l out once IH]; [easy|]. intros [->|here]; cbn [sum].
    - destruct dD; [|easy]. rewrite (sum_ext l _ (fun _ => 0)), sum_0; [lra|].
      intros y iy. destruct dD; [congruence|easy].
    - destruct dD as [e|]; [congruence|]. rewrite IH by easy. lra. }
  assert (le : forall y,
    sum all (fun x => if dD (first_of dI dV cell h x) y then inside p s x else 0) * P p t <=
    exp (a k) * P p s *
    sum all (fun x => if dD (first_of dI dV cell h x) y then inside p t x else 0)).
  { intros y. destruct (dD (first_of dI dV cell h y) y) as [e|no].
    - assert (same : forall u : @secret D, sum all (fun x => if dD (first_of dI dV cell h x) y then
        inside p u x else 0) = P p (shown_as dI dV cell u h y)).
      { intros u. apply sum_ext. intros x _. unfold inside, shown_as.
        destruct (dD (first_of dI dV cell h x) y) as [f|f].
        - assert (g : agree dI dV cell h x y = true) by (apply first_same; congruence).
          rewrite g. destruct (u x); reflexivity.
        - destruct (agree dI dV cell h x y) eqn:g; [|destruct (u x); reflexivity].
          apply first_same in g. congruence. }
      rewrite !same. apply tell.
    - assert (none : forall u : @secret D, sum all (fun x => if dD (first_of dI dV cell h x) y then
        inside p u x else 0) = 0).
      { intros u. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros x _.
        destruct (dD (first_of dI dV cell h x) y) as [f|]; [|reflexivity]. destruct no.
        rewrite <- f.
        apply first_same.
        pose proof (first_agrees dI dV cell h x) as ag. rewrite agree_same in *.
        intros i shown. symmetry. now apply ag. }
      rewrite !none. lra. }
  pose proof (Rmult_lt_0_compat _ _ Ps Pt) as both.
  assert (no : P p s * P p t <= exp (a k) * P p s * P p t); [|rewrite Rmult_assoc in no; nra].
  assert (E : forall u : @secret D, P p u = Σ y, sum all (fun x =>
    if dD (first_of dI dV cell h x) y then inside p u x else 0)) by exact group.
  rewrite (E s) at 1. rewrite (E t) at 2. rewrite (Rmult_comm (Σ y, _)), <- !sum_scale.
  apply sum_le. intros y _. rewrite (Rmult_comm (P p t)). apply le.
Qed.

(** The sum of the promises is kept (bai2026.necsuff, the sufficient condition).
    Differs: as [composed]. *)
Theorem sufficient :
  pufferfish (exp (Σ j, eps j)) (releases (map Ms all)) pairs priors.
Proof.
  intros p s t ws Hp st Ps Pt. destruct (@all K _) as [|k l] eqn:E.
  - cbn [map sum]. rewrite exp_0. assert (E0 : forall u, Pw p (@releases D W []) u ws =
      match ws with [] => P p u | _ => 0 end).
    { intros u. unfold Pw, P. destruct ws; cbn [releases].
      - apply sum_ext. intros; ring.
      - rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros; ring. }
    rewrite !E0. destruct ws; lra.
  - rewrite <- E. destruct (some_point k) as [m kept]. specialize (kept p s t ws Hp st Ps Pt).
    assert (nn : forall j, 0 <= a j) by (intros j; now apply (point_nonneg j p s t)).
    assert (am : a m <= Σ j, a j) by (apply (sum_member all a); auto; apply all_here).
    assert (more : exp (a m + (Σ j, eps j) - Σ j, a j) <= exp (Σ j, eps j)).
    { destruct am as [less| e]; [left; apply exp_increasing; lra|right; f_equal; lra]. }
    assert (0 <= P p s * Pw p (releases (map Ms all)) t ws).
    { apply Rmult_le_pos; [lra|]. apply Pw_nonneg; [now apply L|now apply releases_likelihood]. }
    nra.
Qed.
End Points.
