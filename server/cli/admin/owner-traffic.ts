import { TrafficPage } from '../../operators/shape'
import { readTraffic } from '../../operators/traffic'
import type { TrafficRow } from '../../operators/traffic-view'
import { type AdminCommand, optionalText, readOptions } from './options'

const trafficLine = ({ id, email, requests, refused, errors, averageMs, slowestMs, ...row }: TrafficRow) =>
  [
    id,
    email,
    `${requests} requests`,
    `refused ${refused[402]} (402), ${refused[403]} (403), ${refused[429]} (429)`,
    `${errors} errors`,
    `${averageMs} ms on average, ${slowestMs} at most, ${row.totalMs} in all`,
    `${row.inProgress} in progress`,
    `${row.spent} credits`,
    row.suspendedFor && `suspended: ${row.suspendedFor}`,
  ]
    .filter((part) => part !== null)
    .join('\t')

export const ownerTrafficCommand: AdminCommand = {
  name: 'owner traffic',
  usage:
    '[--range now|hour|day] [--sort requests|refused|errors|latency|time|inProgress|spent]   (who takes the most: in five minutes, in this hour and the one before, or in 24)',
  options: { range: { type: 'string' }, sort: { type: 'string' } },
  run: async (options) => {
    const range = optionalText(options, 'range') as TrafficPage['range'] | undefined
    const sort = optionalText(options, 'sort') as TrafficPage['sort'] | undefined
    const { since, rows } = await readTraffic(readOptions(TrafficPage, { range, sort }))
    const lines = [`Since ${since}`, ...(rows.length > 0 ? rows.map(trafficLine) : ['Nobody called.'])]
    return { data: { since, owners: rows }, text: lines.join('\n') }
  },
}
