import type { RunMark } from './shape'

/** What is written after the backticks of a fence: a language, then words and `name="value"`. */
export type FenceInfo = {
  language: string
  tab: string | null
  run: RunMark | null
  isResponse: boolean
}

const WORDS = ['run', 'response']
const VALUES = ['tab', 'status', 'save', 'until']

const ATTRIBUTE = /([a-z]+)(?:=("[^"]*"|[^\s"]+))?/gy

/** The words and values of an info string. Throws on what is not one of them. */
function readAttributes(text: string): Map<string, string> {
  const found = new Map<string, string>()
  let rest = text.trim()
  while (rest) {
    ATTRIBUTE.lastIndex = 0
    const [whole, name = '', value] = ATTRIBUTE.exec(rest) ?? []
    const isKnown = value === undefined ? WORDS.includes(name) : VALUES.includes(name)
    if (!whole || !isKnown) throw new Error(`A fence of a guide has the unknown mark "${rest}".`)
    found.set(name, value?.replaceAll('"', '') ?? '')
    rest = rest.slice(whole.length).trim()
  }
  return found
}

/** `name=value` of a mark's value; null where the mark is absent. */
function pairOf(mark: string, value: string | undefined): [string, string] | null {
  if (value === undefined) return null
  const at = value.indexOf('=')
  if (at < 1 || at === value.length - 1) throw new Error(`${mark}="${value}" of a fence should read ${mark}="a=b".`)
  return [value.slice(0, at), value.slice(at + 1)]
}

/** Reads `sh tab="curl" run status=402`. Throws on anything else. */
export function readFenceInfo(info: string): FenceInfo {
  const [, language = '', rest = ''] = /^([\w+-]*)(.*)$/.exec(info.trim()) ?? []
  const marks = readAttributes(rest)
  const save = pairOf('save', marks.get('save'))
  const until = pairOf('until', marks.get('until'))
  const status = marks.get('status')
  if (!marks.has('run') && (save || until || status !== undefined))
    throw new Error(`A fence of a guide has marks of run without run: "${info}".`)
  return {
    language,
    tab: marks.get('tab') ?? null,
    isResponse: marks.has('response'),
    run: marks.has('run')
      ? {
          status: status === undefined ? null : Number(status),
          save: save && { variable: save[0], field: save[1] },
          until: until && { field: until[0], value: until[1] },
        }
      : null,
  }
}
