(** The checkers that are extracted, on small numbers, and near misses. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Indices Tables Places Rows Released Redactions
  Exponentials Checked Linear.
Import ListNotations.
Open Scope Z_scope.

Ltac computed := vm_compute; reflexivity.

Definition three : framework := {|
  size := 3; secrets := [[true; false; false]; [false; true; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 4; priors := [[2; 1; 1]]; convex := false |}.
Definition shown := Build_mechanism 2 4 [[3; 1]; [1; 3]; [1; 3]].
Definition near n d := Released.Bound n d 0 1 0 1.
Definition at_first := Location (Listed 0) 0 1 [0%nat].

(** It leaks log 3, and its two releases together log 9. *)
Example leaks_three : meaning three (One shown) (Equals (Log 3 1)) at_first.
Proof. apply checked with (near 3 1). computed. Qed.
Definition at_both := Location (Listed 0) 0 1 [0; 0]%nat.
Example leaks_nine : meaning three (Several [shown; shown]) (Equals (Log 9 1)) at_both.
Proof. apply checked with (near 9 1). computed. Qed.
Definition own : table := [(4, [3; 1]); (8, [2; 6]); (4, [1; 3])].
Example leaks_three_by_rows : meaning three (Table 2 own) (Equals (Log 3 1)) at_first.
Proof. apply checked with (near 3 1). computed. Qed.
(** Near miss: not log 2. *)
Example not_two l : ~ meaning three (One shown) (AtMost (Log 2 1)) l.
Proof.
  intros [_ [[_ most] _]].
  assert (more : meaning three (One shown) (Above (Log 2 1)) at_first)
    by (apply checked with (near 2 1); computed).
  exact (proj2 (proj1 (proj2 more)) most).
Qed.
(** Near miss: nor at the other output, where the function does not accept it. *)
Definition at_second := Location (Listed 0) 0 1 [1%nat].
Example not_there : check three (One shown) (Above (Log 2 1)) at_second (near 2 1) = false.
Proof. computed. Qed.
(** Delta is exceeded by an output that is named, not by the others. *)
Example more_than_delta : meaning three (One shown) (DeltaAbove (Log 2 1) 1 5) at_first.
Proof. apply checked with (near 2 1). computed. Qed.
Example not_by_the_other :
  check three (One shown) (DeltaAbove (Log 2 1) 1 5) at_second (near 2 1) = false.
Proof. computed. Qed.
(** Near miss: of a promise about nothing the inequality is true, and no hint is accepted. *)
Definition certain_first : framework := {|
  size := 3; secrets := [[true; false; false]; [false; true; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 4; priors := [[4; 0; 0]]; convex := false |}.
Example about_nothing : says_of certain_first (One shown) (AtMost (Log 1 1)).
Proof. apply (one_sound certain_first shown _ at_first (near 1 1)). computed. Qed.
Example nothing_is_refused o l h : ~ check certain_first (One shown) o l h = true.
Proof. discriminate. Qed.
Example promises_nothing : ~ promises_something certain_first.
Proof.
  intros [p [s [t [[l [small ->]] [[i [j [at_pair [-> ->]]]] [Ps Pt]]]]]].
  assert (e : l = 0%nat) by (simpl in small; apply Nat.lt_1_r in small; exact small). subst l.
  assert (zero : P (prior_of certain_first 0) (secret_of certain_first 1) = 0%R).
  { unfold P, inside, prior_of, secret_of. simpl. unfold at_place. simpl. lra. }
  destruct at_pair as [[e|[]]|[e|[]]]; injection e as <- <-; lra.
Qed.

(** A redaction that leaks log (18/11), and no more than that. *)
Definition bits := Chain 4 1 2 2 1 1.
Definition hidden : runs := [(1, Row 1 1 1); (1, Row 8 1 8)].
Definition stars : output := [None; None].
Example leaks_some : redaction_meaning bits hidden (Some stars) (Just (Log 18 11)).
Proof. apply checked_redaction with (WalkHint (near 18 11) 0 stars). computed. Qed.
Example no_more : ~ redaction_meaning bits hidden None (More (Log 18 11)).
Proof.
  intros [_ [_ more]]. apply more.
  assert (most : redaction_meaning bits hidden None (NoMore (Log 18 11)))
    by (apply checked_redaction with (WalkHint (near 18 11) 0 []); computed).
  exact (proj2 (proj2 most)).
Qed.

(** e is between 2 and 3, and log 2 below 7/10; near miss: not with e below 2. *)
Definition steps := Looked 1 1 6 40.
Example near_e : bounds_hold false 1 1 (Some (2, 1%positive)) (Some (3, 1%positive)).
Proof. apply checked_bounds with steps steps. computed. Qed.
Example log_two : bounds_hold true 2 1 None (Some (7, 10%positive)).
Proof. apply checked_bounds with (Looked 7 10 6 40) (Looked 7 10 6 40). computed. Qed.
Example not_below : ~ bounds_hold false 1 1 None (Some (2, 1%positive)).
Proof.
  intros [_ most]. unfold exp_at_most in most. pose proof (exp_ineq1 1) as h.
  replace (1 / 1)%R with 1%R in most by lra. lra.
Qed.

(** From x - y <= 1 and 2 y < 4 follows x < 3, and not x < 2. *)
Definition two_rows := [Inequality [1; -1] UpTo 1; Inequality [0; 2] Below 4].
Example below_three : follows two_rows (Some (Inequality [1] Below 3)).
Proof. apply checked_follows with [2; 1] 2. computed. Qed.
Example not_below_two : ~ follows two_rows (Some (Inequality [1] Below 2)).
Proof.
  intros H. specialize (H (fun j => match j with O => 2 | _ => 1 end)%R).
  assert (h : (1 * 2 + 0 < 2)%R); [|lra]. apply H.
  intros r [<-|[<-|[]]]; unfold holds; simpl; lra.
Qed.
(** No numbers satisfy x <= 0 and x > 0. *)
Example never : follows [Inequality [1] UpTo 0; Inequality [-1] Below 0] None.
Proof. apply checked_follows with [1; 1] 1. computed. Qed.

(** The largest x + y with x + 2 y <= 4, x <= 3 and neither negative is 7/2, and not 3. *)
Definition corner := [Inequality [1; 2] UpTo 4; Inequality [1] UpTo 3].
Example seven_halves : optimum [] corner [1; 1] 7 2.
Proof. apply checked_optimum with [6; 1] 2 [1; 1] 2. computed. Qed.
Example not_three : ~ optimum [] corner [1; 1] 3 1.
Proof.
  intros [_ most]. destruct seven_halves as [[x [f e]] _]. specialize (most x f). lra.
Qed.
