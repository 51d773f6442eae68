(** Markov chains: two records, one on each side, are a Markov quilt;
    so the mechanism keeps its promise on every chain. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Laplace QuiltMechanism.
Import ListNotations.
Open Scope R_scope.

(** If the weight of a database is a factor of (nearby, quilt) times one of (quilt, remote),
    remote records tell nothing more. *)
Section Factors.
Context {N Q Far : Type} `{Finite N} `{Finite Q} `{Finite Far}.
Context (dq : forall y z : Q, {y = z} + {y <> z}) (df : forall y z : Far, {y = z} + {y <> z}).
Context (g : N -> Q -> R) (h : Q -> Far -> R) (p : N * (Q * Far) -> R) (s : @secret (N * (Q * Far)))
  (near : N -> bool).
Hypothesis weight : forall n q r, p (n, (q, r)) = g n q * h q r.
Hypothesis on_near : forall n q r, s (n, (q, r)) = near n.
Definition quilt_of (x : N * (Q * Far)) := fst (snd x).
Definition remote_of (x : N * (Q * Far)) := snd (snd x).

Lemma pick_both q r (k : Q -> Far -> R) :
  (Σ v, Σ u, k v u * (if dec2 dq df (v, u) (q, r) then 1 else 0)) = k q r.
Proof.
  rewrite <- (pick dq (fun v => k v r) q). apply sum_ext; intros v _.
  rewrite <- (sum_one df r (k v r)), <- (Rmult_comm (if dq v q then 1 else 0)), <- sum_scale.
  apply sum_ext; intros u _. destruct (dec2 dq df (v, u) (q, r)) as [E|E], (dq v q), (df r u);
    subst; try lra; congruence.
Qed.

Lemma quilt_remote_weight (u : @secret (N * (Q * Far))) (c : N -> bool) q r :
  (forall n q r, u (n, (q, r)) = c n) ->
  p_quilt_remote dq df quilt_of remote_of p u q r = (Σ n, (if c n then 1 else 0) * g n q) * h q r.
Proof.
  intros E. unfold p_quilt_remote, Pz. rewrite Sum_pairs, Rmult_comm, <- sum_scale.
  apply sum_ext; intros n _.
  transitivity (Σ v, Σ t, (if u (n, (v, t)) then p (n, (v, t)) else 0) *
    (if dec2 dq df (v, t) (q, r) then 1 else 0)).
  - now rewrite Sum_pairs.
  - rewrite (pick_both q r (fun v t => if u (n, (v, t)) then p (n, (v, t)) else 0)), E, weight.
    destruct (c n); ring.
Qed.

Lemma quilt_weight (u : @secret (N * (Q * Far))) (c : N -> bool) q :
  (forall n q r, u (n, (q, r)) = c n) ->
  p_quilt dq quilt_of p u q = (Σ n, (if c n then 1 else 0) * g n q) * Σ r, h q r.
Proof.
  intros E. unfold p_quilt, Pz. rewrite Sum_pairs, Rmult_comm, <- sum_scale.
  apply sum_ext; intros n _.
  transitivity (Σ v, (Σ r, if c n then g n v * h v r else 0) * (if dq v q then 1 else 0)).
  - rewrite Sum_pairs. apply sum_ext; intros v _. rewrite Rmult_comm, <- sum_scale.
    apply sum_ext; intros r _.
    unfold inside. rewrite E, weight. unfold at_, quilt_of; simpl; ring.
  - rewrite (pick dq (fun v => Σ r, if c n then g n v * h v r else 0) q).
    rewrite (sum_ext all _ (fun r => (if c n then 1 else 0) * g n q * h q r))
      by (intros; destruct (c n); ring).
    rewrite (sum_scale _ all (fun r => h q r)); ring.
Qed.

Lemma factors_independent : independent_given_quilt dq df quilt_of remote_of p s.
Proof.
  intros q r. rewrite (quilt_remote_weight s near), (quilt_weight s near) by apply on_near.
  rewrite (quilt_remote_weight everything (fun _ => true)),
    (quilt_weight everything (fun _ => true)) by easy. ring.
Qed.
End Factors.

(** Sequences of n values, a finite type. *)
Fixpoint vec (A : Type) n : Type := match n with O => unit | S n => A * vec A n end.
#[export] Instance finite_unit : Finite unit.
Proof. exists [tt]; [repeat constructor; easy|intros []; simpl; auto]. Defined.
#[export] Instance finite_vec {A} `{Finite A} n : Finite (vec A n).
Proof. induction n; simpl; [apply finite_unit|apply finite_pair]. Defined.
Fixpoint list_of {A n} : vec A n -> list A :=
  match n with O => fun _ => [] | S n => fun v => fst v :: list_of (snd v) end.
Definition vec_dec {A} (d : forall x y : A, {x = y} + {x <> y}) n : forall v w :
  vec A n, {v = w} + {v <> w}.
Proof. induction n; simpl; [intros [] []; now left|]. decide equality. Defined.

Lemma list_length {A n} (v : vec A n) : length (list_of v) = n.
Proof. induction n; simpl; [easy|]. now rewrite IHn. Qed.

Section Chain.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Context (initial : A -> R) (T : nat -> A -> A -> R).
(* T k is the step after record k: it may depend on time *)

(** The probability of a sequence. *)
Fixpoint steps k x (l : list A) : R := match l with [] => 1 | y :: l => T k x y * steps (S k) y l
  end.
Definition chain_weight (l : list A) : R := match l with [] => 1 | x :: l => initial x * steps 0 x l
  end.

Lemma steps_app k x l y m : steps k x (l ++ y :: m) = steps k x (l ++ [y]) * steps
  (S (length l) + k) y m.
Proof.
  revert k x; induction l as [|z l IH]; intros k x; simpl; [ring|].
  rewrite IH, <- Rmult_assoc. do 2 f_equal. simpl. now rewrite <- plus_n_Sm.
Qed.

Lemma chain_app l y m : chain_weight (l ++ y :: m) = chain_weight (l ++ [y]) * steps (length l) y m.
Proof.
  destruct l as [|x l]; simpl; [ring|]. rewrite steps_app, <- plus_n_O. ring.
Qed.

(** before, left quilt, nearby, right quilt, after *)
Context (a m b : nat).
Definition near_t := vec A m.
Definition quilt_t := (A * A)%type.
Definition far_t := (vec A a * vec A b)%type.
Definition records (x : near_t * (quilt_t * far_t)) : list A :=
  let '(n, ((l, r), (before, after))) := x in list_of before ++ l :: list_of n ++ r :: list_of
    after.
Definition chain_law (x : near_t * (quilt_t * far_t)) := chain_weight (records x).

Definition dquilt : forall x y : quilt_t, {x = y} + {x <> y}. Proof. decide equality. Defined.
Definition dfar : forall x y : far_t, {x = y} + {x <> y}. Proof. decide equality; apply vec_dec, dA.
Defined.

Lemma chain_quilt (s : @secret (near_t * (quilt_t * far_t))) near :
  (forall n q r, s (n, (q, r)) = near n) -> independent_given_quilt dquilt dfar quilt_of remote_of
    chain_law s.
Proof.
  intros on_near.
  apply (factors_independent dquilt dfar
           (fun n q => steps a (fst q) (list_of n ++ [snd q]))
           (fun q r => chain_weight (list_of (fst r) ++ [fst q]) * steps (S m + a) (snd q)
             (list_of (snd r)))
           chain_law s near); [|easy].
  intros n [l r] [before after]. unfold chain_law, records; simpl fst; simpl snd.
  rewrite chain_app, steps_app, !list_length. ring.
Qed.

(** Laws of steps make a law of sequences. *)
Section ChainLaw.
Hypotheses (Li : law initial) (LT : forall k x, law (T k x)).

Lemma steps_nonneg k x l : 0 <= steps k x l.
Proof. revert k x; induction l; intros; simpl; [lra|]. destruct (LT k x). now apply Rmult_le_pos.
Qed.

Lemma chain_weight_nonneg l : 0 <= chain_weight l.
Proof. destruct l; simpl; [lra|]. destruct Li. apply Rmult_le_pos; auto. apply steps_nonneg. Qed.

Lemma Sum_vec n (f : list A -> R) : (Σ v : vec A (S n), f (list_of v)) = Σ x, Σ v : vec A n,
  f (x :: list_of v).
Proof. apply (Sum_pairs (fun v : A * vec A n => f (fst v :: list_of (snd v)))). Qed.

Lemma steps_total n k x : (Σ v : vec A n, steps k x (list_of v)) = 1.
Proof.
  revert k x; induction n as [|n IH]; intros k x; [simpl; lra|]. rewrite Sum_vec. simpl.
  rewrite (sum_ext all _ (T k x)); [apply LT|]. intros y _. now rewrite sum_scale, IH, Rmult_1_r.
Qed.

Lemma path_total n k x : (Σ v : vec A n, Σ y, steps k x (list_of v ++ [y])) = 1.
Proof.
  rewrite <- (steps_total (S n) k x). revert k x; induction n as [|n IH]; intros k x.
  - rewrite Sum_vec. simpl. rewrite Rplus_0_r. apply sum_ext; intros; simpl; ring.
  - rewrite !Sum_vec. rewrite (Sum_vec n (fun l => Σ y, steps k x (l ++ [y]))).
    apply sum_ext; intros z _. simpl app. cbn [steps].
    rewrite sum_scale, <- IH, <- sum_scale. apply sum_ext; intros v _. now rewrite sum_scale.
Qed.

Lemma start_total n : (Σ v : vec A n, Σ y, chain_weight (list_of v ++ [y])) = 1.
Proof.
  destruct n as [|n].
  - simpl. rewrite Rplus_0_r, (sum_ext all _ initial); [apply Li|]. intros; ring.
  - rewrite (Sum_vec n (fun l => Σ y, chain_weight (l ++ [y]))).
    rewrite (sum_ext all _ initial); [apply Li|].
    intros x _. simpl. transitivity (initial x * 1); [|ring].
    rewrite <- (path_total n 0 x), <- sum_scale.
    apply sum_ext; intros v _. now rewrite sum_scale.
Qed.

(** The chain rule with steps that are laws gives a law of databases.
    Differs: a fact about the definitions, in no paper; sequences are split into five blocks. *)
Theorem chain_is_law : law chain_law.
Proof.
  split; [intros; apply chain_weight_nonneg|]. rewrite Sum_pairs.
  transitivity (Σ n : near_t, Σ l, Σ r, Σ u : vec A a,
    chain_weight (list_of u ++ [l]) * steps a l (list_of n ++ [r])).
  - apply sum_ext; intros n _. rewrite Sum_pairs.
    etransitivity; [apply (Sum_pairs (A := A) (B := A) (fun q => Σ y : far_t,
      chain_law (n, (q, y))))|].
    apply sum_ext; intros l _. apply sum_ext; intros r _.
    etransitivity; [apply (Sum_pairs (A := vec A a) (B := vec A b)
      (fun y => chain_law (n, ((l, r), y))))|].
    apply sum_ext; intros u _.
    rewrite <- Rmult_1_r, <- (steps_total b (S m + a) r), <- sum_scale. apply sum_ext; intros v _.
    unfold chain_law, records. rewrite chain_app, steps_app, !list_length. ring.
  - rewrite <- (start_total a), sum_swap,
      (sum_swap all all (fun u l => chain_weight (list_of u ++ [l]))).
    apply sum_ext; intros l _.
    transitivity (Σ n : near_t, Σ r, steps a l (list_of n ++ [r]) * Σ u : vec A a,
      chain_weight (list_of u ++ [l])).
    + apply sum_ext; intros n _. apply sum_ext; intros r _. rewrite <- sum_scale.
      apply sum_ext; intros; ring.
    + transitivity ((Σ u : vec A a, chain_weight (list_of u ++ [l])) * 1); [|ring].
      rewrite <- (path_total m a l), <- sum_scale.
      apply sum_ext; intros n _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.
End ChainLaw.

(** The Markov quilt mechanism on a chain (wang2016, section 4.3), for the quilt (left, right)
    around m nearby records; the steps may depend on time, and the secret is any event of the nearby
    records.
    Differs: one prior, one pair, a two-sided quilt that is given; density form. *)
Theorem chain_quilt_mechanism (s t : @secret (near_t * (quilt_t * far_t))) ns nt (f : list A -> R) e
  eps scale w :
  law initial -> (forall k x, law (T k x)) ->
  (forall n q r, s (n, (q, r)) = ns n) -> (forall n q r, t (n, (q, r)) = nt n) ->
  influence_at_most dquilt quilt_of (exp e) chain_law s t ->
  (forall l x y r, Rabs (f (l ++ x :: r) - f (l ++ y :: r)) <= 1) ->
  e < eps -> (0 < m)%nat -> INR m / (eps - e) <= scale ->
  let M x := laplace scale (f (records x)) in
  Pw chain_law M s w * P chain_law t <= exp eps * P chain_law s * Pw chain_law M t w.
Proof.
  intros Li LT sn tn infl lip e1 m0 sc. cbv zeta. pose proof (chain_is_law Li LT) as L.
  apply (markov_quilt_mechanism dquilt dfar quilt_of remote_of chain_law s t
    (fun x => f (records x)) (INR m) e eps scale w);
    auto; try (now apply (chain_quilt _ ns)) || (now apply (chain_quilt _ nt)).
  - intros [n [[l r] [u v]]] [n' [[l' r'] [u' v']]] Eq Er.
    unfold quilt_of, remote_of in Eq, Er; simpl in Eq, Er.
    injection Eq as <- <-; injection Er as <- <-. unfold records.
    rewrite !(app_comm_cons _ _ l), !app_assoc. replace (INR m) with (INR (length (list_of n)))
      by (now rewrite list_length).
    pose proof (lipschitz_block f lip (list_of n) (list_of n') (list_of u ++ [l]) (r :: list_of v))
      as B.
    rewrite !list_length in B. specialize (B eq_refl). rewrite <- !app_assoc in *. simpl in *.
    now rewrite list_length.
  - now apply lt_0_INR.
Qed.
End Chain.
