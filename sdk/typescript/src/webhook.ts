import { Webhook } from 'standardwebhooks'

/** What a callback URL gets. */
export type WebhookEvent =
  | { type: 'agent.completed' | 'agent.failed' | 'agent.awaiting_input'; timestamp: string; data: RunEvent }
  | { type: 'task.completed' | 'task.failed'; timestamp: string; data: TaskEvent }
  | { type: 'webhook.test'; timestamp: string; data: { message: string } }

export type RunEvent = {
  jobId: string
  runId: string
  status: 'completed' | 'failed' | 'awaiting_input'
  result: string | null
  creditsSpent: number
  metadata: Record<string, string>
  scheduleId: string | null
  poll: string
  awaitingInput?: { kind: 'question' | 'plan' | 'approval'; question?: string; plan?: string }
}

export type TaskEvent = {
  taskId: string
  tool: string
  status: 'completed' | 'failed'
  creditsCharged: number
  poll: string
}

/** A request's event, if it is signed with this secret and not older than five minutes. Throws otherwise. */
export const verifyWebhook = (secret: string, headers: Record<string, string>, body: string): WebhookEvent =>
  new Webhook(secret).verify(body, headers) as WebhookEvent
