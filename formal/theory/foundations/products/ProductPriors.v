(** All product distributions, with the values of records as secrets: the promise is differential
    privacy. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Chain RecordTables.
Import ListNotations.
Open Scope R_scope.

Section Products.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** The law of n records that are drawn one by one, record j from q j. *)
Fixpoint product_law (q : nat -> A -> R) {n} : vec A n -> R := match n with
  | O => fun _ => 1
  | S n => fun v => q 0%nat (fst v) * product_law (next_record q) (snd v) end.
Definition product_laws {n} (p : vec A n -> R) := exists q, (forall j, law (q j)) /\
  forall x, p x = product_law q x.
(** Record j has the value a. *)
Fixpoint has (j : nat) (a : A) {n} {struct n} : vec A n -> bool := match n with
  | O => fun _ => false
  | S n => fun v => match j with
    | O => if dA (fst v) a then true else false
    | S j => has j a (snd v) end end.
Definition values_of_records {n} (s t : @secret (vec A n)) :=
  exists j a b, (forall x, s x = has j a x) /\ (forall x, t x = has j b x).
(** Of two tables that differ in one record none is much less likely. *)
Definition dp_for_records {W n} ratio (M : vec A n -> W -> R) :=
  forall j x y w, but_for j x y -> M x w <= ratio * M y w.

(** The sum of f over the tables in which record j has the value a. *)
Definition given_value {n} q j a (f : vec A n -> R) := Σ v, (if has j a v then product_law q v
  else 0) * f v.

Lemma total_one n q : (forall j, law (q j)) -> (Σ v : vec A n, product_law q v) = 1.
Proof.
  revert q. induction n as [|n IH]; intros q L; [simpl; lra|].
  transitivity (Σ z : A * vec A n, product_law (n := S n) q z); [reflexivity|].
  rewrite Sum_pairs. cbn [product_law fst snd]. rewrite (sum_ext all _ (fun a => q 0%nat a)).
  - apply L.
  - intros a _. rewrite sum_scale, IH; [ring|]. intros j. apply L.
Qed.

Lemma pick_value a (g : A -> R) : (Σ x, if dA x a then g x else 0) = g a.
Proof.
  generalize (@all_once A _) (@all_here A _ a). generalize (@all A _).
  induction 1 as [|x l out once IH]; [easy|]. intros [->|here]; cbn [sum].
  - destruct (dA a a); [|easy]. rewrite (sum_ext l _ (fun _ => 0)), sum_0; [lra|].
    intros y iy. destruct (dA y a); [subst; contradiction|easy].
  - destruct (dA x a) as [->|]; [contradiction|]. rewrite IH by easy. lra.
Qed.

Lemma given_here n q a (f : vec A (S n) -> R) :
  given_value q 0 a f = q 0%nat a * Σ u, product_law (next_record q) u * f (a, u).
Proof.
  unfold given_value. transitivity (Σ v : A * vec A n,
    (if has (n := S n) 0 a v then product_law (n := S n) q v else 0) * f v); [reflexivity|].
  rewrite Sum_pairs.
  rewrite <- (pick_value a (fun x => q 0%nat x * Σ u, product_law (next_record q) u * f (x, u))).
  apply sum_ext. intros x _. cbn [has product_law fst snd]. destruct (dA x a).
  - rewrite <- sum_scale. apply sum_ext. intros; ring.
  - rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros; ring.
Qed.

Lemma given_later n q j a (f : vec A (S n) -> R) :
  given_value q (S j) a f = Σ x, q 0%nat x * given_value (next_record q) j a (fun u => f (x, u)).
Proof.
  unfold given_value. transitivity (Σ v : A * vec A n,
    (if has (n := S n) (S j) a v then product_law (n := S n) q v else 0) * f v); [reflexivity|].
  rewrite Sum_pairs.
  apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros u _.
  cbn [has product_law fst snd]. destruct (has j a u); ring.
Qed.

Lemma product_nonneg n q (v : vec A n) : (forall j, law (q j)) -> 0 <= product_law q v.
Proof.
  revert q v. induction n as [|n IH]; intros q v L; cbn [product_law]; [lra|].
  apply Rmult_le_pos; [apply L|]. apply IH. intros j. apply L.
Qed.

Lemma given_nonneg n q j a (f : vec A n -> R) : (forall j, law (q j)) -> (forall v, 0 <= f v) ->
  0 <= given_value q j a f.
Proof.
  intros L f0. apply sum_nonneg. intros v _. apply Rmult_le_pos; [|easy].
  destruct (has j a v); [now apply product_nonneg|lra].
Qed.

(** Chances of the other records are the same given both values. *)
Lemma dp_averaged n ratio (f : vec A n -> R) : (forall v, 0 <= f v) ->
  (forall j x y, but_for j x y -> f x <= ratio * f y) -> forall q j a b, (forall j, law (q j)) ->
  given_value q j a f * given_value q j b (fun _ : vec A n => 1) <=
  ratio * given_value q j a (fun _ : vec A n => 1) * given_value q j b f.
Proof.
  induction n as [|n IH]; intros f0 dp q j a b L.
  { assert (zero : forall c g, given_value (n := 0) q j c g = 0).
    { intros c g. unfold given_value. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
      intros v _. apply Rmult_0_l. }
    rewrite !zero. lra. }
  assert (L' : forall j, law (next_record q j)) by (intros i; apply L).
  destruct j as [|j].
  - rewrite !given_here.
    assert (one : (Σ u : vec A n, product_law (next_record q) u * 1) = 1).
    { rewrite (sum_ext all _ (fun u => product_law (next_record q) u)) by (intros; ring).
      now apply total_one. }
    rewrite one.
    assert (le : (Σ u, product_law (next_record q) u * f (a, u)) <=
      ratio * Σ u, product_law (next_record q) u * f (b, u)).
    { rewrite <- sum_scale. apply sum_le. intros u _.
      assert (step : f (a, u) <= ratio * f (b, u)).
      { apply (dp 0%nat). intros [|k] ne; [easy|reflexivity]. }
      pose proof (product_nonneg n (next_record q) u L'). nra. }
    pose proof (proj1 (L 0%nat) a). pose proof (proj1 (L 0%nat) b).
    assert (0 <= q 0%nat a * q 0%nat b) by (now apply Rmult_le_pos). nra.
  - rewrite !given_later.
    assert (same : forall c,
      (Σ x, q 0%nat x * given_value (next_record q) j c (fun _ : vec A n => 1)) =
      given_value (n := n) (next_record q) j c (fun _ => 1)).
    { intros c. rewrite (sum_ext all _ (fun x =>
        given_value (n := n) (next_record q) j c (fun _ => 1) * q 0%nat x)) by (intros; ring).
      rewrite sum_scale. destruct (L 0%nat) as [_ E].
      rewrite E. ring. }
    rewrite !same. rewrite (Rmult_comm (Σ x, _)), <- !sum_scale. apply sum_le. intros x _.
    assert (each := IH (fun u => f (x, u)) (fun u => f0 (x, u))
      (fun i u v diff => dp (S i) (x, u) (x, v)
        ltac:(intros [|k] ne; [reflexivity|apply diff; congruence]))
      (next_record q) j a b L').
    pose proof (proj1 (L 0%nat) x). cbv beta in each. nra.
Qed.

Definition sure (a x : A) : R := if dA x a then 1 else 0.
Lemma sure_law a : law (sure a).
Proof.
  split; [intros x; unfold sure; destruct dA; lra|]. unfold sure.
  now rewrite (pick_value a (fun _ => 1)).
Qed.

Lemma same_table n (u v : vec A n) :
  (forall k, nth_error (list_of u) k = nth_error (list_of v) k) -> u = v.
Proof.
  induction n as [|n IH]; [now destruct u, v|]. destruct u as [a u], v as [b v]. intros same.
  pose proof (same 0%nat) as head. injection head as ->. f_equal. apply IH.
  intros k. exact (same (S k)).
Qed.

Lemma surely n d (u : vec A n) (g : vec A n -> R) :
  (Σ v, product_law (fun k => sure (nth k (list_of u) d)) v * g v) = g u.
Proof.
  induction n as [|n IH].
  - destruct u. cbn. change (sum [tt] (fun v : unit => 1 * g v) = g tt). simpl. ring.
  - destruct u as [a u]. transitivity (Σ z : A * vec A n,
      product_law (n := S n) (fun k => sure (nth k (a :: list_of u) d)) z * g z); [reflexivity|].
    rewrite Sum_pairs, <- (pick_value a (fun x => g (x, u))). apply sum_ext. intros x _.
    rewrite <- (IH u (fun v => g (x, v))). cbn [product_law fst snd nth]. unfold sure at 1.
    destruct (dA x a) as [e|ne].
    + apply sum_ext. intros v _. unfold next_record. cbn [nth]. ring.
    + rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros; ring.
Qed.

(** Two tables that differ in one record are all that some product law allows. *)
Lemma attained n j (x y : vec A n) a b : but_for j x y -> nth_error (list_of x) j = Some a ->
  nth_error (list_of y) j = Some b -> a <> b -> exists q, (forall k, law (q k)) /\
  forall f, (given_value q j a f = / 2 * f x /\ given_value q j b f = / 2 * f y) /\
    forall c, c <> a -> c <> b -> given_value q j c f = 0.
Proof.
  revert j. induction n as [|n IH]; intros j but xj yj ne; [destruct j; discriminate|].
  destruct x as [a0 u], y as [b0 v]. destruct j as [|j].
  - injection xj as ->. injection yj as ->.
    assert (u = v) as <- by (apply same_table; intros k; exact (but (S k) ltac:(discriminate))).
    exists (fun k => match k with
      | O => fun x => / 2 * sure a x + / 2 * sure b x
      | S k => sure (nth k (list_of u) a) end).
    assert (half : forall c, / 2 * sure a c + / 2 * sure b c =
      (if dA c a then / 2 else 0) + (if dA c b then / 2 else 0)).
    { intros c. unfold sure. destruct (dA c a), (dA c b); lra. }
    split.
    + intros [|k]; [|apply sure_law]. destruct (sure_law a) as [a1 a2], (sure_law b) as [b1 b2].
      split; [intros c; specialize (a1 c); specialize (b1 c); lra|].
      rewrite sum_plus, !sum_scale, a2, b2. lra.
    + intros f. rewrite !given_here.
      pose proof (surely n a u) as all_on. unfold next_record. rewrite !all_on, !half.
      split; [destruct (dA a a), (dA a b), (dA b a), (dA b b); try congruence; lra|].
      intros c ca cb. rewrite given_here, all_on, half.
      destruct (dA c a), (dA c b); try congruence. ring.
  - pose proof (but 0%nat ltac:(discriminate)) as head. injection head as ->.
    destruct (IH u v j) as [q [L each]]; auto.
    { intros k kj. exact (but (S k) ltac:(congruence)). }
    exists (fun k => match k with O => sure b0 | S k => q k end). split.
    + intros [|k]; [apply sure_law|apply L].
    + assert (one : forall g : A -> R, (Σ x, sure b0 x * g x) = g b0).
      { intros g. rewrite <- (pick_value b0 g). apply sum_ext. intros x _. unfold sure.
        destruct (dA x b0); ring. }
      intros f. rewrite !given_later.
      destruct (each (fun w => f (b0, w))) as [[E F] G].
      split; [split|intros c ca cb; rewrite given_later, <- (G c ca cb)].
      * rewrite <- E. apply (one (fun x => given_value q j a (fun w => f (x, w)))).
      * rewrite <- F. apply (one (fun x => given_value q j b (fun w => f (x, w)))).
      * apply (one (fun x => given_value q j c (fun w => f (x, w)))).
Qed.

Lemma of_P {n} p q (s : @secret (vec A n)) j a : (forall x, p x = product_law q x) ->
  (forall x, s x = has j a x) -> P p s = given_value q j a (fun _ : vec A n => 1).
Proof. intros Ep Es. apply sum_ext. intros x _. unfold inside. rewrite Ep, Es. ring. Qed.
Lemma of_Pw {n W} p q (M : vec A n -> W -> R) s j a w : (forall x, p x = product_law q x) ->
  (forall x, s x = has j a x) -> Pw p M s w = given_value q j a (fun x => M x w).
Proof. intros Ep Es. apply sum_ext. intros x _. unfold inside. now rewrite Ep, Es. Qed.

(** It is enough that tables are compared that differ in the value of a record. *)
Lemma dp_if_different {W n} ratio (M : vec A n -> W -> R) : 1 <= ratio -> likelihood M ->
  (forall j x y w a b, but_for j x y -> nth_error (list_of x) j = Some a ->
    nth_error (list_of y) j = Some b -> a <> b -> M x w <= ratio * M y w) ->
  dp_for_records ratio M.
Proof.
  intros r1 M0 different j x y w but.
  assert (same : x = y -> M x w <= ratio * M y w).
  { intros ->. specialize (M0 y w). nra. }
  assert (at_j : nth_error (list_of x) j = nth_error (list_of y) j -> x = y).
  { intros e. apply same_table. intros k.
    destruct (Nat.eq_dec k j) as [->|]; [easy|now apply but]. }
  destruct (nth_error (list_of x) j) as [a|] eqn:xj.
  - destruct (nth_error (list_of y) j) as [b|] eqn:yj.
    + destruct (dA a b) as [->|ne]; [now apply same, at_j|]. now apply (different j x y w a b).
    + apply nth_error_None in yj. rewrite list_length in yj.
      assert (nth_error (list_of x) j = None) by (apply nth_error_None; now rewrite list_length).
      congruence.
  - apply same, at_j. symmetry. apply nth_error_None in xj. apply nth_error_None.
    rewrite list_length in *. exact xj.
Qed.

(** With all product distributions as priors and the values of records as secrets the promise is
    differential privacy (bai2026, Section 4; bai2026.product-is-dp).
    Differs: tables have finitely many records and values; density form. *)
Theorem product_is_dp {W n} ratio (M : vec A n -> W -> R) : 1 <= ratio -> likelihood M ->
  pufferfish ratio M values_of_records product_laws <-> dp_for_records ratio M.
Proof.
  intros r1 M0. split.
  - intros promise. apply dp_if_different; [easy..|]. intros j x y w a b but xj yj ne.
    destruct (attained n j x y a b but xj yj ne) as [q [L each]].
    specialize (promise (product_law q) (has j a) (has j b) w).
    rewrite (of_P _ q _ j a), (of_P _ q _ j b), (of_Pw _ q _ _ j a), (of_Pw _ q _ _ j b) in promise
      by easy.
    destruct (each (fun _ => 1)) as [[E F] _], (each (fun x => M x w)) as [[G K] _].
    rewrite E, F, G, K in promise. enough (/ 2 * M x w * (/ 2 * 1) <=
      ratio * (/ 2 * 1) * (/ 2 * M y w)) by lra.
    apply promise; try lra; [now exists q|]. exists j, a, b. easy.
  - intros dp p s t w [q [L Ep]] [j [a [b [Es Et]]]] _ _.
    rewrite (of_P p q s j a), (of_P p q t j b), (of_Pw p q M s j a), (of_Pw p q M t j b) by easy.
    apply dp_averaged; auto. intros i x y but. now apply (dp i).
Qed.
End Products.
