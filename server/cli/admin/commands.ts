import type { AdminCommand } from './options'

type CommandFile = { words: readonly string[]; load: () => Promise<readonly AdminCommand[]> }

/**
 * The files of the commands in the order of the usage, by their commands' first words. A command
 * loads no other's file: all of them take longer to load than most commands take to run.
 */
const FILES: readonly CommandFile[] = [
  { words: ['init'], load: async () => [(await import('./init')).initCommand] },
  { words: ['doctor'], load: async () => [(await import('./doctor')).doctorCommand] },
  { words: ['owner'], load: async () => [(await import('./owner-list')).ownerListCommand] },
  { words: ['owner'], load: async () => [(await import('./owner-traffic')).ownerTrafficCommand] },
  { words: ['owner'], load: async () => (await import('./owner-requests')).ownerRequestCommands },
  { words: ['owner'], load: async () => (await import('./owners')).ownerCommands },
  { words: ['credits'], load: async () => [(await import('./credits')).creditsGrantCommand] },
  { words: ['key'], load: async () => (await import('./keys')).keyCommands },
  { words: ['request', 'holds', 'settlement'], load: async () => (await import('./requests')).requestCommands },
  { words: ['run'], load: async () => (await import('./runs')).runCommands },
  { words: ['processes'], load: async () => [(await import('./processes')).processesCommand] },
  { words: ['ledger'], load: async () => (await import('./ledger')).ledgerCommands },
  { words: ['usage'], load: async () => [(await import('./usage')).usageCommand] },
  { words: ['backup', 'restore', 'move-to'], load: async () => (await import('./backup')).backupCommands },
  { words: ['capacity'], load: async () => [(await import('./capacity')).capacityCommand] },
  { words: ['database'], load: async () => [(await import('./database')).databaseUpgradeCommand] },
  { words: ['retention'], load: async () => [(await import('./retention')).retentionCommand] },
  { words: ['encryption'], load: async () => [(await import('./encryption')).encryptionRotateCommand] },
  { words: ['models'], load: async () => [(await import('./models')).modelsImportCommand] },
  { words: ['models'], load: async () => [(await import('./models-add')).modelsAddCommand] },
  { words: ['models'], load: async () => [(await import('./models-check')).modelsCheckCommand] },
  { words: ['settings'], load: async () => (await import('./settings')).settingsCommands },
  { words: ['tools'], load: async () => [(await import('./tools-check')).toolsCheckCommand] },
  { words: ['version'], load: async () => [(await import('./version')).versionCommand] },
]

/** The command that these arguments begin with. */
export async function findAdminCommand(args: readonly string[]): Promise<AdminCommand | undefined> {
  for (const { words, load } of FILES) {
    if (!words.some((word) => word === args[0])) continue
    const found = (await load()).find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name)
    if (found) return found
  }
  return undefined
}

/** Every command, each found under the first word of its name. */
export const allAdminCommands = async (): Promise<readonly AdminCommand[]> =>
  (await Promise.all(FILES.map(({ load }) => load()))).flat()

/** The commands whose name begins with these words, or every one, with their options. */
export async function adminUsage(words = ''): Promise<string> {
  const all = await allAdminCommands()
  const named = all.filter(({ name }) => `${name} `.startsWith(`${words} `))
  const byFirst = all.filter(({ name }) => name.split(' ')[0] === words.split(' ')[0])
  const shown = [named, byFirst, all].find((found) => words !== '' && found.length > 0) ?? all
  return [
    'Usage: npm run admin -- <command> [--json]',
    ...shown.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd()),
  ].join('\n')
}
