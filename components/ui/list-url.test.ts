import { describe, expect, it } from 'vitest'
import { listUrl } from './list-url'
import { nextSort, sortOfUrl } from './sort-order'

describe('the URL of a list', () => {
  it('begins at the start of the list when a filter changes', () => {
    const params = new URLSearchParams('status=failed&cursor=abc')
    expect(listUrl('/keys', params, { q: 'night shift' })).toBe('/keys?status=failed&q=night+shift')
  })

  it('has no parameter that is empty', () => {
    expect(listUrl('/keys', new URLSearchParams('q=night'), { q: '' })).toBe('/keys')
  })

  it('changes nothing in the parameters it was given', () => {
    const params = new URLSearchParams('q=night')
    listUrl('/keys', params, { q: null })
    expect(params.get('q')).toBe('night')
  })
})

describe('the order of a list', () => {
  it('is the one of the URL, else the list’s own', () => {
    const own = { column: 'created', order: 'desc' } as const
    expect(sortOfUrl(new URLSearchParams(), own)).toEqual(own)
    expect(sortOfUrl(new URLSearchParams('sort=spent&order=asc'), own)).toEqual({ column: 'spent', order: 'asc' })
    expect(sortOfUrl(new URLSearchParams('sort=spent'), own)).toEqual({ column: 'spent', order: 'desc' })
  })

  it('turns round when the same column is clicked again', () => {
    const first = nextSort(null, 'name', 'asc')
    expect(first).toEqual({ column: 'name', order: 'asc' })
    expect(nextSort(first, 'name', 'asc')).toEqual({ column: 'name', order: 'desc' })
    expect(nextSort(first, 'spent', 'desc')).toEqual({ column: 'spent', order: 'desc' })
  })
})
