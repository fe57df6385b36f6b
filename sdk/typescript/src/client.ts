import type * as api from './api.js'
import { type ChatChunk, readChunks } from './chat-stream.js'
import { type Asked, type Method, open, request, type Settings } from './http.js'
import type { Tools } from './tools.js'

export type ToolId = keyof Tools

/** Options of a call: its own Idempotency-Key, and what aborts it. */
export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal }

/** One call of a batch. */
export type BatchCall = { [T in ToolId]: { tool: T; params: Tools[T]['params']; idempotencyKey?: string } }[ToolId]

type StartOptions = Omit<Parameters<typeof api.startAgentRun>[0], 'wait' | 'idempotencyKey'> & {
  idempotencyKey?: string
}

/** An answer to what a run asks. */
export type Answer = Parameters<typeof api.answerAgentJob>[1]

/** What an operation returned where it succeeded. */
type SuccessOf<A extends (...given: never[]) => Promise<{ status: number; data: unknown }>> = Extract<
  Awaited<ReturnType<A>>,
  { status: 200 | 201 | 202 }
>['data']

type UsageQuery = NonNullable<Parameters<typeof api.listUsage>[0]>
/** Which receipts: the generated names of fields that JavaScript has words for begin with a dollar sign. */
export type ReceiptFilter = {
  [K in keyof UsageQuery as K extends 'cursor' ? never : K extends `$${infer Name}` ? Name : K]: UsageQuery[K]
}

/** A tool whose result has rows and a next page. */
type PagedTool = {
  [T in ToolId]: Tools[T]['result'] extends { rows: unknown[]; nextCursor: string | null } ? T : never
}[ToolId]

type RowOf<T extends PagedTool> = Tools[T]['result'] extends { rows: (infer R)[] } ? R : never

/** Statuses of a run that goes on by itself. */
const RUNNING = 'running'

/** A client of one key. Every method throws TollgateError. */
export class Tollgate {
  constructor(private readonly settings: Settings) {}

  /** For the generated functions of every operation: `api.listUsage({ limit: 5 }, tollgate.options)`. */
  get options() {
    const { key, baseUrl = 'http://localhost:3000', customer, fetch } = this.settings
    const headers = {
      authorization: `Bearer ${key}`,
      ...(customer !== undefined && { 'x-tollgate-customer': customer }),
    }
    return { baseUrl: `${baseUrl}/api/v1`, headers, ...(fetch && { fetch }) }
  }

  private async ask<T>(path: string, asked?: Asked): Promise<T> {
    return (await request(this.settings, path, asked)).body as T
  }

  /**
   * Any operation, such as `request<api.AgentSchedule>('POST', '/agent/schedules', body)`: repeated
   * where it is read or declared (PUT), or where it has an Idempotency-Key.
   */
  request<T>(method: Method, path: string, body?: object, options: CallOptions = {}): Promise<T> {
    return this.ask(path, { method, body, ...options })
  }

  /** Calls a tool and waits for its result. It is repeated safely where it fails for now. */
  query<T extends ToolId>(tool: T, params: Tools[T]['params'], options: CallOptions = {}): Promise<Tools[T]['result']> {
    const { idempotencyKey = crypto.randomUUID(), signal } = options
    return this.ask('/query', { body: { tool, params }, idempotencyKey, signal })
  }

  /** Every row of a tool, page after page. Each page is a call, with its charge. */
  async *rows<T extends PagedTool>(
    tool: T,
    params: Tools[T]['params'],
    options: CallOptions = {},
  ): AsyncGenerator<RowOf<T>> {
    let cursor: string | null = null
    do {
      const asked = cursor === null ? params : { ...params, cursor }
      const page = (await this.query(tool, asked, { signal: options.signal })) as unknown as {
        rows: RowOf<T>[]
        nextCursor: string | null
      }
      yield* page.rows
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  /** Begins a call that nobody waits for. */
  startTask<T extends ToolId>(
    tool: T,
    params: Tools[T]['params'],
    { callbackUrl, idempotencyKey = crypto.randomUUID(), signal }: CallOptions & { callbackUrl?: string } = {},
  ): Promise<api.Query202> {
    const body = { tool, params, ...(callbackUrl !== undefined && { callbackUrl }) }
    return this.ask('/query', { body, idempotencyKey, signal, headers: { prefer: 'respond-async' } })
  }

  /** A task, once it has ended. */
  async waitForTask(taskId: string, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<api.Task> {
    for (;;) {
      const task = await this.ask<api.Task>(`/tasks/${taskId}?wait=20`, { signal })
      if (task.status !== 'working') return task
    }
  }

  /** Up to 100 calls at once; look at the status of each result. */
  batch(
    calls: readonly BatchCall[],
    { idempotencyKey = crypto.randomUUID(), signal }: CallOptions = {},
  ): Promise<api.BatchResult> {
    return this.ask('/query/batch', { body: { calls }, idempotencyKey, signal })
  }

  /** The same in the background: what is not refused is a task, whose id is `body.taskId` of its result. */
  startBatch(
    calls: readonly BatchCall[],
    { callbackUrl, idempotencyKey = crypto.randomUUID(), signal }: CallOptions & { callbackUrl?: string } = {},
  ): Promise<api.BatchResult> {
    const body = { calls, ...(callbackUrl !== undefined && { callbackUrl }) }
    return this.ask('/query/batch', { body, idempotencyKey, signal, headers: { prefer: 'respond-async' } })
  }

  /** Cancels a task whose provider does not have the request yet; any other goes on, and is charged. */
  cancelTask(taskId: string): Promise<api.Task> {
    return this.ask(`/tasks/${taskId}/cancel`, { method: 'POST' })
  }

  /** A completion that is not streamed. */
  chat(
    body: { model: string; messages: object[]; [field: string]: unknown },
    { idempotencyKey = crypto.randomUUID(), signal }: CallOptions = {},
  ): Promise<api.ChatCompletion> {
    return this.ask('/chat/completions', { body, idempotencyKey, signal })
  }

  /** A completion as it comes. The last chunks have `usage` and `service`. A stream is never repeated. */
  async *chatStream(
    body: { model: string; messages: object[]; [field: string]: unknown },
    { idempotencyKey = crypto.randomUUID(), signal }: CallOptions = {},
  ): AsyncGenerator<ChatChunk> {
    const asked = { ...body, stream: true, stream_options: { include_usage: true } }
    yield* readChunks(await open(this.settings, '/chat/completions', { body: asked, idempotencyKey, signal }))
  }

  /** Starts an agent run. The same idempotencyKey is the same run. */
  startRun({ idempotencyKey = crypto.randomUUID(), ...start }: StartOptions): Promise<api.StartedAgentRun> {
    return this.ask('/agent', { body: { ...start, idempotencyKey }, idempotencyKey })
  }

  getRun(jobId: string, { wait = 0, signal }: { wait?: number; signal?: AbortSignal } = {}): Promise<api.AgentJob> {
    return this.ask(`/agent/${jobId}?wait=${wait}`, { signal })
  }

  /** A run once it has ended or asks something. `onChange` is called with each state on the way. */
  async waitForRun(
    jobId: string,
    { signal, onChange }: { signal?: AbortSignal; onChange?: (job: api.AgentJob) => void } = {},
  ): Promise<api.AgentJob> {
    for (;;) {
      const job = await this.getRun(jobId, { wait: 20, signal })
      onChange?.(job)
      if (job.status !== RUNNING) return job
    }
  }

  /** Starts a run and waits for it. */
  async run(start: StartOptions, options: { signal?: AbortSignal } = {}): Promise<api.AgentJob> {
    const { jobId } = await this.startRun(start)
    return this.waitForRun(jobId, options)
  }

  /**
   * Answers what a run asks: a question with `feedback`, a plan or an approval with `approved`. An
   * approval may change the call (`edit`, `without`), or go for the rest of the run (`scope`).
   */
  answer(jobId: string, answer: Answer): Promise<SuccessOf<typeof api.answerAgentJob>> {
    return this.ask(`/agent/${jobId}/answer`, { body: answer })
  }

  /** Every receipt, newest first; `limit` is how many come with one request. */
  async *receipts(filter: ReceiptFilter = {}): AsyncGenerator<api.Receipt> {
    const given = Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    let cursor: string | null = null
    do {
      const asked = { limit: '100', ...Object.fromEntries(given), ...(cursor !== null && { cursor }) }
      const page: api.ReceiptList = await this.ask(`/usage?${new URLSearchParams(asked)}`)
      yield* page.rows
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  /** What this key may do and has left. */
  key(): Promise<api.KeyStatus> {
    return this.ask('/key')
  }
}
