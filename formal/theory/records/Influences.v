(** The influence of a record at a distance, in closed form, and what it asks of redaction that does
    not look at values (massny2025, proposition 1 and corollary 2). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage.
Open Scope R_scope.

Section Influences.
Context (al be : R).
Hypotheses (al0 : 0 < al) (order : al <= be) (be1 : be < 1).
Notation power := (power al be).
Notation i0 := (i0 al be).
Notation i1 := (i1 al be).
Notation T := (constant_steps al be).

(** e to the influence of the value z at distance D: the larger of the ratios of its probabilities
    given either value of the private bit. *)
Definition influence_of D z :=
  Rmax (power D true z / power D false z) (power D false z / power D true z).

(** Proposition 1 of massny2025, closed form: the value 0 has the influence i_c(D) =
    |log((1 + c lam^D)/(1 - lam^D))| with c = a/b, the value 1 with c = b/a, and that of 1 is the
    larger one.
    Differs: the record at distance D by D steps away from the private bit, which in the stationary
    chain are the same on both sides; ratios instead of levels. *)
Theorem influences_closed D : (1 <= D)%nat ->
  influence_of D false = i0 D /\ influence_of D true = i1 D /\ i0 D <= i1 D.
Proof.
  intros d1. destruct (ratios al be al0 order be1 D d1) as [A [B [C E]]].
  destruct (told_is al be al0 order be1 D d1) as [le _].
  unfold ratio_at in A, B, C, E. simpl negb in A, B, C, E.
  unfold influence_of. rewrite A, B, C, E. repeat split; [|apply le].
  unfold TwoStates.i0, larger. apply Rmax_comm.
Qed.

(** e^i1 of the nearest record of a side that is not always replaced; 1 if there is none. *)
Definition of_side (d : option nat) := match d with Some D => i1 D | None => 1 end.
Definition same_parity (l r : option nat) := match l, r with
  | Some l, Some r => Nat.odd (l + r) = false | _, _ => True end.

Lemma i1_above (d : nat) : (1 <= d)%nat -> 1 <= i1 d /\ 0 <= i0 d <= i1 d.
Proof. intros d1. destruct (told_is al be al0 order be1 d d1) as [le _]. lra. Qed.

Context (a c : nat) (q : bool -> R) (rhoL rhoR : nat -> R) (l r : option nat).
Hypotheses (q1 : 0 < q true) (q0 : 0 < q false) (sl : shares rhoL) (sr : shares rhoR)
  (nl : nearest rhoL a l) (nr : nearest rhoR c r).
Notation mechanism := (redacted a c (dim rhoL) (dim rhoR)).

(** Corollary 2 of massny2025, and its converse: redaction that does not look at values, with the
    nearest shown records at distances l and r whose sum is even, or with all records of a side
    replaced, keeps R exactly if R is at least the product of e^i1(l) and e^i1(r), without the
    factor of a side that is all replaced.
    Differs: the private bit has any weights with the chain's steps away from it, as in the
    stationary chain; chances instead of certainty; ratios instead of levels. *)
Theorem radius_of_redaction R0 : same_parity l r ->
  pufferfish R0 mechanism (either_order a c) (eq (bits_law a c q T T)) <->
  of_side l * of_side r <= R0.
Proof.
  intros even. rewrite (redaction_leakage al be al0 order be1 a c q q1 q0 rhoL rhoR l r R0) by easy.
  enough (leakage_of al be l r = of_side l * of_side r) as -> by easy.
  unfold leakage_of, of_side. destruct l as [l'|], r as [r'|]; simpl in *; try ring.
  rewrite even. now destruct Rlt_dec.
Qed.

(** What massny2025.x-cor2-converse says: the product is enough whatever the parity.
    Differs: as above. *)
Theorem radius_is_enough R0 : of_side l * of_side r <= R0 ->
  pufferfish R0 mechanism (either_order a c) (eq (bits_law a c q T T)).
Proof.
  intros enough_R. apply (redaction_leakage al be al0 order be1 a c q q1 q0 rhoL rhoR l r R0); auto.
  apply Rle_trans with (2 := enough_R). unfold leakage_of, of_side.
  destruct l as [l'|], r as [r'|]; try lra. destruct nl as [[l1 _] _], nr as [[r1 _] _].
  destruct (i1_above l' l1) as [_ [x0 x1]], (i1_above r' r1) as [_ [y0 y1]].
  destruct Rlt_dec; [|lra]. destruct Nat.odd; [|lra].
  apply Rmax_lub; apply Rmult_le_compat; lra.
Qed.
End Influences.
