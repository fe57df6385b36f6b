import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { JobView } from '../../agent/shape'
import { CallbackEvent } from '../../agent/webhooks/shape'
import { StartedTask } from '../../api/public/task-view'
import { NoticeKind } from '../../notices/shape'
import { NOTICE_DATA } from '../../notices/texts'

/** What is asked, said and spent, as `GET /agent/{jobId}` has it, of a run that ended or asks. */
const RunEvent = JobView.pick({
  jobId: true,
  runId: true,
  conversationId: true,
  result: true,
  output: true,
  awaitingInput: true,
  creditsSpent: true,
  metadata: true,
  scheduleId: true,
}).extend({ status: CallbackEvent, poll: z.string().describe('The path to GET') })

const TaskEvent = StartedTask.pick({ taskId: true, poll: true }).extend({
  tool: z.string(),
  status: z.enum(['completed', 'failed']).describe('failed: also one that was cancelled'),
  creditsCharged: z.int(),
})

const ofNotice = { noticeId: z.string(), text: z.string(), url: z.string().describe('The page that shows more') }

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data })

const EVENTS = [
  ...CallbackEvent.options.map((status) => eventOf(`agent.${status}`, RunEvent)),
  ...TaskEvent.shape.status.options.map((status) => eventOf(`task.${status}`, TaskEvent)),
  ...NoticeKind.options.map((kind) => eventOf(`notice.${kind}`, NOTICE_DATA[kind].extend(ofNotice))),
  eventOf('webhook.test', z.object({ message: z.string() })),
]

/** Every event that a callback URL gets. */
export const WebhookEvent = z.union(EVENTS)

const pascal = (text: string): string => text.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())

/** The schemas of all events for an OpenAPI document: `NoticeLimitEvent` of `notice.limit`. */
export function webhookSchemas(): Record<string, oas31.SchemaObject> {
  const named = z.registry<{ id: string }>()
  for (const event of EVENTS) named.add(event, { id: `${pascal(event.shape.type.value)}Event` })
  named.add(RunEvent, { id: 'RunEvent' })
  named.add(TaskEvent, { id: 'TaskEvent' })
  named.add(WebhookEvent, { id: 'WebhookEvent' })
  const { schemas } = z.toJSONSchema(named, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A time is a text in JSON.
      if (zodSchema._zod.def.type === 'date') jsonSchema.type = 'string'
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema as oas31.SchemaObject]),
  )
}
