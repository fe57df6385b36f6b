import type { Agent } from './shape'

export const generalAgent: Agent = {
  id: 'general',
  label: 'General',
  about: 'has every tool, for goals of several kinds, publishing sites and running commands',
  words: 'publish,site,web site,homepage,deploy,landing page'.split(','),
  instructions:
    'You are the general agent, with every tool of this run. Break the goal into parts and do them one after the other.',
  uses: () => true,
  firstCapabilities: ['web', 'data', 'site', 'pod'],
}
