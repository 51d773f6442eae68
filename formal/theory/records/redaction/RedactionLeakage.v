(** What redaction that does not look at values leaks of a bit of a stationary chain. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts Recursion InnerBit.
From Pufferproof Require Import Redaction TwoStates.
Import ListNotations.
Open Scope R_scope.

Section Dim.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation power := (power al be).
Notation told := (told al be).
Notation T := (constant_steps al be).
Let LT := constant_law al be al0 order be1.

(** The record at distance k is replaced with probability rho k, whatever its value. *)
Definition dim (rho : nat -> R) k (x : bool) : R := rho k.
(** The nearest record that is not always replaced, of n; there need not be one. *)
Definition nearest (rho : nat -> R) n (d : option nat) := match d with
  | Some D => (1 <= D <= n)%nat /\ rho D < 1 /\ forall k, (1 <= k < D)%nat -> rho k = 1
  | None => forall k, (1 <= k <= n)%nat -> rho k = 1 end.
Definition shares (rho : nat -> R) := forall k, 0 <= rho k <= 1.

Lemma dim_chances rho : shares rho -> chances (dim rho).
Proof. intros s k x. apply s. Qed.

Lemma shows_next rho k n b o y : shows T (dim rho) k (S n) b (o :: y) =
  flip al be b true * (symbol (dim rho) (S k) true o * shows T (dim rho) (S k) n true y) +
  flip al be b false * (symbol (dim rho) (S k) false o * shows T (dim rho) (S k) n false y).
Proof. unfold shows. rewrite mean_next. simpl. now rewrite !mean_scale. Qed.

Lemma shows_short rho k n b : shows T (dim rho) k (S n) b [] = 0.
Proof.
  unfold shows, mean. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros; simpl; ring.
Qed.

Lemma shows_end rho k b y : shows T (dim rho) k 0 b y = match y with [] => 1 | _ => 0 end.
Proof. unfold shows, mean. destruct y; simpl; ring. Qed.

Lemma shows_star rho k n b y : shows T (dim rho) k (S n) b (None :: y) =
  rho (S k) * (flip al be b true * shows T (dim rho) (S k) n true y +
               flip al be b false * shows T (dim rho) (S k) n false y).
Proof. rewrite shows_next. unfold symbol, dim. ring. Qed.

Lemma shows_value rho k n b z y : shows T (dim rho) k (S n) b (Some z :: y) =
  power 1 b z * ((1 - rho (S k)) * shows T (dim rho) (S k) n z y).
Proof. rewrite shows_next. unfold symbol, dim. destruct z; simpl; ring. Qed.

Lemma shows_nonneg rho k n b y : shares rho -> 0 <= shows T (dim rho) k n b y.
Proof.
  intros s. apply mean_nonneg; [apply LT|]. intros v. now apply redact_nonneg, dim_chances.
Qed.

Lemma flip_total b : flip al be b true + flip al be b false = 1.
Proof. destruct b; simpl; ring. Qed.

(** What is shown tells the value of one record, no nearer than the nearest one, and nothing else of
    the private bit; or nothing at all. *)
Lemma shows_one rho n : shares rho -> forall k y,
  (exists rest, 0 <= rest /\ forall b, shows T (dim rho) k n b y = rest) \/
  exists D z rest, (1 <= D <= n)%nat /\ rho (k + D)%nat < 1 /\ 0 <= rest /\
    forall b, shows T (dim rho) k n b y = power D b z * rest.
Proof.
  intros s. induction n as [|n IH]; intros k y.
  - left. exists (match y with [] => 1 | _ => 0 end).
    split; [destruct y; lra|]. intros b. apply shows_end.
  - destruct y as [|[z|] y].
    + left. exists 0. split; [lra|]. intros b. apply shows_short.
    + destruct (Rlt_dec (rho (S k)) 1) as [less|].
      * right. exists 1%nat, z, ((1 - rho (S k)) * shows T (dim rho) (S k) n z y).
        rewrite Nat.add_1_r. repeat split; try lia; try easy.
        { apply Rmult_le_pos; [lra|now apply shows_nonneg]. }
        intros b. apply shows_value.
      * left. exists 0. split; [lra|]. intros b. rewrite shows_value.
        pose proof (s (S k)). replace (1 - rho (S k)) with 0 by lra. ring.
    + pose proof (s (S k)) as [r0 _].
      destruct (IH (S k) y) as [[rest [rest0 E]]|[D [z [rest [d [less [rest0 E]]]]]]].
      * left. exists (rho (S k) * rest). split; [now apply Rmult_le_pos|]. intros b.
        rewrite shows_star, !E, <- Rmult_plus_distr_r, flip_total. ring.
      * right. exists (S D), z, (rho (S k) * rest). split; [lia|].
        split; [now rewrite Nat.add_succ_r|]. split; [now apply Rmult_le_pos|]. intros b.
        rewrite shows_star, !E. cbn [TwoStates.power]. ring.
Qed.

(** Some output is possible, whatever the private bit is. *)
Lemma some_output rho n : shares rho -> forall k, exists y, forall b,
  0 < shows T (dim rho) k n b y.
Proof.
  intros s. induction n as [|n IH]; intros k.
  - exists []. intros b. rewrite shows_end. lra.
  - destruct (IH (S k)) as [y pos]. pose proof (s (S k)) as [r0 r1].
    destruct (Rlt_dec (rho (S k)) 1) as [less|].
    + exists (Some true :: y). intros b. rewrite shows_value.
      repeat apply Rmult_lt_0_compat; auto; try lra. now apply power_pos.
    + exists (None :: y). intros b. rewrite shows_star.
      apply Rmult_lt_0_compat; [lra|].
      apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; auto; now apply flip_pos.
Qed.

(** Some output shows that the nearest record is z. *)
Lemma shown_nearest rho z D : shares rho -> forall k n, (1 <= D <= n)%nat ->
  rho (k + D)%nat < 1 -> (forall j, (1 <= j < D)%nat -> rho (k + j)%nat = 1) ->
  exists y rest, 0 < rest /\ forall b, shows T (dim rho) k n b y = power D b z * rest.
Proof.
  intros s. induction D as [|D IH]; intros k n [low high] here none; [lia|].
  destruct n as [|n]; [lia|]. destruct D as [|D].
  - rewrite Nat.add_1_r in here. destruct (some_output rho n s (S k)) as [y pos].
    exists (Some z :: y), ((1 - rho (S k)) * shows T (dim rho) (S k) n z y).
    split; [apply Rmult_lt_0_compat; [lra|apply pos]|]. intros b. apply shows_value.
  - assert (first : rho (S k) = 1) by (rewrite <- Nat.add_1_r; apply none; lia).
    destruct (IH (S k) n) as [y [rest [r0 E]]].
    + lia.
    + replace (S k + S D)%nat with (k + S (S D))%nat by lia. exact here.
    + intros j i. rewrite <- (none (S j)) by lia. f_equal. lia.
    + exists (None :: y), rest. split; [easy|]. intros b.
      rewrite shows_star, !E, first. cbn [TwoStates.power]. ring.
Qed.

Lemma shown_nothing rho n : shares rho -> forall k,
  (forall j, (1 <= j <= n)%nat -> rho (k + j)%nat = 1) ->
  exists y, forall b, shows T (dim rho) k n b y = 1.
Proof.
  intros s. induction n as [|n IH]; intros k none.
  - exists []. intros b. apply shows_end.
  - destruct (IH (S k)) as [y E].
    + intros j i. rewrite <- (none (S j)) by lia. f_equal. lia.
    + exists (None :: y). intros b. rewrite shows_star, !E, !Rmult_1_r, flip_total.
      pose proof (none 1%nat ltac:(lia)) as first. rewrite Nat.add_1_r in first. lra.
Qed.

(** The largest ratio of b against the other value that one side shows. *)
Definition tells (d : option nat) b := match d with Some D => told D b | None => 1 end.

Lemma side_bounded rho n d b y : shares rho -> nearest rho n d ->
  shows T (dim rho) 0 n b y <= tells d b * shows T (dim rho) 0 n (negb b) y.
Proof.
  intros s near. assert (one : 1 <= tells d b).
  { destruct d as [D|]; simpl; [|lra]. apply told_above_one; auto. apply near. }
  destruct (shows_one rho n s 0%nat y) as [[rest [r0 E]]|[D [z [rest [dn [less [r0 E]]]]]]];
    rewrite !E; [nra|]. simpl in less.
  destruct d as [D0|]; simpl in *.
  - destruct near as [d0 [_ always]].
    assert (far : (D0 <= D)%nat).
    { destruct (Compare_dec.le_lt_dec D0 D) as [le|lt]; [easy|].
      rewrite (always D) in less by lia. lra. }
    pose proof (told_bounds al be al0 order be1 D b z ltac:(lia)) as bound.
    pose proof (told_decreases al be al0 order be1 D0 D b ltac:(lia)) as less'.
    pose proof (power_pos al be al0 order be1 D (negb b) z ltac:(lia)) as pos.
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [easy|]. nra.
  - rewrite (near D) in less by lia. lra.
Qed.

Lemma side_attained rho n d b : shares rho -> nearest rho n d ->
  exists y, 0 < shows T (dim rho) 0 n (negb b) y /\
    shows T (dim rho) 0 n b y = tells d b * shows T (dim rho) 0 n (negb b) y.
Proof.
  intros s near. destruct d as [D|]; simpl.
  - destruct near as [d0 [less always]]. destruct (told_attained al be D b) as [z E].
    destruct (shown_nearest rho z D s 0%nat n d0 less always) as [y [rest [r0 F]]].
    exists y. rewrite !F. split.
    + apply Rmult_lt_0_compat; [apply power_pos; auto; lia|easy].
    + rewrite E, (ratio_times al be al0 order be1 D b z) at 1 by lia. ring.
  - destruct (shown_nothing rho n s 0%nat near) as [y E]. exists y. rewrite !E. lra.
Qed.

Context (a c : nat) (q : bool -> R).
Hypotheses (q1 : 0 < q true) (q0 : 0 < q false).

(** The mechanism keeps R0 if it does for either order. *)
Lemma keeps_both rhoL rhoR l r R0 : shares rhoL -> shares rhoR ->
  nearest rhoL a l -> nearest rhoR c r ->
  pufferfish R0 (redacted a c (dim rhoL) (dim rhoR)) (either_order a c) (eq (bits_law a c q T T))
  <-> forall b, tells l b * tells r b <= R0.
Proof.
  intros sl sr nl nr. assert (qq : forall b, 0 < q b) by (intros []; easy). split.
  - intros promise b.
    destruct (side_attained rhoL a l b sl nl) as [y [pos E]].
    destruct (side_attained rhoR c r b sr nr) as [y' [pos' E']].
    specialize (promise _ (bit_is a c b) (bit_is a c (negb b)) (y, y') eq_refl
      (ex_intro _ b (conj eq_refl eq_refl))).
    rewrite !redacted_told, !P_bit in promise by apply LT. cbn [fst snd] in promise.
    rewrite E, E' in promise. specialize (promise (qq b) (qq (negb b))).
    set (x := shows T (dim rhoL) 0 a (negb b) y) in *.
    set (z := shows T (dim rhoR) 0 c (negb b) y') in *.
    assert (k0 : 0 < q b * q (negb b) * (x * z)) by (repeat apply Rmult_lt_0_compat; auto).
    apply (Rmult_le_reg_r (q b * q (negb b) * (x * z))); [easy|]. lra.
  - intros enough p s t [y y'] <- [b [-> ->]] _ _.
    rewrite !redacted_told, !P_bit by apply LT. cbn [fst snd].
    pose proof (side_bounded rhoL a l b y sl nl) as bl.
    pose proof (side_bounded rhoR c r b y' sr nr) as br.
    pose proof (shows_nonneg rhoL 0 a b y sl) as x0.
    pose proof (shows_nonneg rhoR 0 c b y' sr) as z0.
    pose proof (shows_nonneg rhoL 0 a (negb b) y sl) as x1.
    pose proof (shows_nonneg rhoR 0 c (negb b) y' sr) as z1.
    pose proof (Rmult_le_compat _ _ _ _ x0 z0 bl br) as both.
    specialize (enough b). pose proof (Rmult_le_pos _ _ x1 z1) as xz.
    apply (Rmult_le_compat_r _ _ _ xz) in enough.
    assert (qb : 0 <= q b * q (negb b)) by (apply Rmult_le_pos; now apply Rlt_le).
    assert (step : shows T (dim rhoL) 0 a b y * shows T (dim rhoR) 0 c b y' <=
      R0 * (shows T (dim rhoL) 0 a (negb b) y * shows T (dim rhoR) 0 c (negb b) y')) by lra.
    apply (Rmult_le_compat_l _ _ _ qb) in step. lra.
Qed.

Notation i0 := (i0 al be).
Notation i1 := (i1 al be).
Notation lam := (lam al be).
(** e to the leakage, by the distances of the nearest records. *)
Definition leakage_of (l r : option nat) := match l, r with
  | Some l, Some r => if Rlt_dec lam 0
      then if Nat.odd (l + r) then Rmax (i1 l * i0 r) (i0 l * i1 r) else i1 l * i1 r
      else i1 l * i1 r
  | Some d, None | None, Some d => i1 d
  | None, None => 1 end.

Lemma max_of_both d : (1 <= d)%nat ->
  forall R0, i1 d <= R0 <-> told d true <= R0 /\ told d false <= R0.
Proof.
  intros d1 R0. destruct (told_is al be al0 order be1 d d1) as [le [up down]].
  destruct (Rle_dec 0 (lam ^ d)) as [sign|sign].
  - destruct (up sign) as [-> ->]. lra.
  - destruct (down ltac:(lra)) as [-> ->]. lra.
Qed.

Lemma leakage_of_tells l r rhoL rhoR R0 : nearest rhoL a l -> nearest rhoR c r ->
  leakage_of l r <= R0 <-> forall b, tells l b * tells r b <= R0.
Proof.
  intros nl nr. assert (both : forall P : bool -> Prop, (forall b, P b) <-> P true /\ P false)
    by (intros P; split; [auto|intros [] []; auto]).
  rewrite (both (fun b => tells l b * tells r b <= R0)). destruct l as [l|], r as [r|]; simpl.
  - destruct nl as [[l1 _] _], nr as [[r1 _] _].
    destruct (told_is al be al0 order be1 l l1) as [lel [upl downl]].
    destruct (told_is al be al0 order be1 r r1) as [ler [upr downr]].
    assert (prod : i0 l * i0 r <= i1 l * i1 r) by (apply Rmult_le_compat; lra).
    destruct (power_sign al be l) as [oddl evenl]. destruct (power_sign al be r) as [oddr evenr].
    rewrite Nat.odd_add. destruct Rlt_dec as [neg|pos].
    + destruct (Nat.odd l) eqn:pl, (Nat.odd r) eqn:pr; simpl;
        [destruct (downl (oddl neg eq_refl)) as [-> ->];
         destruct (downr (oddr neg eq_refl)) as [-> ->]
        |destruct (downl (oddl neg eq_refl)) as [-> ->];
         destruct (upr (evenr (or_intror eq_refl))) as [-> ->]
        |destruct (upl (evenl (or_intror eq_refl))) as [-> ->];
         destruct (downr (oddr neg eq_refl)) as [-> ->]
        |destruct (upl (evenl (or_intror eq_refl))) as [-> ->];
         destruct (upr (evenr (or_intror eq_refl))) as [-> ->]]; try lra;
        unfold Rmax; destruct Rle_dec; lra.
    + destruct (upl (evenl (or_introl (Rnot_lt_le _ _ pos)))) as [-> ->].
      destruct (upr (evenr (or_introl (Rnot_lt_le _ _ pos)))) as [-> ->]. lra.
  - rewrite !Rmult_1_r. apply max_of_both. apply nl.
  - rewrite !Rmult_1_l. apply max_of_both. apply nr.
  - lra.
Qed.

(** The leakage of data-independent redaction (massny2025.x-dim-leakage): if l and r are the
    distances of the nearest records on either side that are not always replaced, the mechanism
    keeps R exactly if R is at least e^(i1(l) + i1(r)), or the larger of e^(i1(l) + i0(r)) and
    e^(i0(l) + i1(r)) where 1 - a - b < 0 and l + r is odd; e^i1 of the one distance if the other
    side is always replaced, and 1 if both are.
    Differs: the private bit has any weights with the chain's steps away from it, as in the
    stationary chain; ratios instead of levels. *)
Theorem redaction_leakage rhoL rhoR l r R0 : shares rhoL -> shares rhoR ->
  nearest rhoL a l -> nearest rhoR c r ->
  pufferfish R0 (redacted a c (dim rhoL) (dim rhoR)) (either_order a c) (eq (bits_law a c q T T))
  <-> leakage_of l r <= R0.
Proof.
  intros sl sr nl nr. rewrite (leakage_of_tells l r rhoL rhoR R0 nl nr).
  now apply keeps_both.
Qed.
End Dim.
