import { z } from 'zod'

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** What a callback URL gets a request for. */
export const CallbackEvent = z.enum(['completed', 'failed', 'awaiting_input'])
export type CallbackEvent = z.infer<typeof CallbackEvent>

/** One event of a job for a callback URL, and how its delivery went. */
export const DeliveryView = z.object({
  deliveryId: z.string().describe('The header webhook-id of every attempt'),
  runId: z.string(),
  event: CallbackEvent,
  url: z.string(),
  status: DeliveryStatus.describe('pending: it is being sent, or will be again'),
  attempts: z.int().describe('How often it was sent'),
  answerStatus: z.int().nullable().describe('HTTP status of the last answer'),
  answerBody: z.string().nullable().describe('Beginning of the last answer'),
  error: z.string().nullable().describe('Why the last attempt failed'),
  createdAt: z.iso.datetime(),
  attemptedAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso.datetime().nullable().describe('null: no further attempt is planned'),
  deliveredAt: z.iso.datetime().nullable(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

/** The event of a task for its callback URL, and how its delivery went. */
export const TaskDelivery = DeliveryView.omit({ runId: true, event: true, createdAt: true })
export type TaskDelivery = z.infer<typeof TaskDelivery>

/** The delivery of an operation. */
export const DeliveryId = z.object({ deliveryId: z.string().describe('The delivery, by its webhook-id') })

export const DeliveryListRequest = z.object({
  limit: z.int().min(1).max(100).default(20).describe('Rows per page'),
  cursor: z.string().max(200).optional().describe("The previous response's nextCursor"),
})
export type DeliveryListRequest = z.infer<typeof DeliveryListRequest>

/** Deliveries of a job, newest first. */
export const DeliveryList = z.object({ deliveries: z.array(DeliveryView), nextCursor: z.string().nullable() })
export type DeliveryList = z.infer<typeof DeliveryList>

/** The secret that an owner's webhooks are signed with. */
export const SigningSecret = z.object({
  secret: z.string().describe('whsec_ and base64, as Standard Webhooks libraries take it'),
  createdAt: z.iso.datetime(),
  previousUntil: z.iso.datetime().nullable().describe('Until when the secret before signs too'),
})
export type SigningSecret = z.infer<typeof SigningSecret>

/** What the receiver of a test answered. */
export const TestedWebhook = z.object({
  id: z.string().describe('The header webhook-id that it was sent with'),
  isDelivered: z.boolean().describe('True for any status 2xx'),
  answerStatus: z.int().nullable().describe('HTTP status of the answer'),
  answerBody: z.string().nullable().describe('Beginning of the answer'),
  error: z.string().nullable().describe('Why it is not delivered'),
})
export type TestedWebhook = z.infer<typeof TestedWebhook>
