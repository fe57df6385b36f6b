'use client'

import { useState } from 'react'
import { KeyPicker } from '../keys/key-picker'
import { matchesWords } from '../models/filter-models'
import { Combobox } from '../ui/combobox'
import { PlainInput } from '../ui/field'
import { setUrlParams } from '../ui/set-url-params'
import { Tabs } from '../ui/tabs'
import { CONNECT_CLIENTS } from './connect-clients'
import type { ConnectClient, Recipe } from './recipe'
import { RecipeView } from './recipe-view'
import { type ConnectKey, type ConnectModel, usableModels } from './usable-models'

type ClientProps = { clients: readonly ConnectClient[]; value: string; onChange: (id: string) => void }

/** A radio button per client, by group. Arrow keys move among all of them. */
const ClientChoice = ({ clients, value, onChange }: ClientProps) => (
  <fieldset className="grid gap-3">
    <legend className="sr-only">Client</legend>
    {[...new Set(clients.map(({ group }) => group))].map((group) => (
      <div key={group} className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[8.5rem_1fr]">
        <p className="pt-1 text-table text-muted">{group}</p>
        <div className="flex flex-wrap gap-2">
          {clients
            .filter((client) => client.group === group)
            .map(({ id, label }) => (
              <label
                key={id}
                className="cursor-pointer rounded border border-line bg-raised px-2.5 py-1 text-table font-medium hover:border-line-strong has-checked:border-accent has-checked:bg-accent-weak has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
              >
                <PlainInput
                  type="radio"
                  name="client"
                  value={id}
                  checked={id === value}
                  onChange={() => onChange(id)}
                  className="sr-only"
                />
                {label}
              </label>
            ))}
        </div>
      </div>
    ))}
  </fieldset>
)

type Props = {
  baseUrl: string
  models: readonly ConnectModel[]
  /** A key whose secret was just created; without it, a key can be chosen. */
  created?: { key: ConnectKey; secret: string }
  first?: { client?: string; key?: ConnectKey | null }
}

/** Which client, key and model; then what to paste. */
export function ConnectGuide({ baseUrl, models, created, first = {} }: Props) {
  const [clientId, setClient] = useState(first.client)
  const [chosenKey, setKey] = useState(first.key ?? null)
  const [model, setModel] = useState('')
  const key = created?.key ?? chosenKey
  const chat = usableModels({ needs: 'chat' }, models, key)
  const options = chat.kind === 'usable' ? chat.models : []
  const isUsable = (recipe: Recipe) => usableModels(recipe, models, key).kind === 'usable'
  // Nobody can choose another key beside a new secret: only what works with this one is there.
  const fitting = created ? CONNECT_CLIENTS.filter((one) => one.recipes.some(isUsable)) : CONNECT_CLIENTS
  const client = fitting.find(({ id }) => id === clientId) ?? fitting[0] ?? CONNECT_CLIENTS[0]
  const recipes = created && fitting.length > 0 ? client.recipes.filter(isUsable) : client.recipes
  const takesModel = client.recipes.some(({ needs }) => needs === 'chat') && options.length > 1
  const choose = (id: string) => {
    setClient(id)
    if (!created) setUrlParams({ client: id })
  }
  const chooseKey = (chosen: ConnectKey | null) => {
    setKey(chosen)
    setUrlParams({ key: chosen && String(chosen.id) })
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ClientChoice clients={fitting} value={client.id} onChange={choose} />
      {(!created || takesModel) && (
        <div className="grid max-w-[720px] gap-4 sm:grid-cols-2">
          {!created && (
            <KeyPicker
              label="Key"
              hint="The recipe reads the secret from TOLLGATE_KEY."
              none="Any key"
              only={{ state: 'active' }}
              value={chosenKey?.id ?? null}
              name={chosenKey?.name}
              onChange={chooseKey}
            />
          )}
          {takesModel && (
            <Combobox
              label="Model"
              hint="Only models that the key may use."
              options={options.map(({ id, name, provider }) => ({
                id,
                label: name,
                group: provider,
                words: `${id} ${name} ${provider}`,
              }))}
              value={options.some(({ id }) => id === model) ? model : (options[0]?.id ?? '')}
              onChange={setModel}
              matches={matchesWords}
            />
          )}
        </div>
      )}
      <section aria-label={client.label} className="min-w-0 border-t pt-4">
        <div className="mb-3 flex items-baseline justify-between gap-3">
          <p className="font-semibold">{client.label}</p>
          <a
            href={client.docs ?? '/docs'}
            className="text-table text-accent underline underline-offset-2"
            {...(client.docs && { target: '_blank', rel: 'noreferrer' })}
          >
            {client.docs ? 'Its documentation' : 'Documentation'}
          </a>
        </div>
        <Tabs
          key={client.id}
          label={`${client.label}: recipes`}
          tabs={recipes.map((recipe) => ({
            id: recipe.id,
            label: recipe.label,
            body: (
              <RecipeView
                recipe={recipe}
                target={{ baseUrl, secret: created?.secret ?? null }}
                models={models}
                chosenModel={model}
                connectKey={key}
                isNew={created !== undefined}
              />
            ),
          }))}
        />
      </section>
    </div>
  )
}
