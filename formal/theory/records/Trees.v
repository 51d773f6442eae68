(** A bit with trees of bits below it: the largest ratio that levels per bit allow, by a recursion
    that is exact. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Recursion.
Open Scope R_scope.

(** What hangs below a bit: its first child, which takes the value y with the probability P x y
    where the bit is x, and has a level and a forest of its own; and the other children. *)
Inductive forest :=
| none
| child (P : bool -> bool -> R) (level : R) (below beside : forest).

(** The values of all bits of a forest. *)
Fixpoint values (f : forest) : Type :=
  match f with none => unit | child _ _ below beside => bool * (values below * values beside) end.
#[export] Instance finite_values f : Finite (values f).
Proof. induction f; simpl; [apply finite_unit|repeat apply finite_pair; auto using finite_bool].
Defined.

(** Their probability where the bit above is b. *)
Fixpoint chance f (b : bool) : values f -> R :=
  match f with none => fun _ => 1
  | child P _ below beside => fun v =>
      P b (fst v) * (chance below (fst v) (fst (snd v)) * chance beside b (snd (snd v))) end.

(** Steps are laws, and levels are at least 1 (ratios, such as e^epsilon). *)
Fixpoint sound f := match f with none => True
  | child P level below beside =>
      (forall x, law (P x)) /\ 1 <= level /\ sound below /\ sound beside end.

(** A column: changing one bit changes it by at most the level of this bit. *)
Fixpoint column_of f : (values f -> R) -> Prop :=
  match f with none => fun u => 0 <= u tt
  | child _ level below beside => fun u =>
      (forall x y l r, u (x, (l, r)) <= level * u (y, (l, r))) /\
      (forall x r, column_of below (fun l => u (x, (l, r)))) /\
      (forall x l, column_of beside (fun r => u (x, (l, r)))) end.

(** What a forest contributes to the ratio of 1 against 0 of the bit above it, and of 0 against 1:
    the product over its children; for S and D the messages up and down of a child, the larger value
    of the two ends S and 1/D. *)
Fixpoint messages f : R * R := match f with none => (1, 1)
  | child P level below beside =>
      let up := level * fst (messages below) in
      let down := level * snd (messages below) in
      let g := quotient (P true) (P false) in
      (Rmax (g up) (g (/ down)) * fst (messages beside),
       Rmax (/ g up) (/ g (/ down)) * snd (messages beside)) end.

Definition mean_of f (u : values f -> R) b := Σ v, chance f b v * u v.

Lemma mean_none u b : mean_of none u b = u tt.
Proof. unfold mean_of; simpl. ring. Qed.

Lemma mean_child P level below beside u b : mean_of (child P level below beside) u b =
  P b true * mean_of below (fun l => mean_of beside (fun r => u (true, (l, r))) b) true +
  P b false * mean_of below (fun l => mean_of beside (fun r => u (false, (l, r))) b) false.
Proof.
  unfold mean_of. etransitivity.
  { apply (@Sum_pairs bool (values below * values beside)). }
  simpl sum at 1. rewrite Rplus_0_r.
  f_equal; rewrite <- sum_scale; etransitivity;
    try apply (@Sum_pairs (values below) (values beside)); apply sum_ext; intros l _;
    rewrite <- !sum_scale; apply sum_ext; intros r _; simpl; ring.
Qed.

Lemma chance_nonneg f b v : sound f -> 0 <= chance f b v.
Proof.
  revert b v; induction f as [|P level below IHl beside IHr]; intros b v; simpl; [lra|].
  intros [LP [_ [sl sr]]]. repeat apply Rmult_le_pos; auto. apply LP.
Qed.

Lemma mean_le f u u' b : sound f -> (forall v, u v <= u' v) -> mean_of f u b <= mean_of f u' b.
Proof.
  intros s le. apply sum_le; intros v _. apply Rmult_le_compat_l; [now apply chance_nonneg|auto].
Qed.

Lemma mean_times f c u b : mean_of f (fun v => c * u v) b = c * mean_of f u b.
Proof. unfold mean_of. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.

Lemma mean_ext f u u' b : (forall v, u v = u' v) -> mean_of f u b = mean_of f u' b.
Proof. intros E. apply sum_ext; intros v _. now rewrite E. Qed.

(** The mean of 1 is 1. *)
Lemma mean_one f b : sound f -> mean_of f (fun _ => 1) b = 1.
Proof.
  revert b; induction f as [|P level below IHl beside IHr]; intros b.
  - intros _. apply mean_none.
  - intros [LP [_ [sl sr]]]. rewrite mean_child.
    assert (side : forall x, mean_of below (fun _ => mean_of beside (fun _ => 1) b) x = 1).
    { intros x. rewrite (mean_ext below _ (fun _ => 1)) by (intros; now apply IHr). now apply IHl. }
    rewrite !side.
    destruct (LP b) as [_ one]. cbn -[IZR] in one. lra.
Qed.

(** ** Columns *)
Lemma column_nonneg f u v : column_of f u -> 0 <= u v.
Proof.
  revert u v; induction f as [|P level below IHl beside IHr]; intros u v; simpl.
  - now destruct v.
  - intros [_ [l _]]. destruct v as [x [a c]]. now apply (IHl (fun a => u (x, (a, c)))).
Qed.

Lemma column_ext f u u' : (forall v, u v = u' v) -> column_of f u -> column_of f u'.
Proof.
  revert u u'; induction f as [|P level below IHl beside IHr]; intros u u' E; simpl.
  - now rewrite E.
  - intros [h [l r]]. split; [|split].
    + intros. rewrite <- !E. apply h.
    + intros x b. now apply (IHl (fun a => u (x, (a, b)))).
    + intros x a. now apply (IHr (fun b => u (x, (a, b)))).
Qed.

Lemma column_times f c u : 0 <= c -> column_of f u -> column_of f (fun v => c * u v).
Proof.
  intros c0. revert u; induction f as [|P level below IHl beside IHr]; intros u; simpl.
  - intros; now apply Rmult_le_pos.
  - intros [h [l r]]. split; [|split; auto].
    intros x y a b. specialize (h x y a b). apply (Rmult_le_compat_l c) in h; lra.
Qed.

Lemma column_zero f : sound f -> column_of f (fun _ => 0).
Proof. induction f; simpl; [lra|]. intros [_ [l1 [sl sr]]]. split; [intros; lra|auto]. Qed.

Lemma column_plus f u u' : column_of f u -> column_of f u' -> column_of f (fun v => u v + u' v).
Proof.
  revert u u'; induction f as [|P level below IHl beside IHr]; intros u u'; simpl; [lra|].
  intros [h [l r]] [h' [l' r']]. split; [|split].
  - intros x y a b. specialize (h x y a b). specialize (h' x y a b). lra.
  - intros x b. now apply (IHl (fun a => u (x, (a, b))) (fun a => u' (x, (a, b)))).
  - intros x a. now apply (IHr (fun b => u (x, (a, b))) (fun b => u' (x, (a, b)))).
Qed.

Lemma column_sum {A} f (l : list A) (c : A -> R) (u : A -> values f -> R) : sound f ->
  (forall a, 0 <= c a) -> (forall a, column_of f (u a)) ->
  column_of f (fun v => sum l (fun a => c a * u a v)).
Proof.
  intros s c0 each. induction l as [|a l IH]; simpl; [now apply column_zero|].
  apply (column_plus f (fun v => c a * u a v)); [|exact IH]. now apply column_times.
Qed.

Lemma column_mean f g (u : values f -> values g -> R) b : sound f -> sound g ->
  (forall c, column_of f (fun a => u a c)) -> column_of f (fun a => mean_of g (u a) b).
Proof.
  intros sf sg each. unfold mean_of.
  apply (column_sum f all (chance g b) (fun c a => u a c)); auto.
  intros; now apply chance_nonneg.
Qed.

(** ** The bound *)
Lemma some_row (P : bool -> bool -> R) : (forall x, law (P x)) ->
  forall b t, 0 < t -> 0 < P b true * t + P b false.
Proof. intros LP b t t0. now apply (denominator (fun _ => P) (fun _ => LP) 0). Qed.

Lemma quotient_pos (P : bool -> bool -> R) t : (forall x, law (P x)) -> 0 < t ->
  0 < quotient (P true) (P false) t.
Proof. intros LP t0. apply Rdiv_lt_0_compat; now apply some_row. Qed.

Lemma messages_pos f : sound f -> 0 < fst (messages f) /\ 0 < snd (messages f).
Proof.
  induction f as [|P level below IHl beside IHr]; simpl; [lra|].
  intros [LP [l1 [sl sr]]]. destruct (IHl sl) as [a b]. destruct (IHr sr) as [c d].
  assert (up : 0 < level * fst (messages below)) by (apply Rmult_lt_0_compat; lra).
  pose proof (quotient_pos P _ LP up) as g. pose proof (Rinv_0_lt_compat _ g) as g'.
  split; apply Rmult_lt_0_compat; auto; (eapply Rlt_le_trans; [|apply Rmax_l]); easy.
Qed.

Lemma messages_bound f u : sound f -> column_of f u ->
  mean_of f u true <= fst (messages f) * mean_of f u false /\
  mean_of f u false <= snd (messages f) * mean_of f u true.
Proof.
  revert u; induction f as [|P level below IHl beside IHr]; intros u.
  - intros _ _. rewrite !mean_none. simpl. lra.
  - intros [LP [l1 [sl sr]]] [head [left right]].
    set (v b x a := mean_of beside (fun r => u (x, (a, r))) b).
    assert (head_v : forall b x y a, v b x a <= level * v b y a).
    { intros b x y a. unfold v. rewrite <- mean_times. apply mean_le; auto. }
    assert (col_v : forall b x, column_of below (v b x)).
    { intros b x. apply (column_mean below beside (fun a r => u (x, (a, r)))); auto. }
    assert (beside_v : forall x a, v true x a <= fst (messages beside) * v false x a /\
      v false x a <= snd (messages beside) * v true x a) by (intros x a; now apply IHr).
    destruct (messages_pos below sl) as [s0 d0]. destruct (messages_pos beside sr) as [c0 e0].
    cbn [messages fst snd].
    set (up := level * fst (messages below)). set (down := level * snd (messages below)).
    assert (up0 : 0 < up) by (apply Rmult_lt_0_compat; lra).
    assert (down0 : 0 < down) by (apply Rmult_lt_0_compat; lra).
    assert (inv0 : 0 < / down) by now apply Rinv_0_lt_compat.
    (* with the other children as given b *)
    set (m b := mean_of below (v b true) true). set (z b := mean_of below (v b false) false).
    assert (means : forall b, mean_of (child P level below beside) u b =
      P b true * m b + P b false * z b) by (intros; apply mean_child).
    assert (m0 : forall b, 0 <= m b).
    { intros b. apply sum_nonneg; intros a _. apply Rmult_le_pos; [now apply chance_nonneg|].
      now apply (column_nonneg below (v b true)). }
    assert (z0 : forall b, 0 <= z b).
    { intros b. apply sum_nonneg; intros a _. apply Rmult_le_pos; [now apply chance_nonneg|].
      now apply (column_nonneg below (v b false)). }
    assert (high : forall b, m b <= up * z b).
    { intros b. destruct (IHl (v b false) sl (col_v b false)) as [le _].
      apply Rle_trans with (level * mean_of below (v b false) true).
      - rewrite <- mean_times. apply mean_le; auto.
      - unfold up. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|exact le]. }
    assert (low : forall b, z b <= down * m b).
    { intros b. destruct (IHl (v b true) sl (col_v b true)) as [_ le].
      apply Rle_trans with (level * mean_of below (v b true) false).
      - rewrite <- mean_times. apply mean_le; auto.
      - unfold down. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|exact le]. }
    assert (others : m true <= fst (messages beside) * m false /\
      z true <= fst (messages beside) * z false /\ m false <= snd (messages beside) * m true /\
      z false <= snd (messages beside) * z true).
    { unfold m, z. rewrite <- !mean_times. repeat split; apply mean_le; auto;
        intros a; apply beside_v. }
    destruct others as [mu [zu [md zd]]].
    assert (row : forall b, 0 <= P b true /\ 0 <= P b false) by (intros b; split; apply LP).
    rewrite !swapped, !means. split.
    + apply Rle_trans with
        (fst (messages beside) * (P true true * m false + P true false * z false)).
      * destruct (row true) as [p1 p0]. apply (Rmult_le_compat_l _ _ _ p1) in mu.
        apply (Rmult_le_compat_l _ _ _ p0) in zu. lra.
      * rewrite (Rmult_comm (Rmax _ _)), Rmult_assoc. apply Rmult_le_compat_l; [lra|].
        apply (ends _ _ _ _ up down); auto; apply of_quotient; try (now apply some_row);
          (apply Rmax_l || apply Rmax_r).
    + apply Rle_trans with
        (snd (messages beside) * (P false true * m true + P false false * z true)).
      * destruct (row false) as [p1 p0]. apply (Rmult_le_compat_l _ _ _ p1) in md.
        apply (Rmult_le_compat_l _ _ _ p0) in zd. lra.
      * rewrite (Rmult_comm (Rmax _ _)), Rmult_assoc. apply Rmult_le_compat_l; [lra|].
        apply (ends _ _ _ _ up down); auto; apply of_quotient; try (now apply some_row);
          (apply Rmax_l || apply Rmax_r).
Qed.

(** ** It is attained *)
Lemma over a b z k y : 0 < b -> a * z * (k * y) = a / b * k * (b * z * y).
Proof. intros. field. lra. Qed.
Lemma under a b z k y : 0 < a -> 0 < b -> b * z * (k * y) = / (a / b) * k * (a * z * y).
Proof. intros. field. lra. Qed.

Lemma messages_attained f : sound f ->
  (exists u, column_of f u /\ 0 < mean_of f u false /\
    mean_of f u true = fst (messages f) * mean_of f u false) /\
  (exists u, column_of f u /\ 0 < mean_of f u true /\
    mean_of f u false = snd (messages f) * mean_of f u true).
Proof.
  induction f as [|P level below IHl beside IHr].
  - intros _. split; exists (fun _ => 1); rewrite !mean_none; simpl; lra.
  - intros [LP [l1 [sl sr]]].
    destruct (IHl sl) as [[u [cu [u0 eu]]] [d [cd [d0 ed]]]].
    destruct (IHr sr) as [[v [cv [v0 ev]]] [w [cw [w0 ew]]]].
    destruct (messages_pos below sl) as [s0 t0]. destruct (messages_pos beside sr) as [c0 e0].
    set (up := level * fst (messages below)). set (down := level * snd (messages below)).
    assert (up0 : 0 < up) by (apply Rmult_lt_0_compat; lra).
    assert (down0 : 0 < down) by (apply Rmult_lt_0_compat; lra).
    assert (inv0 : 0 < / down) by now apply Rinv_0_lt_compat.
    assert (built : forall (c : bool -> R) h k t, (forall x y, 0 <= c x <= level * c y) ->
      column_of below h -> column_of beside k -> 0 < t -> 0 < c false * mean_of below h false ->
      c true * mean_of below h true = t * (c false * mean_of below h false) ->
      exists x, column_of (child P level below beside) x /\ forall b,
        mean_of (child P level below beside) x b = (P b true * t + P b false) *
          (c false * mean_of below h false) * mean_of beside k b).
    { intros c h k t cc ch ck t1 z0 E.
      exists (fun v => c (fst v) * (h (fst (snd v)) * k (snd (snd v)))). split.
      - cbn [column_of fst snd]. split; [|split].
        + intros x y l r. rewrite <- (Rmult_assoc level). apply Rmult_le_compat_r; [|apply cc].
          apply Rmult_le_pos; [now apply (column_nonneg below)|now apply (column_nonneg beside)].
        + intros x r. pose proof (column_times below (c x * k r) h) as times.
          assert (0 <= c x * k r) as pos
            by (apply Rmult_le_pos; [apply (cc x true)|now apply (column_nonneg beside)]).
          specialize (times pos ch). revert times. apply column_ext. intros; ring.
        + intros x l. pose proof (column_times beside (c x * h l) k) as times.
          assert (0 <= c x * h l) as pos
            by (apply Rmult_le_pos; [apply (cc x true)|now apply (column_nonneg below)]).
          specialize (times pos ck). revert times. apply column_ext. intros; ring.
      - intros b. rewrite mean_child. cbn [fst snd].
        assert (side : forall x, mean_of below (fun l => mean_of beside
          (fun r => c x * (h l * k r)) b) x = c x * mean_of below h x * mean_of beside k b).
        { intros x. rewrite (mean_ext below _ (fun l => (c x * mean_of beside k b) * h l)).
          - rewrite mean_times. ring.
          - intros l. rewrite (mean_ext beside _ (fun r => (c x * h l) * k r)) by (intros; ring).
            rewrite mean_times. ring. }
        rewrite !side, E. ring. }
    set (cu_ := fun b : bool => if b then level else 1).
    set (cd_ := fun b : bool => if b then 1 else level).
    assert (sq : level <= level * level) by (rewrite <- (Rmult_1_l level) at 1;
      apply Rmult_le_compat_r; lra).
    assert (ccu : forall a b, 0 <= cu_ a <= level * cu_ b) by
      (intros [] []; unfold cu_; split; lra).
    assert (ccd : forall a b, 0 <= cd_ a <= level * cd_ b) by
      (intros [] []; unfold cd_; split; lra).
    assert (at_up : forall k, column_of beside k -> exists x,
      column_of (child P level below beside) x /\ exists z, 0 < z /\ forall b,
        mean_of (child P level below beside) x b = (P b true * up + P b false) * z *
          mean_of beside k b).
    { intros k ck. destruct (built cu_ u k up ccu cu ck up0) as [x [cx E]].
      - unfold cu_. lra.
      - unfold cu_, up. rewrite eu. ring.
      - exists x. split; [easy|]. exists (cu_ false * mean_of below u false).
        split; [unfold cu_; lra|exact E]. }
    assert (at_down : forall k, column_of beside k -> exists x,
      column_of (child P level below beside) x /\ exists z, 0 < z /\ forall b,
        mean_of (child P level below beside) x b = (P b true * / down + P b false) * z *
          mean_of beside k b).
    { intros k ck. assert (z0 : 0 < cd_ false * mean_of below d false).
      { unfold cd_. rewrite ed. repeat apply Rmult_lt_0_compat; lra. }
      destruct (built cd_ d k (/ down) ccd cd ck inv0 z0) as [x [cx E]].
      - unfold cd_, down. rewrite ed. field. split; lra.
      - exists x. split; [easy|]. exists (cd_ false * mean_of below d false). easy. }
    cbn [messages fst snd]. fold up down.
    set (g := quotient (P true) (P false)).
    assert (value : forall t z k b, 0 < t -> 0 < z -> 0 < mean_of beside k b ->
      0 < (P b true * t + P b false) * z * mean_of beside k b).
    { intros. repeat apply Rmult_lt_0_compat; auto. now apply some_row. }
    assert (num : forall t, 0 < t -> 0 < P true true * t + P true false) by (now apply some_row).
    assert (den : forall t, 0 < t -> 0 < P false true * t + P false false) by (now apply some_row).
    assert (v1 : 0 < mean_of beside v true) by (rewrite ev; now apply Rmult_lt_0_compat).
    split.
    + unfold Rmax at 1. destruct Rle_dec;
        [destruct (at_down v cv) as [x [cx [z [z0 E]]]]
        |destruct (at_up v cv) as [x [cx [z [z0 E]]]]];
        exists x; rewrite !E; (split; [easy|]); (split; [now apply value|]);
        rewrite ev; unfold g, quotient; apply over; auto.
    + unfold Rmax at 1. destruct Rle_dec;
        [destruct (at_down w cw) as [x [cx [z [z0 E]]]]
        |destruct (at_up w cw) as [x [cx [z [z0 E]]]]];
        exists x; rewrite !E; (split; [easy|]); (split; [now apply value|]);
        rewrite ew; unfold g, quotient; apply under; auto.
Qed.

(** ** From a column to a mechanism *)
Lemma all_small {A} `{Finite A} (Q : A -> R -> Prop) :
  (forall a, exists t, 0 < t /\ forall t', 0 <= t' <= t -> Q a t') ->
  exists t, 0 < t /\ forall t', 0 <= t' <= t -> forall a, Q a t'.
Proof.
  intros each. assert (listed : forall l : list A, exists t, 0 < t /\
    forall t', 0 <= t' <= t -> forall a, In a l -> Q a t').
  { induction l as [|a l [t [t0 small]]].
    - exists 1. split; [lra|]. intros ? _ ? [].
    - destruct (each a) as [s [s0 at_a]]. exists (Rmin s t).
      split; [now apply Rmin_glb_lt|]. intros t' le b [<-|here].
      + apply at_a. pose proof (Rmin_l s t). lra.
      + apply small; [|easy]. pose proof (Rmin_r s t). lra. }
  destruct (listed all) as [t [t0 small]]. exists t. split; [easy|].
  intros t' le a. apply small; [easy|apply all_here].
Qed.

(** What a small multiple of a change of at most level leaves to 1 changes by at most level too. *)
Lemma room level x y : 1 <= level -> 0 <= x -> 0 <= y -> x <= level * y -> y <= level * x ->
  exists t, 0 < t /\ forall t', 0 <= t' <= t -> 1 - t' * x <= level * (1 - t' * y).
Proof.
  intros l1 x0 y0 xy yx. destruct (Req_dec level 1) as [->|more].
  - exists 1. split; [lra|]. intros t' le. assert (x = y) as -> by lra. lra.
  - assert (ly : 0 <= level * y) by (apply Rmult_le_pos; lra).
    exists ((level - 1) / (1 + level * y)).
    assert (t0 : 0 < (level - 1) / (1 + level * y)) by (apply Rdiv_lt_0_compat; lra).
    split; [easy|]. intros t' [low high].
    assert (le : (level - 1) / (1 + level * y) * (1 + level * y) = level - 1) by (field; lra).
    apply (Rmult_le_compat_r (1 + level * y)) in high; [|lra].
    assert (0 <= t' * x) by (now apply Rmult_le_pos). lra.
Qed.

Lemma column_rest f u : sound f -> column_of f u ->
  exists t, 0 < t /\ forall t', 0 <= t' <= t -> column_of f (fun v => 1 - t' * u v).
Proof.
  revert u; induction f as [|P level below IHl beside IHr]; intros u.
  - intros _ u0. simpl in u0. exists (/ (1 + u tt)).
    assert (t0 : 0 < / (1 + u tt)) by (apply Rinv_0_lt_compat; lra).
    split; [easy|]. intros t' [low high]. simpl.
    apply (Rmult_le_compat_r (1 + u tt)) in high; [|lra]. rewrite Rinv_l in high; lra.
  - intros [LP [l1 [sl sr]]] cu. pose proof cu as [head [left right]].
    assert (u0 : forall v, 0 <= u v)
      by (intros v; now apply (column_nonneg (child P level below beside))).
    destruct (all_small (fun (c : (bool * bool) * (values below * values beside)) t' =>
      1 - t' * u (fst (fst c), snd c) <= level * (1 - t' * u (snd (fst c), snd c))))
      as [t1 [p1 h1]].
    { intros [[x y] [l r]]. simpl. apply room; auto. }
    destruct (all_small (fun (c : bool * values beside) t' =>
      column_of below (fun l => 1 - t' * u (fst c, (l, snd c))))) as [t2 [p2 h2]].
    { intros [x r]. apply (IHl (fun l => u (x, (l, r)))); auto. }
    destruct (all_small (fun (c : bool * values below) t' =>
      column_of beside (fun r => 1 - t' * u (fst c, (snd c, r))))) as [t3 [p3 h3]].
    { intros [x l]. apply (IHr (fun r => u (x, (l, r)))); auto. }
    exists (Rmin t1 (Rmin t2 t3)). split; [repeat apply Rmin_glb_lt; auto|].
    intros t' [low high]. pose proof (Rmin_l t1 (Rmin t2 t3)). pose proof (Rmin_r t1 (Rmin t2 t3)).
    pose proof (Rmin_l t2 t3). pose proof (Rmin_r t2 t3). split; [|split].
    + intros x y l r. apply (h1 t' ltac:(lra) ((x, y), (l, r))).
    + intros x r. apply (h2 t' ltac:(lra) (x, r)).
    + intros x l. apply (h3 t' ltac:(lra) (x, l)).
Qed.

(** ** The bit at the root *)
Section Root.
Context (q : bool -> R) (level : R) (f : forest).
Hypotheses (Lq : law q) (level1 : 1 <= level) (sf : sound f).

Definition tree := (bool * values f)%type.
Definition tree_law (x : tree) := q (fst x) * chance f (fst x) (snd x).
Definition root_is b : @secret tree := fun x => eqb (fst x) b.
(** M has the level of the root for the root, and of each other bit for this one. *)
Definition tree_levels {W} (M : tree -> W -> R) := forall w,
  (forall b b' v, M (b, v) w <= level * M (b', v) w) /\
  forall b, column_of f (fun v => M (b, v) w).
(** The largest ratio of b against the other value of the root. *)
Definition tree_worst b := level * (if b : bool then fst (messages f) else snd (messages f)).

Lemma root_told {W} (M : tree -> W -> R) b w :
  Pw tree_law M (root_is b) w = q b * mean_of f (fun v => M (b, v) w) b.
Proof.
  unfold Pw, mean_of. rewrite <- sum_scale. etransitivity; [apply (@Sum_pairs bool (values f))|].
  simpl. rewrite Rplus_0_r. unfold inside, tree_law, root_is; simpl.
  assert (off : forall F : values f -> R, (Σ v, 0 * F v) = 0).
  { intros F. rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). apply sum_0. }
  destruct b; simpl; rewrite off, ?Rplus_0_r, ?Rplus_0_l; apply sum_ext; intros v _; ring.
Qed.

Lemma P_root b : P tree_law (root_is b) = q b.
Proof.
  pose proof (root_told (fun _ (_ : unit) => 1) b tt) as E. rewrite mean_one in E by easy.
  unfold Pw in E. rewrite (sum_ext all _ (inside tree_law (root_is b))) in E by (intros; ring).
  unfold P. rewrite (sum_ext all _ (inside tree_law (root_is b))) by easy. lra.
Qed.

(** The recursion bounds (worst.record-levels, worst.moebius-tree): levels per bit leak at most
    [tree_worst] of the bit at the root of a tree of bits, in either order.
    Differs: a tree is a bit with a list of children, each a tree of its own; density form. *)
Theorem tree_bounds {W} (M : tree -> W -> R) b w : tree_levels M ->
  Pw tree_law M (root_is b) w * P tree_law (root_is (negb b)) <=
  tree_worst b * P tree_law (root_is b) * Pw tree_law M (root_is (negb b)) w.
Proof.
  intros lv. destruct (lv w) as [head cols]. rewrite !root_told, !P_root. unfold tree_worst.
  set (most := if b then fst (messages f) else snd (messages f)).
  set (u := fun v => M (negb b, v) w).
  pose proof (proj1 Lq b) as qb. pose proof (proj1 Lq (negb b)) as qo.
  assert (first : mean_of f (fun v => M (b, v) w) b <= level * mean_of f u b).
  { rewrite <- mean_times. apply mean_le; auto. intros v. apply head. }
  destruct (messages_bound f u sf (cols (negb b))) as [up down].
  assert (side : mean_of f u b <= most * mean_of f u (negb b)) by (now destruct b).
  apply (Rmult_le_compat_l level) in side; [|lra].
  assert (all_ : mean_of f (fun v => M (b, v) w) b <= level * most * mean_of f u (negb b)) by lra.
  apply (Rmult_le_compat_l (q b * q (negb b))) in all_; [|now apply Rmult_le_pos].
  fold u. lra.
Qed.

(** The recursion is exact (worst.record-levels, worst.moebius-tree): for each order some mechanism
    with two outputs and these levels leaks [tree_worst].
    Differs: as [tree_bounds]. *)
Theorem tree_bounds_attained b : 0 < q true -> 0 < q false ->
  exists M : tree -> bool -> R, kernel M /\ tree_levels M /\
    0 < Pw tree_law M (root_is (negb b)) true /\
    Pw tree_law M (root_is b) true * P tree_law (root_is (negb b)) =
    tree_worst b * P tree_law (root_is b) * Pw tree_law M (root_is (negb b)) true.
Proof.
  intros q1 q0. assert (qq : forall z, 0 < q z) by (intros []; easy).
  assert (side : exists u, column_of f u /\ 0 < mean_of f u (negb b) /\ mean_of f u b =
    (if b then fst (messages f) else snd (messages f)) * mean_of f u (negb b)).
  { destruct (messages_attained f sf) as [up down]. now destruct b. }
  destruct side as [u [cu [u0 eu]]].
  set (whole := child (fun _ => q) level f none).
  set (h := fun z => if eqb z b then level else 1).
  assert (sq : level <= level * level) by (rewrite <- (Rmult_1_l level) at 1;
    apply Rmult_le_compat_r; lra).
  assert (hh : forall z z', 0 <= h z <= level * h z').
  { intros z z'. unfold h. destruct (eqb z b), (eqb z' b); split; lra. }
  assert (sound_whole : sound whole) by (simpl; auto).
  assert (un : forall v, 0 <= u v) by (intros; now apply (column_nonneg f)).
  assert (column : column_of whole (fun x => h (fst x) * u (fst (snd x)))).
  { simpl. split; [|split].
    - intros z z' v _. rewrite <- (Rmult_assoc level). apply Rmult_le_compat_r; [auto|apply hh].
    - intros z _. apply column_times; [apply (hh z true)|easy].
    - intros z v. apply Rmult_le_pos; [apply (hh z true)|auto]. }
  destruct (column_rest whole _ sound_whole column) as [t [t0 rest]].
  specialize (rest t ltac:(lra)). pose proof (column_times whole t _ ltac:(lra) column) as times.
  destruct rest as [head [below _]]. destruct times as [head' [below' _]].
  assert (hb : h b = level) by (unfold h; now rewrite eqb_reflx).
  assert (ho : h (negb b) = 1) by (unfold h; now destruct b).
  exists (fun x w => if w : bool then t * (h (fst x) * u (snd x))
                     else 1 - t * (h (fst x) * u (snd x))).
  split; [|split; [|rewrite !root_told, !P_root; cbn [fst snd];
                    rewrite !mean_times, hb, ho; split]].
  - intros [z v]. split; [|cbn -[IZR]; ring]. intros [].
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply (hh z true)|apply un].
    + apply (column_nonneg f _ v (below z tt)).
  - intros w. cbn [fst snd]. destruct w; split.
    + intros z z' v. apply (head' z z' v tt).
    + intros z. apply (below' z tt).
    + intros z z' v. apply (head z z' v tt).
    + intros z. apply (below z tt).
  - rewrite Rmult_1_l. repeat apply Rmult_lt_0_compat; auto.
  - rewrite eu. unfold tree_worst. ring.
Qed.
End Root.
