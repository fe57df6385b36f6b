import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatCode } from '../generated/files'
import { type NewTool, nameTool } from '../generated/tool-names'
import { CliError, PROJECT_ROOT } from '../kit/project'
import { groupFiles } from './group-files'
import { toolFiles } from './tool-files'

/** The files of a new tool by path, and of its group where that is new. */
const newToolFiles = (tool: NewTool): Record<string, string> => ({
  ...(tool.isNewGroup && groupFiles(tool)),
  ...toolFiles(tool),
})

/**
 * Writes a new tool, and adds it to its group or its group to the registry. Returns the paths, the
 * changed one last.
 */
export function writeNewTool(group: string, id: string): string[] {
  const tool = nameTool(group, id)
  const files = Object.entries(newToolFiles(tool))
  const taken = files.find(([file]) => existsSync(path.join(PROJECT_ROOT, file)))
  if (taken) throw new CliError(`${taken[0]} exists.`)
  for (const [file, code] of files) {
    mkdirSync(path.dirname(path.join(PROJECT_ROOT, file)), { recursive: true })
    write(file, code)
  }
  const [list, name, from] = tool.isNewGroup
    ? ['server/tools/registry.ts', `${group}Group`, `./${group}`]
    : [`server/tools/${group}/index.ts`, tool.name, `./${id}`]
  write(list, withEntry(readFileSync(path.join(PROJECT_ROOT, list), 'utf8'), name, from))
  return [...files.map(([file]) => file), list]
}

const write = (file: string, code: string) => writeFileSync(path.join(PROJECT_ROOT, file), formatCode(file, code))

/** A module with one more import, and that name at the end of the list of tools or groups. */
export function withEntry(code: string, name: string, from: string): string {
  const list = /((?:tools: |readonly ToolGroup\[\] = )\[[^\]]*?),?\s*\]/
  if (!list.test(code)) throw new CliError('The list to add to was not found.')
  return `import { ${name} } from '${from}'\n${code.replace(list, `$1, ${name}]`)}`
}
