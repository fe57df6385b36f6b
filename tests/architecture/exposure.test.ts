import { describe, expect, test } from 'vitest'
import { agentGroups } from '../../server/agent-tools/registry'

/** Parameters whose value goes to a host, a reader or an author that the owner did not choose. */
const LEAVES = /^(url|urls|source|files|input|webhook|callbackUrl)$/

/** Tools of the outside world that bring no text of strangers, and why. */
const NO_STRANGERS: Record<string, string> = {
  image_generate: 'answers where the image is',
  video_generate: 'answers where the video is',
  site_list: 'lists names that this owner’s runs chose',
  site_publish: 'answers where the site is',
  site_rollback: 'answers where the site is',
  site_take_down: 'answers what was served',
  sql_query: 'reads the owner’s own database, which counts as private',
}

const tools = agentGroups().flatMap((group) => group.tools)

describe.each(tools.map((tool) => [tool.id, tool] as const))('%s', (id, tool) => {
  test('states what it reads and what it sends out', () => {
    const { untrusted, private: own, sends } = tool.exposure
    for (const stated of [untrusted, own]) expect(['boolean', 'function']).toContain(typeof stated)
    expect(sends === null || typeof sends === 'function').toBe(true)
  })

  test('says what it sends where a parameter leaves for somebody whom the owner did not choose', () => {
    const leaving = Object.keys(tool.params.shape).filter((name) => LEAVES.test(name))
    if (leaving.length > 0) expect(tool.exposure.sends, `${leaving} leave`).not.toBeNull()
  })

  test('reads text of strangers where it works with the outside world', () => {
    if (tool.annotations.openWorld && !Object.hasOwn(NO_STRANGERS, id)) expect(tool.exposure.untrusted).toBe(true)
  })
})

test('what brings no text of strangers is listed here for a tool that is there', () => {
  const ids = tools.map(({ id }) => id)
  for (const id of Object.keys(NO_STRANGERS)) expect(ids).toContain(id)
})
