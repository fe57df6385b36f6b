import { getAgentSettings } from '../../../accounts/agent-settings'
import type { OutsideApproval } from '../../../accounts/shape'
import type { Approval, PermissionNeed } from '../../../tools/define'
import { type Outgoing, truncateForDisplay } from '../../../tools/flow'
import type { AgentRun } from '../state'
import { callerOf, callsOf, type RunCall } from './calls'
import { carriesNothing, type OpenedUrl } from './offered-urls'
import { type Known, knownBy } from './origins'
import { isApprovedForRun, isPermitted } from './permitted'
import { reasonFor } from './reason'
import { containsSecret, formattedSecrets } from './secrets'

/**
 * The step from which on a run with these origins asks before it sends something out, by its
 * owner's setting; infinite: it does not.
 */
const ASKS_SINCE: Record<OutsideApproval, (known: Known) => number> = {
  ask: ({ since }) => Math.max(since.foreign, since.private),
  always: ({ since }) => since.foreign,
  never: () => Number.POSITIVE_INFINITY,
}

/** What a call would send to whom, and why a person must be asked. */
type Need = {
  /** The receiver and how it is reached. */
  to: string
  outgoing: Outgoing
  /** The run has read what it may be made to give away. */
  isTainted: boolean
  secrets: readonly string[]
  known: Known
}

/**
 * What a person must approve before a pending call may send something out; null: nothing. A person
 * is asked once for each receiver and run, and again for a further secret. All follows from the
 * run's rows and its owner's setting, so that any worker decides the same.
 */
export async function sendingApproval(run: AgentRun, index: number): Promise<Approval | null> {
  const calls = callsOf(run)
  const call = calls.find((one) => one.index === index)
  if (!call || call.tool.flow.sink.kind === 'inside') return null
  const { outsideApproval: choice } = await getAgentSettings(run.ownerId)
  const needOf = (one: RunCall) => findNeed(run, one, { calls, choice })
  const need = await needOf(call)
  if (!need) return null
  const needs = needsOf(call, need)
  const isAllowed = needs.some((one) => isPermitted(run, one)) || isApprovedForRun(run, call, calls)
  if (isAllowed && need.secrets.length === 0) return null
  const isOfRun = (one: RunCall) => one.runId === run.runId
  const approved = calls.filter((one) => isOfRun(one) && run.answers.get(one.index)?.approved)
  if (isCovered(need, await Promise.all(approved.map(needOf)))) return null
  const waiting = calls.filter((one) => isOfRun(one) && one.index > index && one.upTo === call.upTo)
  const more = (await Promise.all(waiting.map(needOf))).filter((other) => other?.to === need.to)
  const asked = approvalFor(
    need,
    more.flatMap((other) => (other ? [other.outgoing] : [])),
  )
  return { ...asked, needs: need.secrets.length > 0 ? [] : needs }
}

/** The permission that a run would have needed for what a call sends, if there is one. */
function needsOf({ tool }: RunCall, { outgoing: { to } }: Need): PermissionNeed[] {
  const { kind } = tool.flow.sink
  if (kind === 'url') return [{ kind: 'hosts', name: to }]
  if (kind === 'site') return [{ kind: 'sites', name: to }]
  const [, dataset] = /^dataset (\w+)$/.exec(to) ?? []
  return kind === 'link' && dataset !== undefined ? [{ kind: 'exports', name: dataset }] : []
}

/** Whether what a person has approved in this run covers a need. */
function isCovered({ to, isTainted, secrets }: Need, approved: readonly (Need | null)[]): boolean {
  const same = approved.filter((one) => one?.to === to)
  const seen = new Set(same.flatMap((one) => one?.secrets ?? []))
  return (!isTainted || same.some((one) => one?.isTainted)) && same.length > 0 && secrets.every((one) => seen.has(one))
}

function approvalFor(need: Need, more: readonly Outgoing[]): Approval {
  const { outgoing, isTainted } = need
  const all = [outgoing, ...more].map(({ summary, whole }) => whole ?? summary)
  const others = more.length > 0 ? ` The run wants to send ${more.length} more at once.` : ''
  const scope = isTainted ? `If you approve, this run may go on sending to ${outgoing.to}, except further secrets.` : ''
  return {
    summary: `${outgoing.summary}${others} ${scope}`.trim(),
    ...((more.length > 0 || outgoing.whole !== undefined) && { command: all.join('\n\n') }),
    reason: reasonFor(need),
  }
}

type Conversation = { calls: readonly RunCall[]; choice: OutsideApproval }

/** Why a call needs approval, whatever was approved before; null: it needs none. */
async function findNeed(run: AgentRun, call: RunCall, { calls, choice }: Conversation): Promise<Need | null> {
  const { tool, input, upTo, index } = call
  const { sink } = tool.flow
  const outgoing =
    sink.kind === 'provider'
      ? toProvider(call)
      : sink.kind === 'inside'
        ? null
        : await sink.outgoing(input as never, callerOf(run))
  if (!outgoing || choice === 'never') return null
  const known = withCarried(knownBy(run, upTo), outgoing, index)
  const since = sink.kind === 'provider' ? Number.POSITIVE_INFINITY : ASKS_SINCE[choice](known)
  const before = (): OpenedUrl[] =>
    calls.flatMap((one) => (one.index > since && one.index < index ? openedBy(one) : []))
  const isFree = ({ url, texts }: Outgoing) =>
    url !== undefined && texts.length === 0 && carriesNothing(run, url, { upTo, before: before() })
  const isTainted = since < index && !isFree(outgoing)
  const secrets = secretsOf(outgoing, known)
  return isTainted || secrets.length > 0
    ? { to: `${sink.kind} ${outgoing.to}`, outgoing, isTainted, secrets, known }
    : null
}

/** What a run knows with what a call itself takes along. */
function withCarried(known: Known, { to, carries = [] }: Outgoing, index: number): Known {
  const carried = { ...known, since: { ...known.since } }
  for (const origin of carries) {
    carried[origin] = [...known[origin], to]
    carried.since[origin] = Math.min(known.since[origin], index - 1)
  }
  return carried
}

function openedBy({ index, tool, input }: RunCall): OpenedUrl[] {
  const { sink } = tool.flow
  const url = sink.kind === 'url' ? sink.outgoing(input as never)?.url : undefined
  return url === undefined ? [] : [{ index, url }]
}

/** The input of a tool whose provider the operator configured. */
function toProvider({ tool, input }: RunCall): Outgoing {
  const text = JSON.stringify(input)
  return {
    to: tool.id,
    summary: `Send this to the provider of ${tool.label}: ${truncateForDisplay(text)}`,
    whole: text,
    texts: [text],
  }
}

/** What looks like a secret in what a call sends, also where a URL encodes it. */
function secretsOf({ url = '', texts }: Outgoing, known: Known): string[] {
  const sent = [url, decoded(url), ...texts].join('\n')
  return [
    ...new Set([...[...known.secrets].filter((secret) => containsSecret(sent, secret)), ...formattedSecrets(sent)]),
  ]
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '))
  } catch {
    return ''
  }
}
