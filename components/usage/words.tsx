import type { Door, Product, Receipt, ReceiptStatus } from '@/server/credits/shape'
import { Badge, type Tone } from '../ui/badge'

export const DOORS: Record<Door, string> = {
  rest: 'REST',
  mcp: 'MCP',
  chat: 'chat',
  agent: 'agent run',
  playground: 'playground',
}

export const PRODUCTS: Record<Product, string> = { tool: 'tool', chat: 'chat', agent: 'agent' }

export const STATUSES: Record<ReceiptStatus, { word: string; tone: Tone; meaning: string }> = {
  ok: { word: 'ok', tone: 'plain', meaning: 'It ran and answered' },
  failed: { word: 'failed', tone: 'bad', meaning: 'It ran and failed; what the provider took is charged' },
  void: { word: 'void', tone: 'plain', meaning: 'Nothing was asked of a provider; nothing is charged' },
  expired: {
    word: 'expired',
    tone: 'warn',
    meaning: 'The process died before the outcome was known; nothing is charged',
  },
}

export const StatusBadge = ({ status }: { status: ReceiptStatus }) => (
  <Badge tone={STATUSES[status].tone}>{STATUSES[status].word}</Badge>
)

/** Milliseconds a call took: the tool's own count where there is one, else from hold to settlement. */
export const durationOf = ({ detail, at, startedAt }: Receipt): number =>
  detail.durationMs ?? new Date(at).getTime() - new Date(startedAt).getTime()
