import { viewChecks } from '../checks/stored'
import { viewLabels } from '../jobs/labels'
import { AwaitingInput } from '../shape'
import type { ClaimedDelivery, RunDelivery } from './claim'

/**
 * The body that a receiver gets. It is made of what the delivery's row and its turn say and
 * nothing else, so every attempt sends the same bytes.
 */
export function deliveryBody(delivery: ClaimedDelivery): string {
  const { event, createdAt } = delivery
  const timestamp = createdAt.toISOString()
  // A notice's event has its whole name.
  const isNotice = event.startsWith('notice.')
  if (delivery.of === 'task')
    return JSON.stringify({ type: isNotice ? event : `task.${event}`, timestamp, data: delivery.data })
  return JSON.stringify({ type: `agent.${event}`, timestamp, data: runData(delivery) })
}

const runData = ({
  jobId,
  runId,
  event,
  awaiting,
  spent,
  result,
  output,
  checks,
  isStructured,
  ...labels
}: RunDelivery) => ({
  jobId,
  runId,
  conversationId: jobId,
  status: event,
  result: event === 'awaiting_input' ? null : result,
  ...(isStructured && { output: event === 'awaiting_input' ? null : output }),
  ...(event !== 'awaiting_input' && viewChecks(checks)),
  ...(awaiting !== null && { awaitingInput: AwaitingInput.parse(awaiting) }),
  creditsSpent: Number(spent),
  ...viewLabels(labels),
  poll: `/api/v1/agent/${jobId}`,
})
