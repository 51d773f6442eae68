(** Columns of mechanisms with a level for each bit, on bits that attract one another: those that
    favour the value 1 of all bits, or the value 0, have the largest ratios. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Supermodular.
Import ListNotations.
Open Scope R_scope.

(** A sequence of which one bit is exchanged, and one of which the bits of a set are. *)
Fixpoint flip j (l : list bool) := match l, j with [], _ => [] | x :: l, O => negb x :: l
  | x :: l, S j => x :: flip j l end.
Fixpoint exchange_from k (some : nat -> bool) (l : list bool) := match l with [] => []
  | x :: l => xorb (some k) x :: exchange_from (S k) some l end.
Definition exchange := exchange_from 0.
Definition exchanged some (u : list bool -> R) l := u (exchange some l).

(** A column of levels w_j >= 1, ratios such as e^level: exchanging bit j changes it by at most
    w_j. *)
Definition column (w : nat -> R) n (u : list bool -> R) := forall v : vec bool n,
  0 <= u (list_of v) /\ forall j, (j < n)%nat ->
    1 <= w j /\ u (list_of v) <= w j * u (flip j (list_of v)).
(** The product of w_j over the bits that are b. *)
Fixpoint favour_from k (w : nat -> R) b (l : list bool) := match l with [] => 1
  | x :: l => (if eqb x b then w k else 1) * favour_from (S k) w b l end.
Definition favour := favour_from 0.

Lemma some_vec n (l : list bool) : length l = n -> exists v : vec bool n, list_of v = l.
Proof.
  revert n. induction l as [|x l IH]; intros [|n] E; try discriminate; [now exists tt|].
  injection E as E. destruct (IH n E) as [v <-]. now exists (x, v).
Qed.

Lemma exchange_length k some l : length (exchange_from k some l) = length l.
Proof. revert k. induction l as [|x l IH]; intros k; simpl; [easy|]. now rewrite IH. Qed.
Lemma flip_exchange j k some l :
  flip j (exchange_from k some l) = exchange_from k some (flip j l).
Proof.
  revert j k. induction l as [|x l IH]; intros [|j] k; simpl; try easy.
  - now destruct (some k), x.
  - now rewrite IH.
Qed.

(** Levels are the same in exchanged values. *)
Lemma column_exchanged w n u some : column w n u -> column w n (exchanged some u).
Proof.
  intros col v. unfold exchanged, exchange.
  destruct (some_vec n (exchange_from 0 some (list_of v))) as [v' E];
    [now rewrite exchange_length, list_length|].
  destruct (col v') as [pos each]. rewrite E in pos, each. split; [exact pos|]. intros j small.
  rewrite <- flip_exchange. now apply each.
Qed.

Lemma favour_pos w n k (v : vec bool n) b : (forall j, (k <= j < k + n)%nat -> 1 <= w j) ->
  0 < favour_from k w b (list_of v).
Proof.
  revert k. induction n as [|n IH]; intros k big; [simpl; lra|]. destruct v as [x v]. simpl.
  apply Rmult_lt_0_compat; [|apply IH; intros; apply big; lia].
  specialize (big k ltac:(lia)). destruct eqb; lra.
Qed.

Lemma favour_both w b k l m : length l = length m -> favour_from k w b l * favour_from k w b m =
  favour_from k w b (join l m) * favour_from k w b (meet l m).
Proof.
  revert k m. induction l as [|x l IH]; intros k [|y m] E; try discriminate; simpl; [ring|].
  injection E as E.
  transitivity ((if eqb x b then w k else 1) * (if eqb y b then w k else 1) *
    (favour_from (S k) w b l * favour_from (S k) w b m)); [ring|]. rewrite IH by easy.
  destruct x, y, b; simpl; ring.
Qed.

(** Towards the other value a column falls no faster than the product does. *)
Definition away (b : bool) (l m : list bool) := if b then meet l m else join l m.
Lemma column_away w b n k (u : list bool -> R) :
  (forall (v : vec bool n) j, (j < n)%nat ->
    u (list_of v) <= w (k + j)%nat * u (flip j (list_of v))) ->
  (forall j, (k <= j < k + n)%nat -> 1 <= w j) ->
  forall v v' : vec bool n, u (list_of v) * favour_from k w b (away b (list_of v) (list_of v')) <=
    u (away b (list_of v) (list_of v')) * favour_from k w b (list_of v).
Proof.
  revert k u. induction n as [|n IH]; intros k u col big v v'.
  { destruct b; simpl; lra. }
  destruct v as [x v], v' as [y v'].
  assert (below : forall z, u (z :: list_of v) * favour_from (S k) w b
    (away b (list_of v) (list_of v')) <= u (z :: away b (list_of v) (list_of v')) *
    favour_from (S k) w b (list_of v)).
  { intros z. apply (IH (S k) (fun l => u (z :: l))).
    - intros v0 j small. specialize (col (z, v0) (S j) ltac:(lia)). simpl in col.
      now replace (k + S j)%nat with (S (k + j)) in col by lia.
    - intros j small. apply big. lia. }
  assert (here : forall z (m : vec bool n), u (z :: list_of m) <= w k * u (negb z :: list_of m)).
  { intros z m. specialize (col (z, m) 0%nat ltac:(lia)). simpl in col.
    now rewrite Nat.add_0_r in col. }
  assert (some : exists m : vec bool n, list_of m = away b (list_of v) (list_of v')).
  { destruct b; [exists (met v v'); apply list_met|exists (joined v v'); apply list_joined]. }
  destruct some as [m Em].
  assert (pos : 0 < favour_from (S k) w b (list_of v))
    by (apply favour_pos; intros; apply big; lia).
  specialize (below x). specialize (here x m). rewrite Em in here.
  specialize (big k ltac:(lia)).
  set (rest := away b (list_of v) (list_of v')) in *.
  set (F := favour_from (S k) w b (list_of v)) in *.
  assert (step : away b (list_of (n := S n) (x, v)) (list_of (n := S n) (y, v')) =
    (if b then x && y else x || y) :: rest) by (unfold rest; now destruct b).
  rewrite step. cbn [list_of favour_from fst snd]. fold F.
  set (G := favour_from (S k) w b rest) in *.
  apply (Rmult_le_compat_r F) in here; [|lra].
  assert (big_below : w k * (u (x :: list_of v) * G) <= w k * (u (x :: rest) * F))
    by (apply Rmult_le_compat_l; lra).
  destruct b, x, y; cbn [eqb andb orb negb] in *; lra.
Qed.

(** The columns with the largest ratios (classes.columns): E[u | X_i = 1]/E[u | X_i = 0] is at most
    that of the product of w_j over bits that are 1, and the other order that of the product over
    bits that are 0, all in exchanged values.
    Differs: any weights of bits that attract in exchanged values, as those of a chain do;
    multiplied out, so that X_i can be certain. *)
Theorem columns some c w u n i : attract (exchanged some c) n -> column w n u ->
  mean (exchanged some c) (exchanged some u) n i true *
    mean (exchanged some c) (favour w true) n i false <=
  mean (exchanged some c) (favour w true) n i true *
    mean (exchanged some c) (exchanged some u) n i false /\
  mean (exchanged some c) (exchanged some u) n i false *
    mean (exchanged some c) (favour w false) n i true <=
  mean (exchanged some c) (favour w false) n i false *
    mean (exchanged some c) (exchanged some u) n i true.
Proof.
  intros order col. apply (column_exchanged w n u some) in col.
  set (d := exchanged some c) in *. set (q := exchanged some u) in *. clearbody d q.
  assert (big : forall j, (0 <= j < 0 + n)%nat -> 1 <= w j).
  { intros j small. destruct (some_vec n (repeat true n)) as [v _]; [apply repeat_length|].
    now apply (col v). }
  assert (F0 : forall b (v : vec bool n), 0 < favour w b (list_of v))
    by (intros; now apply favour_pos).
  assert (tilted : forall b, attract (fun l => d l * favour w b l) n).
  { intros b. destruct order as [d0 order]. split.
    - intros v. apply Rmult_le_pos; [apply d0|left; apply F0].
    - intros v v'. specialize (order v v').
      assert (E : favour w b (list_of v) * favour w b (list_of v') =
        favour w b (join (list_of v) (list_of v')) * favour w b (meet (list_of v) (list_of v')))
        by (apply favour_both; now rewrite !list_length).
      pose proof (F0 b v) as p1. pose proof (F0 b v') as p2.
      apply (Rmult_le_compat_r (favour w b (list_of v) * favour w b (list_of v'))) in order;
        [|left; now apply Rmult_lt_0_compat].
      rewrite E in order at 2. lra. }
  assert (ends : forall b, mean d q n i b * mean d (favour w b) n i (negb b) <=
    mean d (favour w b) n i b * mean d q n i (negb b)).
  { intros b. pose proof (ends_order n i (fun l => d l * favour w b l)
      (fun l => q l / favour w b l) b (tilted b)) as le.
    assert (whole : forall x, mean (fun l => d l * favour w b l) (fun l => q l / favour w b l) n i x
      = mean d q n i x).
    { intros x. apply sum_ext; intros v _. pose proof (F0 b v).
      destruct is_at; [field; lra|ring]. }
    assert (one : forall x, mean (fun l => d l * favour w b l) (fun _ => 1) n i x =
      mean d (favour w b) n i x).
    { intros x. apply sum_ext; intros v _. destruct is_at; ring. }
    rewrite !whole, !one in le. apply le.
    - intros v. destruct (col v) as [q0 _]. pose proof (F0 b v).
      apply Rmult_le_pos; [easy|]. left. now apply Rinv_0_lt_compat.
    - intros v v'. pose proof (column_away w b n 0 q (fun v j h => proj2 (proj2 (col v) j h)) big
        v v') as a. fold (away b (list_of v) (list_of v')). fold (favour w b (list_of v)) in *.
      assert (some' : exists m : vec bool n, list_of m = away b (list_of v) (list_of v')).
      { destruct b; [exists (met v v'); apply list_met|exists (joined v v'); apply list_joined]. }
      destruct some' as [m Em]. pose proof (F0 b m) as pm. pose proof (F0 b v) as pv.
      rewrite <- Em in *. fold (favour w b (list_of m)) in a.
      apply (Rmult_le_reg_r (favour w b (list_of v) * favour w b (list_of m)));
        [now apply Rmult_lt_0_compat|].
      replace (q (list_of v) / favour w b (list_of v) * _) with
        (q (list_of v) * favour w b (list_of m)) by (field; lra).
      replace (q (list_of m) / favour w b (list_of m) * _) with
        (q (list_of m) * favour w b (list_of v)) by (field; lra). exact a. }
  split; [apply (ends true)|apply (ends false)].
Qed.
