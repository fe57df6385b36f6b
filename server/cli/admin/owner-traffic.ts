import { TrafficPage } from '../../operators/shape'
import { readTraffic } from '../../operators/traffic'
import type { TrafficRow } from '../../operators/traffic-view'
import { type AdminCommand, optionalText, readOptions } from './options'

const trafficLine = ({ id, email, requests, refused, errors, averageMs, slowestMs, spent, suspendedFor }: TrafficRow) =>
  [
    id,
    email,
    `${requests} requests`,
    `refused ${refused[402]} (402), ${refused[403]} (403), ${refused[429]} (429)`,
    `${errors} errors`,
    `${averageMs} ms on average, ${slowestMs} at most`,
    `${spent} credits`,
    suspendedFor && `suspended: ${suspendedFor}`,
  ]
    .filter((part) => part !== null)
    .join('\t')

export const ownerTrafficCommand: AdminCommand = {
  name: 'owner traffic',
  usage:
    '[--range hour|day] [--sort requests|refused|errors|latency|spent]   (who takes the most: this hour and the one before, or 24)',
  options: { range: { type: 'string' }, sort: { type: 'string' } },
  run: async (options) => {
    const range = optionalText(options, 'range') as TrafficPage['range'] | undefined
    const sort = optionalText(options, 'sort') as TrafficPage['sort'] | undefined
    const { since, rows } = await readTraffic(readOptions(TrafficPage, { range, sort }))
    const lines = [`Since ${since}`, ...(rows.length > 0 ? rows.map(trafficLine) : ['Nobody called.'])]
    return { data: { since, owners: rows }, text: lines.join('\n') }
  },
}
