/**
 * Runs in the page before any other script, as text: it uses nothing from outside. A form that is
 * sent before its code is there would be sent by the browser, with all that was typed, passwords
 * too, in the page's address. It is held, and sent again until its code takes it. A button that is
 * pressed, or whose shortcut is, is pressed again as soon as it has its code. A key that asks for
 * what is drawn only once it is near (`WhenSeen`) is noted there.
 */
function keepEarlyEvents(): void {
  const held = new Set<HTMLElement>()
  /** Calls `again` in a moment, and shows until then that the element is busy. */
  const hold = (element: HTMLElement, again: () => void) => {
    if (held.has(element)) return
    held.add(element)
    element.ariaBusy = 'true'
    setTimeout(() => {
      held.delete(element)
      element.ariaBusy = null
      if (element.isConnected) again()
    }, 100)
  }
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const { submitter } = event
    // Taken by code, or with an address to which the browser is meant to send it.
    if (event.defaultPrevented || form.hasAttribute('action') || submitter?.hasAttribute('formaction')) return
    event.preventDefault()
    hold(form, () => form.requestSubmit(submitter?.isConnected ? submitter : null))
  })
  /**
   * An island says when it has its code, and so does a document with all of React, which gives each
   * element that it has seen a property.
   */
  const hasCode = (button: HTMLElement): boolean => {
    const island = button.closest<HTMLElement>('[data-island]')
    if (island) return island.dataset.ready !== undefined
    if (document.documentElement.dataset.ready === undefined) return false
    return Object.keys(button).some((name) => name.startsWith('__reactProps$'))
  }
  // Not pressed again in between: a button of somebody else, as of an extension, never has this
  // page's code.
  const pressWithCode = (button: HTMLElement, tries: number) => {
    if (hasCode(button)) button.click()
    else if (tries > 0) hold(button, () => pressWithCode(button, tries - 1))
  }
  const TRIES = 600
  addEventListener('click', ({ target }) => {
    const button = (target as Element).closest?.('button')
    // What opens a popover does so without code.
    if (button?.type === 'button' && !button.popoverTargetElement && !hasCode(button)) pressWithCode(button, TRIES)
  })
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (event.defaultPrevented || event.repeat || event.isComposing) return
    if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || document.querySelector('dialog[open]')) return
    const button = document.querySelector<HTMLElement>('[aria-keyshortcuts~="Control+K"]')
    if (!button) return
    event.preventDefault()
    pressWithCode(button, TRIES)
  })
  for (const event of ['keydown', 'beforeprint'])
    addEventListener(event, () => {
      for (const place of document.querySelectorAll<HTMLElement>('[data-unseen]')) place.dataset.wanted = ''
    })
}

/** The script for the head of every page. */
export const EARLY_EVENTS_SCRIPT = `(${keepEarlyEvents})()`
