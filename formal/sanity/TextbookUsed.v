(** What textbooks prove, used on numbers, and what fails without a hypothesis. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Compactness Spectrum Eigenvalues ExpLaws Farkas Integrals.
Import ListNotations.
Open Scope R_scope.

(** 2 u - v where u >= v. *)
Definition above (x : bool) : R := if x then 1 else -1.
Definition twice (x : bool) : R := if x then 2 else -1.

Example farkas_used : exists weights, length weights = 1%nat /\
  (forall w, In w weights -> 0 <= w) /\
  forall x, combination weights [above] x <= twice x.
Proof.
  apply (farkas [above] twice). intros u u0 rows. specialize (rows above (or_introl eq_refl)).
  pose proof (u0 true). unfold value_at, above, twice in *. simpl in *. lra.
Qed.

(** - v is negative somewhere. *)
Example farkas_needs_the_inequality : ~ exists weights, length weights = 1%nat /\
  (forall w, In w weights -> 0 <= w) /\
  forall x : bool, combination weights [above] x <= (if x then 0 else -1).
Proof.
  intros [[|w [|]] [len [pos le]]]; try discriminate.
  pose proof (le true). pose proof (le false). unfold combination, above in *. simpl in *. lra.
Qed.

Definition constant (c : R) : R -> R := fun _ => c.

Example integrals_used
  (n : Riemann_integrable (fun y => constant 3 y * constant 1 y) 0 1)
  (d : Riemann_integrable (fun y => constant 3 y * constant 2 y) 0 1) :
  RiemannInt n <= 1 / 2 * RiemannInt d.
Proof. apply integrals_keep_order; unfold constant; intros; lra. Qed.

Lemma integral_of_constant c (i : Riemann_integrable (fct_cte c) 0 1) : RiemannInt i = c.
Proof. rewrite (RiemannInt_P15 i). ring. Qed.

Example integrals_need_weights :
  ~ (forall (n : Riemann_integrable (fun y => constant (-1) y * constant 0 y) 0 1)
      (d : Riemann_integrable (fun y => constant (-1) y * constant 1 y) 0 1),
      RiemannInt n <= 1 * RiemannInt d).
Proof.
  intros le.
  assert (n : Riemann_integrable (fct_cte (-1 * 0)) 0 1) by apply RiemannInt_P14.
  assert (d : Riemann_integrable (fct_cte (-1 * 1)) 0 1) by apply RiemannInt_P14.
  specialize (le n d). change (RiemannInt n <= 1 * RiemannInt d) in le.
  rewrite !integral_of_constant in le. lra.
Qed.

Example sequences_used : exists (part : nat -> nat) (g : bool -> R),
  (forall n, (part n < part (S n))%nat) /\
  forall x, -1 <= g x <= 1 /\ Un_cv (fun n => (-1) ^ part n) (g x).
Proof.
  apply (sequences_converge (-1) 1 (fun n _ => (-1) ^ n)). intros n _.
  destruct (Nat.Even_or_Odd n) as [[k ->]|[k ->]]; [rewrite pow_1_even|
    rewrite Nat.add_1_r, pow_1_odd]; lra.
Qed.

Example sequences_need_bounds : ~ exists (part : nat -> nat) (g : R),
  (forall n, (part n < part (S n))%nat) /\ Un_cv (fun n => INR (part n)) g.
Proof.
  intros [part [g [up conv]]]. destruct (conv 1 ltac:(lra)) as [N near].
  assert (grows : forall k, (part N + k <= part (N + k))%nat).
  { induction k as [|k IH]; [now rewrite !Nat.add_0_r|]. rewrite !Nat.add_succ_r.
    specialize (up (N + k)%nat). lia. }
  pose proof (near N ltac:(lia)) as a. pose proof (near (N + 2)%nat ltac:(lia)) as b.
  specialize (grows 2%nat). apply le_INR in grows. rewrite plus_INR in grows. simpl in grows.
  unfold R_dist in *. apply Rabs_def2 in a. apply Rabs_def2 in b. lra.
Qed.

(** The chain that draws anew, and the one that flips: the first forgets, the second does not. *)
Definition half (_ : bool) : R := 1 / 2.
Definition anew (_ _ : bool) : R := 1 / 2.
Definition flip (x y : bool) : R := if eqb x y then 0 else 1.

Example symmetric_matrix_used : exists basis, orthonormal (fun _ => 1) (map snd basis) /\
  eigenpairs flip basis /\ length basis = 2%nat /\
  forall x y, flip x y = sum basis (fun e => fst e * snd e x * snd e y).
Proof. exact (symmetric_matrix flip ltac:(now intros [] [])). Qed.

Example other_matrices_are_no_such_sum : ~ exists basis : list (R * (bool -> R)), forall x y,
  (if x : bool then 1 else 0) = sum basis (fun e => fst e * snd e x * snd e y).
Proof.
  intros [basis sums]. pose proof (sums true false) as a. pose proof (sums false true) as b.
  assert (E : sum basis (fun e => fst e * snd e true * snd e false) =
    sum basis (fun e => fst e * snd e false * snd e true)) by (apply sum_ext; intros; ring). lra.
Qed.

(** The eigenvector 1 is extended by another one. *)
Example spectral_theorem_used : exists lam u, eigenpairs flip [(lam, u); (1, fun _ => 1)] /\
  inner half u u = 1 /\ inner half u (fun _ => 1) = 0.
Proof.
  destruct (spectral_theorem half ltac:(intros; unfold half; lra) flip [(1, fun _ => 1)])
    as [more h].
  - intros [] []; unfold half, flip; simpl; lra.
  - intros lam u [E|[]] x. injection E as <- <-. unfold image, flip. destruct x; simpl; lra.
  - simpl. unfold inner, half. simpl. repeat split; try easy. lra.
  - simpl. lia.
  - destruct h as [eig [on [len _]]]. destruct more as [|[lam u] [|e more]].
    1, 3: simpl in len; rewrite ?app_length in len; simpl in len; lia.
    exists lam, u. destruct on as [one [apart _]]. repeat split; auto. apply apart. now left.
Qed.

Lemma anew_steps x y : 0 < steps anew 1 x y.
Proof.
  simpl. unfold anew, point. destruct y; destruct (decision _); destruct (decision _);
    try congruence; lra.
Qed.

Example reversible_powers_used : exists others,
  orthonormal half (map snd (others ++ [(1, fun _ => 1)])) /\ eigenpairs anew others /\
  S (length others) = 2%nat /\ (forall lam u, In (lam, u) others -> Rabs lam < 1) /\
  forall t x y, steps anew t x y =
    half y * (1 + sum others (fun e => fst e ^ t * snd e x * snd e y)).
Proof.
  change 2%nat with (length (@all bool _)).
  apply (reversible_powers half anew); try (unfold half, anew; simpl; intros; lra).
  - intros [] []; unfold half, anew; lra.
  - intros x y. exists 1%nat. apply anew_steps.
  - intros x d all_times. destruct (all_times 1%nat (anew_steps x x)) as [k E].
    symmetry in E. now apply Nat.eq_mul_1 in E.
Qed.

Example a_chain_that_flips_has_no_such_powers : ~ exists others : list (R * (bool -> R)),
  length others = 1%nat /\ (forall lam u, In (lam, u) others -> Rabs lam < 1) /\
  forall t x y, steps flip t x y =
    half y * (1 + sum others (fun e => fst e ^ t * snd e x * snd e y)).
Proof.
  intros [[|[lam u] [|]] [len [small powers]]]; try discriminate len.
  specialize (small lam u (or_introl eq_refl)). apply Rabs_def2 in small as [above below].
  pose proof (powers 0%nat true true) as a. pose proof (powers 2%nat true true) as b.
  simpl in a, b. unfold flip, half, point in a, b. simpl in a, b.
  destruct (decision (true = true)); [|easy]. destruct (decision (true = false)); [easy|].
  assert (E : u true * u true = 1) by lra.
  assert (F : lam * lam * (u true * u true) = 1) by lra. rewrite E in F.
  assert (0 < (1 - lam) * (1 + lam)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma anew_both_ways f x : image (both_ways half anew) f x = 1 / 2 * (f true + f false).
Proof. unfold image, both_ways, backwards, half, anew. simpl. field. Qed.

Example contraction_used f : inner half f (fun _ => 1) = 0 ->
  let after := iterated (backwards half anew) 1 f in inner half after after <= 0.
Proof.
  intros mean after.
  destruct (contraction half anew) with (s := 0) (f := f) (t := 1%nat) as [_ le]; auto;
    try (unfold half, anew; simpl; intros; lra).
  - intros g same x y. rewrite <- (same x), <- (same y), !anew_both_ways. easy.
  - intros lam g ne [x g0] eig. pose proof (eig true) as a. pose proof (eig false) as b.
    rewrite anew_both_ways in a, b. apply Rnot_lt_le. intros pos.
    assert (E : g true = g false) by (apply (Rmult_eq_reg_l lam); lra).
    rewrite <- E in a. assert (Z : (1 - lam) * g true = 0) by lra.
    apply Rmult_integral in Z as [Z|Z]; [lra|]. destruct x; lra.
  - fold after in le. simpl in le. lra.
Qed.

(** Flipping has the eigenvalue 1 of P P* twice, and no other one. *)
Example a_chain_that_flips_shrinks_nothing : ~ forall f, inner half f (fun _ => 1) = 0 ->
  let after := iterated (backwards half flip) 1 f in inner half after after <= 0.
Proof.
  intros shrinks. specialize (shrinks above). simpl in shrinks.
  unfold inner, image, backwards, half, flip, above in shrinks. simpl in shrinks. lra.
Qed.

(** Euler's number is at least 2, and so is its square by the sum of exponents. *)
Example e_is_at_least_2 : exp 1 >= 2.
Proof. pose proof (tangent 1). lra. Qed.

Example e_squared_is_at_least_4 : exp 2 >= 4.
Proof.
  rewrite (adds 2 1 1) by lra. pose proof e_is_at_least_2 as two.
  apply Rle_ge. replace 4 with (2 * 2) by lra. apply Rmult_le_compat; lra.
Qed.

(** The tangent at 0 is no lower than 1 there. *)
Example exp_is_not_above_a_higher_line : ~ forall x, exp x >= 2 + x.
Proof. intros higher. specialize (higher 0). rewrite exp_0 in higher. lra. Qed.
