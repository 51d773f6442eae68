(** The mechanisms of bai2026 that collapse, on four databases; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Determined Revealed Decoys FourOutputs.
From Pufferproof Require Import FairBits FiniteLevel MatchingBits.
Import ListNotations.
Open Scope R_scope.

Definition dec4 : forall x y : bool * bool, {x = y} + {x <> y}.
Proof. decide equality; apply bool_dec. Defined.
Definition even (x : bool * bool) : R := 1/4.
Definition s4 : @secret (bool * bool) := fst.
Definition u4 : @secret (bool * bool) := snd.

Lemma even_law : law even.
Proof. unfold even. split; [intros; lra|]. cbn. lra. Qed.

Lemma even_possible : both_possible even s4.
Proof. unfold both_possible, P, inside, s4, otherwise, even; cbn. lra. Qed.

Example decoys_hide_used : decoys_hide dec4 even s4.
Proof. apply decoy_tells_nothing; [apply even_law|apply even_possible]. Qed.

Lemma two4 (u : @secret (bool * bool)) a b : a <> b -> u a = true -> u b = true ->
  (2 <= length (possible even u))%nat.
Proof.
  intros ne ua ub. change 2%nat with (length [a; b]). apply NoDup_incl_length.
  - repeat constructor; simpl; intuition.
  - intros y [<-|[<-|[]]]; apply possible_in; unfold even; split; easy || lra.
Qed.

Lemma even_two_each : two_each even s4 (true, true).
Proof.
  split; [apply even_law|]. split; [now apply (two4 _ (true, true) (true, false))|].
  split; [now apply (two4 _ (false, true) (false, false))|]. unfold even. lra.
Qed.

(** Two decoys, of probability 1/2 each: 1 + 1 + 1 runs on average. *)
Example three_runs : exists E, expected_runs even (decoy dec4 even s4) (is dec4 (true, true))
  (true, true) E /\ E = 3.
Proof.
  eexists. split; [apply decoy_runs, even_two_each|].
  unfold decoy_share, other_than, otherwise, P, inside, s4, even; cbn. lra.
Qed.

Example at_most_three : runs_at_most dec4 even s4 (true, true) (1 + / (1 - 1/2)).
Proof.
  apply decoy_bound; [apply even_two_each| |lra].
  intros [[] []]; unfold P, inside, otherwise, s4, even; cbn; lra.
Qed.

Example in_the_second_run : told_at dec4 even s4 (true, true) 2 (1/2).
Proof.
  replace (1/2) with (told_law even s4 (true, true) 2);
    [apply decoy_law; [apply even_two_each|lia]|].
  unfold told_law, decoy_share, other_than, otherwise, P, inside, s4, even; cbn. lra.
Qed.

(** No bound below the expectation. *)
Example not_two_runs : ~ runs_at_most dec4 even s4 (true, true) 2.
Proof.
  intros [two [E [runs below]]]. destruct three_runs as [F [more three]].
  rewrite (runs_unique _ _ _ _ _ _ runs more) in below. lra.
Qed.

Lemma even_fractions : fractions s4 u4 (eq even) (1/2) (1/2) (1/2) (1/2).
Proof.
  intros p <- _ _. unfold P, inside, within, otherwise, s4, u4, even; cbn. lra.
Qed.

Lemma even_corners : corners s4 u4 (eq even) (1/2) (1/2) (1/2) (1/2).
Proof.
  assert (corner s4 u4 (eq even) (1/2) (1/2)) as c; [|now repeat split].
  exists even. unfold P, inside, within, otherwise, s4, u4, even; cbn. repeat split; lra.
Qed.

Example four_used : pufferfish 1 (four s4 u4) (both_ways s4) (eq even).
Proof.
  apply (four_keeps s4 u4 1 (1/2) (1/2) (1/2) (1/2)); [apply even_fractions|].
  unfold eight, either. lra.
Qed.

Example four_one_way : pufferfish 1 (four s4 u4) (one_way s4) (eq even).
Proof.
  apply (four_keeps_one_order s4 u4 1 (1/2) (1/2) (1/2) (1/2)); [apply even_fractions|].
  unfold printed. lra.
Qed.

Example four_in_intervals : four_intervals s4 u4 (eq even) (1/2) (1/2) (1/2) (1/2).
Proof. apply four_ratios; [apply even_fractions|lra..]. Qed.

Example four_finite_used : some_level (four s4 u4) (both_ways s4) (eq even).
Proof.
  apply (four_finite s4 u4 (1/2) (1/2) (1/2) (1/2)); try lra; [|apply even_fractions].
  intros p <-. apply even_law.
Qed.

(** Where all of s is in U an output is impossible given s. *)
Definition three_of_four (x : bool * bool) : R := if fst x && negb (snd x) then 0 else 1/3.
Example no_level : ~ some_level (four s4 u4) (both_ways s4) (eq three_of_four).
Proof.
  intros [_ [r keep]]. specialize (keep three_of_four (otherwise s4) s4 (false, true) eq_refl).
  revert keep. unfold both_ways, Pw, P, inside, otherwise, s4, u4, three_of_four, four; cbn.
  intros keep. specialize (keep ltac:(auto)). lra.
Qed.

(** Below the largest ratio none is kept. *)
Example not_less : ~ pufferfish (1/2) (four s4 u4) (both_ways s4) (eq even).
Proof.
  intros keep. destruct (four_attained s4 u4 (1/2) _ _ _ _ _ even_corners keep) as [[le _] _]. lra.
Qed.

Example four_tells_used : four_runs s4 u4 even (true, true) 3.
Proof.
  apply four_tells. split; [apply even_law|].
  unfold P, inside, within, otherwise, s4, u4, even; cbn. lra.
Qed.

(** The common law of the examples, used for the first of them. *)
Example common_law : expected_runs even (decoy dec4 even s4) (is dec4 (true, true)) (true, true)
  (1 + Σ c, share (decoy dec4 even s4) dec4 (decoy_of s4 (true, true)) (true, true) c /
    (1 - share (decoy dec4 even s4) dec4 (decoy_of s4 (true, true)) (true, true) c)).
Proof.
  apply (two_kinds_tell even (decoy dec4 even s4) dec4 (decoy_of s4 (true, true))).
  - apply decoy_rows, even_two_each.
  - apply no_run_tells, even_two_each.
  - apply two_decoys, even_two_each.
  - intros c. rewrite decoy_shares. apply (shares_less dec4), even_two_each.
Qed.

(** Where each output shows the database the first run tells it: 0 runs never do. *)
Definition shown (x w : bool) : R := if eqb x w then 1 else 0.
Example never_two_kinds : ~ expected_runs (fun _ => 1/2) shown (eqb true) true 0.
Proof.
  intros none. destruct (none (1/2) ltac:(lra)) as [N near]. specialize (near N (le_n N)).
  unfold R_dist in near. assert (1 <= sum_f_R0 (hidden_after (fun _ => 1/2) shown (eqb true) true)
    N) as more; [|rewrite Rminus_0_r, Rabs_right in near; lra].
  clear near. induction N as [|N IH]; cbn [sum_f_R0].
  - unfold hidden_after, told, positive. cbn. destruct (Rlt_dec 0 (1/2)); simpl; lra.
  - assert (0 <= hidden_after (fun _ => 1/2) shown (eqb true) true (S N)); [|lra].
    apply sum_nonneg. intros v _. destruct (told _ _ _ _); [lra|].
    generalize (Chain.list_of v). intros l. induction l as [|w l IHl]; simpl; [lra|].
    apply Rmult_le_pos; [unfold shown; destruct w; simpl; lra|easy].
Qed.

(** Three fair bits, all of them secret; two are too few. *)
Definition fair_law n (x : vec bool n) : R := (/2) ^ n.
Example three_bits_hidden : bits_hide (fair_law 3).
Proof. now apply fair_bits_hide; [lia|]. Qed.
Example three_bits_told : bits_runs (fair_law 3) (true, (false, (true, tt))) 3.
Proof. now apply fair_bits_tell; [lia|]. Qed.
Example a_tuple_given_a_bit :
  Pw (fair_law 3) fair_coin (bit 1 true) (inl (true, (false, tt))) = 1/16.
Proof.
  destruct (given_a_bit (fair_law 3) ltac:(lia) ltac:(easy) 1 true ltac:(lia)) as [A _].
  rewrite A, half_of_a_bit by (lia || easy). simpl. lra.
Qed.
Example three_bits_not_in_two : ~ bits_runs (fair_law 3) (true, (false, (true, tt))) 2.
Proof.
  intros [_ [_ two]]. destruct three_bits_told as [_ [_ three]].
  pose proof (runs_unique _ _ _ _ _ _ two three). lra.
Qed.
Example two_bits_not_hidden : ~ bits_hide (fair_law 2).
Proof.
  intros hide. specialize (hide 1%nat ltac:(lia) false (inr false)). revert hide.
  unfold P, Pw, evidence, inside, fair_law. cbn. lra.
Qed.

Example three_bits_given : bits_given (fair_law 3).
Proof. now apply fair_bits_given; [lia|]. Qed.
Example two_bits_not_given : ~ bits_given (fair_law 2).
Proof.
  intros given. destruct (given 1%nat ltac:(lia) false) as [B _]. specialize (B false). revert B.
  unfold P, Pw, inside, fair_law. cbn. lra.
Qed.

Example both_types_of_three : both_tell (n := 3) (true, (false, (true, tt))).
Proof. apply both_types_tell. Qed.
(** One type does not tell. *)
Example not_by_differences : ~ forall x y : vec bool 3, differences y = differences x -> y = x.
Proof.
  intros tell. specialize (tell (true, (true, (true, tt))) (false, (false, (false, tt))) eq_refl).
  discriminate.
Qed.
