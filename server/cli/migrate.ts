import { CliError, runMain } from './kit/project'
import { checkDatabaseUrl } from './migrations/database-error'
import { deployMigrations, markRolledBack, migrationProblems } from './migrations/deploy'
import { describeSchemaDiff, schemaDiff } from './migrations/diff'
import { writeDump } from './migrations/files'
import { writeReleaseRecord } from './migrations/release'

const USAGE = `Usage: npm run db:migrate [-- <command>]
  deploy                apply what is not applied yet (the default)
  status                exit 1 when the database and prisma/migrations differ, or an applied one was edited
  diff                  exit 1 when the migrations differ from schema.prisma, the files of SQL functions or
                        prisma/schema.sql; needs no database
  dump                  write prisma/schema.sql from the migrations; needs no database
  release               write prisma/previous-release.json: what this release asks of the database
  rolled-back <name>    let deploy try a failed migration again`

const say = (line: string) => process.stdout.write(`${line}\n`)

async function runDeploy(): Promise<number> {
  const onWait = () => process.stderr.write('Another process is migrating; waiting for it …\n')
  const applied = await deployMigrations(checkDatabaseUrl(process.env.DATABASE_URL), { onWait })
  say(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date')
  return 0
}

async function runStatus(): Promise<number> {
  const found = await migrationProblems(checkDatabaseUrl(process.env.DATABASE_URL))
  say(found.length > 0 ? found.join('\n') : 'The database is up to date')
  return found.length > 0 ? 1 : 0
}

async function runDiff(): Promise<number> {
  const found = describeSchemaDiff(await schemaDiff())
  say(found.length > 0 ? found.join('\n') : 'The migrations agree with schema.prisma, schema.sql and the SQL functions')
  return found.length > 0 ? 1 : 0
}

async function runDump(): Promise<number> {
  const { dump } = await schemaDiff()
  say(`Wrote ${writeDump(dump)}`)
  return 0
}

async function runRelease(): Promise<number> {
  say(`Wrote ${await writeReleaseRecord()}`)
  return 0
}

async function runRolledBack(name: string | undefined): Promise<number> {
  if (!name) throw new CliError(USAGE)
  await markRolledBack(checkDatabaseUrl(process.env.DATABASE_URL), name)
  say(`${name} will be tried again`)
  return 0
}

await runMain(async () => {
  const [command = 'deploy', name] = process.argv.slice(2)
  if (command === 'deploy') return runDeploy()
  if (command === 'status') return runStatus()
  if (command === 'diff') return runDiff()
  if (command === 'dump') return runDump()
  if (command === 'release') return runRelease()
  if (command === 'rolled-back') return runRolledBack(name)
  throw new CliError(USAGE)
})
