(** Redaction that does not look at values, on a stationary chain of bits: what its radius leaks of
    record p, and how many records it shows (massny2025, corollary 2 and theorem 2). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary.
Import ListNotations.
Open Scope R_scope.

(** Records p - Dl to p + Dr of n are always replaced, and those next to them are not, as far as
    there are such: definition 5, as repaired. *)
Definition radius (rho : nat -> R) n p Dl Dr :=
  (Dl <= p)%nat /\ (p + Dr < n)%nat /\
  (forall j, (p - Dl <= j <= p + Dr)%nat -> rho j = 1) /\
  ((Dl < p)%nat -> rho (p - S Dl)%nat < 1) /\ ((p + S Dr < n)%nat -> rho (p + S Dr)%nat < 1).
Definition even_or_one_sided p Dl Dr := Nat.odd (Dl + Dr) = false \/ Dl = p.
(** The distance of the nearest shown record, of m on this side, if the D next ones are replaced. *)
Definition next_to m D := if Nat.ltb D m then Some (S D) else None.
(** e^(1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1)), and e to the leakage. *)
Definition of_radius al be n p Dl Dr :=
  of_side al be (next_to p Dl) * of_side al be (next_to (n - S p) Dr).
Definition leakage_of_radius al be n p Dl Dr :=
  leakage_of al be (next_to p Dl) (next_to (n - S p) Dr).
(** The expected share of n records that are shown. *)
Definition shown_share al be (r : nat -> bool -> R) n :=
  sum (seq 0 n) (fun k => stationary al be true * (1 - r k true) +
    stationary al be false * (1 - r k false)) / INR n.

(** That of a mechanism that does not look at values. *)
Definition dim_share (rho : nat -> R) n := sum (seq 0 n) (fun k => 1 - rho k) / INR n.
(** 1 - R1/n and 1 - R2/n, for R1 = De + p and R2 = min{R1, 2 Dh - c}; and a level below
    Inf(X_p~>X_0) + Inf(X_p~>X_(n-1)), where the first is infinite if p = 0. *)
Definition one_sided_bound De p n : R := 1 - INR (De + p) / INR n.
Definition two_sided_bound c De Dh p n : R :=
  1 - INR (Nat.min (De + p) (2 * Dh - c)) / INR n.
Definition below_both al be R0 n p := p = 0%nat \/ R0 < i1 al be p * i1 al be (n - S p).

Lemma nearest_left rho n p Dl Dr : radius rho n p Dl Dr ->
  nearest (fun k => rho (p - k)%nat) p (next_to p Dl).
Proof.
  intros [dl [_ [same [less _]]]]. unfold next_to. destruct (Nat.ltb Dl p) eqn:e.
  - apply Nat.ltb_lt in e. repeat split; try lia; auto. intros k i. apply same. lia.
  - apply Nat.ltb_ge in e. intros k i. apply same. lia.
Qed.

Lemma nearest_right rho p c Dl Dr : radius rho (p + S c) p Dl Dr ->
  nearest (fun k => rho (p + k)%nat) c (next_to c Dr).
Proof.
  intros [_ [dr [same [_ less]]]]. unfold next_to. destruct (Nat.ltb Dr c) eqn:e.
  - apply Nat.ltb_lt in e. repeat split; try lia.
    + apply less. lia.
    + intros k i. apply same. lia.
  - apply Nat.ltb_ge in e. intros k i. apply same. lia.
Qed.

Section DataIndependent.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation mechanism n rho := (local bool_dec (dim rho) (n := n)).
Notation chain := (stationary_chain al be).
Let be0 : 0 < be. Proof. lra. Qed.
Let al1 : al < 1. Proof. lra. Qed.

Lemma seen_dim rho p c R0 : rho p = 1 ->
  pufferfish R0 (mechanism (p + S c) rho) (either_value p) (eq (chain (p + S c)%nat)) <->
  pufferfish R0
    (redacted p c (dim (fun k => rho (p - k)%nat)) (dim (fun k => rho (p + k)%nat)))
    (either_order p c)
    (eq (bits_law p c (stationary al be) (constant_steps al be) (constant_steps al be))).
Proof. intros hidden. now apply seen_from_record. Qed.

(** What radius (Dl, Dr) leaks (massny2025.x-dim-leakage).
    Differs: ratios instead of levels; chances instead of certainty. *)
Theorem leakage_by_radius n p Dl Dr rho R0 : shares rho -> radius rho n p Dl Dr ->
  pufferfish R0 (mechanism n rho) (either_value p) (eq (chain n)) <->
  leakage_of_radius al be n p Dl Dr <= R0.
Proof.
  intros s rad. assert (pn : (p < n)%nat) by (destruct rad; lia).
  destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  assert (n = p + S c)%nat as -> by lia. clear en.
  rewrite seen_dim by (apply rad; lia). unfold leakage_of_radius.
  replace (p + S c - S p)%nat with c by lia.
  apply redaction_leakage; auto; try (now apply stationary_pos); try (intros k; apply s).
  - now apply (nearest_left rho (p + S c) p Dl Dr).
  - now apply (nearest_right rho p c Dl Dr).
Qed.

Lemma exact_or_less n p Dl Dr : (Dl <= p)%nat -> (p + Dr < n)%nat ->
  leakage_of_radius al be n p Dl Dr <= of_radius al be n p Dl Dr /\
  (even_or_one_sided p Dl Dr -> leakage_of_radius al be n p Dl Dr = of_radius al be n p Dl Dr).
Proof.
  intros dl dr. unfold leakage_of_radius, of_radius, next_to, even_or_one_sided.
  destruct (Nat.ltb Dl p) eqn:el, (Nat.ltb Dr (n - S p)) eqn:er;
    cbn [leakage_of of_side]; try (split; intros; lra).
  destruct (i1_above al be al0 order be1 (S Dl) ltac:(lia)) as [_ [x0 x1]].
  destruct (i1_above al be al0 order be1 (S Dr) ltac:(lia)) as [_ [y0 y1]].
  assert (par : Nat.odd (S (Dl + S Dr)) = Nat.odd (Dl + Dr)).
  { rewrite <- plus_n_Sm. now rewrite Nat.odd_succ, Nat.even_succ. }
  change (S Dl + S Dr)%nat with (S (Dl + S Dr)). rewrite par.
  destruct Rlt_dec; [|split; intros; lra]. apply Nat.ltb_lt in el. split.
  - destruct (Nat.odd (Dl + Dr)); [|apply Rle_refl]. apply Rmax_lub; apply Rmult_le_compat; lra.
  - intros [->|same]; [easy|]. lia.
Qed.

(** Corollary 2 of massny2025: a mechanism with radius (Dl, Dr) is private only if eps is at least
    the sum of the influences of the nearest shown records.
    Differs: ratios instead of levels; chances instead of certainty. *)
Theorem private_only_if n p Dl Dr rho R0 : shares rho -> radius rho n p Dl Dr ->
  even_or_one_sided p Dl Dr ->
  pufferfish R0 (mechanism n rho) (either_value p) (eq (chain n)) ->
  of_radius al be n p Dl Dr <= R0.
Proof.
  intros s rad even promise. rewrite (leakage_by_radius n p Dl Dr rho R0 s rad) in promise.
  destruct rad as [dl [dr _]]. destruct (exact_or_less n p Dl Dr dl dr) as [_ exact_].
  now rewrite <- exact_.
Qed.

(** Its converse holds whatever the parity (massny2025.x-cor2-converse).
    Differs: as above. *)
Lemma private_if n p Dl Dr rho R0 : shares rho -> radius rho n p Dl Dr ->
  of_radius al be n p Dl Dr <= R0 ->
  pufferfish R0 (mechanism n rho) (either_value p) (eq (chain n)).
Proof.
  intros s rad enough_. rewrite (leakage_by_radius n p Dl Dr rho R0 s rad).
  destruct rad as [dl [dr _]]. destruct (exact_or_less n p Dl Dr dl dr) as [less _]. lra.
Qed.

Lemma share_of_dim rho n : (1 <= n)%nat -> dim_share rho n = 1 - sum (seq 0 n) rho / INR n.
Proof.
  intros n1. unfold dim_share.
  assert (E : forall l, sum l (fun k => 1 - rho k) = INR (length l) - sum l rho).
  { induction l as [|a l IH]; [simpl; lra|]. cbn [sum length]. rewrite IH, S_INR. lra. }
  rewrite E, seq_length. field. apply not_0_INR. lia.
Qed.

(** The share that is shown does not depend on the chain. *)
Lemma shown_share_of_dim rho n : shown_share al be (dim rho) n = dim_share rho n.
Proof.
  unfold shown_share, dim_share, dim. f_equal. apply sum_ext; intros k _.
  pose proof (stationary_is_law al be al0 be0) as [_ one]. cbn -[IZR] in one.
  transitivity ((stationary al be true + stationary al be false) * (1 - rho k)); [ring|].
  replace (stationary al be true + stationary al be false) with 1 by lra. ring.
Qed.

Lemma replaced_on_both_sides rho p c : rho p = 1 -> sum (seq 0 (p + S c)) rho =
  1 + redactions (fun k => rho (p - k)%nat) p + redactions (fun k => rho (p + k)%nat) c.
Proof.
  intros hidden. rewrite seq_app, sum_app. cbn [Nat.add seq sum]. rewrite hidden.
  unfold redactions.
  assert (L : forall m, (m <= p)%nat ->
    sum (seq 1 m) (fun k => rho (p - k)%nat) = sum (seq (p - m) m) rho).
  { induction m as [|m IH]; intros le; [easy|]. rewrite seq_S, sum_app, IH by lia. cbn [sum].
    replace (p - m)%nat with (S (p - S m)) by lia. cbn [seq sum].
    replace (S (p - S m)) with (p - m)%nat by lia.
    replace (p - (1 + m))%nat with (p - S m)%nat by lia. lra. }
  assert (Rr : forall m j, sum (seq (S j) m) (fun k => rho (p + k)%nat) =
    sum (seq (S (p + j)) m) rho).
  { induction m as [|m IH]; intros j; [easy|]. cbn [seq sum]. rewrite IH.
    rewrite <- !plus_n_Sm. lra. }
  rewrite (L p), (Rr c 0%nat), Nat.sub_diag, Nat.add_0_r by lia. lra.
Qed.

(** Theorem 2 of massny2025, repaired: with p records before the private one, at most half.
    Differs: the print has 2D*(eps/2) - 1 in the second case, which is false; ratios instead of
    levels. *)
Theorem utility_of_private n p rho R0 : shares rho -> (2 * S p <= n)%nat ->
  pufferfish R0 (mechanism n rho) (either_value p) (eq (chain n)) ->
  (R0 < i1 al be (n - S p) -> dim_share rho n <= 0) /\
  (forall De, first_at_most (i1 al be) R0 De -> i1 al be (n - S p) <= R0 ->
    below_both al be R0 n p -> dim_share rho n <= one_sided_bound De p n) /\
  (forall De Dh, first_at_most (i1 al be) R0 De ->
    first_at_most (fun D => i1 al be D * i1 al be D) R0 Dh -> i1 al be (n - S p) <= R0 ->
    dim_share rho n <= two_sided_bound (if Rlt_dec (lam al be) 0 then 3 else 2) De Dh p n).
Proof.
  intros s half promise. destruct (Nat.le_exists_sub (S p) n ltac:(lia)) as [c [en _]].
  assert (n = p + S c)%nat as -> by lia. clear en.
  assert (hidden : rho p = 1).
  { apply (private_record_hidden al be al0 be0 al1 be1 (dim rho) p c R0 (dim_chances rho s)
      promise true). }
  unfold one_sided_bound, two_sided_bound, below_both.
  rewrite seen_dim in promise by easy. replace (p + S c - S p)%nat with c by lia.
  pose proof (dim_utility al be al0 order be1 p c (stationary al be) _ _ R0
    (stationary_pos al be al0 be0 true) (stationary_pos al be al0 be0 false)
    (fun k => s (p - k)%nat) (fun k => s (p + k)%nat) promise ltac:(lia)) as found.
  assert (E : utility p c (fun k => rho (p - k)%nat) (fun k => rho (p + k)%nat) =
    dim_share rho (p + S c)).
  { rewrite share_of_dim, replaced_on_both_sides by (easy || lia). unfold utility.
    now replace (p + S c)%nat with (p + 1 + c)%nat by lia. }
  rewrite E in found. replace (p + 1 + c)%nat with (p + S c)%nat in found by lia. exact found.
Qed.

(** What c = 2 gives, c = 3 does. *)
Lemma weaker_bound c De Dh p n : (1 <= n)%nat -> (c <= 3)%nat ->
  two_sided_bound c De Dh p n <= two_sided_bound 3 De Dh p n.
Proof.
  intros n1 c3. unfold two_sided_bound. apply Rplus_le_compat_l, Ropp_le_contravar.
  unfold Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, lt_0_INR; lia|].
  apply le_INR. lia.
Qed.
End DataIndependent.
