(** The influence curve of a stationary chain of bits on numbers; near misses refuted. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require Import TwoStates Stationary HiddenBits.
Open Scope R_scope.

(** p = q = 2/3: a neighbour tells 2, so that both tell 4 where one record is hidden. *)
Lemma two_thirds : printed_curve (2/3) (2/3) 1 = 4.
Proof.
  unfold printed_curve, term_at, rarer. cbn [Nat.div2 pow].
  destruct (Rlt_dec (2/3) (2/3)); [lra|].
  replace ((1 - 2/3) / (2 - 2/3 - 2/3)) with (1/2) by field.
  replace ((1/2 + (2/3 + 2/3 - 1) * 1 * (1 - 1/2)) / (1/2 - (2/3 + 2/3 - 1) * 1 * (1/2))) with 2
    by field.
  rewrite larger_above; lra.
Qed.

Example curve_if_lam_positive_used R0 : curve_at_most R0 (2/3) (2/3) 3 1 <-> 4 <= R0.
Proof. rewrite <- two_thirds. apply curve_if_lam_positive; lra || lia. Qed.

Example less_is_no_curve : ~ curve_at_most (399/100) (2/3) (2/3) 3 1.
Proof. rewrite curve_if_lam_positive_used. lra. Qed.

(** A chain of two records has one neighbour of each record, so that the curve is lower. *)
Example formula_on_curve_used : curve_at_most 4 (2/3) (2/3) 2 1.
Proof. rewrite <- two_thirds. apply formula_on_curve; lra || lia. Qed.

(** p = q = 1/3: values alternate, lam = -1/3, and a neighbour tells 2 as well. *)
Lemma one_third : printed_curve (1/3) (1/3) 1 = 4.
Proof.
  unfold printed_curve, term_at, rarer. cbn [Nat.div2 pow].
  destruct (Rlt_dec (1/3) (1/3)); [lra|].
  replace ((1 - 1/3) / (2 - 1/3 - 1/3)) with (1/2) by field.
  replace ((1/2 + (1/3 + 1/3 - 1) * 1 * (1 - 1/2)) / (1/2 - (1/3 + 1/3 - 1) * 1 * (1/2)))
    with (1/2) by field.
  rewrite larger_below; lra.
Qed.

Example curve_if_equal_used R0 : curve_at_most R0 (1/3) (1/3) 3 1 <-> 4 <= R0.
Proof. rewrite <- one_third. apply curve_if_equal; lra || lia. Qed.

(** Without records that are hidden no number is a point of the curve. *)
Example none_hidden R0 : ~ curve_at_most R0 (2/3) (2/3) 1 0.
Proof.
  intros curve. destruct (curve 0%nat true ltac:(lia)) as [[[] []] [few tells]].
  - unfold ShownBlocks.number in few. simpl in few. lia.
  - apply (tells_sides (1 - 2/3) (1 - 2/3)
      ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 0 0) in tells.
    now destruct tells.
Qed.
