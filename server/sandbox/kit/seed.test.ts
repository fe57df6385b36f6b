import { describe, expect, it } from 'vitest'
import { drawFrom } from './seed'

describe('draws', () => {
  it('are the same for the same seed, whatever was drawn before', () => {
    const [first, second] = [drawFrom('home 1'), drawFrom('home 1')]
    first.int('size', 30, 200)
    expect(first.shuffle('photos', [1, 2, 3, 4])).toEqual(second.shuffle('photos', [1, 2, 3, 4]))
    expect(first.pick('kind', ['flat', 'house'])).toBe(second.pick('kind', ['flat', 'house']))
  })

  it('reach both ends of a range and nothing beyond', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, i) => drawFrom(`${i}`).int('size', 3, 5)))
    expect([...seen].sort()).toEqual([3, 4, 5])
  })

  it('keep every item of a shuffled list', () => {
    const list = Array.from({ length: 50 }, (_, i) => i)
    expect(drawFrom('x').shuffle('list', list)).not.toEqual(list)
    expect(
      drawFrom('x')
        .shuffle('list', list)
        .sort((a, b) => a - b),
    ).toEqual(list)
  })
})
