import { CONNECT_CLIENTS } from './connect-clients'

const GROUPS = [...new Set(CONNECT_CLIENTS.map(({ group }) => group))]

/** A radio button per client, by group. Arrow keys move among all of them. */
export const ClientChoice = ({ value, onChange }: { value: string; onChange: (id: string) => void }) => (
  <fieldset className="grid gap-3">
    <legend className="sr-only">Client</legend>
    {GROUPS.map((group) => (
      <div key={group} className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[8.5rem_1fr]">
        <p className="pt-1 text-table text-muted">{group}</p>
        <div className="flex flex-wrap gap-2">
          {CONNECT_CLIENTS.filter((client) => client.group === group).map(({ id, label }) => (
            <label
              key={id}
              className="cursor-pointer rounded border border-line bg-raised px-2.5 py-1 text-table font-medium hover:border-line-strong has-checked:border-accent has-checked:bg-accent-weak has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
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
