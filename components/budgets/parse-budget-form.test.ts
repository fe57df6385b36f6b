import { describe, expect, test } from 'vitest'
import { errorsOfBudget, parseBudgetForm } from './parse-budget-form'

const form = (fields: [string, string][]) => {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  return data
}

describe('a form about a budget', () => {
  test('is sent with what was filled in', () => {
    const fields: [string, string][] = [
      ['name', ' Shop '],
      ['credits', '10\u202f000'],
      ['window', 'week'],
      ['product', 'tool'],
      ['product', 'agent'],
      ['tools', 'web, crypto_*,web'],
      ['models', ''],
      ['tags', ' shop '],
      ['customers', 'named'],
      ['customerNames', 'Olbia, Ltd\n\n Ada '],
    ]
    expect(parseBudgetForm(form(fields), [7])).toEqual({
      name: 'Shop',
      credits: 10_000,
      window: 'week',
      scope: {
        products: ['tool', 'agent'],
        tools: ['web', 'crypto_*'],
        tags: ['shop'],
        keys: [7],
        customers: ['Olbia, Ltd', 'Ada'],
      },
    })
  })

  test('counts every call where nothing is chosen, and has no credits where none are written', () => {
    expect(parseBudgetForm(form([['customers', 'any']]), [])).toMatchObject({ credits: Number.NaN, scope: {} })
    expect(parseBudgetForm(form([['customers', 'each']]), []).scope).toEqual({ customers: 'each' })
  })

  test('shows what the service found wrong at its field', () => {
    const issues = [
      { path: 'changes.scope.tools.1', message: 'There is no "webb" here' },
      { path: 'scope.customers', message: 'Too few' },
      { path: 'credits', message: 'Too small' },
      { path: 'alertAt', message: 'x' },
    ]
    expect(errorsOfBudget(issues)).toEqual({
      tools: 'There is no "webb" here',
      customers: 'Too few',
      credits: 'Too small',
    })
  })
})
