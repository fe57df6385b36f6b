import { grant } from '../../credits/grant'
import { verifyLedger } from '../../credits/verify'
import { keyCommands } from './keys'
import { modelsImport } from './models'
import { type Command, ownerOf, Refused, wholeOf } from './options'
import { ownerCommands } from './owners'
import { retention } from './retention'
import { usageCommand } from './usage'

const string = { type: 'string' } as const

const creditsGrant: Command = {
  name: 'credits grant',
  usage: '--email E --credits N [--note TEXT]',
  options: { email: string, credits: string, note: string },
  run: async (options) => {
    const credits = wholeOf(options, 'credits')
    if (!credits) throw new Refused('--credits must be a whole number other than 0.')
    const owner = await ownerOf(options)
    const available = Number(
      await grant(owner.id, BigInt(credits), typeof options.note === 'string' ? options.note : undefined),
    )
    return {
      data: { email: owner.email, credits, available },
      text: `${credits} credits to ${owner.email}; ${available} are available`,
    }
  },
}

const ledgerVerify: Command = {
  name: 'ledger verify',
  usage: '',
  options: {},
  run: async () => {
    const differences = await verifyLedger()
    const rows = differences.map((d) => `${d.what} ${d.id}: stored ${d.stored}, computed ${d.computed}`)
    const ok = differences.length === 0
    return {
      data: { ok, differences },
      text: ok ? 'Every balance, key, ceiling, hold, receipt and daily sum follows from the ledger' : rows.join('\n'),
      failed: !ok,
    }
  },
}

export const COMMANDS: readonly Command[] = [
  ...ownerCommands,
  creditsGrant,
  ...keyCommands,
  ledgerVerify,
  usageCommand,
  retention,
  modelsImport,
]

/** Every command with its options. */
export const usageText = (): string =>
  [
    'Usage: npm run admin -- <command> [--json]',
    ...COMMANDS.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd()),
  ].join('\n')
