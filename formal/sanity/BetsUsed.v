(** Bets against samplers: one with a memory keeps the ratio 2 at every call, and whoever bets
    reaches 4 with a chance of at most 1/4; a sampler that does not keep it loses. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Bets.
Import ListNotations.
Open Scope R_scope.

(** The event has the chance 1/2 or 1/4 at first, and 1/2 for ever once it was seen. *)
Definition remembers (h : list call) (s : bool) : R := match h with
  | [] => if s then 1/2 else 1/4 | (_, true) :: _ => 1/2 | _ => 1/4 end.
Definition all_on_wins (_ : unit) : R := 1.
#[local] Instance one_bet_only : Finite unit.
Proof. exists [tt]; [repeat constructor; easy|intros []; simpl; auto]. Defined.

Lemma remembers_keeps : keeps remembers 2.
Proof.
  intros h. unfold remembers. split; [intros b|]; destruct h as [|[a []] h]; try destruct b; lra.
Qed.
Lemma all_on_wins_fair : fair_bets 2 (fun _ => 1) all_on_wins.
Proof. unfold fair_bets, share, all_on_wins. simpl. repeat split; lra. Qed.
Example seldom n : reaches remembers 2 (fun _ => 1) all_on_wins 4 n [] <= / 4.
Proof.
  apply won_seldom; [lra|apply remembers_keeps|apply all_on_wins_fair|lra].
Qed.

(** Near miss: a sampler that shows the event always with the first secret, and never with the
    second, makes 3/2 of 1 within two calls with a chance of 3/4, more than 2/3. *)
Definition tells (_ : list call) (s : bool) : R := if s then 1 else 0.
Example tells_does_not_keep : ~ keeps tells 2.
Proof. intros k. destruct (k []) as [_ le]. unfold tells in le. lra. Qed.
Lemma wealth_after h : losses h = O -> wealth 2 (fun _ => 1) all_on_wins h = (3/2) ^ wins h.
Proof.
  intros none. unfold wealth, wealth_of, all_on_wins, share. rewrite none. simpl.
  replace (1 / (2 / (1 + 2))) with (3/2) by field. ring.
Qed.
Example tells_often : / (3/2) < reaches tells 2 (fun _ => 1) all_on_wins (3/2) 2 [].
Proof.
  cbn -[wealth tells Rle_dec]. unfold chance, tells. cbn -[wealth Rle_dec].
  repeat match goal with |- context [Rle_dec _ (wealth _ _ _ ?h)] =>
    rewrite (wealth_after h) by easy end.
  cbn -[Rle_dec]. repeat (destruct Rle_dec; try lra).
Qed.
