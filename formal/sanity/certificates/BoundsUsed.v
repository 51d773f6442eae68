(** Certificates of worst cases and of exponentials, on small numbers, and near misses. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Indices Tables Places Budgets WorstCase
  Exponentials.
From Pufferproof Require Repetition.
Import ListNotations.
Open Scope Z_scope.

Ltac computed := vm_compute; reflexivity.

Definition two : framework := {|
  size := 2; secrets := [[true; false]; [false; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 3; priors := [[1; 2]]; convex := false |}.
Definition small := Budget (Log 3 2) None.
Definition large := Budget (Log 7 5) None.
(** u_a <= (3/2) u_b and v_a <= (7/5) v_b, each times what is not negative: the difference
    (21/10) u_b v_b - u_a v_a is 7/5 v_b (3/2 u_b - u_a) + u_a (7/5 v_b - v_a), and likewise the
    other way. *)
Definition rows_of_one := [Law 0 0 1; Positive [1; 0]; Law 0 1 0; Positive [0; 1]].
Definition rows_of_other := [Law 0 0 1; Positive [0; 1]; Law 0 1 0; Positive [1; 0]].
Definition proofs (c c' : Z) : list (list place * tree) := [
  ([(0, 0, 1)]%nat, Leaf 1 [(0, 1, c)%nat; (1, 0, c')%nat]);
  ([(0, 1, 0)]%nat, Leaf 1 [(2, 3, c)%nat; (3, 2, c')%nat])].

(** Two mechanisms that leak log (3/2) and log (7/5) leak log (21/10) together, and some do. *)
Example sum_of_both : worst_at_most two small large (Log 21 10).
Proof.
  apply (worst_of two small large (Log 21 10) rows_of_one rows_of_other (proofs 7 2)). computed.
Qed.
Definition first := Build_mechanism 2 10 [[3; 7]; [2; 8]].
Definition second := Build_mechanism 2 24 [[7; 17]; [5; 19]].
Example sum_is_reached : worst_at_least two small large (Log 21 10).
Proof.
  apply (worst_equals_of two small large (Log 21 10) rows_of_one rows_of_other (proofs 7 2)
    first second (Listed 0) 0 1 [0; 0]%nat). computed.
Qed.
(** The extracted function accepts both, and not log 2. *)
Definition pair_of_both := Repetition.Reaching first second (Listed 0) 0 1 [0; 0]%nat.
Example sum_is_checked : Repetition.means_worst two small large (Log 21 10) true.
Proof.
  apply (Repetition.checked_worst_case two small large (Log 21 10) true rows_of_one rows_of_other
    (proofs 7 2) pair_of_both). computed.
Qed.
Example less_is_not_checked : Repetition.check_worst_case two small large (Log 2 1) false
  rows_of_one rows_of_other (proofs 7 2) pair_of_both = false.
Proof. computed. Qed.
(** Near miss: not log 2. *)
Example not_less : ~ worst_at_most two small large (Log 2 1).
Proof.
  intros most. destruct sum_is_reached as [m [m' [k [k' [b [b' least]]]]]].
  specialize (most _ _ (channel two m) (fun _ => channel two m')
    (fun x => proj1 (k x)) (fun _ x => proj1 (k' x)) b (fun _ => b')).
  assert (H : within two (joint two [m; m']) (ratio (Log 2 1))).
  { intros p s t [v [w []]] hp hst Ps Pt. specialize (most p s t (v, w) hp hst Ps Pt).
    assert (E : forall u, Pw p (joint two [m; m']) u (v, (w, tt)) =
      Pw p (fun x (vw : index (outputs m) * index (outputs m')) =>
        channel two m x (fst vw) * channel two m' x (snd vw))%R u (v, w)).
    { intros u. apply sum_ext; intros x _. cbn [joint]. unfold both. cbn [fst snd]. ring. }
    now rewrite !E. }
  specialize (least _ H). cbn [ratio] in least. lra.
Qed.
(** Nor does the same proof show log 2. *)
Example no_proof :
  check_worst two small large (Log 2 1) rows_of_one rows_of_other (proofs 7 2) = false.
Proof. computed. Qed.

(** With a level for each record, a path of two records doubles it: databases of two bits. *)
Definition bits : framework := {|
  size := 4; secrets := [[true; false; false; false]; [false; false; false; true]];
  pairs := [(0, 1)]%nat; prior_unit := 2; priors := [[1; 0; 0; 1]]; convex := false |}.
Definition each_bit := Budget (Log 5 1) (Some (Sequences 2 2, Log 2 1)).
Definition nothing := Budget (Log 1 1) None.
Example two_bits : worst_at_most bits each_bit nothing (Log 4 1).
Proof.
  apply (worst_of bits each_bit nothing (Log 4 1)
    [Along 0 [1; 3]%nat; Along 3 [1; 0]%nat; Positive [1; 0; 0; 0]; Positive [0; 0; 0; 1]]
    [Positive [0; 0; 0; 1]; Positive [1; 0; 0; 0]; Law 0 0 1; Law 0 1 0]
    [([(0, 0, 1)]%nat, Leaf 1 [(0%nat, 0%nat, 1); (2%nat, 2%nat, 1)]);
     ([(0, 1, 0)]%nat, Leaf 1 [(1%nat, 1%nat, 1); (3%nat, 3%nat, 1)])]). computed.
Qed.
(** Near miss: 0 and 3 are not one record apart. *)
Example not_near : check_known bits each_bit (Along 0 [3]%nat) = false.
Proof. computed. Qed.

(** Exponentials and logarithms, on both sides of 1. *)
Definition hint := Looked 1 1 30 80.
Example e_above : exp_at_least 1 1 271 100.
Proof. apply (exp_above_of 1 1 271 100 hint). computed. Qed.
Example e_below : exp_at_most 1 1 272 100.
Proof. apply (exp_below_of 1 1 272 100 hint). computed. Qed.
Example e_less : ~ exp_at_most 1 1 2 1.
Proof.
  intros h. unfold exp_at_most in h. pose proof e_above as g. unfold exp_at_least in g. lra.
Qed.
Example inverse_of_e : exp_at_least (-1) 1 36 100 /\ exp_at_most (-1) 1 37 100.
Proof. apply (exp_between_of (-1) 1 36 100 37 100 hint hint). computed. Qed.
Example log_two : log_at_least 2 1 69 100 /\ log_at_most 2 1 70 100.
Proof.
  apply (log_between_of 2 1 69 100 70 100 (Looked 69 100 30 80) (Looked 70 100 30 80)). computed.
Qed.
Example log_half : log_at_least 1 2 (-70) 100.
Proof. apply (log_above_of 1 2 (-70) 100 (Looked 70 100 30 80)). computed. Qed.
Example log_of_half_less : log_at_most 1 2 (-69) 100.
Proof. apply (log_below_of 1 2 (-69) 100 (Looked 69 100 30 80)). computed. Qed.
Example no_log_of_nothing : ~ log_at_most 0 1 5 1.
Proof. intros [h _]. unfold Rdiv in h. rewrite Rmult_0_l in h. lra. Qed.
