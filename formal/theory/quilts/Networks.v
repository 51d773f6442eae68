(** Bayesian networks: where a quilt separates, conditional independence follows from how the law
    factorises, and the Markov quilt mechanism keeps its promise. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace Chain ChainQuilts.
From Pufferproof Require Import Means RecordTables.
Import ListNotations.
Open Scope R_scope.

(** A sum over a finite type does not change when its members are swapped. *)
Lemma sum_permutation {A} (l m : list A) f : Permutation l m -> sum l f = sum m f.
Proof. induction 1; simpl; lra. Qed.

Lemma Sum_swapped {D} `{Finite D} (f : D -> D) F : (forall x, f (f x) = x) ->
  (Σ x, F (f x)) = Σ x, F x.
Proof.
  intros back. rewrite <- (sum_map all f F). apply sum_permutation.
  apply NoDup_Permutation; [|apply all_once|].
  - apply FinFun.Injective_map_NoDup; [|apply all_once].
    intros x y E. rewrite <- (back x), <- (back y). now rewrite E.
  - intros x. split; intros _; [apply all_here|].
    rewrite <- (back x). apply in_map, all_here.
Qed.

Section Tables.
Context {A : Type}.

Lemma vec_ext n (x y : vec A n) :
  (forall k, nth_error (list_of x) k = nth_error (list_of y) k) -> x = y.
Proof.
  induction n as [|n IH]; [now destruct x, y|]. destruct x as [a x], y as [b y]. intros same.
  pose proof (same 0%nat) as head. injection head as ->. f_equal.
  apply IH. intros k. apply (same (S k)).
Qed.

Lemma shown_same hidden n (x y : vec A n) : shown hidden x = shown hidden y <->
  forall k, hidden k = false -> nth_error (list_of x) k = nth_error (list_of y) k.
Proof.
  revert hidden x y; induction n as [|n IH]; intros hidden x y; [destruct x, y; easy|].
  destruct x as [a x], y as [b y]. simpl. split.
  - intros E. injection E as head tail. pose proof (proj1 (IH _ x y) tail) as rest.
    intros [|k] h; simpl in *.
    + rewrite h in head. injection head as ->. easy.
    + now apply rest.
  - intros same. f_equal.
    + destruct (hidden 0%nat) eqn:h; [easy|]. apply (same 0%nat h).
    + apply IH. intros k h. apply (same (S k) h).
Qed.

(** The chosen records of x, and the others of y. *)
Fixpoint mix (chosen : nat -> bool) {n} : vec A n -> vec A n -> vec A n :=
  match n with O => fun _ _ => tt
  | S n => fun x y => (if chosen 0%nat then fst x else fst y,
                       mix (next_record chosen) (snd x) (snd y)) end.

Lemma nth_mix chosen n (x y : vec A n) k : nth_error (list_of (mix chosen x y)) k =
  nth_error (list_of (if chosen k then x else y)) k.
Proof.
  revert chosen x y k; induction n as [|n IH]; intros chosen x y k; [now destruct (chosen k)|].
  destruct x as [a x], y as [b y], k as [|k]; simpl.
  - now destruct (chosen 0%nat).
  - rewrite IH. unfold next_record. now destruct (chosen (S k)).
Qed.

Lemma mix_back chosen n (x y : vec A n) : mix chosen (mix chosen x y) (mix chosen y x) = x.
Proof.
  apply vec_ext. intros k. rewrite nth_mix. destruct (chosen k) eqn:c; rewrite nth_mix, c; easy.
Qed.
End Tables.

Section Networks.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** Records in an order in which parents come first: K i x past is the probability that record i is
    x, given the records before it. *)
Fixpoint network_weight (K : nat -> A -> list A -> R) (past l : list A) : R :=
  match l with [] => 1 | x :: l => K (length past) x past * network_weight K (past ++ [x]) l end.
(** A law on n records that factorises along a network: each record depends on its parents. *)
Definition network_of (parents : nat -> list nat) n (p : vec A n -> R) := exists K,
  (forall i past, law (fun x => K i x past)) /\
  (forall i x past past', (forall j, In j (parents i) -> nth_error past j = nth_error past' j) ->
    K i x past = K i x past') /\
  forall v, p v = network_weight K [] (list_of v).

Lemma network_total K n past : (forall i past, law (fun x => K i x past)) ->
  (Σ v : vec A n, network_weight K past (list_of v)) = 1.
Proof.
  intros LK. revert past; induction n as [|n IH]; intros past; [simpl; lra|].
  rewrite Sum_vec. simpl.
  rewrite (sum_ext all _ (fun x => K (length past) x past)); [apply LK|].
  intros x _. now rewrite sum_scale, IH, Rmult_1_r.
Qed.

Lemma network_nonneg K past l : (forall i past, law (fun x => K i x past)) ->
  0 <= network_weight K past l.
Proof.
  intros LK. revert past; induction l as [|x l IH]; intros past; simpl; [lra|].
  apply Rmult_le_pos; [apply LK|apply IH].
Qed.

Lemma network_is_law parents n p : network_of parents n p -> law p.
Proof.
  intros [K [LK [_ E]]]. split.
  - intros v. rewrite E. now apply network_nonneg.
  - rewrite <- (network_total K n [] LK). apply sum_ext; intros; apply E.
Qed.

(** The weight of one record with its parents. *)
Definition node (K : nat -> A -> list A -> R) l i :=
  match nth_error l i with Some x => K i x (firstn i l) | None => 1 end.

Lemma weight_of_nodes K past l :
  network_weight K past l = prod (seq (length past) (length l)) (node K (past ++ l)).
Proof.
  revert past; induction l as [|x l IH]; intros past; [easy|]. simpl. f_equal.
  - unfold node. rewrite nth_error_app2, Nat.sub_diag by lia. simpl.
    rewrite firstn_app, Nat.sub_diag, firstn_all. simpl. now rewrite app_nil_r.
  - rewrite IH, app_length. simpl. rewrite Nat.add_1_r, <- app_assoc. easy.
Qed.

(** What a record is to a quilt. *)
Inductive role := near | quilt | remote.
Definition is_near (r : role) := match r with near => true | _ => false end.
Definition no_quilt (r : role) := match r with quilt => false | _ => true end.
Definition no_remote (r : role) := match r with remote => false | _ => true end.
(** No record has, with its parents, both a near and a remote one: quilt records separate. *)
Definition quilt_separates (parents : nat -> list nat) n (roles : nat -> role) :=
  forall i j k, (i < n)%nat -> In j (i :: parents i) -> In k (i :: parents i) ->
  ~ (roles j = near /\ roles k = remote).

Section OneLaw.
Context (parents : nat -> list nat) (n : nat) (roles : nat -> role).
Hypothesis separated : quilt_separates parents n roles.
Definition of_quilt (v : vec A n) := shown (fun j => no_quilt (roles j)) v.
Definition of_remote (v : vec A n) := shown (fun j => no_remote (roles j)) v.
Definition near_of (x y : vec A n) := mix (fun j => is_near (roles j)) x y.

Lemma family_same K (l m : list A) i : length l = length m ->
  (forall i x past past', (forall j, In j (parents i) -> nth_error past j = nth_error past' j) ->
    K i x past = K i x past') ->
  (forall j, In j (i :: parents i) -> nth_error l j = nth_error m j) -> node K l i = node K m i.
Proof.
  intros len local same. unfold node. rewrite (same i) by now left.
  destruct (nth_error m i); [|easy]. apply local. intros j here.
  destruct (Compare_dec.le_lt_dec i j) as [late|early].
  - assert (none : forall u : list A, nth_error (firstn i u) j = None).
    { intros u. apply nth_error_None. rewrite firstn_length. lia. }
    now rewrite !none.
  - assert (first : forall u : list A, nth_error (firstn i u) j = nth_error u j).
    { clear -early. intros u. revert i j early.
      induction u as [|x u IH]; intros [|i] [|j] early; try lia; try easy.
      simpl. apply IH. lia. }
    rewrite !first. apply same. now right.
Qed.

(** Near records may be swapped between databases with the same quilt. *)
Lemma weights_swap p x y : network_of parents n p -> of_quilt x = of_quilt y ->
  p (near_of x y) * p (near_of y x) = p x * p y.
Proof.
  intros [K [_ [local E]]] same. rewrite !E, !weight_of_nodes, !list_length. simpl length.
  rewrite !app_nil_l, <- !prod_mult. apply prod_ext. intros i i_in.
  apply in_seq in i_in. simpl in i_in.
  assert (quilted : forall j, roles j = quilt ->
    nth_error (list_of x) j = nth_error (list_of y) j).
  { intros j r. apply (proj1 (shown_same _ n x y) same). now rewrite r. }
  assert (taken : forall u v j, nth_error (list_of (near_of u v)) j =
    nth_error (list_of (if is_near (roles j) then u else v)) j) by (intros; apply nth_mix).
  assert (some_near : (exists j, In j (i :: parents i) /\ roles j = near) \/
    forall j, In j (i :: parents i) -> roles j <> near).
  { induction (i :: parents i) as [|a l [[j [here r]]|none]].
    - right; intros ? [].
    - left. exists j. split; [now right|easy].
    - destruct (roles a) eqn:r; [left; exists a; split; [now left|easy]|right..];
        intros j [<-|here]; try congruence; auto. }
  destruct some_near as [[j [here r]]|none].
  - rewrite (family_same K (list_of (near_of x y)) (list_of x)),
      (family_same K (list_of (near_of y x)) (list_of y)); auto; try (now rewrite !list_length);
      intros k in_k; rewrite taken; destruct (roles k) eqn:rk; simpl; auto;
      try (now rewrite quilted); destruct (separated i j k ltac:(lia) here in_k); easy.
  - rewrite (Rmult_comm (node K (list_of x) i)).
    rewrite (family_same K (list_of (near_of x y)) (list_of y)),
      (family_same K (list_of (near_of y x)) (list_of x)); auto; try (now rewrite !list_length);
      intros k in_k; rewrite taken; specialize (none k in_k); destruct (roles k); easy.
Qed.

Notation dshown := (decide_shown dA n).

(** Where the quilt separates, remote records are independent of a near one given the quilt
    (wang2016, definition 4.3; massny2025, definition 4): from the factors of the law alone.
    Differs: textbook; records are numbered so that parents come first; separation is of the graph
    in which parents of one record are joined. *)
Theorem network_separates p i (s : @secret (vec A n)) : network_of parents n p ->
  roles i = near -> about i s ->
  independent_given_quilt dshown dshown of_quilt of_remote p s.
Proof.
  intros net ri about_i q r. unfold p_quilt_remote, p_quilt, Pz. rewrite !sum_product.
  set (F := fun xy : vec A n * vec A n =>
    inside p s (fst xy) *
      at_ (dec2 dshown dshown) (fun x => (of_quilt x, of_remote x)) (q, r) (fst xy) *
      (inside p everything (snd xy) * at_ dshown of_quilt q (snd xy))).
  set (swap := fun xy : vec A n * vec A n =>
    (near_of (fst xy) (snd xy), near_of (snd xy) (fst xy))).
  transitivity (Σ xy, F xy); [symmetry; apply (Sum_pairs F)|].
  rewrite <- (Sum_swapped swap F).
  2: { intros [x y]. unfold swap; simpl. unfold near_of. now rewrite !mix_back. }
  etransitivity; [apply (Sum_pairs (fun xy => F (swap xy)))|].
  apply sum_ext; intros x _. apply sum_ext; intros y _. unfold F, swap; simpl fst; simpl snd.
  assert (quilts : forall u v, of_quilt (near_of u v) = of_quilt v).
  { intros u v. apply shown_same. intros k h. unfold near_of. rewrite nth_mix.
    destruct (roles k); easy. }
  assert (remotes : of_remote (near_of x y) = of_remote y).
  { apply shown_same. intros k h. unfold near_of. rewrite nth_mix. destruct (roles k); easy. }
  assert (secrets : s (near_of x y) = s x).
  { apply about_i. unfold near_of. now rewrite nth_mix, ri. }
  unfold at_. rewrite !quilts, remotes. unfold inside, everything. rewrite secrets.
  destruct (dshown (of_quilt x) q) as [qx|], (dshown (of_quilt y) q) as [qy|],
    (dec2 dshown dshown (of_quilt y, of_remote y) (q, r)) as [both|other]; try ring; try congruence.
  pose proof (weights_swap p x y net ltac:(congruence)) as swapped.
  destruct (s x); [|ring]. rewrite !Rmult_1_r. exact swapped.
Qed.

Lemma near_moves (f : list A -> R) past (m : nat) (x y : vec A m) chosen :
  (forall l a b r, Rabs (f (l ++ a :: r) - f (l ++ b :: r)) <= 1) ->
  (forall k, chosen (length past + k)%nat = false ->
    nth_error (list_of x) k = nth_error (list_of y) k) ->
  Rabs (f (past ++ list_of x) - f (past ++ list_of y)) <=
  INR (length (filter chosen (seq (length past) m))).
Proof.
  intros lip. revert past x y; induction m as [|m IH]; intros past x y same.
  - destruct x, y. simpl. rewrite Rminus_diag_eq, Rabs_R0 by easy. lra.
  - destruct x as [a x], y as [b y]. simpl.
    assert (tail : Rabs (f (past ++ b :: list_of x) - f (past ++ b :: list_of y)) <=
      INR (length (filter chosen (seq (S (length past)) m)))).
    { specialize (IH (past ++ [b]) x y). rewrite app_length, Nat.add_1_r, <- !app_assoc in IH.
      apply IH. intros k c. apply (same (S k)). now rewrite Nat.add_succ_r. }
    destruct (chosen (length past)) eqn:c.
    + simpl length. rewrite S_INR. specialize (lip past a b (list_of x)).
      pose proof (Rabs_triang (f (past ++ a :: list_of x) - f (past ++ b :: list_of x))
        (f (past ++ b :: list_of x) - f (past ++ b :: list_of y))) as tri.
      replace (f (past ++ a :: list_of x) - f (past ++ b :: list_of x) +
        (f (past ++ b :: list_of x) - f (past ++ b :: list_of y))) with
        (f (past ++ a :: list_of x) - f (past ++ b :: list_of y)) in tri by ring. lra.
    + pose proof (same 0%nat) as head. rewrite Nat.add_0_r in head. specialize (head c).
      injection head as ->. exact tail.
Qed.
End OneLaw.

(** A scale that is enough for record i: some quilt that separates has at most this score. *)
Definition network_scale_enough parents {n} eps scale (p : vec A n -> R)
    (s t : @secret (vec A n)) := exists i roles e,
  (i < n)%nat /\ roles i = near /\ about i s /\ about i t /\ quilt_separates parents n roles /\
  influence_at_most (decide_shown dA n) (of_quilt n roles) (exp e) p s t /\ e < eps /\
  INR (length (filter (fun j => is_near (roles j)) (seq 0 n))) / (eps - e) <= scale.

(** The Markov quilt mechanism on a Bayesian network (wang2016, theorem 4.4): for every law of the
    class that factorises along the network, every record and every pair of secrets about it the
    scale is at least the score of some quilt that separates. So the largest over all of these of
    the least score is enough.
    Differs: records are numbered so that parents come first; a quilt separates where no record and
    its parents are near and remote together, from which conditional independence is proved;
    influence is bounded for the pair of secrets, of which the max-influence is the largest; density
    form. *)
Theorem quilt_mechanism_on_networks parents n (f : list A -> R) eps scale
    (pairs : @secret (vec A n) -> @secret (vec A n) -> Prop) (priors : (vec A n -> R) -> Prop) :
  (forall p, priors p -> network_of parents n p) ->
  (forall l a b r, Rabs (f (l ++ a :: r) - f (l ++ b :: r)) <= 1) ->
  (forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t ->
    network_scale_enough parents eps scale p s t) ->
  pufferfish (exp eps) (fun v => laplace scale (f (list_of v))) pairs priors.
Proof.
  intros nets lip enough. apply quilt_mechanism_in_a_framework.
  - intros p Hp. now apply (network_is_law parents), nets.
  - intros p s t Hp st Ps Pt. specialize (nets p Hp).
    destruct (enough p s t Hp st Ps Pt)
      as [i [roles [e [here [ri [As [At [sep [infl [e1 sc]]]]]]]]]].
    exists (vec (option A) n), (vec (option A) n), _, _, (decide_shown dA n), (decide_shown dA n),
      (of_quilt n roles), (of_remote n roles),
      (INR (length (filter (fun j => is_near (roles j)) (seq 0 n)))), e.
    split; [now apply (network_separates parents n roles sep p i)|].
    split; [now apply (network_separates parents n roles sep p i)|].
    split; [exact infl|]. split; [|split; [exact e1|split; [|exact sc]]].
    + intros x y Eq Er. apply (near_moves f [] n x y (fun j => is_near (roles j)) lip).
      intros k no. pose proof (proj1 (shown_same _ n x y) Eq k) as same_q.
      pose proof (proj1 (shown_same _ n x y) Er k) as same_r.
      cbn in no, same_q, same_r. destruct (roles k); try easy; auto.
    + apply lt_0_INR. assert (In i (filter (fun j => is_near (roles j)) (seq 0 n))) as there.
      { apply filter_In. rewrite ri. split; [apply in_seq; lia|easy]. }
      destruct (filter _ _); [destruct there|simpl; lia].
Qed.
End Networks.
