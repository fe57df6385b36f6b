import type { CallChannel, CallReceipt, ReceiptStatus } from '@/server/credits/shape'
import { Badge, type Tone } from '../ui/badge'

export const CHANNEL_LABELS: Record<CallChannel, string> = {
  rest: 'REST',
  mcp: 'MCP',
  chat: 'Chat',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
  images: 'Images',
  agent: 'Agent run',
  playground: 'Playground',
}

export const RECEIPT_STATUS_LABELS: Record<ReceiptStatus, { word: string; tone: Tone; meaning: string }> = {
  ok: { word: 'Done', tone: 'plain', meaning: 'The call succeeded' },
  failed: { word: 'Failed', tone: 'bad', meaning: 'The call failed after the provider accepted it' },
  void: { word: 'Failed, not charged', tone: 'plain', meaning: 'The call failed; the reserved credits were released' },
  expired: {
    word: 'Interrupted, not charged',
    tone: 'warn',
    meaning: 'The process ended before the outcome was known',
  },
}

export const ReceiptStatusBadge = ({ status }: { status: ReceiptStatus }) => (
  <Badge tone={RECEIPT_STATUS_LABELS[status].tone}>{RECEIPT_STATUS_LABELS[status].word}</Badge>
)

/** The duration of a call, ms: as measured by the tool, else from hold to settlement. */
export const receiptDurationMs = ({ detail, at, startedAt }: CallReceipt): number =>
  detail.durationMs ?? new Date(at).getTime() - new Date(startedAt).getTime()
