import { Webhook } from 'standardwebhooks'
import type * as api from './api.js'

/** What a callback URL gets. */
export type WebhookEvent = api.WebhookEvent
/** The data of `agent.…`: what `GET /agent/{jobId}` has of a run that ended or asks. */
export type RunEvent = api.RunEvent
/** The data of `task.…`: how a call in the background ended. */
export type TaskEvent = api.TaskEvent
/** The data of `notice.…`: what somebody of the account should know. */
export type NoticeEvent = Extract<WebhookEvent, { type: `notice.${string}` }>['data']

/** A request's event, if it is signed with this secret and not older than five minutes. Throws otherwise. */
export const verifyWebhook = (secret: string, headers: Record<string, string>, body: string): WebhookEvent =>
  new Webhook(secret).verify(body, headers) as WebhookEvent
