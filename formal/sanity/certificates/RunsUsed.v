(** Certificates about many runs, on one small framework: each theorem proves a statement by
    computation, and one step below the level the opposite is proved. *)
From Coq Require Import List ZArith.
From Pufferproof Require Import Sums Pufferfish Indices Tables Rates Logarithms Games Composing
  Separated Repeated.
From Pufferproof Require Repetition.
Import ListNotations.
Open Scope Z_scope.

Definition three : framework := {|
  size := 3; secrets := [[true; false; false]; [false; true; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 4; priors := [[2; 1; 1]]; convex := false |}.
(** Of the second secret each database knows one prior only: all mixtures of both. *)
Definition mixtures : framework := {|
  size := 3; secrets := [[true; false; false]; [false; true; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 2; priors := [[2; 0; 0]; [0; 1; 1]]; convex := true |}.
Definition middle : mechanism :=
  {| outputs := 2; row_unit := 4; rows := [[2; 2]; [3; 1]; [1; 3]] |}.
Definition leaning : mechanism :=
  {| outputs := 2; row_unit := 4; rows := [[3; 1]; [1; 3]; [1; 3]] |}.
Definition telling : mechanism :=
  {| outputs := 3; row_unit := 6; rows := [[2; 2; 2]; [3; 3; 0]; [3; 0; 3]] |}.

Ltac computed := vm_compute; reflexivity.
(** Weights 1/2 and 1/2 for the first database, and the first database for the others. *)
Definition halves := [Weighing 0 2 [0; 1; 1]; Weighing 1 1 [1; 0; 0]; Weighing 2 1 [1; 0; 0]].
Definition powers_only := Logarithms 512 1 0 1 [].

(** The condition holds at log (3/2), over mixtures too, and levels add up. *)
Example middle_composes : nfc_holds three [(middle, Log 3 2)] /\
  levels_add_up three [(middle, Log 3 2)].
Proof. apply (nfc_of three powers_only [(middle, Log 3 2)] halves). computed. Qed.
Example middle_composes_mixed : levels_add_up mixtures [(middle, Log 3 2)].
Proof. apply (nfc_of mixtures powers_only [(middle, Log 3 2)] halves). computed. Qed.

(** Near miss: not at log (10/9), since against both other databases the mean of the logarithms of
    the ratios of both outputs is (1/2) log (4/3), which is more. *)
Example middle_does_not : ~ levels_add_up three [(middle, Log 10 9)].
Proof.
  apply (violation_of three powers_only [(middle, Log 10 9)] [[1; 1]] 0 0 0 1 0). computed.
Qed.
Example middle_fails : nfc_fails_at mixtures [(middle, Log 10 9)] 0 1 0 1 0.
Proof.
  apply (violation_of mixtures powers_only [(middle, Log 10 9)] [[1; 1]] 0 1 0 1 0). computed.
Qed.
(** Near miss: one prior is no game against another that is not mixed with it. *)
Example no_game : check_place three 0 1 0 1 0 = false.
Proof. computed. Qed.

(** The same with a table of logarithms: 0.144 and 0.143 are on both sides of the mean, which is
    0.1438 for the middle. *)
Definition logs := Logarithms 0 1024 20 60 [(2, (707, 712)); (3, (1123, 1127)); (4, (1417, 1422))].
Example middle_below : ~ levels_add_up three [(middle, Nats 13 100)].
Proof. apply (violation_of three logs [(middle, Nats 13 100)] [[1; 1]] 0 0 0 1 0). computed. Qed.
Example middle_not_below :
  check_violation three logs [(middle, Nats 15 100)] [[1; 1]] 0 0 0 1 0 = false.
Proof. computed. Qed.
(** A table that says log 3 is below 1.09 is refused. *)
Example wrong_table : check_logarithms (Logarithms 0 1024 20 60 [(3, (1100, 1116))]) = false.
Proof. computed. Qed.

(** A response that lies one time in four has the rate log 3. *)
Definition sure := [Weighing 0 1 [0; 1; 0]; Weighing 1 1 [1; 0; 0]; Weighing 2 1 [1; 0; 0]].
Example leaning_rate : rate_at_least three leaning (Log 3 1) /\
  rate_at_most three leaning (Log 3 1).
Proof.
  apply (rate_of three powers_only leaning (Log 3 1) (Log 3 1) sure [1; 0] 0 0 0 1 0). computed.
Qed.
(** Near miss: the rate is not at most log 2. *)
Example leaning_less : ~ rate_at_most three leaning (Log 2 1).
Proof.
  assert (no : ~ levels_add_up three [(leaning, Log 2 1)]).
  { apply (violation_of three powers_only [(leaning, Log 2 1)] [[1; 0]] 0 0 0 1 0). computed. }
  intros [C most]. apply no. exists C. intros runs here.
  rewrite (all_the_same _ _ _ here), map_repeated, prod_repeat. apply most.
Qed.
(** What tells the second secret's databases apart from the first has no rate. *)
Example telling_infinite : rate_infinite three telling.
Proof. apply (rate_infinite_of three telling [0; 1; 1] 0 0 0 1 0). computed. Qed.
Example telling_one_output : check_infinite three telling [0; 1; 0] 0 0 0 1 0 = false.
Proof. computed. Qed.

(** The extracted function says where, and refuses the near miss too. *)
Definition first_alone := Repetition.Meeting 0 0 0 1 0.
Example telling_there : Repetition.told_apart three telling first_alone.
Proof.
  destruct (Repetition.checked_runs three (Repetition.Unbounded telling first_alone) powers_only
    [[0; 1; 1]] [] first_alone) as [_ [_ [_ H]]]; [computed|exact H].
Qed.
Example telling_not_there : Repetition.check_runs three
  (Repetition.Unbounded telling first_alone) powers_only [[0; 1; 0]] [] first_alone = false.
Proof. computed. Qed.
