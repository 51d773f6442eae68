(** 3R mechanisms show at least as many records as the Markov quilt mechanism, and as any redaction
    that does not look at values, up to one record (massny2025, corollary 1). *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary DataIndependent SidesOfRecord InfluenceCurves.
From Pufferproof Require Import QuiltRedaction.
Import ListNotations.
Open Scope R_scope.

(** A mechanism of the 3R family for record p of n at the level R0: the budgets El = e^eps_l and
    Er = e^eps_r multiply to at most R0, and each side keeps its own (section IV). *)
Definition in_family al be R0 El Er n p q :=
  1 <= El /\ 1 <= Er /\ El * Er <= R0 /\ (forall k, 0 < q k <= 1) /\
  leaks_at_most El al be n p (up_to p (three_r al be El Er q p)) /\
  leaks_at_most Er al be n p (from_on p (three_r al be El Er q p)).

(** Budgets of the left side: where the right one may be what is left of the level, where both are
    above 1, and that of the nearest record before p that is shown at times. *)
Definition quilt_budget al be R0 De Dh n p : R :=
  if one_sided_quilt al be R0 De Dh n p then 1 else i1 al be Dh.
Definition positive_budget al be R0 De Dh n p : R :=
  if one_sided_quilt al be R0 De Dh n p then (1 + 1) * R0 / (R0 + i1 al be (S De))
  else Rmax (i1 al be Dh) ((1 + 1) * R0 / (1 + R0)).
Definition nearest_before (rho : nat -> R) p : option nat :=
  find (fun D => if Rlt_dec (rho (p - D)%nat) 1 then true else false) (seq 1 p).
Definition shown_budget al be rho p : R := of_side al be (nearest_before rho p).

Lemma nearest_before_is rho p : shares rho ->
  nearest (fun k => rho (p - k)%nat) p (nearest_before rho p).
Proof.
  intros s. unfold nearest_before.
  assert (H : forall m j, match find (fun D => if Rlt_dec (rho (p - D)%nat) 1 then true else false)
      (seq j m) with
    | Some D => (j <= D < j + m)%nat /\ rho (p - D)%nat < 1 /\
        forall k, (j <= k < D)%nat -> rho (p - k)%nat = 1
    | None => forall k, (j <= k < j + m)%nat -> rho (p - k)%nat = 1 end).
  { induction m as [|m IH]; intros j; cbn [seq find]; [lia|].
    destruct Rlt_dec as [less|no].
    - repeat split; auto; lia.
    - assert (one : rho (p - j)%nat = 1) by (pose proof (s (p - j)%nat); lra).
      specialize (IH (S j)). destruct find as [D|].
      + destruct IH as [i [less same]]. repeat split; auto; try lia. intros k ik.
        destruct (PeanoNat.Nat.eq_dec k j) as [->|]; [easy|]. apply same. lia.
      + intros k ik. destruct (PeanoNat.Nat.eq_dec k j) as [->|]; [easy|]. apply IH. lia. }
  specialize (H p 1%nat). destruct find as [D|]; simpl.
  - destruct H as [i [less same]]. repeat split; auto; lia.
  - intros k i. apply H. lia.
Qed.

Lemma quotient_at_least x y e : 0 < e -> x * e <= y -> x <= y / e.
Proof. intros e0 le. apply Rmult_le_reg_r with e; [easy|]. field_simplify; lra. Qed.

Lemma quotient_above x y e : 0 < e -> x * e < y -> x < y / e.
Proof. intros e0 lt. apply Rmult_lt_reg_r with e; [easy|]. field_simplify; lra. Qed.

Section Compared.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation i1 := (i1 al be).
Notation ones := (fun _ : nat => 1).
Notation medium := (always_medium al be).
Notation share r n := (shown_share al be r n).

Lemma always_medium_shares El Er p : shares (medium El Er p).
Proof. intros k. unfold always_medium. destruct Nat.eqb; [lra|]. destruct Rlt_dec; lra. Qed.

Lemma three_r_of_ones El Er p :
  three_r al be El Er (fun _ => 1) p = dim (medium El Er p).
Proof. do 2 (apply functional_extensionality; intro). now apply three_r_of_one. Qed.

(** A record that is shown tells at most the budget of its side. *)
Lemma shown_within El Er p :
  (forall d, (1 <= d <= p)%nat -> medium El Er p (p - d)%nat < 1 -> i1 d <= El) /\
  (forall d, (1 <= d)%nat -> medium El Er p (p + d)%nat < 1 -> i1 d <= Er).
Proof.
  unfold always_medium, budget_at. split; intros d d1 less.
  - replace (Nat.eqb (p - d) p) with false in less by (symmetry; apply Nat.eqb_neq; lia).
    replace (Nat.ltb (p - d) p) with true in less by (symmetry; apply Nat.ltb_lt; lia).
    replace (distance_to p (p - d)) with d in less by (unfold distance_to; lia).
    destruct Rlt_dec; lra.
  - replace (Nat.eqb (p + d) p) with false in less by (symmetry; apply Nat.eqb_neq; lia).
    replace (Nat.ltb (p + d) p) with false in less by (symmetry; apply Nat.ltb_ge; lia).
    replace (distance_to p (p + d)) with d in less by (unfold distance_to; lia).
    destruct Rlt_dec; lra.
Qed.

Lemma before_is_one_side El Er p : up_to p (three_r al be El Er ones p) =
  dim (fun k => if Nat.leb k p then medium El Er p k else 1).
Proof.
  do 2 (apply functional_extensionality; intro). unfold up_to, dim.
  destruct Nat.leb; [now apply three_r_of_one|easy].
Qed.

Lemma after_is_one_side El Er p : from_on p (three_r al be El Er ones p) =
  dim (fun k => if Nat.leb p k then medium El Er p k else 1).
Proof.
  do 2 (apply functional_extensionality; intro). unfold from_on, dim.
  destruct Nat.leb; [now apply three_r_of_one|easy].
Qed.

(** With q = 1 each side keeps its budget. *)
Lemma ones_in_family R0 El Er n p : (p < n)%nat -> 1 <= El -> 1 <= Er -> El * Er <= R0 ->
  in_family al be R0 El Er n p ones.
Proof.
  intros pn l1 r1 level. unfold in_family. repeat split; auto; try lra.
  - rewrite before_is_one_side. unfold leaks_at_most, redacted_bits.
    destruct (shown_within El Er p) as [before _].
    rewrite <- (Rmult_1_r El) at 1. apply private_by_budgets; auto; try lra.
    + intros k. destruct Nat.leb; [apply always_medium_shares|lra].
    + rewrite Nat.leb_refl. unfold always_medium. now rewrite Nat.eqb_refl.
    + intros d i. replace (Nat.leb (p - d) p) with true by (symmetry; apply Nat.leb_le; lia).
      now apply before.
    + intros d d1 there. replace (Nat.leb (p + d) p) with false
        by (symmetry; apply Nat.leb_gt; lia). lra.
  - rewrite after_is_one_side. unfold leaks_at_most, redacted_bits.
    destruct (shown_within El Er p) as [_ after].
    rewrite <- (Rmult_1_l Er) at 1. apply private_by_budgets; auto; try lra.
    + intros k. destruct Nat.leb; [apply always_medium_shares|lra].
    + rewrite Nat.leb_refl. unfold always_medium. now rewrite Nat.eqb_refl.
    + intros d i. replace (Nat.leb p (p - d)) with false by (symmetry; apply Nat.leb_gt; lia). lra.
    + intros d d1 there. replace (Nat.leb p (p + d)) with true
        by (symmetry; apply Nat.leb_le; lia). now apply after.
Qed.

(** What is replaced no more often, but at record j by c, is shown as much, up to c of n records. *)
Lemma shown_as_much El Er n p rho j c : (j < n)%nat ->
  (forall k, (k < n)%nat -> medium El Er p k <= rho k + c * window j j k) ->
  share (dim rho) n <= share (three_r al be El Er ones p) n + c * (1 / INR n).
Proof.
  intros jn less. rewrite three_r_of_ones.
  rewrite !(shown_share_of_dim al be al0 order), !share_of_dim by lia.
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (sums : sum (seq 0 n) (medium El Er p) <= sum (seq 0 n) rho + c).
  { replace c with (c * sum (seq 0 n) (window j j)).
    2: { rewrite window_size by lia. replace (S j - j)%nat with 1%nat by lia. simpl. ring. }
    rewrite <- sum_scale, <- sum_plus. apply sum_le. intros k i. apply in_seq in i.
    apply less. lia. }
  apply Rmult_le_reg_r with (INR n); [easy|]. field_simplify; lra.
Qed.

Lemma medium_at_most_one El Er p k : medium El Er p k <= 1.
Proof. apply (always_medium_shares El Er p k). Qed.

Lemma medium_zero El Er p k : k <> p ->
  i1 (distance_to p k) <= budget_at El Er p k -> medium El Er p k = 0.
Proof.
  intros ne le. unfold always_medium. apply Nat.eqb_neq in ne. rewrite ne.
  destruct Rlt_dec; [lra|easy].
Qed.

Lemma medium_before El Er p d : (1 <= d <= p)%nat -> i1 d <= El -> medium El Er p (p - d) = 0.
Proof.
  intros i le. apply medium_zero; [lia|]. unfold budget_at.
  replace (Nat.ltb (p - d) p) with true by (symmetry; apply Nat.ltb_lt; lia).
  now replace (distance_to p (p - d)) with d by (unfold distance_to; lia).
Qed.

Lemma medium_after El Er p d : (1 <= d)%nat -> i1 d <= Er -> medium El Er p (p + d) = 0.
Proof.
  intros i le. apply medium_zero; [lia|]. unfold budget_at.
  replace (Nat.ltb (p + d) p) with false by (symmetry; apply Nat.ltb_ge; lia).
  now replace (distance_to p (p + d)) with d by (unfold distance_to; lia).
Qed.

(** ** Against the Markov quilt mechanism *)

Section Quilt.
Context (R0 : R) (De Dh n p : nat).
Hypotheses (De_ : first_at_most i1 R0 De)
  (Dh_ : first_at_most (fun D => i1 D * i1 D) R0 Dh) (pn : (p < n)%nat).
Notation one_sided := (one_sided_quilt al be R0 De Dh n p).
Notation quilt := (quilt_chances al be R0 De Dh n p).

(** Budgets that reach the influences of the records that the mechanism shows. *)
Lemma replaces_less El Er :
  (one_sided = true -> i1 (S De) <= Er) ->
  (one_sided = false -> i1 Dh <= El /\ i1 Dh <= Er) ->
  forall k, (k < n)%nat -> medium El Er p k <= quilt k.
Proof.
  intros one two k kn. unfold quilt_chances, window, quilt_left, quilt_right.
  pose proof (medium_at_most_one El Er p k) as most.
  destruct (Nat.leb (p - _) k && Nat.leb k (p + _)) eqn:e; [easy|].
  apply andb_false_iff in e. rewrite !Nat.leb_gt in e. apply Req_le.
  destruct one_sided eqn:side.
  - assert (p + De < k)%nat by lia. replace k with (p + (k - p))%nat by lia.
    apply medium_after; [lia|]. apply Rle_trans with (2 := one eq_refl).
    apply i1_decreases; auto. lia.
  - destruct (two eq_refl) as [l r]. destruct (two_sided_fits al be al0 order be1 R0 De Dh n p
      De_ Dh_ pn side) as [_ [_ h1]]. destruct (Compare_dec.le_lt_dec p k) as [le|lt].
    + replace k with (p + (k - p))%nat by lia. apply medium_after; [lia|].
      apply Rle_trans with (2 := r). apply i1_decreases; auto. lia.
    + replace k with (p - (p - k))%nat by lia. apply medium_before; [lia|].
      apply Rle_trans with (2 := l). apply i1_decreases; auto. lia.
Qed.

Let level1 : 1 <= R0. Proof. now apply (level_above_one al be al0 order be1 R0 De). Qed.

(** Corollary 1 of massny2025: some 3R mechanism shows a record more than the Markov quilt
    mechanism, if D*(eps) <= n - p, where one budget may be e^0.
    Differs: the print has no such condition, and says always. *)
Theorem better_than_quilt (E := quilt_budget al be R0 De Dh n p) : (De <= n - S p)%nat ->
  in_family al be R0 E (R0 / E) n p ones /\
  share (dim quilt) n + 1 / INR n <= share (three_r al be E (R0 / E) ones p) n.
Proof.
  intros there. assert (values : one_sided = true /\ E = 1 \/ one_sided = false /\ E = i1 Dh).
  { unfold E, quilt_budget. destruct one_sided; auto. }
  destruct Dh_ as [h1 [fits _]]. cbv beta in fits.
  pose proof (above_one al be al0 order be1 Dh h1) as above.
  assert (E1 : 1 <= E /\ 1 <= R0 / E /\ E * (R0 / E) = R0).
  { destruct values as [[_ ->]|[_ ->]].
    - unfold Rdiv. rewrite Rinv_1. lra.
    - split; [easy|]. split; [apply quotient_at_least; nra|field; lra]. }
  destruct E1 as [e1 [f1 prod]]. split; [apply ones_in_family; auto; lra|].
  assert (most : forall k, (k < n)%nat -> medium E (R0 / E) p k <= quilt k).
  { apply replaces_less.
    - intros side. destruct values as [[_ ->]|[no _]]; [|congruence].
      unfold Rdiv. rewrite Rinv_1, Rmult_1_r.
      apply (from_first al be al0 order be1 R0 De n p); auto.
    - intros side. destruct values as [[no _]|[_ ->]]; [congruence|]. split; [lra|].
      apply quotient_at_least; lra. }
  assert (one : exists j, (j < n)%nat /\ medium E (R0 / E) p j = 0 /\ quilt j = 1).
  { destruct values as [[side Ev]|[side Ev]].
    - exists (p + De)%nat. destruct De_ as [d1 [le _]]. split; [lia|]. split.
      + apply medium_after; [easy|]. rewrite Ev. unfold Rdiv. rewrite Rinv_1. lra.
      + unfold quilt_chances, quilt_left, quilt_right. rewrite side. apply window_inside. lia.
    - destruct (two_sided_fits al be al0 order be1 R0 De Dh n p De_ Dh_ pn side) as [_ [_ hp]].
      exists (p - Dh)%nat. split; [lia|]. split.
      + apply medium_before; [easy|]. rewrite Ev. lra.
      + unfold quilt_chances, quilt_left, quilt_right. rewrite side. apply window_inside. lia. }
  destruct one as [j [jn [zero here]]].
  pose proof (shown_as_much E (R0 / E) n p quilt j (-1) jn) as compare.
  enough (share (dim quilt) n <=
    share (three_r al be E (R0 / E) ones p) n + -1 * (1 / INR n)) by lra.
  apply compare. intros k kn. destruct (PeanoNat.Nat.eq_dec k j) as [->|ne].
  - rewrite zero, here, window_inside by lia. lra.
  - rewrite window_outside by lia. specialize (most k kn). lra.
Qed.

(** Corollary 1 of massny2025: some 3R mechanism, with two positive budgets, shows at least as much
    as the Markov quilt mechanism.
    Differs: at least as much, as the proof says. *)
Theorem as_good_as_quilt (E := positive_budget al be R0 De Dh n p) : 1 < R0 ->
  1 < E /\ 1 < R0 / E /\ in_family al be R0 E (R0 / E) n p ones /\
  share (dim quilt) n <= share (three_r al be E (R0 / E) ones p) n.
Proof.
  intros level. assert (next : 1 <= i1 (S De) < R0).
  { split; [apply above_one; auto; lia|]. destruct De_ as [d1 [le _]].
    destruct (Req_dec (al + be) 1) as [flat|slope].
    - destruct (influences_vanish al be (S De) flat ltac:(lia)) as [_ ->]. lra.
    - assert (falls i1 De) as [_ less] by (apply influences_fall; auto; lra). lra. }
  destruct Dh_ as [h1 [fits _]]. cbv beta in fits.
  pose proof (above_one al be al0 order be1 Dh h1) as above.
  set (x := i1 (S De)) in *. set (y := (1 + 1) * R0 / (1 + R0)).
  assert (y1 : 1 < y) by (unfold y; apply quotient_above; lra).
  assert (yy : y * y <= R0).
  { unfold y. apply Rmult_le_reg_r with ((1 + R0) * (1 + R0)); [nra|].
    replace ((1 + 1) * R0 / (1 + R0) * ((1 + 1) * R0 / (1 + R0)) * ((1 + R0) * (1 + R0)))
      with (4 * R0 * R0) by (field; lra).
    assert (0 <= (R0 - 1) * (R0 - 1) * R0) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]). nra. }
  assert (values : 1 < E /\ 1 < R0 / E /\ (one_sided = true -> x <= R0 / E) /\
    (one_sided = false -> i1 Dh <= E /\ i1 Dh <= R0 / E)).
  { unfold E, positive_budget. fold x y. destruct one_sided.
    - replace (R0 / ((1 + 1) * R0 / (R0 + x))) with ((R0 + x) / 2) by (field; lra).
      split; [apply quotient_above; lra|]. split; [lra|]. split; [lra|easy].
    - assert (E1 : 1 < Rmax (i1 Dh) y) by (apply Rlt_le_trans with (1 := y1), Rmax_r).
      assert (EE : Rmax (i1 Dh) y * Rmax (i1 Dh) y <= R0)
        by (unfold Rmax; destruct Rle_dec; easy).
      assert (F1 : Rmax (i1 Dh) y <= R0 / Rmax (i1 Dh) y) by (apply quotient_at_least; lra).
      pose proof (Rmax_l (i1 Dh) y). repeat split; easy || lra. }
  destruct values as [e1 [f1 [one two]]]. split; [easy|]. split; [easy|]. split.
  { apply ones_in_family; auto; try lra. right. field. lra. }
  pose proof (shown_as_much E (R0 / E) n p quilt p 0 pn) as compare.
  rewrite Rmult_0_l, Rplus_0_r in compare. apply compare. intros k kn.
  rewrite Rmult_0_l, Rplus_0_r. now apply replaces_less.
Qed.
End Quilt.

(** ** Against redaction that does not look at values *)

(** Corollary 1 of massny2025: for every private data-independent mechanism some 3R mechanism shows
    as much but for one record, and as much if lam >= 0.
    Differs: at least as much, up to 1/n, for every n and p; one budget may be e^0. *)
Theorem as_good_as_dim R0 n p rho (E := shown_budget al be rho p) : shares rho -> (p < n)%nat ->
  leaks_at_most R0 al be n p (dim rho) ->
  in_family al be R0 E (R0 / E) n p ones /\
  (al + be <= 1 -> share (dim rho) n <= share (three_r al be E (R0 / E) ones p) n) /\
  share (dim rho) n <= share (three_r al be E (R0 / E) ones p) n + 1 / INR n.
Proof.
  intros s pn promise. destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  assert (n = p + S c)%nat as -> by lia. clear en.
  assert (be0 : 0 < be) by lra. assert (al1 : al < 1) by lra.
  assert (hidden : rho p = 1).
  { apply (private_record_hidden al be al0 be0 al1 be1 (dim rho) p c R0 (dim_chances rho s)
      promise true). }
  assert (kept := promise). unfold leaks_at_most, redacted_bits in kept.
  rewrite seen_dim in kept by easy.
  pose proof (nearest_before_is rho p s) as nl.
  destruct (nearest_exists (fun k => rho (p + k)%nat) c (fun k => s (p + k)%nat)) as [r nr].
  apply (redaction_leakage al be al0 order be1 p c _ (stationary_pos al be al0 be0 true)
    (stationary_pos al be al0 be0 false) _ _ _ _ R0 (fun k => s (p - k)%nat)
    (fun k => s (p + k)%nat) nl nr) in kept.
  assert (known : 1 <= E /\ E <= R0 /\ match r with None => True | Some d =>
    (al + be <= 1 -> E * i1 d <= R0) /\ E * i1 (S d) <= R0 end).
  { unfold E, shown_budget. destruct (nearest_before rho p) as [l|], r as [d|];
      cbn [of_side leakage_of] in *; try (destruct nl as [l1 [lless lone]]);
      try (destruct nr as [d1 [dless done]]).
    - destruct (i1_above_one al be al0 order be1 l ltac:(lia)) as [x0 x1].
      destruct (i1_above_one al be al0 order be1 d ltac:(lia)) as [y0 y1].
      pose proof (i1_decreases al be al0 order be1 d (S d) ltac:(lia)) as next.
      unfold TwoStates.lam in kept. destruct Rlt_dec as [neg|pos].
      + pose proof (next_influence al be al0 order be1 d ltac:(lia) neg) as turned.
        destruct Nat.odd.
        * pose proof (Rmax_l (i1 l * i0 al be d) (i0 al be l * i1 d)).
          repeat split; try lra; nra.
        * repeat split; try lra; nra.
      + repeat split; try lra; nra.
    - pose proof (above_one al be al0 order be1 l ltac:(lia)). lra.
    - pose proof (above_one al be al0 order be1 d ltac:(lia)).
      pose proof (i1_decreases al be al0 order be1 d (S d) ltac:(lia)). repeat split; lra.
    - lra. }
  destruct known as [e1 [el right_]].
  assert (f1 : 1 <= R0 / E) by (apply quotient_at_least; lra).
  assert (before : forall k, (k < p)%nat -> medium E (R0 / E) p k <= rho k).
  { intros k kp. pose proof (medium_at_most_one E (R0 / E) p k) as most.
    destruct (Rlt_dec (rho k) 1) as [less|]; [|lra].
    enough (medium E (R0 / E) p k = 0) as -> by apply s.
    replace k with (p - (p - k))%nat in less |- * by lia. apply medium_before; [lia|].
    unfold E, shown_budget. destruct (nearest_before rho p) as [l|]; simpl.
    - destruct nl as [l1 [_ lone]]. apply i1_decreases; auto.
      destruct (Compare_dec.le_lt_dec l (p - k)) as [|lt]; [lia|].
      specialize (lone (p - k)%nat ltac:(lia)). cbv beta in lone. lra.
    - specialize (nl (p - k)%nat ltac:(lia)). cbv beta in nl. lra. }
  assert (after : forall k, (p < k < p + S c)%nat -> rho k < 1 -> exists d, r = Some d /\
    (d <= k - p)%nat /\ (1 <= d)%nat).
  { intros k kp less. destruct r as [d|].
    - destruct nr as [d1 [_ one]]. exists d. split; [easy|]. split; [|lia].
      destruct (Compare_dec.le_lt_dec d (k - p)) as [|lt]; [easy|].
      specialize (one (k - p)%nat ltac:(lia)). cbv beta in one.
      replace (p + (k - p))%nat with k in one by lia. lra.
    - specialize (nr (k - p)%nat ltac:(lia)). cbv beta in nr.
      replace (p + (k - p))%nat with k in nr by lia. lra. }
  assert (reach : forall d, E * i1 d <= R0 -> i1 d <= R0 / E).
  { intros d le. apply quotient_at_least; lra. }
  split; [apply ones_in_family; auto; try lia; right; field; lra|]. split.
  - intros plus. pose proof (shown_as_much E (R0 / E) (p + S c) p rho p 0 ltac:(lia)) as compare.
    rewrite Rmult_0_l, Rplus_0_r in compare. apply compare. intros k kn.
    rewrite Rmult_0_l, Rplus_0_r. pose proof (medium_at_most_one E (R0 / E) p k) as most.
    destruct (Compare_dec.lt_eq_lt_dec k p) as [[lt| ->]|gt]; [auto|lra|].
    destruct (Rlt_dec (rho k) 1) as [less|]; [|lra].
    destruct (after k ltac:(lia) less) as [d [-> [le d1]]].
    replace k with (p + (k - p))%nat at 1 by lia. rewrite medium_after; [apply s|lia|].
    apply Rle_trans with (i1 d); [apply i1_decreases; auto|]. now apply reach, right_.
  - rewrite <- (Rmult_1_l (1 / INR _)).
    set (j := match r with Some d => (p + d)%nat | None => p end).
    apply (shown_as_much E (R0 / E) (p + S c) p rho j 1).
    { unfold j. destruct r as [d|]; [destruct nr; lia|lia]. }
    intros k kn. pose proof (medium_at_most_one E (R0 / E) p k) as most.
    pose proof (window_shares j j k) as w. rewrite Rmult_1_l.
    destruct (Compare_dec.lt_eq_lt_dec k p) as [[lt| ->]|gt]; [specialize (before k lt); lra|lra|].
    destruct (Rlt_dec (rho k) 1) as [less|]; [|lra].
    destruct (after k ltac:(lia) less) as [d [rd [le d1]]]. pose proof (s k).
    destruct (PeanoNat.Nat.eq_dec k j) as [->|ne]; [rewrite window_inside by lia; lra|].
    unfold j in ne. rewrite rd in ne, right_.
    replace k with (p + (k - p))%nat at 1 by lia. rewrite medium_after; [lra|lia|].
    apply Rle_trans with (i1 (S d)); [apply i1_decreases; auto; lia|]. now apply reach.
Qed.
End Compared.
