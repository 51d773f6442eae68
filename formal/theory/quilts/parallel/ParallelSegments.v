(** Parallel composition on two segments of the chains of a class, whose values are the secrets. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel
  ParallelChains.
From Pufferproof Require Import Laplace Breakpoints SequentialQuilts SequentialChains RecordTables.
From Pufferproof Require Import TableQuilts.
Import ListNotations.
Open Scope R_scope.

Section Segments.
Context {A W W' : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The records first .. last, counted from 0. *)
Definition segment first last {n} (v : vec A n) : list A :=
  firstn (S last - first) (skipn first (list_of v)).
(** Two values of one record of a segment. *)
Definition two_values_in n first last (s t : @secret (vec A n)) := exists i x y,
  (first <= i <= last)%nat /\ s = record_is dA i x /\ t = record_is dA i y.
(** The max-influence of X_k on X_j is at most F. *)
Definition told_at_most {n} (p : vec A n -> R) k j F :=
  influence_between (decide_option dA) (decide_option dA) p (record k) (record j) F.

Lemma firstn_skipn_swap {B} (l : list B) a m : firstn m (skipn a l) = skipn a (firstn (a + m) l).
Proof. revert l; induction a as [|a IH]; intros [|x l]; try easy; [now destruct m|]. apply IH. Qed.

Lemma segment_before first last n : (first <= last)%nat -> looks_at (@up_to A last n) (segment
  first last).
Proof.
  intros order v w E. unfold segment, up_to in *.
  rewrite !firstn_skipn_swap. now replace (first + (S last - first))%nat with (S last) by lia;
    rewrite E.
Qed.

Lemma segment_after first last n : looks_at (@from A first n) (segment first last).
Proof. intros v w E. unfold segment, from in *. now rewrite E. Qed.

Lemma value_before i last n x : (i <= last)%nat -> looks_at (@up_to A last n) (record_is dA i x).
Proof.
  intros le v w E. unfold record_is, value, record. unfold up_to in E.
  rewrite <- (nth_first (list_of v) last i), <- (nth_first (list_of w) last i), E by easy. easy.
Qed.

Lemma value_after i first n x : (first <= i)%nat -> looks_at (@from A first n) (record_is dA i x).
Proof.
  intros le v w E. unfold record_is, value, record. unfold from in E.
  replace i with (first + (i - first))%nat by lia. now rewrite <- !nth_skip, E.
Qed.

(** Parallel composition (song2017, theorem III.1, repaired): Alice sees the records T1 .. T2 and
    keeps R1 for their values, Bob T3 .. T4 and R2; F is e^e(X_T3 | X_T2) and G is e^e(X_T2 | X_T3).
    Differs: the print exchanges F and G, which is false; ratios instead of levels; steps may
    depend
    on time. *)
Theorem parallel_segments n T1 T2 T3 T4 R1 R2 F G (M : vec A n -> W -> R) (N : vec A n -> W' -> R)
    (class : chain_data -> Prop) :
  (T1 <= T2)%nat -> (T2 < T3)%nat -> (T3 <= T4)%nat -> (T4 < n)%nat -> chains_only class ->
  likelihood M -> likelihood N ->
  looks_at (segment T1 T2) M -> looks_at (segment T3 T4) N ->
  0 <= R1 -> 0 <= R2 -> 0 <= F -> 0 <= G ->
  (forall p, laws_of class n p -> told_at_most p T2 T3 F) ->
  (forall p, laws_of class n p -> told_at_most p T3 T2 G) ->
  pufferfish R1 M (two_values_in n T1 T2) (laws_of class n) ->
  pufferfish R2 N (two_values_in n T3 T4) (laws_of class n) ->
  pufferfish (Rmax (R1 * Rmin R2 F) (R2 * Rmin R1 G)) (both M N)
    (either (two_values_in n T1 T2) (two_values_in n T3 T4)) (laws_of class n).
Proof.
  intros o1 o2 o3 o4 laws M0 N0 Ms Ns R10 R20 F0 G0 infl_f infl_g pm pn.
  assert (values_of : forall R0 (V : Type) (K : vec A n -> V -> R) first last k,
    (first <= k <= last)%nat -> (k < n)%nat -> pufferfish R0 K (two_values_in n first last)
      (laws_of class n) ->
    pufferfish R0 K (either (two_values_in n first last) (values (decide_option dA) (record k)))
      (laws_of class n)).
  { intros R0 V K first last k inside_ here promise p s t w Hp [st|[v [u [-> ->]]]] Ps Pt;
      [now apply promise|].
    assert (some : forall o, 0 < P p (value (decide_option dA) (@record A k n) o) -> exists x, o =
      Some x).
    { intros [x|] pos; [now exists x|exfalso]. destruct (sum_pos_exists _ _ pos) as [y [_ py]].
      revert py. unfold inside, value, record.
      destruct (decide_option dA (nth_error (list_of y) k) None) as [E|E]; [|lra].
      apply nth_error_None in E. rewrite list_length in E. lia. }
    destruct (some v Ps) as [x ->], (some u Pt) as [y ->]. apply promise; auto.
    exists k, x, y. repeat split; easy. }
  apply (parallel_on_chains dA n T2 T3); auto; try lia.
  - intros p [c [Hc ->]]. exists (fst c), (snd c). destruct (laws c Hc) as [Li LT].
    split; [exact Li|]. split; [exact LT|easy].
  - intros v w E. apply Ms. now apply (segment_before T1 T2 n o1).
  - intros v w E. apply Ns. now apply (segment_after T3 T4 n).
  - intros s t [i [x [y [here [-> ->]]]]]. split; apply value_before; lia.
  - intros s t [i [x [y [here [-> ->]]]]]. split; apply value_after; lia.
  - apply values_of; auto; lia.
  - apply values_of; auto; lia.
Qed.
End Segments.
