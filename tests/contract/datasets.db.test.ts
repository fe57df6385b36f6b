import { strFromU8, unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { datasetCreate } from '../../server/agent-tools/data/dataset_create'
import { prisma } from '../../server/db'
import { ownDatasetHandler } from '../../server/http/datasets'
import { makeTestAgent } from '../support/agent-tool'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { makeCaller, makeKey, type TestOwner } from '../support/owners'

withSandbox()

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const LONG = 'x'.repeat(40_000)
const rows = [
  { city: 'Olbia', homes: 480, change: -2.5, sold: true, note: '=HYPERLINK("http://evil.example")' },
  { city: 'Küche, "quoted"', homes: 0, change: null, sold: false, note: '+49 171\nsecond line' },
  { city: '<b>&amp; _x0041_', homes: 7, change: 1e-7, sold: null, note: '@SUM(A1)' },
  { city: LONG, homes: 1, change: 0, sold: true, note: '-1+2' },
]

let owner: TestOwner
let key: string
beforeAll(async () => {
  const caller = await makeCaller(1_000, { agent: true })
  owner = caller.owner
  key = caller.key.key
  await (await makeTestAgent(owner.id)).run(datasetCreate, { name: 'homes', rows })
})

const download = (query = '', more: object = {}) => send(`/api/v1/datasets/homes${query}`, { key, ...more })

/** A cookie of an owner who is signed in. */
async function signIn({ id }: TestOwner): Promise<string> {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${name}=${value}`
}

/** The bytes of a download as they are sent. */
async function downloadBytes(query: string, headers: Record<string, string> = {}) {
  const { url } = await sharedListener()
  const answer = await fetch(`${url}/api/v1/datasets/homes${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  return { headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

describe('200', () => {
  it('is CSV: quoted, with numbers as numbers, and no text that a spreadsheet would run', async () => {
    const { status, headers, text } = await download()
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="homes.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'x-ratelimit-limit-requests': '10000',
    })
    expect(text).toBe(
      [
        'city,homes,change,sold,note',
        `Olbia,480,-2.5,true,"'=HYPERLINK(""http://evil.example"")"`,
        `"Küche, ""quoted""",0,,false,"'+49 171\nsecond line"`,
        `<b>&amp; _x0041_,7,1e-7,,'@SUM(A1)`,
        `${LONG},1,0,true,'-1+2`,
        '',
      ].join('\n'),
    )
    await expectUntouched(owner)
  })

  it('is the same, compressed, for a client that takes gzip', async () => {
    const plain = await downloadBytes('?format=csv', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const zipped = await downloadBytes('?format=csv', { 'accept-encoding': 'gzip' })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(zipped.headers.get('vary')).toContain('accept-encoding')
    expect(zipped.bytes).toEqual(plain.bytes)
    const refused = await downloadBytes('?format=csv', { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers.get('content-encoding')).toBeNull()
  })

  it('is a workbook whose cells have the types of the values, so that no text is a formula', async () => {
    const { headers, bytes } = await downloadBytes('?format=xlsx')
    expect(headers.get('content-type')).toBe(XLSX)
    expect(headers.get('content-disposition')).toBe('attachment; filename="homes.xlsx"')
    expect(headers.get('content-length')).toBe(String(bytes.byteLength))
    const parts = unzipSync(bytes)
    expect(Object.keys(parts)).toContain('xl/workbook.xml')
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    const text = (at: string, content: string, style = '') =>
      `<c r="${at}" t="inlineStr"${style && ` s="${style}"`}><is><t xml:space="preserve">${content}</t></is></c>`
    expect(sheet).toContain(`<row r="1">${text('A1', 'city', '1')}`)
    expect(sheet).toContain(
      `<row r="2">${text('A2', 'Olbia')}<c r="B2"><v>480</v></c><c r="C2"><v>-2.5</v></c><c r="D2" t="b"><v>1</v></c>${text('E2', '=HYPERLINK("http://evil.example")', '2')}</row>`,
    )
    expect(sheet).toContain(text('A4', '&lt;b&gt;&amp;amp; _x005F_x0041_'))
    expect(sheet).toContain(text('E3', '+49 171\nsecond line', '2'))
    expect(sheet).not.toContain('<f>')
    const [, long = ''] = /<c r="A5"[^>]*><is><t[^>]*>([^<]*)/.exec(sheet) ?? []
    expect(long).toHaveLength(32_767)
    expect(long).toMatch(/cut: a cell of a workbook holds/)
  })

  it('is for HEAD too, without a body', async () => {
    const { status, text } = await download('?format=xlsx', { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
  })

  it('is for the signed-in owner at the dashboard, where a key means nothing', async () => {
    const ask = (name: string, headers: Record<string, string>) =>
      ownDatasetHandler(new Request(`http://localhost:3000/datasets/${name}`, { headers }))
    const cookie = await signIn(owner)
    const own = await ask('homes', { cookie })
    expect([own.status, (await own.text()).split('\n', 1)]).toEqual([200, ['city,homes,change,sold,note']])
    // Next compresses the pages' answers: what it got compressed already would arrive so twice.
    const asBrowser = await ask('homes', { cookie, 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(asBrowser.headers.get('content-encoding')).toBeNull()
    expect(await asBrowser.text()).toContain('city,homes,change,sold,note')
    expect((await ask('homes', {})).status).toBe(401)
    expect((await ask('homes', { authorization: `Bearer ${key}` })).status).toBe(401)
    const { owner: other } = await makeCaller(0)
    expect((await ask('homes', { cookie: await signIn(other) })).status).toBe(404)
  })
})

describe('refusals', () => {
  it.each(['?format=pdf', '?more=1', '?format='])('400: %s', async (query) => {
    expect(await download(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('401 without a key, and for a session at the path of keys', async () => {
    expect((await send('/api/v1/datasets/homes')).status).toBe(401)
    expect((await send('/api/v1/datasets/homes', { headers: { cookie: await signIn(owner) } })).status).toBe(401)
  })

  it('403 for a key without agent runs, and for one whose runs may not read datasets', async () => {
    const none = await makeKey(owner)
    const web = await makeKey(owner, { agent: true, capabilities: ['web'] })
    const data = await makeKey(owner, { agent: true, capabilities: ['data'] })
    for (const narrow of [none, web]) expect((await download('', { key: narrow.key })).status).toBe(403)
    expect((await download('', { key: data.key })).status).toBe(200)
  })

  it('404 for a dataset that does not exist or is another owner’s', async () => {
    const { key: other } = await makeCaller(0, { agent: true })
    expect(await download('', { key: other.key })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await send('/api/v1/datasets/no_such', { key })).status).toBe(404)
  })

  it('405 with Allow for anything but reading and changing', async () => {
    const { status, headers } = await download('', { method: 'POST', body: {} })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
  })
})
