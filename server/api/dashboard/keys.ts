import { z } from 'zod'
import type { Role } from '../../accounts/shape'
import { describeTool } from '../../catalog/describe'
import { changeKey } from '../../keys/change'
import { createKey, createManagementKey } from '../../keys/create'
import { getKey, listKeys } from '../../keys/list'
import type { KeyOwner } from '../../keys/lock'
import { revokeKey } from '../../keys/revoke'
import { rotateKey } from '../../keys/rotate'
import { listKeyTags, readKeyNames, searchKeys } from '../../keys/search'
import {
  ChangeKey,
  FoundKeys,
  KeyId,
  KeyList,
  KeyName,
  KeyPage,
  KeySearch,
  KeyTag,
  KeyView,
  KeyWithSecret,
  NewKey,
  NewManagementKey,
  RotateKey,
} from '../../keys/shape'
import { offerModel } from '../../models/listing/offer'
import { allModels } from '../../models/registry'
import { OfferedModel } from '../../models/shape'
import { CAPABILITIES } from '../../tools/define'
import { exampleInput } from '../../tools/example'
import { capabilityLabel, toolGroups } from '../../tools/registry'
import { grantableNames } from '../grantable-names'
import { audited, STEP_UP, stepUpWhen } from '../operation-meta'
import { LARGE_NEW_KEY, LARGER_BUDGET, SECRET_OF_LARGE_KEY } from '../step-up-rules'
import { memberProcedure, requireRole, router } from '../trpc'

const Named = z.object({ id: z.string(), label: z.string() })

const GrantableModel = OfferedModel.pick({ id: true, name: true, provider: true, kind: true, creditsPer1mOutput: true })

/** What the key form offers, from the registries. */
const KeyOptions = z.object({
  groups: z.array(
    Named.extend({
      tools: z.array(
        Named.extend({
          description: z.string(),
          credits: z.int().nullable(),
          pricing: z.enum(['fixed', 'metered']),
          example: z.record(z.string(), z.unknown()).describe('Parameters of a call to begin with'),
        }),
      ),
    }),
  ),
  models: z.array(GrantableModel),
  capabilities: z.array(Named),
})

function keyOptions(): z.infer<typeof KeyOptions> {
  const offered = toolGroups.map(({ id, label, tools }) => ({
    id,
    label,
    tools: tools.filter((t) => t.available()).map((tool) => ({ ...describeTool(tool), example: exampleInput(tool) })),
  }))
  return {
    groups: offered.filter((group) => group.tools.length > 0),
    models: allModels().map((model) => GrantableModel.parse(offerModel(model))),
    capabilities: CAPABILITIES.map((id) => ({ id, label: capabilityLabel(id) })),
  }
}

/** Keys of the account; what manages keys is changed by whoever may make it. */
const ofRole = ({ owner: ownerId, role }: { owner: number; role: Role }): KeyOwner => ({
  ownerId,
  check: ({ management }) => {
    if (management !== null) requireRole(role, 'admin')
  },
})

const nameOf = (_input: unknown, { name }: KeyView) => name

export const keysRouter = router({
  list: memberProcedure('viewer')
    .input(KeyPage)
    .output(KeyList)
    .query(({ ctx, input }) => listKeys(ctx.owner, input)),
  /** For lists and pickers: searched, filtered and sorted by the database. */
  search: memberProcedure('viewer')
    .input(KeySearch)
    .output(FoundKeys)
    .query(({ ctx, input }) => searchKeys(ctx.owner, input, { signal: ctx.signal })),
  tags: memberProcedure('viewer')
    .output(z.array(KeyTag))
    .query(({ ctx }) => listKeyTags(ctx.owner, { signal: ctx.signal })),
  names: memberProcedure('viewer')
    .input(z.object({ ids: z.array(KeyId.shape.id).max(200) }))
    .output(z.array(KeyName))
    .query(async ({ ctx, input }) =>
      [...(await readKeyNames(ctx.owner, input.ids))].map(([id, name]) => ({ id, name })),
    ),
  get: memberProcedure('viewer')
    .input(KeyId)
    .output(KeyView)
    .query(({ ctx, input }) => getKey(ctx.owner, input.id)),
  options: memberProcedure('viewer').output(KeyOptions).query(keyOptions),
  create: memberProcedure('developer')
    .meta({
      ...audited<z.input<typeof NewKey>, KeyView>('key_created', {
        subject: nameOf,
        detail: ({ name: _, ...rest }) => rest,
      }),
      ...stepUpWhen(LARGE_NEW_KEY),
    })
    .input(NewKey)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => createKey({ ownerId: ctx.owner, personId: ctx.person }, input, grantableNames())),
  createManagement: memberProcedure('admin')
    .meta({
      ...audited<NewManagementKey, KeyView>('management_key_created', {
        subject: nameOf,
        detail: ({ name: _, ...rest }) => rest,
      }),
      ...STEP_UP,
    })
    .input(NewManagementKey)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) =>
      createManagementKey({ ownerId: ctx.owner, personId: ctx.person }, input, grantableNames()),
    ),
  change: memberProcedure('developer')
    .meta({
      ...audited<z.input<typeof ChangeKey>, KeyView>('key_changed', {
        subject: nameOf,
        detail: ({ changes }) => changes,
      }),
      ...stepUpWhen(LARGER_BUDGET),
    })
    .input(ChangeKey)
    .output(KeyView)
    .mutation(({ ctx, input }) => changeKey(ofRole(ctx), input.id, input.changes)),
  revoke: memberProcedure('developer')
    .meta(audited<unknown, KeyView>('key_revoked', { subject: nameOf }))
    .input(KeyId)
    .output(KeyView)
    .mutation(({ ctx, input }) => revokeKey(ofRole(ctx), input.id)),
  rotate: memberProcedure('developer')
    .meta({
      ...audited<z.input<typeof RotateKey>, KeyView>('key_rotated', {
        subject: nameOf,
        detail: ({ overlapMinutes }) => ({ overlapMinutes }),
      }),
      ...stepUpWhen(SECRET_OF_LARGE_KEY),
    })
    .input(RotateKey)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => rotateKey(ofRole(ctx), input.id, input.overlapMinutes)),
})
