import { isRecord, type UnknownRecord } from '../../../server/kit/record'
import { PendingCalls, type WantedCall } from '../../../server/sandbox/player/ask'
import type { ShownCall } from '../../../server/sandbox/player/calls'
import { isListed } from '../../../server/sandbox/player/view'
import type { ShownConversation } from './conversation'
import type { Temperament } from './temperament'
import { visibleRows } from './visible'

/**
 * What a goal's solution asks of the conversation. It is run anew for every request, from its
 * beginning: what has a result in the messages goes on, what has none becomes the next call.
 */
export type Inquiry = {
  /** The result of one call. */
  call: (name: string, args?: UnknownRecord) => ShownCall
  /** The results of calls that do not depend on each other. A hasty model takes those it got. */
  all: (calls: readonly WantedCall[]) => ShownCall[]
  /** The rows of a result, read on where it was cut and the temperament does so. */
  rows: (shown: ShownCall, list?: string) => UnknownRecord[]
  /** What a pattern finds in a result's text, read on by searching for a word. */
  find: (shown: ShownCall, pattern: RegExp, word: string) => string | null
  /** True where the model sees that something was left out and is offered a way to it. */
  canReadOn: (shown: ShownCall) => boolean
  /** The step that a cut result is named by. */
  stepOf: (shown: ShownCall) => number | null
  offers: (tool: string, param?: string) => boolean
  /** Credits of a tool's call as the model was shown them; null where it was not. */
  price: (tool: string) => number | null
  conversation: ShownConversation
}

const sameCall = (wanted: WantedCall) => {
  const text = JSON.stringify(wanted.args)
  return ({ name, args }: ShownCall) => name === wanted.name && JSON.stringify(args) === text
}

/** Calls of which those that find tools are one. */
function inOneFind(calls: readonly WantedCall[]): WantedCall[] {
  const finds = calls.filter(({ name }) => name === 'tools_find')
  const names = [...new Set(finds.flatMap(({ args }) => args.names as string[]))]
  const others = calls.filter(({ name }) => name !== 'tools_find')
  return names.length > 0 ? [...others, { name: 'tools_find', args: { names } }] : others
}

const isFound = ({ names }: UnknownRecord, name: string) => Array.isArray(names) && names.includes(name)

const READ = 'result_read'
/** How a result says that a call of its step was not made. */
const NOT_MADE = /not made/i

/** Reads a conversation on behalf of a goal's solution. */
export function makeInquiry(conversation: ShownConversation, temperament: Temperament): Inquiry {
  const { offered, calls, system } = conversation

  const offers = (tool: string, param?: string) => {
    const params = offered.get(tool)
    const properties = isRecord(params?.properties) ? params.properties : {}
    return params !== undefined && (param === undefined || param in properties)
  }

  /** A call whose tool is not defined yet goes through another, or begins with finding it. */
  const reachable = (wanted: WantedCall): WantedCall => {
    const { name, args } = wanted
    if (offers(name)) return wanted
    if (isListed({ system, offered: new Set(offered.keys()) }, name))
      return { name: 'tools_call', args: { name, input: JSON.stringify(args) } }
    return offers('tools_find') && calls.every((call) => !isFound(call.args, name))
      ? { name: 'tools_find', args: { names: [name] } }
      : wanted
  }

  const resultOf = (wanted: WantedCall) =>
    calls.findLast((made) => sameCall(wanted)(made) && made.text !== '' && !NOT_MADE.test(made.text.slice(0, 80)))

  const all = (wanted: readonly WantedCall[]): ShownCall[] => {
    const found = wanted.map(resultOf)
    const missing = wanted.filter((_, i) => found[i] === undefined)
    const refused = missing.filter((each) => calls.some(sameCall(each)))
    const again = temperament.checks || missing.length === wanted.length ? missing : refused
    if (again.length > 0) throw new PendingCalls(inOneFind(again.map(reachable)))
    return found.filter((shown) => shown !== undefined)
  }

  const call = (name: string, args: UnknownRecord = {}): ShownCall => {
    const shown = resultOf({ name, args })
    if (!shown) throw new PendingCalls([reachable({ name, args })])
    return shown
  }

  const stepOf = ({ text }: ShownCall): number | null => {
    const found = /\bstep\W{0,4}(\d+)/i.exec(text)?.[1]
    return found === undefined ? null : Number(found)
  }
  const canReadOn = (shown: ShownCall) => offers(READ) && shown.text.includes(READ) && stepOf(shown) !== null

  const rows = (shown: ShownCall, list = 'rows'): UnknownRecord[] => {
    const known = visibleRows(shown.text, list)
    if (!temperament.readsOn || !canReadOn(shown)) return known
    for (;;) {
      const part = call(READ, { step: stepOf(shown), path: list, offset: known.length, limit: 500 })
      const more = visibleRows(part.text)
      known.push(...more)
      if (more.length === 0 || !part.text.includes('offset')) return known
    }
  }

  const find = (shown: ShownCall, pattern: RegExp, word: string): string | null => {
    const found = pattern.exec(shown.text)?.[1]
    if (found !== undefined || !temperament.readsOn || !canReadOn(shown)) return found ?? null
    return pattern.exec(call(READ, { step: stepOf(shown), search: word }).text)?.[1] ?? null
  }

  const price = (tool: string): number | null => {
    const found = new RegExp(`\\b${tool} (\\d+)`).exec(system)?.[1]
    return found === undefined ? null : Number(found)
  }

  return { call, all, rows, find, canReadOn, stepOf, offers, price, conversation }
}
