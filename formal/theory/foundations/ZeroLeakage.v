(** That nothing is leaked, said of odds. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums Pufferfish Laws.
Open Scope R_scope.

(** Zero leakage (bai2026, Section 2.2; bai2026.puffer-odds): the ratio 1 in both orders means that
    odds after an output are odds before.
    Differs: databases are finite; odds are multiplied out, so that posteriors of 0 are included;
    outputs without evidence are left out on the right-hand side. *)
Theorem odds_stay {D W} `{Finite D} (M : D -> W -> R) pairs priors :
  laws_only priors -> likelihood M ->
  pufferfish 1 M pairs priors /\ pufferfish 1 M (fun s t => pairs t s) priors <->
  forall p s t w, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> 0 < evidence p M w ->
    posterior p M s w * P p t = P p s * posterior p M t w.
Proof.
  intros L M0. rewrite !(odds_form 1 M) by auto. split.
  - intros [one other] p s t w Hp st Ps Pt Ev. specialize (one p s t w Hp st Ps Pt Ev).
    specialize (other p t s w Hp st Pt Ps Ev). lra.
  - intros same. split; intros p s t w Hp st Ps Pt Ev.
    + specialize (same p s t w Hp st Ps Pt Ev). lra.
    + specialize (same p t s w Hp st Pt Ps Ev). lra.
Qed.
