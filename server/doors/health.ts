import { isReady } from '../api/ready'
import { AppError } from '../errors'
import { asDoor, type Door } from './exchange'
import { sendError, sendValue } from './reply'

/** `/healthz`: the process answers. */
export const healthDoor: Door = async () => sendValue(200, { status: 'ok' }, { 'cache-control': 'no-store' })

/** `/readyz`: the database answers too, so requests can be served. */
export const readyDoor = asDoor('readyz', async ({ headers }) => {
  if (await isReady()) return sendValue(200, { status: 'ready' }, headers())
  return sendError(new AppError('unavailable', 'The database does not answer.', { retryAfter: 2 }), headers())
})
