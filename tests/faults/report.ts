import { formatWhole, markdownTable } from '../bench/table'
import type { AuditCell } from './audit'
import type { Round } from './run-round'

const HEAD = ['fault', 'channel', 'calls', 'delivered', '503', 'other', 'unsent', 'cut', 'seen', 'ledger', 'holds', '']

const rowOf = (round: Round, cell: AuditCell): string[] => [
  round.fault.name,
  cell.channel,
  formatWhole(cell.calls),
  formatWhole(cell.delivered),
  formatWhole(cell.unavailable),
  formatWhole(cell.otherErrors),
  formatWhole(cell.unsent),
  formatWhole(cell.cut),
  cell.cutCharged > 0 ? `${formatWhole(cell.seen)} + ${formatWhole(cell.cutCharged)} cut` : formatWhole(cell.seen),
  formatWhole(cell.ledger),
  formatWhole(cell.holds),
  cell.problems.length === 0 ? 'ok' : 'BROKEN',
]

/** What a round says of the whole system, beside its cells. */
function summaryOf({ fault, skipped, unrelated, holdsGoneAfterS, verify, problems }: Round): string[] {
  if (skipped) return [fault.name, `not run: ${skipped}`, '', '', '', '', '']
  const ms = (value: number) => (Number.isNaN(value) ? '' : formatWhole(value))
  return [
    fault.name,
    `${formatWhole(unrelated.served)} of ${formatWhole(unrelated.calls)}`,
    ms(unrelated.p50),
    ms(unrelated.p99),
    holdsGoneAfterS === null ? 'never' : `${holdsGoneAfterS.toFixed(1)} s`,
    verify ? 'differs' : 'clean',
    problems.length === 0 ? 'ok' : 'BROKEN',
  ]
}

/** Every finding of a round, a line each. */
export const faultFindings = ({ fault, cells, problems }: Round): string[] => [
  ...problems.map((problem) => `${fault.name}: ${problem}`),
  ...cells.flatMap((cell) => cell.problems.map((problem) => `${fault.name}, ${cell.channel}: ${problem}`)),
]

/** The results as Markdown: a table of cells, one of rounds, and the findings. */
export function faultReport(rounds: readonly Round[]): string {
  const cells = rounds.flatMap((round) => round.cells.map((cell) => rowOf(round, cell)))
  const head = ['fault', 'unrelated owner served', 'p50 ms', 'p99 ms', 'holds gone after', 'ledger verify', '']
  const findings = rounds.flatMap(faultFindings)
  return [
    markdownTable(HEAD, cells),
    markdownTable(head, rounds.map(summaryOf)),
    findings.length === 0 ? 'Nothing is broken.' : findings.map((finding) => `- ${finding}`).join('\n'),
  ].join('\n\n')
}
