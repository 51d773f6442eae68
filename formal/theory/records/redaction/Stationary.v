(** A stationary chain of bits of which some records are replaced: what the output tells of record p
    is what its two sides tell, seen from there. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts Recursion InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Local.
Import ListNotations.
Open Scope R_scope.

(** Record p, counted from 0, is b; either value of it against the other. *)
Definition record_is p b {n} : @secret (vec bool n) := fun x =>
  match nth_error (list_of x) p with Some z => eqb z b | None => false end.
Definition either_value p {n} (s t : @secret (vec bool n)) := exists b,
  s = record_is p b /\ t = record_is p (negb b).
(** The stationary law of one record, and of n records: steps as in [flip]. *)
Definition stationary al be (x : bool) : R := (if x then al else be) / (al + be).
Definition stationary_chain al be n : vec bool n -> R :=
  sequence_law (stationary al be) (constant_steps al be) n.

(** Records are replaced with the chances r. *)
Definition redacted_bits r n : vec bool n -> vec (option bool) n -> R := local bool_dec r.

(** e^Lk(X_p -> Y) <= R0. *)
Definition leaks_at_most R0 al be n p r :=
  pufferfish R0 (redacted_bits r n) (either_value p) (eq (stationary_chain al be n)).

(** What records in a list show. *)
Fixpoint on_lists (r : nat -> bool -> R) k (xs : list bool) (ys : list (option bool)) : R :=
  match xs, ys with
  | [], [] => 1
  | x :: xs, y :: ys => shown_as bool_dec r k x y * on_lists r (S k) xs ys
  | _, _ => 0 end.

Lemma local_on_lists r k n (x : vec bool n) y :
  local_from bool_dec r k x y = on_lists r k (list_of x) (list_of y).
Proof. revert k; induction n as [|n IH]; intros k; simpl; [easy|]. now rewrite IH. Qed.

Lemma symbol_shown r k x y : symbol r k x y = shown_as bool_dec r k x y.
Proof. destruct y as [z|]; [|easy]. simpl. now destruct x, z. Qed.

Lemma redact_on_lists r k n (x : vec bool n) y : redact r k x y = on_lists r (S k) (list_of x) y.
Proof.
  revert k y; induction n as [|n IH]; intros k [|o y]; simpl; try easy.
  now rewrite symbol_shown, IH.
Qed.

Lemma on_lists_shift r r' xs : (forall k x, r' k x = r (S k) x) -> forall k ys,
  on_lists r' k xs ys = on_lists r (S k) xs ys.
Proof.
  intros E. induction xs as [|x xs IH]; intros k [|y ys]; simpl; try easy.
  rewrite IH. unfold shown_as. now rewrite !E.
Qed.

Lemma on_lists_app r b o yr xr xs : forall k ys, length ys = length xs ->
  on_lists r k (xs ++ b :: xr) (ys ++ o :: yr) = on_lists r k xs ys *
  (shown_as bool_dec r (length xs + k) b o * on_lists r (S (length xs + k)) xr yr).
Proof.
  induction xs as [|a xs IH]; intros k [|y ys] len; try discriminate; cbn [app on_lists length].
  - simpl; ring.
  - rewrite IH by (simpl in len; lia). rewrite <- !plus_n_Sm. cbn [Nat.add]. ring.
Qed.

Lemma on_lists_snoc r x y xs k ys : length ys = length xs ->
  on_lists r k (xs ++ [x]) (ys ++ [y]) =
  on_lists r k xs ys * shown_as bool_dec r (length xs + k) x y.
Proof. intros len. rewrite on_lists_app by easy. simpl. ring. Qed.

Lemma Sum_snoc {A} `{Finite A} n (F : list A -> R) :
  (Σ v : vec A (S n), F (list_of v)) = Σ v : vec A n, Σ x, F (list_of v ++ [x]).
Proof.
  revert F; induction n as [|n IH]; intros F.
  - rewrite (Sum_vec 0 F). simpl. rewrite Rplus_0_r.
    apply sum_ext; intros; ring.
  - rewrite (Sum_vec (S n) F).
    rewrite (Sum_vec n (fun l => Σ x, F (l ++ [x]))).
    apply sum_ext; intros a _. apply (IH (fun l => F (a :: l))).
Qed.

Section Stationary.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation T := (constant_steps al be).
Notation stat := (stationary al be).
Notation weight := (chain_weight stat T).

Lemma flip_laws k x : law (T k x).
Proof.
  unfold constant_steps. split; [intros []; destruct x; simpl; lra|].
  destruct x; cbn -[IZR]; lra.
Qed.

Lemma stationary_pos x : 0 < stat x.
Proof. unfold stationary. destruct x; apply Rdiv_lt_0_compat; lra. Qed.

Lemma stationary_is_law : law stat.
Proof.
  split; [intros x; now apply Rlt_le, stationary_pos|].
  unfold stationary. cbn -[IZR]. field. lra.
Qed.

(** The chain is the same backwards. *)
Lemma balance x y : stat x * flip al be x y = stat y * flip al be y x.
Proof. unfold stationary, flip. destruct x, y; field; lra. Qed.

Lemma constant_steps_same k x l : steps T k x l = steps T 0 x l.
Proof.
  generalize 0%nat as j. revert k x; induction l as [|y l IH]; intros k x j; simpl; [easy|].
  now rewrite (IH (S k) y (S j)).
Qed.

Lemma mean_same k n (u : vec bool n -> R) b : mean T k u b = mean T 0 u b.
Proof. apply sum_ext; intros v _. now rewrite constant_steps_same. Qed.

Lemma shows_shift r r' n b y : (forall k x, r' k x = r (S k) x) ->
  shows T r 1 n b y = shows T r' 0 n b y.
Proof.
  intros E. unfold shows. rewrite mean_same. apply sum_ext; intros v _.
  now rewrite !redact_on_lists, (on_lists_shift r r').
Qed.

Lemma shows_first r n b o y : shows T r 0 (S n) b (o :: y) =
  flip al be b true * (symbol r 1 true o * shows T r 1 n true y) +
  flip al be b false * (symbol r 1 false o * shows T r 1 n false y).
Proof. unfold shows. rewrite mean_next. simpl. now rewrite !mean_scale. Qed.

Lemma weight_split l b r : weight (l ++ b :: r) = weight (l ++ [b]) * steps T 0 b r.
Proof.
  destruct l as [|a l]; cbn [app chain_weight]; [simpl; ring|].
  assert (E : forall k a, steps T k a (l ++ b :: r) = steps T k a (l ++ [b]) * steps T 0 b r).
  { induction l as [|c l IH]; intros k x; cbn [app steps].
    - rewrite (constant_steps_same (S k)). ring.
    - rewrite IH. ring. }
  rewrite E. ring.
Qed.

Lemma weight_last l x b : weight (l ++ [x; b]) = weight (l ++ [x]) * flip al be x b.
Proof. rewrite (weight_split l x [b]). simpl. unfold constant_steps. ring. Qed.

(** The records before record p, seen from there: nearest first. *)
Definition to_left (r : nat -> bool -> R) p k := r (p - k)%nat.
Definition to_right (r : nat -> bool -> R) p k := r (p + k)%nat.

Lemma left_side r p : forall ys b, length ys = p ->
  (Σ u : vec bool p, weight (list_of u ++ [b]) * on_lists r 0 (list_of u) ys) =
  stat b * shows T (to_left r p) 0 p b (rev ys).
Proof.
  induction p as [|p IH]; intros ys b len.
  - destruct ys; [|discriminate]. unfold shows, mean. simpl. ring.
  - destruct (exists_last (l := ys)) as [ys' [o ->]]; [intros ->; discriminate|].
    rewrite app_length, Nat.add_1_r in len. injection len as len.
    rewrite (Sum_snoc p (fun l => weight (l ++ [b]) * on_lists r 0 l (ys' ++ [o]))).
    rewrite sum_swap, rev_app_distr. cbn [rev app].
    rewrite shows_first, !(shows_shift (to_left r (S p)) (to_left r p)) by easy.
    assert (one : forall x, (Σ v : vec bool p, weight ((list_of v ++ [x]) ++ [b]) *
      on_lists r 0 (list_of v ++ [x]) (ys' ++ [o])) =
      stat b * (flip al be b x * (symbol (to_left r (S p)) 1 x o *
        shows T (to_left r p) 0 p x (rev ys')))).
    { intros x. transitivity (flip al be x b * shown_as bool_dec r p x o *
        Σ u : vec bool p, weight (list_of u ++ [x]) * on_lists r 0 (list_of u) ys').
      - rewrite <- sum_scale. apply sum_ext; intros u _. rewrite <- app_assoc.
        change ([x] ++ [b]) with [x; b].
        rewrite weight_last, on_lists_snoc by now rewrite list_length.
        rewrite list_length, Nat.add_0_r. ring.
      - rewrite IH by easy. rewrite symbol_shown.
        replace (shown_as bool_dec (to_left r (S p)) 1 x o) with (shown_as bool_dec r p x o).
        + pose proof (balance x b) as e. set (h := shows T (to_left r p) 0 p x (rev ys')).
          transitivity (stat x * flip al be x b * (shown_as bool_dec r p x o * h)); [ring|].
          rewrite e. ring.
        + unfold shown_as, to_left. now rewrite Nat.sub_1_r. }
    cbn [sum all finite_bool]. unfold all, finite_bool. cbn [sum].
    rewrite !one. ring.
Qed.

Lemma right_side r p c yr b : (Σ v : vec bool c, steps T 0 b (list_of v) *
    on_lists r (S p) (list_of v) yr) = shows T (to_right r p) 0 c b yr.
Proof.
  unfold shows, mean. apply sum_ext; intros v _. rewrite redact_on_lists. f_equal.
  assert (E : forall k, on_lists r (S (p + k)) (list_of v) yr =
    on_lists (to_right r p) (S k) (list_of v) yr).
  { generalize (list_of v). intros xs. revert yr.
    induction xs as [|x xs IH]; intros [|y ys] k; simpl; try easy.
    f_equal; [unfold shown_as, to_right; now rewrite plus_n_Sm|].
    specialize (IH ys (S k)). rewrite <- plus_n_Sm in IH. exact IH. }
  rewrite <- (E 0%nat). now rewrite Nat.add_0_r.
Qed.

(** What an output shows given record p: its left side, record p, its right side. *)
Definition at_output r p c (yl : list (option bool)) o yr b : R :=
  shown_as bool_dec r p b o *
  (shows T (to_left r p) 0 p b (rev yl) * shows T (to_right r p) 0 c b yr).

Lemma nth_middle_ l (b : bool) r p : length l = p -> nth_error (l ++ b :: r) p = Some b.
Proof. intros <-. rewrite nth_error_app2 by lia. now rewrite Nat.sub_diag. Qed.

Lemma told_on_lists r p c y yl o yr b : list_of y = yl ++ o :: yr -> length yl = p ->
  Pw (stationary_chain al be (p + S c)) (local bool_dec r) (record_is p b) y =
  stat b * at_output r p c yl o yr b.
Proof.
  intros ey len. unfold Pw, local. rewrite Sum_join.
  set (F := fun (u : vec bool p) l => (if match nth_error (list_of u ++ l) p with
    Some z => eqb z b | None => false end then weight (list_of u ++ l) else 0) *
    on_lists r 0 (list_of u ++ l) (yl ++ o :: yr)).
  transitivity (Σ u : vec bool p, Σ v : vec bool c, weight (list_of u ++ b :: list_of v) *
    on_lists r 0 (list_of u ++ b :: list_of v) (yl ++ o :: yr)).
  - apply sum_ext; intros u _.
    rewrite (sum_ext all _ (fun v : vec bool (S c) => F u (list_of v))).
    + rewrite Sum_vec, sum_swap. apply sum_ext; intros v _. unfold F.
      unfold all, finite_bool. cbn [sum].
      rewrite !nth_middle_ by apply list_length. destruct b; simpl eqb; cbn iota; ring.
    + intros v _. unfold F, inside, record_is, stationary_chain, sequence_law.
      now rewrite local_on_lists, list_join, ey.
  - assert (split_ : forall u : vec bool p, forall v : vec bool c,
      on_lists r 0 (list_of u ++ b :: list_of v) (yl ++ o :: yr) =
      on_lists r 0 (list_of u) yl * (shown_as bool_dec r p b o * on_lists r (S p) (list_of v) yr)).
    { intros u v. rewrite on_lists_app by now rewrite list_length.
      now rewrite list_length, Nat.add_0_r. }
    transitivity (Σ u : vec bool p, (weight (list_of u ++ [b]) * on_lists r 0 (list_of u) yl) *
      (shown_as bool_dec r p b o * shows T (to_right r p) 0 c b yr)).
    + apply sum_ext; intros u _. rewrite <- (right_side r p c yr b), <- !sum_scale.
      apply sum_ext; intros v _. rewrite weight_split, split_. ring.
    + unfold at_output. rewrite (sum_ext all _ (fun u : vec bool p =>
        (shown_as bool_dec r p b o * shows T (to_right r p) 0 c b yr) *
        (weight (list_of u ++ [b]) * on_lists r 0 (list_of u) yl))) by (intros; ring).
      rewrite sum_scale, left_side by easy. ring.
Qed.

Fixpoint nothing n : vec (option bool) n := match n with O => tt | S n => (None, nothing n) end.

Lemma P_record p c b : P (stationary_chain al be (p + S c)) (record_is p b) = stat b.
Proof.
  set (one := fun (_ : nat) (_ : bool) => 1).
  assert (all_one : forall n k (x : vec bool n), local_from bool_dec one k x (nothing n) = 1).
  { induction n as [|n IH]; intros k x; simpl; [easy|]. rewrite IH. unfold one. ring. }
  assert (told : forall k n y z, length y = n -> (forall o, In o y -> o = None) ->
    shows T one k n z y = 1).
  { intros k n y z len none. unfold shows, mean.
    rewrite (sum_ext all _ (fun v : vec bool n => steps T k z (list_of v))).
    - apply (steps_total T flip_laws).
    - intros v _. enough (redact one k v y = 1) as -> by ring. revert k y len none.
      clear z. induction n as [|n IH]; intros k [|o y] len none; try discriminate; [easy|].
      simpl. rewrite (none o (or_introl eq_refl)), IH.
      + simpl. unfold one. ring.
      + now injection len.
      + intros o' i. apply none. now right. }
  assert (nones : forall n o, In o (list_of (nothing n)) -> o = None).
  { induction n as [|n IH]; simpl; [easy|]. intros o [<-|i]; auto. }
  assert (E : list_of (nothing (p + S c)) = list_of (nothing p) ++ None :: list_of (nothing c)).
  { induction p as [|p' IH]; simpl; [easy|]. now rewrite IH. }
  pose proof (told_on_lists one p c (nothing (p + S c)) _ None _ b E
    ltac:(apply list_length)) as e.
  unfold at_output in e. rewrite !told in e.
  - unfold Pw, local in e. rewrite (sum_ext all _ (inside (stationary_chain al be (p + S c))
      (record_is p b))) in e by (intros; rewrite all_one; ring).
    refine (eq_trans e _). simpl. unfold one. ring.
  - apply list_length.
  - apply nones.
  - now rewrite rev_length, list_length.
  - intros o i. apply in_rev in i. now apply (nones p).
Qed.

Lemma stationary_chain_is_law n : law (stationary_chain al be n).
Proof. apply sequence_is_law; [apply stationary_is_law|apply flip_laws]. Qed.

Lemma of_list {A} n (l : list A) : length l = n -> exists v : vec A n, list_of v = l.
Proof.
  revert n; induction l as [|a l IH]; intros [|n] len; try discriminate; [now exists tt|].
  destruct (IH n) as [v <-]; [now injection len|]. now exists (a, v).
Qed.

(** The promise about record p says of every output that its two values are close. *)
Lemma promise_at_outputs r p c R0 :
  pufferfish R0 (local bool_dec r) (either_value p) (eq (stationary_chain al be (p + S c))) <->
  forall b yl o yr, length yl = p -> length yr = c ->
    at_output r p c yl o yr b <= R0 * at_output r p c yl o yr (negb b).
Proof.
  split.
  - intros promise b yl o yr ll lr.
    destruct (of_list (p + S c) (yl ++ o :: yr)) as [y ey].
    { rewrite app_length. simpl. lia. }
    specialize (promise _ (record_is p b) (record_is p (negb b)) y eq_refl
      (ex_intro _ b (conj eq_refl eq_refl))).
    rewrite !P_record, !(told_on_lists r p c y yl o yr) in promise by easy.
    pose proof (stationary_pos b) as pb. pose proof (stationary_pos (negb b)) as pn.
    specialize (promise pb pn). pose proof (Rmult_lt_0_compat _ _ pb pn) as pos.
    apply (Rmult_le_reg_l (stat b * stat (negb b))); [easy|]. lra.
  - intros each law_ s t y <- [b [-> ->]] _ _.
    assert (ly : length (list_of y) = (p + S c)%nat) by apply list_length.
    pose proof (firstn_skipn p (list_of y)) as e.
    assert (lf : length (firstn p (list_of y)) = p) by (rewrite firstn_length; lia).
    pose proof (skipn_length p (list_of y)) as ls.
    destruct (skipn p (list_of y)) as [|o yr]; simpl in ls; [lia|].
    rewrite !P_record, !(told_on_lists r p c y _ o yr _ (eq_sym e) lf).
    specialize (each b (firstn p (list_of y)) o yr lf ltac:(lia)).
    assert (pos : 0 <= stat b * stat (negb b))
      by (apply Rmult_le_pos; apply Rlt_le, stationary_pos).
    apply (Rmult_le_compat_l _ _ _ pos) in each. lra.
Qed.

Lemma shows_length r k n b y : length y <> n -> shows T r k n b y = 0.
Proof.
  intros len. unfold shows, mean. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
  intros v _. rewrite redact_on_lists.
  enough (forall xs k, length y <> length xs -> on_lists r k xs y = 0) as ->
    by (rewrite ?list_length; auto; ring).
  clear. induction y as [|o y IH]; intros [|x xs] k ne; simpl in *; try easy.
  rewrite IH by lia. ring.
Qed.

(** A record that is always replaced is seen from where the sides are: the promise about it is that
    about the bit in the middle. *)
Lemma seen_from_record r p c R0 : (forall x, r p x = 1) ->
  pufferfish R0 (local bool_dec r) (either_value p) (eq (stationary_chain al be (p + S c))) <->
  pufferfish R0 (redacted p c (to_left r p) (to_right r p)) (either_order p c)
    (eq (bits_law p c stat T T)).
Proof.
  intros hidden. rewrite promise_at_outputs. split.
  - intros each law_ s t [yl yr] <- [b [-> ->]] _ _.
    rewrite !redacted_told, !P_bit by apply flip_laws. cbn [fst snd].
    destruct (Nat.eq_dec (length yl) p) as [el|ne].
    2: { rewrite !(shows_length (to_left r p)) by easy. lra. }
    destruct (Nat.eq_dec (length yr) c) as [er|ne].
    2: { rewrite !(shows_length (to_right r p) 0 c) by easy. lra. }
    specialize (each b (rev yl) None yr ltac:(now rewrite rev_length) er).
    unfold at_output in each. rewrite rev_involutive in each. simpl shown_as in each.
    rewrite !hidden, !Rmult_1_l in each.
    assert (pos : 0 <= stat b * stat (negb b))
      by (apply Rmult_le_pos; apply Rlt_le, stationary_pos).
    apply (Rmult_le_compat_l _ _ _ pos) in each. lra.
  - intros promise b yl o yr ll lr. unfold at_output. destruct o as [z|].
    + assert (none : forall x, shown_as bool_dec r p x (Some z) = 0).
      { intros x. simpl. rewrite hidden. destruct bool_dec; ring. }
      rewrite !none. lra.
    + simpl shown_as. rewrite !hidden, !Rmult_1_l.
      specialize (promise _ (bit_is p c b) (bit_is p c (negb b)) (rev yl, yr) eq_refl
        (ex_intro _ b (conj eq_refl eq_refl))).
      rewrite !redacted_told, !P_bit in promise by apply flip_laws. cbn [fst snd] in promise.
      pose proof (stationary_pos b) as pb. pose proof (stationary_pos (negb b)) as pn.
      specialize (promise pb pn). pose proof (Rmult_lt_0_compat _ _ pb pn) as pos.
      apply (Rmult_le_reg_l (stat b * stat (negb b))); [easy|]. lra.
Qed.

Lemma shows_nonnegative r k n b y : chances r -> 0 <= shows T r k n b y.
Proof. intros r01. apply mean_nonneg; [apply flip_laws|]. intros v. now apply redact_nonneg. Qed.

Lemma some_possible r n : chances r -> forall k b, exists y, length y = n /\
  0 < shows T r k n b y.
Proof.
  intros r01. induction n as [|n IH]; intros k b.
  - exists []. unfold shows, mean. simpl. split; [easy|lra].
  - destruct (IH (S k) true) as [y [len pos]].
    assert (next : forall o, shows T r k (S n) b (o :: y) =
      flip al be b true * (symbol r (S k) true o * shows T r (S k) n true y) +
      flip al be b false * (symbol r (S k) false o * shows T r (S k) n false y)).
    { intros o. unfold shows. rewrite mean_next. simpl. now rewrite !mean_scale. }
    assert (f1 : 0 < flip al be b true) by (destruct b; simpl; lra).
    assert (f0 : 0 < flip al be b false) by (destruct b; simpl; lra).
    pose proof (shows_nonnegative r (S k) n false y r01) as rest.
    destruct (r01 (S k) true) as [a0 a1]. destruct (r01 (S k) false) as [c0 c1].
    destruct (Rlt_dec (r (S k) true) 1) as [less|].
    + exists (Some true :: y). split; [simpl; lia|]. rewrite next. simpl.
      assert (0 < flip al be b true * ((1 - r (S k) true) * shows T r (S k) n true y))
        by (repeat apply Rmult_lt_0_compat; lra). lra.
    + exists (None :: y). split; [simpl; lia|]. rewrite next. simpl.
      assert (0 < flip al be b true * (r (S k) true * shows T r (S k) n true y))
        by (repeat apply Rmult_lt_0_compat; lra).
      assert (0 <= flip al be b false * (r (S k) false * shows T r (S k) n false y))
        by (repeat apply Rmult_le_pos; lra). lra.
Qed.

(** Privacy of a record needs that it is always replaced (massny2025, appendix E). *)
Lemma private_record_hidden r p c R0 : chances r ->
  pufferfish R0 (local bool_dec r) (either_value p) (eq (stationary_chain al be (p + S c))) ->
  forall x, r p x = 1.
Proof.
  intros r01 promise x. rewrite promise_at_outputs in promise.
  destruct (r01 p x) as [low high]. destruct high as [less|]; [|easy]. exfalso.
  assert (rl : chances (to_left r p)) by (intros k z; apply r01).
  assert (rr : chances (to_right r p)) by (intros k z; apply r01).
  destruct (some_possible (to_left r p) p rl 0%nat x) as [yl [ll pl]].
  destruct (some_possible (to_right r p) c rr 0%nat x) as [yr [lr pr]].
  specialize (promise x (rev yl) (Some x) yr ltac:(now rewrite rev_length) lr).
  unfold at_output in promise. rewrite rev_involutive in promise. simpl in promise.
  destruct (bool_dec x x) as [_|]; [|easy].
  destruct (bool_dec (negb x) x) as [e|_]; [now destruct x|].
  pose proof (Rmult_lt_0_compat _ _ pl pr) as both_.
  assert (0 < 1 - r p x) as free by lra.
  pose proof (Rmult_lt_0_compat _ _ free both_). lra.
Qed.
End Stationary.
