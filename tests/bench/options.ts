import { parseArgs } from 'node:util'
import { CliError } from '../../server/cli/kit/project'

/** How a run measures; every bench reads it, so that one command can make any of them short. */
export const benchOptions = {
  /** Rounds of each comparison, after one that warms up. */
  rounds: 5,
  /** Receipts of the owner with much history, for the lists. */
  receipts: 2_000_000,
  /** How long the soak takes. */
  minutes: 60,
  /** The folder of another built checkout, for the comparison with it. */
  against: '',
}

type BenchCommand = { names: string[]; write: boolean }

const USAGE = `Usage: npm run bench -- [section …] [--rounds N] [--minutes N | --hours N] [--receipts N] [--peers] [--against FOLDER] [--write]`

function positive(name: string, given: string): number {
  const value = Number(given)
  if (!(value > 0)) throw new CliError(`--${name} takes a number above 0\n${USAGE}`)
  return value
}

/** Reads the command line into `benchOptions`; returns what is to be run. Throws a CliError. */
export function readBenchCommand(args: string[]): BenchCommand {
  const { values, positionals } = parseBenchArgs(args)
  if (values.rounds) benchOptions.rounds = Math.ceil(positive('rounds', values.rounds))
  if (values.minutes) benchOptions.minutes = positive('minutes', values.minutes)
  if (values.hours) benchOptions.minutes = positive('hours', values.hours) * 60
  if (values.receipts) benchOptions.receipts = Math.ceil(positive('receipts', values.receipts))
  if (values.against) benchOptions.against = values.against
  const named = [...positionals, ...(values.peers ? ['peers'] : []), ...(values.against ? ['against'] : [])]
  return { names: named, write: values.write }
}

function parseBenchArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        write: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
        against: { type: 'string' },
        rounds: { type: 'string' },
        minutes: { type: 'string' },
        hours: { type: 'string' },
        receipts: { type: 'string' },
      },
    })
  } catch (error) {
    throw new CliError(`${(error as Error).message}\n${USAGE}`)
  }
}
