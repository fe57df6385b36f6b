import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agentOnlyGroups, agentTools } from '../../server/agent-tools/registry'
import { paramsJsonSchema } from '../../server/tools/params'
import { availableTools } from '../../server/tools/registry'
import { SOURCE_ROOT } from '../support/source-imports'

const every = agentOnlyGroups.flatMap((group) => group.tools.map((tool) => ({ id: tool.id, tool, group })))

/** Calls that destroy something or change what is live: each can need approval. */
const DESTROYS = /_(delete|destroy|take_down|rollback|publish|create|export|run|write_file)$|^sql_query$/

describe.each(every)('$id', ({ id, tool, group }) => {
  test('is in the file with its name, is free, and has the capability of its group', () => {
    expect(readdirSync(path.join(SOURCE_ROOT, 'server/agent-tools', group.id))).toContain(`${id}.ts`)
    expect(tool.pricing).toEqual({ kind: 'fixed', credits: 0 })
    expect(tool.capability).toBe(group.id)
  })

  test('describes each parameter, and accepts no others', () => {
    const schema = paramsJsonSchema(tool)
    expect(schema.additionalProperties).toBe(false)
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      expect((property as { description?: string }).description, name).toMatch(/\S/)
    expect(() => z.toJSONSchema(tool.output)).not.toThrow()
  })

  test('can need approval if it can destroy something', () => {
    expect(tool.asks !== undefined).toBe(DESTROYS.test(id))
    if (tool.asks) expect(tool.annotations.readOnly).toBe(false)
  })
})

test('no tool that keys can call needs approval: nobody is there to answer', () => {
  expect(
    availableTools()
      .filter(({ asks }) => asks)
      .map(({ id }) => id),
  ).toEqual([])
})

test('agent tools have unique names', () => {
  const ids = agentTools().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
