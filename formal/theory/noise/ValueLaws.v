(** The Wasserstein mechanism (wang2016, theorem 3.2) by couplings of the laws of the query. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Laplace.
Import ListNotations.
Open Scope R_scope.

(** Finite weights on real numbers: two that agree at every number give every function the same
    sum. *)
Definition hits (u r : R) : R := if Req_EM_T u r then 1 else 0.

Lemma hit_once (l : list R) u (g : R -> R) : NoDup l -> In u l ->
  sum l (fun r => g r * hits u r) = g u.
Proof.
  induction 1 as [|a l na nl IH]; simpl; [easy|]; intros [->|i]; unfold hits.
  - destruct (Req_EM_T u u); [|congruence].
    rewrite (sum_ext l _ (fun _ => 0)), sum_0; [ring|].
    intros r ir. destruct (Req_EM_T u r); [subst; contradiction|ring].
  - destruct (Req_EM_T u a) as [->|]; [contradiction|]. unfold hits in IH. rewrite IH by easy. ring.
Qed.

Lemma sum_by_value {A} (l : list A) (u c : A -> R) (values : list R) (g : R -> R) :
  NoDup values -> (forall x, In x l -> In (u x) values) ->
  sum l (fun x => c x * g (u x)) = sum values (fun r => g r * sum l (fun x => c x * hits (u x) r)).
Proof.
  intros once here.
  rewrite (sum_ext values _ (fun r => sum l (fun x => c x * (g r * hits (u x) r)))).
  - rewrite sum_swap. apply sum_ext; intros x i. rewrite sum_scale, (hit_once values); auto.
  - intros r _. rewrite <- sum_scale. apply sum_ext; intros; ring.
Qed.

Lemma same_law {A B} (l : list A) (m : list B) (u c : A -> R) (v e : B -> R) (g : R -> R) :
  (forall r, sum l (fun x => c x * hits (u x) r) = sum m (fun y => e y * hits (v y) r)) ->
  sum l (fun x => c x * g (u x)) = sum m (fun y => e y * g (v y)).
Proof.
  intros same. set (values := nodup Req_EM_T (map u l ++ map v m)).
  assert (once : NoDup values) by apply NoDup_nodup.
  rewrite (sum_by_value l u c values), (sum_by_value m v e values); auto.
  - apply sum_ext; intros r _. now rewrite same.
  - intros y i. apply nodup_In, in_app_iff. right; now apply in_map.
  - intros x i. apply nodup_In, in_app_iff. left; now apply in_map.
Qed.

Section ValueLaws.
Context {D : Type} `{Finite D}.

(** The probability that s holds and f has the value r. *)
Definition mass p (s : @secret D) (f : D -> R) (r : R) := Σ x, inside p s x * hits (f x) r.

(** W_infinity of the laws of f given s and given t is at most d: finitely many pairs of values at a
    distance of at most d, with weights whose margins are these laws. Weights are multiplied by
    P p s * P p t, so that nothing is divided. *)
Record moved := { here : R; there : R; weight : R }.
Definition within p (s t : @secret D) (f : D -> R) d := exists c : list moved,
  (forall m, In m c -> 0 <= weight m /\ Rabs (here m - there m) <= d) /\
  (forall r, sum c (fun m => weight m * hits (here m) r) = mass p s f r * P p t) /\
  (forall r, sum c (fun m => weight m * hits (there m) r) = P p s * mass p t f r).

Lemma mean_of_values p s f (k : R) (c : list moved) (z : moved -> R) (g : R -> R) :
  (forall r, sum c (fun m => weight m * hits (z m) r) = k * mass p s f r) ->
  sum c (fun m => weight m * g (z m)) = k * Σ x, inside p s x * g (f x).
Proof.
  intros margin. rewrite <- sum_scale.
  rewrite (sum_ext all _ (fun x => k * inside p s x * g (f x))) by (intros; ring).
  apply same_law. intros r. rewrite margin. unfold mass. rewrite <- sum_scale.
  apply sum_ext; intros; ring.
Qed.

(** The Wasserstein mechanism (wang2016, theorem 3.2): noise of scale d / epsilon, where d is at
    least W_infinity of the laws of the query given the two secrets, for every prior and pair.
    Differs: databases are finite, so that these laws are; a coupling that attains d is meant by W;
    density form. *)
Theorem wasserstein_mechanism_of_laws (f : D -> R) d eps (pairs : secret -> secret -> Prop)
  (priors : (D -> R) -> Prop) :
  0 < eps -> 0 < d ->
  (forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> within p s t f d) ->
  pufferfish (exp eps) (fun x w => laplace (d / eps) (f x) w) pairs priors.
Proof.
  intros e0 d0 close p s t w Hp Hst Ps Pt.
  destruct (close p s t Hp Hst Ps Pt) as [c [near [left_ right_]]].
  assert (b0 : 0 < d / eps) by (apply Rdiv_lt_0_compat; lra).
  set (g u := laplace (d / eps) u w). unfold Pw.
  pose proof (mean_of_values p s f (P p t) c here g) as S.
  pose proof (mean_of_values p t f (P p s) c there g) as T.
  unfold g in S at 2, T at 2.
  rewrite (Rmult_comm _ (P p t)), Rmult_assoc, <- S, <- T;
    [|easy|intros; rewrite left_; ring].
  rewrite <- sum_scale. apply sum_le; intros m i. destruct (near m i) as [w0 close_].
  pose proof (laplace_near (d / eps) d _ _ w b0 close_) as N.
  replace (d / (d / eps)) with eps in N by (field; lra).
  apply (Rmult_le_compat_l _ _ _ w0) in N. unfold g. lra.
Qed.
End ValueLaws.
