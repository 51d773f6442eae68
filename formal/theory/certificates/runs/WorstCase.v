(** Certificates of worst cases: the difference that a promise is about is a sum of products of what
    is not negative for either mechanism, after splits into cases. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers Levels Leakage Places
  Released Budgets.
Import ListNotations.
Open Scope Z_scope.

(** n p(s) p(x, t) - d p(t) p(x, s) for every database x. *)
Definition difference n (d : positive) f l i j : list Z :=
  let s := keep (nth i (secrets f) []) (nth l (priors f) []) in
  let t := keep (nth j (secrets f) []) (nth l (priors f) []) in
  add (map (Z.mul (n * total s)) t) (map (Z.mul (- (Zpos d * total t))) s).

(** Rows of numbers whose sum with a column of a mechanism is not negative: hints. A path of
    databases, each one record from the next; what the promise says; and numbers that are none. *)
Inductive known := Positive (row : list Z) | Law (l i j : nat) | Along (x : nat) (path : list nat).
Definition level_parts (e : level) : Z * positive := match e with
  | Log n d => (n, d) | Nats _ _ => (0, 1%positive) end.
Definition unit_at (x : nat) (c : Z) : list Z := repeat 0 x ++ [c].
Definition power_of (c : Z) (k : nat) : Z := fold_right Z.mul 1 (repeat c k).
Definition row_of f b k : list Z := match k with
  | Positive row => row
  | Law l i j =>
    let e := level_parts (promised b) in difference (fst e) (snd e) f l i j
  | Along x path => match each_record b with
    | None => []
    | Some (_, e) => add (unit_at (last path x) (power_of (fst (level_parts e)) (length path)))
        (unit_at x (- power_of (Zpos (snd (level_parts e))) (length path))) end end.

Definition check_one_apart c x y : bool := existsb (fun k =>
  Nat.eqb (x / alphabet c ^ S k) (y / alphabet c ^ S k) &&
  Nat.eqb (x mod alphabet c ^ k) (y mod alphabet c ^ k)) (seq 0 (records c)).
Fixpoint check_path f c x path : bool := Nat.ltb x (size f) && match path with
  | [] => true | y :: path => check_one_apart c x y && check_path f c y path end.
Definition check_known f b k : bool := match k with
  | Positive row => forallb (Z.leb 0) row
  | Law l i j => Nat.ltb l (length (priors f)) && check_pair f i j
  | Along x path => match each_record b with
    | None => false | Some (c, _) => check_path f c x path end end.

(** A sum of products at a leaf, after cases in which a row is not negative, or its opposite. *)
Inductive tree :=
  | Leaf (unit : Z) (products : list (nat * nat * Z))
  | Split (first : bool) (row : list Z) (above below : tree).

Fixpoint entry (products : list (list Z * list Z * Z)) x y : Z := match products with
  | [] => 0
  | (r, r', c) :: rest => c * at_place r x * at_place r' y + entry rest x y end.
Definition check_leaf n unit products goal (rows rows' : list (list Z)) : bool :=
  let read := fun p : nat * nat * Z =>
    (nth (fst (fst p)) rows [], nth (snd (fst p)) rows' [], snd p) in
  let given := map read products in (0 <? unit) && forallb (fun p => 0 <=? snd p) products &&
  forallb (fun x => forallb (fun y =>
    entry given x y <=? if Nat.eqb x y then unit * at_place goal x else 0) (seq 0 n)) (seq 0 n).
Fixpoint check_tree n t goal rows rows' : bool := match t with
  | Leaf unit products => check_leaf n unit products goal rows rows'
  | Split true row a b =>
    if check_tree n a goal (rows ++ [row]) rows'
    then check_tree n b goal (rows ++ [map Z.opp row]) rows' else false
  | Split false row a b =>
    if check_tree n a goal rows (rows' ++ [row])
    then check_tree n b goal rows (rows' ++ [map Z.opp row]) else false end.

Definition check_log e : bool := match e with Log n d => Zpos d <=? n | Nats _ _ => false end.
Definition check_budget b : bool := check_log (promised b) &&
  match each_record b with None => true | Some (_, e) => check_log e end.
Definition place := (nat * nat * nat)%type.
Definition same (a b : place) : bool := Nat.eqb (fst (fst a)) (fst (fst b)) &&
  Nat.eqb (snd (fst a)) (snd (fst b)) && Nat.eqb (snd a) (snd b).
Definition impossible f l i : bool :=
  total (keep (nth i (secrets f) []) (nth l (priors f) [])) =? 0.
Definition check_worst f b b' e (known known' : list known) (trees : list (list place * tree)) :=
  let rows := map (row_of f b) known in let rows' := map (row_of f b') known' in
  check_framework f && negb (convex f) && check_log e && check_budget b && check_budget b' &&
  forallb (check_known f b) known && forallb (check_known f b') known' &&
  forallb (fun pt => forallb (fun p => check_tree (size f) (snd pt)
    (difference (fst (level_parts e)) (snd (level_parts e)) f (fst (fst p)) (snd (fst p)) (snd p))
    rows rows') (fst pt)) trees &&
  forallb (fun l => forallb (fun ij => forallb (fun p =>
    if impossible f l (fst p) || impossible f l (snd p) then true else
    existsb (fun pt => existsb (same (l, fst p, snd p)) (fst pt)) trees)
    [ij; (snd ij, fst ij)]) (pairs f)) (seq 0 (length (priors f))).
Open Scope R_scope.

Definition dot {n} (row : list Z) (u : index n -> R) :=
  Σ x, IZR (at_place row (number x)) * u x.

Lemma dot_add {n} a b (u : index n -> R) : dot (add a b) u = dot a u + dot b u.
Proof.
  unfold dot. rewrite <- sum_plus. apply sum_ext; intros x _. rewrite at_add, plus_IZR. ring.
Qed.
Lemma dot_scale {n} c a (u : index n -> R) : dot (map (Z.mul c) a) u = IZR c * dot a u.
Proof.
  unfold dot. rewrite <- sum_scale. apply sum_ext; intros x _. rewrite at_map, mult_IZR. ring.
Qed.
Lemma dot_opp {n} a (u : index n -> R) : dot (map Z.opp a) u = - dot a u.
Proof.
  rewrite (map_ext Z.opp (Z.mul (-1))) by (intros; lia). rewrite dot_scale. ring.
Qed.
Lemma dot_nil {n} (u : index n -> R) : dot [] u = 0.
Proof.
  unfold dot. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
  intros x _. rewrite at_nil. ring.
Qed.
Lemma dot_unit {n} k c (u : index n -> R) (h : Nat.ltb k n = true) :
  dot (unit_at k c) u = IZR c * u (exist _ k h).
Proof.
  unfold dot.
  assert (at_unit : forall i, at_place (unit_at k c) i = if Nat.eqb i k then c else 0%Z).
  { unfold unit_at, at_place. intros i. destruct (Nat.eqb_spec i k) as [->|n0].
    - rewrite app_nth2 by (rewrite repeat_length; lia). rewrite repeat_length, Nat.sub_diag. easy.
    - destruct (Nat.lt_ge_cases i k).
      + rewrite app_nth1 by (rewrite repeat_length; lia). apply nth_repeat.
      + rewrite app_nth2 by (rewrite repeat_length; lia). rewrite repeat_length.
        destruct (i - k)%nat as [|m] eqn:E; [lia|]. now destruct m. }
  generalize (@all_once (index n) _) (@all_here (index n) _ (exist _ k h)).
  generalize (@all (index n) _). induction l as [|a l IH]; intros once here; [easy|].
  inversion once as [|a' l' na nl]; subst. cbn [sum]. rewrite at_unit.
  destruct here as [->|i].
  - change (number (exist _ k h)) with k. rewrite Nat.eqb_refl.
    rewrite (sum_ext l _ (fun _ => 0)), sum_0; [apply Rplus_0_r|]. intros x ix. rewrite at_unit.
    destruct (Nat.eqb_spec (number x) k) as [e|]; [|ring].
    exfalso. apply na. now rewrite <- (index_eq n x (exist _ k h) e).
  - rewrite IH by easy. destruct (Nat.eqb_spec (number a) k) as [e|]; [|ring].
    exfalso. apply na. now rewrite (index_eq n a (exist _ k h) e).
Qed.

Lemma last_cons {A} (y : A) path x : last (y :: path) x = last path y.
Proof.
  revert y x; induction path as [|z path IH]; intros y x; [easy|].
  change (last (z :: path) x = last (z :: path) y). now rewrite !IH.
Qed.

Lemma power_of_pow c k : IZR (power_of c k) = IZR c ^ k.
Proof.
  unfold power_of. induction k as [|k IH]; [easy|]. cbn [repeat fold_right pow].
  now rewrite mult_IZR, IH.
Qed.

Lemma check_log_parts e : check_log e = true ->
  ratio e = IZR (fst (level_parts e)) / IZR (Zpos (snd (level_parts e))) /\ 1 <= ratio e.
Proof.
  destruct e as [n d|]; cbn [check_log level_parts ratio fst snd]; [|easy].
  intros H. apply Z.leb_le, IZR_le in H. split; [easy|].
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  apply (Rmult_le_reg_r (IZR (Zpos d))); [easy|].
  replace (IZR n / IZR (Zpos d) * IZR (Zpos d)) with (IZR n) by (field; lra). lra.
Qed.

Lemma one_apart_sound c x y : check_one_apart c x y = true -> one_apart c x y.
Proof.
  unfold check_one_apart. intros H. apply existsb_exists in H as [k [ik H]].
  rewrite andb_true_iff, !Nat.eqb_eq in H. apply in_seq in ik. exists k.
  repeat split; try easy; lia.
Qed.

Section Framework.
Context (f : framework) (fok : check_framework f = true).
Let U := IZR (prior_unit f).

Lemma dot_keep l i (u : index (size f) -> R) : (l < length (priors f))%nat ->
  dot (keep (nth i (secrets f) []) (nth l (priors f) [])) u =
  U * Σ x, inside (prior_of f l) (secret_of f i) x * u x.
Proof.
  intros small. destruct (listed_reads f fok l small) as [_ reads].
  unfold dot. rewrite <- sum_scale. apply sum_ext; intros x _.
  rewrite at_keep. unfold inside, secret_of.
  destruct (nth (number x) _ false); [rewrite reads; unfold U; ring|ring].
Qed.

Lemma total_keep l i : (l < length (priors f))%nat ->
  IZR (total (keep (nth i (secrets f) []) (nth l (priors f) []))) =
  U * P (prior_of f l) (secret_of f i).
Proof.
  intros small. destruct (listed_reads f fok l small) as [short reads].
  exact (view_P f [] (prior_unit f) (nth l (priors f) []) (prior_of f l) short reads i).
Qed.

Lemma difference_dot n d l i j u : (l < length (priors f))%nat ->
  dot (difference n d f l i j) u = U * U *
  (IZR n * P (prior_of f l) (secret_of f i) *
     (Σ x, inside (prior_of f l) (secret_of f j) x * u x) -
   IZR (Zpos d) * P (prior_of f l) (secret_of f j) *
     (Σ x, inside (prior_of f l) (secret_of f i) x * u x)).
Proof.
  intros small. unfold difference. cbv zeta. rewrite dot_add, !dot_scale, !dot_keep by easy.
  rewrite opp_IZR, !mult_IZR, !total_keep by easy. ring.
Qed.

(** A column of a mechanism within a budget. *)
Section Column.
Context (b : budget) (bok : check_budget b = true) (nonconvex : convex f = false).
Context {W : Type} (M : index (size f) -> W -> R) (M0 : likelihood M) (kept : keeps_budget f b M).
Context (w : W).
Let u := fun x => M x w.

Lemma path_sound c e x path (h : Nat.ltb x (size f) = true) : each_record b = Some (c, e) ->
  check_path f c x path = true -> forall (h' : Nat.ltb (last path x) (size f) = true),
  u (exist _ x h) <= ratio e ^ length path * u (exist _ (last path x) h').
Proof.
  intros is H. unfold keeps_budget in kept. rewrite is in kept. destruct kept as [_ near].
  unfold check_budget in bok. rewrite is in bok. apply andb_prop in bok as [_ eok].
  destruct (check_log_parts e eok) as [_ e1].
  revert x h H; induction path as [|y path IH]; intros x h H h'.
  - cbn [last length pow] in *. right. rewrite Rmult_1_l. f_equal. now apply index_eq.
  - cbn [check_path] in H. rewrite !andb_true_iff in H. destruct H as [_ [one H]].
    assert (hy : Nat.ltb y (size f) = true)
      by (destruct path; cbn [check_path] in H; now apply andb_prop in H).
    apply one_apart_sound in one. cbn [length pow].
    apply Rle_trans with (ratio e * u (exist _ y hy)); [now apply near|].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    revert h'. rewrite last_cons. intros h'. now apply IH.
Qed.

Lemma path_end c x path : check_path f c x path = true -> Nat.ltb (last path x) (size f) = true.
Proof.
  revert x; induction path as [|y path IH]; intros x H; cbn [check_path] in H.
  - now apply andb_prop in H.
  - rewrite !andb_true_iff in H. destruct H as [_ [_ H]]. rewrite last_cons. now apply IH.
Qed.

Lemma known_sound k : check_known f b k = true -> 0 <= dot (row_of f b k) u.
Proof.
  assert (u0 : forall x, 0 <= u x) by (intros x; apply M0).
  destruct k as [row|l i j|x path]; cbn [check_known row_of]; intros H.
  - apply sum_nonneg; intros x _. apply Rmult_le_pos; [|easy]. apply IZR_le.
    rewrite forallb_forall in H. unfold at_place.
    destruct (nth_in_or_default (number x) row 0%Z) as [I|E]; [now apply Z.leb_le, H|lia].
  - apply andb_prop in H as [ls pair_]. apply Nat.ltb_lt in ls.
    rewrite difference_dot by easy. unfold check_budget in bok. apply andb_prop in bok as [eok _].
    destruct (check_log_parts _ eok) as [E _]. destruct kept as [promise _]. rewrite E in promise.
    set (n := fst (level_parts (promised b))) in *. set (d := snd (level_parts (promised b))) in *.
    assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
    pose proof (law_prior f fok l ls) as L.
    assert (in0 : forall s x, 0 <= inside (prior_of f l) s x)
      by (intros s x; unfold inside; destruct (s x); [apply L|lra]).
    assert (none : forall s, P (prior_of f l) s = 0 ->
      (Σ x, inside (prior_of f l) s x * u x) = 0).
    { intros s z. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros x _.
      assert (inside (prior_of f l) s x <= P (prior_of f l) s)
        by (apply (sum_member all (fun y => inside (prior_of f l) s y)); [auto|apply all_here]).
      specialize (in0 s x). replace (inside (prior_of f l) s x) with 0 by lra. ring. }
    assert (P0 : forall s, 0 <= P (prior_of f l) s) by (intros s; now apply sum_nonneg).
    repeat apply Rmult_le_pos; try (apply Rlt_le, unit_pos; exact fok).
    destruct (P0 (secret_of f i)) as [Pi|z]; [|rewrite (none (secret_of f i)), <- z by easy; lra].
    destruct (P0 (secret_of f j)) as [Pj|z]; [|rewrite (none (secret_of f j)), <- z by easy; lra].
    assert (st : pairs_of f (secret_of f i) (secret_of f j))
      by (exists i, j; apply check_pair_in in pair_; auto).
    assert (hp : priors_of f (prior_of f l))
      by (unfold priors_of; rewrite nonconvex; exists l; auto).
    specialize (promise _ _ _ w hp st Pi Pj). unfold Pw in promise. fold u in promise.
    apply (Rmult_le_compat_l (IZR (Zpos d))) in promise; [|lra].
    change (Σ x, inside (prior_of f l) (secret_of f i) x * M x w)
      with (Σ x, inside (prior_of f l) (secret_of f i) x * u x) in promise.
    change (Σ x, inside (prior_of f l) (secret_of f j) x * M x w)
      with (Σ x, inside (prior_of f l) (secret_of f j) x * u x) in promise.
    set (a := Σ x, inside (prior_of f l) (secret_of f i) x * u x) in *.
    set (c := Σ x, inside (prior_of f l) (secret_of f j) x * u x) in *.
    replace (IZR (Zpos d) * (IZR n / IZR (Zpos d) * P (prior_of f l) (secret_of f i) * c))
      with (IZR n * P (prior_of f l) (secret_of f i) * c) in promise by (field; lra). lra.
  - destruct (each_record b) as [[c e]|] eqn:is; [|easy].
    pose proof (path_end c x path H) as he.
    assert (h : Nat.ltb x (size f) = true)
      by (destruct path; cbn [check_path] in H; now apply andb_prop in H).
    rewrite dot_add, (dot_unit _ _ u h), (dot_unit _ _ u he), opp_IZR, !power_of_pow.
    pose proof (path_sound c e x path h is H he) as le.
    unfold check_budget in bok. rewrite is in bok. apply andb_prop in bok as [_ eok].
    destruct (check_log_parts e eok) as [E _]. rewrite E in le.
    set (n := IZR (fst (level_parts e))) in *.
    set (d := IZR (Zpos (snd (level_parts e)))) in *.
    assert (d0 : 0 < d) by now apply IZR_lt.
    assert (dk : 0 < d ^ length path) by now apply pow_lt.
    apply (Rmult_le_compat_l (d ^ length path)) in le; [|lra].
    rewrite <- Rmult_assoc, <- Rpow_mult_distr in le.
    replace (d * (n / d)) with n in le by (field; lra). lra.
Qed.
End Column.
End Framework.

Lemma all_products given x y : IZR (entry given x y) =
  sum given (fun g => IZR (snd g) * IZR (at_place (fst (fst g)) x) *
    IZR (at_place (snd (fst g)) y)).
Proof.
  induction given as [|[[r r'] c] given IH]; [easy|].
  cbn [entry sum fst snd]. rewrite plus_IZR, !mult_IZR, IH. ring.
Qed.

Section Columns.
Context {n : nat} (u v : index n -> R) (u0 : forall x, 0 <= u x) (v0 : forall x, 0 <= v x).

Lemma products_nonneg given (rows rows' : list (list Z)) :
  (forall r, In r rows -> 0 <= dot r u) -> (forall r, In r rows' -> 0 <= dot r v) ->
  (forall g, In g given -> (0 <= snd g)%Z /\ (In (fst (fst g)) rows \/ fst (fst g) = []) /\
    (In (snd (fst g)) rows' \/ snd (fst g) = [])) ->
  0 <= Σ x, Σ y, IZR (entry given (number x) (number y)) * u x * v y.
Proof.
  intros pos pos' each.
  rewrite (sum_ext all _ (fun x => Σ y, sum given (fun g => IZR (snd g) *
    (IZR (at_place (fst (fst g)) (number x)) * u x) *
    (IZR (at_place (snd (fst g)) (number y)) * v y)))).
  - rewrite (sum_ext all _ (fun x => sum given (fun g => Σ y, IZR (snd g) *
      (IZR (at_place (fst (fst g)) (number x)) * u x) *
      (IZR (at_place (snd (fst g)) (number y)) * v y)))) by (intros; apply sum_swap).
    rewrite sum_swap. apply sum_nonneg; intros g ig. destruct (each g ig) as [c0 [r1 r2]].
    rewrite (sum_ext all _ (fun x => IZR (snd g) * dot (snd (fst g)) v *
      (IZR (at_place (fst (fst g)) (number x)) * u x))).
    + rewrite sum_scale. fold (dot (fst (fst g)) u). apply IZR_le in c0.
      repeat apply Rmult_le_pos; try easy.
      * destruct r2 as [r2| ->]; [now apply pos'|rewrite dot_nil; lra].
      * destruct r1 as [r1| ->]; [now apply pos|rewrite dot_nil; lra].
    + intros x _. unfold dot.
      rewrite <- sum_scale, (Rmult_comm (sum all (fun y => IZR (snd g) * _))), <- sum_scale.
      apply sum_ext; intros; ring.
  - intros x _. apply sum_ext; intros y _. rewrite all_products.
    rewrite Rmult_assoc, (Rmult_comm (sum given _)), <- sum_scale.
    apply sum_ext; intros; ring.
Qed.

Lemma tree_sound t goal rows rows' : check_tree n t goal rows rows' = true ->
  (forall r, In r rows -> 0 <= dot r u) -> (forall r, In r rows' -> 0 <= dot r v) ->
  0 <= dot goal (fun x => u x * v x).
Proof.
  assert (more : forall (w : index n -> R) rs row, 0 <= dot row w ->
    (forall r, In r rs -> 0 <= dot r w) -> forall r, In r (rs ++ [row]) -> 0 <= dot r w).
  { intros w rs row h each r i. apply in_app_iff in i as [i|[<-|[]]]; auto. }
  revert rows rows'; induction t as [unit products|first row a IHa b IHb];
    intros rows rows' H pos pos'.
  - cbn [check_tree] in H. unfold check_leaf in H. cbv zeta in H. rewrite !andb_true_iff in H.
    destruct H as [[unit0 c0] H]. set (given := map _ products) in H.
    apply Z.ltb_lt, IZR_lt in unit0. rewrite forallb_forall in c0, H.
    apply (Rmult_le_reg_l (IZR unit)); [easy|]. rewrite Rmult_0_r.
    apply Rle_trans with (1 := products_nonneg given rows rows' pos pos' ltac:(
      intros g ig; unfold given in ig; apply in_map_iff in ig as [p [<- ip]]; cbn [fst snd];
      split; [now apply Z.leb_le, c0|];
      split; [destruct (nth_in_or_default (fst (fst p)) rows []); auto|
              destruct (nth_in_or_default (snd (fst p)) rows' []); auto])).
    unfold dot. rewrite <- sum_scale. apply sum_le; intros x _.
    pose proof (number_lt _ x) as xs.
    specialize (H (number x) (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) xs))).
    rewrite forallb_forall in H.
    apply Rle_trans with (Σ y, (if Nat.eqb (number y) (number x) then 1 else 0) *
      (IZR unit * IZR (at_place goal (number x)) * u x * v y)).
    + apply sum_le; intros y _. pose proof (number_lt _ y) as ys.
      specialize (H (number y) (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) ys))).
      rewrite Nat.eqb_sym in H. apply Z.leb_le, IZR_le in H.
      assert (uv : 0 <= u x * v y) by now apply Rmult_le_pos.
      apply (Rmult_le_compat_r (u x * v y)) in H; [|easy].
      destruct (Nat.eqb (number y) (number x)); [rewrite mult_IZR in H|]; lra.
    + right. generalize (@all_once (index n) _) (@all_here (index n) _ x).
      generalize (@all (index n) _). induction l as [|z l IH]; intros once here; [easy|].
      inversion once as [|z' l' na nl]; subst. cbn [sum]. destruct here as [->|i].
      * rewrite Nat.eqb_refl, (sum_ext l _ (fun _ => 0)), sum_0; [ring|]. intros y iy.
        destruct (Nat.eqb_spec (number y) (number x)) as [e|]; [|ring].
        exfalso. apply na. now rewrite <- (index_eq n y x e).
      * rewrite IH by easy. destruct (Nat.eqb_spec (number z) (number x)) as [e|]; [|ring].
        exfalso. apply na. now rewrite (index_eq n z x e).
  - cbn [check_tree] in H. destruct first.
    + destruct (check_tree n a goal _ _) eqn:A in H; [|easy].
      destruct (Rle_lt_dec 0 (dot row u)) as [h|h].
      * exact (IHa _ _ A (more u rows row h pos) pos').
      * apply (IHb _ _ H); [|easy]. apply more; [rewrite dot_opp; lra|easy].
    + destruct (check_tree n a goal _ _) eqn:A in H; [|easy].
      destruct (Rle_lt_dec 0 (dot row v)) as [h|h].
      * exact (IHa _ _ A pos (more v rows' row h pos')).
      * apply (IHb _ _ H); [easy|]. apply more; [rewrite dot_opp; lra|easy].
Qed.
End Columns.

(** A certificate of the kind worst-at-most.
    Differs: a split is by any row, not only by two databases; that there is a place (OW9) is not
    asked. *)
Theorem worst_of f b b' e known known' trees : check_worst f b b' e known known' trees = true ->
  well_formed f [] /\ worst_at_most f b b' e.
Proof.
  unfold check_worst. cbv zeta. intros H. rewrite !andb_true_iff in H.
  destruct H as [[[[[[[[fok c] eok] bok] bok'] kok] kok'] proofs] covered].
  split; [split; [now apply laws_priors|easy]|]. apply negb_true_iff in c.
  intros V W M N M0 N0 kept kept' p s t [v w] hp hst Ps Pt.
  unfold priors_of in hp. rewrite c in hp. destruct hp as [l [ls ->]].
  destruct hst as [i [j [I [-> ->]]]].
  assert (found_ : exists pt, In pt trees /\ In (l, i, j) (fst pt)).
  { rewrite forallb_forall in covered.
    specialize (covered l (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) ls))).
    rewrite forallb_forall in covered.
    assert (possible : forall k, 0 < P (prior_of f l) (secret_of f k) -> impossible f l k = false).
    { intros k pos. unfold impossible. apply Z.eqb_neq. intros z. apply (f_equal IZR) in z.
      rewrite (total_keep f fok) in z by easy. pose proof (unit_pos f fok).
      apply Rmult_integral in z as [z|z]; lra. }
    assert (D : exists q, In q (pairs f) /\ In (i, j) [q; (snd q, fst q)]).
    { destruct I as [I|I]; [exists (i, j)|exists (j, i)]; split; simpl; auto. }
    destruct D as [q [iq D]]. specialize (covered q iq). rewrite forallb_forall in covered.
    specialize (covered (i, j) D). cbn [fst snd] in covered.
    rewrite !possible in covered by easy. cbn [orb] in covered.
    apply existsb_exists in covered as [pt [ip covered]]. exists pt. split; [easy|].
    apply existsb_exists in covered as [[[l' i'] j'] [iq' S]]. unfold same in S. cbn [fst snd] in S.
    rewrite !andb_true_iff, !Nat.eqb_eq in S. destruct S as [[-> ->] ->]. easy. }
  destruct found_ as [[places t] [it ip]]. rewrite forallb_forall in proofs, kok, kok'.
  specialize (proofs _ it). rewrite forallb_forall in proofs. specialize (proofs _ ip).
  cbn [fst snd] in proofs.
  apply (tree_sound (fun x => M x v) (fun x => N v x w)) in proofs; [|intros; apply M0|
    intros; apply N0| |].
  - rewrite (difference_dot f fok) in proofs by easy.
    destruct (check_log_parts e eok) as [E _]. rewrite E.
    set (n := IZR (fst (level_parts e))) in *.
    set (d := IZR (Zpos (snd (level_parts e)))) in *.
    assert (d0 : 0 < d) by now apply IZR_lt. pose proof (unit_pos f fok) as U0.
    change (Pw (prior_of f l) (fun x vw => M x (fst vw) * N (fst vw) x (snd vw)) (secret_of f i)
      (v, w)) with (Σ x, inside (prior_of f l) (secret_of f i) x * (M x v * N v x w)).
    change (Pw (prior_of f l) (fun x vw => M x (fst vw) * N (fst vw) x (snd vw)) (secret_of f j)
      (v, w)) with (Σ x, inside (prior_of f l) (secret_of f j) x * (M x v * N v x w)).
    set (a := Σ x, inside (prior_of f l) (secret_of f i) x * (M x v * N v x w)) in *.
    set (a' := Σ x, inside (prior_of f l) (secret_of f j) x * (M x v * N v x w)) in *.
    set (pi := P (prior_of f l) (secret_of f i)) in *.
    set (pj := P (prior_of f l) (secret_of f j)) in *.
    assert (0 < IZR (prior_unit f) * IZR (prior_unit f)) as UU by now apply Rmult_lt_0_compat.
    rewrite <- (Rmult_0_r (IZR (prior_unit f) * IZR (prior_unit f))) in proofs.
    apply Rmult_le_reg_l in proofs; [|easy].
    apply (Rmult_le_reg_l d); [easy|].
    replace (d * (n / d * pi * a')) with (n * pi * a') by (field; lra). lra.
  - intros r ir. apply in_map_iff in ir as [k [<- ik]].
    exact (known_sound f fok b bok c M M0 kept v k (kok k ik)).
  - intros r ir. apply in_map_iff in ir as [k [<- ik]].
    exact (known_sound f fok b' bok' c (N v) (N0 v) (kept' v) w k (kok' k ik)).
Qed.

(** Two mechanisms as tables that are within their budgets. *)
Definition check_near f c n (d : positive) (rs : list (list Z)) : bool :=
  forallb (fun x => forallb (fun y => if check_one_apart c x y then
    all_le (Zpos d) n (nth x rs []) (nth y rs []) else true) (seq 0 (size f))) (seq 0 (size f)).
Definition check_keeps f b m : bool :=
  let parts := level_parts (promised b) in
  check_log (promised b) && check_listed f (rows m) (fst parts) (snd parts) &&
  match each_record b with
  | None => true
  | Some (c, e) => check_log e &&
    check_near f c (fst (level_parts e)) (snd (level_parts e)) (rows m) end.
Definition check_reached f b b' e m m' c i j ws : bool :=
  check_all f [m; m'] && check_log e && check_keeps f b m && check_keeps f b' m' &&
  numbers_fit [m; m'] ws && check_attained e f (joint_rows f [m; m']) c i j
    (joint_number [m; m'] ws).

Lemma one_apart_complete c x y : one_apart c x y -> check_one_apart c x y = true.
Proof.
  intros [k [ks [a b]]]. unfold check_one_apart. apply existsb_exists. exists k.
  split; [apply in_seq; lia|]. now rewrite a, b, !Nat.eqb_refl.
Qed.

Section Keeps.
Context (f : framework) (fok : check_framework f = true).

Lemma keeps_sound b m : check_mechanism f m = true -> check_keeps f b m = true ->
  keeps_budget f b (channel f m).
Proof.
  intros mok H. unfold check_keeps in H. cbv zeta in H. rewrite !andb_true_iff in H.
  destruct H as [[pok promise] near]. destruct (check_log_parts _ pok) as [E _].
  pose proof (row_unit_pos f m mok) as K0. split.
  - rewrite E. exact (listed_sound f fok (channel f m) _ (rows m) number K0
      (channel_described f m mok) _ _ promise).
  - destruct (each_record b) as [[c e]|]; [|easy]. apply andb_prop in near as [eok near].
    destruct (check_log_parts _ eok) as [F _]. intros x y w ap. rewrite F.
    unfold check_near in near. rewrite forallb_forall in near.
    specialize (near _ (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) (number_lt _ x)))).
    rewrite forallb_forall in near.
    specialize (near _ (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) (number_lt _ y)))).
    rewrite one_apart_complete in near by easy.
    apply (all_le_at _ _ _ _ (number w)), IZR_le in near. rewrite !mult_IZR in near.
    rewrite !(channel_described f m mok) in near.
    set (n := IZR (fst (level_parts e))) in *.
    set (d := IZR (Zpos (snd (level_parts e)))) in *.
    assert (d0 : 0 < d) by now apply IZR_lt.
    apply (Rmult_le_reg_l (IZR (row_unit m) * d)); [now apply Rmult_lt_0_compat|].
    replace (IZR (row_unit m) * d * (n / d * channel f m y w))
      with (n * (IZR (row_unit m) * channel f m y w)) by (field; lra). lra.
Qed.
End Keeps.

(** The same, with two columns that reach the level: the worst case equals it.
    Differs: as for worst-at-most; mechanisms with such columns are stated to be there, not
    which. *)
Theorem worst_equals_of f b b' e known known' trees m m' c i j ws :
  check_worst f b b' e known known' trees && check_reached f b b' e m m' c i j ws = true ->
  well_formed f [] /\ worst_at_most f b b' e /\ worst_at_least f b b' e.
Proof.
  intros H. apply andb_prop in H as [most H]. apply worst_of in most as [laws most].
  split; [easy|]. split; [easy|]. unfold check_reached in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[all_ eok] k] k'] fit] spot].
  assert (oks := all_). unfold check_all in oks. apply andb_prop in oks as [fok oks].
  assert (each : check_mechanism f m = true /\ check_mechanism f m' = true).
  { cbn [forallb] in oks. rewrite !andb_true_iff in oks. tauto. }
  destruct each as [mok mok']. exists m, m'.
  repeat split; try (apply (kernel_channel f); assumption);
    try (apply (keeps_sound f fok); assumption).
  destruct (joint_number_place [m; m'] ws fit) as [w E]. rewrite <- E in spot.
  destruct e as [n d|]; [|easy]. unfold check_attained in spot.
  exact (attains_sound f fok (joint f [m; m']) _ _ (joint_place [m; m'])
    (joint_unit_pos f [m; m'] oks) (fun x w => joint_described f [m; m'] x w oks) n d c i j w spot).
Qed.
