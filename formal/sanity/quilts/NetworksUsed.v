(** The quilt mechanism on a network of five bits, and on a collider, where it fails. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace Chain ChainQuilts.
From Pufferproof Require Import Parallel SequentialChains RecordTables Networks.
From Pufferproof.sanity Require Import Bits QuiltsUsed.
Import ListNotations.
Open Scope R_scope.

Notation is i x := (record_is bool_dec i x).

(** X_0 has the children X_1 and X_2; X_4 depends on X_2 and X_3. *)
Definition parents (i : nat) : list nat :=
  match i with 1 | 2 => [0] | 4 => [2; 3] | _ => [] end%nat.
Definition at_past (past : list bool) j :=
  match nth_error past j with Some x => x | None => true end.
Definition step (i : nat) (x : bool) (past : list bool) : R := match i with
  | 1 | 2 => stays 0 (at_past past 0) x
  | 4 => stays 0 (xorb (at_past past 2) (at_past past 3)) x
  | _ => (1/2)%R end%nat.
Definition five (v : vec bool 5) : R := network_weight step [] (list_of v).

Lemma five_network : network_of parents 5 five.
Proof.
  exists step. split; [|split; [|easy]].
  - intros [|[|[|[|[|i]]]]] past; try apply fair_law; apply (stays_law 0).
  - intros [|[|[|[|[|i]]]]] x past past' same; try easy; unfold step, at_past.
    + now rewrite (same 0%nat (or_introl eq_refl)).
    + now rewrite (same 0%nat (or_introl eq_refl)).
    + now rewrite (same 2%nat (or_introl eq_refl)),
        (same 3%nat (or_intror (or_introl eq_refl))).
Qed.

(** For X_1 the quilt is X_0; the other records are remote. *)
Definition around_1 (i : nat) : role := match i with 1 => near | 0 => quilt | _ => remote end%nat.

Lemma parent_separates : quilt_separates parents 5 around_1.
Proof.
  intros i j k here ij ik [nj rk].
  destruct i as [|[|[|[|[|i]]]]]; try lia; simpl in ij, ik;
    repeat match goal with h : _ \/ _ |- _ => destruct h | h : False |- _ => destruct h end;
    subst; discriminate.
Qed.

Notation quilt_1 := (of_quilt (A := bool) 5 around_1).
Notation decide_5 := (decide_shown bool_dec 5).

Lemma quilt_is_parent v w : fst v = fst w -> quilt_1 v = quilt_1 w.
Proof. intros E. destruct v as [a v], w as [b w]. simpl in E. now rewrite E. Qed.

Definition rest : vec bool 4 := (true, (true, (true, (true, tt)))).
Definition with_parent (b : bool) : vec bool 5 := @pair bool (vec bool 4) b rest.

Lemma parent_told s b : p_quilt decide_5 quilt_1 five s (quilt_1 (with_parent b)) =
  Σ v, inside five s v * (if eqb (fst v) b then 1 else 0).
Proof.
  unfold p_quilt, Pz. apply sum_ext; intros v _. f_equal. unfold at_.
  destruct (decide_5 (quilt_1 v) (quilt_1 (with_parent b))) as [E|ne], (eqb (fst v) b) eqn:F;
    try easy.
  - destruct v as [a v]. injection E as E. simpl in F. subst a. now rewrite eqb_reflx in F.
  - destruct ne. apply quilt_is_parent. simpl. now apply eqb_prop.
Qed.

Lemma parent_tells_two x x' :
  influence_at_most decide_5 quilt_1 (exp (ln 2)) five (is 1 x) (is 1 x').
Proof.
  rewrite exp_ln by lra. intros q.
  assert (known : forall b, q = quilt_1 (with_parent b) ->
    p_quilt decide_5 quilt_1 five (is 1 x) q * P five (is 1 x') <=
    2 * P five (is 1 x) * p_quilt decide_5 quilt_1 five (is 1 x') q).
  { intros b ->. rewrite !parent_told. destruct x, x', b; by_cases. }
  destruct (decide_5 q (quilt_1 (with_parent true))) as [E|n1]; [now apply (known true)|].
  destruct (decide_5 q (quilt_1 (with_parent false))) as [E|n0]; [now apply (known false)|].
  assert (none : forall s, p_quilt decide_5 quilt_1 five s q = 0).
  { intros s. unfold p_quilt, Pz. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
    intros v _. unfold at_. destruct decide_5 as [E|]; [|ring].
    destruct (fst v) eqn:F; [destruct n1|destruct n0]; rewrite <- E; now apply quilt_is_parent. }
  rewrite !none. lra.
Qed.

Definition about_1 (s t : @secret (vec bool 5)) := exists x x', s = is 1 x /\ t = is 1 x'.

Example quilt_mechanism_on_networks_used :
  pufferfish (exp (1 + ln 2)) (fun v : vec bool 5 => laplace 1 (count (list_of v)))
    about_1 (eq five).
Proof.
  apply (quilt_mechanism_on_networks bool_dec parents 5 count).
  - intros p <-. apply five_network.
  - apply count_moves.
  - intros p s t <- [x [x' [-> ->]]] _ _. exists 1%nat, around_1, (ln 2).
    split; [lia|]. split; [easy|]. split; [apply record_is_about|]. split; [apply record_is_about|].
    split; [apply parent_separates|]. split; [apply parent_tells_two|]. split; [lra|].
    replace (1 + ln 2 - ln 2) with 1 by ring. simpl. lra.
Qed.

Example network_separates_used x : independent_given_quilt decide_5 decide_5 quilt_1
  (of_remote 5 around_1) five (is 1 x).
Proof.
  apply (network_separates bool_dec parents 5 around_1 parent_separates five 1).
  - apply five_network.
  - easy.
  - apply record_is_about.
Qed.

(** ** X_2 depends on X_0 and X_1: without it the graph falls apart, but it is no quilt *)

Definition both_parents (i : nat) : list nat := match i with 2 => [0; 1] | _ => [] end%nat.
Definition collide (i : nat) (x : bool) (past : list bool) : R := match i with
  | 2 => if eqb (xorb (at_past past 0) (at_past past 1)) x then (3/4)%R else (1/4)%R
  | _ => (1/2)%R end%nat.
Definition collider (v : vec bool 3) : R := network_weight collide [] (list_of v).
Definition middle_is_quilt (i : nat) : role :=
  match i with 0 => near | 2 => quilt | _ => remote end%nat.

Lemma collider_network : network_of both_parents 3 collider.
Proof.
  exists collide. split; [|split; [|easy]].
  - intros [|[|[|i]]] past; try apply fair_law. simpl.
    split; [intros y|]; destruct (xorb _ _); try destruct y; by_cases.
  - intros [|[|[|i]]] x past past' same; try easy. unfold collide, at_past.
    now rewrite (same 0%nat (or_introl eq_refl)), (same 1%nat (or_intror (or_introl eq_refl))).
Qed.

(** Every record but X_2 has near or remote neighbours alone; X_2 has both for parents. *)
Example parents_are_joined : ~ quilt_separates both_parents 3 middle_is_quilt.
Proof.
  intros sep. apply (sep 2%nat 0%nat 1%nat ltac:(lia)); simpl; tauto.
Qed.

Example colliders_do_not_separate :
  ~ independent_given_quilt (decide_shown bool_dec 3) (decide_shown bool_dec 3)
      (of_quilt 3 middle_is_quilt) (of_remote 3 middle_is_quilt) collider (is 0 true).
Proof.
  intros ind. specialize (ind (None, (None, (Some true, tt))) (None, (Some true, (None, tt)))).
  revert ind. by_cases.
Qed.

(** X_2 tells nothing of X_0, yet noise of scale 1 does not keep level 1: X_1 and X_2 together tell
    of it. *)
Lemma collider_tells_nothing : influence_at_most (decide_shown bool_dec 3)
  (of_quilt 3 middle_is_quilt) 1 collider (is 0 false) (is 0 true).
Proof.
  intros q. unfold p_quilt, Pz, at_. cbn -[IZR Rmult Rplus Rdiv decide_shown].
  repeat (destruct decide_shown; try congruence); by_cases.
Qed.

Lemma laplace_above u : 0 <= u -> laplace 1 u 0 = exp (- u) / 2.
Proof.
  intros u0. unfold laplace. rewrite Rabs_left1 by lra.
  replace (- - (0 - u) / 1) with (- u) by field. field.
Qed.

Example quilt_mechanism_needs_joined_parents :
  let M (v : vec bool 3) := laplace 1 (count (list_of v)) in
  ~ Pw collider M (is 0 false) 0 * P collider (is 0 true) <=
    exp 1 * P collider (is 0 false) * Pw collider M (is 0 true) 0.
Proof.
  cbv -[IZR Rplus Rminus Rmult Rdiv Rinv Ropp Rle Rlt Rabs exp ln not laplace].
  rewrite !laplace_above by lra.
  assert (E : exp 1 * exp (- (1)) = 1).
  { rewrite <- exp_plus. replace (1 + - (1)) with 0 by ring. apply exp_0. }
  assert (small : exp (- (1)) < 1).
  { rewrite <- exp_0 at 2. apply exp_increasing. lra. }
  remember (exp (- (1))) as c eqn:power.
  assert (e0 : forall x, x = 0 -> exp (- x) = 1) by (intros x ->; rewrite Ropp_0; apply exp_0).
  assert (e1 : forall x, x = 1 -> exp (- x) = c) by (intros x ->; now rewrite power).
  assert (e2 : forall x, x = 2 -> exp (- x) = c * c).
  { intros x ->. rewrite power, <- exp_plus. f_equal. lra. }
  assert (e3 : forall x, x = 3 -> exp (- x) = c * (c * c)).
  { intros x ->. rewrite power, <- !exp_plus. f_equal. lra. }
  repeat match goal with |- context [exp (- ?x)] => first
    [rewrite (e0 x) by lra | rewrite (e1 x) by lra | rewrite (e2 x) by lra | rewrite (e3 x) by lra]
  end.
  clear power e0 e1 e2 e3. set (e := exp 1) in *. clearbody e. intros promise.
  assert (E2 : e * (c * c) = c) by (rewrite <- Rmult_assoc, E; ring).
  assert (E3 : e * (c * (c * c)) = c * c) by (rewrite <- Rmult_assoc, E; ring).
  assert (0 < (1 - c) * (1 - c)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
