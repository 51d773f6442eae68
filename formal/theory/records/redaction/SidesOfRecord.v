(** Local redaction of a stationary chain of bits: the levels of the two sides of a record add up,
    and the 3R family of mechanisms (massny2025, section IV). *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts Recursion InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary DataIndependent.
Import ListNotations.
Open Scope R_scope.

(** What is shown of records up to p, or from p on: all others are replaced. *)
Definition up_to p (r : nat -> bool -> R) k x := if Nat.leb k p then r k x else 1.
Definition from_on p (r : nat -> bool -> R) k x := if Nat.leb p k then r k x else 1.

(** The 3R mechanism of budgets El = e^eps_l and Er = e^eps_r for record p: a record is always
    replaced if its 0 tells more than the budget of its side, replaced if it is 1 and with
    probability q if it is 0, if its 1 tells more, and else shown. *)
Definition distance_to (p k : nat) := ((k - p) + (p - k))%nat.
Definition budget_at (El Er : R) p k := if Nat.ltb k p then El else Er.
Definition three_r al be El Er (q : nat -> R) p k (x : bool) : R :=
  if Nat.eqb k p then 1
  else if Rlt_dec (budget_at El Er p k) (i0 al be (distance_to p k)) then 1
  else if Rlt_dec (budget_at El Er p k) (i1 al be (distance_to p k)) then (if x then 1 else q k)
  else 0.
(** (|S| + b/(a+b) sum_{t in M} (1 - q_t))/n. *)
Definition three_r_share al be El Er (q : nat -> R) n p :=
  sum (seq 0 n) (fun k =>
    if Nat.eqb k p then 0
    else if Rlt_dec (budget_at El Er p k) (i0 al be (distance_to p k)) then 0
    else if Rlt_dec (budget_at El Er p k) (i1 al be (distance_to p k))
      then be / (al + be) * (1 - q k)
    else 1) / INR n.

Section Sides.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation T := (constant_steps al be).
Notation keeps R0 n r p := (pufferfish R0 (local bool_dec r (n := n)) (either_value p)
  (eq (stationary_chain al be n))).

Lemma shows_ext r r' n b y : (forall j x, r (S j) x = r' (S j) x) ->
  shows T r 0 n b y = shows T r' 0 n b y.
Proof.
  intros E. unfold shows. apply sum_ext; intros v _. f_equal. rewrite !redact_on_lists.
  generalize 0%nat as k. revert y. generalize (list_of v).
  induction l as [|x xs IH]; intros [|o y] k; simpl; try easy. rewrite IH.
  unfold shown_as. now rewrite !E.
Qed.

Lemma shows_nothing n b : shows T (fun _ _ => 1) 0 n b (list_of (nothing n)) = 1.
Proof.
  unfold shows, mean. rewrite (sum_ext all _ (fun v : vec bool n => steps T 0 b (list_of v))).
  - apply (steps_total T (flip_laws al be al0 be0 al1 be1)).
  - intros v _. enough (redact (fun _ _ => 1) 0 v (list_of (nothing n)) = 1) as -> by ring.
    generalize 0%nat. induction n as [|n IH]; intros k; simpl; [easy|]. rewrite IH. ring.
Qed.

Lemma of_left r p c R0 : keeps R0 (p + S c)%nat (up_to p r) p -> (forall x, r p x = 1) ->
  forall b y, length y = p -> shows T (to_left r p) 0 p b y <=
    R0 * shows T (to_left r p) 0 p (negb b) y.
Proof.
  intros promise hidden b y len.
  rewrite (promise_at_outputs al be al0 be0 al1 be1) in promise.
  specialize (promise b (rev y) None (list_of (nothing c)) ltac:(now rewrite rev_length)
    (list_length _)).
  unfold at_output in promise. rewrite rev_involutive in promise.
  assert (L : forall z, shows T (to_left (up_to p r) p) 0 p z y = shows T (to_left r p) 0 p z y).
  { intros z. apply shows_ext. intros j x. unfold to_left, up_to.
    now replace (Nat.leb (p - S j) p) with true by (symmetry; apply Nat.leb_le; lia). }
  assert (Rr : forall z, shows T (to_right (up_to p r) p) 0 c z (list_of (nothing c)) = 1).
  { intros z. rewrite <- (shows_nothing c z) at 1. apply shows_ext. intros j x.
    unfold to_right, up_to.
    now replace (Nat.leb (p + S j) p) with false by (symmetry; apply Nat.leb_gt; lia). }
  rewrite !L, !Rr in promise. simpl in promise. unfold up_to in promise.
  rewrite Nat.leb_refl, !hidden in promise. lra.
Qed.

Lemma of_right r p c R0 : keeps R0 (p + S c)%nat (from_on p r) p -> (forall x, r p x = 1) ->
  forall b y, length y = c -> shows T (to_right r p) 0 c b y <=
    R0 * shows T (to_right r p) 0 c (negb b) y.
Proof.
  intros promise hidden b y len.
  rewrite (promise_at_outputs al be al0 be0 al1 be1) in promise.
  specialize (promise b (rev (list_of (nothing p))) None y
    ltac:(now rewrite rev_length, list_length) len).
  unfold at_output in promise. rewrite rev_involutive in promise.
  assert (Rr : forall z, shows T (to_right (from_on p r) p) 0 c z y =
    shows T (to_right r p) 0 c z y).
  { intros z. apply shows_ext. intros j x. unfold to_right, from_on.
    now replace (Nat.leb p (p + S j)) with true by (symmetry; apply Nat.leb_le; lia). }
  assert (L : forall z, shows T (to_left (from_on p r) p) 0 p z (list_of (nothing p)) = 1).
  { intros z. destruct p as [|p']; [unfold shows, mean; simpl; ring|].
    rewrite <- (shows_nothing (S p') z) at 1. apply shows_ext. intros j x.
    unfold to_left, from_on.
    now replace (Nat.leb (S p') (S p' - S j)) with false by (symmetry; apply Nat.leb_gt; lia). }
  rewrite !L, !Rr in promise. simpl shown_as in promise. unfold from_on in promise.
  rewrite Nat.leb_refl, !hidden in promise. lra.
Qed.

(** Section IV-A of massny2025: the leakages of the outputs on the two sides of a record add up to
    at least that of all outputs, for every local redaction of a stationary chain of bits.
    Differs: ratios instead of levels. *)
Theorem sides_add n p r El Er : (p < n)%nat -> chances r ->
  keeps El n (up_to p r) p -> keeps Er n (from_on p r) p -> keeps (El * Er) n r p.
Proof.
  intros pn r01 kl kr. destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  assert (n = p + S c)%nat as -> by lia. clear en pn.
  assert (hidden : forall x, r p x = 1).
  { intros x. assert (u01 : chances (up_to p r)).
    { intros k z. unfold up_to. destruct Nat.leb; [apply r01|lra]. }
    pose proof (private_record_hidden al be al0 be0 al1 be1 _ p c El u01 kl x) as h.
    unfold up_to in h. now rewrite Nat.leb_refl in h. }
  rewrite (promise_at_outputs al be al0 be0 al1 be1). intros b yl o yr ll lr.
  pose proof (of_left r p c El kl hidden b (rev yl) ltac:(now rewrite rev_length)) as left_.
  pose proof (of_right r p c Er kr hidden b yr lr) as right_.
  unfold at_output. destruct o as [z|].
  - assert (none : forall x, shown_as bool_dec r p x (Some z) = 0).
    { intros x. simpl. rewrite hidden. destruct bool_dec; ring. }
    rewrite !none. lra.
  - simpl shown_as. rewrite !hidden, !Rmult_1_l.
    assert (rl : chances (to_left r p)) by (intros k z; apply r01).
    assert (rr : chances (to_right r p)) by (intros k z; apply r01).
    pose proof (shows_nonnegative al be al0 be0 al1 be1 _ 0 p b (rev yl) rl) as x0.
    pose proof (shows_nonnegative al be al0 be0 al1 be1 _ 0 c b yr rr) as y0.
    pose proof (Rmult_le_compat _ _ _ _ x0 y0 left_ right_). lra.
Qed.

Lemma keeps_more R0 R1 n r p : (p < n)%nat -> chances r -> R0 <= R1 ->
  keeps R0 n r p -> keeps R1 n r p.
Proof.
  intros pn r01 le promise law_ s t y El st Ps Pt.
  apply Rle_trans with (1 := promise law_ s t y El st Ps Pt). apply Rmult_le_compat_r.
  - apply Pw_nonneg.
    + rewrite <- El. apply (stationary_chain_is_law al be al0 be0 al1 be1 n).
    + intros x z. unfold local. rewrite local_on_lists. generalize 0%nat as k.
      generalize (list_of z). generalize (list_of x).
      induction l as [|a l IH]; intros [|o l'] k; simpl; try lra.
      apply Rmult_le_pos; [|apply IH]. unfold shown_as. destruct (r01 k a).
      destruct o as [u|]; [destruct bool_dec; lra|lra].
  - apply Rmult_le_compat_r; lra.
Qed.

Lemma three_r_chances El Er q p : (forall k, 0 <= q k <= 1) -> chances (three_r al be El Er q p).
Proof.
  intros q01 k x. unfold three_r. specialize (q01 k).
  destruct Nat.eqb; [lra|]. destruct Rlt_dec; [lra|]. destruct Rlt_dec, x; lra.
Qed.

(** Theorem 1 of massny2025, privacy: a 3R mechanism, whose sides keep their budgets, keeps eps.
    Differs: ratios instead of levels. *)
Theorem three_r_private n p El Er q R0 : (p < n)%nat -> (forall k, 0 <= q k <= 1) ->
  El * Er <= R0 ->
  keeps El n (up_to p (three_r al be El Er q p)) p ->
  keeps Er n (from_on p (three_r al be El Er q p)) p ->
  keeps R0 n (three_r al be El Er q p) p.
Proof.
  intros pn q01 budget kl kr. pose proof (three_r_chances El Er q p q01) as r01.
  apply (keeps_more (El * Er)); auto. now apply sides_add.
Qed.

(** Equation (3) of massny2025: the utility of a 3R mechanism.
    Differs: none. *)
Lemma three_r_utility n p El Er q :
  shown_share al be (three_r al be El Er q p) n = three_r_share al be El Er q n p.
Proof.
  unfold shown_share, three_r_share. f_equal. apply sum_ext; intros k _.
  unfold three_r, stationary. destruct Nat.eqb; [ring|]. destruct Rlt_dec; [ring|].
  destruct Rlt_dec; field; lra.
Qed.
End Sides.

Section Feasible.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation keeps R0 n r p := (pufferfish R0 (local bool_dec r (n := n)) (either_value p)
  (eq (stationary_chain al be n))).

Definition always_medium (El Er : R) p k : R := if Nat.eqb k p then 1
  else if Rlt_dec (budget_at El Er p k) (i1 al be (distance_to p k)) then 1 else 0.

Lemma three_r_of_one El Er p k x :
  three_r al be El Er (fun _ => 1) p k x = dim (always_medium El Er p) k x.
Proof.
  unfold three_r, dim, always_medium. destruct (Nat.eqb k p) eqn:e; [easy|].
  apply Nat.eqb_neq in e.
  pose proof (i1_above_one al be al0 order be1 (distance_to p k)
    ltac:(unfold distance_to; lia)) as le.
  destruct Rlt_dec, Rlt_dec; try easy; [lra|now destruct x].
Qed.

(** Theorem 1 of massny2025: some q_t are feasible for all budgets, q_t = 1.
    Differs: ratios instead of levels. *)
Theorem three_r_feasible n p El Er : (p < n)%nat -> 1 <= El -> 1 <= Er ->
  keeps (El * Er) n (three_r al be El Er (fun _ => 1) p) p.
Proof.
  intros pn l1 r1. destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  assert (n = p + S c)%nat as -> by lia. clear en pn.
  set (rho := always_medium El Er p).
  assert (s : shares rho).
  { intros k. unfold rho, always_medium. destruct Nat.eqb; [lra|]. destruct Rlt_dec; lra. }
  assert (same : three_r al be El Er (fun _ => 1) p = dim rho).
  { do 2 (apply functional_extensionality; intro). apply three_r_of_one. }
  rewrite same. clear same. rewrite seen_dim by
    (easy || (unfold rho, always_medium; now rewrite Nat.eqb_refl)).
  destruct (nearest_exists (fun k => rho (p - k)%nat) p (fun k => s (p - k)%nat)) as [l nl].
  destruct (nearest_exists (fun k => rho (p + k)%nat) c (fun k => s (p + k)%nat)) as [r nr].
  assert (be0 : 0 < be) by lra.
  apply (radius_is_enough al be al0 order be1 p c (stationary al be) _ _ l r
    (stationary_pos al be al0 be0 true) (stationary_pos al be al0 be0 false)
    (fun k => s (p - k)%nat) (fun k => s (p + k)%nat) nl nr).
  assert (L : 0 <= of_side al be l <= El).
  { destruct l as [d|]; simpl; [|lra]. destruct nl as [[d1 dp] [less _]].
    pose proof (i1_above_one al be al0 order be1 d d1). split; [lra|].
    unfold rho, always_medium in less.
    replace (Nat.eqb (p - d) p) with false in less by (symmetry; apply Nat.eqb_neq; lia).
    unfold budget_at in less.
    replace (Nat.ltb (p - d) p) with true in less by (symmetry; apply Nat.ltb_lt; lia).
    replace (distance_to p (p - d)) with d in less by (unfold distance_to; lia).
    destruct Rlt_dec; lra. }
  assert (Rr : 0 <= of_side al be r <= Er).
  { destruct r as [d|]; simpl; [|lra]. destruct nr as [[d1 dp] [less _]].
    pose proof (i1_above_one al be al0 order be1 d d1). split; [lra|].
    unfold rho, always_medium in less.
    replace (Nat.eqb (p + d) p) with false in less by (symmetry; apply Nat.eqb_neq; lia).
    unfold budget_at in less.
    replace (Nat.ltb (p + d) p) with false in less by (symmetry; apply Nat.ltb_ge; lia).
    replace (distance_to p (p + d)) with d in less by (unfold distance_to; lia).
    destruct Rlt_dec; lra. }
  apply Rmult_le_compat; lra.
Qed.
End Feasible.
