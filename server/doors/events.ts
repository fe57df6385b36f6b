import { callTRPCProcedure } from '@trpc/server'
import { makeContext } from '../api/context'
import type { JobEvent } from '../api/public/agent'
import { appRouter } from '../api/router'
import { AppError } from '../errors'
import { shutdownSignal } from '../kit/shutdown'
import { sseBody } from '../kit/sse'
import { asDoor, pathOf } from './exchange'

const PATH = /^\/api\/v1\/agent\/([^/]+)\/events$/

/** One event as its text. A step's id is its index, so that a reader who comes back says where it was. */
function textOf(event: JobEvent): string {
  if (event.kind === 'step') return `id: ${event.step.index}\nevent: step\ndata: ${JSON.stringify(event.step)}\n\n`
  return `event: status\ndata: ${JSON.stringify(event.job)}\n\n`
}

async function* textsOf(events: AsyncIterable<JobEvent>): AsyncGenerator<string> {
  for await (const event of events) yield textOf(event)
}

/** Where a reader was when it lost us: the header that browsers send, or `after`; -1: at the beginning. */
function afterOf(req: Request): number {
  const told = req.headers.get('last-event-id') ?? new URL(req.url).searchParams.get('after') ?? '-1'
  if (/^-1$|^\d{1,9}$/.test(told)) return Number(told)
  throw new AppError('invalid_request', 'Last-Event-ID must be the id of an event of this job.')
}

/** `/api/v1/agent/{jobId}/events`: a job's steps and status as they happen, resumable. Ends when the job has finished. */
export const eventsDoor = asDoor(
  'events',
  async ({ req, requestId, reply, headers }) => {
    const left = new AbortController()
    // A job may run for hours: at a shutdown its watchers end here and go on elsewhere, with Last-Event-ID.
    const gone = AbortSignal.any([req.signal, left.signal, shutdownSignal()])
    const jobId = decodeURIComponent(PATH.exec(pathOf(req.url))?.[1] ?? '')
    const events = (await callTRPCProcedure({
      router: appRouter,
      path: 'public.agent.events',
      type: 'query',
      ctx: makeContext({ requestId, headers: req.headers, via: 'key', gone, reply }),
      getRawInput: async () => ({ jobId, after: afterOf(req) }),
      batchIndex: 0,
      signal: gone,
    })) as AsyncGenerator<JobEvent>
    return new Response(
      sseBody(textsOf(events), () => left.abort()),
      {
        headers: { ...headers(), 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
      },
    )
  },
  { methods: ['GET'] },
)
