'use client'

import { useState } from 'react'
import { matchesWords } from '../models/filter-models'
import { Combobox } from '../ui/combobox'
import { Field, Select } from '../ui/field'
import { setUrlParams } from '../ui/set-url-params'
import { Tabs } from '../ui/tabs'
import { ClientChoice } from './client-choice'
import { CONNECT_CLIENTS } from './connect-clients'
import { RecipeView } from './recipe-view'
import { type ConnectKey, type ConnectModel, usableModels } from './usable-models'

type Props = {
  baseUrl: string
  models: readonly ConnectModel[]
  /** A key whose secret was just created, or keys to choose from. */
  created?: { key: ConnectKey; secret: string }
  keys?: readonly ConnectKey[]
  first?: { client?: string; key?: string }
}

/** Which client, key and model; then what to paste. */
export function ConnectGuide({ baseUrl, models, created, keys = [], first = {} }: Props) {
  const [clientId, setClient] = useState(first.client)
  const [keyId, setKey] = useState(first.key ?? '')
  const [model, setModel] = useState('')
  const client = CONNECT_CLIENTS.find(({ id }) => id === clientId) ?? CONNECT_CLIENTS[0]
  const key = created?.key ?? keys.find(({ id }) => String(id) === keyId) ?? null
  const chat = usableModels({ needs: 'chat' }, models, key)
  const options = chat.kind === 'usable' ? chat.models : []
  const takesModel = client.recipes.some(({ needs }) => needs === 'chat') && options.length > 1
  const choose = (id: string) => {
    setClient(id)
    if (!created) setUrlParams({ client: id })
  }
  const chooseKey = (id: string) => {
    setKey(id)
    setUrlParams({ key: id || null })
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ClientChoice value={client.id} onChange={choose} />
      {(keys.length > 0 || takesModel) && (
        <div className="grid max-w-[720px] gap-4 sm:grid-cols-2">
          {keys.length > 0 && (
            <Field label="Key" hint="The recipe reads the secret from TOLLGATE_KEY.">
              {(control) => (
                <Select {...control} value={keyId} onChange={(e) => chooseKey(e.target.value)}>
                  <option value="">Any key</option>
                  {keys.map(({ id, name, last4 }) => (
                    <option key={id} value={id}>
                      {name} (tg_…{last4})
                    </option>
                  ))}
                </Select>
              )}
            </Field>
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
          tabs={client.recipes.map((recipe) => ({
            id: recipe.id,
            label: recipe.label,
            body: (
              <RecipeView
                recipe={recipe}
                target={{ baseUrl, secret: created?.secret ?? null }}
                models={models}
                chosenModel={model}
                connectKey={key}
              />
            ),
          }))}
        />
      </section>
    </div>
  )
}
