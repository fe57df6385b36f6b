import type { DoctorCheck } from '../doctor/check'
import type { AdminCommand } from './options'

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const

const linesOf = ({ name, state, text, advice }: DoctorCheck): string[] => [
  `${MARKS[state]} ${name}: ${text}`,
  ...(advice ? [`    → ${advice}`] : []),
]

export const doctorCommand: AdminCommand = {
  name: 'doctor',
  usage:
    '[--accept-secret]   (looks at settings, database, storage, providers, queue and machine, and says what to do. --accept-secret: AUTH_SECRET was changed on purpose)',
  options: { 'accept-secret': { type: 'boolean' } },
  needsNothing: true,
  run: async (options) => {
    const { examine } = await import('../doctor/examine')
    const checks = await examine({ acceptsSecret: options['accept-secret'] === true })
    const count = (state: DoctorCheck['state']) => checks.filter((check) => check.state === state).length
    const failed = count('fail')
    const sum = `${count('ok')} ok, ${count('warn')} to look at, ${failed} failed`
    return {
      data: { ok: failed === 0, checks },
      text: [...checks.flatMap(linesOf), sum].join('\n'),
      failed: failed > 0,
    }
  },
}
