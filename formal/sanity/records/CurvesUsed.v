(** Influence curves, used on one bit that randomised response shows. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Means RecordTables Curves Points.
From Pufferproof Require Import ChosenReleases Laplace Attained NoisyTables.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Definition the_bit (_ : unit) (x : bool) := x.
Definition unit_dec (i j : unit) : {i = j} + {i <> j}. Proof. decide equality. Defined.

Lemma bit_product : product_of_values bool_dec the_bit.
Proof.
  split; [now intros [] []|]. intros x y []. exists y. split; [easy|]. now intros [] ne.
Qed.

Lemma response_per_entry : per_entry bool_dec the_bit 3 response.
Proof. intros [] [] [] e; try discriminate; by_cases. Qed.

(** With the bit hidden the other cells show nothing. *)
Lemma bit_curve : on_curve unit_dec bool_dec the_bit 1 1 bit_pairs (eq fair).
Proof.
  intros s t _. exists [tt]. split; [easy|]. intros p _ _ _ y.
  assert (E : forall u, P p (shown_as unit_dec bool_dec the_bit u [tt] y) = P p u).
  { intros u. apply sum_ext; intros x _. unfold inside, shown_as. cbn. now rewrite andb_true_r. }
  rewrite !E. lra.
Qed.

Lemma response_positive : likelihood response.
Proof. intros [] []; by_cases. Qed.

Example translate_in_tables_used :
  pufferfish (exp (INR 1 * ln 3 + ln 1)) response bit_pairs (eq fair).
Proof.
  apply (translate_in_tables unit_dec bool_dec the_bit bool_dec).
  - apply fair_only.
  - apply response_positive.
  - rewrite exp_ln; lra.
  - rewrite exp_ln by lra. apply response_per_entry.
  - apply product_joined, bit_product.
  - rewrite exp_ln by lra. apply bit_curve.
Qed.

Example translate_on_product_used : pufferfish (exp (ln 4)) response bit_pairs (eq fair).
Proof.
  apply (translate_on_product unit_dec bool_dec the_bit bool_dec 1 (ln 3) (ln 1)).
  - apply fair_only.
  - apply response_positive.
  - rewrite exp_ln; lra.
  - rewrite exp_ln by lra. apply response_per_entry.
  - apply bit_product.
  - rewrite exp_ln by lra. apply bit_curve.
  - rewrite ln_1. simpl. pose proof (ln_increasing 3 4). lra.
Qed.

(** Group privacy is reached: the tables true and false differ in one cell. *)
Example group_on_product_used : response true true = 3 / 4 /\
  response true true <=
    exp (INR (distance bool_dec the_bit true false) * ln 3) * response false true.
Proof.
  split; [by_cases|]. apply group_on_product; [|apply bit_product].
  rewrite exp_ln by lra. apply response_per_entry.
Qed.

Example group_on_paths_used :
  response true true <= exp (INR 1 * ln 3) * response false true.
Proof.
  apply (group_on_paths bool_dec the_bit); [apply response_positive|rewrite exp_ln; lra| |].
  - rewrite exp_ln by lra. apply response_per_entry.
  - right. exists false. now split.
Qed.

(** Where no table is a neighbour of another one, a level says nothing. *)
Example no_neighbours : exists M : unit + unit -> unit -> R,
  per_entry bool_dec (fun (_ : bool) (x : unit + unit) => if x then true else false) 1 M /\
  ~ M (inl tt) tt <= exp (INR 2 * 0) * M (inr tt) tt.
Proof.
  exists (fun (x : unit + unit) _ => if x then 1 else 0). split.
  - intros [[]|[]] [[]|[]] w one; cbn in one; try discriminate.
  - intros le. cbn -[IZR Rmult] in le. rewrite !Rmult_0_r in le. lra.
Qed.

(** Two responses, run together: both promises. *)
Example composed_used :
  pufferfish (exp (0 + sum all (fun _ : bool => ln 3) - sum all (fun _ : bool => 0)))
    (releases (map (fun _ : bool => response) all)) bit_pairs (eq fair).
Proof.
  refine (composed unit_dec bool_dec bool_dec the_bit (fun _ => response) (fun _ => 1%nat)
    (fun _ => ln 3) (fun _ => 0) (fun _ => ln 3) bit_pairs (eq fair) fair_only
    (fun _ => response_positive) _ _ bit_product _ _ true _); intros _; simpl.
  - rewrite <- ln_1. left. apply ln_increasing; lra.
  - rewrite exp_ln by lra. apply response_per_entry.
  - rewrite exp_0. apply bit_curve.
  - lra.
  - lra.
Qed.

Example sufficient_used : pufferfish (exp (sum all (fun _ : bool => ln 3)))
  (releases (map (fun _ : bool => response) all)) bit_pairs (eq fair).
Proof.
  refine (sufficient unit_dec bool_dec bool_dec the_bit (fun _ => response) (fun _ => 1%nat)
    (fun _ => ln 3) (fun _ => 0) (fun _ => ln 3) bit_pairs (eq fair) fair_only
    (fun _ => response_positive) _ _ bit_product _ _); intros _; simpl.
  - rewrite <- ln_1. left. apply ln_increasing; lra.
  - rewrite exp_ln by lra. apply response_per_entry.
  - rewrite exp_0. apply bit_curve.
  - lra.
Qed.

(** A second response, of the other bit if the first output was false: both levels, and no less. *)
Definition turned (_ : bool) (past : list bool) (x w : bool) : R :=
  match past with [false] => response (negb x) w | _ => response x w end.
Lemma turned_private : private_whatever bool_dec the_bit turned (fun _ => ln 3).
Proof.
  intros k past. rewrite exp_ln by lra.
  assert (E : turned k past = response \/ turned k past = fun x => response (negb x)).
  { unfold turned. destruct past as [|[] [|]]; auto. }
  destruct E as [-> | ->]; split.
  - apply response_positive.
  - apply response_per_entry.
  - intros x w. apply response_positive.
  - intros x y w one. apply response_per_entry. now destruct x, y.
Qed.
Lemma nine : exp (INR 1 * (sum all (fun _ : bool => ln 3)) + 0) = 9.
Proof.
  simpl. replace (1 * (ln 3 + (ln 3 + 0)) + 0) with (ln 3 + ln 3) by ring.
  rewrite exp_plus, exp_ln; lra.
Qed.

Example chosen_used : pufferfish 9 (adaptive (map turned all) []) bit_pairs (eq fair).
Proof.
  rewrite <- nine. refine (chosen_at_point unit_dec bool_dec bool_dec the_bit turned (fun _ => ln 3)
    1 0 bit_pairs (eq fair) fair_only _ turned_private bit_product _).
  - intros _. rewrite <- ln_1. left. apply ln_increasing; lra.
  - rewrite exp_0. apply bit_curve.
Qed.

Example chosen_no_less : ~ pufferfish 8 (adaptive (map turned all) []) bit_pairs (eq fair).
Proof.
  intros keep. specialize (keep fair yes no [true; true] eq_refl
    (or_introl (conj eq_refl eq_refl))). revert keep. arithmetic. lra.
Qed.

(** The bit with Laplace noise of scale 1: the level 1, and none below it. *)
Definition noisy_bit : list ((bool -> R) * posreal) :=
  [(fun x : bool => if x then 1 else 0, mkposreal 1 Rlt_0_1)].
Lemma bit_changes : changes_little bool_dec the_bit noisy_bit 1.
Proof.
  intros x y _. destruct x, y; cbn; rewrite ?Rminus_0_r, ?Rminus_eq_0, ?Rminus_0_l, ?Rabs_Ropp,
    ?Rabs_R0, ?Rabs_R1; lra.
Qed.
Lemma at_one (x : bool) : released noisy_bit x [1] = exp (if x then 0 else -1) / 2.
Proof.
  unfold released, scaled, noisy_bit. cbn. rewrite Rmult_1_r. unfold laplace.
  replace (2 * 1) with 2 by ring. destruct x; do 2 f_equal.
  - rewrite Rminus_eq_0, Rabs_R0. field.
  - rewrite Rminus_0_r, Rabs_R1. field.
Qed.

Example noise_per_entry_used : per_entry bool_dec the_bit (exp 1) (released noisy_bit).
Proof. apply noise_per_entry, bit_changes. Qed.
Example noise_translated_used :
  pufferfish (exp (INR 1 * 1 + 0)) (released noisy_bit) bit_pairs (eq fair).
Proof.
  apply (noise_translated unit_dec bool_dec bool_dec the_bit noisy_bit).
  - apply fair_only.
  - rewrite <- exp_0 at 1. left. apply exp_increasing. lra.
  - apply bit_changes.
  - apply bit_product.
  - rewrite exp_0. apply bit_curve.
Qed.
Lemma bit_by_cells : changes_by_cells bool_dec the_bit noisy_bit 1.
Proof.
  intros x y. destruct x, y; cbn; rewrite ?Rminus_0_r, ?Rminus_eq_0, ?Rminus_0_l, ?Rabs_Ropp,
    ?Rabs_R0, ?Rabs_R1; lra.
Qed.
Example noise_by_distance_used :
  pufferfish (exp (INR 1 * 1 + 0)) (released noisy_bit) bit_pairs (eq fair).
Proof.
  apply (noise_by_distance unit_dec bool_dec bool_dec the_bit).
  - apply fair_only.
  - rewrite <- exp_0 at 1. left. apply exp_increasing. lra.
  - apply bit_by_cells.
  - rewrite exp_0. apply bit_curve.
Qed.
Example translate_by_distance_used :
  pufferfish (exp (INR 1 * ln 3 + 0)) response bit_pairs (eq fair).
Proof.
  apply (translate_by_distance unit_dec bool_dec bool_dec the_bit).
  - apply fair_only.
  - apply response_likelihood.
  - rewrite exp_ln; lra.
  - intros x y w. destruct x, y, w; cbn; rewrite ?Rmult_0_l, ?exp_0, ?Rmult_1_l, ?exp_ln by lra;
      unfold response; simpl; lra.
  - rewrite exp_0. apply bit_curve.
Qed.
(** Half of the level is too little for the query. *)
Example bit_changes_more : ~ changes_by_cells bool_dec the_bit noisy_bit (1/2).
Proof.
  intros less. specialize (less true false). cbn in less.
  rewrite Rminus_0_r, Rabs_R1 in less. lra.
Qed.

(** Points that hide 1 and 2 cells and allow the levels 2 and 1. *)
Definition hides (j : bool) : nat := if j then 1 else 2.
Lemma best_of_two : best_level 2 (fun _ => 0) hides = 2.
Proof. unfold best_level, level_at. cbn. unfold Rmax. repeat destruct Rle_dec; lra. Qed.
Example best_scale_used : smallest_scale 1 2 (fun _ : bool => 0) hides (1/2).
Proof.
  replace (1/2) with (1 / best_level 2 (fun _ => 0) hides) by (rewrite best_of_two; lra).
  apply best_scale; [lra|intros []; simpl; lia|rewrite best_of_two; lra].
Qed.
Example larger_is_not_best : ~ smallest_scale 1 2 (fun _ : bool => 0) hides 1.
Proof.
  intros [_ [_ [_ [_ least]]]]. specialize (least (1/2)). assert (1 <= 1/2); [|lra].
  apply least; [lra|]. exists true. simpl. lra.
Qed.
Example noise_no_less : ~ per_entry bool_dec the_bit (exp (1/2)) (released noisy_bit).
Proof.
  intros less. specialize (less true false [1] eq_refl). rewrite !at_one, exp_0 in less.
  pose proof (exp_increasing (1/2 + -1) 0 ltac:(lra)) as small. rewrite exp_0, exp_plus in small.
  lra.
Qed.
