import type { ToolGroup } from '../../tools/define'
import { podDestroy } from './pod_destroy'
import { podListFiles } from './pod_list_files'
import { podReadFile } from './pod_read_file'
import { podRun } from './pod_run'
import { podWriteFile } from './pod_write_file'

/** A shell with files, one per conversation, without host or network. What destroys something in it asks first. */
export const podGroup: ToolGroup = {
  id: 'pod',
  label: 'Sandboxed shell',
  provider: 'built in',
  agents: ['data'],
  tools: [podRun, podWriteFile, podReadFile, podListFiles, podDestroy],
}
