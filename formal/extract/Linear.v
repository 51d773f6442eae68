(** Consequences of linear inequalities, and optima of linear programs, shown by multipliers that
    are given. What is stated stands first; the rest is proofs. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Indices Tables Integers.
Import ListNotations.
Open Scope R_scope.

(** The sum of coefficients times variables, which are counted from 0; further ones have none. *)
Fixpoint form (l : list Z) (x : nat -> R) : R := match l with
  | [] => 0
  | a :: l => IZR a * x O + form l (fun j => x (S j)) end.

(** One of them: its sum is at most (less than, equal to, at least) a limit. *)
Inductive sign := UpTo | Below | Exactly | From.
Record inequality := Inequality { coefficients : list Z; compared : sign; limit : Z }.
Definition holds (x : nat -> R) r : Prop :=
  let left := form (coefficients r) x in let right := IZR (limit r) in match compared r with
  | UpTo => left <= right
  | Below => left < right
  | Exactly => left = right
  | From => right <= left end.

(** All real numbers that satisfy the rows rs satisfy the conclusion; if there is none, no numbers
    satisfy the rows. *)
Definition follows rs (conclusion : option inequality) : Prop := forall x : nat -> R,
  (forall r, In r rs -> holds x r) ->
  match conclusion with Some r => holds x r | None => False end.

(** Numbers that satisfy the rows, none of them negative but for variables that are free. *)
Definition feasible free rs (x : nat -> R) : Prop :=
  (forall j, nth j free false = false -> 0 <= x j) /\ forall r, In r rs -> holds x r.
(** The largest value of a sum over these is n/d, and it is reached. *)
Definition optimum free rs c n d : Prop :=
  (exists x, feasible free rs x /\ form c x = IZR n / IZR (Zpos d)) /\
  forall x, feasible free rs x -> form c x <= IZR n / IZR (Zpos d).
Open Scope Z_scope.

(** The sum of the rows, each times its multiplier: coefficients, limit, whether it is strict. *)
Fixpoint added (rs : list inequality) (ys : list Z) : list Z * Z * bool := match rs, ys with
  | r :: rs, y :: ys => let '(a, b, strict) := added rs ys in
    (add (map (Z.mul y) (coefficients r)) a, y * limit r + b,
     match compared r with Below => 0 <? y | _ => false end || strict)
  | _, _ => ([], 0, false) end.
Fixpoint may_multiply (rs : list inequality) (ys : list Z) : bool := match rs, ys with
  | [], [] => true
  | r :: rs, y :: ys =>
    match compared r with UpTo | Below => 0 <=? y | Exactly => true | From => y <=? 0 end &&
    may_multiply rs ys
  | _, _ => false end.
(** Not negative, and 0 where a variable is free. *)
Fixpoint dominates (free : list bool) (l : list Z) : bool := match l with
  | [] => true
  | z :: l => (if hd false free then z =? 0 else 0 <=? z) && dominates (tl free) l end.
Definition nothing := forallb (Z.eqb 0).

(** Multipliers ys and the positive number k are hints: the conclusion, times k, is the sum of the
    rows or follows from it. *)
Definition check_follows rs conclusion ys k : bool := may_multiply rs ys &&
  let '(a, b, strict) := added rs ys in match conclusion with
  | None => nothing a && ((b <? 0) || (b =? 0) && strict)
  | Some r => (0 <? k) && nothing (add a (map (Z.mul (- k)) (coefficients r))) &&
    match compared r with
    | UpTo => b <=? k * limit r
    | Below => (b <? k * limit r) || (b =? k * limit r) && strict
    | _ => false end end.

Fixpoint product (a b : list Z) : Z := match a, b with
  | x :: a, y :: b => x * y + product a b
  | _, _ => 0 end.
Definition holds_at xs unit r : bool :=
  let left := product (coefficients r) xs in let right := limit r * unit in match compared r with
  | UpTo => left <=? right
  | Below => left <? right
  | Exactly => left =? right
  | From => right <=? left end.
Fixpoint signed (free : list bool) (xs : list Z) : bool := match xs with
  | [] => true
  | z :: xs => (hd false free || (0 <=? z)) && signed (tl free) xs end.
(** Hints: a place where the value is reached, and multipliers, both over a unit. *)
Definition check_optimum free rs c n d xs unit ys k : bool :=
  (0 <? unit) && signed free xs && forallb (holds_at xs unit) rs &&
  (product c xs * Zpos d =? n * unit) &&
  (0 <? k) && may_multiply rs ys && let '(a, b, _) := added rs ys in
  dominates free (add a (map (Z.mul (- k)) c)) && (b * Zpos d <=? n * k).
Open Scope R_scope.

Lemma form_add a b x : form (add a b) x = form a x + form b x.
Proof.
  revert b x; induction a as [|u a IH]; intros [|v b] x; simpl; try lra.
  rewrite IH, plus_IZR. lra.
Qed.
Lemma form_scale k a x : form (map (Z.mul k) a) x = IZR k * form a x.
Proof. revert x; induction a as [|u a IH]; intros x; simpl; [lra|]. rewrite IH, mult_IZR. lra. Qed.
Lemma form_nothing a x : nothing a = true -> form a x = 0.
Proof.
  revert x; induction a as [|u a IH]; intros x H; [easy|]. apply andb_prop in H as [z H].
  apply Z.eqb_eq in z as <-. cbn [form]. rewrite (IH _ H). lra.
Qed.

Lemma added_holds rs ys x : may_multiply rs ys = true -> (forall r, In r rs -> holds x r) ->
  let '(a, b, strict) := added rs ys in
  form a x <= IZR b /\ (strict = true -> form a x < IZR b).
Proof.
  revert ys; induction rs as [|r rs IH]; intros [|y ys] H each; try easy;
    [simpl; split; [lra|easy]|].
  cbn [may_multiply added] in *. apply andb_prop in H as [s H].
  specialize (IH ys H (fun r' i => each r' (or_intror i))).
  destruct (added rs ys) as [[a b] strict]. destruct IH as [most less].
  specialize (each r (or_introl eq_refl)). unfold holds in each. cbv zeta in each.
  rewrite form_add, form_scale, plus_IZR, mult_IZR.
  destruct (compared r); cbn [orb]; try apply Z.leb_le, IZR_le in s.
  - assert (IZR y * form (coefficients r) x <= IZR y * IZR (limit r))
      by now apply Rmult_le_compat_l. split; [lra|]. intros h. specialize (less h). lra.
  - assert (IZR y * form (coefficients r) x <= IZR y * IZR (limit r))
      by (apply Rmult_le_compat_l; lra). split; [lra|]. intros h.
    apply orb_prop in h as [h|h]; [|specialize (less h); lra]. apply Z.ltb_lt, IZR_lt in h.
    assert (IZR y * form (coefficients r) x < IZR y * IZR (limit r))
      by now apply Rmult_lt_compat_l. lra.
  - rewrite each. split; [lra|]. intros h. specialize (less h). lra.
  - assert (IZR y * form (coefficients r) x <= IZR y * IZR (limit r)) by nra.
    split; [lra|]. intros h. specialize (less h). lra.
Qed.

(** What the checker of linear consequences accepts is true, whatever the hint (Farkas, the easy
    direction).
    Differs: nothing. *)
Theorem checked_follows rs conclusion ys k : check_follows rs conclusion ys k = true ->
  follows rs conclusion.
Proof.
  intros H x each. apply andb_prop in H as [may H]. pose proof (added_holds rs ys x may each) as S.
  destruct (added rs ys) as [[a b] strict]. destruct S as [most less].
  destruct conclusion as [r|].
  - apply andb_prop in H as [H tight]. apply andb_prop in H as [k0 same].
    apply Z.ltb_lt, IZR_lt in k0. apply form_nothing with (x := x) in same.
    rewrite form_add, form_scale, opp_IZR in same. unfold holds. cbv zeta.
    set (left := form (coefficients r) x) in *.
    assert (e : form a x = IZR k * left) by lra. rewrite e in *.
    destruct (compared r); try easy.
    + apply Z.leb_le, IZR_le in tight. rewrite mult_IZR in tight.
      apply (Rmult_le_reg_l (IZR k)); [easy|lra].
    + apply (Rmult_lt_reg_l (IZR k)); [easy|]. apply orb_prop in tight as [t|t].
      * apply Z.ltb_lt, IZR_lt in t. rewrite mult_IZR in t. lra.
      * apply andb_prop in t as [t h]. apply Z.eqb_eq in t. apply (f_equal IZR) in t.
        rewrite mult_IZR in t. specialize (less h). lra.
  - apply andb_prop in H as [zero tight]. apply form_nothing with (x := x) in zero.
    apply orb_prop in tight as [t|t].
    + apply Z.ltb_lt, IZR_lt in t. lra.
    + apply andb_prop in t as [t h]. apply Z.eqb_eq in t. subst b. specialize (less h). lra.
Qed.

Lemma dominated free l x : (forall j, nth j free false = false -> 0 <= x j) ->
  dominates free l = true -> 0 <= form l x.
Proof.
  revert free x; induction l as [|z l IH]; intros free x pos H; [simpl; lra|].
  cbn [dominates form] in *. apply andb_prop in H as [h H].
  assert (0 <= form l (fun j => x (S j))).
  { apply (IH (tl free)); [|easy]. intros j f. apply pos. now destruct free, j. }
  assert (0 <= IZR z * x O); [|lra]. destruct (hd false free) eqn:E.
  - apply Z.eqb_eq in h as ->. lra.
  - apply Z.leb_le, IZR_le in h. apply Rmult_le_pos; [easy|]. apply pos. now destruct free.
Qed.

Definition at_point xs unit (j : nat) : R := IZR (at_place xs j) / IZR unit.
Lemma form_ext l x y : (forall j, x j = y j) -> form l x = form l y.
Proof.
  revert x y; induction l as [|a l IH]; intros x y e; [easy|]. cbn [form].
  rewrite (e O), (IH _ (fun j => y (S j))); auto.
Qed.
Lemma form_at l xs unit : 0 < IZR unit -> form l (at_point xs unit) = IZR (product l xs) / IZR unit.
Proof.
  intros u. revert xs; induction l as [|a l IH]; intros xs; [simpl; unfold Rdiv; lra|].
  cbn [form]. destruct xs as [|z xs].
  - rewrite (form_ext l _ (at_point [] unit)), IH
      by (intros j; unfold at_point; now rewrite !at_nil).
    unfold at_point. rewrite at_nil. destruct l; simpl; unfold Rdiv; lra.
  - change (fun j => at_point (z :: xs) unit (S j)) with (at_point xs unit). rewrite IH.
    unfold at_point, at_place. cbn [nth product]. rewrite plus_IZR, mult_IZR. field. lra.
Qed.

Lemma signed_at free xs unit j : 0 < IZR unit -> signed free xs = true ->
  nth j free false = false -> 0 <= at_point xs unit j.
Proof.
  intros u. revert free j; induction xs as [|z xs IH]; intros free j H f.
  - unfold at_point. rewrite at_nil. unfold Rdiv. lra.
  - cbn [signed] in H. apply andb_prop in H as [h H]. destruct j as [|j].
    + assert (e : hd false free = false) by now destruct free. rewrite e in h.
      apply Z.leb_le, IZR_le in h. unfold at_point, at_place. cbn [nth].
      apply Rmult_le_pos; [easy|]. left. now apply Rinv_0_lt_compat.
    + apply (IH (tl free)); [easy|]. now destruct free, j.
Qed.

Lemma holds_at_point xs unit r : 0 < IZR unit -> holds_at xs unit r = true ->
  holds (at_point xs unit) r.
Proof.
  intros u H. unfold holds_at in H. unfold holds. cbv zeta in *. rewrite form_at by easy.
  set (p := product (coefficients r) xs) in *. assert (i : 0 < / IZR unit)
    by now apply Rinv_0_lt_compat.
  assert (e : IZR (limit r) = IZR (limit r * unit) / IZR unit) by (rewrite mult_IZR; field; lra).
  rewrite e. unfold Rdiv. destruct (compared r).
  - apply Z.leb_le, IZR_le in H. apply Rmult_le_compat_r; lra.
  - apply Z.ltb_lt, IZR_lt in H. apply Rmult_lt_compat_r; lra.
  - apply Z.eqb_eq in H. now rewrite H.
  - apply Z.leb_le, IZR_le in H. apply Rmult_le_compat_r; lra.
Qed.

(** What the checker of linear programs accepts is true, whatever the hint (weak duality).
    Differs: nothing. *)
Theorem checked_optimum free rs c n d xs unit ys k :
  check_optimum free rs c n d xs unit ys k = true -> optimum free rs c n d.
Proof.
  unfold check_optimum. intros H. apply andb_prop in H as [H dual].
  apply andb_prop in H as [H may]. apply andb_prop in H as [H k0].
  apply andb_prop in H as [H value]. apply andb_prop in H as [H each].
  apply andb_prop in H as [u pos]. apply Z.ltb_lt, IZR_lt in u, k0.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt. split.
  - exists (at_point xs unit). split; [split|].
    + intros j. now apply signed_at.
    + intros r i. rewrite forallb_forall in each. now apply holds_at_point, each.
    + rewrite form_at by easy. apply Z.eqb_eq, (f_equal IZR) in value.
      rewrite !mult_IZR in value. apply (Rmult_eq_reg_r (IZR unit * IZR (Zpos d))); [|nra].
      transitivity (IZR (product c xs) * IZR (Zpos d)); [field; lra|]. rewrite value. field. lra.
  - intros x [p h]. pose proof (added_holds rs ys x may h) as S.
    destruct (added rs ys) as [[a b] strict]. destruct S as [most _].
    apply andb_prop in dual as [more tight]. apply (dominated _ _ x p) in more.
    rewrite form_add, form_scale, opp_IZR in more. apply Z.leb_le, IZR_le in tight.
    rewrite !mult_IZR in tight. apply (Rmult_le_reg_l (IZR k * IZR (Zpos d))); [nra|].
    replace (IZR k * IZR (Zpos d) * (IZR n / IZR (Zpos d))) with (IZR n * IZR k) by (field; lra).
    assert (IZR k * form c x <= IZR b) by lra. nra.
Qed.
