(** The theorems that exported certificates of leakage use: a computation with integers that ends in
    true proves the statement. [Tables] has what is stated. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers Levels Leakage Mixtures
  Places.
Import ListNotations.
Open Scope Z_scope.

(** A fraction n/d that is compared instead of e^level, and how it is shown to be on the right
    side of it: hints, of which any that pass the check will do. *)
Record bound := Bound { num : Z; den : positive; part : Z; parts : positive; halvings : nat;
  bits : positive }.
Definition is_below e r : bool := below e (num r) (den r) (part r) (parts r) (halvings r) (bits r).
Definition is_above e r : bool := above e (num r) (den r) (halvings r) (bits r).

Definition check_within r width f rs : bool :=
  if convex f then check_mixed (num r) (den r) width f rs
  else check_listed f rs (num r) (den r).
(** The level n/d at a spot: never with a level in nats, which is irrational or 0. *)
Definition check_attained e f rs c i j w : bool := match e with
  | Log n d => check_spot (attains n d w) f rs c i j
  | Nats _ _ => false end.
Definition check_all f ms : bool := check_framework f && forallb (check_mechanism f) ms.

Fixpoint times (row rest : list Z) : list Z := match row with
  | x :: row => map (Z.mul x) rest ++ times row rest
  | [] => [] end.
Definition of_pair (rr : list Z * list Z) := times (fst rr) (snd rr).
Fixpoint joint_rows f ms : list (list Z) := match ms with
  | [] => repeat [1] (size f)
  | m :: ms => map of_pair (combine (rows m) (joint_rows f ms)) end.
Fixpoint joint_unit ms := match ms with [] => 1 | m :: ms => row_unit m * joint_unit ms end.
Fixpoint joint_width ms : nat := match ms with
  | [] => 1 | m :: ms => outputs m * joint_width ms end.
(** The place of several outputs in a row, given by their numbers, and as members. *)
Fixpoint joint_number ms (ws : list nat) : nat := match ms, ws with
  | m :: ms, w :: ws => w * joint_width ms + joint_number ms ws
  | _, _ => O end.
Fixpoint joint_place ms : together ms -> nat := match ms with
  | [] => fun _ => O
  | m :: ms => fun w => (number (fst w) * joint_width ms + joint_place ms (snd w))%nat end.
Fixpoint numbers_fit ms (ws : list nat) : bool := match ms, ws with
  | [], [] => true
  | m :: ms, w :: ws => Nat.ltb w (outputs m) && numbers_fit ms ws
  | _, _ => false end.

Lemma at_times row rest i j width : length rest = width -> (j < width)%nat ->
  at_place (times row rest) (i * width + j) = at_place row i * at_place rest j.
Proof.
  intros len h. revert i; induction row as [|x row IH]; intros i.
  - simpl. now rewrite !at_nil.
  - cbn [times]. unfold at_place at 1. destruct i as [|i].
    + rewrite app_nth1 by (rewrite map_length; lia). exact (at_map x rest j).
    + rewrite app_nth2 by (rewrite map_length; lia). rewrite map_length, len.
      replace (S i * width + j - width)%nat with (i * width + j)%nat by lia. apply IH.
Qed.

Lemma times_length row rest : length (times row rest) = (length row * length rest)%nat.
Proof.
  induction row as [|x row IH]; [easy|]. cbn [times]. now rewrite app_length, map_length, IH.
Qed.

Lemma joint_place_lt ms w : (joint_place ms w < joint_width ms)%nat.
Proof.
  induction ms as [|m ms IH]; [simpl; lia|]. destruct w as [w ws]. simpl.
  specialize (IH ws). pose proof (number_lt _ w). nia.
Qed.

Lemma joint_number_place ms ws : numbers_fit ms ws = true ->
  exists w, joint_place ms w = joint_number ms ws.
Proof.
  revert ws; induction ms as [|m ms IH]; intros [|w ws] H; try easy; [now exists tt|].
  cbn [numbers_fit] in H. apply andb_prop in H as [h H]. destruct (IH ws H) as [v e].
  exists (exist _ w h, v). simpl. now rewrite e.
Qed.
Open Scope R_scope.

Section Joint.
Context (f : framework) (ms : list mechanism) (ok : forallb (check_mechanism f) ms = true).

Lemma each_ok m : In m ms -> check_mechanism f m = true.
Proof. rewrite forallb_forall in ok. apply ok. Qed.

Lemma joint_unit_pos : 0 < IZR (joint_unit ms).
Proof.
  induction ms as [|m l IH]; [simpl; lra|]. cbn [joint_unit]. rewrite mult_IZR.
  simpl in ok. apply andb_prop in ok as [h H]. apply Rmult_lt_0_compat; [|now apply IH].
  exact (row_unit_pos f m h).
Qed.

Lemma joint_small x w : 0 <= joint f ms x w <= 1.
Proof.
  induction ms as [|m l IH]; [simpl; lra|]. simpl in ok. apply andb_prop in ok as [h H].
  destruct w as [w ws]. cbn [joint]. unfold both. cbn [fst snd].
  specialize (IH H ws). destruct (kernel_channel f m h x) as [pos tot]. specialize (pos w) as p.
  assert (channel f m x w <= 1) by (rewrite <- tot; apply sum_member; [auto|apply all_here]).
  split; [now apply Rmult_le_pos|]. nra.
Qed.

Lemma joint_rows_length : length (joint_rows f ms) = size f /\
  forall k, (k < size f)%nat -> length (nth k (joint_rows f ms) []) = joint_width ms.
Proof.
  induction ms as [|m l IH].
  - simpl. split; [apply repeat_length|]. intros k h.
    rewrite (nth_indep _ [] [1%Z]) by (rewrite repeat_length; lia). now rewrite nth_repeat.
  - simpl in ok. apply andb_prop in ok as [h H]. destruct (IH H) as [len each].
    unfold check_mechanism in h. rewrite !andb_true_iff, Nat.eqb_eq, forallb_forall in h.
    destruct h as [[_ lm] laws]. cbn [joint_rows joint_width].
    rewrite map_length, combine_length, lm, len, Nat.min_id. split; [easy|]. intros k h.
    rewrite (nth_indep _ [] (of_pair ([], [])))
      by (rewrite map_length, combine_length; lia).
    rewrite (map_nth of_pair), combine_nth by lia. unfold of_pair. cbn [fst snd].
    rewrite times_length, each by easy. f_equal.
    assert (I : In (nth k (rows m) []) (rows m)) by (apply nth_In; lia).
    now apply laws, law_of_parts in I.
Qed.

End Joint.

Lemma joint_described f ms x w : forallb (check_mechanism f) ms = true ->
  IZR (at_place (nth (number x) (joint_rows f ms) []) (joint_place ms w)) =
  IZR (joint_unit ms) * joint f ms x w.
Proof.
  intros ok. pose proof (number_lt _ x) as small. induction ms as [|m l IH].
  - simpl. rewrite (nth_indep _ [] [1%Z]) by (rewrite repeat_length; lia).
    rewrite nth_repeat. unfold at_place; simpl; ring.
  - cbn [forallb] in ok. apply andb_prop in ok as [h H].
    destruct (joint_rows_length f l H) as [len each].
    destruct w as [w ws]. cbn [joint_rows joint_place joint_unit joint fst snd].
    specialize (IH ws H). pose proof h as parts_of. unfold check_mechanism in parts_of.
    rewrite !andb_true_iff, Nat.eqb_eq in parts_of. destruct parts_of as [[_ lm] _].
    rewrite (nth_indep _ [] (of_pair ([], [])))
      by (rewrite map_length, combine_length; lia).
    rewrite (map_nth of_pair), combine_nth by lia. unfold of_pair. cbn [fst snd].
    rewrite (at_times _ _ _ _ (joint_width l)) by (auto using joint_place_lt).
    rewrite !mult_IZR, IH. unfold both. cbn [fst snd].
    rewrite (channel_described f m h). ring.
Qed.

(** What the checks prove, for any mechanism that a table of rows describes. *)
Section Any.
Context (f : framework) (framework_ok : check_framework f = true).
Context {W : Type} (M : index (size f) -> W -> R) (K : Z) (rs : list (list Z)) (place : W -> nat).
Context (K0 : 0 < IZR K) (M01 : forall x w, 0 <= M x w <= 1) (width : nat).
Hypothesis inside_width : forall w, (place w < width)%nat.
Hypothesis describes :
  forall x w, IZR (at_place (nth (number x) rs []) (place w)) = IZR K * M x w.

Lemma M0 : likelihood M.
Proof. intros x w; apply M01. Qed.

Lemma any_at_most e r : is_below e r && check_within r width f rs = true -> leakage_at_most f M e.
Proof.
  intros H. apply andb_prop in H as [low H].
  apply (within_more f framework_ok M M0 (IZR (num r) / IZR (Zpos (den r))));
    [exact (below_sound _ _ _ _ _ _ _ low)|].
  unfold check_within in H. destruct (convex f) eqn:c.
  - apply (mixed_sound f framework_ok M K rs place K0 M0 (fun x w => proj2 (M01 x w)) width); auto.
  - apply (listed_sound f framework_ok M K rs place K0); auto.
Qed.

Lemma any_equals e r c i j w :
  is_below e r && check_within r width f rs && check_attained e f rs c i j (place w) = true ->
  leakage_equals f M e.
Proof.
  intros H. apply andb_prop in H as [H spot]. split; [now apply (any_at_most e r)|].
  destruct e as [n d|]; [|easy].
  exact (attains_sound f framework_ok M K rs place K0 describes n d c i j w spot).
Qed.

Lemma any_above e r c i j w :
  is_above e r && check_spot (exceeds (num r) (den r) (place w)) f rs c i j = true ->
  leakage_above f M e.
Proof.
  intros H h. apply andb_prop in H as [up spot].
  apply (exceeds_sound f framework_ok M K rs place K0 describes _ _ c i j w spot).
  apply (within_more f framework_ok M M0 (ratio e)); [|exact h].
  exact (above_sound _ _ _ _ _ up).
Qed.

Lemma any_infinite c i j w :
  check_spot (certain (place w)) f rs c i j = true -> leakage_infinite f M.
Proof. exact (certain_sound f framework_ok M K rs place K0 describes c i j w). Qed.
End Any.

Lemma all_well_formed f ms : check_all f ms = true -> well_formed f ms.
Proof.
  unfold check_all. intros H. apply andb_prop in H as [h H]. split; [now apply laws_priors|].
  intros m I. rewrite forallb_forall in H. now apply kernel_channel, H.
Qed.

Section One.
Context (f : framework) (m : mechanism).
Let M := channel f m.

Lemma one_ok : check_all f [m] = true -> check_framework f = true /\ check_mechanism f m = true /\
  forall x w, 0 <= M x w <= 1.
Proof.
  unfold check_all. cbn [forallb]. rewrite !andb_true_iff. intros [h [h' _]].
  repeat split; auto; destruct (kernel_channel f m h' x) as [pos tot]; [apply pos|].
  rewrite <- tot. apply sum_member; [auto|apply all_here].
Qed.

(** A certificate of the kind leakage-at-most.
    Differs: that there is an inequality to check (A3) is not asked; a database that no prior makes
    possible has a row, which may be any. *)
Theorem at_most_of_one e r :
  check_all f [m] && (is_below e r && check_within r (outputs m) f (rows m)) = true ->
  well_formed f [m] /\ leakage_at_most f M e.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (one_ok ok) as [h [h' M01]].
  apply (any_at_most f h M _ (rows m) number (row_unit_pos f m h') M01 (outputs m)
    (number_lt _) (channel_described f m h') e r H).
Qed.

(** The same, with a place where the level is attained.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem equals_of_one e r c i j w (h : Nat.ltb w (outputs m) = true) :
  check_all f [m] && (is_below e r && check_within r (outputs m) f (rows m) &&
    check_attained e f (rows m) c i j w) = true ->
  well_formed f [m] /\ leakage_equals f M e.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (one_ok ok) as [h1 [h2 M01]].
  exact (any_equals f h1 M _ (rows m) number (row_unit_pos f m h2) M01 (outputs m)
    (number_lt _) (channel_described f m h2) e r c i j (exist _ w h) H).
Qed.

(** A certificate of the kind leakage-witness, above a level.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem above_of_one e r c i j w (h : Nat.ltb w (outputs m) = true) :
  check_all f [m] && (is_above e r && check_spot (exceeds (num r) (den r) w) f (rows m) c i j)
    = true ->
  well_formed f [m] /\ leakage_above f M e.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (one_ok ok) as [h1 [h2 M01]].
  exact (any_above f h1 M _ (rows m) number (row_unit_pos f m h2) M01
    (channel_described f m h2) e r c i j (exist _ w h) H).
Qed.

(** A certificate of the kind leakage-witness, above every level.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem infinite_of_one c i j w (h : Nat.ltb w (outputs m) = true) :
  check_all f [m] && check_spot (certain w) f (rows m) c i j = true ->
  well_formed f [m] /\ leakage_infinite f M.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (one_ok ok) as [h1 [h2 M01]].
  exact (any_infinite f h1 M _ (rows m) number (row_unit_pos f m h2)
    (channel_described f m h2) c i j (exist _ w h) H).
Qed.

(** A certificate of the kind delta-at-most.
    Differs: as for leakage-at-most. *)
Theorem delta_at_most_of_one e r n d :
  check_all f [m] &&
    (is_below e r && check_delta (num r) (den r) n d (row_unit m) f (rows m)) = true ->
  well_formed f [m] /\ delta_at_most f M e n d.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (one_ok ok) as [h1 [h2 _]]. apply andb_prop in H as [low H].
  apply (up_to_more f h1 m h2 (IZR (num r) / IZR (Zpos (den r))));
    [exact (below_sound _ _ _ _ _ _ _ low)|].
  now apply delta_sound.
Qed.

(** A certificate of the kind delta-witness.
    Differs: what exceeds the level is summed over all outputs, not over those that are named. *)
Theorem delta_above_of_one e r n d c i j :
  check_all f [m] && (is_above e r &&
    check_spot (large_excess (num r) (den r) n d (row_unit m)) f (rows m) c i j) = true ->
  well_formed f [m] /\ delta_above f M e n d.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (one_ok ok) as [h1 [h2 _]]. apply andb_prop in H as [up H]. intros h.
  apply (delta_above_sound f h1 m h2 (num r) (den r) n d c i j H).
  apply (up_to_more f h1 m h2 (ratio e)); [|exact h]. exact (above_sound _ _ _ _ _ up).
Qed.
End One.

Section Several.
Context (f : framework) (ms : list mechanism).

Lemma several_ok : check_all f ms = true ->
  check_framework f = true /\ forallb (check_mechanism f) ms = true.
Proof. apply andb_prop. Qed.

(** A certificate of the kind joint-leakage-at-most.
    Differs: as for leakage-at-most. *)
Theorem at_most_of_several e r :
  check_all f ms && (is_below e r && check_within r (joint_width ms) f (joint_rows f ms)) = true ->
  well_formed f ms /\ leakage_at_most f (joint f ms) e.
Proof.
  intros H. apply andb_prop in H as [ok H]. split; [now apply all_well_formed|].
  destruct (several_ok ok) as [h1 h2].
  exact (any_at_most f h1 (joint f ms) _ _ (joint_place ms) (joint_unit_pos f ms h2)
    (joint_small f ms h2) _ (joint_place_lt ms) (fun x w => joint_described f ms x w h2) e r H).
Qed.

(** The same, with a place where the level is attained.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem equals_of_several e r c i j ws :
  check_all f ms && numbers_fit ms ws &&
    (is_below e r && check_within r (joint_width ms) f (joint_rows f ms) &&
     check_attained e f (joint_rows f ms) c i j (joint_number ms ws)) = true ->
  well_formed f ms /\ leakage_equals f (joint f ms) e.
Proof.
  intros H. apply andb_prop in H as [H H']. apply andb_prop in H as [ok fit].
  split; [now apply all_well_formed|]. destruct (several_ok ok) as [h1 h2].
  destruct (joint_number_place ms ws fit) as [w E]. rewrite <- E in H'.
  exact (any_equals f h1 (joint f ms) _ _ (joint_place ms) (joint_unit_pos f ms h2)
    (joint_small f ms h2) _ (joint_place_lt ms) (fun x w => joint_described f ms x w h2)
    e r c i j w H').
Qed.

(** A certificate of the kind joint-leakage-witness, above a level.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem above_of_several e r c i j ws :
  check_all f ms && numbers_fit ms ws &&
    (is_above e r && check_spot (exceeds (num r) (den r) (joint_number ms ws)) f
      (joint_rows f ms) c i j) = true ->
  well_formed f ms /\ leakage_above f (joint f ms) e.
Proof.
  intros H. apply andb_prop in H as [H H']. apply andb_prop in H as [ok fit].
  split; [now apply all_well_formed|]. destruct (several_ok ok) as [h1 h2].
  destruct (joint_number_place ms ws fit) as [w E]. rewrite <- E in H'.
  exact (any_above f h1 (joint f ms) _ _ (joint_place ms) (joint_unit_pos f ms h2)
    (joint_small f ms h2) (fun x w => joint_described f ms x w h2) e r c i j w H').
Qed.

(** A certificate of the kind joint-leakage-witness, above every level.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem infinite_of_several c i j ws :
  check_all f ms && numbers_fit ms ws &&
    check_spot (certain (joint_number ms ws)) f (joint_rows f ms) c i j = true ->
  well_formed f ms /\ leakage_infinite f (joint f ms).
Proof.
  intros H. apply andb_prop in H as [H H']. apply andb_prop in H as [ok fit].
  split; [now apply all_well_formed|]. destruct (several_ok ok) as [h1 h2].
  destruct (joint_number_place ms ws fit) as [w E]. rewrite <- E in H'.
  exact (any_infinite f h1 (joint f ms) _ _ (joint_place ms) (joint_unit_pos f ms h2)
    (fun x w => joint_described f ms x w h2) c i j w H').
Qed.
End Several.
