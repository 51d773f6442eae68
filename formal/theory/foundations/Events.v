(** From single outputs to events: finite sets of outputs, sets of countably many, and intervals of
    real outputs with their finite unions. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish.
Open Scope R_scope.

(** Every finite set of outputs, and so every event where outputs are finitely many: a promise for
    single outputs is one for events (kifer2014pufferfish, definition 3.4).
    Differs: databases are finite; outputs of a set are listed, and an output that is listed twice
    counts twice. *)
Theorem finite_events {D W} `{Finite D} ratio (M : D -> W -> R) pairs priors :
  pufferfish ratio M pairs priors <->
  pufferfish ratio (fun x (event : list W) => sum event (M x)) pairs priors.
Proof.
  assert (E : forall p s l, Pw p (fun x (event : list W) => sum event (M x)) s l =
    sum l (fun w => Pw p M s w)).
  { intros p s l. unfold Pw. rewrite <- sum_swap. apply sum_ext; intros x _.
    now rewrite sum_scale. }
  split; intros promise p s t w Hp st Ps Pt.
  - rewrite !E, Rmult_comm, <- !sum_scale. apply sum_le; intros v _.
    specialize (promise p s t v Hp st Ps Pt). lra.
  - specialize (promise p s t (w :: nil) Hp st Ps Pt). rewrite !E in promise. simpl in promise. lra.
Qed.

(** ** Countably many outputs *)
Lemma limit_of_sum {A} (l : list A) (c : A -> R) (u : A -> nat -> R) (v : A -> R) :
  (forall x, Un_cv (u x) (v x)) ->
  Un_cv (fun n => sum l (fun x => c x * u x n)) (sum l (fun x => c x * v x)).
Proof.
  intros conv. induction l as [|x l IH]; simpl.
  - intros e e0. exists 0%nat. intros n _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; lra.
  - apply (CV_plus (fun n => c x * u x n) (fun n => sum l (fun x => c x * u x n))); [|exact IH].
    apply (CV_mult (fun _ => c x) (u x)); [|apply conv].
    intros e e0. exists 0%nat. intros n _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; lra.
Qed.

(** The probability of a set of outputs 0, 1, 2, ... is the limit of its finite parts. *)
Definition adds_up (M : nat -> R) (event : nat -> bool) total :=
  Un_cv (fun n => sum (filter event (seq 0 n)) M) total.

(** Every event of a law has a probability. *)
Lemma event_adds_up (M : nat -> R) event : (forall k, 0 <= M k) ->
  (forall n, sum (seq 0 n) M <= 1) -> {total | adds_up M event total}.
Proof.
  intros M0 below. apply growing_cv.
  - intros n. rewrite seq_S, filter_app, sum_app. simpl.
    destruct (event n); simpl; [specialize (M0 n)|]; lra.
  - exists 1. intros r [n ->]. apply Rle_trans with (2 := below n).
    generalize (seq 0 n). intros l. induction l as [|k l IH]; simpl; [lra|].
    specialize (M0 k). destruct (event k); simpl; lra.
Qed.

(** Every set of outputs, where these are countably many (kifer2014pufferfish, definition 3.4).
    Differs: databases are finite; outputs are numbered; the sum of an event's probabilities is
    given, as they need not sum to 1. *)
Theorem countable_events {D} `{Finite D} ratio (M : D -> nat -> R)
    (chance : D -> (nat -> bool) -> R) pairs priors :
  (forall x event, adds_up (M x) event (chance x event)) ->
  pufferfish ratio M pairs priors -> pufferfish ratio chance pairs priors.
Proof.
  intros sums promise p s t event Hp st Ps Pt.
  pose proof (proj1 (finite_events ratio M pairs priors) promise) as finite.
  assert (conv : forall u : @secret D, Un_cv
    (fun n => Pw p (fun x (e : list nat) => sum e (M x)) u (filter event (seq 0 n)))
    (Pw p chance u event)).
  { intros u. unfold Pw. apply limit_of_sum. intros x. apply sums. }
  assert (scaled : forall (u : @secret D) c, Un_cv
    (fun n => c * Pw p (fun x (e : list nat) => sum e (M x)) u (filter event (seq 0 n)))
    (c * Pw p chance u event)).
  { intros u c. apply (CV_mult (fun _ => c)); [|apply conv].
    intros e e0. exists 0%nat. intros n _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; lra. }
  rewrite (Rmult_comm (Pw p chance s event)).
  refine (Rle_cv_lim _ (scaled s (P p t)) (scaled t (ratio * P p s))).
  intros n. rewrite (Rmult_comm (P p t)). now apply finite.
Qed.

(** ** Real outputs *)
Section Intervals.
Context {D : Type} `{Finite D} (M : D -> R -> R).
Hypothesis integrable : forall x a b, Riemann_integrable (M x) a b.
(** The probability of the interval between two numbers is the integral of the density over it. *)
Definition low (ab : R * R) := Rmin (fst ab) (snd ab).
Definition high (ab : R * R) := Rmax (fst ab) (snd ab).
Definition over (x : D) (ab : R * R) := RiemannInt (integrable x (low ab) (high ab)).

Lemma RiemannInt_ext f g a b (pr : Riemann_integrable f a b) (pr' : Riemann_integrable g a b) :
  (forall w, Rmin a b < w < Rmax a b -> f w = g w) -> RiemannInt pr = RiemannInt pr'.
Proof.
  intros same. destruct (Rle_dec a b) as [le|gt].
  - apply RiemannInt_P18; [easy|]. intros w i. apply same.
    rewrite Rmin_left, Rmax_right; lra.
  - rewrite (RiemannInt_P8 pr (RiemannInt_P1 pr)), (RiemannInt_P8 pr' (RiemannInt_P1 pr')).
    f_equal. apply RiemannInt_P18; [lra|]. intros w i. apply same.
    rewrite Rmin_right, Rmax_left; lra.
Qed.

Lemma integral_of_sum (c : D -> R) a b (l : list D) :
  exists pr : Riemann_integrable (fun w => sum l (fun x => c x * M x w)) a b,
    RiemannInt pr = sum l (fun x => c x * RiemannInt (integrable x a b)).
Proof.
  induction l as [|x l [pr E]]; simpl.
  - exists (RiemannInt_P14 a b 0). pose proof (RiemannInt_P15 (RiemannInt_P14 a b 0)) as E.
    unfold fct_cte in E. lra.
  - pose proof (RiemannInt_P10 (c x) pr (integrable x a b)) as both.
    assert (same : forall w, sum l (fun x => c x * M x w) + c x * M x w =
      c x * M x w + sum l (fun x => c x * M x w)) by (intros; ring).
    assert (pr' : Riemann_integrable (fun w => c x * M x w + sum l (fun x => c x * M x w)) a b).
    { exact (@Riemann_integrable_ext _ _ a b (fun w _ => same w) both). }
    exists pr'. transitivity (RiemannInt both).
    + apply RiemannInt_ext. intros w _. symmetry. apply same.
    + rewrite (RiemannInt_P13 pr (integrable x a b) both), E. ring.
Qed.

(** Every interval, and every finite union of intervals that do not overlap, where outputs are real
    numbers with a density (kifer2014pufferfish, definition 3.4).
    Differs: databases are finite; densities are integrable in the sense of Riemann on every
    interval; measurable sets that are no such union are left out. *)
Theorem interval_events ratio pairs priors : pufferfish ratio M pairs priors ->
  pufferfish ratio (fun x (event : list (R * R)) => sum event (over x)) pairs priors.
Proof.
  intros promise. apply (finite_events ratio over). intros p s t ab Hp st Ps Pt.
  destruct (integral_of_sum (fun x => P p t * inside p s x) (low ab) (high ab) all) as [left El].
  destruct (integral_of_sum (fun x => ratio * P p s * inside p t x) (low ab) (high ab) all)
    as [right Er].
  assert (told : forall c u, sum all (fun x => c * inside p u x *
      RiemannInt (integrable x (low ab) (high ab))) = c * Pw p over u ab).
  { intros c u. unfold Pw, over. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  rewrite told in El, Er. rewrite (Rmult_comm (Pw p over s ab)), <- El, <- Er.
  apply RiemannInt_P19.
  { unfold low, high. apply Rle_trans with (fst ab); [apply Rmin_l|apply Rmax_l]. }
  intros w _. specialize (promise p s t w Hp st Ps Pt).
  assert (at_w : forall c u, sum all (fun x => c * inside p u x * M x w) = c * Pw p M u w).
  { intros c u. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  rewrite !at_w. lra.
Qed.
End Intervals.
