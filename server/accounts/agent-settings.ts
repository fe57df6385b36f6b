import { inAct, prisma } from '../db'
import { OutsideApproval, type OwnerAgentSettings } from './shape'

/** What an owner chose for agent runs; nothing chosen where there is no row. */
export async function getAgentSettings(ownerId: number): Promise<OwnerAgentSettings> {
  const row = await prisma().agentSettings.findUnique({ where: { ownerId } })
  return {
    defaultModel: row?.defaultModel ?? null,
    disabledTools: row?.disabledTools ?? [],
    outsideApproval: OutsideApproval.parse(row?.outsideApproval ?? 'ask'),
    autoModel: row?.autoModel ?? false,
    databaseLabel: row?.databaseLabel ?? null,
  }
}

/**
 * Changes what is given and leaves the rest. Whether a model or a tool is known is for the caller
 * to check.
 */
export async function saveAgentSettings(
  ownerId: number,
  changes: Partial<Pick<OwnerAgentSettings, 'defaultModel' | 'disabledTools' | 'outsideApproval' | 'autoModel'>>,
): Promise<void> {
  const data = { ...changes, updatedAt: new Date() }
  await inAct((tx) => tx.agentSettings.upsert({ where: { ownerId }, create: { ownerId, ...data }, update: data }))
}
