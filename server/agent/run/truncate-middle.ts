/** A text without its middle, with a note of how much was left out. */
export function truncateMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = Math.ceil(maxChars * 0.7)
  const tail = maxChars - head
  const left = text.length - head - tail
  return `${text.slice(0, head).toWellFormed()}\n[… ${left} characters left out: the whole result is kept with the run …]\n${text.slice(text.length - tail).toWellFormed()}`
}
