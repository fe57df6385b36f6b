import { readdirSync } from 'node:fs'
import { beforeAll, expect, test, vi } from 'vitest'
import { cryptoGroup } from './crypto'
import { describeParams, outputJsonSchema, paramsJsonSchema } from './params'
import { availableTools, findTool, groupOfTool, toolGroups } from './registry'

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'sandbox')
})

const every = toolGroups.flatMap((group) => group.tools)

test('available tools are listed in the order of their groups, the same list every time', () => {
  const order = every.filter((tool) => tool.available()).map((tool) => tool.id)
  expect(availableTools().map((tool) => tool.id)).toEqual(order)
  expect(availableTools()).toBe(availableTools())
})

test('a tool is found by its id and nothing else is', () => {
  for (const tool of availableTools()) expect(findTool(tool.id)).toBe(tool)
  expect(findTool('no_such_tool')).toBeUndefined()
  expect(findTool('constructor')).toBeUndefined()
})

test('a tool knows its group, and a tool of no group is a fault', () => {
  for (const group of toolGroups) for (const tool of group.tools) expect(groupOfTool(tool)).toBe(group)
  expect(() => groupOfTool({ ...(cryptoGroup.tools[0] as (typeof every)[number]) })).toThrow(/in no group/)
})

test('ids are unique and are the names of the files: in a group, only tools have an underscore in theirs', () => {
  expect(new Set(every.map((tool) => tool.id)).size).toBe(every.length)
  for (const group of toolGroups) {
    const files = readdirSync(new URL(group.id, import.meta.url)).filter((f) => f.includes('_'))
    const named = files.filter((f) => !f.includes('.test.')).map((f) => f.replace(/\.ts$/, ''))
    expect(group.tools.map((tool) => tool.id).sort()).toEqual(named.sort())
  }
})

test.each(every.map((tool) => [tool.id, tool] as const))(
  '%s documents every parameter and refuses unknown ones',
  (_id, tool) => {
    for (const param of describeParams(tool)) expect(param.description, param.name).toMatch(/\w+ \w+.*\.$/)
    expect(paramsJsonSchema(tool)).toMatchObject({ type: 'object', additionalProperties: false })
    expect(outputJsonSchema(tool)).toMatchObject({ type: 'object' })
  },
)
