(** Parallel composition on two segments of the chains of a class, by the levels alone. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel ParallelChains
  SequentialQuilts SequentialChains TableQuilts ParallelSegments.
Import ListNotations.
Open Scope R_scope.

Section Levels.
Context {A W W' : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Notation decide := (decide_option dA).

Lemma separates_turned {D Z V U} `{Finite D} (dz : forall x y : Z, {x = y} + {x <> y}) p
  (z : D -> Z)
    (alice : D -> V) (bob : D -> U) : separates dz p z alice bob -> separates dz p z bob alice.
Proof.
  intros sep v phi psi a b. specialize (sep v psi phi b a). rewrite (Rmult_comm (mean_at _ _ _ _
    phi)), <- sep. f_equal. apply sum_ext; intros; ring.
Qed.
Lemma record_last k n : looks_at (@up_to A k n) (@record A k n).
Proof.
  intros v w E. unfold up_to, record in *.
  now rewrite <- (nth_first (list_of v) k k), <- (nth_first (list_of w) k k), E.
Qed.
Lemma record_first k n : looks_at (@from A k n) (@record A k n).
Proof.
  intros v w E. unfold from, record in *. rewrite <- (Nat.add_0_r k) at 1 2.
  now rewrite <- !nth_skip, E.
Qed.
Lemma fewer_before k j n : (k <= j)%nat -> looks_at (@up_to A j n) (@up_to A k n).
Proof.
  intros le v w E. unfold up_to in *. replace (S k) with (Nat.min (S k) (S j)) by lia.
  now rewrite <- !firstn_firstn, E.
Qed.
Lemma fewer_after k j n : (k <= j)%nat -> looks_at (@from A k n) (@from A j n).
Proof.
  intros le v w E. unfold from in *. replace j with (k + (j - k))%nat by lia.
  now rewrite !skipn_add, E.
Qed.

Lemma seen_of {D V U X} (a : D -> V) (b : D -> U) (c : D -> X) :
  looks_at a b -> looks_at b c -> looks_at a c.
Proof. intros ab bc x y E. now apply bc, ab. Qed.

(** Parallel composition (song2017, theorem III.1, where influences may be infinite): Alice sees the
    records T1 .. T2 and keeps R1 for their values, Bob T3 .. T4 and R2. Then both keep R1 R2.
    Differs: ratios instead of levels; steps may depend on time. *)
Theorem parallel_levels n T1 T2 T3 T4 R1 R2 (M : vec A n -> W -> R) (N : vec A n -> W' -> R)
    (class : chain_data -> Prop) :
  (T1 <= T2)%nat -> (T2 < T3)%nat -> (T3 <= T4)%nat -> (T4 < n)%nat -> chains_only class ->
  likelihood M -> likelihood N ->
  looks_at (segment T1 T2) M -> looks_at (segment T3 T4) N -> 0 <= R1 -> 0 <= R2 ->
  pufferfish R1 M (two_values_in dA n T1 T2) (laws_of class n) ->
  pufferfish R2 N (two_values_in dA n T3 T4) (laws_of class n) ->
  pufferfish (R1 * R2) (both M N)
    (either (two_values_in dA n T1 T2) (two_values_in dA n T3 T4)) (laws_of class n).
Proof.
  intros o1 o2 o3 o4 laws M0 N0 Ms Ns R10 R20 pm pn p s t [w w'] [c [Hc Ep]] st Ps Pt.
  destruct (laws c Hc) as [Li LT]. unfold law_of_chain in Ep.
  assert (Lp : law p) by (rewrite Ep; now apply sequence_is_law).
  assert (Hp : laws_of class n p) by now exists c.
  pose proof (chain_separates dA (fst c) (snd c) n T2) as at2.
  pose proof (chain_separates dA (fst c) (snd c) n T3) as at3. rewrite <- Ep in at2, at3.
  apply separates_turned in at3.
  assert (Ma : looks_at (up_to T2) M) by (apply (seen_of _ _ _ (segment_before T1 T2 n o1) Ms)).
  assert (Nb : looks_at (from T3) N) by (apply (seen_of _ _ _ (segment_after T3 T4 n) Ns)).
  assert (levels : forall R0 (V : Type) (K : vec A n -> V -> R) first last k z a b,
    pufferfish R0 K (two_values_in dA n first last) (laws_of class n) ->
    (first <= k <= last)%nat -> (k < n)%nat ->
    0 < P p (value decide (record k) a) -> 0 < P p (value decide (record k) b) ->
    Pw p K (value decide (record k) a) z * P p (value decide (record k) b) <=
    R0 * P p (value decide (record k) a) * Pw p K (value decide (record k) b) z).
  { intros R0 V K first last k z a b promise inside_ here Pa Pb.
    assert (some : forall o, 0 < P p (value decide (@record A k n) o) -> exists x, o = Some x).
    { intros [x|] pos; [now exists x|exfalso]. destruct (sum_pos_exists _ _ pos) as [y [_ py]].
      revert py. unfold inside, value, record. destruct (decide (nth_error (list_of y) k) None) as
        [E|E]; [|lra]. apply nth_error_None in E. rewrite list_length in E. lia. }
    destruct (some a Pa) as [x ->], (some b Pb) as [y ->]. apply promise; auto.
    exists k, x, y. repeat split; easy. }
  destruct st as [[i [x [y [here [-> ->]]]]]|[i [x [y [here [-> ->]]]]]].
  - apply Rle_trans with (R1 * R2 * P p (record_is dA i x) * Pw p (both M N) (record_is dA i y) (w,
      w')); [|lra].
    apply (separated_release decide (up_to T2) (from T3) (record T2) p M N Lp M0 N0 Ma Nb); auto;
      try (apply value_before; lia).
    + now apply (separates_less decide p _ (up_to T2) (up_to T2) (from T2) (from T3));
        [| apply fewer_after; lia|].
    + apply pm; auto. exists i, x, y. now repeat split.
    + intros v u _ _.
      apply (told_by_level decide decide (record T2) (record T3) (from T3) p N Lp Nb);
        auto.
      * apply (separates_less decide p _ (from T3) (from T3) (up_to T3) (record T2)); [easy| |easy].
        apply (seen_of _ (up_to T2)); [apply fewer_before; lia|apply record_last].
      * intros a b. apply (levels _ _ N T3 T4); auto; lia.
  - rewrite <- (both_swapped p M N (record_is dA i x)), <- (both_swapped p M N (record_is dA i y)).
    rewrite (Rmult_comm R1).
    apply (separated_release decide (from T3) (up_to T2) (record T3) p N M Lp N0 M0 Nb Ma); auto;
      try (apply value_after; lia).
    + now apply (separates_less decide p _ (from T3) (from T3) (up_to T3) (up_to T2));
        [| apply fewer_before; lia|].
    + apply pn; auto. exists i, x, y. now repeat split.
    + intros v u _ _. apply (told_by_level decide decide (record T3) (record T2) (up_to T2) p M Lp
        Ma); auto.
      * apply (separates_less decide p _ (up_to T2) (up_to T2) (from T2) (record T3));
          [easy| |easy].
        apply (seen_of _ (from T3)); [apply fewer_after; lia|apply record_first].
      * intros a b. apply (levels _ _ M T1 T2); auto; lia.
Qed.
End Levels.
