import { toolGroups } from '../../tools/registry'
import { CliError } from '../project'

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
  if (!baseUrl) throw new CliError(`The group ${id} has no _BASE_URL setting: write the files by hand.`)
  const { pathname } = new URL(String(address))
  return { baseUrl, provider: pathname.split('/')[1] ?? id, path: `${pathname}/${verb}` }
}

/** `weather_forecast` and `weather-forecast` as `weatherForecast`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())

export const pascalCase = (name: string): string => camelCase(`-${name}`)
