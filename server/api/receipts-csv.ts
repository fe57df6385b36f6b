import { stringify } from 'csv-stringify/sync'
import type { CallReceipt } from '../credits/shape'

type Cell = string | number | boolean | null | undefined

const COLUMNS: Readonly<Record<string, (receipt: CallReceipt) => Cell>> = {
  request_id: (receipt) => receipt.requestId,
  started_at: (receipt) => receipt.startedAt,
  ended_at: (receipt) => receipt.at,
  key_id: (receipt) => receipt.keyId,
  key_name: (receipt) => receipt.keyName,
  door: (receipt) => receipt.channel,
  product: (receipt) => receipt.product,
  what: (receipt) => receipt.what,
  status: (receipt) => receipt.status,
  credits_held: (receipt) => receipt.credits.held,
  credits_charged: (receipt) => receipt.credits.charged,
  credits_released: (receipt) => receipt.credits.released,
  duration_ms: (receipt) => receipt.detail.durationMs,
  input_tokens: (receipt) => receipt.detail.inputTokens,
  output_tokens: (receipt) => receipt.detail.outputTokens,
  cost_usd: (receipt) => receipt.detail.costUsd,
  estimated: (receipt) => receipt.detail.estimated,
  error: (receipt) => receipt.detail.error,
  cached_input_tokens: (receipt) => receipt.detail.cachedInputTokens,
  cache_write_tokens: (receipt) => receipt.detail.cacheWriteTokens,
}

const toLines = (rows: readonly (readonly Cell[])[], delimiter: string): string =>
  stringify([...rows], { delimiter, escape_formulas: true, cast: { boolean: String } })

/** The header line of `receiptsToCsv`. */
export const receiptsCsvHeader = (delimiter = ','): string => toLines([Object.keys(COLUMNS)], delimiter)

/** Receipts as CSV, a line each. Texts that a spreadsheet would run as a formula are escaped. */
export const receiptsToCsv = (receipts: readonly CallReceipt[], delimiter = ','): string =>
  toLines(
    receipts.map((receipt) => Object.values(COLUMNS).map((cellOf) => cellOf(receipt))),
    delimiter,
  )
