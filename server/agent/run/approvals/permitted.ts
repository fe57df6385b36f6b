import type { PermissionNeed } from '../../../tools/define'
import type { AgentRun } from '../state'
import type { RunCall } from './calls'

/** Whether a run may do something without asking, because it was started or scheduled so. */
export const isPermitted = ({ permissions }: AgentRun, { kind, name }: PermissionNeed): boolean =>
  permissions[kind]?.includes(name) ?? false

/**
 * Whether a person approved every later call of this tool in this run with an earlier one. What
 * looks like a secret is not covered.
 */
export const isApprovedForRun = (run: AgentRun, call: RunCall, calls: readonly RunCall[]): boolean =>
  calls.some(
    ({ index, runId, tool }) =>
      index < call.index &&
      runId === run.runId &&
      tool.id === call.tool.id &&
      run.answers.get(index)?.approved === true &&
      run.answers.get(index)?.scope === 'run',
  )
