import { expect, it } from 'vitest'
import { closeAll } from './close-all'

it('waits for all, also where some of it fails', async () => {
  const slow = Promise.withResolvers<void>()
  let isOver = false
  const closed = closeAll({ queue: Promise.reject(new Error('gone')), database: slow.promise }).finally(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  slow.resolve()
  expect(await closed).toEqual([])
})

it('ends although something never closes, and says what', async () => {
  const never = new Promise<void>(() => {})
  expect(await closeAll({ queue: Promise.resolve(), database: never }, 1)).toEqual(['database'])
})
