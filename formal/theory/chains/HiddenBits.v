(** The influence curve of a stationary chain of bits, and its printed formula (bai2026, section
    6.3): what records tell of one of them where at most b are hidden. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage RedactionUtility Local Stationary.
From Pufferproof Require Import InfluenceCurves ShownBlocks.
Import ListNotations.
Open Scope R_scope.

(** Records that are hidden are marked by true; two tables agree in all others. *)
Fixpoint agree {n} : vec bool n -> vec bool n -> vec bool n -> bool := match n with
  | O => fun _ _ _ => true
  | S n => fun h x y => (fst h || eqb (fst x) (fst y)) && agree (snd h) (snd x) (snd y) end.
Definition marked {n} (h : vec bool n) k : bool := nth k (list_of h) false.
Definition shown_with {n} (s : @secret (vec bool n)) h y : @secret (vec bool n) :=
  fun x => s x && agree h x y.
(** Whatever values y the records have that are not hidden, they are at most R0 times as likely
    given X_i = v as given the other value. *)
Definition tells_at_most {n} R0 (p : vec bool n -> R) h i v := forall y,
  P p (shown_with (record_is i v) h y) * P p (record_is i (negb v)) <=
  R0 * P p (record_is i v) * P p (shown_with (record_is i (negb v)) h y).
(** e^(a*(b)) <= R0, where p and q are the probabilities that 0 and 1 stay: of each record and for
    both orders of its values at most b records can be hidden such that the others tell at most
    R0. *)
Definition curve_at_most R0 p q n b := forall i v, (i < n)%nat -> exists h : vec bool n,
  (number (marked h) n <= b)%nat /\ tells_at_most R0 (stationary_chain (1 - p) (1 - q) n) h i v.

(** The printed formula: z is pi_0 if q > p and pi_1 otherwise, and the terms are
    e^|log((z + lam^d (1 - z))/(z - lam^d z))| at half the distances. *)
Definition rarer p q : R := (if Rlt_dec p q then 1 - q else 1 - p) / (2 - p - q).
Definition term_at p q d : R := larger
  ((rarer p q + (p + q - 1) ^ d * (1 - rarer p q)) / (rarer p q - (p + q - 1) ^ d * rarer p q)).
Definition printed_curve p q b : R :=
  term_at p q (Nat.div2 (S b)) * term_at p q (Nat.div2 (S (S b))).

Lemma halves b : (Nat.div2 (S b) + Nat.div2 (S (S b)) = S b)%nat /\
  (Nat.div2 (S b) <= Nat.div2 (S (S b)) <= S (Nat.div2 (S b)))%nat.
Proof.
  pose proof (Nat.div2_odd (S b)) as e. pose proof (Nat.div2_odd (S (S b))) as e'.
  rewrite Nat.odd_succ, <- Nat.negb_odd in e. rewrite Nat.odd_succ_succ in e'.
  destruct (Nat.odd b); simpl Nat.b2n in *; lia.
Qed.

(** Of all splits of a distance the even one has the least product, if f is convex and falls. *)
Section Split.
Context (f : nat -> R).
Hypotheses (f0 : forall D, (1 <= D)%nat -> 0 < f D) (falls : forall D, (1 <= D)%nat ->
  f (S D) <= f D).
Hypothesis conv : forall D, (1 <= D)%nat -> convex f D.

Lemma ratios_rise l r : (1 <= l <= r)%nat -> f (S l) * f r <= f l * f (S r).
Proof.
  intros [l1 le]. induction le as [|r le IH]; [lra|].
  - assert (r1 : (1 <= r)%nat) by lia. pose proof (conv r r1) as c. unfold convex in c.
    pose proof (f0 r r1) as fr. pose proof (f0 (S r) ltac:(lia)) as fs.
    pose proof (f0 l l1) as fl. pose proof (f0 (S (S r)) ltac:(lia)) as ft.
    apply (Rmult_le_reg_r (f r)); [easy|].
    apply Rle_trans with (f l * f (S r) * f (S r)).
    + replace (f (S l) * f (S r) * f r) with (f (S l) * f r * f (S r)) by ring.
      apply Rmult_le_compat_r; lra.
    + rewrite !Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.

Lemma split_moved j : forall l m, (1 <= l)%nat -> (l + j <= S m)%nat ->
  f (l + j)%nat * f m <= f l * f (m + j)%nat.
Proof.
  induction j as [|j IH]; intros l m l1 le; [rewrite !Nat.add_0_r; lra|].
  apply Rle_trans with (f (l + j)%nat * f (S m)).
  - rewrite <- plus_n_Sm. apply ratios_rise. lia.
  - replace (m + S j)%nat with (S m + j)%nat by lia. apply IH; lia.
Qed.

Lemma falls_far D D' : (1 <= D <= D')%nat -> f D' <= f D.
Proof.
  intros [d1 le]. induction le as [|D' le IH]; [lra|]. apply Rle_trans with (2 := IH).
  apply falls. lia.
Qed.

Lemma even_split b l r : (1 <= l)%nat -> (1 <= r)%nat -> (l + r <= S b)%nat ->
  f (Nat.div2 (S b)) * f (Nat.div2 (S (S b))) <= f l * f r.
Proof.
  destruct (halves b) as [total near].
  revert l r. enough (ordered : forall l r, (1 <= l <= r)%nat -> (l + r <= S b)%nat ->
    f (Nat.div2 (S b)) * f (Nat.div2 (S (S b))) <= f l * f r).
  { intros l r l1 r1 le. destruct (Nat.le_ge_cases l r); [now apply ordered|].
    rewrite (Rmult_comm (f l)). apply ordered; lia. }
  intros l r [l1 lr] le. set (x := Nat.div2 (S b)) in *. set (y := Nat.div2 (S (S b))) in *.
  pose proof (split_moved (x - l) l y l1 ltac:(lia)) as moved.
  replace (l + (x - l))%nat with x in moved by lia. apply Rle_trans with (1 := moved).
  apply Rmult_le_compat_l; [now apply Rlt_le, f0|]. apply falls_far. lia.
Qed.
End Split.

(** Hiding is redaction that does not look at values, with chances 0 and 1. *)
Definition hiding {n} (h : vec bool n) k : R := if marked h k then 1 else 0.
Fixpoint masked {n} : vec bool n -> vec bool n -> vec (option bool) n := match n with
  | O => fun _ _ => tt
  | S n => fun h y => (if fst h then None else Some (fst y), masked (snd h) (snd y)) end.

Lemma hiding_shares {n} (h : vec bool n) : shares (hiding h).
Proof. intros k. unfold hiding. destruct (marked h k); lra. Qed.

Section Hiding.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation chain := (stationary_chain al be).
Notation release h := (local bool_dec (dim (hiding h))).

Lemma release_masked n (h x y : vec bool n) :
  release h x (masked h y) = if agree h x y then 1 else 0.
Proof.
  unfold local. assert (E : forall m k r (h x y : vec bool m),
    (forall j, r (k + j)%nat = hiding h j) ->
    local_from bool_dec (dim r) k x (masked h y) = if agree h x y then 1 else 0).
  { induction m as [|m IH]; intros k r g u v same; [easy|]. cbn [local_from masked agree fst snd].
    rewrite (IH (S k) r (snd g)).
    - specialize (same 0%nat). rewrite Nat.add_0_r in same. unfold hiding, marked in same.
      simpl nth in same. unfold shown_as, dim. rewrite same.
      destruct (fst g), (fst u), (fst v), (agree (snd g) (snd u) (snd v)); simpl; ring.
    - intros j. specialize (same (S j)). rewrite <- plus_n_Sm in same. exact same. }
  now apply E.
Qed.

(** Every output that is possible is what the records show that are not hidden. *)
Lemma masked_or_impossible n (h : vec bool n) w :
  (exists y, w = masked h y) \/ forall x, release h x w = 0.
Proof.
  unfold local. assert (E : forall m k r (h : vec bool m) w,
    (forall j, r (k + j)%nat = hiding h j) ->
    (exists y, w = masked h y) \/ forall x, local_from bool_dec (dim r) k x w = 0).
  { induction m as [|m IH]; intros k r g u same; [left; exists tt; now destruct u|].
    assert (here : r k = if fst g then 1 else 0).
    { specialize (same 0%nat). rewrite Nat.add_0_r in same. exact same. }
    destruct (IH (S k) r (snd g) (snd u)) as [[y e]|none].
    - intros j. specialize (same (S j)). rewrite <- plus_n_Sm in same. exact same.
    - destruct u as [o u]. simpl in e. subst u. destruct g as [[] g], o as [z|]; simpl in here.
      + right. intros x. cbn [local_from shown_as fst snd]. unfold dim. rewrite here.
        destruct bool_dec; ring.
      + left. now exists (true, y).
      + left. now exists (z, y).
      + right. intros x. cbn [local_from shown_as fst snd]. unfold dim. rewrite here. ring.
    - right. intros x. cbn [local_from]. rewrite none. ring. }
  now apply E.
Qed.

Lemma shown_told n (p : vec bool n -> R) s h y :
  P p (shown_with s h y) = Pw p (release h) s (masked h y).
Proof.
  apply sum_ext. intros x _. rewrite release_masked. unfold inside, shown_with.
  destruct (s x), (agree h x y); simpl; ring.
Qed.

(** What is shown tells at most R0 if this holds of what both sides show. *)
Definition sides_keep (x y : R) (rhoL rhoR : nat -> R) p c R0 b := forall yl yr,
  shows (constant_steps x y) (dim rhoL) 0 p b yl * shows (constant_steps x y) (dim rhoR) 0 c b yr <=
  R0 * (shows (constant_steps x y) (dim rhoL) 0 p (negb b) yl *
        shows (constant_steps x y) (dim rhoR) 0 c (negb b) yr).

Lemma tells_sides p c (h : vec bool (p + S c)) R0 b : tells_at_most R0 (chain (p + S c)%nat) h p b
  <-> marked h p = true /\ sides_keep al be (fun k => hiding h (p - k)%nat)
    (fun k => hiding h (p + k)%nat) p c R0 b.
Proof.
  pose proof (stationary_pos al be al0 be0) as pos.
  assert (qq : 0 < stationary al be b * stationary al be (negb b)) by now apply Rmult_lt_0_compat.
  pose proof (fun k (x : bool) => hiding_shares h k) as r01. unfold tells_at_most.
  split.
  - intros tells.
    assert (each : forall yl o yr, length yl = p -> length yr = c ->
      at_output al be (dim (hiding h)) p c yl o yr b <=
      R0 * at_output al be (dim (hiding h)) p c yl o yr (negb b)).
    { intros yl o yr ll lr. destruct (of_list (p + S c) (yl ++ o :: yr)) as [w ew].
      { rewrite app_length. simpl. lia. }
      apply (Rmult_le_reg_l (stationary al be b * stationary al be (negb b))); [easy|].
      pose proof (fun z => told_on_lists al be al0 be0 (dim (hiding h)) p c w yl o yr z ew ll) as E.
      destruct (masked_or_impossible _ h w) as [[y ->]|none].
      - specialize (tells y). rewrite !shown_told, !E, !P_record in tells by easy. lra.
      - assert (zero : forall z, Pw (chain (p + S c)%nat) (release h) (record_is p z) w = 0).
        { intros z. unfold Pw. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
          intros x _. rewrite none. ring. }
        pose proof (zero b) as z1. pose proof (zero (negb b)) as z2. rewrite E in z1, z2.
        apply Req_le. transitivity (stationary al be (negb b) * 0); [rewrite <- z1; ring|].
        rewrite Rmult_0_r, <- (Rmult_0_r (R0 * stationary al be b)), <- z2. ring. }
    destruct (marked h p) eqn:m.
    + split; [easy|]. intros yl yr.
      destruct (Nat.eq_dec (length yl) p) as [el|ne].
      2: { rewrite !(shows_length al be _ 0 p) by easy. lra. }
      destruct (Nat.eq_dec (length yr) c) as [er|ne].
      2: { rewrite !(shows_length al be _ 0 c) by easy. lra. }
      specialize (each (rev yl) None yr ltac:(now rewrite rev_length) er).
      unfold at_output in each. rewrite rev_involutive in each. cbn [shown_as] in each.
      unfold dim at 1 4, hiding at 1 4 in each. rewrite m, !Rmult_1_l in each. exact each.
    + exfalso.
      destruct (some_possible al be al0 be0 al1 be1 (to_left (dim (hiding h)) p) p
        (fun k x => r01 (p - k)%nat x) 0%nat b) as [yl [ll pl]].
      destruct (some_possible al be al0 be0 al1 be1 (to_right (dim (hiding h)) p) c
        (fun k x => r01 (p + k)%nat x) 0%nat b) as [yr [lr pr]].
      specialize (each (rev yl) (Some b) yr ltac:(now rewrite rev_length) lr).
      unfold at_output in each. rewrite rev_involutive in each. cbn [shown_as] in each.
      destruct (bool_dec b b) as [_|]; [|easy].
      destruct (bool_dec (negb b) b) as [e|_]; [now destruct b|].
      unfold dim at 1, hiding at 1 in each. rewrite m in each.
      pose proof (Rmult_lt_0_compat _ _ pl pr). lra.
  - intros [m keep] y.
    assert (ly : length (list_of (masked h y)) = (p + S c)%nat) by apply list_length.
    pose proof (firstn_skipn p (list_of (masked h y))) as e.
    assert (lf : length (firstn p (list_of (masked h y))) = p) by (rewrite firstn_length; lia).
    pose proof (skipn_length p (list_of (masked h y))) as ls.
    destruct (skipn p (list_of (masked h y))) as [|o yr]; simpl in ls; [lia|].
    rewrite !shown_told, !P_record by easy.
    rewrite !(told_on_lists al be al0 be0 _ p c _ _ o yr _ (eq_sym e) lf).
    set (yl := firstn p _) in *. specialize (keep (rev yl) yr).
    assert (same : forall z, shown_as bool_dec (dim (hiding h)) p z o =
      match o with None => 1 | Some _ => 0 end).
    { intros z. destruct o as [u|]; cbn [shown_as]; unfold dim, hiding; rewrite m; [|easy].
      destruct bool_dec; ring. }
    unfold at_output. rewrite !same. unfold to_left, to_right. unfold dim in *.
    assert (one : 0 <= match o with None => 1 | Some _ => 0 end) by (destruct o; lra).
    apply (Rmult_le_compat_l _ _ _ (Rmult_le_pos _ _ (Rlt_le _ _ qq) one)) in keep. lra.
Qed.
End Hiding.

(** With the values exchanged the chain steps the other way. *)
Definition exchanged (y : list (option bool)) := map (option_map negb) y.
Lemma shows_exchanged x y rho n : forall k b w,
  shows (constant_steps x y) (dim rho) k n b w =
  shows (constant_steps y x) (dim rho) k n (negb b) (exchanged w).
Proof.
  assert (swap : forall u v, flip x y u v = flip y x (negb u) (negb v)) by (intros [] []; easy).
  induction n as [|n IH]; intros k b w; [rewrite !shows_end; now destruct w|].
  destruct w as [|o w]; [now rewrite !shows_short|]. cbn [exchanged map]. rewrite !shows_next, !IH.
  rewrite (swap b true), (swap b false). cbn [negb].
  assert (E : forall z, symbol (dim rho) (S k) z o =
    symbol (dim rho) (S k) (negb z) (option_map negb o)).
  { intros z. destruct o as [u|]; [|easy]. now destruct z, u. }
  rewrite (E true), (E false). cbn [negb]. unfold exchanged. ring.
Qed.

Lemma sides_exchanged x y rhoL rhoR p c R0 b : sides_keep x y rhoL rhoR p c R0 b ->
  sides_keep y x rhoL rhoR p c R0 (negb b).
Proof.
  intros keep yl yr. specialize (keep (exchanged yl) (exchanged yr)).
  rewrite !(shows_exchanged x y) in keep.
  assert (twice : forall w, exchanged (exchanged w) = w).
  { intros w. unfold exchanged. rewrite map_map. rewrite <- (map_id w) at 2.
    apply map_ext. intros [[]|]; easy. }
  now rewrite !twice in keep.
Qed.

Section Ordered.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).

(** What both sides show is decided by the nearest records that they show. *)
Lemma sides_nearest rhoL rhoR p c R0 b l r : shares rhoL -> shares rhoR ->
  nearest rhoL p l -> nearest rhoR c r ->
  sides_keep al be rhoL rhoR p c R0 b <-> tells al be l b * tells al be r b <= R0.
Proof.
  intros sl sr nl nr. split.
  - intros keep. destruct (side_attained al be al0 order be1 rhoL p l b sl nl) as [yl [pl el]].
    destruct (side_attained al be al0 order be1 rhoR c r b sr nr) as [yr [pr er]].
    specialize (keep yl yr). rewrite el, er in keep.
    apply (Rmult_le_reg_r _ _ _ (Rmult_lt_0_compat _ _ pl pr)). lra.
  - intros le yl yr.
    pose proof (side_bounded al be al0 order be1 rhoL p l b yl sl nl) as bl.
    pose proof (side_bounded al be al0 order be1 rhoR c r b yr sr nr) as br.
    pose proof (fun n rho k z w => shows_nonneg al be al0 order be1 rho k n z w) as pos.
    pose proof (Rmult_le_compat _ _ _ _ (pos p rhoL 0%nat b yl sl) (pos c rhoR 0%nat b yr sr) bl br)
      as both.
    apply Rle_trans with (1 := both).
    apply (Rmult_le_compat_r _ _ _ (Rmult_le_pos _ _ (pos p rhoL 0%nat (negb b) yl sl)
      (pos c rhoR 0%nat (negb b) yr sr))) in le. lra.
Qed.

(** Where the value 1 of the nearest record tells as much as any, and influences are convex, at most
    b hidden records around one leave the two sides with the even split, or more. *)
Lemma even_split_tells rhoL rhoR b c R0 : shares rhoL -> shares rhoR ->
  (forall D, (1 <= D)%nat -> told al be D true = i1 al be D) ->
  (forall D, (1 <= D)%nat -> convex (i1 al be) D) ->
  (forall l, nearest rhoL b l -> exists D, l = Some D) ->
  (forall r, nearest rhoR c r -> exists D, r = Some D) ->
  (forall l r, nearest rhoL b (Some l) -> nearest rhoR c (Some r) -> (l + r <= S b)%nat) ->
  sides_keep al be rhoL rhoR b c R0 true ->
  i1 al be (Nat.div2 (S b)) * i1 al be (Nat.div2 (S (S b))) <= R0.
Proof.
  intros sl sr most conv someL someR few keep.
  destruct (nearest_exists rhoL b sl) as [l nl], (nearest_exists rhoR c sr) as [r nr].
  destruct (someL l nl) as [x ->], (someR r nr) as [y ->].
  rewrite (sides_nearest rhoL rhoR b c R0 true _ _ sl sr nl nr) in keep. cbn [tells] in keep.
  pose proof (few x y nl nr) as le. destruct nl as [[x1 _] _], nr as [[y1 _] _].
  rewrite !most in keep by easy. apply Rle_trans with (2 := keep).
  apply (even_split (i1 al be)); auto.
  - intros D d1. destruct (i1_above_one al be al0 order be1 D d1). lra.
  - intros D d1. apply i1_decreases; auto.
Qed.

Lemma told_at_most D b : (1 <= D)%nat -> told al be D b <= i1 al be D.
Proof. apply told_below_i1; auto. Qed.

(** A block of b records around one of them, of which the others tell no more than the formula. *)
Lemma block_tells rhoL rhoR p c b v : (1 <= b)%nat -> shares rhoL -> shares rhoR ->
  (forall k, (1 <= k <= p)%nat -> rhoL k = if Nat.ltb k (Nat.div2 (S b)) then 1 else 0) ->
  (forall k, (1 <= k <= c)%nat -> rhoR k = if Nat.ltb k (Nat.div2 (S (S b))) then 1 else 0) ->
  sides_keep al be rhoL rhoR p c
    (i1 al be (Nat.div2 (S b)) * i1 al be (Nat.div2 (S (S b)))) v.
Proof.
  intros b1 sl sr hl hr.
  assert (near : (1 <= Nat.div2 (S b))%nat /\ (1 <= Nat.div2 (S (S b)))%nat)
    by (destruct (halves b); lia).
  assert (side_ : forall rho n d, (1 <= d)%nat ->
    (forall k, (1 <= k <= n)%nat -> rho k = if Nat.ltb k d then 1 else 0) ->
    exists l, nearest rho n l /\ 0 <= tells al be l v <= i1 al be d).
  { intros rho n d d1 same. destruct (Nat.le_gt_cases d n) as [le|gt].
    - exists (Some d). split; [repeat split; try lia|].
      + rewrite same by lia. rewrite Nat.ltb_irrefl. lra.
      + intros k small. rewrite same by lia. now rewrite (proj2 (Nat.ltb_lt k d)) by lia.
      + cbn [tells]. pose proof (told_above_one al be al0 order be1 d v d1).
        pose proof (told_at_most d v d1). lra.
    - exists None. split.
      + intros k small. rewrite same by lia. now rewrite (proj2 (Nat.ltb_lt k d)) by lia.
      + cbn [tells]. pose proof (i1_above_one al be al0 order be1 d d1). lra. }
  destruct (side_ rhoL p _ (proj1 near) hl) as [l [nl [l0 le]]].
  destruct (side_ rhoR c _ (proj2 near) hr) as [r [nr [r0 re]]].
  rewrite (sides_nearest rhoL rhoR p c _ v l r sl sr nl nr). now apply Rmult_le_compat.
Qed.
End Ordered.

(** The printed terms are the influences of the value that is rarer. *)
Lemma term_is_influence p q d : 0 < p < 1 -> 0 < q < 1 -> (1 <= d)%nat ->
  term_at p q d = if Rlt_dec p q then i1 (1 - q) (1 - p) d else i1 (1 - p) (1 - q) d.
Proof.
  intros p01 q01 d1.
  assert (E : forall x y, 0 < x < 1 -> 0 < y < 1 ->
    (x / (x + y) + lam x y ^ d * (1 - x / (x + y))) / (x / (x + y) - lam x y ^ d * (x / (x + y))) =
    of_c x y (y / x) d).
  { intros x y x01 y01. unfold of_c.
    destruct (positive_sums x y ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) d d1) as [u1 _].
    set (u := lam x y ^ d) in *. pose proof (Rmult_lt_0_compat x (1 - u) ltac:(lra) u1).
    field. repeat split; lra. }
  unfold term_at, rarer. destruct (Rlt_dec p q) as [less|more]; unfold i1; f_equal.
  - rewrite <- E by lra. unfold lam. replace (2 - p - q) with (1 - q + (1 - p)) by ring.
    now replace (p + q - 1) with (1 - (1 - q) - (1 - p)) by ring.
  - rewrite <- E by lra. unfold lam. replace (2 - p - q) with (1 - p + (1 - q)) by ring.
    now replace (p + q - 1) with (1 - (1 - p) - (1 - q)) by ring.
Qed.

Lemma many_marked (f : nat -> bool) lo hi n : (hi <= n)%nat ->
  (forall k, (lo <= k < hi)%nat -> f k = true) -> (hi - lo <= number f n)%nat.
Proof.
  intros top all_. rewrite <- (seq_length (hi - lo) lo).
  apply NoDup_incl_length; [apply seq_NoDup|].
  intros k inside_. apply in_seq in inside_. apply filter_In. split; [apply in_seq; lia|].
  apply all_. lia.
Qed.

Section Curve.
Context (p q : R).
Hypotheses (p01 : 0 < p < 1) (q01 : 0 < q < 1).

(** The formula is a point of the curve (bai2026.chain, the formula as a curve): of every record,
    hide a block of b with it, as far as there are records.
    Differs: ratios instead of levels. *)
Theorem formula_on_curve n b : (1 <= b)%nat -> curve_at_most (printed_curve p q b) p q n b.
Proof.
  intros b1 i v top. destruct (halves b) as [total near].
  set (x := Nat.div2 (S b)) in *. set (y := Nat.div2 (S (S b))) in *.
  destruct (Nat.le_exists_sub (S i) n top) as [c [en _]].
  assert (n = i + S c)%nat as -> by lia. clear en.
  set (f := block (S i - x) (Nat.min (i + S c) (i + y))).
  destruct (of_list (i + S c) (map f (seq 0 (i + S c)))) as [h eh];
    [now rewrite map_length, seq_length|].
  assert (at_ : forall k, (k < i + S c)%nat -> marked h k = f k).
  { intros k small. unfold marked. rewrite eh.
    rewrite (nth_indep _ false (f 0%nat)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth. rewrite seq_nth by easy. easy. }
  assert (block_at : forall k, f k = true <-> (S i - x <= k < Nat.min (i + S c) (i + y))%nat).
  { intros k. unfold f, block. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt. easy. }
  exists h. split.
  - unfold number. rewrite (filter_ext_in _ f).
    + fold (number f (i + S c)). unfold f. rewrite number_block; lia.
    + intros k k_in. apply in_seq in k_in. apply at_. lia.
  - apply tells_sides; try lra. split; [rewrite at_ by lia; apply block_at; lia|].
    assert (hl : forall k, (1 <= k <= i)%nat ->
      hiding h (i - k)%nat = if Nat.ltb k x then 1 else 0).
    { intros k small. unfold hiding. rewrite at_ by lia.
      assert (same : f (i - k)%nat = Nat.ltb k x).
      { apply eq_true_iff_eq. rewrite block_at, Nat.ltb_lt. lia. }
      now rewrite same. }
    assert (hr : forall k, (1 <= k <= c)%nat ->
      hiding h (i + k)%nat = if Nat.ltb k y then 1 else 0).
    { intros k small. unfold hiding. rewrite at_ by lia.
      assert (same : f (i + k)%nat = Nat.ltb k y).
      { apply eq_true_iff_eq. rewrite block_at, Nat.ltb_lt. lia. }
      now rewrite same. }
    unfold printed_curve. rewrite !term_is_influence by (easy || fold x; fold y; lia).
    pose proof (fun k => hiding_shares h (i - k)%nat) as sl.
    pose proof (fun k => hiding_shares h (i + k)%nat) as sr.
    destruct (Rlt_dec p q) as [less|more].
    + rewrite <- (negb_involutive v). apply sides_exchanged. apply block_tells; auto; lra.
    + apply block_tells; auto; lra.
Qed.

Lemma formula_least n b R0 : (2 * b < n)%nat -> (1 <= b)%nat ->
  (forall D, (1 <= D)%nat -> convex (i1 (1 - q) (1 - p)) D) ->
  (forall D, (1 <= D)%nat -> convex (i1 (1 - p) (1 - q)) D) ->
  (p <= q -> forall D, (1 <= D)%nat -> told (1 - q) (1 - p) D true = i1 (1 - q) (1 - p) D) ->
  (q <= p -> forall D, (1 <= D)%nat -> told (1 - p) (1 - q) D true = i1 (1 - p) (1 - q) D) ->
  curve_at_most R0 p q n b -> printed_curve p q b <= R0.
Proof.
  intros long b1 conv conv' most most' curve.
  destruct (Nat.le_exists_sub (S b) n ltac:(lia)) as [c [en _]].
  assert (n = b + S c)%nat as -> by lia. clear en. destruct (halves b) as [total near].
  pose (keeps (h : vec bool (b + S c)) x y := sides_keep x y (fun k => hiding h (b - k)%nat)
    (fun k => hiding h (b + k)%nat) b c R0 true).
  assert (each : exists h, (number (marked h) (b + S c) <= b)%nat /\ marked h b = true /\
    (if Rlt_dec p q then keeps h (1 - q) (1 - p) else keeps h (1 - p) (1 - q))).
  { destruct (Rlt_dec p q).
    - destruct (curve b false ltac:(lia)) as [h [few tells]]. exists h. split; [easy|].
      apply tells_sides in tells as [m keep]; try lra. split; [easy|].
      now apply sides_exchanged in keep.
    - destruct (curve b true ltac:(lia)) as [h [few tells]]. exists h. split; [easy|].
      apply tells_sides in tells; try lra. easy. }
  destruct each as [h [few [m keep]]].
  assert (shown : forall k, hiding h k = 1 -> marked h k = true).
  { intros k. unfold hiding. destruct (marked h k); [easy|lra]. }
  pose proof (fun k => hiding_shares h (b - k)%nat) as sl.
  pose proof (fun k => hiding_shares h (b + k)%nat) as sr.
  assert (L : forall l, nearest (fun k => hiding h (b - k)%nat) b l -> exists D, l = Some D).
  { intros [D|] none; [now exists D|exfalso].
    pose proof (many_marked (marked h) 0 (S b) (b + S c) ltac:(lia)) as many.
    specialize (many ltac:(intros k small; destruct (Nat.eq_dec k b) as [->|]; [easy|];
      apply shown; replace k with (b - (b - k))%nat by lia; apply none; lia)). lia. }
  assert (R_ : forall r, nearest (fun k => hiding h (b + k)%nat) c r -> exists D, r = Some D).
  { intros [D|] none; [now exists D|exfalso].
    pose proof (many_marked (marked h) b (b + S c) (b + S c) ltac:(lia)) as many.
    specialize (many ltac:(intros k small; destruct (Nat.eq_dec k b) as [->|]; [easy|];
      apply shown; replace k with (b + (k - b))%nat by lia; apply none; lia)). lia. }
  assert (both : forall l r, nearest (fun k => hiding h (b - k)%nat) b (Some l) ->
    nearest (fun k => hiding h (b + k)%nat) c (Some r) -> (l + r <= S b)%nat).
  { intros l r [l1 [_ nl]] [r1 [_ nr]].
    pose proof (many_marked (marked h) (S b - l) (b + r) (b + S c) ltac:(lia)) as many.
    specialize (many ltac:(intros k small; destruct (Nat.lt_trichotomy k b) as [lt|[->|gt]];
      [apply shown; replace k with (b - (b - k))%nat by lia; apply nl; lia|easy|
       apply shown; replace k with (b + (k - b))%nat by lia; apply nr; lia])). lia. }
  unfold printed_curve. rewrite !term_is_influence by (easy || lia).
  destruct (Rlt_dec p q) as [less|more].
  - apply (even_split_tells (1 - q) (1 - p) ltac:(lra) ltac:(lra) ltac:(lra) _ _ b c R0 sl sr
      (most ltac:(lra)) conv L R_ both keep).
  - apply (even_split_tells (1 - p) (1 - q) ltac:(lra) ltac:(lra) ltac:(lra) _ _ b c R0 sl sr
      (most' ltac:(lra)) conv' L R_ both keep).
Qed.

Lemma printed_or_more n b R0 : (1 <= b)%nat -> printed_curve p q b <= R0 ->
  curve_at_most R0 p q n b.
Proof.
  intros b1 le i v top. destruct (formula_on_curve n b b1 i v top) as [h [few tells]].
  exists h. split; [easy|]. intros y. specialize (tells y).
  assert (pos : 0 <= P (stationary_chain (1 - p) (1 - q) n) (record_is i v) *
    P (stationary_chain (1 - p) (1 - q) n) (shown_with (record_is i (negb v)) h y)).
  { assert (law_ : law (stationary_chain (1 - p) (1 - q) n))
      by (apply stationary_chain_is_law; lra).
    apply Rmult_le_pos; apply sum_nonneg; intros x _; now apply inside_nonneg. }
  apply (Rmult_le_compat_r _ _ _ pos) in le. lra.
Qed.

(** The curve where lam >= 0 (bai2026, section 6.3, example 3; bai2026.chain, as repaired): in the
    middle of a chain of at least 2 b + 1 records no b hidden ones tell less than the formula.
    Differs: ratios instead of levels; both orders of a pair; the length is given by a bound. *)
Theorem curve_if_lam_positive n b R0 : (1 <= b)%nat -> (2 * b < n)%nat -> 1 <= p + q ->
  curve_at_most R0 p q n b <-> printed_curve p q b <= R0.
Proof.
  intros b1 long pos. split; [|now apply printed_or_more].
  assert (up : forall x y, 0 < x < 1 -> 0 < y < 1 -> x <= y -> x + y <= 1 ->
    forall D, (1 <= D)%nat -> told x y D true = i1 x y D).
  { intros x y x01 y01 le sum1 D d1.
    destruct (told_is x y ltac:(lra) le ltac:(lra) D d1) as [_ [above _]]. apply above.
    apply pow_le. unfold lam. lra. }
  apply formula_least; auto.
  - intros D d1. apply convex_if_lam_positive; lra || lia.
  - intros D d1. apply convex_if_lam_positive; lra || lia.
  - intros le. apply up; lra.
  - intros le. apply up; lra.
Qed.

(** The curve where p = q, whatever the sign of lam (the same, as repaired).
    Differs: as above. *)
Theorem curve_if_equal n b R0 : (1 <= b)%nat -> (2 * b < n)%nat -> p = q ->
  curve_at_most R0 p q n b <-> printed_curve p q b <= R0.
Proof.
  intros b1 long e. split; [|now apply printed_or_more].
  assert (up : forall x y, 0 < x < 1 -> x = y -> forall D, (1 <= D)%nat ->
    told x y D true = i1 x y D).
  { intros x y x01 <- D d1.
    destruct (told_is x x ltac:(lra) ltac:(lra) ltac:(lra) D d1) as [_ [above below]].
    destruct (Rle_dec 0 (lam x x ^ D)) as [a|n0]; [now apply above|]. now apply below, Rlt_le,
      Rnot_le_lt. }
  apply formula_least; auto.
  - intros D d1. apply convex_if_equal; lra || lia.
  - intros D d1. apply convex_if_equal; lra || lia.
  - intros _. apply up; lra.
  - intros _. apply up; lra.
Qed.
End Curve.
