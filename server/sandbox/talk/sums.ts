import { stripped } from '../prose/topic'

/** Words of a sum, in the order in which they are replaced. */
const WORDS: readonly [RegExp, string][] = [
  [/,(?=\d{3}(?!\d))/g, ''],
  [/\b(?:percent|per cent|%)\s+of\b/gi, '% of'],
  [/%\s*of\b/gi, '/ 100 *'],
  [/\b(?:multiplied by|times)\b|[×·]/gi, '*'],
  [/(?<=\d)\s?x\s?(?=\d)/gi, '*'],
  [/\bdivided by\b|÷/gi, '/'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b|[−–]/gi, '-'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/\bsquared\b/gi, '^ 2'],
]

const LEAD_IN =
  /^(?:hey|hi|hello|please|can you|could you|and|now|then|so|what(?:['’]s| is| are)|how much is|calculate|compute|work out|solve|evaluate|add|the sum of)[\s,:]+/i

const MAX_CHARS = 200

/** The sum that a text is, in signs and digits; null where it says anything else. */
export function sumIn(asked: string, before: number | null): string | null {
  if (asked.length > MAX_CHARS) return null
  const bare = stripped(asked.trim(), [LEAD_IN]).replace(/[\s?=.!]*$/, '')
  const sum = WORDS.reduce((text, [word, sign]) => text.replace(word, sign), bare).trim()
  if (!/^[\d\s+\-*/^().]+$/.test(sum) || /^\d{4}-\d{2}-\d{2}$/.test(sum)) return null
  if (/\d[\s)]*[+\-*/^][\s(+-]*\d/.test(sum) && !/^[*/^]/.test(sum)) return sum
  return before !== null && /^[+\-*/^]\s*\d[\d.]*$/.test(sum) ? `(${before}) ${sum}` : null
}

/** The value of a sum of numbers, `+ - * / ^` and brackets; null where it has none. */
function valueOfSum(sum: string): number | null {
  const parts = sum.match(/\d+(?:\.\d+)?|[+\-*/^()]/g) ?? []
  let at = 0
  const take = (...signs: string[]) => (signs.includes(parts[at] ?? '') ? parts[at++] : undefined)
  const atom = (): number => {
    if (take('-')) return -power()
    if (take('+')) return power()
    if (take('(')) {
      const value = addition()
      return take(')') ? value : Number.NaN
    }
    const part = parts[at++] ?? ''
    return /^\d/.test(part) ? Number(part) : Number.NaN
  }
  const power = (): number => {
    const base = atom()
    return take('^') ? base ** power() : base
  }
  const product = (): number => {
    let value = power()
    for (let sign = take('*', '/'); sign; sign = take('*', '/'))
      value = sign === '*' ? value * power() : value / power()
    return value
  }
  const addition = (): number => {
    let value = product()
    for (let sign = take('+', '-'); sign; sign = take('+', '-'))
      value = sign === '+' ? value + product() : value - product()
    return value
  }
  const value = addition()
  return at === parts.length && Number.isFinite(value) ? value : null
}

const plainNumber = (value: number): string => String(Number(value.toPrecision(12)))

/** The value that an answer ends with; null where it is not one of a sum. */
function valueIn(answer: string | undefined): number | null {
  const text = answer?.match(/= (-?\d+(?:\.\d+)?)\.$/)?.[1]
  return text === undefined ? null : Number(text)
}

/** The sum as people write it, with its value; null for what is no sum. */
export function answerSum(asked: string, answered: readonly string[]): string | null {
  const sum = sumIn(asked, valueIn(answered.at(-1)))
  if (sum === null) return null
  const shown = sum
    .replaceAll(/\s*([+*/^-])\s*/g, ' $1 ')
    .replaceAll('*', '×')
    .replaceAll('/', '÷')
    .trim()
  const value = valueOfSum(sum)
  return value === null ? `${shown} has no value that I can work out.` : `${shown} = ${plainNumber(value)}.`
}
