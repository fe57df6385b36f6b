import Link from 'next/link'
import { CopyBox } from '../ui/copy'
import { CHANNEL_LABELS } from '../usage/receipt-labels'
import { NoRecipe } from './no-recipe'
import type { ConnectTarget, Recipe } from './recipe'
import { type ConnectKey, type ConnectModel, smallModelFor, usableModels } from './usable-models'

const link = 'text-accent underline underline-offset-2'

const BILLED: Record<Recipe['needs'], string> = {
  chat: 'Billed by tokens, at the model’s price',
  embedding: 'Billed by input tokens, at the model’s price',
  tools: 'Listing is free; each call is billed at the tool’s price',
}

type Props = {
  recipe: Recipe
  target: Pick<ConnectTarget, 'baseUrl' | 'secret'>
  models: readonly ConnectModel[]
  chosenModel: string
  connectKey: ConnectKey | null
}

/** What to paste and where, and how it is billed; or why it does not work. */
export function RecipeView({ recipe, target, models, chosenModel, connectKey }: Props) {
  const usable = usableModels(recipe, models, connectKey)
  if (usable.kind !== 'usable') return <NoRecipe why={usable.kind} needs={recipe.needs} />
  const model = usable.models.find(({ id }) => id === chosenModel) ?? usable.models[0]
  const names = { model: model?.id ?? '', smallModel: model ? smallModelFor(model, usable.models).id : '' }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-muted wrap-anywhere">{recipe.where}</p>
      <CopyBox label={recipe.label} code={recipe.code({ ...target, ...names })} />
      <p className="text-table text-muted">
        {BILLED[recipe.needs]}.{' '}
        <Link href={recipe.needs === 'tools' ? '/catalog' : '/models'} className={link}>
          Prices
        </Link>{' '}
        · Receipts show the channel {CHANNEL_LABELS[recipe.channel]} in{' '}
        <Link href="/usage" className={link}>
          Usage
        </Link>
        .
      </p>
    </div>
  )
}
