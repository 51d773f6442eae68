(** Levels per record, used on two correlated bits and on chains, and near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain Means.
From Pufferproof Require Import RecordTables Recursion InnerBit ProductPriors ProductClasses.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** Two bits that agree three times in four; the first is the secret. *)
Definition both_bits := vec bool 2.
Definition agree (x : vec bool 2) : R := if eqb (fst x) (fst (snd x)) then 3/8 else 1/8.
Definition first_yes : @secret (vec bool 2) := fun x => fst x.
Definition first_no : @secret (vec bool 2) := fun x => negb (fst x).
Definition first_hidden (j : nat) : bool := Nat.eqb j 0.
Definition answer_first (x : vec bool 2) (w : bool) : R := response (fst x) w.

Lemma agree_law : law agree.
Proof. split; [intros [[] [[] []]]|]; by_cases. Qed.

Lemma answer_likelihood : likelihood answer_first.
Proof. intros x w. apply response_likelihood. Qed.

Lemma answer_levels : levels first_hidden (fun _ => 3) answer_first.
Proof. intros j [[] x] [[] y] [] _ _; by_cases. Qed.

Lemma agree_influence : influence_of_shown Bool.bool_dec first_hidden 3 agree first_yes first_no.
Proof.
  intros v. unfold p_quilt, Pz, at_. cbn -[IZR Rmult Rplus Rdiv decide_shown].
  repeat (destruct decide_shown); by_cases.
Qed.

Example translate_used w :
  Pw agree answer_first first_yes w * P agree first_no <=
  3 * of_hidden first_hidden (fun _ => 3) 2 * P agree first_yes * Pw agree answer_first first_no w.
Proof.
  apply (translate Bool.bool_dec).
  - apply agree_law.
  - apply answer_likelihood.
  - apply answer_levels.
  - apply agree_influence.
Qed.

Example translate_by_curve_used w :
  Pw agree answer_first first_yes w * P agree first_no <=
  exp (INR 1 * ln 3 + ln 3) * P agree first_yes * Pw agree answer_first first_no w.
Proof.
  apply (translate_by_curve (n := 2) Bool.bool_dec first_hidden (ln 3) (ln 3)).
  - apply agree_law.
  - apply answer_likelihood.
  - rewrite exp_ln by lra. apply answer_levels.
  - rewrite exp_ln by lra. apply agree_influence.
Qed.

(** Without the influence it fails: the other bit is shown, the first is not touched. *)
Definition show_second (x : vec bool 2) (w : bool) : R := identity (fst (snd x)) w.

Example translate_needs_the_influence :
  levels first_hidden (fun _ => 1) show_second /\
  ~ forall w, Pw agree show_second first_yes w * P agree first_no <=
    1 * of_hidden first_hidden (fun _ => 1) 2 * P agree first_yes * Pw agree show_second first_no w.
Proof.
  split.
  - intros j x y w h diff. assert (j = 0%nat) as -> by now apply Nat.eqb_eq.
    pose proof (diff 1%nat ltac:(lia)) as same. destruct x as [a [b []]], y as [a' [b' []]].
    injection same as ->. unfold show_second; simpl. lra.
  - intros promise. specialize (promise true). revert promise. by_cases.
Qed.

(** The first record is asked for; the answer "yes" ends it, and costs nothing from there on. *)
Definition quiet (x : vec bool 2) (w : bool) : R := 1/2.
Definition asked (past : list bool) := if existsb (fun w => w) past then quiet else answer_first.
Definition costs (past : list bool) (_ : nat) : R := if existsb (fun w => w) past then 1 else 3.

Example quilt_account_used ws :
  let Mrs := [(asked, costs); (asked, costs)] in
  let joint := adaptive (map fst Mrs) [] in
  let spends := of_hidden first_hidden (spent [costs; costs] [] ws) 2 in
  Pw agree joint first_yes ws * P agree first_no <=
  3 * spends * P agree first_yes * Pw agree joint first_no ws.
Proof.
  intros Mrs joint spends.
  apply (quilt_account Bool.bool_dec first_hidden 3 spends agree first_yes first_no Mrs ws);
    [| |apply Rle_refl|].
  - apply agree_law.
  - intros Mr i past.
    assert (Mr = (asked, costs)) as -> by (destruct i as [<-|[<-|[]]]; reflexivity).
    unfold asked, costs; simpl. destruct existsb.
    + split; [intros x w; unfold quiet; lra|]. intros j x y w _ _. unfold quiet; lra.
    + split; [apply answer_likelihood|apply answer_levels].
  - apply agree_influence.
Qed.

Example spent_at_yes : of_hidden first_hidden (spent [costs; costs] [] [true; false]) 2 = 3 /\
  of_hidden first_hidden (spent [costs; costs] [] [false; true]) 2 = 9.
Proof. unfold of_hidden, first_hidden, costs; simpl. lra. Qed.

(** ** A chain of bits that stay three times in four, with level 2 for each *)
Definition stay (k : nat) (x y : bool) : R := if eqb x y then 3/4 else 1/4.
Definition two (k : nat) : R := 2.

Lemma stay_law k x : law (stay k x).
Proof. split; [intros []|]; destruct x; by_cases. Qed.

Lemma two_above k : 1 <= two k.
Proof. unfold two; lra. Qed.

Example recursion_bounds_used b w (M : bits 1 1 -> bool -> R) : bit_levels 1 1 2 two two M ->
  Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 b) w *
    P (bits_law 1 1 fair stay stay) (bit_is 1 1 (negb b)) <=
  worst 1 1 stay stay 2 two two b * P (bits_law 1 1 fair stay stay) (bit_is 1 1 b) *
    Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 (negb b)) w.
Proof.
  intros lv. apply recursion_bounds; auto; try apply fair_law; try apply stay_law;
    try apply two_above; lra.
Qed.

(** 2 of the bit itself, and 7/5 for what stays of the 2 of each neighbour. *)
Example recursion_computed : worst 1 1 stay stay 2 two two true = 2 * (7/5 * (7/5)).
Proof.
  assert (one : fst (turn stay two 0 1) = 7/5).
  { unfold turn, quotient, stay, two; simpl. unfold Rmax; destruct Rle_dec as [le|]; [|field].
    exfalso. revert le. replace (2 * 1) with 2 by ring.
    replace ((3 / 4 * 2 + 1 / 4) / (1 / 4 * 2 + 3 / 4)) with (7/5) by field.
    replace ((3 / 4 * / 2 + 1 / 4) / (1 / 4 * / 2 + 3 / 4)) with (5/7) by field. lra. }
  unfold worst, side. rewrite one. ring.
Qed.

Example recursion_is_attained_used : exists M : bits 1 1 -> unit -> R, bit_levels 1 1 2 two two M /\
  0 < Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 (negb true)) tt /\
  Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 true) tt *
    P (bits_law 1 1 fair stay stay) (bit_is 1 1 (negb true)) =
  worst 1 1 stay stay 2 two two true * P (bits_law 1 1 fair stay stay) (bit_is 1 1 true) *
    Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 (negb true)) tt.
Proof.
  apply recursion_is_attained; try apply fair_law; try apply stay_law; try apply two_above;
    unfold fair; lra.
Qed.

(** The level of the bit itself is no bound: its neighbours tell of it. *)
Example recursion_needs_neighbours : ~ forall M : bits 1 1 -> unit -> R,
  bit_levels 1 1 2 two two M ->
  Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 true) tt *
    P (bits_law 1 1 fair stay stay) (bit_is 1 1 (negb true)) <=
  2 * P (bits_law 1 1 fair stay stay) (bit_is 1 1 true) *
    Pw (bits_law 1 1 fair stay stay) M (bit_is 1 1 (negb true)) tt.
Proof.
  intros bound. destruct recursion_is_attained_used as [M [lv [pos E]]]. specialize (bound M lv).
  rewrite E, recursion_computed in bound.
  assert (half : P (bits_law 1 1 fair stay stay) (bit_is 1 1 true) = 1/2).
  { rewrite P_bit; try apply stay_law. reflexivity. }
  rewrite half in bound. lra.
Qed.

(** One record that randomised response shows: ratio 3 for all product laws, and no less. *)
Definition on_one (v : vec bool 1) (w : bool) : R := response (fst v) w.
Lemma on_one_likelihood : likelihood on_one.
Proof. intros [x []] w. apply response_likelihood. Qed.

Lemma on_one_dp : dp_for_records 3 on_one.
Proof. intros j [x []] [y []] w _. unfold on_one. destruct x, y, w; by_cases. Qed.

Example product_is_dp_used :
  pufferfish 3 on_one (values_of_records Bool.bool_dec) product_laws.
Proof.
  apply (product_is_dp Bool.bool_dec); [lra|apply on_one_likelihood|apply on_one_dp].
Qed.

Lemma on_one_no_less : ~ dp_for_records 2 on_one.
Proof.
  intros dp. specialize (dp 0%nat (true, tt) (false, tt) true). unfold on_one in dp.
  assert (le : response true true <= 2 * response false true).
  { apply dp. intros [|k] ne; [easy|reflexivity]. }
  revert le. by_cases.
Qed.

Example product_is_no_less :
  ~ pufferfish 2 on_one (values_of_records Bool.bool_dec) product_laws.
Proof.
  intros promise. apply (product_is_dp Bool.bool_dec) in promise; [now apply on_one_no_less|lra|].
  apply on_one_likelihood.
Qed.

(** The same if each value is possible, and for a value against all others. *)
Example full_support_is_dp_used :
  pufferfish 3 on_one (values_of_records Bool.bool_dec) full_products.
Proof. apply full_support_is_dp; [lra|apply on_one_likelihood|apply on_one_dp]. Qed.

Example against_others_is_dp_used :
  pufferfish 3 on_one (against_others Bool.bool_dec) product_laws.
Proof. apply against_others_is_dp; [lra|apply on_one_likelihood|apply on_one_dp]. Qed.

Example full_support_is_no_less :
  ~ pufferfish 2 on_one (values_of_records Bool.bool_dec) full_products.
Proof.
  intros promise. apply full_support_is_dp in promise; [now apply on_one_no_less|lra|].
  apply on_one_likelihood.
Qed.

Example against_others_is_no_less :
  ~ pufferfish 2 on_one (against_others Bool.bool_dec) product_laws.
Proof.
  intros promise. apply against_others_is_dp in promise; [now apply on_one_no_less|lra|].
  apply on_one_likelihood.
Qed.
