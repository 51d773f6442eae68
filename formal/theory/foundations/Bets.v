(** Bets against a sampler with a memory: a fair coin shows one of two secrets at every call, and an
    event may be seen. What a bettor wins on average against a ratio of e^epsilon is nothing,
    whatever the sampler remembers, so that much is won seldom. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish.
Import ListNotations.
Open Scope R_scope.

(** A call: whether the coin showed the first secret, and whether the event was seen. *)
Definition call := (bool * bool)%type.
Definition wins (h : list call) := length (filter (fun c : call => fst c && snd c)%bool h).
Definition losses (h : list call) := length (filter (fun c : call => negb (fst c) && snd c)%bool h).

Section Sampler.
Context (seen : list call -> bool -> R).     (* P(event | what happened before, the secret shown) *)
Context (ratio : R) {I : Type} `{Finite I} (weight q : I -> R).

Definition keeps := forall h, (forall b, 0 <= seen h b <= 1) /\ seen h true <= ratio * seen h false.
Definition chance h (c : call) := / 2 * (if snd c then seen h (fst c) else 1 - seen h (fst c)).

(** The share of wins that the ratio allows, and what has become of 1, bet with weights on shares
    from it on. *)
Definition share := ratio / (1 + ratio).
Definition wealth_of h a := (a / share) ^ wins h * ((1 - a) / (1 - share)) ^ losses h.
Definition wealth h := Σ i, weight i * wealth_of h (q i).
Definition fair_bets := (forall i, 0 <= weight i /\ share <= q i <= 1) /\ (Σ i, weight i) = 1.

(** The chance that the wealth reaches c within n more calls. *)
Fixpoint reaches c n h : R := if Rle_dec c (wealth h) then 1 else match n with
  | O => 0
  | S n => Σ e : call, chance h e * reaches c n (h ++ [e]) end.

Hypotheses (ratio0 : 0 < ratio) (promise : keeps) (fair : fair_bets).

Lemma share_between : 0 < share < 1.
Proof.
  unfold share. split; [apply Rdiv_lt_0_compat; lra|].
  apply (Rmult_lt_reg_r (1 + ratio)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma counted h e : wins (h ++ [e]) = (wins h + wins [e])%nat /\
  losses (h ++ [e]) = (losses h + losses [e])%nat.
Proof. unfold wins, losses. now rewrite !filter_app, !app_length. Qed.

Lemma wealth_of_more h e a : wealth_of (h ++ [e]) a = wealth_of h a * wealth_of [e] a.
Proof.
  unfold wealth_of. destruct (counted h e) as [-> ->]. rewrite !pow_add. ring.
Qed.

Lemma wealth_of_pos h a : share <= a <= 1 -> 0 <= wealth_of h a.
Proof.
  intros b. pose proof share_between. apply Rmult_le_pos; apply pow_le; unfold Rdiv;
    (apply Rmult_le_pos; [lra|]); left; apply Rinv_0_lt_compat; lra.
Qed.

Lemma chance_pos h e : 0 <= chance h e.
Proof.
  destruct (promise h) as [between _]. unfold chance. specialize (between (fst e)).
  apply Rmult_le_pos; [lra|]. destruct (snd e); lra.
Qed.

(** One bet does not gain on average. *)
Lemma one_bet h a : share <= a <= 1 -> (Σ e : call, chance h e * wealth_of [e] a) <= 1.
Proof.
  intros b. pose proof share_between as s. destruct (promise h) as [_ le].
  set (x := seen h true) in *. set (y := seen h false) in *.
  assert (E : (Σ e : call, chance h e * wealth_of [e] a) =
    1 + / 2 * (x * (a / share - 1) + y * ((1 - a) / (1 - share) - 1))).
  { unfold chance, wealth_of, wins, losses. simpl. fold x y.
    generalize (a / share) ((1 - a) / (1 - share)). intros. field. }
  rewrite E. set (gain := a * (1 + ratio) - ratio).
  assert (g0 : 0 <= gain).
  { unfold gain. destruct b as [b _]. apply (Rmult_le_compat_r (1 + ratio)) in b; [|lra].
    unfold share, Rdiv in b. rewrite Rmult_assoc, Rinv_l in b; lra. }
  assert (u : a / share - 1 = gain / ratio) by (unfold share, gain; field; lra).
  assert (v : (1 - a) / (1 - share) - 1 = - gain).
  { unfold share, gain. field. split; [lra|]. replace (1 + ratio - ratio) with 1 by ring. lra. }
  rewrite u, v. assert (x * (gain / ratio) <= y * gain); [|lra].
  replace (x * (gain / ratio)) with (x * gain / ratio) by (field; lra).
  apply (Rmult_le_reg_r ratio); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  apply (Rmult_le_compat_r gain) in le; lra.
Qed.

Lemma wealth_falls h : (Σ e : call, chance h e * wealth (h ++ [e])) <= wealth h.
Proof.
  destruct fair as [bets _]. unfold wealth.
  rewrite (sum_ext all _ (fun e => Σ i, chance h e * (weight i * wealth_of (h ++ [e]) (q i))))
    by (intros; now rewrite sum_scale).
  rewrite sum_swap. apply sum_le. intros i _. destruct (bets i) as [w0 b].
  rewrite (sum_ext all _ (fun e => weight i * wealth_of h (q i) *
    (chance h e * wealth_of [e] (q i)))) by (intros; rewrite wealth_of_more; ring).
  rewrite sum_scale. rewrite <- (Rmult_1_r (weight i * wealth_of h (q i))) at 2.
  apply Rmult_le_compat_l; [|now apply one_bet].
  apply Rmult_le_pos; [easy|]. now apply wealth_of_pos.
Qed.

Lemma wealth_pos h : 0 <= wealth h.
Proof.
  destruct fair as [bets _]. apply sum_nonneg. intros i _. destruct (bets i).
  apply Rmult_le_pos; [easy|]. now apply wealth_of_pos.
Qed.

Lemma reaches_from c n : 0 < c -> forall h, c * reaches c n h <= wealth h.
Proof.
  intros c0. induction n as [|n IH]; intros h; cbn [reaches]; destruct (Rle_dec c (wealth h));
    try (rewrite ?Rmult_0_r, ?Rmult_1_r; try easy; apply wealth_pos).
  apply Rle_trans with (2 := wealth_falls h). rewrite <- sum_scale. apply sum_le. intros e _.
  replace (c * (chance h e * reaches c n (h ++ [e])))
    with (chance h e * (c * reaches c n (h ++ [e]))) by ring.
  apply Rmult_le_compat_l; [apply chance_pos|apply IH].
Qed.

(** Whoever claims the ratio loses the bets: with a chance of at most 1/c they ever make c of 1,
    within any number of calls (general.coin-bets).
    Differs: within n calls, for every n; bets are on finitely many shares. *)
Theorem won_seldom c n : 0 < c -> reaches c n [] <= / c.
Proof.
  intros c0. pose proof (reaches_from c n c0 []) as le. destruct fair as [_ total].
  assert (E : wealth [] = 1).
  { rewrite <- total. apply sum_ext. intros i _. unfold wealth_of. simpl. ring. }
  rewrite E in le. apply (Rmult_le_reg_l c); [easy|]. rewrite Rinv_r; lra.
Qed.
End Sampler.
