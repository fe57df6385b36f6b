import type { KnownNames } from '../keys/shape'
import { allModels } from '../models/registry'
import { CAPABILITIES } from '../tools/define'
import { availableTools } from '../tools/registry'

/** What a key's settings may name here. */
export const grantableNames = (): KnownNames => ({
  tools: availableTools().map((tool) => tool.id),
  models: allModels().map((model) => model.id),
  capabilities: CAPABILITIES,
})
