import { env, isSimulated } from '../env'
import { MODELS_PROVIDER } from '../env/providers'
import { availableTools, groupOfTool, isSimulatedTool } from '../tools/registry'

type Part = { label: string; isPlural: boolean; simulated: boolean }

const listed = (parts: readonly Part[]): string => {
  const labels = parts.map(({ label }) => label)
  return labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}` : (labels[0] ?? 'nothing')
}

const verb = (parts: readonly Part[]): string => (parts.length > 1 || parts[0]?.isPlural ? 'are' : 'is')

/**
 * What is simulated here, in a sentence for people and models; null where everything is real. A mix
 * names the shorter side.
 */
export function simulationNotice(): string | null {
  const { mode } = env()
  if (mode === 'live') return null
  if (mode === 'sandbox') return 'Sandbox: providers and their data are simulated.'
  const parts = partsOfService()
  const [simulated, real] = [parts.filter((part) => part.simulated), parts.filter((part) => !part.simulated)]
  if (real.length === 0) return 'Sandbox: providers and their data are simulated.'
  return simulated.length <= real.length
    ? `Mixed: ${listed(simulated)} ${verb(simulated)} simulated, the rest is real.`
    : `Mixed: ${listed(real)} ${verb(real)} real, the rest is simulated.`
}

/** The models, and the groups that have a provider and are offered here. */
function partsOfService(): Part[] {
  const tools = availableTools().filter((tool) => !tool.isBuiltIn && groupOfTool(tool).settings)
  const groups = new Map(tools.map((tool) => [groupOfTool(tool), isSimulatedTool(tool)]))
  return [
    { label: 'models', isPlural: true, simulated: isSimulated(MODELS_PROVIDER) },
    ...[...groups].map(([{ label, tools: all }, simulated]) => ({
      label: all.some(({ isBuiltIn }) => isBuiltIn) ? `${label.toLowerCase()} search` : label.toLowerCase(),
      isPlural: false,
      simulated,
    })),
  ]
}
