import type { ToolGroup } from '../../tools/define'
import { siteList } from './site_list'
import { sitePublish } from './site_publish'
import { siteRead } from './site_read'
import { siteRollback } from './site_rollback'
import { siteTakeDown } from './site_take_down'

/**
 * The owner's static sites, served by the gateway. Changing or ending a live one needs approval.
 */
export const siteGroup: ToolGroup = {
  id: 'site',
  label: 'Site publishing',
  provider: 'built in',
  agent: 'general',
  names: ['html', 'website', 'homepage', 'landing page', 'css'],
  tools: [sitePublish, siteList, siteRead, siteRollback, siteTakeDown],
}
