(** Queries of tables with Laplace noise: a level for one cell, and the promise at a point of the
    influence curve. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Attained Curves.
Import ListNotations.
Open Scope R_scope.

(** How much queries change between two tables, each in units of its scale. *)
Fixpoint change {D} (F : list ((D -> R) * posreal)) x y : R := match F with [] => 0
  | (f, b) :: F => Rabs (f x - f y) / b + change F x y end.

Lemma released_near {D} (F : list ((D -> R) * posreal)) x y ws :
  released F x ws <= exp (change F x y) * released F y ws.
Proof.
  unfold released. revert ws. induction F as [|[f b] F IH]; intros [|w ws]; cbn; try lra.
  - rewrite exp_0. lra.
  - rewrite exp_plus. fold (scaled F).
    pose proof (noisy_positive (scaled F) x ws (scaled_pos F)) as [n0 _].
    pose proof (cond_pos b) as b0. pose proof (laplace_nonneg b (f x) w b0) as l0.
    pose proof (laplace_near b (Rabs (f x - f y)) (f x) (f y) w b0 (Rle_refl _)) as near.
    replace (exp (Rabs (f x - f y) / b) * exp (change F x y) *
      (laplace b (f y) w * noisy (scaled F) y ws)) with
      (exp (Rabs (f x - f y) / b) * laplace b (f y) w *
        (exp (change F x y) * noisy (scaled F) y ws)) by ring.
    apply Rmult_le_compat; auto.
Qed.

Lemma released_likelihood {D} (F : list ((D -> R) * posreal)) : likelihood (released F).
Proof. intros x ws. apply (noisy_positive (scaled F) x ws (scaled_pos F)). Qed.

Section Tables.
Context {I D V : Type} `{Finite I} `{Finite D}.
Context (dI : forall i j : I, {i = j} + {i <> j}) (dV : forall u v : V, {u = v} + {u <> v}).
Context (dD : forall x y : D, {x = y} + {x <> y}) (cell : I -> D -> V).
Context (F : list ((D -> R) * posreal)).

(** Tables that differ in one cell change the queries by at most eps. *)
Definition changes_little eps := forall x y, distance dV cell x y = 1%nat -> change F x y <= eps.

(** Laplace noise is private for tables that differ in one cell (bai2026.laplace): coordinates of a
    query that changes by at most L in l1 have the scale L / eps_DP.
    Differs: coordinates may have scales of their own; density form. *)
Theorem noise_per_entry eps : changes_little eps -> per_entry dV cell (exp eps) (released F).
Proof.
  intros little x y ws one. specialize (little x y one).
  apply Rle_trans with (exp (change F x y) * released F y ws); [apply released_near|].
  apply Rmult_le_compat_r; [apply released_likelihood|].
  destruct little as [less| ->]; [left; now apply exp_increasing|lra].
Qed.

(** Laplace noise at a translated promise (bai2026.laplace, bai2026.laplace-repaired).
    Differs: as [noise_per_entry] and [translate_in_tables]. *)
Theorem noise_translated b eps a pairs priors : laws_only priors -> 1 <= exp eps ->
  changes_little eps -> product_of_values dV cell -> on_curve dI dV cell b (exp a) pairs priors ->
  pufferfish (exp (INR b * eps + a)) (released F) pairs priors.
Proof.
  intros L e1 little every curve. apply (translate_in_tables dI dV cell dD); auto.
  - apply released_likelihood.
  - now apply noise_per_entry.
  - now apply product_joined.
Qed.
End Tables.

Section Distances.
Context {I D V : Type} `{Finite I} `{Finite D}.
Context (dI : forall i j : I, {i = j} + {i <> j}) (dV : forall u v : V, {u = v} + {u <> v}).
Context (dD : forall x y : D, {x = y} + {x <> y}) (cell : I -> D -> V).

(** Two cells of a table: what is shown of it, and all of it. *)
Definition two_cells h (b : bool) x := if b then first_of dI dV cell h x else x.

Lemma two_apart h x y : distance dD (two_cells h) x y =
  ((if dD (first_of dI dV cell h x) (first_of dI dV cell h y) then 0 else 1) +
   (if dD x y then 0 else 1))%nat.
Proof.
  unfold distance, same, two_cells. cbn.
  destruct (dD (first_of dI dV cell h x) (first_of dI dV cell h y)), (dD x y); easy.
Qed.

(** Translation where a mechanism has the level eps for each cell in which two tables differ, with
    or without tables between them (bai2026.translate).
    Differs: as [translate_in_tables]; no table needs to be between two others. *)
Theorem translate_by_distance {W} b eps a (M : D -> W -> R) pairs priors :
  laws_only priors -> likelihood M -> 1 <= exp eps ->
  (forall x y w, M x w <= exp (INR (distance dV cell x y) * eps) * M y w) ->
  on_curve dI dV cell b (exp a) pairs priors -> pufferfish (exp (INR b * eps + a)) M pairs priors.
Proof.
  intros L M0 e1 near curve p s t w Hp st Ps Pt. destruct (curve s t st) as [h [few tell]].
  replace (INR b * eps + a) with (INR 1 * (INR b * eps) + a) by (simpl; ring).
  assert (e0 : 0 <= eps).
  { apply Rnot_lt_le. intros neg. apply exp_increasing in neg. rewrite exp_0 in neg. lra. }
  apply (translate_in_tables Bool.bool_dec dD (two_cells h) dD 1 (INR b * eps) a M
    (fun u v => u = s /\ v = t) (fun q => q = p)); auto.
  - intros q ->. now apply L.
  - assert (0 <= INR b * eps) as [up|<-] by (apply Rmult_le_pos; [apply pos_INR|easy]).
    + apply exp_increasing in up. rewrite exp_0 in up. lra.
    + rewrite exp_0. lra.
  - intros x y v one. rewrite two_apart in one. apply Rle_trans with (1 := near x y v).
    apply Rmult_le_compat_r; [apply M0|].
    destruct (dD (first_of dI dV cell h x) (first_of dI dV cell h y)) as [e|];
      [|destruct (dD x y); [subst y|]; easy].
    apply (first_same dI dV cell), (agree_distance dI dV cell) in e.
    assert (INR (distance dV cell x y) <= INR b) by (apply le_INR; lia).
    destruct (Rmult_le_compat_r eps _ _ e0 H1) as [less| ->]; [left; now apply exp_increasing|lra].
  - intros x y one. rewrite two_apart in one. destruct (dD x y) as [->|ne]; [now left|right].
    exists y. split; [|easy]. rewrite two_apart. destruct (dD x y); [easy|].
    destruct (dD (first_of dI dV cell h x) (first_of dI dV cell h y)); [easy|lia].
  - intros u v [-> ->]. exists [false]. split; [simpl; lia|]. intros q -> _ _ y.
    assert (same_part : forall u, P p (shown_as Bool.bool_dec dD (two_cells h) u [false] y) =
      P p (shown_as dI dV cell u h y)).
    { intros u. apply sum_ext. intros x _. unfold inside, shown_as.
      replace (agree Bool.bool_dec dD (two_cells h) [false] x y) with (agree dI dV cell h x y);
        [easy|]. apply Bool.eq_true_iff_eq. rewrite <- (first_same dI dV cell), agree_same.
      split; [intros e [] hidden_; [exact e|easy]|intros each; now apply (each true)]. }
    rewrite !same_part. now apply tell.
Qed.

(** Tables change the queries by at most eps for each cell in which they differ. *)
Definition changes_by_cells (F : list ((D -> R) * posreal)) eps :=
  forall x y, change F x y <= INR (distance dV cell x y) * eps.

(** Laplace noise at a translated promise, tables being any set (bai2026.laplace,
    bai2026.laplace-repaired).
    Differs: as [noise_per_entry] and [translate_by_distance]. *)
Theorem noise_by_distance F b eps a pairs priors : laws_only priors -> 1 <= exp eps ->
  changes_by_cells F eps -> on_curve dI dV cell b (exp a) pairs priors ->
  pufferfish (exp (INR b * eps + a)) (released F) pairs priors.
Proof.
  intros L e1 little curve. apply translate_by_distance; auto; [apply released_likelihood|].
  intros x y ws. apply Rle_trans with (exp (change F x y) * released F y ws);
    [apply released_near|]. apply Rmult_le_compat_r; [apply released_likelihood|].
  destruct (little x y) as [less| ->]; [left; now apply exp_increasing|lra].
Qed.
End Distances.

(** Points of a curve: what scale of the noise each allows. *)
Section Scales.
Context {J : Type} `{Finite J} (L promise : R) (a : J -> R) (b : J -> nat).

(** Noise of scale s, which is L / s private, at one of the points. *)
Definition scale_allowed s := exists j, INR (b j) * (L / s) + a j <= promise.
Definition smallest_scale s := 0 < L /\ (forall j, (0 < b j)%nat) /\ 0 < s /\ scale_allowed s /\
  forall r, 0 < r -> scale_allowed r -> s <= r.
Definition level_at j := (promise - a j) / INR (b j).
(** The largest level that a point allows, or 0. *)
Definition best_level := fold_right (fun j => Rmax (level_at j)) 0 all.

Lemma best_most j : level_at j <= best_level.
Proof.
  unfold best_level. pose proof (all_here j) as i. induction (@all J _) as [|k l IH]; [easy|].
  cbn [fold_right]. set (m := fold_right _ _ _) in *. pose proof (Rmax_l (level_at k) m).
  pose proof (Rmax_r (level_at k) m). destruct i as [<-|i]; [easy|]. specialize (IH i). lra.
Qed.

Lemma best_some : 0 < best_level -> exists j, level_at j = best_level.
Proof.
  unfold best_level. induction (@all J _) as [|k l IH]; cbn [fold_right]; [lra|].
  set (m := fold_right _ _ _) in *. intros pos. unfold Rmax in *.
  destruct (Rle_dec (level_at k) m); [now apply IH|now exists k].
Qed.

Lemma allowed_level j s : 0 < s -> (0 < b j)%nat ->
  INR (b j) * (L / s) + a j <= promise <-> L / s <= level_at j.
Proof.
  intros s0 b0. apply lt_0_INR in b0. unfold level_at.
  assert (E : (promise - a j) / INR (b j) * INR (b j) = promise - a j) by (field; lra).
  split; intros le; [|apply (Rmult_le_compat_r (INR (b j))) in le; lra].
  apply (Rmult_le_reg_r (INR (b j))); [easy|]. rewrite E. lra.
Qed.

(** The largest level that points of the curve allow gives the smallest scale that one of them
    allows (bai2026.laplace, bai2026.laplace-repaired).
    Differs: finitely many points, each of which hides a cell; some point allows a level above 0. *)
Theorem best_scale : 0 < L -> (forall j, (0 < b j)%nat) -> 0 < best_level ->
  smallest_scale (L / best_level).
Proof.
  intros L0 b0 best0. split; [easy|]. split; [easy|].
  assert (s0 : 0 < L / best_level).
  { apply Rmult_lt_0_compat; [easy|]. now apply Rinv_0_lt_compat. }
  assert (E : L / (L / best_level) = best_level) by (field; lra).
  split; [easy|]. split.
  - destruct (best_some best0) as [j e]. exists j. apply allowed_level; auto. lra.
  - intros r r0 [j ok]. apply allowed_level in ok; auto. pose proof (best_most j) as most.
    assert (le : L / r <= best_level) by lra.
    apply (Rmult_le_compat_r r) in le; [|lra]. replace (L / r * r) with L in le by (field; lra).
    apply (Rmult_le_reg_r best_level); [easy|].
    replace (L / best_level * best_level) with L by (field; lra). lra.
Qed.
End Scales.
