(* The command: verified CERTIFICATE... Exit codes: 0 all accepted, 1 one refused, 2 no answer. *)

let usage = "usage: verified CERTIFICATE..."

let contents path =
  let file = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in file)
    (fun () -> really_input_string file (in_channel_length file))

let judged path =
  match Certificate.check (contents path) with
  | statement -> (0, "accepted: " ^ statement)
  | exception Reader.Refused why -> (1, "refused: " ^ why)
  | exception Reader.No_answer why -> (2, "no answer: " ^ why)
  | exception error -> (2, "no answer: " ^ Printexc.to_string error)

(* Answers of several certificates begin with their paths. *)
let () =
  let words = List.tl (Array.to_list Sys.argv) in
  match words with
  | [] -> prerr_endline usage; exit 2
  | ["--help"] | ["--version"] -> print_endline (usage ^ "\n\n" ^ Built.claim)
  | paths ->
    let answer path =
      let code, text = judged path in
      print_endline (if List.length paths > 1 then path ^ ": " ^ text else text);
      code in
    exit (List.fold_left (fun worst path -> max worst (answer path)) 0 paths)
