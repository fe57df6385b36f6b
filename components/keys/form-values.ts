import type { NewKey } from '@/server/keys/shape'
import { formatCredits } from '../ui/amount'
import { grantsNothing, type KeyFormGrants } from './summary'

const MINUTES = 60_000
const DAY_MS = 24 * 60 * MINUTES

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
  toolMode: 'all' | 'some' | 'none'
  tools: string[]
  llm: boolean
  modelMode: 'any' | 'some'
  allowedModels: string[]
  agent: boolean
  agentRunBudgetCredits: string
  confined: boolean
  capabilities: string[]
  limited: boolean
  budget: string
  rpm: string
  expiry: 'never' | '7' | '30' | '90' | '365' | 'day'
  expiryDay: string
}

/** The initial form: every tool, nothing else, the service's defaults. */
export const DEFAULT_KEY_VALUES: KeyFormValues = {
  name: '',
  toolMode: 'all',
  tools: [],
  llm: false,
  modelMode: 'any',
  allowedModels: [],
  agent: false,
  agentRunBudgetCredits: '5000',
  confined: false,
  capabilities: [],
  limited: false,
  budget: '10000',
  rpm: '60',
  expiry: 'never',
  expiryDay: '',
}

/** When the key expires: some days from now, or at the end of a day (UTC); null: never. */
function expiresAt({ expiry, expiryDay }: KeyFormValues, now: Date): string | null {
  if (expiry === 'never') return null
  if (expiry !== 'day') return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString()
  const end = new Date(`${expiryDay}T23:59:59Z`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

const NUMBERS = {
  agentRunBudgetCredits: wholeNumber(100, 1e12),
  budget: wholeNumber(1, 1e15),
  rpm: wholeNumber(1, 100_000),
}

type NumberField = keyof typeof NUMBERS

const numberOf = (field: NumberField, text: string, fallback: number): number => NUMBERS[field].parse(text) ?? fallback

/** What a key with these values could do; an invalid number counts as its default. */
export function keyFormGrants(values: KeyFormValues, now = new Date()): KeyFormGrants {
  return {
    tools: values.toolMode === 'all' ? 'all' : values.toolMode === 'some' ? values.tools : [],
    llm: values.llm,
    allowedModels: values.llm && values.modelMode === 'some' ? values.allowedModels : [],
    agent: values.agent,
    agentRunBudgetCredits: numberOf('agentRunBudgetCredits', values.agentRunBudgetCredits, 5000),
    capabilities: values.agent && values.confined ? values.capabilities : null,
    budget: values.limited ? numberOf('budget', values.budget, 10_000) : null,
    rpm: numberOf('rpm', values.rpm, 60),
    expiresAt: expiresAt(values, now),
  }
}

type AddError = (path: keyof KeyFormValues, message: string) => void

function checkName({ name }: KeyFormValues, addError: AddError): void {
  const { length } = name.trim()
  if (length === 0) addError('name', 'Enter a name')
  if (length > 80) addError('name', 'At most 80 characters')
}

function checkNumbers(values: KeyFormValues, addError: AddError): void {
  const used: Record<NumberField, boolean> = { agentRunBudgetCredits: values.agent, budget: values.limited, rpm: true }
  for (const field of Object.keys(NUMBERS) as NumberField[]) {
    if (used[field] && NUMBERS[field].parse(values[field]) === null) addError(field, NUMBERS[field].error)
  }
}

function checkChoices(values: KeyFormValues, addError: AddError): void {
  if (values.toolMode === 'some' && values.tools.length === 0)
    addError('tools', 'Choose at least one tool, or “No tools”')
  if (values.llm && values.modelMode === 'some' && values.allowedModels.length === 0) {
    addError('allowedModels', 'Choose at least one model, or “Any model”')
  }
  if (values.agent && values.confined && values.capabilities.length === 0) {
    addError('capabilities', 'Choose at least one group, or do not restrict runs')
  }
  if (values.expiry === 'day' && !(new Date(`${values.expiryDay}T23:59:59Z`) > new Date())) {
    addError('expiryDay', 'Choose today or a later day')
  }
  if (values.toolMode === 'none' && grantsNothing(keyFormGrants(values))) {
    addError('toolMode', 'This key could do nothing. Allow tools, models or agents')
  }
}

function toNewKey(values: KeyFormValues): NewKey {
  const { tools, allowedModels, capabilities, ...rest } = keyFormGrants(values)
  return {
    ...rest,
    name: values.name.trim(),
    tools: tools === 'all' ? 'all' : [...tools],
    allowedModels: [...allowedModels],
    capabilities: capabilities && [...capabilities],
  }
}

/** The first error of each field. */
export type KeyFormErrors = Partial<Record<keyof KeyFormValues, string>>

/**
 * The key to create, or the errors. Checked by hand because a zod parser would add 34 kB to the
 * page; the service checks everything again.
 */
export function parseKeyForm(values: KeyFormValues): { key: NewKey } | { errors: KeyFormErrors } {
  const errors: KeyFormErrors = {}
  const addError: AddError = (field, message) => {
    errors[field] ??= message
  }
  checkName(values, addError)
  checkNumbers(values, addError)
  checkChoices(values, addError)
  return Object.keys(errors).length > 0 ? { errors } : { key: toNewKey(values) }
}
