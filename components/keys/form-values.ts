// The small zod: the form is sent to browsers, and the service checks everything again.
import * as z from 'zod/mini'
import type { NewKey } from '@/server/keys/shape'
import { formatCredits } from '../ui/amount'
import { type Grants, isIdle } from './summary'

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

const Values = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Give the key a name'), z.maxLength(80, 'At most 80 characters')),
  toolMode: z.enum(['all', 'some', 'none']),
  tools: z.array(z.string()),
  llm: z.boolean(),
  modelMode: z.enum(['any', 'some']),
  allowedModels: z.array(z.string()),
  agent: z.boolean(),
  agentRunBudgetCredits: z.string(),
  confined: z.boolean(),
  capabilities: z.array(z.string()),
  limited: z.boolean(),
  budget: z.string(),
  rpm: z.string(),
  expiry: z.enum(['never', '7', '30', '90', '365', 'day']),
  expiryDay: z.string(),
})
export type KeyValues = z.infer<typeof Values>

/** The form as it first stands: every tool, nothing else, the service's own defaults. */
export const FIRST_VALUES: KeyValues = {
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
function expiresAt({ expiry, expiryDay }: KeyValues, now: Date): string | null {
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
export function grantsOf(values: KeyValues, now = new Date()): Grants {
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

type Wrong = (path: keyof KeyValues, message: string) => void

function checkNumbers(values: KeyValues, wrong: Wrong): void {
  const used: Record<Number3, boolean> = { agentRunBudgetCredits: values.agent, budget: values.limited, rpm: true }
  for (const field of Object.keys(NUMBERS) as Number3[]) {
    if (used[field] && NUMBERS[field].parse(values[field]) === null) wrong(field, NUMBERS[field].wrong)
  }
}

function checkChoices(values: KeyValues, wrong: Wrong): void {
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
  if (values.toolMode === 'none' && isIdle(grantsOf(values))) {
    wrong('toolMode', 'Such a key can do nothing: let it call tools, models or agents')
  }
}

const checked = Values.check((context) => {
  const { value, issues } = context
  const wrong: Wrong = (path, message) => issues.push({ code: 'custom', path: [path], message, input: value[path] })
  checkNumbers(value, wrong)
  checkChoices(value, wrong)
})

function toNewKey(values: KeyValues): NewKey {
  const { tools, allowedModels, capabilities, ...rest } = grantsOf(values)
  return {
    ...rest,
    name: values.name,
    tools: tools === 'all' ? 'all' : [...tools],
    allowedModels: [...allowedModels],
    capabilities: capabilities && [...capabilities],
  }
}

/** The form's rules; what passes is a NewKey. */
export const KeyForm = z.pipe(checked, z.transform(toNewKey))
