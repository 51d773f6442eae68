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

(** Data-independent redaction on a stationary chain: some records are kept, the others replaced. *)
Section Formula.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Definition flip (x y : bool) : R :=
  if x then if y then 1 - be else be else if y then al else 1 - al.
Definition lam := 1 - al - be.
Definition constant_steps (k : nat) := flip.

Lemma flip_law x : law (flip x).
Proof. split; [intros []; destruct x; simpl; lra|]. destruct x; cbn -[IZR]; lra. Qed.

Fixpoint power D x z : R := match D with O => if eqb x z then 1 else 0
  | S D => flip x true * power D true z + flip x false * power D false z end.

Lemma power_closed D :
  power D true true * (al + be) = al + be * lam ^ D /\
  power D false true * (al + be) = al * (1 - lam ^ D) /\
  power D true false * (al + be) = be * (1 - lam ^ D) /\
  power D false false * (al + be) = be + al * lam ^ D.
Proof.
  induction D as [|D [A [B [C E]]]]; [simpl; lra|].
  cbn [power]. unfold flip. rewrite !Rmult_plus_distr_r, !Rmult_assoc, A, B, C, E.
  cbn [pow]. generalize (lam ^ D). intros u. unfold lam. repeat split; ring.
Qed.

Definition dim (kept : nat -> bool) k (x : bool) : R := if kept k then 0 else 1.
(** The nearest kept record of n is at distance D. *)
Definition nearest (kept : nat -> bool) n D := (1 <= D <= n)%nat /\ kept D = true /\
  forall k, (1 <= k < D)%nat -> kept k = false.

Lemma dim_chances kept : chances (dim kept).
Proof. intros k x. unfold dim. destruct (kept k); lra. Qed.

Lemma shows_next T r k n b o y : shows T r k (S n) b (o :: y) =
  T k b true * (symbol r (S k) true o * shows T r (S k) n true y) +
  T k b false * (symbol r (S k) false o * shows T r (S k) n false y).
Proof. unfold shows. rewrite mean_next. simpl. now rewrite !mean_scale. Qed.

Lemma shows_short T r k n b : shows T r k (S n) b [] = 0.
Proof.
  unfold shows, mean. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros; simpl; ring.
Qed.

Lemma constant_law k x : law (constant_steps k x).
Proof. apply flip_law. Qed.

Lemma symbol_dim kept k x o : symbol (dim kept) k x o =
  if kept k then match o with None => 0 | Some z => if eqb x z then 1 else 0 end
  else match o with None => 1 | Some _ => 0 end.
Proof.
  unfold symbol, dim. destruct o as [z|], (kept k); try easy; destruct (eqb x z); ring.
Qed.

(** What is shown tells the value of the nearest kept record, and nothing else of the private
    one. *)
Lemma shows_nearest kept D : forall k n y, (1 <= D <= n)%nat -> kept (k + D)%nat = true ->
  (forall j, (1 <= j < D)%nat -> kept (k + j)%nat = false) ->
  (forall b, shows constant_steps (dim kept) k n b y = 0) \/
  exists z rest, 0 <= rest /\
    forall b, shows constant_steps (dim kept) k n b y = power D b z * rest.
Proof.
  induction D as [|D IH]; intros k n y [low high] here none; [lia|].
  destruct n as [|n]; [lia|]. destruct y as [|o y]; [left; intros; apply shows_short|].
  destruct D as [|D].
  - rewrite Nat.add_1_r in here. destruct o as [z|].
    + right. exists z, (shows constant_steps (dim kept) (S k) n z y). split.
      * apply mean_nonneg; [apply constant_law|]. intros v. apply redact_nonneg, dim_chances.
      * intros b. rewrite shows_next. rewrite !symbol_dim, here. cbn [power].
        unfold constant_steps. destruct z; simpl; ring.
    + left. intros b. rewrite shows_next. rewrite !symbol_dim, here. ring.
  - assert (first : kept (S k) = false) by (rewrite <- Nat.add_1_r; apply none; lia).
    destruct o as [z|].
    + left. intros b. rewrite shows_next. rewrite !symbol_dim, first.
      ring.
    + destruct (IH (S k) n y) as [zero|[z [rest [r0 E]]]].
      * lia.
      * rewrite <- here. f_equal. lia.
      * intros j i. rewrite <- (none (S j)) by lia. f_equal. lia.
      * left. intros b. rewrite shows_next, !zero. ring.
      * right. exists z, rest. split; [easy|]. intros b.
        rewrite shows_next, !E. rewrite !symbol_dim, first. cbn [power].
        unfold constant_steps. ring.
Qed.

(** Some output shows the nearest kept record with the value z. *)
Lemma flip_pos x y : 0 < flip x y.
Proof. destruct x, y; simpl; lra. Qed.

Lemma some_output kept n : forall k, exists y, forall b,
  0 < shows constant_steps (dim kept) k n b y.
Proof.
  induction n as [|n IH]; intros k.
  - exists []. intros b. unfold shows, mean; simpl. lra.
  - destruct (IH (S k)) as [y pos].
    exists ((if kept (S k) then Some true else None) :: y). intros b. rewrite shows_next.
    rewrite !symbol_dim. pose proof (flip_pos b true) as one.
    pose proof (flip_pos b false) as zero.
    pose proof (pos true) as p1. pose proof (pos false) as p0.
    pose proof (Rmult_lt_0_compat _ _ one p1). pose proof (Rmult_lt_0_compat _ _ zero p0).
    change (constant_steps k) with flip. destruct (kept (S k)); simpl eqb; cbv iota; lra.
Qed.

Lemma shown_nearest kept D z : forall k n, (1 <= D <= n)%nat -> kept (k + D)%nat = true ->
  (forall j, (1 <= j < D)%nat -> kept (k + j)%nat = false) ->
  exists y rest, 0 < rest /\
    forall b, shows constant_steps (dim kept) k n b y = power D b z * rest.
Proof.
  induction D as [|D IH]; intros k n [low high] here none; [lia|].
  destruct n as [|n]; [lia|]. destruct D as [|D].
  - rewrite Nat.add_1_r in here. destruct (some_output kept n (S k)) as [y pos].
    exists (Some z :: y), (shows constant_steps (dim kept) (S k) n z y). split; [apply pos|].
    intros b. rewrite shows_next. rewrite !symbol_dim, here. cbn [power].
    unfold constant_steps. destruct z; simpl; ring.
  - assert (first : kept (S k) = false) by (rewrite <- Nat.add_1_r; apply none; lia).
    destruct (IH (S k) n) as [y [rest [r0 E]]].
    + lia.
    + rewrite <- here. f_equal. lia.
    + intros j i. rewrite <- (none (S j)) by lia. f_equal. lia.
    + exists (None :: y), rest. split; [easy|]. intros b.
      rewrite shows_next, !E. rewrite !symbol_dim, first. cbn [power].
      unfold constant_steps. ring.
Qed.

(** e to the influence i1 at distance D: (1 + (b/a) lam^D)/(1 - lam^D). *)
Definition influence D := (1 + be / al * lam ^ D) / (1 - lam ^ D).

Lemma lam_power D : 0 <= lam -> (1 <= D)%nat -> 0 <= lam ^ D < 1.
Proof.
  intros l0 d1. split; [now apply pow_le|]. destruct D as [|D]; [lia|]. clear d1.
  assert (lam < 1) by (unfold lam; lra).
  assert (lam ^ D <= 1) by (rewrite <- (pow1 D); apply pow_incr; lra).
  simpl. pose proof (pow_le lam D l0). nra.
Qed.

(** No value of the record at distance D tells more than the value 1 does of 1 against 0. *)
Lemma power_ratio D b z : 0 <= lam -> (1 <= D)%nat ->
  0 <= power D (negb b) z /\ power D b z <= influence D * power D (negb b) z.
Proof.
  intros l0 d1. destruct (lam_power D l0 d1) as [u0 u1].
  destruct (power_closed D) as [A [B [C E]]]. unfold influence.
  set (u := lam ^ D) in *. set (s := al + be) in *.
  assert (s0 : 0 < s) by (unfold s; lra).
  assert (I : (1 + be / al * u) / (1 - u) = (al + be * u) / (al * (1 - u))) by (field; lra).
  rewrite I. assert (den : 0 < al * (1 - u)) by (apply Rmult_lt_0_compat; lra).
  assert (bu : al * u <= be * u) by (apply Rmult_le_compat_r; lra).
  assert (nn : 0 <= al * u) by (apply Rmult_le_pos; lra).
  assert (scaled : forall x y x' y', x * s = x' -> y * s = y' -> 0 <= y' ->
    al * (1 - u) * x' <= (al + be * u) * y' ->
    0 <= y /\ x <= (al + be * u) / (al * (1 - u)) * y).
  { intros x y x' y' ex ey y0 le. split.
    - apply (Rmult_le_reg_r s); lra.
    - apply (Rmult_le_reg_r (s * (al * (1 - u)))); [now apply Rmult_lt_0_compat|].
      replace ((al + be * u) / (al * (1 - u)) * y * (s * (al * (1 - u))))
        with ((al + be * u) * (y * s)) by (field; lra).
      replace (x * (s * (al * (1 - u)))) with (al * (1 - u) * (x * s)) by ring.
      rewrite ex, ey. exact le. }
  assert (sq : al * al * u <= be * be * u).
  { apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; lra. }
  destruct b, z; simpl negb.
  - apply (scaled _ _ _ _ A B); lra.
  - apply (scaled _ _ _ _ C E); [lra|].
    assert (be * (1 - u) <= be + al * u) by lra.
    apply Rmult_le_compat; try lra. apply Rmult_le_pos; lra.
  - apply (scaled _ _ _ _ B A); [lra|].
    apply Rmult_le_compat; lra.
  - apply (scaled _ _ _ _ E C); [apply Rmult_le_pos; lra|].
    replace (al * (1 - u) * (be + al * u)) with ((1 - u) * (al * be + al * al * u)) by ring.
    replace ((al + be * u) * (be * (1 - u))) with ((1 - u) * (al * be + be * be * u)) by ring.
    apply Rmult_le_compat_l; lra.
Qed.

Lemma influence_pos D : 0 <= lam -> (1 <= D)%nat -> 0 < influence D.
Proof.
  intros l0 d1. destruct (lam_power D l0 d1). apply Rdiv_lt_0_compat; [|lra].
  assert (0 <= be / al * lam ^ D); [|lra].
  apply Rmult_le_pos; [|lra]. apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.

Lemma influence_attained D : 0 <= lam -> (1 <= D)%nat ->
  0 < power D false true /\ power D true true = influence D * power D false true.
Proof.
  intros l0 d1. destruct (lam_power D l0 d1) as [u0 u1].
  destruct (power_closed D) as [A [B _]]. unfold influence. set (u := lam ^ D) in *.
  assert (pos : 0 < al * (1 - u)) by (apply Rmult_lt_0_compat; lra). split.
  - apply (Rmult_lt_reg_r (al + be)); lra.
  - apply (Rmult_eq_reg_r (al + be)); [|lra]. rewrite Rmult_assoc, A, B. field. lra.
Qed.

Context (a c : nat) (q : bool -> R).
Hypotheses (Lq : law q) (q1 : 0 < q true) (q0 : 0 < q false).

(** The leakage of data-independent redaction (massny2025.x-dim-leakage): if records at distances l
    and r are the nearest kept ones on either side, the mechanism keeps R exactly if R is at least
    e^(i1(l) + i1(r)).
    Differs: 1 - a - b >= 0, and records are kept on both sides; deterministic redaction; the
    private bit has any law with the chain's steps away from it, as it has in the stationary
    chain. *)
Theorem redaction_leakage keptL keptR l r R0 : 0 <= lam ->
  nearest keptL a l -> nearest keptR c r ->
  pufferfish R0 (redacted a c (dim keptL) (dim keptR)) (either_order a c)
    (eq (bits_law a c q constant_steps constant_steps)) <-> influence l * influence r <= R0.
Proof.
  intros l0 [dl [kl nl]] [dr [kr nr]]. split.
  - intros promise.
    destruct (shown_nearest keptL l true 0 a dl kl nl) as [y [rest [rest0 E]]].
    destruct (shown_nearest keptR r true 0 c dr kr nr) as [y' [rest' [rest0' E']]].
    specialize (promise _ (bit_is a c true) (bit_is a c false) (y, y') eq_refl
      (ex_intro _ true (conj eq_refl eq_refl))).
    rewrite !redacted_told, !P_bit in promise by (intros; apply constant_law).
    cbn [fst snd] in promise. rewrite !E, !E' in promise.
    destruct (influence_attained l l0 (proj1 dl)) as [pl el].
    destruct (influence_attained r l0 (proj1 dr)) as [pr er].
    rewrite el, er in promise. specialize (promise q1 q0).
    set (k := q true * q false * (power l false true * rest) * (power r false true * rest')).
    assert (k0 : 0 < k) by (repeat apply Rmult_lt_0_compat; easy).
    apply (Rmult_le_reg_r k); [easy|]. unfold k. lra.
  - intros enough p s t y Hp st Ps Pt.
    assert (keeps : forall kept n D, (1 <= D <= n)%nat -> kept D = true ->
      (forall k, (1 <= k < D)%nat -> kept k = false) ->
      side_keeps constant_steps (dim kept) n (influence D)).
    { intros kept n D d k none b z.
      destruct (shows_nearest kept D 0 n z d k none) as [zero|[v [rest [rest0 E]]]].
      - rewrite !zero. lra.
      - rewrite !E. destruct (power_ratio D b v l0 (proj1 d)) as [_ le].
        apply (Rmult_le_compat_r rest) in le; lra. }
    pose proof (sides_compose a c q constant_steps constant_steps Lq constant_law constant_law
      (dim keptL) (dim keptR) (influence l) (influence r) (dim_chances keptL) (dim_chances keptR)
      (Rlt_le _ _ (influence_pos l l0 (proj1 dl))) (Rlt_le _ _ (influence_pos r l0 (proj1 dr)))
      (keeps keptL a l dl kl nl) (keeps keptR c r dr kr nr) p s t y Hp st Ps Pt) as promise.
    apply Rle_trans with (1 := promise).
    assert (Lb : law p) by (rewrite <- Hp; apply bits_law_is_law; auto; intros;
      apply constant_law).
    assert (0 <= Pw p (redacted a c (dim keptL) (dim keptR)) t y).
    { apply Pw_nonneg; [easy|]. intros x z. apply Rmult_le_pos; apply redact_nonneg;
        apply dim_chances. }
    apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; lra.
Qed.
End Formula.
