(** What the sides of a record leak, on numbers; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain InnerBit Redaction TwoStates.
From Pufferproof Require Import RedactionLeakage Stationary DataIndependent SidesOfRecord.
From Pufferproof Require Import InfluenceCurves BothSides SideLevels.
From Pufferproof.sanity Require Import StationaryUsed.
Import ListNotations.
Open Scope R_scope.

(** a = b = 1/3, three records, the middle one private, the others shown. *)
Definition others_shown k (x : bool) : R := if Nat.eqb k 1 then 1 else 0.
Lemma others_chances : chances others_shown.
Proof. intros k x. unfold others_shown. destruct Nat.eqb; lra. Qed.
Lemma others_first t v : (t = 0 \/ t = 2)%nat -> first_shown 1 t others_shown v.
Proof.
  intros [-> | ->]; (split; [lia|split; [intros k _ between; lia|]]);
    unfold others_shown; simpl; lra.
Qed.
Notation third := (1/3).
Notation side_ t := (largest_ratio third third 3 1 (side_of 1 t others_shown)).

Lemma positive_third D : 0 <= lam third third ^ D.
Proof. apply pow_le. unfold lam. lra. Qed.

(** Either side tells 2 of either value. *)
Lemma side_tells t v : (t = 0 \/ t = 2)%nat -> side_ t v = 2.
Proof.
  intros which. pose proof (first_is_extreme third third ltac:(lra) ltac:(lra) ltac:(lra)
    ltac:(lra) 3 1 t others_shown v ltac:(lia) ltac:(lia) others_chances (fun _ => eq_refl)
    (others_first t v which)) as e.
  unfold towards in e. destruct Rle_dec as [_|no] in e; [|destruct no; apply positive_third].
  rewrite e. replace (distance_to 1 t) with 1%nat by (destruct which as [-> | ->]; easy).
  unfold influence_at. destruct v; [apply first_third|].
  rewrite <- first_third. unfold i0, i1. f_equal.
Qed.

Example joint_leakage_used : leakage_of_record third third 3 1 others_shown = 4.
Proof.
  rewrite (joint_leakage third third ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 3 1 others_shown
    ltac:(lia) others_chances (fun _ => eq_refl)).
  pose proof (side_tells 0 false ltac:(lia)) as a. pose proof (side_tells 2 false ltac:(lia)) as b.
  pose proof (side_tells 0 true ltac:(lia)) as c. pose proof (side_tells 2 true ltac:(lia)) as d.
  unfold side_of in a, b, c, d. simpl in a, b, c, d. rewrite a, b, c, d.
  rewrite Rmax_left; lra.
Qed.

(** Both sides are alike: they leak 4, all that 2 and 2 come to, and more than half of it. *)
Example joint_bounds_used : leakage_of_record third third 3 1 (up_to 1 others_shown) <= 4 /\
  4 <= leakage_of_record third third 3 1 (up_to 1 others_shown) *
    leakage_of_record third third 3 1 (from_on 1 others_shown).
Proof.
  pose proof (joint_bounds third third ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 3 1 others_shown
    ltac:(lia) others_chances (fun _ => eq_refl)) as [l [_ both_]].
  rewrite joint_leakage_used in l, both_. easy.
Qed.

Example joint_equality_used : leakage_of_record third third 3 1 others_shown =
  leakage_of_record third third 3 1 (up_to 1 others_shown) *
  leakage_of_record third third 3 1 (from_on 1 others_shown).
Proof.
  apply (joint_equality third third ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 3 1 others_shown
    ltac:(lia) others_chances (fun _ => eq_refl)). left.
  pose proof (side_tells 0 false ltac:(lia)) as a. pose proof (side_tells 2 false ltac:(lia)) as b.
  pose proof (side_tells 0 true ltac:(lia)) as c. pose proof (side_tells 2 true ltac:(lia)) as d.
  unfold side_of in a, b, c, d. simpl in a, b, c, d. unfold leakage_of_record.
  rewrite a, b, c, d, Rmax_left by lra. easy.
Qed.

Example joint_half_used : leakage_of_record third third 3 1 (up_to 1 others_shown) *
  leakage_of_record third third 3 1 (from_on 1 others_shown) < 16.
Proof.
  destruct (joint_half third third ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 3 1 others_shown
    ltac:(lia) others_chances (fun _ => eq_refl)) as [more|[-> ->]]; [|lra].
  rewrite joint_leakage_used in more. lra.
Qed.

(** A record of a side that is not the first one that is shown does not have the extreme ratio. *)
Example a_farther_record_tells_less : largest_ratio third third 3 0
  (side_of 0 1 (fun k _ => if Nat.eqb k 0 then 1 else 0)) true <> i1 third third 2.
Proof.
  set (r := fun k (_ : bool) => if Nat.eqb k 0 then 1 else 0).
  assert (r01 : chances r) by (intros k x; unfold r; destruct Nat.eqb; lra).
  pose proof (first_is_extreme third third ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 3 0 1 r true
    ltac:(lia) ltac:(lia) r01 (fun _ => eq_refl)) as e.
  unfold towards in e. destruct Rle_dec as [_|no] in e; [|destruct no; apply positive_third].
  rewrite e.
  - change (i1 third third 1 <> i1 third third 2). rewrite first_third, second_third. lra.
  - split; [lia|]. split; [intros k _ between; lia|]. unfold r. simpl. lra.
Qed.

(** Both sides: 4 is kept, and no less. *)
Example both_levels_used R0 : leaks_at_most R0 third third 3 1 others_shown <->
  2 * 2 <= R0 /\ divides 2 2 R0.
Proof.
  rewrite (both_levels third third ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) 3 1 0 2 others_shown
    R0 ltac:(unfold lam; lra) ltac:(lia) ltac:(lia) others_chances (fun _ => eq_refl)
    (others_first 0 false ltac:(lia)) (others_first 2 false ltac:(lia))).
  rewrite !side_tells by lia. replace (i0 third third (distance_to 1 0)) with 2.
  - replace (i0 third third (distance_to 1 2)) with 2; [easy|].
    rewrite <- first_third. unfold i0, i1. f_equal.
  - rewrite <- first_third. unfold i0, i1. f_equal.
Qed.

Example less_is_not_kept : ~ leaks_at_most (39/10) third third 3 1 others_shown.
Proof. rewrite both_levels_used. lra. Qed.
