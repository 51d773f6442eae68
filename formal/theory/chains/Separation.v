(** Separation on a chain: what a record tells of another one past records that are given, and when
    it tells nothing on any chain (song2017, definition II.4). Records are counted from 0. *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables Networks TableQuilts ShownBlocks QuiltsOfChains QuiltsOfTables.
From Pufferproof Require Import Spectrum Eigenvalues ChainMoments.
Import ListNotations.
Open Scope R_scope.

(** What is made of the remote records is independent of a secret too. *)
Lemma fewer_remote {D Q U V} `{Finite D} `{Finite Q} `{Finite U} `{Finite V}
  (dq : forall y z : Q, {y = z} + {y <> z}) (du : forall y z : U, {y = z} + {y <> z})
  (dv : forall y z : V, {y = z} + {y <> z}) (quilt : D -> Q) (fine : D -> U) (coarse : D -> V)
  (made : U -> V) (p : D -> R) s : (forall x, coarse x = made (fine x)) ->
  independent_given_quilt dq du quilt fine p s -> independent_given_quilt dq dv quilt coarse p s.
Proof.
  intros E ind q v.
  assert (split_ : forall t, p_quilt_remote dq dv quilt coarse p t q v =
    Σ u, p_quilt_remote dq du quilt fine p t q u * (if dv (made u) v then 1 else 0)).
  { intros t. unfold p_quilt_remote, Pz. rewrite (sum_fibres du fine). apply sum_ext; intros u _.
    rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros x _. unfold at_. rewrite E.
    destruct (dec2 dq du (quilt x, fine x) (q, u)) as [e|e], (du (fine x) u) as [f|f],
      (dec2 dq dv (quilt x, made (fine x)) (q, v)) as [g|g]; try (injection e as eq eu);
      try (injection g as gq gv); subst; destruct (dv (made _) _); subst; try congruence; ring. }
  rewrite !split_. rewrite (Rmult_comm (sum _ _)), <- !sum_scale. apply sum_ext; intros u _.
  specialize (ind q u). rewrite <- !Rmult_assoc, <- ind. ring.
Qed.

Lemma nth_of_skipn {A} k i (l : list A) : nth_error (skipn k l) i = nth_error l (k + i).
Proof. revert l. induction k as [|k IH]; intros [|x l]; simpl; auto. now destruct i. Qed.

Lemma nth_of_firstn {A} k i (l : list A) : (i < k)%nat ->
  nth_error (firstn k l) i = nth_error l i.
Proof.
  revert k l. induction i as [|i IH]; intros [|k] [|x l] h; simpl; try lia; try easy.
  apply IH. lia.
Qed.

Section Chains.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The chains whose steps are all alike. *)
Definition homogeneous (c : @chain_data A) := exists K, law (fst c) /\ (forall x, law (K x)) /\
  snd c = fun _ => K.

(** A record of the quilt stands strictly between two records. *)
Definition between (roles : nat -> role) i r :=
  exists s, roles s = quilt /\ (r < s < i \/ i < s < r)%nat.
Definition separated n (roles : nat -> role) i :=
  forall r, (r < n)%nat -> roles r = remote -> between roles i r.

Definition is_quilt (r : role) := match r with quilt => true | _ => false end.
Definition parted roles i k := existsb (fun s => is_quilt (roles s) &&
  (Nat.ltb k s && Nat.ltb s i || Nat.ltb i s && Nat.ltb s k)) (seq 0 (k + i)).
Lemma parted_is roles i k : parted roles i k = true <-> between roles i k.
Proof.
  unfold parted, between. rewrite existsb_exists. split.
  - intros [s [_ h]]. apply andb_prop in h as [q h]. exists s. split; [now destruct (roles s)|].
    apply orb_prop in h as [h|h]; apply andb_prop in h as [h1 h2];
      apply Nat.ltb_lt in h1, h2; lia.
  - intros [s [q h]]. exists s. split; [apply in_seq; lia|]. rewrite q. simpl.
    apply orb_true_iff. rewrite !andb_true_iff, !Nat.ltb_lt. lia.
Qed.

(** Whatever the quilt separates from X_i is remote, and all else is near. *)
Definition apart_from roles i k : role := match roles k with
  | quilt => quilt | _ => if parted roles i k then remote else near end.

Lemma apart_separates n roles i : quilt_separates chain_parents n (apart_from roles i).
Proof.
  intros k j m _ ij im [nj rm].
  assert (no_j : roles j <> quilt /\ ~ between roles i j).
  { unfold apart_from in nj. rewrite <- parted_is.
    destruct (roles j), (parted roles i j); try discriminate; split; discriminate. }
  assert (far : between roles i m).
  { unfold apart_from in rm. apply parted_is.
    destruct (roles m), (parted roles i m); congruence. }
  destruct no_j as [qj no], far as [s [q h]]. apply no. exists s. split; [easy|].
  assert (s <> j) by congruence.
  destruct k as [|k]; simpl in ij, im; lia.
Qed.

(** Remote records that the quilt separates are independent of X_i given the quilt, on every chain,
    whatever else is near (song2017.x-separated).
    Differs: steps may depend on time. *)
Theorem separated_is_independent n roles i (class : chain_data -> Prop) : chains_only class ->
  roles i = near -> separated n roles i -> quilt_of dA (n := n) roles i (laws_of class n).
Proof.
  intros laws ri sep. split; [easy|]. intros p x [c [Hc ->]]. destruct (laws c Hc) as [Li LT].
  set (more := apart_from roles i).
  assert (kept : of_quilt (A := A) n more = of_quilt n roles).
  { unfold of_quilt, more, apart_from.
    replace (fun j => no_quilt match roles j with quilt => quilt | _ =>
      if parted roles i j then remote else near end) with (fun j => no_quilt (roles j)); [easy|].
    apply functional_extensionality. intros j. now destruct (roles j), (parted roles i j). }
  rewrite <- kept.
  apply (fewer_remote (decide_shown dA n) (decide_shown dA n) (decide_shown dA n) _
    (of_remote n more) _ (hide (fun k => no_remote (roles k)))).
  - intros v. apply hide_shown. intros k here h. unfold more, apart_from in h.
    destruct (roles k) eqn:rk; try easy. apply sep in rk; [|easy].
    apply parted_is in rk. now rewrite rk in h.
  - apply (network_separates dA chain_parents n more (apart_separates n roles i) _ i).
    + apply chain_is_network. exists (fst c), (snd c).
      split; [exact Li|]. split; [exact LT|easy].
    + unfold more, apart_from. rewrite ri. destruct (parted roles i i) eqn:h; [|easy].
      apply parted_is in h as [s h]. lia.
    + apply record_is_about.
Qed.

(** Half of the weight stays where it is, and the rest is spread evenly. *)
Section Lazy.
Context (a b : A) (apart : a <> b).
Definition even (x : A) : R := / INR (length (@all A _)).
Definition stays_or_spreads (x y : A) : R := (if dA x y then / 2 else 0) + even y / 2.

Lemma count_pos : 0 < INR (length (@all A _)).
Proof.
  apply lt_0_INR. pose proof (all_here a) as h. destruct (@all A _); [easy|simpl; lia].
Qed.

Lemma even_law : law even.
Proof.
  split.
  - intros x. left. now apply Rinv_0_lt_compat, count_pos.
  - unfold even. pose proof count_pos as pos. set (u := INR (length all)) in *.
    assert (E : forall l : list A, sum l (fun _ => / u) = INR (length l) * / u).
    { induction l as [|x l IH]; [simpl; ring|]. cbn [sum length]. rewrite IH, S_INR. ring. }
    rewrite E. apply Rinv_r. unfold u in *. lra.
Qed.

Lemma even_pos x : 0 < even x.
Proof. apply Rinv_0_lt_compat, count_pos. Qed.

Lemma sum_here x : (Σ y, if dA x y then / 2 else 0) = / 2.
Proof. apply sum_one. Qed.

Lemma stays_law x : law (stays_or_spreads x).
Proof.
  destruct even_law as [e0 e1]. split.
  - intros y. unfold stays_or_spreads. specialize (e0 y). destruct (dA x y); lra.
  - unfold stays_or_spreads. rewrite sum_plus, sum_here.
    rewrite (sum_ext all _ (fun y => / 2 * even y)) by (intros; unfold Rdiv; ring).
    rewrite sum_scale, e1. lra.
Qed.

Lemma stays_pos x y : 0 < stays_or_spreads x y.
Proof. unfold stays_or_spreads. pose proof (even_pos y). destruct (dA x y); lra. Qed.

Lemma many_steps d x y : Eigenvalues.steps stays_or_spreads d x y =
  (/ 2) ^ d * (if dA x y then 1 else 0) + (1 - (/ 2) ^ d) * even y.
Proof.
  revert x. induction d as [|d IH]; intros x.
  - simpl. unfold point. destruct (Compactness.decision (y = x)), (dA x y); subst;
      try congruence; ring.
  - cbn [Eigenvalues.steps].
    rewrite (sum_ext all _ (fun z => (/ 2) ^ d * (stays_or_spreads x z *
      (if dA z y then 1 else 0)) + (1 - (/ 2) ^ d) * even y * stays_or_spreads x z))
      by (intros z _; rewrite IH; ring).
    rewrite sum_plus, !sum_scale. destruct (stays_law x) as [_ ->].
    rewrite (pick dA (stays_or_spreads x) y). unfold stays_or_spreads.
    destruct (dA x y); simpl; unfold Rdiv; lra.
Qed.

Lemma even_stays k v : law_at even stays_or_spreads k v = even v.
Proof.
  unfold law_at.
  rewrite (sum_ext all _ (fun z => even v * Eigenvalues.steps stays_or_spreads k z v)).
  2: { intros z _. now change (even z) with (even v). }
  rewrite sum_scale.
  rewrite (sum_ext all _ (fun z => (/ 2) ^ k * (if dA z v then 1 else 0) +
    (1 - (/ 2) ^ k) * even z)).
  2: { intros z _. rewrite many_steps. now change (even z) with (even v). }
  rewrite sum_plus, !sum_scale. destruct even_law as [_ ->].
  replace (Σ z, if dA z v then 1 else 0) with 1; [ring|].
  symmetry. etransitivity; [|exact (pick dA (fun _ => 1) v)]. apply sum_ext; intros; ring.
Qed.

Context (n : nat).
Notation p := (law_of_chain (even, fun _ => stays_or_spreads) n).
Notation is i x := (record_is (n := n) dA i x).

Lemma every_table_pos v : 0 < p v.
Proof.
  assert (all_pos : forall l k x, 0 < Chain.steps (fun _ => stays_or_spreads) k x l).
  { induction l as [|y l IH]; intros k x; simpl; [lra|].
    apply Rmult_lt_0_compat; [apply stays_pos|apply IH]. }
  unfold law_of_chain, sequence_law; cbn [fst snd]. destruct (list_of v) as [|x l]; simpl; [lra|].
  apply Rmult_lt_0_compat; [apply even_pos|apply all_pos].
Qed.

Lemma possible (s : @secret (vec A n)) v : s v = true -> 0 < P p s.
Proof.
  intros here. apply Rlt_le_trans with (1 := every_table_pos v). unfold P.
  apply Rle_trans with (inside p s v); [unfold inside; rewrite here; lra|].
  apply (sum_member all (inside p s)); [|apply all_here]. intros u _. unfold inside.
  destruct (s u); [left; apply every_table_pos|lra].
Qed.

Lemma two_records j k y x : (j < k < n)%nat ->
  P p (meet (is j y) (is k x)) = even y * Eigenvalues.steps stays_or_spreads (k - j) y x.
Proof.
  intros [jk kn].
  pose proof (pair_moments dA even stays_or_spreads stays_law n j k k x y x) as both.
  rewrite even_stays, Nat.sub_diag in both. 
  change (Eigenvalues.steps stays_or_spreads 0 x x) with (point x x) in both.
  unfold point in both. destruct (Compactness.decision (x = x)) as [_|no]; [|congruence].
  rewrite Rmult_1_r in both. rewrite <- both by lia. apply sum_ext; intros v _.
  unfold inside, meet, record_is, value, record, at_, quilt_around, before, law_of_chain.
  cbn [fst snd].
  destruct (decide_option dA (nth_error (list_of v) j) (Some y)) as [e|e],
    (decide_option dA (nth_error (list_of v) k) (Some x)) as [f|f],
    (decide_pair dA (nth_error (list_of v) j, nth_error (list_of v) k) (Some y, Some x)) as [g|g];
    simpl; try ring; exfalso; try (injection g as g1 g2); congruence.
Qed.

Lemma one_record j y : (j < n)%nat -> P p (is j y) = even y.
Proof.
  intros here. rewrite <- (even_stays j y). exact (record_moment dA even _ stays_law n j y here).
Qed.

(** Given what is known of the records up to j, and of those from k on, X_j and X_k depend. *)
Lemma depend j k (E F : @secret (vec A n)) (c : R) (g h : A -> R) : (j < k < n)%nat ->
  looks_at (up_to j) E -> looks_at (from k) F -> 0 < c ->
  (forall x, (x = a \/ x = b) -> 0 < P p (meet E (is j x)) /\ 0 < P p (meet F (is k x))) ->
  ~ (forall y x, (y = a \/ y = b) -> (x = a \/ x = b) ->
    P p (meet E (meet (meet (is k x) F) (is j y))) * c = g y * h x).
Proof.
  intros [jk kn] upE fromF c0 pos factors. assert (jn : (j < n)%nat) by lia.
  assert (form : forall y x, (y = a \/ y = b) -> (x = a \/ x = b) ->
    P p (meet E (is j y)) * (even y * Eigenvalues.steps stays_or_spreads (k - j) y x) *
      P p (meet F (is k x)) * c = g y * h x * (even y * even x)).
  { intros y x hy hx. rewrite <- (factors y x hy hx).
    pose proof (sides_given_record dA (even, fun _ => stays_or_spreads) n j y E
      (meet (is k x) F) upE) as left_. cbn zeta in left_.
    rewrite one_record in left_ by easy.
    assert (looks_at (from j) (meet (is k x) F)) as fromj.
    { intros v w e.
      assert (later : from k v = from k w).
      { unfold from in *. replace k with (j + (k - j))%nat by lia.
        rewrite !skipn_add. now rewrite e. }
      unfold meet. rewrite (fromF v w later). f_equal. apply (record_is_about dA k x).
      unfold from in later. pose proof (f_equal (fun l => nth_error l 0) later) as first.
      cbv beta in first. now rewrite !nth_of_skipn, !Nat.add_0_r in first. }
    specialize (left_ fromj).
    pose proof (sides_given_record dA (even, fun _ => stays_or_spreads) n k x (is j y) F) as right_.
    cbn zeta in right_. rewrite one_record, two_records in right_ by lia.
    assert (looks_at (up_to k) (is j y)) as upk.
    { intros v w e. apply (record_is_about dA j y). unfold up_to in e.
      pose proof (f_equal (fun l => nth_error l j) e) as same.
      cbv beta in same. now rewrite !nth_of_firstn in same by lia. }
    specialize (right_ upk fromF).
    assert (swap : P p (meet (is j y) (meet F (is k x))) =
      P p (meet (meet (is k x) F) (is j y))).
    { apply sum_ext; intros v _. unfold inside, meet. now destruct (is j y v), (is k x v), (F v). }
    rewrite swap in right_.
    transitivity (P p (meet E (is j y)) * c * (P p (meet (meet (is k x) F) (is j y)) * even x)).
    - rewrite right_. ring.
    - replace (P p (meet E (meet (meet (is k x) F) (is j y))) * c * (even y * even x)) with
        (P p (meet E (meet (meet (is k x) F) (is j y))) * even y * (c * even x)) by ring.
      rewrite left_. ring. }
  set (S := Eigenvalues.steps stays_or_spreads (k - j)) in *.
  assert (both : S a a * S b b = S a b * S b a).
  { assert (cross : forall y x, P p (meet E (is j y)) * (even y * S y x) * P p (meet F (is k x)) * c
      = g y * h x * (even y * even x) -> True) by easy. clear cross.
    pose proof (form a a (or_introl eq_refl) (or_introl eq_refl)) as aa.
    pose proof (form b b (or_intror eq_refl) (or_intror eq_refl)) as bb.
    pose proof (form a b (or_introl eq_refl) (or_intror eq_refl)) as ab.
    pose proof (form b a (or_intror eq_refl) (or_introl eq_refl)) as ba.
    destruct (pos a (or_introl eq_refl)) as [Ea Fa], (pos b (or_intror eq_refl)) as [Eb Fb].
    pose proof (even_pos a) as ea. pose proof (even_pos b) as eb.
    set (Z := P p (meet E (is j a)) * P p (meet E (is j b)) * (P p (meet F (is k a)) *
      P p (meet F (is k b))) * (even a * even b) * (c * c)).
    assert (0 < Z) by (unfold Z; repeat apply Rmult_lt_0_compat; easy).
    apply (Rmult_eq_reg_l Z); [|lra]. unfold Z.
    transitivity ((g a * h a * (even a * even a)) * (g b * h b * (even b * even b))).
    - rewrite <- aa, <- bb. ring.
    - transitivity ((g a * h b * (even a * even b)) * (g b * h a * (even b * even a))); [ring|].
      rewrite <- ab, <- ba. ring. }
  unfold S in both. rewrite !many_steps in both.
  destruct (dA a a), (dA b b), (dA a b), (dA b a); try congruence.
  assert (0 < (/ 2) ^ (k - j) <= 1).
  { split; [apply pow_lt; lra|]. rewrite <- (pow1 (k - j)). apply pow_incr. lra. }
  change (even b) with (even a) in both. pose proof (even_pos a) as ea.
  set (t := (/ 2) ^ (k - j)) in *. set (u := even a) in *.
  assert (0 < t * t) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= t * (1 - t) * u) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

Lemma nth_all_equal (x : A) m k : (k < m)%nat -> nth_error (list_of (all_equal x m)) k = Some x.
Proof.
  revert k. induction m as [|m IH]; intros [|k] h; simpl; try lia; [easy|]. apply IH. lia.
Qed.

(** All records but one have the value a. *)
Definition all_but k x : vec A n := mix (fun j => Nat.eqb j k) (all_equal x n) (all_equal a n).
Lemma nth_all_but k x j : (j < n)%nat ->
  nth_error (list_of (all_but k x)) j = Some (if Nat.eqb j k then x else a).
Proof.
  intros here. unfold all_but. rewrite nth_mix. destruct (Nat.eqb j k); now apply nth_all_equal.
Qed.

Context (roles : nat -> role) (i r : nat).
Hypotheses (ri : roles i = near) (rr : roles r = remote) (i_n : (i < n)%nat) (r_n : (r < n)%nat)
  (open_ : ~ between roles i r).
Definition shows_quilt hidden (v : vec A n) : bool := if decide_shown dA n
  (shown (fun k => no_quilt (roles k) || hidden k) v)
  (shown (fun k => no_quilt (roles k) || hidden k) (all_equal a n)) then true else false.
Definition early : @secret (vec A n) := shows_quilt (fun k => Nat.ltb (min r i) k).
Definition late : @secret (vec A n) := shows_quilt (fun k => Nat.ltb k (max r i)).

Lemma shows_quilt_is hidden v : shows_quilt hidden v = true <->
  forall k, roles k = quilt -> hidden k = false ->
    nth_error (list_of v) k = nth_error (list_of (all_equal a n)) k.
Proof.
  unfold shows_quilt. destruct decide_shown as [e|e]; (split; [intros h|intros h; try easy]).
  - intros k q f. apply (proj1 (shown_same _ n _ _) e). now rewrite q, f.
  - easy.
  - destruct e. apply shown_same. intros k f. apply orb_false_iff in f as [q f]. apply h; [|easy].
    now destruct (roles k).
Qed.

Lemma quilt_is_both v : of_quilt n roles v = of_quilt n roles (all_equal a n) <->
  early v = true /\ late v = true.
Proof.
  unfold early, late. rewrite !shows_quilt_is. unfold of_quilt. rewrite shown_same. split.
  - intros h. split; intros k q _; apply h; now rewrite q.
  - intros [h1 h2] k q. assert (rq : roles k = quilt) by now destruct (roles k).
    assert (k <> i /\ k <> r) as [ki kr] by (split; congruence).
    destruct (Nat.le_gt_cases k (min r i)) as [lo|lo];
      [apply h1; [easy|apply Nat.ltb_ge; lia]|].
    apply h2; [easy|]. apply Nat.ltb_ge. apply Nat.nlt_ge. intros hi. apply open_.
    exists k. split; [easy|lia].
Qed.

Lemma early_looks : looks_at (up_to (min r i)) early.
Proof.
  intros v w e. apply eq_true_iff_eq. unfold early. rewrite !shows_quilt_is.
  assert (same : forall k, (k <= min r i)%nat ->
    nth_error (list_of v) k = nth_error (list_of w) k).
  { intros k h. unfold up_to in e. pose proof (f_equal (fun l => nth_error l k) e) as f.
    cbv beta in f. now rewrite !nth_of_firstn in f by lia. }
  split; intros h k q f; pose proof f as g; apply Nat.ltb_ge in g; rewrite <- (h k q f);
    [symmetry|]; now apply same.
Qed.

Lemma late_looks : looks_at (from (max r i)) late.
Proof.
  intros v w e. apply eq_true_iff_eq. unfold late. rewrite !shows_quilt_is.
  assert (same : forall k, (max r i <= k)%nat ->
    nth_error (list_of v) k = nth_error (list_of w) k).
  { intros k h. unfold from in e.
    pose proof (f_equal (fun l => nth_error l (k - max r i)) e) as f. cbv beta in f.
    rewrite !nth_of_skipn in f. now replace (max r i + (k - max r i))%nat with k in f by lia. }
  split; intros h k q f; pose proof f as g; apply Nat.ltb_ge in g; rewrite <- (h k q f);
    [symmetry|]; now apply same.
Qed.

Lemma possible_at hidden k x : (k = i \/ k = r) -> 0 < P p (meet (shows_quilt hidden) (is k x)).
Proof.
  intros which. assert (k_n : (k < n)%nat) by (destruct which; subst; easy).
  apply (possible _ (all_but k x)). unfold meet. apply andb_true_iff. split.
  - apply shows_quilt_is. intros j q _. destruct (Nat.lt_ge_cases j n) as [here|far].
    + rewrite nth_all_but, nth_all_equal by easy. destruct (Nat.eqb_spec j k) as [->|]; [|easy].
      destruct which; subst; congruence.
    + rewrite !(proj2 (nth_error_None _ j)) by (now rewrite list_length). easy.
  - unfold record_is, value, record. rewrite nth_all_but, Nat.eqb_refl by easy.
    now destruct decide_option.
Qed.

Lemma nth_shown hidden m (v : vec A m) k : nth_error (list_of (shown hidden v)) k =
  match nth_error (list_of v) k with Some x => Some (if hidden k then None else Some x)
  | None => None end.
Proof.
  revert hidden v k. induction m as [|m IH]; intros hidden v [|k]; [now destruct v..| |].
  - destruct v. easy.
  - destruct v as [x v]. simpl. rewrite IH. easy.
Qed.

(** A remote record that the quilt does not separate is not independent of X_i. *)
Lemma unseparated_depends :
  ~ quilt_of dA roles i (eq p).
Proof.
  intros [_ ind]. set (q := of_quilt n roles (all_equal a n)).
  assert (coarse : forall x y,
    p_quilt_remote (decide_shown dA n) (decide_option dA) (of_quilt n roles) (record r) p (is i x) q
      (Some y) * p_quilt (decide_shown dA n) (of_quilt n roles) p everything q =
    p_quilt (decide_shown dA n) (of_quilt n roles) p (is i x) q *
    p_quilt_remote (decide_shown dA n) (decide_option dA) (of_quilt n roles) (record r) p everything
      q (Some y)).
  { intros x y. apply (fewer_remote (decide_shown dA n) (decide_shown dA n) (decide_option dA)
      (of_quilt n roles) (of_remote n roles) (record r)
      (fun u => match nth_error (list_of u) r with Some o => o | None => None end));
      [|now apply ind].
    intros v. unfold of_remote. rewrite nth_shown, rr. unfold record. simpl.
    now destruct (nth_error (list_of v) r). }
  set (total := p_quilt (decide_shown dA n) (of_quilt n roles) p everything q) in *.
  set (of_i x := p_quilt (decide_shown dA n) (of_quilt n roles) p (is i x) q) in *.
  set (of_r y := p_quilt_remote (decide_shown dA n) (decide_option dA) (of_quilt n roles) (record r)
    p everything q (Some y)) in *.
  assert (positive : 0 < total).
  { apply Rlt_le_trans with (1 := possible (fun v => early v && late v) (all_equal a n)
      (proj2 (andb_true_iff _ _) (proj1 (quilt_is_both _) eq_refl))).
    right. apply sum_ext; intros v _. unfold inside, everything, at_.
    pose proof (quilt_is_both v) as both. destruct (decide_shown dA n _ q) as [e|e].
    - destruct (proj1 both e) as [-> ->]. simpl. ring.
    - destruct (early v), (late v); simpl; try ring. destruct e. now apply both. }
  assert (joint : forall x y (E : @secret (vec A n)), (forall v, E v =
      is i x v && is r y v && (early v && late v)) ->
    P p E = p_quilt_remote (decide_shown dA n) (decide_option dA) (of_quilt n roles) (record r) p
      (is i x) q (Some y)).
  { intros x y E same. apply sum_ext; intros v _. unfold inside, at_. rewrite same.
    pose proof (quilt_is_both v) as both.
    change (is r y v) with (if decide_option dA (record r v) (Some y) then true else false).
    destruct (dec2 (decide_shown dA n) (decide_option dA) (of_quilt n roles v, record r v)
      (q, Some y)) as [e|e].
    - injection e as e1 e2. destruct (proj1 both e1) as [-> ->]. rewrite e2.
      destruct (decide_option dA (Some y) (Some y)); [|congruence].
      rewrite !andb_true_r. ring.
    - destruct (decide_option dA (record r v) (Some y)) as [f|f];
        [|rewrite andb_false_r; simpl; ring].
      destruct (early v) eqn:e1, (late v) eqn:e2; rewrite ?andb_false_r; try ring.
      destruct e. rewrite f. f_equal. now apply both. }
  destruct (Nat.lt_total r i) as [less|[same|more]]; [|congruence|].
  - apply (depend r i early late total of_r of_i); auto.
    + pose proof early_looks as looks. now replace (min r i) with r in looks by lia.
    + pose proof late_looks as looks. now replace (max r i) with i in looks by lia.
    + intros x _. split; apply possible_at; auto.
    + intros y x _ _. transitivity (of_i x * of_r y); [|ring]. unfold of_i, of_r.
      rewrite <- (coarse x y). f_equal.
      apply joint. intros v. unfold meet.
      now destruct (early v), (late v), (is i x v), (is r y v).
  - apply (depend i r early late total of_i of_r); auto.
    + pose proof early_looks as looks. now replace (min r i) with i in looks by lia.
    + pose proof late_looks as looks. now replace (max r i) with r in looks by lia.
    + intros x _. split; apply possible_at; auto.
    + intros y x _ _. unfold of_i, of_r. rewrite <- (coarse y x). f_equal.
      apply joint. intros v. unfold meet.
      now destruct (early v), (late v), (is i y v), (is r x v).
Qed.
End Lazy.
End Chains.
