(** Local redaction of chains of bits, and near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage RedactionUtility.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** ** Local redaction of a chain of three bits with a = 1/4 and b = 1/2 *)

Definition quarter_half := constant_steps (1/4) (1/2).
Definition chain_of_three := bits_law 1 1 fair quarter_half quarter_half.
Definition always_shown (k : nat) := small.
Definition sometimes_shown (k : nat) := medium.
Definition one_half (k : nat) : R := 1/2.

Lemma quarter_half_law k x : law (quarter_half k x).
Proof. apply constant_law; lra. Qed.

Lemma shown_keeps : side_keeps quarter_half (three_regions always_shown one_half) 1 2.
Proof. intros [] [|[[]|] [|o y]]; by_cases. Qed.

Lemma sometimes_keeps : side_keeps quarter_half (three_regions sometimes_shown one_half) 1 (3/2).
Proof. intros [] [|[[]|] [|o y]]; by_cases. Qed.

Example three_regions_private_used : pufferfish (exp (ln 2 + ln (3/2)))
  (redacted 1 1 (three_regions always_shown one_half) (three_regions sometimes_shown one_half))
  (either_order 1 1) (eq chain_of_three).
Proof.
  apply (three_regions_private 1 1 fair quarter_half quarter_half fair_law quarter_half_law
    quarter_half_law always_shown sometimes_shown one_half one_half (ln 2) (ln (3/2)));
    try (intros; unfold one_half; lra).
  - rewrite exp_ln by lra. apply shown_keeps.
  - rewrite exp_ln by lra. apply sometimes_keeps.
Qed.

(** The budgets add up: both sides at 2 do not keep 2. *)
Example budgets_add_up : ~ pufferfish 2
  (redacted 1 1 (three_regions always_shown one_half) (three_regions always_shown one_half))
  (either_order 1 1) (eq chain_of_three).
Proof.
  intros promise. specialize (promise chain_of_three (bit_is 1 1 true) (bit_is 1 1 false)
    ([Some true], [Some true]) eq_refl (ex_intro _ true (conj eq_refl eq_refl))).
  revert promise. by_cases.
Qed.

(** ** What is not replaced leaks *)

Definition kept (k : nat) : R := 0.
Definition replaced (k : nat) : R := 1.
Definition by_a_coin (k : nat) : R := 1/2.
Definition from_the_second (k : nat) : R := if Nat.leb k 1 then 1 else 0.

Ltac shares := intros k; unfold kept, replaced, by_a_coin, from_the_second;
  try destruct (Nat.leb k 1); lra.
(** x stands for (1 + c lam^D)/(1 - lam^D). *)
Ltac influence x := unfold i0, i1; match goal with |- context [of_c ?a ?b ?c ?d] =>
  replace (of_c a b c d) with x by (unfold of_c, lam; simpl; lra) end;
  first [rewrite larger_above by lra | rewrite larger_below by lra]; lra.

Lemma neighbour_kept n : (1 <= n)%nat -> nearest kept n (Some 1%nat).
Proof. intros n1. repeat split; unfold kept; try lia; lra. Qed.

Lemma neighbour_by_a_coin n : (1 <= n)%nat -> nearest by_a_coin n (Some 1%nat).
Proof. intros n1. repeat split; unfold by_a_coin; try lia; lra. Qed.

Lemma none_kept n : nearest replaced n None.
Proof. easy. Qed.

Lemma second_kept n : (2 <= n)%nat -> nearest from_the_second n (Some 2%nat).
Proof.
  intros n2. unfold from_the_second. repeat split; try lia; simpl; try lra.
  intros k i. replace k with 1%nat by lia. easy.
Qed.

(** For a = 1/4 and b = 1/2 each neighbour tells 2: both together 4, and nothing less. *)
Example redaction_leakage_used R0 : pufferfish R0
  (redacted 1 1 (dim kept) (dim kept)) (either_order 1 1) (eq chain_of_three) <-> 2 * 2 <= R0.
Proof.
  replace (2 * 2) with (leakage_of (1/4) (1/2) (Some 1%nat) (Some 1%nat)).
  - apply redaction_leakage; try shares; try (now apply neighbour_kept); unfold fair; lra.
  - simpl. replace (i1 (1/4) (1/2) 1) with 2 by (symmetry; influence 2).
    destruct Rlt_dec as [neg|]; [unfold lam in neg|]; lra.
Qed.

Example redaction_leaks_no_less : ~ pufferfish 3
  (redacted 1 1 (dim kept) (dim kept)) (either_order 1 1) (eq chain_of_three).
Proof. intros promise. apply redaction_leakage_used in promise. lra. Qed.

(** Nothing is kept on the left: the right neighbour tells 2, though its value 0 tells 3/2. *)
Example redaction_leakage_on_one_side R0 : pufferfish R0
  (redacted 1 1 (dim replaced) (dim by_a_coin)) (either_order 1 1) (eq chain_of_three) <-> 2 <= R0.
Proof.
  replace 2 with (leakage_of (1/4) (1/2) None (Some 1%nat)) by (simpl; influence 2).
  unfold chain_of_three, quarter_half.
  apply redaction_leakage; try shares; try (now apply neighbour_by_a_coin); try apply none_kept;
    unfold fair; lra.
Qed.

Example the_value_0_is_too_little : i0 (1/4) (1/2) 1 = 3/2 /\ ~ pufferfish (3/2)
  (redacted 1 1 (dim replaced) (dim by_a_coin)) (either_order 1 1) (eq chain_of_three).
Proof.
  split; [influence (3/2)|]. intros promise. apply redaction_leakage_on_one_side in promise. lra.
Qed.

(** For a = 1/2 and b = 3/4 the eigenvalue is -1/4: records at distances 1 and 2 tell different
    values. *)
Definition turning := constant_steps (1/2) (3/4).
Definition uneven R0 := pufferfish R0 (redacted 1 2 (dim by_a_coin) (dim from_the_second))
  (either_order 1 2) (eq (bits_law 1 2 fair turning turning)).

Lemma turning_tells : i1 (1/2) (3/4) 1 = 2 /\ i0 (1/2) (3/4) 1 = 3/2 /\
  i1 (1/2) (3/4) 2 = 7/6 /\ i0 (1/2) (3/4) 2 = 10/9.
Proof.
  split; [influence (1/2)|]. split; [influence (2/3)|].
  split; [influence (7/6)|influence (10/9)].
Qed.

Example redaction_leakage_of_opposite_signs R0 : uneven R0 <-> 20/9 <= R0.
Proof.
  destruct turning_tells as [A [B [C E]]].
  replace (20/9) with (leakage_of (1/2) (3/4) (Some 1%nat) (Some 2%nat)).
  - apply redaction_leakage; try shares; try (now apply neighbour_by_a_coin);
      try (now apply second_kept); unfold fair; lra.
  - simpl. rewrite A, B, C, E. destruct Rlt_dec as [neg|pos]; [|unfold lam in pos; lra].
    rewrite Rmax_left; lra.
Qed.

(** The sum of both influences, 2 times 7/6, is not what leaks there. *)
Example influences_do_not_add : ~ forall R0, uneven R0 <-> 2 * (7/6) <= R0.
Proof.
  intros sums.
  assert (uneven (20/9)) as promise by (apply redaction_leakage_of_opposite_signs; lra).
  apply sums in promise. lra.
Qed.

(** ** Six bits with a = b = 1/3, the third private: X_4 is replaced, the others are kept *)

Definition thirds := constant_steps (1/3) (1/3).
Definition six R0 := pufferfish R0 (redacted 2 3 (dim kept) (dim from_the_second))
  (either_order 2 3) (eq (bits_law 2 3 fair thirds thirds)).

Lemma thirds_tell : i1 (1/3) (1/3) 1 = 2 /\ i1 (1/3) (1/3) 2 = 5/4 /\ i1 (1/3) (1/3) 3 = 14/13.
Proof. split; [influence 2|]. split; [influence (5/4)|influence (14/13)]. Qed.

Lemma six_private : six (5/2).
Proof.
  destruct thirds_tell as [A [B _]].
  apply (redaction_leakage (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 3 fair
    ltac:(unfold fair; lra) ltac:(unfold fair; lra) kept from_the_second (Some 1%nat) (Some 2%nat));
    try shares; [now apply neighbour_kept; lia|now apply second_kept; lia|].
  simpl. rewrite A, B. destruct Rlt_dec as [neg|]; [unfold lam in neg|]; lra.
Qed.

Lemma six_first : first_at_most (i1 (1/3) (1/3)) (5/2) 1 /\
  first_at_most (fun D => i1 (1/3) (1/3) D * i1 (1/3) (1/3) D) (5/2) 2.
Proof.
  destruct thirds_tell as [A [B _]]. split; (split; [lia|]); cbv beta; rewrite ?A, ?B;
    (split; [lra|]); intros k i; [lia|]. replace k with 1%nat by lia. rewrite A. lra.
Qed.

(** Two of six records are replaced, as few as the theorem allows. *)
Lemma six_utility : utility 2 3 kept from_the_second = 2/3.
Proof. unfold utility, redactions, kept, from_the_second; simpl. lra. Qed.

Example dim_utility_used : utility 2 3 kept from_the_second <=
  1 - INR (Nat.min (1 + 2) (2 * 2 - (if Rlt_dec (lam (1/3) (1/3)) 0 then 3 else 2))) /
    INR (2 + 1 + 3).
Proof.
  destruct six_first as [De Dh]. destruct thirds_tell as [_ [_ C]].
  apply (dim_utility (1/3) (1/3) ltac:(lra) ltac:(lra) ltac:(lra) 2 3 fair kept from_the_second
    (5/2) ltac:(unfold fair; lra) ltac:(unfold fair; lra) ltac:(shares) ltac:(shares) six_private);
    auto; try lia. rewrite C. lra.
Qed.

(** The print has 2D*(eps/2) - 1 instead of 2D*(eps/2) - 2: false here by one record. *)
Example dim_utility_as_printed : ~ utility 2 3 kept from_the_second <=
  1 - INR (Nat.min (1 + 2) (2 * 2 - 1)) / INR (2 + 1 + 3).
Proof. rewrite six_utility. simpl. lra. Qed.

(** ** Twelve bits with a = 4/5 and b = 14/15, the sixth private: five of them are replaced *)

Definition uneven_steps := constant_steps (4/5) (14/15).
Definition from_the_fourth (k : nat) : R := if Nat.leb k 3 then 1 else 0.
Definition M12 := 169/48 * (406237/215904).

Lemma uneven_tell : i1 (4/5) (14/15) 1 = 12 /\ i1 (4/5) (14/15) 2 = 169/48 /\
  i1 (4/5) (14/15) 3 = 28236/10933 /\ i1 (4/5) (14/15) 4 = 406237/215904.
Proof.
  split; [influence (1/12)|]. split; [influence (169/48)|].
  split; [influence (10933/28236)|influence (406237/215904)].
Qed.

Lemma shares_fourth : shares from_the_fourth.
Proof. intros k. unfold from_the_fourth. destruct (Nat.leb k 3); lra. Qed.

Lemma nearest_fourth : nearest from_the_fourth 6 (Some 4%nat).
Proof.
  unfold from_the_fourth. repeat split; try lia; simpl; try lra.
  intros k i. destruct k as [|[|[|[|k]]]]; try lia; easy.
Qed.

Lemma twelve_private : pufferfish M12 (redacted 5 6 (dim from_the_second) (dim from_the_fourth))
  (either_order 5 6) (eq (bits_law 5 6 fair uneven_steps uneven_steps)).
Proof.
  destruct uneven_tell as [_ [B [_ E]]].
  apply (redaction_leakage (4/5) (14/15) ltac:(lra) ltac:(lra) ltac:(lra) 5 6 fair
    ltac:(unfold fair; lra) ltac:(unfold fair; lra) from_the_second from_the_fourth
    (Some 2%nat) (Some 4%nat)); [shares|apply shares_fourth|now apply second_kept; lia|
    apply nearest_fourth|].
  simpl. rewrite B, E. unfold M12. destruct Rlt_dec; lra.
Qed.

Example dim_utility_used_with_a_negative_eigenvalue : utility 5 6 from_the_second from_the_fourth <=
  1 - INR (Nat.min (2 + 5) (2 * 4 - (if Rlt_dec (lam (4/5) (14/15)) 0 then 3 else 2))) /
    INR (5 + 1 + 6).
Proof.
  destruct uneven_tell as [A [B [C E]]].
  apply (dim_utility (4/5) (14/15) ltac:(lra) ltac:(lra) ltac:(lra) 5 6 fair from_the_second
    from_the_fourth M12 ltac:(unfold fair; lra) ltac:(unfold fair; lra) ltac:(shares)
    shares_fourth twelve_private); try lia.
  - split; [lia|]. rewrite B. unfold M12. split; [lra|]. intros k i.
    replace k with 1%nat by lia. rewrite A. lra.
  - split; [lia|]. cbv beta. rewrite E. unfold M12. split; [lra|]. intros k i.
    destruct k as [|[|[|[|k]]]]; try lia; rewrite ?A, ?B, ?C; lra.
  - apply Rle_trans with (i1 (4/5) (14/15) 4); [apply i1_decreases; lra || lia|].
    rewrite E. unfold M12. lra.
Qed.

(** There the bound for other eigenvalues is false by one record, and the print by two. *)
Example negative_eigenvalues_replace_fewer : ~ utility 5 6 from_the_second from_the_fourth <=
  1 - INR (Nat.min (2 + 5) (2 * 4 - 2)) / INR (5 + 1 + 6).
Proof. unfold utility, redactions, from_the_second, from_the_fourth; simpl. lra. Qed.
