(* Certificates about real numbers: consequences of linear inequalities, optima of linear programs,
   bounds of e^q and log q. Trusted, but for multipliers and the place of an optimum: hints. *)
open Reader

let sign = function
  | "<=" -> Core.UpTo | "<" -> Core.Below | "=" -> Core.Exactly | ">=" -> Core.From
  | _ -> refuse "unknown relation"

(* A row over integers: times its unit, which is positive. *)
type row = { unit : Numbers.z; row : Core.inequality }
let row coefficients relation limit =
  let unit = Numbers.unit_of (limit :: coefficients) in
  match Numbers.over unit (limit :: coefficients) with
  | limit :: coefficients -> { unit; row = { coefficients; compared = sign relation; limit } }
  | [] -> assert false

(* A multiplier of a row, for the row over integers. *)
let of_row y r = Numbers.(times y (fraction one r.unit))

let cut_after most text joint shown =
  let more = List.length shown - most in
  let first = List.filteri (fun i _ -> i < most) shown in
  String.concat joint (if more > 0 then first @ [text more] else first)

(* --- farkas --- *)

let name text =
  let start = function 'a' .. 'z' | 'A' .. 'Z' | '_' -> true | _ -> false in
  let inner c = start c || (c >= '0' && c <= '9') in
  let short = text <> "" && String.length text <= 50 in
  let known = short && start text.[0] && String.for_all inner text in
  require known "expected names of letters, digits and _";
  text

let plain x =
  if Numbers.long 512 x then "(a long number)"
  else match Numbers.shown x with
    | Some text -> if Numbers.negative x.above then "(" ^ text ^ ")" else text
    | None -> "(a long number)"
let cut joint = cut_after 20 (Printf.sprintf "... %d more") joint

let read_row names allowed coefficients limit relation =
  let coefficients = List.map number (entries coefficients) and limit = number limit in
  require (List.length coefficients = List.length names) "expected one number for each variable";
  let relation = label relation in
  require (List.mem relation allowed) "unknown relation";
  let terms = List.map2 (fun c name -> plain c ^ " " ^ name) coefficients names in
  let left = if terms = [] then "0" else cut " + " terms in
  (row coefficients relation limit, Printf.sprintf "%s %s %s" left relation (plain limit))

let farkas top : Leakage.claim =
  let claim = fields ["variables"; "rows"; "conclusion"; "multipliers"]
    (fields ["format"; "kind"; "claim"] top "claim") in
  let names = List.map name (labels "a variable" (claim "variables")) in
  let read node = match entries node with
    | [coefficients; limit; relation] ->
      read_row names ["<="; "<"; "="] coefficients limit relation
    | _ -> refuse "expected rows of three" in
  let rows = List.map read (entries (claim "rows")) in
  let conclusion = match claim "conclusion" with
    | Null -> None
    | node ->
      let part = fields ["row"; "bound"; "relation"] node in
      Some (read_row names ["<="; "<"] (part "row") (part "bound") (part "relation")) in
  let ys = List.map number (entries (claim "multipliers")) in
  require (List.length ys = List.length rows) "expected one multiplier for each row";
  let some = List.exists (fun (y : Numbers.fraction) -> not (Numbers.is_zero y.above)) ys in
  require some "nothing was checked: all multipliers are 0";
  (* the sum of rows over integers is the conclusion's, over 1 in place of its unit *)
  let over_row y (r, _) = of_row y r in
  let goal = match conclusion with
    | Some (r, _) -> of_row Numbers.(whole one) r | None -> Numbers.(whole one) in
  let all = goal :: List.map2 over_row ys rows in
  let hints = Numbers.over (Numbers.unit_of all) all in
  let given = cut " and " (List.map snd rows) in
  let start = if names = [] then "" else Printf.sprintf "for all real %s: " (cut ", " names) in
  let statement = start ^ match conclusion with
    | None -> "never " ^ given
    | Some (_, proved) -> if rows = [] then proved else "if " ^ given ^ " then " ^ proved in
  let conclusion = Option.map (fun (r, _) -> r.row) conclusion in
  let attempt () = Core.check_follows (List.map (fun (r, _) -> r.row) rows) conclusion
    (List.tl hints) (List.hd hints) in
  { statement; tries = [attempt] }

(* --- exp-enclosure --- *)

let enclosure top : Leakage.claim =
  let node = fields ["format"; "kind"; "claim"] top "claim" in
  let log = List.mem_assoc "log_of" (members node) in
  let key = if log then "log_of" else "exponent" in
  let claim = fields [key; "lower"; "upper"] node in
  let q = number (claim key) in
  let positive = Numbers.(less zero q.above) in
  require (positive || not log) "only a positive number has a logarithm";
  let bound side = match claim side with Null -> None | node -> Some (number node) in
  let lower = bound "lower" and upper = bound "upper" in
  require (lower <> None || upper <> None) "nothing was checked: there are no bounds";
  let said sign = function
    | None -> []
    | Some x ->
      [Printf.sprintf "%s(%s) %s %s" (if log then "log" else "e^") (plain q) sign (plain x)] in
  let pair (x : Numbers.fraction) = (x.above, x.under) in
  (* what is an exponent, and whether it is to be bounded from below *)
  let hints is_lower = function
    | None -> Hints.beside true q
    | Some bound ->
      let x = if log then bound else q in
      Hints.beside (is_lower <> log <> Numbers.negative x.above) x in
  let attempt k k' () = Core.check_bounds log q.above q.under (Option.map pair lower)
    (Option.map pair upper) k k' in
  let with_lower k = List.map (attempt k) (hints false upper) in
  { statement = String.concat " and " (said ">=" lower @ said "<=" upper);
    tries = List.concat_map with_lower (hints true lower) }

(* --- lp-optimum --- *)

let most = 20
let terms form =
  let shown = List.map (fun (name, c) -> show_number c ^ " " ^ show (Text name)) form in
  if form = [] then "0" else cut_after most (Printf.sprintf "... %d more") " + " shown

(* Numbers of some variables; what is left out is 0. *)
let vector known node =
  let form = List.map (fun (name, c) -> (name, number c)) (members node) in
  List.iter (fun (name, _) -> ignore (known name)) form;
  form
let dense names form =
  let found = Hashtbl.create 64 in
  List.iter (fun (name, c) -> Hashtbl.add found name c) form;
  let value name = Option.value (Hashtbl.find_opt found name) ~default:Numbers.(whole zero) in
  List.map value names

let limits names free rows =
  let said = List.map snd rows in
  let given = List.filteri (fun i _ -> i < most) said in
  let more = List.length rows - most in
  let left = if more > 0 then [Printf.sprintf "... %d more rows" more] else [] in
  let others = cut_after most (Printf.sprintf "... %d more") ", "
    (List.map (fun name -> show (Text name)) free) in
  let signed = if List.length free = List.length names then []
    else if free = [] then ["all >= 0"] else ["all but " ^ others ^ " >= 0"] in
  match given @ left @ signed with [] -> "nothing" | all -> String.concat " and " all

let optimum top : Leakage.claim =
  let claim = fields ["variables"; "free"; "objective"; "rows"; "primal"; "dual"; "value"]
    (fields ["format"; "kind"; "claim"] top "claim") in
  let names = labels "a variable" (claim "variables") in
  require (names <> []) "nothing was checked: there are no variables";
  let known = place "variable" names in
  let free = labels "a variable" (claim "free") in
  let is_free = Array.make (List.length names) false in
  List.iter (fun name -> is_free.(known name) <- true) free;
  let objective = vector known (claim "objective") and primal = vector known (claim "primal") in
  let value = number (claim "value") in
  let read node =
    let part = fields ["coefficients"; "relation"; "bound"] node in
    let form = vector known (part "coefficients") and limit = number (part "bound") in
    let relation = label (part "relation") in
    require (List.mem relation ["<="; "="; ">="]) "unknown relation";
    (row (dense names form) relation limit,
     Printf.sprintf "%s %s %s" (terms form) relation (show_number limit)) in
  let rows = List.map read (entries (claim "rows")) in
  let ys = List.map number (entries (claim "dual")) in
  require (List.length ys = List.length rows) "expected one multiplier for each row";
  (* the objective and its value times one unit *)
  let best = dense names objective in
  let unit = Numbers.unit_of best in
  let scaled = Numbers.(times value (whole unit)) in
  let place_ = dense names primal in
  let place_unit = Numbers.unit_of place_ in
  let all = Numbers.(fraction one unit) :: List.map2 (fun y (r, _) -> of_row y r) ys rows in
  let hints = Numbers.over (Numbers.unit_of all) all in
  let attempt () = Core.check_optimum (Array.to_list is_free) (List.map (fun (r, _) -> r.row) rows)
    (Numbers.over unit best) scaled.above scaled.under (Numbers.over place_unit place_) place_unit
    (List.tl hints) (List.hd hints) in
  { statement = Printf.sprintf "the maximum of %s subject to %s is %s" (terms objective)
      (limits names free rows) (show_number value);
    tries = [attempt] }
