import type { CallChannel, CallReceipt, Product } from '@/server/credits/shape'
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

export const PRODUCT_LABELS: Record<Product, string> = { tool: 'Tools', chat: 'Chat models', agent: 'Agent runs' }

/** The name of a product among the names of a series, which has others too. */
export const productLabel = (name: string): string => (PRODUCT_LABELS as Record<string, string>)[name] ?? name

type CallOutcome = { word: string; tone: Tone; meaning: string }

const OUTCOMES = {
  charged: { word: 'Charged', tone: 'plain', meaning: 'The call succeeded.' },
  free: { word: 'No charge', tone: 'plain', meaning: 'The call succeeded and costs nothing.' },
  refunded: { word: 'Refunded', tone: 'plain', meaning: 'The call succeeded; its charge was given back.' },
  partlyRefunded: {
    word: 'Partly refunded',
    tone: 'plain',
    meaning: 'The call succeeded; part of its charge was given back.',
  },
  failed: {
    word: 'Failed, charged',
    tone: 'bad',
    meaning: 'The provider had accepted the call before it failed, so it was charged.',
  },
  failedFree: {
    word: 'Failed, not charged',
    tone: 'warn',
    meaning: 'The call failed. All reserved credits were released.',
  },
  lost: {
    word: 'Failed, not charged',
    tone: 'warn',
    meaning: 'The process that served the call ended before its outcome was known. All reserved credits were released.',
  },
} satisfies Record<string, CallOutcome>

type OutcomeOf = Pick<CallReceipt, 'status' | 'credits' | 'detail'>

/** How a call ended, in the words of its owner. */
export function describeOutcome({ status, credits: { charged }, detail }: OutcomeOf): CallOutcome {
  if (status === 'ok' && detail.refunded) return charged > 0 ? OUTCOMES.partlyRefunded : OUTCOMES.refunded
  if (status === 'ok') return charged > 0 ? OUTCOMES.charged : OUTCOMES.free
  if (status === 'expired') return OUTCOMES.lost
  return charged > 0 ? OUTCOMES.failed : OUTCOMES.failedFree
}

/** Badge of how a call ended. */
export const ReceiptStatusBadge = ({ of }: { of: OutcomeOf }) => {
  const { word, tone } = describeOutcome(of)
  return <Badge tone={tone}>{word}</Badge>
}

/** The duration of a call, ms: as measured by the tool, else from hold to settlement. */
export const receiptDurationMs = ({ detail, at, startedAt }: CallReceipt): number =>
  detail.durationMs ?? new Date(at).getTime() - new Date(startedAt).getTime()
