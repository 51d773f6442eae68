(** Two bits that agree three times in four, counted with Laplace noise by which an output is half
    as likely at a distance that is larger by 1. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Trees Ends.
From Pufferproof.sanity Require Import Bits.
Open Scope R_scope.

Definition scale := / ln 2.

Lemma ln2 : 0 < ln 2.
Proof. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma scale0 : 0 < scale.
Proof. apply Rinv_0_lt_compat, ln2. Qed.
Lemma two_to n : exp (INR n / scale) = 2 ^ n.
Proof.
  unfold scale, Rdiv. rewrite Rinv_inv. fold (Rpower 2 (INR n)). apply Rpower_pow. lra.
Qed.
Lemma to_two n x : x = INR n -> exp (x / scale) = 2 ^ n.
Proof. intros ->. apply two_to. Qed.
Lemma half_to n x : x = - INR n -> exp (x / scale) = / 2 ^ n.
Proof.
  intros ->. unfold Rdiv. rewrite <- Ropp_mult_distr_l, exp_Ropp. f_equal. apply two_to.
Qed.

Definition pair_of P adds := child P adds none none.
Lemma mean_pair P adds u x : mean_of (pair_of P adds) u x =
  P x true * u (true, (tt, tt)) + P x false * u (false, (tt, tt)).
Proof. unfold pair_of. rewrite mean_child, !mean_none. reflexivity. Qed.

(** Q is 0, 1 or 2. *)
Definition agree (x y : bool) : R := if eqb x y then 3/4 else 1/4.
Definition two_bits := pair_of agree 1.
Lemma two_bits_attract : attracts two_bits.
Proof.
  split; [intros [] []; unfold agree; simpl; lra|]. split; [unfold agree; simpl; lra|].
  repeat split; lra.
Qed.
Lemma two_bits_sound : sound two_bits.
Proof.
  split; [|repeat split; lra].
  intros x; split; [intros []|]; destruct x; unfold agree; simpl; lra.
Qed.


Lemma up_true : up fair 1 two_bits scale true = 7/4.
Proof.
  unfold up, two_bits. rewrite root_told, mean_pair. unfold counted, fair, agree; simpl.
  rewrite (to_two 2) by (simpl; lra). rewrite (to_two 1) by (simpl; lra). simpl. lra.
Qed.
Lemma up_false : up fair 1 two_bits scale false = 5/8.
Proof.
  unfold up, two_bits. rewrite root_told, mean_pair. unfold counted, fair, agree; simpl.
  rewrite (to_two 1) by (simpl; lra). rewrite (to_two 0) by (simpl; lra). simpl. lra.
Qed.
Lemma down_true : down fair 1 two_bits scale true = 5/32.
Proof.
  unfold down, two_bits. rewrite root_told, mean_pair. unfold counted, fair, agree; simpl.
  rewrite (half_to 2) by (simpl; lra). rewrite (half_to 1) by (simpl; lra). simpl. lra.
Qed.
Lemma down_false : down fair 1 two_bits scale false = 7/16.
Proof.
  unfold down, two_bits. rewrite root_told, mean_pair. unfold counted, fair, agree; simpl.
  rewrite (half_to 1) by (simpl; lra). rewrite (half_to 0) by (simpl; lra). simpl. lra.
Qed.

Definition root_pairs (s t : @secret (tree two_bits)) :=
  exists x, s = root_is two_bits x /\ t = root_is two_bits (negb x).

(** The ratio of both ends, 14/5, is that of all outputs. *)
Example ends_leak_most_used : pufferfish (14/5) (noisy 1 two_bits scale) root_pairs
  (fun p => p = tree_law fair two_bits).
Proof.
  intros p s t w -> [x [-> ->]] _ _.
  rewrite !P_root by (try apply fair_law; try apply two_bits_sound; lra).
  destruct (ends_leak_most fair 1 two_bits scale ltac:(intros; unfold fair; lra) ltac:(lra)
    two_bits_attract scale0 w) as [high low].
  rewrite up_true, up_false in high. rewrite down_true, down_false in low.
  assert (F : forall y, fair y = 1/2) by (intros; unfold fair; lra). rewrite !F.
  destruct x; cbn [negb]; lra.
Qed.

(** The output 2 has it. *)
Example ends_reached_used :
  Pw (tree_law fair two_bits) (noisy 1 two_bits scale) (root_is two_bits true) 2 =
  14/5 * Pw (tree_law fair two_bits) (noisy 1 two_bits scale) (root_is two_bits false) 2.
Proof.
  destruct (ends_reached fair 1 two_bits scale 2) as [E _].
  rewrite up_true, up_false in E.
  cut (forall v : tree two_bits, counted 1 two_bits v <= 2); [intros far; specialize (E far); lra|].
  intros [[] [[] [[] []]]]; unfold counted; simpl; lra.
Qed.

Lemma near n u w : Rabs (w - u) = INR n -> laplace scale u w = / 2 ^ n / (2 * scale).
Proof. intros E. unfold laplace. rewrite E. f_equal. now apply half_to. Qed.

Lemma weight : 0 < / (2 * scale).
Proof. pose proof scale0. apply Rinv_0_lt_compat. lra. Qed.


(** Bits that flip: the output 1, which Q takes, tells more than the ends do. *)
Definition flips (x y : bool) : R := if eqb x y then 0 else 1.
Definition opposed := pair_of flips 3.
Example bits_that_flip_leak_most_inside :
  up fair 1 opposed scale true *
    Pw (tree_law fair opposed) (noisy 1 opposed scale) (root_is opposed false) 1 <
  Pw (tree_law fair opposed) (noisy 1 opposed scale) (root_is opposed true) 1 *
    up fair 1 opposed scale false.
Proof.
  unfold up; rewrite !root_told; unfold opposed; rewrite !mean_pair.
  unfold noisy, counted, fair, flips; simpl.
  rewrite !Rmult_0_l, !Rplus_0_l, ?Rplus_0_r, !Rmult_1_l.
  rewrite (to_two 1) by (simpl; lra). rewrite (to_two 3) by (simpl; lra).
  rewrite (near 2) by (unfold Rabs; destruct Rcase_abs; simpl; lra).
  rewrite (near 0) by (unfold Rabs; destruct Rcase_abs; simpl; lra).
  pose proof weight. unfold Rdiv. simpl. lra.
Qed.

(** A signed query, of bits that are equal: the output -2 tells more. *)
Definition same (x y : bool) : R := if eqb x y then 1 else 0.
Definition signed := pair_of same (-3).
Example signed_queries_leak_most_inside :
  up fair 1 signed scale true *
    Pw (tree_law fair signed) (noisy 1 signed scale) (root_is signed false) (-2) <
  Pw (tree_law fair signed) (noisy 1 signed scale) (root_is signed true) (-2) *
    up fair 1 signed scale false.
Proof.
  unfold up; rewrite !root_told; unfold signed; rewrite !mean_pair.
  unfold noisy, counted, fair, same; simpl.
  rewrite !Rmult_0_l, !Rplus_0_l, ?Rplus_0_r, !Rmult_1_l.
  rewrite (half_to 2) by (simpl; lra). rewrite (to_two 0) by (simpl; lra).
  rewrite (near 2) by (unfold Rabs; destruct Rcase_abs; simpl; lra).
  rewrite (near 0) by (unfold Rabs; destruct Rcase_abs; simpl; lra).
  pose proof weight. unfold Rdiv. simpl. lra.
Qed.
