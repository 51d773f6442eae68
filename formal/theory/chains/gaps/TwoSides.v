(** What two records around one tell, by what each of them tells (song2017, appendix A-B). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains TableQuilts Spectrum Eigenvalues ChainMoments ChainInfluence GapQuilts.
Import ListNotations.
Open Scope R_scope.

Section Sides.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** Bounds of the influences of both nodes multiply to one of the influence of both (song2017, used
    in equation (26)).
    Differs: bounds instead of largest ratios, multiplied out; steps that are all alike. *)
Theorem sides_multiply m (K : A -> A -> R) n lo hi i v w a b : law m -> (forall x, law (K x)) ->
  (lo <= i < hi)%nat -> (hi <= n)%nat ->
  quilt_within dA a m K n lo n i v w -> quilt_within dA b m K n 0 hi i v w ->
  quilt_within dA (a * b) m K n lo hi i v w.
Proof.
  intros Lm rows here top on_left on_right [ox oy].
  unfold quilt_within, influence_at_most, law_of_chain in on_left, on_right.
  unfold law_of_chain. cbn [fst snd] in *.
  pose proof (on_left (ox, None)) as left_. pose proof (on_right (None, oy)) as right_.
  rewrite !quilt_moments, !record_moment in * by (easy || lia).
  assert (K0 : forall x y, 0 <= K x y) by (intros; apply rows).
  assert (K1 : forall x, (Σ y, K x y) = 1) by (intros; apply rows).
  assert (P0 : forall t x y, 0 <= Eigenvalues.steps K t x y) by (intros; now apply steps_nonneg).
  assert (m0 : forall t x, 0 <= law_at m K t x) by (intros; now apply law_at_law).
  assert (l0 : forall c, 0 <= left_weight m K lo i ox c).
  { intros c. unfold left_weight. destruct lo, ox; try lra; auto. now apply Rmult_le_pos. }
  assert (g0 : forall c, 0 <= right_weight K n hi i oy c).
  { intros c. unfold right_weight. destruct oy, (Nat.ltb hi n); auto; lra. }
  assert (less : forall c, left_weight m K lo i ox c <= law_at m K i c).
  { intros c. unfold left_weight. destruct lo as [|l].
    - destruct ox; [apply m0|lra].
    - destruct ox as [x|]; [|apply m0].
      replace i with (l + (i - l))%nat at 2 by lia. rewrite law_at_more.
      apply (sum_member all (fun x => law_at m K l x * Eigenvalues.steps K (i - l) x c));
        [|apply all_here]. intros; now apply Rmult_le_pos. }
  assert (E : forall c, right_weight K n n i None c = 1).
  { intros c. unfold right_weight. now rewrite Nat.ltb_irrefl. }
  assert (F : forall c, left_weight m K 0 i None c = law_at m K i c) by easy.
  rewrite !E in left_. rewrite !F in right_.
  set (lv := left_weight m K lo i ox v) in *. set (lw := left_weight m K lo i ox w) in *.
  set (gv := right_weight K n hi i oy v) in *. set (gw := right_weight K n hi i oy w) in *.
  pose proof (less v) as Lv. pose proof (less w) as Lw. fold lv in Lv. fold lw in Lw.
  pose proof (l0 v) as lv0. pose proof (l0 w) as lw0. fold lv in lv0. fold lw in lw0.
  pose proof (g0 v) as gv0. fold gv in gv0.
  pose proof (m0 i v) as mv. pose proof (m0 i w) as mw.
  set (pv := law_at m K i v) in *. set (pw := law_at m K i w) in *.
  destruct mv as [pos_v|zero]; [|assert (lv = 0) as -> by lra; rewrite <- zero; lra].
  destruct mw as [pos_w|zero]; [|assert (lw = 0) as -> by lra; rewrite <- zero; lra].
  assert (gain : gv <= b * gw).
  { apply (Rmult_le_reg_l (pv * pw)); [now apply Rmult_lt_0_compat|]. lra. }
  assert (0 <= lv * pw) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (lv * pw * gv); [lra|].
  apply Rle_trans with (a * pv * lw * (b * gw)); [|lra].
  apply Rmult_le_compat; lra.
Qed.
End Sides.
