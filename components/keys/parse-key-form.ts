import type { NewKey } from '@/server/keys/shape'
import { endOfDay } from '../ui/end-of-day'
import { type FormPlace, KEY_NUMBERS, type KeyFormValues, type KeyNumber, keyFormGrants, tagsOf } from './form-values'
import { grantsNothing } from './summary'

type AddError = (path: keyof KeyFormValues, message: string) => void

function checkTexts({ name, tags, customers, customer }: KeyFormValues, addError: AddError): void {
  const { length } = name.trim()
  if (length === 0) addError('name', 'Enter a name')
  if (length > 80) addError('name', 'At most 80 characters')
  const words = tagsOf(tags)
  if (words.length > 20) addError('tags', 'At most 20 tags')
  if (customers === 'one' && customer.trim() === '') addError('customer', 'Enter a customer')
  if (words.some((tag) => tag.length > 40)) addError('tags', 'At most 40 characters a tag')
}

function checkNumbers(values: KeyFormValues, addError: AddError): void {
  const used: Record<KeyNumber, boolean> = {
    agentRunBudgetCredits: values.agent,
    budget: values.limited,
    recurringCredits: values.recurring,
    rpm: true,
  }
  for (const field of Object.keys(KEY_NUMBERS) as KeyNumber[]) {
    if (used[field] && KEY_NUMBERS[field].parse(values[field]) === null) addError(field, KEY_NUMBERS[field].error)
  }
}

function checkChoices(values: KeyFormValues, place: FormPlace, addError: AddError): void {
  if (values.toolMode === 'some' && values.tools.length === 0)
    addError('tools', 'Choose at least one tool, or “No tools”')
  if (values.llm && values.modelMode === 'some' && values.allowedModels.length === 0) {
    addError('allowedModels', 'Choose at least one model, or “Any model”')
  }
  if (values.agent && values.confined && values.capabilities.length === 0) {
    addError('capabilities', 'Choose at least one group, or do not restrict runs')
  }
  if (values.expiry === 'day') {
    const end = endOfDay(values.expiryDay, place.timeZone)
    if (!end || end <= (place.now ?? new Date())) addError('expiryDay', 'Choose today or a later day')
  }
  if (values.toolMode === 'none' && grantsNothing(keyFormGrants(values, place))) {
    addError('toolMode', 'This key could do nothing. Allow tools, models or agents')
  }
}

/** A key as the form says, complete. */
export type FormKey = Required<Omit<NewKey, 'tools' | 'externalId'>> & { tools: 'all' | string[] }

function toKey(values: KeyFormValues, place: FormPlace): FormKey {
  const { tools, allowedModels, capabilities, ...rest } = keyFormGrants(values, place)
  return {
    ...rest,
    name: values.name.trim(),
    tags: tagsOf(values.tags),
    tools: tools === 'all' ? 'all' : [...tools],
    allowedModels: [...allowedModels],
    strict: values.llm && values.strict,
    responseDays: values.keepsResponses ? values.responseDays || null : 0,
    customer: values.customers === 'one' ? values.customer.trim() : null,
    namesCustomers: values.customers === 'named',
    capabilities: capabilities && [...capabilities],
  }
}

/** The first error of each field. */
export type KeyFormErrors = Partial<Record<keyof KeyFormValues, string>>

/**
 * The key to create, or the errors. Checked by hand because a zod parser would add 34 kB to the
 * page; the service checks everything again.
 */
export function parseKeyForm(values: KeyFormValues, place: FormPlace): { key: FormKey } | { errors: KeyFormErrors } {
  const errors: KeyFormErrors = {}
  const addError: AddError = (field, message) => {
    errors[field] ??= message
  }
  checkTexts(values, addError)
  checkNumbers(values, addError)
  checkChoices(values, place, addError)
  return Object.keys(errors).length > 0 ? { errors } : { key: toKey(values, place) }
}
