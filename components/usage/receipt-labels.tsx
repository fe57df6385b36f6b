import type { CallChannel, CallReceipt, Product, ReceiptStatus } from '@/server/credits/shape'
import { Badge, type Tone } from '../ui/badge'

export const CHANNEL_LABELS: Record<CallChannel, string> = {
  rest: 'REST',
  mcp: 'MCP',
  chat: 'chat',
  agent: 'agent run',
  playground: 'playground',
}

export const PRODUCT_LABELS: Record<Product, string> = { tool: 'tool', chat: 'chat', agent: 'agent' }

export const RECEIPT_STATUS_LABELS: Record<ReceiptStatus, { word: string; tone: Tone; meaning: string }> = {
  ok: { word: 'ok', tone: 'plain', meaning: 'It ran and answered' },
  failed: { word: 'failed', tone: 'bad', meaning: 'It ran and failed; what the provider took is charged' },
  void: { word: 'void', tone: 'plain', meaning: 'Nothing was asked of a provider; nothing is charged' },
  expired: {
    word: 'expired',
    tone: 'warn',
    meaning: 'The process died before the outcome was known; nothing is charged',
  },
}

export const ReceiptStatusBadge = ({ status }: { status: ReceiptStatus }) => (
  <Badge tone={RECEIPT_STATUS_LABELS[status].tone}>{RECEIPT_STATUS_LABELS[status].word}</Badge>
)

/** Milliseconds a call took: the tool's own count where there is one, else from hold to settlement. */
export const receiptDurationMs = ({ detail, at, startedAt }: CallReceipt): number =>
  detail.durationMs ?? new Date(at).getTime() - new Date(startedAt).getTime()
