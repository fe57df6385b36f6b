import type { Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody } from '../../api/error-body'
import { voidProcessHolds } from '../../credits/void-process-holds'
import { restarting } from '../../errors'
import { chatErrorBody } from '../../http/chat-error'
import { log } from '../../kit/log'
import { endStreams, sseData } from '../../kit/sse'
import type { OpenResponses } from './open-responses'

/** How long calls whose holds are void have to end by themselves, milliseconds. */
const GRACE_MS = 500
/** How long a database that does not answer is waited for, milliseconds. */
const VOID_MS = 3_000

/** Sends 503 on a response whose headers are not sent yet. */
function refuse(res: ServerResponse): void {
  if (res.headersSent || res.destroyed) return
  const headers = { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1', connection: 'close' }
  res.writeHead(503, headers).end(JSON.stringify(errorBody(restarting())))
}

async function voidAll(): Promise<void> {
  const voided = voidProcessHolds().catch((error: Error) =>
    log.error({ err: error.message }, 'holds are left to the next sweep'),
  )
  await Promise.race([voided, sleep(VOID_MS)])
}

/**
 * Ends what a shutdown cannot wait for any longer, and says so to every caller: 503 where no answer
 * has begun, an `error` event in a stream. None of them is charged: their holds are void first, and
 * calls that were charged by then have a moment to deliver their answers.
 */
export async function abortOpenRequests(server: Server, open: OpenResponses): Promise<void> {
  server.removeAllListeners('request')
  server.on('request', (_req, res) => refuse(res))
  await voidAll()
  await sleep(GRACE_MS)
  endStreams(`event: error\n${sseData(chatErrorBody(restarting().charged(0)))}`)
  for (const res of open) refuse(res)
  // A call that had not held its credits the first time.
  await voidAll()
  await sleep(GRACE_MS)
}
