(** What extreme rays span: vectors of the cone, and no others. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Chain RaysSpan.
Open Scope R_scope.

(** The inequality u(1) <= u(0). *)
Definition low (_ : unit) (x : bool) : R := if x then 1 else -1.

Example rays_span_used : spanned_by_rays low (fun x => if x then 1 else 3).
Proof.
  apply rays_span, cone_is. split; [intros []; lra|]. intros []. unfold low; simpl; lra.
Qed.
Example others_are_not_spanned : ~ spanned_by_rays low (fun x => if x then 3 else 1).
Proof.
  intros span. apply rays_span, cone_is in span as [_ each]. specialize (each tt).
  unfold low in each; simpl in each. lra.
Qed.
Example below_zero_is_not_spanned : ~ spanned_by_rays low (fun _ => -1).
Proof. intros span. apply rays_span, cone_is in span as [pos _]. specialize (pos true). lra. Qed.
