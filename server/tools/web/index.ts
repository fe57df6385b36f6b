import type { ToolGroup } from '../define'
import { webSettings } from './settings'
import { webReadUrl } from './web_read_url'
import { webScreenshot } from './web_screenshot'
import { webSearch } from './web_search'

/**
 * The open web: found through Brave Search or a SearXNG instance, read and captured by the gateway
 * itself.
 */
export const webGroup: ToolGroup = {
  id: 'web',
  label: 'Web',
  provider: 'Brave Search, or a SearXNG instance',
  agent: 'research',
  settings: webSettings,
  tools: [webSearch, webReadUrl, webScreenshot],
}
