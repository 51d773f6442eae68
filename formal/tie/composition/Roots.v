(** Geometric means with rational weights are decided by integer powers: each is known by a power
    of it, and compared with a rational number after raising that. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Means.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

(** r is not negative, and its power N is q. *)
Class rooted (r : R) (N : nat) (q : Q) : Prop := is_root : 0 <= r /\ (0 < N)%nat /\ r ^ N = Q2R q.

Lemma pow_less x y N : 0 <= x -> 0 <= y -> (0 < N)%nat -> x <= y <-> x ^ N <= y ^ N.
Proof.
  intros x0 y0 N0. split; intros h; [now apply pow_incr|].
  destruct (Rle_lt_dec x y) as [|l]; [easy|]. exfalso.
  assert (y ^ N < x ^ N); [|lra]. destruct N; [lia|]. clear N0 h. induction N; [simpl; lra|].
  change (y * y ^ S N < x * x ^ S N). apply Rmult_le_0_lt_compat; auto. now apply pow_le.
Qed.


Lemma sign q : Qle_bool 0 q = true <-> 0 <= Q2R q.
Proof. rewrite Qle_bool_iff, <- RMicromega.Q2R_0. split; [apply Qle_Rle|apply Rle_Qle]. Qed.

Lemma order p q : Qle_bool p q = true <-> Q2R p <= Q2R q.
Proof. rewrite Qle_bool_iff. split; [apply Qle_Rle|apply Rle_Qle]. Qed.

(** A root against a number. *)
#[export] Instance d_root_le g N q y y' : rooted g N q -> rational y y' ->
  decided (g <= y) (Qle_bool 0 y' && Qle_bool q (qpow y' N)) | 0.
Proof.
  unfold rational, decided. intros [g0 [N0 e]] ->. rewrite andb_true_iff, sign, order, qpow_r, <- e.
  split.
  - intros [y0 le]. now apply (pow_less _ _ N).
  - intros le. assert (0 <= Q2R y') by lra. split; [easy|]. now apply pow_less.
Qed.

(** A number against a multiple of a root. *)
#[export] Instance d_le_root x x' E E' g N q : rational x x' -> rational E E' -> rooted g N q ->
  decided (x <= E * g) (if Qle_bool 0 E' then negb (Qle_bool 0 x') ||
    Qle_bool (qpow x' N) (qpow E' N * q)
    else Qle_bool x' 0 && Qle_bool (qpow (- E') N * q) (qpow (- x') N)) | 0.
Proof.
  unfold rational, decided. intros -> -> [g0 [N0 e]]. destruct (Qle_bool 0 E') eqn:s.
  - apply sign in s. assert (0 <= Q2R E' * g) by (now apply Rmult_le_pos).
    rewrite orb_true_iff, negb_true_iff, <- not_true_iff_false, sign, order, Q2R_mult,
      !qpow_r, <- e.
    rewrite <- Rpow_mult_distr. split.
    + intros [neg|le]; [lra|]. destruct (Rle_lt_dec 0 (Q2R x')); [|lra]. now apply (pow_less _ _ N).
    + intros le. destruct (Rle_lt_dec 0 (Q2R x')); [right|left; lra]. now apply pow_less.
  - assert (neg : Q2R E' < 0).
    { apply Rnot_le_lt. rewrite <- sign. congruence. }
    assert (0 <= - Q2R E' * g) by (apply Rmult_le_pos; lra).
    rewrite andb_true_iff, !order, Q2R_mult, !qpow_r, !Q2R_opp, <- e, RMicromega.Q2R_0.
    rewrite <- Rpow_mult_distr. split.
    + intros [x0 le]. apply (pow_less _ _ N) in le; (lra || easy).
    + intros le. assert (Q2R x' <= 0) by lra. split; [easy|]. apply pow_less; (lra || easy).
Qed.

(** A common denominator of weights. *)
Definition denominator (l : list Q) : Z := fold_right (fun q n => Z.lcm (QDen q) n) 1%Z l.
Definition common (l : list Q) : nat := Z.to_nat (denominator l).

Lemma common_pos l : (0 < denominator l)%Z.
Proof.
  induction l as [|q l IH]; simpl; [lia|]. apply Z.le_neq. split; [apply Z.lcm_nonneg|].
  intros z. symmetry in z. apply Z.lcm_eq_0 in z as [z|z]; [discriminate|lia].
Qed.

Lemma common_multiple l q : In q l -> (QDen q | denominator l)%Z.
Proof.
  induction l as [|a l IH]; simpl; [easy|]. intros [->|i]; [apply Z.divide_lcm_l|].
  apply (Z.divide_trans _ _ _ (IH i)), Z.divide_lcm_r.
Qed.

(** The power N of u^b, where N b is an integer: u^(N b). *)
Definition qpw (N : nat) (u b : Q) : Q :=
  let k := (Qnum b * (Z.of_nat N / QDen b))%Z in
  match k with
  | Z0 => 1
  | Zpos n => if Qle_bool u 0 then 0 else qpow u (Pos.to_nat n)
  | Zneg n => if Qle_bool u 0 then 0 else / qpow u (Pos.to_nat n)
  end.

Lemma pw_root N u b : (0 < N)%nat -> (QDen b | Z.of_nat N)%Z ->
  pw (Q2R u) (Q2R b) ^ N = Q2R (qpw N u b).
Proof.
  intros N0 [m e]. unfold qpw. set (k := (Qnum b * (Z.of_nat N / QDen b))%Z).
  assert (n0 : 0 < INR N) by now apply lt_0_INR.
  assert (K : IZR k = Q2R b * INR N).
  { unfold k. rewrite e, Z.div_mul by discriminate. unfold Q2R.
    rewrite mult_IZR, INR_IZR_INZ, e, mult_IZR.
    field. apply not_0_IZR. discriminate. }
  unfold pw. destruct (Req_EM_T (Q2R b) 0) as [zero|nz].
  { rewrite zero, Rmult_0_l in K. apply eq_IZR in K. rewrite K, pow1, one_q. easy. }
  assert (k0 : k <> 0%Z).
  { intros z. rewrite z in K. apply nz. apply (Rmult_eq_reg_r (INR N)); lra. }
  assert (pos : Rlt_dec 0 (Q2R u) = Rlt_dec 0 (Q2R u)) by easy.
  destruct (Rlt_dec 0 (Q2R u)) as [up|no].
  - assert (b0 : Qle_bool u 0 = false).
    { destruct (Qle_bool u 0) eqn:z; [|easy]. apply order in z.
      rewrite RMicromega.Q2R_0 in z. lra. }
    rewrite b0. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp.
    replace (INR N * (Q2R b * ln (Q2R u))) with (IZR k * ln (Q2R u)) by (rewrite K; ring).
    destruct k as [|n|n]; [easy| |].
    + rewrite qpow_r. change (exp (IZR (Zpos n) * ln (Q2R u))) with (Rpower (Q2R u) (IZR (Zpos n))).
      rewrite <- Rpower_pow by easy. now rewrite INR_IPR.
    + assert (qn : ~ qpow u (Pos.to_nat n) == 0).
      { intros z. apply Qeq_eqR in z. rewrite qpow_r, RMicromega.Q2R_0 in z.
        revert z. apply pow_nonzero. lra. }
      rewrite Q2R_inv, qpow_r by easy.
      replace (IZR (Zneg n)) with (- INR (Pos.to_nat n)) by (rewrite INR_IPR; easy).
      rewrite Ropp_mult_distr_l_reverse, exp_Ropp. f_equal.
      change (exp (INR (Pos.to_nat n) * ln (Q2R u))) with (Rpower (Q2R u) (INR (Pos.to_nat n))).
      now apply Rpower_pow.
  - assert (b0 : Qle_bool u 0 = true) by (apply order; rewrite RMicromega.Q2R_0; lra).
    rewrite b0, pow_i by easy. destruct k; [easy| |]; now rewrite RMicromega.Q2R_0.
Qed.

Definition qgeo {A} `{Finite A} N (b u : A -> Q) := qprod all (fun x => qpw N (u x) (b x)).

#[export] Instance geo_root {A} `{Finite A} (b u : A -> R) (b' u' : A -> Q) :
  (forall x, rational (b x) (b' x)) -> (forall x, rational (u x) (u' x)) ->
  rooted (geo b u) (common (map b' all)) (qgeo (common (map b' all)) b' u').
Proof.
  intros eb eu. split; [apply prod_nonneg; intros; apply pw_nonneg|].
  assert (N0 : (0 < common (map b' all))%nat).
  { unfold common. pose proof (common_pos (map b' all)). lia. }
  split; [easy|]. unfold geo, qgeo.
  assert (div : forall x, (QDen (b' x) | Z.of_nat (common (map b' all)))%Z).
  { intros x. unfold common. rewrite Z2Nat.id by (pose proof (common_pos (map b' all)); lia).
    apply common_multiple, in_map, all_here. }
  revert N0 div. generalize (common (map b' all)). intros N N0 div.
  assert (power : forall l, prod l (fun x => pw (u x) (b x)) ^ N =
    prod l (fun x => pw (u x) (b x) ^ N)).
  { induction l as [|x l IH]; simpl; [apply pow1|]. now rewrite Rpow_mult_distr, IH. }
  rewrite power. apply r_prod. intros x. unfold rational in *. rewrite eb, eu. now apply pw_root.
Qed.

#[export] Hint Extern 2 (decided (constraint _ _ _ _ _) _) => unfold constraint :
  typeclass_instances.
#[export] Hint Extern 2 (decided (meets _ _ _ _) _) => unfold meets : typeclass_instances.

(** Lists of mechanisms, each with a level or a processing. *)
#[export] Instance r_releases_combined {D W A B A' B'} (g : A * B -> D -> W -> R) gq (f : A' -> A)
  (h : B' -> B) l m x ws : (forall a b x w, rational (g (f a, h b) x w) (gq a b x w)) ->
  rational (releases (map g (combine (map f l) (map h m))) x ws)
    (qreleases (map (fun ab => gq (fst ab) (snd ab)) (combine l m)) x ws).
Proof.
  intros e. replace (map g (combine (map f l) (map h m)))
    with (map (fun ab => g (f (fst ab), h (snd ab))) (combine l m)).
  - apply r_releases. intros [a b]. apply e.
  - revert m. induction l as [|a l IH]; intros [|b m]; simpl; [easy..|]. now rewrite IH.
Qed.
#[export] Hint Extern 1 (rational (fst (_, _) _ _) _) => cbn [fst] : typeclass_instances.
#[export] Hint Extern 1 (rational (snd (_, _)) _) => cbn [snd] : typeclass_instances.
#[export] Hint Extern 1 (rational (process _ _ _ _) _) => unfold process; cbn [fst snd] :
  typeclass_instances.
