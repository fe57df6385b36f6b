import { describe, expect, test } from 'vitest'
import { getGuide, getGuideMarkdown, listGuides } from './guides'
import { readGuideFiles } from './read'
import { docsSearchEntries } from './search'
import { headingsIn } from './shape'

const guides = await readGuideFiles()
const slugs = guides.map(({ slug }) => slug)

/** Names of guides cannot be those of other pages below `/docs`. */
const TAKEN = ['api', 'reference', 'tools', 'markdown', 'search']

test('guides are listed in their order, and no two share one', async () => {
  const orders = (await listGuides()).map(({ order }) => order)
  expect(orders).toEqual([...new Set(orders)].sort((a, b) => a - b))
  expect(slugs.filter((slug) => TAKEN.includes(slug))).toEqual([])
})

test('the guides of a group follow one another', () => {
  const groups = guides.map(({ group }) => group).filter((group, at, all) => group !== all[at - 1])
  expect(groups).toEqual([...new Set(groups)])
})

test('a guide that does not exist is not found', async () => {
  await expect(getGuide('nothing')).rejects.toMatchObject({ code: 'not_found' })
  await expect(getGuide('../decisions/README')).rejects.toMatchObject({ code: 'not_found' })
})

test('the search has every section once, as a reader sees it', async () => {
  const entries = await docsSearchEntries()
  const urls = entries.map(({ url }) => url)
  expect(urls).toEqual([...new Set(urls)])
  for (const slug of slugs) expect(urls).toContain(`/docs/${slug}`)
  expect(urls).toContain('/docs/tools/web_search')
  expect(JSON.stringify(entries.map(({ page, heading }) => [page, heading]))).not.toMatch(/[`#*|]/)
})

describe.each(guides)('$slug', ({ slug, title, summary, body }) => {
  test('is read with known marks and placeholders', async () => {
    const { blocks } = await getGuide(slug)
    expect(blocks.length).toBeGreaterThan(0)
    expect(JSON.stringify(blocks)).not.toMatch(/\{\{\w|```/)
  })

  test('has a plain title and summary, and headings below them that differ', async () => {
    expect(title + summary).not.toMatch(/[`*[\]]/)
    const text = (await getGuide(slug)).blocks.map((block) => (block.kind === 'text' ? block.markdown : '')).join('\n')
    expect(text).not.toMatch(/^(# |#{4})/m)
    const ids = headingsIn(text).map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('links to guides and headings that exist', () => {
    const headings = (of: string) => headingsIn(guides.find((one) => one.slug === of)?.body ?? '').map(({ id }) => id)
    const targets = [...body.matchAll(/\]\((?!https?:|\/)([^)\s]+)\)/g)].map(([, target = '']) => target)
    const isKnown = (target: string) => {
      const [, linked = '', heading] = /^(?:([a-z0-9-]+)\.md)?(?:#(.+))?$/.exec(target) ?? []
      const at = linked || slug
      return slugs.includes(at) && (heading === undefined || headings(at).includes(heading)) && target !== ''
    }
    expect(targets.filter((target) => !isKnown(target))).toEqual([])
  })

  test('is a Markdown document without marks and placeholders', async () => {
    const markdown = await getGuideMarkdown(slug)
    expect(markdown).toMatch(/^# /)
    expect(markdown).not.toMatch(/\{\{\w|^```\w* \S|\]\([a-z0-9-]+\.md/m)
  })
})
