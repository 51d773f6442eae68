(** The Markov quilt mechanism on classes of Markov chains, for queries of tables: all values of all
    records are secret; one release, or several. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Quilt Chain ChainQuilts.
From Pufferproof Require Import SequentialQuilts Parallel ParallelChains SequentialChains
  RecordTables.
Import ListNotations.
Open Scope R_scope.

Section Classes.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** A chain: its initial law, and the step after record k, which may depend on k. *)
Definition chain_data : Type := (A -> R) * (nat -> A -> A -> R).
Definition chains_only (class : chain_data -> Prop) := forall c, class c ->
  law (fst c) /\ forall k x, law (snd c k x).
Definition law_of_chain (c : chain_data) n : vec A n -> R := sequence_law (fst c) (snd c) n.
(** The laws of n records of the chains of a class. *)
Definition laws_of (class : chain_data -> Prop) n (p : vec A n -> R) :=
  exists c, class c /\ p = law_of_chain c n.
(** Two values of one record. *)
Definition two_values n (s t : @secret (vec A n)) :=
  exists i x y, s = record_is dA i x /\ t = record_is dA i y.

(** A query of tables that moves by at most 1 where one record changes. *)
Definition lipschitz_table {n} (f : vec A n -> R) :=
  forall j x y, but_for j x y -> Rabs (f x - f y) <= 1.

(** The quilt of the records before lo and at hi, around X_i, has max-influence at most e. *)
Definition max_influence_at_most {n} (p : vec A n -> R) i lo hi e := forall x y,
  influence_at_most (decide_pair dA) (quilt_around lo hi) (exp e) p (record_is dA i x)
    (record_is dA i y).
(** Some quilt of X_i, with hi - lo nearby records, has a score of at most b. *)
Definition score_at_most {n} eps b (p : vec A n -> R) i := exists lo hi e,
  (lo <= i < hi)%nat /\ (hi <= n)%nat /\ max_influence_at_most p i lo hi e /\
  e < eps /\ INR (hi - lo) / (eps - e) <= b.

(** A query of tables as one of lists; it is 0 on lists of other lengths. *)
Fixpoint table_of (d : A) n (l : list A) : vec A n :=
  match n with O => tt | S n => (hd d l, table_of d n (tl l)) end.
Definition of_lists {n} (d : A) (f : vec A n -> R) (l : list A) : R :=
  if Nat.eq_dec (length l) n then f (table_of d n l) else 0.

Lemma list_table d n l : length l = n -> list_of (table_of d n l) = l.
Proof.
  revert l; induction n as [|n IH]; intros [|x l] len; try discriminate len; [easy|].
  simpl. f_equal. apply IH. now injection len.
Qed.

Lemma table_list d n (v : vec A n) : table_of d n (list_of v) = v.
Proof. induction n as [|n IH]; [now destruct v|]. destruct v. simpl. now rewrite IH. Qed.

Lemma of_lists_is d n (f : vec A n -> R) v : of_lists d f (list_of v) = f v.
Proof.
  unfold of_lists. rewrite list_length. destruct (Nat.eq_dec n n); [|congruence].
  now rewrite table_list.
Qed.

Lemma of_lists_lipschitz d n (f : vec A n -> R) : lipschitz_table f ->
  forall l a b r, Rabs (of_lists d f (l ++ a :: r) - of_lists d f (l ++ b :: r)) <= 1.
Proof.
  intros lip l a b r. unfold of_lists. rewrite !app_length. simpl length.
  destruct (Nat.eq_dec (length l + S (length r)) n) as [len|].
  - apply (lip (length l)). intros k ne. rewrite !list_table by (rewrite app_length; easy).
    destruct (Nat.lt_ge_cases k (length l)); [now rewrite !nth_error_app1|].
    rewrite !nth_error_app2 by easy. destruct (k - length l)%nat eqn:E; [lia|easy].
  - rewrite Rminus_diag_eq, Rabs_R0 by easy. lra.
Qed.

Section OneChain.
Context (initial : A -> R) (T : nat -> A -> A -> R) (n i : nat).
Hypotheses (Li : law initial) (LT : forall k x, law (T k x)).
Let p := sequence_law initial T n.

(** A quilt has no max-influence below 0: some value of X_i is possible. *)
Lemma influence_positive lo hi e : (i < n)%nat -> max_influence_at_most p i lo hi e -> 0 <= e.
Proof.
  intros here infl.
  assert (Lp : law p) by now apply sequence_is_law.
  assert (some : exists x, 0 < P p (record_is dA i x)).
  { destruct (sum_pos_exists all p) as [v [_ pos]]; [destruct Lp as [_ ->]; lra|].
    destruct (nth_error (list_of v) i) as [x|] eqn:E;
      [|apply nth_error_None in E; rewrite list_length in E; lia].
    exists x. apply Rlt_le_trans with (1 := pos).
    apply Rle_trans with (inside p (record_is dA i x) v).
    - unfold inside, record_is, value, record. rewrite E.
      destruct (decide_option dA (Some x) (Some x)); [lra|congruence].
    - apply (sum_member all (inside p (record_is dA i x))); [|apply all_here].
      intros; now apply inside_nonneg. }
  destruct some as [x pos]. specialize (infl x x).
  set (s := record_is dA i x) in *. set (mass q := p_quilt (decide_pair dA) (quilt_around lo hi) p
    s q).
  assert (total : sum all mass = P p s).
  { unfold mass, p_quilt, Pz, P. now rewrite <- (sum_fibres (decide_pair dA) (quilt_around lo hi)).
    }
  assert (le : P p s * sum all mass <= exp e * P p s * sum all mass).
  { rewrite <- !sum_scale. apply sum_le; intros q _. rewrite Rmult_comm. apply infl. }
  rewrite total in le.
  destruct (Rle_lt_dec 0 e) as [|neg]; [easy|]. apply exp_increasing in neg. rewrite exp_0 in neg.
  assert (0 < P p s * P p s) by now apply Rmult_lt_0_compat. nra.
Qed.

End OneChain.

(** A release: a query, the level at which its noise is chosen, and the scale of its noise. *)
Definition release_data n : Type := (vec A n -> R) * R * R.
Definition asked {n} (r : release_data n) := fst (fst r).
Definition at_level {n} (r : release_data n) := snd (fst r).
Definition with_noise {n} (r : release_data n) := snd r.
Definition noisy_releases {n} (runs : list (release_data n)) :=
  noisy (map (fun r => (asked r, with_noise r)) runs).

Lemma each_has_runs {n} d (p : vec A n -> R) i (runs : list (release_data n)) :
  (forall r, In r runs -> score_at_most (at_level r) (with_noise r) p i) ->
  exists cs, (forall c, In c cs -> exists r, In r runs /\ asks c = of_lists d (asked r) /\
      allowed c = at_level r /\ noise c = with_noise r /\ near_i n i c /\
      max_influence_at_most p i (first_near c) (first_after c) (estimate c) /\
      estimate c < allowed c /\
      INR (first_after c - first_near c) / (allowed c - estimate c) <= noise c) /\
    sum cs allowed = sum runs at_level /\
    (runs <> [] -> cs <> []) /\
    forall v ws, joint_density (map (as_run n) cs) v ws = noisy_releases runs v ws.
Proof.
  induction runs as [|r runs IH]; intros good.
  - exists []. repeat split; easy.
  - destruct IH as [cs [each [levels [some same]]]]; [intros q j; apply good; now right|].
    destruct (good r (or_introl eq_refl)) as [lo [hi [e [here [top [infl [e1 sc]]]]]]].
    exists ({| asks := of_lists d (asked r); first_near := lo; first_after := hi; estimate := e;
      allowed := at_level r; noise := with_noise r |} :: cs). split; [|split; [|split]].
    + intros c [<-|j].
      * exists r. cbn [asks allowed noise first_near first_after estimate]. unfold near_i; simpl.
        repeat (split; [tauto || (now left)|]). exact sc.
      * destruct (each c j) as [q [jq rest]]. exists q. split; [now right|exact rest].
    + simpl. now rewrite levels.
    + easy.
    + intros v [|w ws]; [easy|]. unfold noisy_releases in *. simpl. now rewrite same, of_lists_is.
Qed.

(** Sequential composition of the Markov quilt mechanism (song2017, theorem III.7, as repaired): of
    every chain of the class and every record some quilt has a score of at most the scale of each
    release; these quilts may differ. Then the releases promise the sum of their levels, for any two
    values of any record and all chains of the class.
    Differs: steps may depend on time; the quilts of a record may be any, so that those of least
    score are included; influences are exact or upper bounds, which Lemma II.3 need not be; density
    form. *)
Theorem sequential_quilts_of_classes n (class : chain_data -> Prop) (runs : list (release_data n)) :
  chains_only class -> (forall r, In r runs -> lipschitz_table (asked r)) ->
  (forall r c i, In r runs -> class c -> (i < n)%nat ->
    score_at_most (at_level r) (with_noise r) (law_of_chain c n) i) ->
  pufferfish (exp (sum runs at_level)) (noisy_releases runs) (two_values n) (laws_of class n).
Proof.
  intros laws lip score p s t ws [c [Hc Ep]] [i [x [x' [-> ->]]]] Ps Pt.
  destruct (laws c Hc) as [Li LT]. unfold law_of_chain in Ep.
  assert (i < n)%nat as here.
  { destruct (Nat.lt_ge_cases i n) as [|ge]; [easy|exfalso].
    destruct (sum_pos_exists _ _ Ps) as [v [_ pos]]. revert pos.
    unfold inside, record_is, value, record.
    rewrite (proj2 (nth_error_None (list_of v) i)) by (now rewrite list_length).
    destruct (decide_option dA None (Some x)); [congruence|lra]. }
  destruct runs as [|r0 runs'].
  { unfold noisy_releases. simpl sum. rewrite exp_0.
    destruct ws as [|w ws]; unfold Pw, P in *; simpl.
    - rewrite !(sum_ext all (fun v => inside p _ v * 1) (fun v => inside p _ v))
        by (intros; ring). lra.
    - rewrite !(sum_ext all (fun v => inside p _ v * 0) (fun _ => 0)), !sum_0 by (intros; ring).
      lra. }
  set (runs := r0 :: runs') in *.
  destruct (each_has_runs x p i runs) as [cs [each [levels [some same]]]].
  { intros r j. rewrite Ep. now apply (score r c). }
  assert (E : forall u, Pw p (noisy_releases runs) u ws =
    Pw (sequence_law (fst c) (snd c) n) (joint_density (map (as_run n) cs)) u ws).
  { intros u. rewrite <- Ep. apply sum_ext; intros v _. now rewrite same. }
  rewrite !E, Ep, <- levels.
  apply (sequential_on_chains dA (fst c) (snd c) Li LT n i x x' cs ws); [now apply some|].
  intros q j. destruct (each q j) as [r [jr [aq [_ [_ [near [infl [e1 sc]]]]]]]].
  split; [exact near|]. split; [rewrite aq; now apply of_lists_lipschitz, lip|].
  rewrite Ep in infl. split; [apply infl|]. split; [|exact sc].
  split; [|exact e1]. now apply (influence_positive (fst c) (snd c) n i Li LT _ _ _ here infl).
Qed.

(** The Markov quilt mechanism on a class of chains (song2017.mqm-private-repaired; wang2016,
    theorem 4.4 on chains): the scale is at least the score of some quilt of every record for every
    chain, so at
    least the largest over chains and records of the least score.
    Differs: as [sequential_quilts_of_classes]. *)
Theorem quilts_of_classes n (class : chain_data -> Prop) (f : vec A n -> R) eps b :
  chains_only class -> lipschitz_table f ->
  (forall c i, class c -> (i < n)%nat -> score_at_most eps b (law_of_chain c n) i) ->
  pufferfish (exp eps) (fun v => laplace b (f v)) (two_values n) (laws_of class n).
Proof.
  intros laws lip score p s t w Hp Hst Ps Pt.
  pose proof (sequential_quilts_of_classes n class [(f, eps, b)] laws) as promise.
  assert (same : forall u, Pw p (noisy_releases [(f, eps, b)]) u [w] =
    Pw p (fun v => laplace b (f v)) u w).
  { intros u. apply sum_ext; intros v _. unfold noisy_releases, asked, with_noise; simpl. ring. }
  rewrite <- !same. replace eps with (sum [(f, eps, b)] at_level) by (simpl; unfold at_level;
    simpl; ring).
  apply promise; auto.
  - intros r [<-|[]]. exact lip.
  - intros r c i [<-|[]] Hc here. now apply score.
Qed.

(** Releases whose levels are at most eps (song2017, theorem II.6): K of them promise K eps.
    Differs: quilts may differ from release to release, which the print excludes; else as
    [sequential_quilts_of_classes]. *)
Theorem sequential_quilts_at_one_level n (class : chain_data -> Prop) (runs : list (release_data n))
    eps :
  chains_only class -> (forall r, In r runs -> lipschitz_table (asked r)) ->
  (forall r c i, In r runs -> class c -> (i < n)%nat ->
    score_at_most (at_level r) (with_noise r) (law_of_chain c n) i) ->
  (forall r, In r runs -> at_level r <= eps) ->
  pufferfish (exp (INR (length runs) * eps)) (noisy_releases runs) (two_values n) (laws_of class n).
Proof.
  intros laws lip score below.
  set (level r := (asked r, eps, with_noise r) : release_data n).
  assert (sums : sum (map level runs) at_level = INR (length runs) * eps).
  { clear. induction runs as [|r runs IH]; [simpl; ring|].
    cbn [map sum length]. rewrite IH, S_INR. unfold at_level; simpl. ring. }
  assert (same : noisy_releases (map level runs) = noisy_releases runs)
    by (unfold noisy_releases; now rewrite map_map).
  rewrite <- sums, <- same. apply sequential_quilts_of_classes; [easy| |].
  - intros r j. apply in_map_iff in j as [q [<- j]]. exact (lip q j).
  - intros r c i j Hc here. apply in_map_iff in j as [q [<- j]].
    destruct (score q c i j Hc here) as [lo [hi [e [inside_ [top [infl [e1 sc]]]]]]].
    specialize (below q j). exists lo, hi, e. unfold level, at_level, with_noise; simpl.
    repeat (split; [tauto || lra|]). apply Rle_trans with (2 := sc). unfold Rdiv.
    apply Rmult_le_compat_l; [apply pos_INR|]. apply Rinv_le_contravar; lra.
Qed.
End Classes.
