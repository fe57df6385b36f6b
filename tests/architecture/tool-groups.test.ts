import { describe, expect, test } from 'vitest'
import { agentIds } from '../../server/agent/agents'
import { agentGroups, agentOnlyGroups } from '../../server/agent-tools/registry'
import { sandboxRoutes } from '../../server/sandbox/routes'
import { toolGroups } from '../../server/tools/registry'
import { toolSettings } from '../../server/tools/settings'

const SANDBOX = 'http://127.0.0.1:1'

describe.each(agentGroups().map((group) => ({ id: group.id, group })))('the group $id', ({ group }) => {
  test('belongs to an agent, and its tools lead to tools that exist', () => {
    expect(agentIds).toContain(group.agent)
    const ids = agentGroups().flatMap(({ tools }) => tools.map(({ id }) => id))
    for (const { leadsTo = [] } of group.tools) expect(ids).toEqual(expect.arrayContaining([...leadsTo]))
  })

  test('names its tools with its prefixes', () => {
    const prefixes = group.prefixes ?? [group.id]
    for (const tool of group.tools) expect(prefixes).toContain(tool.id.split('_')[0])
  })

  test('has the settings of its folder', () => {
    if (group.settings) expect(toolSettings).toContain(group.settings)
    for (const variable of Object.values(group.settings?.schema.shape ?? {})) {
      expect(variable.meta()?.description).toMatch(/^\S.{5,}[^.]$/)
    }
  })

  test('has a simulation at every address that its settings have in sandbox mode', () => {
    const addresses = Object.values(group.settings?.sandbox(SANDBOX) ?? {}).map(String)
    for (const address of addresses.filter((value) => URL.canParse(value))) {
      const { pathname } = new URL(address)
      const routes = sandboxRoutes.filter(({ path }) => path.startsWith(`${pathname}/`))
      expect(routes, address).not.toEqual([])
    }
  })
})

test('every settings file belongs to a group, and no variable to two', () => {
  expect(new Set(toolSettings)).toEqual(new Set(toolGroups.flatMap(({ settings }) => settings ?? [])))
  const names = toolSettings.flatMap(({ schema }) => Object.keys(schema.shape))
  expect(names).toEqual([...new Set(names)])
})

test('groups that only agents have need no settings of the operator', () => {
  expect(agentOnlyGroups.filter(({ settings }) => settings)).toEqual([])
})
