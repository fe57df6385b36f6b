import { grantableNames } from '../../server/api/grantable-names'
import { createManagementKey } from '../../server/keys/create'
import type { KeyWithSecret, NewManagementKey } from '../../server/keys/shape'
import { send } from './api'
import { makeOwner, type TestOwner } from './owners'

export const MANAGE = '/api/v1/manage'

/** A management key of an owner; every scope and 10,000 requests a minute by default. */
export const makeManagementKey = (owner: TestOwner, settings: Partial<NewManagementKey> = {}): Promise<KeyWithSecret> =>
  createManagementKey(
    owner.id,
    { name: 'ops', rpm: 10_000, scopes: ['keys', 'budgets', 'customers', 'usage', 'members'], ...settings },
    grantableNames(),
  )

type Request = Omit<NonNullable<Parameters<typeof send>[1]>, 'key'>

/** An owner with a management key, and requests with it below /api/v1/manage. */
export async function makeManager(settings: Partial<NewManagementKey> = {}, credits = 1_000) {
  const owner = await makeOwner(credits)
  const manager = await makeManagementKey(owner, settings)
  const manage = (path: string, request: Request = {}) => send(MANAGE + path, { key: manager.key, ...request })
  return { owner, manager, manage }
}
