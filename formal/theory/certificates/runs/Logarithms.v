(** Signs of sums of integers times logarithms of integers, by powers or by enclosures. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Tables Levels.
Import ListNotations.
Open Scope Z_scope.

(** The sum of n log q over pairs (n, q). *)
Definition log_sum (l : list (Z * Z)) : R := sum l (fun t => (IZR (fst t) * ln (IZR (snd t)))%R).

Fixpoint power (q : Z) (k : positive) : Z := match k with
  | xH => q
  | xO k => let p := power q k in p * p
  | xI k => let p := power q k in q * (p * p) end.
(** Products of the powers with n > 0, and of those with n < 0. *)
Fixpoint powers (l : list (Z * Z)) : Z * Z := match l with
  | [] => (1, 1)
  | (n, q) :: l => let r := powers l in match n with
    | Z0 => r
    | Zpos k => (power q k * fst r, snd r)
    | Zneg k => (fst r, power q k * snd r) end end.
(** How many bits these have, at most. *)
Fixpoint bits_of (l : list (Z * Z)) : Z := match l with
  | [] => 0 | (n, q) :: l => Z.abs n * (Z.log2 q + 1) + bits_of l end.

(** Hints: sums of fewer bits than the limit are compared as powers, others with a table: for q two
    integers, scale log q between them; exponentials are halved so often, with so many bits. *)
Record logarithms := Logarithms { limit : Z; scale : positive; halved : nat; precise : positive;
  enclosed : list (Z * (Z * Z)) }.

Section Hints.
Context (h : logarithms).

Definition check_enclosed (t : Z * (Z * Z)) : bool :=
  (0 <? fst t) &&
  above (Nats (fst (snd t)) (scale h)) (fst t) 1 (halved h) (precise h) &&
  below (Nats (snd (snd t)) (scale h)) (fst t) 1 (snd (snd t)) (scale h) (halved h) (precise h).
Definition check_logarithms : bool := forallb check_enclosed (enclosed h).

Fixpoint found (q : Z) (l : list (Z * (Z * Z))) : option (Z * Z) := match l with
  | [] => None | (q', r) :: l => if q =? q' then Some r else found q l end.
(** An upper bound of scale times the sum. *)
Fixpoint upper (l : list (Z * Z)) : option Z := match l with
  | [] => Some 0
  | (n, q) :: l => match upper l with
    | None => None
    | Some u => if (n =? 0) || (q =? 1) then Some u else match found q (enclosed h) with
      | None => None
      | Some (low, high) => Some (n * (if 0 <? n then high else low) + u) end end end.

(** Whether the sum is at most c/d, or less than it. *)
Definition log_sum_at_most (strict : bool) (l : list (Z * Z)) (c : Z) (d : positive) : bool :=
  forallb (fun t => 0 <? snd t) l &&
  if (c =? 0) && (bits_of l <? limit h) then
    let r := powers l in if strict then fst r <? snd r else fst r <=? snd r
  else match upper l with
    | None => false
    | Some u => if strict then u * Zpos d <? c * Zpos (scale h)
      else u * Zpos d <=? c * Zpos (scale h) end.
End Hints.
Open Scope R_scope.

Lemma power_log q k : (0 < q)%Z ->
  0 < IZR (power q k) /\ ln (IZR (power q k)) = IZR (Zpos k) * ln (IZR q).
Proof.
  intros q0. apply IZR_lt in q0. induction k as [k [p0 E]|k [p0 E]|]; cbn [power].
  - cbv zeta. rewrite !mult_IZR. pose proof (Rmult_lt_0_compat _ _ p0 p0) as pp.
    split; [now apply Rmult_lt_0_compat|].
    rewrite !ln_mult, E by easy. rewrite Pos2Z.inj_xI, plus_IZR, mult_IZR. ring.
  - cbv zeta. rewrite mult_IZR. split; [now apply Rmult_lt_0_compat|].
    rewrite ln_mult, E by easy. rewrite Pos2Z.inj_xO, mult_IZR. ring.
  - split; [easy|]. ring.
Qed.

Lemma powers_log l : (forall t, In t l -> (0 < snd t)%Z) ->
  0 < IZR (fst (powers l)) /\ 0 < IZR (snd (powers l)) /\
  log_sum l = ln (IZR (fst (powers l))) - ln (IZR (snd (powers l))).
Proof.
  unfold log_sum. induction l as [|[n q] l IH]; intros pos.
  - cbn. rewrite ln_1. repeat split; lra.
  - destruct IH as [a0 [b0 E]]; [intros t i; apply pos; now right|].
    specialize (pos (n, q) (or_introl eq_refl)). cbn [snd] in pos.
    cbn [powers sum fst snd]. rewrite E. cbv zeta.
    destruct n as [|k|k]; [repeat split; try easy; ring| |]; cbn [fst snd];
      destruct (power_log q k pos) as [p0 F]; rewrite mult_IZR;
      (repeat split; [try easy; now apply Rmult_lt_0_compat..|]);
      rewrite ln_mult, F by easy; [ring|].
    change (Zneg k) with (- Zpos k)%Z. rewrite opp_IZR. ring.
Qed.

Section Sound.
Context (h : logarithms) (ok : check_logarithms h = true).

Lemma scale_pos : 0 < IZR (Zpos (scale h)).
Proof. now apply IZR_lt. Qed.

Lemma found_sound q low high : found q (enclosed h) = Some (low, high) ->
  IZR low <= IZR (Zpos (scale h)) * ln (IZR q) <= IZR high.
Proof.
  intros F. pose proof scale_pos as s0.
  assert (each : check_enclosed h (q, (low, high)) = true).
  { unfold check_logarithms in ok. rewrite forallb_forall in ok. apply ok.
    clear ok. induction (enclosed h) as [|[q' r] l IH]; [easy|]. cbn [found] in F.
    destruct (Z.eqb_spec q q') as [->|]; [left; congruence|right; now apply IH]. }
  unfold check_enclosed in each. rewrite !andb_true_iff in each. cbn [fst snd] in each.
  destruct each as [[q0 up] down]. apply Z.ltb_lt, IZR_lt in q0.
  apply above_sound in up. apply below_sound in down. cbn [ratio] in up, down.
  unfold Rdiv in up, down. rewrite Rinv_1, Rmult_1_r in up, down.
  fold (IZR low / IZR (Zpos (scale h))) in up. fold (IZR high / IZR (Zpos (scale h))) in down.
  assert (mono : forall a b, 0 < a -> a <= b -> ln a <= ln b).
  { intros a b a0 [le|e]; [left; now apply ln_increasing|right; now rewrite e]. }
  apply mono in up; [|apply exp_pos]. apply mono in down; [|easy]. rewrite ln_exp in up, down.
  split.
  - apply (Rmult_le_compat_l (IZR (Zpos (scale h)))) in up; [|lra].
    replace (IZR (Zpos (scale h)) * (IZR low / IZR (Zpos (scale h)))) with (IZR low) in up
      by (field; lra). exact up.
  - apply (Rmult_le_compat_l (IZR (Zpos (scale h)))) in down; [|lra].
    replace (IZR (Zpos (scale h)) * (IZR high / IZR (Zpos (scale h)))) with (IZR high) in down
      by (field; lra). exact down.
Qed.

Lemma upper_sound l u : upper h l = Some u -> IZR (Zpos (scale h)) * log_sum l <= IZR u.
Proof.
  unfold log_sum. revert u; induction l as [|[n q] l IH]; intros u H; cbn [upper] in H.
  - injection H as <-. cbn [sum]. lra.
  - destruct (upper h l) as [v|]; [|easy]. specialize (IH v eq_refl). cbn [sum fst snd].
    rewrite Rmult_plus_distr_l.
    destruct (Z.eqb_spec n 0) as [->|n0]; cbn [orb] in H; [injection H as <-; lra|].
    destruct (Z.eqb_spec q 1) as [->|q1]; [injection H as <-; rewrite ln_1; lra|].
    destruct (found q (enclosed h)) as [[low high]|] eqn:F; [|easy]. injection H as <-.
    apply found_sound in F. rewrite plus_IZR, mult_IZR. apply Rplus_le_compat; [|easy].
    replace (IZR (Zpos (scale h)) * (IZR n * ln (IZR q)))
      with (IZR n * (IZR (Zpos (scale h)) * ln (IZR q))) by ring.
    destruct (Z.ltb_spec 0 n) as [pos|neg].
    + apply IZR_lt in pos. apply Rmult_le_compat_l; lra.
    + apply IZR_le in neg. apply Rmult_le_compat_neg_l; lra.
Qed.

Lemma log_sum_sound strict l c d : log_sum_at_most h strict l c d = true ->
  if strict then log_sum l < IZR c / IZR (Zpos d) else log_sum l <= IZR c / IZR (Zpos d).
Proof.
  unfold log_sum_at_most. intros H. apply andb_prop in H as [pos H].
  assert (pos' : forall t, In t l -> (0 < snd t)%Z).
  { rewrite forallb_forall in pos. intros t i. now apply Z.ltb_lt, pos. }
  clear pos. pose proof scale_pos as s0. assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  destruct ((c =? 0)%Z && (bits_of l <? limit h)%Z) eqn:B.
  - apply andb_prop in B as [c0 _]. apply Z.eqb_eq in c0 as ->.
    destruct (powers_log l pos') as [a0 [b0 E]]. cbv zeta in H. rewrite E.
    replace (0 / IZR (Zpos d)) with 0 by (field; lra).
    destruct strict.
    + apply Z.ltb_lt, IZR_lt in H. apply ln_increasing in H; [lra|easy].
    + apply Z.leb_le, IZR_le in H.
      destruct H as [H|H]; [apply ln_increasing in H; [lra|easy]|rewrite H; lra].
  - destruct (upper h l) as [u|] eqn:U; [|easy]. apply upper_sound in U.
    assert (E : IZR (Zpos (scale h)) * (IZR c / IZR (Zpos d)) =
      IZR (c * Zpos (scale h)) / IZR (Zpos d)) by (rewrite mult_IZR; field; lra).
    assert (F : IZR u = IZR (u * Zpos d) / IZR (Zpos d)) by (rewrite mult_IZR; field; lra).
    assert (i0 : 0 < / IZR (Zpos d)) by now apply Rinv_0_lt_compat.
    destruct strict.
    + apply Z.ltb_lt, IZR_lt in H. apply (Rmult_lt_reg_l (IZR (Zpos (scale h)))); [easy|].
      rewrite E. apply Rle_lt_trans with (1 := U). rewrite F. now apply Rmult_lt_compat_r.
    + apply Z.leb_le, IZR_le in H. apply (Rmult_le_reg_l (IZR (Zpos (scale h)))); [easy|].
      rewrite E. apply Rle_trans with (1 := U). rewrite F. apply Rmult_le_compat_r; lra.
Qed.
End Sound.

(** n times a level, as a sum and a constant. *)
Definition level_terms (e : level) (n : Z) : list (Z * Z) := match e with
  | Log a b => [(n, a); (- n, Zpos b)]%Z | Nats _ _ => [] end.
Definition level_constant (e : level) (n : Z) : Z * positive := match e with
  | Log _ _ => (0, 1%positive)%Z | Nats a b => (n * a, b)%Z end.
(** A level that is not negative, as all levels are. *)
Definition check_level (e : level) : bool := match e with
  | Log a b => (Zpos b <=? a)%Z | Nats a _ => (0 <=? a)%Z end.

Lemma ratio_one e : check_level e = true -> 1 <= ratio e.
Proof.
  destruct e as [a b|a b]; cbn [check_level ratio]; intros H; apply Z.leb_le, IZR_le in H;
    assert (b0 : 0 < IZR (Zpos b)) by now apply IZR_lt.
  - apply (Rmult_le_reg_r (IZR (Zpos b))); [easy|].
    replace (IZR a / IZR (Zpos b) * IZR (Zpos b)) with (IZR a) by (field; lra). lra.
  - rewrite <- exp_0. assert (0 <= IZR a / IZR (Zpos b)) as [l|e].
    + apply Rmult_le_pos; [easy|]. left; now apply Rinv_0_lt_compat.
    + left; now apply exp_increasing.
    + right; now rewrite <- e.
Qed.

Lemma level_log e n : check_level e = true ->
  IZR n * ln (ratio e) = log_sum (level_terms e n) +
    IZR (fst (level_constant e n)) / IZR (Zpos (snd (level_constant e n))).
Proof.
  unfold log_sum. destruct e as [a b|a b]; cbn [check_level level_terms level_constant ratio];
    intros H; apply Z.leb_le, IZR_le in H; cbn [sum fst snd];
    assert (b0 : 0 < IZR (Zpos b)) by now apply IZR_lt.
  - unfold Rdiv. rewrite ln_mult, ln_Rinv, opp_IZR by (try apply Rinv_0_lt_compat; lra).
    rewrite Rinv_1. ring.
  - rewrite ln_exp, mult_IZR. field. lra.
Qed.
