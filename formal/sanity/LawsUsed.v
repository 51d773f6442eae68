(** The general laws and the noise mechanisms on one bit, and near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws ZeroLeakage Groups.
From Pufferproof Require Import Laplace Wasserstein ValueLaws.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Example post_processing_used :
  pufferfish 3 (process response response) bit_pairs (eq fair).
Proof.
  apply post_processing; [|apply response_leaks]. intros w v; apply response_likelihood.
Qed.

(** Weights below 0 can amplify: they invert the response. *)
Definition inverse (w v : bool) : R := if eqb w v then 3/2 else - (1/2).
Example post_processing_needs_weights ratio :
  ~ pufferfish ratio (process response inverse) bit_pairs (eq fair).
Proof.
  intros promise.
  specialize (promise fair yes no true eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise; by_cases.
Qed.

Definition coin (i : bool) : R := 1/3.
Definition one_of (i : bool) := if i then response else constant.
Lemma one_of_leaks i : pufferfish 3 (one_of i) bit_pairs (eq fair).
Proof.
  destruct i; [apply response_leaks|].
  intros p s t w <- [[-> ->]|[-> ->]] _ _; destruct w; by_cases.
Qed.

Example published_coin_used : pufferfish 3 (mixed coin one_of) bit_pairs (eq fair).
Proof. apply published_coin; [intros; by_cases|apply one_of_leaks]. Qed.

Example hidden_coin_used :
  pufferfish 3 (fun x w => Σ i, coin i * one_of i x w) bit_pairs (eq fair).
Proof. apply hidden_coin; [apply bool_dec|intros; by_cases|apply one_of_leaks]. Qed.

(** A coin with a side below 0: twice the response less the constant leaks everything. *)
Definition bad_coin (i : bool) : R := if i then 2 else - (1).
Example hidden_coin_needs_weights ratio :
  ~ pufferfish ratio (fun x w => Σ i, bad_coin i * one_of i x w) bit_pairs (eq fair).
Proof.
  intros promise.
  specialize (promise fair yes no true eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise; by_cases.
Qed.

Example odds_form_used : forall p s t w,
  fair = p -> bit_pairs s t -> 0 < P p s -> 0 < P p t -> 0 < evidence p response w ->
  posterior p response s w * P p t <= 3 * P p s * posterior p response t w.
Proof.
  apply odds_form; [apply fair_only|apply response_likelihood|apply response_leaks].
Qed.

Example odds_in_both_orders_used : odds_within 3 response bit_pairs (eq fair).
Proof.
  apply odds_in_both_orders; [apply fair_only|apply response_likelihood|].
  split; [apply response_leaks|]. intros p s t w Hp st. apply response_leaks; [easy|].
  destruct st as [[-> ->]|[-> ->]]; [right|left]; easy.
Qed.

(** With a lower ratio one output is outside. *)
Example odds_are_not_within_2 : ~ odds_within 2 response bit_pairs (eq fair).
Proof.
  intros within. apply (response_leaks_no_less 2); [lra|].
  apply (proj2 (odds_in_both_orders 2 response bit_pairs (eq fair) fair_only response_likelihood)
    within).
Qed.

(** What says nothing leaves odds as they are, and the response does not. *)
Example odds_stay_used : forall p s t w,
  fair = p -> bit_pairs s t -> 0 < P p s -> 0 < P p t -> 0 < evidence p constant w ->
  posterior p constant s w * P p t = P p s * posterior p constant t w.
Proof.
  apply odds_stay; [apply fair_only|intros [] []; by_cases|].
  split; [apply constant_leaks_nothing|]. intros p s t w Hp st.
  apply constant_leaks_nothing; [easy|].
  destruct st as [[-> ->]|[-> ->]]; [right|left]; easy.
Qed.

Example odds_do_not_stay : ~ forall p s t w,
  fair = p -> bit_pairs s t -> 0 < P p s -> 0 < P p t -> 0 < evidence p response w ->
  posterior p response s w * P p t = P p s * posterior p response t w.
Proof.
  intros stay. apply (response_leaks_no_less 1); [lra|].
  apply (proj2 (odds_stay response bit_pairs (eq fair) fair_only response_likelihood) stay).
Qed.

Lemma response_varies x y w : response x w <= 3 * response y w.
Proof. destruct x, y, w; by_cases. Qed.

Example sequential_used : pufferfish (3 * 3) (both response response) bit_pairs (eq fair).
Proof.
  apply sequential; try lra; try apply response_likelihood.
  - apply fair_only.
  - apply response_leaks.
  - intros; apply response_varies.
Qed.

(** Two responses leak 2 log 3, and not less. *)
Example sequential_is_tight ratio :
  ratio < 9 -> ~ pufferfish ratio (both response response) bit_pairs (eq fair).
Proof.
  intros less promise.
  specialize (promise fair yes no (true, true) eq_refl (or_introl (conj eq_refl eq_refl))).
  revert promise; by_cases.
Qed.

(** Two steps: three bits in a row of neighbours that differ in one place. *)
Definition two := (bool * bool)%type.
Definition response_two (x w : two) : R := response (fst x) (fst w) * response (snd x) (snd w).
Definition differ_in_one (x y : two) := fst x = fst y \/ snd x = snd y.

Lemma response_two_near x y w :
  differ_in_one x y -> response_two x w <= exp (ln 3) * response_two y w.
Proof.
  rewrite exp_ln by lra. destruct x as [[] []], y as [[] []], w as [[] []];
    intros [E|E]; try discriminate E; by_cases.
Qed.

Example group_privacy_used w :
  response_two (true, true) w <= exp (INR 2 * ln 3) * response_two (false, false) w.
Proof.
  apply (group_privacy response_two (fun _ => True) differ_in_one (ln 3)).
  - intros; now apply response_two_near.
  - apply step with (true, false); [easy|now left|].
    apply step with (false, false); [easy|now right|]. now apply stay.
Qed.

(** One level too few for two steps. *)
Example group_privacy_is_tight : exists w,
  ~ response_two (true, true) w <= exp (INR 1 * ln 3) * response_two (false, false) w.
Proof.
  exists (true, true). rewrite Rmult_1_l, exp_ln by lra. by_cases.
Qed.

(** The Wasserstein mechanism for a bit: f moves by 1, and the only coupling is that of 0 with 1. *)
Definition value (x : bool) : R := if x then 1 else 0.
Definition opposite (s t : @secret bool) (x y : bool) : R :=
  if s x && t y then 1/4 else 0.

Example wasserstein_used :
  pufferfish (exp 1) (fun x w => laplace (1 / 1) (value x) w) bit_pairs (eq fair).
Proof.
  apply wasserstein_mechanism; try lra.
  intros p s t <- st _ _. exists (opposite s t).
  destruct st as [[-> ->]|[-> ->]]; repeat split; intros []; try (intros []); try by_cases;
    intros _; unfold value; unfold Rabs; destruct Rcase_abs; lra.
Qed.

(** Half of that noise is too little. *)
Example wasserstein_is_tight :
  ~ pufferfish (exp 1) (fun x w => laplace (1 / 2) (value x) w) bit_pairs (eq fair).
Proof.
  intros promise.
  specialize (promise fair no yes 0 eq_refl (or_intror (conj eq_refl eq_refl))).
  assert (half : P fair yes = 1/2 /\ P fair no = 1/2) by (split; by_cases).
  destruct half as [one other]. rewrite one, other in promise.
  assert (at_yes : Pw fair (fun x w => laplace (1 / 2) (value x) w) yes 0 = 1/2 * exp (-2)).
  { unfold Pw, laplace, value; simpl. unfold inside, fair; simpl.
    rewrite Rabs_left by lra. replace (- - (0 - 1) / (1 / 2)) with (-2) by lra. field. }
  assert (at_no : Pw fair (fun x w => laplace (1 / 2) (value x) w) no 0 = 1/2).
  { unfold Pw, laplace, value; simpl. unfold inside, fair; simpl.
    rewrite Rminus_0_r, Rabs_R0. replace (- 0 / (1 / 2)) with 0 by lra. rewrite exp_0. field. }
  rewrite at_yes, at_no in promise.
  assert (E : exp 1 * exp (-2) = exp (-1)) by (rewrite <- exp_plus; f_equal; lra).
  assert (small : exp (-1) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  specialize (promise ltac:(lra) ltac:(lra)). nra.
Qed.

(** The same by the laws of the value alone: all of the law at one value moves to the other. *)
Lemma bit_moves : within fair yes no value 1 /\ within fair no yes value 1.
Proof.
  split; [exists [{| here := 1; there := 0; weight := 1/4 |}]|
          exists [{| here := 0; there := 1; weight := 1/4 |}]];
    (split; [intros m [<-|[]]; simpl; split; [lra|unfold Rabs; destruct Rcase_abs; lra]|]);
    split; intros r; unfold mass, hits; cbn -[IZR]; unfold P; cbn -[IZR];
    unfold inside, fair, value;
    cbn -[IZR]; repeat destruct Req_EM_T; lra.
Qed.

Example wasserstein_of_laws_used :
  pufferfish (exp 1) (fun x w => laplace (1 / 1) (value x) w) bit_pairs (eq fair).
Proof.
  apply wasserstein_mechanism_of_laws; try lra.
  intros p s t <- [[-> ->]|[-> ->]] _ _; apply bit_moves.
Qed.

(** Half that distance is none. *)
Example bit_moves_no_less : ~ within fair yes no value (1 / 2).
Proof.
  intros [c [near [left_ right_]]].
  assert (some : 0 < sum c (fun m => weight m * hits (here m) 1)).
  { rewrite left_. unfold mass, hits; cbn -[IZR]. unfold P; cbn -[IZR].
    unfold inside, fair, value; cbn -[IZR]. repeat destruct Req_EM_T; lra. }
  destruct (sum_pos_exists c _ some) as [m [i pos]]. destruct (near m i) as [w0 close].
  unfold hits in pos. destruct (Req_EM_T (here m) 1) as [one|]; [|lra].
  assert (far : 1/2 <= there m).
  { rewrite one in close; revert close; unfold Rabs; destruct Rcase_abs; lra. }
  pose proof (sum_member c (fun k => weight k * hits (there k) (there m)) m) as member.
  rewrite right_ in member. unfold mass, hits in member; cbn -[IZR] in member.
  unfold inside, fair, value in member; cbn -[IZR] in member.
  destruct (Req_EM_T (there m) (there m)); [|congruence].
  destruct (Req_EM_T 0 (there m)); [lra|].
  assert (weight m * 1 <= 0); [|lra].
  eapply Rle_trans; [apply member; [|easy]|].
  - intros k ik. destruct (near k ik) as [k0 _]. destruct (Req_EM_T (there k) (there m)); lra.
  - destruct Req_EM_T; lra.
Qed.
