import { type CallReceipt, RECEIPT_CALL, RECEIPT_CREDITS, RECEIPT_DETAIL } from '../credits/shape'
import { type CsvCell, csvTable } from '../kit/csv-table'

type Fields = Readonly<Record<string, { csv: string | null }>>

/** The columns of those fields that the CSV has. */
const columnsOf = (fields: Fields, cellsOf: (receipt: CallReceipt) => Readonly<Record<string, unknown>>) =>
  Object.entries(fields).flatMap(([name, { csv }]) =>
    csv === null ? [] : [[csv, (receipt: CallReceipt) => cellsOf(receipt)[name] as CsvCell] as const],
  )

// Programs read columns by their place: what came later is at the end.
const { customer, ...CALL } = RECEIPT_CALL

/** Receipts as CSV, a line each. */
export const RECEIPTS_CSV = csvTable<CallReceipt>(
  Object.fromEntries([
    ...columnsOf(CALL, (receipt) => receipt),
    ...columnsOf(RECEIPT_CREDITS, ({ credits }) => credits),
    ...columnsOf(RECEIPT_DETAIL, ({ detail }) => detail),
    ...columnsOf({ customer }, (receipt) => receipt),
  ]),
)
