import type { ProcessView } from '../../operators/state-views'
import { readProcesses } from '../../operators/workers'
import type { AdminCommand } from './options'

const lineOf = ({ id, state, about, seenAt, holds, runs }: ProcessView): string =>
  [
    state,
    ...(about ? [about.kind, about.host, about.pid, about.version] : ['step', id]),
    about?.startedAt && `started ${about.startedAt}`,
    `${state === 'lost' ? 'not seen since' : 'seen'} ${seenAt}`,
    `${holds} calls, ${runs} runs`,
    about && about.unwritten > 0 && `${about.unwritten} charges not written`,
  ]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join('\t')

export const processesCommand: AdminCommand = {
  name: 'processes',
  usage: '  (web and worker processes that serve, and those that ended within the hour)',
  options: {},
  run: async () => {
    const data = await readProcesses()
    const lines = data.processes.length > 0 ? data.processes.map(lineOf) : ['No process was seen in the last hour.']
    if (data.versions.length > 1) lines.push(`Not all serve the same release: ${data.versions.join(', ')}`)
    return { data, text: lines.join('\n') }
  },
}
