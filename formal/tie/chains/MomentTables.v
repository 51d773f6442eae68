(** How moments and excesses of tables are decided: orders are integers at instances. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Means Moments.
From Tied Require Import Decide Entries Roots.
Import ListNotations.
Open Scope R_scope.

Lemma steps_pos n : 0 < INR (S n).
Proof. apply lt_0_INR. lia. Qed.
(** What an order is above 1. *)
Definition above_one n : posreal := mkposreal _ (steps_pos n).

Definition up n (q : Q) : Q := if Qle_bool q 0 then 0%Q else qpow q (S (S n)).
Definition down n (q : Q) : Q := if Qle_bool q 0 then 0%Q else Qred (/ qpow q (S n)).

Lemma not_positive q : Qle_bool q 0 = true -> Q2R q <= 0.
Proof. intros z. apply Roots.order in z. now rewrite RMicromega.Q2R_0 in z. Qed.
Lemma is_positive q : Qle_bool q 0 = false -> 0 < Q2R q.
Proof.
  intros z. apply Rnot_le_lt. intros le. rewrite <- RMicromega.Q2R_0 in le.
  apply Roots.order in le. congruence.
Qed.

Lemma r_up n x q : rational x q -> rational (pw x (1 + above_one n)) (up n q).
Proof.
  unfold rational, up. intros ->. cbn [pos above_one].
  assert (a0 : 1 + INR (S n) <> 0) by (pose proof (steps_pos n); lra).
  destruct (Qle_bool q 0) eqn:z.
  - rewrite pw_below by (easy || now apply not_positive). unfold Q2R; simpl; lra.
  - apply is_positive in z. rewrite pw_exp, qpow_r by easy.
    rewrite <- (Rpower_pow (S (S n))) by easy. unfold Rpower. f_equal. f_equal.
    rewrite (S_INR (S n)). ring.
Qed.

Lemma r_down n x q : rational x q -> rational (pw x (1 - (1 + above_one n))) (down n q).
Proof.
  unfold rational, down. intros ->. cbn [pos above_one].
  assert (a0 : 1 - (1 + INR (S n)) <> 0) by (pose proof (steps_pos n); lra).
  destruct (Qle_bool q 0) eqn:z.
  - rewrite pw_below by (easy || now apply not_positive). unfold Q2R; simpl; lra.
  - apply is_positive in z. rewrite pw_exp by easy.
    assert (p0 : 0 < Q2R q ^ S n) by now apply pow_lt.
    assert (nz : ~ qpow q (S n) == 0).
    { intros e. apply Qeq_eqR in e. rewrite qpow_r, RMicromega.Q2R_0 in e. lra. }
    rewrite red, Q2R_inv, qpow_r by easy. rewrite <- (Rpower_pow (S n)) by easy. unfold Rpower.
    rewrite <- exp_Ropp. f_equal. ring.
Qed.

#[export] Instance r_moment {W} `{Finite W} n (p q : W -> R) p' q' :
  (forall w, rational (p w) (p' w)) -> (forall w, rational (q w) (q' w)) ->
  rational (moment (1 + above_one n) p q) (qsum all (fun w => Qred (up n (p' w) * down n (q' w)))).
Proof.
  intros e f. apply r_sum. intros w. apply r_mult; [now apply r_up|now apply r_down].
Qed.
#[export] Instance r_excess {W} `{Finite W} K (p q : W -> R) k p' q' : rational K k ->
  (forall w, rational (p w) (p' w)) -> (forall w, rational (q w) (q' w)) ->
  rational (excess K p q) (qsum all (fun w => let d := Qred (p' w - k * q' w) in
    if Qle_bool d 0 then 0%Q else d)) | 0.
Proof.
  unfold rational. intros -> e f. apply r_sum. intros w. unfold rational. rewrite (e w), (f w).
  set (d := Qred (p' w - k * q' w)). assert (E : Q2R (p' w) - Q2R k * Q2R (q' w) = Q2R d).
  { unfold d. now rewrite red, Q2R_minus, Q2R_mult. }
  cbv zeta. rewrite E. destruct (Qle_bool d 0) eqn:z.
  - rewrite Rmax_left by now apply not_positive. unfold Q2R; simpl; lra.
  - apply is_positive in z. rewrite Rmax_right; lra.
Qed.
#[export] Instance r_mean {I W} `{Finite I} (g : I -> R) (A : I -> W -> R) g' A' w :
  (forall i, rational (g i) (g' i)) -> (forall i, rational (A i w) (A' i)) ->
  rational (mean g A w) (qsum all (fun i => Qred (g' i * A' i))) | 0.
Proof. intros e f. apply r_sum. intros i. now apply r_mult. Qed.
