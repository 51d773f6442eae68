(** Lists of integers read as vectors, with 0 behind their end: sums of multiples of rows. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Indices Tables.
Import ListNotations.
Open Scope Z_scope.

Fixpoint total (a : list Z) : Z := match a with x :: a => x + total a | [] => 0 end.
Fixpoint keep (m : list bool) (a : list Z) : list Z :=
  match m, a with b :: m, x :: a => (if b then x else 0) :: keep m a | _, _ => [] end.
Fixpoint add (a b : list Z) : list Z := match a, b with
  | x :: a, y :: b => x + y :: add a b
  | [], _ => b
  | _, [] => a end.
(** The sum of the rows, each times its weight. *)
Fixpoint weighed (ws : list Z) (rows : list (list Z)) : list Z := match ws, rows with
  | w :: ws, row :: rows =>
    if w =? 0 then weighed ws rows else add (map (Z.mul w) row) (weighed ws rows)
  | _, _ => [] end.
(** A law: n numbers, none negative, with this sum. *)
Definition law_of unit n (l : list Z) : bool :=
  Nat.eqb (length l) n && forallb (Z.leb 0) l && (total l =? unit).

Lemma at_nil i : at_place [] i = 0.
Proof. now destruct i. Qed.
Lemma at_map w a i : at_place (map (Z.mul w) a) i = w * at_place a i.
Proof. unfold at_place. rewrite <- (Z.mul_0_r w) at 1. apply map_nth. Qed.
Lemma at_add a b i : at_place (add a b) i = at_place a i + at_place b i.
Proof.
  revert b i; induction a as [|x a IH]; intros b i; [now rewrite at_nil|].
  destruct b as [|y b]; [rewrite at_nil; simpl; lia|]. destruct i; [reflexivity|exact (IH b i)].
Qed.
Lemma at_keep m a i : at_place (keep m a) i = if nth i m false then at_place a i else 0.
Proof.
  revert a i; induction m as [|b m IH]; intros a i; [now destruct i|].
  destruct a as [|x a];
    [change (keep (b :: m) []) with (@nil Z); rewrite !at_nil; now destruct nth|].
  destruct i; [now destruct b|exact (IH a i)].
Qed.
Lemma keep_length m a : (length (keep m a) <= length a)%nat.
Proof.
  revert a; induction m as [|b m IH]; intros [|x a]; simpl; try lia. specialize (IH a); lia.
Qed.
Lemma weighed_cons w ws row rs i :
  at_place (weighed (w :: ws) (row :: rs)) i = w * at_place row i + at_place (weighed ws rs) i.
Proof.
  cbn [weighed]. destruct (Z.eqb_spec w 0) as [->|n]; [lia|]. now rewrite at_add, at_map.
Qed.
Lemma law_of_parts unit n l : law_of unit n l = true ->
  length l = n /\ (forall i, 0 <= at_place l i) /\ total l = unit.
Proof.
  unfold law_of. rewrite !andb_true_iff, Nat.eqb_eq, Z.eqb_eq, forallb_forall.
  intros [[len pos] tot]. repeat split; auto. intros i.
  destruct (nth_in_or_default i l 0) as [j|e]; [now apply Z.leb_le, pos|unfold at_place; lia].
Qed.
Open Scope R_scope.

Lemma total_sum a n : (length a <= n)%nat ->
  IZR (total a) = sum (seq 0 n) (fun i => IZR (at_place a i)).
Proof.
  revert n; induction a as [|x a IH]; intros n h.
  - rewrite (sum_ext _ _ (fun _ => 0)); [now rewrite sum_0|]. intros i _. now rewrite at_nil.
  - destruct n as [|n]; [simpl in h; lia|]. rewrite sum_seq_S. cbn [total].
    rewrite plus_IZR, (IH n) by (simpl in h; lia). reflexivity.
Qed.

Lemma weighed_sum ws rs i n : (length ws <= n)%nat ->
  IZR (at_place (weighed ws rs) i) =
  sum (seq 0 n) (fun k => IZR (at_place ws k) * IZR (at_place (nth k rs []) i)).
Proof.
  revert rs n; induction ws as [|w ws IH]; intros rs n h.
  { rewrite (sum_ext _ _ (fun _ => 0)); [now rewrite sum_0, at_nil|].
    intros k _. rewrite at_nil. ring. }
  destruct rs as [|row rs].
  { rewrite (sum_ext _ _ (fun _ => 0)); [now rewrite sum_0, at_nil|].
    intros k _. replace (nth k [] []) with (@nil Z) by now destruct k. rewrite at_nil. ring. }
  destruct n as [|n]; [simpl in h; lia|]. rewrite sum_seq_S, weighed_cons.
  rewrite plus_IZR, mult_IZR, (IH rs n) by (simpl in h; lia). reflexivity.
Qed.

Lemma law_of_sum unit n l : law_of unit n l = true ->
  sum (seq 0 n) (fun i => IZR (at_place l i)) = IZR unit.
Proof.
  intros H; apply law_of_parts in H as [len [_ tot]]. rewrite <- tot. symmetry.
  apply total_sum; lia.
Qed.
