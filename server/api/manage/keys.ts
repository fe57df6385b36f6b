import { z } from 'zod'
import { invalidRequest } from '../../errors'
import { changeKey } from '../../keys/change'
import { requireChangeWithinTemplate, requireVisible, requireWithinTemplate, tagsWithin } from '../../keys/confinement'
import { createKey } from '../../keys/create'
import { findKeyByExternalId, getKey, listKeys } from '../../keys/list'
import { revokeKey } from '../../keys/revoke'
import { rotateKey } from '../../keys/rotate'
import { ExternalId, KeyId, type KeyView, type KeyWithSecret, NewKey, RotateKey } from '../../keys/shape'
import { grantableNames } from '../grantable-names'
import { AUDITED_BY_MODULE, type OperationEntry, type Trait } from '../operation-meta'
import { router } from '../trpc'
import { doAct, doActOnce, etagOf, type ManageCall, manageProcedure, manages, requireMatch } from './act'
import { changesTo, chosenOf } from './chosen-settings'
import {
  DeclaredKey,
  DeclaredKeyAnswer,
  ManagedKey,
  ManagedKeyChanges,
  ManagedKeyList,
  ManagedKeyPage,
  ManagedKeySettings,
  ManagedKeyWithSecret,
  toKeySettings,
  viewManagedKey,
} from './key-shapes'

type Described = Pick<OperationEntry, 'operationId' | 'summary' | 'description'>

const meta = (method: OperationEntry['method'], path: '' | `/${string}`, described: Described) => ({
  openapi: { method, path: `/manage/keys${path}` as const, ...described, tags: ['Management'], protect: true },
})

const ONE = '/{id}'
const named: readonly Trait[] = ['granted', 'named']
const changes: readonly Trait[] = ['granted', 'named', 'conflicts', 'matched']

/** A key as it is answered, with the version that If-Match takes. */
function answer<K extends KeyView>({ ctx }: ManageCall<unknown>, key: K) {
  ctx.reply.etag = etagOf(chosenOf(key))
  return viewManagedKey(key)
}

const answerSecret = (call: ManageCall<unknown>, made: KeyWithSecret) => ({ ...answer(call, made), key: made.key })

/** Whose key is changed: one that the management key sees, in the version that it named. */
const owned = (call: ManageCall<unknown>, check: (key: KeyView) => void = () => {}) => ({
  ownerId: call.ownerId,
  check: (key: KeyView) => {
    requireVisible(call.grant, key)
    requireMatch(call, etagOf(chosenOf(key)))
    check(key)
  },
})

const nameOf = ({ name }: KeyView) => name

function createManagedKey(call: ManageCall<ManagedKeySettings>) {
  const { grant, input } = call
  const settings = NewKey.parse({ ...toKeySettings(input), tags: tagsWithin(grant, input.tags) })
  requireWithinTemplate(grant, settings)
  const { name: _, ...detail } = settings
  return { settings, act: { action: 'key_created', subject: nameOf, detail } as const }
}

async function declareKey(call: ManageCall<z.infer<typeof DeclaredKey> & { id: string }>) {
  const { id: externalId, ...given } = call.input
  const { settings, act } = createManagedKey({ ...call, input: { ...given, externalId } })
  const find = () => findKeyByExternalId(call.ownerId, externalId)
  const existing = await find()
  if (existing) return changeDeclared(call, existing, settings)
  try {
    const made = await doAct(call, { ...act, answer: (key: KeyWithSecret) => answerSecret(call, key) }, () =>
      createKey(call.ownerId, settings, grantableNames()),
    )
    call.ctx.reply.status = 201
    return made
  } catch (error) {
    // Of two that declare it at once the second finds the first's.
    const first = await find()
    if (!first) throw error
    return changeDeclared(call, first, settings)
  }
}

/** Makes a key as it is declared; where it is so already, nothing is done. */
async function changeDeclared(call: ManageCall<unknown>, key: KeyView, settings: z.output<typeof NewKey>) {
  const owner = owned(call)
  owner.check(key)
  if (settings.customer !== key.customer)
    throw invalidRequest([{ path: ['customer'], message: 'A key stays with its customer. Declare another key' }])
  const detail = changesTo(key, settings)
  if (Object.keys(detail).length === 0) return answer(call, key)
  const act = { action: 'key_changed', subject: nameOf, detail, answer: (made: KeyView) => answer(call, made) } as const
  return doAct(call, act, () => changeKey(owner, key.id, detail))
}

/** Keys of an account, for its programs. */
export const manageKeysRouter = router({
  create: manageProcedure
    .meta({
      ...meta('POST', '', {
        operationId: 'createKey',
        summary: 'Make a key',
        description: 'Its secret is in this answer only.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { success: 201, schema: 'NewManagedKey', traits: ['granted', 'conflicts', 'repeatable', 'versioned'] },
    })
    .input(ManagedKeySettings)
    .output(ManagedKeyWithSecret)
    .mutation(
      manages('keys', async (call) => {
        const { settings, act } = createManagedKey(call)
        return doActOnce(call, { ...act, answer: (made) => answerSecret(call, made) }, () =>
          createKey(call.ownerId, settings, grantableNames()),
        )
      }),
    ),

  list: manageProcedure
    .meta({
      ...meta('GET', '', { operationId: 'listKeys', summary: 'List keys, newest first, revoked ones included' }),
      rest: { schema: 'ManagedKeyList', traits: ['granted'] },
    })
    .input(ManagedKeyPage)
    .output(ManagedKeyList)
    .query(
      manages('keys', async ({ ownerId, grant, input: { tag, customer, ...page } }) => {
        const tags = [grant.tag, tag].filter((one): one is string => typeof one === 'string')
        const { rows, nextCursor } = await listKeys(ownerId, page, { tags, customer, isManagement: false })
        return { rows: rows.map(viewManagedKey), nextCursor }
      }),
    ),

  get: manageProcedure
    .meta({
      ...meta('GET', ONE, { operationId: 'readKey', summary: 'One key, with what it has spent' }),
      rest: { traits: [...named, 'versioned'] },
    })
    .input(KeyId)
    .output(ManagedKey)
    .query(
      manages('keys', async (call) => {
        const key = await getKey(call.ownerId, call.input.id)
        requireVisible(call.grant, key)
        return answer(call, key)
      }),
    ),

  change: manageProcedure
    .meta({
      ...meta('PATCH', ONE, {
        operationId: 'changeKey',
        summary: 'Change a key',
        description: 'What is omitted stays. What it may call can be narrowed only.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { traits: changes },
    })
    .input(ManagedKeyChanges.extend(KeyId.shape))
    .output(ManagedKey)
    .mutation(
      manages('keys', async (call) => {
        const { id, ...given } = call.input
        const detail = toKeySettings(given)
        if (given.tags) detail.tags = tagsWithin(call.grant, given.tags)
        requireChangeWithinTemplate(call.grant, detail)
        const act = {
          action: 'key_changed',
          subject: nameOf,
          detail,
          answer: (key: KeyView) => answer(call, key),
        } as const
        return doAct(call, act, () => changeKey(owned(call), id, detail))
      }),
    ),

  revoke: manageProcedure
    .meta({
      ...meta('DELETE', ONE, { operationId: 'revokeKey', summary: 'Revoke a key, on every process at once' }),
      ...AUDITED_BY_MODULE,
      rest: { traits: ['granted', 'named', 'matched'] },
    })
    .input(KeyId)
    .output(ManagedKey)
    .mutation(
      manages('keys', async (call) => {
        const act = { action: 'key_revoked', subject: nameOf, answer: (key: KeyView) => answer(call, key) } as const
        return doAct(call, act, () => revokeKey(owned(call), call.input.id))
      }),
    ),

  rotate: manageProcedure
    .meta({
      ...meta('POST', `${ONE}/rotate`, {
        operationId: 'rotateKey',
        summary: 'Give a key a second secret',
        description: 'Its id, spend, budgets and limits stay. The secret is in this answer only.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { schema: 'NewManagedKey', traits: [...changes, 'repeatable'] },
    })
    .input(z.strictObject(RotateKey.shape))
    .output(ManagedKeyWithSecret)
    .mutation(
      manages('keys', async (call) => {
        const { id, overlapMinutes } = call.input
        const mayHold = owned(call, (key) => requireWithinTemplate(call.grant, key))
        const act = { action: 'key_rotated', subject: nameOf, detail: { overlapMinutes } } as const
        return doActOnce(call, { ...act, answer: (made) => answerSecret(call, made) }, () =>
          rotateKey(mayHold, id, overlapMinutes),
        )
      }),
    ),

  declare: manageProcedure
    .meta({
      ...meta('PUT', ONE, {
        operationId: 'declareKey',
        summary: 'Make a key by your own id, or change it to what is declared',
        description:
          '201: it was made, and its secret is in this answer only. 200: it was there, and is as declared now. A ' +
          'repeat changes nothing. The id of a revoked key is free again.',
      }),
      ...AUDITED_BY_MODULE,
      rest: {
        schema: 'DeclaredKey',
        bodies: { 200: DeclaredKeyAnswer, 201: ManagedKeyWithSecret },
        traits: ['granted', 'conflicts', 'matched'],
      },
    })
    .input(DeclaredKey.extend({ id: ExternalId }))
    .output(DeclaredKeyAnswer)
    .mutation(manages('keys', declareKey)),
})
