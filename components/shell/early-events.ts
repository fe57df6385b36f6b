/**
 * Runs in the page before any other script, as text: it uses nothing from outside. A form that is
 * sent before its code is there would be sent by the browser, with all that was typed, passwords
 * too, in the page's address. It is held, and sent again until its code takes it. A key that asks
 * for what is drawn only once it is near (`WhenSeen`) is noted there.
 */
function keepEarlyEvents(): void {
  const held = new Set<HTMLFormElement>()
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const { submitter } = event
    // Taken by code, or with an address to which the browser is meant to send it.
    if (event.defaultPrevented || form.hasAttribute('action') || submitter?.hasAttribute('formaction')) return
    event.preventDefault()
    if (held.has(form)) return
    held.add(form)
    form.ariaBusy = 'true'
    setTimeout(() => {
      held.delete(form)
      form.ariaBusy = null
      if (form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null)
    }, 100)
  })
  for (const event of ['keydown', 'beforeprint'])
    addEventListener(event, () => {
      for (const place of document.querySelectorAll<HTMLElement>('[data-unseen]')) place.dataset.wanted = ''
    })
}

/** The script for the head of every page. */
export const EARLY_EVENTS_SCRIPT = `(${keepEarlyEvents})()`
