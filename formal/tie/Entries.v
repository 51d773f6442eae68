(** How the entries of the vocabulary are decided on tables of rationals: beside Decide.v, a line
  or a lemma each. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Chain ChainQuilts RecordTables.
From Tied Require Import Decide.
Import ListNotations.
Open Scope R_scope.
Fixpoint fin_of {n} (k : nat) : fin (S n) := match n, k with S n, S k => Some (fin_of k) | _, _ =>
  None end.
#[export] Hint Extern 2 (decided (law _) _) => apply d_law : typeclass_instances.
#[export] Hint Extern 2 (decided (likelihood _) _) => unfold likelihood : typeclass_instances.
#[export] Hint Extern 2 (rational (P _ _) _) => unfold P : typeclass_instances.
#[export] Hint Extern 2 (rational (Pw _ _ _ _) _) => unfold Pw : typeclass_instances.
#[export] Hint Extern 2 (rational (inside _ _ _) _) => unfold inside : typeclass_instances.
#[export] Hint Extern 2 (rational (process _ _ _ _) _) => unfold process : typeclass_instances.
#[export] Hint Extern 2 (rational (mixed _ _ _ _) _) => unfold mixed : typeclass_instances.
#[export] Hint Extern 2 (rational (both _ _ _ _) _) => unfold both : typeclass_instances.
#[export] Hint Extern 2 (rational (of_hidden _ _ _) _) => unfold of_hidden : typeclass_instances.
#[export] Hint Extern 2 (rational (sequence_law _ _ _ _) _) => unfold sequence_law :
  typeclass_instances.
#[export] Instance d_pairs_map {A B} (g : A -> B * B) (l : list A) (Q : B -> B -> Prop) b :
  (forall x, decided (Q (fst (g x)) (snd (g x))) (b x)) -> decided (forall u v, In (u, v) (map g
    l) -> Q u v) (forallb b l) | 0.
Proof.
  intros d. unfold decided. rewrite forallb_forall. split.
  - intros h u v i. apply in_map_iff in i as [x [e i]]. apply (f_equal (fun z => (fst z, snd z)))
    in e as e'.
    specialize (proj1 (d x) (h x i)). rewrite e. easy.
  - intros h x i. apply d, h. rewrite <- surjective_pairing. now apply in_map.
Qed.
Fixpoint qreleases {D W} (Ms : list (D -> W -> Q)) x ws : Q := match Ms, ws with
  [], [] => 1%Q | M :: Ms, w :: ws => Qred (M x w * qreleases Ms x ws) | _, _ => 0%Q end.
#[export] Instance r_releases {D W A} (g : A -> D -> W -> R) gq l x ws : (forall a x w, rational
  (g a x w) (gq a x w)) ->
  rational (releases (map g l) x ws) (qreleases (map gq l) x ws).
Proof.
  intros e. unfold rational. revert ws. induction l as [|a l IH]; intros [|w ws]; cbn [map
    releases qreleases]; try (unfold Q2R; simpl; lra).
  rewrite red, Q2R_mult, <- IH. f_equal. apply e.
Qed.
Fixpoint qsteps {A} (T : nat -> A -> A -> Q) k x l : Q := match l with [] => 1%Q | y :: l => Qred
  (T k x y * qsteps T (S k) y l) end.
#[export] Instance r_chain {A} (i : A -> R) T iq Tq l : (forall x, rational (i x) (iq x)) ->
  (forall k x y, rational (T k x y) (Tq k x y)) ->
  rational (chain_weight i T l) (match l with [] => 1%Q | x :: l => Qred (iq x * qsteps Tq 0 x l)
    end).
Proof.
  intros ei eT. assert (s : forall l k x, rational (steps T k x l) (qsteps Tq k x l)).
  { clear l. unfold rational. induction l as [|y l IH]; intros; cbn [steps qsteps]; [unfold Q2R;
    simpl; lra|]. rewrite red, Q2R_mult, <- IH. f_equal. apply eT. }
  destruct l as [|x l]; cbn [chain_weight]; [unfold rational, Q2R; simpl; lra|]. unfold rational
    in *. now rewrite red, Q2R_mult, <- ei, <- s.
Qed.
#[export] Instance r_prod_map {A} (g : A -> R) gq (l : list A) : (forall x, rational (g x) (gq x))
  -> rational (prod (map g l) (fun E => E)) (qprod l gq).
Proof. intros e. unfold rational, qprod. induction l as [|a l IH]; cbn [map prod fold_right];
  [unfold Q2R; simpl; lra|]. rewrite red, Q2R_mult, <- IH. f_equal. apply e. Qed.
(** Levels are logarithms of rationals: their exponentials are rational again. *)
Class level (r : R) (q : Q) := is_level : 0 < Q2R q /\ r = ln (Q2R q).
Definition positive (q : Q) : Q := if Qle_bool q 0 then 1%Q else q.
Lemma positive_pos q : 0 < Q2R (positive q).
Proof. unfold positive. destruct (Qle_bool q 0) eqn:e; [unfold Q2R; simpl; lra|]. rewrite <-
  RMicromega.Q2R_0. apply Qlt_Rlt. apply Qnot_le_lt. rewrite <- Qle_bool_iff. congruence. Qed.
Lemma one_q : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.
Lemma ln_nonpositive x : x <= 0 -> ln x = 0. Proof. intros. unfold ln. destruct (Rlt_dec 0 x);
  [exfalso; lra|easy]. Qed.
#[export] Instance l_ln x q : rational x q -> level (ln x) (positive q).
Proof.
  intros e0. unfold rational in e0. subst x. split; [apply positive_pos|]. unfold positive.
    destruct (Qle_bool q 0) eqn:e; [|reflexivity].
  assert (n : Q2R q <= 0) by (rewrite <- RMicromega.Q2R_0; apply Qle_Rle, Qle_bool_iff, e).
  rewrite (ln_nonpositive _ n), one_q, ln_1. reflexivity.
Qed.
#[export] Instance l_plus x y p q : level x p -> level y q -> level (x + y) (Qred (p * q)).
Proof. intros [p0 ->] [q0 ->]. split; rewrite red, Q2R_mult; [now apply Rmult_lt_0_compat|now
  rewrite ln_mult]. Qed.
Lemma releases_of_length {D W} (Ms : list (D -> W -> R)) x ws : length ws <> length Ms ->
  releases Ms x ws = 0.
Proof.
  revert ws; induction Ms as [|M Ms IH]; intros [|w ws] ne; simpl in *; try easy.
  rewrite IH by congruence. ring.
Qed.
Fixpoint qpow (q : Q) k : Q := match k with O => 1%Q | S k => Qred (q * qpow q k) end.
Lemma qpow_r q k : Q2R (qpow q k) = Q2R q ^ k.
Proof.
  induction k as [|k IH]; cbn [qpow pow]; [exact one_q|]. now rewrite red, Q2R_mult, IH.
Qed.
#[export] Instance r_pow x q k : rational x q -> rational (x ^ k) (qpow q k).
Proof. unfold rational. intros ->. now rewrite qpow_r. Qed.
#[export] Instance l_times n x q : level x q -> level (INR n * x) (qpow q n).
Proof.
  intros [q0 ->]. induction n as [|n [h e]]; cbn [qpow].
  - split; [rewrite one_q; lra|]. rewrite one_q, ln_1. simpl. ring.
  - split; rewrite red, Q2R_mult; [now apply Rmult_lt_0_compat|]. rewrite ln_mult, <- e, S_INR by
    easy. ring.
Qed.
#[export] Instance r_exp x q : level x q -> rational (exp x) q. Proof. intros [q0 ->]. unfold
  rational. now apply exp_ln. Qed.
#[export] Hint Extern 1 (level (INR _ * _) _) => apply l_times : typeclass_instances.
Fixpoint vec_of {A} (d : A) n (l : list A) : vec A n := match n with O => tt | S n => (hd d l,
  vec_of d n (tl l)) end.
#[export] Instance d_keeps {D W A B} `{Finite D} `{Finite W} ratio (M : D -> W -> R) (a b : B ->
  @secret D) (f : A -> D -> R) lq lp c :
  (forall x y w, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) -> Pw (f x) M (a y) w * P (f x)
    (b y) <= ratio * P (f x) (a y) * Pw (f x) M (b y) w) (c x y w)) ->
  decided (pufferfish ratio M (fun s t => In (s, t) (map (fun y => (a y, b y)) lq)) (fun p => In p
    (map f lp))) (forallb (fun x => forallb (fun y => forallb (c x y) all) lq) lp) | 0.
Proof. intros d. apply d_promise. apply d_in_map; intros x. apply (d_pairs_map (fun y => (a y, b
  y))); intros y. apply d_all; intros w. apply d. Qed.
#[export] Hint Extern 0 (decided (0 < P _ _ -> _) _) => unfold P, Pw, process, mixed, inside; cbn
  [fst snd] : typeclass_instances.
