import type { KnownNames } from '../keys/shape'
import { allModels } from '../models/registry'
import { CAPABILITIES } from '../tools/define'
import { availableTools } from '../tools/registry'

/** The names that a key's settings may contain. */
export const grantableNames = (): KnownNames => ({
  tools: availableTools().map((tool) => tool.id),
  models: allModels().map((model) => model.id),
  capabilities: CAPABILITIES,
})
