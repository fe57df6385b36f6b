import type { KeyChanges, KeyView } from '@/server/keys/shape'
import { formatCredits } from '../ui/amount'
import { formatExactTime } from '../ui/format-time'
import type { KeyOptions } from './options'
import type { FormKey } from './parse-key-form'
import { count, describeModels, describeTools } from './summary'

/** Whether two values are the same; the order of names does not matter. */
const isSame = (a: unknown, b: unknown): boolean => {
  const text = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value)
  return text(a) === text(b)
}

/**
 * What a form changes of a key. What belongs to a scope that the key loses stays as it is: an empty
 * list of models would mean any.
 */
export function changesOfKey(key: KeyView, wanted: FormKey): KeyChanges {
  const { recurringBudget: now } = key
  const before: FormKey = { ...key, recurringBudget: now && { credits: now.credits, every: now.every } }
  const unused = new Set<string>([
    'customer',
    ...(wanted.llm ? [] : ['allowedModels', 'strict', 'responseDays']),
    ...(wanted.agent ? [] : ['capabilities', 'agentRunBudgetCredits']),
  ])
  const changed = Object.entries(wanted).filter(
    ([field, value]) => !unused.has(field) && !isSame(value, before[field as keyof FormKey]),
  )
  return Object.fromEntries(changed)
}

/** One line of what changes. `narrows`: it cannot be undone. */
export type ChangeLine = { what: string; from: string; to: string; narrows?: true }

const budget = (credits: number | null) => (credits === null ? 'none' : count(credits, 'credit'))
const recurring = (of: { credits: number; every: string } | null) =>
  of ? `${count(of.credits, 'credit')} a ${of.every}` : 'none'
const keeping = (days: number | null) => (days === null ? 'yes' : days === 0 ? 'no' : count(days, 'day'))
const words = (list: readonly string[]) => (list.length > 0 ? list.join(', ') : 'none')

type Texts = { options: Pick<KeyOptions, 'groups' | 'capabilities'>; timeZone: string }

/** What a change does to a key, line by line. */
export function describeKeyChanges(key: KeyView, changes: KeyChanges, { options, timeZone }: Texts): ChangeLine[] {
  const after = { ...key, ...changes }
  const groupNames = (ids: readonly string[] | null) =>
    ids === null ? 'all' : words(ids.map((id) => options.capabilities.find((group) => group.id === id)?.label ?? id))
  const expiry = (at: string | null) => (at ? formatExactTime(at, timeZone) : 'never')
  const line = <T>(what: string, from: T, to: T, say: (value: T) => string): ChangeLine => ({
    what,
    from: say(from),
    to: say(to),
  })
  const narrower = (change: ChangeLine): ChangeLine => ({ ...change, narrows: true })
  const scope = (isAllowed: boolean) => (isAllowed ? 'allowed' : 'none')
  const has = (...fields: (keyof KeyChanges)[]) => fields.some((field) => changes[field] !== undefined)
  return [
    ...(has('name') ? [line('Name', key.name, after.name, (name) => `“${name}”`)] : []),
    ...(has('tags') ? [line('Tags', key.tags, after.tags, words)] : []),
    ...(has('tools') ? [narrower(line('Tools', key, after, (of) => describeTools(of, options.groups)))] : []),
    ...(has('llm', 'allowedModels') ? [narrower(line('Models', key, after, describeModels))] : []),
    ...(has('strict')
      ? [line('Change requests for a model', key.strict, after.strict, (is) => (is ? 'no' : 'yes'))]
      : []),
    ...(has('responseDays') ? [line('Keep responses', key.responseDays, after.responseDays, keeping)] : []),
    ...(has('agent') ? [narrower(line('Agents', key.agent, after.agent, scope))] : []),
    ...(has('capabilities')
      ? [narrower(line('Capability groups', key.capabilities, after.capabilities, groupNames))]
      : []),
    ...(has('agentRunBudgetCredits')
      ? [line('Spend limit per job', key.agentRunBudgetCredits, after.agentRunBudgetCredits, budget)]
      : []),
    ...(has('budget') ? [line('Lifetime budget', key.budget, after.budget, budget)] : []),
    ...(has('recurringBudget')
      ? [line('Recurring budget', key.recurringBudget, changes.recurringBudget ?? null, recurring)]
      : []),
    ...(has('namesCustomers')
      ? [line('Calls name customers', key.namesCustomers, after.namesCustomers, (is) => (is ? 'yes' : 'no'))]
      : []),
    ...(has('rpm') ? [line('Requests per minute', key.rpm, after.rpm, formatCredits)] : []),
    ...(has('expiresAt') ? [line('Expires', key.expiresAt, after.expiresAt, expiry)] : []),
  ]
}
