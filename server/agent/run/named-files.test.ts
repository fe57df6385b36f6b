import { expect, test } from 'vitest'
import { namedFiles } from './named-files'

const HOME = '/home/user'
const files = [
  `${HOME}/report.csv`,
  `${HOME}/out/chart.svg`,
  `${HOME}/a/same.txt`,
  `${HOME}/b/same.txt`,
  `${HOME}/uploads/given.csv`,
  `${HOME}/.hidden.txt`,
  `${HOME}/Makefile`,
  '/tmp/notes.md',
]

test.each([
  ['See report.csv.', ['report.csv']],
  ['The table is in `~/report.csv`, the chart: out/chart.svg', ['report.csv', 'out/chart.svg']],
  ['![chart](./out/chart.svg)', ['out/chart.svg']],
  [`It is at ${HOME}/out/chart.svg and /tmp/notes.md`, ['out/chart.svg', '/tmp/notes.md']],
  ['chart.svg shows it', ['out/chart.svg']],
  ['same.txt', []],
  ['b/same.txt', ['b/same.txt']],
  ['old-report.csv, report.csv.gz, my/report.csv and x.report.csv', []],
  ['uploads/given.csv, given.csv, .hidden.txt and Makefile', []],
  ['nothing', []],
])('%s', (text, expected) => {
  expect(namedFiles(text, files)).toEqual(expected.map((name) => (name.startsWith('/') ? name : `${HOME}/${name}`)))
})
