(** Local redaction on a chain of bits: each record is shown or replaced by *, by itself; the
    private bit is always replaced. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts Recursion InnerBit.
Import ListNotations.
Open Scope R_scope.

Section Redaction.
Context (a c : nat) (q : bool -> R) (TL TR : nat -> bool -> bool -> R).
Hypotheses (Lq : law q) (LTL : forall k x, law (TL k x)) (LTR : forall k x, law (TR k x)).

(** The record at distance k from the private one is replaced with probability r k x if its value is
    x; None stands for *. *)
Definition symbol (r : nat -> bool -> R) k (x : bool) (y : option bool) : R :=
  match y with None => r k x | Some z => if eqb x z then 1 - r k x else 0 end.
(** What n records behind distance k show. *)
Fixpoint redact (r : nat -> bool -> R) k {n} : vec bool n -> list (option bool) -> R :=
  match n with
  | O => fun _ y => match y with [] => 1 | _ => 0 end
  | S n => fun v y => match y with [] => 0
    | o :: y => symbol r (S k) (fst v) o * redact r (S k) (snd v) y end end.
(** Both sides; what the private bit shows is always *. *)
Definition redacted rL rR (x : bits a c) (y : list (option bool) * list (option bool)) :=
  redact rL 0 (fst x) (fst y) * redact rR 0 (snd (snd x)) (snd y).

(** What one side shows, given the record at distance k. *)
Definition shows (T : nat -> bool -> bool -> R) r k n b (y : list (option bool)) :=
  mean T k (fun v : vec bool n => redact r k v y) b.
Definition chances (r : nat -> bool -> R) := forall k x, 0 <= r k x <= 1.

Lemma redact_nonneg r k n (v : vec bool n) y : chances r -> 0 <= redact r k v y.
Proof.
  intros r01. revert k v y; induction n as [|n IH]; intros k v [|o y]; simpl; try lra.
  apply Rmult_le_pos; [|apply IH]. destruct (r01 (S k) (fst v)).
  destruct o as [z|]; simpl; [destruct eqb; lra|lra].
Qed.

Lemma redacted_told rL rR b y : Pw (bits_law a c q TL TR) (redacted rL rR) (bit_is a c b) y =
  q b * (shows TL rL 0 a b (fst y) * shows TR rR 0 c b (snd y)).
Proof.
  rewrite told_means. f_equal. unfold two_means, shows, mean, redacted.
  rewrite sum_product. apply sum_ext; intros l _. rewrite <- sum_scale.
  apply sum_ext; intros v _. simpl. ring.
Qed.

Definition either_order (s t : @secret (bits a c)) := exists b,
  s = bit_is a c b /\ t = bit_is a c (negb b).

(** One side keeps the ratio E in both orders. *)
Definition side_keeps (T : nat -> bool -> bool -> R) r n E :=
  forall b y, shows T r 0 n b y <= E * shows T r 0 n (negb b) y.

Lemma sides_compose rL rR E F : chances rL -> chances rR -> 0 <= E -> 0 <= F ->
  side_keeps TL rL a E -> side_keeps TR rR c F ->
  pufferfish (E * F) (redacted rL rR) either_order (eq (bits_law a c q TL TR)).
Proof.
  intros rl rr E0 F0 kl kr p s t y <- [b [-> ->]] _ _.
  rewrite !redacted_told, !P_bit by easy.
  assert (S0 : forall (T : nat -> bool -> bool -> R) r n x z, (forall k x, law (T k x)) ->
    chances r -> 0 <= shows T r 0 n x z).
  { intros T r n x z LT r01. apply mean_nonneg; [easy|]. intros v. now apply redact_nonneg. }
  specialize (kl b (fst y)). specialize (kr b (snd y)).
  pose proof (S0 TL rL a b (fst y) LTL rl). pose proof (S0 TR rR c b (snd y) LTR rr).
  pose proof (Rmult_le_compat _ _ _ _ H H0 kl kr) as both.
  destruct Lq as [q0 _]. pose proof (Rmult_le_pos _ _ (q0 b) (q0 (negb b))) as qq.
  apply (Rmult_le_compat_l _ _ _ qq) in both. lra.
Qed.

(** The 3R family: always replaced, replaced if 1 and with probability q_k if 0, never replaced. *)
Inductive region := large | medium | small.
Definition three_regions (g : nat -> region) (qs : nat -> R) k (x : bool) : R :=
  match g k with large => 1 | medium => if x then 1 else qs k | small => 0 end.

Lemma three_chances g qs : (forall k, 0 <= qs k <= 1) -> chances (three_regions g qs).
Proof.
  intros q01 k x. unfold three_regions. specialize (q01 k). destruct (g k), x; lra.
Qed.

(** Theorem 1 of massny2025, privacy: a 3R mechanism of which each side keeps its budget keeps eps,
    where the budgets add up to eps.
    Differs: the chain is given by its steps away from the private bit, any steps; that each side
    keeps its budget is what the print asks of the q_k; regions may be any. *)
Theorem three_regions_private gL gR qL qR epsl epsr eps :
  (forall k, 0 <= qL k <= 1) -> (forall k, 0 <= qR k <= 1) -> epsl + epsr <= eps ->
  side_keeps TL (three_regions gL qL) a (exp epsl) ->
  side_keeps TR (three_regions gR qR) c (exp epsr) ->
  pufferfish (exp eps) (redacted (three_regions gL qL) (three_regions gR qR)) either_order
    (eq (bits_law a c q TL TR)).
Proof.
  intros ql qr budget kl kr p s t y Hp st Ps Pt.
  pose proof (sides_compose _ _ _ _ (three_chances gL qL ql) (three_chances gR qR qr)
    (Rlt_le _ _ (exp_pos epsl)) (Rlt_le _ _ (exp_pos epsr)) kl kr p s t y Hp st Ps Pt) as promise.
  rewrite <- exp_plus in promise. apply Rle_trans with (1 := promise).
  assert (Lb : law p) by (rewrite <- Hp; now apply bits_law_is_law).
  assert (0 <= Pw p (redacted (three_regions gL qL) (three_regions gR qR)) t y).
  { apply Pw_nonneg; [easy|]. intros x z. apply Rmult_le_pos; apply redact_nonneg;
      now apply three_chances. }
  apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; [lra|].
  destruct budget as [less|<-]; [left; now apply exp_increasing|lra].
Qed.
End Redaction.
