import { EnvError, env, readEnv } from '../../env'
import { allModels, readModelEntries } from '../../models/registry'
import { COMMAND_LINE } from '../../operators/operator'
import { readSettingsAgain } from '../../operators/settings'
import type { SettingsAttempt } from '../../operators/state-views'
import { toolSettings } from '../../tools/settings'
import { settingsFile } from '../kit/config-folder'
import type { AdminCommand } from './options'

/** What is wrong with settings and models, a line each. */
function findProblems(): string[] {
  // Nothing is asked of the database.
  process.env.DATABASE_URL = 'postgresql://checked.later/'
  try {
    readEnv(process.env, toolSettings)
    readModelEntries()
    return []
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.lines
  }
}

const check: AdminCommand = {
  name: 'settings check',
  needsNothing: true,
  usage: '(whether the files are valid: settings reload would take them)',
  options: {},
  run: async () => {
    const problems = findProblems()
    const ok = problems.length === 0
    const files = { settings: settingsFile(), models: process.env.MODELS_FILE ?? null }
    const from = `${files.settings}${files.models ? ` and ${files.models}` : ''}`
    if (!ok) return { data: { ok, problems, ...files }, text: [from, ...problems].join('\n'), failed: true }
    const { mode } = env()
    const [count, offered] = [readModelEntries().length, allModels().length]
    const text = `${from}: every setting is valid; ${mode} mode, ${count} models, of which ${offered} have a key`
    return { data: { ok, problems, mode, count, offered, ...files }, text }
  },
}

const lineOf = ({ process, isRefused, problem, changed, version }: SettingsAttempt) =>
  isRefused
    ? `✗ ${process} keeps its former settings, version ${version}: ${problem}`
    : `✓ ${process} has read them, version ${version}: ${changed.length > 0 ? changed.join('; ') : 'nothing has changed'}`

const reload: AdminCommand = {
  name: 'settings reload',
  usage: '(every web and worker reads settings and models again, without a pause)',
  options: {},
  run: async () => {
    const { attempts, silent } = await readSettingsAgain(COMMAND_LINE)
    const failed = silent.length > 0 || attempts.length === 0 || attempts.some(({ isRefused }) => isRefused)
    const nobody = attempts.length + silent.length === 0 ? ['No web and no worker runs on this database.'] : []
    const unheard = silent.map((name) => `✗ ${name} has not read them: restart it`)
    return { data: { attempts, silent }, text: [...attempts.map(lineOf), ...unheard, ...nobody].join('\n'), failed }
  },
}

export const settingsCommands: readonly AdminCommand[] = [check, reload]
