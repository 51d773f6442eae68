(** How cones of columns are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Spectrum Compactness Bounds.
From Tied Require Import Decide Entries Pairs.
Import ListNotations.
Open Scope R_scope.

#[export] Instance r_point n (x y : fin n) :
  rational (point x y) (if fin_dec n y x then 1%Q else 0%Q) | 0.
Proof.
  unfold rational, point.
  destruct decision, fin_dec; try contradiction; unfold Q2R; simpl; lra.
Qed.

(** The cone of the laws given secrets, multiplied out. *)
#[export] Instance d_in_cone {D A B} `{Finite D} ratio (u : D -> R) (a b : B -> @secret D)
  (f : A -> D -> R) lq lp c d :
  (forall x, decided (0 <= u x) (d x)) ->
  (forall x y, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) ->
    Pw (f x) (fun z (_ : unit) => u z) (a y) tt * P (f x) (b y) <=
    ratio * P (f x) (a y) * Pw (f x) (fun z (_ : unit) => u z) (b y) tt) (c x y)) ->
  decided (in_cone ratio (laws_of (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp))) u)
    (forallb d all && forallb (fun x => forallb (c x) lq) lp) | 0.
Proof.
  intros pos each. unfold decided. rewrite andb_true_iff, !forallb_forall. unfold in_cone.
  split; intros [one two]; split.
  - intros x. apply pos, one, all_here.
  - intros mu nu [p [s [t [ip [ist [Ps [Pt [-> ->]]]]]]]].
    apply in_map_iff in ip as [x [<- ix]]. apply in_map_iff in ist as [y [q iy]].
    injection q as <- <-. specialize (two x ix). rewrite forallb_forall in two.
    apply (promise_in_cone ratio (f x) (fun z (_ : unit) => u z) (a y) (b y) tt Ps Pt).
    now apply (each x y); [apply two|..].
  - intros x _. apply pos, one.
  - intros x ix. apply forallb_forall. intros y iy. apply each. intros Ps Pt.
    apply (promise_in_cone ratio (f x) (fun z (_ : unit) => u z) (a y) (b y) tt Ps Pt).
    apply two. exists (f x), (a y), (b y). repeat split; auto; apply in_map_iff; eauto.
Qed.
