(** Which records of a chain to hide around one of them (influence.blocks): a block. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables TableQuilts Networks.
Import ListNotations.
Open Scope R_scope.

(** What is made of something tells no more of a secret. *)
Lemma coarser {D Q1 Q2} `{Finite D} `{Finite Q1} `{Finite Q2}
  (d1 : forall y z : Q1, {y = z} + {y <> z}) (d2 : forall y z : Q2, {y = z} + {y <> z})
  (fine : D -> Q1) (coarse : D -> Q2) (made : Q1 -> Q2) (I : R) (p : D -> R) s t :
  (forall x, coarse x = made (fine x)) ->
  influence_at_most d1 fine I p s t -> influence_at_most d2 coarse I p s t.
Proof.
  intros E infl q.
  assert (split_ : forall u, p_quilt d2 coarse p u q =
    Σ y, p_quilt d1 fine p u y * (if d2 (made y) q then 1 else 0)).
  { intros u. unfold p_quilt, Pz. rewrite (sum_fibres d1 fine). apply sum_ext; intros y _.
    rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros x _. unfold at_. rewrite E.
    destruct (d1 (fine x) y) as [->|]; destruct (d2 _ q); ring. }
  rewrite !split_, Rmult_comm, <- !sum_scale. apply sum_le; intros y _. specialize (infl y).
  destruct (d2 (made y) q); lra.
Qed.

Section Blocks.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

Definition block lo hi j := Nat.leb lo j && Nat.ltb j hi.
(** How many of n records are hidden. *)
Definition number (hidden : nat -> bool) n := length (filter hidden (seq 0 n)).

(** A pair of records that encloses a record tells all that the records outside tell. *)
Lemma nearest_tell_all initial T a m b i I s t :
  law initial -> (forall k x, law (T k x)) -> (a <= i < a + m)%nat -> about i s -> about i t ->
  influence_at_most (decide_pair dA) (quilt_around a (a + m)) I
    (sequence_law initial T (a + (m + b))) s t ->
  influence_of_shown dA (block a (a + m)) I (sequence_law initial T (a + (m + b))) s t.
Proof.
  intros Li LT here As At infl. apply (influence_blocks dA) in infl.
  set (p := block_law a m b initial T) in *.
  pose (g (n : vec A m) y := between initial T a (list_of n) y).
  pose (h (r : vec A a * vec A b) := chain_weight initial T (list_of (fst r)) * after T (a + m)
    (list_of (snd r))).
  assert (weight : forall n r, p (n, r) = g n (quilt_of_others a b r) * h r)
    by (intros; apply block_weight).
  assert (h0 : forall r, 0 <= h r).
  { intros r. apply Rmult_le_pos; [now apply chain_weight_nonneg|]. unfold after.
    destruct (list_of (snd r)); [lra|now apply steps_nonneg]. }
  assert (fine : influence_at_most (decide_others dA) (others (N := vec A m)) I p
    (in_blocks a m b s) (in_blocks a m b t)).
  { intros r.
    assert (at_r : forall u, about i u -> exists c,
      p_quilt (decide_others dA) (others (N := vec A m)) p (in_blocks a m b u) r = c * h r /\
      p_quilt (decide_pair dA) (quilt_in (quilt_of_others a b)) p (in_blocks a m b u)
        (quilt_of_others a b r) = c * Σ q, (if decide_pair dA (quilt_of_others a b q)
          (quilt_of_others a b r) then 1 else 0) * h q).
    { intros u Au. set (y := quilt_of_others a b r).
      assert (only : forall n r', in_blocks a m b u (n, r') = in_blocks a m b u (n, r))
        by (intros; now apply (about_near a m b i)).
      exists (near_weight g (fun n => in_blocks a m b u (n, r)) y). split.
      - unfold p_quilt, Pz, near_weight. rewrite Sum_pairs, Rmult_comm, <- sum_scale.
        apply sum_ext; intros n _. rewrite (sum_ext all _ (fun r' => (if in_blocks a m b u (n, r)
          then p (n, r') else 0) * (if decide_others dA r' r then 1 else 0))).
        + rewrite (pick (decide_others dA)). destruct (in_blocks a m b u (n, r)); [|ring].
          rewrite weight. unfold y. ring.
        + intros r' _. unfold inside, at_, others. cbn [snd]. now rewrite only.
      - apply (quilt_in_weight (decide_pair dA) (quilt_of_others a b) g h p weight).
        intros. apply only. }
    destruct (at_r s As) as [cs [Es Fs]], (at_r t At) as [ct [Et Ft]].
    specialize (infl (quilt_of_others a b r)). rewrite Fs, Ft in infl. rewrite Es, Et.
    set (mass := Σ q, _) in infl.
    assert (top : h r <= mass).
    { unfold mass. apply Rle_trans with ((if decide_pair dA (quilt_of_others a b r)
        (quilt_of_others a b r) then 1 else 0) * h r).
      - destruct (decide_pair dA _ _); [lra|congruence].
      - apply (sum_member all (fun q => (if decide_pair dA (quilt_of_others a b q)
          (quilt_of_others a b r) then 1 else 0) * h q)); [|apply all_here].
        intros q _. specialize (h0 q). destruct (decide_pair dA _ _); lra. }
    destruct (Rle_lt_or_eq_dec _ _ (h0 r)) as [pos|zero]; [|rewrite <- zero; lra].
    assert (less : cs * P p (in_blocks a m b t) <= I * P p (in_blocks a m b s) * ct).
    { apply (Rmult_le_reg_l mass); lra. }
    apply (Rmult_le_compat_l (h r)) in less; lra. }
  (* what is shown is made of the others *)
  intros q.
  assert (E : forall u, p_quilt (decide_shown dA _) (shown (block a (a + m)))
      (sequence_law initial T (a + (m + b))) u q =
    p_quilt (decide_shown dA _) (fun x => shown (block a (a + m)) (whole a m b x)) p
      (in_blocks a m b u) q).
  { intros u. unfold p_quilt, Pz. now rewrite (Sum_whole a m b). }
  rewrite !E, !P_blocks.
  assert (some : (exists x0 : vec A m, True) \/ forall u, P p (in_blocks a m b u) = 0).
  { destruct (@all (vec A m) _) as [|x0 l] eqn:none; [right|now left; exists x0].
    intros u. unfold P. rewrite (Sum_pairs (B := (vec A a * vec A b)%type)). now rewrite none. }
  destruct some as [[x0 _]|none].
  - refine (coarser (decide_others dA) (decide_shown dA _) (others (N := vec A m))
      (fun x => shown (block a (a + m)) (whole a m b x))
      (fun r => shown (block a (a + m)) (whole a m b (x0, r))) I p _ _ _ fine q).
    intros [n r]. unfold others; cbn [snd]. apply shown_same. intros k out.
    unfold block in out. destruct r as [u v]. rewrite !list_whole.
    destruct (Nat.lt_ge_cases k a) as [small|large].
    + now rewrite !nth_error_app1 by now rewrite list_length.
    + rewrite !(nth_error_app2 (list_of u)) by now rewrite list_length. rewrite !list_length.
      assert (a + m <= k)%nat.
      { apply Nat.leb_le in large. rewrite large in out. simpl in out. now apply Nat.ltb_ge. }
      now rewrite !nth_error_app2 by (rewrite list_length; lia); rewrite !list_length.
  - rewrite !none. lra.
Qed.

Lemma number_block lo hi n : (lo <= hi)%nat -> (hi <= n)%nat -> number (block lo hi) n = (hi -
  lo)%nat.
Proof.
  intros le top. unfold number.
  assert (E : forall a l, length (filter (block lo hi) (seq a l)) =
    (Nat.min hi (a + l) - Nat.max lo a)%nat).
  { intros a l. revert a. induction l as [|l IH]; intros a; [simpl; lia|].
    cbn [seq filter]. specialize (IH (S a)).
    assert (here : block lo hi a = true <-> (lo <= a < hi)%nat).
    { unfold block. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt. easy. }
    destruct (block lo hi a) eqn:B; cbn [length]; rewrite IH.
    - destruct (proj1 here eq_refl). lia.
    - assert (~ (lo <= a < hi)%nat) by (intros h; apply here in h; discriminate). lia. }
  rewrite E. lia.
Qed.

(** The hidden records around a hidden one. *)
Lemma around hidden n i : (i < n)%nat -> hidden i = true -> exists lo hi,
  (lo <= i < hi)%nat /\ (hi <= n)%nat /\
  (lo = O \/ exists l, lo = S l /\ hidden l = false) /\ (hi = n \/ hidden hi = false) /\
  forall j, (lo <= j < hi)%nat -> hidden j = true.
Proof.
  intros top here.
  assert (left_ : exists lo, (lo <= i)%nat /\ (lo = O \/ exists l, lo = S l /\ hidden l = false) /\
    forall j, (lo <= j <= i)%nat -> hidden j = true).
  { clear top. induction i as [|i IH].
    - exists 0%nat. split; [lia|]. split; [now left|]. intros j small. now replace j with 0%nat by
      lia.
    - destruct (hidden i) eqn:E.
      + destruct (IH eq_refl) as [lo [le [first all_]]]. exists lo. split; [lia|]. split; [easy|].
        intros j small. destruct (Nat.eq_dec j (S i)) as [->|]; [easy|]. apply all_. lia.
      + exists (S i). split; [lia|]. split; [right; now exists i|]. intros j small.
        now replace j with (S i) by lia. }
  assert (right_ : exists hi, (i < hi <= n)%nat /\ (hi = n \/ hidden hi = false) /\
    forall j, (i <= j < hi)%nat -> hidden j = true).
  { clear left_. remember (n - i)%nat as d eqn:Ed. revert i top here Ed.
    induction d as [|d IH]; intros i top here Ed; [lia|].
    destruct (Nat.eq_dec (S i) n) as [E|ne].
    - exists n. split; [lia|]. split; [now left|]. intros j small. now replace j with i by lia.
    - destruct (hidden (S i)) eqn:E.
      + destruct (IH (S i) ltac:(lia) E ltac:(lia)) as [hi [le [last all_]]]. exists hi.
        split; [lia|]. split; [easy|]. intros j small. destruct (Nat.eq_dec j i) as [->|]; [easy|].
        apply all_. lia.
      + exists (S i). split; [lia|]. split; [now right|]. intros j small.
        now replace j with i by lia. }
  destruct left_ as [lo [le [first all1]]], right_ as [hi [between_ [last all2]]].
  exists lo, hi. split; [lia|]. split; [lia|]. split; [easy|]. split; [easy|].
  intros j inside_. destruct (Nat.le_gt_cases j i); [apply all1|apply all2]; lia.
Qed.

(** More of it hidden. *)
Fixpoint hide (hidden : nat -> bool) {n} : vec (option A) n -> vec (option A) n := match n with
  | O => fun q => q
  | S n => fun q => (if hidden 0%nat then None else fst q, hide (next_record hidden) (snd q)) end.
Lemma hide_shown less more n (v : vec A n) :
  (forall j, (j < n)%nat -> less j = true -> more j = true) ->
  shown more v = hide more (shown less v).
Proof.
  revert less more v. induction n as [|n IH]; intros less more v wider; [easy|]. destruct v as [a
    v].
  simpl. rewrite <- (IH (next_record less)) by (intros j h; apply wider; lia). f_equal.
  specialize (wider 0%nat ltac:(lia)). destruct (more 0%nat), (less 0%nat); try easy.
  now specialize (wider eq_refl).
Qed.

(** A block is best (influence.blocks): however one hides b records, one of them X_i, some block of
    b records with X_i among them tells no more if all others are shown, and it is the same block
    for all chains.
    Differs: steps may depend on time; any two secrets about X_i. *)
Theorem best_block n i hidden : (i < n)%nat -> hidden i = true ->
  exists lo hi, (lo <= i < hi)%nat /\ (hi <= n)%nat /\ number (block lo hi) n = number hidden n /\
    forall initial T I s t, law initial -> (forall k x, law (T k x)) -> about i s -> about i t ->
      influence_of_shown dA hidden I (sequence_law initial T n) s t ->
      influence_of_shown dA (block lo hi) I (sequence_law initial T n) s t.
Proof.
  intros top here.
  destruct (around hidden n i top here) as [lo [hi [in_ [le [first [last every]]]]]].
  assert (few : (hi - lo <= number hidden n)%nat).
  { rewrite <- (number_block lo hi n) by lia. unfold number. apply NoDup_incl_length.
    - apply NoDup_filter, seq_NoDup.
    - intros j inside_. apply filter_In in inside_ as [j1 j2]. apply filter_In. split; [easy|].
      apply every. unfold block in j2. apply andb_prop in j2 as [a b]. apply Nat.leb_le in a.
      apply Nat.ltb_lt in b. lia. }
  assert (most : (number hidden n <= n)%nat).
  { unfold number. rewrite <- (seq_length n 0) at 2. apply NoDup_incl_length.
    - apply NoDup_filter, seq_NoDup.
    - intros j inside_. now apply filter_In in inside_. }
  set (b := number hidden n) in *.
  (* a longer block *)
  set (lo' := Nat.min lo (n - b)). set (hi' := (lo' + b)%nat).
  assert (wide : (lo' <= lo)%nat /\ (hi <= hi')%nat /\ (hi' <= n)%nat) by (unfold hi', lo'; lia).
  exists lo', hi'. split; [lia|]. split; [lia|]. split; [rewrite number_block; unfold hi'; lia|].
  intros initial T I s t Li LT As At infl.
  (* the two records that enclose the hidden ones around X_i are made of those that are shown *)
  assert (near : influence_at_most (decide_pair dA) (quilt_around lo hi) I
    (sequence_law initial T n) s t).
  { apply (coarser (decide_shown dA n) (decide_pair dA) (shown hidden) (quilt_around lo hi)
      (fun q => (match lo with O => None | S l => match nth_error (list_of q) l with
        | Some x => x | None => None end end,
        match nth_error (list_of q) hi with Some x => x | None => None end))); [|exact infl].
    intros v. unfold quilt_around, before.
    assert (seen : forall k, hidden k = false -> nth_error (list_of v) k =
      match nth_error (list_of (shown hidden v)) k with Some x => x | None => None end).
    { clear. intros k. revert hidden k. induction n as [|m IH]; intros hidden k out;
        destruct v as [a v] || idtac; [destruct k; easy|]. destruct k as [|k]; simpl.
      - now rewrite out.
      - apply (IH v (next_record hidden) k out). }
    f_equal.
    - destruct lo as [|l]; [easy|]. destruct first as [no|[l' [E out]]]; [easy|].
      injection E as <-. now apply seen.
    - destruct last as [->|out]; [|now apply seen].
      rewrite !(proj2 (nth_error_None _ _)); rewrite ?list_length; easy || lia. }
  assert (all_others : influence_of_shown dA (block lo hi) I (sequence_law initial T n) s t).
  { assert (exists m c, hi = lo + m /\ n = lo + (m + c))%nat as [m [c [Eh En]]]
      by (exists (hi - lo)%nat, (n - hi)%nat; lia). revert near. subst hi. revert s t As At infl.
    rewrite En. intros. apply (nearest_tell_all _ _ lo m c i); auto. }
  refine (coarser (decide_shown dA n) (decide_shown dA n) (shown (block lo hi))
    (shown (block lo' hi')) (hide (block lo' hi')) I _ s t _ all_others).
  intros v. apply hide_shown. intros j _. unfold block. rewrite !andb_true_iff, !Nat.leb_le,
    !Nat.ltb_lt. lia.
Qed.
End Blocks.
