import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { type DeliveryStatus, DeliveryView } from '../../server/agent/webhooks/shape'
import { env } from '../../server/env'
import { send } from './api'
import { pollUntil } from './poll-until'

/** A request as a receiver got it. */
export type Received = { path: string; headers: Record<string, string>; body: string }

type Answer = (res: ServerResponse, attempt: number) => void

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (res) =>
    void res.writeHead(status, headers).end(body)

export type Receiver = {
  port: () => number
  /** A URL of it. Each path has its own answers. */
  url: (path?: string) => string
  /** Says how a path answers; 200 at first. `attempt` counts its requests from 1. */
  play: (path: string, answer: Answer) => void
  received: (path: string) => Received[]
}

/** A receiver of webhooks on 127.0.0.1; with `allowed` the address guard lets it be called. */
export function withReceiver({ allowed = true } = {}): Receiver {
  const answers = new Map<string, Answer>()
  const all: Received[] = []
  const server = createServer((req, res) => void take(req, res))
  const take = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const path = String(req.url)
    all.push({ path, headers: req.headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
    const answer = answers.get(path) ?? answerWith(200)
    answer(res, all.filter((each) => each.path === path).length)
  }
  const port = () => (server.address() as AddressInfo).port
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // As a service that others reach: a simulation that only this machine reaches may call it.
    if (!allowed) Object.assign(env(), { HOST: '0.0.0.0' })
    if (allowed) Object.assign(env(), { ALLOW_PRIVATE_HOSTS: [...env().ALLOW_PRIVATE_HOSTS, `127.0.0.1:${port()}`] })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    port,
    url: (path = '/') => `http://127.0.0.1:${port()}${path}`,
    play: (path, answer) => void answers.set(path, answer),
    received: (path) => all.filter((each) => each.path === path),
  }
}

/** Reads the log of a job's deliveries, newest first. */
export async function readDeliveries(key: string, jobId: unknown): Promise<DeliveryView[]> {
  const { body } = await send(`/api/v1/agent/${jobId}/deliveries`, { key })
  return DeliveryView.array().parse(body.deliveries)
}

/** Waits until the newest delivery of a job has this status, and returns it. */
export const untilDelivery = (key: string, jobId: unknown, status: DeliveryStatus): Promise<DeliveryView> =>
  pollUntil(`a delivery that is ${status}`, async () => {
    const [newest] = await readDeliveries(key, jobId)
    return newest?.status === status ? newest : null
  })
