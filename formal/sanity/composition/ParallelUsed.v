(** Parallel composition on two bits: Alice sees the first, Bob the second. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Parallel.
From Pufferproof.sanity Require Import Bits.
Open Scope R_scope.

Notation pair_of_bits := (bool * bool)%type.
Definition linked (x : pair_of_bits) : R := if eqb (fst x) (snd x) then 1/3 else 1/6.
Definition of_alice (x : pair_of_bits) w := response (fst x) w.
Definition of_bob (x : pair_of_bits) w := response (snd x) w.

Lemma linked_law : law linked.
Proof. split; [intros [[] []]|]; by_cases. Qed.

Lemma separated_by_first {U} (bob : pair_of_bits -> U) : separates bool_dec linked fst fst bob.
Proof.
  intros [] phi psi a _; unfold mean_at; rewrite ?(Sum_pairs (A := bool) (B := bool)); simpl;
    rewrite (a (true, false) (true, true) eq_refl), (a (false, false) (false, true) eq_refl);
    unfold at_, linked; simpl; field.
Qed.

Lemma separated_by_second {U} (alice : pair_of_bits -> U) : separates bool_dec linked snd snd alice.
Proof.
  intros [] phi psi a _; unfold mean_at; rewrite ?(Sum_pairs (A := bool) (B := bool)); simpl;
    rewrite (a (false, true) (true, true) eq_refl), (a (false, false) (true, false) eq_refl);
    unfold at_, linked; simpl; field.
Qed.

Definition first_bit := values bool_dec (fst : pair_of_bits -> bool).
Definition second_bit := values bool_dec (snd : pair_of_bits -> bool).

Lemma alice_leaks s t w : first_bit s t ->
  Pw linked of_alice s w * P linked t <= 3 * P linked s * Pw linked of_alice t w.
Proof. intros [[] [[] [-> ->]]]; destruct w; by_cases. Qed.

Lemma bob_leaks s t w : second_bit s t ->
  Pw linked of_bob s w * P linked t <= 3 * P linked s * Pw linked of_bob t w.
Proof. intros [[] [[] [-> ->]]]; destruct w; by_cases. Qed.

(** Each bit tells at most log 2 of the other one: both leak at most log 6. *)
Example parallel_used :
  pufferfish (Rmax (3 * Rmin 3 2) (3 * Rmin 3 2)) (both of_alice of_bob)
    (either first_bit second_bit) (eq linked).
Proof.
  apply (parallel bool_dec bool_dec fst fst snd snd); try lra.
  - intros p <-; apply linked_law.
  - intros x w; apply response_likelihood.
  - intros x w; apply response_likelihood.
  - intros x y E. unfold of_alice. now rewrite E.
  - intros x y E. unfold of_bob. now rewrite E.
  - intros s t [v [u [-> ->]]]. split; intros x y E; unfold value; now rewrite E.
  - intros s t [v [u [-> ->]]]. split; intros x y E; unfold value; now rewrite E.
  - intros p <-. repeat split; try apply separated_by_first; try apply separated_by_second;
      intros [] [] _ _ []; by_cases.
  - intros p s t w <- [st|st] _ _; now apply alice_leaks.
  - intros p s t w <- [st|st] _ _; now apply bob_leaks.
Qed.

(** Without what the bits tell of each other it is too little: log 3 does not cover both. *)
Example parallel_needs_the_influence :
  ~ pufferfish 3 (both of_alice of_bob) (either first_bit second_bit) (eq linked).
Proof.
  intros promise.
  specialize (promise linked (value bool_dec fst true) (value bool_dec fst false) (true, true)
    eq_refl (or_introl (ex_intro _ true (ex_intro _ false (conj eq_refl eq_refl))))).
  revert promise; by_cases.
Qed.

Example separated_release_used w w' :
  let s := value bool_dec fst true in let t := value bool_dec fst false in
  Pw linked (both of_alice of_bob) s (w, w') * P linked t <=
  3 * 2 * P linked s * Pw linked (both of_alice of_bob) t (w, w').
Proof.
  apply (separated_release bool_dec fst snd fst); try lra.
  - apply linked_law.
  - intros x v; apply response_likelihood.
  - intros x v; apply response_likelihood.
  - intros x y E. unfold of_alice. now rewrite E.
  - intros x y E. unfold of_bob. now rewrite E.
  - apply separated_by_first.
  - intros x y E; unfold value; now rewrite E.
  - intros x y E; unfold value; now rewrite E.
  - by_cases.
  - by_cases.
  - apply alice_leaks. now exists true, false.
  - intros [] [] _ _; destruct w'; by_cases.
Qed.
