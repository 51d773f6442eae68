(** Runs that meet one condition together: k runs at level eps each. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Means.
Import ListNotations.
Open Scope R_scope.

Section Runs.
Context {D W : Type} `{Finite D} (p : D -> R) (s t : @secret D) (beta : D -> D -> R) (eps : R).
Context (Ms : list (D -> W -> R)).
Hypotheses (Lp : law p) (Ps : 0 < P p s) (Pt : 0 < P p t) (Lb : forall x, law (beta x)).
Hypothesis M0 : forall M, In M Ms -> likelihood M.
(** Each run has M x w <= e^eps prod_l (M l w)^(beta x l). *)
Hypothesis each : forall M, In M Ms -> constraint p s beta (exp eps) M.

Lemma runs_meet_it : constraint p s beta (exp (INR (length Ms) * eps)) (releases Ms).
Proof.
  replace (exp (INR (length Ms) * eps))
    with (prod (map snd (map (fun M => (M, exp eps)) Ms)) (fun E => E)).
  - replace Ms with (map fst (map (fun M => (M, exp eps)) Ms)) at 2
      by (rewrite map_map; apply map_id).
    apply constraints_multiply. intros M E i. apply in_map_iff in i as [N [E' i]].
    injection E' as <- <-. repeat split; [now apply M0|left; apply exp_pos|now apply each].
  - clear. induction Ms as [|M l IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
    cbn [map prod snd length]. rewrite IH, S_INR, <- exp_plus. f_equal. ring.
Qed.

Lemma runs_likelihood : likelihood (releases Ms).
Proof. intros x ws. now apply releases_nonneg. Qed.

(** NfC suffices up to a constant (bai2026.necsuff-repaired): k runs leak at most k eps + log C;
    beta x weighs databases l possible given t, of which each has 1/p(l | t) <= C.
    Differs: the print has no log C, and fails; databases are finite; one prior and one pair. *)
Theorem nfc_runs C ws : 0 < C ->
  (forall x l, 0 < beta x l -> 0 < inside p t l /\ P p t <= C * inside p t l) ->
  Pw p (releases Ms) s ws * P p t <=
  exp (INR (length Ms) * eps + ln C) * P p s * Pw p (releases Ms) t ws.
Proof.
  intros C0 heavy. rewrite exp_plus, (exp_ln C) by easy.
  apply (nfc_sufficient p s t beta); auto; [apply runs_likelihood|left; apply exp_pos|].
  apply runs_meet_it.
Qed.

(** A condition that composes exactly (bai2026.x-coupling): where beta carries the law given s to
    the law given t, k runs leak at most k eps.
    Differs: a repair of ours, not printed; all releases have one level, which the claim gives each
    its own; databases are finite; one prior and one pair. *)
Theorem coupled_runs ws :
  (forall l, (Σ x, inside p s x * beta x l) * P p t = P p s * inside p t l) ->
  Pw p (releases Ms) s ws * P p t <=
  exp (INR (length Ms) * eps) * P p s * Pw p (releases Ms) t ws.
Proof.
  intros carry. apply (coupling p s t beta); auto; [apply runs_likelihood|left; apply exp_pos|].
  apply runs_meet_it.
Qed.
End Runs.
