import { AppError } from '../errors'
import { shutdownSignal } from '../kit/shutdown'
import { sseData } from '../kit/sse'
import { disconnectable, makeHandler, pathOf } from './handler'
import { callProcedure, type ProcedureCaller } from './procedure'
import { sendEvents } from './response'

type JobEvents = NonNullable<Awaited<ReturnType<ProcedureCaller['public']['agent']['events']>>>
type JobEvent = JobEvents extends AsyncIterable<infer E> ? E : never

const PATH = /^\/api\/v1\/agent\/([^/]+)\/events$/

/**
 * One event as text. A step's id is its index, so that a client that reconnects names the last one
 * it has seen; the end of a run has the run's id behind that, to differ from the step before it.
 */
function textOf(event: JobEvent): string {
  if (event.kind === 'step') return `id: ${event.step.index}\nevent: step\n${sseData(event.step)}`
  // Without an id: a client that reconnects names the last step it has whole.
  if (event.kind === 'live') return `event: ${event.event.name}\n${sseData(event.event.data)}`
  const { job, end } = event
  const id = end ? `id: ${end.after}.${end.endedRun}\n` : ''
  return `${id}event: status\n${sseData(job)}`
}

async function* textsOf(events: JobEvents): AsyncGenerator<string> {
  for await (const event of events) yield textOf(event)
}

/** The last event that a client has seen: the header that browsers send, or `after`. */
const lastEventId = (req: Request): string | undefined =>
  req.headers.get('last-event-id') ?? new URL(req.url).searchParams.get('after') ?? undefined

/** Whether `deltas=true` was asked for. */
const deltasOf = (req: Request): string | undefined => new URL(req.url).searchParams.get('deltas') ?? undefined

/** The job in a request's path. Throws `invalid_request` for one that cannot be decoded. */
function jobIdOf(req: Request): string {
  try {
    return decodeURIComponent(PATH.exec(pathOf(req.url))?.[1] ?? '')
  } catch {
    throw new AppError('invalid_request', 'The path is not valid.')
  }
}

/**
 * `/api/v1/agent/{jobId}/events`: a job's steps and status as they happen, resumable. Ends when the
 * job has finished. A client that reconnects after that and has seen everything gets 204, upon
 * which an EventSource stops.
 */
export const jobEventsHandler = makeHandler(
  'events',
  async (exchange) => {
    const { req, headers } = exchange
    // A job may run for hours: at a shutdown its clients are disconnected and resume with
    // Last-Event-ID.
    const { signal, disconnect } = disconnectable(req, shutdownSignal())
    const value = { jobId: jobIdOf(req), after: lastEventId(req), deltas: deltasOf(req) }
    const events = (await callProcedure(exchange, 'public.agent.events', {
      type: 'query',
      via: 'key',
      readInput: async () => ({ value }),
      signal,
    })) as JobEvents | null
    if (events === null) return new Response(null, { status: 204, headers: headers() })
    return sendEvents(textsOf(events), { headers: headers(), onDisconnect: disconnect })
  },
  { methods: ['GET'] },
)
