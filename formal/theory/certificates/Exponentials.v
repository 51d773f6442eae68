(** Certificates of bounds of e^q and of log r, from the enclosures of levels in nats. *)
From Coq Require Import Reals Lra Lia ZArith Bool.
From Pufferproof Require Import Sums Tables Levels.
Open Scope Z_scope.

(** Stated: a/b is at most e^(n/d), or at least it, and the same of log (n/d). *)
Definition exp_at_least n d a b := (IZR a / IZR (Zpos b) <= exp (IZR n / IZR (Zpos d)))%R.
Definition exp_at_most n d a b := (exp (IZR n / IZR (Zpos d)) <= IZR a / IZR (Zpos b))%R.
Definition log_at_least n d a b := (0 < IZR n / IZR (Zpos d) /\
  IZR a / IZR (Zpos b) <= ln (IZR n / IZR (Zpos d)))%R.
Definition log_at_most n d a b := (0 < IZR n / IZR (Zpos d) /\
  ln (IZR n / IZR (Zpos d)) <= IZR a / IZR (Zpos b))%R.

(** How to find it, a hint: as much of |q| as is needed, how often it is halved, with so many
    bits. *)
Record looked := Looked { much : Z; of_it : positive; times_halved : nat; digits : positive }.

(** Whether a/b <= e^(n/d), and whether e^(n/d) <= a/b. *)
Definition exp_above n d a b k : bool :=
  if a <=? 0 then true else if n =? 0 then a <=? Zpos b else if 0 <? n
  then below (Nats n d) a b (much k) (of_it k) (times_halved k) (digits k)
  else above (Nats (- n) d) (Zpos b) (Z.to_pos a) (times_halved k) (digits k).
Definition exp_below n d a b k : bool :=
  if a <=? 0 then false else if n =? 0 then Zpos b <=? a else if 0 <? n
  then above (Nats n d) a b (times_halved k) (digits k)
  else below (Nats (- n) d) (Zpos b) (Z.to_pos a) (much k) (of_it k) (times_halved k) (digits k).
Open Scope R_scope.

Lemma fraction_inverse a b : (0 < a)%Z -> IZR (Zpos b) / IZR (Zpos (Z.to_pos a)) =
  / (IZR a / IZR (Zpos b)).
Proof.
  intros a0. rewrite Z2Pos.id by easy. apply IZR_lt in a0.
  assert (0 < IZR (Zpos b)) by now apply IZR_lt. field. lra.
Qed.

Lemma exp_opposite n d : exp (IZR (- n) / IZR (Zpos d)) = / exp (IZR n / IZR (Zpos d)).
Proof. rewrite <- exp_Ropp. f_equal. rewrite opp_IZR. unfold Rdiv. ring. Qed.

Lemma inverse_le x y : 0 < x -> 0 < y -> / x <= / y -> y <= x.
Proof.
  intros x0 y0 H. apply Rinv_le_contravar in H; [|now apply Rinv_0_lt_compat].
  rewrite !Rinv_inv in H. exact H.
Qed.

(** Of a certificate of the kind exp-enclosure, the lower bound of e^(n/d).
    Differs: nothing. *)
Theorem exp_above_of n d a b k : exp_above n d a b k = true ->
  exp_at_least n d a b.
Proof.
  unfold exp_at_least, exp_above. assert (b0 : 0 < IZR (Zpos b)) by now apply IZR_lt.
  pose proof (exp_pos (IZR n / IZR (Zpos d))) as e0.
  destruct (Z.leb_spec a 0) as [neg|pos].
  { intros _. apply IZR_le in neg. apply Rle_trans with 0; [|lra].
    apply (Rmult_le_reg_r (IZR (Zpos b))); [easy|].
    replace (IZR a / IZR (Zpos b) * IZR (Zpos b)) with (IZR a) by (field; lra). lra. }
  destruct (Z.eqb_spec n 0) as [->|n0].
  { intros H. apply Z.leb_le in H. unfold Rdiv at 2. rewrite Rmult_0_l, exp_0.
    apply IZR_le in H. apply (Rmult_le_reg_r (IZR (Zpos b))); [easy|].
    replace (IZR a / IZR (Zpos b) * IZR (Zpos b)) with (IZR a) by (field; lra). lra. }
  destruct (Z.ltb_spec 0 n) as [up|down]; intros H.
  - now apply below_sound in H.
  - apply above_sound in H. cbn [ratio] in H. rewrite exp_opposite, fraction_inverse in H by easy.
    apply inverse_le in H; auto. apply IZR_lt in pos.
    apply Rmult_lt_0_compat; [easy|now apply Rinv_0_lt_compat].
Qed.

(** Of a certificate of the kind exp-enclosure, the upper bound of e^(n/d).
    Differs: nothing. *)
Theorem exp_below_of n d a b k : exp_below n d a b k = true ->
  exp_at_most n d a b.
Proof.
  unfold exp_at_most, exp_below. assert (b0 : 0 < IZR (Zpos b)) by now apply IZR_lt.
  pose proof (exp_pos (IZR n / IZR (Zpos d))) as e0.
  destruct (Z.leb_spec a 0) as [neg|pos]; [easy|].
  destruct (Z.eqb_spec n 0) as [->|n0].
  { intros H. apply Z.leb_le in H. unfold Rdiv at 1. rewrite Rmult_0_l, exp_0.
    apply IZR_le in H. apply (Rmult_le_reg_r (IZR (Zpos b))); [easy|].
    replace (IZR a / IZR (Zpos b) * IZR (Zpos b)) with (IZR a) by (field; lra). lra. }
  destruct (Z.ltb_spec 0 n) as [up|down]; intros H.
  - now apply above_sound in H.
  - apply below_sound in H. cbn [ratio] in H. rewrite exp_opposite, fraction_inverse in H by easy.
    apply inverse_le in H; auto. apply IZR_lt in pos.
    apply Rmult_lt_0_compat; [easy|now apply Rinv_0_lt_compat].
Qed.

(** Of a certificate of the kind exp-enclosure, the lower bound of log (n/d).
    Differs: nothing. *)
Theorem log_above_of n d a b k : exp_below a b n d k = true ->
  log_at_least n d a b.
Proof.
  intros H. apply exp_below_of in H. unfold exp_at_most in H.
  pose proof (exp_pos (IZR a / IZR (Zpos b))) as e0.
  split; [lra|]. rewrite <- (ln_exp (IZR a / IZR (Zpos b))).
  destruct H as [H|H]; [left; now apply ln_increasing|right; now rewrite H].
Qed.

(** Of a certificate of the kind exp-enclosure, the upper bound of log (n/d).
    Differs: nothing. *)
Theorem log_below_of n d a b k : (0 <? n)%Z && exp_above a b n d k = true ->
  log_at_most n d a b.
Proof.
  intros H. apply andb_prop in H as [n0 H]. apply exp_above_of in H. unfold exp_at_least in H.
  apply Z.ltb_lt, IZR_lt in n0.
  assert (p : 0 < IZR n / IZR (Zpos d)).
  { apply Rmult_lt_0_compat; [easy|]. apply Rinv_0_lt_compat. now apply IZR_lt. }
  split; [easy|]. rewrite <- (ln_exp (IZR a / IZR (Zpos b))).
  destruct H as [H|H]; [left; now apply ln_increasing|right; now rewrite H].
Qed.

(** Both bounds of e^(n/d).
    Differs: nothing. *)
Theorem exp_between_of n d a b a' b' k k' :
  exp_above n d a b k && exp_below n d a' b' k' = true ->
  exp_at_least n d a b /\ exp_at_most n d a' b'.
Proof.
  intros H. apply andb_prop in H as [low high].
  split; [now apply (exp_above_of _ _ _ _ k)|now apply (exp_below_of _ _ _ _ k')].
Qed.

(** Both bounds of log (n/d).
    Differs: nothing. *)
Theorem log_between_of n d a b a' b' k k' :
  exp_below a b n d k && ((0 <? n)%Z && exp_above a' b' n d k') = true ->
  log_at_least n d a b /\ log_at_most n d a' b'.
Proof.
  intros H. apply andb_prop in H as [low high].
  split; [now apply (log_above_of _ _ _ _ k)|now apply (log_below_of _ _ _ _ k')].
Qed.
