import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { releasePorts, takePort } from './ports'

it('gives each caller a port of its own, below those that the system gives out, until all are taken', async () => {
  const ports = await Promise.all(Array.from({ length: 49 }, takePort))
  expect(new Set(ports).size).toBe(49)
  expect(Math.max(...ports)).toBeLessThan(32_768)
  const [first = 0] = ports
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(first, '127.0.0.1', resolve))
  expect(await takePort(), 'not the one in use').not.toBe(first)
  server.close()
  await releasePorts()
})
