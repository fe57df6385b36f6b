import { grantableNames } from '../../api/grantable-names'
import { prisma } from '../../db'
import { createKey, createManagementKey } from '../../keys/create'
import { listKeys } from '../../keys/list'
import { type KeyView, MANAGEMENT_SCOPES, ManagementScope, RecurringBudget } from '../../keys/shape'
import { changeKeyLimits, revokeKeyOf } from '../../operators/keys'
import { actAs, COMMAND_LINE } from '../../operators/operator'
import {
  type AdminCommand,
  CommandError,
  type CommandOptions,
  integerOption,
  listOption,
  ownerOption,
  textOption,
} from './options'

const string = { type: 'string' } as const
const boolean = { type: 'boolean' } as const

function toolsOf(options: CommandOptions): 'all' | string[] {
  const given = textOption({ tools: 'all', ...options }, 'tools')
  if (given === 'all') return 'all'
  return given === 'none' ? [] : (listOption(options, 'tools') ?? [])
}

/** An option such as 500/month. */
function recurringBudgetOf(options: CommandOptions): RecurringBudget | undefined {
  if (options['recurring-budget'] === undefined) return undefined
  const [credits, every] = textOption(options, 'recurring-budget').split('/')
  const parsed = RecurringBudget.safeParse({ credits: Number(credits), every })
  if (!parsed.success) throw new CommandError('--recurring-budget must be credits and a period, such as 500/month.')
  return parsed.data
}

/** An option as a whole number, or null for none. */
const limitOption = (options: CommandOptions, name: string) =>
  options[name] === 'none' ? null : integerOption(options, name)

function keyOption(options: CommandOptions): number {
  const id = integerOption(options, 'id')
  if (id === undefined) throw new CommandError('--id is missing.')
  return id
}

const keyLimits: AdminCommand = {
  name: 'key limits',
  usage:
    '--id N [--budget N|none] [--recurring-budget N/day|week|month|none] [--agent-budget N] [--rpm N] [--expires ISO|never]',
  options: {
    id: string,
    budget: string,
    'recurring-budget': string,
    'agent-budget': string,
    rpm: string,
    expires: string,
  },
  run: async (options) => {
    const id = keyOption(options)
    const expires = options.expires === undefined ? undefined : textOption(options, 'expires')
    const changes = {
      budget: limitOption(options, 'budget'),
      recurringBudget: options['recurring-budget'] === 'none' ? null : recurringBudgetOf(options),
      agentRunBudgetCredits: integerOption(options, 'agent-budget'),
      rpm: integerOption(options, 'rpm'),
      expiresAt: expires === 'never' ? null : expires,
    }
    const given = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    if (given.length === 0) throw new CommandError('Name at least one limit.')
    const key = await changeKeyLimits(COMMAND_LINE, { id, changes })
    return { data: key, text: `Changed ${given.join(', ')} of key ${key.id}, ${key.name}` }
  },
}

/** Options of a key that calls, which a management key does not have. */
const CALLING_OPTIONS = [
  'tools',
  'llm',
  'models',
  'agent',
  'agent-budget',
  'capabilities',
  'budget',
  'recurring-budget',
  'customer',
  'names-customers',
]

async function createManagement(options: CommandOptions) {
  const wrong = CALLING_OPTIONS.find((name) => options[name] !== undefined)
  if (wrong) throw new CommandError(`A management key calls nothing: leave out --${wrong}.`)
  const scopes = ManagementScope.array().safeParse(listOption(options, 'scopes') ?? [])
  if (!scopes.success) throw new CommandError(`--scopes takes ${MANAGEMENT_SCOPES.join(', ')}.`)
  const input = {
    name: textOption(options, 'name'),
    scopes: scopes.data,
    tag: options.tag === undefined ? null : textOption(options, 'tag'),
    tags: listOption(options, 'tags'),
    rpm: integerOption(options, 'rpm'),
    expiresAt: options.expires === undefined ? undefined : textOption(options, 'expires'),
  }
  const owner = await ownerOption(options)
  const { name: subject, ...detail } = input
  const act = { ownerId: owner.id, action: 'management_key_created', subject, detail } as const
  const key = await actAs(COMMAND_LINE, act, () => createManagementKey(owner.id, input, grantableNames()))
  return { data: key, text: `Made management key ${key.id}, ${key.name}. It is shown this once:\n${key.key}` }
}

const keyCreate: AdminCommand = {
  name: 'key create',
  usage:
    '--email E --name N [--tools a,b|all|none] [--llm] [--models a,b] [--strict] [--response-days N] [--agent] [--agent-budget N] [--capabilities a,b] [--budget N] [--recurring-budget N/day|week|month] [--tags a,b] [--customer C | --names-customers] [--rpm N] [--expires ISO] | --management --scopes a,b [--tag T] [--rpm N] [--expires ISO]',
  options: {
    email: string,
    name: string,
    management: boolean,
    scopes: string,
    tag: string,
    tools: string,
    llm: boolean,
    models: string,
    strict: boolean,
    'response-days': string,
    agent: boolean,
    'agent-budget': string,
    capabilities: string,
    budget: string,
    'recurring-budget': string,
    tags: string,
    customer: string,
    'names-customers': boolean,
    rpm: string,
    expires: string,
  },
  run: async (options) => {
    if (options.management === true) return createManagement(options)
    const input = {
      name: textOption(options, 'name'),
      tools: toolsOf(options),
      llm: options.llm === true,
      allowedModels: listOption(options, 'models'),
      strict: options.strict === true,
      responseDays: integerOption(options, 'response-days'),
      agent: options.agent === true,
      agentRunBudgetCredits: integerOption(options, 'agent-budget'),
      capabilities: listOption(options, 'capabilities'),
      budget: integerOption(options, 'budget'),
      recurringBudget: recurringBudgetOf(options),
      tags: listOption(options, 'tags'),
      customer: options.customer === undefined ? null : textOption(options, 'customer'),
      namesCustomers: options['names-customers'] === true,
      rpm: integerOption(options, 'rpm'),
      expiresAt: options.expires === undefined ? undefined : textOption(options, 'expires'),
    }
    const owner = await ownerOption(options)
    const { name: subject, ...detail } = input
    const act = { ownerId: owner.id, action: 'key_created', subject, detail } as const
    const key = await actAs(COMMAND_LINE, act, () => createKey(owner.id, input, grantableNames()))
    return { data: key, text: `Made key ${key.id}, ${key.name}. It is shown this once:\n${key.key}` }
  },
}

const grantsText = ({ tools, llm, agent, management }: KeyView) =>
  management
    ? `manages ${management.scopes.join(' + ')}`
    : [tools === 'all' ? 'all tools' : `${tools.length} tools`, llm && 'llm', agent && 'agent']
        .filter(Boolean)
        .join(' + ')

const line = (key: KeyView & { email: string }) =>
  [
    key.id,
    key.email,
    key.name,
    `…${key.last4}`,
    key.state,
    grantsText(key),
    `${key.spent} spent of ${key.budget ?? 'no budget'}`,
    key.recurringBudget &&
      `${key.recurringBudget.spent} spent of ${key.recurringBudget.credits} a ${key.recurringBudget.every}`,
    `${key.rpm}/min`,
  ]
    .filter((part) => part !== null)
    .join('\t')

/** Every key of one owner, page by page. */
export async function everyKey(ownerId: number): Promise<KeyView[]> {
  const rows: KeyView[] = []
  let cursor: string | undefined
  do {
    const page = await listKeys(ownerId, { limit: 100, cursor })
    rows.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return rows
}

const keyList: AdminCommand = {
  name: 'key list',
  usage: '[--email E]',
  options: { email: string },
  run: async (options) => {
    const owners =
      options.email === undefined
        ? await prisma().owner.findMany({ orderBy: { id: 'asc' } })
        : [await ownerOption(options)]
    const perOwner = await Promise.all(
      owners.map(async ({ id, email }) => (await everyKey(id)).map((key) => ({ ...key, email }))),
    )
    const keys = perOwner.flat()
    return { data: { keys }, text: keys.length > 0 ? keys.map(line).join('\n') : 'There are no keys' }
  },
}

const keyRevoke: AdminCommand = {
  name: 'key revoke',
  usage: '--id N',
  options: { id: string },
  run: async (options) => {
    const key = await revokeKeyOf(COMMAND_LINE, keyOption(options))
    return { data: key, text: `Revoked key ${key.id}, ${key.name}` }
  },
}

export const keyCommands: readonly AdminCommand[] = [keyCreate, keyList, keyLimits, keyRevoke]
