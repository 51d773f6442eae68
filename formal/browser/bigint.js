// Integers of a browser for big_int_Z.ml: trusted.

//Provides: big_add
function big_add(a, b) { return a + b }
//Provides: big_sub
function big_sub(a, b) { return a - b }
//Provides: big_mul
function big_mul(a, b) { return a * b }
//Provides: big_quotient
function big_quotient(a, b) { return a / b }
//Provides: big_of_string
//Requires: caml_jsbytes_of_string
function big_of_string(text) { return BigInt(caml_jsbytes_of_string(text)) }
//Provides: big_to_string
//Requires: caml_string_of_jsbytes
function big_to_string(a) { return caml_string_of_jsbytes(a.toString()) }
//Provides: big_to_float
function big_to_float(a) { return Number(a) }
//Provides: big_of_int
function big_of_int(n) { return BigInt(n) }
//Provides: big_to_int
//Requires: caml_failwith
function big_to_int(a) {
  if (a > 1000000 || a < -1000000) caml_failwith("too large")
  return Number(a)
}
//Provides: big_sign
function big_sign(a) { return a > 0 ? 1 : a < 0 ? -1 : 0 }
//Provides: big_le
function big_le(a, b) { return a <= b ? 1 : 0 }
//Provides: big_lt
function big_lt(a, b) { return a < b ? 1 : 0 }
//Provides: big_eq
function big_eq(a, b) { return a == b ? 1 : 0 }
