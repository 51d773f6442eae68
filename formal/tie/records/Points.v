(** Promises of joint releases are decided at every list of outputs that is as long as they are. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Means.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

Fixpoint words {W} `{Finite W} n : list (list W) := match n with
  | O => [[]]
  | S n => flat_map (fun w => map (cons w) (words n)) all end.

Lemma words_all {W} `{Finite W} (ws : list W) : In ws (words (length ws)).
Proof.
  induction ws as [|w ws IH]; [now left|]. cbn [words length]. apply in_flat_map. exists w.
  split; [apply all_here|]. now apply in_map.
Qed.

Lemma words_length {W} `{Finite W} k : forall ws : list W, In ws (words k) -> length ws = k.
Proof.
  induction k as [|k IH]; cbn [words]; intros ws i; [now destruct i as [<-|[]]|].
  apply in_flat_map in i as [w [_ i]]. apply in_map_iff in i as [v [<- i]]. simpl. now rewrite IH.
Qed.

Lemma d_keeps_words {D W A B} `{Finite D} `{Finite W} ratio (M : D -> list W -> R) k
  (a b : B -> @secret D) (f : A -> D -> R) lq lp c :
  (forall x ws, length ws <> k -> M x ws = 0) ->
  (forall x y ws, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) ->
    Pw (f x) M (a y) ws * P (f x) (b y) <=
    ratio * P (f x) (a y) * Pw (f x) M (b y) ws) (c x y ws)) ->
  decided (pufferfish ratio M (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp)))
    (forallb (fun x => forallb (fun y => forallb (c x y) (words k)) lq) lp).
Proof.
  intros long each. unfold decided, pufferfish. rewrite forallb_forall. split.
  - intros h p s t ws ip ist Ps Pt. apply in_map_iff in ip as [x [<- ix]].
    apply in_map_iff in ist as [y [e iy]]. injection e as <- <-. specialize (h x ix).
    rewrite forallb_forall in h. specialize (h y iy). rewrite forallb_forall in h.
    destruct (Nat.eq_dec (length ws) k) as [e|ne].
    + apply each; auto. apply h. rewrite <- e. apply words_all.
    + assert (none : forall u, Pw (f x) M u ws = 0).
      { intros u. unfold Pw. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
        intros z _. rewrite long by easy. ring. }
      rewrite !none. lra.
  - intros h x ix. apply forallb_forall; intros y iy. apply forallb_forall; intros ws _.
    apply each. intros Ps Pt. apply h; auto; apply in_map_iff; eauto.
Qed.
#[export] Instance d_keeps_at_once {D W A B} `{Finite D} `{Finite W} ratio
  (Ms : list (D -> W -> R)) (a b : B -> @secret D) (f : A -> D -> R) lq lp c :
  (forall x y ws, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) ->
    Pw (f x) (releases Ms) (a y) ws * P (f x) (b y) <=
    ratio * P (f x) (a y) * Pw (f x) (releases Ms) (b y) ws) (c x y ws)) ->
  decided (pufferfish ratio (releases Ms) (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp)))
    (forallb (fun x => forallb (fun y => forallb (c x y) (words (length Ms))) lq) lp) | 0.
Proof.
  intros each. apply (d_keeps_words ratio (releases Ms) (length Ms)); [|exact each].
  intros x ws. apply releases_of_length.
Qed.
#[export] Instance l_sum {A} (l : list A) f g : (forall x, level (f x) (g x)) ->
  level (sum l f) (qprod l g) | 0.
Proof.
  intros each. induction l as [|x l [q0 E]]; unfold qprod; cbn [sum fold_right].
  - split; [rewrite one_q; lra|]. now rewrite one_q, ln_1.
  - destruct (each x) as [p0 F]. fold (qprod l g). rewrite F, E. split; rewrite red, Q2R_mult.
    + now apply Rmult_lt_0_compat.
    + now rewrite ln_mult.
Qed.
#[export] Instance l_minus x y p q : level x p -> level y q -> level (x - y) (Qred (p * / q)) | 0.
Proof.
  intros [p0 ->] [q0 ->]. assert (n : ~ q == 0%Q).
  { intros e. apply Qeq_eqR in e. rewrite RMicromega.Q2R_0 in e. lra. }
  split; rewrite red, Q2R_mult, Q2R_inv by easy.
  - apply Rmult_lt_0_compat; [easy|]. now apply Rinv_0_lt_compat.
  - rewrite ln_mult, ln_Rinv; [ring|easy..|now apply Rinv_0_lt_compat].
Qed.
