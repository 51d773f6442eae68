(** Conditions with weights, secrets that determine the database, and extreme rays: used on bits,
    and near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Alternatives Pufferfish Laws Means Runs Collapse Dichotomy.
From Pufferproof Require Import Determined Processing Necessary OneHot Weights Worst Rays.
From Pufferproof.sanity Require Import Bits CompositionUsed.
Import ListNotations.
Open Scope R_scope.

(** ** One database for each secret *)
Lemma only_yes : only_on fair yes true.
Proof. intros []; [easy|]. unfold inside; simpl. lra. Qed.

Lemma only_no : only_on fair no false.
Proof. intros []; [|easy]. unfold inside; simpl. lra. Qed.

Example one_database_each_used :
  pufferfish (3 * (3 * 1)) (releases [response; response]) (both_orders yes no) (eq fair).
Proof.
  apply (one_database_each fair yes no true false fair_law [(response, 3); (response, 3)]);
    try apply only_yes; try apply only_no; try (by_cases).
  intros M E [i|[i|[]]]; inversion i; subst; (split; [apply response_likelihood|]);
    (split; [lra|exact response_leaks]).
Qed.

Example one_database_attained_used : exists M N : bool -> bool -> R,
  kernel M /\ kernel N /\ pufferfish 2 M (both_orders yes no) (eq fair) /\
  pufferfish 3 N (both_orders yes no) (eq fair) /\
  forall r, pufferfish r (both M N) (both_orders yes no) (eq fair) -> 2 * 3 <= r.
Proof.
  apply (one_database_attained Bool.bool_dec fair yes no true false fair_law);
    try apply only_yes; try apply only_no; try easy; try lra; by_cases.
Qed.

(** Of a secret with two databases levels do not multiply: 1 and 1 become infinite. *)
Example one_database_is_needed : ~ only_on theta well bob /\
  pufferfish 1 M pair (eq theta) /\ ~ pufferfish (1 * 1) (both M M) pair (eq theta).
Proof.
  split; [|split; [|intros promise]]; try apply collapse.
  - intros one. specialize (one cyd). discriminate one. unfold inside; simpl. lra.
  - destruct collapse as [_ [_ [_ no]]]. exact (no _ promise).
Qed.

(** ** Post-processing keeps every condition *)
Example constraint_survives_used : constraint fair yes (onto false) 3 (process response response).
Proof.
  apply constraint_survives; [apply response_likelihood|lra|apply onto_law| |apply onto_constraint].
  apply response_likelihood.
Qed.

(** Weight on each of two databases: such a condition is kept as well, so that the second part of
    theorem 5.2 of bai2026 is false. *)
Definition halves (x l : bool) : R := 1/2.
Definition invariant (beta : bool -> bool -> R) := forall (M K : bool -> bool -> R),
  kernel M -> kernel K -> constraint fair yes beta 3 M -> constraint fair yes beta 3 (process M K).

Example weights_with_two_entries_survive :
  ~ (forall beta, (forall x, law (beta x)) -> (forall x l, 0 < beta x l) -> ~ invariant beta).
Proof.
  intros printed. apply (printed halves).
  - split; [intros l; unfold halves; lra|by_cases].
  - intros; unfold halves; lra.
  - intros M K LM LK c. apply constraint_survives; auto; try lra.
    + intros x w; apply LM.
    + split; [intros l; unfold halves; lra|by_cases].
    + intros w v; apply LK.
Qed.

(** Weights of outputs below 0 break it: they invert the response. *)
Example constraint_needs_weights : exists K : bool -> bool -> R,
  ~ constraint fair yes (onto false) 3 (process response K).
Proof.
  exists (fun w v => if eqb w v then 3/2 else - (1/2)). intros c.
  specialize (c true true). unfold geo, pw, onto, process in c; revert c; by_cases || idtac.
  arithmetic. repeat destruct Req_EM_T; try lra. destruct Rlt_dec; lra.
Qed.

Example coupling_processed_used vs :
  let processed := [process response response; process response constant] in
  Pw fair (releases processed) yes vs * P fair no <=
  3 * (3 * 1) * P fair yes * Pw fair (releases processed) no vs.
Proof.
  apply (coupling_processed fair yes no (onto false) [(response, 3); (response, 3)]
    [response; constant]); try easy; try (by_cases).
  - apply fair_law.
  - apply onto_law.
  - intros M E [i|[i|[]]]; inversion i; subst; (split; [apply response_likelihood|lra]).
  - intros K [<-|[<-|[]]] w v; [apply response_likelihood|unfold constant; lra].
  - intros M E [i|[i|[]]]; inversion i; subst; apply onto_constraint.
  - intros []; by_cases.
Qed.

(** A condition at one database. *)
Example condition_survives_used :
  meets (onto false true) 3 (process response response) true.
Proof.
  apply condition_survives; try apply response_likelihood; [lra|apply onto_law|].
  intros w. apply (onto_constraint yes true w). by_cases.
Qed.

(** One-hot weights: those on false. *)
Example one_hot_survives_used : forall i : unit,
  meets (onto false true) 3 (process response response) true.
Proof.
  apply (one_hot_survives (fun _ => true) (fun _ => onto false true) (fun _ => 3) response
    response).
  - apply response_likelihood.
  - intros; apply onto_law.
  - intros _ []; unfold onto; simpl; auto.
  - apply response_likelihood.
  - intros _ w. apply (onto_constraint yes true w). by_cases.
Qed.

(** ** The condition is necessary *)
Lemma response_composes : composes fair yes no (fun _ : bool => response) (ln 3).
Proof.
  intros os. set (Ms := map _ os).
  replace (length os) with (length Ms) by (unfold Ms; apply map_length).
  apply (coupling fair yes no (onto false)).
  - apply fair_law.
  - apply runs_likelihood.
    intros M i. apply in_map_iff in i as [o [<- _]]. apply response_likelihood.
  - left; apply exp_pos.
  - apply onto_law.
  - intros []; by_cases.
  - rewrite Rplus_0_r. apply runs_meet_it; intros M i; apply in_map_iff in i as [o [<- _]];
      [apply response_likelihood|]. rewrite exp_ln by lra. apply onto_constraint.
Qed.

Example one_hot_is_dp_used :
  (forall w, response true w <= 3 * geo (onto false true) (fun l => response l w)) /\
  ~ forall w, response true w <= 2 * geo (onto false true) (fun l => response l w).
Proof.
  pose proof (fun E => one_hot_is_dp (onto false true) E response true false
    (onto_law false true) eq_refl response_likelihood) as same.
  split; [apply (same 3); intros []; by_cases|].
  intros less. pose proof (proj1 (same 2) less true) as no. revert no. by_cases.
Qed.

Example nfc_necessary_used : exists beta : bool -> R,
  law beta /\ (forall l, 0 < beta l -> 0 < inside fair no l) /\
  forall (i w : bool), response true w <= exp (ln 3) * geo beta (fun l => response l w).
Proof.
  apply (nfc_necessary Bool.bool_dec fair yes no (fun _ : bool => response) (ln 3) fair_law
    (fun _ => response_likelihood) ltac:(by_cases) true ltac:(by_cases) response_composes).
Qed.

(** A constant may be leaked beside, and weights exist for it only where they exist at all. *)
Example nfc_exactly_used :
  (exists C, composes_up_to fair yes no (fun _ : bool => response) (ln 3) C) /\
  exists beta, weighed fair no (fun _ : bool => response) (ln 3) true beta.
Proof.
  assert (up_to : exists C, composes_up_to fair yes no (fun _ : bool => response) (ln 3) C)
    by (exists 0; apply response_composes).
  split; [exact up_to|].
  apply (proj2 (nfc_exactly Bool.bool_dec fair yes no (fun _ : bool => response) (ln 3) fair_law
    (fun _ => response_likelihood) ltac:(by_cases)) up_to). by_cases.
Qed.

(** The same with sets of priors and pairs. *)
Example weights_exactly_used :
  composing (ln 3) (fun _ : bool => response) (fun s t => s = yes /\ t = no) (eq fair) /\
  has_weights (ln 3) (fun _ : bool => response) (fun s t => s = yes /\ t = no) (eq fair).
Proof.
  assert (laws : laws_only (eq fair)) by (intros p <-; exact fair_law).
  assert (C : composing (ln 3) (fun _ : bool => response) (fun s t => s = yes /\ t = no) (eq fair)).
  { split; [intros _; exact response_likelihood|]. split; [exact laws|].
    intros p s t <- [-> ->] _ _. exists 0. apply response_composes. }
  split; [exact C|].
  now apply (weights_exactly Bool.bool_dec _ _ _ _ laws (fun _ => response_likelihood)).
Qed.

Example nfc_necessary_up_to_used C :
  composes_up_to fair yes no (fun _ : bool => response) (ln 3) C ->
  exists beta, weighed fair no (fun _ : bool => response) (ln 3) true beta.
Proof.
  apply (nfc_necessary_up_to Bool.bool_dec fair yes no (fun _ : bool => response) (ln 3) fair_law
    (fun _ => response_likelihood) ltac:(by_cases) true ltac:(by_cases)).
Qed.

(** Without the constant sufficiency fails: on [theta] weights of 1/2 keep the level 0 for [ill],
    and a release of which [well] has one database in two says e^0 no more. *)
Definition tells_bob (x : db) (_ : unit) : R := match x with cyd => 1 | _ => 2 end.
Example constant_is_needed : exists beta : db -> R, law beta /\
  (forall l, 0 < beta l -> 0 < inside theta well l) /\
  (forall w, tells_bob ann w <= 1 * geo beta (fun l => tells_bob l w)) /\
  ~ pufferfish 1 tells_bob pair (eq theta).
Proof.
  exists (fun l => match l with bob => 1 | _ => 0 end). split; [|split; [|split]].
  - split; [intros []|]; cbn -[IZR]; lra.
  - intros []; by_cases.
  - intros w. unfold geo, tells_bob, pw; cbn -[IZR]. destruct (Req_EM_T 0 0); [|lra].
    destruct (Req_EM_T 1 0); [lra|]. destruct Rlt_dec; [|lra].
    replace (1 * ln 2) with (ln 2) by ring. rewrite exp_ln; lra.
  - intros promise.
    specialize (promise theta ill well tt eq_refl (or_introl (conj eq_refl eq_refl))).
    revert promise. cbn -[IZR Rdiv]. lra.
Qed.

(** A level of one run alone gives no weights, at any level: the print needs repetitions. *)
Example nfc_needs_repetition eps : pufferfish 1 M pair (eq theta) /\
  ~ exists beta : db -> R, law beta /\ (forall l, 0 < beta l -> 0 < inside theta well l) /\
    forall w, M ann w <= exp eps * geo beta (fun l => M l w).
Proof.
  split; [apply collapse|]. intros [beta [[b0 b1] [here c]]].
  assert (none : beta ann = 0).
  { destruct (b0 ann) as [pos|<-]; [|easy]. specialize (here ann pos). revert here. by_cases. }
  assert (zero : forall w l, M l w = 0 -> 0 < M ann w -> beta l = 0).
  { intros w l ml ma. destruct (b0 l) as [pos|<-]; [|easy]. specialize (c w).
    unfold geo in c. rewrite (prod_none all _ l) in c; [lra|apply all_here|].
    unfold pw. rewrite ml. destruct Req_EM_T; [lra|]. destruct Rlt_dec; lra. }
  pose proof (zero false bob eq_refl ltac:(simpl; lra)).
  pose proof (zero true cyd eq_refl ltac:(simpl; lra)).
  cbn in b1. lra.
Qed.

(** ** Alternatives: x > 0 has no solution of - x > 0, and the row itself says why *)
Example alternatives_used :
  (exists x, length x = length [tt] /\ (forall a, In a x -> 0 < a) /\
    forall r, In r [fun _ : unit => -1] -> 0 < dot [tt] r x) \/
  (exists u, cone [fun _ : unit => -1] u /\ forall i, In i [tt] -> u i <= 0).
Proof. apply alternatives. Qed.

(** Not both. *)
Example alternatives_exclude :
  ~ exists x, (forall a, In a x -> 0 < a) /\ 0 < dot [tt] (fun _ : unit => -1) x.
Proof.
  intros [[|a x] [pos solved]]; simpl in solved; [lra|].
  specialize (pos a (or_introl eq_refl)). lra.
Qed.

(** ** Extreme rays of cones of columns *)

Definition orders := [(at_one, at_zero); (at_zero, at_one)].

Example extreme_rays_span_used : exists G,
  (forall g, In g G -> extreme (forms_of orders 2) g) /\
  forall u, within (forms_of orders 2) u -> spanned G u.
Proof. apply extreme_rays_span, Bool.bool_dec. Qed.

Lemma kept_twice u v : keeps orders 2 u -> keeps orders 2 v ->
  inner at_one (product [u; v]) <= 4 * inner at_zero (product [u; v]).
Proof.
  intros [u0 uk] [v0 vk]. specialize (uk at_one at_zero (or_introl eq_refl)).
  specialize (vk at_one at_zero (or_introl eq_refl)). revert uk vk. arithmetic. intros uk vk.
  pose proof (Rmult_le_compat (u true) (2 * u false) (v true) (2 * v false) (u0 true) (v0 true)).
  lra.
Qed.

Example worst_at_extreme_rays_used u v : keeps orders 2 u -> keeps orders 2 v ->
  inner at_one (product [u; v]) <= 4 * inner at_zero (product [u; v]).
Proof.
  intros ku kv. apply (worst_at_extreme_rays Bool.bool_dec orders [2; 2]).
  - constructor; [exact ku|]. constructor; [exact kv|]. constructor.
  - intros rs i. inversion i as [|A r B rs' [wr _] irs]; subst.
    inversion irs as [|A r' B rs'' [wr' _] irs']; subst. inversion irs'; subst.
    apply kept_twice; now apply keeps_within.
Qed.

(** 4 is attained, so that nothing less bounds both releases. *)
Example worst_at_extreme_rays_is_tight : keeps orders 2 high /\
  ~ inner at_one (product [high; high]) <= 3 * inner at_zero (product [high; high]).
Proof.
  split; [|by_cases]. split; [intros []; by_cases|].
  intros mu nu [i|[i|[]]]; inversion i; subst; by_cases.
Qed.

(** The constant column is no extreme ray, and alone spans too little: a bound there is none. *)
Example constant_is_not_extreme : ~ extreme (forms_of orders 2) (fun _ => 1).
Proof.
  intros [_ [_ split_]].
  assert (kept : forall u, keeps orders 2 u -> within (forms_of orders 2) u)
    by (intros; now apply keeps_within).
  destruct (split_ (fun x => high x / 3) (fun x => low x / 3)) as [k [_ E]].
  - apply kept. split; [intros []; by_cases|].
    intros mu nu [i|[i|[]]]; inversion i; subst; by_cases.
  - apply kept. split; [intros []; by_cases|].
    intros mu nu [i|[i|[]]]; inversion i; subst; by_cases.
  - intros []; by_cases.
  - pose proof (E true) as one; pose proof (E false) as other. revert one other. by_cases.
Qed.

Example constant_spans_too_little :
  inner at_one (fun _ => 1) <= 1 * inner at_zero (fun _ => 1) /\
  ~ spanned [fun _ : bool => 1] high /\ ~ inner at_one high <= 1 * inner at_zero high.
Proof.
  split; [by_cases|]. split; [|by_cases]. intros [c [c0 E]].
  assert (same : high true = high false); [|revert same; by_cases].
  rewrite !E. apply sum_ext. intros [k r] i; simpl.
  destruct (c0 k r i) as [_ [<-|[]]]. reflexivity.
Qed.
