(** The Markov quilt mechanism with the estimates of a gap in its scores (song2017: MQMApprox). *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts
  SequentialChains
  TableQuilts ChainMoments Gap GapQuilts.
Import ListNotations.
Open Scope R_scope.

Section Mechanism.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** Chains with their stationary laws: (pi, (m, P)) for the first law m and the steps P. *)
Definition resting_chains : Type := ((A -> R) * ((A -> R) * (A -> A -> R))) -> Prop.
(** Each with a gap, by one rate r and one lower bound of all stationary laws. *)
Definition gaps (class : resting_chains) low r := forall pi m P, class (pi, (m, P)) ->
  law m /\ (forall x, low <= pi x) /\ gap_of_both_ways pi P r.
Definition as_chains (class : resting_chains) (c : @chain_data A) := exists z, class z /\
  c = (fst (snd z), fun _ => snd (snd z)).
Definition laws_at_rest (class : resting_chains) n : (vec A n -> R) -> Prop :=
  laws_of (as_chains class) n.

(** The quilt of the records before lo and at hi is far enough, and its estimate e leaves a score
    of at most b. *)
Definition quilt_scores low r n eps b i lo hi := far low r n lo hi i /\
  exists e, told_at_most low r n lo hi i <= exp e /\ e < eps /\ INR (hi - lo) / (eps - e) <= b.
(** Some quilt of X_i scores, with one or two nodes or none. *)
Definition estimated_score low r n eps b i := exists lo hi,
  (lo <= i < hi)%nat /\ (hi <= n)%nat /\ quilt_scores low r n eps b i lo hi.
(** Some quilt with a node on either side does. *)
Definition two_sided_score low r n eps b i := exists lo hi,
  (0 < lo <= i)%nat /\ (i < hi < n)%nat /\ quilt_scores low r n eps b i lo hi.

Lemma estimate_is_bound pi m P low r n lo hi i e :
  law m -> (forall x, low <= pi x) -> gap_of_both_ways pi P r -> far low r n lo hi i ->
  told_at_most low r n lo hi i <= exp e ->
  max_influence_at_most dA (law_of_chain (m, fun _ => P) n) i lo hi e.
Proof.
  intros Lm least gap apart le x y z.
  pose proof (quilt_by_gap dA pi m P low r n lo hi i x y least gap Lm apart z) as told.
  eapply Rle_trans; [exact told|].
  assert (Lp : law (law_of_chain (m, fun _ => P) n)).
  { apply sequence_is_law; [exact Lm|]. intros k u; apply gap. }
  destruct (p_quilt_le (decide_pair dA) (quilt_around lo hi) _ (record_is dA i y) z Lp) as [z0 _].
  apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; [now apply P_nonneg|easy].
Qed.

(** MQMApprox several times (song2017, theorem III.7 as repaired, and the privacy of the Markov
    quilt mechanism, as repaired): the scale of each release is at least the score of some
    quilt of every record, by the estimates of Lemma II.3 for a rate and a least
    probability that serve all chains of the class. Then the releases promise the sum of their
    levels.
    Differs: any r with r^2 at least the other eigenvalues, such as e^(-g/2), and any lower bound of
    the stationary laws; any quilts, so that those of least score are included; a simple eigenvalue
    1 instead of an irreducible chain, which it implies; density form. *)
Theorem estimated_quilts n class low r (runs : list (release_data n)) :
  gaps class low r -> (forall run, In run runs -> lipschitz_table (asked run)) ->
  (forall run, In run runs -> forall i, (i < n)%nat ->
    estimated_score low r n (at_level run) (with_noise run) i) ->
  pufferfish (exp (sum runs at_level)) (noisy_releases runs) (two_values dA n)
    (laws_at_rest class n).
Proof.
  intros all_gaps lip score. apply sequential_quilts_of_classes; [|exact lip|].
  - intros c [[pi [m P]] [here ->]]. destruct (all_gaps pi m P here) as [Lm [_ gap]].
    split; [exact Lm|]. intros k u; apply gap.
  - intros run c i j [[pi [m P]] [here ->]] top.
    destruct (all_gaps pi m P here) as [Lm [least gap]].
    destruct (score run j i top) as [lo [hi [inside_ [end_ [apart [e [told [e1 sc]]]]]]]].
    exists lo, hi, e. split; [easy|]. split; [easy|]. split; [|easy].
    now apply (estimate_is_bound pi m P low r).
Qed.

(** MQMApprox once (song2017, the Markov quilt mechanism with Lemma II.3, as repaired).
    Differs: as [estimated_quilts]. *)
Theorem estimated_quilt n class low r (run : release_data n) :
  gaps class low r -> lipschitz_table (asked run) ->
  (forall i, (i < n)%nat -> estimated_score low r n (at_level run) (with_noise run) i) ->
  pufferfish (exp (at_level run)) (fun v => laplace (with_noise run) (asked run v))
    (two_values dA n) (laws_at_rest class n).
Proof.
  intros all_gaps lip score p s t w Hp Hst Ps Pt.
  pose proof (estimated_quilts n class low r [run] all_gaps) as promise.
  assert (same : forall u, Pw p (noisy_releases [run]) u [w] =
    Pw p (fun v => laplace (with_noise run) (asked run v)) u w).
  { intros u. apply sum_ext; intros v _. unfold noisy_releases; simpl. ring. }
  rewrite <- !same. replace (at_level run) with (sum [run] at_level) by (simpl; ring).
  apply promise; auto; intros q [<-|[]]; [exact lip|exact score].
Qed.

(** The first record has no quilt with a node on either side, so that without other quilts no scale
    is enough (song2017, Algorithm 1, if it skips all but two-sided quilts).
    Differs: nothing. *)
Theorem first_record_unscored low r n eps b : ~ two_sided_score low r n eps b 0.
Proof. intros [lo [hi [here _]]]. lia. Qed.
End Mechanism.
