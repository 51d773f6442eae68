(** The Markov quilt mechanism and 3R mechanisms on numbers; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain InnerBit Redaction TwoStates.
From Pufferproof Require Import RedactionLeakage Influences RedactionUtility Stationary.
From Pufferproof Require Import DataIndependent SidesOfRecord InfluenceCurves.
From Pufferproof Require Import QuiltRedaction RedactionsCompared ThreeRegions.
From Pufferproof.sanity Require Import StationaryUsed.
Import ListNotations.
Open Scope R_scope.

(** a = b = 1/3 and e^eps = 2: the least distance is 1, and 2 for half of eps. *)
Lemma first_of_two : first_at_most (i1 (1/3) (1/3)) 2 1.
Proof. split; [lia|]. rewrite first_third. split; [lra|]. intros k i. lia. Qed.
Lemma first_of_half : first_at_most (fun D => i1 (1/3) (1/3) D * i1 (1/3) (1/3) D) 2 2.
Proof.
  split; [lia|]. cbv beta. rewrite second_third. split; [lra|]. intros k i.
  replace k with 1%nat by lia. rewrite first_third. lra.
Qed.

(** Of four records the first is private: the first two are replaced. *)
Lemma chances_of_four k : (k < 4)%nat -> quilt_chances (1/3) (1/3) 2 1 2 4 0 k =
  (if Nat.leb k 1 then 1 else 0).
Proof.
  intros i. destruct k as [|[|[|[|k]]]]; try lia; unfold quilt_chances, window, quilt_left,
    quilt_right, one_sided_quilt; simpl; try easy.
Qed.

Example quilt_private_used :
  leaks_at_most 2 (1/3) (1/3) 4 0 (dim (quilt_chances (1/3) (1/3) 2 1 2 4 0)).
Proof. apply quilt_private; try lra; try lia; [apply first_of_two|apply first_of_half]. Qed.

Lemma share_of_four : dim_share (quilt_chances (1/3) (1/3) 2 1 2 4 0) 4 = 1/2.
Proof. unfold dim_share. cbn [seq sum]. rewrite !chances_of_four by lia. simpl. lra. Qed.

Lemma bounds_of_four : quilt_bound (1/3) (1/3) 2 1 2 4 0 = 1/2 /\
  printed_bound (1/3) (1/3) 2 1 2 4 0 = 3/4.
Proof.
  assert (third : i1 (1/3) (1/3) 3 <= 5/4).
  { rewrite <- second_third. apply i1_decreases; lra || lia. }
  unfold quilt_bound, printed_bound, by_cases_bound. cbn [Nat.sub Nat.eqb orb].
  destruct Rlt_dec; [lra|]. simpl. split; lra.
Qed.

Example quilt_at_least_used : quilt_bound (1/3) (1/3) 2 1 2 4 0 <=
  shown_share (1/3) (1/3) (dim (quilt_chances (1/3) (1/3) 2 1 2 4 0)) 4.
Proof. apply quilt_at_least; try lra; try lia; [apply first_of_two|apply first_of_half]. Qed.

Example quilt_near_bound_used : up_to_two (printed_bound (1/3) (1/3) 2 1 2 4 0)
  (shown_share (1/3) (1/3) (dim (quilt_chances (1/3) (1/3) 2 1 2 4 0)) 4) 4.
Proof. apply quilt_near_bound; try lra; try lia; [apply first_of_two|apply first_of_half]. Qed.

(** The lower bound is reached, and the printed one is not. *)
Example one_record_fewer :
  ~ quilt_bound (1/3) (1/3) 2 1 2 4 0 < dim_share (quilt_chances (1/3) (1/3) 2 1 2 4 0) 4 /\
  ~ printed_bound (1/3) (1/3) 2 1 2 4 0 <= dim_share (quilt_chances (1/3) (1/3) 2 1 2 4 0) 4.
Proof. destruct bounds_of_four as [-> ->]. rewrite share_of_four. lra. Qed.

(** 3R shows all but X_0 there: a record more, and no two. *)
Example better_than_quilt_used :
  dim_share (quilt_chances (1/3) (1/3) 2 1 2 4 0) 4 + 1 / INR 4 <=
  shown_share (1/3) (1/3) (three_r (1/3) (1/3) 1 (2 / 1) (fun _ => 1) 0) 4.
Proof.
  pose proof (better_than_quilt (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 1 2 4 0
    first_of_two first_of_half ltac:(lia) ltac:(lia)) as [_ more].
  rewrite <- (shown_share_of_dim (1/3) (1/3)) by lra. exact more.
Qed.

Lemma most_of_four :
  shown_share (1/3) (1/3) (three_r (1/3) (1/3) 1 (2 / 1) (fun _ => 1) 0) 4 <= 3/4.
Proof.
  rewrite three_r_of_ones, (shown_share_of_dim (1/3) (1/3)), share_of_dim by (lra || lia).
  pose proof (always_medium_shares (1/3) (1/3) 1 (2/1) 0) as s.
  assert (always_medium (1/3) (1/3) 1 (2/1) 0 0 = 1) as e by easy.
  cbn [seq sum]. rewrite e. pose proof (s 1%nat). pose proof (s 2%nat). pose proof (s 3%nat).
  simpl. lra.
Qed.

Example no_two_records_better :
  ~ dim_share (quilt_chances (1/3) (1/3) 2 1 2 4 0) 4 + 2 / INR 4 <=
  shown_share (1/3) (1/3) (three_r (1/3) (1/3) 1 (2 / 1) (fun _ => 1) 0) 4.
Proof. rewrite share_of_four. pose proof most_of_four. simpl. lra. Qed.

Example as_good_as_quilt_used : exists El Er, 1 < El /\ 1 < Er /\
  in_family (1/3) (1/3) 2 El Er 4 0 (fun _ => 1) /\
  shown_share (1/3) (1/3) (dim (quilt_chances (1/3) (1/3) 2 1 2 4 0)) 4 <=
    shown_share (1/3) (1/3) (three_r (1/3) (1/3) El Er (fun _ => 1) 0) 4.
Proof.
  pose proof (as_good_as_quilt (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 1 2 4 0
    first_of_two first_of_half ltac:(lia) ltac:(lra)) as found.
  eexists _, _. exact found.
Qed.

(** Of two records the second one is shown half of the time. *)
Example as_good_as_dim_used : exists El Er, in_family (1/3) (1/3) 2 El Er 2 0 (fun _ => 1) /\
  shown_share (1/3) (1/3) (dim half) 2 <=
    shown_share (1/3) (1/3) (three_r (1/3) (1/3) El Er (fun _ => 1) 0) 2.
Proof.
  destruct (as_good_as_dim (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 2 0 half half_shares
    ltac:(lia) leakage_by_radius_used) as [is_one [as_much _]].
  eexists _, _. split; [exact is_one|]. apply as_much. lra.
Qed.

(** With all of the level on the right all records but X_0 are shown, and never X_0. *)
Example some_three_r_by_radius_used : some_three_r (1/3) (1/3) 2 4 0 (3/4) /\
  ~ some_three_r (1/3) (1/3) 2 4 0 1.
Proof.
  rewrite !(some_three_r_by_radius (1/3) (1/3)) by (lra || lia). split.
  - exists 0%nat, 0%nat. split; [lia|]. split; [lia|]. unfold next_to, rest_of_radius. simpl.
    rewrite first_third. lra.
  - intros [Dl [Dr [_ [_ [_ more]]]]]. unfold rest_of_radius in more.
    rewrite !plus_INR in more. simpl INR in more. pose proof (pos_INR Dl). pose proof (pos_INR Dr).
    lra.
Qed.

(** A positive budget for the left side leaves less than log 2, so that X_1 is not shown. *)
Example some_positive_three_r_by_radius_used : some_positive_three_r (1/3) (1/3) 2 4 0 (1/2) /\
  ~ some_positive_three_r (1/3) (1/3) 2 4 0 (3/4).
Proof.
  rewrite !(some_positive_three_r_by_radius (1/3) (1/3)) by (lra || lia). split.
  - exists 0%nat, 1%nat. split; [lia|]. split; [lia|]. unfold next_to, rest_of_radius. simpl.
    rewrite second_third. lra.
  - intros [Dl [Dr [_ [dr [[_ [_ less]] more]]]]]. unfold rest_of_radius in more.
    rewrite !plus_INR in more. simpl INR in more. pose proof (pos_INR Dl).
    destruct Dr as [|Dr]; [|rewrite S_INR in more; pose proof (pos_INR Dr); lra].
    unfold next_to in less. simpl in less. rewrite first_third in less. lra.
Qed.
