(** Outputs that are not finitely many, as real numbers: what a promise for finitely many outputs
    says of them. *)
From Coq Require Import Reals Lra List Bool Classical.
From Pufferproof Require Import Sums Pufferfish Events Compactness.
Open Scope R_scope.

Section Partitions.
Context {D : Type} `{Finite D}.

(** The sets c w of outputs are the cells of a partition: each output lies in exactly one. *)
Definition partition {Omega W} (c : W -> Omega -> bool) :=
  forall o, exists w, c w o = true /\ forall v, c v o = true -> v = w.

(** Partitions suffice: where M x e is the probability of the event e, and events are closed under
    complement and include the empty one, the promise for every event is the promise of every
    mechanism that shows in which cell of a partition into events the output lies. The cells are as
    many as W has members, at least two: with a finite W, what is said of finitely many outputs
    holds of real numbers and any other outputs.
    Differs: a lemma of ours, which is not printed; databases are finite. Nothing else is supposed
    of events and of M, so that measures with densities are included, and charges as well. *)
Theorem partitions_suffice {Omega W} ratio (M : D -> (Omega -> bool) -> R)
    (events : (Omega -> bool) -> Prop) pairs priors :
  (exists v w : W, v <> w) -> events (fun _ => false) ->
  (forall e, events e -> events (fun o => negb (e o))) ->
  (pufferfish ratio (fun x (e : {e | events e}) => M x (proj1_sig e)) pairs priors <->
    forall c : W -> Omega -> bool, partition c -> (forall w, events (c w)) ->
      pufferfish ratio (fun x w => M x (c w)) pairs priors).
Proof.
  intros [yes [no two]] none others. split.
  - intros promise c _ cells p s t w Hp st Ps Pt.
    exact (promise p s t (exist _ (c w) (cells w)) Hp st Ps Pt).
  - intros promise p s t [e event] Hp st Ps Pt. cbn [proj1_sig].
    pose (c w := if decision (w = yes) then e else if decision (w = no)
      then (fun o => negb (e o)) else fun _ => false).
    assert (here : c yes = e) by (unfold c; now destruct (decision (yes = yes))).
    assert (at_yes : pufferfish ratio (fun x w => M x (c w)) pairs priors).
    { apply promise.
      - intros o. exists (if e o then yes else no). unfold c. split.
        + destruct (e o) eqn:eo; destruct decision; try easy; [congruence|].
          destruct decision; [now rewrite eo|easy].
        + intros v. destruct (decision (v = yes)) as [->|]; [now intros ->|].
          destruct (decision (v = no)) as [->|]; [|easy]. now destruct (e o).
      - intros w. unfold c. destruct decision; [easy|]. destruct decision; auto. }
    specialize (at_yes p s t yes Hp st Ps Pt). unfold Pw in *. now rewrite here in at_yes.
Qed.
End Partitions.

(** ** From an algebra of events to all that it generates *)
Section Generated.
Context {Omega : Type} (simple : (Omega -> Prop) -> Prop).
Implicit Types (e : Omega -> Prop) (es : nat -> Omega -> Prop).

(** The events that complements and countable unions make of simple ones. *)
Inductive generated : (Omega -> Prop) -> Prop :=
| is_simple e : simple e -> generated e
| all_others e : generated e -> generated (fun o => ~ e o)
| at_some es : (forall n, generated (es n)) -> generated (fun o => exists n, es n o)
| the_same e e' : generated e -> (forall o, e o <-> e' o) -> generated e'.

(** Simple events are an algebra. *)
Hypothesis others_simple : forall e, simple e -> simple (fun o => ~ e o).
Hypothesis both_simple : forall e e', simple e -> simple e' -> simple (fun o => e o /\ e' o).

Inductive limit : (Omega -> Prop) -> Prop :=
| limit_simple e : simple e -> limit e
| limit_up es : (forall n, limit (es n)) -> (forall n o, es n o -> es (S n) o) ->
    limit (fun o => exists n, es n o)
| limit_down es : (forall n, limit (es n)) -> (forall n o, es (S n) o -> es n o) ->
    limit (fun o => forall n, es n o)
| limit_same e e' : limit e -> (forall o, e o <-> e' o) -> limit e'.

Lemma limit_not e : limit e -> limit (fun o => ~ e o).
Proof.
  induction 1 as [e a|es _ IH up|es _ IH down|e e' _ IH same].
  - now apply limit_simple, others_simple.
  - apply limit_same with (fun o => forall n, ~ es n o).
    + apply limit_down; [exact IH|]. intros n o no i. now apply no, up.
    + intros o. split; [intros no [n i]; exact (no n i)|]. intros no n i. apply no. now exists n.
  - apply limit_same with (fun o => exists n, ~ es n o).
    + apply limit_up; [exact IH|]. intros n o no i. now apply no, down.
    + intros o. split; [intros [n no] i; exact (no (i n))|]. apply not_all_ex_not.
  - apply limit_same with (fun o => ~ e o); [easy|]. intros o. now rewrite same.
Qed.

Lemma limit_and_given a : (forall e, simple e -> limit (fun o => a o /\ e o)) ->
  forall e, limit e -> limit (fun o => a o /\ e o).
Proof.
  intros base. induction 1 as [e i|es _ IH up|es _ IH down|e e' _ IH same]; [auto| | |].
  - apply limit_same with (fun o => exists n, a o /\ es n o).
    + apply limit_up; [exact IH|]. intros n o [i j]. auto.
    + intros o. split; [intros [n [i j]]; split; [easy|now exists n]|].
      intros [i [n j]]. now exists n.
  - apply limit_same with (fun o => forall n, a o /\ es n o).
    + apply limit_down; [exact IH|]. intros n o [i j]. auto.
    + intros o. split; [intros i; split; [apply (i 0%nat)|intros n; apply i]|]. now intros [i j].
  - apply limit_same with (fun o => a o /\ e o); [easy|]. intros o. now rewrite same.
Qed.

Lemma limit_and e e' : limit e -> limit e' -> limit (fun o => e o /\ e' o).
Proof.
  intros l. revert e'. apply limit_and_given. intros a i.
  apply limit_same with (fun o => a o /\ e o); [|intros o; now rewrite and_comm].
  revert e l. apply limit_and_given. intros e j. now apply limit_simple, both_simple.
Qed.

Lemma limit_or e e' : limit e -> limit e' -> limit (fun o => e o \/ e' o).
Proof.
  intros l l'. apply limit_same with (fun o => ~ (~ e o /\ ~ e' o)).
  - apply limit_not, limit_and; now apply limit_not.
  - intros o. tauto.
Qed.

Lemma limit_generated e : generated e -> limit e.
Proof.
  induction 1 as [e i|e _ IH|es _ IH|e e' _ IH same];
    [now apply limit_simple|now apply limit_not| |now apply limit_same with e].
  apply limit_same with (fun o => exists n, exists k, (k <= n)%nat /\ es k o).
  - apply limit_up; [|intros n o [k [le i]]; exists k; auto].
    induction n as [|n IHn].
    + apply limit_same with (es 0%nat); [easy|]. intros o. split; [intros i; now exists 0%nat|].
      intros [k [le i]]. apply Nat.le_0_r in le. now subst.
    + apply limit_same with (fun o => (exists k, (k <= n)%nat /\ es k o) \/ es (S n) o);
        [now apply limit_or|]. intros o. split.
      * intros [[k [le i]]|i]; [exists k|exists (S n)]; auto.
      * intros [k [le i]]. apply Nat.le_succ_r in le as [le| ->]; [left; now exists k|now right].
  - intros o. split; [intros [n [k [_ i]]]; now exists k|]. intros [k i]. now exists k, k.
Qed.

Lemma generated_limit e : limit e -> generated e.
Proof.
  induction 1 as [e i|es _ IH up|es _ IH down|e e' _ IH same];
    [now apply is_simple|now apply at_some| |now apply the_same with e].
  apply the_same with (fun o => ~ exists n, ~ es n o).
  - apply all_others, at_some. intros n. now apply all_others.
  - intros o. split; [intros no n; apply NNPP; intros not; apply no; now exists n|].
    intros i [n not]. exact (not (i n)).
Qed.

(** Where outputs have finite measures, which are continuous along events that grow or shrink, the
    promise for the events of an algebra is one for all events that it generates: with finite unions
    of intervals ([interval_events]) for all Borel sets (kifer2014pufferfish).
    Differs: databases are finite; that finite measures are continuous is a hypothesis. *)
Theorem generated_events {D} `{Finite D} ratio (M : D -> (Omega -> Prop) -> R) pairs priors :
  (forall x e e', (forall o, e o <-> e' o) -> M x e = M x e') ->
  (forall x es, (forall n, generated (es n)) -> (forall n o, es n o -> es (S n) o) ->
    Un_cv (fun n => M x (es n)) (M x (fun o => exists n, es n o))) ->
  (forall x es, (forall n, generated (es n)) -> (forall n o, es (S n) o -> es n o) ->
    Un_cv (fun n => M x (es n)) (M x (fun o => forall n, es n o))) ->
  pufferfish ratio (fun x (e : {e | simple e}) => M x (proj1_sig e)) pairs priors ->
  pufferfish ratio (fun x (e : {e | generated e}) => M x (proj1_sig e)) pairs priors.
Proof.
  intros same_M grows shrinks promise p s t [e g] Hp st Ps Pt.
  set (told := fun (c : R) u (e : Omega -> Prop) => Σ x, c * inside p u x * M x e).
  assert (as_told : forall c u e, c * Pw p M u e = told c u e).
  { intros c u e'. unfold told, Pw. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  change (Pw p M s e * P p t <= ratio * P p s * Pw p M t e).
  rewrite (Rmult_comm (Pw p M s e)), !as_told.
  apply limit_generated in g.
  induction g as [e i|es l IH up|es l IH down|e e' _ IH same].
  - pose proof (promise p s t (exist _ e i) Hp st Ps Pt) as here.
    change (Pw p M s e * P p t <= ratio * P p s * Pw p M t e) in here.
    now rewrite (Rmult_comm (Pw p M s e)), !as_told in here.
  - refine (Rle_cv_lim IH _ _); apply limit_of_sum; intros x; apply grows; auto;
      intros n; now apply generated_limit.
  - refine (Rle_cv_lim IH _ _); apply limit_of_sum; intros x; apply shrinks; auto;
      intros n; now apply generated_limit.
  - unfold told in *. rewrite (sum_ext all _ (fun x => P p t * inside p s x * M x e)),
      (sum_ext all (fun x => ratio * P p s * inside p t x * M x e')
        (fun x => ratio * P p s * inside p t x * M x e)); [easy|intros x _..];
      f_equal; symmetry; now apply same_M.
Qed.
End Generated.
