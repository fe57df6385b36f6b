import type { OwnerAgentSettings } from '../../accounts/shape'
import { AppError, invalidRequest } from '../../errors'
import { type CallerGrants, isModelAllowed } from '../../keys/grants'
import { supportedParameters } from '../../models/listing/supported'
import { chatModels, findModel } from '../../models/registry'
import type { Model } from '../../models/shape'
import type { StartRequest } from '../shape'

/** Names no model: the service chooses one, where the owner allows that. */
export const AUTO_MODEL = 'auto'

/** A small goal: its characters and lines at most. Nothing that it says is read. */
const SMALL = { chars: 400, lines: 4 }
/** A run on less context has its results cut. */
const MIN_CONTEXT = 32_000
/** Tokens that a run reads for each that it writes. */
const READ_PER_WRITTEN = 12n

type Start = Pick<StartRequest, 'goal' | 'model' | 'attachments' | 'outputSchema'>
/** Who starts a run: what the account chose, and the key's grants. */
export type ModelChooser = { settings: OwnerAgentSettings; grants?: CallerGrants }

/**
 * The model of a new run: the one that is named, else the owner's default, else the first. For
 * `auto` the cheapest that fits where the goal is small, else as if none were named. Throws
 * `unknown_model`, and `invalid_request` for `auto` where the owner has not allowed it.
 */
export function chooseModel(chooser: ModelChooser, request: Start): Model {
  const { settings } = chooser
  // A model of the registry may have this name.
  const isAuto = request.model === AUTO_MODEL && !findModel(AUTO_MODEL)
  const usual = requireChatModel(isAuto ? settings.defaultModel : (request.model ?? settings.defaultModel))
  if (!isAuto) return usual
  if (!settings.autoModel) {
    const message = 'is "auto", which the account does not allow: allow cheaper models in its settings for agents'
    throw invalidRequest([{ path: ['model'], message }])
  }
  return isSmall(request) ? cheapest(chooser, { instead: usual, ...neededBy(request) }) : usual
}

/** The model that summarizes a run's history; null: its own. */
export function chooseSummaryModel(chooser: ModelChooser, model: Model): Model | null {
  if (!chooser.settings.autoModel) return null
  // What fits the run's model must fit this one.
  const chosen = cheapest(chooser, { instead: model, contextSize: model.contextSize, hasImages: false, tools: false })
  return chosen.id === model.id ? null : chosen
}

/** Throws `unknown_model` for an id that is not a chat model's. */
export function requireChatModel(id: string | null): Model {
  const model = id === null ? chatModels()[0] : findModel(id)
  if (model?.kind === 'chat') return model
  const why =
    id === null
      ? 'No chat model is configured here.'
      : model
        ? `${id} is not a chat model, so it runs no agents.`
        : `There is no model "${id}".`
  throw new AppError('unknown_model', `${why} GET /api/v1/models lists them.`)
}

const isSmall = ({ goal, outputSchema }: Start): boolean =>
  outputSchema === undefined && goal.length <= SMALL.chars && goal.trim().split('\n').length <= SMALL.lines

type Needed = { contextSize: number; hasImages: boolean; tools: boolean }

const neededBy = ({ attachments = [] }: Start): Needed => ({
  contextSize: MIN_CONTEXT,
  // A file of the account that is attached is an image.
  hasImages: attachments.some(({ data }) => data === undefined || /^data:image\//i.test(data)),
  tools: true,
})

const priceOf = ({ creditsPer1mInput, creditsPer1mOutput }: Model): bigint =>
  creditsPer1mInput * READ_PER_WRITTEN + creditsPer1mOutput

/** The cheapest model that fits and that the key may use; `instead` where none is cheaper. */
function cheapest({ grants }: ModelChooser, { instead, ...needed }: Needed & { instead: Model }): Model {
  const fits = (model: Model) =>
    model.contextSize >= needed.contextSize &&
    (!needed.hasImages || model.vision) &&
    (!needed.tools || supportedParameters(model)?.includes('tools') === true) &&
    (grants === undefined || isModelAllowed(grants, model.id))
  const usual = grants === undefined || isModelAllowed(grants, instead.id) ? [instead] : []
  const [first = instead, ...rest] = [...usual, ...chatModels().filter(fits)]
  return rest.reduce((best, next) => (priceOf(next) < priceOf(best) ? next : best), first)
}
