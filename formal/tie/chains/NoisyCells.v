(** Laplace noise on tables of cells is decided at values of the queries, and how much these change
    by powers of rational numbers. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints Attained Curves.
From Pufferproof Require Import NoisyTables Decoys.
From Tied Require Import Decide Entries Noises Curves Neighbours Pairs.
From Tied Require records.Stationary.
Import ListNotations.
Open Scope R_scope.

(** e^(-change), a product of powers. *)
Fixpoint qchange {D} (L : list ((D -> Z) * Q)) x y : Q := match L with [] => 1%Q
  | (z, q) :: L => Qred (qpow q (Z.abs_nat (z x - z y)) * qchange L x y) end.
Lemma change_level {D} (F : list ((D -> R) * posreal)) L x y : queries_are F L ->
  level (- change F x y) (qchange L x y).
Proof.
  unfold queries_are. induction 1 as [|[f b] [z q] F L [e [h be]] rest [c0 E]];
    cbn [change qchange].
  - split; [rewrite one_q; lra|]. rewrite one_q, ln_1. ring.
  - cbn [fst snd] in *. assert (p0 : 0 < Q2R q ^ Z.abs_nat (z x - z y)) by (apply pow_lt; lra).
    split; rewrite red, Q2R_mult, qpow_r; [now apply Rmult_lt_0_compat|].
    rewrite ln_mult, <- E by easy. rewrite !e, <- minus_IZR, <- abs_IZR, be.
    rewrite <- Rpower_pow by lra. unfold Rpower. rewrite ln_exp, INR_IZR_INZ, Zabs2Nat.id_abs.
    pose proof (rate_of q h). field. lra.
Qed.
#[export] Instance d_change {D} (F : list ((D -> R) * posreal)) L x y a q : queries_are F L ->
  level a q -> decided (change F x y <= a) (Qle_bool 1 (Qred (q * qchange L x y))) | 0.
Proof.
  intros r la. pose proof (l_plus _ _ _ _ la (change_level F L x y r)) as sum.
  pose proof (level_at_most 0 (a + - change F x y) 1%Q (Qred (q * qchange L x y))) as most.
  unfold decided in *.
  rewrite most; [lra| |exact sum]. split; [rewrite one_q; lra|]. now rewrite one_q, ln_1.
Qed.

Section Cells.
Context {I V : Type} {n : nat} `{Finite I} (dV : forall u v : V, {u = v} + {u <> v}).
Context (cell : I -> fin n -> V).

Lemma d_one_apart (S : fin n -> fin n -> Prop) c : (forall x y, decided (S x y) (c x y)) ->
  decided (forall x y, distance dV cell x y = 1%nat -> S x y) (forallb (fun x => forallb (fun y =>
    negb (Nat.eqb (distance dV cell x y) 1) || c x y) all) all).
Proof.
  intros each. apply d_all; intros x. apply d_all; intros y. apply d_imp; [|apply each].
  unfold decided. apply Nat.eqb_eq.
Qed.

Lemma at_corners (F : list ((fin n -> R) * posreal)) L ratio r x y : queries_are F L ->
  rational ratio r -> decided (forall ws, released F x ws <= ratio * released F y ws)
    (forallb (fun ws => Qle_bool (qpowers L x ws) (Qred (r * qpowers L y ws))) (integers all L)).
Proof.
  intros q er. set (c := fun z => (if fin_dec n x z then 1 else 0) -
    ratio * (if fin_dec n y z then 1 else 0)).
  assert (mix : forall ws, (Σ z, c z * noisy (scaled F) z ws) =
    released F x ws - ratio * released F y ws).
  { intros ws. unfold c. rewrite (sum_ext all _ (fun z =>
      (if fin_dec n x z then noisy (scaled F) z ws else 0) +
      (- ratio) * (if fin_dec n y z then noisy (scaled F) z ws else 0)))
      by (intros z _; destruct (fin_dec n x z), (fin_dec n y z); ring).
    rewrite sum_plus, sum_scale.
    rewrite (sum_at (fin_dec n) x (fun z => noisy (scaled F) z ws)).
    rewrite (sum_at (fin_dec n) y (fun z => noisy (scaled F) z ws)). unfold released. ring. }
  pose proof (heights_pos F) as h0. unfold decided. rewrite forallb_forall.
  assert (turn : forall ws, Qle_bool (qpowers L x ws) (Qred (r * qpowers L y ws)) = true <->
    released F x (map IZR ws) <= ratio * released F y (map IZR ws)).
  { intros ws. rewrite !(released_powers F L) by easy.
    assert (d : decided (powers L x ws <= ratio * powers L y ws)
      (Qle_bool (qpowers L x ws) (Qred (r * qpowers L y ws)))).
    { apply d_le; [apply r_powers|]. apply r_mult; [exact er|apply r_powers]. }
    unfold decided in d. rewrite d.
    replace (ratio * (heights F * powers L y ws)) with (heights F * (ratio * powers L y ws))
      by ring.
    split; intros le; [apply Rmult_le_compat_l; lra|now apply Rmult_le_reg_l in le]. }
  split.
  - intros each ws.
    enough (low : (Σ z, c z * noisy (scaled F) z ws) <= 0) by (rewrite mix in low; lra).
    apply mixture_on_grid; [apply scaled_pos|]. intros us i. rewrite mix.
    rewrite grid_corners, (corners_integers F L all q) in i.
    apply in_map_iff in i as [v [<- i]]. apply each, turn in i. lra.
  - intros each ws _. now apply turn.
Qed.
End Cells.
#[export] Hint Extern 0 (decided (changes_little _ _ _ _) _) =>
  apply d_one_apart; intros ? ? : typeclass_instances.
Lemma d_noise_per_entry {I V n} `{Finite I} (dV : forall u v : V, {u = v} + {u <> v})
  (cell : I -> fin n -> V) (F : list ((fin n -> R) * posreal)) L ratio r : queries_are F L ->
  rational ratio r -> decided (per_entry dV cell ratio (released F)) (forallb (fun x =>
    forallb (fun y => negb (Nat.eqb (distance dV cell x y) 1) || forallb (fun ws =>
      Qle_bool (qpowers L x ws) (Qred (r * qpowers L y ws))) (integers all L)) all) all).
Proof.
  intros q er. pose proof (d_one_apart dV cell (fun x y => forall ws,
    released F x ws <= ratio * released F y ws) _
    (fun x y => at_corners F L ratio r x y q er)) as d.
  unfold decided in *. rewrite d. unfold per_entry. split; intros h x y; auto.
Qed.
#[export] Hint Extern 0 (decided (per_entry _ _ _ (released _)) _) => eapply d_noise_per_entry :
  typeclass_instances.

Lemma d_changes_by_cells {I V n} `{Finite I} (dV : forall u v : V, {u = v} + {u <> v})
  (cell : I -> fin n -> V) (F : list ((fin n -> R) * posreal)) L eps q : queries_are F L ->
  level eps q -> decided (changes_by_cells dV cell F eps) (forallb (fun x => forallb (fun y =>
    Qle_bool 1 (Qred (qpow q (distance dV cell x y) * qchange L x y))) all) all).
Proof.
  intros r e. unfold changes_by_cells. apply d_all; intros x. apply d_all; intros y.
  apply d_change; [easy|now apply l_times].
Qed.
#[export] Hint Extern 0 (decided (changes_by_cells _ _ _ _) _) =>
  eapply d_changes_by_cells : typeclass_instances.

(** The smallest scale, by products. *)
Definition best_q {J} `{Finite J} (promise : Q) (a : J -> Q) (b : J -> nat) : Q :=
  fold_right (fun j m => let l := Qred ((promise - a j) * Qred (/ inject_Z (Z.of_nat (b j)))) in
    if Qle_bool l m then m else l) 0%Q all.

Section Scales.
Context {J : Type} `{Finite J} (L promise s : R) (a : J -> R) (b : J -> nat).
Context (Lq pq sq : Q) (aq : J -> Q).
Hypotheses (eL : rational L Lq) (ep : rational promise pq) (es : rational s sq)
  (ea : forall j, rational (a j) (aq j)).

Lemma r_best_level : rational (best_level promise a b) (best_q pq aq b).
Proof.
  unfold best_level, best_q. induction (@all J _) as [|j l IH]; cbn [fold_right]; [apply r_0|].
  set (m := fold_right (fun j => Rmax _) 0 l) in *. unfold level_at.
  pose proof (r_div _ _ _ _ (r_minus _ _ _ _ ep (ea j)) (Stationary.r_count (b j))) as one.
  assert (E : rational ((promise - a j) / INR (b j))
    (Qred ((pq - aq j) * Qred (/ inject_Z (Z.of_nat (b j)))))).
  { unfold rational in *. rewrite one, !red, !Q2R_mult, !red. easy. }
  cbv zeta. pose proof (d_le _ _ _ _ E IH) as le. unfold decided in le. unfold Rmax.
  destruct Rle_dec as [yes|no_], (Qle_bool (Qred (_ * _)) _); intuition discriminate.
Qed.

Lemma smallest_products : smallest_scale L promise a b s <-> 0 < L /\ (forall j, (0 < b j)%nat) /\
  0 < s /\ ~ (forall j, ~ INR (b j) * L + a j * s <= promise * s) /\
  forall j, s * (promise - a j) <= L * INR (b j).
Proof.
  unfold smallest_scale, scale_allowed. split; intros [L0 [b0 [s0 [ok least]]]];
    (split; [easy|]; split; [easy|]; split; [easy|]).
  - split.
    + destruct ok as [j ok]. intros none. apply (none j).
      apply (Rmult_le_compat_r s) in ok; [|lra].
      replace ((INR (b j) * (L / s) + a j) * s) with (INR (b j) * L + a j * s) in ok
        by (field; lra). lra.
    + intros j. pose proof (lt_0_INR _ (b0 j)) as bj.
      destruct (Rle_lt_dec (promise - a j) 0) as [low|up]; [nra|].
      set (r := L * INR (b j) / (promise - a j)).
      assert (r0 : 0 < r).
      { unfold r. apply Rmult_lt_0_compat; [now apply Rmult_lt_0_compat|].
        now apply Rinv_0_lt_compat. }
      assert (le : s <= r).
      { apply least; [easy|]. exists j. unfold r. apply Req_le. field. lra. }
      apply (Rmult_le_compat_r (promise - a j)) in le; [|lra]. unfold r in le.
      replace (L * INR (b j) / (promise - a j) * (promise - a j)) with (L * INR (b j)) in le
        by (field; lra). lra.
  - split.
    + apply Classical_Pred_Type.not_all_not_ex in ok as [j ok]. exists j.
      apply (Rmult_le_reg_r s); [easy|].
      replace ((INR (b j) * (L / s) + a j) * s) with (INR (b j) * L + a j * s) by (field; lra).
      lra.
    + intros r r0 [j le]. specialize (least j). pose proof (lt_0_INR _ (b0 j)) as bj.
      assert (up : 0 < INR (b j) * (L / r)).
      { apply Rmult_lt_0_compat; [easy|]. apply Rmult_lt_0_compat; [easy|].
        now apply Rinv_0_lt_compat. }
      apply (Rmult_le_compat_r r) in le; [|lra].
      replace ((INR (b j) * (L / r) + a j) * r) with (INR (b j) * L + a j * r) in le
        by (field; lra).
      apply (Rmult_le_reg_r (promise - a j)); [|lra].
      assert (0 < INR (b j) * L) by now apply Rmult_lt_0_compat. nra.
Qed.

Let bq j := inject_Z (Z.of_nat (b j)).
Lemma d_smallest_scale : decided (smallest_scale L promise a b s)
  (negb (Qle_bool Lq 0) && (forallb (fun j => Nat.ltb 0 (b j)) all && (negb (Qle_bool sq 0) &&
    (negb (forallb (fun j => negb (Qle_bool (Qred (Qred (bq j * Lq) + Qred (aq j * sq)))
      (Qred (pq * sq)))) all) &&
    forallb (fun j => Qle_bool (Qred (sq * Qred (pq - aq j))) (Qred (Lq * bq j))) all)))).
Proof.
  pose proof smallest_products as E. unfold decided. rewrite E. clear E.
  apply d_and; [now apply d_lt; [apply r_0|]|]. apply d_and.
  { apply d_all; intros j. apply d_nat_lt. }
  apply d_and; [now apply d_lt; [apply r_0|]|]. apply d_and.
  - apply d_not, d_all. intros j. apply d_not, d_le; [apply r_plus; apply r_mult|apply r_mult];
      auto; apply Stationary.r_count.
  - apply d_all; intros j. apply d_le; apply r_mult; auto;
      [now apply r_minus|apply Stationary.r_count].
Qed.
End Scales.
#[export] Hint Extern 0 (decided (smallest_scale _ _ _ _ _) _) => eapply d_smallest_scale :
  typeclass_instances.
#[export] Hint Extern 0 (rational (best_level _ _ _) _) => eapply r_best_level :
  typeclass_instances.
