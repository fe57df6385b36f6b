import type { NewKey } from '@/server/keys/shape'
import { formatCredits } from '../ui/amount'
import { grantsNothing, type KeyFormGrants } from './summary'

const MINUTES = 60_000
const DAY_MS = 24 * 60 * MINUTES

/** A whole number as someone types it, spaces between thousands allowed. */
const typed = (min: number, max: number) => ({
  parse(text: string): number | null {
    const digits = text.replace(/[\s_,.]/g, '')
    return /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max ? Number(digits) : null
  },
  wrong: `A whole number from ${formatCredits(min)} to ${formatCredits(max)}`,
})

/** What the form holds. Numbers are what someone types. */
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

/** The form as it first stands: every tool, nothing else, the service's own defaults. */
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

/** The end of the chosen day, UTC, or of the last of so many days; null: never. */
function expiresAt({ expiry, expiryDay }: KeyFormValues, now: Date): string | null {
  if (expiry === 'never') return null
  if (expiry !== 'day') return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString()
  const end = new Date(`${expiryDay}T23:59:59Z`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

const NUMBERS = {
  agentRunBudgetCredits: typed(100, 1e12),
  budget: typed(1, 1e15),
  rpm: typed(1, 100_000),
}

type Number3 = keyof typeof NUMBERS

const numberOf = (field: Number3, text: string, otherwise: number): number => NUMBERS[field].parse(text) ?? otherwise

/** What a key made from these values could do; a number that is not one yet counts as its default. */
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

type Wrong = (path: keyof KeyFormValues, message: string) => void

function checkName({ name }: KeyFormValues, wrong: Wrong): void {
  const { length } = name.trim()
  if (length === 0) wrong('name', 'Give the key a name')
  if (length > 80) wrong('name', 'At most 80 characters')
}

function checkNumbers(values: KeyFormValues, wrong: Wrong): void {
  const used: Record<Number3, boolean> = { agentRunBudgetCredits: values.agent, budget: values.limited, rpm: true }
  for (const field of Object.keys(NUMBERS) as Number3[]) {
    if (used[field] && NUMBERS[field].parse(values[field]) === null) wrong(field, NUMBERS[field].wrong)
  }
}

function checkChoices(values: KeyFormValues, wrong: Wrong): void {
  if (values.toolMode === 'some' && values.tools.length === 0) wrong('tools', 'Choose at least one tool, or “No tools”')
  if (values.llm && values.modelMode === 'some' && values.allowedModels.length === 0) {
    wrong('allowedModels', 'Choose at least one model, or “Any model”')
  }
  if (values.agent && values.confined && values.capabilities.length === 0) {
    wrong('capabilities', 'Choose at least one group, or leave runs unconfined')
  }
  if (values.expiry === 'day' && !(new Date(`${values.expiryDay}T23:59:59Z`) > new Date())) {
    wrong('expiryDay', 'Choose a day that is not over')
  }
  if (values.toolMode === 'none' && grantsNothing(keyFormGrants(values))) {
    wrong('toolMode', 'Such a key can do nothing: let it call tools, models or agents')
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

/** What is wrong, by field; the first thing each. */
export type KeyFormErrors = Partial<Record<keyof KeyFormValues, string>>

/**
 * The key these values ask for, or what is wrong with them. Written out instead of parsed by a schema: the form is sent
 * to browsers, a schema's parser is 34 kB, and the service checks everything again.
 */
export function parseKeyForm(values: KeyFormValues): { key: NewKey } | { wrongs: KeyFormErrors } {
  const wrongs: KeyFormErrors = {}
  const wrong: Wrong = (field, message) => {
    wrongs[field] ??= message
  }
  checkName(values, wrong)
  checkNumbers(values, wrong)
  checkChoices(values, wrong)
  return Object.keys(wrongs).length > 0 ? { wrongs } : { key: toNewKey(values) }
}
