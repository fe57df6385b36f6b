import { callTRPCProcedure } from '@trpc/server'
import { makeContext } from '../api/context'
import type { JobEvent } from '../api/public/agent'
import { appRouter } from '../api/router'
import { AppError } from '../errors'
import { shutdownSignal } from '../kit/shutdown'
import { sseBody } from '../kit/sse'
import { makeHandler, pathOf } from './handler'

const PATH = /^\/api\/v1\/agent\/([^/]+)\/events$/

/**
 * One event as its text. A step's id is its index, so that a reader who comes back says where it was; the end of a run
 * has the run's id behind that, so that it is told apart from a step before it.
 */
function textOf(event: JobEvent): string {
  if (event.kind === 'step') return `id: ${event.step.index}\nevent: step\ndata: ${JSON.stringify(event.step)}\n\n`
  const { job, end } = event
  const id = end ? `id: ${end.after}.${end.endedRun}\n` : ''
  return `${id}event: status\ndata: ${JSON.stringify(job)}\n\n`
}

async function* textsOf(events: AsyncIterable<JobEvent>): AsyncGenerator<string> {
  for await (const event of events) yield textOf(event)
}

/** Where a reader was when it lost us: the header that browsers send, or `after`. */
const afterOf = (req: Request): string | undefined =>
  req.headers.get('last-event-id') ?? new URL(req.url).searchParams.get('after') ?? undefined

/** The job in a request's path. Throws `invalid_request` for one that cannot be decoded. */
function jobIdOf(req: Request): string {
  try {
    return decodeURIComponent(PATH.exec(pathOf(req.url))?.[1] ?? '')
  } catch {
    throw new AppError('invalid_request', 'The path is not valid.')
  }
}

/**
 * `/api/v1/agent/{jobId}/events`: a job's steps and status as they happen, resumable. Ends when the job has finished; a
 * reader who comes back after that and has seen it all gets 204, upon which an EventSource stops.
 */
export const jobEventsHandler = makeHandler(
  'events',
  async ({ req, requestId, reply, headers }) => {
    const left = new AbortController()
    // A job may run for hours: at a shutdown its watchers end here and go on elsewhere, with Last-Event-ID.
    const gone = AbortSignal.any([req.signal, left.signal, shutdownSignal()])
    const jobId = jobIdOf(req)
    const events = (await callTRPCProcedure({
      router: appRouter,
      path: 'public.agent.events',
      type: 'query',
      ctx: makeContext({ requestId, headers: req.headers, via: 'key', gone, reply }),
      getRawInput: async () => ({ jobId, after: afterOf(req) }),
      batchIndex: 0,
      signal: gone,
    })) as AsyncGenerator<JobEvent> | null
    if (events === null) return new Response(null, { status: 204, headers: headers() })
    return new Response(
      sseBody(textsOf(events), () => left.abort()),
      {
        headers: { ...headers(), 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
      },
    )
  },
  { methods: ['GET'] },
)
