(** The theorem that exported certificates of redaction designs use. [Designs] has what is
    stated. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Indices Tables Levels Released Redactions Cones
  Redacted Sides Designs Priced Tabled Sided.
Import ListNotations.
Open Scope Z_scope.

(** What each record releases, times a common unit: a hint. *)
Definition share c (unit : Z) r := unit / whole r *
  (first_zero c * (whole r - if_zero r) + first_one c * (whole r - if_one r)).
Definition check_share (unit : Z) r : bool := unit / whole r * whole r =? unit.
Fixpoint shares c unit (rs : list row) : Z := match rs with
  | [] => 0 | r :: rs => share c unit r + shares c unit rs end.
Definition check_released c (l : runs) unit (u : Z * positive) : bool :=
  check_stationary c && (0 <? unit) && forallb (check_share unit) (spread l) &&
  (shares c unit (spread l) * Zpos (snd u) =?
   fst u * (Z.of_nat (count_of l) * (unit * (first_zero c + first_one c)))).

(** Windows: what is shown of a sequence, whatever the values, and the outputs that show it. *)
Definition window_row (w : bool) : row := if w then Row 1 0 0 else always.
Fixpoint window_outputs (ws : list bool) : list output := match ws with
  | [] => [[]]
  | w :: ws => flat_map (fun o => map (cons o) (window_outputs ws))
      (if w then [Some true; Some false] else [None]) end.
Definition breaks bits c n d q (ws : list bool) : bool :=
  existsb (fun y => match one_cone bits c (map window_row ws) y with
    | Some k => compared_with (above_ratio n d) k q
    | None => false end) (window_outputs ws).
Definition window (n : nat) (ks : list nat) : list bool :=
  map (fun i => existsb (Nat.eqb i) ks) (seq 0 n).
(** What is at a distance on either side of record p (from 0), if it is a record. *)
Definition on_left (p d : nat) : list nat := if Nat.leb d p then [p - d]%nat else [].
Definition on_right (n p d : nat) : list nat := if Nat.ltb (p + d) n then [p + d]%nat else [].
Definition check_blind c (l : runs) e bits r (u : Z * positive) : bool :=
  let rs := spread l in let n := length rs in let p := place c in
  let most := Z.to_nat (Z.of_nat n - Z.of_nat n * fst u / Zpos (snd u)) in
  is_reached e r && check_input c rs &&
  match prior_cone bits c rs with
  | None => false
  | Some q => positive_cone q && breaks bits c (num r) (den r) q (window n [p]) &&
    forallb (fun a => forallb (fun b => Nat.ltb most (a + b) ||
      breaks bits c (num r) (den r) q (window n (on_left p a ++ on_right n p b)))
      (seq 1 (Nat.min (n - p) most))) (seq 1 (Nat.min (S p) most)) end.

(** How a design is checked: bits of slopes, an output that leaks most, a fraction below e^level,
    and a unit; where something is said of others, a fraction above e^level, or prices, or bounds of
    the budget of a side and the least probabilities on the left and on the right. *)
Inductive reason := Nothing | Windows (above_level : bound) | Paid (k : priced)
  | Kept (low high : bound) (left right : least).
Record known := Known { kept_bits : Z; farthest : output; below_level : bound; common : Z;
  why : reason }.
Inductive checked := Steps (k : known) | Counted (r : bound) (k : option priced).
Definition fraction (x : Z * positive) := Bound (fst x) (snd x) 0 1 0 1.
Definition check_best c l e bits why (cu : class * (Z * positive)) : bool := match cu, why with
  | (Blind, u), Windows r => check_blind c l e bits r u
  | (Anything, u), Paid k => check_prices c (count_of l) e k u
  | (ThreeR common same s s', u), Kept low high k k' =>
    check_3r c (count_of l) e common same s s' low high k k' u
  | _, _ => false end.
Definition check_local c l e d k : bool :=
  check_most c l e (below_level k) (kept_bits k) &&
  check_most c l (as_level (at_most d)) (fraction (at_most d)) (kept_bits k) &&
  check_least c l None (farthest k) (as_level (at_least d)) (fraction (at_least d))
    (kept_bits k) &&
  check_released c l (common k) (utility d) &&
  match no_more d with None => true | Some cu => check_best c l e (kept_bits k) (why k) cu end.
Definition check_design c e (dk : design * checked) : bool := match redacted (fst dk), snd dk with
  | ByValue l, Steps k => check_local c l e (fst dk) k
  | ByAll n t, Counted r k => check_central c n t e (fst dk) r k
  | _, _ => false end.
Open Scope R_scope.

Section Chain.
Context (c : chain) (chain_ok : check_chain c = true) (same : check_stationary c = true).

(** What one record releases. *)
Definition shown_of r := start c true * (1 - hides r true) + start c false * (1 - hides r false).

Lemma kept_total rs : forall n, length rs = n ->
  (Σ v : word n, chain_law c v * kept rs (values v)) = sum rs shown_of.
Proof.
  induction rs as [|r rs IH]; intros n <-; [simpl; lra|]. cbn [length]. rewrite Sum_word.
  unfold chain_law. cbn [values fst snd begun kept sum].
  transitivity ((shown_of r) + Σ v : word (length rs),
    (start c true * onward c true (values v) + start c false * onward c false (values v)) *
    kept rs (values v)).
  - rewrite <- sum_plus. unfold shown_of.
    rewrite (sum_ext all _ (fun v : word (length rs) =>
      (1 - hides r true) * start c true * onward c true (values v) +
      ((1 - hides r false) * start c false * onward c false (values v) +
      (start c true * onward c true (values v) + start c false * onward c false (values v)) *
      kept rs (values v)))) by (intros v _; ring).
    rewrite !sum_plus, !sum_scale, !onward_total. ring.
  - f_equal. rewrite <- (IH _ eq_refl). apply sum_ext; intros v _. f_equal.
    unfold chain_law. destruct (values v) as [|x l] eqn:V; cbn [onward begun].
    + pose proof (start_total c chain_ok). lra.
    + rewrite <- (stays c chain_ok same x). ring.
Qed.

Lemma share_reads unit r : check_row r = true -> check_share unit r = true -> (0 < unit)%Z ->
  IZR (share c unit r) = IZR unit * (IZR (first_zero c) + IZR (first_one c)) * shown_of r.
Proof.
  intros ok same_unit pos. destruct (rows_read r ok) as [w _].
  destruct (chain_reads c chain_ok) as [_ [_ [_ [_ [_ s0]]]]].
  apply Z.eqb_eq, (f_equal IZR) in same_unit. rewrite mult_IZR in same_unit.
  unfold share, shown_of, start, hides. rewrite !mult_IZR, !plus_IZR, !mult_IZR, !minus_IZR.
  rewrite <- same_unit. field. lra.
Qed.

Lemma shares_read unit rs : (forall r, In r rs -> check_row r = true) ->
  forallb (check_share unit) rs = true -> (0 < unit)%Z ->
  IZR (shares c unit rs) = IZR unit * (IZR (first_zero c) + IZR (first_one c)) * sum rs shown_of.
Proof.
  intros ok fit pos. induction rs as [|r rs IH]; [simpl; lra|].
  cbn [shares sum forallb] in *. apply andb_prop in fit as [here fit].
  rewrite plus_IZR, IH by (auto; intros; apply ok; now right).
  rewrite share_reads by (auto; apply ok; now left). ring.
Qed.
End Chain.

Lemma released_sound c l unit u : check_input c (spread l) = true ->
  check_released c l unit u = true -> released c l = IZR (fst u) / IZR (Zpos (snd u)).
Proof.
  intros ok H. destruct (input_reads c l ok) as [chain_ok [rows_ok p]]. unfold check_released in H.
  apply andb_prop in H as [H E]. apply andb_prop in H as [H fit].
  apply andb_prop in H as [same pos].
  apply Z.ltb_lt in pos. apply Z.eqb_eq, (f_equal IZR) in E.
  rewrite !mult_IZR, plus_IZR in E. rewrite (shares_read c chain_ok unit) in E by easy.
  unfold released. rewrite kept_total by easy. rewrite INR_IZR_INZ.
  destruct (chain_reads c chain_ok) as [_ [_ [_ [_ [_ s0]]]]]. apply IZR_lt in pos.
  assert (d0 : 0 < IZR (Zpos (snd u))) by now apply IZR_lt.
  assert (n0 : 0 < IZR (Z.of_nat (count_of l))) by (apply IZR_lt; lia).
  set (s := IZR (first_zero c) + IZR (first_one c)) in *.
  apply (Rmult_eq_reg_r (IZR unit * s * IZR (Zpos (snd u)) * IZR (Z.of_nat (count_of l))));
    [|apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; lra].
  unfold Rdiv. set (t := sum (spread l) (shown_of c)) in *.
  replace (t * / IZR (Z.of_nat (count_of l)) * (IZR unit * s * IZR (Zpos (snd u)) *
    IZR (Z.of_nat (count_of l)))) with (IZR unit * s * t * IZR (Zpos (snd u))) by (field; lra).
  rewrite E. field. lra.
Qed.

(** Showing what a window shows, and anything else. *)
Fixpoint wider (ws : list bool) (y : output) : list output := match ws, y with
  | w :: ws, o :: y => flat_map (fun o => map (cons o) (wider ws y))
      (if w : bool then [o] else [None; Some true; Some false])
  | _, _ => [[]] end.
Fixpoint weight (rho : list R) (ws : list bool) : R := match rho, ws with
  | h :: rho, w :: ws => (if w : bool then 1 - h else 1) * weight rho ws
  | _, _ => 1 end.

Lemma wider_total ws : forall y, In y (window_outputs ws) -> forall rho l,
  length rho = length ws -> length l = length ws ->
  sum (wider ws y) (hides_blindly rho l) = weight rho ws * redacts (map window_row ws) l y.
Proof.
  induction ws as [|w ws IH]; intros y iy [|h rho] [|x l] er el; try easy.
  - destruct iy as [<-|[]]. simpl. ring.
  - cbn [window_outputs] in iy. apply in_flat_map in iy as [o [io iy]].
    apply in_map_iff in iy as [y' [<- iy]]. cbn [wider weight map redacts].
    injection er as er. injection el as el. specialize (IH y' iy rho l er el).
    assert (one : forall o', sum (map (cons o') (wider ws y')) (hides_blindly (h :: rho) (x :: l)) =
      match o' with None => h | Some z => if eqb x z then 1 - h else 0 end *
      (weight rho ws * redacts (map window_row ws) l y')).
    { intros o'. rewrite sum_map. cbn [hides_blindly]. rewrite <- IH. apply sum_scale. }
    destruct w.
    + cbn [flat_map]. rewrite app_nil_r, one. unfold window_row. cbn [hides].
      destruct io as [<-|[<-|[]]]; destruct x; unfold symbol, hides; cbn [eqb whole if_zero if_one];
        field.
    + destruct io as [<-|[]]. cbn [flat_map]. rewrite app_nil_r, !sum_app, !one.
      destruct x; cbn [eqb]; unfold symbol, hides, window_row, always;
        cbn [eqb whole if_zero if_one]; field.
Qed.

Lemma spread_singles (rs : list row) : spread (map (fun r => (1%Z, r)) rs) = rs.
Proof. induction rs as [|r rs IH]; [easy|]. unfold spread in *. simpl. now rewrite IH. Qed.

Lemma always_repeat (rs : list row) : map (fun _ => always) rs = repeat always (length rs) /\
  map (fun _ => @None bool) rs = repeat None (length rs).
Proof. induction rs as [|r rs [IH IH']]; [easy|]. simpl. now rewrite IH, IH'. Qed.

Lemma weight_pos ws : forall rho, length rho = length ws ->
  (forall i, nth i ws false = true -> nth i rho 0 < 1) -> 0 < weight rho ws.
Proof.
  induction ws as [|w ws IH]; intros [|h rho] e less; simpl in *; try easy; try lra.
  apply Rmult_lt_0_compat.
  - destruct w; [|lra]. specialize (less 0%nat eq_refl). simpl in less. lra.
  - apply IH; [lia|]. intros i H. exact (less (S i) H).
Qed.

Section Blind.
Context (c : chain) (l : runs) (ok : check_input c (spread l) = true).
Notation n := (count_of l).

(** A mechanism that may show what a window shows leaks no less. *)
Lemma window_kept rho ws y r : length rho = n -> (forall h, In h rho -> 0 <= h <= 1) ->
  pufferfish r (fun v : word n => hides_blindly rho (values v)) (either_value c l)
    (eq (chain_law c)) ->
  length ws = n -> (forall i, nth i ws false = true -> nth i rho 0 < 1) ->
  In y (window_outputs ws) -> forall b,
  0 < P (chain_law c) (value_is c l b) -> 0 < P (chain_law c) (value_is c l (negb b)) ->
  told c (start c) (place c) n (map window_row ws) y b *
    P (chain_law c) (value_is c l (negb b)) <=
  r * (P (chain_law c) (value_is c l b) *
    told c (start c) (place c) n (map window_row ws) y (negb b)).
Proof.
  intros len rho01 promise lw less iy b Pb Pn.
  pose proof (weight_pos ws rho ltac:(congruence) less) as K.
  assert (E : forall x, sum (wider ws y) (fun y' =>
    Pw (chain_law c) (fun v : word n => hides_blindly rho (values v)) (value_is c l x) y') =
    weight rho ws * told c (start c) (place c) n (map window_row ws) y x).
  { intros x. unfold Pw, told. rewrite sum_swap, <- sum_scale. apply sum_ext; intros v _.
    rewrite sum_scale, (wider_total ws y iy) by (rewrite ?values_length; congruence).
    unfold inside, value_is, chain_law. destruct eqb; ring. }
  pose proof (sum_le (wider ws y) (fun y' => P (chain_law c) (value_is c l (negb b)) *
    Pw (chain_law c) (fun v : word n => hides_blindly rho (values v)) (value_is c l b) y')
    (fun y' => r * P (chain_law c) (value_is c l b) *
    Pw (chain_law c) (fun v : word n => hides_blindly rho (values v)) (value_is c l (negb b)) y'))
    as sums.
  rewrite !sum_scale, !E in sums.
  apply (Rmult_le_reg_l (weight rho ws)); [easy|].
  enough (H : P (chain_law c) (value_is c l (negb b)) *
    (weight rho ws * told c (start c) (place c) n (map window_row ws) y b) <=
    r * P (chain_law c) (value_is c l b) *
    (weight rho ws * told c (start c) (place c) n (map window_row ws) y (negb b))) by lra.
  apply sums. intros y' _.
  specialize (promise _ (value_is c l b) (value_is c l (negb b)) y' eq_refl
    (ex_intro _ b (conj eq_refl eq_refl)) Pb Pn). lra.
Qed.

Lemma input_of rs : forallb check_row rs = true -> length rs = n -> check_input c rs = true.
Proof.
  intros rows_ok len. pose proof ok as H. unfold check_input, count_of in *.
  rewrite !andb_true_iff in *. rewrite len. tauto.
Qed.
Lemma windows_fine ws : forallb check_row (map window_row ws) = true.
Proof. induction ws as [|[] ws IH]; simpl; auto. Qed.

Lemma breaks_sound bits m d q ws rho r : breaks bits c m d q ws = true ->
  prior_cone bits c (spread l) = Some q -> positive_cone q = true -> length ws = n ->
  length rho = n -> (forall h, In h rho -> 0 <= h <= 1) ->
  pufferfish r (fun v : word n => hides_blindly rho (values v)) (either_value c l)
    (eq (chain_law c)) ->
  r <= IZR m / IZR (Zpos d) -> ~ (forall i, nth i ws false = true -> nth i rho 0 < 1).
Proof.
  intros H B pos lw len rho01 promise small less. unfold breaks in H.
  apply existsb_exists in H as [y [iy H]].
  destruct (one_cone bits c (map window_row ws) y) as [k|] eqn:A; [|easy].
  destruct (prior_sound c l ok bits q B) as [pq [hq lq]].
  destruct (positive_sound _ _ pos hq lq) as [p0 p1].
  set (l' := map (fun r => (1%Z, r)) (map window_row ws)).
  assert (same : spread l' = map window_row ws) by apply spread_singles.
  assert (ok' : check_input c (spread l') = true).
  { rewrite same. apply input_of; [apply windows_fine|]. now rewrite map_length. }
  assert (ly : length y = length (spread l')).
  { rewrite same, map_length. clear -iy. revert y iy. induction ws as [|w ws' IH]; intros y iy.
    - destruct iy as [<-|[]]. easy.
    - cbn [window_outputs] in iy. apply in_flat_map in iy as [o [_ iy]].
      apply in_map_iff in iy as [y' [<- iy]]. simpl. now rewrite (IH y' iy). }
  rewrite <- same in A. destruct (one_sound c l' ok' bits k y A ly) as [pk [hk lk]].
  assert (E : count_of l' = n) by (unfold count_of; now rewrite same, map_length).
  rewrite E, same in hk, lk.
  pose proof (window_kept rho ws y r len rho01 promise lw less iy) as kept_by.
  assert (more : IZR m / IZR (Zpos d) < r).
  { refine (compared_sound _ _ _ _ _ (fun r' => IZR m / IZR (Zpos d) < r') H pk pq hk hq lk p0 p1
      _ r (kept_by false p0 p1) (kept_by true p1 p0)).
    clear. intros x z r' le x0 z0 keep. unfold above_ratio in le.
    apply Z.ltb_lt, IZR_lt in le. rewrite !mult_IZR in le.
    apply IZR_lt in x0. assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
    destruct z0 as [z0|z0]; [|rewrite <- z0 in *; lra].
    apply (Rmult_lt_reg_r (IZR z * IZR (Zpos d))); [now apply Rmult_lt_0_compat|].
    replace (IZR m / IZR (Zpos d) * (IZR z * IZR (Zpos d))) with (IZR m * IZR z) by (field; lra).
    apply Rlt_le_trans with (1 := le). apply (Rmult_le_compat_r (IZR (Zpos d))) in keep; lra. }
  lra.
Qed.
End Blind.

(** How many are shown at times, and the nearest one. *)
Fixpoint count (a : list bool) : nat := match a with
  | [] => 0 | x :: a => (if x : bool then 1 else 0) + count a end.
Lemma count_le a : (count a <= length a)%nat.
Proof. induction a as [|[] a IH]; simpl; lia. Qed.
Lemma count_app a b : count (a ++ b) = (count a + count b)%nat.
Proof. induction a as [|[] a IH]; simpl; lia. Qed.
Lemma count_rev a : count (rev a) = count a.
Proof. induction a as [|x a IH]; [easy|]. simpl. rewrite count_app, IH. simpl. destruct x; lia. Qed.
Lemma nearest_of a : exists d, (1 <= d <= S (length a))%nat /\
  ((d <= length a)%nat -> nth (d - 1) a false = true) /\ (count a + d <= S (length a))%nat.
Proof.
  induction a as [|[] a IH].
  - exists 1%nat. simpl. repeat split; lia.
  - exists 1%nat. pose proof (count_le a). simpl. repeat split; try lia; easy.
  - destruct IH as [d [r [here le]]]. exists (S d). simpl. repeat split; try lia.
    intros small. destruct d as [|d]; [lia|]. simpl in *. rewrite Nat.sub_0_r in here.
    apply here. lia.
Qed.
Definition at_times (rho : list R) : list bool :=
  map (fun h => if Rlt_dec h 1 then true else false) rho.
Lemma at_times_total rho : (forall h, In h rho -> 0 <= h <= 1) ->
  sum rho (fun h => 1 - h) <= INR (count (at_times rho)).
Proof.
  induction rho as [|h rho IH]; intros small; [simpl; lra|].
  specialize (IH (fun x i => small x (or_intror i))). pose proof (small h (or_introl eq_refl)).
  cbn [sum at_times map count]. rewrite plus_INR.
  destruct (Rlt_dec h 1); simpl; fold (at_times rho); lra.
Qed.
Lemma at_times_read rho i : nth i (at_times rho) false = true -> nth i rho 0 < 1.
Proof.
  revert i; induction rho as [|h rho IH]; intros [|i]; simpl; try easy.
  - now destruct (Rlt_dec h 1).
  - apply IH.
Qed.
Lemma window_read n ks i : nth i (window n ks) false = true -> (i < n)%nat /\ In i ks.
Proof.
  intros H. assert (small : (i < n)%nat).
  { destruct (Nat.lt_ge_cases i n) as [|large]; [easy|]. rewrite nth_overflow in H; [easy|].
    unfold window. now rewrite map_length, seq_length. }
  split; [easy|]. unfold window in H.
  rewrite (nth_indep _ false (existsb (Nat.eqb 0) ks)) in H
    by now rewrite map_length, seq_length.
  rewrite (map_nth (fun i => existsb (Nat.eqb i) ks)), seq_nth in H by easy.
  apply existsb_exists in H as [k [ik e]]. apply Nat.eqb_eq in e. simpl in e. now subst.
Qed.

(** Among records of which some are shown at times, the nearest ones on either side of p. *)
Lemma nearest_both (a : list bool) p : (p < length a)%nat -> nth p a false = false ->
  exists d b, (1 <= d <= S p)%nat /\ (1 <= b <= length a - p)%nat /\
    (count a + d + b <= S (length a))%nat /\
    forall i, In i (on_left p d ++ on_right (length a) p b) -> nth i a false = true.
Proof.
  intros small off. pose proof (firstn_skipn p a) as parts.
  assert (lf : length (firstn p a) = p) by (rewrite firstn_length; lia).
  assert (ls : length (skipn p a) = (length a - p)%nat) by apply skipn_length.
  destruct (skipn p a) as [|x r] eqn:S1; [simpl in ls; lia|]. simpl in ls.
  assert (x = false) as ->.
  { rewrite <- parts, app_nth2, lf, Nat.sub_diag in off by lia. exact off. }
  destruct (nearest_of (rev (firstn p a))) as [d [dr [here le]]].
  destruct (nearest_of r) as [b [br [there le']]].
  rewrite rev_length, count_rev, lf in *. exists d, b.
  assert (C : count a = (count (firstn p a) + count r)%nat).
  { rewrite <- parts at 1. rewrite count_app. reflexivity. }
  repeat split; try lia. intros i I. apply in_app_or in I as [I|I].
  - unfold on_left in I. destruct (Nat.leb_spec d p) as [dp|]; [|easy]. destruct I as [<-|[]].
    specialize (here dp). rewrite rev_nth in here by (rewrite lf; lia). rewrite lf in here.
    rewrite <- parts, app_nth1 by (rewrite lf; lia). rewrite <- here. f_equal. lia.
  - unfold on_right in I. destruct (Nat.ltb_spec (p + b) (length a)) as [bp|]; [|easy].
    destruct I as [<-|[]]. rewrite <- parts, app_nth2 by (rewrite lf; lia). rewrite lf.
    replace (p + b - p)%nat with (S (b - 1)) by lia. simpl. apply there. lia.
Qed.

Lemma blind_sound c l e bits r u : check_blind c l e bits r u = true ->
  none_blind_is_better c l e (of_pair u).
Proof.
  unfold check_blind. cbv zeta. fold (count_of l). intros H rho len rho01 promise.
  apply andb_prop in H as [H windows]. apply andb_prop in H as [up ok].
  apply reached_sound in up. destruct (input_reads c l ok) as [_ [_ private_in]].
  destruct (prior_cone bits c (spread l)) as [q|] eqn:B; [|easy].
  apply andb_prop in windows as [H windows]. apply andb_prop in H as [pos own].
  set (n := count_of l) in *. set (p := place c) in *.
  assert (pn : (p < n)%nat) by (unfold p, place; lia).
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  destruct (Rle_lt_dec (sum rho (fun h => 1 - h) / INR n) (of_pair u)) as [|more]; [easy|exfalso].
  pose proof (fun ks broken =>
    breaks_sound c l ok bits _ _ q (window n ks) rho (ratio e) broken B pos
      ltac:(unfold window; now rewrite map_length, seq_length) len rho01 promise up) as no.
  assert (la : length (at_times rho) = n) by (unfold at_times; now rewrite map_length).
  assert (off : nth p (at_times rho) false = false).
  { destruct (nth p (at_times rho) false) eqn:on; [|easy]. exfalso. apply (no [p] own).
    intros i I. apply window_read in I as [_ [<-|[]]]. now apply at_times_read. }
  destruct (nearest_both (at_times rho) p ltac:(lia) off) as [a [b [ar [br [le shown_there]]]]].
  rewrite la in *.
  assert (total : (Z.of_nat n * fst u / Zpos (snd u) < Z.of_nat (count (at_times rho)))%Z).
  { apply lt_IZR. pose proof (at_times_total rho rho01) as below.
    assert (d0 : 0 < IZR (Zpos (snd u))) by now apply IZR_lt.
    pose proof (div_down (Z.of_nat n * fst u) (Zpos (snd u)) eq_refl) as floor.
    rewrite mult_IZR, <- INR_IZR_INZ in floor. rewrite <- INR_IZR_INZ.
    apply Rle_lt_trans with (INR n * of_pair u).
    - apply (Rmult_le_reg_r (IZR (Zpos (snd u)))); [easy|]. unfold of_pair.
      replace (INR n * (IZR (fst u) / IZR (Zpos (snd u))) * IZR (Zpos (snd u)))
        with (INR n * IZR (fst u)) by (field; lra). exact floor.
    - apply (Rmult_lt_compat_l (INR n)) in more; [|easy].
      replace (INR n * (sum rho (fun h => 1 - h) / INR n)) with (sum rho (fun h => 1 - h)) in more
        by (field; lra). lra. }
  set (most := Z.to_nat (Z.of_nat n - Z.of_nat n * fst u / Zpos (snd u))) in *.
  assert (few : (a + b <= most)%nat) by (unfold most; lia).
  rewrite forallb_forall in windows. specialize (windows a).
  rewrite in_seq, forallb_forall in windows. specialize (windows ltac:(lia) b).
  rewrite in_seq in windows. specialize (windows ltac:(lia)).
  apply orb_prop in windows as [H|H]; [apply Nat.ltb_lt in H; lia|].
  apply (no _ H). intros i I. apply window_read in I as [_ I]. apply at_times_read. auto.
Qed.

Lemma local_sound c l e d k : check_local c l e d k = true -> is_local c l e d.
Proof.
  unfold check_local. intros i. apply andb_prop in i as [i best].
  apply andb_prop in i as [i released_ok].
  apply andb_prop in i as [i least]. apply andb_prop in i as [most high].
  destruct (redaction_most_of _ _ _ _ _ most) as [w within].
  destruct (redaction_most_of _ _ _ _ _ high) as [_ above].
  destruct (redaction_least_of _ _ _ _ _ _ _ least) as [_ below].
  assert (ok : check_input c (spread l) = true).
  { unfold check_most in most. cbv zeta in most. rewrite !andb_true_iff in most. tauto. }
  repeat (split; [assumption|]). split; [exact (released_sound _ _ _ _ ok released_ok)|].
  destruct (no_more d) as [[[| |common same s s'] u]|]; [| | |easy]; destruct (why k);
    try easy.
  - exact (blind_sound _ _ _ _ _ _ best).
  - exact (prices_sound _ _ _ _ _ best).
  - exact (three_r_sound _ _ _ _ _ _ _ _ _ _ _ _ best).
Qed.

(** Of a certificate of the kind redaction-designs, what its mechanisms leak and release, and that
    no mechanism releases more than is said of those that hide records whatever their values, of
    all, or of 3R mechanisms.
    Differs: of 3R mechanisms, sides are read outwards from the private record, which for a
    stationary chain of two values is the same in both directions; nothing is said of those whose
    probabilities vary, with two medium records or more on a side, or of the published
    constraints. *)
Theorem designs_of c e dks : forallb (check_design c e) dks = true ->
  are_designs c e (map fst dks).
Proof.
  rewrite forallb_forall. intros H d i. apply in_map_iff in i as [[d' k] [<- i]].
  apply H in i. unfold check_design, is_design in *. cbn [fst snd] in *.
  destruct (redacted d') as [l|n t], k as [k|r k]; try easy.
  - exact (local_sound _ _ _ _ _ i).
  - exact (central_sound _ _ _ _ _ _ _ i).
Qed.
