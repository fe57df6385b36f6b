import { expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { findLogFaults } from '../support/log-faults'
import { startWebProcess } from '../support/web-process'

withSandbox()

it('the first pages of a web process, and its end, log no fault', async () => {
  const web = await startWebProcess()
  for (const page of ['/signin', '/docs', '/overview', '/signin']) {
    expect((await fetch(`${web.url}${page}`)).status, page).toBe(200)
  }
  await web.kill('SIGTERM')
  expect(web.child.exitCode).toBe(0)
  expect(findLogFaults(web.log())).toEqual([])
})
