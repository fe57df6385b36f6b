import { AppError } from '../../errors'
import type { AnyTool, ToolGroup } from '../../tools/define'
import { exampleInput } from '../../tools/example'
import { toolGroups } from '../../tools/registry'
import { type AdminCommand, CommandError, listOption } from './options'

type ToolCheck = { tool: string; provider: string; ok: boolean; text: string; usd: number }

/** Longest check of one tool, milliseconds. */
const TIMEOUT_MS = 60_000

/** The cheapest look at a group's provider: its first tool that only reads and has an example. */
const probeOf = ({ tools }: ToolGroup): AnyTool | undefined =>
  tools.find(
    (tool) =>
      tool.available() && tool.annotations.readOnly && tool.pricing.kind === 'fixed' && tool.example !== undefined,
  )

function toolsToCheck(ids: string[] | undefined): { tool: AnyTool; provider: string }[] {
  if (!ids) {
    return toolGroups.flatMap((group) => {
      const tool = probeOf(group)
      return tool ? [{ tool, provider: tool.provider ?? group.provider }] : []
    })
  }
  return ids.map((id) => {
    const group = toolGroups.find(({ tools }) => tools.some((tool) => tool.id === id))
    const tool = group?.tools.find((one) => one.id === id)
    if (!group || !tool) throw new CommandError(`There is no tool ${id}.`)
    if (!tool.available()) throw new CommandError(`The provider of ${id} is not configured.`)
    return { tool, provider: tool.provider ?? group.provider }
  })
}

/** Calls a tool once with its example. Nobody is charged: the operator pays the provider. */
async function checkTool({ tool, provider }: { tool: AnyTool; provider: string }): Promise<ToolCheck> {
  let usd = 0
  const since = performance.now()
  const context = {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    onSent: () => {},
    spent: (costUsd: number) => {
      usd = costUsd
    },
    ownerId: 0,
  }
  try {
    await tool.run(tool.params.parse(exampleInput(tool)) as never, context)
    const text = `answers after ${Math.round(performance.now() - since)} ms`
    return { tool: tool.id, provider, ok: true, text, usd }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { tool: tool.id, provider, ok: false, text: error.message, usd }
  }
}

export const toolsCheckCommand: AdminCommand = {
  name: 'tools check',
  usage: '[--tools a,b]   (makes one call at every configured provider)',
  options: { tools: { type: 'string' } },
  run: async (options) => {
    const checks = await Promise.all(toolsToCheck(listOption(options, 'tools')).map(checkTool))
    const ok = checks.every((check) => check.ok)
    const lines = checks.map(({ tool, provider, ok, text }) => `${ok ? '✓' : '✗'} ${tool} (${provider}): ${text}`)
    return { data: { ok, checks }, text: lines.join('\n') || 'No provider is configured', failed: !ok }
  },
}
