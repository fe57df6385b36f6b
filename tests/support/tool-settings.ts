import { toolSettings } from '../../server/tools/settings'

/** Sets variables of this process as the environment would, whichever tool group declares them. */
export function setToolSettings(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    const settings = toolSettings.find(({ schema }) => Object.hasOwn(schema.shape, name))
    if (!settings) throw new Error(`No tool group declares ${name}.`)
    const { shape } = settings.schema
    const parsed = shape[name as keyof typeof shape].parse(value)
    Object.assign(settings(), { [name]: parsed })
  }
}
