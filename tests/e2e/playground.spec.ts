import type { Page } from '@playwright/test'
import { auditBothThemes } from './audit'
import { expect, forgetSession, openAccount, test } from './fixtures'

const script = (given: object) => `Go. [[sandbox ${JSON.stringify(given)}]]`
const SLOW = script({ text: 'word '.repeat(400).trim(), chunkDelayMs: 25 })
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const turn = (page: Page, n: number) => page.getByRole('article', { name: `Turn ${n}` })
/** Inside the page: Next renders another alert outside. */
const alert = (page: Page) => page.getByRole('main').getByRole('alert')
const charge = (page: Page, n: number) => turn(page, n).getByTestId('charge')

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await page.getByLabel('Message').press('Enter')
}

/** The owner wants to be asked before nothing. */
const neverAsk = (page: Page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ confirmAbove: null })
    const headers = { 'content-type': 'application/json' }
    await fetch('/api/trpc/settings.setConfirmAbove', { method: 'POST', headers, body })
  })

/** What this browser keeps of conversations, as JSON. */
const keptHere = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const kept: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        kept.push(await done(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    return JSON.stringify(kept)
  })

/** Credits of a text such as "1 234 credits ≈ $0.44". */
const creditsIn = (text: string | null) =>
  Number(/([\d\u202f]+) credit/.exec(text ?? '')?.[1]?.replaceAll('\u202f', ''))

async function available(page: Page): Promise<number> {
  return creditsIn(await page.getByTestId('balance').textContent())
}

test('a model can be found, and its id and a call copied', async ({ fresh: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await page.goto('/models')
  await expect(page.getByRole('status').filter({ hasText: 'models' })).toHaveText(/^\d+ models$/)
  await page.getByLabel('Search models').fill('gale mini')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL('/models?q=gale+mini')
  await page.getByRole('button', { name: 'Copy northwind/gale-4-mini' }).click()
  expect(await clipboard()).toBe('northwind/gale-4-mini')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Northwind Gale 4 mini' }).click()
  const panel = page.getByRole('dialog', { name: 'Northwind Gale 4 mini' })
  for (const name of ['curl', 'TypeScript', 'Python']) {
    await panel.getByRole('tab', { name, exact: true }).click()
    await expect(panel.getByRole('tabpanel').locator('pre')).toContainText('northwind/gale-4-mini')
  }
  await panel.getByRole('tabpanel').getByRole('button', { name: 'Copy' }).click()
  expect(await clipboard()).toContain('from openai import OpenAI')
  await panel.getByRole('link', { name: 'Open in the playground' }).click()
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('Northwind Gale 4 mini')
})

test('a model has a page with how it answered here, and the list sorts by it', async ({ page, watch }) => {
  await openAccount(page)
  await page.goto('/models/northwind/gale-4-mini')
  await expect(page.getByText('No calls of this model yet')).toBeVisible()
  await page.getByRole('link', { name: 'Try it' }).click()
  await expect(page).toHaveURL('/playground?model=northwind%2Fgale-4-mini')
  await ask(page, 'Hello')
  await expect(charge(page, 1)).toContainText('credit')
  await page.goto('/models?q=northwind')
  await page.getByRole('link', { name: 'First token' }).click()
  await expect(page).toHaveURL('/models?q=northwind&sort=first&order=asc')
  await expect(page.getByRole('row').nth(1)).toContainText('northwind/gale-4-mini')
  await page.getByRole('button', { name: 'Northwind Gale 4 mini' }).click()
  await page.getByRole('link', { name: 'Open its page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Northwind Gale 4 mini')
  await expect(page.getByText('0 of 1 call')).toBeVisible()
  watch.allow(/404/)
  await page.goto('/models/no/such')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
})

test('image and video models have other prices, and a search without results says so', async ({ fresh: page }) => {
  await page.goto('/models')
  await expect(page.getByRole('row', { name: /Reel 2 Lite/ })).toBeVisible()
  const all = await page.getByRole('row').count()
  await page.goto('/models?kind=video')
  await expect(page.getByRole('row', { name: /Reel 2 Lite/ })).toContainText('per second')
  await expect(page.getByRole('row', { name: /Gale 4/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Images' }).click()
  await expect(page.getByRole('row', { name: /Umber/ })).toContainText('134 per image')
  await page.getByLabel('Search models').fill('no such thing')
  await expect(page.getByText('No matching models')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('row')).toHaveCount(all)
  await expect(page).toHaveURL('/models')
})

test('a response streams, is charged, is listed in Usage, and is part of the next request', async ({ page }) => {
  await openAccount(page)
  await page.goto('/playground?model=northwind/gale-4')
  const before = await available(page)
  await ask(page, 'What is a toll road?')
  await expect(turn(page, 1).getByTestId('answer')).toContainText('toll road')
  await expect(turn(page, 1)).toContainText(/\d+ tokens in, \d+ out/)
  const first = creditsIn(await charge(page, 1).textContent())
  expect(first).toBeGreaterThan(0)
  await expect(page.getByLabel('Message')).toHaveValue('')

  await page.getByLabel('System prompt').fill('Be brief.')
  await ask(page, script({ text: '{{last}}', chunks: 3, reasoning: 'Let me see.' }))
  await expect(turn(page, 2).getByText('Reasoning', { exact: true })).toBeVisible()
  await expect(charge(page, 2)).toBeVisible()
  const sum = first + creditsIn(await charge(page, 2).textContent())
  expect(creditsIn(await page.getByTestId('sum').textContent())).toBe(sum)
  await expect.poll(() => available(page)).toBe(before - sum)

  await page.getByText('Copy as code').click()
  await expect(page.getByLabel('curl').locator('pre')).toContainText('"role":"system","content":"Be brief."')
  await expect(page.getByLabel('curl').locator('pre')).toContainText('What is a toll road?')

  await turn(page, 1).getByRole('link', { name: 'Receipt' }).click()
  const receipt = page.getByRole('dialog', { name: 'northwind/gale-4' })
  await expect(receipt).toContainText('Playground')
  await expect(receipt).toContainText('None (dashboard)')
  await expect(receipt).toContainText(`${first} credit`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Calls', exact: true }).getByRole('row')).toHaveCount(3)
})

test('an answer is drawn as Markdown, after its price was said, and the composer has the focus again', async ({
  fresh: page,
}) => {
  await page.goto('/playground')
  await page.getByLabel('Message').fill(script({ text: '## Tolls\n\n- **one**\n- two\n\n```js\nlet a = 1\n```' }))
  await expect(page.getByTestId('price')).toContainText(/Up to [\d\u202f]+ credits? ≈ \$/)
  await page.getByRole('button', { name: /^Send for up to [\d\u202f]+ credit/ }).click()
  await expect(turn(page, 1).getByRole('heading', { name: 'Tolls' })).toBeVisible()
  await expect(turn(page, 1).getByRole('listitem')).toHaveCount(2)
  await expect(turn(page, 1).locator('strong')).toHaveText('one')
  await expect(turn(page, 1)).toContainText('first token')
  await expect(charge(page, 1)).toBeVisible()
  await expect(page.getByLabel('Message')).toBeFocused()
})

test('a conversation is there after a reload, can be renamed and deleted, and is of one account', async ({ page }) => {
  await openAccount(page)
  await page.goto('/playground')
  await page.getByLabel('System prompt').fill('Be brief.')
  await ask(page, 'What is a toll road?')
  await expect(charge(page, 1)).toBeVisible()
  await expect(page).toHaveURL(/\?conversation=/)
  await expect.poll(() => keptHere(page)).toContain('"charged"')
  await page.reload()
  await expect(turn(page, 1).getByTestId('answer')).toContainText('toll road')
  await expect(charge(page, 1)).toBeVisible()
  await expect(page.getByLabel('System prompt')).toHaveValue('Be brief.')

  await page.getByText('Conversations (1)').click()
  await page.getByRole('button', { name: 'Rename What is a toll road?' }).click()
  await page.getByLabel('Title').fill('Tolls')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect(turn(page, 1)).toBeHidden()
  await page.getByRole('button', { name: /^Tolls/ }).click()
  await expect(turn(page, 1)).toBeVisible()

  const address = page.url()
  await forgetSession(page)
  await openAccount(page)
  await page.goto(address)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expect(page.getByText(/^Conversations/)).toBeHidden()
  await expect(page.getByLabel('System prompt')).toHaveValue('')

  await ask(page, 'Another account')
  await expect(charge(page, 1)).toBeVisible()
  await page.getByText('Conversations (1)').click()
  await page.getByRole('button', { name: 'Delete Another account' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(/^Conversations/)).toBeHidden()
  await expect(turn(page, 1)).toBeHidden()
})

test('two models answer side by side, each with its charge, and each can be stopped', async ({ page }) => {
  await openAccount(page)
  await page.goto('/playground?model=northwind/gale-4')
  await page.getByRole('button', { name: 'Compare with another model' }).click()
  await expect(page.getByRole('combobox', { name: 'Model 2' })).toBeVisible()
  await page.getByLabel('Message').fill('Hello')
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('northwind/gale-4 up to')
  await page.getByLabel('Message').press('Enter')
  const answers = turn(page, 1).getByRole('region', { name: /^Answer of/ })
  await expect(answers).toHaveCount(2)
  await expect(turn(page, 1).getByTestId('charge')).toHaveCount(2)
  const charges = await turn(page, 1).getByTestId('charge').allTextContents()
  const sum = charges.reduce((all, text) => all + creditsIn(text), 0)
  await expect.poll(async () => creditsIn(await page.getByTestId('sum').textContent())).toBe(sum)

  await ask(page, SLOW)
  const second = turn(page, 2).getByRole('region', { name: /^Answer of/ })
  await expect(second.nth(1).getByTestId('answer')).toContainText('word word')
  await turn(page, 2).getByRole('button', { name: 'Stop northwind/gale-4', exact: true }).click()
  await expect(second.first()).toContainText('Stopped')
  await expect(second.first().getByTestId('charge')).toBeVisible()
  await expect(second.nth(1).getByTestId('answer')).toContainText('word word word')
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click()
  await expect(second.nth(1)).toContainText('Stopped')
})

test('a model calls tools: within the limit at once, beyond it after a yes, each with its charge', async ({ page }) => {
  await openAccount(page)
  await page.goto('/playground?model=northwind/gale-4')
  await page.getByText('Tools (off)').click()
  const tools = page.getByRole('group', { name: 'Tools that models may call' })
  await tools.getByLabel('Crypto prices').check()
  await page.getByLabel('Credits to spend unasked').fill('4')
  const prices = { toolCalls: [{ name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }] }
  await ask(page, script({ turns: [prices, prices, { text: 'Bitcoin has a price.' }] }))
  const calls = turn(page, 1).getByRole('region', { name: 'Call of crypto_get_prices' })
  await expect(calls.first()).toContainText('Done')
  await expect(calls.first()).toContainText('3 credits')
  await expect(calls.nth(1)).toContainText('Waiting for you')
  await calls.nth(1).getByRole('button', { name: 'Run for up to 3 credits' }).click()
  await expect(calls.nth(1)).toContainText('Done')
  await expect(turn(page, 1).getByTestId('answer')).toHaveText('Bitcoin has a price.')
  await calls.first().getByText('Input and result').click()
  await expect(calls.first()).toContainText('totalRows')
  expect(creditsIn(await charge(page, 1).textContent())).toBeGreaterThan(6)

  await ask(page, script({ turns: [prices, { text: 'No price.' }] }))
  await turn(page, 2).getByRole('button', { name: 'Decline' }).click()
  await expect(turn(page, 2)).toContainText('Declined')
  await expect(turn(page, 2).getByTestId('answer')).toHaveText('No price.')
  await page.goto('/usage')
  await expect(page.getByRole('row', { name: /crypto_get_prices/ })).toHaveCount(2)
})

test('stopping a response keeps and charges what arrived', async ({ fresh: page }) => {
  await page.goto('/playground')
  await ask(page, SLOW)
  await expect(turn(page, 1).getByTestId('answer')).toContainText('word word word')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(turn(page, 1)).toContainText('Stopped')
  await expect(turn(page, 1)).toContainText('estimated')
  expect(creditsIn(await charge(page, 1).textContent())).toBeGreaterThan(0)
  const words = ((await turn(page, 1).getByTestId('answer').textContent()) ?? '').split(' ').length
  expect(words).toBeLessThan(200)
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
})

test('stopping before the first token shows the charge and restores the message', async ({ fresh: page }) => {
  await page.goto('/playground')
  const message = script({ delayMs: 20_000 })
  await ask(page, message)
  await expect(page.getByRole('status', { name: 'Waiting for the response' })).toBeVisible()
  await page.waitForTimeout(4_000)
  await page.getByLabel('Message').press('Escape')
  await expect(turn(page, 1)).toContainText('Stopped')
  expect(creditsIn(await charge(page, 1).textContent())).toBeGreaterThan(0)
  await expect(page.getByLabel('Message')).toHaveValue(message)
})

test('a failure of the provider shows its charge, and the message is kept', async ({ fresh: page }) => {
  await page.goto('/playground')
  await ask(page, script({ text: 'one two three four', failAfterChunks: 3 }))
  await expect(turn(page, 1).getByTestId('answer')).toHaveText('one two three')
  await expect(turn(page, 1).getByRole('alert')).toContainText(/credits? (was|were) charged for the part that arrived/)
  await expect(page.getByLabel('Message')).toHaveValue(/failAfterChunks/)

  await ask(page, script({ status: 503 }))
  await expect(turn(page, 2).getByRole('alert')).toContainText('Nothing was charged. Your message is kept below.')
  await ask(page, 'Once more')
  await expect(charge(page, 3)).toBeVisible()
  await expect(turn(page, 2)).toBeHidden()
})

test('without credits the page says so and keeps the message', async ({ page, watch }) => {
  watch.allow(/402/)
  await openAccount(page)
  await page.goto('/playground?model=northwind/gale-4')
  await neverAsk(page)
  await page.getByLabel('Max output').fill('64000')
  // Usage above the hold is charged up to the hold.
  const message = script({ text: 'Spent.', usage: { prompt_tokens: 1e8, completion_tokens: 1e8 } })
  for (let turns = 0; turns < 9 && !(await alert(page).first().isVisible()); turns++) {
    await ask(page, message)
    await expect(
      turn(page, turns + 1)
        .getByTestId('charge')
        .or(turn(page, turns + 1).getByRole('alert')),
    ).toBeVisible()
  }
  await expect(alert(page)).toContainText('credits')
  await expect(alert(page)).toContainText('Nothing was charged. Your message is kept below.')
  await expect(page.getByLabel('Message')).toHaveValue(message)
})

test('an invalid request is refused with a message', async ({ fresh: page, watch }) => {
  watch.allow(/400/)
  await page.goto('/playground?model=lantern/wick-tiny')
  await page.getByLabel('Temperature').fill('hot')
  await page.getByLabel('Message').fill('Hello')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await expect(page.getByLabel('Temperature')).toHaveAccessibleDescription('A number from 0 to 2')
  await page.getByLabel('Temperature').fill('')
  await ask(page, script({ status: 400, message: 'This is more than the model can read.' }))
  await expect(alert(page)).toContainText('This is more than the model can read. Nothing was charged.')
})

test('images can be attached only for a model with vision', async ({ fresh: page }) => {
  await page.goto('/playground?model=northwind/gale-4')
  const file = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel('Images', { exact: true }).setInputFiles({ name, mimeType, buffer })
  await file('notes.pdf', 'application/pdf', PIXEL)
  await expect(alert(page)).toContainText('PNG, JPEG, WebP or GIF, at most 5 MiB each')
  await file('large.png', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1))
  await expect(alert(page)).toContainText('large.png has 5.0 MiB')
  await file('pixel.png', 'image/png', PIXEL)
  await expect(alert(page)).toBeHidden()
  await ask(page, 'What is this?')
  await expect(turn(page, 1).getByRole('img', { name: 'pixel.png' })).toBeVisible()
  await expect(turn(page, 1).getByTestId('answer')).toContainText('I see 1 image')
  await page.goto('/playground?model=tidepool/kelp-ocean')
  await expect(page.getByRole('button', { name: 'Attach images' })).toBeDisabled()
})

test('the playground works by keyboard alone', async ({ fresh: page }) => {
  await page.goto('/playground')
  await expect(page.getByLabel('Message')).toBeFocused()
  await page.getByRole('combobox', { name: 'Model' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('tidepool')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Tidepool Kelp Ocean' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('Northwind Gale 4')
  await page.keyboard.type('ocean')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('Tidepool Kelp Ocean')
  await expect(page).toHaveURL('/playground?model=tidepool%2Fkelp-ocean')
  await page.getByLabel('Message').focus()
  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Enter')
  await expect(turn(page, 1).getByText('one\ntwo', { exact: true })).toBeVisible()
  await expect(charge(page, 1)).toBeVisible()
  await expect(page.getByLabel('Message')).toBeFocused()
})

test('models and playground are accessible in both themes, and on a phone', async ({ fresh: page }) => {
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  for (const size of [
    { width: 1280, height: 860 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/models')
    expect([await auditBothThemes(page), await width()]).toEqual([[], size.width])
    await page.getByRole('button', { name: 'Lumiere Reel 2', exact: true }).click()
    expect(await auditBothThemes(page)).toEqual([])
    await page.goto('/playground')
    await ask(page, script({ text: `${'x'.repeat(300)} and more`, reasoning: 'Hm.', finishReason: 'length' }))
    await expect(charge(page, 1)).toBeVisible()
    await ask(page, script({ text: 'one two', failAfterChunks: 1 }))
    await expect(charge(page, 2)).toBeVisible()
    expect([await auditBothThemes(page), await width()]).toEqual([[], size.width])
    const [send, navigation] = [
      page.getByRole('button', { name: 'Send' }),
      page.getByRole('navigation', { name: 'Pages' }),
    ]
    const [button, bar] = await Promise.all([send.boundingBox(), navigation.boundingBox()])
    if (size.width < 600) expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  }
})
