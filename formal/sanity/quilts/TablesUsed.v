(** Quilts of tables of records, on two and three bits of a chain; near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts Networks.
From Pufferproof Require Import Parallel ParallelChains SequentialChains RecordTables TableQuilts.
From Pufferproof Require Import ParallelSegments QuiltsOfChains QuiltsOfTables.
From Pufferproof.sanity Require Import Bits QuiltsUsed ClassesUsed.
Import ListNotations.
Open Scope R_scope.

Notation chance := (P (law_of_chain (fair, stays) 3)).
Notation value i x := (record_is (n := 3) bool_dec i x).

Example sides_given_record_used :
  chance (meet (value 0%nat true) (meet (value 2%nat true) (value 1%nat true))) *
    chance (value 1%nat true) =
  chance (meet (value 0%nat true) (value 1%nat true)) *
    chance (meet (value 2%nat true) (value 1%nat true)).
Proof.
  apply (sides_given_record bool_dec (fair, stays) 3 1 true); intros v w E;
    unfold record_is, Parallel.value, record;
    destruct v as [? [? [? []]]], w as [? [? [? []]]]; injection E; intros; subst; easy.
Qed.

(** Given a record that is not between them they are not independent. *)
Example a_record_aside_is_not_enough :
  chance (meet (value 1%nat true) (meet (value 2%nat true) (value 0%nat true))) *
    chance (value 0%nat true) <>
  chance (meet (value 1%nat true) (value 0%nat true)) *
    chance (meet (value 2%nat true) (value 0%nat true)).
Proof. by_cases. Qed.

(** The second bit is a quilt of the first one. *)
Example quilts_around_used : quilt_of bool_dec (around 0 1) 0 (laws_of lazy 3).
Proof. apply quilts_around; [apply lazy_chains|lia]. Qed.

(** The third one is not, if the second is remote. *)
Example a_far_record_is_no_quilt : ~ quilt_of bool_dec
  (fun k => match k with O => near | 2%nat => quilt | _ => remote end) 0 (laws_of lazy 3).
Proof.
  intros [_ independent].
  specialize (independent (law_of_chain (fair, stays) 3) true
    (ex_intro _ (fair, stays) (conj eq_refl eq_refl)) (None, (None, (Some true, tt)))
    (None, (Some true, (None, tt)))).
  revert independent. by_cases.
Qed.

(** One bit with noise of scale 1: the level is the e of the influence, which is 0, and 1. *)
Definition one_bit (p : vec bool 1 -> R) := p = law_of_chain (fair, stays) 1.
Definition asks (v : vec bool 1) : R := if fst v then 1 else 0.
Definition all_near (k : nat) : role := near.

Lemma one_bit_laws : laws_only one_bit.
Proof. intros p ->. apply sequence_is_law; [apply fair_law|apply stays_law]. Qed.

Lemma no_quilt_needed : quilt_of bool_dec all_near 0 one_bit.
Proof. split; [easy|]. intros p [] -> [[] []] [[] []]; by_cases. Qed.

Lemma nothing_told : QuiltsOfTables.told bool_dec all_near 0 (law_of_chain (fair, stays) 1) 0.
Proof. intros x y [z []]. rewrite exp_0. destruct x, y, z as [[]|]; by_cases. Qed.

Example any_quilt_used : pufferfish (exp 1) (both (fun v => laplace 1 (asks v))
  (fun _ (_ : unit) => 1)) (two_values_in bool_dec 1 0 0) one_bit.
Proof.
  apply (any_quilt bool_dec all_near 0 one_bit (asks, 1, 1) 0 1).
  - apply one_bit_laws.
  - intros v w. lra.
  - apply no_quilt_needed.
  - intros p ->. apply nothing_told.
  - intros [[] []] [[] []] _; unfold asked, asks; simpl; unfold Rabs; destruct Rcase_abs; lra.
  - now intros v w u.
  - split; unfold at_level, with_noise; simpl; lra.
Qed.

Example searched_quilts_used : pufferfish (exp 1) (fun v => laplace 1 (asks v))
  (two_values bool_dec 1) one_bit.
Proof.
  apply (searched_quilts bool_dec [(0%nat, all_near)] (asks, 1, 1) one_bit one_bit_laws).
  - intros j [[] []] [[] []] _; unfold asked, asks; simpl; unfold Rabs; destruct Rcase_abs; lra.
  - intros q [<-|[]]. apply no_quilt_needed.
  - intros p i -> here. replace i with 0%nat by lia. exists (0%nat, all_near), 0.
    split; [now left|]. split; [simpl; lia|]. split; [apply nothing_told|].
    split; unfold at_level, with_noise, nearby; simpl; lra.
Qed.

(** The second bit tells no more than the second and the third. *)
Definition both_later (k : nat) : bool := negb (Nat.eqb k 0).
Definition second (k : nat) : bool := Nat.eqb k 1.
Lemma later_tell e : exp e = 2 -> told_in_class bool_dec (set_of_records both_later) 0
  (laws_of lazy 3) e.
Proof.
  intros E p [c [-> ->]] x y [a [b [d []]]]. rewrite E.
  destruct x, y, a as [[]|], b as [[]|], d as [[]|]; by_cases.
Qed.

Example larger_set_used e : exp e = 2 -> told_in_class bool_dec (set_of_records second) 0
  (laws_of lazy 3) e.
Proof.
  intros E. apply (larger_set bool_dec second both_later 0 (laws_of lazy 3) e);
    [now intros [|[|k]]|now apply later_tell].
Qed.

(** Not the other way round: no record tells nothing, and the second one tells something. *)
Example a_smaller_set_may_tell_less :
  told_in_class bool_dec (set_of_records (fun _ => false)) 0 (laws_of lazy 2) 0 /\
  ~ told_in_class bool_dec (set_of_records second) 0 (laws_of lazy 2) 0.
Proof.
  split.
  - intros p [c [-> ->]] x y [a [b []]]. rewrite exp_0.
    destruct x, y, a as [[]|], b as [[]|]; by_cases.
  - intros h. specialize (h _ (ex_intro _ (fair, stays) (conj eq_refl eq_refl)) true false
      (None, (Some true, tt))). rewrite exp_0 in h. revert h. by_cases.
Qed.

(** One bit with noise of scale 1, and what is not near: nothing. *)
Example joint_with_quilt_used : pufferfish (exp 1) (both (fun v => laplace 1 (asks v))
  (shows_away bool_dec all_near)) (two_values_in bool_dec 1 0 0) one_bit.
Proof.
  apply (joint_with_quilt bool_dec all_near 0 one_bit (asks, 1, 1) 0).
  - apply one_bit_laws.
  - intros j [[] []] [[] []] _; unfold asked, asks; simpl; unfold Rabs; destruct Rcase_abs; lra.
  - apply no_quilt_needed.
  - intros p ->. apply nothing_told.
  - split; unfold at_level, with_noise, nearby; simpl; lra.
Qed.

(** What is shown is the second bit. *)
Example what_is_away_is_shown : shows_away (n := 2) bool_dec (around 0 1) (true, (false, tt))
  (false, (false, tt)) = 1 /\ shows_away (n := 2) bool_dec (around 0 1) (true, (false, tt))
  (true, (true, tt)) = 0.
Proof. split; unfold shows_away; now destruct decide_shown. Qed.
