// Given to a process with --import: writes the URL of every module that it loads, imported or
// required, into the file that NOTE_MODULES names.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env.NOTE_MODULES ?? ''

registerHooks({
  load: (url, context, next) => {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
