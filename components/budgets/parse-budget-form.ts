import type { BudgetToMake, ScopeChoice } from './shape'

/** What a field of names has, separated by commas or lines; undefined: nothing. */
const namesIn = (text: string): string[] | undefined => {
  const names = text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length > 0 ? [...new Set(names)] : undefined
}

const isWindow = (text: string): text is BudgetToMake['window'] => ['lifetime', 'day', 'week', 'month'].includes(text)

/** A form about a budget as it is sent. `keys`: those that were chosen. */
export function parseBudgetForm(given: FormData, keys: readonly number[]): BudgetToMake & { scope: ScopeChoice } {
  const text = (name: string) => String(given.get(name) ?? '')
  const products = given.getAll('product') as NonNullable<ScopeChoice['products']>
  const members = given.getAll('member').map(Number)
  const [tools, models, tags] = ['tools', 'models', 'tags'].map((name) => namesIn(text(name)))
  // Names of customers may have commas.
  const named = text('customerNames')
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean)
  const customers = text('customers') === 'each' ? ('each' as const) : text('customers') === 'named' ? named : undefined
  const window = text('window')
  return {
    name: text('name').trim(),
    credits: Number(text('credits').replace(/[\s\u202f]/g, '') || Number.NaN),
    window: isWindow(window) ? window : 'month',
    scope: {
      ...(products.length > 0 && { products }),
      ...(tools && { tools }),
      ...(models && { models }),
      ...(tags && { tags }),
      ...(keys.length > 0 && { keys: [...keys] }),
      ...(members.length > 0 && { members }),
      ...(customers && { customers }),
    },
  }
}

/** The fields of the form that issues of the service are about. */
const BUDGET_FIELDS = [
  'name',
  'credits',
  'products',
  'tools',
  'models',
  'tags',
  'keys',
  'members',
  'customers',
] as const
export type BudgetFormErrors = Partial<Record<(typeof BUDGET_FIELDS)[number], string>>

/** What the service found wrong, at the fields that it is about. */
export function errorsOfBudget(issues: readonly { path: string; message: string }[]): BudgetFormErrors {
  const errors: BudgetFormErrors = {}
  for (const { path, message } of issues) {
    const field = BUDGET_FIELDS.find((name) => path.split('.').includes(name))
    if (field) errors[field] ??= message
  }
  return errors
}
