(** Runs that meet one condition together, each at a level of its own. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Means.
Import ListNotations.
Open Scope R_scope.

Section Runs.
Context {D W : Type} `{Finite D} (p : D -> R) (s t : @secret D) (beta : D -> D -> R).
Hypotheses (Lp : law p) (Lb : forall x, law (beta x)).

(** A condition that composes exactly (bai2026.x-coupling): where beta carries the law given s to
    the law given t, levels multiply, one for each release.
    Differs: a repair of ours, not printed; databases are finite; ratios instead of levels. *)
Theorem coupled_levels (Ms : list ((D -> W -> R) * R)) ws :
  (forall M E, In (M, E) Ms -> likelihood M /\ 0 <= E) ->
  (forall M E, In (M, E) Ms -> constraint p s beta E M) ->
  (forall l, (Σ x, inside p s x * beta x l) * P p t = P p s * inside p t l) ->
  Pw p (releases (map fst Ms)) s ws * P p t <=
  prod (map snd Ms) (fun E => E) * P p s * Pw p (releases (map fst Ms)) t ws.
Proof.
  intros M0 each carry. apply (coupling p s t beta); auto.
  - intros x l. apply releases_nonneg. intros M i. apply in_map_iff in i as [[N E] [<- i]].
    now apply (M0 N E).
  - assert (pos : forall E, In E (map snd Ms) -> 0 <= E).
    { intros E i. apply in_map_iff in i as [[N F] [<- i]]. now apply (M0 N F). }
    revert pos. generalize (map snd Ms) as l. induction l as [|a l IH]; simpl; intros pos; [lra|].
    apply Rmult_le_pos; auto.
  - apply constraints_multiply. intros M E i. destruct (M0 M E i). auto.
Qed.

Section One.
Context (eps : R) (Ms : list (D -> W -> R)).
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
    beta x weighs databases l of which each has 1/p(l | t) <= C, so that they are possible given t.
    Differs: the print has no log C, and fails; databases are finite; one prior and one pair. *)
Theorem nfc_runs C ws :
  (forall x l, 0 < beta x l -> P p t <= C * inside p t l) ->
  Pw p (releases Ms) s ws * P p t <=
  exp (INR (length Ms) * eps + ln C) * P p s * Pw p (releases Ms) t ws.
Proof.
  intros heavy.
  assert (below : forall l, inside p t l <= P p t).
  { intros l. apply (sum_member all (inside p t)); [|apply all_here].
    intros; now apply inside_nonneg. }
  destruct (P_nonneg p t Lp) as [Pt|zero].
  2:{ replace (Pw p (releases Ms) t ws) with 0; [rewrite <- zero; lra|]. symmetry. unfold Pw.
    rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros l _.
    specialize (below l). pose proof (inside_nonneg p t l Lp).
    replace (inside p t l) with 0 by lra. ring. }
  destruct (sum_pos_exists all p) as [z [_ pz]]; [destruct Lp; lra|].
  destruct (Lb z) as [_ one]. destruct (sum_pos_exists all (beta z)) as [l [_ bl]]; [lra|].
  pose proof (heavy z l bl) as Cl. pose proof (inside_nonneg p t l Lp) as [il|il].
  2:{ rewrite <- il in Cl. lra. }
  assert (C0 : 0 < C) by (specialize (below l); apply (Rmult_lt_reg_r (inside p t l)); lra).
  rewrite exp_plus, (exp_ln C) by easy.
  apply (nfc_sufficient p s t beta); auto; [apply runs_likelihood|left; apply exp_pos|].
  apply runs_meet_it.
Qed.
End One.
End Runs.
