(** The quilt theorems on a chain of three bits: the middle one is the secret. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace QuiltMechanism Chain.
From Pufferproof Require Import SequentialQuilts.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Definition stays (k : nat) (x y : bool) : R := if eqb x y then 2/3 else 1/3.
Notation three := (near_t (A := bool) 1 * (quilt_t (A := bool) * far_t (A := bool) 0 0))%type.
Definition prior : three -> R := chain_law fair stays 0 1 0.
Definition middle (n : near_t (A := bool) 1) : bool := fst n.
Definition one : @secret three := fun x => middle (fst x).
Definition zero : @secret three := fun x => negb (middle (fst x)).

Lemma stays_law k x : law (stays k x).
Proof. split; [intros y|]; destruct x; try destruct y; by_cases. Qed.

Example chain_is_law_used : law prior.
Proof. apply chain_is_law; [apply fair_law|apply stays_law]. Qed.

Definition count (l : list bool) : R := sum l (fun x => if x then 1 else 0).

Lemma count_moves l x y r : Rabs (count (l ++ x :: r) - count (l ++ y :: r)) <= 1.
Proof.
  unfold count; rewrite !sum_app; simpl. unfold Rabs; destruct Rcase_abs, x, y; lra.
Qed.

(** Each neighbour is twice as likely to agree, so that both tell at most log 4. *)
Lemma influence_four : influence_at_most (dquilt bool_dec) quilt_of 4 prior one zero.
Proof. intros [[] []]; by_cases. Qed.

Lemma possible : 0 < P prior one /\ 0 < P prior zero.
Proof. split; by_cases. Qed.

Example chain_quilt_mechanism_used w :
  let M x := laplace 1 (count (records 0 1 0 x)) in
  Pw prior M one w * P prior zero <= exp (ln 4 + 1) * P prior one * Pw prior M zero w.
Proof.
  apply (chain_quilt_mechanism bool_dec fair stays 0 1 0 one zero middle (fun n => negb (middle n))
    count (ln 4) (ln 4 + 1) 1 w); try apply possible; try apply count_moves; try lra; try easy.
  - apply fair_law.
  - apply stays_law.
  - rewrite exp_ln by lra. apply influence_four.
  - lia.
  - replace (ln 4 + 1 - ln 4) with 1 by ring. simpl. lra.
Qed.

(** Noise of scale 1 / eps is too little: it does not hide what the quilt tells. *)
Lemma laplace_below u w : u <= w -> laplace 1 u w = exp u * (exp (- w) / 2).
Proof.
  intros below. unfold laplace. rewrite Rabs_right by lra.
  replace (- (w - u) / 1) with (u + - w) by field. rewrite exp_plus. field.
Qed.

Example chain_quilt_mechanism_needs_the_influence :
  let M x := laplace 1 (count (records 0 1 0 x)) in
  ~ Pw prior M one 3 * P prior zero <= exp 1 * P prior one * Pw prior M zero 3.
Proof.
  cbv -[IZR Rplus Rminus Rmult Rdiv Rinv Ropp Rle Rlt Rabs exp ln not laplace].
  rewrite !laplace_below by lra. rewrite !exp_plus, exp_0.
  pose proof (exp_increasing 0 1 Rlt_0_1) as big. rewrite exp_0 in big.
  assert (noise : 0 < exp (- (3)) / 2) by (pose proof (exp_pos (- (3))); lra).
  set (e := exp 1) in *. set (c := exp (- (3)) / 2) in *. intros promise.
  clearbody e c. assert (0 < c * e * (e - 1)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (0 < c * e * (e - 1) * e) by (apply Rmult_lt_0_compat; lra). nra.
Qed.

(** Conditional independence of what is remote holds on every chain. *)
Lemma nothing_remote s near : (forall n q r, s (n, (q, r)) = near n) ->
  independent_given_quilt (dquilt bool_dec) (dfar bool_dec 0 0) quilt_of remote_of prior s.
Proof. apply chain_quilt. Qed.

Example quilt_mechanism_used w :
  Pw prior (fun x w => response (fst (fst x)) w) one w * P prior zero <=
  4 * 3 * P prior one * Pw prior (fun x w => response (fst (fst x)) w) zero w.
Proof.
  apply (quilt_mechanism (dquilt bool_dec) (dfar bool_dec 0 0) quilt_of remote_of prior _ one zero);
    try lra; try apply possible.
  - apply chain_is_law_used.
  - intros x v; apply response_likelihood.
  - now apply nothing_remote with middle.
  - now apply nothing_remote with (fun n => negb (middle n)).
  - apply influence_four.
  - intros [[x []] q] [[y []] q'] _ _; simpl. destruct x, y, w; by_cases.
Qed.

Lemma count_near (x y : three) : quilt_of x = quilt_of y -> remote_of x = remote_of y ->
  Rabs (count (records 0 1 0 x) - count (records 0 1 0 y)) <= 1.
Proof.
  destruct x as [[n []] [[l r] [[] []]]], y as [[n' []] [[l' r'] [[] []]]].
  unfold quilt_of; simpl. intros E _; injection E as <- <-.
  unfold count; simpl. unfold Rabs; destruct Rcase_abs, n, n', l, r; lra.
Qed.

Example markov_quilt_mechanism_used w :
  let M x := laplace 1 (count (records 0 1 0 x)) in
  Pw prior M one w * P prior zero <= exp (ln 4 + 1) * P prior one * Pw prior M zero w.
Proof.
  apply (markov_quilt_mechanism (dquilt bool_dec) (dfar bool_dec 0 0) quilt_of remote_of prior
    one zero (fun x => count (records 0 1 0 x)) 1 (ln 4)); try apply possible; try lra.
  - apply chain_is_law_used.
  - now apply nothing_remote with middle.
  - now apply nothing_remote with (fun n => negb (middle n)).
  - rewrite exp_ln by lra. apply influence_four.
  - apply count_near.
  - replace (ln 4 + 1 - ln 4) with 1 by ring. lra.
Qed.

(** Two counts, one after the other, with the quilt that both have. *)
Definition left_of (x : three) : bool := fst (quilt_of x).
Definition right_of (x : three) : bool := snd (quilt_of x).
Definition counted (e : R) : run three :=
  {| query := fun x => count (records 0 1 0 x); bound := e; level := e + 1; scale := 1 |}.

Lemma counted_good e r : 0 <= e -> In r [counted e; counted e] -> good_run 1
  (fun x y => sides left_of right_of x = sides left_of right_of y /\ remote_of x = remote_of y) r.
Proof.
  intros e0 here. assert (r = counted e) as -> by (destruct here as [|[|[]]]; auto).
  repeat split; simpl; try lra.
  - replace (e + 1 - e) with 1 by ring. lra.
  - intros x y [E F]. apply count_near; [|easy].
    revert E. destruct x as [? [[? ?] ?]], y as [? [[? ?] ?]].
    unfold sides, left_of, right_of, quilt_of; cbn. congruence.
Qed.

Notation dsides := (dpair bool_dec bool_dec).
Lemma sides_remote s : s = one \/ s = zero ->
  independent_given_quilt dsides (dfar bool_dec 0 0) (sides left_of right_of) remote_of prior s.
Proof. intros [-> | ->] [[] []] [[] []]; by_cases. Qed.

Lemma sides_four : influence_at_most dsides (sides left_of right_of) 4 prior one zero.
Proof. intros [[] []]; by_cases. Qed.

Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros [more|<-]; [|rewrite ln_1; lra]. rewrite <- ln_1. left; apply ln_increasing; lra. Qed.

Example sequential_quilts_one_bound_used w v :
  let M x := joint_density [counted (ln 2); counted (ln 2)] x in
  Pw prior M one [w; v] * P prior zero <=
  exp (sum [counted (ln 2); counted (ln 2)] level) * P prior one * Pw prior M zero [w; v].
Proof.
  apply (sequential_quilts_one_bound bool_dec bool_dec (dfar bool_dec 0 0) prior left_of right_of
    remote_of one zero [counted (ln 2); counted (ln 2)] 1); try apply possible; try lra.
  - apply chain_is_law_used.
  - apply sides_remote; auto.
  - apply sides_remote; auto.
  - intros r here. apply (counted_good (ln 2)); [apply ln_nonneg; lra|easy].
  - simpl. rewrite Rplus_0_r, exp_plus, exp_ln by lra. replace (2 * 2) with 4 by ring.
    apply sides_four.
Qed.

Example sequential_quilts_used w v :
  let M x := joint_density [counted (ln 2); counted (ln 2)] x in
  Pw prior M one [w; v] * P prior zero <=
  exp (sum [counted (ln 2); counted (ln 2)] level) * P prior one * Pw prior M zero [w; v].
Proof.
  apply (sequential_quilts bool_dec bool_dec (dfar bool_dec 0 0) prior left_of right_of remote_of
    one zero [counted (ln 2); counted (ln 2)] 1) with (before := []) (r1 := counted (ln 2))
    (between := []) (r2 := counted (ln 2)) (after := []); try apply possible; try lra; try easy.
  - apply chain_is_law_used.
  - apply sides_remote; auto.
  - apply sides_remote; auto.
  - intros r here. apply (counted_good (ln 2)); [apply ln_nonneg; lra|easy].
  - intros [] []; by_cases.
  - intros [] []; by_cases.
  - left. simpl. rewrite exp_ln by lra. split; intros []; by_cases.
Qed.
