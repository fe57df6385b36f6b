import type { CallReceipt } from '../credits/shape'
import { csvTable } from '../kit/csv-table'

/** Receipts as CSV, a line each. */
export const RECEIPTS_CSV = csvTable<CallReceipt>({
  request_id: (receipt) => receipt.requestId,
  started_at: (receipt) => receipt.startedAt,
  ended_at: (receipt) => receipt.at,
  key_id: (receipt) => receipt.keyId,
  key_name: (receipt) => receipt.keyName,
  channel: (receipt) => receipt.channel,
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
})
