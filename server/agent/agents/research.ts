import { type Agent, toolsOfAgent } from './shape'

export const researchAgent: Agent = {
  id: 'research',
  label: 'Research',
  about: 'researches anything on the open web, in forums and in videos, and reports it with sources',
  words:
    'research,find out,look up,search,read,article,news,website,web page,source,sources,compare,summarize,summarise,report on,who is,what is,latest,screenshot,url,http,https'.split(
      ',',
    ),
  instructions:
    'You are the research agent. Search first, then read the pages that matter before you rely on them. Say what each claim rests on, with its URL. Where sources disagree, say so.',
  uses: toolsOfAgent('research'),
}
