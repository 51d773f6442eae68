(* Integers of any length that a browser has, under zarith's names that extraction uses: trusted.
   What they do stands in bigint.js. *)
type big_int
external add_big_int : big_int -> big_int -> big_int = "big_add"
external sub_big_int : big_int -> big_int -> big_int = "big_sub"
external mult_big_int : big_int -> big_int -> big_int = "big_mul"
external quotient : big_int -> big_int -> big_int = "big_quotient"
external big_int_of_string : string -> big_int = "big_of_string"
external string_of_big_int : big_int -> string = "big_to_string"
external float_of_big_int : big_int -> float = "big_to_float"
external big_int_of_int : int -> big_int = "big_of_int"
external int_of_big_int : big_int -> int = "big_to_int"
external sign_big_int : big_int -> int = "big_sign"
external le_big_int : big_int -> big_int -> bool = "big_le"
external lt_big_int : big_int -> big_int -> bool = "big_lt"
external eq_big_int : big_int -> big_int -> bool = "big_eq"
let zero_big_int = big_int_of_int 0
let unit_big_int = big_int_of_int 1
let minus_big_int x = sub_big_int zero_big_int x
let abs_big_int x = if sign_big_int x < 0 then minus_big_int x else x
let compare_big_int x y = sign_big_int (sub_big_int x y)
let min_big_int x y = if le_big_int x y then x else y
let max_big_int x y = if le_big_int x y then y else x
let succ_big_int x = add_big_int x unit_big_int
let pred_big_int x = sub_big_int x unit_big_int
let mult_int_big_int n x = mult_big_int (big_int_of_int n) x
let add_int_big_int n x = add_big_int (big_int_of_int n) x

(* The remainder is not negative. *)
let quomod_big_int x y =
  let q = quotient x y in
  let r = sub_big_int x (mult_big_int q y) in
  if sign_big_int r >= 0 then (q, r)
  else if sign_big_int y > 0 then (pred_big_int q, add_big_int r y)
  else (succ_big_int q, sub_big_int r y)

let div_big_int x y = fst (quomod_big_int x y)
let mod_big_int x y = snd (quomod_big_int x y)

let rec gcd_big_int x y =
  if sign_big_int y = 0 then abs_big_int x else gcd_big_int y (mod_big_int x y)

let power_big_int_positive_big_int x n =
  let rec go k =
    if k = 0 then unit_big_int
    else
      let half = go (k / 2) in
      let square = mult_big_int half half in
      if k land 1 = 1 then mult_big_int x square else square in
  go (int_of_big_int n)

let power_int_positive_int x n = power_big_int_positive_big_int (big_int_of_int x) (big_int_of_int n)
