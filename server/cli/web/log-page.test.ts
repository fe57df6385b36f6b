import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sendHttp } from '../../../tests/support/http'
import { startListener, type TestListener } from '../../../tests/support/listener'
import { pollUntil } from '../../../tests/support/poll-until'
import { env } from '../../env'
import { log } from '../../kit/log'

let listener: TestListener
// Reading the settings sets the level, which makes the log's functions anew.
env()
const info = vi.spyOn(log, 'info').mockReturnValue()
const debug = vi.spyOn(log, 'debug').mockReturnValue()

beforeAll(async () => {
  listener = await startListener((req, res) => {
    // What a handler does that Next called.
    if (req.url === '/usage/export') res.setHeader('x-request-id', 'of the handler')
    res.writeHead(req.url === '/none' ? 404 : 200).end('page')
  })
})

afterAll(async () => {
  await listener.stop()
  vi.restoreAllMocks()
})

const get = (path: string) => sendHttp(listener.url + path, { method: 'GET', headers: { accept: 'text/html' } })

test('a page is a log line with the id of its response, without the query; its files are lines of debug', async () => {
  const { headers } = await get('/agents?search=secret')
  await get('/none')
  await get('/usage/export')
  await get('/_next/static/chunk.js')
  await pollUntil('the line of the file', () => debug.mock.calls.length === 1)
  expect(info.mock.calls).toEqual([
    [
      { requestId: headers.get('x-request-id'), method: 'GET', path: '/agents', status: 200, ms: expect.any(Number) },
      'page',
    ],
    [expect.objectContaining({ path: '/none', status: 404 }), 'page'],
  ])
})
