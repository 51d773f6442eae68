(** Certificates as tables: each theorem proves a statement of a small framework by computation, and
    does not prove it with a level one step too small. *)
From Coq Require Import Reals Lra List ZArith.
From Pufferproof Require Import Sums Pufferfish Indices Tables Rows Released Scaled Mixtures
  Places.
Import ListNotations.
Open Scope Z_scope.

Definition half : framework := {|
  size := 2; secrets := [[true; false]; [false; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 2; priors := [[1; 1]]; convex := false |}.
Definition halves : framework := {|
  size := 2; secrets := [[true; false]; [false; true]]; pairs := [(0, 1)]%nat;
  prior_unit := 4; priors := [[1; 3]; [2; 2]]; convex := true |}.
Definition lies : mechanism := {| outputs := 2; row_unit := 4; rows := [[3; 1]; [1; 3]] |}.
Definition shows : mechanism := {| outputs := 2; row_unit := 1; rows := [[1; 0]; [0; 1]] |}.

Ltac computed := vm_compute; reflexivity.

(** A response that lies one time in four leaks log 3, and no less. *)
Example lies_log_3 : leakage_equals half (channel half lies) (Log 3 1).
Proof.
  apply (equals_of_one half lies _ (Bound 3 1 0 1 0 1) (Listed 0) 0 1 0 eq_refl); computed.
Qed.

(** Near miss: it leaks more than log (299/100). *)
Example lies_less : ~ leakage_at_most half (channel half lies) (Log 299 100).
Proof.
  apply (above_of_one half lies _ (Bound 299 100 0 1 0 1) (Listed 0) 0 1 0 eq_refl); computed.
Qed.

(** The same in nats: e^1.1 is more than 3, and e^1.09 is less. *)
Example lies_nats : leakage_at_most half (channel half lies) (Nats 11 10).
Proof. apply (at_most_of_one half lies _ (Bound 3 1 11 10 20 60)); computed. Qed.
Example lies_less_nats : ~ leakage_at_most half (channel half lies) (Nats 109 100).
Proof.
  apply (above_of_one half lies _ (Bound 2999 1000 0 1 20 60) (Listed 0) 0 1 0 eq_refl); computed.
Qed.

(** The identity leaks everything; the response does not. *)
Example shows_everything : leakage_infinite half (channel half shows).
Proof. apply (infinite_of_one half shows (Listed 0) 0 1 0 eq_refl); computed. Qed.
Example lies_not_everything : ~ leakage_infinite half (channel half lies).
Proof. intros h. exact (h _ (proj1 lies_log_3)). Qed.

(** Two runs leak log 9 together, and with the identity everything. *)
Example lies_twice : leakage_equals half (joint half [lies; lies]) (Log 9 1).
Proof.
  apply (equals_of_several half [lies; lies] _ (Bound 9 1 0 1 0 1) (Listed 0) 0 1 [0%nat; 0%nat]);
    computed.
Qed.
Example lies_twice_more : ~ leakage_at_most half (joint half [lies; lies]) (Log 8 1).
Proof.
  apply (above_of_several half [lies; lies] _ (Bound 8 1 0 1 0 1) (Listed 0) 0 1 [0%nat; 0%nat]);
    computed.
Qed.
Example lies_and_shows : leakage_infinite half (joint half [lies; shows]).
Proof. apply (infinite_of_several half [lies; shows] (Listed 0) 0 1 [1%nat; 0%nat]); computed. Qed.

(** All mixtures of two priors: at every database the same bound. *)
Example lies_mixed : leakage_at_most halves (joint halves [lies]) (Log 3 1).
Proof. apply (at_most_of_several halves [lies] _ (Bound 3 1 0 1 0 1)); computed. Qed.
Example lies_mixed_less : ~ leakage_at_most halves (channel halves lies) (Log 2 1).
Proof.
  apply (above_of_one halves lies _ (Bound 2 1 0 1 0 1) (Mixed 2 [1; 1]) 0 1 0 eq_refl); computed.
Qed.

(** Up to delta: 3/4 against 2 (1/4) exceeds by 1/4. *)
Example lies_delta : delta_at_most half (channel half lies) (Log 2 1) 1 4.
Proof. apply (delta_at_most_of_one half lies _ (Bound 2 1 0 1 0 1)); computed. Qed.
Example lies_delta_less : ~ delta_at_most half (channel half lies) (Log 2 1) 6 25.
Proof.
  apply (delta_above_of_one half lies _ (Bound 2 1 0 1 0 1) 6 25 (Listed 0) 0 1); computed.
Qed.

(** Rows over units of their own, 3/4 1/4 and 1/3 2/3, are brought to twelfths. *)
Definition own : table := [(4, [3; 1]); (3, [1; 2])].
Definition skewed : mechanism :=
  {| outputs := 2; row_unit := shared_unit own; rows := over_shared own |}.
Example skewed_rows : (row_unit skewed, rows skewed) = (12, [[9; 3]; [4; 8]]).
Proof. computed. Qed.

(** Large tables: secrets are brought to units of their own. At the second output the two secrets
    tell 1/4 from 2/3, a ratio of 8/3; the promise holds up to 1/6 at the ratio 2. *)
Example skewed_level : leakage_equals half (channel half skewed) (Log 8 3).
Proof.
  apply (equals_of_table half 2 own _ (Bound 8 3 0 1 0 1) (Listed 0) 1 0 1 eq_refl); computed.
Qed.
Example skewed_at_most : leakage_at_most half (channel half skewed) (Log 3 1).
Proof. apply (at_most_of_table half 2 own _ (Bound 3 1 0 1 0 1)); computed. Qed.
(** Near miss: one less than the level. *)
Example skewed_less : ~ leakage_at_most half (channel half skewed) (Log 5 2).
Proof.
  apply (above_of_table half 2 own _ (Bound 5 2 0 1 0 1) (Listed 0) 1 0 1 eq_refl); computed.
Qed.
Example skewed_delta : delta_at_most half (channel half skewed) (Log 2 1) 1 6.
Proof. apply (delta_at_most_of_table half 2 own _ (Bound 2 1 0 1 0 1)); computed. Qed.
Example skewed_delta_less : ~ delta_at_most half (channel half skewed) (Log 2 1) 4 25.
Proof.
  apply (delta_above_of_table half 2 own _ (Bound 2 1 0 1 0 1) 4 25 (Listed 0) 1 0); computed.
Qed.
(** An output that the first database never shows. *)
Definition sure : table := [(1, [1; 0]); (3, [1; 2])].
Example surely_infinite : leakage_infinite half (channel half (of_table 2 sure)).
Proof. apply (infinite_of_table half 2 sure (Listed 0) 1 0 1 eq_refl); computed. Qed.
(** Five secrets, of which columns show the largest and the least; pair by pair it is the same. *)
Definition five : framework := {| size := 5;
  secrets := [[true]; [false; true]; [false; false; true]; [false; false; false; true];
    [false; false; false; false; true]];
  pairs := [(0, 1); (0, 2); (1, 2); (0, 3); (1, 4)]%nat; prior_unit := 5;
  priors := [[1; 1; 1; 1; 1]]; convex := false |}.
Definition coins : table := [(4, [3; 1]); (3, [1; 2]); (2, [1; 1]); (5, [2; 3]); (7, [4; 3])].
Example five_columns :
  map (fun n => columns n 24 2 (map (own_view coins [1; 1; 1; 1; 1]) (secrets five))) [63; 64]
  = [false; true].
Proof. computed. Qed.
Example five_level : leakage_equals five (channel five (of_table 2 coins)) (Log 8 3).
Proof.
  apply (equals_of_table five 2 coins _ (Bound 8 3 0 1 0 1) (Listed 0) 1 0 1 eq_refl); computed.
Qed.

Open Scope R_scope.
Example skewed_second : channel half skewed (exist _ 1%nat eq_refl) (exist _ 1%nat eq_refl) = 2 / 3.
Proof.
  unfold channel. cbn [skewed rows row_unit]. rewrite over_own_units; [reflexivity|].
  intros row [<-|[<-|[]]]; reflexivity.
Qed.
(** Near miss: over the unit of the first row it would be 1/2. *)
Example skewed_other_unit :
  channel half skewed (exist _ 1%nat eq_refl) (exist _ 1%nat eq_refl) <> 2 / 4.
Proof. rewrite skewed_second. lra. Qed.

(** Two priors: a = p = 1/2 of b = q, with the ratio 1. *)
Example two_priors (x : bool -> R) : (forall i, 0 <= x i) ->
  (Σ i, x i * / 2) * (Σ i, x i * 1) <= 1 * (Σ i, x i * / 2) * (Σ i, x i * 1).
Proof.
  apply (two_priors_suffice (fun _ => / 2) (fun _ => / 2) (fun _ => 1) (fun _ => 1) 1);
    intros; nra.
Qed.
