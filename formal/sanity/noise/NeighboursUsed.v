(** Levels between neighbours, exponential mechanisms and mechanisms that do not compose, used on
    two and three databases; near misses refuted. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Means Differential Exponential Existence Collapse
  Curves Chain.
#[local] Existing Instances Chain.finite_unit.
Import ListNotations.
Open Scope R_scope.

Definition apart_bits (x y : bool) := x <> y.
(** Randomised response with the ratio 3. *)
Definition answer (x w : bool) : R := if Bool.eqb x w then 3/4 else 1/4.

Lemma answer_close : close 3 answer apart_bits.
Proof. intros [] [] ne []; unfold answer; simpl; try lra; now destruct ne. Qed.

Example twice_the_answer : close (3 * (3 * 1)) (releases [answer; answer]) apart_bits.
Proof.
  apply (close_together [(answer, 3); (answer, 3)]).
  - intros M E [e|[e|[]]]; injection e as <- <-; intros [] []; unfold answer; simpl; lra.
  - intros M E [e|[e|[]]]; injection e as <- <-; apply answer_close.
Qed.

(** No smaller ratio is kept by two runs. *)
Example not_eight : ~ close 8 (releases [answer; answer]) apart_bits.
Proof.
  intros near. specialize (near true false ltac:(discriminate) [true; true]).
  unfold answer in near; simpl in near. lra.
Qed.

Example merged_answer : close 3 (process answer (fun _ (_ : unit) => 1)) apart_bits.
Proof. apply close_processed; [intros; lra|apply answer_close]. Qed.

(** Asked again only after the answer true. *)
Definition again (w : bool) : bool -> bool -> R := if w then answer else fun _ _ => 1/2.
Example asked_again : close (3 * 3) (chosen answer again) apart_bits.
Proof.
  apply close_chosen; [intros [] []; unfold answer; simpl; lra| |apply answer_close|].
  - intros [] [] []; unfold again, answer; simpl; lra.
  - intros []; [apply answer_close|]. intros x y _ w. unfold again. lra.
Qed.

(** Weights of a processing must not be negative. *)
Example negative_processing : exists K : bool -> unit -> R,
  ~ close 3 (process answer K) apart_bits.
Proof.
  exists (fun (w : bool) _ => if w then 3 else -1). intros near.
  specialize (near true false ltac:(discriminate) tt). unfold process, answer in near.
  simpl in near. lra.
Qed.

(** Scores 0 and ln 2: the exponential mechanism keeps ln 4. *)
Definition score (x w : bool) : R := if Bool.eqb x w then ln 2 else 0.
Example exponential_bits : close (exp (ln 2 + ln 2)) (exponential score) apart_bits.
Proof.
  apply exponential_close. assert (0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  intros x y _ w. unfold score. destruct (Bool.eqb x w), (Bool.eqb y w); lra.
Qed.

(** One cell, a bit, whose value is secret: hiding it is a point of the curve with a = 0. *)
Definition bits_apart (s t : @secret bool) := s = (fun x => x) /\ t = negb.
Example exponential_bit : pufferfish (exp (INR 1 * (ln 2 + ln 2) + 0)) (exponential score)
  bits_apart (eq (fun _ => 1/2)).
Proof.
  assert (0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  apply (exponential_translated (I := unit) (V := bool) (fun i j => match i, j with tt, tt =>
    left eq_refl end) Bool.bool_dec Bool.bool_dec (fun _ x => x)) with (neighbours := apart_bits).
  - intros p <-. split; [intros; lra|]. simpl. lra.
  - rewrite <- exp_0. left. apply exp_increasing. lra.
  - intros x y _ w. unfold score. destruct (Bool.eqb x w), (Bool.eqb y w); lra.
  - intros [] []; unfold distance; simpl; discriminate.
  - split; [intros [] []; unfold distance; simpl; easy|]. intros x y i. exists y.
    split; [easy|]. now destruct i; intros [] ne; destruct ne.
  - intros s t [-> ->]. exists [tt]. split; [simpl; repeat constructor|].
    intros p <- _ _ []; unfold P, inside, shown_as, agree, same, hidden; simpl; rewrite exp_0; lra.
Qed.

Example three_collapse : some_collapse ann bob.
Proof.
  apply some_mechanism_collapses; [intros [] []; (now left) || now right|].
  split; [|discriminate]. unfold three_databases. simpl. repeat constructor.
Qed.

(** Two databases are too few. *)
Example two_do_not : ~ some_collapse true false.
Proof.
  rewrite (some_mechanism_collapses Bool.bool_dec). unfold three_databases. simpl.
  intros [few _]. repeat apply le_S_n in few. inversion few.
Qed.
