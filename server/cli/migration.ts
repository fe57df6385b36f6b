import { describeDatabaseError } from './migrations/database-error'
import { schemaDiff } from './migrations/diff'
import { writeMigration } from './migrations/files'
import { CliError, runMain } from './project'

const USAGE = `Usage: npm run db:migration -- <name> [--sql]
  writes prisma/migrations/<time>_<name> with what changed in schema.prisma
  --sql    writes an empty one, for SQL by hand (functions, checks)`

await runMain(async () => {
  const words = process.argv.slice(2)
  const [name, ...rest] = words.filter((word) => word !== '--sql')
  if (!name || rest.length > 0 || !/^[a-z][a-z0-9_]*$/.test(name)) throw new CliError(USAGE)
  const sql = words.includes('--sql') ? '-- By hand: schema.prisma does not say this.\n' : await diffOrTold()
  if (sql === null) throw new CliError('schema.prisma and prisma/migrations agree: nothing to write')
  process.stdout.write(`Wrote ${writeMigration(name, sql)}\n`)
  return 0
})

async function diffOrTold(): Promise<string | null> {
  try {
    return await schemaDiff()
  } catch (error) {
    throw describeDatabaseError(error, 'postgresql://shadow/shadow')
  }
}
