(* Certificates of leakage: frameworks, mechanisms and claims as the proved checker takes them.
   Trusted, but for what comes from Hints. *)
open Reader

(* What a certificate states, and whether the proved checker accepts it with one of some hints. *)
type claim = { statement : string; tries : (unit -> bool) list }

let nat = Hints.nat

let counted entries noun =
  Printf.sprintf "%d %s%s" (List.length entries) noun (if List.length entries = 1 then "" else "s")

let level node : Core.level * string =
  let ratio form value =
    let x = number value in
    let smallest = if form = "log" then Numbers.one else Numbers.zero in
    require (Numbers.at_least x (Numbers.whole smallest)) "a level is negative";
    (x, Printf.sprintf "%s(%s)" form (show_number x)) in
  match node with
  | Object ["log", value] -> let x, name = ratio "log" value in (Log (x.above, x.under), name)
  | Object ["nats", value] -> let x, name = ratio "nats" value in (Nats (x.above, x.under), name)
  | _ -> refuse "expected a level, log or nats"

(* --- frameworks --- *)

type space = { framework : Core.framework; databases : string list; secrets : string list;
  priors : string list; live : bool array; over : string }

(* Pairs of different secrets without a database in common, each once. *)
let pairs_of node names held =
  let count = Array.length held in
  let overlap i j = Array.exists Fun.id (Array.map2 (&&) held.(i) held.(j)) in
  match node with
  | Text "disjoint" ->
    require (count * (count - 1) / 2 <= 1_000_000) "over 1,000,000 pairs";
    let after i = List.init (count - i - 1) (fun k -> (i, i + 1 + k)) in
    let all = List.concat_map after (List.init count Fun.id) in
    List.filter (fun (i, j) -> not (overlap i j)) all
  | node ->
    let secret = place "secret" names in
    let pair entry = match labels "a secret of a pair" entry with
      | [s; t] ->
        let i = secret s and j = secret t in
        require (not (overlap i j)) "secrets of a pair have a database in common";
        (min i j, max i j)
      | _ -> refuse "expected pairs of two secrets" in
    List.sort_uniq compare (List.map pair (entries node))

let space node =
  let part = fields ["databases"; "secrets"; "pairs"; "priors"; "closure"] node in
  let databases = labels "a database" (part "databases") in
  let count = List.length databases in
  require (0 < count && count <= 1_000_000) "expected 1 to 1,000,000 databases";
  let database = place "database" databases in
  let secret (_, node) =
    let held = Array.make count false in
    List.iter (fun x -> held.(database x) <- true) (labels "a database" node);
    require (Array.mem true held) "a secret is empty";
    held in
  let prior (_, node) =
    let law = Array.make count (Numbers.whole Numbers.zero) in
    List.iter (fun (x, value) -> law.(database x) <- number value) (members node);
    Array.to_list law in
  let secrets = members (part "secrets") and priors = members (part "priors") in
  let names = List.map fst secrets and held = Array.of_list (List.map secret secrets) in
  let pairs = pairs_of (part "pairs") names held and laws = List.map prior priors in
  let unit = Numbers.unit_of (List.concat laws) in
  let convex = match part "closure" with
    | Text "convex" -> true | Text "list" -> false | _ -> refuse "unknown closure" in
  let live = Array.make count false in
  let mark law = List.iteri (fun i (x : Numbers.fraction) ->
    if not (Numbers.is_zero x.above) then live.(i) <- true) law in
  List.iter mark laws;
  let framework : Core.framework = { size0 = nat count; convex; prior_unit = unit;
    secrets = List.map Array.to_list (Array.to_list held);
    pairs = List.map (fun (i, j) -> (nat i, nat j)) pairs;
    priors = List.map (Numbers.over unit) laws } in
  let over = Printf.sprintf "%s%s and %s of secrets in both orders" (counted priors "prior")
    (if convex then ", their mixtures," else "") (counted pairs "pair") in
  { framework; databases; secrets = names; priors = List.map fst priors; live; over }

(* --- mechanisms --- *)

type rows = { outputs : string list; table : Numbers.fraction list list }

(* A database without a row, which no prior makes possible, is given any law. *)
let mechanism space node =
  let part = fields ["outputs"; "channel"] node in
  let outputs = labels "an output" (part "outputs") in
  require (outputs <> []) "a mechanism without outputs";
  let known = place "database" space.databases in
  let found = Array.make (List.length space.databases) None in
  let row (x, node) = found.(known x) <- Some (List.map number (entries node)) in
  List.iter row (members (part "channel"));
  let any = List.mapi (fun i _ -> Numbers.(whole (if i = 0 then one else zero))) outputs in
  let row i = function
    | Some row -> row
    | None -> require (not space.live.(i)) "a row is missing"; any in
  { outputs; table = List.mapi row (Array.to_list found) }

let over_one m : Core.mechanism =
  let unit = Numbers.unit_of (List.concat m.table) in
  { outputs = nat (List.length m.outputs); row_unit = unit;
    rows = List.map (Numbers.over unit) m.table }
let over_own m = List.map (fun row ->
  let unit = Numbers.unit_of row in (unit, Numbers.over unit row)) m.table

(* Tables of a joint release are written out; only so large ones are checked. *)
let check_size space ms order =
  let wide = List.fold_left (fun n i ->
    min 100_000_000 (n * List.length (List.nth ms i).outputs)) 1 order in
  if List.length order > 1 && wide * List.length space.databases > 10_000_000 then
    raise (No_answer "too large: a joint release of over 10,000,000 entries")

(* Above three secrets every row keeps a unit of its own, which is faster. *)
let released space ms order joint : Core.released =
  if joint then
    let all = List.map over_one ms in
    Several (List.map (List.nth all) order)
  else match ms with
    | [m] when (not space.framework.convex) && List.length space.secrets > 3 ->
      Table (nat (List.length m.outputs), over_own m)
    | [m] -> One (over_one m)
    | _ -> refuse "expected one mechanism"

(* --- inputs: hashes of files, which are not compared here --- *)

let digest = function
  | Null -> ()
  | node ->
    let text = label node in
    let hexadecimal = function '0' .. '9' | 'a' .. 'f' -> true | _ -> false in
    let known = String.length text = 71 && String.sub text 0 7 = "sha256:" &&
      String.for_all hexadecimal (String.sub text 7 64) in
    require known "expected sha256: and 64 hexadecimal digits"

(* Say whose rows were divided by their sums. *)
let inputs node count =
  let part = fields ["framework"; "mechanisms"; "normalized"] node in
  let hashes = entries (part "mechanisms") and flags = entries (part "normalized") in
  let complete = List.length hashes = count && List.length flags = count in
  require complete "inputs of another number of mechanisms";
  List.iter digest (part "framework" :: hashes);
  let divided i = function
    | Bool true -> Printf.sprintf "; rows of mechanism %d divided by their sums" (i + 1)
    | Bool false -> ""
    | _ -> refuse "expected true or false" in
  String.concat "" (List.mapi divided flags)

(* --- places --- *)

type spot = { where : Core.location; name : string }
let located prior (first, second) at name =
  let where : Core.location = { prior_named = prior; first_secret = nat first;
    second_secret = nat second; outputs_named = List.map nat at } in
  { where; name }
let nowhere = located (Core.Listed (nat 0)) (0, 0) [] ""

let prior space node : Core.chosen = match node with
  | Text name when not space.framework.convex -> Listed (nat (place "prior" space.priors name))
  | node ->
    let weights = match node with
      | Text name -> [name, Text "1"]
      | node -> members (fields ["mixture"] node "mixture") in
    require space.framework.convex "a mixture, but the closure is list";
    List.iter (fun (name, _) -> ignore (place "prior" space.priors name)) weights;
    let weight name = match List.assoc_opt name weights with
      | Some value -> number value | None -> Numbers.(whole zero) in
    let law = List.map weight space.priors in
    let unit = Numbers.unit_of law in
    Mixed (unit, Numbers.over unit law)

let spot space part names at =
  let pair = labels "a secret" (part "pair") in
  let secrets = match List.map (place "secret" space.secrets) pair with
    | [i; j] -> (i, j) | _ -> refuse "expected two secrets" in
  let show_all l = List (List.map (fun name -> Text name) l) in
  let name = show (List [part "prior"; show_all pair; show_all names]) in
  located (prior space (part "prior")) secrets at name

(* --- claims --- *)

let keys kind joint =
  let place = ["prior"; "pair"; if joint then "outputs" else "output"] in
  let extra = if joint then ["releases"] else [] in
  extra @ match kind with
  | "leakage-at-most" | "joint-leakage-at-most" -> ["level"; "attained"]
  | "leakage-witness" | "joint-leakage-witness" -> "exceeds" :: place
  | "delta-at-most" -> ["level"; "delta"]
  | _ -> ["level"; "delta"; "prior"; "pair"; "outputs"]

let releases part joint count =
  let listed () = List.map (Reader.count 1_000_000) (entries (part "releases")) in
  let order = if joint then listed () else [0] in
  let all = List.sort_uniq compare order = List.init count Fun.id in
  require all "expected releases of all mechanisms";
  let few = (not joint) || (2 <= List.length order && List.length order <= 100) in
  require few "expected 2 to 100 releases";
  order

(* One output for each release. *)
let named ms order joint part =
  let listed () = List.map label (entries (part "outputs")) in
  let names = if joint then listed () else [label (part "output")] in
  require (List.length names = List.length order) "expected one output for each release";
  let output i name = place "output" (List.nth ms i).outputs name in
  (names, List.map2 output order names)

let some_of ms part =
  let names = labels "an output" (part "outputs") in
  require (names <> []) "expected an output";
  (names, List.map (place "output" (List.hd ms).outputs) names)

let check kind top =
  let part = fields ["format"; "kind"; "framework"; "mechanisms"; "inputs"; "claim"] top in
  let joint = String.length kind > 6 && String.sub kind 0 6 = "joint-" in
  let claim = fields (keys kind joint) (part "claim") in
  let space = space (part "framework") in
  let ms = List.map (mechanism space) (entries (part "mechanisms")) in
  let rows = inputs (part "inputs") (List.length ms) in
  let order = releases claim joint (List.length ms) in
  check_size space ms order;
  let released = released space ms order joint in
  let numbers = String.concat ", " (List.map (fun i -> string_of_int (i + 1)) order) in
  let spoken = if joint then "mechanisms " ^ numbers ^ " together" else "the mechanism" in
  let said what = Printf.sprintf "the leakage of %s over %s is %s%s" spoken space.over what rows in
  let asked outcome below e spot what =
    let attempt bound () = Core.check space.framework released outcome spot.where (bound ()) in
    { statement = said what; tries = List.map attempt (Hints.near below e) } in
  let spot part (names, at) = spot space part names at in
  let delta () =
    let x = number (claim "delta") in
    let between = Numbers.(at_least x (whole zero) && at_least (whole one) x) in
    require between "delta: expected a number from 0 to 1";
    (x, " up to delta " ^ show_number x) in
  match kind with
  | "leakage-at-most" | "joint-leakage-at-most" ->
    let e, name = level (claim "level") in
    (match claim "attained" with
     | Null -> asked (AtMost e) true e nowhere ("at most " ^ name)
     | node ->
       let part = fields ["prior"; "pair"; if joint then "outputs" else "output"] node in
       let spot = spot part (named ms order joint part) in
       asked (Equals e) true e spot ("equal to " ^ name ^ ", attained at " ^ spot.name))
  | "leakage-witness" | "joint-leakage-witness" ->
    let spot = spot claim (named ms order joint claim) in
    if claim "exceeds" = Text "inf" then
      asked Infinite true (Log (Numbers.one, Numbers.one)) spot ("infinite, at " ^ spot.name)
    else
      let e, name = level (claim "exceeds") in
      asked (Above e) false e spot ("more than " ^ name ^ ", at " ^ spot.name)
  | "delta-at-most" ->
    let e, name = level (claim "level") and d, up_to = delta () in
    asked (DeltaAtMost (e, d.above, d.under)) true e nowhere ("at most " ^ name ^ up_to)
  | _ ->
    let e, name = level (claim "level") and d, up_to = delta () in
    let spot = spot claim (some_of ms claim) in
    asked (DeltaAbove (e, d.above, d.under)) false e spot
      ("more than " ^ name ^ up_to ^ ", at " ^ spot.name)
