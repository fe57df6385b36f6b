import { existsSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from './project'

/** The folder that CONFIG_DIR names; undefined where settings and models are in the project's. */
const configFolder = (): string | undefined =>
  process.env.CONFIG_DIR ? path.resolve(PROJECT_ROOT, process.env.CONFIG_DIR) : undefined

/** The file with the settings: `env` in CONFIG_DIR, else `.env` in the project. */
export function settingsFile(): string {
  const folder = configFolder()
  return folder ? path.join(folder, 'env') : path.join(PROJECT_ROOT, '.env')
}

/** Where the models file is written: in CONFIG_DIR, else in the project. */
export const newModelsFile = (): string => path.join(configFolder() ?? PROJECT_ROOT, 'models.json')

/** The models file where MODELS_FILE is not set: that of CONFIG_DIR, if it is there. */
export const defaultModelsFile = (): string | undefined =>
  configFolder() && existsSync(newModelsFile()) ? newModelsFile() : undefined
