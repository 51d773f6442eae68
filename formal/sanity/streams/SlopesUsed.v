(** Slopes, shifts and regions of two rows: the response of a bit, and near misses refuted. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Regions Slopes Zonotopes Intersections.
From Pufferproof Require Import BoundaryLines.
From Pufferproof.sanity Require Import Bits.
Open Scope R_scope.

Lemma response_total b : (Σ y, response b y) = 1.
Proof. apply response_kernel. Qed.
Lemma response_likely b y : 0 <= response b y.
Proof. apply response_likelihood. Qed.

(** At ratio 2 the shift is 3/4 - 2/4, at 3 it is 0. *)
Lemma response_shift r : 1/3 <= r <= 3 ->
  shift r (3/4 - r / 4) (response true) (response false).
Proof.
  intros range. apply hockey_stick. simpl. unfold Rmax, response. simpl.
  destruct Rle_dec, Rle_dec; lra.
Qed.

Example shift_touches_used : touches response 2 (1/4) true false /\
  ~ touches response 2 (1/5) true false.
Proof.
  assert (t : touches response 2 (1/4) true false).
  { apply shift_touches; [exact response_total|]. replace (1/4) with (3/4 - 2/4) by lra.
    apply response_shift. lra. }
  split; [easy|]. intros other. pose proof (touches_unique _ _ _ _ _ _ t other). lra.
Qed.

Definition surely (y : bool) : R := if y then 1 else 0.
(** A fair row beside one that is certain: the shift is 1/2, the probability of the outcome that is
    impossible there. *)
Example last_shift_used : shift 1 (1/2) fair (surely) /\ ~ shift 1 0 fair (surely).
Proof.
  assert (s : shift 1 (1/2) fair (surely)).
  { replace (1/2) with (Σ y, if Req_EM_T (surely y) 0 then fair y else 0).
    - apply last_shift; unfold fair, surely; intros [|]; simpl; lra.
    - unfold fair, surely; simpl. destruct (Req_EM_T 0 0), (Req_EM_T 1 0); lra. }
  split; [easy|]. intros other. pose proof (shift_unique _ _ _ _ _ s other). lra.
Qed.

(** With the summands as printed the shift at the slope 3 is 0, at 2 it would be 1/2. *)
Example printed_shift_used : shift_at true 3 0 (response true) (response false) /\
  ~ shift_at true 2 0 (response true) (response false).
Proof.
  split; [apply printed_shift; unfold response; simpl; lra|].
  intros s. apply hockey_stick in s. simpl in s. unfold Rmax, response in s. simpl in s.
  destruct Rle_dec in s; lra.
Qed.

(** The middle of the square is half of everything; the origin is no choice. *)
Example zonotope_used : region response true false (1/2) (1/2) /\
  ~ region response true false 0 0.
Proof.
  rewrite !zonotope_form, !choice_alone. split.
  - exists (fun _ => 1/2). unfold share, response. simpl. repeat split; lra.
  - intros [alpha [ok [ea eb]]]. unfold share, response in *. simpl in ea, eb.
    pose proof (ok true). pose proof (ok false). lra.
Qed.

(** The recipe lists the slope 3 with the shift 0 in both orders; its lines leave out the origin,
    and their reflections (1, 1). *)
Lemma response_slope b : slope 3 0 (response b) (response (negb b)).
Proof.
  split; [lra|]. split.
  - exists b. unfold response. destruct b; simpl; lra.
  - apply hockey_stick. simpl. unfold Rmax, response.
    destruct b; simpl; destruct Rle_dec, Rle_dec; lra.
Qed.

Example intersection_used : ~ region response true false 0 0 /\ ~ region response true false 1 1 /\
  1 - 0 <= 1 + 3 * 1.
Proof.
  rewrite !region_is_intersection by (exact response_total || exact response_likely).
  repeat split; [..|lra]; intros [_ [own _]]; specialize (own 3 0 (response_slope true)); lra.
Qed.

(** Other names of the outputs: the lists are the same, and so are the regions. *)
Definition renamed (x y : bool) := response x (negb y).
Lemma renamed_shift r d x y :
  shift r d (renamed x) (renamed y) <-> shift r d (response x) (response y).
Proof. rewrite !hockey_stick. unfold renamed. simpl. split; intros <-; ring. Qed.
Lemma renamed_list x y :
  same_list (response x) (response y) (renamed x) (renamed y).
Proof.
  intros r d. unfold slope. rewrite renamed_shift. unfold renamed.
  split; intros [r1 [[z e] s]]; (split; [easy|]); split; try easy; exists (negb z);
    now rewrite ?negb_involutive.
Qed.

Example lists_used : region renamed true false (1/2) (1/2) /\
  shift 3 0 (renamed true) (renamed false).
Proof.
  assert (total : forall x, (Σ y, renamed x y) = 1).
  { intros [|]; unfold renamed, response; simpl; lra. }
  assert (likely : forall x y, 0 <= renamed x y) by (intros; apply response_likely).
  split.
  - apply (lists_determine_regions response renamed response_total response_likely total likely
      true false true false (renamed_list _ _) (renamed_list _ _)). apply zonotope_used.
  - apply (lists_determine_shifts response renamed response_total response_likely total likely
      true false true false (renamed_list _ _) (renamed_list _ _)). apply response_slope.
Qed.

(** One order is not enough: neither of these two has a slope in the order (true, false). *)
Definition unsure (x y : bool) : R := if x then 1/2 else if y then 1 else 0.
Definition apart (x y : bool) : R := if eqb x y then 0 else 1.
Example one_list_is_not_enough :
  same_list (unsure true) (unsure false) (apart true) (apart false) /\
  region apart true false 0 0 /\ ~ region unsure true false 0 0.
Proof.
  split; [|split].
  - intros r d. unfold unsure, apart. split; intros [r1 [[[|] e] _]]; simpl in e; lra.
  - apply zonotope_form, choice_alone. exists (fun y : bool => if y then 1 else 0).
    unfold share, apart. simpl. repeat split; try lra; destruct y; lra.
  - rewrite zonotope_form, choice_alone. intros [alpha [ok [ea eb]]].
    unfold share, unsure in *. simpl in ea, eb. pose proof (ok true). pose proof (ok false). lra.
Qed.

(** Between the points of no outcome and of every outcome; beyond them there is none. *)
Example region_is_convex_used : region response true false (1/2 * 0 + 1/2 * 1) (1/2 * 1 + 1/2 * 0)
  /\ ~ region response true false (2 * 0 + -1 * 1) (2 * 1 + -1 * 0).
Proof.
  assert (ends : region response true false 0 1 /\ region response true false 1 0).
  { split; apply mixture_one.
    - exists (fun _ => false). unfold weight_in, others, response. simpl. f_equal; lra.
    - exists (fun _ => true). unfold weight_in, others, response. simpl. f_equal; lra. }
  split; [apply region_is_convex; lra || apply ends|].
  intros r. apply (region_in_square response response_total response_likely) in r.
  unfold square in r. lra.
Qed.

(** At the ratio 2 the line through (1/4, 1/4) has the shift 1/4, and no other; at 1/2 it is that of
    the ratio 2 in the other order. *)
Example recipe_line_used a b :
  a + 2 * b = lower (response true) (response false) 2 <-> a + 2 * b + 1/4 = 1.
Proof.
  apply recipe_line; [apply response_total|]. replace (1/4) with (3/4 - 2/4) by lra.
  apply response_shift. lra.
Qed.

Example recipe_line_exchanged_used a b :
  a + 1/2 * b = lower (response false) (response true) (1/2) <-> 2 * a + b + 1/4 = 1.
Proof.
  apply recipe_line_exchanged; try lra; [apply response_total|].
  replace (1/4) with (3/4 - 2/4) by lra. apply response_shift. lra.
Qed.

Example not_at_the_same_ratio :
  ~ (1/4 + 1/2 * (1/4) = lower (response false) (response true) (1/2) <->
     1/2 * (1/4) + 1/4 + 1/4 = 1).
Proof. rewrite recipe_line_exchanged_used. lra. Qed.
