import { readVersion } from '../migrations/version'
import type { AdminCommand } from './options'

/** What is installed here: no database is needed to know. */
export const versionCommand: AdminCommand = {
  name: 'version',
  needsNothing: true,
  usage: '',
  options: {},
  run: async () => {
    const version = readVersion()
    const { name, version: number, commit, schema } = version
    return { data: version, text: `${name} ${number}, commit ${commit ?? 'unknown'}, schema ${schema ?? 'unknown'}` }
  },
}
