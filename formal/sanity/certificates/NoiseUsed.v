(** Certificates of noise on a sum of the records of a chain, used on numbers: three records, a
    value of the one between two others, and geometric noise with the ratio 1/2. *)
From Coq Require Import Reals List ZArith.
From Pufferproof Require Import Sums Pufferfish Indices Tables Exponentials Released SumsOfChains
  NoisySums Noise.
Import ListNotations.
Open Scope Z_scope.

(** P(1 after 0) = 1/4, P(0 after 1) = 1/2, from the stationary law 2/3, 1/3. *)
Definition week : walk := Walk 3 [2; 1] 4 [[3; 1]; [2; 2]].
Definition sum_of_three : model := {| values := 2; records := 2; walks := [week];
  pairs_at := [(1, (1, 0))]%nat; adds := [0; 1]%nat; first := 0; last := 2; least := 0;
  step_of := 1; query_unit := 1; noise := PerLog 1 1 2 1; integers := true |}.
(** The same with Laplace noise of scale 2, on the mean of the last two records. *)
Definition mean_of_two : model := {| values := 2; records := 2; walks := [week];
  pairs_at := [(1, (1, 0))]%nat; adds := [0; 1]%nat; first := 1; last := 2; least := 0;
  step_of := 1; query_unit := 2; noise := Just 2 1; integers := false |}.

Definition as_it_is n d : bound := Bound n d 0 1 0 1.
Definition half : decay_bounds := let none := Looked 0 1 0 1 in Decay 1 1 2 none none.
Ltac computed := vm_compute; reflexivity.

(** At most log (72/25); near miss: not log (71/25), which the largest output exceeds. *)
Example at_most_of_three : means_of_noise sum_of_three (NoMoreThan (Log 72 25)).
Proof. apply (checked_noise _ _ (as_it_is 72 25) half). computed. Qed.
Example above_of_three : means_of_noise sum_of_three (MoreAt (Log 71 25) 0 1 1 0 3).
Proof. apply (checked_noise _ _ (as_it_is 71 25) half). computed. Qed.
Example not_less_of_three :
  check_noise sum_of_three (NoMoreThan (Log 71 25)) (as_it_is 71 25) half = false.
Proof. computed. Qed.
Example not_above_of_three :
  check_noise sum_of_three (MoreAt (Log 72 25) 0 1 1 0 3) (as_it_is 72 25) half = false.
Proof. computed. Qed.
(** The other order at that output, or another output, exceeds nothing. *)
Example other_order :
  check_noise sum_of_three (MoreAt (Log 71 25) 0 1 0 1 3) (as_it_is 71 25) half = false.
Proof. computed. Qed.

(** e^(-1/4) is between 3189/4096 and 3191/4096: wrong bounds of the decay are refused. *)
Definition quarter low high : decay_bounds :=
  Decay low high 4096 (Looked 1 4 6 40) (Looked 1 4 6 40).
Example at_most_of_two : means_of_noise mean_of_two (NoMoreThan (Log 3 2)).
Proof. apply (checked_noise _ _ (as_it_is 3 2) (quarter 3188 3192)). computed. Qed.
Example above_of_two : means_of_noise mean_of_two (MoreAt (Log 13 10) 0 1 1 0 2).
Proof. apply (checked_noise _ _ (as_it_is 13 10) (quarter 3188 3192)). computed. Qed.
Example wrong_decay : decay_within mean_of_two (quarter 3191 3192) = false /\
  decay_within mean_of_two (quarter 3188 3189) = false.
Proof. split; computed. Qed.
(** A law that does not sum to 1, a promise about nothing, and a query of no integers. *)
Example no_law : good_walk sum_of_three (Walk 3 [2; 2] 4 [[3; 1]; [2; 2]]) = false.
Proof. computed. Qed.
Example about_nothing : speaks_of {| values := 2; records := 2; walks := [week]; pairs_at := [];
  adds := [0; 1]%nat; first := 0; last := 2; least := 0; step_of := 1; query_unit := 1;
  noise := PerLog 1 1 2 1; integers := true |} = false.
Proof. computed. Qed.
