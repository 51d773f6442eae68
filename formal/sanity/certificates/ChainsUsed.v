(** Certificates of redaction on small chains, and near misses. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Tables Released Redactions Redacted Sides Designs
  Prices Priced Sided Designed.
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
  redacted := ByValue sides; at_least := (4, 1%positive); at_most := (4, 1%positive);
  utility := (2, 3%positive); no_more := Some (Blind, (2, 3%positive)) |}.
Example within_log_4 : are_designs middle (Log 4 1) [both_sides].
Proof.
  apply (designs_of middle (Log 4 1)
    [(both_sides, Steps (Known 0 ones (Bound 4 1 0 1 0 1) 1 (Windows (Bound 4 1 0 1 0 1))))]).
  computed.
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

(** Within log (3/2) a mechanism that sees both records shows more than each by its own value, and
    by its prices none shows more; within log 2 the second record may be shown, and none shows
    more than that. *)
Definition a := Some false.
Definition b := Some true.
Definition seeing : answers := {| answer_unit := 36; answer_rows := [
  ([false; false], [([None; a], 32); ([None; None], 4)]); ([false; true], [([None; b], 36)]);
  ([true; false], [([None; a], 36)]); ([true; true], [([None; None], 9); ([None; b], 27)])] |}.
Definition best : design := {|
  redacted := ByAll 2 seeing; at_least := (3, 2%positive); at_most := (3, 2%positive);
  utility := (65, 144%positive); no_more := Some (Anything, (65, 144%positive)) |}.
Definition to_pay := Fork (Fork (Leaf 12) (Leaf 33)) (Fork (Leaf 6) (Leaf (-8))).
Example best_within : are_designs two (Log 3 2) [best].
Proof.
  apply (designs_of two (Log 3 2) [(best, Counted (Bound 3 2 0 1 0 1)
    (Some (Priced (Bound 3 2 0 1 0 1) 6 to_pay)))]). computed.
Qed.
Definition neighbour : design := {|
  redacted := ByValue [(1, Row 1 1 1); (1, Row 1 0 0)];
  at_least := (2, 1%positive); at_most := (2, 1%positive);
  utility := (1, 2%positive); no_more := Some (Anything, (1, 2%positive)) |}.
Example neighbour_within : are_designs two (Log 2 1) [neighbour].
Proof.
  apply (designs_of two (Log 2 1) [(neighbour, Steps (Known 0 [None; b] (Bound 2 1 0 1 0 1) 1
    (Paid (Priced (Bound 2 1 0 1 0 1) 1 (Fork (Fork (Leaf 2) (Leaf 2)) (Fork (Leaf 1) (Leaf 1)))
    ))))]). computed.
Qed.
(** Near misses: a little less than 65/144 is not the most; nor is it within log (4/3); and what is
    the most within log (3/2) is not the most within log 2. *)
Example more_than_64 : ~ none_is_better two 2 (Log 3 2) (of_pair (64, 144%positive)).
Proof.
  intros H. destruct (best_within _ (or_introl eq_refl)) as [_ [_ [sees [within [_ [_ [u _]]]]]]].
  specialize (H _ sees within). rewrite u in H. unfold of_pair in H.
  cbn [best utility fst snd] in H. lra.
Qed.
Example not_within_4_3 : ~ are_designs two (Log 4 3) [best].
Proof.
  intros H. destruct (H _ (or_introl eq_refl)) as [_ [_ [_ [within [_ [least _]]]]]].
  specialize (least _ within). unfold of_pair in least. cbn [best at_least fst snd ratio] in least.
  lra.
Qed.

(** Prices of two answers: a coin that tells a bit with probability 2/3; both outputs are worth 1.
    At a third each, which do not pay for an output, the bound would be 2/3 of what is shown. *)
Definition coin : bool -> R := fun _ => (1 / 2)%R.
Definition tells_bit (x w : bool) : R := (if Bool.eqb x w then 2 / 3 else 1 / 3)%R.
Definition shown_by_coin := (Σ x, coin x * sum [true; false] (fun w => tells_bit x w * 1))%R.
Definition paid_at (q : R) := (Σ x : bool, coin x / mass coin (fun x => x) x * q)%R.
Lemma half_each x : mass coin (fun x => x) x = (1 / 2)%R.
Proof. destruct x; unfold mass, P, inside, has, coin; simpl; field. Qed.
Example halves_pay : (shown_by_coin <= paid_at (1 / 2))%R.
Proof.
  apply (prices_bound coin (fun x => x) tells_bit [true; false] (fun _ => 1%R)
    (fun _ => (1 / 2)%R) 2).
  - intros x. unfold coin. lra.
  - intros x w. unfold tells_bit. destruct Bool.eqb; lra.
  - lra.
  - intros x. rewrite half_each. lra.
  - intros x w. rewrite !half_each.
    destruct x, w; unfold Pw, inside, has, coin, tells_bit; simpl; lra.
  - intros x y w _ _ _ _ _. rewrite !half_each. lra.
  - intros x. destruct x; unfold tells_bit; simpl; lra.
Qed.
Example thirds_do_not : ~ (shown_by_coin <= paid_at (1 / 3))%R.
Proof.
  unfold shown_by_coin, paid_at. simpl. rewrite !half_each. unfold coin, tells_bit. simpl. lra.
Qed.

(** 3R: within log (3/2) the second record is hidden with probability 1/5 if it is 0, always if it
    is 1; if it were hidden less often, its star would tell too much. *)
Definition alone_right := Side 0 1 0.
Definition nobody := Side 0 0 0.
Definition fifth : design := {|
  redacted := ByValue [(1, Row 1 1 1); (1, Row 5 1 5)];
  at_least := (3, 2%positive); at_most := (3, 2%positive); utility := (4, 15%positive);
  no_more := Some (ThreeR false false nobody alone_right, (4, 15%positive)) |}.
Example fifth_within : are_designs two (Log 3 2) [fifth].
Proof.
  apply (designs_of two (Log 3 2) [(fifth, Steps (Known 0 [None; None] (Bound 3 2 0 1 0 1) 5
    (Kept (Bound 3 2 0 1 0 1) (Bound 3 2 0 1 0 1) (Least (0, 1%positive) false)
      (Least (1, 5%positive) true))))]). computed.
Qed.
(** Near misses: 3/15 is not the most; and the second record is not in the region of records that
    are always hidden. *)
Lemma steps_of_two x z : step two x z =
  if Bool.eqb x z then (if x then 1 / 2 else 3 / 4)%R else (if x then 1 / 2 else 1 / 4)%R.
Proof. destruct x, z; unfold step; simpl; field. Qed.
Lemma fifth_keeps y b : (side_shows two b [(1 / 5, 1)] y <=
  3 / 2 * side_shows two (negb b) [(1 / 5, 1)] y)%R.
Proof.
  destruct y as [|o [|o' y]]; cbn [side_shows]; [lra| |lra].
  rewrite !steps_of_two. destruct o as [[]|], b; unfold symbol_by; simpl; lra.
Qed.
Example not_three : ~ none_3r_is_better two 2 false false nobody alone_right (Log 3 2)
  (of_pair (3, 15%positive)).
Proof.
  intros [_ [_ [_ [_ H]]]]. change (budget two 2 (Log 3 2)) with (3 / 2)%R in H.
  specialize (H [] [(1 / 5)%R]).
  cbn [three_r nobody alone_right near medium beyond repeat map app] in H.
  assert (none : side_within two (3 / 2) []) by (intros [|] []; simpl; lra).
  assert (chances nobody [] /\ chances alone_right [(1 / 5)%R]) as [left_ok right_ok].
  { split; (split; [easy|]); [easy|]. intros q [<-|[]]. lra. }
  specialize (H left_ok right_ok ltac:(easy) none fifth_keeps).
  unfold side_released, of_pair, start in H. simpl in H. lra.
Qed.
Example not_hidden : ~ regions two (3 / 2) false (Side 1 0 0).
Proof.
  intros H. destruct (H 1%nat) as [no _]; [repeat constructor|]. apply no; [repeat constructor|].
  intros b. cbn [after]. rewrite !steps_of_two. destruct b; simpl; lra.
Qed.
