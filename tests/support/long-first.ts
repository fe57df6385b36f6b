import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first: begun last, one of them would run alone at the end.
 * Vitest knows durations only where it has run before.
 */
const LONG = [
  'tests/chaos/faults',
  'tests/chaos/kill',
  'tests/security/resources',
  'server/tools/web/capture',
  'tests/chaos/watchdog',
  'tests/chaos/chat',
  'tests/chaos/agent.',
  'tests/chaos/drain',
  'tests/architecture/regexes',
  'server/cli/new-tool/write',
  'tests/chaos/agent-stalls',
  'tests/chaos/cut-off',
  'tests/contract/ledger-damage',
  'tests/contract/admin.process',
  'tests/chaos/agent-outage',
  'tests/chaos/database-away',
  'tests/contract/audited-acts.db',
  'tests/contract/agent-results.db',
  'tests/contract/mcp-call.db',
  'tests/contract/dashboard-tools.db',
  'server/credits/verify-slices.db',
  'tests/contract/mcp-progress.db',
  'tests/contract/body-limits.db',
  'tests/architecture/billing.db',
  'tests/security/injection.db',
  'server/credits/ledger.db',
  'tests/contract/webhook-delivery.db',
  'tests/contract/agent-money.db',
  'server/agent-tools/pod/pod_run.db',
  'server/agent-tools/data/dataset.db',
  'server/cli/backup/',
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
