(** How chains, queries with Laplace noise and scores of quilts are read from tables and decided:
    noise by powers of e^(-1 / (k b)) at the values of the query, which are multiples of 1/k. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Quilt Chain ChainQuilts.
From Pufferproof Require Import Parallel ParallelChains SequentialChains RecordTables TableQuilts.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

#[export] Existing Instances Chain.finite_unit Chain.finite_vec ChainQuilts.finite_option.
(** Equality of members of a set, in the place of the letter of a statement. *)
Class equality (A : Type) := by_equality : forall x y : A, {x = y} + {x <> y}.
Definition d (A : Type) {e : equality A} : forall x y : A, {x = y} + {x <> y} := e.
#[export] Instance equality_fin n : equality (fin n).
Proof. unfold equality. induction n as [|n IH]; [intros []|]. simpl. decide equality. Defined.

(** Tables in the order of their records, the first one first. *)
Fixpoint place {m n} : vec (fin m) n -> nat := match n with O => fun _ => O
  | S n => fun v => (rank (fst v) * Nat.pow m n + place (snd v))%nat end.

(** A law from natural weights; the first member is certain if there are none. *)
Definition heavy {m} (l : list nat) : nat := fold_right Nat.add O (map (fun x : fin (S m) => nth
  (rank x)
  l O) all).
Definition share {m} (l : list nat) (x : fin (S m)) : Q := match heavy (m := m) l with
  | O => if rank x then 1%Q else 0%Q
  | S k => Z.of_nat (nth (rank x) l O) # Pos.of_succ_nat k end.

Lemma share_law m l : law (fun x : fin (S m) => Q2R (share l x)).
Proof.
  unfold share. destruct (heavy l) as [|k] eqn:E; split.
  - intros x. destruct (rank x); unfold Q2R; simpl; lra.
  - change (@all (fin (S m)) _) with (None :: map (@Some (fin m)) all). simpl. rewrite sum_map.
    rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_0; unfold Q2R; simpl; lra|].
    intros x _. simpl. unfold Q2R; simpl; lra.
  - intros x. unfold Q2R; simpl. apply Rmult_le_pos; [now apply IZR_le, Zle_0_nat|].
    left. apply Rinv_0_lt_compat. now apply IZR_lt.
  - set (d := / IZR (Z.pos (Pos.of_succ_nat k))).
    assert (total : forall l0 : list (fin (S m)), sum l0 (fun x => Q2R (Z.of_nat (nth (rank x) l O)
      #
      Pos.of_succ_nat k)) = INR (fold_right Nat.add O (map (fun x => nth (rank x) l O) l0)) * d).
    { induction l0 as [|x l0 IH]; [simpl; lra|]. cbn [sum map fold_right]. rewrite IH, plus_INR.
      unfold Q2R; cbn [Qnum Qden]. fold d. rewrite <- INR_IZR_INZ. ring. }
    rewrite total. unfold heavy in E. rewrite E. unfold d.
    rewrite Zpos_P_of_succ_nat, succ_IZR, <- INR_IZR_INZ, <- S_INR. apply Rinv_r.
    apply not_0_INR. lia.
Qed.

Definition raw_chain : Type := list nat * list (list (list nat)).
Definition step_of (l : list (list (list nat))) k : list (list nat) := nth k l (last l []).
Definition chain_read {m} (r : raw_chain) : (fin (S m) -> R) * (nat -> fin (S m) -> fin (S m) -> R)
  :=
  (fun x => Q2R (share (fst r) x), fun k x y => Q2R (share (nth (rank x) (step_of (snd r) k) [])
    y)).
(** A class of chains. *)
Definition class_read {m} (l : list raw_chain) (c : (fin (S m) -> R) * (nat -> fin (S m) -> fin (S
  m)
  -> R)) := In c (map chain_read l).

Lemma read_law m (r : raw_chain) n : law (law_of_chain (chain_read (m := m) r) n).
Proof. apply sequence_is_law; [apply share_law|intros; apply share_law]. Qed.

#[export] Instance r_law_of_chain m (r : raw_chain) n v : rational (law_of_chain (chain_read (m :=
  m)
  r) n v) (match list_of v with [] => 1%Q | x :: l => Qred (share (fst r) x * qsteps (fun k x y =>
  share (nth (rank x) (step_of (snd r) k) []) y) 0 x l) end).
Proof. unfold law_of_chain, sequence_law. apply r_chain; intros; apply r_q. Qed.

(** Weights that may be no laws. *)
Definition loose_chain {m} (r : list Q * list (list (list Q))) : (fin (S m) -> R) * (nat -> fin (S
  m) ->
  fin (S m) -> R) := (law_of (fst r), fun k => rows_of (nth k (snd r) (last (snd r) []))).
Definition loose_read {m} l (c : (fin (S m) -> R) * (nat -> fin (S m) -> fin (S m) -> R)) :=
  In c (map loose_chain l).

Lemma d_steps {m} (l : list (list (list Q))) b : (forall rows : list (list Q), decided (forall x,
  law
  (@rows_of (S m) (S m) rows x)) (b rows)) ->
  decided (forall k x, law (@rows_of (S m) (S m) (nth k l (last l [])) x)) (b (last l []) &&
    forallb b l).
Proof.
  intros each. unfold decided. rewrite andb_true_iff, forallb_forall. split.
  - intros [end_ some] k. destruct (Nat.lt_ge_cases k (length l)).
    + apply each, some. now apply nth_In.
    + rewrite nth_overflow by easy. now apply each.
  - intros every. split; [apply each; specialize (every (length l)); rewrite nth_overflow in every
    by
      easy; easy|].
    intros rows i. apply each. destruct (In_nth l rows (last l []) i) as [k [_ <-]]. apply every.
Qed.

#[export] Instance d_chains {m} l b c : (forall r, decided (law (fst (loose_chain (m := m) r))) (b
  r))
  -> (forall rows : list (list Q), decided (forall x, law (@rows_of (S m) (S m) rows x)) (c rows))
    ->
  decided (chains_only (loose_read (m := m) l)) (forallb (fun r => b r && (c (last (snd r) []) &&
    forallb
    c (snd r))) l).
Proof.
  intros first steps. unfold decided. rewrite forallb_forall. split.
  - intros h x i. apply in_map_iff in i as [r [<- i]]. specialize (h r i). apply andb_prop in h as
    [h k].
    split; [now apply first|]. now apply (d_steps (snd r) c steps).
  - intros h r i. destruct (h (loose_chain r)) as [h1 h2]; [now apply in_map|].
    rewrite andb_true_iff. split; [now apply first|]. now apply (d_steps (snd r) c steps).
Qed.

(** Scales of noise, and queries whose values are multiples of 1/k. *)
Definition proper (q : Q) : Q := if Qle_bool q 0 then (1#2)%Q else if Qle_bool 1 q then (1#2)%Q
  else q.
Lemma proper_is q : 0 < Q2R (proper q) < 1.
Proof.
  unfold proper. destruct (Qle_bool q 0) eqn:low; [unfold Q2R; simpl; lra|].
  destruct (Qle_bool 1 q) eqn:high; [unfold Q2R; simpl; lra|].
  rewrite <- RMicromega.Q2R_0, <- one_q. split; apply Qlt_Rlt, Qnot_le_lt; rewrite <- Qle_bool_iff;
    congruence.
Qed.

Definition raw_release : Type := (BinNums.positive * list Z) * (Q * Q).
Section Releases.
Context {m n : nat}.
Notation T := (vec (fin (S m)) n).
Definition parts (r : raw_release) : BinNums.positive := fst (fst r).
Definition numerator (r : raw_release) (v : T) : Z := nth (place v) (snd (fst r)) 0%Z.
Definition ratio_of (r : raw_release) : Q := positive (fst (snd r)).
Definition rho (r : raw_release) : Q := proper (snd (snd r)).
Definition release_read (r : raw_release) : (T -> R) * R * R :=
  (fun v => IZR (numerator r v) / IZR (Zpos (parts r)), ln (Q2R (ratio_of r)),
   - / (IZR (Zpos (parts r)) * ln (Q2R (rho r)))).

Lemma log_rho r : ln (Q2R (rho r)) < 0.
Proof. destruct (proper_is (snd (snd r))). rewrite <- ln_1. now apply ln_increasing. Qed.
Lemma parts_pos r : 0 < IZR (Zpos (parts r)).
Proof. now apply IZR_lt. Qed.
Lemma scale_pos r : 0 < with_noise (release_read r).
Proof.
  unfold with_noise, release_read; simpl. pose proof (log_rho r). pose proof (parts_pos r).
  assert (IZR (Zpos (parts r)) * ln (Q2R (rho r)) < 0) as neg by nra. apply Rinv_lt_0_compat in
    neg. lra.
Qed.

Lemma read_laplace r (v w : T) : laplace (with_noise (release_read r)) (asked (release_read r) v)
  (asked (release_read r) w) = Q2R (rho r) ^ Z.abs_nat (numerator r w - numerator r v) *
  / (2 * with_noise (release_read r)).
Proof.
  pose proof (log_rho r) as neg. pose proof (parts_pos r) as pos.
  pose proof (laplace_power (Q2R (rho r)) (numerator r v) (numerator r w) (proper_is _)) as E.
  unfold laplace in *. unfold Rdiv at 1. f_equal.
  apply (Rmult_eq_reg_r (- ln (Q2R (rho r)) / 2)); [|lra]. rewrite <- E. unfold Rdiv at 3.
  replace (/ (2 * - / ln (Q2R (rho r)))) with (- ln (Q2R (rho r)) / 2) by (field; lra). f_equal.
    f_equal.
  unfold with_noise, asked, release_read; cbn [fst snd].
  replace (IZR (numerator r w) / IZR (Z.pos (parts r)) - IZR (numerator r v) / IZR (Z.pos (parts
    r)))
    with ((IZR (numerator r w) - IZR (numerator r v)) * / IZR (Z.pos (parts r))) by (field; lra).
  rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge; left; now apply Rinv_0_lt_compat). field.
    lra.
Qed.

(** Two promises about the same outputs up to positive factors. *)
Lemma promise_up_to {D W} `{Finite D} ratio (M N : D -> W -> R) k pairs priors : 0 < k ->
  (forall x w, M x w = N x w * k) -> pufferfish ratio M pairs priors <-> pufferfish ratio N pairs
    priors.
Proof.
  intros k0 same. assert (E : forall p s w, Pw p M s w = k * Pw p N s w).
  { intros. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros. rewrite same. ring. }
  split; intros h p s t w Hp Hst Ps Pt; specialize (h p s t w Hp Hst Ps Pt); rewrite !E in *; nra.
Qed.

Lemma d_noise r ratio (pairs : @secret T -> @secret T -> Prop) priors b :
  decided (pufferfish ratio (fun v w => Q2R (rho r) ^ Z.abs_nat (numerator r w - numerator r v))
    pairs
    priors) b ->
  decided (pufferfish ratio (fun v => laplace (with_noise (release_read r)) (asked (release_read r)
    v))
    pairs priors) b.
Proof.
  unfold decided. intros ->. rewrite (promise_at_values _ _ _ _ _ (scale_pos r)). symmetry.
  apply (promise_up_to _ _ _ (/ (2 * with_noise (release_read r)))).
  - apply Rinv_0_lt_compat. pose proof (scale_pos r). lra.
  - apply read_laplace.
Qed.
End Releases.

#[export] Instance d_in_list {A} (l : list A) (P : A -> Prop) b : (forall x, decided (P x) (b x)) ->
  decided (forall x, In x l -> P x) (forallb b l) | 3.
Proof.
  intros each. unfold decided. rewrite forallb_forall. split; intros h x i; apply each; auto.
Qed.
Lemma d_some {A} (l : list A) (P : A -> Prop) b : (forall x, decided (P x) (b x)) ->
  decided (exists x, In x l /\ P x) (existsb b l).
Proof.
  intros each. unfold decided. rewrite existsb_exists. split; intros [x [i h]]; exists x; split;
    auto;
    now apply each.
Qed.

(** All values of all records are secret. *)
Section Values.
Context {m n : nat}.
Notation A := (fin (S m)).
Notation T := (vec A n).

Lemma beyond_impossible (p : T -> R) i x : (n <= i)%nat -> ~ 0 < P p (record_is (d A) i x).
Proof.
  intros far pos. destruct (sum_pos_exists _ _ pos) as [v [_ pv]]. revert pv.
  unfold inside, record_is, value, record.
  rewrite (proj2 (nth_error_None (list_of v) i)) by (now rewrite list_length).
  destruct (decide_option (d A) None (Some x)); [congruence|lra].
Qed.

#[export] Instance d_values {W} `{Finite W} ratio (M : T -> W -> R) (l : list raw_chain) b :
  (forall r i x y w, decided (0 < P (law_of_chain (chain_read r) n) (record_is (d A) i x) ->
    0 < P (law_of_chain (chain_read r) n) (record_is (d A) i y) ->
    Pw (law_of_chain (chain_read r) n) M (record_is (d A) i x) w *
      P (law_of_chain (chain_read r) n) (record_is (d A) i y) <=
    ratio * P (law_of_chain (chain_read r) n) (record_is (d A) i x) *
      Pw (law_of_chain (chain_read r) n) M (record_is (d A) i y) w) (b r i x y w)) ->
  decided (pufferfish ratio M (two_values (d A) n) (laws_of (class_read l) n))
    (forallb (fun r => forallb (fun i => forallb (fun x => forallb (fun y => forallb (b r i x y)
      all) all)
      all) (seq 0 n)) l) | 0.
Proof.
  intros each. unfold decided. split.
  - intros h p s t w [c [i ->]] [k [x [y [-> ->]]]] Ps Pt.
    apply in_map_iff in i as [r [<- i]].
    destruct (Nat.lt_ge_cases k n) as [here|far]; [|now apply (beyond_impossible _ k x far) in Ps].
    rewrite forallb_forall in h. specialize (h r i). rewrite forallb_forall in h.
    specialize (h k). rewrite in_seq, forallb_forall in h. specialize (h ltac:(lia) x (all_here x)).
    rewrite forallb_forall in h. specialize (h y (all_here y)). rewrite forallb_forall in h.
    specialize (h w (all_here w)). now apply (each r k x y w).
  - intros h. apply forallb_forall; intros r i. apply forallb_forall; intros k _.
    apply forallb_forall; intros x _. apply forallb_forall; intros y _. apply forallb_forall;
      intros w _.
    apply each. intros Ps Pt. apply h; auto.
    + exists (chain_read r). split; [now apply in_map|easy].
    + exists k, x, y. now split.
Qed.

(** Some quilt has a score that is small enough: its influence is at most E rho^(nearby records). *)
Definition quilt_fits (r : raw_chain) (q : raw_release) i lo hi := forall x y z,
  p_quilt (decide_pair (d A)) (quilt_around lo hi) (law_of_chain (chain_read r) n)
    (record_is (d A) i x) z * P (law_of_chain (chain_read r) n) (record_is (d A) i y) <=
  Q2R (ratio_of q) * Q2R (rho q) ^ (Pos.to_nat (parts q) * (hi - lo)) *
    P (law_of_chain (chain_read r) n) (record_is (d A) i x) *
    p_quilt (decide_pair (d A)) (quilt_around lo hi) (law_of_chain (chain_read r) n)
      (record_is (d A) i y) z.

Lemma score_fits (r : raw_chain) (q : raw_release) i : (i < n)%nat ->
  score_at_most (d A) (at_level (release_read (m := m) (n := n) q)) (with_noise (release_read (m :=
    m) (n := n) q))
    (law_of_chain (chain_read r) n) i <->
  exists lo, In lo (seq 0 (S i)) /\ exists hi, In hi (seq (S i) (n - i)) /\ quilt_fits r q i lo hi.
Proof.
  intros here. set (p := law_of_chain (chain_read r) n).
  assert (Lp : law p) by apply read_law.
  pose proof (scale_pos (m := m) (n := n) q) as b0. set (b := with_noise (release_read (m := m) (n
    := n) q)) in *.
  pose proof (log_rho q) as neg. pose proof (parts_pos q) as pos. destruct (proper_is (snd (snd q)))
    as [r0 r1]. fold (rho q) in r0, r1.
  assert (E0 : 0 < Q2R (ratio_of q)) by apply positive_pos.
  assert (bound : forall k, Q2R (ratio_of q) * Q2R (rho q) ^ (Pos.to_nat (parts q) * k) =
    exp (ln (Q2R (ratio_of q)) - INR k / b)).
  { intros k. unfold Rminus. rewrite exp_plus, exp_ln by easy. f_equal.
    replace (- (INR k / b)) with (INR (Pos.to_nat (parts q) * k) * ln (Q2R (rho q))).
    - rewrite <- Rpower_pow by easy. reflexivity.
    - unfold b, with_noise, release_read; cbn [snd]. rewrite mult_INR, INR_IPR. unfold IZR in pos.
      change (IZR (Z.pos (parts q))) with (IPR (parts q)) in *. field. split; lra. }
  unfold score_at_most. split.
  - intros [lo [hi [e [inside_ [top [infl [e1 sc]]]]]]]. exists lo. split; [apply in_seq; lia|].
    exists hi. split; [apply in_seq; lia|]. intros x y z. rewrite bound.
    apply Rle_trans with (1 := infl x y z). destruct (p_quilt_le (decide_pair (d A)) (quilt_around
      lo hi)
      p (record_is (d A) i y) z Lp) as [z0 _].
    apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; [now apply P_nonneg|].
    assert (e <= ln (Q2R (ratio_of q)) - INR (hi - lo) / b) as le.
    { unfold at_level, release_read in e1, sc; cbn [fst snd] in e1, sc.
      set (eps := ln (Q2R (ratio_of q))) in *. fold b in sc.
      assert (INR (hi - lo) / b <= eps - e); [|lra].
      apply (Rmult_le_reg_r b); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply (Rmult_le_compat_r (eps - e)) in sc; [|lra]. unfold Rdiv in sc.
      rewrite Rmult_assoc, Rinv_l in sc by lra. lra. }
    destruct le as [less|<-]; [left; now apply exp_increasing|lra].
  - intros [lo [il [hi [ih fits]]]]. apply in_seq in il. apply in_seq in ih.
    assert (near : 0 < INR (hi - lo)) by (apply lt_0_INR; lia).
    assert (gain : 0 < INR (hi - lo) / b) by (now apply Rdiv_lt_0_compat).
    exists lo, hi, (ln (Q2R (ratio_of q)) - INR (hi - lo) / b).
    split; [lia|]. split; [lia|]. split; [|split].
    + intros x y z. rewrite <- bound. apply fits.
    + unfold at_level, release_read; cbn [fst snd]. lra.
    + unfold at_level, release_read; cbn [fst snd].
      replace (ln (Q2R (ratio_of q)) - (ln (Q2R (ratio_of q)) - INR (hi - lo) / b)) with
        (INR (hi - lo) / b) by ring. right. field. split; lra.
Qed.

#[export] Instance d_scores (l : list raw_chain) (q : raw_release) b :
  (forall r i lo hi, decided (quilt_fits r q i lo hi) (b r i lo hi)) ->
  decided (forall c i, class_read l c -> (i < n)%nat -> score_at_most (d A)
    (at_level (release_read (m := m) (n := n) q)) (with_noise (release_read (m := m) (n := n) q))
    (law_of_chain c n) i)
    (forallb (fun r => forallb (fun i => existsb (fun lo => existsb (b r i lo) (seq (S i) (n - i)))
      (seq 0 (S i))) (seq 0 n)) l) | 0.
Proof.
  intros each. unfold decided. rewrite forallb_forall.
  assert (one : forall r i, (i < n)%nat -> existsb (fun lo => existsb (b r i lo) (seq (S i) (n -
    i)))
    (seq 0 (S i)) = true <-> score_at_most (d A) (at_level (release_read (m := m) (n := n) q))
    (with_noise (release_read (m := m) (n := n) q)) (law_of_chain (chain_read r) n) i).
  { intros r i here. rewrite score_fits by easy.
    refine (d_some _ (fun lo => exists hi, In hi _ /\ quilt_fits r q i lo hi) _ _). intros lo.
    apply d_some. intros hi. apply each. }
  split.
  - intros h c i k here. apply in_map_iff in k as [r [<- k]]. specialize (h r k).
    rewrite forallb_forall in h. apply one; [easy|]. apply h. apply in_seq. lia.
  - intros h r k. apply forallb_forall. intros i ii. apply in_seq in ii. apply one; [lia|].
    apply h; [now apply in_map|lia].
Qed.
End Values.
(** Noise comes first: the instance for its secrets alone would search long and fail late. *)
#[export] Hint Extern 0 (decided (pufferfish _ (fun _ => laplace _ _) _ _) _) =>
  eapply d_noise : typeclass_instances.
#[export] Hint Extern 0 (decided (quilt_fits _ _ _ _ _) _) => unfold quilt_fits :
  typeclass_instances.
#[export] Hint Extern 2 (rational (p_quilt _ _ _ _ _) _) => unfold p_quilt, Pz :
  typeclass_instances.
#[export] Hint Extern 2 (rational (at_ _ _ _ _) _) => unfold at_ : typeclass_instances.

(** Tables that differ in one record, by computation. *)
Definition agree_but_for {m n} j (x y : vec (fin m) n) : bool := forallb (fun k => Nat.eqb k j ||
  if decide_option (d (fin m)) (nth_error (list_of x) k) (nth_error (list_of y) k) then true else
    false)
  (seq 0 n).

Lemma agree_is {m n} j (x y : vec (fin m) n) : agree_but_for j x y = true <-> but_for j x y.
Proof.
  unfold agree_but_for. rewrite forallb_forall. split.
  - intros h k ne. destruct (Nat.lt_ge_cases k n) as [here|far].
    + specialize (h k ltac:(apply in_seq; lia)). apply orb_prop in h as [h|h];
        [now apply Nat.eqb_eq in h|]. now destruct decide_option.
    + now rewrite !(proj2 (nth_error_None _ k)) by (now rewrite list_length).
  - intros h k _. destruct (Nat.eqb_spec k j) as [|ne]; [easy|]. simpl. rewrite (h k ne).
    now destruct decide_option.
Qed.

Lemma beyond_is_same {m n} j (x y : vec (fin m) n) : (n <= j)%nat -> but_for j x y -> list_of x =
  list_of y.
Proof.
  intros far h. assert (all_ : forall k, nth_error (list_of x) k = nth_error (list_of y) k).
  { intros k. destruct (Nat.eq_dec k j) as [->|ne]; [|now apply h].
    now rewrite !(proj2 (nth_error_None _ j)) by (now rewrite list_length). }
  revert all_. generalize (list_of x) as a, (list_of y) as b. induction a as [|u a IH]; intros [|v
    b] e;
    [easy|specialize (e O); discriminate|specialize (e O); discriminate|].
  f_equal; [specialize (e O); simpl in e; congruence|]. apply IH. intros k. apply (e (S k)).
Qed.

Section Several.
Context {m n : nat}.
Notation A := (fin (S m)).
Notation T := (vec A n).
Notation reads := (release_read (m := m) (n := n)).

#[export] Instance d_moves (q : raw_release) : decided (lipschitz_table (asked (reads q)))
  (forallb (fun j => forallb (fun x : T => forallb (fun y => negb (agree_but_for j x y) ||
    Z.leb (Z.abs (numerator q x - numerator q y)) (Zpos (parts q))) all) all) (seq 0 n)) | 0.
Proof.
  assert (one : forall x y : T, Z.leb (Z.abs (numerator q x - numerator q y)) (Zpos (parts q)) =
    true <->
    Rabs (asked (reads q) x - asked (reads q) y) <= 1).
  { intros x y. pose proof (parts_pos q) as pos. rewrite Z.leb_le. unfold asked, release_read; cbn
    [fst].
    replace (IZR (numerator q x) / IZR (Z.pos (parts q)) - IZR (numerator q y) / IZR (Z.pos (parts
      q)))
      with ((IZR (numerator q x) - IZR (numerator q y)) * / IZR (Z.pos (parts q))) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge; left; now apply Rinv_0_lt_compat).
    rewrite <- minus_IZR, <- abs_IZR. split.
    - intros h. apply IZR_le in h. apply (Rmult_le_reg_r (IZR (Z.pos (parts q)))); [easy|].
      rewrite Rmult_assoc, Rinv_l by lra. lra.
    - intros h. apply le_IZR. apply (Rmult_le_compat_r (IZR (Z.pos (parts q)))) in h; [|lra].
      rewrite Rmult_assoc, Rinv_l in h by lra. lra. }
  unfold decided. rewrite forallb_forall. split.
  - intros h j x y diff. destruct (Nat.lt_ge_cases j n) as [here|far].
    + specialize (h j ltac:(apply in_seq; lia)). rewrite forallb_forall in h.
      specialize (h x (all_here x)). rewrite forallb_forall in h. specialize (h y (all_here y)).
      apply orb_prop in h as [h|h]; [|now apply one].
      apply negb_true_iff in h. apply agree_is in diff. congruence.
    + apply one. apply Z.leb_le. assert (x = y) as ->.
      { pose proof (beyond_is_same j x y far diff) as e.
        apply (f_equal (table_of (A := A) None n)) in e. now rewrite !table_list in e. }
      rewrite Z.sub_diag. simpl. lia.
  - intros h j _. apply forallb_forall; intros x _. apply forallb_forall; intros y _.
    destruct (agree_but_for j x y) eqn:E; [|easy]. simpl. apply one. apply (h j). now apply
      agree_is.
Qed.

Fixpoint powers (l : list raw_release) (v : T) (ys : list T) : R := match l, ys with
  | r :: l, y :: ys => Q2R (rho r) ^ Z.abs_nat (numerator r y - numerator r v) * powers l v ys
  | [], [] => 1 | _, _ => 0 end.
Fixpoint qpowers (l : list raw_release) (v : T) (ys : list T) : Q := match l, ys with
  | r :: l, y :: ys => Qred (qpow (rho r) (Z.abs_nat (numerator r y - numerator r v)) * qpowers l v
    ys)
  | [], [] => 1%Q | _, _ => 0%Q end.
#[export] Instance r_powers l v ys : rational (powers l v ys) (qpowers l v ys).
Proof.
  unfold rational. revert ys; induction l as [|r l IH]; intros [|y ys]; cbn [powers qpowers];
    try (unfold Q2R; simpl; lra).
  rewrite red, Q2R_mult, <- IH. f_equal. apply r_pow. easy.
Qed.
Fixpoint tables (l : list raw_release) : list (list T) := match l with [] => [[]]
  | _ :: l => map (fun yw => fst yw :: snd yw) (list_prod all (tables l)) end.
Fixpoint values_at (l : list raw_release) (ys : list T) : list R := match l, ys with
  | r :: l, y :: ys => asked (reads r) y :: values_at l ys | _, _ => [] end.
Fixpoint heights (l : list raw_release) : R := match l with [] => 1
  | r :: l => / (2 * with_noise (reads r)) * heights l end.
Notation queries l := (map (fun r => (asked r, with_noise r)) (map reads l)).

Lemma heights_pos l : 0 < heights l.
Proof.
  induction l as [|r l IH]; cbn [heights]; [lra|]. apply Rmult_lt_0_compat; [|easy].
  apply Rinv_0_lt_compat. pose proof (scale_pos (m := m) (n := n) r). lra.
Qed.

Lemma grid_tables l ws : In ws (grid (queries l)) <-> exists ys, In ys (tables l) /\ ws = values_at
  l ys.
Proof.
  revert ws. induction l as [|r l IH]; intros ws; cbn [map grid tables].
  - split; [intros [<-|[]]; exists []; split; [now left|easy]|intros [ys [[<-|[]] ->]]; now left].
  - rewrite in_map_iff. split.
    + intros [[y vs] [<- i]]. apply in_prod_iff in i as [_ i]. apply IH in i as [ys [i ->]].
      exists (y :: ys). split; [|easy]. apply in_map_iff. exists (y, ys). split; [easy|].
      apply in_prod; [apply all_here|easy].
    + intros [zs [i ->]]. apply in_map_iff in i as [[y ys] [<- i]]. apply in_prod_iff in i as [_ i].
      exists (y, values_at l ys). split; [easy|]. apply in_prod; [apply all_here|]. apply IH. now
        exists ys.
Qed.

Lemma noisy_powers l v ys : In ys (tables l) ->
  noisy (queries l) v (values_at l ys) = powers l v ys * heights l.
Proof.
  revert ys. induction l as [|r l IH]; intros ys; cbn [map tables].
  - intros [<-|[]]. simpl. ring.
  - intros i. apply in_map_iff in i as [[y zs] [<- i]]. apply in_prod_iff in i as [_ i].
    cbn [values_at noisy powers heights fst snd]. rewrite IH by easy. rewrite (read_laplace r v y).
      ring.
Qed.

#[export] Instance d_releases ratio (l : list raw_release) (c : list raw_chain) b :
  (forall r i x y ys, decided (0 < P (law_of_chain (chain_read r) n) (record_is (d A) i x) ->
    0 < P (law_of_chain (chain_read r) n) (record_is (d A) i y) ->
    Pw (law_of_chain (chain_read r) n) (powers l) (record_is (d A) i x) ys *
      P (law_of_chain (chain_read r) n) (record_is (d A) i y) <=
    ratio * P (law_of_chain (chain_read r) n) (record_is (d A) i x) *
      Pw (law_of_chain (chain_read r) n) (powers l) (record_is (d A) i y) ys) (b r i x y ys)) ->
  decided (pufferfish ratio (noisy_releases (map reads l)) (two_values (d A) n) (laws_of
    (class_read c) n))
    (forallb (fun r => forallb (fun i => forallb (fun x => forallb (fun y => forallb (b r i x y)
      (tables l)) all) all) (seq 0 n)) c) | 0.
Proof.
  intros each. unfold decided, noisy_releases. rewrite promise_on_grid.
  2: { intros f s i. apply in_map_iff in i as [r [E i]]. apply in_map_iff in i as [q [<- i]].
    injection E as _ <-. apply (scale_pos (m := m) (n := n)). }
  assert (E : forall p s ys, In ys (tables l) -> Pw p (noisy (queries l)) s (values_at l ys) =
    heights l * Pw p (powers l) s ys).
  { intros p s ys i. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros v _.
    rewrite noisy_powers by easy. ring. }
  pose proof (heights_pos l) as h0. split.
  - intros h p s t ws [k [i ->]] [j [x [y [-> ->]]]] here Ps Pt.
    apply in_map_iff in i as [r [<- i]]. apply grid_tables in here as [ys [iy ->]].
    destruct (Nat.lt_ge_cases j n) as [inside_|far]; [|now apply (beyond_impossible _ j x far) in
      Ps].
    rewrite forallb_forall in h. specialize (h r i). rewrite forallb_forall in h.
    specialize (h j). rewrite in_seq, forallb_forall in h. specialize (h ltac:(lia) x (all_here x)).
    rewrite forallb_forall in h. specialize (h y (all_here y)). rewrite forallb_forall in h.
    specialize (h ys iy). apply (each r j x y ys) in h; auto. rewrite !E by easy. nra.
  - intros h. apply forallb_forall; intros r i. apply forallb_forall; intros j _.
    apply forallb_forall; intros x _. apply forallb_forall; intros y _. apply forallb_forall;
      intros ys iy.
    apply each. intros Ps Pt.
    specialize (h (law_of_chain (chain_read r) n) (record_is (d A) j x) (record_is (d A) j y)
      (values_at l ys)). rewrite !E in h by easy.
    assert (heights l * Pw (law_of_chain (chain_read r) n) (powers l) (record_is (d A) j x) ys *
      P (law_of_chain (chain_read r) n) (record_is (d A) j y) <=
      ratio * P (law_of_chain (chain_read r) n) (record_is (d A) j x) *
      (heights l * Pw (law_of_chain (chain_read r) n) (powers l) (record_is (d A) j y) ys)) as le.
    { apply h; auto.
      - exists (chain_read r). split; [now apply in_map|easy].
      - exists j, x, y. now split.
      - apply grid_tables. now exists ys. }
    nra.
Qed.
End Several.

(** Levels of releases. *)
#[export] Instance l_release {m n} q : level (at_level (release_read (m := m) (n := n) q))
  (ratio_of q).
Proof. split; [apply positive_pos|easy]. Qed.
#[export] Instance l_releases {m n} (l : list raw_release) :
  level (sum (map (release_read (m := m) (n := n)) l) at_level) (qprod l ratio_of).
Proof.
  unfold qprod. induction l as [|q l [pos IH]]; cbn [map sum fold_right].
  - split; [rewrite one_q; lra|]. now rewrite one_q, ln_1.
  - apply (l_plus _ _ (ratio_of q)); [apply l_release|now split].
Qed.
#[export] Instance d_level_le x y p q : level x p -> level y q -> decided (x <= y) (Qle_bool p q) |
  6.
Proof.
  intros [p0 ->] [q0 ->]. unfold decided. rewrite Qle_bool_iff. split.
  - intros h. apply Qle_Rle in h. destruct h as [less|<-]; [left; now apply ln_increasing|lra].
  - intros h. apply Rle_Qle. apply Rnot_lt_le. intros less. apply (ln_increasing _ _ q0) in less.
    lra.
Qed.
