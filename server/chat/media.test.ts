import { describe, expect, it } from 'vitest'
import { AppError } from '../errors'
import type { ResolveHost } from '../kit/resolve'
import type { CompletionBody } from '../models/completion'
import { findModel } from '../models/registry'
import type { Model } from '../models/shape'
import { mediaInChat } from '../models/wires/chat/media'
import { checkMedia } from './media'

process.env.UPSTREAMS = 'sandbox'

const model = (): Model => {
  const found = findModel('northwind/gale-4')
  if (!found) throw new Error('The sandbox has no such model.')
  return found
}

/** A DNS server of one name in two networks; `asked` counts its questions. */
const zone: Record<string, string[]> = {
  'public.test': ['93.184.216.34', '2606:2800:220:1::1'],
  'private.test': ['10.0.0.7'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
}
let asked: string[] = []
const resolve: ResolveHost = async (name) => {
  asked.push(name)
  const found = zone[name]
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const video = (url: string) => ({ type: 'video_url', video_url: { url } })
const request = (...content: { type: string }[]): CompletionBody => ({
  model: 'x',
  messages: [{ role: 'user', content }],
})

const checkImages = (body: CompletionBody, at: Model, lookUp: ResolveHost) =>
  checkMedia({ body, media: mediaInChat }, at, lookUp)

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => expect.unreachable('it should have been refused'),
    (e: unknown) => e,
  )
  if (!(error instanceof AppError)) throw error
  return { code: error.code, message: error.message }
}

describe('a name in an image URL', () => {
  it.each(['private.test', 'mixed.test', 'metadata.test', 'mapped.test', 'PRIVATE.test', 'private.test:8443'])(
    '%s is refused because it resolves to a private address',
    async (host) => {
      for (const part of [image(`https://${host}/a.png`), video(`https://${host}/a.mp4`)])
        expect(await refusal(checkImages(request(part), model(), resolve))).toEqual({
          code: 'invalid_request',
          message: expect.stringContaining('resolves to an address that is not on the public internet'),
        })
    },
  )

  it('is accepted when it is public, or unknown here', async () => {
    const sent = request(image('https://public.test/a.png'), image('https://unknown.test/a.png'))
    expect(await checkImages(sent, model(), resolve)).toEqual(sent)
  })

  it('is looked up once, and an address or a data: URI never', async () => {
    asked = []
    const parts = ['a', 'b', 'c'].map((path) => image(`https://public.test/${path}`))
    await checkImages(
      request(...parts, image('https://8.8.8.8/'), image('data:image/png;base64,AAAA')),
      model(),
      resolve,
    )
    expect(asked).toEqual(['public.test'])
  })

  it('does not hold up the request when it never resolves', async () => {
    const sent = request(image('https://silent.test/a.png'))
    expect(await checkImages(sent, model(), () => new Promise(() => {}))).toEqual(sent)
  })

  it('is one of at most 64', async () => {
    const parts = Array.from({ length: 65 }, (_, i) => image(`https://n${i}.test/`))
    expect((await refusal(checkImages(request(...parts), model(), resolve))).message).toMatch(/65 different hosts/)
  })
})

it('a word with a colon in a part of another kind is no address', async () => {
  const sent = request({ type: 'file', note: 'detail: high', file: { name: 'C: drive' } } as { type: string })
  expect(await checkImages(sent, model(), resolve)).toEqual(sent)
})
