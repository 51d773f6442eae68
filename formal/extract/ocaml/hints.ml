(* Hints for the proved checker: fractions beside e^level, and outputs of a redaction that may be
   the worst. Not trusted: whatever stands here, what the checker accepts is true. *)
open Numbers

let nat k = let rec go acc k = if k = 0 then acc else go (Core.S acc) (k - 1) in go Core.O k

(* --- fractions beside e^level, the coarsest first --- *)

let exact x : Core.bound = { num = x.above; den = x.under; part = zero; parts = one;
  halvings = nat 0; bits = one }

let power k = Big_int_Z.power_int_positive_int 2 k
let down x y = Big_int_Z.div_big_int x y
let rec length k = if k = 0 then 0 else 1 + length (k / 2)
let rec repeated k step z = if k = 0 then z else repeated (k - 1) step (step z)

(* As Levels.v squares it: x is halved h times, and numbers have so many bits. *)
let enclosed x whole below precision : Core.bound =
  let whole = 2 * whole + 2 in
  let h = precision + 2 * length whole in
  let bits = precision + h + whole in
  let all = power bits and half = mul x.under (power h) and unit = power precision in
  let squared z = down (mul z z) all in
  let num = if below then
      let start = down (mul (add half x.above) all) half in
      down (mul (repeated h squared start) unit) all
    else
      let start = add (down (mul half all) (add half (opposite x.above))) one in
      let top = repeated h (fun z -> add (squared z) one) start in
      opposite (down (opposite (mul top unit)) all) in
  { num; den = unit; part = x.above; parts = x.under; halvings = nat h; bits = of_int bits }

(* The whole part of a number that is not negative, or one more than the most. *)
let most = 4096
let floor x =
  let rec go k = if k <= most && at_least x (whole (of_int (k + 1))) then go (k + 1) else k in
  go 0

let near below (level : Core.level) = match level with
  | Log (n, d) -> [fun () -> exact (fraction n d)]
  | Nats (n, d) ->
    let x = fraction n d in
    let k = floor x in
    let one_itself = if is_zero n then [fun () -> exact (whole one)] else [] in
    if k > most then
      (if below then [fun () -> enclosed (whole (of_int most)) most true 64] else [])
    else one_itself @ List.map (fun bits () -> enclosed x k below bits) [64; 160; 400; 1000]

let looked (b : Core.bound) : Core.looked =
  { much = b.part; of_it = b.parts; times_halved = b.halvings; digits = b.bits }

(* Of a bound y of e^x, or x of log y: of |x|, which is what is squared, and from which side. *)
let beside below x : Core.looked list =
  let x = if negative x.above then { x with above = opposite x.above } else x in
  let none = { (exact x) with bits = one } in
  match near below (Nats (x.above, x.under)) with
  | [] -> [looked none]
  | all -> List.map (fun bound -> looked (bound ())) all

(* --- fractions below and above the decay of noise from one step to the next --- *)

let decays (m : Core.model) bits : (unit -> Core.decay_bounds) list =
  let none = looked (exact (whole one)) in
  match m.noise with
  | Core.PerLog (n, d, a, c) ->
    let steps = down (mul m.step_of d) (mul m.query_unit n) in
    if not (less steps (of_int 1_000_000)) then [] else
      let raised x = Big_int_Z.power_big_int_positive_big_int x steps in
      let top = raised c and under = raised a in
      [fun () -> { under = top; above_it = top; over_both = under; see_under = none;
        see_above = none }]
  | Core.Just0 (n, d) ->
    let x = fraction (mul m.step_of d) (mul m.query_unit n) in
    let k = floor x in
    let bounds bits () : Core.decay_bounds =
      let low = enclosed x k true (bits + 2 * k) and high = enclosed x k false (bits + 2 * k) in
      let unit = power (bits + 2 * k) in
      { under = down (mul unit high.den) high.num;
        above_it = add (down (mul unit low.den) low.num) one; over_both = unit;
        see_under = looked high; see_above = looked low } in
    if k > most then [] else [bounds 64; bounds bits; bounds (2 * bits)]

(* --- outputs of a redaction with an extreme slope P(output | 0) : P(output | 1) --- *)

type slope = { zero : float; one : float; symbols : bool option list }
let float x = Big_int_Z.float_of_big_int x.above /. Big_int_Z.float_of_big_int x.under
let scaled s = { s with zero = s.zero /. (s.zero +. s.one); one = s.one /. (s.zero +. s.one) }

(* One more record, which shows the first symbol of these that is possible. *)
let shows order s (hide0, hide1) =
  let after = function
    | Some false -> (s.zero *. (1. -. hide0), 0.)
    | Some true -> (0., s.one *. (1. -. hide1))
    | None -> (s.zero *. hide0, s.one *. hide1) in
  let possible o = let zero, one = after o in zero +. one > 0. in
  match List.find_opt possible order with
  | Some o -> let zero, one = after o in scaled { zero; one; symbols = o :: s.symbols }
  | None -> s
let least = shows [Some true; None; Some false]
let largest = shows [Some false; None; Some true]

(* The extreme slopes of one side, whose records come nearer; a step exchanges them if it falls. *)
let side falls moved start rows =
  let step (low, high) row =
    let low = moved (least low row) and high = moved (largest high row) in
    if falls then (high, low) else (low, high) in
  List.fold_left step (start, start) rows

let worst_outputs alpha beta (first_zero, first_one) rows private_ =
  let alpha = float alpha and beta = float beta in
  let rows = List.map (fun (zero, one) -> (float zero, float one)) rows in
  let before = List.filteri (fun i _ -> i < private_ - 1) rows
  and behind = List.filteri (fun i _ -> i >= private_) rows in
  let moved a b s = scaled { s with
    zero = (1. -. alpha) *. s.zero +. a *. s.one; one = b *. s.zero +. (1. -. beta) *. s.one } in
  let falls = alpha +. beta > 1. in
  let first = { zero = float first_zero; one = float first_one; symbols = [] } in
  let left = side falls (moved beta alpha) first before in
  let even = { zero = 1.; one = 1.; symbols = [] } in
  let right = side falls (moved alpha beta) even (List.rev behind) in
  let together shown a b =
    let both = { zero = a.zero *. b.zero; one = a.one *. b.one; symbols = b.symbols } in
    List.rev_append a.symbols (shown both (List.nth rows (private_ - 1))).symbols in
  [together least (fst left) (fst right); together largest (snd left) (snd right)]
