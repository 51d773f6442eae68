(** The functions of the theorems of [Checked], [Linear], [Repetition] and [Noise] as a program in
    OCaml, whose integers are those of zarith. Here alone are words of extraction allowed: what they
    say is trusted, and no theorem is about it. `make extract` compiles this file. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ZArith.
From Pufferproof Require Import Checked Linear Repetition Noise.
Extraction Language OCaml.
Extract Constant Z.leb => "Big_int_Z.le_big_int".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant Z.gcd => "Big_int_Z.gcd_big_int".
Extract Constant Z.pow => "(fun a b -> if Big_int_Z.sign_big_int b < 0
  then Big_int_Z.zero_big_int else Big_int_Z.power_big_int_positive_big_int a b)".
Extract Constant Pos.pow => "Big_int_Z.power_big_int_positive_big_int".
Extraction "core.ml" check check_redaction check_bounds check_follows check_optimum
  check_runs check_worst_case check_noise.
