(** Product distributions of full support, and a value of a record against all others: the promise
    is differential privacy too. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain RecordTables ProductPriors.
Import ListNotations.
Open Scope R_scope.

(** Limits at 0. *)
Lemma still_nonneg f : continuity_pt f 0 -> (forall e, 0 < e <= 1 -> 0 <= f e) -> 0 <= f 0.
Proof.
  intros cont above. destruct (Rle_lt_dec 0 (f 0)) as [|below]; [easy|]. exfalso.
  destruct (cont (- f 0) ltac:(lra)) as [d [d0 near]]. set (e := Rmin (d / 2) 1).
  assert (e0 : 0 < e <= 1).
  { unfold e. split; [apply Rmin_glb_lt; lra|apply Rmin_r]. }
  assert (ed : e < d) by (unfold e; pose proof (Rmin_l (d / 2) 1); lra).
  specialize (above e e0). assert (close : R_dist (f e) (f 0) < - f 0).
  { apply near. split; [split; [exact I|lra]|]. simpl. unfold R_dist. rewrite Rabs_right; lra. }
  unfold R_dist in close. rewrite Rabs_right in close; lra.
Qed.

Lemma continuous_sum {A} (l : list A) (f : A -> R -> R) :
  (forall x, continuity_pt (f x) 0) -> continuity_pt (fun e => sum l (fun x => f x e)) 0.
Proof.
  intros each. induction l as [|x l IH]; cbn [sum].
  - apply continuity_pt_const. easy.
  - now apply (continuity_pt_plus (f x) (fun e => sum l (fun x => f x e))).
Qed.

Section Products.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** Records of which each value is possible. *)
Definition full_products {n} (p : vec A n -> R) := exists q, (forall j, law (q j)) /\
  (forall j a, 0 < q j a) /\ forall x, p x = product_law q x.
(** A value of a record, and that the record has another one, in both orders. *)
Definition against_others {n} (s t : @secret (vec A n)) := exists j a,
  (forall x, s x = has dA j a x /\ t x = negb (has dA j a x)) \/
  (forall x, t x = has dA j a x /\ s x = negb (has dA j a x)).

(** A law that is mixed with the even one. *)
Definition flat (a : A) : R := / INR (length (@all A _)).
Definition tempered (q : nat -> A -> R) e j a := (1 - e) * q j a + e * flat a.

Lemma ones {B} (l : list B) c : sum l (fun _ => c) = INR (length l) * c.
Proof. induction l as [|b l IH]; [simpl; ring|]. cbn [length sum]. rewrite S_INR, IH. ring. Qed.

Lemma flat_pos a : 0 < flat a.
Proof.
  apply Rinv_0_lt_compat, lt_0_INR. pose proof (all_here a) as here.
  now destruct all; [|simpl; lia].
Qed.

Lemma tempered_law q e : (forall j, law (q j)) -> 0 < e <= 1 ->
  (forall j, law (tempered q e j)) /\ forall j a, 0 < tempered q e j a.
Proof.
  intros L e0. assert (pos : forall j a, 0 < tempered q e j a).
  { intros j a. unfold tempered. pose proof (proj1 (L j) a). pose proof (flat_pos a).
    assert (0 <= (1 - e) * q j a) by (apply Rmult_le_pos; lra).
    assert (0 < e * flat a) by (apply Rmult_lt_0_compat; lra). lra. }
  split; [|easy]. intros j. split; [intros a; apply Rlt_le, pos|]. unfold tempered.
  rewrite sum_plus, !sum_scale. destruct (L j) as [_ ->]. unfold flat. rewrite ones.
  destruct (@all A _) as [|a l] eqn:none.
  - destruct (L j) as [_ one]. rewrite none in one. simpl in one. lra.
  - rewrite Rinv_r; [lra|]. apply not_0_INR. simpl. lia.
Qed.

Lemma null_given n q j a (f : vec A n -> R) : (forall j, law (q j)) ->
  given_value dA q j a (fun _ : vec A n => 1) <= 0 -> given_value dA q j a f = 0.
Proof.
  intros L none. unfold given_value. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
  intros v iv.
  assert (pos : forall u : vec A n, 0 <= (if has dA j a u then product_law q u else 0)).
  { intros u. destruct (has dA j a u); [now apply product_nonneg|lra]. }
  assert (le := sum_member all (fun u => (if has dA j a u then product_law q u else 0) * 1) v
    ltac:(intros u _; specialize (pos u); lra) iv). cbv beta in le. specialize (pos v).
  unfold given_value in none. replace (if has dA j a v then product_law q v else 0) with 0 by lra.
  ring.
Qed.

Lemma continuous_law n q (v : vec A n) : continuity_pt (fun e => product_law (tempered q e) v) 0.
Proof.
  revert q. induction n as [|n IH]; intros q; cbn [product_law].
  - apply continuity_pt_const. easy.
  - apply (continuity_pt_mult (fun e => tempered q e 0 (fst v)) (fun e =>
      product_law (next_record (tempered q e)) (snd v))); [unfold tempered; reg|].
    exact (IH (snd v) (next_record q)).
Qed.

Lemma continuous_given n q j a (f : vec A n -> R) :
  continuity_pt (fun e => given_value dA (tempered q e) j a f) 0.
Proof.
  apply (continuous_sum all (fun v e =>
    (if has dA j a v then product_law (tempered q e) v else 0) * f v)).
  intros v. apply (continuity_pt_mult (fun e =>
    if has dA j a v then product_law (tempered q e) v else 0) (fun _ => f v)).
  - destruct (has dA j a v); [apply continuous_law|apply continuity_pt_const; easy].
  - apply continuity_pt_const. easy.
Qed.

Lemma tempered_0 n q (v : vec A n) : product_law (tempered q 0) v = product_law q v.
Proof.
  revert q. induction n as [|n IH]; intros q; [easy|]. cbn [product_law].
  change (next_record (tempered q 0)) with (tempered (next_record q) 0).
  rewrite IH. unfold tempered. ring.
Qed.

(** Product distributions of full support are enough (bai2026, Section 4; bai2026.product-is-dp).
    Differs: tables have finitely many records and values; density form. *)
Theorem full_support_is_dp {W n} ratio (M : vec A n -> W -> R) : 1 <= ratio -> likelihood M ->
  pufferfish ratio M (values_of_records dA) full_products <-> dp_for_records ratio M.
Proof.
  intros r1 M0. split.
  2: { intros dp. apply (product_is_dp dA) in dp; [|easy..]. intros p s t w [q [L [_ Ep]]].
       apply dp. now exists q. }
  intros promise. apply (dp_if_different dA); [easy..|]. intros j x y w a b but xj yj ne.
  destruct (attained dA n j x y a b but xj yj ne) as [q [L each]].
  set (g c f e := given_value dA (n := n) (tempered q e) j c f).
  assert (limit : 0 <= ratio * g a (fun _ => 1) 0 * g b (fun v => M v w) 0 -
    g a (fun v => M v w) 0 * g b (fun _ => 1) 0).
  { apply (still_nonneg (fun e => ratio * g a (fun _ => 1) e * g b (fun v => M v w) e -
      g a (fun v => M v w) e * g b (fun _ => 1) e)).
    - apply (continuity_pt_minus (fun e => ratio * g a (fun _ => 1) e * g b (fun v => M v w) e)
        (fun e => g a (fun v => M v w) e * g b (fun _ => 1) e)).
      + apply (continuity_pt_mult (fun e => ratio * g a (fun _ => 1) e)); [|apply continuous_given].
        apply (continuity_pt_mult (fun _ => ratio)); [|apply continuous_given].
        apply continuity_pt_const. easy.
      + apply continuity_pt_mult; apply continuous_given.
    - intros e e0. destruct (tempered_law q e L e0) as [L' pos]. unfold g.
      specialize (promise (product_law (tempered q e)) (has dA j a) (has dA j b) w).
      rewrite (of_P dA _ (tempered q e) _ j a), (of_P dA _ (tempered q e) _ j b),
        (of_Pw dA _ (tempered q e) M _ j a), (of_Pw dA _ (tempered q e) M _ j b) in promise by easy.
      destruct (Rle_lt_dec (given_value dA (tempered q e) j a (fun _ : vec A n => 1)) 0) as [za|pa];
        [|destruct (Rle_lt_dec (given_value dA (tempered q e) j b (fun _ : vec A n => 1)) 0)
          as [zb|pb]].
      3: { enough (given_value dA (tempered q e) j a (fun v => M v w) *
             given_value dA (tempered q e) j b (fun _ : vec A n => 1) <=
             ratio * given_value dA (tempered q e) j a (fun _ : vec A n => 1) *
             given_value dA (tempered q e) j b (fun v => M v w)) by lra.
           apply promise; try easy; [now exists (tempered q e)|]. exists j, a, b. easy. }
      + rewrite !(null_given n _ j a _ L' za). lra.
      + rewrite !(null_given n _ j b _ L' zb). lra. }
  assert (same : forall c f, g c f 0 = given_value dA q j c f).
  { intros c f. apply sum_ext. intros v _. now rewrite tempered_0. }
  rewrite !same in limit. clear same g.
  destruct (each (fun _ => 1)) as [[E F] _], (each (fun x => M x w)) as [[G K] _].
  rewrite E, F, G, K in limit. lra.
Qed.

(** The sum of f over the tables in which record j has another value than a. *)
Definition given_others {n} q j a (f : vec A n -> R) :=
  Σ b, if dA b a then 0 else given_value dA q j b f.

Lemma has_is n j a (v : vec A n) : has dA j a v = match nth_error (list_of v) j with
  | Some c => if dA c a then true else false | None => false end.
Proof.
  revert j. induction n as [|n IH]; intros j; [now destruct j|].
  destruct j as [|j]; [easy|]. apply IH.
Qed.

Lemma others_sum n q j a (f : vec A n -> R) : (j < n)%nat ->
  (Σ v, (if negb (has dA j a v) then product_law q v else 0) * f v) = given_others q j a f.
Proof.
  intros less. unfold given_others, given_value.
  transitivity (Σ b, Σ v, if dA b a then 0 else
    (if has dA j b v then product_law q v else 0) * f v).
  2: { apply sum_ext. intros b _. destruct (dA b a); [apply sum_0|easy]. }
  rewrite sum_swap. apply sum_ext. intros v _.
  destruct (nth_error (list_of v) j) as [c|] eqn:vj.
  2: { apply nth_error_None in vj. rewrite list_length in vj. lia. }
  rewrite has_is, vj.
  rewrite (sum_ext all _ (fun b => if dA b c then if dA b a then 0 else product_law q v * f v
    else 0)).
  - rewrite (pick_value dA c (fun b => if dA b a then 0 else product_law q v * f v)).
    destruct (dA c a); simpl; ring.
  - intros b _. rewrite has_is, vj. destruct (dA b a), (dA c b), (dA b c); congruence || ring.
Qed.

Lemma far_record n p j a : (n <= j)%nat -> P p (has dA j a : @secret (vec A n)) = 0.
Proof.
  intros far. unfold P. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros v _.
  unfold inside. rewrite has_is.
  now rewrite (proj2 (nth_error_None (list_of v) j)) by (now rewrite list_length).
Qed.

Section Others.
Context {n : nat} {W : Type} (M : vec A n -> W -> R).
Context (p : vec A n -> R) (q : nat -> A -> R) (s t : @secret (vec A n)) (j : nat) (a : A).
Hypothesis of_p : forall x, p x = product_law q x.
Hypothesis of_s : forall x, s x = has dA j a x.
Hypothesis of_t : forall x, t x = negb (has dA j a x).
Hypothesis near : (j < n)%nat.

Lemma others_P : P p t = given_others q j a (fun _ : vec A n => 1).
Proof.
  rewrite <- others_sum by easy. apply sum_ext. intros x _. unfold inside. rewrite of_p, of_t. ring.
Qed.
Lemma others_Pw w : Pw p M t w = given_others q j a (fun x => M x w).
Proof.
  rewrite <- others_sum by easy. apply sum_ext. intros x _. unfold inside. now rewrite of_p, of_t.
Qed.

Lemma others_kept ratio w : (forall k, law (q k)) -> likelihood M -> dp_for_records ratio M ->
  Pw p M s w * P p t <= ratio * P p s * Pw p M t w /\
  Pw p M t w * P p s <= ratio * P p t * Pw p M s w.
Proof.
  intros L M0 dp. rewrite others_P, others_Pw, (of_P dA p q s j a), (of_Pw dA p q M s j a) by easy.
  assert (each := fun b c => dp_averaged dA n ratio (fun x => M x w) (fun x => M0 x w)
    (fun i x y but => dp i x y w but) q j b c L). cbv beta in each.
  unfold given_others. split.
  - rewrite <- !sum_scale. apply sum_le. intros b _. destruct (dA b a); [lra|apply each].
  - rewrite (Rmult_comm (Σ b, _)), (Rmult_comm (ratio * _)), <- Rmult_assoc, <- !sum_scale.
    apply sum_le. intros b _. destruct (dA b a); [lra|]. specialize (each b a). lra.
Qed.
End Others.

(** A value of a record against all others (bai2026, Section 4; bai2026.product-is-dp).
    Differs: tables have finitely many records and values; density form. *)
Theorem against_others_is_dp {W n} ratio (M : vec A n -> W -> R) : 1 <= ratio -> likelihood M ->
  pufferfish ratio M against_others product_laws <-> dp_for_records ratio M.
Proof.
  intros r1 M0. split.
  - intros promise. apply (dp_if_different dA); [easy..|]. intros j x y w a b but xj yj ne.
    assert (near : (j < n)%nat).
    { rewrite <- (list_length x). apply nth_error_Some. congruence. }
    destruct (attained dA n j x y a b but xj yj ne) as [q [L each]].
    specialize (promise (product_law q) (has dA j a) (fun v => negb (has dA j a v)) w).
    rewrite (of_P dA _ q _ j a), (of_Pw dA _ q _ _ j a), (others_P _ q _ j a),
      (others_Pw M _ q _ j a) in promise by easy.
    assert (rest : forall f : vec A n -> R, given_others q j a f = given_value dA q j b f).
    { intros f. unfold given_others.
      rewrite (sum_ext all _ (fun c => if dA c b then given_value dA q j b f else 0)).
      - exact (pick_value dA b (fun _ => given_value dA q j b f)).
      - intros c _. destruct (each f) as [_ zero].
        destruct (dA c a), (dA c b); subst; try easy. now apply zero. }
    rewrite !rest in promise.
    destruct (each (fun _ => 1)) as [[E F] _], (each (fun x => M x w)) as [[G K] _].
    rewrite E, F, G, K in promise. enough (/ 2 * M x w * (/ 2 * 1) <=
      ratio * (/ 2 * 1) * (/ 2 * M y w)) by lra.
    apply promise; try lra; [now exists q|]. exists j, a. now left.
  - intros dp p s t w [q [L Ep]] [j [a both]] Ps Pt.
    assert (near : (j < n)%nat).
    { destruct (Nat.lt_ge_cases j n) as [|far]; [easy|]. exfalso.
      pose proof (far_record n p j a far) as zero. revert zero.
      enough (0 < P p (has dA j a : @secret (vec A n))) by lra.
      destruct both as [E|E]; [apply Rlt_le_trans with (P p s); [easy|]|
        apply Rlt_le_trans with (P p t); [easy|]]; apply Req_le, sum_ext; intros x _;
        unfold inside; now rewrite (proj1 (E x)). }
    destruct both as [E|E].
    + refine (proj1 (others_kept M p q s t j a Ep _ _ near ratio w L M0 dp)); apply E.
    + refine (proj2 (others_kept M p q t s j a Ep _ _ near ratio w L M0 dp)); apply E.
Qed.
End Products.
