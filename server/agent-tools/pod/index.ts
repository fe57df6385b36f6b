import type { ToolGroup } from '../../tools/define'
import { podDestroy } from './pod_destroy'
import { podListFiles } from './pod_list_files'
import { podReadFile } from './pod_read_file'
import { podRun } from './pod_run'
import { podWriteFile } from './pod_write_file'

/**
 * A shell with files for each conversation, without access to the host or the network. Destructive
 * commands need approval.
 */
export const podGroup: ToolGroup = {
  id: 'pod',
  label: 'Sandboxed shell',
  provider: 'built in',
  agent: 'data',
  names: ['bash', 'shell', 'linux', 'python'],
  tools: [podRun, podWriteFile, podReadFile, podListFiles, podDestroy],
}
