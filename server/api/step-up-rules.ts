import { env } from '../env'
import { getKey } from '../keys/list'
import { ChangeKey, KeyId, type KeyView, NewKey } from '../keys/shape'
import { AllowedSettings } from '../oauth/consent'
import type { StepUpRule } from './operation-meta'

type Budgets = { budget: number | null; recurringBudget: { credits: number } | null }

/** The most that a key with these budgets may spend in all, or in each period. */
const boundOf = ({ budget, recurringBudget }: Budgets): number =>
  budget ?? recurringBudget?.credits ?? Number.POSITIVE_INFINITY

const isLarge = (budgets: Budgets): boolean => boundOf(budgets) > env().STEP_UP_ABOVE_CREDITS

/** What the key is; null where there is none, which the procedure refuses. */
const keyOf = (owner: number, id: number): Promise<KeyView | null> => getKey(owner, id).catch(() => null)

/** For a new key without a budget, or with a large one. */
export const LARGE_NEW_KEY: StepUpRule = (input) => {
  const key = NewKey.safeParse(input)
  return key.success && isLarge(key.data)
}

/** For a change that makes a key's budget larger than it was, and large. */
export const LARGER_BUDGET: StepUpRule = async (input, { ownerId }) => {
  const change = ChangeKey.safeParse(input)
  if (!change.success) return false
  const { budget, recurringBudget } = change.data.changes
  if (budget === undefined && recurringBudget === undefined) return false
  const key = await keyOf(ownerId, change.data.id)
  if (!key) return false
  const changed = {
    budget: budget === undefined ? key.budget : budget,
    recurringBudget: recurringBudget === undefined ? key.recurringBudget : recurringBudget,
  }
  return isLarge(changed) && boundOf(changed) > boundOf(key)
}

/** For a new secret of a key without a budget, or with a large one. */
export const SECRET_OF_LARGE_KEY: StepUpRule = async (input, { ownerId }) => {
  const key = KeyId.safeParse(input)
  const found = key.success && (await keyOf(ownerId, key.data.id))
  return found ? isLarge(found) : false
}

/** For an application that may spend much. */
export const LARGE_CONSENT: StepUpRule = (input) => {
  const settings = AllowedSettings.safeParse((input as { settings?: unknown } | null)?.settings)
  return settings.success && isLarge(settings.data)
}
