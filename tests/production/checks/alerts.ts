import path from 'node:path'
import { PROJECT_ROOT } from '../../../server/cli/kit/project'
import type { ProductionCheck } from '../check'
import { runCommand } from '../configuration'
import { commandPath } from '../debian'

/** Prometheus' own check of the files of deploy/prometheus, and the tests of the rules. */
export const alertsCheck: ProductionCheck = {
  name: 'alerts',
  shows: 'Prometheus accepts the rules and fires them when it should, and only then',
  needs: ['promtool'],
  needsBuild: false,
  run: async ({ say }) => {
    const file = (name: string) => path.join(PROJECT_ROOT, 'deploy', 'prometheus', name)
    runCommand(commandPath('promtool'), ['check', 'rules', file('alerts.yml')])
    say('deploy/prometheus/alerts.yml')
    runCommand(commandPath('promtool'), ['test', 'rules', file('alerts.test.yml')])
    say('deploy/prometheus/alerts.test.yml')
    runCommand(commandPath('promtool'), ['check', 'config', '--syntax-only', file('prometheus.yml')])
    say('deploy/prometheus/prometheus.yml')
  },
}
