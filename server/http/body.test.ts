import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readJson } from './body'

const json = { 'content-type': 'application/json' }
const post = (body: BodyInit | null, headers: Record<string, string> = json) =>
  new Request('http://127.0.0.1/', {
    method: 'POST',
    headers,
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })

const read = (req: Request, max: number) => readJson({ req, reply: {} }, max)

function chunks(...parts: (string | Error)[]): ReadableStream {
  const left = [...parts]
  return new ReadableStream({
    pull(controller) {
      const part = left.shift()
      if (part === undefined) controller.close()
      else if (part instanceof Error) controller.error(part)
      else controller.enqueue(new TextEncoder().encode(part))
    },
  })
}

test('a body comes with the hash of its bytes', async () => {
  const text = '{ "a": "ü" }'
  const body = await read(post(text), 100)
  expect(body.value).toEqual({ a: 'ü' })
  expect(body.hash()).toEqual(createHash('sha256').update(text).digest())
})

test('a body in pieces, cut within a character, is put together', async () => {
  const bytes = new TextEncoder().encode('{"a":"ü€"}')
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  expect((await read(post(body), 100)).value).toEqual({ a: 'ü€' })
})

test('a body may have exactly the maximum, with Content-Length or chunked', async () => {
  const text = '"12345678"'
  expect((await read(post(text), 10)).value).toBe('12345678')
  expect((await read(post(chunks(text)), 10)).value).toBe('12345678')
  await expect(read(post(text), 9)).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(read(post(chunks('"1234', '5678"')), 9)).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(read(post(text, { ...json, 'content-length': '11' }), 10)).rejects.toMatchObject({
    code: 'payload_too_large',
  })
})

test('the type is looked at before the size, the size before the content', async () => {
  await expect(read(post('xxxx', { 'content-type': 'text/plain' }), 1)).rejects.toMatchObject({
    code: 'unsupported_media_type',
  })
  await expect(read(post('xxxx'), 1)).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(read(post('xxxx'), 10)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a compressed body is refused as such, before its size', async () => {
  const sent = (encoding: string) => read(post('1', { ...json, 'content-encoding': encoding }), 10)
  for (const encoding of ['gzip', 'br', 'identity, gzip', 'x'])
    await expect(sent(encoding)).rejects.toMatchObject({ code: 'unsupported_media_type' })
  for (const encoding of ['', 'identity', ' Identity ']) expect((await sent(encoding)).value).toBe(1)
})

test.each(['application/json', 'Application/JSON;charset=utf-8', 'application/ld+json', 'application/json ;x=y'])(
  '%s is JSON',
  async (type) => {
    expect((await read(post('1', { 'content-type': type }), 10)).value).toBe(1)
  },
)

test.each(['', 'text/json', 'application/jsonp', 'application/json-seq', 'json', 'text/plain; x=application/json'])(
  '%j is not',
  async (type) => {
    await expect(read(post('1', { 'content-type': type }), 10)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    })
  },
)

test('no body and an empty body differ from invalid JSON', async () => {
  await expect(read(post(null), 10)).rejects.toThrow('empty')
  await expect(read(post(''), 10)).rejects.toThrow('empty')
  await expect(read(post('{'), 10)).rejects.toThrow('not valid JSON')
})

test('a body that ends early is an error of the client', async () => {
  await expect(read(post(chunks('{"a":', new Error('gone'))), 100)).rejects.toMatchObject({
    code: 'invalid_request',
  })
})
