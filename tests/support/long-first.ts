import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first: begun last, one of them would run alone at the end.
 * Vitest knows durations only where it has run before.
 */
const LONG = [
  'tests/chaos/faults',
  'tests/security/resources',
  'tests/security/hostile-bodies',
  'tests/chaos/agent.',
  'server/tools/web/capture',
  'tests/chaos/kill',
  'tests/chaos/drain',
  'server/cli/new-tool/write',
  'tests/chaos/settings',
  'tests/docs/examples',
  'tests/chaos/chat',
  'tests/chaos/watchdog',
  'tests/contract/admin.process',
  'tests/chaos/database-away',
  'tests/chaos/cut-off',
  'tests/contract/ledger-damage',
  'tests/chaos/processes',
  'tests/contract/commands',
  'tests/chaos/agent-stalls',
  'tests/sdk/typescript',
  'server/credits/histories.db',
  'tests/contract/provoked.db',
  'tests/security/injection.db',
  'tests/architecture/owners.db',
  'server/credits/ledger.db',
  'tests/contract/body-limits.db',
  'server/agent-tools/pod/pod_run.db',
  'tests/contract/mcp-progress.db',
  'tests/contract/chat-stream.db',
  'tests/contract/audited-acts.db',
  'tests/contract/query-tasks.db',
  'server/agent-tools/data/dataset.db',
  'server/notices/notices.db',
  'tests/architecture/flows.db',
  'tests/architecture/billing.db',
  'tests/contract/price-check.db',
  'tests/contract/webhook-delivery.db',
  'server/cli/backup/',
  'server/agent-tools/pod/run-command',
]

/** Where a file belongs in the order. */
function rankOf({ moduleId }: TestSpecification): number {
  const found = LONG.findIndex((name) => moduleId.includes(name))
  return found < 0 ? LONG.length : found
}

/** The usual order, after the files that are known to take long. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
