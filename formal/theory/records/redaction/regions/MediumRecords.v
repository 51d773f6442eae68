(** Mechanisms with three regions on one side of a record of a stationary chain of bits: what is
    shown behind records that are replaced, and when the side keeps a level (massny2025, appendix
    A). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Means Chain ChainQuilts Recursion InnerBit.
From Pufferproof Require Import Redaction TwoStates RedactionLeakage RedactionUtility Local.
From Pufferproof Require Import Stationary SidesOfRecord BothSides SideLevels.
Import ListNotations.
Open Scope R_scope.

(** The weights f of some records, from the distance k + 1 on. *)
Fixpoint weight (f : nat -> bool -> R) k (l : list bool) : R := match l with [] => 1
  | x :: l => f (S k) x * weight f (S k) l end.
(** The mean weight of n records behind distance k, given the record x at distance k: with the
    record behind them equal to z, and whatever is behind them. *)
Definition mean_before al be f n k (z x : bool) : R :=
  mean (constant_steps al be) k
    (fun v : vec bool n => weight f k (list_of v) * flip al be (last (list_of v) x) z) x.
Definition mean_weight al be f n k (x : bool) : R :=
  mean (constant_steps al be) k (fun v : vec bool n => weight f k (list_of v)) x.

(** At distance k and for the budget B = e^eps: u if the record is in M, and 1 otherwise. *)
Definition if_medium al be B k (u : R) : R :=
  if Rlt_dec B (i0 al be k) then 1 else if Rlt_dec B (i1 al be k) then u else 1.
Definition medium_weight al be B (q : nat -> R) k (x : bool) : R :=
  if_medium al be B k (if x then 1 else q k).
(** The chances of the three regions. *)
Definition three_chances al be B (q : nat -> R) k (x : bool) : R :=
  if Rlt_dec B (i0 al be k) then 1
  else if Rlt_dec B (i1 al be k) then (if x then 1 else q k) else 0.
(** Conditions (5) and (6) at level R0, on a side of c records. *)
Definition conditions al be B q c R0 := forall D, (1 <= D <= c)%nat ->
  i0 al be D <= B < i1 al be D -> forall x,
  ((D < c)%nat -> forall z, three_chances al be B q (S D) z < 1 ->
    mean_before al be (medium_weight al be B q) D 0 z x <=
    R0 * mean_before al be (medium_weight al be B q) D 0 z (negb x)) /\
  (D = c -> mean_weight al be (medium_weight al be B q) D 0 x <=
    R0 * mean_weight al be (medium_weight al be B q) D 0 (negb x)).

Lemma last_next {A} (a x : A) l : last (a :: l) x = last l a.
Proof.
  revert a x; induction l as [|b l IH]; intros a x; [easy|].
  change (last (b :: l) x = last (b :: l) a). now rewrite !IH.
Qed.

Section Steps.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation T := (constant_steps al be).
Notation power := (TwoStates.power al be).

Lemma mean_before_next f n k z x : mean_before al be f (S n) k z x =
  flip al be x true * (f (S k) true * mean_before al be f n (S k) z true) +
  flip al be x false * (f (S k) false * mean_before al be f n (S k) z false).
Proof.
  unfold mean_before. rewrite mean_next. f_equal; (apply f_equal2; [easy|]); rewrite <- mean_scale;
    apply sum_ext; intros v _; cbn [list_of weight fst snd]; rewrite last_next; ring.
Qed.

Lemma mean_before_0 f k z x : mean_before al be f 0 k z x = flip al be x z.
Proof. unfold mean_before, mean. simpl. ring. Qed.

Lemma mean_weight_next f n k x : mean_weight al be f (S n) k x =
  flip al be x true * (f (S k) true * mean_weight al be f n (S k) true) +
  flip al be x false * (f (S k) false * mean_weight al be f n (S k) false).
Proof.
  unfold mean_weight. rewrite mean_next. f_equal; (apply f_equal2; [easy|]); rewrite <- mean_scale;
    apply sum_ext; intros v _; cbn [list_of weight fst snd]; ring.
Qed.

Lemma mean_weight_0 f k x : mean_weight al be f 0 k x = 1.
Proof. unfold mean_weight, mean. simpl. ring. Qed.

(** A weight between m and 1 changes a nonnegative mean by a factor between them. *)
Lemma scaled a b g h m P u v : 0 <= a -> 0 <= b -> m <= g <= 1 -> m <= h <= 1 -> 0 <= m ->
  0 <= P -> forall s t, P * s <= u <= s -> P * t <= v <= t -> 0 <= s -> 0 <= t ->
  (m * P) * (a * s + b * t) <= a * (g * u) + b * (h * v) <= a * s + b * t.
Proof.
  intros a0 b0 gm hm m0 P0 s t us vt s0 t0.
  assert (one : forall g u s, m <= g <= 1 -> P * s <= u <= s -> 0 <= s ->
    m * P * s <= g * u <= s).
  { clear - m0 P0. intros g u s gm us s0.
    assert (0 <= P * s) by now apply Rmult_le_pos. split.
    - rewrite Rmult_assoc. apply Rmult_le_compat; lra.
    - rewrite <- (Rmult_1_l s). apply Rmult_le_compat; lra. }
  pose proof (one g u s gm us s0) as [g1 g2]. pose proof (one h v t hm vt t0) as [h1 h2].
  pose proof (Rmult_le_compat_l _ _ _ a0 g1). pose proof (Rmult_le_compat_l _ _ _ a0 g2).
  pose proof (Rmult_le_compat_l _ _ _ b0 h1). pose proof (Rmult_le_compat_l _ _ _ b0 h2). lra.
Qed.

Lemma power_nonneg n x z : 0 <= power n x z.
Proof.
  destruct n as [|n]; [simpl; destruct eqb; lra|].
  apply Rlt_le, (power_positive al be al0 be0 al1 be1). lia.
Qed.

Lemma prod_positive (l : list nat) m : (forall j, In j l -> 0 < m j) -> 0 < prod l m.
Proof.
  induction l as [|j l IH]; intros m0; simpl; [lra|].
  apply Rmult_lt_0_compat; [apply m0; now left|apply IH; intros; apply m0; now right].
Qed.

Section Bounds.
Context (f : nat -> bool -> R) (m : nat -> R).
Hypotheses (m0 : forall j, 0 < m j) (mf : forall j x, m j <= f j x <= 1).

Lemma flip_nonneg x z : 0 <= flip al be x z.
Proof. destruct x, z; simpl; lra. Qed.

(** Means of weights lie between the product of the least weights and 1, as if nothing were
    weighed. *)
Lemma mean_before_bounds n : forall k z x,
  prod (seq (S k) n) m * power (S n) x z <= mean_before al be f n k z x <= power (S n) x z.
Proof.
  induction n as [|n IH]; intros k z x.
  - rewrite mean_before_0. cbn [seq prod TwoStates.power]. destruct z; cbn [eqb]; lra.
  - rewrite mean_before_next. cbn [seq prod].
    change (power (S (S n)) x z) with
      (flip al be x true * power (S n) true z + flip al be x false * power (S n) false z).
    apply scaled; auto using flip_nonneg, power_nonneg.
    + now apply Rlt_le.
    + apply Rlt_le, prod_positive; auto.
Qed.

Lemma mean_weight_bounds n : forall k x,
  prod (seq (S k) n) m <= mean_weight al be f n k x <= 1.
Proof.
  induction n as [|n IH]; intros k x.
  - rewrite mean_weight_0. simpl. lra.
  - rewrite mean_weight_next. cbn [seq prod].
    assert (one : flip al be x true * 1 + flip al be x false * 1 = 1) by (destruct x; simpl; ring).
    rewrite <- (Rmult_1_r (m (S k) * _)), <- one.
    apply scaled; auto using flip_nonneg; try lra.
    + now apply Rlt_le.
    + apply Rlt_le, prod_positive; auto.
    + rewrite Rmult_1_r. apply IH.
    + rewrite Rmult_1_r. apply IH.
Qed.
End Bounds.

Lemma means_alike f g n : forall k, (forall j x, (k < j <= k + n)%nat -> f j x = g j x) ->
  forall z x, mean_before al be f n k z x = mean_before al be g n k z x /\
    mean_weight al be f n k x = mean_weight al be g n k x.
Proof.
  induction n as [|n IH]; intros k alike z x.
  - now rewrite !mean_before_0, !mean_weight_0.
  - rewrite !mean_before_next, !mean_weight_next, !alike by lia.
    assert (rest : forall j y, (S k < j <= S k + n)%nat -> f j y = g j y)
      by (intros; apply alike; lia).
    destruct (IH (S k) rest z true) as [-> ->]. destruct (IH (S k) rest z false) as [-> ->].
    easy.
Qed.

(** Nothing is shown behind a record that is always shown. *)
Lemma means_zero f n : forall k j, (k < j <= k + n)%nat -> (forall x, f j x = 0) ->
  forall z x, mean_before al be f n k z x = 0 /\ mean_weight al be f n k x = 0.
Proof.
  induction n as [|n IH]; intros k j i zero z x; [lia|].
  rewrite mean_before_next, mean_weight_next. destruct (Nat.eq_dec j (S k)) as [->|ne].
  - rewrite !zero. split; ring.
  - destruct (IH (S k) j ltac:(lia) zero z true) as [-> ->].
    destruct (IH (S k) j ltac:(lia) zero z false) as [-> ->]. split; ring.
Qed.

Lemma means_of_ones f n : forall k, (forall j x, (k < j <= k + n)%nat -> f j x = 1) ->
  forall z x, mean_before al be f n k z x = power (S n) x z /\ mean_weight al be f n k x = 1.
Proof.
  intros k ones z x. destruct (means_alike f (fun _ _ => 1) n k ones z x) as [-> ->].
  pose proof (mean_before_bounds (fun _ _ => 1) (fun _ => 1) ltac:(intros; lra)
    ltac:(intros; lra) n k z x) as B.
  pose proof (mean_weight_bounds (fun _ _ => 1) (fun _ => 1) ltac:(intros; lra)
    ltac:(intros; lra) n k x) as W.
  assert (one : forall l : list nat, prod l (fun _ => 1) = 1)
    by (induction l as [|j l IH]; simpl; [easy|rewrite IH; ring]).
  rewrite one in *. lra.
Qed.

(** What is shown behind replaced records. *)
Lemma shows_behind r c z rest : forall n k b,
  shows T r k (n + S c) b (repeat None n ++ Some z :: rest) =
  mean_before al be r n k z b *
  ((1 - r (k + S n)%nat z) * shows T r (k + S n) c z rest).
Proof.
  induction n as [|n IH]; intros k b; cbn [Nat.add repeat app].
  - rewrite (shows_step al be), mean_before_0, Nat.add_1_r.
    destruct z; cbn [symbol eqb]; ring.
  - rewrite (shows_step al be), !IH, mean_before_next.
    replace (S k + S n)%nat with (k + S (S n))%nat by lia. cbn [symbol]. ring.
Qed.

Lemma shows_none r : forall n k b,
  shows T r k n b (repeat None n) = mean_weight al be r n k b.
Proof.
  induction n as [|n IH]; intros k b; cbn [repeat].
  - unfold shows, mean_weight, mean. simpl. ring.
  - rewrite (shows_step al be), !IH, mean_weight_next. cbn [symbol]. ring.
Qed.

Lemma first_shown_of (y : list (option bool)) : y = repeat None (length y) \/
  exists n z rest, y = repeat None n ++ Some z :: rest /\ (n < length y)%nat.
Proof.
  induction y as [|[z|] y IH]; [now left|right; exists 0%nat, z, y; simpl; split; [easy|lia]|].
  destruct IH as [->|[n [z [rest [e less]]]]].
  - left. simpl. now rewrite repeat_length.
  - right. exists (S n), z, rest. simpl. split; [now rewrite e|lia].
Qed.

(** A value at a distance is at most e^i as likely given one value as given the other. *)
Lemma influence_bounds D z b b' : (1 <= D)%nat ->
  power D b z <= influence_at al be z D * power D b' z.
Proof.
  intros d1. destruct (value_ratio al be al0 be0 al1 be1 z D d1) as [m1 E].
  pose proof (power_nonneg D b z) as p0. set (m := influence_at al be z D) in *.
  assert (same : power D b z <= m * power D b z).
  { rewrite <- (Rmult_1_l (power D b z)) at 1. now apply Rmult_le_compat_r. }
  destruct (bool_dec b b') as [<-|ne]; [easy|].
  assert (b' = negb b) as -> by (destruct b, b'; easy). clear ne.
  destruct (bool_dec b (towards al be z D)) as [->|ne]; [rewrite E; lra|].
  assert (towards al be z D = negb b) as t by (destruct b, towards; easy).
  rewrite t, negb_involutive in E. rewrite E.
  assert (m * power D b z <= m * (m * power D b z)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section Side.
Context (B : R) (q : nat -> R).
Hypothesis q01 : forall k, 0 <= q k <= 1.
Notation i0 := (i0 al be).
Notation i1 := (i1 al be).
Notation r := (three_chances al be B q).
Notation w := (medium_weight al be B q).

Lemma side_chances : chances r.
Proof.
  intros k x. unfold three_chances. specialize (q01 k). destruct Rlt_dec; [lra|].
  destruct Rlt_dec, x; lra.
Qed.

Lemma weights_of n : (forall j, (1 <= j <= n)%nat -> B < i1 j) -> forall z x,
  mean_before al be r n 0 z x = mean_before al be w n 0 z x /\
  mean_weight al be r n 0 x = mean_weight al be w n 0 x.
Proof.
  intros no_small. apply means_alike. intros j y i. unfold three_chances, medium_weight, if_medium.
  destruct Rlt_dec; [easy|]. destruct Rlt_dec as [|no]; [easy|]. destruct no.
  apply no_small. lia.
Qed.

(** A side that keeps a level meets the conditions. *)
Lemma conditions_necessary c R0 :
  (forall b y, length y = c -> shows T r 0 c b y <= R0 * shows T r 0 c (negb b) y) ->
  (forall j D, (1 <= j <= D)%nat -> i1 D <= i1 j) -> conditions al be B q c R0.
Proof.
  intros kept falls D i [_ medium] x.
  assert (no_small : forall j, (1 <= j <= D)%nat -> B < i1 j)
    by (intros j jd; specialize (falls j D jd); lra).
  destruct (weights_of D no_small true x) as [_ W], (weights_of D no_small true (negb x)) as [_ W'].
  split.
  - intros less z shown. destruct (Nat.le_exists_sub (S D) c less) as [e [ec _]].
    assert (c = D + S e)%nat as -> by lia. clear ec.
    destruct (some_possible al be al0 be0 al1 be1 r e side_chances (S D) z) as [y [len pos]].
    specialize (kept x (repeat None D ++ Some z :: y)).
    rewrite app_length, repeat_length in kept. specialize (kept ltac:(simpl; lia)).
    rewrite !shows_behind in kept. cbn [Nat.add] in kept.
    destruct (weights_of D no_small z x) as [<- _], (weights_of D no_small z (negb x)) as [<- _].
    apply (Rmult_le_reg_r ((1 - r (S D) z) * shows T r (S D) e z y)); [|lra].
    apply Rmult_lt_0_compat; lra.
  - intros ->. specialize (kept x (repeat None c) ltac:(apply repeat_length)).
    rewrite !shows_none, W, W' in kept. exact kept.
Qed.

(** A side meets a level if it meets the conditions, and the first record that can be shown tells no
    more. *)
Lemma conditions_sufficient c R0 : 1 <= R0 -> (forall j D, (1 <= j <= D)%nat -> i0 D <= i0 j) ->
  (forall j D, (1 <= j <= D)%nat -> i1 D <= i1 j) ->
  (forall D z, (D < c)%nat -> (forall j, (1 <= j <= D)%nat -> B < i0 j) -> r (S D) z < 1 ->
    influence_at al be z (S D) <= R0) ->
  conditions al be B q c R0 ->
  forall b y, length y = c -> shows T r 0 c b y <= R0 * shows T r 0 c (negb b) y.
Proof.
  intros R1 falls0 falls1 first met b y len.
  assert (each : forall D, (D <= c)%nat -> (D = 0%nat \/ B < i0 D) \/
    ((1 <= D)%nat /\ i0 D <= B < i1 D) \/ ((1 <= D)%nat /\ forall x, r D x = 0)).
  { intros D le. destruct D as [|D]; [now left; left|]. unfold three_chances.
    destruct Rlt_dec; [left; now right|right]. destruct Rlt_dec; [left|right]; split; try lia;
      [lra|easy]. }
  assert (large : forall D, D = 0%nat \/ B < i0 D ->
    forall j, (1 <= j <= D)%nat -> B < i0 j).
  { intros D [->|l] j i; [lia|]. specialize (falls0 j D i). lra. }
  assert (ones : forall D, (forall j, (1 <= j <= D)%nat -> B < i0 j) ->
    forall j x, (0 < j <= 0 + D)%nat -> r j x = 1).
  { intros D l j x i. unfold three_chances. destruct Rlt_dec as [|no]; [easy|].
    destruct no. apply l. lia. }
  assert (no_small : forall D, B < i1 D -> forall j, (1 <= j <= D)%nat -> B < i1 j)
    by (intros D l j i; specialize (falls1 j D i); lra).
  destruct (first_shown_of y) as [e|[D [z [rest [e less]]]]].
  - rewrite len in e. subst y. rewrite !shows_none.
    destruct (each c (le_n c)) as [l|[[c1 m]|[c1 s]]].
    + destruct (means_of_ones r c 0 (ones c (large c l)) true b) as [_ ->].
      destruct (means_of_ones r c 0 (ones c (large c l)) true (negb b)) as [_ ->]. lra.
    + destruct (weights_of c (no_small c (proj2 m)) true b) as [_ ->].
      destruct (weights_of c (no_small c (proj2 m)) true (negb b)) as [_ ->].
      now apply (met c ltac:(lia) m b).
    + destruct (means_zero r c 0 c ltac:(lia) s true b) as [_ ->].
      destruct (means_zero r c 0 c ltac:(lia) s true (negb b)) as [_ ->]. lra.
  - rewrite len in less. destruct (Nat.le_exists_sub (S D) c less) as [e' [ec _]].
    assert (c = D + S e')%nat as -> by lia. clear ec. subst y. rewrite !shows_behind.
    cbn [Nat.add]. rewrite <- (Rmult_assoc R0).
    assert (r01 := side_chances (S D) z).
    assert (pos : 0 <= (1 - r (S D) z) * shows T r (S D) e' z rest).
    { apply Rmult_le_pos; [lra|].
      apply (shows_nonnegative al be al0 be0 al1 be1), side_chances. }
    destruct r01 as [_ [free|always]]; [|rewrite always; lra].
    apply Rmult_le_compat_r; [exact pos|].
    destruct (each D ltac:(lia)) as [l|[[d1 m]|[d1 s]]].
    + destruct (means_of_ones r D 0 (ones D (large D l)) z b) as [-> _].
      destruct (means_of_ones r D 0 (ones D (large D l)) z (negb b)) as [-> _].
      specialize (first D z ltac:(lia) (large D l) free).
      apply Rle_trans with (1 := influence_bounds (S D) z b (negb b) ltac:(lia)).
      apply Rmult_le_compat_r; [apply power_nonneg|easy].
    + destruct (weights_of D (no_small D (proj2 m)) z b) as [-> _].
      destruct (weights_of D (no_small D (proj2 m)) z (negb b)) as [-> _].
      apply (met D ltac:(lia) m b); [lia|easy].
    + destruct (means_zero r D 0 D ltac:(lia) s z b) as [-> _].
      destruct (means_zero r D 0 D ltac:(lia) s z (negb b)) as [-> _]. lra.
Qed.
End Side.
End Steps.
