import { untilGone } from '../../kit/client-gone'
import type { Listener } from './page'

/** Next tells pages nothing of a client that disconnects: what they read for it is cancelled through this signal. */
export const withClientGone =
  (toNext: Listener): Listener =>
  (req, res) => {
    const gone = new AbortController()
    res.on('close', () => {
      if (!res.writableFinished) gone.abort()
    })
    return untilGone(gone.signal, () => toNext(req, res))
  }
