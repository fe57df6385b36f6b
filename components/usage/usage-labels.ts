import type { OutcomeFilter, UsageBreakdown, UsageRange } from '@/server/credits/shape'

/** The days of the usage page, as its bar and saved views name them. */
export const RANGE_LABELS: Record<UsageRange | 'all', string> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  all: 'All',
}

export const OUTCOME_LABELS: Record<OutcomeFilter, string> = {
  ok: 'Succeeded',
  failed: 'Failed',
  failed_charged: 'Failed, charged',
  failed_free: 'Failed, not charged',
}

export const BREAKDOWN_LABELS: Record<UsageBreakdown, string> = {
  product: 'Product',
  tool: 'Tool',
  model: 'Model',
  key: 'Key',
  channel: 'Channel',
}
