(** The Markov quilt mechanism on a chain as a whole: every prior, every pair of secrets about a
    record, quilts on both sides, on one side or empty; the scale is enough for all of them. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace QuiltMechanism Chain.
Import ListNotations.
Open Scope R_scope.

(** The mechanism in any framework: each prior and pair has a quilt, for which b is enough. *)
Section Frameworks.
Context {D : Type} `{Finite D}.

(** Records near the quilt: query f moves by at most n while quilt and remote records stay. *)
Definition quilted (f : D -> R) (eps b : R) (p : D -> R) (s t : @secret D) :=
  exists (Q Far : Type) (_ : Finite Q) (_ : Finite Far)
    (dq : forall y z : Q, {y = z} + {y <> z}) (df : forall y z : Far, {y = z} + {y <> z})
    (quilt : D -> Q) (remote : D -> Far) (n e : R),
  independent_given_quilt dq df quilt remote p s /\
  independent_given_quilt dq df quilt remote p t /\
  influence_at_most dq quilt (exp e) p s t /\
  (forall x y, quilt x = quilt y -> remote x = remote y -> Rabs (f x - f y) <= n) /\
  e < eps /\ 0 < n /\ n / (eps - e) <= b.

(** The Markov quilt mechanism (wang2016, theorem 4.4; song2017.mqm-private-repaired): b is at least
    the score of some quilt for every prior and pair, so that it may be the largest over records of
    the least over quilts.
    Differs: a quilt is given by conditional independence instead of a Bayesian network; quilts may
    depend on the pair; density form. *)
Theorem quilt_mechanism_in_a_framework (f : D -> R) eps b
    (pairs : secret -> secret -> Prop) (priors : (D -> R) -> Prop) :
  laws_only priors ->
  (forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> quilted f eps b p s t) ->
  pufferfish (exp eps) (fun x => laplace b (f x)) pairs priors.
Proof.
  intros L each p s t w Hp Hst Ps Pt.
  destruct (each p s t Hp Hst Ps Pt)
    as [Q [Far [FQ [FF [dq [df [quilt [remote [n [e [cs [ct [infl [lip [e1 [n0 sc]]]]]]]]]]]]]]]].
  now apply (markov_quilt_mechanism dq df quilt remote p s t f n e eps b w); auto.
Qed.
End Frameworks.

(** If the weight is a factor of (nearby, quilt) times one of the other records,
    and the quilt is among
    those, then the others tell nothing more about what is near. *)
Section Factors.
Context {N Q Far : Type} `{Finite N} `{Finite Far}.
Context (dq : forall y z : Q, {y = z} + {y <> z}) (df : forall y z : Far, {y = z} + {y <> z}).
Context (q : Far -> Q) (g : N -> Q -> R) (h : Far -> R) (p : N * Far -> R).
Hypothesis weight : forall n r, p (n, r) = g n (q r) * h r.
Definition quilt_in (x : N * Far) := q (snd x).
Definition others (x : N * Far) := snd x.

Definition near_weight (c : N -> bool) y := Σ n, (if c n then 1 else 0) * g n y.

Lemma others_weight (u : @secret (N * Far)) (c : N -> bool) y r : (forall n r, u (n, r) = c n) ->
  p_quilt_remote dq df quilt_in others p u y r = near_weight c y *
    ((if dq (q r) y then 1 else 0) * h r).
Proof.
  intros E. unfold p_quilt_remote, Pz, near_weight. rewrite Sum_pairs, Rmult_comm, <- sum_scale.
  apply sum_ext; intros n _.
  transitivity (Σ v, ((if dq (q v) y then 1 else 0) * h v * ((if c n then 1 else 0) * g n y)) *
                     (if df v r then 1 else 0)); [|now rewrite pick].
  apply sum_ext; intros v _. unfold inside, at_, quilt_in, others; cbn [fst snd]. rewrite E, weight.
  destruct (df v r) as [<-|ne].
  - destruct (dec2 dq df (q v, v) (y, v)) as [F|F], (dq (q v) y) as [<-|]; try congruence;
      destruct (c n); ring.
  - destruct (dec2 dq df (q v, v) (y, r)) as [F|F]; [congruence|]. destruct (c n); ring.
Qed.

Lemma quilt_in_weight (u : @secret (N * Far)) (c : N -> bool) y : (forall n r, u (n, r) = c n) ->
  p_quilt dq quilt_in p u y = near_weight c y * Σ r, (if dq (q r) y then 1 else 0) * h r.
Proof.
  intros E. unfold p_quilt, Pz, near_weight. rewrite Sum_pairs, Rmult_comm, <- sum_scale.
  apply sum_ext; intros n _. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros r _.
  unfold inside, at_, quilt_in; simpl. rewrite E, weight.
  destruct (dq (q r) y) as [<-|]; destruct (c n); ring.
Qed.

Lemma near_independent (s : @secret (N * Far)) : (forall n r r', s (n, r) = s (n, r')) ->
  independent_given_quilt dq df quilt_in others p s.
Proof.
  intros E y r. set (c n := s (n, r)).
  rewrite (others_weight s c), (quilt_in_weight s c) by (intros; apply E).
  rewrite (others_weight everything (fun _ => true)), (quilt_in_weight everything (fun _ => true))
    by easy. ring.
Qed.
End Factors.

#[export] Instance finite_option {A} `{Finite A} : Finite (option A).
Proof.
  exists (None :: map Some all).
  - constructor; [rewrite in_map_iff; intros [x [E _]]; discriminate|].
    apply FinFun.Injective_map_NoDup; [intros x y E; congruence|apply all_once].
  - intros [x|]; simpl; [right; apply in_map, all_here|now left].
Defined.

(** Vectors one after the other. *)
Fixpoint join {A} {a b} : vec A a -> vec A b -> vec A (a + b) :=
  match a with O => fun _ v => v | S a => fun u v => (fst u, join (snd u) v) end.

Lemma list_join {A a b} (u : vec A a) (v : vec A b) : list_of (join u v) = list_of u ++ list_of v.
Proof. induction a; simpl; [easy|]. now rewrite IHa. Qed.

Lemma Sum_join {A} `{Finite A} a b (F : vec A (a + b) -> R) :
  (Σ v, F v) = Σ u : vec A a, Σ v : vec A b, F (join u v).
Proof.
  induction a as [|a IH]; [simpl; ring|].
  transitivity (Σ x, Σ v : vec A (a + b), F (x, v)); [apply (@Sum_pairs A (vec A (a + b)))|].
  transitivity (Σ x, Σ u : vec A a, Σ v : vec A b, F (x, join u v));
    [apply sum_ext; intros x _; apply (IH (fun v => F (x, v)))|].
  symmetry. apply (@Sum_pairs A (vec A a) _ _ (fun u => Σ v : vec A b, F (join (a := S a) u v))).
Qed.

Section Chains.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

Definition sequence_law (initial : A -> R) (T : nat -> A -> A -> R) n (v : vec A n) :=
  chain_weight initial T (list_of v).

(** Records lo .. hi - 1 are near; their quilt is the record before them and the one after them, as
    far as there are such. *)
Definition before (lo : nat) (l : list A) := match lo with O => None | S k => nth_error l k end.
Definition quilt_around lo hi {n} (v : vec A n) : option A * option A :=
  (before lo (list_of v), nth_error (list_of v) hi).
Definition decide_pair (x y : option A * option A) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.
Definition decide_others {a b} (x y : vec A a * vec A b) : {x = y} + {x <> y}.
Proof. decide equality; apply vec_dec, dA. Defined.

(** A secret about record i, such as X_i = x. *)
Definition about i {n} (s : @secret (vec A n)) :=
  forall v w, nth_error (list_of v) i = nth_error (list_of w) i -> s v = s w.

Section OneChain.
Context (initial : A -> R) (T : nat -> A -> A -> R).
Hypotheses (Li : law initial) (LT : forall k x, law (T k x)).

Lemma sequence_is_law n : law (sequence_law initial T n).
Proof.
  split; [intros; now apply chain_weight_nonneg|]. unfold sequence_law.
  destruct n as [|n]; [simpl; lra|]. rewrite Sum_vec.
  rewrite (sum_ext all _ initial); [apply Li|]. intros x _. simpl.
  now rewrite sum_scale, steps_total, Rmult_1_r.
Qed.

(** The weight of nearby records between what stands before and after them. *)
Definition between a (n : list A) (y : option A * option A) :=
  let rest := n ++ match snd y with Some z => [z] | None => [] end in
  match fst y with Some x => steps T (pred a) x rest | None => chain_weight initial T rest end.
Definition after k (l : list A) := match l with [] => 1 | z :: l => steps T k z l end.

Lemma weight_in_blocks u n w :
  chain_weight initial T (u ++ n ++ w) =
  between (length u) n (before (length u) u, nth_error w 0) *
  (chain_weight initial T u * after (length u + length n) w).
Proof.
  destruct u as [|x u] using rev_ind; unfold between, after; simpl.
  - destruct w as [|z w]; simpl; [rewrite app_nil_r; ring|]. rewrite chain_app. ring.
  - clear IHu. rewrite app_length; simpl length. rewrite Nat.add_1_r. simpl before.
    rewrite nth_error_app2, Nat.sub_diag by lia. simpl. rewrite <- app_assoc. simpl app.
    rewrite chain_app. destruct w as [|z w]; simpl; [rewrite !app_nil_r; ring|].
    rewrite steps_app. replace (S (length n) + length u)%nat with (S (length u + length n)) by lia.
    ring.
Qed.
End OneChain.

(** Blocks of a nearby records and the others, and the whole sequence. *)
Section Blocks.
Context (a m b : nat).
Notation blocks := (vec A m * (vec A a * vec A b))%type.
Definition whole (x : blocks) : vec A (a + (m + b)) := join (fst (snd x))
  (join (fst x) (snd (snd x))).

Lemma Sum_whole F : (Σ v, F v) = Σ x : blocks, F (whole x).
Proof.
  rewrite Sum_join. rewrite (Sum_pairs (B := (vec A a * vec A b)%type)).
  rewrite (sum_ext all _ (fun u : vec A a => Σ n : vec A m, Σ w : vec A b, F (join u (join n w))))
    by (intros u _; apply (Sum_join m b (fun v => F (join u v)))).
  rewrite sum_swap. apply sum_ext; intros n _. symmetry. apply Sum_pairs.
Qed.

Lemma list_whole n u w : list_of (whole (n, (u, w))) = list_of u ++ list_of n ++ list_of w.
Proof. unfold whole; simpl. now rewrite !list_join. Qed.

Definition quilt_of_others (r : vec A a * vec A b) : option A * option A :=
  (before a (list_of (fst r)), nth_error (list_of (snd r)) 0).

Lemma before_app k (l r : list A) : (k <= length l)%nat -> before k (l ++ r) = before k l.
Proof. destruct k; simpl; [easy|]. intros; now rewrite nth_error_app1. Qed.

Lemma quilt_whole x : quilt_around a (a + m) (whole x) = quilt_of_others (snd x).
Proof.
  destruct x as [n [u w]]. unfold quilt_around, quilt_of_others. rewrite list_whole. simpl.
  rewrite before_app by now rewrite list_length. f_equal.
  rewrite nth_error_app2 by (rewrite list_length; lia).
  rewrite nth_error_app2 by (rewrite !list_length; lia).
  rewrite !list_length. now replace (a + m - a - m)%nat with 0%nat by lia.
Qed.

Lemma nth_near (u : vec A a) (n : vec A m) (w : vec A b) i : (a <= i < a + m)%nat ->
  nth_error (list_of u ++ list_of n ++ list_of w) i = nth_error (list_of n) (i - a).
Proof.
  intros here. rewrite nth_error_app2 by (rewrite list_length; lia).
  rewrite list_length. apply nth_error_app1. rewrite list_length. lia.
Qed.

Lemma about_near i s : (a <= i < a + m)%nat -> about i s ->
  forall n r r', s (whole (n, r)) = s (whole (n, r')).
Proof.
  intros here only n [u w] [u' w']. apply only. rewrite !list_whole.
  now rewrite !nth_near.
Qed.

Context (initial : A -> R) (T : nat -> A -> A -> R).
Hypotheses (Li : law initial) (LT : forall k x, law (T k x)).
Definition block_law (x : blocks) := sequence_law initial T (a + (m + b)) (whole x).

Lemma block_weight n r : block_law (n, r) = between initial T a (list_of n) (quilt_of_others r) *
  (chain_weight initial T (list_of (fst r)) * after T (a + m) (list_of (snd r))).
Proof.
  destruct r as [u w]. unfold block_law, sequence_law. rewrite list_whole.
  rewrite (weight_in_blocks initial T (list_of u) (list_of n) (list_of w)).
  now rewrite !list_length.
Qed.

Definition in_blocks (s : @secret (vec A (a + (m + b)))) : @secret blocks := fun x => s (whole x).

Lemma P_blocks s : P (sequence_law initial T (a + (m + b))) s = P block_law (in_blocks s).
Proof. apply (Sum_whole (fun v => inside _ s v)). Qed.

Lemma Pw_blocks {W} (M : vec A (a + (m + b)) -> W -> R) s w :
  Pw (sequence_law initial T (a + (m + b))) M s w = Pw block_law (fun x => M (whole x))
    (in_blocks s) w.
Proof. apply (Sum_whole (fun v => inside _ s v * M v w)). Qed.

Lemma influence_blocks I s t :
  influence_at_most decide_pair (quilt_around a (a + m)) I
    (sequence_law initial T (a + (m + b))) s t ->
  influence_at_most decide_pair (quilt_in quilt_of_others) I block_law (in_blocks s) (in_blocks t).
Proof.
  intros infl y. specialize (infl y). rewrite !P_blocks in infl.
  assert (E : forall u, p_quilt decide_pair (quilt_around a (a + m))
                          (sequence_law initial T (a + (m + b))) u y =
                        p_quilt decide_pair (quilt_in quilt_of_others) block_law (in_blocks u) y).
  { intros u. unfold p_quilt, Pz. rewrite Sum_whole. apply sum_ext; intros x _.
    unfold at_, quilt_in. now rewrite quilt_whole. }
  now rewrite !E in infl.
Qed.

Lemma mechanism_in_blocks (f : list A -> R) i e eps scale s t w :
  (forall l x y r, Rabs (f (l ++ x :: r) - f (l ++ y :: r)) <= 1) ->
  (a <= i < a + m)%nat -> about i s -> about i t ->
  let p := sequence_law initial T (a + (m + b)) in
  let M v := laplace scale (f (list_of v)) in
  influence_at_most decide_pair (quilt_around a (a + m)) (exp e) p s t ->
  e < eps -> INR m / (eps - e) <= scale ->
  Pw p M s w * P p t <= exp eps * P p s * Pw p M t w.
Proof.
  intros lip here As At p M infl e1 sc. unfold p, M in *. rewrite !Pw_blocks, !P_blocks in *.
  pose (g (n : vec A m) y := between initial T a (list_of n) y).
  pose (h (r : vec A a * vec A b) := chain_weight initial T (list_of (fst r)) * after T (a + m)
    (list_of (snd r))).
  assert (weight : forall n r, block_law (n, r) = g n (quilt_of_others r) * h r)
    by (intros; apply block_weight).
  apply (markov_quilt_mechanism decide_pair decide_others (quilt_in quilt_of_others)
           others block_law (in_blocks s) (in_blocks t) (fun x => f (list_of (whole x))) (INR m) e);
    auto.
  - split; [intros x; now apply sequence_is_law|].
    transitivity (Σ v, sequence_law initial T (a + (m + b)) v); [symmetry; apply Sum_whole|].
    now apply sequence_is_law.
  - apply (near_independent _ _ _ _ _ _ weight). now apply (about_near i).
  - apply (near_independent _ _ _ _ _ _ weight). now apply (about_near i).
  - now apply influence_blocks.
  - intros [n r] [n' r'] _ E. unfold others in E; simpl in E; subst r'. destruct r as [u v].
    rewrite !list_whole. replace (INR m) with (INR (length (list_of n))) by now rewrite list_length.
    apply lipschitz_block; [easy|].
    now rewrite !list_length.
  - apply lt_0_INR. lia.
Qed.
End Blocks.

(** The laws of Markov chains of n records, each with an initial law and steps that may depend on
    time. *)
Definition chain_of n (p : vec A n -> R) := exists initial T,
  law initial /\ (forall k x, law (T k x)) /\ forall v, p v = sequence_law initial T n v.

(** A scale that is enough for record i: some quilt around it has at most this score. *)
Definition scale_enough {n} eps scale (p : vec A n -> R) (s t : @secret (vec A n)) :=
  exists i lo hi e, (lo <= i < hi)%nat /\ (hi <= n)%nat /\ about i s /\ about i t /\
    influence_at_most decide_pair (quilt_around lo hi) (exp e) p s t /\
    e < eps /\ INR (hi - lo) / (eps - e) <= scale.

(** The Markov quilt mechanism on Markov chains (wang2016, theorem 4.4 and section 4.3;
    song2017.mqm-private-repaired): the scale is at least the score of some quilt, two-sided,
    one-sided or empty, for every chain of the class,
    every record and every pair of secrets about it. So the largest over all of these of the least
    score is enough.
    Differs: steps may depend on time; influence is bounded for the pair of secrets, of which the
    max-influence is the largest; density form. *)
Theorem quilt_mechanism_on_chains n (f : list A -> R) eps scale
    (pairs : @secret (vec A n) -> @secret (vec A n) -> Prop) (priors : (vec A n -> R) -> Prop) :
  (forall p, priors p -> chain_of n p) ->
  (forall l x y r, Rabs (f (l ++ x :: r) - f (l ++ y :: r)) <= 1) ->
  (forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> scale_enough eps scale p s t) ->
  pufferfish (exp eps) (fun v => laplace scale (f (list_of v))) pairs priors.
Proof.
  intros chains lip enough p s t w Hp Hst Ps Pt.
  destruct (enough p s t Hp Hst Ps Pt) as [i [lo [hi [e [here [top [As [At [infl [e1 sc]]]]]]]]]].
  destruct (chains p Hp) as [initial [T [Li [LT same]]]].
  assert (exists m b, hi = lo + m /\ n = lo + (m + b))%nat as [m [b [Eh En]]]
    by (exists (hi - lo)%nat, (n - hi)%nat; lia).
  subst hi n. replace (lo + m - lo)%nat with m in sc by lia.
  assert (p = sequence_law initial T _) as -> by (apply functional_extensionality; apply same).
  apply (mechanism_in_blocks lo m b initial T Li LT f i e); auto; lia.
Qed.

(** The empty quilt tells nothing: its score is n / eps, that of group privacy. *)
Lemma empty_quilt n p (s t : @secret (vec A n)) :
  influence_at_most decide_pair (quilt_around 0 n) (exp 0) p s t.
Proof.
  intros y. rewrite exp_0.
  assert (E : forall u, p_quilt decide_pair (quilt_around 0 n) p u y =
              P p u * (if decide_pair (None, None) y then 1 else 0)).
  { intros u. unfold p_quilt, Pz, P. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros v _.
    unfold at_, quilt_around, before. rewrite (proj2 (nth_error_None _ _))
      by now rewrite list_length.
    ring. }
  rewrite !E. right. ring.
Qed.
End Chains.
