import type { LedgerDifference } from '../../credits/verify-checks'
import { env } from '../../env'
import { recordUpkeep } from '../../operators/upkeep'
import type { BackupPlace } from '../backup/place'
import { readableBytes } from '../backup/progress'
import {
  type AdminCommand,
  CommandError,
  type CommandOptions,
  type CommandResult,
  integerOption,
  optionalText,
} from './options'

const string = { type: 'string' } as const
const boolean = { type: 'boolean' } as const

/** The place that an option names, else BACKUP_URL. */
async function placeOption(options: CommandOptions, name: string): Promise<BackupPlace> {
  const location = optionalText(options, name) ?? env().BACKUP_URL
  if (location === undefined) throw new CommandError(`--${name} is missing, and BACKUP_URL is not set.`)
  const { openPlace } = await import('../backup/open-place')
  return openPlace(location)
}

const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

const ledgerLines = (differences: readonly LedgerDifference[]): string[] =>
  differences.length === 0
    ? ['ledger verify: every number follows from the ledger']
    : [
        `ledger verify: ${differences.length} differences`,
        ...differences.map((d) => `  ${d.what} ${d.id}: stored ${d.stored}, computed ${d.computed}`),
      ]

const holdLine = (voided: number) =>
  voided > 0 ? [`${count(voided, 'call')} in progress at that moment ended without a charge`] : []

/** `--keep`: how many backups stay, this one included. */
function keepOption(options: CommandOptions): number | undefined {
  const kept = integerOption(options, 'keep')
  if (kept !== undefined && kept < 1) throw new CommandError('--keep must be at least 1.')
  return kept
}

const backup: AdminCommand = {
  name: 'backup',
  usage:
    '[--to DIR|s3://…] [--keep N] [--no-files] [--with-secrets]   (database, hosted files and sites; the service may run. With --keep, or without --to into BACKUP_URL, a new folder named after the moment; the newest N stay)',
  options: { to: string, keep: string, 'no-files': boolean, 'with-secrets': boolean },
  run: async (options) => {
    const place = await placeOption(options, 'to')
    const kept = keepOption(options)
    const [{ writeBackup }, { makeProgress }, { deleteOlderBackups, newBackupIn }] = await Promise.all([
      import('../backup/write-backup'),
      import('../backup/progress'),
      import('../backup/kept-backups'),
    ])
    const to = kept === undefined && options.to !== undefined ? place : newBackupIn(place)
    const withSecrets = options['with-secrets'] === true
    const made = await writeBackup(env(), {
      to,
      withFiles: options['no-files'] !== true,
      withSecrets,
      progress: makeProgress(),
    })
    const unrecorded = await recordUpkeep('backup', new Date(made.createdAt))
    const deleted = kept === undefined ? [] : await deleteOlderBackups(place, kept)
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = made.tables.reduce((sum, table) => sum + table.bytes, 0)
    const { files } = made
    const lines = [
      `Backup of ${made.createdAt} in ${to.label}`,
      `  ${count(made.tables.length, 'table')}, ${count(rows, 'row')}, ${readableBytes(bytes)}`,
      files ? `  ${count(files.count, 'file')}, ${readableBytes(files.totalBytes)}` : '  without files',
      ...(files && files.missing > 0 ? [`  ${count(files.missing, 'file')} not found in the storage`] : []),
      withSecrets
        ? '  with secrets: keep it as safe as those'
        : '  without secrets: keep ENCRYPTION_KEY and AUTH_SECRET elsewhere',
      ...deleted.map((name) => `  deleted ${name}`),
      ...(unrecorded ? [unrecorded] : []),
    ]
    return { data: { to: to.label, rows, bytes, withSecrets, deleted, ...made }, text: lines.join('\n') }
  },
}

const skippedLines = (names: readonly string[]) => names.map((name) => `Not whole, and left out: ${name}`)

const restore: AdminCommand = {
  name: 'restore',
  usage:
    '[--from DIR|s3://…] [--drill] [--no-files] [--replace] [--other-secrets]   (a backup, or the newest of several in DIR or BACKUP_URL, into an empty database; stop web and worker first. --drill: into one that is removed afterwards)',
  options: { from: string, drill: boolean, 'no-files': boolean, replace: boolean, 'other-secrets': boolean },
  run: async (options) => {
    const [{ findBackup }, { makeProgress }] = await Promise.all([
      import('../backup/kept-backups'),
      import('../backup/progress'),
    ])
    const { place, skipped } = await findBackup(await placeOption(options, 'from'))
    const given = {
      from: place,
      withFiles: options['no-files'] !== true,
      hasOtherSecrets: options['other-secrets'] === true,
      progress: makeProgress(),
    }
    if (options.drill === true) return runDrill(given, skipped)
    const [{ restoreBackup }, { finishCopy }] = await Promise.all([
      import('../backup/restore-backup'),
      import('../backup/finish'),
    ])
    const restored = await restoreBackup(env(), { ...given, replace: options.replace === true })
    const { voidedHolds, differences } = await finishCopy(env().DATABASE_URL)
    const { createdAt, tables, rows, files } = restored
    const ok = differences.length === 0
    const lines = [
      ...skippedLines(skipped),
      `Restored the backup of ${createdAt}: ${count(tables.length, 'table')}, ${count(rows, 'row')}, ${count(files?.count ?? 0, 'file')}`,
      ...holdLine(voidedHolds),
      ...ledgerLines(differences),
    ]
    const data = { ok, from: place.label, createdAt, rows, voidedHolds, differences }
    return { data, text: lines.join('\n'), failed: !ok }
  },
}

type DrillGiven = Parameters<typeof import('../backup/drill').drillBackup>[1]

async function runDrill(given: DrillGiven, skipped: readonly string[]): Promise<CommandResult> {
  const began = new Date()
  const { drillBackup } = await import('../backup/drill')
  const { createdAt, tables, rows, files, differences } = await drillBackup(env(), given)
  const ok = differences.length === 0
  const unrecorded = ok ? await recordUpkeep('drill', began) : null
  const from = given.from.label
  const lines = [
    ...skippedLines(skipped),
    `The backup of ${createdAt} in ${from} was restored: ${count(tables.length, 'table')}, ${count(rows, 'row')}`,
    ...(given.withFiles && files ? [`${count(files.count, 'file')} in it as written`] : []),
    ...ledgerLines(differences),
    'Nothing is left in the database of the drill',
    ...(unrecorded ? [unrecorded] : []),
  ]
  const data = { ok, from, createdAt, rows, skipped, differences }
  return { data, text: lines.join('\n'), failed: !ok }
}

const move: AdminCommand = {
  name: 'move-to',
  usage: '<url> [--replace]   (copies the database to another PostgreSQL; stop web and worker first)',
  options: { replace: boolean },
  argument: 'url',
  run: async (options) => {
    const [{ moveDatabase }, { makeProgress }, { finishCopy }, { checkDatabaseUrl }] = await Promise.all([
      import('../backup/move-database'),
      import('../backup/progress'),
      import('../backup/finish'),
      import('../migrations/database-error'),
    ])
    if (typeof options.url !== 'string') throw new CommandError('Name the database: move-to postgresql://…')
    const url = checkDatabaseUrl(options.url)
    const { host, pathname } = new URL(url)
    if (url === env().DATABASE_URL) throw new CommandError('This is the database that is used already.')
    const rows = await moveDatabase(env().DATABASE_URL, url, {
      replace: options.replace === true,
      progress: makeProgress(),
    })
    const { voidedHolds, differences } = await finishCopy(url)
    const ok = differences.length === 0
    const lines = [
      `Copied ${count(rows, 'row')} to ${host}${pathname}`,
      ...holdLine(voidedHolds),
      ...ledgerLines(differences),
      'Now set DATABASE_URL in .env to that address, and start web and worker. The old database is as it was.',
    ]
    return { data: { ok, rows, voidedHolds, differences }, text: lines.join('\n'), failed: !ok }
  },
}

export const backupCommands: readonly AdminCommand[] = [backup, restore, move]
