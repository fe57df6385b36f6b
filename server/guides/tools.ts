import { describeTool } from '../catalog/describe'
import { env } from '../env'
import { AppError } from '../errors'
import { exampleInput } from '../tools/example'
import { availableTools, findTool } from '../tools/registry'
import { readableText } from './readable-text'
import type { ToolGuide, ToolGuideSummary } from './shape'

/** The tools of this instance, for the navigation, with their groups. */
export const listToolFacts = (): ToolGuideSummary[] =>
  availableTools()
    .map(describeTool)
    .map(({ id, label, group, credits, description }) => ({
      id,
      label,
      group,
      credits,
      summary: /^.*?[.](?=\s|$)/.exec(readableText(description))?.[0] ?? description,
    }))

/** A tool for its page. Throws `not_found`. */
export function getToolGuide(id: string): ToolGuide {
  const tool = findTool(id)
  if (!tool) throw new AppError('not_found', `There is no tool "${id}".`)
  return {
    ...describeTool(tool),
    mcp: tool.mcp !== false,
    example: exampleInput(tool),
    creditsPerUsd: env().CREDITS_PER_USD,
  }
}
