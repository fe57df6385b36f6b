import { settleRun } from '../../server/credits/perform'
import type { Replay } from '../../server/credits/plan'
import { reserveCredits } from '../../server/credits/reserve'
import { planToolCall, type ToolCall, type ToolOutcome } from '../../server/tools/call'

/** All four stages of a tool call, for a payer whose key is let in. */
export async function callTool(call: ToolCall): Promise<ToolOutcome | Replay> {
  const { terms, gone, run } = await planToolCall(call)
  const reserved = await reserveCredits({ ...call.payer, ...terms }, gone)
  return reserved.kind === 'replay' ? reserved : settleRun(await run(reserved))
}
