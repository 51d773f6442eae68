(** Quilts of tables of records under any laws, given by what is near, what is in the quilt and what
    is remote: the Markov quilt mechanism, beside a release that reads no nearby record; and the
    quilts of chains. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace Chain ChainQuilts Networks.
From Pufferproof Require Import Parallel ParallelChains SequentialChains RecordTables TableQuilts.
From Pufferproof Require Import ParallelSegments ShownBlocks QuiltsOfChains.
Import ListNotations.
Open Scope R_scope.

Section Tables.
Context {A W : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}) {n : nat}.
Notation table := (vec A n).
Implicit Types (roles : nat -> role) (p : table -> R) (priors : (table -> R) -> Prop).

(** X_Q is a quilt of X_i under each law of a class: X_i is near, and what is remote is independent
    of X_i given X_Q. *)
Definition quilt_of roles i priors := roles i = near /\ forall p x, priors p ->
  independent_given_quilt (decide_shown dA n) (decide_shown dA n) (of_quilt n roles)
    (of_remote n roles) p (record_is dA i x).
(** The max-influence on X_i of the quilt is at most e. *)
Definition told roles i p e := forall x y, influence_at_most (decide_shown dA n) (of_quilt n roles)
  (exp e) p (record_is dA i x) (record_is dA i y).
Definition told_in_class roles i priors e := forall p, priors p -> told roles i p e.

(** Tables that agree in all records that are not near. *)
Definition agree roles (x y : table) :=
  forall k, roles k <> near -> nth_error (list_of x) k = nth_error (list_of y) k.
(** A query moves by at most m where nearby records alone change. *)
Definition moves_near roles (f : table -> R) m :=
  forall x y, agree roles x y -> Rabs (f x - f y) <= INR m.
(** A mechanism reads no nearby record. *)
Definition reads_away roles (N : table -> W -> R) := forall x y w, agree roles x y -> N x w = N y w.
(** Noise of scale b hides a move by m at the level that e leaves of eps. *)
Definition hides eps b m e := 0 < b /\ INR m / b + e <= eps.

Lemma agree_shown roles (x y : table) : of_quilt n roles x = of_quilt n roles y ->
  of_remote n roles x = of_remote n roles y -> agree roles x y.
Proof.
  intros Eq Er k no. pose proof (proj1 (shown_same _ n x y) Eq k) as q.
  pose proof (proj1 (shown_same _ n x y) Er k) as r. cbn in q, r.
  destruct (roles k); [congruence|now apply q|now apply r].
Qed.

Lemma one_law roles i p (r : release_data (A := A) n) e m (N : table -> W -> R) x y w :
  law p -> likelihood N -> quilt_of roles i (eq p) -> told roles i p e ->
  moves_near roles (asked r) m -> reads_away roles N -> hides (at_level r) (with_noise r) m e ->
  let M := both (fun v => laplace (with_noise r) (asked r v)) N in
  let s := record_is dA i x in let t := record_is dA i y in
  Pw p M s w * P p t <= exp (at_level r) * P p s * Pw p M t w.
Proof.
  intros Lp N0 [_ ind] infl mov away [b0 room] M s t.
  replace (at_level r) with (e + (at_level r - e)) by ring. rewrite exp_plus.
  apply (quilt_mechanism (decide_shown dA n) (decide_shown dA n) (of_quilt n roles)
    (of_remote n roles) p M s t); auto.
  - intros v u. apply Rmult_le_pos; [now apply laplace_nonneg|apply N0].
  - left; apply exp_pos.
  - now apply ind.
  - now apply ind.
  - apply infl.
  - intros v u Eq Er. pose proof (agree_shown roles v u Eq Er) as same.
    unfold M, both. rewrite (away v u _ same), <- Rmult_assoc.
    apply Rmult_le_compat_r; [apply N0|]. eapply Rle_trans; [apply (laplace_near _ (INR m) _
      (asked r u)); auto|].
    apply Rmult_le_compat_r; [now apply laplace_nonneg|].
    assert (INR m / with_noise r <= at_level r - e) as [l|<-] by lra;
      [left; now apply exp_increasing|lra].
Qed.

(** Any quilt, any bound of its influence, and another release of records that are not near
    (song2017.x-any-quilt; inside the proofs of theorem 4.4 of wang2016 and lemma A.2 of song2017).
    Differs: the query moves by at most m where nearby records change, so that m may be the number
    of nearby records that it reads; finite values; density form. *)
Theorem any_quilt roles i priors (r : release_data (A := A) n) e m (N : table -> W -> R) :
  laws_only priors -> likelihood N -> quilt_of roles i priors -> told_in_class roles i priors e ->
  moves_near roles (asked r) m -> reads_away roles N -> hides (at_level r) (with_noise r) m e ->
  pufferfish (exp (at_level r)) (both (fun v => laplace (with_noise r) (asked r v)) N)
    (two_values_in dA n i i) priors.
Proof.
  intros laws N0 [ri ind] infl mov away room p s t w Hp [k [x [y [here [-> ->]]]]] _ _.
  replace k with i by lia. apply (one_law roles i p r e m); auto.
  split; [easy|]. intros q z ->. now apply ind.
Qed.
End Tables.

Section Mechanism.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}) {n : nat}.
Notation table := (vec A n).
Implicit Types (S : list (nat * (nat -> role))) (priors : (table -> R) -> Prop).

Definition nearby (roles : nat -> role) := length (filter (fun k => is_near (roles k)) (seq 0 n)).
Definition quilts_of S priors := forall q, In q S -> quilt_of dA (snd q) (fst q) priors.
(** Under each law each record has some quilt that is enough: e + m/b <= eps, with m nearby records,
    is a score m/(eps - e) of at most the scale b. *)
Definition quilts_score S (r : release_data (A := A) n) priors := forall p i, priors p ->
  (i < n)%nat -> exists q e, In q S /\ fst q = i /\ told dA (snd q) i p e /\
    hides (at_level r) (with_noise r) (nearby (snd q)) e.

Lemma lipschitz_near roles (f : table -> R) : lipschitz_table f ->
  moves_near roles f (nearby roles).
Proof.
  intros lip x y same. destruct (list_of x) as [|d l] eqn:E.
  - pose proof (list_length x) as len. rewrite E in len. destruct n as [|k]; [|discriminate].
    destruct x, y. rewrite Rminus_diag_eq, Rabs_R0 by easy. apply pos_INR.
  - rewrite <- (of_lists_is d n f x), <- (of_lists_is d n f y).
    apply (near_moves (of_lists d f) [] n x y (fun k => is_near (roles k))).
    + intros. now apply of_lists_lipschitz.
    + intros k no. apply same. intros r. cbn in no. now rewrite r in no.
Qed.

(** The Markov quilt mechanism (wang2016, theorem 4.4): its scale is, for every law and record, at
    least the score of one of the quilts that are searched, of which the largest over laws and
    records of the least over quilts is an instance.
    Differs: a quilt is what definition 4.3 says by its second condition, so that no network is
    needed; another quilt may be used under each law; tables have all combinations of values;
    density form. *)
Theorem searched_quilts S (r : release_data (A := A) n) priors :
  laws_only priors -> lipschitz_table (asked r) -> quilts_of S priors -> quilts_score S r priors ->
  pufferfish (exp (at_level r)) (fun v => laplace (with_noise r) (asked r v)) (two_values dA n)
    priors.
Proof.
  intros laws lip good score p s t w Hp [i [x [y [-> ->]]]] Ps Pt.
  destruct (Nat.lt_ge_cases i n) as [here|far].
  2: { exfalso. destruct (sum_pos_exists _ _ Ps) as [v [_ pv]]. revert pv.
    unfold inside, record_is, value, record.
    rewrite (proj2 (nth_error_None (list_of v) i)) by (now rewrite list_length).
    destruct (decide_option dA None (Some x)); [congruence|lra]. }
  destruct (score p i Hp here) as [[k roles] [e [mine [k_i [infl room]]]]]. simpl in *. subst k.
  destruct (good _ mine) as [ri ind]. simpl in *.
  set (N := fun (_ : table) (_ : unit) => 1).
  assert (unit_ : forall q (u : @secret table), Pw q (both (fun v => laplace (with_noise r) (asked r
    v)) N) u (w, tt) = Pw q (fun v => laplace (with_noise r) (asked r v)) u w).
  { intros q u. apply sum_ext; intros v _. unfold both, N. simpl. ring. }
  rewrite <- !unit_. apply (one_law dA roles i p r e (nearby roles)); auto.
  - intros v u. unfold N. lra.
  - split; [easy|]. intros q z ->. now apply ind.
  - now apply lipschitz_near.
  - now intros v u z.
Qed.
End Mechanism.

(** A set of records as a quilt: these records are in it, and none is near. *)
Definition set_of_records (R : nat -> bool) (k : nat) : role := if R k then quilt else remote.
Definition subset (S R : nat -> bool) := forall k, S k = true -> R k = true.

Section Sets.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}) {n : nat}.
Notation table := (vec A n).
Implicit Types (priors : (table -> R) -> Prop).

(** What more records tell is no less (song2017, lemma A.1): a bound of the max-influence of X_R is
    one of that of each X_S with S inside R, for any class.
    Differs: any weights on tables, of which the laws that factorise along a Bayesian network are
    some; X_i may be among the records of R; all records have their values in one finite set. *)
Theorem larger_set S R i priors e : subset S R ->
  told_in_class dA (set_of_records R) i priors e -> told_in_class dA (set_of_records S) i priors e.
Proof.
  intros sub infl p Hp x y.
  apply (coarser (decide_shown dA n) (decide_shown dA n) (of_quilt n (set_of_records R)) _
    (hide (fun k => no_quilt (set_of_records S k)))); [|now apply infl].
  intros v. apply hide_shown. intros k _. unfold set_of_records. specialize (sub k).
  now destruct (S k), (R k); try specialize (sub eq_refl).
Qed.

(** The records that are not near, as a release: the outputs are tables, which stand for their
    records that are not near. *)
Definition shows_away roles (v u : table) : R :=
  if decide_shown dA n (shown (fun k => is_near (roles k)) v)
    (shown (fun k => is_near (roles k)) u) then 1 else 0.

(** Lemma A.2 of song2017: the joint density of an output with noise and of all records that are not
    near, given two values of X_i, for a quilt whose score is at most the scale.
    Differs: influences are exact or upper bounds; the scale is at least the score of this quilt, as
    it is of the quilt of least score; finite values; density form. *)
Theorem joint_with_quilt roles i priors (r : release_data (A := A) n) e :
  laws_only priors -> lipschitz_table (asked r) -> quilt_of dA roles i priors ->
  told_in_class dA roles i priors e ->
  hides (at_level r) (with_noise r) (nearby (n := n) roles) e ->
  pufferfish (exp (at_level r)) (both (fun v => laplace (with_noise r) (asked r v))
    (shows_away roles)) (two_values_in dA n i i) priors.
Proof.
  intros laws lip good infl room.
  apply (any_quilt dA roles i priors r e (nearby (n := n) roles) (shows_away roles)); auto.
  - intros v u. unfold shows_away. destruct decide_shown; lra.
  - now apply lipschitz_near.
  - intros x y u same. unfold shows_away.
    replace (shown (fun k => is_near (roles k)) x) with (shown (fun k => is_near (roles k)) y);
      [easy|].
    apply shown_same. intros k h. symmetry. apply same. intros r0. now rewrite r0 in h.
Qed.
End Sets.

Section Chains.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The records lo .. hi - 1 are near, those next to them, as far as there are such, are a quilt of
    each of them, and no arrow joins a near and a remote record (wang2016, lemma 4.5).
    Differs: steps may depend on time; records are counted from 0; a side without a quilt record is
    given by lo = 0 or hi = n. *)
Theorem quilts_around n (class : chain_data -> Prop) lo hi i : chains_only class ->
  (lo <= i < hi)%nat ->
  quilt_separates chain_parents n (around lo hi) /\
  quilt_of dA (around lo hi) i (laws_of class n).
Proof.
  intros laws here. split.
  - intros k j m _ ij im [nj rm]. apply around_near in nj. apply around_remote in rm.
    destruct k as [|k]; simpl in ij, im; lia.
  - split; [now apply around_near|]. intros p x [c [Hc ->]]. destruct (laws c Hc) as [Li LT].
    apply (quilts_of_chains dA n (law_of_chain c n) lo hi i (record_is dA i x)); auto.
    + exists (fst c), (snd c). split; [exact Li|]. split; [exact LT|easy].
    + apply record_is_about.
Qed.

(** Both sets at once. *)
Definition meet {D} (s t : @secret D) : @secret D := fun x => s x && t x.

(** The Markov property (song2017.x-markov): given X_t, what depends on the records up to it and
    what depends on those from it on are independent.
    Differs: textbook; steps may depend on time, and X_t belongs to both sides. *)
Theorem sides_given_record (c : chain_data) n t v (s u : @secret (vec A n)) :
  looks_at (up_to t) s -> looks_at (from t) u ->
  let p := law_of_chain c n in let z := record_is dA t v in
  P p (meet s (meet u z)) * P p z = P p (meet s z) * P p (meet u z).
Proof.
  intros Hs Hu p z.
  pose proof (chain_separates dA (fst c) (snd c) n t (Some v)
    (fun x => if s x then 1 else 0) (fun x => if u x then 1 else 0)) as sep.
  assert (mean : forall a : @secret (vec A n), P p (meet a z) = mean_at (decide_option dA) p
    (record t) (Some v) (fun x => if a x then 1 else 0)).
  { intros a. apply sum_ext; intros x _. unfold inside, meet, z, record_is, value, at_.
    destruct (a x), (decide_option dA (record t x) (Some v)); simpl; ring. }
  unfold z. replace (P p (meet s (meet u (record_is dA t v)))) with
    (mean_at (decide_option dA) p (record t) (Some v)
      (fun x => (if s x then 1 else 0) * (if u x then 1 else 0))).
  2: { apply sum_ext; intros x _. unfold inside, meet, record_is, value, at_.
    destruct (s x), (u x), (decide_option dA (record t x) (Some v)); simpl; ring. }
  fold z. rewrite !mean. unfold z, record_is. rewrite P_value. apply sep.
  - intros x y E. now rewrite (Hs x y).
  - intros x y E. now rewrite (Hu x y).
Qed.
End Chains.
