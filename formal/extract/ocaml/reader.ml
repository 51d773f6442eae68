(* JSON, and what stands in it: keys, labels, exact numbers; and how these are put in words.
   Trusted: what is read here is what the proved checker is asked about. *)

type json = Null | Bool of bool | Number of string | Text of string | List of json list
  | Object of (string * json) list

exception Refused of string
exception No_answer of string (* neither accepted nor refused *)

let refuse what = raise (Refused what)
let require ok what = if not ok then refuse what

(* --- JSON in UTF-8: no key twice, and numbers stay texts --- *)

let unreadable at = raise (No_answer (Printf.sprintf "no JSON in UTF-8: byte %d" at))

(* How many bytes follow the first one of a character, and between which the second one is. *)
let following at = function
  | '\x00' .. '\x7F' -> (0, 0, 0)
  | '\xC2' .. '\xDF' -> (1, 0x80, 0xBF)
  | '\xE0' -> (2, 0xA0, 0xBF)
  | '\xED' -> (2, 0x80, 0x9F)
  | '\xE1' .. '\xEF' -> (2, 0x80, 0xBF)
  | '\xF0' -> (3, 0x90, 0xBF)
  | '\xF1' .. '\xF3' -> (3, 0x80, 0xBF)
  | '\xF4' -> (3, 0x80, 0x8F)
  | _ -> unreadable at

let check_characters s =
  let between at low high =
    let inside = at < String.length s && low <= Char.code s.[at] && Char.code s.[at] <= high in
    if not inside then unreadable at in
  let rec go at = if at < String.length s then begin
    let count, low, high = following at s.[at] in
    if count > 0 then between (at + 1) low high;
    for k = 2 to count do between (at + k) 0x80 0xBF done;
    go (at + 1 + count) end in
  go 0

let half_a_character () = raise (No_answer "a text with half a character")
let character into code = Buffer.add_utf_8_uchar into (Uchar.of_int code)

let parse (s : string) : json =
  check_characters s;
  let at = ref 0 in
  let next () = if !at < String.length s then s.[!at] else '\000' in
  let take c = if !at < String.length s && s.[!at] = c then incr at else unreadable !at in
  let rec skip () = match next () with ' ' | '\n' | '\t' | '\r' -> incr at; skip () | _ -> () in
  let word w value = String.iter take w; value in
  let hexadecimal () =
    let digit _ = match next () with
      | '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' as c -> incr at; String.make 1 c
      | _ -> unreadable !at in
    int_of_string ("0x" ^ String.concat "" (List.map digit [1; 2; 3; 4])) in
  let escaped into =
    let c = next () in
    incr at;
    match c with
    | '"' | '\\' | '/' -> Buffer.add_char into c
    | 'b' -> Buffer.add_char into '\b'
    | 'f' -> Buffer.add_char into '\012'
    | 'n' -> Buffer.add_char into '\n'
    | 'r' -> Buffer.add_char into '\r'
    | 't' -> Buffer.add_char into '\t'
    | 'u' ->
      let half start code = if code land 0xFC00 <> start then half_a_character () in
      let first = hexadecimal () in
      if first < 0xD800 || first >= 0xE000 then character into first else begin
        half 0xD800 first;
        if next () <> '\\' then half_a_character ();
        take '\\'; take 'u';
        let second = hexadecimal () in
        half 0xDC00 second;
        character into (0x10000 + ((first land 0x3FF) lsl 10) + (second land 0x3FF)) end
    | _ -> unreadable !at in
  let text () =
    take '"';
    let into = Buffer.create 16 in
    while next () <> '"' do
      let c = next () in
      if c < ' ' then unreadable !at;
      incr at;
      if c = '\\' then escaped into else Buffer.add_char into c
    done;
    take '"';
    Buffer.contents into in
  let digits () =
    let start = !at in
    while next () >= '0' && next () <= '9' do incr at done;
    if !at = start then unreadable !at in
  let number () =
    let start = !at in
    if next () = '-' then incr at;
    if next () = '0' then incr at else digits ();
    if next () = '.' then (incr at; digits ());
    if next () = 'e' || next () = 'E' then begin
      incr at;
      if next () = '+' || next () = '-' then incr at;
      digits () end;
    Number (String.sub s start (!at - start)) in
  let separated last element =
    incr at; skip ();
    let rec more found =
      let found = element () :: found in
      skip ();
      if next () = ',' then (incr at; skip (); more found) else (take last; List.rev found) in
    if next () = last then (incr at; []) else more [] in
  let rec value depth =
    require (depth < 100) "nested too deeply";
    skip ();
    match next () with
    | '{' ->
      let known = Hashtbl.create 16 in
      Object (separated '}' (fun () ->
        let key = text () in
        require (not (Hashtbl.mem known key)) "a key occurs twice";
        Hashtbl.add known key ();
        skip (); take ':';
        (key, value (depth + 1))))
    | '[' -> List (separated ']' (fun () -> value (depth + 1)))
    | '"' -> Text (text ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ -> number () in
  let top = value 0 in
  skip ();
  if !at < String.length s then unreadable !at;
  top

(* --- what stands in it --- *)

let members = function Object l -> l | _ -> refuse "expected an object"
let entries = function List l -> l | _ -> refuse "expected a list"
let label = function Text s -> s | _ -> refuse "expected a text"

let different what names =
  require (List.length (List.sort_uniq compare names) = List.length names) (what ^ " occurs twice");
  names
let labels what node = different what (List.map label (entries node))

(* The entries of an object that has exactly these keys. *)
let fields keys node =
  let found = members node in
  let expected = "expected the keys " ^ String.concat " " keys in
  require (List.sort compare (List.map fst found) = List.sort compare keys) expected;
  fun key -> List.assoc key found

let place what names =
  let known = Hashtbl.create 64 in
  List.iteri (fun i name -> Hashtbl.add known name i) names;
  fun name -> match Hashtbl.find_opt known name with
    | Some i -> i
    | None -> refuse (Printf.sprintf "%s %S is unknown" what name)

(* A JSON number of 1 to 9 digits, at most the largest. *)
let count largest = function
  | Number s when String.length s <= 9 && String.for_all (fun c -> c >= '0' && c <= '9') s ->
    let n = int_of_string s in
    require (n <= largest) "a number is too large";
    n
  | _ -> refuse "expected a number of 1 to 9 digits"

(* -?D+, -?D+/D+ or -?D+.D+, the first and the last with an exponent of at most 4 digits. *)
let number node : Numbers.fraction =
  let s = match node with Text s | Number s -> s | _ -> refuse "expected a number" in
  require (String.length s <= 100_000) "a number of over 100,000 characters";
  let at = ref 0 in
  let found c = !at < String.length s && s.[!at] = c && (incr at; true) in
  let digits () =
    let start = !at in
    while !at < String.length s && s.[!at] >= '0' && s.[!at] <= '9' do incr at done;
    require (!at > start) "expected a number";
    String.sub s start (!at - start) in
  let minus = found '-' in
  let first = digits () in
  let size =
    if found '/' then begin
      let under = Numbers.of_digits (digits ()) in
      require (not (Numbers.is_zero under)) "a denominator is 0";
      Numbers.fraction (Numbers.of_digits first) under end
    else begin
      let decimals = if found '.' then digits () else "" in
      let exponent = if found 'e' || found 'E' then begin
        let down = found '-' in
        if not down then ignore (found '+');
        let power = digits () in
        require (String.length power <= 4) "an exponent of over 4 digits";
        if down then - int_of_string power else int_of_string power end else 0 in
      let power = exponent - String.length decimals in
      let all = Numbers.of_digits (first ^ decimals) in
      if power >= 0 then Numbers.whole (Numbers.mul all (Numbers.ten power))
      else Numbers.fraction all (Numbers.ten (- power)) end in
  require (!at = String.length s) "expected a number";
  if minus then { size with above = Numbers.opposite size.above } else size

(* --- in words, as the kernel says it --- *)

let cut text =
  let length = String.length text in
  if length <= 200 then text
  else Printf.sprintf "%s... (%d characters)" (String.sub text 0 200) length

let show_number x =
  match Numbers.shown x with Some text -> cut text | None -> "a very long number"

let escaped into = function
  | 0x22 -> Buffer.add_string into "\\\""
  | 0x5C -> Buffer.add_string into "\\\\"
  | 0x08 -> Buffer.add_string into "\\b"
  | 0x09 -> Buffer.add_string into "\\t"
  | 0x0A -> Buffer.add_string into "\\n"
  | 0x0C -> Buffer.add_string into "\\f"
  | 0x0D -> Buffer.add_string into "\\r"
  | code when 0x20 <= code && code < 0x7F -> Buffer.add_char into (Char.chr code)
  | code when code < 0x10000 -> Printf.bprintf into "\\u%04x" code
  | code ->
    let above = code - 0x10000 in
    Printf.bprintf into "\\u%04x\\u%04x" (0xD800 + (above lsr 10)) (0xDC00 + (above land 0x3FF))

let quoted text =
  let into = Buffer.create 16 in
  let rec go at = if at < String.length text then begin
    let count, _, _ = following at text.[at] in
    let first = Char.code text.[at] in
    let code = ref (if count = 0 then first else first land (0x3F lsr count)) in
    for k = 1 to count do code := (!code lsl 6) lor (Char.code text.[at + k] land 0x3F) done;
    escaped into !code;
    go (at + 1 + count) end in
  go 0;
  "\"" ^ Buffer.contents into ^ "\""

let rec json_text = function
  | Null -> "null"
  | Bool b -> string_of_bool b
  | Number s | Text s -> quoted s
  | List l -> "[" ^ String.concat ", " (List.map json_text l) ^ "]"
  | Object l ->
    "{" ^ String.concat ", " (List.map (fun (k, v) -> quoted k ^ ": " ^ json_text v) l) ^ "}"
let show node = cut (json_text node)
