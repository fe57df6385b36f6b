const ESCAPE = '\u001b'
const BELL = '\u0007'

const indexFrom = (text: string, from: number, isEnd: (char: string) => boolean): number => {
  for (let i = from; i < text.length; i++) if (isEnd(text.charAt(i))) return i
  return text.length
}

/** What follows an escape character, without the sequence that it begins. */
function afterSequence(part: string): string {
  const kind = part.charAt(0)
  if (kind === '[') return part.slice(indexFrom(part, 1, (char) => char >= '@' && char <= '~') + 1)
  if (kind === ']') return part.slice(indexFrom(part, 1, (char) => char === BELL) + 1)
  return part.slice(1)
}

/**
 * A terminal's output as text: without colours and cursor movements; of a line that was written
 * over, such as a progress bar, what stayed.
 */
export function terminalText(output: string): string {
  const [first = '', ...rest] = output.split(ESCAPE)
  const text = first + rest.map(afterSequence).join('')
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .join('\n')
}
