(** Functions that check certificates about many runs and about worst cases, and what their answers
    mean: [Rates] and [Budgets] have what is stated; the rest is proofs. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers Levels Leakage Places
  Released Rates Logarithms Games Composing Apart Separated Repeated Budgets WorstCase Checked.
Import ListNotations.

(** Where databases are compared: two priors, which may be one, two secrets, and a database. *)
Record meeting := Meeting { prior_of_it : nat; prior_of_others : nat; secret_of_it : nat;
  secret_of_others : nat; it : nat }.
(** What is claimed of mechanisms with levels. *)
Inductive claimed :=
  | Condition (parts : list (mechanism * level))
  | Violation (parts : list (mechanism * level)) (at_ : meeting)
  | Between (m : mechanism) (low high : level)
  | Unbounded (m : mechanism) (at_ : meeting).

(** So many runs have outputs together that a database shows at times, and no database with the
    other secret. *)
Definition told_apart f m g := exists n (x : index (size f)) (w : together (repeat m n)),
  number x = it g /\
  game f (prior_of_it g) (prior_of_others g) (secret_of_it g) (secret_of_others g) x /\
  (0 < joint f (repeat m n) x w)%R /\
  forall y, (0 < inside (prior_of f (prior_of_others g)) (secret_of f (secret_of_others g)) y)%R ->
    joint f (repeat m n) y w = 0%R.
Definition means f c : Prop := match c with
  | Condition ps => well_formed f (map fst ps) /\ nfc_holds f ps /\ levels_add_up f ps
  | Violation ps g => well_formed f (map fst ps) /\ ~ levels_add_up f ps /\
      nfc_fails_at f ps (prior_of_it g) (prior_of_others g) (secret_of_it g) (secret_of_others g)
        (it g)
  | Between m low high => well_formed f [m] /\ rate_at_least f m low /\ rate_at_most f m high
  | Unbounded m g => well_formed f [m] /\ rate_infinite f m /\ told_apart f m g end.

(** How often outputs are shown and weights of databases are hints, and so are logarithms. *)
Definition check_claimed f c h counts betas g : bool :=
  let at_ := fun (check : nat -> nat -> nat -> nat -> nat -> bool) g =>
    check (prior_of_it g) (prior_of_others g) (secret_of_it g) (secret_of_others g) (it g) in
  let first := hd [] counts in
  match c with
  | Condition ps => check_nfc f h ps betas
  | Violation ps g => at_ (check_violation f h ps counts) g
  | Between m low high => at_ (check_rate f h m low high betas first) g
  | Unbounded m g => at_ (check_infinite f m first) g end.
Definition check_runs f c h counts betas g : bool :=
  check_framework f && speaks f && check_claimed f c h counts betas g.

(** What is claimed of any two mechanisms within two budgets, and whether some reach it: two that
    do, with outputs, a prior and two secrets, are hints, as rows and trees are. *)
Record reaching := Reaching { shown_first : mechanism; shown_second : mechanism;
  by_prior : chosen; by_secret : nat; against_secret : nat; by_outputs : list nat }.
Definition means_worst f b b' e (attained : bool) : Prop := promises_something f /\
  well_formed f [] /\ worst_at_most f b b' e /\
  (attained = true -> worst_at_least f b b' e).
Definition check_worst_case f b b' e (attained : bool) known known' trees s : bool :=
  check_framework f && speaks f && check_worst f b b' e known known' trees &&
  (negb attained || check_reached f b b' e (shown_first s) (shown_second s) (by_prior s)
    (by_secret s) (against_secret s) (by_outputs s)).
Open Scope R_scope.

Lemma infinite_apart f m c k l i j x : check_infinite f m c k l i j x = true ->
  told_apart f m (Meeting k l i j x).
Proof.
  unfold check_infinite. intros H. apply apart_parts in H as [pok [place_ok [counts_ok others]]].
  destruct (place_game f _ _ pok k l i j x place_ok) as [here [is_x G]].
  pose proof (value_here f _ _ [c] pok x counts_ok here is_x) as shown_.
  assert (none : forall y, 0 < inside (prior_of f l) (secret_of f j) y ->
    value f (flat_map shown_of (combine [(m, Log 1 1)] [c])) y = 0).
  { intros y pos. pose proof (others_of f _ _ pok k l i j x place_ok _ others y pos) as t.
    exact (never_value f _ _ [c] pok x counts_ok y t). }
  set (os := flat_map shown_of (combine [(m, Log 1 1)] [c])) in *.
  assert (same : map fst (map run_of os) = repeat m (length os)).
  { pose proof (all_the_same m (Log 1 1) (map run_of os) (os_from [(m, Log 1 1)] [c])) as E.
    rewrite E, map_repeated. now rewrite map_length. }
  clearbody os.
  assert (T : exists w : together (repeat m (length os)), forall y,
    joint f (repeat m (length os)) y w = value f os y).
  { rewrite <- same. exists (told os). intros y. apply joint_told. }
  destruct T as [w E]. exists (length os), here, w.
  split; [exact is_x|]. split; [exact G|]. split; [now rewrite E|].
  intros y pos. rewrite E. now apply none.
Qed.

(** Whatever the hints are, a certificate that passes means what it says.
    Differs: which place reaches the lower bound of a finite rate is not stated. *)
Theorem checked_runs f c h counts betas g : check_runs f c h counts betas g = true ->
  promises_something f /\ means f c.
Proof.
  unfold check_runs. intros H. rewrite !andb_true_iff in H. destruct H as [[fok some] H].
  split; [now apply speaks_sound|]. destruct c as [ps|ps p|m low high|m p]; cbn in H |- *.
  - now apply nfc_of in H.
  - apply violation_of in H. tauto.
  - now apply rate_of in H.
  - split; [|split].
    + now apply rate_infinite_of in H.
    + now apply rate_infinite_of in H.
    + destruct p. now apply infinite_apart in H.
Qed.

(** The same of worst cases.
    Differs: mechanisms that reach the level are stated to be there, not which. *)
Theorem checked_worst_case f b b' e attained known known' trees s :
  check_worst_case f b b' e attained known known' trees s = true ->
  means_worst f b b' e attained.
Proof.
  unfold check_worst_case. intros H. rewrite !andb_true_iff in H.
  destruct H as [[[fok some] most] H]. split; [now apply speaks_sound|].
  pose proof (worst_of _ _ _ _ _ _ _ most) as [laws within_].
  split; [exact laws|]. split; [exact within_|]. intros ->. cbn in H.
  assert (both_ : check_worst f b b' e known known' trees && check_reached f b b' e
    (shown_first s) (shown_second s) (by_prior s) (by_secret s) (against_secret s)
    (by_outputs s) = true) by now rewrite most, H.
  now apply worst_equals_of in both_.
Qed.
