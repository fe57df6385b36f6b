import { z } from 'zod'
import { getAgentSettings, saveAgentSettings } from '../../accounts/agent-settings'
import { ConfirmAbove, getConfirmAbove, setConfirmAbove } from '../../accounts/confirm-above'
import { readOwnerNotes, saveOwnerNotes } from '../../accounts/notes'
import { MAX_NOTES, Notes, OutsideApproval, OwnerAgentSettings, OwnerNotes } from '../../accounts/shape'
import { secretsIn } from '../../agent/run/approvals/secrets'
import { SECRET_IN_NOTES } from '../../agent/run/remember'
import { getSigningSecret, MAX_OVERLAP_HOURS, rotateSigningSecret } from '../../agent/webhooks/secret'
import { SigningSecret } from '../../agent/webhooks/shape'
import { connectOwnerDatabase, disconnectOwnerDatabase } from '../../agent-tools/data/connection'
import { canConnectDatabases } from '../../agent-tools/data/database-url'
import { agentGroups, agentTools } from '../../agent-tools/registry'
import { invalidRequest } from '../../errors'
import { chatModels, findModel } from '../../models/registry'
import { getRequestLogSetting, setRequestLog } from '../../request-log/consent'
import { RequestLogSetting } from '../../request-log/shape'
import { audited } from '../operation-meta'
import { memberProcedure, router } from '../trpc'

const Settings = OwnerAgentSettings.extend({
  canConnect: z.boolean().describe('False: the operator has set no encryption key for connection URLs'),
})

const SaveSettings = z.strictObject({
  defaultModel: z.string().max(200).nullable().optional(),
  disabledTools: z.array(z.string().max(200)).max(500).optional(),
  outsideApproval: OutsideApproval.optional(),
  autoModel: z.boolean().optional(),
})

/** Throws `invalid_request` for an unknown model or tool. */
function checkKnown({ defaultModel, disabledTools = [] }: z.output<typeof SaveSettings>): void {
  if (defaultModel != null && findModel(defaultModel)?.kind !== 'chat') {
    throw invalidRequest([{ path: ['defaultModel'], message: `There is no chat model "${defaultModel}"` }])
  }
  const known = new Set(agentTools().map(({ id }) => id))
  const unknown = disabledTools.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw invalidRequest([{ path: ['disabledTools'], message: `There is no tool "${unknown}"` }])
}

const Named = z.object({ id: z.string(), label: z.string() })

const Choices = z.object({
  models: z.array(z.object({ id: z.string(), name: z.string() })).describe('Chat models, in the order of the registry'),
  groups: z.array(Named.extend({ tools: z.array(Named) })).describe('Tools that runs may use, by group'),
})

const choices = (): z.output<typeof Choices> => ({
  models: chatModels().map(({ id, name }) => ({ id, name })),
  groups: agentGroups()
    .map(({ id, label, tools }) => ({
      id,
      label,
      tools: tools.filter((tool) => tool.available()).map((tool) => ({ id: tool.id, label: tool.label })),
    }))
    .filter(({ tools }) => tools.length > 0),
})

const read = async (ownerId: number) => ({ ...(await getAgentSettings(ownerId)), canConnect: canConnectDatabases() })

export const settingsRouter = router({
  get: memberProcedure('viewer')
    .output(Settings)
    .query(({ ctx }) => read(ctx.owner)),

  /** What can be chosen. */
  choices: memberProcedure('viewer').output(Choices).query(choices),

  save: memberProcedure('admin')
    .meta(audited<z.input<typeof SaveSettings>, unknown>('settings_changed', { detail: (changes) => changes }))
    .input(SaveSettings)
    .output(Settings)
    .mutation(async ({ ctx, input }) => {
      checkKnown(input)
      await saveAgentSettings(ctx.owner, {
        ...(input.defaultModel !== undefined && { defaultModel: input.defaultModel }),
        ...(input.disabledTools !== undefined && { disabledTools: [...new Set(input.disabledTools)] }),
        ...(input.outsideApproval !== undefined && { outsideApproval: input.outsideApproval }),
        ...(input.autoModel !== undefined && { autoModel: input.autoModel }),
      })
      return read(ctx.owner)
    }),

  /** What every run is given. */
  notes: memberProcedure('viewer')
    .output(OwnerNotes)
    .query(({ ctx }) => readOwnerNotes(ctx.owner)),

  /** `before`: what they were, so that nothing that came since is lost. */
  saveNotes: memberProcedure('admin')
    .meta(
      audited<{ notes: string }, unknown>('settings_changed', {
        detail: ({ notes }) => ({ notes: `${notes.length} characters` }),
      }),
    )
    .input(z.strictObject({ notes: Notes, before: z.string().max(MAX_NOTES) }))
    .output(OwnerNotes)
    .mutation(({ ctx, input: { notes, before } }) => {
      if (secretsIn(notes).length > 0) throw invalidRequest([{ path: ['notes'], message: SECRET_IN_NOTES }])
      return saveOwnerNotes(ctx.owner, before, { notes, isForeign: false })
    }),

  /** Above how many credits pages ask before they spend; 0: always, null: never. */
  confirmAbove: memberProcedure('member')
    .output(ConfirmAbove)
    .query(({ ctx }) => getConfirmAbove(ctx.owner)),

  setConfirmAbove: memberProcedure('admin')
    .meta(audited<{ confirmAbove: number | null }, unknown>('settings_changed', { detail: (change) => change }))
    .input(z.strictObject({ confirmAbove: ConfirmAbove }))
    .output(ConfirmAbove)
    .mutation(async ({ ctx, input: { confirmAbove } }) => {
      await setConfirmAbove(ctx.owner, confirmAbove)
      return confirmAbove
    }),

  /** Whether requests and responses are kept. */
  requestLog: memberProcedure('viewer')
    .output(RequestLogSetting)
    .query(({ ctx }) => getRequestLogSetting(ctx.owner)),

  /** Off deletes what was kept. */
  setRequestLog: memberProcedure('admin')
    .meta(
      audited<{ isOn: boolean }, unknown>('settings_changed', {
        detail: ({ isOn }) => ({ requestLog: isOn ? 'on' : 'off, deleted' }),
      }),
    )
    .input(z.strictObject({ isOn: z.boolean() }))
    .output(RequestLogSetting)
    .mutation(({ ctx, input }) => setRequestLog(ctx.owner, input.isOn)),

  connectDatabase: memberProcedure('admin')
    .meta(audited<unknown, { label: string }>('database_connected', { subject: (_input, { label }) => label }))
    .input(z.strictObject({ url: z.string().trim().min(1).max(2_000) }))
    .output(z.object({ label: z.string() }))
    .mutation(({ ctx, input }) => connectOwnerDatabase(ctx.owner, input.url)),

  disconnectDatabase: memberProcedure('admin')
    .meta(audited('database_disconnected'))
    .mutation(({ ctx }) => disconnectOwnerDatabase(ctx.owner)),

  webhookSecret: memberProcedure('developer')
    .output(SigningSecret)
    .query(({ ctx }) => getSigningSecret(ctx.owner)),

  rotateWebhookSecret: memberProcedure('admin')
    .meta(audited('webhook_secret_rotated'))
    .input(z.strictObject({ overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(24) }))
    .output(SigningSecret)
    .mutation(({ ctx, input }) => rotateSigningSecret(ctx.owner, input.overlapHours)),
})
