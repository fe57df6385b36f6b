import type { Page } from '@playwright/test'
import { pagesOf } from '../e2e/routes'
import type { ShotJobs } from './jobs'
import type { ShotOwner } from './owner'

/**
 * A page to take images of, as whom, and what to do there first. `kept`: an image that documents
 * show, with the height of the window.
 */
export type ShotPage = {
  name: string
  path: string
  as: 'visitor' | 'newcomer' | 'owner'
  prepare?: (page: Page) => Promise<void>
  kept?: { name: string; height: number; isHalvedToo?: boolean }
}

async function ask(page: Page): Promise<void> {
  await page.getByLabel('Message').fill('What is a toll road, and who invented it? Answer in three sentences.')
  await page.getByLabel('Message').press('Enter')
  await page.getByTestId('charge').first().waitFor()
}

const open = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}

/** The page of the owner’s latest request. */
async function openRequest(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
  await page.waitForURL('**/operators/requests/*')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('web')
}

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Run/ }).first().click()
  await page.getByTestId('charge').waitFor()
}

const named =
  (as: ShotPage['as']) =>
  (path: string): ShotPage => ({
    name: path === '/' ? 'landing' : path.slice(1).replaceAll('/', '-'),
    path,
    as,
  })

const VISITOR = [...pagesOf('(public)'), '/docs/first-call', '/docs/agents', '/nothing-here'].map(named('visitor'))

const NEWCOMER: ShotPage[] = ['/overview', '/keys', '/jobs', '/jobs/new', '/usage', '/credits', '/settings/audit'].map(
  (path) => ({
    name: `new${path.replaceAll('/', '-')}`,
    path,
    as: 'newcomer',
  }),
)

/** Every page there is, and some of its states. */
export function shotPages(
  { ids, made }: ShotJobs,
  { id: ownerId, keyId }: Pick<ShotOwner, 'id' | 'keyId'>,
): ShotPage[] {
  const owner = (name: string, path: string, more: Partial<ShotPage> = {}): ShotPage => ({
    name,
    path,
    as: 'owner',
    ...more,
  })
  const pages = [
    ...VISITOR,
    ...NEWCOMER,
    owner('overview', '/overview', { kept: { name: 'overview', height: 800, isHalvedToo: true } }),
    owner('overview-by-key', '/overview?by=key'),
    owner('keys', '/keys'),
    owner('key', `/keys/${keyId}`),
    owner('key-new', '/keys/new'),
    owner('key-edit', `/keys/${keyId}/edit`),
    owner('keys-found', '/keys?q=price'),
    owner('jobs', '/jobs'),
    owner('job-new', '/jobs/new'),
    ...Object.entries(ids).map(([name, id]) =>
      owner(`job-${name}`, `/jobs/${id}`, name === 'homes' ? { kept: { name: 'job', height: 1100 } } : {}),
    ),
    ...Object.entries(made).map(([name, path]) => owner(name, path)),
    owner('usage', '/usage'),
    owner('receipt', '/usage?product=chat', { prepare: open('northwind/gale-4-mini') }),
    owner('catalog', '/catalog'),
    owner('catalog-panel', '/catalog', { prepare: open('Web search') }),
    owner('tool', '/catalog/web_search'),
    owner('tool-run', '/catalog/crypto_get_prices', { prepare: run }),
    owner('models', '/models'),
    owner('playground', '/playground', { prepare: ask }),
    owner('connect', '/connect'),
    owner('credits', '/credits'),
    owner('usage-by-model', '/usage?by=model&range=30d'),
    owner('usage-by-job', '/usage?group=job'),
    owner('palette', '/overview', { prepare: openPalette }),
    owner('operators-owner-requests', `/operators/owners/${ownerId}/requests`),
    ...['', `/owners/${ownerId}`, '/traffic', '/runs', '/providers', '/models', '/settings', '/holds', '/log'].map(
      (path) => owner(`operators${path.replaceAll('/', '-')}`, `/operators${path}`),
    ),
    owner('operators-run', `/operators/runs/${ids.homes}`),
    owner('operators-request', `/operators/owners/${ownerId}`, { prepare: openRequest }),
    ...['agents', 'webhooks', 'preferences', 'account', 'security', 'sessions', 'audit'].map((tab) =>
      owner(`settings-${tab}`, `/settings/${tab}`),
    ),
  ]
  const seen = new Set(pages.map(({ path }) => path))
  return [
    ...pages,
    ...pagesOf('(dashboard)')
      .filter((path) => !seen.has(path))
      .map(named('owner')),
  ]
}
