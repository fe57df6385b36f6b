import { CliError, runMain } from './kit/project'
import { describeDatabaseError } from './migrations/database-error'
import { type SchemaDiff, schemaDiff } from './migrations/diff'
import { removeMigration, writeDump, writeMigration } from './migrations/files'
import { functionSql } from './migrations/functions'

const USAGE = `Usage: npm run db:migration -- <name> [--sql]
  writes prisma/migrations/<time>_<name> with what changed in schema.prisma and in the files of SQL functions, and
  prisma/schema.sql with the schema that it leads to
  --sql    leaves a line for SQL by hand (checks, partial indexes), also when nothing else changed`

const BY_HAND = '-- By hand: schema.prisma does not say this.'

await runMain(async () => {
  const words = process.argv.slice(2)
  const isByHand = words.includes('--sql')
  const [name, ...rest] = words.filter((word) => word !== '--sql')
  if (!name || rest.length > 0 || !/^[a-z][a-z0-9_]*$/.test(name)) throw new CliError(USAGE)
  const { tables, functions } = await diffOrCliError()
  const parts = [isByHand ? BY_HAND : '', tables?.trim() ?? '', functionSql(functions)].filter((part) => part !== '')
  if (parts.length === 0) throw new CliError('The migrations agree with schema.prisma and the SQL functions')
  const file = writeMigration(name, `${parts.join('\n\n')}\n`)
  process.stdout.write(`Wrote ${file}\n`)
  try {
    const { dump } = await diffOrCliError()
    process.stdout.write(`Wrote ${writeDump(dump)}\n`)
  } catch (error) {
    removeMigration(file)
    throw error
  }
  return 0
})

async function diffOrCliError(): Promise<SchemaDiff> {
  try {
    return await schemaDiff()
  } catch (error) {
    throw describeDatabaseError(error, 'postgresql://shadow/shadow')
  }
}
