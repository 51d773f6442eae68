(** Which records of a chain to hide around one of them (influence.blocks): a block, and what is
    shown then is what one record on each side tells. *)
From Coq Require Import Reals Lra Lia List Bool Classical.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialChains RecordTables TableQuilts Spectrum Eigenvalues ChainMoments ChainInfluence
  ShownBlocks GapQuilts.
Import ListNotations.
Open Scope R_scope.

Section Blocks.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Implicit Types (m : A -> R) (K : A -> A -> R).

(** Of n records some b are hidden, record i among them, the same ones for all chains of a class,
    and all others tell at most log ratio of whether record i is v or w. Steps may depend on
    time. *)
Definition hiding_within (ratio : R) (class : (A -> R) * (nat -> A -> A -> R) -> Prop) n i b v w :=
  exists hidden, (i < n)%nat /\ hidden i = true /\ number hidden n = b /\
    forall c, class c -> influence_of_shown dA hidden ratio (law_of_chain c n)
      (record_is dA i v) (record_is dA i w).
(** Beside some b records in a row, record i among them, the same ones for all chains of a class,
    the next one on each side tells that. *)
Definition block_within (ratio : R) (class : (A -> R) * (nat -> A -> A -> R) -> Prop) n i b v w :=
  exists lo, (lo <= i)%nat /\ (i < lo + b)%nat /\ (lo + b <= n)%nat /\
    forall c, class c -> influence_at_most (decide_pair dA) (quilt_around lo (lo + b)) ratio
      (law_of_chain c n) (record_is dA i v) (record_is dA i w).

(** The two records that enclose hidden ones are made of those that are shown. *)
Lemma nearest_made hidden n lo hi I (p : vec A n -> R) s t :
  lo = O \/ (exists l, lo = S l /\ hidden l = false) -> (n <= hi)%nat \/ hidden hi = false ->
  influence_of_shown dA hidden I p s t ->
  influence_at_most (decide_pair dA) (quilt_around lo hi) I p s t.
Proof.
  intros first last infl.
  apply (coarser (decide_shown dA n) (decide_pair dA) (shown hidden) (quilt_around lo hi)
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
  - destruct last as [far|out]; [|now apply seen].
    rewrite !(proj2 (nth_error_None _ _)); rewrite ?list_length; easy || lia.
Qed.

Lemma beside_all c n lo hi i ratio v w : law (fst c) -> (forall k x, law (snd c k x)) ->
  (lo <= i < hi)%nat -> (hi <= n)%nat ->
  influence_at_most (decide_pair dA) (quilt_around lo hi) ratio (law_of_chain c n)
    (record_is dA i v) (record_is dA i w) ->
  influence_of_shown dA (block lo hi) ratio (law_of_chain c n)
    (record_is dA i v) (record_is dA i w).
Proof.
  intros Lc rows here top told. unfold law_of_chain in *.
  assert (exists k r, hi = lo + k /\ n = lo + (k + r))%nat as [k [r [Eh En]]]
    by (exists (hi - lo)%nat, (n - hi)%nat; lia). subst n hi.
  apply (nearest_tell_all dA (fst c) (snd c) lo k r i); auto using (record_is_about dA).
Qed.

(** A block is best (influence.blocks): b records can be hidden, X_i among them, such that under all
    chains of a class the others tell at most log ratio, exactly if b records in a row can, and then
    by the next one on each side alone. Of a supremum over priors each end follows: a block that
    serves all of them bounds it from above, and if each block fails for some prior, so does each
    set.
    Differs: bounds instead of largest ratios, multiplied out. *)
Theorem block_is_best ratio class n i b v w : chains_only class ->
  hiding_within ratio class n i b v w <-> block_within ratio class n i b v w.
Proof.
  intros lawful. split.
  - intros [hidden [top [here [count told]]]].
    destruct (best_block dA n i hidden top here) as [lo [hi [in_ [le [same serves]]]]].
    rewrite number_block, count in same by lia. assert (hi = lo + b)%nat as -> by lia.
    exists lo. repeat split; try lia. intros c inside_. destruct (lawful c inside_) as [Lc rows].
    apply (nearest_made (block lo (lo + b))).
    + destruct lo as [|l]; [now left|]. right. exists l. split; [easy|]. unfold block.
      now rewrite (proj2 (Nat.leb_gt (S l) l)) by lia.
    + right. unfold block. now rewrite Nat.ltb_irrefl, andb_false_r.
    + apply serves; auto using (record_is_about dA). now apply told.
  - intros [lo [le [here [top told]]]]. exists (block lo (lo + b)). split; [lia|].
    split; [unfold block; now rewrite (proj2 (Nat.leb_le lo i)), (proj2 (Nat.ltb_lt i (lo + b)))|].
    split; [rewrite number_block; lia|]. intros c inside_. destruct (lawful c inside_) as [Lc rows].
    apply beside_all; auto; lia.
Qed.

(** A longer block (influence.blocks): records that are farther away tell no more.
    Differs: as [block_is_best]; steps that are all alike; both sides at once. *)
Theorem longer_block ratio m K n lo hi lo' hi' i v w : law m -> (forall x, law (K x)) ->
  (lo' <= lo <= i)%nat -> (i < hi <= hi')%nat -> (hi <= n)%nat ->
  quilt_within dA ratio m K n lo hi i v w -> quilt_within dA ratio m K n lo' hi' i v w.
Proof.
  intros Lm rows left_ right_ top told. apply (nearest_made (block lo hi)).
  - destruct lo' as [|l]; [now left|]. right. exists l. split; [easy|]. unfold block.
    now rewrite (proj2 (Nat.leb_gt lo l)) by lia.
  - right. unfold block. now rewrite (proj2 (Nat.ltb_ge hi' hi)), andb_false_r by lia.
  - apply beside_all; auto; lia.
Qed.

(** Both sides (influence.blocks): if one record on each side tells at most log (a b) together, the
    left one tells at most log a, or the right one at most log b: the largest ratio is no less than
    the product.
    Differs: as [block_is_best]; steps that are all alike. *)
Theorem sides_reached m K n lo hi i v w a b : law m -> (forall x, law (K x)) ->
  (lo <= i < hi)%nat -> (hi <= n)%nat -> 0 <= a -> 0 <= b ->
  quilt_within dA (a * b) m K n lo hi i v w ->
  quilt_within dA a m K n lo n i v w \/ quilt_within dA b m K n 0 hi i v w.
Proof.
  intros Lm rows here top a0 b0 told.
  assert (K0 : forall x y, 0 <= K x y) by (intros; apply rows).
  assert (P0 : forall t x y, 0 <= Eigenvalues.steps K t x y) by (intros; now apply steps_nonneg).
  assert (m0 : forall t x, 0 <= law_at m K t x) by (intros; now apply law_at_law).
  assert (l0 : forall o c, 0 <= left_weight m K lo i o c).
  { intros o c. unfold left_weight. destruct lo, o; try lra; auto. now apply Rmult_le_pos. }
  assert (g0 : forall o c, 0 <= right_weight K n hi i o c).
  { intros o c. unfold right_weight. destruct o, (Nat.ltb hi n); auto; lra. }
  unfold quilt_within, influence_at_most, law_of_chain in *. cbn [fst snd] in *.
  apply NNPP. intros neither. apply not_or_and in neither as [left_ right_].
  apply not_all_ex_not in left_ as [[ox ux] left_].
  apply not_all_ex_not in right_ as [[uy oy] right_].
  specialize (told (ox, oy)). rewrite !quilt_moments, !record_moment in * by (easy || lia).
  assert (E : forall c, right_weight K n n i ux c = match ux with Some _ => 0 | None => 1 end).
  { intros c. unfold right_weight. rewrite Nat.ltb_irrefl. now destruct ux. }
  assert (F : forall c, left_weight m K 0 i uy c =
    match uy with Some _ => 0 | None => law_at m K i c end)
    by (intros c; unfold left_weight; now destruct uy).
  rewrite !E in left_. rewrite !F in right_.
  destruct ux as [ux|]; [exfalso; apply left_; lra|].
  destruct uy as [uy|]; [exfalso; apply right_; lra|].
  apply Rnot_le_lt in left_. apply Rnot_le_lt in right_.
  pose proof (l0 ox v) as lv0. pose proof (l0 ox w) as lw0.
  pose proof (g0 oy v) as gv0. pose proof (g0 oy w) as gw0.
  pose proof (m0 i v) as mv. pose proof (m0 i w) as mw.
  set (lv := left_weight m K lo i ox v) in *. set (lw := left_weight m K lo i ox w) in *.
  set (gv := right_weight K n hi i oy v) in *. set (gw := right_weight K n hi i oy w) in *.
  set (pv := law_at m K i v) in *. set (pw := law_at m K i w) in *.
  assert (both_ : 0 < pv * pw).
  { destruct mv as [pos|zero]; [|rewrite <- zero in right_; lra].
    destruct mw as [pos'|zero]; [|rewrite <- zero in right_; lra]. now apply Rmult_lt_0_compat. }
  assert (gain : b * gw < gv) by (apply (Rmult_lt_reg_l (pv * pw)); lra).
  assert (0 <= a * pv * lw) by (repeat apply Rmult_le_pos; lra).
  assert (0 <= b * gw) by (apply Rmult_le_pos; lra).
  assert (a * pv * lw * (b * gw) < lv * pw * gv).
  { apply Rle_lt_trans with (a * pv * lw * gv); [apply Rmult_le_compat_l; lra|].
    apply Rmult_lt_compat_r; lra. }
  lra.
Qed.
End Blocks.
