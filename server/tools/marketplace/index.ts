import type { ToolGroup } from '../define'
import { marketplaceActorDetails } from './marketplace_actor_details'
import { marketplaceRunActor } from './marketplace_run_actor'
import { marketplaceSearchActors } from './marketplace_search_actors'
import { marketplaceSettings } from './settings'

/**
 * Ready-made scrapers ("actors") of the Apify Store, searched, inspected and run. Metered at
 * Apify's actual cost.
 */
export const marketplaceGroup: ToolGroup = {
  id: 'marketplace',
  label: 'Scraper marketplace',
  provider: 'Apify',
  agent: 'data',
  names: ['apify', 'apify.com'],
  settings: marketplaceSettings,
  tools: [marketplaceSearchActors, marketplaceActorDetails, marketplaceRunActor],
}
