(** Of a finite system of linear inequalities either there is a solution, or a reason why not: by
    elimination of one unknown after the other. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

(** A number between two finite sets. *)
Lemma between_finite (low high : list R) : (forall a b, In a low -> In b high -> a < b) ->
  exists x, (forall a, In a low -> a < x) /\ (forall b, In b high -> x < b).
Proof.
  intros apart.
  assert (top : low = [] \/ exists m, In m low /\ forall a, In a low -> a <= m).
  { clear apart. induction low as [|a l [->|[m [i max]]]]; [now left| |]; right.
    - exists a; split; [now left|]. intros b [->|[]]; lra.
    - destruct (Rle_dec a m); [exists m|exists a]; split; simpl; auto;
        intros b [->|j]; try lra; specialize (max b j); lra. }
  assert (bottom : high = [] \/ exists m, In m high /\ forall a, In a high -> m <= a).
  { clear apart top. induction high as [|a l [->|[m [i min]]]]; [now left| |]; right.
    - exists a; split; [now left|]. intros b [->|[]]; lra.
    - destruct (Rle_dec m a); [exists m|exists a]; split; simpl; auto;
        intros b [->|j]; try lra; specialize (min b j); lra. }
  destruct top as [->|[m [i max]]], bottom as [->|[n [j min]]].
  - exists 0; split; intros ? [].
  - exists (n - 1); split; [intros ? []|]. intros b k; specialize (min b k); lra.
  - exists (m + 1); split; [|intros ? []]. intros b k; specialize (max b k); lra.
  - specialize (apart m n i j). exists ((m + n) / 2); split; intros b k;
      [specialize (max b k)|specialize (min b k)]; lra.
Qed.

Section Elimination.
Context {I : Type}.
Implicit Types (r u v : I -> R).

(** What rows add up to with weights that are not negative and not all 0. *)
Inductive cone (rows : list (I -> R)) : (I -> R) -> Prop :=
| row r : In r rows -> cone rows r
| add u v : cone rows u -> cone rows v -> cone rows (fun i => u i + v i)
| scale c u : 0 < c -> cone rows u -> cone rows (fun i => c * u i).

Fixpoint dot (l : list I) r (x : list R) : R :=
  match l, x with i :: l, a :: x => r i * a + dot l r x | _, _ => 0 end.

Lemma dot_add l u v x : dot l (fun i => u i + v i) x = dot l u x + dot l v x.
Proof. revert x; induction l as [|i l IH]; intros [|a x]; simpl; try lra. rewrite IH; ring. Qed.

Lemma dot_scale l c u x : dot l (fun i => c * u i) x = c * dot l u x.
Proof. revert x; induction l as [|i l IH]; intros [|a x]; simpl; try lra. rewrite IH; ring. Qed.

Lemma cone_trans rows rows' u : (forall r, In r rows' -> cone rows r) -> cone rows' u ->
  cone rows u.
Proof. intros inside. induction 1; auto; now constructor. Qed.

(** p and n with the unknown i eliminated, where p i > 0 > n i. *)
Definition eliminated i (pn : (I -> R) * (I -> R)) : I -> R :=
  fun j => - snd pn i * fst pn j + fst pn i * snd pn j.
Definition positive i r : bool := if Rlt_dec 0 (r i) then true else false.
Definition negative i r : bool := if Rlt_dec (r i) 0 then true else false.
Definition next i rows := filter (fun r => negb (positive i r)) rows ++
  map (eliminated i) (list_prod (filter (positive i) rows) (filter (negative i) rows)).

Lemma is_positive i r rows : In r (filter (positive i) rows) <-> In r rows /\ 0 < r i.
Proof. rewrite filter_In. unfold positive. destruct Rlt_dec; intuition discriminate. Qed.

Lemma is_negative i r rows : In r (filter (negative i) rows) <-> In r rows /\ r i < 0.
Proof. rewrite filter_In. unfold negative. destruct Rlt_dec; intuition discriminate. Qed.

Lemma not_positive i r rows :
  In r (filter (fun r => negb (positive i r)) rows) <-> In r rows /\ r i <= 0.
Proof.
  rewrite filter_In. unfold positive. destruct Rlt_dec; simpl; intuition (try discriminate; lra).
Qed.

Lemma next_in_cone i rows r : In r (next i rows) -> cone rows r /\ r i <= 0.
Proof.
  intros here. apply in_app_iff in here as [here|here].
  - apply not_positive in here as [here low]. split; [now constructor|easy].
  - apply in_map_iff in here as [[p n] [<- here]]. apply in_prod_iff in here as [ip iq].
    apply is_positive in ip as [ip pos]. apply is_negative in iq as [iq neg].
    split; unfold eliminated; simpl; [|right; ring].
    apply (add rows (fun j => - n i * p j) (fun j => p i * n j)); apply scale; try lra;
      now constructor.
Qed.

Lemma next_cone i rows u : cone (next i rows) u -> cone rows u /\ u i <= 0.
Proof.
  induction 1 as [r here|u v _ [cu zu] _ [cv zv]|c u c0 _ [cu zu]]; [now apply next_in_cone|..];
    (split; [now constructor|]); [lra|]. apply (Rmult_le_compat_l c) in zu; lra.
Qed.

(** A solution without the unknown i has a value for it. *)
Lemma solved_next i l rows x : (forall r, In r (next i rows) -> 0 < dot l r x) ->
  exists a, 0 < a /\ forall r, In r rows -> 0 < dot (i :: l) r (a :: x).
Proof.
  intros solved.
  set (low := 0 :: map (fun p => - dot l p x / p i) (filter (positive i) rows)).
  set (high := map (fun n => - dot l n x / n i) (filter (negative i) rows)).
  destruct (between_finite low high) as [a [above below]].
  { intros a b ia ib. apply in_map_iff in ib as [n [<- iq]]. destruct ia as [<-|ia].
    { apply is_negative in iq as [iq neg].
      assert (0 < dot l n x).
      { apply solved, in_app_iff. left. apply not_positive. split; [easy|lra]. }
      replace (- dot l n x / n i) with (dot l n x / - n i) by (field; lra).
      apply Rdiv_lt_0_compat; lra. }
    apply in_map_iff in ia as [p [<- ip]].
    assert (pair : 0 < dot l (eliminated i (p, n)) x).
    { apply solved, in_app_iff. right. apply in_map_iff. exists (p, n). split; [easy|].
      now apply in_prod. }
    unfold eliminated in pair; simpl in pair.
    rewrite (dot_add l (fun j => - n i * p j) (fun j => p i * n j)), !dot_scale in pair.
    apply is_positive in ip as [_ pos]. apply is_negative in iq as [_ neg].
    apply (Rmult_lt_reg_l (p i * - n i)); [apply Rmult_lt_0_compat; lra|].
    replace (p i * - n i * (- dot l p x / p i)) with (n i * dot l p x) by (field; lra).
    replace (p i * - n i * (- dot l n x / n i)) with (p i * dot l n x) by (field; lra). lra. }
  exists a. split; [apply above; now left|].
  intros r ir; simpl. destruct (Rtotal_order (r i) 0) as [neg|[zero|pos]].
  * assert (h : In (- dot l r x / r i) high).
    { apply in_map_iff. exists r; split; [easy|]. now apply is_negative. }
    specialize (below _ h). apply (Rmult_lt_compat_l (- r i)) in below; [|lra].
    replace (- r i * (- dot l r x / r i)) with (dot l r x) in below by (field; lra). lra.
  * assert (h : In r (next i rows)).
    { apply in_app_iff; left; apply not_positive. split; [easy|lra]. }
    specialize (solved r h). rewrite zero. lra.
  * assert (h : In (- dot l r x / r i) low).
    { right. apply in_map_iff. exists r; split; [easy|]. now apply is_positive. }
    specialize (above _ h). apply (Rmult_lt_compat_l (r i)) in above; [|lra].
    replace (r i * (- dot l r x / r i)) with (- dot l r x) in above by (field; lra). lra.
Qed.

(** A theorem of alternatives (Ville): some positive numbers make all rows positive, or the rows add
    up to nothing positive, with weights that are not negative and not all 0.
    Differs: textbook. *)
Theorem alternatives (l : list I) (rows : list (I -> R)) :
  (exists x, length x = length l /\ (forall a, In a x -> 0 < a) /\
    forall r, In r rows -> 0 < dot l r x) \/
  (exists u, cone rows u /\ forall i, In i l -> u i <= 0).
Proof.
  revert rows; induction l as [|i l IH]; intros rows.
  - destruct rows as [|r rows].
    + left; exists []; repeat split; intros ? [].
    + right; exists r; split; [now constructor; left|intros ? []].
  - destruct (IH (next i rows)) as [[x [len [pos_x solved]]]|[u [cu low]]].
    + left. destruct (solved_next i l rows x solved) as [a [a0 each]]. exists (a :: x).
      split; [simpl; now rewrite len|]. split; [|exact each].
      intros b [<-|ib]; auto.
    + right. apply next_cone in cu as [cu zi]. exists u. split; [easy|].
      intros j [<-|ij]; auto.
Qed.
End Elimination.
