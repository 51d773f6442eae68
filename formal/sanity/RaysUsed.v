(** Extreme rays of cones of columns on one bit, and near misses refuted. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Worst Rays.
From Pufferproof.sanity Require Import Bits CompositionUsed.
Import ListNotations.
Open Scope R_scope.

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
