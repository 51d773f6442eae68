(** How what a bit of a chain tells on both sides is decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain RecordTables Recursion InnerBit Interior.
From Tied Require Import Decide Entries Sequences Stationary Attracted.
Import ListNotations.
Open Scope R_scope.

(** A mechanism on tables of bits, which have their places in order. *)
Definition place_of_bits (l : list bool) : nat :=
  fold_left (fun c x => (c * 2 + bit x)%nat) l O.
Definition bits_read {i m k} (l : list (list Q)) (x : bits i m) (w : fin k) : R :=
  Q2R (entry (nth (place_of_bits (in_order i m x)) l []) (rank w)).
#[export] Instance r_bits_read {i m k} l (x : bits i m) (w : fin k) :
  rational (bits_read l x w) (entry (nth (place_of_bits (in_order i m x)) l []) (rank w)).
Proof. easy. Qed.

Fixpoint qlaw_after (p : bool -> Q) (T : nat -> bool -> bool -> Q) k : bool -> Q := match k with
  | O => p
  | S k => fun y => qsum all (fun x => Qred (qlaw_after p T k x * T k x y)) end.
#[export] Instance r_law_after p T q U k x : (forall x, rational (p x) (q x)) ->
  (forall k x y, rational (T k x y) (U k x y)) ->
  rational (law_after p T k x) (qlaw_after q U k x).
Proof.
  intros ep eT. revert x. induction k as [|k IH]; intros x; [apply ep|].
  apply r_sum. intros y. now apply r_mult.
Qed.

#[export] Instance d_steps_laws l c : (forall k, decided (forall x, law (steps_of l k x)) (c k)) ->
  decided (steps_laws (steps_of l)) (forallb c (seq 0 (S (pred (length l))))).
Proof.
  intros d. apply (d_always (steps_of l) (fun T => forall x, law (T x)) (pred (length l)) c);
    [|easy].
  intros k le. unfold steps_of. now rewrite (late_stable [] l k le).
Qed.
#[export] Instance d_levels_above_one lev N c : stable lev N ->
  (forall k, decided (1 <= lev k) (c k)) ->
  decided (levels_above_one lev) (forallb c (seq 0 (S N))) | 0.
Proof. intros s d. now apply (d_always lev (fun x => 1 <= x) N c). Qed.
Lemma d_below n (Q : nat -> Prop) c : (forall k, decided (Q k) (c k)) ->
  decided (forall k, (k < n)%nat -> Q k) (forallb c (seq 0 n)).
Proof.
  intros d. unfold decided. rewrite forallb_forall. split.
  - intros each k lt. apply d, each, in_seq. lia.
  - intros each k i. apply in_seq in i. apply d, each. lia.
Qed.
#[export] Instance d_backwards i p T B c : (forall k, decided (forall x y,
    law_after p T (S k) x * B k x y = law_after p T k y * T k y x) (c k)) ->
  decided (backwards i p T B) (forallb c (seq 0 i)).
Proof. intros d. now apply d_below. Qed.
#[export] Hint Extern 1 (decided (both_possible _ _ _) _) => unfold both_possible :
  typeclass_instances.
#[export] Hint Extern 1 (rational (told _ _ _ _ _ _ _) _) => unfold told : typeclass_instances.
#[export] Hint Extern 1 (rational (chain_bits _ _ _ _ _) _) => unfold chain_bits :
  typeclass_instances.
#[export] Hint Extern 1 (rational (Pw (chain_bits _ _ _ _) _ _ _) _) => unfold Pw :
  typeclass_instances.

(** Tables that are the same but for record j. *)
Definition same_but (l l' : list bool) n j : bool := forallb (fun k => if Nat.eqb k j then true
  else match nth_error l k, nth_error l' k with Some x, Some y => eqb x y | _, _ => false end)
  (seq 0 n).
Lemma same_but_iff l l' n j : length l = n -> length l' = n ->
  same_but l l' n j = true <-> forall k, k <> j -> nth_error l k = nth_error l' k.
Proof.
  intros e e'. unfold same_but. rewrite forallb_forall. split.
  - intros each k ne. destruct (Nat.le_gt_cases n k) as [le|lt].
    + rewrite (proj2 (nth_error_None l k)), (proj2 (nth_error_None l' k)); [easy|lia..].
    + specialize (each k ltac:(apply in_seq; lia)).
      destruct (Nat.eqb k j) eqn:d; [now apply Nat.eqb_eq in d|].
      destruct (nth_error l k), (nth_error l' k); try easy. apply eqb_prop in each. congruence.
  - intros each k i. apply in_seq in i. destruct (Nat.eqb k j) eqn:d; [easy|].
    apply Nat.eqb_neq in d. rewrite <- (each k d).
    destruct (nth_error l k) eqn:f; [apply eqb_reflx|]. apply nth_error_None in f. lia.
Qed.
Lemma in_order_length i m (x : bits i m) : length (in_order i m x) = (i + S m)%nat.
Proof.
  unfold in_order. rewrite app_length, rev_length. cbn [length]. now rewrite !list_length.
Qed.
#[export] Instance d_levelled {W} `{Finite W} i m lev N (M : bits i m -> W -> R) q Mq :
  stable lev N -> (forall k, rational (lev k) (q k)) -> (forall x w, rational (M x w) (Mq x w)) ->
  decided (levelled i m lev M) (forallb (fun j => forallb (fun x => forallb (fun y =>
    if same_but (in_order i m x) (in_order i m y) (i + S m) j
    then forallb (fun w => Qle_bool (Mq x w) (Qred (q j * Mq y w))) all else true) all) all)
    (seq 0 (S (Nat.max (i + S m) N)))) | 0.
Proof.
  intros s eq eM. set (K := Nat.max (i + S m) N).
  assert (each : forall j x y w, decided (M x w <= lev j * M y w)
    (Qle_bool (Mq x w) (Qred (q j * Mq y w)))).
  { intros. apply d_le; [apply eM|]. apply r_mult; [apply eq|apply eM]. }
  unfold decided, levelled. rewrite forallb_forall. split.
  - intros tried. assert (low : forall j x y, (j <= K)%nat ->
      (forall k, k <> j -> nth_error (in_order i m x) k = nth_error (in_order i m y) k) ->
      forall w, M x w <= lev j * M y w).
    { intros j x y le e w. specialize (tried j ltac:(apply in_seq; lia)).
      rewrite forallb_forall in tried. specialize (tried x (all_here x)).
      rewrite forallb_forall in tried. specialize (tried y (all_here y)).
      rewrite (proj2 (same_but_iff _ _ _ _ (in_order_length i m x) (in_order_length i m y)) e)
        in tried.
      rewrite forallb_forall in tried. apply each, tried, all_here. }
    intros j x y e w. destruct (Nat.le_gt_cases j K) as [le|gt]; [now apply low|].
    rewrite (s j), <- (s K) by (unfold K in *; lia). apply low; [easy|]. intros k ne.
    destruct (Nat.eq_dec k j) as [->|nj]; [|now apply e].
    rewrite (proj2 (nth_error_None (in_order i m x) j)), (proj2 (nth_error_None _ j)); [easy|..];
      rewrite in_order_length; unfold K in gt; lia.
  - intros lv j _. apply forallb_forall. intros x _. apply forallb_forall. intros y _.
    destruct same_but eqn:e; [|easy]. apply forallb_forall. intros w _. apply each, lv.
    now apply (same_but_iff _ _ (i + S m)); rewrite ?in_order_length.
Qed.

Definition qquotient (one zero : bool -> Q) t : Q :=
  Qred (Qred (Qred (one true * t) + one false) * Qred (/ Qred (Qred (zero true * t) + zero false))).
Fixpoint qturn (T : nat -> bool -> bool -> Q) (lev : nat -> Q) k n : Q * Q := match n with
  | O => (1%Q, 1%Q)
  | S n => let next := qturn T lev (S k) n in
      let up := Qred (lev (S k) * fst next) in
      let down := Qred (lev (S k) * snd next) in
      let g := qquotient (T k true) (T k false) in
      let a := g up in let b := g (Qred (/ down)) in
      (qmax a b, qmax (Qred (/ a)) (Qred (/ b))) end.
Lemma r_turn T lev U q k n : (forall k x y, rational (T k x y) (U k x y)) ->
  (forall k, rational (lev k) (q k)) ->
  rational (fst (turn T lev k n)) (fst (qturn U q k n)) /\
  rational (snd (turn T lev k n)) (snd (qturn U q k n)).
Proof.
  intros eT el. revert k. induction n as [|n IH]; intros k; [split; apply r_1|].
  destruct (IH (S k)) as [a b].
  assert (g : forall t s, rational t s -> rational (quotient (T k true) (T k false) t)
    (qquotient (U k true) (U k false) s)).
  { intros t s e. apply r_div; (apply r_plus; [now apply r_mult|apply eT]). }
  assert (up : rational (lev (S k) * fst (turn T lev (S k) n)) _)
    by (apply r_mult; [apply el|exact a]).
  assert (down : rational (lev (S k) * snd (turn T lev (S k) n)) _)
    by (apply r_mult; [apply el|exact b]).
  split; cbn [turn qturn fst snd]; apply r_larger; try apply r_inv; apply g; auto;
    now apply r_inv.
Qed.
#[export] Instance r_worst_of i m T B lev v U V q : (forall k x y, rational (T k x y) (U k x y)) ->
  (forall k x y, rational (B k x y) (V k x y)) -> (forall k, rational (lev k) (q k)) ->
  rational (worst_of i m T B lev v)
    (let l := qturn (fun j => V (i - 1 - j)%nat) (fun j => q (i - j)%nat) 0 i in
     let r := qturn (fun j => U (i + j)%nat) (fun j => q (i + j)%nat) 0 m in
     Qred (q i * Qred ((if v then fst l else snd l) * (if v then fst r else snd r)))) | 0.
Proof.
  intros eT eB el. unfold worst_of, worst. apply r_mult; [apply el|].
  destruct (r_turn (left_steps i B) (left_levels i lev) (fun j => V (i - 1 - j)%nat)
    (fun j => q (i - j)%nat) 0 i) as [a b];
    [intros; apply eB|intros; apply el|].
  destruct (r_turn (right_steps i T) (right_levels i lev) (fun j => U (i + j)%nat)
    (fun j => q (i + j)%nat) 0 m) as [c d];
    [intros; apply eT|intros; apply el|].
  destruct v; now apply r_mult.
Qed.

Fixpoint qagreeing (lev : nat -> Q) k (l c : list bool) : Q := match l, c with
  | x :: l, y :: c => Qred ((if eqb x y then 1%Q else Qred (/ lev k)) * qagreeing lev (S k) l c)
  | _, _ => 1%Q end.
Lemma r_agreeing lev q k l c : (forall k, rational (lev k) (q k)) ->
  rational (agreeing lev k l c) (qagreeing q k l c).
Proof.
  intros e. revert k c. induction l as [|x l IH]; intros k [|y c]; try apply r_1.
  apply r_mult; [|apply IH]. unfold factor. destruct (eqb x y); [apply r_1|apply r_inv, e].
Qed.
Definition qshows i m q (c x : bits i m) (w : bool) : Q :=
  let h := Qred ((1#2) * qagreeing q 0 (in_order i m x) (in_order i m c)) in
  if w then h else Qred (1 - h).
#[export] Instance r_shows_half i m lev q c x w : (forall k, rational (lev k) (q k)) ->
  rational (shows_half i m lev c x w) (qshows i m q c x w) | 0.
Proof.
  intros e. assert (h : rational (/ 2) (1#2)) by (unfold rational, Q2R; simpl; lra).
  pose proof (r_mult _ _ _ _ h (r_agreeing lev q 0 (in_order i m x) (in_order i m c) e)) as a.
  unfold shows_half, qshows. destruct w; [exact a|]. apply r_minus; [apply r_1|exact a].
Qed.
#[export] Instance d_levelled_half i m lev N c q : stable lev N ->
  (forall k, rational (lev k) (q k)) -> decided (levelled i m lev (shows_half i m lev c))
    (forallb (fun j => forallb (fun x => forallb (fun y =>
      if same_but (in_order i m x) (in_order i m y) (i + S m) j
      then forallb (fun w => Qle_bool (qshows i m q c x w) (Qred (q j * qshows i m q c y w))) all
      else true) all) all) (seq 0 (S (Nat.max (i + S m) N)))) | 0.
Proof. intros s e. apply d_levelled; [exact s|exact e|]. intros x w. now apply r_shows_half. Qed.
Lemma d_some {A} `{Finite A} (Q : A -> Prop) b : (forall x, decided (Q x) (b x)) ->
  decided (exists x, Q x) (existsb b all).
Proof.
  intros d. unfold decided. rewrite existsb_exists. split.
  - intros [x [_ e]]. exists x. now apply d.
  - intros [x e]. exists x. split; [apply all_here|now apply d].
Qed.
#[export] Instance d_reached i m p T lev N v s q t sq : stable lev N ->
  (forall k, rational (lev k) (q k)) -> rational s sq -> (forall c z,
    rational (told i m p T (shows_half i m lev c) z true) (t c z)) ->
  decided (reached i m p T lev v s) (existsb (fun c => forallb (fun x =>
      forallb (fun w => Qle_bool 0 (qshows i m q c x w)) all &&
      Qeq_bool (qsum all (qshows i m q c x)) 1) all &&
    (forallb (fun j => forallb (fun x => forallb (fun y =>
      if same_but (in_order i m x) (in_order i m y) (i + S m) j
      then forallb (fun w => Qle_bool (qshows i m q c x w) (Qred (q j * qshows i m q c y w))) all
      else true) all) all) (seq 0 (S (Nat.max (i + S m) N))) &&
    (negb (Qle_bool (t c (negb v)) 0) && Qeq_bool (t c v) (Qred (sq * t c (negb v)))))) all) | 0.
Proof.
  intros st el es et. apply d_some. intros c.
  assert (e : forall x w, rational (shows_half i m lev c x w) (qshows i m q c x w))
    by (intros; now apply r_shows_half).
  apply d_and; [|apply d_and; [now apply d_levelled_half|apply d_and]].
  - apply d_all. intros x. apply d_law, d_and.
    + apply d_all. intros w. apply d_le; [apply r_0|apply e].
    + apply d_eq; [apply r_sum; intros; apply e|apply r_1].
  - apply d_lt; [apply r_0|apply et].
  - apply d_eq; [apply et|now apply r_mult].
Qed.
