import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Document, type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { Json } from '@stoplight/spectral-parsers'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../server/api/openapi/document'

/** The document of a deployment, as text: the linters complain of localhost. */
const textOf = async () => JSON.stringify(await openApiDocument('https://gateway.tollgate.dev'))

test('Redocly finds nothing in the OpenAPI document', async () => {
  // No id of a job is "schedules" or "files", and none of theirs is "steps": the paths are apart.
  const apart = ['schedules~1{scheduleId}', 'files~1{id}'].map((path) => `#/paths/~1agent~1${path}`)
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: await textOf(), absoluteRef: '/openapi.json', config })
  const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])
  const isApart = ([rule, , pointer]: (typeof found)[number]) =>
    rule === 'no-ambiguous-paths' && apart.includes(String(pointer))
  expect(found.filter((problem) => !isApart(problem))).toEqual([])
})

test('Spectral finds nothing in the OpenAPI document', async () => {
  const spectral = new Spectral()
  // Who runs a gateway gives no address to write to.
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'all']], rules: { 'contact-properties': 'off' } })
  const problems = await spectral.run(new Document(await textOf(), Json, 'openapi.json'))
  expect(problems.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([])
})
