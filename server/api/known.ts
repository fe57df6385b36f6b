import type { KnownNames } from '../keys/shape'
import { allModels } from '../models/registry'
import { CAPABILITIES } from '../tools/define'
import { allTools } from '../tools/registry'

/** What a key's settings may name here. */
export const knownNames = (): KnownNames => ({
  tools: allTools().map((tool) => tool.id),
  models: allModels().map((model) => model.id),
  capabilities: CAPABILITIES,
})
