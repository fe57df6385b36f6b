import { describe, expect, it } from 'vitest'
import { agentTools } from '../../agent-tools/registry'
import { countTokens } from '../../models/tokens'
import { generalAgent } from '../agents/general'
import { AGENTS } from '../agents/router'
import { definitionTokens, functionOf, missingContext, toolsOffered } from './offered-tools'

const tools = agentTools()
const goal = 'Find the cheapest flat.'
const choiceOf = (contextSize: number, agent = generalAgent) => ({ tools, agent, model: { contextSize }, goal })
const idsOf = (contextSize: number, agent = generalAgent) =>
  toolsOffered(choiceOf(contextSize, agent)).map(({ id }) => id)

describe('the tools that a model is offered', () => {
  it('are all of its agent’s where its context takes them', () => {
    for (const agent of AGENTS) {
      expect(idsOf(128_000, agent)).toEqual(tools.filter(agent.uses).map(({ id }) => id))
    }
  })

  it.each([4_000, 8_000, 12_000, 16_000, 32_000, 65_536])(
    'leave place for the work in %i tokens',
    async (contextSize) => {
      for (const agent of AGENTS) {
        if (missingContext(choiceOf(contextSize, agent))) continue
        const offered = toolsOffered(choiceOf(contextSize, agent))
        const sizes = await Promise.all(offered.map((tool) => countTokens(JSON.stringify(functionOf(tool)))))
        expect(
          sizes.reduce((sum, size) => sum + size, 0),
          agent.id,
        ).toBeLessThanOrEqual(contextSize * 0.3)
        expect(offered.length, agent.id).toBeGreaterThanOrEqual(3)
      }
    },
  )

  it('are those that an agent is for, where there is place for few', () => {
    const social = AGENTS.find(({ id }) => id === 'social') ?? generalAgent
    expect(idsOf(6_000, social)).toEqual(expect.arrayContaining(['microblog_search', 'videosite_video_info']))
    expect(idsOf(16_000)).toEqual(expect.arrayContaining(['web_search', 'web_read_url', 'dataset_create', 'pod_run']))
  })

  it('are fewer for a long goal', () => {
    const long = { ...choiceOf(32_000), goal: 'many words '.repeat(4_500) }
    expect(toolsOffered(long).length).toBeLessThan(idsOf(32_000).length)
  })
})

it('no definition is much longer than its estimate', async () => {
  for (const tool of tools)
    expect(await countTokens(JSON.stringify(functionOf(tool))), tool.id).toBeLessThanOrEqual(definitionTokens(tool))
})

it('the context that a run needs is enough for it', () => {
  for (const agent of AGENTS) {
    for (const text of [goal, 'many words '.repeat(3_000)]) {
      const missing = missingContext({ ...choiceOf(1_000, agent), goal: text })
      expect(missing?.neededTokens).toBeGreaterThan(1_000)
      expect(missingContext({ ...choiceOf(missing?.neededTokens ?? 0, agent), goal: text })).toBeNull()
    }
  }
})
