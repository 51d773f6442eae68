(** Large tables: numbers as words of 18 decimal digits each, which Coq reads fast, and rows over
    units of their own, which are brought to one unit here. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Coq Require Export PrimInt63.
From Pufferproof Require Import Sums Indices Tables.
Import ListNotations.
Open Scope Z_scope.

(** A machine word bit by bit; no law of machine words is used in a proof. *)
Fixpoint bits_of (n : nat) (w : int) : Z := match n with
  | O => 0
  | S n => if eqb (land w 1) 1 then Z.succ_double (bits_of n (lsr w 1))
           else Z.double (bits_of n (lsr w 1)) end.
Definition word := bits_of 63.
(** Numbers of so many words each, the leading one first: words 2 [1; 5] is [10^18 + 5]. *)
Definition base := 10 ^ 18.
Fixpoint words_from (per more : nat) (z : Z) (ws : list int) : list Z := match ws with
  | [] => []
  | w :: ws => let z := base * z + word w in
    match more with
    | O => z :: words_from per per 0 ws
    | S more => words_from per more z ws end end.
Definition words (per : nat) ws := words_from (Nat.pred per) (Nat.pred per) 0 ws.

(** A table has a unit beside every row. *)
Definition table := list (Z * list Z).
Definition multiple (u k : Z) : Z :=
  let r := k mod u in if r =? 0 then k else u * (k / Z.gcd r u).
Definition shared_unit (t : table) : Z := fold_right multiple 1 (map fst t).
Definition over_shared (t : table) : list (list Z) :=
  let unit := shared_unit t in
  map (fun row => let k := unit / fst row in
    if k =? 1 then snd row else map (Z.mul k) (snd row)) t.

Lemma multiple_of u k : 0 < u -> 0 < k -> 0 < multiple u k /\ (u | multiple u k) /\
  (k | multiple u k).
Proof.
  intros u0 k0. unfold multiple. destruct (Z.eqb_spec (k mod u) 0) as [e|ne].
  - split; [easy|]. split; [|apply Z.divide_refl]. apply Z.mod_divide; lia.
  - rewrite Z.gcd_mod, Z.gcd_comm by lia.
    destruct (Z.gcd_divide_l k u) as [a ea]. destruct (Z.gcd_divide_r k u) as [b eb].
    assert (g0 : 0 < Z.gcd k u).
    { pose proof (Z.gcd_nonneg k u). assert (Z.gcd k u <> 0); [|lia].
      intros z. rewrite z in ea. lia. }
    set (g := Z.gcd k u) in *. assert (q : k / g = a) by (rewrite ea; apply Z.div_mul; lia).
    rewrite q. split; [apply Z.mul_pos_pos; nia|]. split; [apply Z.divide_factor_l|].
    clearbody g. subst k. rewrite eb at 1. exists b. ring.
Qed.

Lemma shared_unit_of (t : table) : (forall row, In row t -> 0 < fst row) ->
  0 < shared_unit t /\ forall row, In row t -> (fst row | shared_unit t).
Proof.
  unfold shared_unit. induction t as [|row t IH]; intros pos; [easy|].
  destruct IH as [k0 IH]; [intros; apply pos; now right|]. cbn [map fold_right].
  destruct (multiple_of (fst row) _ (pos row (or_introl eq_refl)) k0) as [m0 [left right]].
  split; [easy|]. intros r [<-|I]; [easy|]. apply Z.divide_trans with (2 := right). auto.
Qed.

Lemma over_shared_row (t : table) i : nth i (over_shared t) [] =
  map (Z.mul (shared_unit t / fst (nth i t (1, [])))) (snd (nth i t (1, []))).
Proof.
  unfold over_shared. cbv zeta. set (scaled := fun row : Z * list Z => _).
  destruct (Nat.lt_ge_cases i (length t)) as [small|large].
  - rewrite (nth_indep _ [] (scaled (1, []))), map_nth by now rewrite map_length.
    unfold scaled. destruct (Z.eqb_spec (shared_unit t / fst (nth i t (1, []))) 1)
      as [-> |]; [|easy].
    symmetry. erewrite map_ext; [apply map_id|]. intros z. apply Z.mul_1_l.
  - rewrite !nth_overflow; [easy|easy|now rewrite map_length].
Qed.
Open Scope R_scope.

(** What a table says: every number over the unit of its own row.
    Differs: nothing; units are positive, which the second reader asks of a file. *)
Theorem over_own_units (t : table) i j : (forall row, In row t -> (0 < fst row)%Z) ->
  IZR (at_place (nth i (over_shared t) []) j) / IZR (shared_unit t) =
  IZR (at_place (snd (nth i t (1%Z, []))) j) / IZR (fst (nth i t (1%Z, []))).
Proof.
  intros pos. destruct (shared_unit_of t pos) as [k0 each].
  rewrite over_shared_row. unfold at_place at 1. set (row := nth i t (1%Z, [])).
  set (unit := shared_unit t) in *.
  replace (nth j (map (Z.mul (unit / fst row)) (snd row)) 0%Z)
    with (unit / fst row * at_place (snd row) j)%Z.
  - assert (h : (0 < fst row)%Z /\ (fst row | unit)%Z).
    { destruct (nth_in_or_default i t (1%Z, [])) as [I|E]; [now auto|].
      unfold row. rewrite E. split; [easy|apply Z.divide_1_l]. }
    destruct h as [u0 [k e]]. rewrite e, Z.div_mul by lia. rewrite e in k0.
    rewrite !mult_IZR. apply IZR_lt in k0, u0. rewrite mult_IZR in k0.
    field. split; [lra|]. intros z. rewrite z in k0. lra.
  - unfold at_place. rewrite <- (Z.mul_0_r (unit / fst row)) at 2. symmetry. apply map_nth.
Qed.
