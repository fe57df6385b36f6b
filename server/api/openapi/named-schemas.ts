import type { z } from 'zod'
import { Invitation, Member } from '../../accounts/members/shape'
import { ScheduleRunView, ScheduleView } from '../../agent/schedules/shape'
import { JobSummary, JobView, StartedJob, StepView } from '../../agent/shape'
import { DeliveryView } from '../../agent/webhooks/shape'
import { Catalog, CatalogTool } from '../../catalog/describe'
import { CallReceipt } from '../../credits/shape'
import { CatalogModel, ListedModel } from '../../models/shape'
import { NamedBudget } from '../budgets/shapes'
import { ManagedKey, ManagedKeyWithSecret } from '../manage/key-shapes'

/** Shapes that clients meet in several places, under the names they have in the document. */
export const NAMED_SCHEMAS = {
  AgentJob: JobView,
  AgentJobSummary: JobSummary,
  AgentSchedule: ScheduleView,
  AgentScheduleRun: ScheduleRunView,
  AgentStep: StepView,
  AgentDelivery: DeliveryView,
  StartedAgentRun: StartedJob,
  Receipt: CallReceipt,
  Model: ListedModel,
  Catalog,
  CatalogTool,
  CatalogModel,
  ManagedKey,
  NewManagedKey: ManagedKeyWithSecret,
  Budget: NamedBudget,
  Invitation,
  Member,
} satisfies Record<string, z.ZodType>
