(** The searches for quilts among three bits with the eigenvalue 1/10: the quilt X_1, X_3 of X_2
    serves all; a walk stops at it; from one record there is no start. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain RecordTables TableQuilts
  Gap GapQuilts Searches.
From Pufferproof.sanity Require Import GapUsed.
Import ListNotations.
Open Scope R_scope.

Definition nearest (i : nat) : nat * nat := (1%nat, 1%nat).
Definition first_is (v : vec bool 3) : R := if fst v then 1 else 0.
(** A level of 3 with noise of scale 2: the bound of X_1, X_3 is below 19/8. *)
Definition released : release_data (A := bool) 3 := (first_is, 3, 2).

Lemma small x : 0 < x -> x <= 27 / 8 -> ln x < 3 /\ INR (1 + 1 - 1) / (3 - ln x) <= 2.
Proof.
  intros pos le. assert (below : ln x <= 19 / 8).
  { destruct (Rle_lt_dec (ln x) (19 / 8)) as [|more]; [easy|]. apply exp_increasing in more.
    rewrite (exp_ln x pos) in more. pose proof (exp_ineq1_le (19 / 8)). lra. }
  split; [lra|]. change (INR (1 + 1 - 1)) with 1. apply (Rmult_le_reg_r (3 - ln x)); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma near_scored i : In i [1; 2; 3]%nat -> scored (1 / 2) (1 / 10) 3 3 2 i 1 1.
Proof.
  assert (one : over (1 / 2) (1 / 10) = 3 / 2) by (unfold over; destruct (Rlt_dec _ _); lra).
  intros [<-|[<-|[<-|[]]]]; (split; [lia|]); (split; [split; (now left) || (right; simpl; lra)|]);
    unfold bound_of, told_at_most; simpl Nat.sub; simpl Nat.add; cbn [Nat.ltb Nat.leb];
    rewrite ?pow_1, ?one; apply small; lra.
Qed.

Lemma first_lipschitz : lipschitz_table first_is.
Proof.
  intros j [a u] [b v] _. unfold first_is; cbn [fst]. unfold Rabs.
  destruct a, b; destruct Rcase_abs; lra.
Qed.
Lemma even_law : law even.
Proof. split; [intros; unfold even; lra|unfold even; simpl; lra]. Qed.

Example two_sided : pufferfish (exp 3) (fun v => laplace 2 (first_is v)) (two_values bool_dec 3)
  (law_from even mild 3).
Proof.
  apply (two_sided_private bool_dec even even mild (1 / 2) (1 / 10) 3 released 2 1 1); try lia.
  - exact half_below.
  - exact mild_gap.
  - exact even_law.
  - exact first_lipschitz.
  - apply near_scored. simpl; tauto.
Qed.

Example all_nearest : every_score (1 / 2) (1 / 10) 3 3 2 nearest.
Proof. intros i here. exact (near_scored i here). Qed.
Example walk_met : fast_scores (1 / 2) (1 / 10) 3 3 2 nearest.
Proof. apply fast_asks_less; [lia|exact all_nearest]. Qed.
Example walk_right : visited 3 nearest = [2; 1]%nat.
Proof. reflexivity. Qed.

Example fast : pufferfish (exp 3) (fun v => laplace 2 (first_is v)) (two_values bool_dec 3)
  (law_from even mild 3).
Proof.
  apply (fast_private bool_dec even even mild (1 / 2) (1 / 10) 3 released nearest);
    [exact half_below|exact mild_gap|exact even_law|exact first_lipschitz|exact walk_met].
Qed.
Example basic : pufferfish (exp 3) (fun v => laplace 2 (first_is v)) (two_values bool_dec 3)
  (law_from even mild 3).
Proof.
  apply (basic_private bool_dec even even mild (1 / 2) (1 / 10) 3 released nearest);
    [exact half_below|exact mild_gap|exact even_law|exact first_lipschitz|exact all_nearest].
Qed.

(** Near miss: with one record the faster search starts at X_0, which is none. *)
Example no_start : ~ fast_scores (1 / 2) (1 / 10) 1 3 2 nearest.
Proof. intros all_. destruct (all_ O) as [[[no _] _] _]; [simpl; tauto|lia]. Qed.
(** Near miss: with a record on the left alone the quilt of X_2 does not serve X_1 at its score. *)
Example no_room : ~ scored (1 / 2) (1 / 10) 3 3 2 1 2 1.
Proof. intros [[_ [[_ no] _]] _]. lia. Qed.
