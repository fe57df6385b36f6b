import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { toolGroups } from '../../tools/registry'
import { CliError, PROJECT_ROOT } from '../kit/project'

/**
 * The names that the files of a new tool are made of, here for `weather` and `weather_forecast`.
 */
export type NewTool = {
  /** `weather` */
  group: string
  /** `weather_forecast` */
  id: string
  /** `weatherForecast` */
  name: string
  /** `Weather forecast` */
  label: string
  /** `forecast`: the path at the provider. */
  verb: string
  /** `WEATHER_BASE_URL` */
  baseUrl: string
  /** `weather`: the folder of the simulation, and the path under which it is served. */
  provider: string
  /** `/weather/forecast`: where the simulation serves it. */
  path: string
  isNewGroup: boolean
}

/**
 * Names everything from a group and a tool id. Throws a CliError for a name that cannot be used.
 */
export function nameTool(group: string, id: string): NewTool {
  if (!/^[a-z][a-z0-9]*$/.test(group)) throw new CliError('A group is one word in lower case, such as weather.')
  const known = toolGroups.find((one) => one.id === group)
  const prefix = known?.prefixes?.find((one) => id.startsWith(`${one}_`)) ?? group
  if (!/^[a-z]+(_[a-z]+)+$/.test(id) || !id.startsWith(`${prefix}_`))
    throw new CliError(`The id of a tool is its group, then words in lower case, such as ${prefix}_search.`)
  if (known?.tools.some((tool) => tool.id === id)) throw new CliError(`There is a tool ${id}.`)
  const verb = id.slice(prefix.length + 1).replaceAll('_', '-')
  const words = id.replaceAll('_', ' ')
  return {
    group,
    id,
    name: camelCase(id),
    label: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    verb,
    isNewGroup: known === undefined,
    ...(known ? placeIn(known, verb) : newPlace(group, verb)),
  }
}

type Place = Pick<NewTool, 'baseUrl' | 'provider' | 'path'>

const newPlace = (group: string, verb: string): Place => ({
  baseUrl: `${group.toUpperCase()}_BASE_URL`,
  provider: group,
  path: `/${group}/${verb}`,
})

/** The provider of a group that exists: its first address, and where the sandbox serves that. */
function placeIn({ id, settings }: (typeof toolGroups)[number], verb: string): Place {
  const addresses = Object.entries(settings?.sandbox('http://sandbox') ?? {})
  const [baseUrl, address] = addresses.find(([name]) => name.endsWith('_BASE_URL')) ?? []
  if (!baseUrl || !hasPlainClient(id))
    throw new CliError(
      `The client of the group ${id} takes other arguments than ours: write the files by hand, after one of its tools.`,
    )
  const { pathname } = new URL(String(address))
  return { baseUrl, provider: pathname.split('/')[1] ?? id, path: `${pathname}/${verb}` }
}

/** Whether a group's client is called as that of a new group is: with a request, then its shape. */
function hasPlainClient(group: string): boolean {
  const file = path.join(PROJECT_ROOT, 'server/tools', group, 'client.ts')
  if (!existsSync(file)) return false
  const words = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')
  const [, rest = ''] = words.split(`fetch${pascalCase(group)}<T extends z.ZodType>( context: ProviderContext, `)
  const [request = '', shape = ''] = rest.split(`: ${pascalCase(group)}Request, `)
  const isPlain = ['{ path, query, missing }', 'request'].includes(request) && /^shape: T,? \)/.test(shape)
  return isPlain && words.includes(`is${pascalCase(group)}Configured`)
}

/** `weather_forecast` and `weather-forecast` as `weatherForecast`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())

export const pascalCase = (name: string): string => camelCase(`-${name}`)
