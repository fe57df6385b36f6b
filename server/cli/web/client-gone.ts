import { withDisconnectSignal } from '../../kit/client-gone'
import type { RequestListener } from './serve-page'

/** Next tells pages nothing of a client that disconnects: what they read for it is cancelled through this signal. */
export const withClientDisconnect =
  (toNext: RequestListener): RequestListener =>
  (req, res) => {
    const gone = new AbortController()
    res.on('close', () => {
      if (!res.writableFinished) gone.abort()
    })
    return withDisconnectSignal(gone.signal, () => toNext(req, res))
  }
