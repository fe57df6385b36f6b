import path from 'node:path'
import type { LedgerDifference } from '../../credits/verify-checks'
import { env } from '../../env'
import { readableBytes } from '../backup/progress'
import { type AdminCommand, CommandError, type CommandOptions, integerOption, textOption } from './options'

const string = { type: 'string' } as const
const boolean = { type: 'boolean' } as const

const folderOption = (options: CommandOptions, name: string) => path.resolve(textOption(options, name))

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
    '--to DIR [--keep N] [--no-files] [--with-secrets]   (database, hosted files and sites; the service may run. With --keep a new folder in DIR, of which the newest N stay)',
  options: { to: string, keep: string, 'no-files': boolean, 'with-secrets': boolean },
  run: async (options) => {
    const folder = folderOption(options, 'to')
    const kept = keepOption(options)
    const [{ writeBackup }, { makeProgress }, { deleteOlderBackups, newBackupIn }] = await Promise.all([
      import('../backup/write-backup'),
      import('../backup/progress'),
      import('../backup/kept-backups'),
    ])
    const to = kept === undefined ? folder : newBackupIn(folder)
    const withSecrets = options['with-secrets'] === true
    const made = await writeBackup(env(), {
      to,
      withFiles: options['no-files'] !== true,
      withSecrets,
      progress: makeProgress(),
    })
    const deleted = kept === undefined ? [] : deleteOlderBackups(folder, kept)
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = made.tables.reduce((sum, table) => sum + table.bytes, 0)
    const { files } = made
    const lines = [
      `Backup of ${made.createdAt} in ${to}`,
      `  ${count(made.tables.length, 'table')}, ${count(rows, 'row')}, ${readableBytes(bytes)}`,
      files ? `  ${count(files.count, 'file')}, ${readableBytes(files.totalBytes)}` : '  without files',
      ...(files && files.missing > 0 ? [`  ${count(files.missing, 'file')} not found in the storage`] : []),
      withSecrets
        ? '  with secrets: keep it as safe as those'
        : '  without secrets: keep ENCRYPTION_KEY and AUTH_SECRET elsewhere',
      ...deleted.map((name) => `  deleted ${name}`),
    ]
    return { data: { to, rows, bytes, withSecrets, deleted, ...made }, text: lines.join('\n') }
  },
}

const restore: AdminCommand = {
  name: 'restore',
  usage: '--from DIR [--no-files] [--replace] [--other-secrets]   (into an empty database; stop web and worker first)',
  options: { from: string, 'no-files': boolean, replace: boolean, 'other-secrets': boolean },
  run: async (options) => {
    const from = folderOption(options, 'from')
    const [{ restoreBackup }, { makeProgress }, { finishCopy }] = await Promise.all([
      import('../backup/restore-backup'),
      import('../backup/progress'),
      import('../backup/finish'),
    ])
    const restored = await restoreBackup(env(), {
      from,
      withFiles: options['no-files'] !== true,
      replace: options.replace === true,
      hasOtherSecrets: options['other-secrets'] === true,
      progress: makeProgress(),
    })
    const { voidedHolds, differences } = await finishCopy(env().DATABASE_URL)
    const { createdAt, tables, rows, files } = restored
    const ok = differences.length === 0
    const lines = [
      `Restored the backup of ${createdAt}: ${count(tables.length, 'table')}, ${count(rows, 'row')}, ${count(files?.count ?? 0, 'file')}`,
      ...holdLine(voidedHolds),
      ...ledgerLines(differences),
    ]
    return { data: { ok, from, createdAt, rows, voidedHolds, differences }, text: lines.join('\n'), failed: !ok }
  },
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
