import { viewLabels } from '../jobs/labels'
import { AwaitingInput } from '../shape'
import type { ClaimedDelivery } from './claim'

/**
 * The body that a receiver gets. It is made of what the delivery's row and its turn say and
 * nothing else, so every attempt sends the same bytes.
 */
export function deliveryBody({
  jobId,
  runId,
  event,
  awaiting,
  spent,
  createdAt,
  result,
  ...labels
}: ClaimedDelivery): string {
  return JSON.stringify({
    type: `agent.${event}`,
    timestamp: createdAt.toISOString(),
    data: {
      jobId,
      runId,
      conversationId: jobId,
      status: event,
      result: event === 'awaiting_input' ? null : result,
      ...(awaiting !== null && { awaitingInput: AwaitingInput.parse(awaiting) }),
      creditsSpent: Number(spent),
      ...viewLabels(labels),
      poll: `/api/v1/agent/${jobId}`,
    },
  })
}
