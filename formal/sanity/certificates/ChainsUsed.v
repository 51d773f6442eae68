(** Certificates of redaction on small chains, and near misses. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Tables Released Redactions Redacted Designs
  Designed.
Import ListNotations.
Open Scope Z_scope.

Ltac computed := vm_compute; reflexivity.

(** P(1 after 0) = 1/4 and P(0 after 1) = 1/2, stationary; the second of two records is hidden with
    probability 1/8 if it is 0, and always if it is 1; the first one is private, and hidden. *)
Definition two := Chain 4 1 2 2 1 1.
Definition hidden : runs := [(1, Row 1 1 1); (1, Row 8 1 8)].
Definition stars : output := spread [(2, None)].

(** Two stars are 18/11 times as likely given 1 as given 0: (1 + 1/8) / 2 to (1 / 8 * 3 + 1) / 4. *)
Example leaks_18_11 : well_formed_redaction two hidden /\ leaks_at_most two hidden (Log 18 11) /\
  leaks_at_least two hidden (Some stars) (Log 18 11).
Proof.
  apply (redaction_equals_of two hidden (Some stars) stars (Log 18 11) (Bound 18 11 0 1 0 1) 0).
  computed.
Qed.
(** Near misses: not log (17/11), and not more than log (18/11). *)
Example not_17_11 : ~ leaks_at_most two hidden (Log 17 11).
Proof.
  apply (redaction_more_of two hidden None stars (Log 17 11) (Bound 17 11 0 1 0 1) 16). computed.
Qed.
Example not_more : ~ leaks_more two hidden None (Log 18 11).
Proof.
  intros more. destruct leaks_18_11 as [_ [most _]]. exact (more most).
Qed.
(** Half a nat, on the upper side; and rounded slopes. *)
Example half_a_nat : leaks_at_most two hidden (Nats 1 2).
Proof.
  apply (redaction_most_of two hidden (Nats 1 2) (Bound 1648 1000 1 2 20 60) 16). computed.
Qed.
Example some_nats : leaks_at_least two hidden None (Nats 49 100).
Proof.
  apply (redaction_least_of two hidden None stars (Nats 49 100) (Bound 1634 1000 0 1 20 60) 0).
  computed.
Qed.

(** A private record that is shown if it is 1 leaks everything; always hidden, nothing. *)
Definition open : runs := [(1, Row 2 2 1)].
Example shown_one : leaks_everything two open (Some [Some true]).
Proof. apply (redaction_everything_of two open (Some [Some true]) [] 0). computed. Qed.
Example nothing_shown : leaks_at_most two [(2, Row 1 1 1)] (Log 1 1).
Proof. apply (redaction_most_of two _ (Log 1 1) (Bound 1 1 0 1 0 1) 0). computed. Qed.
Example some_output_shows_it : leaks_everything two open None.
Proof. apply (redaction_everything_of two open None [Some true] 0). computed. Qed.
Example not_nothing : ~ leaks_at_most two open (Log 1000 1).
Proof. apply some_output_shows_it. Qed.

(** The law of the first record counts, and on which side the private one stands. *)
Definition second := Chain 4 1 2 1 1 2.
Definition turned : runs := [(1, Row 8 1 8); (1, Row 1 1 1)].
Example from_the_left : leaks_at_most second turned (Log 9 5) /\
  leaks_at_least second turned (Some [Some false; None]) (Log 9 5).
Proof.
  apply (redaction_equals_of second turned (Some [Some false; None]) [] (Log 9 5)
    (Bound 9 5 0 1 0 1) 0). computed.
Qed.

(** Two records beside a private one in the middle: within log 4 both may be shown, always; no
    mechanism that hides records whatever their values can show more, for the private one would
    be shown at times. *)
Definition middle := Chain 4 1 2 2 1 2.
Definition sides : runs := [(1, Row 1 0 0); (1, Row 1 1 1); (1, Row 1 0 0)].
Definition ones : output := [Some true; None; Some true].
Definition both_sides : design := {|
  redacted := sides; at_least := (4, 1%positive); at_most := (4, 1%positive);
  utility := (2, 3%positive); blind_most := Some (2, 3%positive) |}.
Example within_log_4 : are_designs middle (Log 4 1) [both_sides].
Proof.
  apply (designs_of middle (Log 4 1)
    [(both_sides, Known 0 ones (Bound 4 1 0 1 0 1) 1 (Bound 4 1 0 1 0 1))]). computed.
Qed.
(** Near misses: within log 3 they leak too much, and half of the records is not the most. *)
Example not_within_log_3 : ~ are_designs middle (Log 3 1) [both_sides].
Proof.
  intros H. destruct (H _ (or_introl eq_refl)) as [_ [most [_ [least _]]]].
  specialize (least _ most). cbn [as_level at_least both_sides fst snd ratio] in least. lra.
Qed.
Lemma blind_window ws l y :
  hides_blindly (map (fun w : bool => if w then 0%R else 1%R) ws) l y =
  redacts (map window_row ws) l y.
Proof.
  revert l y; induction ws as [|w ws IH]; intros [|x l] [|o y]; try reflexivity.
  cbn [map hides_blindly redacts]. rewrite IH. f_equal.
  destruct w, o as [[]|], x; unfold symbol, hides, window_row, always;
    cbn [Bool.eqb whole if_zero if_one]; field.
Qed.
Example not_half : ~ none_blind_is_better middle sides (Log 4 1) (of_pair (1, 2%positive)).
Proof.
  intros H. assert (promise : pufferfish (ratio (Log 4 1))
    (fun v : word (count_of sides) => hides_blindly [0; 1; 0]%R (values v))
    (either_value middle sides) (eq (chain_law middle))).
  { destruct (within_log_4 _ (or_introl eq_refl)) as [_ [most _]].
    intros p s t y Hp st Ps Pt. specialize (most p s t y Hp st Ps Pt).
    assert (E : forall v : word (count_of sides),
      hides_blindly [0; 1; 0]%R (values v) y = shows sides None v y).
    { intros v. exact (blind_window [true; false; true] (values v) y). }
    unfold Pw in *. rewrite !(sum_ext _ _ _ (fun v _ => f_equal (Rmult _) (E v))). exact most. }
  assert (small : forall h, In h [0; 1; 0]%R -> (0 <= h <= 1)%R).
  { intros h [<-|[<-|[<-|[]]]]; lra. }
  specialize (H [0; 1; 0]%R eq_refl small promise). unfold of_pair in H. cbn [fst snd sum] in H.
  change (INR (count_of sides)) with (1 + 1 + 1)%R in H. lra.
Qed.
