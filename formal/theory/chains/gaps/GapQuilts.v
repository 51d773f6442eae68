(** Quilts of chains with a gap (wang2016, lemma 4.7; song2017, lemma II.3 as repaired), and the
    mechanism that takes its noise from these bounds. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts Parallel
  ParallelChains SequentialChains TableQuilts Spectrum Eigenvalues ChainMoments ChainInfluence Gap.
Import ListNotations.
Open Scope R_scope.

Section Quilts.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Implicit Types (pi m : A -> R) (K : A -> A -> R).

(** Of n records: the one before lo and the one at hi, as far as there are such, tell at most log
    ratio of whether record i is v or w. *)
Definition quilt_within (ratio : R) m K n lo hi i v w :=
  influence_at_most (decide_pair dA) (quilt_around lo hi) ratio (law_of_chain (m, fun _ => K) n)
    (record_is dA i v) (record_is dA i w).
(** They are so far from record i that the powers of r are below low. *)
Definition far low r n lo hi i := (lo = O \/ r ^ (S i - lo) < low) /\
  ((n <= hi)%nat \/ r ^ (hi - i) < low).
(** What they tell at most: twice for a record before, once for one after. *)
Definition told_at_most low r n lo hi i :=
  match lo with O => 1 | S _ => over low (r ^ (S i - lo)) * over low (r ^ (S i - lo)) end *
  (if Nat.ltb hi n then over low (r ^ (hi - i)) else 1).

(** Lemma II.3 of song2017, repaired, and lemma 4.7 of wang2016: max-influence by the gap.
    Differs: any r with r^2 at least the other eigenvalues, such as e^(-g/2), and any lower bound of
    the stationary law, such as that of a class; all forms of quilts at once; ratios instead of
    levels. *)
Theorem quilt_by_gap pi m K low r n lo hi i v w :
  (forall x, low <= pi x) -> gap_of_both_ways pi K r -> law m -> far low r n lo hi i ->
  quilt_within (told_at_most low r n lo hi i) m K n lo hi i v w.
Proof.
  intros least gap Lm [far_left far_right] [ox oy]. unfold law_of_chain; cbn [fst snd].
  pose proof gap as [[[pi0 pi1] [_ [rows _]]] [[r0 _] _]].
  destruct (Nat.lt_ge_cases i n) as [top|beyond].
  2: { assert (none : forall u, P (sequence_law m (fun _ => K) n) (record_is dA i u) = 0 /\
         p_quilt (decide_pair dA) (quilt_around lo hi) (sequence_law m (fun _ => K) n)
           (record_is dA i u) (ox, oy) = 0).
       { intros u. assert (out : forall x, inside (sequence_law m (fun _ => K) n)
           (record_is dA i u) x = 0).
         { intros x. unfold inside, record_is, value, record.
           rewrite (proj2 (nth_error_None (list_of x) i)) by (now rewrite list_length).
           destruct (decide_option dA None (Some u)); [congruence|easy]. }
         split; [unfold P|unfold p_quilt, Pz]; rewrite (sum_ext all _ (fun _ => 0)), ?sum_0;
           try easy; intros x _; rewrite out; try easy; ring. }
       destruct (none v) as [-> ->], (none w) as [-> ->]. lra. }
  assert (low1 : low <= 1).
  { apply Rle_trans with (pi v); [easy|]. rewrite <- pi1. apply (sum_member all pi); [|apply
      all_here]. intros; apply pi0. }
  assert (le1 : (lo <= i)%nat).
  { destruct (Nat.le_gt_cases lo i); [easy|]. destruct far_left as [->|less]; [lia|].
    replace (S i - lo)%nat with 0%nat in less by lia. simpl in less. lra. }
  assert (le2 : (i < hi)%nat).
  { destruct (Nat.le_gt_cases hi i); [|easy]. destruct far_right as [no|less]; [lia|].
    replace (hi - i)%nat with 0%nat in less by lia. simpl in less. lra. }
  assert (low0 : forall t, r ^ t < low -> 0 < low)
    by (intros t less; pose proof (pow_le r t r0); lra).
  assert (K0 : forall x y, 0 <= K x y) by (intros; apply rows).
  assert (P0 : forall t x y, 0 <= Eigenvalues.steps K t x y) by (intros; now apply steps_nonneg).
  assert (m0 : forall t x, 0 <= law_at m K t x) by (intros; now apply law_at_law).
  rewrite !quilt_moments, !record_moment by (easy || lia). unfold told_at_most.
  set (L := match lo with O => 1 | S _ => _ end). set (G := if Nat.ltb hi n then _ else 1).
  assert (on_left : left_weight m K lo i ox v * law_at m K i w <=
    L * (left_weight m K lo i ox w * law_at m K i v)).
  { unfold left_weight, L. destruct lo as [|l].
    - destruct ox; lra.
    - destruct ox as [x|]; [|lra]. destruct far_left as [no|less]; [easy|].
      replace (S i - S l)%nat with (i - l)%nat in * by lia.
      pose proof (backward pi K low r (low0 _ less) least gap (law_at m K l) (i - l) x v w
        (law_at_law m K l Lm rows) less) as bound.
      assert (later : forall c, law_at (law_at m K l) K (i - l) c = law_at m K i c).
      { intros c. replace i with (l + (i - l))%nat at 2 by lia. now rewrite law_at_more. }
      rewrite !later in bound. apply (Rmult_le_compat_l (law_at m K l x)) in bound; [|easy]. lra. }
  assert (on_right : right_weight K n hi i oy v <= G * right_weight K n hi i oy w).
  { unfold right_weight, G. destruct (Nat.ltb hi n) eqn:E.
    - apply Nat.ltb_lt in E. destruct oy as [y|]; [|lra]. destruct far_right as [no|less]; [lia|].
      apply (forward pi); eauto.
    - destruct oy; lra. }
  assert (l0 : forall c, 0 <= left_weight m K lo i ox c * law_at m K i w).
  { intros c. apply Rmult_le_pos; [|easy]. unfold left_weight. destruct lo, ox; try lra; auto.
    now apply Rmult_le_pos. }
  assert (g0 : forall c, 0 <= right_weight K n hi i oy c).
  { intros c. unfold right_weight. destruct oy, (Nat.ltb hi n); auto; lra. }
  apply (same_order _ _ _ _ (Rmult_le_compat _ _ _ _ (l0 v) (g0 v) on_left on_right)); ring.
Qed.

(** Lemma 4.7 of wang2016, in its own terms.
    Differs: as [quilt_by_gap]; a simple eigenvalue 1 instead of an irreducible chain, which has
    one; r < 1 says that the chain is aperiodic. *)
Theorem quilt_by_reversible_gap pi m K low r n lo hi i v w :
  (forall x, low <= pi x) -> gap_of_reversible pi K r -> law m -> far low r n lo hi i ->
  quilt_within (told_at_most low r n lo hi i) m K n lo hi i v w.
Proof. intros least gap. apply (quilt_by_gap pi); [easy|now apply gap_squared]. Qed.

(** Powers within a factor of 1 - d and 1 + d of a law, and x / low. *)
Definition close d pi K t := forall x y, pi y <= Eigenvalues.steps K t x y + d * pi y /\
  Eigenvalues.steps K t x y <= pi y + d * pi y.
Definition part low x := if Rlt_dec 0 low then x / low else 0.

(** Lemma A.1 of wang2016, the second display, which says the same as the first.
    Differs: as [quilt_by_reversible_gap]. *)
Theorem powers_of_reversible pi K low r t :
  0 < low -> (forall x, low <= pi x) -> gap_of_reversible pi K r ->
  close (part low (r ^ t)) pi K t.
Proof.
  intros low0 least gap x y.
  destruct (powers_close pi K low r low0 least (gap_squared _ _ _ gap) t x y) as [up down].
  unfold part. destruct (Rlt_dec 0 low); [|easy].
  assert (E : low * (r ^ t / low * pi y) = r ^ t * pi y) by (field; lra).
  split; apply (Rmult_le_reg_l low); lra.
Qed.

(** Lemma A.2 of wang2016.
    Differs: as [quilt_by_reversible_gap]. *)
Theorem later_record pi K low r t v w y :
  (forall x, low <= pi x) -> gap_of_reversible pi K r -> r ^ t < low ->
  Eigenvalues.steps K t v y <= over low (r ^ t) * Eigenvalues.steps K t w y.
Proof.
  intros least gap less. pose proof (gap_squared _ _ _ gap) as both.
  assert (0 < low) by (pose proof (pow_le r t (proj1 (proj1 (proj2 both)))); lra).
  now apply (forward pi).
Qed.

End Quilts.
