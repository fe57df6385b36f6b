import { findLedgerDifferences } from '../../credits/verify'
import { grantToOwner } from '../../operators/money'
import { COMMAND_LINE } from '../../operators/operator'
import { GrantRequest } from '../../operators/shape'
import { backupCommands } from './backup'
import { databaseUpgradeCommand } from './database'
import { doctorCommand } from './doctor'
import { encryptionRotateCommand } from './encryption'
import { initCommand } from './init'
import { keyCommands } from './keys'
import { modelsImportCommand } from './models'
import { modelsAddCommand } from './models-add'
import { modelsCheckCommand } from './models-check'
import { type AdminCommand, CommandError, integerOption, optionalText, ownerOption, readOptions } from './options'
import { ownerCommands } from './owners'
import { requestCommands } from './requests'
import { retentionCommand } from './retention'
import { runCommands } from './runs'
import { toolsCheckCommand } from './tools-check'
import { usageCommand } from './usage'
import { versionCommand } from './version'

const string = { type: 'string' } as const

const creditsGrant: AdminCommand = {
  name: 'credits grant',
  usage: '--email E --credits N [--note TEXT]',
  options: { email: string, credits: string, note: string },
  run: async (options) => {
    const credits = integerOption(options, 'credits')
    if (!credits) throw new CommandError('--credits must be a whole number other than 0.')
    const owner = await ownerOption(options)
    const grant = readOptions(GrantRequest, { ownerId: owner.id, credits, note: optionalText(options, 'note') })
    const available = await grantToOwner(COMMAND_LINE, grant)
    return {
      data: { email: owner.email, credits, available },
      text: `${credits} credits to ${owner.email}; ${available} are available`,
    }
  },
}

const ledgerVerify: AdminCommand = {
  name: 'ledger verify',
  usage: '',
  options: {},
  run: async () => {
    const differences = await findLedgerDifferences()
    const rows = differences.map((d) => `${d.what} ${d.id}: stored ${d.stored}, computed ${d.computed}`)
    const ok = differences.length === 0
    return {
      data: { ok, differences },
      text: ok
        ? 'Every balance, key, spend limit, hold, receipt and daily sum follows from the ledger'
        : rows.join('\n'),
      failed: !ok,
    }
  },
}

export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  initCommand,
  doctorCommand,
  ...ownerCommands,
  creditsGrant,
  ...keyCommands,
  ...requestCommands,
  ...runCommands,
  ledgerVerify,
  usageCommand,
  ...backupCommands,
  databaseUpgradeCommand,
  retentionCommand,
  encryptionRotateCommand,
  modelsImportCommand,
  modelsAddCommand,
  modelsCheckCommand,
  toolsCheckCommand,
  versionCommand,
]

/** Every command with its options. */
export const adminUsage = (): string =>
  [
    'Usage: npm run admin -- <command> [--json]',
    ...ADMIN_COMMANDS.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd()),
  ].join('\n')
