import { recordAudit } from '../../accounts/audit'
import { grantCredits } from '../../credits/grant'
import { findLedgerDifferences } from '../../credits/verify'
import { keyCommands } from './keys'
import { modelsImportCommand } from './models'
import { modelsAddCommand } from './models-add'
import { modelsCheckCommand } from './models-check'
import { type AdminCommand, CommandError, integerOption, ownerOption } from './options'
import { ownerCommands } from './owners'
import { retentionCommand } from './retention'
import { toolsCheckCommand } from './tools-check'
import { usageCommand } from './usage'

const string = { type: 'string' } as const

const creditsGrant: AdminCommand = {
  name: 'credits grant',
  usage: '--email E --credits N [--note TEXT]',
  options: { email: string, credits: string, note: string },
  run: async (options) => {
    const credits = integerOption(options, 'credits')
    if (!credits) throw new CommandError('--credits must be a whole number other than 0.')
    const owner = await ownerOption(options)
    const available = Number(
      await grantCredits(owner.id, BigInt(credits), typeof options.note === 'string' ? options.note : undefined),
    )
    await recordAudit({ ownerId: owner.id, action: 'credits_granted', detail: { credits, note: options.note } })
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
  ...ownerCommands,
  creditsGrant,
  ...keyCommands,
  ledgerVerify,
  usageCommand,
  retentionCommand,
  modelsImportCommand,
  modelsAddCommand,
  modelsCheckCommand,
  toolsCheckCommand,
]

/** Every command with its options. */
export const adminUsage = (): string =>
  [
    'Usage: npm run admin -- <command> [--json]',
    ...ADMIN_COMMANDS.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd()),
  ].join('\n')
