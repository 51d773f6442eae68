(** Conditions whose weights are all on one database. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Means.
Import ListNotations.
Open Scope R_scope.

Lemma no_weight {A} (k : list A) (b u : A -> R) : (forall x, 0 <= b x) -> sum k b = 0 ->
  prod k (fun x => pw (u x) (b x)) = 1.
Proof.
  intros b0. induction k as [|a k IH]; simpl; intros zero; [easy|].
  pose proof (sum_nonneg k b (fun x _ => b0 x)). specialize (b0 a).
  rewrite IH by lra. unfold pw. destruct Req_EM_T; lra.
Qed.

Lemma all_weight {A} (k : list A) (b u : A -> R) l : (forall x, 0 <= b x) -> (forall x, 0 <= u x) ->
  In l k -> b l = 1 -> sum k b = 1 -> prod k (fun x => pw (u x) (b x)) = u l.
Proof.
  intros b0 u0. induction k as [|a k IH]; simpl; intros here one total; [easy|].
  pose proof (sum_nonneg k b (fun x _ => b0 x)) as k0. destruct here as [->|here].
  - rewrite no_weight by (auto; lra). unfold pw. rewrite one.
    destruct Req_EM_T; [lra|]. specialize (u0 l). destruct Rlt_dec; [|lra].
    replace (1 * ln (u l)) with (ln (u l)) by ring. rewrite exp_ln; lra.
  - pose proof (sum_member k b l (fun x _ => b0 x) here). pose proof (b0 a).
    rewrite IH by (auto; lra). unfold pw. destruct Req_EM_T; lra.
Qed.

(** With all weight on one database the condition is an inequality of differential privacy
    (bai2026.nfc-dp-special).
    Differs: databases are finite; a ratio instead of a level. *)
Theorem one_hot_is_dp {D W} `{Finite D} (beta : D -> R) E (M : D -> W -> R) x z :
  law beta -> beta z = 1 -> likelihood M ->
  (forall w, M x w <= E * geo beta (fun l => M l w)) <-> forall w, M x w <= E * M z w.
Proof.
  intros [b0 total] one M0.
  assert (pick : forall w, geo beta (fun l => M l w) = M z w).
  { intros w. apply (all_weight all beta (fun l => M l w) z); auto. apply all_here. }
  split; intros each w; specialize (each w); rewrite pick in *; exact each.
Qed.
