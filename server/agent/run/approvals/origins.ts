import { agentGroups } from '../../../agent-tools/registry'
import { env } from '../../../env'
import { lazy } from '../../../kit/lazy'
import { memoize } from '../../../kit/memoize'
import { isRecord } from '../../../kit/record'
import type { AnyTool } from '../../../tools/define'
import { ANY_ORIGIN, type Origin } from '../../../tools/flow'
import { fileUrl } from '../../jobs/attachments'
import { BUILTIN_NAMES } from '../builtin-tools'
import { keptInput } from '../kept-input'
import type { AgentRun, RunStep, RunTurn } from '../state'
import { hrefOf, personTextsOf, urlsIn, withoutFragment } from './person-texts'
import { secretsIn, secretsOfStep } from './secrets'

/** What a run had read by some step, as people read it, and what of it looks like a secret. */
export type Known = Record<Origin, string[]> & {
  secrets: ReadonlySet<string>
  /** The first step of each origin; that of the goal is -1. */
  since: Record<Origin, number>
}

/** Errors of calls that never ran, so that nothing was read. */
const NEVER_RAN: ReadonlySet<string> = new Set(['rejected', 'forbidden', 'unknown_tool'])

/** Every tool by its id, also tools that are no longer configured here: their steps remain. */
const toolsById = lazy(
  (): ReadonlyMap<string, AnyTool> =>
    new Map(agentGroups().flatMap(({ tools }) => tools.map((tool) => [tool.id, tool]))),
)

/** A tool by its id; undefined for a function that every run has. */
export const toolNamed = (name: string): AnyTool | undefined => toolsById().get(name)

/** False for a call that was refused before it ran. */
export const hasRun = ({ error }: Pick<RunStep, 'error'>): boolean => !error || !NEVER_RAN.has(error.code)

/** A step's result in the form its tool declares now; null where it has none or another form. */
export const resultOf = memoize((step: RunStep): never | null => {
  const parsed = step.error ? null : toolNamed(step.name)?.output.safeParse(step.output)
  return parsed?.success ? (parsed.data as never) : null
})

/**
 * What a conversation had read by the step `upTo`. It is derived from the step rows, so it is the
 * same for every worker and nothing a model says changes it. All turns count, also those that are
 * no longer sent to the model. A result that was deleted or has an old form may have been anything.
 */
export function knownBy(run: AgentRun, upTo = Number.POSITIVE_INFINITY): Known {
  const known = { foreign: [] as string[], private: [] as string[] }
  const since = { foreign: Number.POSITIVE_INFINITY, private: Number.POSITIVE_INFINITY }
  const secrets = new Set<string>()
  const note = (origin: Origin, what: string, index: number) => {
    known[origin].push(what)
    since[origin] = Math.min(since[origin], index)
  }
  const texts = personTextsOf(run)
  for (const secret of texts.flatMap(secretsIn)) secrets.add(secret)
  if (secrets.size > 0) note('private', 'what looks like a secret in the goal or an answer', -1)
  if ([...urlsIn(texts)].some(isHostedHere)) note('private', 'the link of a file in the goal or an answer', -1)
  const links = new Map<string, readonly Origin[]>()
  for (const turn of run.turns) {
    const at = beginOf(run, turn)
    if (at > upTo) continue
    for (const { fileId, name, text } of turn.attachments) {
      note('private', `the attached file ${name}`, at)
      links.set(fileUrl(fileId), ['private'])
      for (const secret of secretsIn(text ?? '')) secrets.add(secret)
    }
  }
  for (const step of run.steps) {
    if (step.index > upTo) continue
    for (const origin of keptInput(step).reportOrigins ?? [])
      note(origin, 'the last report of its schedule', step.index)
    for (const { of, text, origins } of keptInput(step).memory ?? []) {
      for (const origin of origins)
        note(origin, of === 'owner' ? "the account's notes" : 'the notes of its schedule', step.index)
      for (const secret of secretsIn(text)) secrets.add(secret)
    }
    if (step.kind !== 'tool' || !hasRun(step)) continue
    const origins = originsOf(step, links)
    for (const url of linksOf(step)) links.set(url, origins)
    for (const origin of origins) note(origin, sourceOf(step), step.index)
    if (origins.includes('private')) for (const secret of secretsOfStep(step)) secrets.add(secret)
  }
  return { ...known, since, secrets }
}

/** The index of the step before a turn's first. */
function beginOf({ steps }: AgentRun, { runId }: RunTurn): number {
  const first = steps.find((step) => step.runId === runId)
  return first ? first.index - 1 : (steps.at(-1)?.index ?? -1)
}

/** Where what a step returned is from. A link to data is that data. */
function originsOf(step: RunStep, links: ReadonlyMap<string, readonly Origin[]>): readonly Origin[] {
  const flow = toolNamed(step.name)?.flow
  // The tool of an older release may have read anything.
  if (!flow) return BUILTIN_NAMES.includes(step.name) ? [] : ANY_ORIGIN
  const hosted = flow.sink.kind === 'url' ? openedUrls(step).filter(isHostedHere) : []
  if (hosted.length > 0) return hosted.flatMap((url) => links.get(url) ?? ANY_ORIGIN)
  const { reads, failedReads } = flow
  if (typeof reads !== 'function') return step.error ? (failedReads ?? reads) : reads
  const result = resultOf(step)
  if (result !== null) return reads(result)
  return step.error && failedReads ? failedReads : ANY_ORIGIN
}

/** The URL that a step opened, and the one that it was redirected to. */
function openedUrls(step: RunStep): string[] {
  const input = isRecord(step.input) ? step.input : {}
  const output = isRecord(step.output) ? step.output : {}
  return [input.url, input.source, output.finalUrl]
    .map((url) => (typeof url === 'string' && url.length <= 4096 ? hrefOf(url) : null))
    .filter((url) => url !== null)
    .map(withoutFragment)
}

const isHostedHere = (url: string): boolean => url.startsWith(`${env().PUBLIC_URL}/files/`)

/** The links to hosted files that a step made. */
function linksOf(step: RunStep): string[] {
  const [tool, result] = [toolNamed(step.name), resultOf(step)]
  const made = result === null ? [] : (tool?.artifacts?.(result, step.input as never) ?? [])
  return made.flatMap(({ url }) => (url === undefined ? [] : (hrefOf(url) ?? [])))
}

const MAX_SOURCE_CHARS = 120

/**
 * The source of what a step read: its tool and its input, without numbers and switches, which are
 * mostly defaults.
 */
function sourceOf({ name, input }: RunStep): string {
  const values = Object.values((input as Record<string, unknown> | null) ?? {})
  const line = values
    .filter((value) => typeof value !== 'number' && typeof value !== 'boolean')
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .replaceAll(/\s+/g, ' ')
  const text = line.length > MAX_SOURCE_CHARS ? `${line.slice(0, MAX_SOURCE_CHARS).toWellFormed()}…` : line
  return text === '' ? name : `${name} (${text})`
}
