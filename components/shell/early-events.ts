/**
 * Runs in the page before any other script, as text: it uses nothing from outside.
 *
 * A form that is sent before its code is there would be sent by the browser, with all that was
 * typed, passwords too, in the page's address. It is held, and sent again until its code takes it.
 * A button that is pressed early is pressed again once something listens. The key of the search
 * presses its button. A key that asks for what is drawn only once it is near (`WhenSeen`) is noted
 * there.
 */
function keepEarlyEvents(): void {
  const RETRY_MS = 100
  /** How often it is looked whether something listens to a button. */
  const MAX_LOOKS = 300
  const held = new Set<HTMLElement>()
  const letGo = (element: HTMLElement): boolean => {
    const wasHeld = held.delete(element)
    if (wasHeld) element.ariaBusy = null
    return wasHeld
  }
  /** Calls `again` in a moment, and shows until then that the element is busy. */
  const hold = (element: HTMLElement, again: () => void) => {
    if (held.has(element)) return
    held.add(element)
    element.ariaBusy = 'true'
    setTimeout(() => {
      if (letGo(element) && element.isConnected) again()
    }, RETRY_MS)
  }

  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const { submitter } = event
    // Its code took it: it is not sent again.
    if (event.defaultPrevented) return void letGo(form)
    // With an address to which the browser is meant to send it.
    if (form.hasAttribute('action') || submitter?.hasAttribute('formaction')) return
    event.preventDefault()
    hold(form, () => form.requestSubmit(submitter?.isConnected ? submitter : null))
  })

  /** An island of a public page says when it has its code; React marks the document. */
  const hasListener = (button: HTMLElement): boolean =>
    button.closest<HTMLElement>('[data-island]')?.dataset.ready !== undefined ||
    Object.keys(document).some((name) => name.startsWith('_reactListening'))
  // Pressed only once something listens: a button of somebody else, as of an extension, acts twice
  // otherwise.
  const pressLater = (button: HTMLElement, looks = MAX_LOOKS) =>
    hold(button, () => {
      if (hasListener(button)) button.click()
      else if (looks > 0) pressLater(button, looks - 1)
    })
  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      const button = (target as Element).closest?.('button')
      // What opens a popover does so without code.
      if (button?.type !== 'button' || button.popoverTargetElement) return
      if (!hasListener(button)) return pressLater(button)
      // Somebody presses again what is about to be: once is enough.
      if (isTrusted) letGo(button)
      // React stops events of parts that wait for their code before they arrive.
      let hasArrived = false
      const arrive = () => {
        hasArrived = true
      }
      button.addEventListener('click', arrive, { capture: true, once: true })
      setTimeout(() => {
        button.removeEventListener('click', arrive, { capture: true })
        if (!hasArrived && button.isConnected) pressLater(button)
      })
    },
    { capture: true },
  )
  const pressSearch = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (event.repeat || event.isComposing || altKey || ctrlKey === metaKey || key.toLowerCase() !== 'k') return
    const button = document.querySelector<HTMLElement>('[aria-keyshortcuts~="Control+K"]')
    if (!button || document.querySelector('dialog[open]')) return
    event.preventDefault()
    button.click()
  }
  addEventListener('keydown', pressSearch, { capture: true })
  for (const event of ['keydown', 'beforeprint'])
    addEventListener(
      event,
      () => {
        for (const place of document.querySelectorAll<HTMLElement>('[data-unseen]')) place.dataset.wanted = ''
      },
      { capture: true },
    )
}

/** The script for the head of every page. */
export const EARLY_EVENTS_SCRIPT = `(${keepEarlyEvents})()`
