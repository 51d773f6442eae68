(** Parallel composition of the Markov quilt mechanism on two segments of one chain that are far
    apart (song2017, theorem III.3 as repaired). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts.
From Pufferproof Require Import Parallel ParallelChains SequentialChains.
Import ListNotations.
Open Scope R_scope.

Section ParallelQuilts.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Context (initial : A -> R) (T : nat -> A -> A -> R).
Hypotheses (Li : law initial) (LT : forall k x, law (T k x)).

(** Two sequences that agree but for the records lo .. hi - 1. *)
Definition agree_but {n} lo hi (v w : vec A n) := exists l u u' r,
  length l = lo /\ length u = (hi - lo)%nat /\ length u' = length u /\
  list_of v = l ++ u ++ r /\ list_of w = l ++ u' ++ r.

Lemma any_at {W} n lo hi (M : vec A n -> W -> R) i I R2 s t w :
  let p := sequence_law initial T n in
  likelihood M -> 0 <= I -> (lo <= i < hi)%nat -> (hi <= n)%nat ->
  about i s -> about i t ->
  influence_at_most (decide_pair dA) (quilt_around lo hi) I p s t ->
  (forall v v', agree_but lo hi v v' -> M v w <= R2 * M v' w) ->
  Pw p M s w * P p t <= I * R2 * P p s * Pw p M t w.
Proof.
  intros p M0 I0 here top As At infl vary. unfold p in *.
  assert (exists m b, hi = lo + m /\ n = lo + (m + b))%nat as [m [b [Eh En]]]
    by (exists (hi - lo)%nat, (n - hi)%nat; lia).
  clear p. subst hi n. apply (any_in_blocks dA initial T Li LT lo m b M i); auto.
  intros u k k' v. apply vary. exists (list_of u), (list_of k), (list_of k'), (list_of v).
  rewrite !list_length, !list_whole. repeat split; lia.
Qed.

Context (n : nat).
Let p := sequence_law initial T n.

(** What Alice sees: records up to last; what Bob sees: records from first on. *)
Context (last first : nat) (f g : list A -> R) (sf sg : R).
Definition lipschitz (h : list A -> R) :=
  forall l a b r, Rabs (h (l ++ a :: r) - h (l ++ b :: r)) <= 1.
Definition both_releases (v : vec A n) (w : R * R) :=
  laplace sf (f (firstn (S last) (list_of v))) (fst w) *
  laplace sg (g (skipn first (list_of v))) (snd w).

(** The quilt {X_(i-a), X_(i+b)}, as far as there are such records. *)
Definition borrowed i a b : vec A n -> option A * option A :=
  quilt_around (S i - a) (Nat.min n (i + b)).
(** An estimate that depends on the distances alone and bounds the influence around every record. *)
Definition estimates a b e := forall i x x', (i < n)%nat ->
  influence_at_most (decide_pair dA) (borrowed i a b) (exp e) p
    (record_is dA i x) (record_is dA i x').

Lemma near_query h lo hi d (cut : list A -> list A) (v w : vec A n) :
  lipschitz h ->
  (forall l u r, exists l' k r', cut (l ++ u ++ r) = l' ++ firstn k u ++ r' /\
    forall u', length u' = length u -> cut (l ++ u' ++ r) = l' ++ firstn k u' ++ r') ->
  (hi - lo <= d)%nat -> agree_but lo hi v w ->
  Rabs (h (cut (list_of v)) - h (cut (list_of w))) <= INR d.
Proof.
  intros lip cuts le [l [u [u' [r [_ [lu [lu' [-> ->]]]]]]]].
  destruct (cuts l u r) as [l' [k [r' [E E']]]]. rewrite E, (E' u' lu').
  eapply Rle_trans; [apply lipschitz_block; [exact lip|]|].
  - rewrite !firstn_length. lia.
  - apply le_INR. rewrite firstn_length. lia.
Qed.

Lemma noise_keeps d eps e s u v w : 0 < d -> e < eps -> d / (eps - e) <= s -> Rabs (u - v) <= d ->
  0 < s /\ laplace s u w <= exp (eps - e) * laplace s v w.
Proof.
  intros d0 e1 sc near. assert (s0 : 0 < s).
  { apply Rlt_le_trans with (2 := sc). apply Rdiv_lt_0_compat; lra. }
  split; [easy|]. eapply Rle_trans; [apply (laplace_near s d u v w s0 near)|].
  apply Rmult_le_compat_r; [now apply laplace_nonneg|].
  assert (d / s <= eps - e) as [l|<-]; [|left; now apply exp_increasing|lra].
  apply (Rmult_le_reg_r s); [easy|]. unfold Rdiv in *. rewrite Rmult_assoc, Rinv_l, Rmult_1_r
    by lra.
  apply (Rmult_le_compat_r (eps - e)) in sc; [|lra]. rewrite Rmult_assoc, Rinv_l in sc; lra.
Qed.

(** Parallel composition (song2017, theorem III.3, repaired): Alice's segment is T1 .. last, Bob's
    first .. T4. Some X_j of hers has the quilt {X_(j-a), X_(j+b)} and some X_k of his the quilt
    {X_(k-c), X_(k+d)}, inside their segments, the scales are at least the scores of these quilts
    by estimates E and F, and the gap is at least as long as either segment. Then a secret pair
    X_i = x against x' of her segment is kept at her level by both releases, one of his at his.
    Differs: estimates depend on distances alone and are upper bounds of the influence, which
    Lemma II.3 need not be; queries see the chain up to last, or from first on; one prior; density
    form. *)
Theorem parallel_quilts T1 T4 j a b k c d E F epsA epsB :
  lipschitz f -> lipschitz g -> (last < first)%nat -> (T4 < n)%nat ->
  (T1 <= j - a)%nat -> (a <= j)%nat -> (j + b <= last)%nat -> (1 <= a)%nat -> (1 <= b)%nat ->
  (first <= k - c)%nat -> (c <= k)%nat -> (k + d <= T4)%nat -> (1 <= c)%nat -> (1 <= d)%nat ->
  (last - T1 <= first - last)%nat -> (T4 - first <= first - last)%nat ->
  estimates a b E -> E < epsA -> INR (a + b - 1) / (epsA - E) <= sf ->
  estimates c d F -> F < epsB -> INR (c + d - 1) / (epsB - F) <= sg ->
  forall i x x' w,
  ((T1 <= i <= last)%nat ->
    Pw p both_releases (record_is dA i x) w * P p (record_is dA i x') <=
    exp epsA * P p (record_is dA i x) * Pw p both_releases (record_is dA i x') w) /\
  ((first <= i <= T4)%nat ->
    Pw p both_releases (record_is dA i x) w * P p (record_is dA i x') <=
    exp epsB * P p (record_is dA i x) * Pw p both_releases (record_is dA i x') w).
Proof.
  intros lipf lipg apart top ja ja' jb a1 b1 kc kc' kd c1 d1 gapA gapB estE e1 scf estF f1 scg
    i x x' w.
  assert (dA0 : 0 < INR (a + b - 1)) by (apply lt_0_INR; lia).
  assert (dB0 : 0 < INR (c + d - 1)) by (apply lt_0_INR; lia).
  assert (sf0 : 0 < sf) by (apply Rlt_le_trans with (2 := scf); apply Rdiv_lt_0_compat; lra).
  assert (sg0 : 0 < sg) by (apply Rlt_le_trans with (2 := scg); apply Rdiv_lt_0_compat; lra).
  assert (M0 : likelihood both_releases)
    by (intros v z; apply Rmult_le_pos; now apply laplace_nonneg).
  assert (firsts : forall l u r : list A, exists l' m r',
    firstn (S last) (l ++ u ++ r) = l' ++ firstn m u ++ r' /\
    forall u', length u' = length u -> firstn (S last) (l ++ u' ++ r) = l' ++ firstn m u' ++ r').
  { intros l u r. exists (firstn (S last) l), (S last - length l)%nat,
      (firstn (S last - length l - length u) r).
    split; [|intros u' lu]; rewrite !firstn_app; [easy|]. now rewrite lu. }
  split; intros here.
  - replace epsA with (E + (epsA - E)) by ring. rewrite exp_plus.
    apply (any_at n (S i - a) (Nat.min n (i + b)) both_releases i);
      [exact M0|left; apply exp_pos|lia|lia|apply record_is_about|
       apply record_is_about|apply estE; lia|].
    intros v v' agreed. unfold both_releases.
    assert (later : skipn first (list_of v) = skipn first (list_of v')).
    { destruct agreed as [l [u [u' [r [ll [lu [lu' [-> ->]]]]]]]].
      rewrite !skipn_app, (skipn_all2 l), (skipn_all2 u), (skipn_all2 u'), lu' by lia. easy. }
    rewrite later. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [now apply laplace_nonneg|].
    apply (noise_keeps (INR (a + b - 1))); [exact dA0|exact e1|exact scf|].
    apply (near_query f (S i - a) (Nat.min n (i + b)) _ (firstn (S last)));
      [exact lipf|exact firsts|lia|exact agreed].
  - replace epsB with (F + (epsB - F)) by ring. rewrite exp_plus.
    apply (any_at n (S i - c) (Nat.min n (i + d)) both_releases i);
      [exact M0|left; apply exp_pos|lia|lia|apply record_is_about|
       apply record_is_about|apply estF; lia|].
    intros v v' agreed. unfold both_releases.
    assert (sooner : firstn (S last) (list_of v) = firstn (S last) (list_of v')).
    { destruct agreed as [l [u [u' [r [ll [lu [lu' [-> ->]]]]]]]].
      rewrite !firstn_app. replace (S last - length l)%nat with 0%nat by lia.
      now rewrite !Nat.sub_0_l, !firstn_O. }
    rewrite sooner, (Rmult_comm (laplace sf _ _)), (Rmult_comm (laplace sf _ _)), <- Rmult_assoc.
    apply Rmult_le_compat_r; [now apply laplace_nonneg|].
    apply (noise_keeps (INR (c + d - 1))); [exact dB0|exact f1|exact scg|].
    destruct agreed as [l [u [u' [r [ll [lu [lu' [-> ->]]]]]]]].
    rewrite !skipn_app, lu'.
    assert (Rabs (g (skipn first l ++ skipn (first - length l) u ++
      skipn (first - length l - length u) r) - g (skipn first l ++ skipn (first - length l) u' ++
      skipn (first - length l - length u) r)) <= INR (length (skipn (first - length l) u))) as near.
    { apply lipschitz_block; [exact lipg|]. rewrite !skipn_length. lia. }
    eapply Rle_trans; [exact near|]. apply le_INR. rewrite skipn_length. lia.
Qed.
End ParallelQuilts.
