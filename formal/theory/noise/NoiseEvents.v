(** What Laplace noise promises for single outputs it promises for intervals. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laplace Events.
Open Scope R_scope.

Lemma laplace_continuous b u : continuity (laplace b u).
Proof.
  unfold laplace. intros w. apply continuity_pt_mult; [|apply continuity_pt_const; now intros x y].
  apply (continuity_pt_comp (fun w => - Rabs (w - u) / b) exp).
  - apply continuity_pt_mult; [|apply continuity_pt_const; now intros x y].
    apply continuity_pt_opp. apply (continuity_pt_comp (fun w => w - u) Rabs).
    + apply continuity_pt_minus; [apply derivable_continuous_pt, derivable_pt_id|].
      apply continuity_pt_const. now intros x y.
    + apply Rcontinuity_abs.
  - apply derivable_continuous_pt, derivable_pt_exp.
Qed.

Lemma laplace_integrable b u x y : Riemann_integrable (laplace b u) x y.
Proof.
  destruct (Rle_dec x y); [|apply RiemannInt_P1]; apply continuity_implies_RiemannInt; try lra;
    intros; apply laplace_continuous.
Qed.

(** The probability that Laplace noise of scale b around u falls between two numbers. *)
Definition laplace_between b u (xy : R * R) :=
  RiemannInt (laplace_integrable b u (low xy) (high xy)).

(** A promise of Laplace noise for densities is one for every interval, and for every finite union
    of intervals that do not overlap.
    Differs: databases are finite; other measurable sets are left out; no paper says it. *)
Theorem laplace_events {D} `{Finite D} ratio b (f : D -> R) pairs priors :
  pufferfish ratio (fun x => laplace b (f x)) pairs priors ->
  pufferfish ratio (fun x (event : list (R * R)) => sum event (laplace_between b (f x))) pairs
    priors.
Proof.
  apply (interval_events (fun x => laplace b (f x)) (fun x => laplace_integrable b (f x))).
Qed.
