import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { listenForStop, waitForAbort } from './stop-signal'

describe('stopSignal', () => {
  it('takes any number of SIGTERM, SIGHUP and lost launchers as one request that is not urgent', async () => {
    const from = new EventEmitter()
    const stop = listenForStop(from)
    for (const event of ['SIGTERM', 'SIGHUP', 'disconnect', 'SIGTERM', 'SIGINT', 'SIGTERM']) from.emit(event)
    expect(await stop.asked).toBe('SIGTERM')
    expect([stop.signal.aborted, stop.hurry.aborted]).toEqual([true, false])
  })

  it('becomes urgent at a second Ctrl-C, not at one that is delivered twice', async () => {
    const from = new EventEmitter()
    let now = 0
    const stop = listenForStop(from, () => now)
    from.emit('SIGINT')
    now = 900
    from.emit('SIGINT')
    expect(stop.hurry.aborted).toBe(false)
    now = 1_100
    from.emit('SIGINT')
    await waitForAbort(stop.hurry)
  })
})
