import type { ToolGroup } from '../../tools/define'
import { siteList } from './site_list'
import { sitePublish } from './site_publish'
import { siteRead } from './site_read'
import { siteRollback } from './site_rollback'
import { siteTakeDown } from './site_take_down'

/** Static sites of the owner, served by the gateway. What changes or ends a live one asks first. */
export const siteGroup: ToolGroup = {
  id: 'site',
  label: 'Site publishing',
  provider: 'built in',
  agents: ['media'],
  tools: [sitePublish, siteList, siteRead, siteRollback, siteTakeDown],
}
