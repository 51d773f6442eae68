(** Large tables without one unit for all their rows: what is computed of a secret is over a unit
    of its own, and secrets are compared by cross multiplication. Each check here implies the check
    of [Leakage] or [Places] on the table brought to one unit, which is never computed. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Rows Integers Levels Leakage Places
  Released.
Import ListNotations.
Open Scope Z_scope.

Definition of_table width t := {| outputs := width; row_unit := shared_unit t;
  rows := over_shared t |}.
Definition check_table f width (t : table) : bool := Nat.eqb (length t) (size f) &&
  forallb (fun row => (0 <? fst row) && law_of (fst row) width (snd row)) t.

(** A unit of the rows of a secret; and P(s), P(w, s) for every output, up to one factor. *)
Fixpoint unit_of (s : list bool) (t : table) : Z := match s, t with
  | b :: s, row :: t => if b then multiple (fst row) (unit_of s t) else unit_of s t
  | _, _ => 1 end.
Fixpoint weighed_own K (ws : list Z) (t : table) : list Z := match ws, t with
  | w :: ws, row :: t => if w =? 0 then weighed_own K ws t
    else add (map (Z.mul (w * (K / fst row))) (snd row)) (weighed_own K ws t)
  | _, _ => [] end.
Definition own_view (t : table) (p : list Z) (s : list bool) : Z * list Z :=
  let k := keep s p in let K := unit_of s t in (K * total k, weighed_own K k t).

(** For every output the largest of the fractions x / q, and those it was compared with. *)
Fixpoint raise q (a : list Z) (best : list (Z * Z)) : list (Z * Z) := match a, best with
  | x :: a, (y, r) :: best => (if y * q <? x * r then (x, q) else (y, r)) :: raise q a best
  | _, _ => [] end.
Definition highest width start (vs : list (Z * list Z)) : list (Z * Z) :=
  fold_right (fun v => raise (fst v) (snd v)) (repeat (start, 1) width) vs.
(** Whether the largest P(w | s) is at most n/d of the least P(w | t), for all outputs and all
    secrets: far fewer products than pair by pair. *)
Definition columns n d width (vs : list (Z * list Z)) : bool :=
  let vs := filter (fun v => 0 <? fst v) vs in
  let negative := map (fun v => (fst v, map Z.opp (snd v))) vs in
  (0 <=? n) && forallb (fun v => Nat.eqb (length (snd v)) width) vs &&
  forallb (fun hl => fst (fst hl) * snd (snd hl) * Zpos d
    <=? n * (snd (fst hl) * - fst (snd hl)))
    (combine (highest width 0 vs) (highest width (-1) negative)).

(** Few secrets are compared pair by pair. *)
Definition wide f : bool := Nat.ltb 3 (length (secrets f)).
Definition own_pairs n d width f t p : bool :=
  let views := map (own_view t p) (secrets f) in
  if (if wide f then columns n d width views else false) then true else
  forallb (fun ij =>
    let s := nth (fst ij) views (0, []) in let t := nth (snd ij) views (0, []) in
    if check_order n d s t then check_order n d t s else false) (pairs f).
Definition own_listed f t width n d : bool :=
  negb (convex f) && forallb (own_pairs n d width f t) (priors f).
Definition own_delta n d dn dd f t : bool := negb (convex f) && forallb (fun p =>
  let views := map (own_view t p) (secrets f) in
  forallb (fun ij =>
    let s := nth (fst ij) views (0, []) in let t := nth (snd ij) views (0, []) in
    if small_excess n d dn dd 1 s t then small_excess n d dn dd 1 t s else false) (pairs f))
  (priors f).
Definition own_spot (test : Z * list Z -> Z * list Z -> bool) f t c i j : bool :=
  check_chosen f c && check_pair f i j &&
  let s := own_view t (chosen_law f c) (nth i (secrets f) []) in
  let t := own_view t (chosen_law f c) (nth j (secrets f) []) in
  (0 <? fst s) && (0 <? fst t) && test s t.

(** What is one unit's is a multiple of what is a secret's own. *)
Definition same c u (v own : Z * list Z) :=
  0 < c /\ 0 < u /\ u * fst v = c * fst own /\ snd v = map (Z.mul c) (snd own).

Lemma same_sign c u v own : same c u v own -> (0 < fst v <-> 0 < fst own).
Proof. intros [c0 [u0 [e _]]]. split; intros; nia. Qed.

Lemma map_add c a b : map (Z.mul c) (add a b) = add (map (Z.mul c) a) (map (Z.mul c) b).
Proof.
  revert b; induction a as [|x a IH]; intros [|y b]; try easy. cbn [add map].
  rewrite IH. f_equal. ring.
Qed.

Fixpoint divides_in K (s : list bool) (t : table) : Prop := match s, t with
  | b :: s, row :: t => (b = true -> (fst row | K)) /\ divides_in K s t
  | _, _ => True end.

Lemma divides_more K K' s t : (K | K') -> divides_in K s t -> divides_in K' s t.
Proof.
  intros d. revert s; induction t as [|row t IH]; intros [|b s]; try easy.
  cbn [divides_in]. intros [h H]. split; [|auto]. intros e. apply Z.divide_trans with K; auto.
Qed.

Lemma multiple_least u k m : 0 < u -> 0 < k -> (u | m) -> (k | m) -> (multiple u k | m).
Proof.
  intros u0 k0 hu hk. unfold multiple. destruct (Z.eqb_spec (k mod u) 0) as [e|ne]; [easy|].
  rewrite Z.gcd_mod, Z.gcd_comm by lia. rewrite <- Z.divide_div_mul_exact.
  - assert (0 < Z.lcm u k \/ Z.lcm u k = 0) as [|z] by (pose proof (Z.lcm_nonneg u k); lia).
    + pose proof (Z.lcm_least u k m hu hk) as l. unfold Z.lcm in l.
      rewrite Z.gcd_comm, <- Z.divide_div_mul_exact, Z.divide_abs_l in l; auto.
      * intros z. apply Z.gcd_eq_0_l in z. lia.
      * apply Z.gcd_divide_l.
    + apply Z.lcm_eq_0 in z. lia.
  - intros z. apply Z.gcd_eq_0_l in z. lia.
  - apply Z.gcd_divide_l.
Qed.

Lemma unit_of_rows s (t : table) u : 0 < u ->
  (forall row, In row t -> 0 < fst row /\ (fst row | u)) ->
  0 < unit_of s t /\ (unit_of s t | u) /\ divides_in (unit_of s t) s t.
Proof.
  intros u0. revert s; induction t as [|row t IH]; intros [|b s] pos;
    try (split; [easy|split; [apply Z.divide_1_l|easy]]).
  destruct (IH s) as [k0 [d r]]; [intros; apply pos; now right|].
  destruct (pos row (or_introl eq_refl)) as [r0 rd]. destruct b; cbn [unit_of divides_in].
  - destruct (multiple_of (fst row) _ r0 k0) as [m0 [left right]].
    split; [easy|]. split; [now apply multiple_least|]. split; [easy|].
    now apply divides_more with (2 := r).
  - repeat split; auto; easy.
Qed.

Lemma weighed_same u K c s p (t : table) : 0 < K -> u = c * K ->
  (forall row, In row t -> 0 < fst row) -> divides_in K s t ->
  weighed (keep s p) (map (fun row => let k := u / fst row in
    if k =? 1 then snd row else map (Z.mul k) (snd row)) t) =
  map (Z.mul c) (weighed_own K (keep s p) t).
Proof.
  intros K0 e. revert s p; induction t as [|row t IH]; intros s p pos div.
  { now destruct (keep s p). }
  destruct s as [|b s]; [easy|]. destruct p as [|x p]; [easy|].
  destruct div as [div rest]. cbn [keep map weighed weighed_own].
  rewrite IH by (auto; intros; apply pos; now right).
  destruct (Z.eqb_spec (if b then x else 0) 0) as [z|n]; [easy|].
  destruct b; [|easy]. rewrite map_add. f_equal. rewrite map_map.
  destruct (div eq_refl) as [q eq]. pose proof (pos row (or_introl eq_refl)) as r0.
  assert (e1 : K / fst row = q) by (rewrite eq; apply Z.div_mul; lia).
  assert (e2 : u / fst row = c * q)
    by (rewrite e, eq, Z.mul_assoc; apply Z.div_mul; lia).
  cbv zeta. rewrite e1, e2. destruct (Z.eqb_spec (c * q) 1) as [o|_].
  - apply map_ext; intros z. replace (c * (x * q * z)) with (c * q * (x * z)) by ring.
    rewrite o. ring.
  - rewrite map_map. apply map_ext; intros z. ring.
Qed.

Section Table.
Context (f : framework) (width : nat) (t : table) (ok : check_table f width t = true).
Let u := shared_unit t.
Let rs := over_shared t.

Lemma table_rows row : In row t -> 0 < fst row /\ law_of (fst row) width (snd row) = true.
Proof.
  intros I. apply andb_prop in ok as [_ h]. rewrite forallb_forall in h. specialize (h _ I).
  apply andb_prop in h as [h l]. split; [now apply Z.ltb_lt|easy].
Qed.

Lemma table_unit : 0 < u /\ forall row, In row t -> 0 < fst row /\ (fst row | u).
Proof.
  destruct (shared_unit_of t) as [u0 d]; [intros; now apply table_rows|].
  split; [easy|]. intros row I. split; [now apply table_rows|auto].
Qed.

Lemma total_map k a : total (map (Z.mul k) a) = k * total a.
Proof. induction a as [|x a IH]; cbn [total map]; [ring|rewrite IH; ring]. Qed.

Lemma table_ok : check_mechanism f (of_table width t) = true.
Proof.
  destruct table_unit as [u0 d]. unfold check_mechanism. cbn [row_unit rows outputs of_table].
  rewrite !andb_true_iff. repeat split; [now apply Z.ltb_lt| |].
  - unfold over_shared. cbv zeta. rewrite map_length. now apply andb_prop in ok as [h _].
  - rewrite forallb_forall. intros l I. unfold over_shared in I. cbv zeta in I.
    apply in_map_iff in I as [row [<- I]]. destruct (d row I) as [r0 [q e]].
    destruct (table_rows row I) as [_ h]. apply law_of_parts in h as [len [pos tot]].
    fold u. rewrite e, Z.div_mul by lia.
    replace (if q =? 1 then snd row else map (Z.mul q) (snd row))
      with (map (Z.mul q) (snd row)).
    2: { destruct (Z.eqb_spec q 1) as [->|]; [|easy]. erewrite map_ext; [apply map_id|].
         intros z. apply Z.mul_1_l. }
    unfold law_of. rewrite !andb_true_iff, Nat.eqb_eq, Z.eqb_eq, forallb_forall.
    rewrite map_length, total_map, len, tot. repeat split. intros x J.
    apply in_map_iff in J as [z [<- J]]. apply Z.leb_le.
    destruct (In_nth _ _ 0 J) as [i [_ <-]]. specialize (pos i). unfold at_place in pos. nia.
Qed.

Lemma view_same p s : exists c, same c u (view rs p s) (own_view t p s).
Proof.
  destruct table_unit as [u0 d]. destruct (unit_of_rows s t u u0 d) as [K0 [[c e] div]].
  exists c. unfold same, view, own_view. cbv zeta. cbn [fst snd]. repeat split; try nia.
  apply (weighed_same u); auto. intros row I. now apply d.
Qed.

(** Both views of one pair. *)
Lemma views_same p i j : exists c c',
  same c u (view rs p (nth i (secrets f) [])) (own_view t p (nth i (secrets f) [])) /\
  same c' u (view rs p (nth j (secrets f) [])) (own_view t p (nth j (secrets f) [])).
Proof.
  destruct (view_same p (nth i (secrets f) [])) as [c h].
  destruct (view_same p (nth j (secrets f) [])) as [c' h']. eauto.
Qed.
End Table.

Lemma all_le_of u v a b : (forall i, u * at_place a i <= v * at_place b i) ->
  all_le u v a b = true.
Proof.
  revert b; induction a as [|x a IH]; intros b H.
  - cbn [all_le]. rewrite forallb_forall. intros y I. destruct (In_nth _ _ 0 I) as [i [_ <-]].
    specialize (H i). rewrite at_nil in H. unfold at_place in H. apply Z.leb_le. lia.
  - destruct b as [|y b].
    + change (forallb (fun x => u * x <=? 0) (x :: a) = true). rewrite forallb_forall.
      intros z I. destruct (In_nth _ _ 0 I) as [i [_ <-]]. specialize (H i).
      rewrite at_nil in H. unfold at_place in H. apply Z.leb_le. lia.
    + cbn [all_le]. pose proof (H O) as h. unfold at_place in h. cbn [nth] in h.
      apply Z.leb_le in h. rewrite h. apply IH. intros i. exact (H (S i)).
Qed.

Lemma order_same n d u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  check_order n d s' t' = true -> check_order n d s t = true.
Proof.
  intros S T H. pose proof (same_sign _ _ _ _ S) as signs.
  pose proof (same_sign _ _ _ _ T) as signt.
  destruct S as [c0 [u0 [es as_]]], T as [d0 [_ [et at_]]]. unfold check_order in *.
  destruct (Z.leb_spec (fst s) 0), (Z.leb_spec (fst t) 0); auto.
  destruct (Z.leb_spec (fst s') 0); [lia|]. destruct (Z.leb_spec (fst t') 0); [lia|].
  apply all_le_of. intros i. apply (all_le_at _ _ _ _ i) in H. rewrite as_, at_, !at_map.
  apply (Zmult_lt_0_le_reg_r _ _ u); [easy|].
  replace (fst t * Z.pos d * (c * at_place (snd s') i) * u)
    with (c * c' * (fst t' * Z.pos d * at_place (snd s') i))
    by (transitivity (u * fst t * Z.pos d * c * at_place (snd s') i); [rewrite et|]; ring).
  replace (n * fst s * (c' * at_place (snd t') i) * u)
    with (c * c' * (n * fst s' * at_place (snd t') i))
    by (transitivity (u * fst s * n * c' * at_place (snd t') i); [rewrite es|]; ring).
  apply Z.mul_le_mono_nonneg_l; [nia|easy].
Qed.

Lemma excess_same k u v u' v' c c' a b : 0 < k -> k * (u * c) = c * c' * u' ->
  k * (v * c') = c * c' * v' -> 0 < c -> 0 < c' ->
  k * excess u v (map (Z.mul c) a) (map (Z.mul c') b) = c * c' * excess u' v' a b.
Proof.
  intros k0 e e' c0 d0.
  assert (scaled : forall x y, k * x = c * c' * y -> k * Z.max 0 x = c * c' * Z.max 0 y).
  { intros x y E. rewrite <- (Z.mul_max_distr_nonneg_l _ _ k) by lia.
    rewrite <- (Z.mul_max_distr_nonneg_l _ _ (c * c')) by nia. now rewrite E, !Z.mul_0_r. }
  assert (rest_b : forall b, k * fold_right (fun y z => Z.max 0 (- (v * y)) + z) 0
    (map (Z.mul c') b) = c * c' * fold_right (fun y z => Z.max 0 (- (v' * y)) + z) 0 b).
  { intros l. induction l as [|y l IH]; cbn [map fold_right]; [ring|].
    rewrite !Z.mul_add_distr_l, IH. f_equal. apply scaled.
    transitivity (- (k * (v * c') * y)); [ring|rewrite e'; ring]. }
  assert (rest_a : forall a, k * fold_right (fun x z => Z.max 0 (u * x) + z) 0
    (map (Z.mul c) a) = c * c' * fold_right (fun x z => Z.max 0 (u' * x) + z) 0 a).
  { intros l. induction l as [|y l IH]; cbn [map fold_right]; [ring|].
    rewrite !Z.mul_add_distr_l, IH. f_equal. apply scaled.
    transitivity (k * (u * c) * y); [ring|rewrite e; ring]. }
  revert b; induction a as [|x a IH]; intros b; [apply rest_b|].
  destruct b as [|y b]; [exact (rest_a (x :: a))|]. cbn [map excess].
  rewrite !Z.mul_add_distr_l, IH. f_equal. apply scaled.
  transitivity (k * (u * c) * x - k * (v * c') * y); [ring|rewrite e, e'; ring].
Qed.

Lemma excess_views n d u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  u * excess (fst t * Zpos d) (n * fst s) (snd s) (snd t) =
  c * c' * excess (fst t' * Zpos d) (n * fst s') (snd s') (snd t').
Proof.
  intros [c0 [u0 [es as_]]] [d0 [_ [et at_]]]. rewrite as_, at_. apply excess_same; auto.
  - transitivity (u * fst t * Zpos d * c); [ring|rewrite et; ring].
  - transitivity (u * fst s * n * c'); [ring|rewrite es; ring].
Qed.

Lemma small_same n d dn dd u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  small_excess n d dn dd 1 s' t' = true -> small_excess n d dn dd u s t = true.
Proof.
  intros S T H. pose proof (same_sign _ _ _ _ S) as signs.
  pose proof (same_sign _ _ _ _ T) as signt.
  pose proof (excess_views n d _ _ _ _ _ _ _ S T) as E.
  destruct S as [c0 [u0 [es _]]], T as [d0 [_ [et _]]]. unfold small_excess in *.
  destruct (Z.leb_spec (fst s) 0), (Z.leb_spec (fst t) 0); auto.
  destruct (Z.leb_spec (fst s') 0); [lia|]. destruct (Z.leb_spec (fst t') 0); [lia|].
  apply Z.leb_le. apply Z.leb_le in H. apply (Zmult_lt_0_le_reg_r _ _ u); [easy|].
  match type of E with u * ?x = _ * ?y => set (X := x) in *; set (X' := y) in * end.
  replace (X * Z.pos dd * u) with (u * X * Z.pos dd) by ring. rewrite E.
  replace (dn * fst s * fst t * u * Z.pos d * u)
    with (c * c' * (dn * fst s' * fst t' * 1 * Z.pos d)).
  2: { transitivity (dn * (u * fst s) * (u * fst t) * Z.pos d); [rewrite es, et|]; ring. }
  replace (c * c' * X' * Z.pos dd) with (c * c' * (X' * Z.pos dd)) by ring.
  apply Z.mul_le_mono_nonneg_l; [nia|easy].
Qed.

Lemma large_same n d dn dd u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  large_excess n d dn dd 1 s' t' = true -> large_excess n d dn dd u s t = true.
Proof.
  intros S T H. pose proof (excess_views n d _ _ _ _ _ _ _ S T) as E.
  destruct S as [c0 [u0 [es _]]], T as [d0 [_ [et _]]]. unfold large_excess in *.
  apply Z.ltb_lt. apply Z.ltb_lt in H. apply (Zmult_gt_0_lt_reg_r _ _ u); [lia|].
  match type of E with u * ?x = _ * ?y => set (X := x) in *; set (X' := y) in * end.
  replace (X * Z.pos dd * u) with (u * X * Z.pos dd) by ring. rewrite E.
  replace (dn * fst s * fst t * u * Z.pos d * u)
    with (c * c' * (dn * fst s' * fst t' * 1 * Z.pos d)).
  2: { transitivity (dn * (u * fst s) * (u * fst t) * Z.pos d); [rewrite es, et|]; ring. }
  replace (c * c' * X' * Z.pos dd) with (c * c' * (X' * Z.pos dd)) by ring.
  apply Z.mul_lt_mono_pos_l; [nia|easy].
Qed.

Lemma exceeds_same n d w u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  exceeds n d w s' t' = true -> exceeds n d w s t = true.
Proof.
  intros [c0 [u0 [es as_]]] [d0 [_ [et at_]]] H. unfold exceeds in *.
  rewrite as_, at_, !at_map.
  apply Z.ltb_lt. apply Z.ltb_lt in H. apply (Zmult_gt_0_lt_reg_r _ _ u); [lia|].
  replace (n * fst s * (c' * at_place (snd t') w) * u)
    with (c * c' * (n * fst s' * at_place (snd t') w))
    by (transitivity (u * fst s * n * c' * at_place (snd t') w); [rewrite es|]; ring).
  replace (c * at_place (snd s') w * fst t * Z.pos d * u)
    with (c * c' * (at_place (snd s') w * fst t' * Z.pos d))
    by (transitivity (u * fst t * Z.pos d * c * at_place (snd s') w); [rewrite et|]; ring).
  apply Z.mul_lt_mono_pos_l; [nia|easy].
Qed.

Lemma attains_same n d w u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  attains n d w s' t' = true -> attains n d w s t = true.
Proof.
  intros [c0 [u0 [es as_]]] [d0 [_ [et at_]]] H. unfold attains in *.
  rewrite as_, at_, !at_map.
  rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq in *. destruct H as [pos H]. split; [nia|].
  apply (Z.mul_reg_r _ _ u); [lia|].
  transitivity (c * c' * (at_place (snd s') w * fst t' * Z.pos d)).
  - transitivity (u * fst t * Z.pos d * c * at_place (snd s') w); [|rewrite et]; ring.
  - rewrite H. transitivity (u * fst s * n * c' * at_place (snd t') w); [rewrite es|]; ring.
Qed.

Lemma certain_same w u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  certain w s' t' = true -> certain w s t = true.
Proof.
  intros [c0 [_ [_ as_]]] [_ [_ [_ at_]]] H. unfold certain in *. rewrite as_, at_, !at_map.
  rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq in *. destruct H as [pos ->]. split; nia.
Qed.

(** Columns: every fraction is at most the largest. *)
Lemma raise_length q a best : length a = length best -> length (raise q a best) = length best.
Proof.
  revert a; induction best as [|[y r] best IH]; intros [|x a] e; try easy.
  cbn [raise length] in *. now rewrite IH by lia.
Qed.

Lemma raise_at q a best i : length a = length best -> (i < length best)%nat ->
  nth i (raise q a best) (0, 1) =
  let yr := nth i best (0, 1) in
  if fst yr * q <? at_place a i * snd yr then (at_place a i, q) else yr.
Proof.
  revert a i; induction best as [|[y r] best IH]; intros [|x a] i e h; try easy.
  destruct i as [|i]; [easy|]. cbn [raise nth length] in *. rewrite IH by lia. reflexivity.
Qed.

Lemma highest_above width start vs :
  (forall v, In v vs -> 0 < fst v /\ length (snd v) = width) ->
  length (highest width start vs) = width /\ forall i, (i < width)%nat ->
  0 < snd (nth i (highest width start vs) (0, 1)) /\ forall v, In v vs ->
  at_place (snd v) i * snd (nth i (highest width start vs) (0, 1)) <=
  fst (nth i (highest width start vs) (0, 1)) * fst v.
Proof.
  induction vs as [|v vs IH]; intros fine.
  - cbn [highest fold_right]. split; [apply repeat_length|]. intros i h. split; [|easy].
    rewrite (nth_indep _ _ (start, 1)) by now rewrite repeat_length.
    now rewrite nth_repeat.
  - destruct IH as [len above]; [intros; apply fine; now right|].
    destruct (fine v (or_introl eq_refl)) as [q0 lv]. cbn [highest fold_right].
    fold (highest width start vs). set (best := highest width start vs) in *.
    split; [rewrite raise_length; congruence|]. intros i h. rewrite raise_at by congruence.
    destruct (above i h) as [r0 each]. cbv zeta. set (yr := nth i best (0, 1)) in *.
    destruct (Z.ltb_spec (fst yr * fst v) (at_place (snd v) i * snd yr)) as [l|g];
      cbn [fst snd].
    + split; [easy|]. intros w [<-|I]; [lia|]. specialize (each w I).
      destruct (fine w (or_intror I)) as [w0 _].
      apply (Zmult_lt_0_le_reg_r _ _ (snd yr)); [easy|]. nia.
    + split; [easy|]. intros w [<-|I]; [lia|auto].
Qed.

Lemma columns_order n d width vs s t : columns n d width vs = true -> In s vs -> In t vs ->
  check_order n d s t = true.
Proof.
  unfold columns, check_order. cbv zeta. intros H S T.
  destruct (Z.leb_spec (fst s) 0) as [|s0]; [easy|].
  destruct (Z.leb_spec (fst t) 0) as [|t0]; [easy|].
  rewrite !andb_true_iff, Z.leb_le, !forallb_forall in H. destruct H as [[n0 lens] H].
  set (kept := filter _ vs) in *. set (negative := map _ kept) in *.
  assert (K : forall v, In v kept -> 0 < fst v /\ length (snd v) = width).
  { intros v I. split; [apply filter_In in I as [_ I]; now apply Z.ltb_lt|].
    now apply Nat.eqb_eq, lens. }
  assert (N : forall v, In v negative -> 0 < fst v /\ length (snd v) = width).
  { intros v I. apply in_map_iff in I as [o [<- I]]. cbn [fst snd]. rewrite map_length. auto. }
  destruct (highest_above width 0 kept K) as [len above].
  destruct (highest_above width (-1) negative N) as [len' above'].
  assert (S' : In s kept) by (apply filter_In; split; [easy|now apply Z.ltb_lt]).
  assert (T' : In t kept) by (apply filter_In; split; [easy|now apply Z.ltb_lt]).
  apply all_le_of. intros i. destruct (Nat.lt_ge_cases i width) as [h|h].
  2: { unfold at_place. rewrite !nth_overflow; [lia| |]; [now rewrite (proj2 (K t T'))|].
       now rewrite (proj2 (K s S')). }
  destruct (above i h) as [r0 each]. destruct (above' i h) as [r0' each'].
  specialize (each s S').
  specialize (each' (fst t, map Z.opp (snd t))
    (in_map (fun v => (fst v, map Z.opp (snd v))) _ _ T')).
  cbn [fst snd] in each'. unfold at_place in each' at 1.
  change 0 with (- 0) in each' at 1. rewrite map_nth in each'. fold (at_place (snd t) i) in each'.
  assert (B : In (nth i (highest width 0 kept) (0, 1), nth i (highest width (-1) negative) (0, 1))
    (combine (highest width 0 kept) (highest width (-1) negative))).
  { rewrite <- combine_nth by congruence. apply nth_In. rewrite combine_length, len, len'. lia. }
  specialize (H _ B). cbn [fst snd] in H. apply Z.leb_le in H.
  set (y := fst (nth i (highest width 0 kept) (0, 1))) in *.
  set (r := snd (nth i (highest width 0 kept) (0, 1))) in *.
  set (y' := fst (nth i (highest width (-1) negative) (0, 1))) in *.
  set (r' := snd (nth i (highest width (-1) negative) (0, 1))) in *.
  set (a := at_place (snd s) i) in *. set (b := at_place (snd t) i) in *.
  assert (low : - y' * fst t <= b * r') by lia.
  apply (Zmult_lt_0_le_reg_r _ _ (r * r')); [nia|].
  apply Z.le_trans with (fst t * fst s * (y * r' * Z.pos d)).
  - replace (fst t * Z.pos d * a * (r * r')) with (fst t * Z.pos d * r' * (a * r)) by ring.
    replace (fst t * fst s * (y * r' * Z.pos d)) with (fst t * Z.pos d * r' * (y * fst s)) by ring.
    apply Z.mul_le_mono_nonneg_l; [nia|easy].
  - apply Z.le_trans with (fst t * fst s * (n * (r * - y'))).
    + apply Z.mul_le_mono_nonneg_l; [nia|easy].
    + replace (fst t * fst s * (n * (r * - y'))) with (n * fst s * r * (- y' * fst t)) by ring.
      replace (n * fst s * b * (r * r')) with (n * fst s * r * (b * r')) by ring.
      apply Z.mul_le_mono_nonneg_l; [|easy].
      apply Z.mul_nonneg_nonneg; [|lia]. apply Z.mul_nonneg_nonneg; lia.
Qed.

Lemma columns_nth n d width vs i j : columns n d width vs = true ->
  check_order n d (nth i vs (0, [])) (nth j vs (0, [])) = true.
Proof.
  intros H. destruct (nth_in_or_default i vs (0, [])) as [I| ->]; [|easy].
  destruct (nth_in_or_default j vs (0, [])) as [J| ->]; [now apply columns_order with (1 := H)|].
  unfold check_order. cbn [fst]. destruct (fst (nth i vs (0, [])) <=? 0); easy.
Qed.

Section Sound.
Context (f : framework) (width : nat) (t : table) (ok : check_table f width t = true).
Let rs := over_shared t.

Lemma own_view_nth p k : nth k (map (own_view t p) (secrets f)) (0, []) =
  own_view t p (nth k (secrets f) []).
Proof. change (0, []) with (own_view t p []). apply map_nth. Qed.

Lemma own_listed_sound n d : own_listed f t width n d = true -> check_listed f rs n d = true.
Proof.
  intros H. apply andb_prop in H as [c H]. unfold check_listed. rewrite c. cbn [andb].
  rewrite forallb_forall in *. intros p I. specialize (H p I). unfold own_pairs in H.
  unfold check_pairs. cbv zeta in *. rewrite forallb_forall. intros [i j] J. cbn [fst snd].
  change (0, []) with (view rs p []). rewrite !map_nth.
  destruct (views_same f width t ok p i j) as [a [b [S T]]].
  set (vs := map (own_view t p) (secrets f)) in *.
  assert (E : check_order n d (nth i vs (0, [])) (nth j vs (0, [])) = true /\
    check_order n d (nth j vs (0, [])) (nth i vs (0, [])) = true).
  { destruct (if wide f then columns n d width vs else false) eqn:C.
    { destruct (wide f); [|easy]. split; now apply (columns_nth _ _ width). }
    rewrite forallb_forall in H. specialize (H _ J). cbn [fst snd] in H.
    destruct (check_order n d (nth i vs (0, [])) _) eqn:O in H; [auto|easy]. }
  unfold vs in E. rewrite !own_view_nth in E. destruct E as [E1 E2].
  unfold rs. rewrite (order_same _ _ _ _ _ _ _ _ _ S T E1).
  exact (order_same _ _ _ _ _ _ _ _ _ T S E2).
Qed.

Lemma own_delta_sound n d dn dd : own_delta n d dn dd f t = true ->
  check_delta n d dn dd (shared_unit t) f rs = true.
Proof.
  intros H. apply andb_prop in H as [c H]. unfold check_delta. rewrite c. cbn [andb].
  rewrite forallb_forall in *. intros p I. specialize (H p I).
  unfold check_pairs. cbv zeta in *. rewrite forallb_forall in *. intros [i j] J.
  specialize (H _ J). cbn [fst snd] in *. rewrite !own_view_nth in H.
  change (0, []) with (view rs p []). rewrite !map_nth.
  destruct (views_same f width t ok p i j) as [a [b [S T]]].
  destruct (small_excess _ _ _ _ _ _ _) eqn:E in H; [|easy].
  unfold rs. rewrite (small_same _ _ _ _ _ _ _ _ _ _ _ S T E).
  exact (small_same _ _ _ _ _ _ _ _ _ _ _ T S H).
Qed.

Lemma own_spot_sound (test own : Z * list Z -> Z * list Z -> bool) c i j :
  (forall a b v v' o o', same a (shared_unit t) v o -> same b (shared_unit t) v' o' ->
    own o o' = true -> test v v' = true) ->
  own_spot own f t c i j = true -> check_spot test f rs c i j = true.
Proof.
  intros keeps H. unfold own_spot, check_spot in *. cbv zeta in *.
  rewrite !andb_true_iff, !Z.ltb_lt in *. destruct H as [there [[s0 t0] H]].
  destruct (views_same f width t ok (chosen_law f c) i j) as [a [b [S T]]].
  pose proof (same_sign _ _ _ _ S) as signs. pose proof (same_sign _ _ _ _ T) as signt.
  split; [easy|]. unfold rs. split; [tauto|]. exact (keeps _ _ _ _ _ _ S T H).
Qed.
End Sound.

(** The theorems of [Released] for one mechanism given by such a table, over a list of priors. *)
Definition table_all f width t : bool := check_framework f && check_table f width t.
Definition own_attained e f t c i j w : bool := match e with
  | Log n d => own_spot (attains n d w) f t c i j
  | Nats _ _ => false end.

Section One.
Context (f : framework) (width : nat) (t : table).
Let m := of_table width t.

Lemma table_parts rest : table_all f width t && rest = true ->
  check_table f width t = true /\ check_all f [m] = true /\ rest = true.
Proof.
  unfold table_all, check_all. cbn [forallb]. rewrite !andb_true_iff. intros [[h ok] r].
  pose proof (table_ok f width t ok). auto.
Qed.

Lemma own_within r : convex f = false -> check_table f width t = true ->
  own_listed f t width (num r) (den r) = true -> check_within r (outputs m) f (rows m) = true.
Proof.
  intros c ok H. unfold check_within. rewrite c. exact (own_listed_sound f width t ok _ _ H).
Qed.

Lemma own_listed_list n d : own_listed f t width n d = true -> convex f = false.
Proof. unfold own_listed. now destruct (convex f). Qed.

(** A certificate of the kind leakage-at-most whose mechanism is a large table.
    Differs: as for leakage-at-most. *)
Theorem at_most_of_table e r :
  table_all f width t && (is_below e r && own_listed f t width (num r) (den r)) = true ->
  well_formed f [m] /\ leakage_at_most f (channel f m) e.
Proof.
  intros H. apply table_parts in H as [ok [all H]]. apply andb_prop in H as [low H].
  apply (at_most_of_one f m e r). rewrite all, low.
  exact (own_within r (own_listed_list _ _ H) ok H).
Qed.

(** The same, with a place where the level is attained.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem equals_of_table e r c i j w (h : Nat.ltb w width = true) :
  table_all f width t && (is_below e r && own_listed f t width (num r) (den r) &&
    own_attained e f t c i j w) = true ->
  well_formed f [m] /\ leakage_equals f (channel f m) e.
Proof.
  intros H. apply table_parts in H as [ok [all H]]. rewrite !andb_true_iff in H.
  destruct H as [[low H] spot]. apply (equals_of_one f m e r c i j w h). rewrite all, low.
  rewrite (own_within r (own_listed_list _ _ H) ok H). cbn [andb].
  destruct e as [n d|]; [|easy]. apply (own_spot_sound f width t ok) with (2 := spot).
  intros; eapply attains_same; eauto.
Qed.

(** A certificate of the kind leakage-witness, above a level.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem above_of_table e r c i j w (h : Nat.ltb w width = true) :
  table_all f width t && (is_above e r && own_spot (exceeds (num r) (den r) w) f t c i j) = true ->
  well_formed f [m] /\ leakage_above f (channel f m) e.
Proof.
  intros H. apply table_parts in H as [ok [all H]]. apply andb_prop in H as [up spot].
  apply (above_of_one f m e r c i j w h). rewrite all, up. cbn [andb].
  apply (own_spot_sound f width t ok) with (2 := spot). intros; eapply exceeds_same; eauto.
Qed.

(** A certificate of the kind leakage-witness, above every level.
    Differs: as for leakage-at-most; that a place is there, not which. *)
Theorem infinite_of_table c i j w (h : Nat.ltb w width = true) :
  table_all f width t && own_spot (certain w) f t c i j = true ->
  well_formed f [m] /\ leakage_infinite f (channel f m).
Proof.
  intros H. apply table_parts in H as [ok [all spot]].
  apply (infinite_of_one f m c i j w h). rewrite all. cbn [andb].
  apply (own_spot_sound f width t ok) with (2 := spot). intros; eapply certain_same; eauto.
Qed.

(** A certificate of the kind delta-at-most.
    Differs: as for leakage-at-most. *)
Theorem delta_at_most_of_table e r n d :
  table_all f width t && (is_below e r && own_delta (num r) (den r) n d f t) = true ->
  well_formed f [m] /\ delta_at_most f (channel f m) e n d.
Proof.
  intros H. apply table_parts in H as [ok [all H]]. apply andb_prop in H as [low H].
  apply (delta_at_most_of_one f m e r n d). rewrite all, low. cbn [andb].
  exact (own_delta_sound f width t ok _ _ _ _ H).
Qed.

(** A certificate of the kind delta-witness.
    Differs: what exceeds the level is summed over all outputs, not over those that are named. *)
Theorem delta_above_of_table e r n d c i j :
  table_all f width t && (is_above e r &&
    own_spot (large_excess (num r) (den r) n d 1) f t c i j) = true ->
  well_formed f [m] /\ delta_above f (channel f m) e n d.
Proof.
  intros H. apply table_parts in H as [ok [all H]]. apply andb_prop in H as [up spot].
  apply (delta_above_of_one f m e r n d c i j). rewrite all, up. cbn [andb].
  apply (own_spot_sound f width t ok) with (2 := spot). intros; eapply large_same; eauto.
Qed.
End One.
