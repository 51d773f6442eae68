(** Sequential composition of the Markov quilt mechanism on one chain, each run with its own quilt
    (song2017, theorem III.7 as repaired). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt SequentialQuilts.
From Pufferproof Require Import Chain ChainQuilts Parallel ParallelChains.
Import ListNotations.
Open Scope R_scope.

Lemma nth_first {A} (l : list A) i k : (k <= i)%nat ->
  nth_error (firstn (S i) l) k = nth_error l k.
Proof.
  revert i k; induction l as [|x l IH]; intros i k le; [now rewrite firstn_nil|].
  destruct k as [|k]; [easy|]. destruct i as [|i]; [lia|]. apply (IH i k). lia.
Qed.

Lemma nth_skip {A} (l : list A) i d : nth_error (skipn i l) d = nth_error l (i + d).
Proof.
  revert i; induction l as [|x l IH]; intros [|i]; try easy; [now destruct d|]. apply IH.
Qed.

Section SameLaw.
Context {D Q : Type} `{Finite D}.
Lemma p_quilt_any (d d' : forall y z : Q, {y = z} + {y <> z}) (q : D -> Q) p s v :
  p_quilt d q p s v = p_quilt d' q p s v.
Proof.
  unfold p_quilt, Pz. apply sum_ext; intros x _. unfold at_.
  destruct (d (q x) v), (d' (q x) v); easy.
Qed.
End SameLaw.

Section OneChain.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Context (initial : A -> R) (T : nat -> A -> A -> R).
Hypotheses (Li : law initial) (LT : forall k x, law (T k x)).

(** X_i = x *)
Definition record_is {n} i x : @secret (vec A n) := value (decide_option dA) (record i) (Some x).

Lemma record_is_about {n} i x : @about A i n (record_is i x).
Proof. intros v w E. unfold record_is, value, record. now rewrite E. Qed.

(** Any mechanism that varies by at most R2 where all but the records lo .. lo + m - 1 are fixed. *)
Lemma any_in_blocks {W} a m b (M : vec A (a + (m + b)) -> W -> R) i I R2 s t w :
  let p := sequence_law initial T (a + (m + b)) in
  likelihood M -> 0 <= I -> (a <= i < a + m)%nat -> about i s -> about i t ->
  influence_at_most (decide_pair dA) (quilt_around a (a + m)) I p s t ->
  (forall u n n' v, M (whole a m b (n, (u, v))) w <= R2 * M (whole a m b (n', (u, v))) w) ->
  Pw p M s w * P p t <= I * R2 * P p s * Pw p M t w.
Proof.
  intros p M0 I0 here As At infl vary. unfold p in *. rewrite !Pw_blocks, !P_blocks in *.
  pose (g (n : vec A m) y := between initial T a (list_of n) y).
  pose (h (r : vec A a * vec A b) := chain_weight initial T (list_of (fst r)) * after T (a + m)
    (list_of (snd r))).
  assert (weight : forall n r, block_law a m b initial T (n, r) =
    g n (quilt_of_others a b r) * h r) by (intros; apply block_weight).
  apply (quilt_mechanism (decide_pair dA) (decide_others dA) (quilt_in (quilt_of_others a b)) others
    (block_law a m b initial T) (fun x => M (whole a m b x))); auto.
  - split; [intros x; now apply sequence_is_law|].
    transitivity (Σ v, sequence_law initial T (a + (m + b)) v); [symmetry; apply Sum_whole|].
    now apply sequence_is_law.
  - intros x v. apply M0.
  - apply (near_independent _ _ _ _ _ _ weight). now apply (about_near a m b i).
  - apply (near_independent _ _ _ _ _ _ weight). now apply (about_near a m b i).
  - now apply influence_blocks.
  - intros [n [u v]] [n' r'] _ E. unfold others in E; simpl in E; subst r'. apply vary.
Qed.

(** Two sequences that agree outside hi - lo records in a row. *)
Definition agree_outside {n} lo hi (v w : vec A n) := exists l u u' r,
  length u = (hi - lo)%nat /\ length u' = length u /\
  list_of v = l ++ u ++ r /\ list_of w = l ++ u' ++ r.

Lemma any_on_chain {W} n lo hi (M : vec A n -> W -> R) i I R2 s t w :
  let p := sequence_law initial T n in
  likelihood M -> 0 <= I -> (lo <= i < hi)%nat -> (hi <= n)%nat ->
  about i s -> about i t ->
  influence_at_most (decide_pair dA) (quilt_around lo hi) I p s t ->
  (forall v v', agree_outside lo hi v v' -> M v w <= R2 * M v' w) ->
  Pw p M s w * P p t <= I * R2 * P p s * Pw p M t w.
Proof.
  intros p M0 I0 here top As At infl vary. unfold p in *.
  assert (exists m b, hi = lo + m /\ n = lo + (m + b))%nat as [m [b [Eh En]]]
    by (exists (hi - lo)%nat, (n - hi)%nat; lia).
  clear p. subst hi n. apply (any_in_blocks lo m b M i); auto.
  intros u k k' v. apply vary. exists (list_of u), (list_of k), (list_of k'), (list_of v).
  rewrite !list_length, !list_whole. repeat split; lia.
Qed.

Section Runs.
Context (n i : nat) (x x' : A).
Let p := sequence_law initial T n.
Let s := @record_is n i x.
Let t := @record_is n i x'.
Let dd := decide_option dA.

Definition left_node lo (v : vec A n) := before lo (list_of v).
Definition right_node hi (v : vec A n) := nth_error (list_of v) hi.

(** Given X_i, what stands before the nearby records is independent of what stands after them. *)
Lemma nodes_independent lo hi y : (lo <= i < hi)%nat ->
  sides_independent dd dd p (left_node lo) (right_node hi) (record_is i y).
Proof.
  intros here a b.
  set (phi := fun v : vec A n => if dd (left_node lo v) a then 1 else 0).
  set (psi := fun v : vec A n => if dd (right_node hi v) b then 1 else 0).
  assert (seen_phi : looks_at (up_to i) phi).
  { intros v w E. unfold phi, left_node, before. destruct lo as [|k]; [easy|].
    unfold up_to in E. rewrite <- (nth_first (list_of v) i k), <- (nth_first (list_of w) i k), E
      by lia. easy. }
  assert (seen_psi : looks_at (from i) psi).
  { intros v w E. unfold psi, right_node. unfold from in E.
    replace hi with (i + (hi - i))%nat by lia. now rewrite <- !nth_skip, E. }
  pose proof (chain_separates dA initial T n i (Some y) phi psi seen_phi seen_psi)
    as sep.
  fold p in sep.
  assert (one : P p (record_is i y) = mean_at dd p (record i) (Some y) (fun _ => 1))
    by (apply P_value).
  assert (left_ : p_quilt dd (left_node lo) p (record_is i y) a =
    mean_at dd p (record i) (Some y) phi).
  { unfold p_quilt, Pz, mean_at, inside, record_is, value, at_, phi, dd. apply sum_ext; intros v _.
    destruct (decide_option dA (record i v) (Some y)); ring. }
  assert (right_ : p_quilt dd (right_node hi) p (record_is i y) b =
    mean_at dd p (record i) (Some y) psi).
  { unfold p_quilt, Pz, mean_at, inside, record_is, value, at_, psi, dd. apply sum_ext; intros v _.
    destruct (decide_option dA (record i v) (Some y)); ring. }
  assert (both_ : p_quilt (dpair dd dd) (sides (left_node lo) (right_node hi)) p (record_is i y)
    (a, b) = mean_at dd p (record i) (Some y) (fun v => phi v * psi v)).
  { unfold p_quilt, Pz, mean_at, inside, record_is, value, at_, phi, psi, sides, dd.
    apply sum_ext; intros v _.
    destruct (decide_option dA (record i v) (Some y)); [|ring].
    destruct (dpair _ _ (left_node lo v, right_node hi v) (a, b)) as [E|E],
      (decide_option dA (left_node lo v) a), (decide_option dA (right_node hi v) b);
      try (inversion E; congruence); try ring. destruct E; congruence. }
  rewrite one, left_, right_, both_. exact sep.
Qed.

(** A run: a query of the records, the records near X_i with its quilt, an upper bound of the
    influence of this quilt, level and scale. *)
Record chain_run := { asks : list A -> R; first_near : nat; first_after : nat; estimate : R;
  allowed : R; noise : R }.
Definition near_i r := (first_near r <= i < first_after r)%nat /\ (first_after r <= n)%nat.
Definition good_chain_run r := near_i r /\
  (forall l a b m, Rabs (asks r (l ++ a :: m) - asks r (l ++ b :: m)) <= 1) /\
  influence_at_most (decide_pair dA) (quilt_around (first_near r) (first_after r))
    (exp (estimate r)) p s t /\
  0 <= estimate r < allowed r /\
  INR (first_after r - first_near r) / (allowed r - estimate r) <= noise r.
Definition as_run r : run (vec A n) := {| query := fun v => asks r (list_of v);
  bound := estimate r; level := allowed r; scale := noise r |}.

Lemma two_of_many (l : list chain_run) a b : (forall r, In r l -> 0 <= estimate r) ->
  In a l -> In b l -> a = b \/ estimate a + estimate b <= sum l estimate.
Proof.
  induction l as [|r l IH]; simpl; intros pos ia ib; [easy|].
  pose proof (pos r (or_introl eq_refl)) as r0.
  assert (each : forall q, In q l -> estimate q <= sum l estimate).
  { intros q iq. apply sum_member; auto. }
  destruct ia as [<-|ia], ib as [<-|ib]; [now left|right; specialize (each b ib); lra|
    right; specialize (each a ia); lra|].
  destruct (IH (fun q j => pos q (or_intror j)) ia ib) as [same|le]; [now left|right; lra].
Qed.

Lemma narrowest (l : list chain_run) : l <> [] -> (forall r, In r l -> near_i r) ->
  exists a b, In a l /\ In b l /\ forall r, In r l ->
    (first_near r <= first_near a)%nat /\ (first_after b <= first_after r)%nat.
Proof.
  induction l as [|r l IH]; [easy|]. intros _ near. destruct l as [|r' l].
  - exists r, r. split; [now left|]. split; [now left|]. intros q [<-|[]]. lia.
  - destruct IH as [a [b [ia [ib each]]]]; [easy|intros; apply near; now right|].
    exists (if Nat.leb (first_near a) (first_near r) then r else a).
    exists (if Nat.leb (first_after r) (first_after b) then r else b).
    destruct (Nat.leb_spec (first_near a) (first_near r)),
      (Nat.leb_spec (first_after r) (first_after b)); (split; [simpl in *; tauto|]);
      (split; [simpl in *; tauto|]); intros q [<-|iq]; try lia; specialize (each q iq); lia.
Qed.

(** Sequential composition (song2017, theorem III.7, as repaired): runs with quilts of their own
    around X_i leak at most the sum of their levels of X_i = x against X_i = x'.
    Differs: one prior and one pair of values of one record, as max-influence has them; steps may
    depend on time; estimates are upper bounds of the influence, which Lemma II.3 need not be;
    density form. *)
Theorem sequential_on_chains (runs : list chain_run) ws : runs <> [] ->
  (forall r, In r runs -> good_chain_run r) ->
  Pw p (joint_density (map as_run runs)) s ws * P p t <=
  exp (sum runs allowed) * P p s * Pw p (joint_density (map as_run runs)) t ws.
Proof.
  intros some good.
  assert (Lp : law p) by (now apply sequence_is_law).
  assert (impossible : forall u, P p u = 0 -> Pw p (joint_density (map as_run runs)) u ws = 0)
    by (intros u; now apply (nothing_shown p (joint_density (map as_run runs)))).
  destruct (P_nonneg p s Lp) as [Ps|Ps]; [|rewrite impossible by easy; rewrite <- Ps; lra].
  destruct (P_nonneg p t Lp) as [Pt|Pt];
    [|rewrite (impossible t) by easy; rewrite <- Pt; lra].
  destruct (narrowest runs some) as [ra [rb [ia [ib narrow]]]]; [intros r j; apply (good r j)|].
  set (lo := first_near ra) in *. set (hi := first_after rb) in *.
  assert (here : (lo <= i < hi)%nat /\ (hi <= n)%nat).
  { destruct (good ra ia) as [[na _] _], (good rb ib) as [nb _]. unfold lo, hi.
    destruct nb. lia. }
  assert (est0 : forall r, In r runs -> 0 <= estimate r)
    by (intros r j; destruct (good r j) as [_ [_ [_ [e _]]]]; lra).
  assert (sums : sum (map as_run runs) bound = sum runs estimate /\
    sum (map as_run runs) level = sum runs allowed) by (split; now rewrite sum_map).
  assert (infl : influence_at_most (decide_pair dA) (quilt_around lo hi)
    (exp (sum runs estimate)) p s t).
  { assert (raise : forall e, e <= sum runs estimate ->
      influence_at_most (decide_pair dA) (quilt_around lo hi) (exp e) p s t ->
      influence_at_most (decide_pair dA) (quilt_around lo hi) (exp (sum runs estimate)) p s t).
    { intros e le inf q. specialize (inf q). apply Rle_trans with (1 := inf).
      destruct (p_quilt_le (decide_pair dA) (quilt_around lo hi) p t q Lp) as [q0 _].
      apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; [lra|].
      destruct le as [less|<-]; [left; now apply exp_increasing|lra]. }
    destruct (two_of_many runs ra rb est0 ia ib) as [same|le].
    - apply (raise (estimate ra)); [now apply sum_member|].
      unfold hi. rewrite <- same. apply (good ra ia).
    - apply (raise _ le). rewrite exp_plus.
      assert (L : influence_at_most dd (left_node lo) (exp (estimate ra)) p s t).
      { destruct (good ra ia) as [_ [_ [inf _]]].
        exact (influence_processed (decide_pair dA) dd p s t
          (quilt_around (first_near ra) (first_after ra)) fst _ inf). }
      assert (Rr : influence_at_most dd (right_node hi) (exp (estimate rb)) p s t).
      { destruct (good rb ib) as [_ [_ [inf _]]].
        exact (influence_processed (decide_pair dA) dd p s t
          (quilt_around (first_near rb) (first_after rb)) snd _ inf). }
      intros q. destruct q as [qa qb].
      rewrite !(p_quilt_any (decide_pair dA) (dpair dd dd)).
      apply (influence_sides dd dd p (left_node lo) (right_node hi)); auto;
        try (left; apply exp_pos); apply nodes_independent; lia. }
  destruct sums as [sum_e sum_a]. rewrite <- sum_a. rewrite <- sum_e in infl.
  set (E := sum (map as_run runs) bound) in *. set (L := sum (map as_run runs) level) in *.
  replace L with (E + (L - E)) by ring. rewrite exp_plus.
  destruct here as [here top].
  assert (nearby : 0 < INR (hi - lo)) by (apply lt_0_INR; lia).
  assert (fit : forall r, In r (map as_run runs) ->
    good_run (INR (hi - lo)) (agree_outside lo hi) r).
  { intros r j. apply in_map_iff in j as [q [<- j]]. destruct (good q j) as [nq [lip [_ [e sc]]]].
    split; [exact e|]. split; simpl.
    - apply Rle_trans with (2 := sc). unfold Rdiv. apply Rmult_le_compat_r.
      + left. apply Rinv_0_lt_compat. lra.
      + apply le_INR. destruct (narrow q j). lia.
    - intros v w [l [u [u' [r [lu [lu' [-> ->]]]]]]]. rewrite <- lu.
      apply lipschitz_block; [exact lip|easy]. }
  apply (any_on_chain n lo hi _ i); auto; try (left; apply exp_pos); try apply record_is_about.
  - intros v w. apply joint_nonneg. intros r j.
    exact (good_scale _ (agree_outside lo hi) r nearby (fit r j)).
  - intros v v' agreed. exact (joint_varies _ (agree_outside lo hi) _ v v' ws nearby fit agreed).
Qed.
End Runs.
End OneChain.
