import { describe, expect, it } from 'vitest'
import { changesToDraft, draftOfFields, parseFieldsDraft } from './fields-draft'

const text = (name: string, value: string, type = 'text') => ({ name, type, value })
const box = (name: string, value: string, checked: boolean, type = 'checkbox') => ({ name, type, value, checked })

describe('the draft of a form', () => {
  it('keeps texts and choices, and no secrets', () => {
    const fields = [
      text('name', 'nightly'),
      text('goal', 'Compare\ntwo things', 'textarea'),
      text('pass', 'hunter2', 'password'),
      { ...text('again', 'hunter2'), autocomplete: 'new-password' },
      text('token', 'x', 'hidden'),
      text('', 'search'),
      box('tools', 'a', true),
      box('tools', 'b', false),
      box('mode', 'one', false, 'radio'),
      box('mode', 'two', true, 'radio'),
    ]
    expect(draftOfFields(fields)).toEqual({
      name: ['nightly'],
      goal: ['Compare\ntwo things'],
      tools: ['a'],
      mode: ['two'],
    })
  })

  it('says what brings an empty form back to it', () => {
    const draft = { name: ['nightly'], tools: ['a'], mode: ['two'], gone: ['x'] }
    const empty = [
      text('name', ''),
      text('other', ''),
      box('tools', 'a', false),
      box('tools', 'b', true),
      box('mode', 'one', true, 'radio'),
      box('mode', 'two', false, 'radio'),
    ]
    expect(changesToDraft(empty, draft).map(({ field, set }) => [field.name, field.value, set])).toEqual([
      ['name', '', 'nightly'],
      ['tools', 'a', 'click'],
      ['tools', 'b', 'click'],
      ['mode', 'two', 'click'],
    ])
  })

  it('changes nothing in a form that is as it was', () => {
    const fields = [text('name', 'nightly'), box('tools', 'a', true), box('mode', 'one', false, 'radio')]
    expect(changesToDraft(fields, draftOfFields(fields))).toEqual([])
  })

  it('is null where something else is stored', () => {
    expect(parseFieldsDraft(null)).toBeNull()
    expect(parseFieldsDraft('"text"')).toBeNull()
    expect(parseFieldsDraft('{"name": "nightly"}')).toBeNull()
    expect(parseFieldsDraft('{"name": ["nightly"]}')).toEqual({ name: ['nightly'] })
  })
})
