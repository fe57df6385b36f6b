import { AppError } from '../errors'
import { gauge } from '../kit/metrics/registry'

const MIB = 1024 * 1024

/** Bytes of bodies that are read or worked on at the same time: of one account, and of all. */
const MAX_OF_OWNER = 48 * MIB
const MAX_OF_PROCESS = 160 * MIB

/** Bodies up to this are not counted: there are no more of them than connections. */
export const UNCOUNTED_BYTES = 16 * 1024

/** Who sends a body: an account, or all visitors together. */
export type BodySender = number | 'visitors'

const bySender = new Map<BodySender, number>()
const byRequest = new WeakMap<Request, { sender: BodySender; bytes: number }>()
let ofProcess = 0

gauge('tollgate_body_bytes', 'Bytes of request bodies in progress, those of small bodies aside', {
  collect: (bytes) => bytes.set(ofProcess),
})

/**
 * Counts bytes of a request's body as in progress, before they are read. Throws `rate_limited`
 * where the account has too many, `unavailable` where the process has.
 */
export function takeBodyBytes(req: Request, sender: BodySender, bytes: number): void {
  const used = bySender.get(sender) ?? 0
  if (used + bytes > MAX_OF_OWNER) {
    const whose = sender === 'visitors' ? 'Requests without a key have' : 'The requests of this account have'
    const text = `${whose} ${MAX_OF_OWNER / MIB} MiB of bodies in progress, the most they may have.`
    throw new AppError('rate_limited', `${text} Wait for one to end.`, { retryAfter: 1 })
  }
  if (ofProcess + bytes > MAX_OF_PROCESS) {
    throw new AppError('unavailable', 'The gateway is reading too many large bodies. Try again in a moment.', {
      retryAfter: 1,
    })
  }
  const taken = byRequest.get(req) ?? { sender, bytes: 0 }
  taken.bytes += bytes
  byRequest.set(req, taken)
  bySender.set(sender, used + bytes)
  ofProcess += bytes
}

/** Ends what a request's body counts. To be called once its answer is there. */
export function releaseBodyBytes(req: Request): void {
  const taken = byRequest.get(req)
  if (!taken) return
  byRequest.delete(req)
  const left = (bySender.get(taken.sender) ?? 0) - taken.bytes
  if (left > 0) bySender.set(taken.sender, left)
  else bySender.delete(taken.sender)
  ofProcess -= taken.bytes
}
