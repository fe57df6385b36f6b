/**
 * Scrolls the frame of a list of links so that the link to a path is in it. Not scrollIntoView,
 * which would scroll the page as well.
 */
export function showCurrentLink(list: HTMLElement, path: string): void {
  const current = list.querySelector<HTMLElement>(`a[href="${path}"]`)
  const frame = list.parentElement
  if (!current || !frame) return
  const isInView = current.offsetTop + current.clientHeight < frame.clientHeight
  frame.scrollTop = isInView ? 0 : current.offsetTop - frame.clientHeight / 2
}
