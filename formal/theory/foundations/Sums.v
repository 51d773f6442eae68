(** Finite sums of real numbers, over lists and over finite types. *)
From Coq Require Import Reals Lra List FinFun.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum {A} (l : list A) (f : A -> R) : R :=
  match l with [] => 0 | x :: r => f x + sum r f end.

Lemma sum_0 {A} (l : list A) : sum l (fun _ => 0) = 0.
Proof. induction l; simpl; lra. Qed.

Lemma sum_ext {A} (l : list A) (f g : A -> R) : (forall x, In x l -> f x = g x) ->
  sum l f = sum l g.
Proof. induction l; simpl; intros H; [easy|]. rewrite H, IHl; auto. Qed.

Lemma sum_le {A} (l : list A) (f g : A -> R) : (forall x, In x l -> f x <= g x) ->
  sum l f <= sum l g.
Proof.
  induction l; simpl; intros H; [lra|].
  pose proof (H a (or_introl eq_refl)); specialize (IHl (fun x i => H x (or_intror i))); lra.
Qed.

Lemma sum_nonneg {A} (l : list A) (f : A -> R) : (forall x, In x l -> 0 <= f x) -> 0 <= sum l f.
Proof. intros; rewrite <- (sum_0 l); now apply sum_le. Qed.

Lemma sum_plus {A} (l : list A) (f g : A -> R) : sum l (fun x => f x + g x) = sum l f + sum l g.
Proof. induction l; simpl; lra. Qed.

Lemma sum_scale {A} c (l : list A) (f : A -> R) : sum l (fun x => c * f x) = c * sum l f.
Proof. induction l; simpl; lra. Qed.

Lemma sum_swap {A B} (l : list A) (m : list B) (h : A -> B -> R) :
  sum l (fun x => sum m (h x)) = sum m (fun y => sum l (fun x => h x y)).
Proof. induction l; simpl; [now rewrite sum_0|]. now rewrite IHl, sum_plus. Qed.

Lemma sum_product {A B} (l : list A) (m : list B) (f : A -> R) (g : B -> R) :
  sum l f * sum m g = sum l (fun x => sum m (fun y => f x * g y)).
Proof.
  rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros x _. rewrite Rmult_comm, <- sum_scale.
  now apply sum_ext.
Qed.

Lemma sum_app {A} (l m : list A) (f : A -> R) : sum (l ++ m) f = sum l f + sum m f.
Proof. induction l; simpl; lra. Qed.

Lemma sum_map {A B} (l : list B) (h : B -> A) (f : A -> R) :
  sum (map h l) f = sum l (fun x => f (h x)).
Proof. induction l; simpl; lra. Qed.

Lemma sum_pos_exists {A} (l : list A) (f : A -> R) : 0 < sum l f -> exists x, In x l /\ 0 < f x.
Proof.
  induction l; simpl; intros H; [lra|].
  destruct (Rlt_le_dec 0 (f a)) as [p|p]; [exists a; auto|].
  destruct IHl as [x [i j]]; [lra|]; exists x; auto.
Qed.

Lemma sum_member {A} (l : list A) (f : A -> R) x : (forall y, In y l -> 0 <= f y) -> In x l ->
  f x <= sum l f.
Proof.
  induction l; simpl; intros H i; [easy|]; destruct i as [->|i].
  - pose proof (sum_nonneg l f (fun y j => H y (or_intror j))); lra.
  - specialize (IHl (fun y j => H y (or_intror j)) i); pose proof (H a (or_introl eq_refl)); lra.
Qed.

Lemma sum_pairs {A B} (l : list A) (m : list B) (h : A * B -> R) :
  sum (list_prod l m) h = sum l (fun x => sum m (fun y => h (x, y))).
Proof. induction l; simpl; [easy|]. now rewrite sum_app, IHl, sum_map. Qed.

Lemma once_app {A} (l m : list A) :
  NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  induction 1 as [|a l na nl IH]; simpl; intros Hm apart; [easy|].
  constructor; [|apply IH; auto]. rewrite in_app_iff; intros [i|i];
    [easy|exact (apart a (or_introl eq_refl) i)].
Qed.

(** A finite type lists its members, each once. *)
Class Finite (A : Type) := { all : list A; all_once : NoDup all; all_here : forall x :
  A, In x all }.

Notation "'Σ' x , e" := (sum all (fun x => e)) (at level 60, x binder, right associativity).

#[export] Instance finite_bool : Finite bool.
Proof.
  exists [true; false].
  - repeat constructor; simpl; intuition discriminate.
  - intros []; simpl; auto.
Defined.

#[export] Instance finite_pair {A B} `{Finite A} `{Finite B} : Finite (A * B).
Proof.
  exists (list_prod all all).
  - generalize (@all_once A _) (@all_once B _). generalize (@all A _) (@all B _). intros l m Hl Hm.
    induction Hl as [|a l na nl IH]; simpl; [constructor|].
    apply once_app; auto.
    + apply FinFun.Injective_map_NoDup; auto. intros x y E; congruence.
    + intros [x y] i j. apply in_map_iff in i as [z [E _]]. inversion E; subst.
      apply in_prod_iff in j; tauto.
  - intros [x y]. apply in_prod; apply all_here.
Defined.

Section Types.
Context {A B : Type} `{Finite A} `{Finite B}.

Lemma Sum_pairs (h : A * B -> R) : (Σ z, h z) = Σ x, Σ y, h (x, y).
Proof. apply sum_pairs. Qed.

(** A minimum over the members with a property, if there is one. *)
Lemma minimum (l : list A) (s : A -> bool) (f : A -> R) x :
  In x l -> s x = true -> exists m, In m l /\ s m = true /\ forall y, In y l -> s y = true ->
    f m <= f y.
Proof.
  revert x; induction l as [|a l IH]; simpl; intros x i sx; [easy|].
  destruct (existsb s l) eqn:E.
  - apply existsb_exists in E as [y [iy sy]]. destruct (IH y iy sy) as [m [im [sm least]]].
    destruct (s a) eqn:sa; [destruct (Rle_dec (f a) (f m))|].
    + exists a; repeat split; auto. intros z [->|iz] sz; [lra|]. specialize (least z iz sz); lra.
    + exists m; repeat split; auto. intros z [->|iz] sz; [lra|auto].
    + exists m; repeat split; auto. intros z [->|iz] sz; [congruence|auto].
  - assert (none : forall z, In z l -> s z = true -> False).
    { intros z iz sz. assert (existsb s l = true) by (apply existsb_exists; eauto). congruence. }
    destruct i as [->|i]; [|destruct (none x i sx)].
    exists x; repeat split; auto. intros z [->|iz] sz; [lra|destruct (none z iz sz)].
Qed.
End Types.
