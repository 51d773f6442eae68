/* What the theme leaves to a mouse: parts that scroll sideways are reached by keyboard, and each
   button that copies says what, in no landmark of its own. */
(function () {
  const parts = ".md-typeset pre > code, .md-typeset__scrollwrap"
  function reachable() {
    for (const part of document.querySelectorAll(parts)) {
      if (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight) part.tabIndex = 0
      else part.removeAttribute("tabindex")
    }
  }
  function named() {
    for (const menu of document.querySelectorAll(".md-code__nav:not([role])")) {
      menu.setAttribute("role", "none")
      const lines = menu.closest("pre").querySelector("code").textContent.trim().split("\n")
      const first = lines[0].replace(/^(\$|>>>) /, "")
      const number = [...document.querySelectorAll("pre")].indexOf(menu.closest("pre")) + 1
      for (const button of menu.querySelectorAll("button"))
        button.setAttribute("aria-label", `${button.title}, block ${number}: ${first}`)
    }
  }
  const all = () => (reachable(), named())
  document.addEventListener("DOMContentLoaded", () => {
    all()
    new MutationObserver(all).observe(document.body, { childList: true, subtree: true })
    new ResizeObserver(reachable).observe(document.body)
    document.fonts.ready.then(reachable)
  })
})()
