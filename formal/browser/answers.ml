(* What a page calls: pufferproofVerify(bytes of a certificate) answers as the native command does;
   pufferproofClaim is what may be claimed of an answer. *)
open Js_of_ocaml

let judged text =
  match Certificate.check text with
  | statement -> "accepted: " ^ statement
  | exception Reader.Refused why -> "refused: " ^ why
  | exception Reader.No_answer why -> "no answer: " ^ why
  | exception error -> "no answer: " ^ Printexc.to_string error

let () = Js.export "pufferproofClaim" (Js.string Built.claim)
let () = Js.export "pufferproofVerify"
  (Js.wrap_callback (fun bytes -> Js.string (judged (Js.to_bytestring bytes))))
