(** How histograms of tables are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Chain RecordTables Histograms.
From Tied Require Import Decide Entries Chains Stationary.
Import ListNotations.
Open Scope R_scope.

Definition record_list {m} n (l : list nat) : vec (fin (S m)) n :=
  vec_of (fin_of 0) n (map fin_of l).
Definition qabs (q : Q) : Q := if Qle_bool 0 q then q else Qopp q.
#[export] Instance r_abs x q : rational x q -> rational (Rabs x) (qabs q).
Proof.
  unfold rational, qabs; intros ->. destruct (Qle_bool 0 q) eqn:e.
  - apply Rabs_right, Rle_ge. rewrite <- RMicromega.Q2R_0. now apply Qle_Rle, Qle_bool_iff.
  - rewrite Q2R_opp. apply Rabs_left. rewrite <- RMicromega.Q2R_0.
    destruct (Rlt_le_dec (Q2R q) (Q2R 0)) as [l|l]; [easy|].
    apply Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
#[export] Instance d_once {m n} (x y : vec (fin m) n) : decided (differ_once x y)
  (existsb (fun j => agree_but_for j x y) (seq 0 (S n))) | 0.
Proof.
  unfold decided. rewrite existsb_exists. split.
  - intros [j [_ same]]. exists j. now apply agree_is.
  - intros [j but]. destruct (Nat.le_gt_cases n j) as [far|near].
    + exists n. split; [apply in_seq; lia|]. apply agree_is. intros k _.
      now rewrite (beyond_is_same j x y far but).
    + exists j. split; [apply in_seq; lia|now apply agree_is].
Qed.
#[export] Hint Extern 2 (rational (distance_l1 _ _) _) => unfold distance_l1 : typeclass_instances.
#[export] Hint Extern 2 (rational (frequencies _ _ _) _) => unfold frequencies :
  typeclass_instances.
