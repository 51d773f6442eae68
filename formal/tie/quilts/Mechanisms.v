(** How classes of chains with a gap, and the scores of quilts by their estimates, are decided on
    tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts SequentialChains
  TableQuilts Gap GapQuilts GapMechanism.
From Tied Require Import Decide Entries Chains Powers Spectra.
Import ListNotations.
Open Scope R_scope.

(** Values of all records, for laws in a list of any kind. *)
Section Values.
Context {m n : nat}.
Notation A := (fin (S m)).
Notation T := (vec A n).
Lemma d_values_of {W B} `{Finite W} ratio (M : T -> W -> R) (l : list B) (of : B -> T -> R)
    (priors : (T -> R) -> Prop) b :
  (forall p, priors p <-> exists r, In r l /\ p = of r) ->
  (forall r i x y w, decided (0 < P (of r) (record_is (d A) i x) ->
    0 < P (of r) (record_is (d A) i y) ->
    Pw (of r) M (record_is (d A) i x) w * P (of r) (record_is (d A) i y) <=
    ratio * P (of r) (record_is (d A) i x) * Pw (of r) M (record_is (d A) i y) w) (b r i x y w)) ->
  decided (pufferfish ratio M (two_values (d A) n) priors)
    (forallb (fun r => forallb (fun i => forallb (fun x => forallb (fun y => forallb (b r i x y)
      all) all) all) (seq 0 n)) l).
Proof.
  intros listed each. unfold decided. split.
  - intros h p s t w Hp [k [x [y [-> ->]]]] Ps Pt. apply listed in Hp as [r [i ->]].
    destruct (Nat.lt_ge_cases k n) as [here|far]; [|now apply (beyond_impossible _ k x far) in Ps].
    rewrite forallb_forall in h. specialize (h r i). rewrite forallb_forall in h.
    specialize (h k). rewrite in_seq, forallb_forall in h. specialize (h ltac:(lia) x (all_here x)).
    rewrite forallb_forall in h. specialize (h y (all_here y)). rewrite forallb_forall in h.
    specialize (h w (all_here w)). now apply (each r k x y w).
  - intros h. apply forallb_forall; intros r i. apply forallb_forall; intros k _.
    apply forallb_forall; intros x _. apply forallb_forall; intros y _. apply forallb_forall;
      intros w _.
    apply each. intros Ps Pt. apply h; auto.
    + apply listed. now exists r.
    + exists k, x, y. now split.
Qed.

(** What is left of a level by noise, and whether an estimate fits. *)
Lemma scale_bound (q : raw_release) k :
  Q2R (ratio_of q) * Q2R (rho q) ^ (Pos.to_nat (parts q) * k) =
  exp (at_level (release_read (m := m) (n := n) q) -
    INR k / with_noise (release_read (m := m) (n := n) q)).
Proof.
  pose proof (scale_pos (m := m) (n := n) q) as b0. set (b := with_noise (release_read (m := m) (n
    := n) q)) in *.
  pose proof (log_rho q) as neg. pose proof (parts_pos q) as pos. destruct (proper_is (snd (snd q)))
    as [r0 r1]. fold (rho q) in r0, r1.
  assert (E0 : 0 < Q2R (ratio_of q)) by apply positive_pos.
  unfold Rminus. rewrite exp_plus. unfold at_level, release_read; cbn [fst snd].
  rewrite exp_ln by easy. f_equal.
  replace (- (INR k / b)) with (INR (Pos.to_nat (parts q) * k) * ln (Q2R (rho q))).
  - rewrite <- Rpower_pow by easy. reflexivity.
  - unfold b, with_noise, release_read; cbn [snd]. rewrite mult_INR, INR_IPR. unfold IZR in pos.
    change (IZR (Z.pos (parts q))) with (IPR (parts q)) in *. field. split; lra.
Qed.
Lemma estimate_fits (q : raw_release) k bound : (0 < k)%nat ->
  (exists e, bound <= exp e /\ e < at_level (release_read (m := m) (n := n) q) /\
    INR k / (at_level (release_read (m := m) (n := n) q) - e) <=
      with_noise (release_read (m := m) (n := n) q)) <->
  bound <= Q2R (ratio_of q) * Q2R (rho q) ^ (Pos.to_nat (parts q) * k).
Proof.
  intros some. apply lt_INR in some. simpl in some. rewrite scale_bound.
  pose proof (scale_pos (m := m) (n := n) q) as b0. set (b := with_noise _) in *.
  set (eps := at_level _). split.
  - intros [e [le [e1 sc]]]. apply Rle_trans with (1 := le).
    assert (e <= eps - INR k / b) as [less|<-]; [|left; now apply exp_increasing|lra].
    assert (INR k / b <= eps - e); [|lra].
    apply (Rmult_le_reg_r b); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply (Rmult_le_compat_r (eps - e)) in sc; [|lra]. unfold Rdiv in sc.
    rewrite Rmult_assoc, Rinv_l in sc by lra. lra.
  - intros le. assert (gain : 0 < INR k / b) by now apply Rdiv_lt_0_compat.
    exists (eps - INR k / b). split; [easy|]. split; [lra|].
    replace (eps - (eps - INR k / b)) with (INR k / b) by ring. right. field. split; lra.
Qed.
End Values.

Definition raw_resting : Type := list Q * (list Q * list (list Q)).
Definition resting {m} (r : raw_resting) :
    (fin (S m) -> R) * ((fin (S m) -> R) * (fin (S m) -> fin (S m) -> R)) :=
  (law_of (fst r), (law_of (fst (snd r)), rows_of (snd (snd r)))).
Definition resting_read {m} (l : list raw_resting) z := In z (map (resting (m := m)) l).

#[export] Instance d_gaps {m} (l : list raw_resting) low r b :
  (forall z, decided (law (fst (snd (resting (m := m) z))) /\
    (forall x, low <= fst (resting (m := m) z) x) /\
    gap_of_both_ways (fst (resting (m := m) z)) (snd (snd (resting (m := m) z))) r) (b z)) ->
  decided (gaps (resting_read (m := m) l) low r) (forallb b l) | 0.
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h pi first P i. apply in_map_iff in i as [z [E i]]. specialize (h z i).
    apply each in h. rewrite E in h. exact h.
  - intros h z i. apply each.
    exact (h (law_of (fst z)) (law_of (fst (snd z))) (rows_of (snd (snd z)))
      (in_map (resting (m := m)) l z i)).
Qed.
#[export] Hint Extern 2 (rational (fst (resting _) _) _) =>
  cbn [resting fst snd] : typeclass_instances.
#[export] Hint Extern 2 (rational (snd (snd (resting _)) _ _) _) =>
  cbn [resting fst snd] : typeclass_instances.

#[export] Instance d_at_rest {m n W} `{Finite W} ratio (M : vec (fin (S m)) n -> W -> R)
    (l : list raw_resting) b :
  let of (z : raw_resting) := law_of_chain (fst (snd (resting (m := m) z)),
    fun _ => snd (snd (resting (m := m) z))) n in
  (forall z i x y w, decided (0 < P (of z) (record_is (d (fin (S m))) i x) ->
    0 < P (of z) (record_is (d (fin (S m))) i y) ->
    Pw (of z) M (record_is (d (fin (S m))) i x) w * P (of z) (record_is (d (fin (S m))) i y) <=
    ratio * P (of z) (record_is (d (fin (S m))) i x) *
      Pw (of z) M (record_is (d (fin (S m))) i y) w) (b z i x y w)) ->
  decided (pufferfish ratio M (two_values (d (fin (S m))) n) (laws_at_rest (resting_read l) n))
    (forallb (fun z => forallb (fun i => forallb (fun x => forallb (fun y => forallb (b z i x y)
      all) all) all) (seq 0 n)) l) | 0.
Proof.
  intros of. apply d_values_of. intros p. split.
  - intros [c [[z [here ->]] ->]]. apply in_map_iff in here as [r [<- here]]. now exists r.
  - intros [r [here ->]]. eexists. split; [|reflexivity].
    exists (resting r). split; [now apply in_map|easy].
Qed.

Section Scores.
Context {m n : nat} (low r : R) (p k : Q).
Hypotheses (is_low : rational low p) (is_r : rational r k).
Definition qfits (q : raw_release) (i lo hi : nat) : bool :=
  (Nat.eqb lo 0 || negb (Qle_bool p (qpow k (S i - lo)))) &&
  (Nat.leb n hi || negb (Qle_bool p (qpow k (hi - i)))) &&
  Qle_bool (Qred (match lo with O => 1%Q
    | S _ => Qred (qover p (qpow k (S i - lo)) * qover p (qpow k (S i - lo))) end *
    (if Nat.ltb hi n then qover p (qpow k (hi - i)) else 1%Q)))
  (Qred (ratio_of q * qpow (rho q) (Pos.to_nat (parts q) * (hi - lo)))).

Lemma quilt_fits_is q i lo hi : (lo < hi)%nat -> qfits q i lo hi = true <->
  quilt_scores low r n (at_level (release_read (m := m) (n := n) q))
    (with_noise (release_read (m := m) (n := n) q)) i lo hi.
Proof.
  intros some. unfold qfits, quilt_scores.
  rewrite (andb_true_iff (_ && _)), (estimate_fits (m := m) (n := n)) by lia.
  pose proof (d_far low r p k n lo hi i is_low is_r) as apart.
  pose proof (d_le _ _ _ _ (r_told low r p k n lo hi i is_low is_r)
    (r_mult _ _ _ _ (r_q (ratio_of q))
      (r_pow _ _ (Pos.to_nat (parts q) * (hi - lo)) (r_q (rho q))))) as fits.
  unfold decided in apart, fits. now rewrite apart, fits.
Qed.

Lemma d_quilts (q : raw_release) (los his : nat -> list nat) (here : nat -> nat -> nat -> Prop) :
  (forall i lo hi, (i < n)%nat -> In lo (los i) /\ In hi (his i) <-> here i lo hi) ->
  (forall i lo hi, here i lo hi -> (lo < hi)%nat) ->
  decided (forall i, (i < n)%nat -> exists lo hi, here i lo hi /\
    quilt_scores low r n (at_level (release_read (m := m) (n := n) q))
      (with_noise (release_read (m := m) (n := n) q)) i lo hi)
    (forallb (fun i => existsb (fun lo => existsb (qfits q i lo) (his i)) (los i)) (seq 0 n)).
Proof.
  intros listed some. unfold decided. rewrite forallb_forall. split.
  - intros h i top. specialize (h i ltac:(apply in_seq; lia)).
    apply existsb_exists in h as [lo [il h]]. apply existsb_exists in h as [hi [ih h]].
    assert (at_ : here i lo hi) by now apply listed.
    exists lo, hi. split; [easy|]. apply quilt_fits_is; [now apply (some i)|easy].
  - intros h i ii. apply in_seq in ii. destruct (h i ltac:(lia)) as [lo [hi [at_ sc]]].
    pose proof at_ as both_. apply listed in both_ as [il ih]; [|lia].
    apply existsb_exists. exists lo. split; [easy|]. apply existsb_exists. exists hi.
    split; [easy|]. apply quilt_fits_is; [now apply (some i)|easy].
Qed.
End Scores.

#[export] Instance d_estimated {m n} low r p k q : rational low p -> rational r k ->
  decided (forall i, (i < n)%nat ->
    estimated_score low r n (at_level (release_read (m := m) (n := n) q))
      (with_noise (release_read (m := m) (n := n) q)) i)
    (forallb (fun i => existsb (fun lo => existsb (qfits (n := n) p k q i lo) (seq (S i) (n - i)))
      (seq 0 (S i))) (seq 0 n)) | 0.
Proof.
  intros rl rr. unfold estimated_score.
  pose proof (d_quilts (m := m) (n := n) low r p k rl rr q
    (fun i => seq 0 (S i)) (fun i => seq (S i) (n - i))
    (fun i lo hi => (lo <= i < hi)%nat /\ (hi <= n)%nat)) as all_.
  unfold decided in *. rewrite all_.
  - split; intros h i top; destruct (h i top) as [lo [hi at_]]; exists lo, hi; tauto.
  - intros i lo hi top. rewrite !in_seq. lia.
  - lia.
Qed.
#[export] Instance d_two_sided {m n} low r p k q : rational low p -> rational r k ->
  decided (forall i, (i < n)%nat ->
    two_sided_score low r n (at_level (release_read (m := m) (n := n) q))
      (with_noise (release_read (m := m) (n := n) q)) i)
    (forallb (fun i => existsb (fun lo => existsb (qfits (n := n) p k q i lo)
      (seq (S i) (n - S i))) (seq 1 i)) (seq 0 n)) | 0.
Proof.
  intros rl rr. unfold two_sided_score.
  pose proof (d_quilts (m := m) (n := n) low r p k rl rr q
    (fun i => seq 1 i) (fun i => seq (S i) (n - S i))
    (fun i lo hi => (0 < lo <= i)%nat /\ (i < hi < n)%nat)) as all_.
  unfold decided in *. rewrite all_.
  - split; intros h i top; destruct (h i top) as [lo [hi at_]]; exists lo, hi; tauto.
  - intros i lo hi top. rewrite !in_seq. lia.
  - lia.
Qed.
