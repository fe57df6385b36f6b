/**
 * Copies with the selection, as browsers offer it over plain HTTP too. Within an open modal dialog,
 * because everything outside of it cannot be selected.
 */
function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-hidden', 'true')
  area.className = 'sr-only'
  const host = before?.closest('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}

/** The event of `window` after a text was copied by a button; its detail is the text. */
export const COPIED = 'tollgate:copied'

const writeText = (text: string): Promise<boolean> =>
  Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => copyBySelection(text),
    )

/** Copies a text; false where the browser refuses. `navigator.clipboard` is missing without TLS. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await writeText(text)
  if (isCopied) window.dispatchEvent(new CustomEvent(COPIED, { detail: text }))
  return isCopied
}
