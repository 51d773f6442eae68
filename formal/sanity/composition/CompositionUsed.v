(** The theorems on composition, used on small tables, and near misses refuted. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Means Worst Collapse Dichotomy Determined.
From Pufferproof Require Import Metric OnePair.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** ** Weighted means *)
Example am_gm_used : geo fair (fun x => if x then 4 else 1) <= Σ x, fair x * (if x then 4 else 1).
Proof. apply am_gm; [apply fair_law|intros []; lra]. Qed.

(** With weights that sum to more than 1 it fails. *)
Example am_gm_needs_a_law : exists b u : bool -> R,
  (forall x, 0 <= b x) /\ (forall x, 0 <= u x) /\ Σ x, b x * u x < geo b u.
Proof.
  exists (fun _ => 1), (fun _ => 4). repeat split; try (intros; lra).
  unfold geo, pw; simpl. destruct Req_EM_T; [lra|]. destruct Rlt_dec; [|lra].
  rewrite !Rmult_1_l, exp_ln by lra. lra.
Qed.

(** ** Conditions that compose: all weight on the bit that is not there *)
Definition onto (y x l : bool) : R := if eqb l y then 1 else 0.

Lemma geo_onto y x (u : bool -> R) : (forall l, 0 < u l) -> geo (onto y x) u = u y.
Proof.
  intros u0. unfold geo, onto, pw; destruct y; simpl; repeat destruct Req_EM_T; try lra;
    destruct Rlt_dec; try (specialize (u0 true); lra); try (specialize (u0 false); lra);
    rewrite !Rmult_1_l, exp_ln by easy; ring.
Qed.

Lemma onto_law y x : law (onto y x).
Proof. split; [intros []|]; destruct y; by_cases. Qed.

Lemma response_pos x w : 0 < response x w.
Proof. destruct x, w; by_cases. Qed.

Lemma onto_constraint s : constraint fair s (onto false) 3 response.
Proof.
  intros x w _. rewrite (geo_onto false x (fun l => response l w)) by (intros; apply response_pos).
  destruct x, w; by_cases.
Qed.

Example coupling_used w :
  Pw fair response yes w * P fair no <= 3 * P fair yes * Pw fair response no w.
Proof.
  apply (coupling fair yes no (onto false)); try lra; try (by_cases).
  - apply fair_law.
  - apply response_likelihood.
  - apply onto_law.
  - intros []; by_cases.
  - apply onto_constraint.
Qed.

(** Weights that carry the law given [yes] to itself say nothing: the identity meets them at 1. *)
Example coupling_needs_to_carry : exists beta,
  (forall x, law (beta x)) /\ constraint fair yes beta 1 identity /\
  ~ forall w, Pw fair identity yes w * P fair no <= 1 * P fair yes * Pw fair identity no w.
Proof.
  exists (onto true). split; [apply onto_law|split].
  - intros x w px. assert (x = true) as -> by (destruct x; [easy|revert px; by_cases]).
    unfold geo, onto, pw; simpl; repeat destruct Req_EM_T; try lra.
    destruct w; cbn -[IZR]; destruct Rlt_dec; rewrite ?ln_1, ?Rmult_0_r, ?exp_0; lra.
  - intros promise. specialize (promise true). revert promise; by_cases.
Qed.

Example nfc_sufficient_used w :
  Pw fair response yes w * P fair no <= 3 * 1 * P fair yes * Pw fair response no w.
Proof.
  apply (nfc_sufficient fair yes no (onto false)); try lra; try (by_cases).
  - apply fair_law.
  - apply response_likelihood.
  - apply onto_law.
  - intros x []; try (intros H; exfalso; revert H; by_cases). intros _; by_cases.
  - apply onto_constraint.
Qed.

(** ** The worst case at generators: two columns, of which every other one is a sum *)
Definition high (x : bool) : R := if x then 2 else 1.
Definition low (x : bool) : R := if x then 1 else 2.
Definition at_one (x : bool) : R := if x then 1 else 0.
Definition at_zero (x : bool) : R := if x then 0 else 1.

Lemma sum_spanned : spanned [high; low] (fun x => high x + low x).
Proof.
  exists [(1, high); (1, low)]. split; [|intros; simpl; lra].
  intros k r [i|[i|[]]]; inversion i; subst; (split; [lra|simpl; auto]).
Qed.

Example worst_at_generators_used :
  let both_sums := [fun x => high x + low x; fun x => high x + low x] in
  inner at_one (product both_sums) <= 4 * inner at_zero (product both_sums).
Proof.
  apply (worst_at_generators at_one at_zero 4 [[high; low]; [high; low]]).
  - repeat constructor; apply sum_spanned.
  - intros rs i. inversion i as [|r ? rs' ? ir irs]; subst.
    inversion irs as [|r' ? rs'' ? ir' irs']; subst. inversion irs'; subst.
    destruct ir as [<-|[<-|[]]], ir' as [<-|[<-|[]]]; by_cases.
Qed.

(** A bound at every generator of each release alone is none of both. *)
Example worst_at_generators_needs_tuples :
  (forall g, In g [high; low] -> inner at_one (product [g]) <= 2 * inner at_zero (product [g])) /\
  ~ inner at_one (product [high; high]) <= 2 * inner at_zero (product [high; high]).
Proof. split; [intros g [<-|[<-|[]]]|]; by_cases. Qed.

(** ** Collapse *)
Example collapse_used : law theta /\ kernel M.
Proof. split; apply collapse. Qed.

Definition db_dec (x y : db) : {x = y} + {x <> y}. Proof. decide equality. Defined.

Example two_databases_collapse_used : exists N N' : db -> bool -> R,
  kernel N /\ kernel N' /\
  pufferfish 1 N (both_orders ill well) (eq theta) /\
  pufferfish 1 N' (both_orders ill well) (eq theta) /\
  forall r, ~ pufferfish r (both N N') (one_order ill well) (eq theta).
Proof.
  apply (two_databases_collapse db_dec theta ill well) with (x := ann) (y := bob) (y' := cyd);
    try easy; try (by_cases).
  - apply collapse.
  - intros []; easy.
Qed.

(** One database in each secret: what leaks nothing alone leaks nothing together. *)
Example two_databases_are_needed (N N' : bool -> bool -> R) :
  pufferfish 1 N bit_pairs (eq fair) -> pufferfish 1 N' bit_pairs (eq fair) ->
  pufferfish 1 (both N N') bit_pairs (eq fair).
Proof.
  intros alone alone'.
  assert (same : forall (L : bool -> bool -> R) w, pufferfish 1 L bit_pairs (eq fair) ->
            L true w = L false w).
  { intros L w promise.
    pose proof (promise fair yes no w eq_refl (or_introl (conj eq_refl eq_refl))) as one.
    pose proof (promise fair no yes w eq_refl (or_intror (conj eq_refl eq_refl))) as other.
    revert one other; by_cases. }
  intros p s t [w v] <- [[-> ->]|[-> ->]] _ _; arithmetic;
    rewrite (same N w), (same N' v) by easy; lra.
Qed.

(** ** Exactly where it collapses *)
Lemma one_ill : one_pair theta ill well.
Proof. split; [apply collapse|]. split; [now intros []|]. split; by_cases. Qed.

Lemma two_well : ~ (single theta ill /\ single theta well).
Proof.
  intros [_ one]. unfold single, possible in one. cbn -[IZR Rdiv Rlt_dec] in one.
  destruct (Rlt_dec 0 0), (Rlt_dec 0 (1/4)); simpl in one; try lra; discriminate.
Qed.

Example collapse_exactly_used : collapses theta ill well.
Proof. exact (proj2 (collapse_exactly db_dec theta ill well one_ill) two_well). Qed.

Lemma levels_of l : (forall A, In A l -> A = 1 \/ A = 2 \/ A = 3 \/ A = 5) -> at_least_one l.
Proof. intros known A i. apply known in i as [->|[->|[->| ->]]]; lra. Qed.
Ltac levels := apply levels_of; simpl; intuition auto.

Example unbounded_exactly_used : unbounded theta ill well [1; 2; 3].
Proof.
  apply (unbounded_exactly db_dec); [apply one_ill|levels|].
  split; [unfold several; simpl; lia|apply two_well].
Qed.

(** One release keeps its ratio, whatever is possible. *)
Example one_release_keeps : largest theta ill well [5] 5 /\ ~ unbounded theta ill well [5].
Proof.
  assert (r1 : at_least_one [5]) by levels. split.
  - apply (largest_exactly db_dec); [apply one_ill|easy|]. unfold several, product_of; simpl.
    split; [lia|lra].
  - intros none. apply (unbounded_exactly db_dec) in none; [|apply one_ill|easy].
    destruct none as [many _]. unfold several in many. simpl in many. lia.
Qed.

Lemma one_bit : one_pair fair yes no.
Proof. split; [apply fair_law|]. split; [now intros []|]. split; by_cases. Qed.

Lemma single_bit u : u = yes \/ u = no -> single fair u.
Proof.
  intros [->| ->]; unfold single, possible, fair; cbn -[IZR Rdiv Rlt_dec];
    destruct (Rlt_dec 0 0), (Rlt_dec 0 (1/2)); simpl; try lra; easy.
Qed.

Example largest_exactly_used : largest fair yes no [2; 3; 5] 30.
Proof.
  apply (largest_exactly Bool.bool_dec fair yes no _ _ one_bit); [levels|].
  split; [intros _; split; apply single_bit; tauto|unfold product_of; simpl; lra].
Qed.

(** ** In one order: well has two databases, of probability 1/2 each given well *)
Lemma one_well : one_pair theta well ill.
Proof. split; [apply collapse|]. split; [now intros []|]. split; by_cases. Qed.

Lemma single_ill : single theta ill.
Proof.
  unfold single, possible. cbn -[IZR Rdiv Rlt_dec].
  destruct (Rlt_dec 0 0), (Rlt_dec 0 (1/2)); simpl; try lra; easy.
Qed.

Lemma lightest_well : lightest theta well = 1/2.
Proof.
  unfold lightest, possible. cbn -[IZR Rdiv Rlt_dec Rmin P].
  destruct (Rlt_dec 0 0), (Rlt_dec 0 (1/4)); cbn -[IZR Rdiv Rlt_dec Rmin P]; try lra.
  replace (P theta well) with (1/2) by (unfold P; cbn -[IZR Rdiv]; lra).
  replace (1 / 4 / (1 / 2)) with (1/2) by field.
  rewrite (Rmin_left (1/2) 1), Rmin_left by lra. easy.
Qed.

Example largest_one_way_exactly_used : largest_one_way theta well ill [2; 3; 5] 120.
Proof.
  apply (largest_one_way_exactly db_dec theta well ill _ _ one_well); [levels|].
  split; [intros _; apply single_ill|].
  unfold one_way_ratio, product_of. rewrite lightest_well. simpl. field.
Qed.

(** The product of the ratios is too little there. *)
Example product_is_too_little : ~ largest_one_way theta well ill [2; 3; 5] 30.
Proof.
  intros found. apply (largest_one_way_exactly db_dec) in found; [|apply one_well|levels].
  destruct found as [_ e]. unfold one_way_ratio, product_of in e. rewrite lightest_well in e.
  simpl in e. replace (2 * (3 * (5 * 1)) / (1 / 2 * (1 / 2 * 1))) with 120 in e by field. lra.
Qed.

(** In the other order it is infinite: ill against well, of which two databases are possible. *)
Example unbounded_one_way_exactly_used : unbounded_one_way theta ill well [1; 1].
Proof.
  apply (unbounded_one_way_exactly db_dec); [apply one_ill|levels|].
  split; [unfold several; simpl; lia|]. intros one. apply two_well. split; [apply single_ill|easy].
Qed.
