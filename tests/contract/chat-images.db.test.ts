import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { CHAT_MODEL, expectChatError, makeChatter, sandboxUpstream, scriptedBody, sendChat } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'

withSandbox()
const PNG = `data:image/png;base64,${Buffer.from('not really an image').toString('base64')}`
const seeing = ['northwind/gale-4', 'northwind/gale-4-mini', 'alpenglow/edelweiss-large']
const BLIND = 'tidepool/kelp-ocean'

const image = (url: unknown, role = 'user', more: object = {}) => ({
  model: CHAT_MODEL,
  max_tokens: 50,
  messages: [
    {
      role,
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
    { role: 'user', content: 'Well?' },
  ],
  ...more,
})

describe('200', () => {
  it.each([
    ['a data: URI', PNG],
    ['a data: URI of some size', `data:image/jpeg;base64,${'A'.repeat(3_000_000)}`],
    ['an https URL', 'https://example.com/cat.png?size=1#x'],
    ['an https URL with a port', 'https://example.com:8443/cat.png'],
    ['a public address', 'https://8.8.8.8/cat.png'],
  ])('is answered to %s, which the upstream gets as it is', async (_name, url) => {
    const { owner, key } = await makeChatter()
    const answer = await sendChat(key.key, image(url))
    expect(answer.status).toBe(200)
    expect((await sandboxUpstream.last()).body.messages).toEqual(image(url).messages)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, receipts: 1 })
  })

  it.each([
    ['a backslash before another host', 'https://example.com\\@127.0.0.1/', 'https://example.com/@127.0.0.1/'],
    ['backslashes for slashes', 'https:\\\\example.com\\cat.png', 'https://example.com/cat.png'],
    ['a line break in the host', ' https://exa\nmple.com/cat.png', 'https://example.com/cat.png'],
    ['letters of full width', 'https://ｅxample.com/cat.png', 'https://example.com/cat.png'],
  ])('is answered to %s, and the upstream gets what was checked', async (_name, url, href) => {
    const { key } = await makeChatter()
    const video = (address: string) => ({ type: 'video_url', video_url: { url: address, fps: 1 } })
    const body = image(url)
    body.messages[1] = { role: 'user', content: [video(url)] as never }
    expect(await sendChat(key.key, body)).toMatchObject({ status: 200 })
    const expected = image(href)
    expected.messages[1] = { role: 'user', content: [video(href)] as never }
    expect((await sandboxUpstream.last()).body.messages).toEqual(expected.messages)
  })

  it('keeps the image’s detail and other parts', async () => {
    const { key } = await makeChatter()
    const body = scriptedBody(
      {},
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: PNG, detail: 'low' }, x: 1 }] }],
      },
    )
    expect(await sendChat(key.key, body)).toMatchObject({ status: 200 })
    expect((await sandboxUpstream.last()).body.messages).toEqual(body.messages)
  })
})

describe('400', () => {
  it.each(['system', 'developer', 'assistant', 'tool'])('is answered to an image in a message of %s', async (role) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, image(PNG, role))
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({
      param: 'messages.0.content.1.image_url.url',
      message: expect.stringContaining('role user'),
    })
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('names the models that see, to an image for one that does not', async () => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, image(PNG, 'user', { model: BLIND }))
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    const { message } = answer.body.error as { message: string }
    for (const id of [BLIND, ...seeing]) expect(message).toContain(id)
    for (const id of ['palette/umber-1', 'lumiere/reel-2', 'alpenglow/edelweiss-small'])
      expect(message).not.toContain(id)
    await expectUntouched(owner)
  })

  it('comes before 403 and 402', async () => {
    const { key } = await makeChatter(0, { llm: false })
    expect(await sendChat(key.key, image(PNG, 'user', { model: BLIND }))).toMatchObject({ status: 400 })
    expect(await sendChat(key.key, image('http://example.com/a.png'))).toMatchObject({ status: 400 })
  })

  it.each([
    ['http', 'http://example.com/cat.png'],
    ['ftp', 'ftp://example.com/cat.png'],
    ['file', 'file:///etc/passwd'],
    ['javascript', 'javascript:alert(1)'],
    ['no scheme', 'example.com/cat.png'],
    ['an empty text', ''],
    ['no text', 5],
    ['nothing', undefined],
    ['null', null],
    ['credentials', 'https://user:secret@example.com/cat.png'],
    ['a user', 'https://user@example.com/cat.png'],
    ['loopback', 'https://127.0.0.1/cat.png'],
    ['loopback in short', 'https://127.1/cat.png'],
    ['loopback as a number', 'https://2130706433/cat.png'],
    ['loopback in octal', 'https://0177.0.0.1/cat.png'],
    ['loopback in IPv6', 'https://[::1]/cat.png'],
    ['loopback mapped', 'https://[::ffff:127.0.0.1]/cat.png'],
    ['a private address', 'https://10.1.2.3/cat.png'],
    ['another private address', 'https://192.168.0.1/cat.png'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data'],
    ['a unique local address', 'https://[fd00::1]/cat.png'],
    ['localhost', 'https://localhost/cat.png'],
    ['localhost with a dot', 'https://localhost./cat.png'],
    ['a name below localhost', 'https://a.localhost/cat.png'],
    ['an internal name', 'https://metadata.google.internal/x'],
    ['an mDNS name', 'https://printer.local/cat.png'],
    ['a bare name', 'https://intranet/cat.png'],
    ['a bare name with a dot', 'https://intranet./cat.png'],
    ['another bare name with a dot', 'https://vault./cat.png'],
    ['a data: URI of a text', 'data:text/html;base64,PGI+'],
    ['a data: URI that is not base64', 'data:image/svg+xml,<svg/>'],
    ['a data: URI with what is not base64', 'data:image/png;base64,{}'],
    ['an empty data: URI', 'data:image/png;base64,'],
  ])('is answered to %s', async (_name, url) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, image(url))
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param: 'messages.0.content.1.image_url.url' })
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it.each([
    ['the other API’s form', { type: 'input_image', image_url: 'http://10.0.0.1/a.png' }],
    ['another provider’s format', { type: 'image', source: { type: 'url', url: 'http://10.0.0.1/a.png' } }],
    ['an image under another type', { type: 'text', text: 'x', image_url: { url: 'http://10.0.0.1/a.png' } }],
    ['another spelling', { type: 'IMAGE_URL', image_url: { url: 'http://10.0.0.1/a.png' } }],
  ])('is answered to an image in %s', async (_name, part) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, {
      model: BLIND,
      max_tokens: 9,
      messages: [{ role: 'user', content: [part] }],
    })
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    const other = await sendChat(key.key, {
      model: CHAT_MODEL,
      max_tokens: 9,
      messages: [{ role: 'user', content: [part] }],
    })
    expectChatError(other, 400, 'invalid_request', 'invalid_request_error')
    await expectUntouched(owner)
  })

  it.each([
    ['a video', { type: 'video_url', video_url: { url: 'http://169.254.169.254/latest' } }],
    ['a recording', { type: 'audio_url', audio_url: { url: 'https://10.0.0.1/a.mp3' } }],
    ['a document', { type: 'file', file: { file_data: ' https://localhost/a.pdf' } }],
    ['a video with a line break in its scheme', { type: 'video_url', video_url: { url: 'ht\ntps://127.0.0.1/a' } }],
    ['a video without slashes', { type: 'video_url', video_url: { url: 'https:127.0.0.1/a' } }],
    ['a video with backslashes', { type: 'video_url', video_url: { url: 'http:\\\\127.0.0.1\\a' } }],
  ])('is answered to %s that is not on the public internet', async (_name, part) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, {
      model: CHAT_MODEL,
      max_tokens: 9,
      messages: [{ role: 'user', content: [part] }],
    })
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param: 'messages.0.content.0' })
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner)
  })
})
