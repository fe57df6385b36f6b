import type { LedgerDifference } from '../../credits/verify-checks'
import type { Env } from '../../env'
import { fillDatabase } from './fill-database'
import { finishCopy, switchDatabase } from './finish'
import type { Manifest } from './manifest'
import type { BackupPlace } from './place'
import type { Progress } from './progress'
import { checkBackup, type RestoreEnv, sourceOf } from './restore-backup'
import { withScratchDatabase } from './scratch-database'

type DrillEnv = RestoreEnv & Pick<Env, 'DRILL_DATABASE_URL'> & { DATABASE_DIRECT_URL?: string | undefined }
type DrillOptions = { from: BackupPlace; withFiles: boolean; hasOtherSecrets: boolean; progress: Progress }

/** What a drill found: no difference means that the backup can be restored. */
export type Drilled = Manifest & { rows: number; differences: LedgerDifference[] }

/**
 * Restores a backup into a database that is removed afterwards, and verifies the ledger there. The
 * checksums of its files are compared; none is stored. The database of the service is not touched.
 */
export async function drillBackup(env: DrillEnv, { from, ...options }: DrillOptions): Promise<Drilled> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env
  const { manifest } = await checkBackup(env, { from, ...options })
  return withScratchDatabase(env, async (url) => {
    const { progress } = options
    const rows = await fillDatabase(url, sourceOf(from, manifest), { replace: false, progress })
    try {
      const { differences } = await finishCopy(url)
      return { ...manifest, rows, differences }
    } finally {
      await switchDatabase({ DATABASE_URL, DATABASE_DIRECT_URL })
    }
  })
}
