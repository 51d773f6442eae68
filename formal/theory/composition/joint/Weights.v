(** Conditions with weights in frameworks with several priors and pairs: they hold if and only if
    joint releases leak at most eps for each run and a constant. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Alternatives Pufferfish Laws Means Runs Necessary.
Import ListNotations.
Open Scope R_scope.

Section Weights.
Context {D I W : Type} `{Finite D} `{Finite I} `{Finite W}.

(** Joint releases of n runs leak at most n eps and a constant, repetitions allowed; the constant
    may be another one for each prior and pair. *)
Definition composing eps (M : I -> D -> W -> R) (pairs : @secret D -> @secret D -> Prop)
  (priors : (D -> R) -> Prop) :=
  (forall i, likelihood (M i)) /\ laws_only priors /\
  forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> exists C, forall os,
    Pw p (releases (map (fun o => M (fst o)) os)) s (map snd os) * P p t <=
    exp (INR (length os) * eps + C) * P p s *
    Pw p (releases (map (fun o => M (fst o)) os)) t (map snd os).
(** Every database x that is possible given s has a law beta on those possible given t, the same for
    all mechanisms and outputs. *)
Definition has_weights eps (M : I -> D -> W -> R) (pairs : @secret D -> @secret D -> Prop)
  (priors : (D -> R) -> Prop) :=
  forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t ->
  forall x, 0 < inside p s x -> exists beta, law beta /\ (forall l, 0 < beta l -> 0 < inside p t l)
    /\ forall i w, M i x w <= exp eps * geo beta (fun l => M i l w).

(** Theorem 5.1 of bai2026 as repaired, and its converse: conditions with weights hold for every
    prior, pair and possible database if and only if joint releases leak at most eps for each run,
    and a constant (bai2026.nfc; bai2026.nfc-repaired; bai2026.necsuff-repaired).
    Differs: runs are repeated and databases are possible, without which the print fails; the print
    has the constant 0, from which the weights follow as well, and which they do not give; finitely
    many databases, mechanisms and outputs; mechanisms share a type of outputs. *)
Theorem weights_exactly (dec : forall x y : D, {x = y} + {x <> y}) eps M pairs priors :
  laws_only priors -> (forall i, likelihood (M i)) ->
  composing eps M pairs priors <-> has_weights eps M pairs priors.
Proof.
  intros L M0. split.
  - intros [_ [_ bounded]] p s t Hp st Ps Pt.
    apply (proj2 (nfc_exactly dec p s t M eps (L p Hp) M0 Pt)). now apply bounded.
  - intros some. split; [easy|]. split; [easy|]. intros p s t Hp st Ps Pt.
    apply (proj1 (nfc_exactly dec p s t M eps (L p Hp) M0 Pt)). now apply some.
Qed.

(** Weights and numbers of runs that separate x from all databases of t exclude each other. *)
Section Alternative.
Context (dec : forall x y : D, {x = y} + {x <> y}).
Context (p : D -> R) (t : @secret D) (M : I -> D -> W -> R) (eps : R) (x : D).
Hypothesis M0 : forall i, likelihood (M i).

Lemma weighed_possible beta l : weighed p t M eps x beta -> 0 < beta l ->
  In l (left_over p t M x).
Proof.
  intros [Lb [here each]] bl. apply (left_over_spec p t M x). split; [now apply here|].
  apply (always_positive M x). intros [i w] seen_. apply (seen_positive M x) in seen_.
  unfold likelihood_of in *. simpl in *. specialize (each i w).
  assert (G : 0 < exp eps * geo beta (fun l => M i l w)) by lra.
  destruct (prod_zero all beta (fun l => M i l w)) as [ok|none].
  - destruct (ok l (all_here l)); [lra|easy].
  - unfold geo in G. rewrite none in G. lra.
Qed.

Lemma weighed_gaps beta o : weighed p t M eps x beta -> In o (seen M x) ->
  (Σ l, beta l * gap M eps x l o) <= 0.
Proof.
  intros wb io. pose proof wb as [[b0 b1] [here each]]. apply (seen_positive M x) in io.
  destruct o as [i w]. unfold likelihood_of in io. simpl in io. specialize (each i w).
  destruct (prod_zero all beta (fun l => M i l w)) as [ok|none];
    [|unfold geo in each; rewrite none in each; lra].
  unfold geo in each. rewrite prod_exp, <- exp_plus in each by easy.
  assert (le : ln (M i x w) <= eps + Σ l, beta l * ln (M i l w)).
  { rewrite <- (ln_exp (eps + _)).
    destruct each as [less|<-]; [left; now apply ln_increasing|lra]. }
  unfold gap, likelihood_of. simpl.
  rewrite (sum_ext all _ (fun l => (ln (M i x w) - eps) * beta l + -1 * (beta l * ln (M i l w))))
    by (intros; ring).
  rewrite sum_plus, !sum_scale, b1. lra.
Qed.

Lemma dot_sum {A} (l : list A) (b : A -> R) (os : list (I * W)) g y :
  sum l (fun a => b a * dot os (g a) y) = dot os (fun o => sum l (fun a => b a * g a o)) y.
Proof.
  revert y. induction os as [|o os IH]; intros [|c y]; simpl;
    try (rewrite (sum_ext l _ (fun _ => 0)) by (intros; ring); apply sum_0).
  rewrite <- IH. rewrite <- (Rmult_comm c), <- sum_scale, <- sum_plus.
  apply sum_ext. intros; ring.
Qed.

Lemma dot_low (os : list (I * W)) g y : (forall o, In o os -> g o <= 0) ->
  (forall a, In a y -> 0 < a) -> dot os g y <= 0.
Proof.
  revert y. induction os as [|o os IH]; intros [|a y] low pos; simpl; try lra.
  specialize (IH y (fun q i => low q (or_intror i)) (fun b i => pos b (or_intror i))).
  specialize (low o (or_introl eq_refl)). specialize (pos a (or_introl eq_refl)). nra.
Qed.

Lemma weights_or_apart : (exists beta, weighed p t M eps x beta) <->
  ~ exists y, length y = length (seen M x) /\ (forall a, In a y -> 0 < a) /\
    forall l, In l (left_over p t M x) -> 0 < dot (seen M x) (gap M eps x l) y.
Proof.
  split.
  - intros [beta wb] [y [_ [pos apart]]].
    assert (le : (Σ l, beta l * dot (seen M x) (gap M eps x l) y) <= 0).
    { rewrite dot_sum. apply dot_low; [|easy]. intros o. now apply weighed_gaps. }
    pose proof wb as [[b0 b1] rest].
    assert (nn : forall l, 0 <= beta l * dot (seen M x) (gap M eps x l) y).
    { intros l. destruct (b0 l) as [bl|<-]; [|lra]. left. apply Rmult_lt_0_compat; [easy|].
      apply apart. now apply (weighed_possible beta). }
    destruct (sum_pos_exists all beta) as [l [il bl]]; [lra|].
    pose proof (sum_member all _ l (fun l _ => nn l) il) as one. simpl in one.
    assert (0 < beta l * dot (seen M x) (gap M eps x l) y); [|lra].
    apply Rmult_lt_0_compat; [easy|]. apply apart. now apply (weighed_possible beta).
  - intros none.
    destruct (alternatives (seen M x) (map (gap M eps x) (left_over p t M x)))
      as [[y [len [pos apart]]]|[u [cu low]]].
    + destruct none. exists y. split; [easy|]. split; [easy|]. intros l il. now apply apart, in_map.
    + now apply (cone_weighed dec p t M eps M0 x u).
Qed.
End Alternative.
End Weights.
