import type { KeyView } from '@/server/keys/shape'
import { formatCredits } from '../ui/amount'
import { dayIn, endOfDay } from '../ui/end-of-day'
import type { KeyFormGrants, Period } from './summary'

const DAY_MS = 86_400_000

/** A whole number as typed, with optional separators between thousands. */
const wholeNumber = (min: number, max: number) => ({
  parse(text: string): number | null {
    const digits = text.replace(/[\s_,.]/g, '')
    return /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max ? Number(digits) : null
  },
  error: `A whole number from ${formatCredits(min)} to ${formatCredits(max)}`,
})

/** The values of the form. Numbers are texts as typed. */
export type KeyFormValues = {
  name: string
  /** Separated by commas. */
  tags: string
  toolMode: 'all' | 'some' | 'none'
  tools: string[]
  llm: boolean
  modelMode: 'any' | 'some'
  allowedModels: string[]
  strict: boolean
  keepsResponses: boolean
  /** As it is, of a key that exists; null: as the service keeps them. */
  responseDays: number | null
  agent: boolean
  agentRunBudgetCredits: string
  confined: boolean
  capabilities: string[]
  limited: boolean
  budget: string
  recurring: boolean
  recurringCredits: string
  every: Period
  /** Whom its calls are for: nobody, whom they name, or one, who is `customer`. */
  customers: 'none' | 'named' | 'one'
  customer: string
  rpm: string
  /** `keep`: as it is, of a key that exists. */
  expiry: 'keep' | 'never' | '7' | '30' | '90' | '365' | 'day'
  expiryDay: string
}

/** The initial form: every tool, nothing else, the service's defaults. */
export const DEFAULT_KEY_VALUES: KeyFormValues = {
  name: '',
  tags: '',
  toolMode: 'all',
  tools: [],
  llm: false,
  modelMode: 'any',
  allowedModels: [],
  strict: false,
  keepsResponses: true,
  responseDays: null,
  agent: false,
  agentRunBudgetCredits: '5000',
  confined: false,
  capabilities: [],
  limited: false,
  budget: '10000',
  recurring: false,
  recurringCredits: '1000',
  every: 'month',
  customers: 'none',
  customer: '',
  rpm: '60',
  expiry: 'never',
  expiryDay: '',
}

/** The form as a key is now. */
export function valuesOfKey(key: KeyView): KeyFormValues {
  const { recurringBudget } = key
  return {
    name: key.name,
    tags: key.tags.join(', '),
    toolMode: key.tools === 'all' ? 'all' : key.tools.length > 0 ? 'some' : 'none',
    tools: key.tools === 'all' ? [] : key.tools,
    llm: key.llm,
    modelMode: key.allowedModels.length > 0 ? 'some' : 'any',
    allowedModels: key.allowedModels,
    strict: key.strict,
    keepsResponses: key.responseDays !== 0,
    responseDays: key.responseDays,
    agent: key.agent,
    agentRunBudgetCredits: String(key.agentRunBudgetCredits),
    confined: key.capabilities !== null,
    capabilities: key.capabilities ?? [],
    limited: key.budget !== null,
    budget: String(key.budget ?? DEFAULT_KEY_VALUES.budget),
    recurring: recurringBudget !== null,
    recurringCredits: String(recurringBudget?.credits ?? DEFAULT_KEY_VALUES.recurringCredits),
    every: recurringBudget?.every ?? DEFAULT_KEY_VALUES.every,
    customers: key.customer !== null ? 'one' : key.namesCustomers ? 'named' : 'none',
    customer: key.customer ?? '',
    rpm: String(key.rpm),
    expiry: key.expiresAt ? 'keep' : 'never',
    expiryDay: '',
  }
}

/** The form for a new key like another, which can then be given more. */
export function valuesLikeKey(key: KeyView, timeZone: string, now = new Date()): KeyFormValues {
  const values = valuesOfKey(key)
  if (!key.expiresAt) return values
  const isOver = new Date(key.expiresAt) <= now
  return { ...values, expiry: isOver ? 'never' : 'day', expiryDay: isOver ? '' : dayIn(key.expiresAt, timeZone) }
}

/** Where and when a form is filled in, and when the key of `keep` expires. */
export type FormPlace = { timeZone: string; keptExpiry?: string | null; now?: Date }

/** Some days from now, or at the end of a day in the owner's zone; null: the key never expires. */
function expiresAt({ expiry, expiryDay }: KeyFormValues, { timeZone, keptExpiry = null, now = new Date() }: FormPlace) {
  if (expiry === 'never') return null
  if (expiry === 'keep') return keptExpiry
  if (expiry !== 'day') return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString()
  return endOfDay(expiryDay, timeZone)?.toISOString() ?? null
}

/** The fields with a number, and what they take. */
export const KEY_NUMBERS = {
  agentRunBudgetCredits: wholeNumber(100, 1e12),
  budget: wholeNumber(1, 1e15),
  recurringCredits: wholeNumber(1, 1e15),
  rpm: wholeNumber(1, 100_000),
}
export type KeyNumber = keyof typeof KEY_NUMBERS

const numberOf = (field: KeyNumber, values: KeyFormValues): number =>
  KEY_NUMBERS[field].parse(values[field]) ?? Number(DEFAULT_KEY_VALUES[field])

/** What a key with these values could do; an invalid number counts as its default. */
export function keyFormGrants(values: KeyFormValues, place: FormPlace): KeyFormGrants {
  return {
    tools: values.toolMode === 'all' ? 'all' : values.toolMode === 'some' ? values.tools : [],
    llm: values.llm,
    allowedModels: values.llm && values.modelMode === 'some' ? values.allowedModels : [],
    agent: values.agent,
    agentRunBudgetCredits: numberOf('agentRunBudgetCredits', values),
    capabilities: values.agent && values.confined ? values.capabilities : null,
    budget: values.limited ? numberOf('budget', values) : null,
    recurringBudget: values.recurring ? { credits: numberOf('recurringCredits', values), every: values.every } : null,
    rpm: numberOf('rpm', values),
    expiresAt: expiresAt(values, place),
  }
}

/** The tags in what was typed, each once. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]
