import { z } from 'zod'
import { JobStatus } from '../agent/shape'
import { ProcessFacts } from './processes'
import { RunRow } from './views'

/** Credits that are reserved, and settlements that wait. */
export const HoldsView = z.object({
  byProduct: z.array(
    z.object({
      product: z.string(),
      holds: z.int(),
      credits: z.int(),
      fresh: z.int().describe('Younger than a minute'),
      old: z.int().describe('Older than any call takes'),
      oldest: z.iso.datetime(),
    }),
  ),
  oldest: z.array(
    z.object({
      id: z.string(),
      ownerId: z.int(),
      ownerEmail: z.string().nullable(),
      credits: z.int(),
      createdAt: z.iso.datetime(),
      product: z.string(),
      what: z.string(),
      channel: z.string(),
      processId: z.string(),
      isAlive: z.boolean().describe('Its process renews its lease'),
    }),
  ),
  waiting: z.int().describe('Settlements of this process that wait for the database'),
  inJournals: z
    .int()
    .describe('Settlements in the journals of other processes in this data folder that are not written yet'),
  keptJournals: z.array(
    z.object({
      file: z.string().describe('In the folder journal of DATA_DIR'),
      why: z.enum(['other_database', 'damaged']),
      settlements: z.int(),
      credits: z.int(),
    }),
  ),
  putAside: z.object({
    all: z.int(),
    rows: z.array(
      z.object({
        id: z.string(),
        ownerId: z.int(),
        ownerEmail: z.string().nullable(),
        error: z.string().describe('What the database said'),
        attempts: z.int(),
        at: z.iso.datetime(),
        held: z.int().nullable().describe('Credits that its hold keeps; null: the hold has ended'),
      }),
    ),
  }),
})
export type HoldsView = z.infer<typeof HoldsView>

const ProcessView = z.object({
  id: z.string(),
  seenAt: z.iso.datetime().describe('When it last renewed its lease'),
  state: z.enum(['alive', 'leaving', 'ended', 'lost']).describe('lost: not seen for 45 s, and it had not begun to end'),
  about: ProcessFacts.pick({ kind: true, host: true, pid: true, version: true, startedAt: true, unwritten: true })
    .nullable()
    .describe('null: it makes a step of a run, or is of a release that did not say'),
  holds: z.int().describe('Billed calls in progress'),
  runs: z.int().describe('Runs that it has claimed'),
})
export type ProcessView = z.infer<typeof ProcessView>

/** The processes, and the agent runs they work on. */
export const WorkersView = z.object({
  processes: z.array(ProcessView),
  versions: z.array(z.string()).describe('Releases of processes that serve: more than one while an upgrade goes on'),
  queue: z.object({
    waiting: z.int(),
    active: z.int(),
    oldest: z.iso.datetime().nullable().describe('Since when the oldest message waits'),
  }),
  counts: z.array(z.object({ status: JobStatus, runs: z.int() })),
  running: z.array(RunRow).describe('The longest first'),
  awaiting: z.array(RunRow).describe('The longest first'),
})
export type WorkersView = z.infer<typeof WorkersView>

/** How the calls of the last hour went. */
export const HealthView = z.object({
  calls: z.int(),
  failed: z.int(),
  medianMs: z.int().nullable(),
  slowMs: z.int().nullable().describe('95 of 100 calls were quicker'),
  lastSuccess: z.iso.datetime().nullable(),
  lastFailure: z.iso.datetime().nullable(),
  lastError: z.string().nullable().describe('Without secrets of this installation'),
})
export type HealthView = z.infer<typeof HealthView>

export const ProviderView = z.object({
  id: z.string().describe('Its name in LIVE_PROVIDERS and SANDBOX_PROVIDERS'),
  label: z.string(),
  source: z.string().describe('Who provides it'),
  mode: z.enum(['live', 'sandbox']),
  offered: z.array(z.string()).describe('Tools that can be called'),
  missing: z.array(z.string()).describe('Tools that are not offered'),
  unset: z.array(z.string()).describe('Variables without a value, where tools are not offered'),
  health: HealthView,
})
export type ProviderView = z.infer<typeof ProviderView>

export const ModelState = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  usdPer1mInput: z.number(),
  usdPer1mOutput: z.number(),
  creditsPer1mInput: z.int(),
  creditsPer1mOutput: z.int(),
  upstreams: z.array(
    z.object({
      host: z.string(),
      api: z.string(),
      model: z.string(),
      keyVariable: z.string().nullable(),
      isConfigured: z.boolean().describe('Its key is set, or it needs none'),
    }),
  ),
  health: HealthView,
})
export type ModelState = z.infer<typeof ModelState>

export const ProvidersView = z.object({
  mode: z.enum(['live', 'sandbox', 'mixed']),
  modelsFile: z.string().nullable().describe('MODELS_FILE; null: the simulated models'),
  isCut: z.boolean().describe('The last hour had more calls than were looked at'),
  providers: z.array(ProviderView),
  models: z.array(ModelState),
})
export type ProvidersView = z.infer<typeof ProvidersView>

/** What the audit log keeps of an attempt to read the settings again. */
export const SettingsDetail = z.object({
  requests: z.array(z.string()),
  launcher: z.string(),
  problem: z.string().nullable().describe('Why the former settings are kept'),
  changed: z.array(z.string()).describe('The names of settings and models that differ, never values'),
  version: z.string().describe('Of the settings that hold since'),
})

export const SettingsAttempt = SettingsDetail.extend({
  id: z.string(),
  at: z.iso.datetime(),
  process: z.string().describe('What read them: web or worker, and on which host'),
  isRefused: z.boolean(),
})
export type SettingsAttempt = z.infer<typeof SettingsAttempt>

/** Which settings the processes have. */
export const SettingsView = z.object({
  processes: z.array(ProcessFacts.extend({ id: z.string() })),
  attempts: z.array(SettingsAttempt).describe('The newest first'),
})
export type SettingsView = z.infer<typeof SettingsView>

export const SettingsAnswer = z.object({
  attempts: z.array(SettingsAttempt),
  silent: z.array(z.string()).describe('Processes that read nothing: they need a restart, or are too busy'),
})
