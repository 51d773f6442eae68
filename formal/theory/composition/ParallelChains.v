(** On a Markov chain each record separates what comes before it from what comes after. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel.
Import ListNotations.
Open Scope R_scope.

Section Chains.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

Definition decide_option (x y : option A) : {x = y} + {x <> y}.
Proof. decide equality. Defined.
Definition record k {n} (v : vec A n) : option A := nth_error (list_of v) k.
(** The records up to k, and those from k on; records are counted from 0. *)
Definition up_to k {n} (v : vec A n) : list A := firstn (S k) (list_of v).
Definition from k {n} (v : vec A n) : list A := skipn k (list_of v).

Definition follow {b} (x : A) (w : vec A b) : vec A (S b) := @pair A (vec A b) x w.
Fixpoint all_equal (x : A) n : vec A n := match n with O => tt | S n => (x, all_equal x n) end.

Context (initial : A -> R) (T : nat -> A -> A -> R).

Lemma mean_at_split k b y phi :
  mean_at decide_option (sequence_law initial T (k + S b)) (record k) (Some y) phi =
  Σ u : vec A k, Σ w : vec A b,
    (chain_weight initial T (list_of u ++ [y]) * steps T k y (list_of w)) *
    phi (join u (follow y w)).
Proof.
  unfold mean_at. rewrite (Sum_join k (S b)). apply sum_ext; intros u _.
  transitivity (Σ x, Σ w : vec A b, sequence_law initial T (k + S b) (join u (follow x w)) *
    phi (join u (follow x w)) *
    at_ decide_option (record k) (Some y) (join u (follow x w)));
    [apply (@Sum_pairs A (vec A b))|].
  rewrite (sum_ext all _ (fun x => (Σ w : vec A b, (chain_weight initial T (list_of u ++ [x]) *
    steps T k x (list_of w)) * phi (join u (follow x w))) * (if dA x y then 1 else 0))).
  - apply (pick dA (fun x => Σ w : vec A b, (chain_weight initial T (list_of u ++ [x]) *
      steps T k x (list_of w)) * phi (join u (follow x w))) y).
  - intros x _. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros w _.
    unfold at_, record, sequence_law. rewrite list_join.
    change (list_of (follow x w)) with (x :: list_of w).
    rewrite nth_error_app2, list_length, Nat.sub_diag by (rewrite list_length; lia).
    rewrite chain_app, list_length. simpl nth_error.
    generalize (phi (join u (follow x w))); intros e.
    destruct (decide_option (Some x) (Some y)) as [E|E], (dA x y); try congruence; ring.
Qed.

(** The Markov property (song2017.x-markov): given X_k, what comes before and what comes after are
    independent.
    Differs: textbook; steps may depend on time, and X_k belongs to both sides. *)
Theorem chain_separates n k :
  separates decide_option (sequence_law initial T n) (record k) (up_to k) (from k).
Proof.
  destruct (Nat.lt_ge_cases k n) as [here|beyond].
  2: { intros y phi psi _ after.
    assert (same : forall v w, psi v = psi w).
    { intros v w. apply after. unfold from. now rewrite !skipn_all2 by (rewrite list_length; lia). }
    destruct (@all (vec A n) _) as [|v0 l] eqn:E; [unfold mean_at; rewrite E; simpl; ring|].
    assert (const : forall f, mean_at decide_option (sequence_law initial T n) (record k) y
      (fun v => f v * psi v) =
      mean_at decide_option (sequence_law initial T n) (record k) y f * psi v0).
    { intros f. unfold mean_at. rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros v _.
      rewrite (same v v0). ring. }
    rewrite const.
    replace (mean_at decide_option (sequence_law initial T n) (record k) y psi) with
      (mean_at decide_option (sequence_law initial T n) (record k) y (fun v => 1 * psi v))
      by (apply sum_ext; intros; ring).
    rewrite const. ring. }
  replace n with (k + S (n - S k))%nat by lia.
  set (b := (n - S k)%nat). clearbody b. clear n here.
  intros [y|] phi psi before after.
  - set (u0 := all_equal y k). set (w0 := all_equal y b).
    set (mean := mean_at decide_option (sequence_law initial T (k + S b)) (record k) (Some y)).
    pose (past (f : vec A (k + S b) -> R) :=
            Σ u : vec A k, chain_weight initial T (list_of u ++ [y]) * f (join u (follow y w0))).
    pose (future (g : vec A (k + S b) -> R) :=
            Σ w : vec A b, steps T k y (list_of w) * g (join u0 (follow y w))).
    assert (product : forall f g, looks_at (up_to k) f -> looks_at (from k) g ->
              mean (fun v => f v * g v) = past f * future g).
    { intros f g Bf Ag. unfold mean, past, future. rewrite mean_at_split, sum_product.
      apply sum_ext; intros u _. apply sum_ext; intros w _.
      rewrite (Bf (join u (follow y w)) (join u (follow y w0))),
        (Ag (join u (follow y w)) (join u0 (follow y w))); [ring| |].
      - unfold from. rewrite !list_join, !skipn_app, !list_length.
        rewrite (skipn_all2 (list_of u)), (skipn_all2 (list_of u0)) by (rewrite list_length; lia).
        easy.
      - unfold up_to. rewrite !list_join, !firstn_app, !list_length.
        replace (S k - k)%nat with 1%nat by lia. easy. }
    set (one := fun _ : vec A (k + S b) => 1).
    assert (one_before : looks_at (up_to k) one) by easy.
    assert (one_after : looks_at (from k) one) by easy.
    assert (right_one : forall f, mean f = mean (fun v => f v * one v))
      by (intros; apply sum_ext; intros; unfold one; ring).
    assert (left_one : forall f, mean f = mean (fun v => one v * f v))
      by (intros; apply sum_ext; intros; unfold one; ring).
    rewrite (product phi psi before after), (right_one one), (right_one phi), (left_one psi).
    rewrite !product by easy. ring.
  - assert (none : forall f, mean_at decide_option (sequence_law initial T (k + S b)) (record k)
                             None f = 0).
    { intros f. unfold mean_at. rewrite <- (sum_0 (@all (vec A (k + S b)) _)) at 1.
      apply sum_ext; intros v _. unfold at_, record.
      destruct (decide_option (nth_error (list_of v) k) None) as [E|E]; [|ring].
      apply nth_error_None in E. rewrite list_length in E. lia. }
    now rewrite !none, !Rmult_0_l.
Qed.
End Chains.

Lemma skipn_add {A} k d (l : list A) : skipn (k + d) l = skipn d (skipn k l).
Proof. revert l; induction k; intros [|x l]; simpl; auto. now destruct d. Qed.

Lemma separates_less {D Z V V' U U'} `{Finite D} (dz : forall x y : Z, {x = y} + {x <> y}) p
    (z : D -> Z) (alice : D -> V) (alice' : D -> V') (bob : D -> U) (bob' : D -> U') :
  looks_at alice alice' -> looks_at bob bob' -> separates dz p z alice bob ->
  separates dz p z alice' bob'.
Proof. intros la lb sep v phi psi a b. apply sep; intros x y E; auto. Qed.

Section Both.
Context {A W W' : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Notation decide := (decide_option dA).

(** Parallel composition on Markov chains (song2017, theorem III.1, repaired): Alice sees records up
    to T2, Bob those from T3 on, T2 < T3; R1, R2 are e^eps_A, e^eps_B, F is e^e(X_T3 | X_T2) and G
    is e^e(X_T2 | X_T3).
    Differs: the print exchanges F and G, which is false; segments reach to the ends of the chain,
    which includes shorter ones; ratios instead of levels; steps may depend on time. *)
Theorem parallel_on_chains n T2 T3 R1 R2 F G (M : vec A n -> W -> R) (N : vec A n -> W' -> R)
    (pairs_a pairs_b : @secret (vec A n) -> @secret (vec A n) -> Prop)
    (priors : (vec A n -> R) -> Prop) :
  (T2 < T3 < n)%nat -> (forall p, priors p -> chain_of n p) ->
  likelihood M -> likelihood N -> looks_at (up_to T2) M -> looks_at (from T3) N ->
  0 <= R1 -> 0 <= R2 -> 0 <= F -> 0 <= G ->
  (forall s t, pairs_a s t -> looks_at (up_to T2) s /\ looks_at (up_to T2) t) ->
  (forall s t, pairs_b s t -> looks_at (from T3) s /\ looks_at (from T3) t) ->
  (forall p, priors p -> influence_between decide decide p (record T2) (record T3) F) ->
  (forall p, priors p -> influence_between decide decide p (record T3) (record T2) G) ->
  pufferfish R1 M (either pairs_a (values decide (record T2))) priors ->
  pufferfish R2 N (either pairs_b (values decide (record T3))) priors ->
  pufferfish (Rmax (R1 * Rmin R2 F) (R2 * Rmin R1 G)) (both M N) (either pairs_a pairs_b) priors.
Proof.
  intros order chains M0 N0 Ma Nb R10 R20 F0 G0 about_a about_b infl_f infl_g pa pb.
  apply (parallel decide decide (up_to T2) (record T2) (record T3) (from T3)); auto.
  - intros p Hp. destruct (chains p Hp) as [initial [T [Li [LT same]]]]. split.
    + intros v. rewrite same. now apply chain_weight_nonneg.
    + transitivity (sum all (sequence_law initial T n)); [now apply sum_ext|].
      now apply sequence_is_law.
  - intros p Hp. destruct (chains p Hp) as [initial [T [_ [_ same]]]].
    assert (p = sequence_law initial T n) as E by (apply functional_extensionality; apply same).
    pose proof (chain_separates dA initial T n T2) as at2.
    pose proof (chain_separates dA initial T n T3) as at3. rewrite <- E in at2, at3.
    assert (at3' : separates decide p (record T3) (from T3) (up_to T3)).
    { intros v phi psi a b. specialize (at3 v psi phi b a).
      rewrite (Rmult_comm (mean_at _ _ _ _ phi)).
      rewrite <- at3. f_equal. apply sum_ext; intros; ring. }
    assert (later : looks_at (@from A T2 n) (@from A T3 n)).
    { intros v w same'. unfold from in *. replace T3 with (T2 + (T3 - T2))%nat by lia.
      now rewrite !skipn_add, same'. }
    assert (sooner : looks_at (@up_to A T3 n) (@up_to A T2 n)).
    { intros v w same'. unfold up_to in *. replace (S T2) with (Nat.min (S T2) (S T3)) by lia.
      now rewrite <- !firstn_firstn, same'. }
    assert (first : looks_at (@from A T3 n) (@record A T3 n)).
    { intros v w same'. unfold from, record in *.
      assert (first_of : forall l : list A, nth_error l T3 = nth_error (skipn T3 l) 0).
      { clear. induction T3 as [|k IH]; intros [|x l]; try easy. exact (IH l). }
      now rewrite !first_of, same'. }
    assert (last : looks_at (@up_to A T2 n) (@record A T2 n)).
    { intros v w same'. unfold up_to, record in *.
      rewrite <- (firstn_skipn (S T2) (list_of v)), <- (firstn_skipn (S T2) (list_of w)), same'.
      now rewrite !nth_error_app1 by (rewrite firstn_length, list_length; lia). }
    repeat split; auto.
    + now apply (separates_less decide p _ (up_to T2) (up_to T2) (from T2) (from T3)).
    + now apply (separates_less decide p _ (from T3) (from T3) (up_to T3) (up_to T2)).
    + apply (separates_less decide p _ (from T3) (from T3) (up_to T3) (record T2)); auto.
      * easy.
      * intros v w E'. now apply last, sooner.
    + apply (separates_less decide p _ (up_to T2) (up_to T2) (from T2) (record T3)); auto.
      * easy.
      * intros v w E'. now apply first, later.
Qed.
End Both.
