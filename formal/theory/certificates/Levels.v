(** Levels in nats: e^(n/d) between fractions, by squaring 1 + y <= e^y <= 1 / (1 - y). *)
From Coq Require Import Reals Lra Lia ZArith.
From Pufferproof Require Import Sums Tables.
Open Scope Z_scope.

(** From z <= U e^x to z' <= U e^(2^h x), rounded down, and the same from above, rounded up. *)
Fixpoint squared_down U h z := match h with O => z | S h => squared_down U h (z * z / U) end.
Fixpoint squared_up U h z := match h with O => z | S h => squared_up U h (z * z / U + 1) end.

(** Whether n/d <= e^level, or e^level <= n/d. Hints, which need not be trusted: x/y is at most a
    level in nats and as good as it, h is how often it is halved, and numbers have so many bits. *)
Definition below e n d (x : Z) (y : positive) (h : nat) (bits : positive) : bool := match e with
  | Log n' d' => n * Zpos d' <=? n' * Zpos d
  | Nats n' d' =>
    let U := Zpos (2 ^ bits) in
    let half := Zpos y * 2 ^ Z.of_nat h in
    if 0 <=? x then if x * Zpos d' <=? n' * Zpos y then
      n * U <=? squared_down U h ((half + x) * U / half) * Zpos d
    else false else false end.
Definition above e n d (h : nat) (bits : positive) : bool := match e with
  | Log n' d' => n' * Zpos d <=? n * Zpos d'
  | Nats n' d' =>
    let U := Zpos (2 ^ bits) in
    let half := Zpos d' * 2 ^ Z.of_nat h in
    if 0 <=? n' then if n' <? half then
      squared_up U h (half * U / (half - n') + 1) * Zpos d <=? n * U
    else false else false end.
Open Scope R_scope.

Lemma square_twice x : exp x * exp x = exp (2 * x).
Proof. rewrite <- exp_plus. f_equal. ring. Qed.

Lemma div_down a b : (0 < b)%Z -> IZR (a / b) * IZR b <= IZR a.
Proof.
  intros h. rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le a b h). lia.
Qed.
Lemma div_up a b : (0 < b)%Z -> IZR a <= IZR (a / b + 1) * IZR b.
Proof.
  intros h. rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_succ_div_gt a b h). lia.
Qed.

Lemma squared_down_sound U h z x : (0 < U)%Z -> (0 <= z)%Z -> IZR z <= IZR U * exp x ->
  IZR (squared_down U h z) <= IZR U * exp (IZR (2 ^ Z.of_nat h) * x).
Proof.
  intros U0. assert (u : 0 < IZR U) by now apply IZR_lt.
  revert z x; induction h as [|h IH]; intros z x z0 le.
  - simpl. now replace (1 * x) with x by ring.
  - cbn [squared_down]. replace (IZR (2 ^ Z.of_nat (S h)) * x)
      with (IZR (2 ^ Z.of_nat h) * (2 * x)).
    + apply IH; [apply Z.div_pos; nia|]. rewrite <- square_twice.
      apply IZR_le in z0. pose proof (div_down (z * z) U U0) as D. rewrite mult_IZR in D.
      assert (IZR z * IZR z <= IZR U * exp x * (IZR U * exp x)) by nra.
      apply (Rmult_le_reg_r (IZR U)); [easy|]. nra.
    + rewrite Nat2Z.inj_succ, Z.pow_succ_r, mult_IZR by lia. ring.
Qed.

Lemma squared_up_sound U h z x : (0 < U)%Z -> IZR U * exp x <= IZR z ->
  IZR U * exp (IZR (2 ^ Z.of_nat h) * x) <= IZR (squared_up U h z).
Proof.
  intros U0. assert (u : 0 < IZR U) by now apply IZR_lt.
  revert z x; induction h as [|h IH]; intros z x le.
  - simpl. now replace (1 * x) with x by ring.
  - cbn [squared_up]. replace (IZR (2 ^ Z.of_nat (S h)) * x)
      with (IZR (2 ^ Z.of_nat h) * (2 * x)).
    + apply IH. rewrite <- square_twice.
      pose proof (div_up (z * z) U U0) as D. rewrite mult_IZR in D. pose proof (exp_pos x).
      assert (IZR U * exp x * (IZR U * exp x) <= IZR z * IZR z)
        by (apply Rmult_le_compat; try easy; apply Rmult_le_pos; lra).
      apply (Rmult_le_reg_r (IZR U)); [easy|]. nra.
    + rewrite Nat2Z.inj_succ, Z.pow_succ_r, mult_IZR by lia. ring.
Qed.

Lemma power_pos h : (0 < 2 ^ Z.of_nat h)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

Lemma fraction_le n d n' d' : (n * Zpos d' <= n' * Zpos d)%Z ->
  IZR n / IZR (Zpos d) <= IZR n' / IZR (Zpos d').
Proof.
  intros h. apply IZR_le in h. rewrite !mult_IZR in h.
  assert (0 < IZR (Zpos d)) by now apply IZR_lt. assert (0 < IZR (Zpos d')) by now apply IZR_lt.
  apply (Rmult_le_reg_r (IZR (Zpos d))); [easy|]. apply (Rmult_le_reg_r (IZR (Zpos d'))); [easy|].
  unfold Rdiv. field_simplify; lra.
Qed.

Lemma below_sound e n d x y h bits : below e n d x y h bits = true ->
  IZR n / IZR (Zpos d) <= ratio e.
Proof.
  destruct e as [n' d'|n' d']; cbn [below ratio].
  { intros H. apply fraction_le. now apply Z.leb_le. }
  set (U := Zpos (2 ^ bits)). set (half := (Zpos y * 2 ^ Z.of_nat h)%Z).
  destruct (Z.leb_spec 0 x) as [x0|]; [|easy].
  destruct (Z.leb_spec (x * Zpos d') (n' * Zpos y)) as [small|]; [|easy].
  intros H. apply Z.leb_le, IZR_le in H. rewrite !mult_IZR in H.
  assert (U0 : (0 < U)%Z) by easy. assert (u : 0 < IZR U) by now apply IZR_lt.
  assert (h0 : (0 < half)%Z) by (pose proof (power_pos h); unfold half; nia).
  assert (hh : 0 < IZR half) by now apply IZR_lt.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  assert (y0 : 0 < IZR (Zpos y)) by now apply IZR_lt.
  assert (S : IZR (squared_down U h ((half + x) * U / half)) <=
              IZR U * exp (IZR (2 ^ Z.of_nat h) * (IZR x / IZR half))).
  { apply squared_down_sound; [easy|apply Z.div_pos; nia|].
    apply Rle_trans with (IZR U * (1 + IZR x / IZR half)).
    - apply (Rmult_le_reg_r (IZR half)); [easy|].
      pose proof (div_down ((half + x) * U) half h0) as D. rewrite mult_IZR, plus_IZR in D.
      replace (IZR U * (1 + IZR x / IZR half) * IZR half) with ((IZR half + IZR x) * IZR U)
        by (field; lra). exact D.
    - apply Rmult_le_compat_l; [lra|]. apply exp_ineq1_le. }
  replace (IZR (2 ^ Z.of_nat h) * (IZR x / IZR half)) with (IZR x / IZR (Zpos y)) in S.
  - apply Rle_trans with (exp (IZR x / IZR (Zpos y))).
    + apply (Rmult_le_reg_r (IZR (Zpos d) * IZR U)); [nra|].
      replace (IZR n / IZR (Zpos d) * (IZR (Zpos d) * IZR U)) with (IZR n * IZR U)
        by (field; lra). nra.
    + destruct (fraction_le _ _ _ _ small) as [l|e]; [left; now apply exp_increasing|].
      right; now rewrite e.
  - pose proof (power_pos h) as p. apply IZR_lt in p. unfold half. rewrite mult_IZR. field; lra.
Qed.

Lemma above_sound e n d h bits : above e n d h bits = true -> ratio e <= IZR n / IZR (Zpos d).
Proof.
  destruct e as [n' d'|n' d']; cbn [above ratio].
  { intros H. apply fraction_le. now apply Z.leb_le. }
  set (U := Zpos (2 ^ bits)). set (half := (Zpos d' * 2 ^ Z.of_nat h)%Z).
  destruct (Z.leb_spec 0 n') as [n0|]; [|easy].
  destruct (Z.ltb_spec n' half) as [small|]; [|easy].
  intros H. apply Z.leb_le, IZR_le in H. rewrite !mult_IZR in H.
  assert (U0 : (0 < U)%Z) by easy. assert (u : 0 < IZR U) by now apply IZR_lt.
  assert (h0 : (0 < half)%Z) by lia. assert (hh : 0 < IZR half) by now apply IZR_lt.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  assert (y0 : 0 < IZR (Zpos d')) by now apply IZR_lt.
  assert (g0 : (0 < half - n')%Z) by lia. assert (g : 0 < IZR (half - n')) by now apply IZR_lt.
  assert (S : IZR U * exp (IZR (2 ^ Z.of_nat h) * (IZR n' / IZR half)) <=
              IZR (squared_up U h (half * U / (half - n') + 1))).
  { apply squared_up_sound; [easy|].
    pose proof (exp_ineq1_le (- (IZR n' / IZR half))) as E.
    assert (X : exp (IZR n' / IZR half) * IZR (half - n') <= IZR half).
    { rewrite minus_IZR. pose proof (exp_pos (IZR n' / IZR half)) as pos.
      apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ pos)) in E.
      rewrite <- exp_plus, Rplus_opp_r, exp_0 in E.
      apply (Rmult_le_compat_r (IZR half)) in E; [|lra].
      replace (exp (IZR n' / IZR half) * (1 + - (IZR n' / IZR half)) * IZR half)
        with (exp (IZR n' / IZR half) * (IZR half - IZR n')) in E by (field; lra). lra. }
    pose proof (div_up (half * U) (half - n') g0) as D. rewrite mult_IZR in D.
    apply (Rmult_le_reg_r (IZR (half - n'))); [easy|]. nra. }
  replace (IZR (2 ^ Z.of_nat h) * (IZR n' / IZR half)) with (IZR n' / IZR (Zpos d')) in S.
  - apply (Rmult_le_reg_r (IZR (Zpos d) * IZR U)); [nra|].
    replace (IZR n / IZR (Zpos d) * (IZR (Zpos d) * IZR U)) with (IZR n * IZR U)
      by (field; lra). nra.
  - pose proof (power_pos h) as p. apply IZR_lt in p. unfold half. rewrite mult_IZR. field; lra.
Qed.
