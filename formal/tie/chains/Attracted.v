(** How chains of bits with counts and noise are decided on tables of rationals: what records count
    are integers, so that powers of the decay are rational. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Pufferfish Chain Supermodular Attracting LevelColumns.
From Tied Require Import Decide Entries Sequences Records Stationary.
Import ListNotations.
Open Scope R_scope.

Definition bit (x : bool) : nat := if x then 1%nat else 0%nat.
Definition steps_of (l : list (list (list Q))) (k : nat) (x y : bool) : R :=
  of_bits (nth (bit x) (late [] l k) []) y.
#[export] Instance r_steps_of l k x y : rational (steps_of l k x y)
  (entry (nth (bit x) (late [] l k) []) (if y then 1 else 0)%nat).
Proof. easy. Qed.
(** A function of sequences of bits, by the number that a sequence is. *)
Fixpoint place_from c (l : list bool) : nat := match l with [] => c
  | x :: l => place_from (2 * c + bit x)%nat l end.
Definition bits_read (l : list Q) (x : list bool) : R := Q2R (entry l (place_from 0 x)).
#[export] Instance r_bits_read l x : rational (bits_read l x) (entry l (place_from 0 x)).
Proof. easy. Qed.
Definition counts_of (l : list (list Z)) (k : nat) (x : bool) : R :=
  IZR (nth (bit x) (late [] l k) 0%Z).

Class whole (x : R) (z : Z) : Prop := is_whole : x = IZR z.
#[export] Instance whole_z z : whole (IZR z) z. Proof. easy. Qed.
#[export] Instance whole_counts l k x : whole (counts_of l k x) (nth (bit x) (late [] l k) 0%Z).
Proof. easy. Qed.
#[export] Instance whole_minus x y a b : whole x a -> whole y b -> whole (x - y) (a - b)%Z.
Proof. unfold whole. intros -> ->. now rewrite minus_IZR. Qed.
#[export] Instance whole_opp x a : whole x a -> whole (- x) (- a)%Z.
Proof. unfold whole. intros ->. now rewrite opp_IZR. Qed.
#[export] Instance whole_abs x a : whole x a -> whole (Rabs x) (Z.abs a).
Proof. unfold whole. intros ->. now rewrite abs_IZR. Qed.
Fixpoint zcounted (g : nat -> bool -> Z) k (l : list bool) : Z := match l with [] => 0%Z
  | x :: l => (g k x + zcounted g (S k) l)%Z end.
#[export] Instance whole_counted f g l : (forall k x, whole (f k x) (g k x)) ->
  whole (counted f l) (zcounted g 0 l).
Proof.
  intros e. unfold counted, whole. generalize 0%nat. induction l as [|x l IH]; intros k; [easy|].
  cbn [counted_from zcounted]. now rewrite plus_IZR, <- IH, <- (e k x : f k x = _).
Qed.
Lemma r_whole x z : whole x z -> rational x (inject_Z z).
Proof. unfold whole, rational, inject_Z, Q2R. intros ->. cbn [Qnum Qden]. field. Qed.
#[export] Hint Extern 3 (rational (counted _ _) _) => apply r_whole : typeclass_instances.
#[export] Hint Extern 3 (rational (counts_of _ _ _) _) => apply r_whole : typeclass_instances.
#[export] Hint Extern 3 (rational (IZR _) _) => apply r_whole : typeclass_instances.

Definition zpower (q : Q) (z : Z) : Q := if Qle_bool q 0 then 1%Q else match z with
  | Z0 => 1%Q | Zpos p => qpow q (Pos.to_nat p) | Zneg p => Qred (/ qpow q (Pos.to_nat p)) end.
#[export] Instance r_power_of t q x z : rational t q -> whole x z ->
  rational (Rpower t x) (zpower q z).
Proof.
  intros e ->. unfold zpower. pose proof (d_lt 0 t 0%Q q r_0 e) as d. unfold decided in d.
  destruct (Qle_bool q 0); cbn [negb] in d.
  - assert (low : t <= 0) by (apply Rnot_lt_le; intros p; now apply d in p).
    unfold Rpower. rewrite (ln_nonpositive t low), Rmult_0_r, exp_0. apply r_1.
  - assert (t0 : 0 < t) by now apply d. rewrite <- powerRZ_Rpower by easy.
    destruct z as [|p|p]; cbn [powerRZ]; [apply r_1|now apply r_pow|apply r_inv; now apply r_pow].
Qed.
#[export] Hint Extern 0 (rational (mean _ _ _ _ _) _) => unfold mean : typeclass_instances.
#[export] Hint Extern 0 (rational (noise _ _ _ _) _) => unfold noise : typeclass_instances.
#[export] Hint Extern 0 (rational (up _ _ _) _) => unfold up : typeclass_instances.
#[export] Hint Extern 0 (rational (down _ _ _) _) => unfold down : typeclass_instances.
#[export] Hint Extern 0 (rational (exchanged _ _ _) _) => unfold exchanged : typeclass_instances.
Fixpoint qfavour k (q : nat -> Q) b (l : list bool) : Q := match l with [] => 1%Q
  | x :: l => Qred ((if eqb x b then q k else 1%Q) * qfavour (S k) q b l) end.
#[export] Instance r_favour w q b l : (forall k, rational (w k) (q k)) ->
  rational (favour w b l) (qfavour 0 q b l).
Proof.
  intros e. unfold favour. generalize 0%nat. induction l as [|x l IH]; intros k; [apply r_1|].
  apply r_mult; [|apply IH]. destruct (eqb x b); [apply e|apply r_1].
Qed.
#[export] Hint Extern 0 (decided (attract _ _) _) => unfold attract : typeclass_instances.
#[export] Instance d_column w n u c d :
  (forall v : vec bool n, decided (0 <= u (list_of v)) (c v)) ->
  (forall (v : vec bool n) j, decided (1 <= w j /\ u (list_of v) <= w j * u (flip j (list_of v)))
    (d v j)) ->
  decided (column w n u) (forallb (fun v => c v && forallb (d v) (seq 0 n)) all) | 0.
Proof.
  intros dc dd. unfold decided, column. rewrite forallb_forall. split.
  - intros h v. specialize (h v (all_here v)). apply andb_prop in h as [h1 h2].
    split; [now apply dc|]. intros j small. rewrite forallb_forall in h2.
    apply dd, h2, in_seq. lia.
  - intros h v _. destruct (h v) as [h1 h2]. apply andb_true_iff. split; [now apply dc|].
    apply forallb_forall. intros j ij. apply in_seq in ij. apply dd, h2. lia.
Qed.
#[export] Hint Extern 0 (decided (none_above _ _ _) _) => unfold none_above : typeclass_instances.
#[export] Hint Extern 0 (decided (none_below _ _ _) _) => unfold none_below : typeclass_instances.

Lemma d_always {A} (f : nat -> A) (P : A -> Prop) N b : stable f N ->
  (forall k, decided (P (f k)) (b k)) -> decided (forall k, P (f k)) (forallb b (seq 0 (S N))).
Proof.
  intros s d. unfold decided. rewrite forallb_forall. split.
  - intros each k. destruct (Nat.le_gt_cases k N) as [le|gt].
    + apply d, each, in_seq. lia.
    + rewrite (s k) by lia. apply d, each, in_seq. lia.
  - intros each k _. apply d, each.
Qed.
#[export] Instance d_attracting initial l b c : decided (law initial) b ->
  (forall k, decided ((forall x, law (steps_of l k x)) /\
    steps_of l k false true <= steps_of l k true true) (c k)) ->
  decided (attracting initial (steps_of l)) (b && forallb c (seq 0 (S (pred (length l))))) | 0.
Proof.
  intros di dk. apply d_and; [easy|].
  apply (d_always (steps_of l) (fun T => (forall x, law (T x)) /\ T false true <= T true true)
    (pred (length l)) c); [|easy].
  intros k le. unfold steps_of. now rewrite (late_stable [] l k le).
Qed.
#[export] Instance d_rising l c :
  (forall k, decided (counts_of l k false <= counts_of l k true) (c k)) ->
  decided (rising (counts_of l)) (forallb c (seq 0 (S (pred (length l))))) | 0.
Proof.
  intros dk. apply (d_always (counts_of l) (fun f => f false <= f true) (pred (length l)) c);
    [|easy].
  intros k le. unfold counts_of. now rewrite (late_stable [] l k le).
Qed.
