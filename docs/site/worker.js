/* Search of pages that are opened from a folder, where browsers allow no workers: the worker's script
   runs in a hidden frame instead. Loaded before the theme's own script. */
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      const inside = (this.inside = frame.contentWindow)
      this.ready = new Promise(done => (this.loaded = done))
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        this.onmessage?.(event)
      }
      inside.importScripts = () => undefined
      const script = inside.document.createElement("script")
      script.src = url
      script.onload = () => this.loaded()
      inside.document.body.appendChild(script)
    }

    postMessage(data) {
      this.ready.then(() =>
        this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }))
      )
    }

    terminate() {}
  }
