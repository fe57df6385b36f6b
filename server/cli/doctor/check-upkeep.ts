import type { Env } from '../../env'
import { fingerprintsOf } from '../backup/secrets'
import { type DoctorCheck, warning, well } from './check'
import { withConnection } from './check-database'

const READ = `SELECT name, started_at AS at, cursor FROM retention WHERE name IN ('backup', 'drill', 'verify', 'auth_secret')`

const ACCEPT = `UPDATE retention SET cursor = $1 WHERE name = 'auth_secret'`

type Row = { name: string; at: Date | null; cursor: string | null }

const HOUR_MS = 3_600_000
/** Timers run once a week, or once a day. */
const DRILL_H = 10 * 24
const VERIFY_H = 36

const BACKUP_ADVICE =
  'Look at the timer that runs admin backup (docs/guides/backups.md). Where backups are made by other means: BACKUP_EVERY_H=0.'

/** A task of the operator's timers: when it last succeeded, and whether that is long ago. */
function taskCheck(name: string, at: Date | null, { hours, advice }: { hours: number; advice: string }): DoctorCheck {
  if (at === null) return warning(name, 'none is known', advice)
  const age = Math.max(0, Date.now() - at.getTime()) / HOUR_MS
  const text = `the last good one is of ${at.toISOString()}, ${age < 48 ? `${Math.floor(age)} h` : `${Math.floor(age / 24)} days`} ago`
  return age > hours ? warning(name, text, advice) : well(name, text)
}

/** Looks at backups, drills and verifications, and whether AUTH_SECRET is that of the database. */
export const checkUpkeep = (url: string, env: Env, { acceptsSecret = false } = {}): Promise<DoctorCheck[]> =>
  withConnection(url, async (db) => {
    // What is missing before the first migration is said by the check of migrations.
    if ((await db.query("SELECT to_regclass('retention') AS table")).rows[0].table === null) return []
    if (acceptsSecret) await db.query(ACCEPT, [fingerprintsOf(env).AUTH_SECRET])
    const rows = new Map((await db.query<Row>(READ)).rows.map((row) => [row.name, row]))
    const at = (name: string) => rows.get(name)?.at ?? null
    return [
      ...(env.sandbox || env.BACKUP_EVERY_H === 0
        ? []
        : [
            taskCheck('backup', at('backup'), { hours: env.BACKUP_EVERY_H * 1.5, advice: BACKUP_ADVICE }),
            taskCheck('drill', at('drill'), { hours: DRILL_H, advice: 'npm run admin -- restore --drill, every week' }),
          ]),
      ...(env.sandbox
        ? []
        : [
            taskCheck('verify', at('verify'), {
              hours: VERIFY_H,
              advice: 'npm run admin -- ledger verify, every day',
            }),
          ]),
      ...secretCheck(env, rows.get('auth_secret')?.cursor ?? null),
    ]
  })

function secretCheck(env: Env, known: string | null): DoctorCheck[] {
  if (known === null) return []
  if (known === fingerprintsOf(env).AUTH_SECRET)
    return [well('AUTH_SECRET', 'is the one that the database is used with')]
  const text = 'is another one than the database was first used with: sessions ended, and webhooks are signed otherwise'
  const advice = 'Set the earlier one. Where it was changed on purpose: npm run admin -- doctor --accept-secret'
  return [warning('AUTH_SECRET', text, advice)]
}
