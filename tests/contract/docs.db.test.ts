import { describe, expect, it } from 'vitest'
import { docsMarkdownHandler } from '../../server/http/docs-markdown'
import { allModels } from '../../server/models/registry'
import { send, withSandbox } from '../support/api'

withSandbox()

const read = (page: string, init?: RequestInit) =>
  docsMarkdownHandler(new Request(`http://localhost:3000/docs-markdown/${page}`, init))

describe('the documentation as Markdown', () => {
  it('200: a guide, the API and the index, for anyone', async () => {
    for (const [page, begins] of [
      ['messages', '# Messages API\n'],
      ['api', '# Tollgate API\n'],
      ['index', '# Tollgate\n'],
      ['tools', '# Tollgate API\n'],
      ['tools/web_search', '# web_search\n'],
      ['reference/startAgentRun', '# POST /api/v1/agent\n'],
    ] as const) {
      const answer = await read(page)
      expect(answer.status, page).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
      expect(await answer.text()).toContain(begins)
    }
  })

  it('404: a page that does not exist', async () => {
    for (const page of ['nothing', 'tools/nothing', 'reference/nothing', 'messages/nothing', '']) {
      const answer = await read(page)
      expect(answer.status, page).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'not_found' })
    }
  })

  it('405: another method', async () => {
    expect((await read('messages', { method: 'POST' })).status).toBe(405)
  })
})

describe('the search of the documentation', () => {
  it('200: sections of guides, tools and operations, for anyone', async () => {
    const { status, text } = await send('/docs-search')
    expect(status).toBe(200)
    const urls = (JSON.parse(text) as { url: string }[]).map(({ url }) => url)
    expect(urls).toEqual([...new Set(urls)])
    expect(urls).toEqual(expect.arrayContaining(['/docs/messages', '/docs/tools/web_search', '/docs/reference/query']))
  })

  it('405: another method', async () => {
    expect((await send('/docs-search', { method: 'POST', body: {} })).status).toBe(405)
  })
})

describe('/llms.txt', () => {
  it('200: links to the Markdown of every guide', async () => {
    const { status, text } = await send('/llms.txt')
    expect(status).toBe(200)
    expect(text).toMatch(/\/docs\/messages\.md\)/)
  })

  it('200: names every model, with its address and price', async () => {
    const { text } = await send('/llms.txt')
    const [, address = ''] = /\[northwind\/gale-4\]\(https?:\/\/[^/]+([^)]+)\): .* 8334 in, 33336 out/.exec(text) ?? []
    expect((await send(address)).status).not.toBe(404)
    for (const { id } of allModels()) expect(text).toContain(`[${id}](`)
  })
})
