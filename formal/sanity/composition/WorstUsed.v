(** Bounds of columns and of joint releases, on one bit. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Spectrum Means Worst Bounds Vertices
  Values Programs Metric Constants Adaptive.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Definition by_bit (one zero : R) (x : bool) := if x then one else zero.

Example mediant_used : (Σ i, by_bit 1 2 i * by_bit 3 2 i) <= 3 * Σ i, by_bit 1 2 i * by_bit 1 1 i.
Proof. apply mediant; intros []; simpl; lra. Qed.

(** Weights below 0 turn a bound round. *)
Example mediant_needs_weights : ~ forall (w a b : bool -> R) c, (forall i, a i <= c * b i) ->
  (Σ i, w i * a i) <= c * Σ i, w i * b i.
Proof.
  intros all_. specialize (all_ (by_bit (-1) 0) (by_bit 0 0) (by_bit 1 1) 1).
  cbn -[IZR] in all_. assert (forall i, by_bit 0 0 i <= 1 * by_bit 1 1 i)
    by (intros []; simpl; lra). specialize (all_ H). lra.
Qed.

(** Databases 1 and 0 exchanged: the law of the second is where they are carried. *)
Example only_couplings_used y :
  (Σ x, by_bit (1/3) (2/3) x * (if eqb x y then 0 else 1)) = by_bit (2/3) (1/3) y.
Proof.
  apply (only_couplings (by_bit (1/3) (2/3)) (by_bit (2/3) (1/3))
    (fun x y => if eqb x y then 0 else 1)).
  - intros []; cbn -[IZR]; lra.
  - intros []; cbn -[IZR]; lra.
  - cbn -[IZR]; lra.
Qed.

(** Weights that carry less than all of a law carry it below another one too. *)
Example only_couplings_needs_rows : ~ forall (mu nu : bool -> R) (beta : bool -> bool -> R),
  (forall y, (Σ x, mu x * beta x y) <= nu y) -> (Σ y, nu y) <= (Σ x, mu x) ->
  forall y, (Σ x, mu x * beta x y) = nu y.
Proof.
  intros all_. specialize (all_ fair fair (fun _ _ => 0)).
  assert (E : (Σ x, fair x * 0) = fair true).
  { apply all_; [intros []; unfold fair; cbn -[IZR]; lra|lra]. }
  unfold fair in E. cbn -[IZR] in E. lra.
Qed.

(** Where both secrets have the same law no mechanisms tell them apart, whatever their levels. *)
Example attained_at_rays_used : bounded_by [(fair, fair)] [2; 3] 1.
Proof.
  apply attained_at_rays.
  - intros mu nu [E|[]]. inversion E; subst. split; apply fair_law.
  - intros ratio [<-|[<-|[]]]; lra.
  - intros rs _ mu nu [E|[]]. inversion E; subst. lra.
Qed.

(** A constant release shows that no smaller number will do. *)
Example attained_is_exact : ~ bounded_by [(fair, fair)] [2] (1/2).
Proof.
  intros [_ [_ bound]].
  specialize (bound bool _ [fun _ w => by_bit 1 0 w] [true] fair fair).
  assert (one : inner fair (fun x : bool => releases [fun _ w => by_bit 1 0 w] x [true]) = 1).
  { unfold inner, fair. cbn -[IZR]. lra. }
  rewrite one in bound. assert (1 <= 1 / 2 * 1); [|lra]. apply bound; [|now left].
  constructor; [|constructor]. split.
  - intros x. split; [intros []; simpl; lra|]. cbn -[IZR]. lra.
  - intros w mu nu [E|[]]. inversion E; subst. unfold inner, fair. destruct w; cbn -[IZR]; lra.
Qed.

Example mediant_below_used :
  2 * (Σ i, by_bit 1 2 i * by_bit 1 1 i) <= Σ i, by_bit 1 2 i * by_bit 3 2 i.
Proof. apply mediant_below; intros []; simpl; lra. Qed.

(** The columns of the response lie in the cone of its level. *)
Example columns_in_cone_used w :
  in_cone 3 (laws_of bit_pairs (eq fair)) (fun x => response x w).
Proof.
  apply columns_in_cone; [|apply response_leaks]. intros x v. apply (response_kernel x).
Qed.

Example joint_columns_used :
  (Σ c : bool, Σ e : bool, 1/2 * (1/2) * (by_bit 1 0 c * by_bit 1 0 e)) = 1/4.
Proof.
  rewrite (joint_columns (fun _ => 1/2) (fun _ => 1/2) (fun c (_ : bool) => by_bit 1 0 c)
    (fun e _ => by_bit 1 0 e) true). cbn -[IZR]. lra.
Qed.

(** Half of a column with the denominator 2. *)
Example scaled_column_used : (Σ x, by_bit 1 1 x * (1 * (1/2 * 1))) = 1.
Proof.
  apply (scaled_column (fun (_ : unit) (_ : bool) => -1) (fun _ => 1) (fun _ => 1) (by_bit 0 3)
    (by_bit 1 1) (1/2)); try (intros; cbn -[IZR]; lra).
Qed.

(** Without products of inequalities the bound is that of single databases. *)
Example identities_used : (Σ x, by_bit 1 2 x * (3 * 5)) <= 2 * Σ x, by_bit 1 1 x * (3 * 5).
Proof.
  apply (identities 2 (by_bit 1 2) (by_bit 1 1) (fun _ : bool => 0) (fun _ _ => 1) (fun _ _ => 1)
    (fun _ => 3) (fun _ => 5)); try (intros; cbn -[IZR]; lra).
  intros x y. unfold point. cbn -[IZR]. destruct Compactness.decision; destruct x; simpl; lra.
Qed.

Example relaxation_used : (Σ x, by_bit 1 2 x * (3 * 5)) = 45.
Proof.
  destruct (relaxation (fun (_ : unit) (_ : bool) => -1) (fun (_ : unit) (_ : bool) => -1)
    (by_bit 1 2) (by_bit 1 1) (fun _ => 3) (fun _ => 5) (fun _ _ => 15))
    as [_ [_ [_ [_ [E _]]]]]; try (intros; cbn -[IZR]; lra).
Qed.

(** Where both secrets have the same law no supports tell them apart. *)
Example infinite_at_rays_used : ~ rays_split [(fair, fair)] [2; 3].
Proof.
  intros split_. apply infinite_at_rays in split_.
  - destruct split_ as [_ [_ none]]. destruct (none 1) as [Ms [ws [mu [nu [_ [[E|[]] lt]]]]]].
    inversion E; subst. lra.
  - intros mu nu [E|[]]. inversion E; subst. split; apply fair_law.
  - intros ratio [<-|[<-|[]]]; lra.
Qed.

(** Matching pennies: half of each keeps 0. *)
Example game_value_used : value_between (fun w y : bool => if eqb w y then 1 else -1) (-1) 1.
Proof. apply game_value; try exact true; intros [] []; simpl; lra. Qed.
Example game_value_is_no_more :
  ~ value_between (fun w y : bool => if eqb w y then 1 else -1) (1/2) 1.
Proof.
  intros [V [[low _] [_ exceed]]].
  apply (never_both (fun w y : bool => if eqb w y then 1 else -1) (1/4));
    [|apply exceed; lra].
  exists fair. split; [apply fair_law|]. intros []; unfold fair; cbn -[IZR]; lra.
Qed.

(** Randomized response: its program for the bit 1 has the optimum ln 3. *)
Lemma response_close : means_close (ln 3) response yes no.
Proof.
  intros alpha [a0 a1] x sx _. destruct x; [|easy]. exists false. split; [easy|].
  split; [intros []; by_cases|]. unfold mean_log, response in *. cbn -[IZR ln] in *.
  pose proof (a0 true). pose proof (a0 false).
  assert (ln (3/4) = ln 3 + ln (1/4)) by (rewrite <- ln_mult by lra; f_equal; lra).
  assert (ln 1 < ln 3) by (apply ln_increasing; lra). rewrite ln_1 in *. nra.
Qed.
Example optima_exactly_used : optima_below (ln 3) response yes no.
Proof.
  apply (optima_exactly true); [intros [] []; by_cases|exact response_close].
Qed.
Example optimum_is_no_less : ~ optima_below (ln 2) response yes no.
Proof.
  intros below. apply (optima_exactly true) in below; [|intros [] []; by_cases].
  destruct (below (by_bit 1 0)) with (x := true) as [l [tl [_ le]]]; try easy.
  - split; [intros []; simpl; lra|cbn -[IZR]; lra].
  - intros []; by_cases.
  - destruct l; [easy|]. unfold mean_log, response in le. cbn -[IZR ln] in le.
    assert (ln (3/4) = ln 3 + ln (1/4)) by (rewrite <- ln_mult by lra; f_equal; lra).
    assert (ln 2 < ln 3) by (apply ln_increasing; lra). lra.
Qed.

(** A bit that is told: no level is enough for the programs, nor for their duals. *)
Example programs_exactly_used eps : ~ duals_below eps identity yes no.
Proof.
  intros below.
  assert (L : likelihood identity) by (intros [] []; by_cases).
  destruct (programs_exactly bool_dec eps identity yes no L) as [[_ close] [_ less]];
    [now exists false|].
  destruct (close (less below) (by_bit 1 0)) with (x := true) as [l [tl [gl _]]]; try easy.
  - split; [intros []; simpl; lra|cbn -[IZR]; lra].
  - intros []; simpl; [by_cases|lra].
  - destruct l; [easy|]. specialize (gl true). revert gl. by_cases.
Qed.
(** Without a database of t the dual has no weights, and the program of a row of 0 none either. *)
Example programs_need_a_database : ~ (programs_below 0 (fun _ _ : bool => 0) yes (fun _ => false)
  <-> duals_below 0 (fun _ _ : bool => 0) yes (fun _ => false)).
Proof.
  intros [below _].
  destruct (below) with (x := true) as [y [_ [beta [[b0 b1] [here _]]]]]; try easy.
  - intros x _ e [alpha [[a0 a1] [gx _]]]. exfalso.
    destruct (sum_pos_exists all alpha) as [w [_ up]]; [lra|]. specialize (gx w up). lra.
  - destruct (sum_pos_exists all beta) as [l [_ up]]; [lra|]. now specialize (here l up).
Qed.

(** One bit, both values neighbours: levels 2 and 3 bound each output by 6 together. *)
Definition flips (x y : bool) := x <> y.
Example power_closed_used : mechanisms_bounded flips (fun _ _ => 1%nat) [2; 3]
  (by_bit 1 0) (by_bit 0 1) 6.
Proof.
  apply power_closed.
  - intros x y n. split; [|easy]. intros E. now apply n.
  - discriminate.
  - intros ratio [<-|[<-|[]]]; lra.
  - intros u [u0 close]. specialize (close true false ltac:(discriminate)).
    unfold product_of, inner in *. cbn -[IZR] in *. lra.
Qed.
(** No less than 6 will do. *)
Example power_closed_is_exact : ~ mechanisms_bounded flips (fun _ _ => 1%nat) [2; 3]
  (by_bit 1 0) (by_bit 0 1) 5.
Proof.
  intros bound. pose proof bound as [sym [some [r1 _]]].
  apply power_closed in bound; [|easy|easy|easy].
  specialize (bound (by_bit 6 1)). unfold product_of, inner in *. cbn -[IZR] in bound.
  assert (6 <= 5); [|lra]. apply Rle_trans with (1 * 6 + (0 * 1 + 0)); [lra|].
  apply Rle_trans with (5 * (0 * 6 + (1 * 1 + 0))); [|lra]. apply bound. split.
  - intros []; simpl; lra.
  - intros [] [] n; cbn -[IZR]; lra.
Qed.

(** The uniform law carries a bit to itself, up to the constant 1. *)
Example constant_levels_used ws :
  Pw fair (releases [response; response]) yes ws * P fair no <=
  (9 * (9 * 1)) * 1 * P fair yes * Pw fair (releases [response; response]) no ws.
Proof.
  assert (no_law : law (by_bit 0 1)) by (split; [intros []; simpl; lra|cbn -[IZR]; lra]).
  apply (constant_levels fair yes no (fun _ => by_bit 0 1) fair_law (fun _ => no_law)
    [(response, 9); (response, 9)] 1 ws).
  - intros M E [F|[F|[]]]; inversion F; subst; (split; [|lra]); intros x w;
      apply (response_kernel x).
  - intros M E [F|[F|[]]]; inversion F; subst; intros x w px; unfold geo; cbn -[IZR];
      unfold pw; destruct (Req_EM_T 0 0) as [_|no_]; try easy;
      destruct (Req_EM_T 1 0) as [one|_]; try lra;
      destruct x, w; unfold response; cbn -[IZR];
      destruct Rlt_dec as [_|no_]; try lra; rewrite !Rmult_1_l, exp_ln; lra.
  - intros []; unfold inside, P, yes, no, fair; cbn -[IZR]; lra.
Qed.

(** Where both secrets have the same law no choices tell them apart. *)
Example adaptive_at_rays_used : adaptively_bounded [(fair, fair)] [2; 3] 1.
Proof.
  apply adaptive_at_rays.
  - intros mu nu [E|[]]. inversion E; subst. split; apply fair_law.
  - intros ratio [<-|[<-|[]]]; lra.
  - intros rs _ mu nu [E|[]]. inversion E; subst. lra.
Qed.
