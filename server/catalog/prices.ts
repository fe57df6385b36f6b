import { env } from '../env'
import { offerModel } from '../models/listing/offer'
import { allModels } from '../models/registry'
import type { OfferedModel } from '../models/shape'
import { availableTools, groupOfTool } from '../tools/registry'

/** Tools of a group that cost the same. `credits` of a call; null: metered. */
type ToolPriceRow = { group: string; credits: number | null; tools: string[] }

/** What everything costs here, as a visitor may see it. */
type PriceList = {
  tools: ToolPriceRow[]
  models: OfferedModel[]
  creditsPerUsd: number
  /** Multiple of the provider's cost that metered calls and models cost. */
  markup: number
}

/** The tools by group and price, in the order of the catalog, and every model. */
export function listPrices(): PriceList {
  const rows = new Map<string, ToolPriceRow>()
  for (const tool of availableTools()) {
    const group = groupOfTool(tool).label
    const credits = tool.pricing.kind === 'fixed' ? tool.pricing.credits : null
    const row = rows.get(`${group} ${credits}`) ?? { group, credits, tools: [] }
    row.tools.push(tool.id)
    rows.set(`${group} ${credits}`, row)
  }
  return {
    tools: [...rows.values()],
    models: allModels().map(offerModel),
    creditsPerUsd: env().CREDITS_PER_USD,
    markup: env().MARKUP,
  }
}
