(** One function that checks certificates of leakage, and one theorem that says what its answer
    means: the program of this folder is extracted from it. [Tables] and [Redactions] have what is
    stated; the rest is proofs. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Leakage Places Rows Released Scaled
  Redactions Cones Redacted.
Import ListNotations.

(** What is released: one mechanism, several together, or one whose rows have units of their own. *)
Inductive released := One (m : mechanism) | Several (ms : list mechanism)
  | Table (width : nat) (t : table).
Inductive outcome := AtMost (e : level) | Equals (e : level) | Above (e : level) | Infinite
  | DeltaAtMost (e : level) (n : Z) (d : positive) | DeltaAbove (e : level) (n : Z) (d : positive).

(** The promise is about something: some prior gives both secrets of a pair a chance. *)
Definition promises_something f := exists p s t,
  priors_of f p /\ pairs_of f s t /\ (0 < P p s)%R /\ (0 < P p t)%R.

Definition says f {W} (M : index (size f) -> W -> R) o : Prop := match o with
  | AtMost e => leakage_at_most f M e
  | Equals e => leakage_equals f M e
  | Above e => leakage_above f M e
  | Infinite => leakage_infinite f M
  | DeltaAtMost _ _ _ | DeltaAbove _ _ _ => False end.
Definition says_of_one f m o : Prop := match o with
  | DeltaAtMost e n d => delta_at_most f (channel f m) e n d
  | DeltaAbove e n d => delta_above f (channel f m) e n d
  | _ => says f (channel f m) o end.
Definition says_of f r o : Prop := match r with
  | One m => well_formed f [m] /\ says_of_one f m o
  | Several ms => well_formed f ms /\ says f (joint f ms) o
  | Table width t => well_formed f [of_table width t] /\ says_of_one f (of_table width t) o end.
(** What a certificate means. *)
Definition meaning f r o : Prop := promises_something f /\ says_of f r o.

(** Hints, of which any that pass will do: a fraction near e^level, and a place. *)
Record hint := Hint { near_level : bound; mixture_named : chosen; first_secret : nat;
  second_secret : nat; outputs_named : list nat }.

(** Whether a prior gives both secrets of a pair a chance; of mixtures that of equal weights. *)
Definition choices f : list chosen :=
  if convex f then [Mixed (Z.of_nat (length (priors f))) (repeat 1%Z (length (priors f)))]
  else map Listed (seq 0 (length (priors f))).
Definition speaks f : bool := existsb (fun ij => existsb (fun c =>
  check_spot (fun _ _ => true) f [] c (fst ij) (snd ij)) (choices f)) (pairs f).

(** Of what exceeds a level by more than delta, that the outputs that are named do so alone. *)
Definition excess_at u v (a b : list Z) (ws : list nat) : Z :=
  fold_right (fun w z => u * at_place a w - v * at_place b w + z)%Z 0%Z ws.
Definition large_excess_at n d dn dd K ws (s t : Z * list Z) : bool :=
  (dn * fst s * fst t * K * Zpos d <?
    excess_at (fst t * Zpos d) (n * fst s) (snd s) (snd t) ws * Zpos dd)%Z.

Definition check_one f m o h : bool :=
  let r := near_level h in let w := hd 0%nat (outputs_named h) in
  let spot := fun test =>
    check_spot test f (rows m) (mixture_named h) (first_secret h) (second_secret h) in
  check_all f [m] && match o with
  | AtMost e => is_below e r && check_within r (outputs m) f (rows m)
  | Equals e => Nat.ltb w (outputs m) && (is_below e r && check_within r (outputs m) f (rows m) &&
      check_attained e f (rows m) (mixture_named h) (first_secret h) (second_secret h) w)
  | Above e => Nat.ltb w (outputs m) && (is_above e r && spot (exceeds (num r) (den r) w))
  | Infinite => Nat.ltb w (outputs m) && spot (certain w)
  | DeltaAtMost e n d => is_below e r && check_delta (num r) (den r) n d (row_unit m) f (rows m)
  | DeltaAbove e n d => is_above e r && spot (large_excess (num r) (den r) n d (row_unit m)) &&
      spot (large_excess_at (num r) (den r) n d (row_unit m) (outputs_named h)) end.
Definition check_several f ms o h : bool :=
  let r := near_level h in let rs := joint_rows f ms in let ws := outputs_named h in
  let spot := fun test =>
    check_spot test f rs (mixture_named h) (first_secret h) (second_secret h) in
  check_all f ms && match o with
  | AtMost e => is_below e r && check_within r (joint_width ms) f rs
  | Equals e => numbers_fit ms ws && (is_below e r && check_within r (joint_width ms) f rs &&
      check_attained e f rs (mixture_named h) (first_secret h) (second_secret h)
        (joint_number ms ws))
  | Above e => numbers_fit ms ws &&
      (is_above e r && spot (exceeds (num r) (den r) (joint_number ms ws)))
  | Infinite => numbers_fit ms ws && spot (certain (joint_number ms ws))
  | _ => false end.
Definition check_table f width t o h : bool :=
  let r := near_level h in let w := hd 0%nat (outputs_named h) in
  let spot := fun test =>
    own_spot test f t (mixture_named h) (first_secret h) (second_secret h) in
  table_all f width t && match o with
  | AtMost e => is_below e r && own_listed f t width (num r) (den r)
  | Equals e => Nat.ltb w width && (is_below e r && own_listed f t width (num r) (den r) &&
      own_attained e f t (mixture_named h) (first_secret h) (second_secret h) w)
  | Above e => Nat.ltb w width && (is_above e r && spot (exceeds (num r) (den r) w))
  | Infinite => Nat.ltb w width && spot (certain w)
  | DeltaAtMost e n d => is_below e r && own_delta (num r) (den r) n d f t
  | DeltaAbove e n d => is_above e r && spot (large_excess (num r) (den r) n d 1) &&
      spot (large_excess_at (num r) (den r) n d 1 (outputs_named h)) end.
Definition check f r o h : bool := check_framework f && speaks f && match r with
  | One m => check_one f m o h
  | Several ms => check_several f ms o h
  | Table width t => check_table f width t o h end.

Lemma speaks_sound f : check_framework f = true -> speaks f = true -> promises_something f.
Proof.
  intros ok H. apply existsb_exists in H as [[i j] [_ H]].
  apply existsb_exists in H as [c [_ H]].
  assert (nothing : forall (x : index (size f)) (_ : unit),
    IZR (at_place (nth (number x) [] []) 0) = (1 * 0)%R).
  { intros x _. destruct (number x); unfold at_place; simpl; lra. }
  destruct (spot_sound f ok _ 1 [] (fun _ => O) nothing _ _ _ _ H)
    as [p [U [s [t [hp [hst [_ [Ps [Pt _]]]]]]]]].
  exists p, (secret_of f i), (secret_of f j). auto.
Qed.

Ltac sides := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end.
Ltac joined := repeat match goal with
  | |- _ && _ = true => apply andb_true_intro; split end; eassumption.

Lemma one_sound f m o h : check_one f m o h = true ->
  well_formed f [m] /\ says_of_one f m o.
Proof.
  intros H. unfold check_one in H. cbv zeta in H. destruct o; cbn [says_of_one says]; sides.
  - apply at_most_of_one with (near_level h); joined.
  - eapply equals_of_one with (r := near_level h) (w := hd 0%nat (outputs_named h));
      [assumption|idtac]; joined.
  - eapply above_of_one with (r := near_level h) (w := hd 0%nat (outputs_named h));
      [assumption|idtac]; joined.
  - eapply infinite_of_one with (w := hd 0%nat (outputs_named h)); [assumption|idtac]; joined.
  - apply delta_at_most_of_one with (near_level h); joined.
  - eapply delta_above_of_one with (r := near_level h); joined.
Qed.

Lemma several_sound f ms o h : check_several f ms o h = true ->
  well_formed f ms /\ says f (joint f ms) o.
Proof.
  intros H. unfold check_several in H. cbv zeta in H.
  destruct o; cbn [says]; sides; try discriminate.
  - apply at_most_of_several with (near_level h); joined.
  - eapply equals_of_several with (r := near_level h) (ws := outputs_named h); joined.
  - eapply above_of_several with (r := near_level h) (ws := outputs_named h); joined.
  - eapply infinite_of_several with (ws := outputs_named h); joined.
Qed.

Lemma table_sound f width t o h : check_table f width t o h = true ->
  well_formed f [of_table width t] /\ says_of_one f (of_table width t) o.
Proof.
  intros H. unfold check_table in H. cbv zeta in H. destruct o; cbn [says_of_one says]; sides.
  - apply at_most_of_table with (near_level h); joined.
  - eapply equals_of_table with (r := near_level h) (w := hd 0%nat (outputs_named h));
      [assumption|idtac]; joined.
  - eapply above_of_table with (r := near_level h) (w := hd 0%nat (outputs_named h));
      [assumption|idtac]; joined.
  - eapply infinite_of_table with (w := hd 0%nat (outputs_named h)); [assumption|idtac]; joined.
  - apply delta_at_most_of_table with (near_level h); joined.
  - eapply delta_above_of_table with (r := near_level h); joined.
Qed.

(** What the checker accepts is true, whatever the hint.
    Differs: that a place is there where a level is attained or exceeded, not which; what exceeds a
    level by more than delta is summed over all outputs, not over those that are named. Both are
    asked by [check], and not stated. *)
Theorem checked f r o h : check f r o h = true -> meaning f r o.
Proof.
  unfold check, meaning. intros H. apply andb_prop in H as [H each].
  apply andb_prop in H as [ok some]. split; [now apply speaks_sound|]. destruct r; cbn [says_of].
  - now apply one_sound with h.
  - now apply several_sound with h.
  - now apply table_sound with h.
Qed.

(** What a redaction of a chain of bits leaks about one record. *)
Inductive relation := NoMore (e : level) | Just (e : level) | NoLess (e : level) | More (e : level)
  | Everything.
Definition redaction_says c l named o : Prop := match o with
  | NoMore e => leaks_at_most c l e
  | Just e => leaks_at_most c l e /\ leaks_at_least c l named e
  | NoLess e => leaks_at_least c l named e
  | More e => leaks_more c l named e
  | Everything => leaks_everything c l named end.
(** The promise is about something here: the private record may be 0, and may be 1. *)
Definition private_may_be c l b := (0 < P (chain_law c) (value_is c l b))%R.
Definition redaction_meaning c l named o : Prop :=
  (forall b, private_may_be c l b) /\ well_formed_redaction c l /\ redaction_says c l named o.
(** Hints: fractions near e^level on both sides, bits of slopes, an output if none is named. *)
Record walk_hint := WalkHint { near : bound; width_of_slopes : Z; worst_output : output }.
Definition private_speaks c l bits : bool := check_input c (spread l) &&
  match prior_cone bits c (spread l) with Some q => positive_cone q | None => false end.
Definition check_redaction c l named o h : bool :=
  let b := width_of_slopes h in let y := worst_output h in let r := near h in
  private_speaks c l b && match o with
  | NoMore e => check_most c l e r b
  | Just e => check_most c l e r b && check_least c l named y e r b
  | NoLess e => check_least c l named y e r b
  | More e => is_reached e r &&
      check_output c l (hinted named y) b (above_ratio (num r) (den r))
  | Everything => check_output c l (hinted named y) b no_ratio end.

Lemma private_speaks_sound c l bits : private_speaks c l bits = true ->
  forall b, private_may_be c l b.
Proof.
  intros H. apply andb_prop in H as [ok H].
  destruct (prior_cone bits c (spread l)) as [q|] eqn:E; [|easy].
  destruct (prior_sound c l ok bits q E) as [_ [hq lq]].
  destruct (positive_sound _ _ H hq lq) as [p0 p1]. intros []; assumption.
Qed.

(** What the checker of redactions accepts is true, whatever the hint.
    Differs: where no output is named, that some output reaches a level, not which. *)
Theorem checked_redaction c l named o h : check_redaction c l named o h = true ->
  redaction_meaning c l named o.
Proof.
  unfold check_redaction, redaction_meaning. cbv zeta. intros H. apply andb_prop in H as [some H].
  split; [now apply private_speaks_sound with (width_of_slopes h)|]. destruct o.
  - exact (redaction_most_of _ _ _ _ _ H).
  - exact (redaction_equals_of _ _ _ _ _ _ _ H).
  - exact (redaction_least_of _ _ _ _ _ _ _ H).
  - exact (redaction_more_of _ _ _ _ _ _ _ H).
  - exact (redaction_everything_of _ _ _ _ _ H).
Qed.
