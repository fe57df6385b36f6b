import { readFile, writeFile } from 'node:fs/promises'
import { findChangedPast, LedgerCheckpoint, makeCheckpoint, whatIsWrongWith } from '../../credits/checkpoint'
import { repairLedger } from '../../credits/repair'
import { findLedgerDifferences } from '../../credits/verify'
import type { LedgerDifference } from '../../credits/verify-checks'
import { recordUpkeep } from '../../operators/upkeep'
import { type AdminCommand, CommandError, type CommandOptions, optionalText } from './options'

const string = { type: 'string' } as const

const lineOf = (d: LedgerDifference) => `${d.what} ${d.id}: stored ${d.stored}, computed ${d.computed}`

/** The checkpoint that --against names, if it is as it was signed. */
async function readCheckpoint(options: CommandOptions): Promise<LedgerCheckpoint | null> {
  const file = optionalText(options, 'against')
  if (!file) return null
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`--against cannot be read: ${error.message}`)
  })
  let checkpoint: LedgerCheckpoint
  try {
    checkpoint = LedgerCheckpoint.parse(JSON.parse(text))
  } catch {
    throw new CommandError(`${file} is no checkpoint of a ledger.`)
  }
  const wrong = whatIsWrongWith(checkpoint, optionalText(options, 'public-key'))
  if (wrong) throw new CommandError(`${file} cannot be relied on. ${wrong}`)
  return checkpoint
}

const verify: AdminCommand = {
  name: 'ledger verify',
  usage: '[--against FILE [--public-key KEY]]',
  options: { against: string, 'public-key': string },
  run: async (options) => {
    const began = new Date()
    const checkpoint = await readCheckpoint(options)
    const differences = [...(await findLedgerDifferences()), ...(checkpoint ? await findChangedPast(checkpoint) : [])]
    const ok = differences.length === 0
    const unrecorded = ok ? await recordUpkeep('verify', began) : null
    const since = checkpoint ? `, and is what it was at ${checkpoint.at}` : ''
    return {
      data: { ok, differences },
      text: ok
        ? `Every balance, key, spend limit, hold, receipt and daily sum follows from the ledger${since}${unrecorded ? `\n${unrecorded}` : ''}`
        : differences.map(lineOf).join('\n'),
      failed: !ok,
    }
  },
}

const checkpoint: AdminCommand = {
  name: 'ledger checkpoint',
  usage: '[--to FILE]   (a signed hash over every account’s ledger, to keep elsewhere)',
  options: { to: string },
  run: async (options) => {
    const made = await makeCheckpoint()
    const to = optionalText(options, 'to')
    const json = JSON.stringify(made)
    if (!to) return { data: made, text: json }
    // One that is there already may be what somebody relies on.
    await writeFile(to, `${json}\n`, { flag: 'wx' }).catch((error: Error) => {
      throw new CommandError(`The checkpoint was not written: ${error.message}`)
    })
    return {
      data: made,
      text: `Checkpoint of ${made.at} in ${to}\n  accounts: ${made.accounts.length}\n  signed with ${made.publicKey}`,
    }
  },
}

const repair: AdminCommand = {
  name: 'ledger repair',
  usage: '  (makes sums, balances and what is held anew from receipts, ledger and holds)',
  options: {},
  run: async () => {
    const { repaired, left } = await repairLedger()
    const lines = [
      ...repaired.map((d) => `repaired: ${d.what} ${d.id} was ${d.stored}, is ${d.computed}`),
      ...left.map((d) => `left as it is: ${lineOf(d)}`),
    ]
    return {
      data: { ok: left.length === 0, repaired, left },
      text: lines.length > 0 ? lines.join('\n') : 'Nothing is to be repaired',
      failed: left.length > 0,
    }
  },
}

export const ledgerCommands: readonly AdminCommand[] = [verify, checkpoint, repair]
