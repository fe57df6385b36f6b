import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import type { AdminCommand } from './options'

// SQL, because loading Prisma's query compiler takes as long as the rest of this command.
const OWNERS = statement({
  name: 'admin_owner_list',
  sql: `SELECT o.id, o.email, o.is_admin AS "isAdmin", coalesce(a.available, 0) AS available,
      coalesce(a.held, 0) AS held, (SELECT count(*)::int FROM key k WHERE k.owner_id = o.id) AS keys,
      a.suspended_for AS suspended
    FROM owner o LEFT JOIN account a ON a.owner_id = o.id ORDER BY o.id`,
  params: [],
  columns: {
    id: 'int',
    email: 'text',
    isAdmin: 'boolean',
    available: 'bigint',
    held: 'bigint',
    keys: 'int',
    suspended: 'text?',
  },
})

type OwnerLine = { id: number; email: string; available: number; held: number; keys: number; suspended: string | null }

const ownerLine = ({ id, email, available, held, keys, suspended }: OwnerLine) =>
  [id, email, `${available} available`, `${held} held`, `${keys} keys`, suspended && `suspended: ${suspended}`]
    .filter(Boolean)
    .join('\t')

export const ownerListCommand: AdminCommand = {
  name: 'owner list',
  usage: '',
  options: {},
  run: async () => {
    const rows = await runStatement(OWNERS, [])
    const owners = rows.map((row) => ({ ...row, available: Number(row.available), held: Number(row.held) }))
    return { data: { owners }, text: owners.length > 0 ? owners.map(ownerLine).join('\n') : 'There are no owners' }
  },
}
