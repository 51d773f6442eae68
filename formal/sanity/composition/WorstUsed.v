(** Bounds of columns and of joint releases, on one bit. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Spectrum Means Worst Bounds Vertices.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

Definition by_bit (one zero : R) (x : bool) := if x then one else zero.

Example mediant_used : (Σ i, by_bit 1 2 i * by_bit 3 2 i) <= 3 * Σ i, by_bit 1 2 i * by_bit 1 1 i.
Proof. apply mediant; intros []; simpl; lra. Qed.

(** Weights below 0 turn a bound round. *)
Example mediant_needs_weights : ~ forall (w a b : bool -> R) c, (forall i, a i <= c * b i) ->
  (Σ i, w i * a i) <= c * Σ i, w i * b i.
Proof.
  intros all_. specialize (all_ (by_bit (-1) 0) (by_bit 0 0) (by_bit 1 1) 1).
  cbn -[IZR] in all_. assert (forall i, by_bit 0 0 i <= 1 * by_bit 1 1 i)
    by (intros []; simpl; lra). specialize (all_ H). lra.
Qed.

(** Databases 1 and 0 exchanged: the law of the second is where they are carried. *)
Example only_couplings_used y :
  (Σ x, by_bit (1/3) (2/3) x * (if eqb x y then 0 else 1)) = by_bit (2/3) (1/3) y.
Proof.
  apply (only_couplings (by_bit (1/3) (2/3)) (by_bit (2/3) (1/3))
    (fun x y => if eqb x y then 0 else 1)).
  - intros []; cbn -[IZR]; lra.
  - intros []; cbn -[IZR]; lra.
  - cbn -[IZR]; lra.
Qed.

(** Weights that carry less than all of a law carry it below another one too. *)
Example only_couplings_needs_rows : ~ forall (mu nu : bool -> R) (beta : bool -> bool -> R),
  (forall y, (Σ x, mu x * beta x y) <= nu y) -> (Σ y, nu y) <= (Σ x, mu x) ->
  forall y, (Σ x, mu x * beta x y) = nu y.
Proof.
  intros all_. specialize (all_ fair fair (fun _ _ => 0)).
  assert (E : (Σ x, fair x * 0) = fair true).
  { apply all_; [intros []; unfold fair; cbn -[IZR]; lra|lra]. }
  unfold fair in E. cbn -[IZR] in E. lra.
Qed.

(** Where both secrets have the same law no mechanisms tell them apart, whatever their levels. *)
Example attained_at_rays_used : bounded_by [(fair, fair)] [2; 3] 1.
Proof.
  apply attained_at_rays.
  - intros mu nu [E|[]]. inversion E; subst. split; apply fair_law.
  - intros ratio [<-|[<-|[]]]; lra.
  - intros rs _ mu nu [E|[]]. inversion E; subst. lra.
Qed.

(** A constant release shows that no smaller number will do. *)
Example attained_is_exact : ~ bounded_by [(fair, fair)] [2] (1/2).
Proof.
  intros [_ [_ bound]].
  specialize (bound bool _ [fun _ w => by_bit 1 0 w] [true] fair fair).
  assert (one : inner fair (fun x : bool => releases [fun _ w => by_bit 1 0 w] x [true]) = 1).
  { unfold inner, fair. cbn -[IZR]. lra. }
  rewrite one in bound. assert (1 <= 1 / 2 * 1); [|lra]. apply bound; [|now left].
  constructor; [|constructor]. split.
  - intros x. split; [intros []; simpl; lra|]. cbn -[IZR]. lra.
  - intros w mu nu [E|[]]. inversion E; subst. unfold inner, fair. destruct w; cbn -[IZR]; lra.
Qed.
