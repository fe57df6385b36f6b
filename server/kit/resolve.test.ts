import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialFailure } from './dial'
import { resolveFor, systemResolve } from './resolve'
import { safeFetch } from './safe-fetch'

/** Knows `fast.test` and `private.test`, not `absent.test`; is silent for others. */
const server = createSocket('udp4')
let servers: string[]

const nameIn = (question: Buffer): string => {
  const labels: string[] = []
  for (let at = 12, length = question[at] ?? 0; length > 0; at += length + 1, length = question[at] ?? 0)
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
  return labels.join('.').toLowerCase()
}

const ADDRESSES: Record<string, number[]> = { 'fast.test': [93, 184, 216, 34], 'private.test': [10, 0, 0, 1] }

server.on('message', (question, from) => {
  const name = nameIn(question)
  const address = ADDRESSES[name]
  if (!address && name !== 'absent.test') return
  const isA = question.readUInt16BE(12 + name.length + 2) === 1
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(address ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(address && isA ? 1 : 0, 6)
  header.writeUInt16BE(0, 10)
  const asked = question.subarray(12, 12 + name.length + 6)
  const answer = address && isA ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address])] : []
  server.send(Buffer.concat([header, asked, ...answer]), from.port, from.address)
})

beforeAll(async () => {
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
  servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`]
})
afterAll(() => new Promise<void>((done) => server.close(() => done())))

const codeOf = (asked: Promise<unknown>) => asked.then(String, (error: { code?: string }) => error.code)

test('finds the addresses of a name, and says that one does not exist', async () => {
  expect(await resolveFor('a', servers)('fast.test', 0)).toEqual([{ address: '93.184.216.34', family: 4 }])
  const absent = resolveFor('a', servers)('absent.test', 0)
  expect(await codeOf(absent)).toBe('ENOTFOUND')
  expect(await absent.catch(dialFailure)).toBe('unresolved')
})

test('asks no server about localhost', async () => {
  const found = [{ address: '127.0.0.1', family: 4 }]
  expect(await resolveFor('a', servers)('localhost', 4)).toEqual(found)
  expect(await resolveFor('a', servers)('a.LOCALHOST.', 4)).toEqual(found)
})

test('slow names of one owner stop neither the names of another nor those of the operator', async () => {
  let ended = 0
  const slow = Array.from({ length: 40 }, (_, i) =>
    codeOf(resolveFor('slow', servers)(`slow-${i}.test`, 0)).finally(() => ended++),
  )
  expect(await resolveFor('other', servers)('fast.test', 0)).toHaveLength(1)
  expect(await systemResolve('localhost', 4)).toMatchObject([{ address: '127.0.0.1' }])
  // They waited for none of the slow ones, each of which takes seconds.
  expect(ended).toBe(0)
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['EAI_AGAIN']))
})

test('a connection is made to no address that is private', async () => {
  const signal = AbortSignal.timeout(10_000)
  const fetched = safeFetch('http://private.test/', { signal, maxBytes: 1, resolve: resolveFor('a', servers) })
  await expect(fetched).rejects.toMatchObject({ kind: 'blocked' })
})
