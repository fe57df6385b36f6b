import type { KnownNames } from '../keys/shape'
import { CAPABILITIES } from '../tools/define'
import { allTools } from '../tools/registry'

/** What a key's settings may name here. */
export const knownNames = (): KnownNames => ({
  tools: allTools().map((tool) => tool.id),
  models: [],
  capabilities: CAPABILITIES,
})
