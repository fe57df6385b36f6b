import { COMMAND_LINE } from '../../operators/operator'
import { cancelRun, getRun, retryRun } from '../../operators/runs'
import { CancelRunRequest } from '../../operators/shape'
import type { RunRow } from '../../operators/views'
import { type AdminCommand, readOptions, textOption } from './options'

const string = { type: 'string' } as const

const lineOf = ({ jobId, ownerEmail, status, mode, model, steps, creditsSpent, createdAt, updatedAt }: RunRow) =>
  [
    `Job ${jobId} of ${ownerEmail}: ${status}, ${mode}, ${model}`,
    `${steps} steps, ${creditsSpent} credits spent, begun ${createdAt}, last changed ${updatedAt}`,
  ].join('\n')

const show: AdminCommand = {
  name: 'run show',
  usage: '--id ID   (of a job or a run)',
  options: { id: string },
  run: async (options) => {
    const run = await getRun(textOption(options, 'id'))
    return { data: run, text: lineOf(run) }
  },
}

const retry: AdminCommand = {
  name: 'run retry',
  usage: '--id ID   (sends a stuck run to another worker)',
  options: { id: string },
  run: async (options) => {
    const run = await retryRun(COMMAND_LINE, textOption(options, 'id'))
    return { data: run, text: `Sent job ${run.jobId} to the workers again` }
  },
}

const cancel: AdminCommand = {
  name: 'run cancel',
  usage: '--id ID --reason TEXT   (its owner reads the reason)',
  options: { id: string, reason: string },
  run: async (options) => {
    const asked = { jobId: textOption(options, 'id'), reason: textOption(options, 'reason') }
    const run = await cancelRun(COMMAND_LINE, readOptions(CancelRunRequest, asked))
    return { data: run, text: `Cancelled job ${run.jobId}` }
  },
}

export const runCommands: readonly AdminCommand[] = [show, retry, cancel]
