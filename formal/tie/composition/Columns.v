(** How mechanisms with one column or two are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Columns Chain.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

#[export] Existing Instance Chain.finite_unit.
#[export] Instance r_two_columns {D} t (u : D -> R) tq uq x w : rational t tq ->
  (forall x, rational (u x) (uq x)) ->
  rational (two_columns t u x w) (if w then Qred (tq * uq x) else Qred (1 - Qred (tq * uq x))).
Proof.
  unfold rational, two_columns. intros -> e. rewrite e.
  destruct w; now rewrite ?red, ?Q2R_minus, ?red, Q2R_mult, ?one_q.
Qed.
#[export] Hint Extern 0 (decided (kernel _) _) => unfold kernel : typeclass_instances.
#[export] Instance d_reversed {D W A B} `{Finite D} `{Finite W} ratio (M : D -> W -> R)
  (a b : B -> @secret D) (f : A -> D -> R) lq lp c :
  (forall x y w, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) ->
    Pw (f x) M (a y) w * P (f x) (b y) <= ratio * P (f x) (a y) * Pw (f x) M (b y) w) (c x y w)) ->
  decided (pufferfish ratio M (fun s t => In (t, s) (map (fun y => (b y, a y)) lq))
    (fun p => In p (map f lp)))
    (forallb (fun x => forallb (fun y => forallb (c x y) all) lq) lp) | 0.
Proof.
  intros each. pose proof (d_keeps ratio M a b f lq lp c each) as d. unfold decided in *. rewrite d.
  assert (turn : forall s t, In (t, s) (map (fun y => (b y, a y)) lq) <->
    In (s, t) (map (fun y => (a y, b y)) lq)).
  { intros s t. rewrite !in_map_iff. split; intros [y [e i]]; exists y; split; auto; congruence. }
  split; intros k p s t w Hp st; apply k; auto; now apply turn.
Qed.
#[export] Instance d_tells_nothing {D A B} `{Finite D} (u : D -> R) (a b : B -> @secret D)
  (f : A -> D -> R) lq lp i j c :
  (forall x y, decided (0 < P (f x) (a y)) (i x y)) ->
  (forall x y, decided (0 < P (f x) (b y)) (j x y)) ->
  (forall x y, decided (Pw (f x) (fun x (_ : unit) => u x) (a y) tt * P (f x) (b y) =
    P (f x) (a y) * Pw (f x) (fun x (_ : unit) => u x) (b y) tt) (c x y)) ->
  decided (tells_nothing (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp)) u)
    (forallb (fun x => forallb (fun y => negb (i x y && j x y) || c x y) lq) lp) | 0.
Proof.
  intros first second d. unfold decided, tells_nothing. rewrite forallb_forall. split.
  - intros h p s t ip ist Ps Pt. apply in_map_iff in ip as [x [<- ix]].
    apply in_map_iff in ist as [y [q iy]]. injection q as <- <-. specialize (h x ix).
    rewrite forallb_forall in h. specialize (h y iy).
    apply first in Ps. apply second in Pt. rewrite Ps, Pt in h. now apply d.
  - intros h x ix. apply forallb_forall. intros y iy.
    destruct (i x y) eqn:F; [|easy]. destruct (j x y) eqn:G; [|easy]. simpl. apply d.
    apply h; try (now apply first || now apply second); apply in_map_iff; eauto.
Qed.
