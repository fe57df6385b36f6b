import type { SiblingMessage } from '../../kit/siblings'
import type { SupervisedProcess } from './fork'

const send = ({ worker }: SupervisedProcess, message: SiblingMessage): void => {
  if (worker.isConnected()) worker.send(message, () => {})
}

/**
 * Passes on what a process asks its siblings, and their answers. Processes that are leaving are not
 * asked: another has their number.
 */
export function relayQuestions(asker: SupervisedProcess, all: ReadonlySet<SupervisedProcess>): void {
  asker.worker.on('message', (message: SiblingMessage) => {
    if (message.kind === 'ask') {
      const { id, topic } = message
      const serving = [...all].filter(({ isReady, isLeaving }) => isReady && !isLeaving)
      const asked = serving.sort((one, other) => one.slot - other.slot)
      send(asker, { kind: 'expect', id, slots: asked.map(({ slot }) => slot) })
      for (const one of asked) send(one, { kind: 'asked', id, topic, by: asker.worker.id })
    }
    if (message.kind === 'answer') {
      const target = [...all].find(({ worker }) => worker.id === message.by)
      if (target) send(target, message)
    }
  })
}
