(** Two releases that depend on each other but little. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums Pufferfish Laws.
Open Scope R_scope.

(** Given a secret s, the outputs of both are independent up to a factor E: the law of both and the
    product of their laws are at most E apart, in either order, multiplied out. *)
Definition nearly_independent {D W V} `{Finite D} (E : R) (p : D -> R) (s : @secret D)
    (J : D -> W * V -> R) (M : D -> W -> R) (N : D -> V -> R) := forall w v,
  Pw p J s (w, v) * P p s <= E * (Pw p M s w * Pw p N s v) /\
  Pw p M s w * Pw p N s v <= E * (Pw p J s (w, v) * P p s).

(** Sequential composition of releases that are nearly independent given each secret (song2017,
    theorem III.6): levels add up, with twice the divergence.
    Differs: databases are finite; M and N need not be the marginals of both releases J; density
    form. *)
Theorem nearly_independent_releases {D W V} `{Finite D} eps1 eps2 E (J : D -> W * V -> R)
    (M : D -> W -> R) (N : D -> V -> R) (pairs : @secret D -> @secret D -> Prop)
    (priors : (D -> R) -> Prop) :
  laws_only priors -> likelihood M -> likelihood N ->
  (forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t ->
    nearly_independent (exp E) p s J M N /\ nearly_independent (exp E) p t J M N) ->
  pufferfish (exp eps1) M pairs priors -> pufferfish (exp eps2) N pairs priors ->
  pufferfish (exp (eps1 + eps2 + 2 * E)) J pairs priors.
Proof.
  intros L M0 N0 near pm pn p s t [w v] Hp Hst Ps Pt.
  destruct (near p s t Hp Hst Ps Pt) as [ns nt].
  destruct (ns w v) as [s1 _], (nt w v) as [_ t2].
  specialize (pm p s t w Hp Hst Ps Pt). specialize (pn p s t v Hp Hst Ps Pt).
  pose proof (Pw_nonneg p M s w (L p Hp) M0) as m0. pose proof (Pw_nonneg p N s v (L p Hp) N0) as
    n0.
  replace (eps1 + eps2 + 2 * E) with (eps1 + eps2 + (E + E)) by ring. rewrite !exp_plus.
  pose proof (exp_pos eps1) as r1. pose proof (exp_pos eps2) as r2. pose proof (exp_pos E) as e0.
  set (R1 := exp eps1) in *. set (R2 := exp eps2) in *. set (F := exp E) in *.
  set (j := Pw p J s (w, v)) in *. set (j' := Pw p J t (w, v)) in *.
  set (a := Pw p M s w) in *. set (b := Pw p N s v) in *.
  set (c := Pw p M t w) in *. set (d := Pw p N t v) in *.
  set (x := P p s) in *. set (y := P p t) in *.
  assert (ab : a * b * (y * y) <= R1 * R2 * (x * x) * (c * d)).
  { replace (a * b * (y * y)) with ((a * y) * (b * y)) by ring.
    replace (R1 * R2 * (x * x) * (c * d)) with ((R1 * x * c) * (R2 * x * d)) by ring.
    apply Rmult_le_compat; auto; apply Rmult_le_pos; lra. }
  apply (Rmult_le_reg_r (x * y)); [now apply Rmult_lt_0_compat|].
  apply Rle_trans with (F * (a * b * (y * y))).
  { replace (j * y * (x * y)) with (j * x * (y * y)) by ring.
    replace (F * (a * b * (y * y))) with (F * (a * b) * (y * y)) by ring.
    apply Rmult_le_compat_r; [apply Rle_0_sqr|easy]. }
  apply Rle_trans with (F * (R1 * R2 * (x * x) * (c * d))).
  { apply Rmult_le_compat_l; [lra|easy]. }
  replace (R1 * R2 * (F * F) * x * j' * (x * y)) with
    (F * (R1 * R2 * (x * x)) * (F * (j' * y))) by ring.
  replace (F * (R1 * R2 * (x * x) * (c * d))) with (F * (R1 * R2 * (x * x)) * (c * d)) by ring.
  apply Rmult_le_compat_l; [|easy]. repeat apply Rmult_le_pos; lra.
Qed.
