import { expect, test } from 'vitest'
import { CONNECT_CLIENTS } from './connect-clients'

const BASE = 'https://toll.example'
const target = { baseUrl: BASE, secret: 'tg_secret', model: 'northwind/gale-4', smallModel: 'northwind/gale-4-mini' }
const recipes = CONNECT_CLIENTS.flatMap((client) =>
  client.recipes.map((recipe) => ({ name: `${client.label}, ${recipe.label}`, client, recipe })),
)

test('clients have ids of their own, and each its recipes', () => {
  const ids = recipes.map(({ client, recipe }) => `${client.id}/${recipe.id}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(CONNECT_CLIENTS.map(({ id }) => id)).size).toBe(CONNECT_CLIENTS.length)
})

test.each(recipes)('$name names this service, the model that it needs, and nothing undefined', ({ recipe }) => {
  const code = recipe.code(target)
  expect(code).toContain(`${BASE}/api`)
  expect(code.includes(target.model)).toBe(recipe.needs !== 'tools')
  expect(code).not.toMatch(/undefined|null|\[object/)
})

test.each(recipes.filter(({ client }) => client.id !== 'mcp-oauth'))(
  '$name contains the secret once, or says where the key comes from',
  ({ recipe }) => {
    expect(recipe.code(target).split('tg_secret')).toHaveLength(2)
    const without = recipe.code({ ...target, secret: null })
    expect(without).toMatch(/TOLLGATE_KEY|input:tollgate-key|<your key>/)
    expect(without).not.toContain('tg_secret')
  },
)
