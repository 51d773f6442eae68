(** Chains whose steps are all alike: what three records have together, by powers of the steps. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains Spectrum Eigenvalues.
Import ListNotations.
Open Scope R_scope.

Section Moments.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The product of a weight for each record. *)
Fixpoint weigh (f : nat -> A -> R) (l : list A) : R := match l with
  | [] => 1 | x :: l => f 0%nat x * weigh (fun j => f (S j)) l end.
(** A weight at one record. *)
Definition only k (h : A -> R) (j : nat) (x : A) : R := if Nat.eq_dec j k then h x else 1.

Lemma weigh_ext f g l : (forall j x, f j x = g j x) -> weigh f l = weigh g l.
Proof. revert f g. induction l as [|x l IH]; intros f g E; simpl; [easy|]. rewrite E. f_equal. now
  apply IH. Qed.

Lemma weigh_times f g l : weigh (fun j x => f j x * g j x) l = weigh f l * weigh g l.
Proof.
  revert f g. induction l as [|x l IH]; intros f g; simpl; [ring|].
  rewrite (IH (fun j => f (S j)) (fun j => g (S j))). ring.
Qed.

Lemma weigh_one f l : (forall j x, f j x = 1) -> weigh f l = 1.
Proof. revert f. induction l as [|x l IH]; intros f E; simpl; [easy|]. rewrite E, IH; [ring|easy].
  Qed.

Lemma weigh_only k h l : weigh (only k h) l = match nth_error l k with Some x => h x | None => 1
  end.
Proof.
  revert k. induction l as [|x l IH]; intros k; simpl; [now destruct k|]. destruct k as [|k].
  - rewrite weigh_one by easy. unfold only. simpl. ring.
  - simpl nth_error. rewrite <- IH. unfold only at 1. simpl. rewrite Rmult_1_l. apply weigh_ext.
    intros j y. unfold only. destruct (Nat.eq_dec (S j) (S k)), (Nat.eq_dec j k); easy || lia.
Qed.

Context (initial : A -> R) (K : A -> A -> R).
(** The law of record k, counted from 0. *)
Definition law_at k v := Σ z, initial z * Eigenvalues.steps K k z v.

Fixpoint weighed (f : nat -> A -> R) n x : R := match n with
  | O => 1 | S n => Σ y, K x y * (f 0%nat y * weighed (fun j => f (S j)) n y) end.

Lemma steps_weighed f n k x :
  (Σ v : vec A n, Chain.steps (fun _ => K) k x (list_of v) * weigh f (list_of v)) = weighed f n x.
Proof.
  revert f k x. induction n as [|n IH]; intros f k x; [simpl; ring|].
  rewrite (Sum_vec n (fun l => Chain.steps (fun _ => K) k x l * weigh f l)). simpl weighed.
  apply sum_ext; intros y _. rewrite <- (IH _ (S k)), <- !sum_scale. apply sum_ext; intros v _.
  simpl. ring.
Qed.

Lemma weighed_skip f d n x : (forall j y, (j < d)%nat -> f j y = 1) ->
  weighed f (d + n) x = Σ y, Eigenvalues.steps K d x y * weighed (fun j => f (d + j)%nat) n y.
Proof.
  revert f x. induction d as [|d IH]; intros f x ones.
  - simpl. now rewrite (sum_point_left x).
  - simpl Nat.add. simpl weighed.
    transitivity (Σ z, K x z * Σ y, Eigenvalues.steps K d z y *
      weighed (fun j => f (S (d + j))%nat) n y).
    + apply sum_ext; intros z _. rewrite (ones 0%nat) by lia.
      rewrite (IH (fun j => f (S j))) by (intros; apply ones; lia). ring.
    + transitivity (Σ z, Σ y, K x z * (Eigenvalues.steps K d z y *
        weighed (fun j => f (S (d + j))%nat) n y)).
      { apply sum_ext; intros z _. now rewrite sum_scale. }
      rewrite sum_swap. apply sum_ext; intros y _. simpl. rewrite (Rmult_comm (sum _ _)),
        <- sum_scale. apply sum_ext; intros; ring.
Qed.

Definition pin y (x : A) : R := if dA x y then 1 else 0.
Lemma sum_pin y (f : A -> R) : (Σ x, f x * pin y x) = f y.
Proof. apply pick. Qed.

Lemma weighed_pin f d n x y : (forall j y, (j < d)%nat -> f j y = 1) -> (forall z, f d z = pin y z)
  ->
  weighed f (d + S n) x = Eigenvalues.steps K (S d) x y * weighed (fun j => f (S (d + j))%nat) n y.
Proof.
  intros ones at_d. rewrite weighed_skip by easy. simpl weighed.
  rewrite (sum_ext all _ (fun u => Σ z, Eigenvalues.steps K d x u * (K u z * weighed (fun j => f (S
    (d + j))%nat) n z) * pin y z)).
  - rewrite sum_swap.
    rewrite (sum_ext all _ (fun z => (Σ u, Eigenvalues.steps K d x u * K u z) * weighed (fun j => f
      (S (d + j))%nat) n z * pin y z)).
    + rewrite sum_pin. f_equal. now rewrite steps_right.
    + intros z _. rewrite !Rmult_assoc, (Rmult_comm (sum _ _)), <- sum_scale.
      apply sum_ext; intros; ring.
  - intros u _. rewrite <- sum_scale. apply sum_ext; intros z _.
    rewrite Nat.add_0_r, at_d. replace (fun j => f (d + S j)%nat) with (fun j => f (S (d + j))).
    + ring.
    + apply FunctionalExtensionality.functional_extensionality; intros j. now rewrite
      Nat.add_succ_r.
Qed.

(** Weights of records without a law of the first one before them: it is a step from anywhere. *)
Definition whole_weight f n := match n with
  | O => 1 | S n => Σ x, initial x * (f 0%nat x * weighed (fun j => f (S j)) n x) end.

Lemma sequence_weighed f n :
  (Σ v : vec A n, sequence_law initial (fun _ => K) n v * weigh f (list_of v)) = whole_weight f n.
Proof.
  unfold sequence_law. destruct n as [|n]; [simpl; ring|].
  rewrite (Sum_vec n (fun l => chain_weight initial (fun _ => K) l * weigh f l)). simpl
    whole_weight.
  apply sum_ext; intros x _. rewrite <- (steps_weighed _ n 0), <- !sum_scale.
  apply sum_ext; intros v _. simpl. ring.
Qed.

Lemma whole_pin f d n y : (forall j y, (j < d)%nat -> f j y = 1) -> (forall z, f d z = pin y z) ->
  whole_weight f (d + S n) = law_at d y * weighed (fun j => f (S (d + j))%nat) n y.
Proof.
  intros ones at_d. unfold law_at. destruct d as [|d]; simpl Nat.add; simpl whole_weight.
  - rewrite (sum_ext all _ (fun x => initial x * weighed (fun j => f (S j)) n x * pin y x)).
    + rewrite sum_pin. f_equal. symmetry. rewrite (sum_ext all _ (fun z => initial z * pin y z)).
      * apply sum_pin.
      * intros z _. simpl. unfold point, pin. destruct (Compactness.decision (y = z)), (dA z y);
          congruence || ring.
    + intros x _. rewrite at_d. ring.
  - rewrite (Rmult_comm (sum _ _)), <- sum_scale. apply sum_ext; intros x _.
    rewrite (ones 0%nat) by lia.
    rewrite (weighed_pin (fun j => f (S j)) d n x y); [ring| |exact at_d].
    intros; apply ones; lia.
Qed.
Hypothesis rows : forall x, law (K x).
Lemma weighed_one f n x : (forall j y, (j < n)%nat -> f j y = 1) -> weighed f n x = 1.
Proof.
  revert f x. induction n as [|n IH]; intros f x ones; simpl; [easy|].
  rewrite (sum_ext all _ (K x)); [apply rows|]. intros y _.
  rewrite (ones 0%nat), IH by (intros; apply ones || lia; lia). ring.
Qed.

(** A record, with or without one on each side. *)
Definition left_weight lo i (ox : option A) v := match lo, ox with
  | O, None => law_at i v | S l, Some x => law_at l x * Eigenvalues.steps K (i - l) x v
  | _, _ => 0 end.
Definition right_weight n hi i (oy : option A) v := match oy with
  | Some y => if Nat.ltb hi n then Eigenvalues.steps K (hi - i) v y else 0
  | None => if Nat.ltb hi n then 0 else 1 end.

Definition same_value (o : option A) (x : A) : R := if decide_option dA (Some x) o then 1 else 0.
Definition marked lo hi i ox oy v j x :=
  only i (pin v) j x * match lo with O => 1 | S l => only l (same_value ox) j x end *
    only hi (same_value oy) j x.
Definition beyond n lo hi (ox oy : option A) : R :=
  (match lo with O => match ox with None => 1 | Some _ => 0 end | S _ => 1 end) *
  (if Nat.ltb hi n then 1 else match oy with None => 1 | Some _ => 0 end).

Lemma quilt_marked n lo hi i v ox oy (u : vec A n) : (lo <= i < hi)%nat -> (i < n)%nat ->
  inside (sequence_law initial (fun _ => K) n) (record_is dA i v) u *
    at_ (decide_pair dA) (quilt_around lo hi) (ox, oy) u =
  beyond n lo hi ox oy * (sequence_law initial (fun _ => K) n u *
    weigh (marked lo hi i ox oy v) (list_of u)).
Proof.
  intros here top. unfold marked. rewrite !weigh_times.
  assert (E : weigh (fun j x => match lo with O => 1 | S l => only l (same_value ox) j x end)
    (list_of u) = match lo with O => 1 | S l => weigh (only l (same_value ox)) (list_of u) end)
    by (destruct lo; [now apply weigh_one|easy]).
  rewrite E, !weigh_only. unfold inside, record_is, value, record, at_, quilt_around, before,
    beyond,
    same_value, pin.
  assert (len := list_length u).
  destruct (nth_error (list_of u) i) as [a|] eqn:Ei; [|apply nth_error_None in Ei; lia].
  destruct (Nat.ltb hi n) eqn:Eh.
  - apply Nat.ltb_lt in Eh.
    destruct (nth_error (list_of u) hi) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
    destruct lo as [|l].
    + destruct ox as [x|]; destruct (decide_option dA (Some a) (Some v)), (dA a v),
        (decide_option dA (Some b) oy);
        destruct (decide_pair dA _ _); try congruence; ring.
    + cbv beta iota. rewrite weigh_only.
      destruct (nth_error (list_of u) l) as [c|] eqn:El; [|apply nth_error_None in El; lia].
      destruct (decide_option dA (Some a) (Some v)), (dA a v),
        (decide_option dA (Some b) oy), (decide_option dA (Some c) ox);
        destruct (decide_pair dA _ _); try congruence; ring.
  - apply Nat.ltb_ge in Eh.
    assert (nth_error (list_of u) hi = None) as Eb by (apply nth_error_None; lia). rewrite Eb.
    destruct lo as [|l].
    + destruct ox as [x|], oy as [y|]; destruct (decide_option dA (Some a) (Some v)), (dA a v);
        destruct (decide_pair dA _ _); try congruence; ring.
    + cbv beta iota. rewrite weigh_only.
      destruct (nth_error (list_of u) l) as [c|] eqn:El; [|apply nth_error_None in El; lia].
      destruct oy as [y|]; destruct (decide_option dA (Some a) (Some v)), (dA a v),
        (decide_option dA (Some c) ox);
        destruct (decide_pair dA _ _); try congruence; ring.
Qed.

Lemma right_marked n lo hi i v ox oy : (lo <= i < hi)%nat -> (i < n)%nat ->
  (if Nat.ltb hi n then 1 else match oy with None => 1 | Some _ => 0 end) *
  weighed (fun j => marked lo hi i ox oy v (S (i + j))) (n - S i) v = right_weight n hi i oy v.
Proof.
  intros here top. assert (after_i : forall j y, S (i + j) <> hi ->
    marked lo hi i ox oy v (S (i + j)) y = 1).
  { intros j y ne. unfold marked, only. destruct (Nat.eq_dec _ i); [lia|].
    destruct lo as [|l]; repeat destruct (Nat.eq_dec _ _); try lia; ring. }
  unfold right_weight. destruct (Nat.ltb hi n) eqn:Eh.
  - apply Nat.ltb_lt in Eh. rewrite Rmult_1_l. destruct oy as [y|].
    + replace (n - S i)%nat with ((hi - S i) + S (n - S hi))%nat by lia.
      rewrite (weighed_pin _ (hi - S i) _ v y).
      * rewrite weighed_one; [|intros; rewrite after_i; easy || lia].
        replace (S (hi - S i)) with (hi - i)%nat by lia. ring.
      * intros j z small. apply after_i. lia.
      * intros z. unfold marked, only, same_value, pin.
        replace (S (i + (hi - S i))) with hi by lia.
        destruct (Nat.eq_dec hi i), (Nat.eq_dec hi hi); try lia.
        destruct lo as [|l]; [|destruct (Nat.eq_dec hi l); [lia|]];
        destruct (decide_option dA (Some z) (Some y)), (dA z y); congruence || ring.
    + replace (n - S i)%nat with ((hi - S i) + S (n - S hi))%nat by lia.
      rewrite weighed_skip by (intros; apply after_i; lia).
      transitivity (Σ y : A, 0); [|apply sum_0]. apply sum_ext; intros y _.
      simpl weighed. rewrite (sum_ext all _ (fun _ => 0)), sum_0; [ring|]. intros z _.
      rewrite Nat.add_0_r. replace (S (i + (hi - S i))) with hi by lia.
      unfold marked, only, same_value. destruct (Nat.eq_dec hi i), (Nat.eq_dec hi hi); try lia.
      destruct (decide_option dA (Some z) None); [congruence|]. ring.
  - apply Nat.ltb_ge in Eh. rewrite weighed_one; [now destruct oy; ring|]. intros; apply after_i.
    lia.
Qed.

(** Three records: the law of the left one, and steps from each to the next. *)
Lemma quilt_moments n lo hi i v ox oy : (lo <= i < hi)%nat -> (i < n)%nat ->
  p_quilt (decide_pair dA) (quilt_around lo hi) (sequence_law initial (fun _ => K) n)
    (record_is dA i v) (ox, oy) = left_weight lo i ox v * right_weight n hi i oy v.
Proof.
  intros here top. unfold p_quilt, Pz.
  rewrite (sum_ext all _ _ (fun u _ => quilt_marked n lo hi i v ox oy u here top)).
  rewrite sum_scale, sequence_weighed. unfold beyond.
  rewrite <- (right_marked n lo hi i v ox oy here top).
  assert (at_i : forall z, marked lo hi i ox oy v i z = pin v z).
  { intros z. unfold marked, only. destruct (Nat.eq_dec i i), (Nat.eq_dec i hi); try lia.
    destruct lo as [|l]; [ring|]. destruct (Nat.eq_dec i l); [lia|ring]. }
  destruct lo as [|l].
  - replace n with (i + S (n - S i))%nat at 2 by lia. rewrite (whole_pin _ i _ v).
    + destruct ox; simpl left_weight; ring.
    + intros j y small. unfold marked, only. destruct (Nat.eq_dec j i), (Nat.eq_dec j hi); try lia.
      ring.
    + exact at_i.
  - assert (outside : forall j y, (j < i)%nat -> j <> l -> marked (S l) hi i ox oy v j y = 1).
    { intros j y small ne. unfold marked, only.
      destruct (Nat.eq_dec j i), (Nat.eq_dec j hi), (Nat.eq_dec j l); try lia. ring. }
    assert (at_l : forall y, marked (S l) hi i ox oy v l y = same_value ox y).
    { intros y. unfold marked, only.
      destruct (Nat.eq_dec l i), (Nat.eq_dec l hi), (Nat.eq_dec l l); try lia. ring. }
    replace n with (l + S (n - S l))%nat at 2 by lia. destruct ox as [x|].
    + rewrite (whole_pin _ l _ x).
      * replace (n - S l)%nat with ((i - S l) + S (n - S i))%nat by lia.
        rewrite (weighed_pin _ (i - S l) _ x v).
        -- simpl left_weight. replace (S (i - S l)) with (i - l)%nat by lia.
           replace (fun j => marked (S l) hi i (Some x) oy v (S (l + S (i - S l + j)))) with
             (fun j => marked (S l) hi i (Some x) oy v (S (i + j))); [ring|].
           apply FunctionalExtensionality.functional_extensionality; intros j. f_equal. lia.
        -- intros j y small. apply outside; lia.
        -- intros z. replace (S (l + (i - S l))) with i by lia. apply at_i.
      * intros j y small. apply outside; lia.
      * intros z. rewrite at_l. unfold same_value, pin.
        destruct (decide_option dA (Some z) (Some x)), (dA z x); congruence || easy.
    + simpl left_weight. rewrite !Rmult_0_l.
      enough (whole_weight (marked (S l) hi i None oy v) (l + S (n - S l)) = 0) as -> by ring.
      assert (zero : forall g m x, (forall z, g 0%nat z = 0) -> weighed g (S m) x = 0).
      { intros g m x none. simpl. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
        intros z _. rewrite none. ring. }
      assert (none : forall z, marked (S l) hi i None oy v l z = 0).
      { intros z. rewrite at_l. unfold same_value. now destruct (decide_option dA (Some z) None). }
      destruct l as [|l]; simpl Nat.add; simpl whole_weight.
      * rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros z _. rewrite none. ring.
      * rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros z _.
        rewrite weighed_skip by (intros; apply outside; lia).
        rewrite (sum_ext all _ (fun _ => 0)), sum_0; [ring|]. intros y _.
        rewrite zero; [ring|]. intros w. rewrite Nat.add_0_r. apply none.
Qed.

Lemma record_moment n i v : (i < n)%nat ->
  P (sequence_law initial (fun _ => K) n) (record_is dA i v) = law_at i v.
Proof.
  intros top. unfold P.
  rewrite (sum_fibres (decide_pair dA) (quilt_around 0 n)).
  transitivity (Σ q : option A * option A, if decide_pair dA q (None, None) then law_at i v else 0).
  - apply sum_ext; intros [ox oy] _.
    change (p_quilt (decide_pair dA) (quilt_around 0 n) (sequence_law initial (fun _ => K) n)
      (record_is dA i v) (ox, oy) =
      if decide_pair dA (ox, oy) (None, None) then law_at i v else 0).
    rewrite quilt_moments by lia. unfold left_weight, right_weight. rewrite Nat.ltb_irrefl.
    destruct ox, oy, (decide_pair dA _ _); try congruence; ring.
  - rewrite (sum_ext all _ (fun q => if decide_pair dA (None, None) q then law_at i v else 0)).
    + apply sum_one.
    + intros q _. destruct (decide_pair dA q (None, None)), (decide_pair dA (None, None) q);
        congruence.
Qed.

(** What a quilt shows is there: a record that exists is not missing. *)
Lemma nothing_missing n lo hi (p : vec A n -> R) s ox oy :
  (lo <> 0 /\ lo <= n)%nat /\ ox = None \/ (hi < n)%nat /\ oy = None ->
  p_quilt (decide_pair dA) (quilt_around lo hi) p s (ox, oy) = 0.
Proof.
  intros none. unfold p_quilt, Pz. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
  intros u _. unfold at_, quilt_around, before.
  destruct (decide_pair dA _ _) as [E|]; [exfalso|ring]. injection E as E1 E2.
  assert (len := list_length u). destruct none as [[top ->]|[top ->]].
  - destruct lo as [|l]; [lia|]. apply nth_error_None in E1. lia.
  - apply nth_error_None in E2. lia.
Qed.

(** A record beside itself. *)
Lemma left_same n i hi (p : vec A n -> R) v x oy : (i < n)%nat ->
  p_quilt (decide_pair dA) (quilt_around (S i) hi) p (record_is dA i v) (Some x, oy) =
  pin v x * p_quilt (decide_pair dA) (quilt_around 0 hi) p (record_is dA i v) (None, oy).
Proof.
  intros top. unfold p_quilt, Pz. rewrite <- sum_scale. apply sum_ext; intros u _.
  unfold at_, quilt_around, before, inside, record_is, value, record, pin.
  assert (len := list_length u).
  destruct (nth_error (list_of u) i) as [c|] eqn:E; [|apply nth_error_None in E; lia].
  destruct (decide_option dA (Some c) (Some v)), (dA x v);
    destruct (decide_pair dA (Some c, _) _), (decide_pair dA (None, _) _); try congruence; ring.
Qed.

Lemma right_same n lo i (p : vec A n -> R) v ox y : (i < n)%nat ->
  p_quilt (decide_pair dA) (quilt_around lo i) p (record_is dA i v) (ox, Some y) =
  pin v y * p_quilt (decide_pair dA) (quilt_around lo n) p (record_is dA i v) (ox, None).
Proof.
  intros top. unfold p_quilt, Pz. rewrite <- sum_scale. apply sum_ext; intros u _.
  unfold at_, quilt_around, inside, record_is, value, record, pin.
  assert (len := list_length u).
  assert (nth_error (list_of u) n = None) as -> by (apply nth_error_None; lia).
  destruct (nth_error (list_of u) i) as [c|] eqn:E; [|apply nth_error_None in E; lia].
  destruct (decide_option dA (Some c) (Some v)), (dA y v);
    destruct (decide_pair dA (_, Some c) _), (decide_pair dA (_, None) _); try congruence; ring.
Qed.

Lemma pin_point x y : pin x y = point x y.
Proof. unfold pin, point. destruct (dA y x), (Compactness.decision (y = x)); congruence. Qed.

(** A pair of records with one between them, which may be one of them. *)
Lemma pair_moments n l i hi v x y : (l <= i <= hi)%nat -> (hi < n)%nat ->
  p_quilt (decide_pair dA) (quilt_around (S l) hi) (sequence_law initial (fun _ => K) n)
    (record_is dA i v) (Some x, Some y) =
  law_at l x * Eigenvalues.steps K (i - l) x v * Eigenvalues.steps K (hi - i) v y.
Proof.
  intros order top.
  assert (left_at : forall g, pin v x * (law_at i v * g) = law_at i x * point x v * g).
  { intros g. unfold point, pin. destruct (dA x v) as [E|E], (Compactness.decision (v = x)) as
    [F|F];
      try congruence; [rewrite E|]; ring. }
  destruct (Nat.eq_dec l i) as [->|nl]; [|destruct (Nat.eq_dec hi i) as [->|nh]].
  - rewrite Nat.sub_diag, left_same by lia. simpl Eigenvalues.steps at 1. rewrite <- left_at.
    f_equal.
    destruct (Nat.eq_dec hi i) as [->|nh].
    + rewrite Nat.sub_diag, right_same, quilt_moments by lia. unfold left_weight, right_weight.
      rewrite Nat.ltb_irrefl, pin_point. simpl. ring.
    + rewrite quilt_moments by lia. unfold left_weight, right_weight.
      now rewrite (proj2 (Nat.ltb_lt _ _)) by lia.
  - rewrite Nat.sub_diag, right_same, quilt_moments by lia. unfold left_weight, right_weight.
    rewrite Nat.ltb_irrefl, pin_point. simpl. ring.
  - rewrite quilt_moments by lia. unfold left_weight, right_weight.
    now rewrite (proj2 (Nat.ltb_lt _ _)) by lia.
Qed.
End Moments.
