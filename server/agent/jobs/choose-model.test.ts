import { describe, expect, it } from 'vitest'
import { chatModels } from '../../models/registry'
import { chooseModel, chooseSummaryModel } from './choose-model'

const settings = {
  defaultModel: null,
  disabledTools: [],
  outsideApproval: 'ask' as const,
  autoModel: true,
  databaseLabel: null,
}
const usual = chatModels()[0]
const goal = 'What does ether cost?'
const costOf = ({ creditsPer1mInput, creditsPer1mOutput }: { creditsPer1mInput: bigint; creditsPer1mOutput: bigint }) =>
  creditsPer1mInput * 12n + creditsPer1mOutput
const cheapestOf = (models: readonly (typeof usual & object)[]) =>
  models.reduce((best, next) => (costOf(next) < costOf(best) ? next : best)).id

describe('auto', () => {
  it('is the cheapest model that fits a small goal', () => {
    const { id } = chooseModel({ settings }, { goal, model: 'auto' })
    expect(id).toBe(cheapestOf(chatModels().filter(({ contextSize }) => contextSize >= 32_000)))
    expect(id).not.toBe(usual?.id)
  })

  it('is the usual model for a long goal, or one whose answer a program reads', () => {
    for (const more of [{ goal: 'Compare these. '.repeat(40) }, { goal: 'a\nb\nc\nd\ne' }, { goal, outputSchema: {} }])
      expect(chooseModel({ settings }, { model: 'auto', ...more }).id).toBe(usual?.id)
  })

  it('sees the images of its goal', () => {
    const attachments = [{ data: 'data:image/png;base64,AA==' }]
    expect(chooseModel({ settings }, { goal, model: 'auto', attachments }).vision).toBe(true)
  })

  it('is among the models of its key', () => {
    const grants = { allowedModels: new Set([usual?.id]) } as never
    expect(chooseModel({ settings, grants }, { goal, model: 'auto' }).id).toBe(usual?.id)
  })

  it('is refused where the owner has not allowed it, and changes nothing for runs that name a model', () => {
    const off = { ...settings, autoModel: false }
    expect(() => chooseModel({ settings: off }, { goal, model: 'auto' })).toThrow(/does not allow/)
    expect(chooseModel({ settings }, { goal }).id).toBe(usual?.id)
    expect(() => chooseModel({ settings }, { goal, model: 'no/such' })).toThrow(/no model "no\/such"/)
  })
})

describe('the model of summaries', () => {
  it("has the context of the run's, and is another only where the owner allows it", () => {
    if (!usual) throw new Error('There is no chat model.')
    expect(chooseSummaryModel({ settings: { ...settings, autoModel: false } }, usual)).toBeNull()
    const small = { ...usual, contextSize: 12_000 }
    expect(chooseSummaryModel({ settings }, small)?.id).toBe(
      cheapestOf(chatModels().filter(({ contextSize }) => contextSize >= 12_000)),
    )
    expect(chooseSummaryModel({ settings }, { ...usual, contextSize: 100_000_000 })).toBeNull()
  })
})
