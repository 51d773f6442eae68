(** The chain of bits with one step for all: what a record at a distance tells of a bit. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish.
Open Scope R_scope.

Section TwoStates.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Definition flip (x y : bool) : R :=
  if x then if y then 1 - be else be else if y then al else 1 - al.
Definition lam := 1 - al - be.
Definition constant_steps (k : nat) := flip.

Lemma flip_law x : law (flip x).
Proof. split; [intros []; destruct x; simpl; lra|]. destruct x; cbn -[IZR]; lra. Qed.

Lemma constant_law k x : law (constant_steps k x).
Proof. apply flip_law. Qed.

Lemma flip_pos x y : 0 < flip x y.
Proof. destruct x, y; simpl; lra. Qed.

(** The probability that the record at distance D is z, given that the bit is x. *)
Fixpoint power D x z : R := match D with O => if eqb x z then 1 else 0
  | S D => flip x true * power D true z + flip x false * power D false z end.

Lemma power_total D x : power D x true + power D x false = 1.
Proof.
  revert x; induction D as [|D IH]; intros x; [destruct x; simpl; lra|]. simpl.
  pose proof (IH true). pose proof (IH false). destruct x; simpl; nra.
Qed.

Lemma power_pos D x z : (1 <= D)%nat -> 0 < power D x z.
Proof.
  destruct D as [|D]; [lia|]. intros _. revert x. induction D as [|D IH]; intros x.
  - pose proof (flip_pos x z). destruct x, z; simpl in *; lra.
  - change (0 < flip x true * power (S D) true z + flip x false * power (S D) false z).
    apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; auto; apply flip_pos.
Qed.

(** The last step may be taken last. *)
Lemma power_last D x z :
  power (S D) x z = power D x true * flip true z + power D x false * flip false z.
Proof.
  revert x; induction D as [|D IH]; intros x; [destruct x, z; simpl; ring|].
  change (power (S (S D)) x z) with
    (flip x true * power (S D) true z + flip x false * power (S D) false z).
  rewrite !IH. cbn [power]. ring.
Qed.

Lemma power_closed D :
  power D true true * (al + be) = al + be * lam ^ D /\
  power D false true * (al + be) = al * (1 - lam ^ D) /\
  power D true false * (al + be) = be * (1 - lam ^ D) /\
  power D false false * (al + be) = be + al * lam ^ D.
Proof.
  induction D as [|D [A [B [C E]]]]; [simpl; lra|].
  cbn [power]. unfold flip. rewrite !Rmult_plus_distr_r, !Rmult_assoc, A, B, C, E.
  cbn [pow]. generalize (lam ^ D). intros u. unfold lam. repeat split; ring.
Qed.

(** The largest ratio of b against the other value that the record at distance D shows. *)
Definition ratio_at D b z := power D b z / power D (negb b) z.
Definition told D b := Rmax (ratio_at D b true) (ratio_at D b false).

Lemma ratio_below D b z : ratio_at D b z <= told D b.
Proof. unfold told. destruct z; [apply Rmax_l|apply Rmax_r]. Qed.

Lemma ratio_times D b z : (1 <= D)%nat -> power D b z = ratio_at D b z * power D (negb b) z.
Proof. intros d1. unfold ratio_at. field. now apply Rgt_not_eq, power_pos. Qed.

Lemma told_bounds D b z : (1 <= D)%nat -> power D b z <= told D b * power D (negb b) z.
Proof.
  intros d1. rewrite (ratio_times D b z d1). apply Rmult_le_compat_r; [|apply ratio_below].
  now apply Rlt_le, power_pos.
Qed.

Lemma told_attained D b : exists z, told D b = ratio_at D b z.
Proof. unfold told, Rmax. destruct Rle_dec; [now exists false|now exists true]. Qed.

Lemma told_above_one D b : (1 <= D)%nat -> 1 <= told D b.
Proof.
  intros d1. pose proof (told_bounds D b true d1). pose proof (told_bounds D b false d1).
  pose proof (power_total D b). pose proof (power_total D (negb b)). nra.
Qed.

(** Farther records tell no more. *)
Lemma told_next D b : (1 <= D)%nat -> told (S D) b <= told D b.
Proof.
  intros d1. destruct (told_attained (S D) b) as [z ->]. unfold ratio_at.
  assert (pos : 0 < power (S D) (negb b) z) by (apply power_pos; lia).
  apply (Rmult_le_reg_r (power (S D) (negb b) z)); [easy|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite !power_last.
  pose proof (told_bounds D b true d1) as one. pose proof (told_bounds D b false d1) as zero.
  apply (Rmult_le_compat_r (flip true z)) in one; [|apply Rlt_le, flip_pos].
  apply (Rmult_le_compat_r (flip false z)) in zero; [|apply Rlt_le, flip_pos]. lra.
Qed.

Lemma told_decreases D D' b : (1 <= D <= D')%nat -> told D' b <= told D b.
Proof.
  intros [d1 le]. induction le as [|D' le IH]; [lra|]. apply Rle_trans with (2 := IH).
  apply told_next. lia.
Qed.

(** e to the influences of the values 0 and 1 at distance D, e^i0 and e^i1:
    e^|log ((1 + c lam^D)/(1 - lam^D))| for c = a/b and c = b/a. *)
Definition of_c c D := (1 + c * lam ^ D) / (1 - lam ^ D).
Definition larger x := Rmax x (/ x).
Definition i0 D := larger (of_c (al / be) D).
Definition i1 D := larger (of_c (be / al) D).

Lemma lam_power D : (1 <= D)%nat ->
  0 < 1 - lam ^ D /\ 0 < al + be * lam ^ D /\ 0 < be + al * lam ^ D.
Proof.
  intros d1. destruct (power_closed D) as [A [B [C E]]]. assert (s : 0 < al + be) by lra.
  pose proof (Rmult_lt_0_compat _ _ (power_pos D true true d1) s).
  pose proof (Rmult_lt_0_compat _ _ (power_pos D false true d1) s).
  pose proof (Rmult_lt_0_compat _ _ (power_pos D false false d1) s).
  repeat split; try lra. apply (Rmult_lt_reg_l al); lra.
Qed.

Lemma ratios D : (1 <= D)%nat ->
  ratio_at D true true = of_c (be / al) D /\ ratio_at D false false = of_c (al / be) D /\
  ratio_at D false true = / of_c (be / al) D /\ ratio_at D true false = / of_c (al / be) D.
Proof.
  intros d1. destruct (power_closed D) as [A [B [C E]]]. destruct (lam_power D d1) as [u1 [ua ub]].
  assert (s : al + be <> 0) by lra.
  assert (q : forall x y x' y', x * (al + be) = x' -> y * (al + be) = y' -> 0 < y' ->
    x / y = x' / y').
  { intros x y x' y' <- <- pos. assert (y <> 0) by (intros ->; lra). field; split; easy. }
  assert (low : 0 < al * (1 - lam ^ D)) by (apply Rmult_lt_0_compat; lra).
  assert (high : 0 < be * (1 - lam ^ D)) by (apply Rmult_lt_0_compat; lra).
  unfold ratio_at, of_c; simpl negb.
  rewrite (q _ _ _ _ A B), (q _ _ _ _ E C), (q _ _ _ _ B A), (q _ _ _ _ C E) by lra.
  repeat split; field; repeat split; lra.
Qed.

Lemma order_of_c D : (1 <= D)%nat -> 0 < of_c (al / be) D /\ 0 < of_c (be / al) D /\
  (0 <= lam ^ D -> 1 <= of_c (al / be) D <= of_c (be / al) D) /\
  (lam ^ D <= 0 -> of_c (be / al) D <= of_c (al / be) D <= 1).
Proof.
  intros d1. destruct (lam_power D d1) as [u1 [ua ub]]. unfold of_c. set (u := lam ^ D) in *.
  assert (c : al / be <= be / al).
  { apply (Rmult_le_reg_r (be * al)); [apply Rmult_lt_0_compat; lra|].
    replace (al / be * (be * al)) with (al * al) by (field; lra).
    replace (be / al * (be * al)) with (be * be) by (field; lra).
    apply Rmult_le_compat; lra. }
  assert (c0 : 0 < al / be) by (apply Rdiv_lt_0_compat; lra).
  assert (pos0 : 0 < (1 + al / be * u) / (1 - u)).
  { apply Rdiv_lt_0_compat; [|easy].
    replace (1 + al / be * u) with ((be + al * u) / be) by (field; lra).
    apply Rdiv_lt_0_compat; lra. }
  assert (pos1 : 0 < (1 + be / al * u) / (1 - u)).
  { apply Rdiv_lt_0_compat; [|easy].
    replace (1 + be / al * u) with ((al + be * u) / al) by (field; lra).
    apply Rdiv_lt_0_compat; lra. }
  assert (v0 : 0 < / (1 - u)) by now apply Rinv_0_lt_compat.
  assert (one : 1 = (1 - u) / (1 - u)) by (field; lra).
  assert (over : forall x y, x <= y -> x / (1 - u) <= y / (1 - u))
    by (intros x y le; unfold Rdiv; apply Rmult_le_compat_r; lra).
  split; [exact pos0|]. split; [exact pos1|]. split; intros sign; split.
  - apply Rle_trans with ((1 - u) / (1 - u)); [lra|]. apply over. nra.
  - apply over. nra.
  - apply over. nra.
  - apply Rle_trans with ((1 - u) / (1 - u)); [|lra]. apply over. nra.
Qed.

Lemma larger_above x : 1 <= x -> larger x = x.
Proof.
  intros x1. unfold larger. apply Rmax_left. apply Rle_trans with (2 := x1).
  rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Lemma larger_below x : 0 < x <= 1 -> larger x = / x.
Proof.
  intros [x0 x1]. unfold larger. apply Rmax_right. apply Rle_trans with (1 := x1).
  rewrite <- Rinv_1. now apply Rinv_le_contravar.
Qed.

(** Where lam^D is not negative, the value 1 tells of 1 and the value 0 of 0, otherwise the other
    way round. *)
Lemma told_is D : (1 <= D)%nat -> 1 <= i0 D <= i1 D /\
  (0 <= lam ^ D -> told D true = i1 D /\ told D false = i0 D) /\
  (lam ^ D <= 0 -> told D true = i0 D /\ told D false = i1 D).
Proof.
  intros d1. destruct (ratios D d1) as [A [B [C E]]]. unfold told, i0, i1. rewrite A, B, C, E.
  destruct (order_of_c D d1) as [p0 [p1 [up down]]].
  set (g0 := of_c (al / be) D) in *. set (g1 := of_c (be / al) D) in *.
  assert (inv : forall x, 1 <= x -> / x <= 1)
    by (intros x x1; rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (inv' : forall x, 0 < x <= 1 -> 1 <= / x)
    by (intros x [x0 x1]; rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  destruct (Rle_dec 0 (lam ^ D)) as [sign|sign].
  - destruct (up sign) as [a b]. rewrite !larger_above by lra.
    pose proof (inv g0 a). pose proof (inv g1 ltac:(lra)).
    split; [lra|]. split.
    + intros _. rewrite Rmax_left, Rmax_right by lra. easy.
    + intros zero. destruct (down zero) as [c e]. assert (g0 = 1) as -> by lra.
      assert (g1 = 1) as -> by lra. rewrite Rinv_1. unfold Rmax; destruct Rle_dec; lra.
  - destruct (down ltac:(lra)) as [a b]. rewrite !larger_below by lra.
    assert (/ g0 <= / g1) by (apply Rinv_le_contravar; lra).
    pose proof (inv' g0 ltac:(lra)). pose proof (inv' g1 ltac:(lra)).
    split; [lra|]. split; [lra|]. intros _. rewrite Rmax_right, Rmax_left by lra. easy.
Qed.

Lemma power_sign D : (lam < 0 -> Nat.odd D = true -> lam ^ D <= 0) /\
  (0 <= lam \/ Nat.odd D = false -> 0 <= lam ^ D).
Proof.
  split.
  - intros neg odd. apply Nat.odd_spec in odd as [k ->].
    rewrite Nat.add_1_r. simpl. rewrite Nat.add_0_r, pow_add.
    pose proof (Rle_0_sqr (lam ^ k)) as sq. unfold Rsqr in sq. nra.
  - intros [pos|even]; [now apply pow_le|].
    assert (Nat.even D = true) as e by (rewrite <- Nat.negb_odd, even; easy).
    apply Nat.even_spec in e as [k ->]. simpl. rewrite Nat.add_0_r, pow_add.
    apply Rle_0_sqr.
Qed.
End TwoStates.
