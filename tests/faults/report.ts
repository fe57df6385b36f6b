import { table, whole } from '../bench/table'
import type { Cell } from './audit'
import type { Round } from './round'

const HEAD = ['fault', 'channel', 'calls', 'delivered', '503', 'other', 'unsent', 'cut', 'seen', 'ledger', 'holds', '']

const rowOf = (round: Round, cell: Cell): string[] => [
  round.fault.name,
  cell.channel,
  whole(cell.calls),
  whole(cell.delivered),
  whole(cell.unavailable),
  whole(cell.otherErrors),
  whole(cell.unsent),
  whole(cell.cut),
  cell.cutCharged > 0 ? `${whole(cell.seen)} + ${whole(cell.cutCharged)} cut` : whole(cell.seen),
  whole(cell.ledger),
  whole(cell.holds),
  cell.problems.length === 0 ? 'ok' : 'BROKEN',
]

/** What a round says of the whole system, beside its cells. */
function summaryOf({ fault, skipped, unrelated, holdsGoneAfterS, verify, problems }: Round): string[] {
  if (skipped) return [fault.name, `not run: ${skipped}`, '', '', '', '', '']
  const ms = (value: number) => (Number.isNaN(value) ? '' : whole(value))
  return [
    fault.name,
    `${whole(unrelated.served)} of ${whole(unrelated.calls)}`,
    ms(unrelated.p50),
    ms(unrelated.p99),
    holdsGoneAfterS === null ? 'never' : `${holdsGoneAfterS.toFixed(1)} s`,
    verify ? 'differs' : 'clean',
    problems.length === 0 ? 'ok' : 'BROKEN',
  ]
}

/** Every finding of a round, a line each. */
export const findingsOf = ({ fault, cells, problems }: Round): string[] => [
  ...problems.map((problem) => `${fault.name}: ${problem}`),
  ...cells.flatMap((cell) => cell.problems.map((problem) => `${fault.name}, ${cell.channel}: ${problem}`)),
]

/** The results as Markdown: a table of cells, one of rounds, and the findings. */
export function reportOf(rounds: readonly Round[]): string {
  const cells = rounds.flatMap((round) => round.cells.map((cell) => rowOf(round, cell)))
  const head = ['fault', 'unrelated owner served', 'p50 ms', 'p99 ms', 'holds gone after', 'ledger verify', '']
  const findings = rounds.flatMap(findingsOf)
  return [
    table(HEAD, cells),
    table(head, rounds.map(summaryOf)),
    findings.length === 0 ? 'Nothing is broken.' : findings.map((finding) => `- ${finding}`).join('\n'),
  ].join('\n\n')
}
